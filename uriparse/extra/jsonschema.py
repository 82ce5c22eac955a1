"""For jsonschema: JSON Schema's formats of URIs, validated by the RFCs' own grammars.

>>> from jsonschema import Draft202012Validator, FormatChecker
>>> schema = {"type": "string", "format": "uri"}
>>> validator = Draft202012Validator(schema, format_checker=register(FormatChecker()))
>>> error = next(validator.iter_errors("http://h/a b"))
>>> error.message.partition(";")[0], error.cause.offset
('path: a space is not allowed', 10)

The message shows no password; but `str` of an error of jsonschema prints the whole instance below.
"""

from collections.abc import Callable, Mapping
from typing import Final

from uriparse._base import needed
from uriparse._base.coerce import refusal
from uriparse.diagnosis import diagnose
from uriparse.parsing import is_valid

with needed("jsonschema", __name__):
    from jsonschema import FormatChecker
    from jsonschema.exceptions import FormatError


__all__ = ["FORMATS", "register"]

FORMATS: Final[Mapping[str, tuple[str, str]]] = {
    "uri": ("URI", "rfc3986"),
    "uri-reference": ("URI-reference", "rfc3986"),
    "iri": ("IRI", "rfc3987"),
    "iri-reference": ("IRI-reference", "rfc3987"),
    "uri-template": ("URI-Template", "rfc6570"),
}
"""By the name of a format its rule and the grammar of that (JSON Schema Validation, section 7.3).
"""


def register(checker: FormatChecker) -> FormatChecker:
    """Make a format checker validate `FORMATS` by their rules, and return it.

    A value that is not a text fits every format, as JSON Schema says. The `cause` of an error is a
    `URISyntaxError` with its offset. TypeError if it is not a FormatChecker.
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
        # Raised here, since jsonschema would quote the whole text, its password included.
        raise FormatError(str(error), cause=error)

    return judge
