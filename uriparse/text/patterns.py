"""Regular expressions for the search, made from grammar rules, and the schemes found in prose."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from uriparse._base.coerce import as_items, as_str
from uriparse._scheme_facts import schemes_with
from uriparse.errors import excerpt
from uriparse.grammar import charset, matcher
from uriparse.text.layers import Flag

if TYPE_CHECKING:
    from uriparse.records import URI


# All URI syntax comes from the generated matchers and character sets; this module adds only white
# space, delimiters and the order of the search.

BLANKS = " \t\n\r\f\v"
"""ASCII white space, which may be inside delimiters and ends a bare URI."""

FAR = 256
"""The most characters that are searched before a scheme or after its colon."""

_RULES = {
    "rfc3986": ("URI", "absolute-URI", "userinfo", "reg-name", "fragment"),
    "rfc3987": ("IRI", "absolute-IRI", "iuserinfo", "ireg-name", "ifragment"),
}
_GROUP = re.compile(r"\(\?P<\w+>")  # how a generated expression begins a capture
_BLANK = f"[{re.escape(BLANKS)}]"


class Patterns:
    """The regular expressions for "rfc3986" or "rfc3987"; ValueError for another grammar.

    rule, absolute: the rules for results.
    scheme_characters, not_first: the characters of a scheme, and those that cannot begin one.
    in_word: characters after which "www." is ignored.
    colon: a colon that may follow a scheme.
    colon_or_suffix: the same, or "www." in any letter case.
    run: the longest run of characters that a URI in prose allows.
    ahead: the same up to an "@" or the end of an authority.
    userinfo: the longest userinfo.
    host: the longest host, with a port.
    rest: the longest path and query, with a fragment.
    rest_absolute: the same without a fragment.
    inside: the text in angle brackets.
    quoted: the text in double quotes: white space only around line breaks.
    restart: white space and another URI.

    A match from any offset within the group `same` has the same end. The group `literal` is a host
    in brackets.
    """

    def __init__(self, grammar: str) -> None:
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
            # Planes above the Basic Multilingual one have hardly any of these.
            ending = frozenset(filter(ends_iri, map(chr, range(0x80, 0xFFF0))))
            further = f"(?!{_one_of(ending)}){letter}"
            private = f"{letter}|{_source('iprivate', grammar)}"
        run = _source(fragment, grammar)
        wrap = r"[ \t]*+(?:\r\n?|\n)[ \t]*+"
        scheme = _one_of(set(in_scheme))
        colon = f":(?<={scheme}:)(?={_either(one, further)}|{_BLANK}{{1,{FAR}}}//)"
        within = _either(one, private)
        line = _many(one, private)
        literal = f"(?P<literal>{_source('IP-literal')})"
        host = f"(?:{literal}|{_same(_source(reg_name, grammar))})"
        self.rule, self.absolute = rule, absolute
        self.scheme_characters, self.not_first = in_scheme, not_first
        self.in_word = charset("unreserved") | set("/:@%=&")
        self.colon = re.compile(colon)
        self.colon_or_suffix = re.compile(f"{colon}|[Ww]{{3}}\\.")
        self.run = re.compile(_many(one, further))
        self.ahead = re.compile(_same(_many(before_at, further)))
        self.userinfo = re.compile(_same(_source(userinfo, grammar)))
        self.host = re.compile(f"{host}(?::{_source('port')})?")
        self.rest = re.compile(f"{_same(run)}(?:#{run})?")
        self.rest_absolute = re.compile(_same(run))
        self.inside = re.compile(_many(_one_of(allowed | set(BLANKS)), private))
        self.quoted = re.compile(f"{line}(?>{wrap}{within}{line})*+{_BLANK}*+")
        self.restart = re.compile(f"{_BLANK}{_source('scheme')}://")


patterns = cache(Patterns)


def ends_iri(character: str) -> bool:
    """Return whether a character ends an IRI in prose, although the grammar allows it.

    Spaces, controls and invisible characters (except those that join letters), brackets and
    quotation marks (except the apostrophe), and wide punctuation of scripts without spaces.
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


def _source(rule: str, grammar: str = "rfc3986") -> str:
    """Return the expression of a rule without names of groups, so that it can be combined."""
    return f"(?:{_GROUP.sub('(?:', matcher(rule, grammar).pattern)})"


def _same(expression: str) -> str:
    return f"(?P<same>{expression})"


def _one_of(characters: set[str] | frozenset[str]) -> str:
    """Return a character class, with ranges for adjacent characters."""
    ranges: list[list[int]] = []
    for code in sorted(map(ord, characters)):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    ends = ("-".join(re.escape(chr(code)) for code in dict.fromkeys(pair)) for pair in ranges)
    return f"[{''.join(ends)}]"


def _either(one: str, other: str) -> str:
    return f"(?:{one}|{other})" if other else one


def _many(one: str, other: str) -> str:
    return f"(?>{one}++|{other})*+" if other else f"{one}*+"


# Unwrapping URIs that were broken into lines (RFC 3986 appendix C, RFC 1738 appendix).

_BLANK_RUN = re.compile(f"[{re.escape(BLANKS)}]+")  # white space, which no URI holds
_BREAKS = frozenset("\n\r")

MOST_HYPHENS = 3
"""Up to this many hyphens at line ends, all combinations are alternatives; else none and all."""


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The text within delimiters without white space, and other readings of it.

    text: the most likely reading, with every hyphen.
    others: the readings without hyphens before line ends, then the one that ends at the first
        space within a line.
    flags: what was removed.
    """

    text: str
    others: tuple[str, ...]
    flags: frozenset[Flag]


def unwrapped(raw: str) -> Unwrapped:
    """Remove all white space from a delimited text, and return the alternatives too."""
    raw = raw.strip(BLANKS)
    pieces, blanks = _BLANK_RUN.split(raw), _BLANK_RUN.findall(raw)
    if not blanks:
        return Unwrapped(raw, (), frozenset())
    text, breaks = "".join(pieces), [not _BREAKS.isdisjoint(blank) for blank in blanks]
    ends = [*accumulate(map(len, pieces[:-1]))]
    each = [*zip(pieces[:-1], ends, breaks, strict=True)]
    spaces = [end for _, end, is_break in each if not is_break]
    hyphens = [end - 1 for piece, end, is_break in each if is_break and piece.endswith("-")]
    # The readings without some of the hyphens, those without the fewest first.
    few = len(hyphens) <= MOST_HYPHENS
    sizes = range(1, len(hyphens) + 1) if few else (len(hyphens),)
    chosen = (one for size in sizes for one in combinations(hyphens, size))
    others = [_leave_out(text, places) for places in chosen]
    flags = {Flag.SPACE: spaces, Flag.LINE_BREAK: any(breaks), Flag.HYPHEN_LINE_BREAK: hyphens}
    if spaces:
        others.append(text[: spaces[0]])
    return Unwrapped(
        text, tuple(others), frozenset(flag for flag, is_set in flags.items() if is_set)
    )


def _leave_out(text: str, places: tuple[int, ...]) -> str:
    starts = (0, *(place + 1 for place in places))
    ends = (*places, len(text))
    return "".join(text[start:end] for start, end in zip(starts, ends, strict=True))


# Plausible schemes, and what must follow their colon in prose. By the grammar any word before a
# colon is a scheme (`note:this` is a URI), so a bare URI needs more evidence. This is a heuristic
# and not syntax: a result must still match the grammar.

Schemes: TypeAlias = "Literal['plausible', 'known', 'any'] | Collection[str]"
"""Which schemes to look for, by a word or by name; see `find_uris`."""

LONGEST = 64
"""The most characters of a scheme in prose; the longest registered one has 36."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What must follow the colon of a scheme.

    start: the text directly after the colon.
    host: whether a host that is not empty is required.
    some: characters of which one is required; none is if it is empty.
    name: whether a single word with a capital letter may follow. Hosts are written in lower
        case, so that `ht://Dig` is a name and not a URI.
    """

    start: str = ""
    host: bool = False
    some: str = ""
    name: bool = True

    def fits(self, text: str, start: int, end: int) -> bool:
        """Return whether the text between two offsets can be the rest of such a URI.

        Slashes alone cannot: `http://` is the rest of a placeholder, and `news:` is a heading.
        """
        if not text.startswith(self.start, start, end):
            return False
        last = min(end, start + FAR)
        if self.some and all(text.find(mark, start, last) < 0 for mark in self.some):
            return False
        while start < end and text[start] == "/":
            start += 1
        return start < end

    def takes(self, uri: URI) -> bool:
        """Return whether a URI has a host if one is required, and is not just a name."""
        if self.host and not (uri.host and uri.host.text):
            return False
        return self.name or str(uri.host).islower() or not _is_one_word(uri)


def _is_one_word(uri: URI) -> bool:
    host = uri.host
    others = (uri.userinfo, uri.port, uri.query, uri.fragment)
    alone = not uri.path and all(part is None for part in others)
    return alone and host is not None and host.text.isalpha()


_ANYTHING = Shape()
HOST = Shape("//", host=True)
_SLASHES = Shape("//", name=False)

_OPAQUE: Mapping[str, Shape] = {
    "file": Shape("/"),
    "mailto": Shape(some="@?"),
    "news": _ANYTHING,
    **dict.fromkeys(("urn", "tag", "did", "jdbc", "blob"), Shape(some=":")),
    **dict.fromkeys(("tel", "sms", "geo"), Shape(some="0123456789")),
    "data": Shape(some=","),
    "magnet": Shape("?"),
    **dict.fromkeys(("doi", "info"), Shape(some="/")),
    **dict.fromkeys(("cid", "mid", "acct", "xmpp", "sip", "sips"), Shape(some="@")),
}

KNOWN: Mapping[str, Shape] = MappingProxyType(
    dict.fromkeys(schemes_with("prose"), HOST) | dict(_OPAQUE)
)
"""The well-known schemes in prose, in lower case, with their shapes."""


def checked_schemes(schemes: Schemes) -> Schemes:
    """Return checked schemes, names as a set in lower case; ValueError for another word."""
    if isinstance(schemes, str):
        schemes = as_str(schemes, "schemes")
        if schemes not in {"plausible", "known", "any"}:
            choices = 'schemes: "plausible", "known", "any" or a collection of names'
            raise ValueError(f"{choices}, not {excerpt.masked(schemes)!r}")
        return schemes
    names = as_items(schemes, "schemes", "a word or a collection of names")
    return frozenset(as_str(name, "a name of schemes").lower() for name in names)


def shape(name: str, schemes: Schemes, *, announced: bool) -> Shape | None:
    """Return what must follow a scheme in lower case; None if it is not searched for.

    announced: whether the prefix `URL:` is before it: then any scheme of two or more characters is
        plausible. One letter is more likely a drive.
    """
    known, is_named = KNOWN.get(name), not isinstance(schemes, str) and name in schemes
    if known is not None:
        return known if is_named or isinstance(schemes, str) else None
    if schemes == "any" or is_named:
        return _ANYTHING
    if schemes != "plausible" or len(name) < len("xy"):
        return None
    return _ANYTHING if announced else _SLASHES
