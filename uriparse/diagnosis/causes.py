"""The causes of refusals: what is wrong with a text, with what to do about it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse import excerpt
from uriparse.errors import Argument
from uriparse.grammar.automata import longest_prefix
from uriparse.records.components import NO_ZONE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uriparse.diagnosis.failure_context import Situation


# What a cause is: why a text is refused, told for certain, with what to do about it.


class Example(NamedTuple):
    """A smallest text that has a cause: with any character less it has it no more.

    text: the text.
    offset: where it stops, in characters from 0.
    by: what reads it: a rule of RFC 3986, `grammar:rule`, or a function of `uriparse.schemes`.
    """

    text: str
    offset: int
    by: str = "URI-reference"


class Cause(NamedTuple):
    """Why a text is refused.

    name: what `URISyntaxError.cause` holds.
    sentence: what is wrong, one clause.
    remedy: what to do about the text, one clause.
    example: a smallest text that has it.
    counterexample: a text near to it that has it not.
    argument: the argument that would do instead, of the function that has refused it; or None.

    Sentence, remedy and argument have blanks, such as `{found}`, which the errors
    fill; `uriparse.diagnosis.causes` says with what.
    """

    name: str
    sentence: str
    remedy: str
    example: Example
    counterexample: str
    argument: Argument | None = None


# What is filled in where the words of a cause have blanks.


class Blanks:
    """The blanks by their names, each looked up when it is asked for; none shows a password.

    found: the character that cannot stand, as a message names it.
    instead: what to do about that character: write it as triplets, where they can stand.
    start: the offset at which the matter begins: the "%", the bracket, the ":" before a port.
    port: what stands where a port should, quoted.
    rule: the rule that the text was read by.
    iri: the rule of RFC 3987 that stands for it.
    whole: the rule that takes a fragment as well.
    reference: the rule that takes relative references as well.

    text: all of the text, if the rule read only a part of it or something in its place. What may
        be a password is seen in the whole alone.
    at: where an offset of what was read is in `text`.
    """

    __slots__ = ("_at", "_text", "situation")

    def __init__(
        self,
        situation: Situation,
        text: str | None = None,
        at: Callable[[int], int] = int,
    ) -> None:
        self.situation = situation
        self._text = situation.text if text is None else text
        self._at = at

    def __getitem__(self, name: str) -> str:
        """Fill a blank; KeyError for an unknown one."""
        return str(_BLANKS[name](self))

    def found(self) -> str:
        """Name the character that is not allowed."""
        return excerpt.found_at(self._text, self._at(self.situation.offset))

    def instead(self) -> str:
        """Say what to do about that character, without showing one of a password."""
        s = self.situation
        triplets = "".join(f"%{octet:02X}" for octet in s.found.encode("utf-8", "replace"))
        wanted = s.text[: s.offset] + triplets
        if s.component == "port" or longest_prefix(wanted, s.rule, s.grammar).offset < len(wanted):
            return "leave it out"
        hidden = excerpt.is_masked(self._text, self._at(s.offset))
        return "write it as triplets" if hidden else f"write {triplets}"

    def start(self) -> int:
        """Return the offset of the "%", the bracket or the ":" before a port."""
        s = self.situation
        if s.triplet_start >= 0:
            return self._at(s.triplet_start)
        return self._at(s.literal_start - 1 if s.in_literal else s.port_colon)

    def port(self) -> str:
        """Quote what is in the place of a port, which may be the beginning of a password."""
        s = self.situation
        return excerpt.quoted(self._text, self._at(s.port_colon + 1), self._at(s.authority_end))


def _whole(blanks: Blanks) -> str:
    return blanks.situation.rule.removeprefix("absolute-")


_BLANKS: Mapping[str, Callable[[Blanks], str | int]] = {
    "found": Blanks.found,
    "instead": Blanks.instead,
    "start": Blanks.start,
    "port": Blanks.port,
    "rule": lambda blanks: blanks.situation.rule,
    "iri": lambda blanks: blanks.situation.iri_rule or blanks.situation.rule,
    "whole": _whole,
    "reference": lambda blanks: f"{_whole(blanks)}-reference",
}


# The causes for which references, and texts by any other rule, are refused.
#
# In the order in which `signs` tells them: those that exclude others come first.

REFERENCE_CAUSES = (
    Cause(
        "line-end",
        "the line end is no part of it",
        "strip the text",
        Example("\n", 0),
        "\na",
    ),
    Cause(
        "byte-order-mark",
        "the text begins with a byte order mark",
        "drop it, or decode the text as utf-8-sig",
        Example("\ufeff", 0),
        "a\ufeff",
    ),
    Cause(
        "bad-triplet",
        'the "%" at offset {start} is not followed by two HEXDIG',
        'write %25 for the "%" itself',
        Example("%", 1),
        "%25",
    ),
    Cause(
        "surrounding-space",
        "the spaces around it are no part of it",
        "strip the text",
        Example(" ", 0),
        "a b",
    ),
    Cause(
        "surrounding-delimiters",
        "the delimiters around it are no part of it (RFC 3986 appendix C)",
        "strip them, or take it out of its text by find_uris",
        Example("<>", 0),
        "<",
    ),
    Cause(
        "space",
        "no component holds a space",
        "{instead}",
        Example("a b", 1),
        "a%20b",
    ),
    Cause(
        "backslash",
        "a backslash is no delimiter",
        'write "/", or %5C for the character',
        Example("\\", 0),
        "%5C",
    ),
    Cause(
        "control",
        "no component holds a control character",
        "{instead}",
        Example("\x00", 0),
        "%00",
    ),
    Cause(
        "lone-surrogate",
        "a lone surrogate is no character and has no octets",
        "decode the text anew, by the encoding that it is in",
        Example("\ud800", 0),
        "%F0%90%80%80",
    ),
    Cause(
        "non-ascii",
        "a URI is ASCII, and {found} is not",
        "{instead}",
        Example("é", 0),
        "%C3%A9",
        Argument("read it as an IRI by the rule {iri}", "grammar", "rfc3987"),
    ),
    Cause(
        "bracketed-ipv4",
        "an IPv4 address stands without brackets",
        "leave the brackets out",
        Example("//[0.0.0.0]", 4),
        "//0.0.0.0",
    ),
    Cause(
        "zone-identifier",
        NO_ZONE,
        'leave it out, from "%" to "]"',
        Example("//[%", 3),
        "//[::]",
    ),
    Cause(
        "second-gap",
        'an IPv6 address has "::" at most once',
        "write the zeros of all gaps but one",
        Example("//[:::", 5),
        "//[0::]",
    ),
    Cause(
        "long-group",
        "a group of an IPv6 address has one to four HEXDIG",
        'write ":" between groups',
        Example("//[00000", 7),
        "//[0000::]",
    ),
    Cause(
        "big-octet",
        "an octet of an IPv4 address goes from 0 to 255, without leading zeros",
        "write 0 to 255, and no zeros before it",
        Example("00", 1, "dec-octet"),
        "0",
    ),
    Cause(
        "many-groups",
        'an IPv6 address has eight groups, fewer with "::"',
        "leave out those that are too many",
        Example("//[::0:0:0:0:0:0:0:", 18),
        "//[0:0:0:0:0:0:0:0]",
    ),
    Cause(
        "unclosed-bracket",
        "the bracket at offset {start} is not closed",
        'write "]" after the address',
        Example("//[", 3),
        "//[::]",
    ),
    Cause(
        "bad-future-address",
        'in brackets "v" begins a version in HEXDIG, ".", and an address (IPvFuture)',
        'write an IPv6 address, or one such as "v1.x"',
        Example("//[v]", 4),
        "//[v1.x]",
    ),
    Cause(
        "short-address",
        'an IPv6 address has eight groups, or "::" for those that are zero',
        'write all groups, or "::"',
        Example("//[]", 3),
        "//[::]",
    ),
    Cause(
        "bad-address",
        "the bracket at offset {start} begins an IPv6address or IPvFuture, and nothing else",
        "leave the brackets out around a name",
        Example("//[h", 3),
        "//h",
    ),
    Cause(
        "after-bracket",
        'after an address in brackets comes ":" and a port, or the end of the authority',
        'write ":" before a port, "/" before a path',
        Example("//[::]x", 6),
        "//[::]:0",
    ),
    Cause(
        "bracket-in-name",
        "brackets stand around the whole host, which is an address then",
        "write the address alone between them, and a name without",
        Example("//a[", 3),
        "//[::]",
    ),
    Cause(
        "bracket",
        "brackets stand around the address of a host alone",
        "{instead}",
        Example("[", 0),
        "%5B",
    ),
    Cause(
        "second-hash",
        'a fragment holds no "#"',
        "write %23",
        Example("##", 1),
        "#%23",
    ),
    Cause(
        "second-at",
        'the "@" after the userinfo is the only one in an authority',
        "write %40 in the userinfo",
        Example("//@@", 3),
        "//%40@",
    ),
    Cause(
        "unbracketed-ipv6",
        "an IPv6 address is written between brackets",
        'write "[" before it and "]" after it',
        Example("//::", 4),
        "//[::]",
    ),
    Cause(
        "delimiter-in-userinfo",
        'what follows the ":" at offset {start} is no port, and no password holds "/", "?" or "#"'
        ' before its "@"',
        "write a port in DIGIT, and %2F, %3F or %23 in a password",
        Example("//:a/@", 4),
        "//:a%2F@",
    ),
    Cause(
        "bad-port",
        "{port} is no port, which is DIGIT alone",
        'write DIGIT after the ":" at offset {start}, or leave it out',
        Example("//:a", 4),
        "//:0",
    ),
    Cause(
        "bad-scheme",
        'what is before the first ":" is no scheme: ALPHA, then ALPHA, DIGIT, "+", "-" or "."',
        'begin with a scheme, such as "mailto:" or "http://"',
        Example("0:", 0, "URI"),
        "a:",
    ),
    Cause(
        "no-scheme",
        "the text has no scheme",
        'begin with one, such as "mailto:" or "http://"',
        Example("", 0, "URI"),
        "a:",
        Argument("read it by the rule {reference}", "rule", "{reference}"),
    ),
    Cause(
        "fragment",
        "the rule {rule} takes no fragment",
        "leave the fragment out",
        Example("a:#", 2, "absolute-URI"),
        "a:",
        Argument("read it by the rule {whole}", "rule", "{whole}"),
    ),
    Cause(
        "colon-in-first-segment",
        'what is before this ":" is no scheme: ALPHA, then ALPHA, DIGIT, "+", "-" or "."',
        'write a scheme, or "./" before a relative path',
        Example(":", 0),
        "./:",
    ),
    Cause(
        "beyond-iri",
        "not even an IRI holds {found} here",
        "{instead}",
        Example("\ue000", 0),
        "%EE%80%80",
    ),
    Cause(
        "excluded",
        "no component holds {found} as it is",
        "{instead}",
        Example("^", 0),
        "%5E",
    ),
)
"""All that `signs` tells, for any rule of any grammar."""


# The causes for which `uriparse.schemes` refuses URLs: by the rule of their scheme, or to plan.

URL_CAUSES = (
    Cause(
        "no-url-scheme",
        'a URL begins with a scheme and ":"',
        'begin with one, such as "mailto:" or "http://"',
        Example("", 0, "parse_url"),
        "a:",
    ),
    Cause(
        "url-prefix",
        '"URL:" is no scheme, but marks a URL in running text',
        "leave it out",
        Example("url:a:", 0, "parse_url"),
        "url:a",
    ),
    Cause(
        "no-slashes",
        '{scheme} URLs have "//" after the ":"',
        "begin with {begin}",
        Example("ftp:", 4, "parse_url"),
        "ftp://h",
    ),
    Cause(
        "no-host",
        "{scheme} URLs name a host",
        'write it after the "//"',
        Example("ftp://", 6, "parse_url"),
        "ftp://h",
    ),
    Cause(
        "userinfo",
        "{scheme} URLs have no user and no password",
        'leave out what is before the "@", and it',
        Example("http://@", 7, "parse_url"),
        "ftp://@h/",
    ),
    Cause(
        "relaxed-host",
        "RFC 1738 has no host {host} ({problems})",
        "write another name of the host",
        Example("ftp://_", 7, "parse_url"),
        "ftp://h",
        Argument("take hosts as RFC 3986 has them", "relaxed_host", True),
    ),
    Cause(
        "drive",
        "the drive {drive} is a name in the path, and no host",
        "begin with {scheme}:///{drive}",
        Example("file://a:", 8, "parse_url"),
        "file:///a:",
    ),
    Cause(
        "search-without-path",
        'RFC 1738 has a search part only after a path, which begins with "/"',
        'write "/" before the "?"',
        Example("http://h?", 8, "parse_url"),
        "http://h/?",
    ),
    Cause(
        "bad-typecode",
        'a ";" in the path of an ftp URL begins its type, and nothing else',
        'write ;type=a, ;type=i or ;type=d at the end, or %3B for a ";" in a name',
        Example("ftp://h/;", 9, "parse_url"),
        "ftp://h/;type=a",
    ),
    Cause(
        "tab",
        "a tab separates the parts of a gopher path, and is no type",
        'write the type, one character, after the "/"',
        Example("gopher://h/%09", 11, "parse_url"),
        "gopher://h/0%09",
    ),
    Cause(
        "port-range",
        "{port} is no port of TCP, which are 1 to 65535",
        "write another port",
        Example("ftp://h:0", 8, "access_plan"),
        "ftp://h:1",
    ),
    Cause(
        "protocol-delimiter",
        "the {octet} is not sent, for it would end what is meant and begin something else",
        "leave it out",
        Example("ftp://h/%0A", 8, "access_plan"),
        "ftp://h/%20",
    ),
)
"""All that `uriparse.schemes` tells; what it finds by a rule of the grammar it takes from there."""


# All causes by their names, for whoever explains an error: documents, programs, people.

CAUSES: Final[Mapping[str, Cause]] = MappingProxyType(
    {cause.name: cause for cause in (*REFERENCE_CAUSES, *URL_CAUSES)}
)
"""Every cause that a `URISyntaxError` may name, by its name."""
