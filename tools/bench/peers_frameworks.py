"""What validates within a framework: fields of pydantic, formats of jsonschema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .contenders import OURS, Contender
from .peers_parse import yarl

if TYPE_CHECKING:
    from collections.abc import Callable

    from .timing import Call


def _text_field() -> Call:
    from pydantic import TypeAdapter

    from uriparse.extra.pydantic import URIStr

    return TypeAdapter(URIStr).validate_python


def _record_field() -> Call:
    from pydantic import TypeAdapter

    from uriparse import URI

    return TypeAdapter(URI).validate_python


def _any_url() -> Call:
    from pydantic import AnyUrl, TypeAdapter

    return TypeAdapter(AnyUrl).validate_python


def _rfc3987() -> Call:
    from rfc3987 import parse

    return lambda text: parse(text, rule="URI")


def _rfc3986_validator() -> Call:
    from rfc3986_validator import validate_rfc3986

    return lambda text: validate_rfc3986(text, rule="URI")


def _ours_as_format() -> Call:
    from jsonschema import FormatChecker

    from uriparse.extra.jsonschema import register

    checker = register(FormatChecker())
    return lambda text: checker.conforms(text, "uri")


def _as_format(load: Callable[[], Call]) -> Callable[[], Call]:
    """Judge as jsonschema does by a package: what raises ValueError, or gives nothing, is none."""

    def loaded() -> Call:
        from jsonschema import FormatChecker

        checker = FormatChecker()
        checker.checks("uri", raises=ValueError)(load())
        return lambda text: checker.conforms(text, "uri")

    return loaded


FIELD = (
    Contender(f"{OURS} URIStr", _text_field, answers=False),
    Contender(f"{OURS} URI", _record_field, answers=False),
    Contender("pydantic AnyUrl", _any_url, answers=False, native=True),
    Contender("yarl", yarl, answers=False),
    Contender("rfc3987", _rfc3987, answers=False),
    Contender("rfc3986-validator", _rfc3986_validator, answers=True),
)

FORMAT = (
    Contender(OURS, _ours_as_format, answers=True),
    Contender("rfc3987", _as_format(_rfc3987), answers=True),
    Contender("rfc3986-validator", _as_format(_rfc3986_validator), answers=True),
)
