"""Why a text stops where it stops: the causes that can be told for certain.

A table, tried from the top; the first cause that applies is the one that is named. Its examples
are small texts that must give it, and the tests read them from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from uriparse.diagnosis import signs

if TYPE_CHECKING:
    from collections.abc import Callable

    from uriparse.diagnosis.situation import Situation

Example: TypeAlias = tuple[str, int]
"""A text, and where it stops as a URI-reference of RFC 3986."""
OtherExample: TypeAlias = tuple[str, str, int]
"""A rule, or `grammar:rule`; a text, and where it stops."""


class Cause(NamedTuple):
    """A cause with its short name, what it says, when it applies, and what must give it.

    The advice may name `{triplets}`, `{start}` and `{reference}`; see `advice_on`.
    """

    name: str
    advice: str
    applies: Callable[[Situation], bool]
    examples: tuple[Example, ...]
    others: tuple[OtherExample, ...] = ()


def cause_of(situation: Situation) -> Cause | None:
    """Find the cause of a stop; None if nothing more than the expected words can be told."""
    return next((cause for cause in CAUSES if cause.applies(situation)), None)


def advice_on(situation: Situation, cause: Cause) -> str:
    """Write the advice of a cause: one clause, with the offset where the matter begins."""
    start = situation.offset
    if cause.name == "bad-triplet":
        start = situation.triplet_start
    elif situation.in_literal:
        start = situation.literal_start - 1
    elif cause.name == "bad-port":
        start = situation.port_colon
    reference = "IRI-reference" if situation.grammar == "rfc3987" else "URI-reference"
    return cause.advice.format(triplets=situation.triplets, start=start, reference=reference)


CAUSES: tuple[Cause, ...] = (
    Cause(
        "line-end",
        "the line end is no part of it: strip the text",
        signs.is_line_end,
        (("http://h/\n", 9), ("a\r\n", 1)),
        (("rfc3987:IRI", "x:é\n", 3),),
    ),
    Cause(
        "byte-order-mark",
        "the text begins with a byte order mark: decode it as utf-8-sig",
        signs.is_mark,
        (("\ufeffhttp://h/", 0),),
        (("rfc3987:IRI", "\ufeffhttp://h/", 0), ("rfc3987:IRI-reference", "\ufeffhttp://h/", 5)),
    ),
    Cause(
        "bad-triplet",
        'the "%" at offset {start} begins a triplet with two HEXDIG; by itself it is written %25',
        lambda s: s.triplet_start >= 0,
        (
            ("http://h/%zz", 10),
            ("http://h/%4", 11),
            ("a?%4g", 4),
            ("http://h%", 9),
            ("% 1", 1),
            ("100%", 4),
            ("#%%41", 2),
        ),
        (("rfc3987:IRI", "x:é%é", 4), ("rfc1738:httpurl", "http://h.d/%4", 13)),
    ),
    Cause(
        "surrounding-space",
        "the spaces around it are no part of it: strip the text",
        signs.is_around,
        ((" http://h/", 0), ("http://h/  ", 9), (" ", 0)),
    ),
    Cause(
        "space",
        "a space is written %20",
        lambda s: s.found == " ",
        (("http://h/a b", 10), ("http://h i/", 8), ("http://[::1 ]/", 11)),
        (("URI", "ht tp://h", 2), ("rfc1738:httpurl", "http://h.d/a b", 12)),
    ),
    Cause(
        "backslash",
        'a backslash is no delimiter: write "/", or %5C for the character',
        lambda s: s.found == "\\",
        (("http:\\\\h\\", 5), ("http://h\\@i/", 8), ("c:\\a", 2)),
    ),
    Cause(
        "control",
        "a control character is written {triplets}",
        signs.is_control,
        (("a\tb", 1), ("http://h/\nx", 9), ("\x00", 0), ("a\x7f", 1)),
        (("rfc3987:IRI-reference", "é\x85", 1),),
    ),
    Cause(
        "lone-surrogate",
        "a lone surrogate is no character and has no octets",
        signs.is_surrogate,
        (("http://h/\ud800", 9),),
        (("rfc3987:IRI-reference", "\udfff", 0),),
    ),
    Cause(
        "non-ascii",
        'a URI is ASCII: write {triplets}, or read it as an IRI with grammar="rfc3987"',
        signs.is_foreign,
        (
            ("http://h/é", 9),
            ("http://bücher.example/", 8),
            ("http://h:\u0668/", 9),
            ("http://h/\u202e", 9),
        ),
        (("URI", "é", 0),),
    ),
    Cause(
        "bracketed-ipv4",
        "an IPv4 address stands without brackets",
        signs.is_bracketed_ipv4,
        (("http://[1.2.3.4]/", 9), ("//[192.0.2.1]", 6)),
    ),
    Cause(
        "zone-identifier",
        'a URI takes no zone identifier after an IPv6 address (RFC 9844): leave "%" and it out',
        lambda s: s.in_literal and s.found == "%",
        (("http://[fe80::1%25eth0]/", 15), ("http://[fe80::1%eth0]", 15)),
    ),
    Cause(
        "second-gap",
        'an IPv6 address has "::" at most once',
        signs.is_second_gap,
        (("http://[1::2::3]", 13), ("//[:::]", 5)),
    ),
    Cause(
        "long-group",
        "a group of an IPv6 address has one to four HEXDIG",
        signs.is_long_group,
        (("http://[12345::]", 12), ("//[::abcde]", 9)),
    ),
    Cause(
        "big-octet",
        "an octet of an IPv4 address goes from 0 to 255, without leading zeros",
        signs.is_big_octet,
        (("http://[::1.2.3.400]", 18), ("//[::1.02.3.4]", 8)),
        (("IPv4address", "256.1.1.1", 2), ("IPv4address", "1.2.3.04", 7), ("dec-octet", "300", 2)),
    ),
    Cause(
        "many-groups",
        'an IPv6 address has eight groups, fewer with "::"',
        signs.has_many_groups,
        (
            ("http://[1:2:3:4:5:6:7:8::]", 23),
            ("//[1:2:3:4:5:6:7:8:9]", 18),
            ("//[::1:2:3:4:5:6:7:8]", 18),
        ),
    ),
    Cause(
        "unclosed-bracket",
        "the bracket at offset {start} is not closed",
        signs.is_unclosed,
        (("http://[::1", 11), ("http://[::1/a]", 11), ("//[v1.a", 7), ("//[", 3)),
    ),
    Cause(
        "bad-future-address",
        'in brackets "v" begins a version in HEXDIG, ".", and an address (IPvFuture)',
        signs.is_future,
        (("http://[v.x]", 9), ("http://[v1.]", 11), ("//[vg.x]", 4), ("//[v1.a@b]", 7)),
    ),
    Cause(
        "short-address",
        'an IPv6 address has eight groups, or "::" for those that are zero',
        lambda s: s.in_literal and s.found == "]",
        (("http://[1:2:3]", 13), ("//[]", 3), ("//[1]", 4)),
    ),
    Cause(
        "bad-address",
        "the bracket at offset {start} begins an IPv6address or IPvFuture, and nothing else",
        lambda s: s.in_literal and s.literal_start > 0,
        (("http://[host]", 8), ("//[::1;x]", 6)),
    ),
    Cause(
        "after-bracket",
        'after an address in brackets comes ":" and a port, or the end of the authority',
        signs.is_after_literal,
        (("http://[::1]x/", 12), ("//[::1]]", 7)),
    ),
    Cause(
        "bracket",
        "brackets stand around the address of a host alone: write {triplets}",
        lambda s: s.found in {"[", "]"},
        (("/a[b]", 2), ("http://h/?a[]=1", 11), ("http://a[::1]/", 8), ("a]", 1)),
    ),
    Cause(
        "second-hash",
        'a fragment holds no "#": write %23',
        lambda s: s.found == "#" and "#" in s.text[: s.offset],
        (("http://h/#a#b", 11), ("##", 1)),
        (("rfc3987:IRI-reference", "#é#", 2),),
    ),
    Cause(
        "fragment",
        "the rule takes no fragment",
        lambda s: s.found == "#" and s.rule in {"absolute-URI", "absolute-IRI"},
        (),
        (("absolute-URI", "http://h/#a", 9), ("rfc3987:absolute-IRI", "x:#", 2)),
    ),
    Cause(
        "second-at",
        'an "@" in the userinfo is written %40',
        lambda s: s.found == "@" and "@" in s.authority,
        (("http://u@v@h/", 10), ("//u@h:8@i", 7)),
    ),
    Cause(
        "unbracketed-ipv6",
        "an IPv6 address is written between brackets",
        signs.is_unbracketed,
        (("http://2001:db8::1/", 18), ("//::1", 5)),
    ),
    Cause(
        "bad-port",
        'what follows the ":" at offset {start} is no port, which is DIGIT alone',
        signs.is_no_port,
        (
            ("http://h:8x/", 11),
            ("http://user@host.com:80x/", 23),
            ("http://[::1]:x", 13),
            ("//h:-1", 6),
            ("//h:80:90/", 9),
        ),
        (("rfc3987:IRI-reference", "//é:x/", 5),),
    ),
    Cause(
        "bad-scheme",
        'what is before the first ":" is no scheme: ALPHA, then ALPHA, DIGIT, "+", "-" or "."',
        signs.is_no_scheme,
        (),
        (
            ("URI", "1a:b", 0),
            ("URI", "ht_tp://h", 2),
            ("URI", "a$b:c", 1),
            ("rfc3987:IRI", "é:c", 0),
        ),
    ),
    Cause(
        "no-scheme",
        "it has no scheme: relative references are read by the rule {reference}",
        signs.has_no_scheme,
        (),
        (
            ("URI", "www.example.com/a", 15),
            ("URI", "", 0),
            ("URI", "//h", 0),
            ("absolute-URI", "a", 1),
            ("URI", "a$b", 1),
            ("rfc3987:IRI", "é", 0),
        ),
    ),
    Cause(
        "colon-in-first-segment",
        'what is before this ":" is no scheme; a relative path with it begins with "./"',
        signs.is_colon_first,
        (("1a:b", 2), ("a_b:c", 3), (":", 0)),
        (("relative-ref", "a:b", 1), ("rfc3987:IRI-reference", "é:", 1)),
    ),
    Cause(
        "excluded",
        "no component takes this character as it is: write {triplets}",
        lambda s: s.is_excluded,
        (('http://h/"', 9), ("a<b", 1), ("//h^", 3), ("?{x}", 1), ("|", 0)),
        (("rfc1738:httpurl", "http://h.d/~u", 11),),
    ),
)
"""All causes, those that exclude others first."""
