"""Expressions for looking around in a text, put together from the expressions of grammar rules.

What a URI is made of comes from the generated matchers and character sets alone; what is added
here is white space, delimiters and the order in which to look.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from uriparse import excerpt
from uriparse.grammar import charset, matcher

BLANKS = " \t\n\r\f\v"
"""The white space of ASCII: what may be put inside delimiters, and what ends a bare URI."""

FAR = 256
"""White space that is looked over, at most, before a scheme and after its colon."""

_RULES = {
    "rfc3986": ("URI", "absolute-URI", "userinfo", "reg-name", "fragment"),
    "rfc3987": ("IRI", "absolute-IRI", "iuserinfo", "ireg-name", "ifragment"),
}
_GROUP = re.compile(r"\(\?P<\w+>")  # how a generated expression begins a capture
_BLANK = f"[{re.escape(BLANKS)}]"


@dataclass(frozen=True, slots=True)
class Patterns:
    """The expressions of one grammar.

    Attributes:
        rule, absolute: the rules that a result has to be derived by.
        scheme_characters, not_first: those of a scheme, and those that cannot begin one.
        in_word: characters after which "www." begins nothing.
        colon: a colon that may be a scheme's.
        colon_or_suffix: the same, or "www." in any letter case.
        run: characters that a URI in prose can hold, as many as there are.
        ahead: the same up to an "@" or the end of an authority.
        userinfo: the longest userinfo.
        host: the longest host, with a port.
        rest: the longest path and query, with a fragment.
        rest_absolute: the same without one.
        inside: what angle brackets can hold around a URI.
        quoted: what double quotes can hold: white space only where lines are broken.
        restart: white space and a further URI.

    From any place within the group `same` a match ends where it ends from its beginning. The
    group `literal` is a host in brackets.
    """

    rule: str
    absolute: str
    scheme_characters: str
    not_first: str
    in_word: frozenset[str]
    colon: re.Pattern[str]
    colon_or_suffix: re.Pattern[str]
    run: re.Pattern[str]
    ahead: re.Pattern[str]
    userinfo: re.Pattern[str]
    host: re.Pattern[str]
    rest: re.Pattern[str]
    rest_absolute: re.Pattern[str]
    inside: re.Pattern[str]
    quoted: re.Pattern[str]
    restart: re.Pattern[str]


@cache
def patterns(grammar: str) -> Patterns:
    """Return the expressions for the URIs of "rfc3986" or the IRIs of "rfc3987".

    ValueError for another grammar.
    """
    if grammar not in _RULES:
        raise ValueError(f"grammar: {' or '.join(_RULES)}, not {excerpt.masked(grammar)!r}")
    rule, absolute, userinfo, reg_name, fragment = _RULES[grammar]
    allowed = charset("unreserved") | charset("reserved") | {"%"}
    in_scheme = "".join(c for c in sorted(allowed) if matcher("scheme").fullmatch(f"a{c}"))
    not_first = "".join(c for c in in_scheme if not matcher("scheme").fullmatch(c))
    before_at = _one_of(allowed - set("/?#@"))
    one = _one_of(allowed)
    further, private = ("", "")
    if grammar == "rfc3987":
        letter = f"(?:{_source('ucschar', grammar)})"
        further = f"(?!{_one_of(_ends_iri())}){letter}"
        private = f"{letter}|{_source('iprivate', grammar)}"
    run = _source(fragment, grammar)
    wrap = r"[ \t]*+(?:\r\n?|\n)[ \t]*+"
    scheme = _one_of(set(in_scheme))
    colon = f":(?<={scheme}:)(?={_either(one, further)}|{_BLANK}{{1,{FAR}}}//)"
    within = _either(one, private)
    line = _many(one, private)
    literal = f"(?P<literal>{_source('IP-literal')})"
    host = f"(?:{literal}|{_same(_source(reg_name, grammar))})"
    return Patterns(
        rule=rule,
        absolute=absolute,
        scheme_characters=in_scheme,
        not_first=not_first,
        in_word=charset("unreserved") | set("/:@%=&"),
        colon=re.compile(colon),
        colon_or_suffix=re.compile(f"{colon}|[Ww]{{3}}\\."),
        run=re.compile(_many(one, further)),
        ahead=re.compile(_same(_many(before_at, further))),
        userinfo=re.compile(_same(_source(userinfo, grammar))),
        host=re.compile(f"{host}(?::{_source('port')})?"),
        rest=re.compile(f"{_same(run)}(?:#{run})?"),
        rest_absolute=re.compile(_same(run)),
        inside=re.compile(_many(_one_of(allowed | set(BLANKS)), private)),
        quoted=re.compile(f"{line}(?:{wrap}{within}{line})*+{_BLANK}*+"),
        restart=re.compile(f"{_BLANK}{_source('scheme')}://"),
    )


def ends_iri(character: str) -> bool:
    """Whether a character that the grammar of IRIs allows ends one in prose nevertheless.

    Spaces, controls and invisible characters (but not those that join letters), brackets and
    quotation marks (but not the apostrophe), and the wide punctuation that ends a clause where
    no space is written between words.
    """
    category = unicodedata.category(character)
    if category == "Cf":
        return character not in "\u200c\u200d"
    if category in {"Zs", "Zl", "Zp", "Cc", "Ps", "Pe", "Pi", "Pf"}:
        return character != "\u2019"
    return (
        category == "Po"
        and unicodedata.east_asian_width(character) in "WFH"
        and character not in "\u30fb\uff65"
    )


def _ends_iri() -> set[str]:
    """All such characters of the basic plane beyond ASCII; other planes have none to speak of."""
    return {character for code in range(0x80, 0xFFF0) if ends_iri(character := chr(code))}


def _source(rule: str, grammar: str = "rfc3986") -> str:
    """Return the expression of a rule, its groups without names, so that it may stand anywhere."""
    return f"(?:{_GROUP.sub('(?:', matcher(rule, grammar).pattern)})"


def _same(expression: str) -> str:
    return f"(?P<same>{expression})"


def _one_of(characters: set[str] | frozenset[str]) -> str:
    """Return a class of the characters, in ranges where they are many."""
    ranges: list[list[int]] = []
    for code in sorted(map(ord, characters)):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "[" + "".join(_range(*pair) for pair in ranges) + "]"


def _range(first: int, last: int) -> str:
    if first == last:
        return re.escape(chr(first))
    return f"{re.escape(chr(first))}-{re.escape(chr(last))}"


def _either(one: str, other: str) -> str:
    return f"(?:{one}|{other})" if other else one


def _many(one: str, other: str) -> str:
    return f"(?:{one}++|{other})*+" if other else f"{one}*+"
