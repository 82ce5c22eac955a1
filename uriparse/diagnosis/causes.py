"""The causes of syntax errors: messages, remedies, examples, and placeholders in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse import percent
from uriparse.components.component_text import NO_ZONE
from uriparse.errors import excerpt
from uriparse.errors.advice import Argument
from uriparse.grammar import charset

if TYPE_CHECKING:
    from uriparse.diagnosis.failure_context import FailureContext


class Example(NamedTuple):
    """A minimal text with a cause: without any one of its characters the cause is another.

    text: the text.
    offset: where it stops matching, in characters from 0.
    by: what parses it: a rule of RFC 3986, `grammar:rule`, a function of `uriparse.schemes`, or
        `RFC 1738`: `parse_url` with that registry.
    """

    text: str
    offset: int
    by: str = "URI-reference"


class Cause(NamedTuple):
    """A reason why a text is invalid, with its message and remedy.

    name: the value of `URISyntaxError.cause`.
    sentence: what is wrong, one clause.
    remedy: what to do about the text, one clause.
    example: a minimal text with this cause.
    counterexample: a similar text without it.
    argument: an argument with which the function would accept the text; or None.

    Sentence, remedy and argument may have placeholders such as `{found}`, described in
    `Placeholders` or, for the causes of single schemes, passed with the error.
    """

    name: str
    sentence: str
    remedy: str
    example: Example
    counterexample: str
    argument: Argument | None = None


class Placeholders:
    """The values of placeholders by name, computed on demand; none shows a password.

    Each is a method, or a rule: rule: that the text was parsed by; iri: that of RFC 3987 which
    corresponds to it; whole: that also allows a fragment; reference: relative references too.

    text: the whole text, if the rule parsed only a part of it or a stand-in.
    at: maps an offset in the parsed text to one in `text`.
    """

    __slots__ = ("_at", "_text", "context")

    def __init__(
        self, context: FailureContext, text: str | None = None, at: Callable[[int], int] = int
    ) -> None:
        self.context = context
        self._text = context.text if text is None else text
        self._at = at

    def __getitem__(self, name: str) -> str:
        """Return the value of a placeholder; KeyError for an unknown one."""
        return str(_PLACEHOLDERS[name](self))

    def found(self) -> str:
        """Return the character that is not allowed, as messages show it."""
        return excerpt.found_at(self._text, self._at(self.context.offset))

    def instead(self) -> str:
        """Return what to do about that character, without showing one of a password."""
        s = self.context
        if s.component in ("authority", "host", "port"):  # nobody is to connect to a guess
            if not s.found.isascii() and s.component != "port":
                return "convert the text with iri_to_uri(text, idna=True)"
            part = "port" if s.component == "port" else "host"
            return f"correct the {part}; it cannot be repaired automatically"
        if s.component == "scheme":
            return 'remove it; a scheme has letters, digits, "+", "-" and "."'
        triplets = percent.triplets(s.found, "replace")
        if not s.continues(s.offset, triplets):
            return "leave it out"
        hidden = excerpt.is_masked(self._text, self._at(s.offset))
        return "write it as triplets" if hidden else f"write {triplets}"

    def triplet(self) -> str:
        """Return the triplet that is not allowed, unless it is one of a password."""
        return "a masked triplet" if self._hides_triplet() else self.context.triplet

    def character(self) -> str:
        """Return what the triplet stands for, in words."""
        octet = int(self.context.triplet[1:], 16)
        if self._hides_triplet():
            return "a masked character"
        if octet == ord(" "):
            return "a space"
        return excerpt.named(chr(octet)) if octet < 0x80 else f"octet 0x{octet:02X}"

    def rewritten(self) -> str:
        """Return what to write for a triplet, or for a "%" that does not begin one."""
        s = self.context
        options = {"%25": 'write %25 for the "%" itself'}
        if s.triplet:
            # A "%" alone would begin another triplet; an octet beyond ASCII is not a character.
            character, upper = chr(int(s.triplet[1:], 16)), s.triplet.upper()
            plain = {character: f"write {excerpt.named(character)}"}
            options = plain if character.isascii() and character != "%" else {}
            options = {} if self._hides_triplet() else {**options, upper: f"write {upper}"}
        fitting = (help_ for text, help_ in options.items() if s.continues(s.triplet_start, text))
        return next(fitting, "write what is meant without it")

    def _hides_triplet(self) -> bool:
        return excerpt.is_masked(self._text, self._at(self.context.triplet_start))

    def start(self) -> int:
        """Return the offset of the "%", the bracket or the ":" before a port."""
        s = self.context
        if s.triplet_start >= 0:
            return self._at(s.triplet_start)
        return self._at(s.literal_start - 1 if s.in_literal else s.port[0])

    def span(self, cause: str | None) -> tuple[int, int]:
        """Return where a cause is: at the offset, or where a port stops being digits."""
        s = self.context
        start, end = s.offset, s.offset + len(s.found)
        if cause == "bad-port":  # which could have been a password for longer
            colon, end = s.port
            rest = s.text[colon + 1 : end].lstrip(_decimal())
            start = end - len(rest) if rest else start
        return self._at(start), self._at(end)

    def port(self) -> str:
        """Return the text in place of a port, quoted; it may be the beginning of a password."""
        colon, end = self.context.port
        return excerpt.quoted(self._text, self._at(colon + 1), self._at(end))


_PLACEHOLDERS: Mapping[str, Callable[[Placeholders], str | int]] = {
    **{
        method.__name__: method
        for method in (
            *(Placeholders.found, Placeholders.instead, Placeholders.triplet, Placeholders.port),
            *(Placeholders.character, Placeholders.rewritten, Placeholders.start),
        )
    },
    "rule": lambda own: own.context.rule,
    "iri": lambda own: own.context.iri_rule or own.context.rule,
    "whole": lambda own: own.context.rule.removeprefix("absolute-"),
    "reference": lambda own: f"{own.context.rule.removeprefix('absolute-')}-reference",
}


@cache
def _decimal() -> str:
    return "".join(charset("DIGIT"))


# Causes for references, and for texts of any other rule, in the order of `CAUSE_RULES`.

REFERENCE_CAUSES = (
    Cause("line-end", "a line end is not allowed",
          "strip the text", Example("\n", 0), "\na"),
    Cause("byte-order-mark", "the text begins with a byte order mark",
          "drop it, or decode the text as utf-8-sig", Example("\ufeff", 0), "a\ufeff"),
    Cause("bad-triplet", 'the "%" at offset {start} is not followed by two HEXDIG',
          "{rewritten}", Example("%", 1), "%25"),
    Cause("excluded-triplet", "{triplet} stands for {character} as data and is not allowed here",
          "{rewritten}", Example("%41", 2, "normal:triplet"), "%25"),
    Cause("surrounding-space", "spaces before or after it are not allowed",
          "strip the text", Example(" ", 0), "a b"),
    Cause("surrounding-delimiters",
          "the delimiters around it are not part of it (RFC 3986 appendix C)",
          "strip them, or extract it with find_uris", Example("<>", 0), "<"),
    Cause("space", "a space is not allowed",
          "{instead}", Example("a b", 1), "a%20b"),
    Cause("backslash", "a backslash is not a delimiter",
          'write "/", or %5C for the character', Example("\\", 0), "%5C"),
    Cause("control", "a control character is not allowed",
          "{instead}", Example("\x00", 0), "%00"),
    Cause("lone-surrogate", "a lone surrogate is not a character and cannot be encoded",
          "decode the text again, with its actual encoding", Example("\ud800", 0), "%F0%90%80%80"),
    Cause("non-ascii", "{found} is not ASCII",
          "{instead}", Example("é", 0), "%C3%A9",
          Argument("read it by the rule {iri}", "grammar", "rfc3987")),
    Cause("bracketed-ipv4", "an IPv4 address has no brackets",
          "leave the brackets out", Example("//[0.0.0.0]", 4), "//0.0.0.0"),
    Cause("zone-identifier", NO_ZONE,
          'leave it out, from "%" to "]"', Example("//[%", 3), "//[::]"),
    Cause("second-gap", 'an IPv6 address has "::" only once',
          "write out the zeros of all gaps but one", Example("//[:::", 5), "//[0::]"),
    Cause("long-group", "a group of an IPv6 address has one to four HEXDIG",
          'write ":" between groups', Example("//[00000", 7), "//[0000::]"),
    Cause("big-octet",
          "an octet of an IPv4 address is 0 to 255 without leading zeros",
          "write a number from 0 to 255", Example("00", 1, "dec-octet"), "0"),
    Cause("many-groups", 'an IPv6 address has eight groups, or fewer with "::"',
          "remove the extra groups", Example("//[::0:0:0:0:0:0:0:", 18), "//[0:0:0:0:0:0:0:0]"),
    Cause("unclosed-bracket", "the bracket at offset {start} is not closed",
          'write "]" after the address', Example("//[", 3), "//[::]"),
    Cause("bad-future-address",
          'in brackets, "v" begins an IPvFuture, such as "v1.x"',
          "write one, or an IPv6 address", Example("//[v]", 4), "//[v1.x]"),
    Cause("short-address", 'an IPv6 address has eight groups, or "::" in place of zeros',
          'write all groups, or "::"', Example("//[]", 3), "//[::]"),
    Cause("bad-address", "the bracket at offset {start} does not begin an IP address",
          "write a name without brackets", Example("//[h", 3), "//h"),
    Cause("after-bracket",
          'only ":" and a port may follow an address in brackets',
          'write ":" before a port, "/" before a path', Example("//[::]x", 6), "//[::]:0"),
    Cause("bracket-in-name", "brackets are allowed only around the whole host, if it is an address",
          "write only an address in brackets; a name has none",
          Example("//a[", 3), "//[::]"),
    Cause("bracket", "brackets are allowed only around a host that is an address",
          "{instead}", Example("[", 0), "%5B"),
    Cause("second-hash", 'a fragment must not contain "#"',
          "write %23", Example("##", 1), "#%23"),
    Cause("second-at", 'an authority has only one "@", after the userinfo',
          "write %40 in the userinfo", Example("//@@", 3), "//%40@"),
    Cause("unbracketed-ipv6", "an IPv6 address must be in brackets",
          'write "[" before it and "]" after it', Example("//::", 4), "//[::]"),
    Cause("delimiter-in-userinfo",
          'the password after the ":" at offset {start} has "/", "?" or "#"',
          "write %2F, %3F or %23, or digits for a port",
          Example("//:a/@", 4), "//:a%2F@"),
    Cause("bad-port", "{port} is not a valid port: a port is digits only",
          'write digits after the ":" at offset {start}, or remove it', Example("//:a", 4), "//:0"),
    Cause("bad-scheme",
          'the text before ":" is not a scheme: ALPHA, then ALPHA, DIGIT, "+", "-" or "."',
          'begin with one, such as "http://"', Example("0:", 0, "URI"), "a:"),
    Cause("no-scheme", "the text has no scheme",
          'begin with one, such as "http://"', Example("", 0, "URI"), "a:",
          Argument("allow relative references", "rule", "{reference}")),
    Cause("fragment", "the rule {rule} does not allow a fragment",
          "leave it out", Example("a:#", 2, "absolute-URI"), "a:",
          Argument("allow it", "rule", "{whole}")),
    Cause("colon-in-first-segment",
          'the text before ":" is not a scheme: ALPHA, then ALPHA, DIGIT, "+", "-" or "."',
          'write one, or "./" before a path', Example(":", 0), "./:"),
    Cause("beyond-iri", "{found} is not allowed here, not even in an IRI",
          "{instead}", Example("\ue000", 0), "%EE%80%80"),
    Cause("excluded", "{found} is not allowed unencoded",
          "{instead}", Example("^", 0), "%5E"),
)  # fmt: skip
"""The causes that `CAUSE_RULES` finds, for any rule of any grammar."""

URL_CAUSES = (
    Cause("no-url-scheme", 'a URL begins with a scheme and ":"',
          'begin with one, such as "http://"', Example("", 0, "parse_url"), "a:"),
    Cause("url-prefix", '"URL:" is not a scheme: it marks a URL in running text',
          "leave it out", Example("url:a:", 0, "parse_url"), "url:a"),
    Cause("no-slashes", '{scheme} URLs have "//" after the ":"',
          "begin with {begin}", Example("ftp:", 4, "RFC 1738"), "ftp://h"),
    Cause("no-authority", '{scheme} URLs do not have "//" after the ":"',
          "leave it out", Example("tel://", 4, "parse_url"), "tel:/"),
    Cause("no-host", "{scheme} URLs need a host",
          'write it after the "//"', Example("ftp://", 6, "RFC 1738"), "ftp://h"),
    Cause("userinfo", "{scheme} URLs do not allow a user or password",
          'remove the userinfo and its "@"', Example("http://@", 7, "RFC 1738"), "ftp://@h/"),
    Cause("relaxed-host", "RFC 1738 does not allow the host {host} ({problems})",
          "use another name", Example("ftp://_", 7, "RFC 1738"), "ftp://h",
          Argument("allow it", "relaxed_host", True)),
    Cause("drive", "the drive {drive} belongs in the path and is not a host",
          "begin with {scheme}:///{drive}", Example("file:a:", 5, "RFC 1738"), "file:///a:"),
    Cause("search-without-path",
          'RFC 1738 allows a search part only after a path, which begins with "/"',
          'write "/" before the "?"', Example("http://h?", 8, "RFC 1738"), "http://h/?"),
    Cause("bad-typecode", 'a ";" in the path must begin the type',
          "end with ;type=a, ;type=i or ;type=d, or write %3B in a name",
          Example("ftp://h/;", 9, "RFC 1738"), "ftp://h/;type=a"),
    Cause("tab", "a tab separates parts of a gopher path and cannot be the type",
          'write the type, one character, after the "/"',
          Example("gopher://h/%09", 11, "RFC 1738"), "gopher://h/0%09"),
    Cause("no-query", "{scheme} URIs have no query",
          'leave it out, or write %3F for a "?" in a name',
          Example("file:/?", 6, "parse_url"), "file:/%3F"),
    Cause("no-value", "a parameter is name=value, which {given} is not",
          "write one, such as ;charset=utf-8, or leave it out",
          Example("data:;,", 6, "parse_url"), "data:,"),
    Cause("repeated", "{name} is given twice ({source})",
          "leave one of them out", Example("tel:+1;a;a", 9, "parse_url"), "tel:+1;a;b"),
    Cause("misplaced", "{name} must come before {other} ({source})",
          "write it before", Example("tel:+1;b;a", 9, "parse_url"), "tel:+1;a;b"),
    Cause("bad-parameter", "{given} does not fit the rule {needed} ({source})",
          "write another value, or leave it out",
          Example("geo:1,2;u", 8, "parse_url"), "geo:1,2;a"),
    Cause("exclusive", "{name} and {other} cannot be given together ({source})",
          "leave one of them out",
          Example("tel:+1;isub=1;ext=1", 14, "parse_url"), "tel:+1;isub=1"),
    Cause("lonely", "{name} is only allowed with {other} ({source})",
          "leave it out", Example("sip:h;ttl=1", 6, "parse_url"), "sip:h;tt=1"),
    Cause("missing-parameter", "{name} is required ({source})",
          "add it to the parameters, with its value",
          Example("otpauth://totp/a", 16, "parse_url"), "otpauth://totp/a?secret=c"),
    Cause("out-of-range", "{given} is not between {low} and {high} ({source})",
          "write another value", Example("geo:91,1", 4, "parse_url"), "geo:1,91"),
    Cause("not-utf8", "byte 0x{octet} is not valid UTF-8 here ({source})",
          "encode the text in UTF-8", Example("mailto:?=%80", 9, "parse_url"), "mailto:?=%70"),
    Cause("no-context", 'a local number needs ";phone-context="',
          'write it, or a global number with "+"',
          Example("tel:1", 5, "parse_url"), "tel:+1"),
    Cause("port-range", "{port} is not a TCP port: those are 1 to 65535",
          "write another port", Example("ftp://h:0", 8, "access_plan"), "ftp://h:1"),
    Cause("protocol-delimiter",
          "the {octet} is not sent: it would end this part of the request and begin another",
          "leave it out", Example("ftp://h/%0A", 8, "access_plan"), "ftp://h/%20"),
)  # fmt: skip
"""The causes that `uriparse.schemes` adds, for URLs by the rule of their scheme and for plans."""

CAUSES: Final[Mapping[str, Cause]] = MappingProxyType(
    {cause.name: cause for cause in (*REFERENCE_CAUSES, *URL_CAUSES)}
)
"""All causes that a `URISyntaxError` may have, by name."""
