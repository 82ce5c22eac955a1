"""Peers that judge whether a text is a URI, and those that build a tree of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import ours
from .contenders import OURS, Contender

if TYPE_CHECKING:
    from .timing import Call


def _rfc3986() -> Call:
    from rfc3986 import is_valid_uri

    return lambda text: is_valid_uri(text, require_scheme=True)


def _rfc3986_validator() -> Call:
    from rfc3986_validator import validate_rfc3986

    return lambda text: validate_rfc3986(text, rule="URI")


def _rfc3987() -> Call:
    from rfc3987 import match

    return lambda text: match(text, rule="URI")


def _rfc3987_syntax() -> Call:
    from rfc3987_syntax import is_valid_syntax_iri

    return is_valid_syntax_iri  # type: ignore[no-any-return]


def _rfc3987_syntax_tree() -> Call:
    from rfc3987_syntax import parse

    return lambda text: parse("iri", text)


def abnf_tree() -> Call:
    """Load the `abnf` package with its own RFC 3986 grammar: an oracle that is not ours."""
    from abnf.grammars.rfc3986 import Rule

    return Rule("URI").parse_all


def _uritools() -> Call:
    from uritools import isuri

    return isuri


def _ada() -> Call:
    from ada_url import check_url

    return check_url


def _can_ada() -> Call:
    from can_ada import can_parse

    return can_parse


IS_VALID = (
    Contender(OURS, ours.is_valid, answers=True),
    Contender("rfc3986", _rfc3986, answers=True),
    Contender("rfc3986-validator", _rfc3986_validator, answers=True),
    Contender("rfc3987", _rfc3987, answers=True),
    Contender("uritools", _uritools, answers=True),
    Contender("ada-url", _ada, answers=True, native=True),
    Contender("can-ada", _can_ada, answers=True, native=True),
    Contender("rfc3987-syntax", _rfc3987_syntax, answers=True, slow=True),
    Contender("abnf", abnf_tree, answers=False, slow=True),
)

PARSE_TREE = (
    Contender(OURS, ours.parse_tree, answers=False),
    Contender(f"{OURS} (full)", ours.full_tree, answers=False),
    Contender("rfc3987-syntax", _rfc3987_syntax_tree, answers=False, slow=True),
    Contender("abnf", abnf_tree, answers=False, slow=True),
)

LARK = f"{OURS} by Lark"
ENGINES = (
    Contender(OURS, ours.parse, answers=False),
    Contender(f"{OURS} in Python", ours.parse_pure, answers=False),
    Contender(LARK, ours.parse_by_lark, answers=False),
    *PARSE_TREE[-2:],
)

REJECT = (
    Contender(f"{OURS} is_valid", ours.is_valid, answers=True),
    Contender(f"{OURS} try_parse", ours.try_parse, answers=True),
    Contender(f"{OURS} parse", ours.parse, answers=False),
    *(contender for contender in IS_VALID if not contender.ours and not contender.slow),
)
