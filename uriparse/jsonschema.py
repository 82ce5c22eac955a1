"""jsonschema: the URI formats of JSON Schema, checked by the RFCs' grammars.

>>> from jsonschema import Draft202012Validator, FormatChecker
>>> schema = {"type": "string", "format": "uri"}
>>> validator = Draft202012Validator(schema, format_checker=register(FormatChecker()))
>>> error = next(validator.iter_errors("http://h/a b"))
>>> error.message.partition(";")[0], error.cause.offset
('path: a space is not allowed', 10)

The message shows no password; but `str` of a jsonschema error also prints the whole instance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from uriparse.coerce import refusal
from uriparse.diagnosis import diagnose
from uriparse.errors import MissingPackageError
from uriparse.parsing import is_valid

try:
    from jsonschema import FormatChecker
    from jsonschema.exceptions import FormatError
except ImportError:
    raise MissingPackageError("jsonschema", __name__) from None

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["FORMATS", "register"]

FORMATS: Final[Mapping[str, tuple[str, str]]] = {
    "uri": ("URI", "rfc3986"),
    "uri-reference": ("URI-reference", "rfc3986"),
    "iri": ("IRI", "rfc3987"),
    "iri-reference": ("IRI-reference", "rfc3987"),
    "uri-template": ("URI-Template", "rfc6570"),
}
"""The rule and grammar of each format (JSON Schema Validation, section 7.3)."""


def register(checker: FormatChecker) -> FormatChecker:
    """Register `FORMATS` with a format checker, and return the checker.

    A value that is not a string has every format, as in JSON Schema. The `cause` of an error is a
    `URISyntaxError` with an offset. TypeError if `checker` is not a FormatChecker.
    """
    if not isinstance(checker, FormatChecker):
        raise refusal(checker, "checker", "a FormatChecker, such as FormatChecker()")
    for name, (rule, grammar) in FORMATS.items():
        checker.checks(name)(_judge(rule, grammar))
    return checker


def _judge(rule: str, grammar: str) -> Callable[[object], bool]:
    def judge(instance: object) -> bool:
        if not isinstance(instance, str) or is_valid(instance, rule, grammar=grammar):
            return True
        error = diagnose(instance, rule, grammar)
        # jsonschema's own error would quote the whole text, its password included.
        raise FormatError(str(error), cause=error)

    return judge
