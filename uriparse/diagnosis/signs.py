"""What can be told for certain about the place where a text stops, by a look around it.

Each sign tells a cause; the first one seen is the one that counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.grammar import charset, matcher, rules
from uriparse.grammar.automata import longest_prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uriparse.diagnosis.situation import Situation


def cause_of(situation: Situation) -> str | None:
    """Name the cause of a stop; None if nothing more than the expected words can be told."""
    return next((name for name, is_seen in SIGNS.items() if is_seen(situation)), None)


def is_line_end(s: Situation) -> bool:
    """Tell whether nothing but a line end is left."""
    return s.found in {"\r", "\n"} and not s.text[s.offset :].strip("\r\n")


def is_mark(s: Situation) -> bool:
    """Tell whether the text begins with a byte order mark that makes it stop."""
    return s.text.startswith("\ufeff") and (s.offset == 0 or s.found == ":")


def is_around(s: Situation) -> bool:
    """Tell whether a space stands before or after all else."""
    return s.found == " " and (not s.offset or not s.text[s.offset :].strip(" "))


def is_delimited(s: Situation) -> bool:
    """Tell whether it is the first of two delimiters around all (RFC 3986 appendix C)."""
    return s.offset == 0 and len(s.text) > 1 and s.found + s.text[-1:] in {"<>", '""'}


def is_control(s: Situation) -> bool:
    """Tell whether it is a control character of ASCII or Latin-1."""
    return s.found != "" and (ord(s.found) < ord(" ") or "\x7f" <= s.found <= "\x9f")


def is_surrogate(s: Situation) -> bool:
    """Tell whether it is half of a pair, which no text can hold."""
    return "\ud800" <= s.found <= "\udfff"


def is_foreign(s: Situation) -> bool:
    """Tell whether it is beyond ASCII, and an IRI would have it there."""
    wider = s.iri_rule
    if s.found.isascii() or s.component == "port" or wider is None:
        return False
    text = s.text[: s.offset + 1]
    return longest_prefix(text, wider, "rfc3987").offset == len(text)


def is_bracketed_ipv4(s: Situation) -> bool:
    """Tell whether the brackets hold an IPv4 address."""
    if not s.in_literal or s.found not in {".", "]"}:
        return False
    end = s.text.find("]", s.literal_start)
    return bool(matcher("IPv4address").fullmatch(s.text, s.literal_start, max(end, 0)))


def is_second_gap(s: Situation) -> bool:
    """Tell whether it makes a second "::", or a longer one."""
    return s.in_literal and s.found == s.before == ":" and "::" in s.literal


def is_long_group(s: Situation) -> bool:
    """Tell whether it is the fifth digit of a group."""
    group = s.literal.rpartition(":")[2]
    return s.in_literal and s.found in _digits() and len(group) == 4 and not set(group) - _digits()


def is_big_octet(s: Situation) -> bool:
    """Tell whether it is a digit too many in a decimal octet."""
    if s.found not in charset("DIGIT"):
        return False
    if s.in_literal or s.under_way("IP-literal"):
        return "." in s.literal and s.literal[-1:].isdigit()
    return s.rule in {"IPv4address", "dec-octet"}


def has_many_groups(s: Situation) -> bool:
    """Tell whether it separates a group too many."""
    full = 7 if "::" in s.literal else 8
    return s.in_literal and s.found == ":" and len(s.literal.replace("::", ":").split(":")) >= full


def is_unclosed(s: Situation) -> bool:
    """Tell whether an address ends without its bracket."""
    return s.in_literal and s.literal_start > 0 and s.found in {"", "/", "?", "#"}


def is_future(s: Situation) -> bool:
    """Tell whether the brackets hold what begins like IPvFuture."""
    return s.in_literal and s.literal[:1] in {"v", "V"}


def is_bracket_in_name(s: Situation) -> bool:
    """Tell whether it is a bracket within a host that can be an address in brackets."""
    has_literals = "IP-literal" in rules(s.grammar)
    return s.found in {"[", "]"} and s.component == "host" and has_literals


def is_delimiter_in_userinfo(s: Situation) -> bool:
    """Tell whether it ends an authority, without a port, before the "@" that is to come."""
    return s.found in {"/", "?", "#"} and is_no_port(s) and s.text.find("@", s.offset) >= 0


def is_no_port(s: Situation) -> bool:
    """Tell whether there is no other way to read it than as a bad port."""
    if s.component == "port":
        return s.found != ""
    is_left = s.component == "userinfo" and s.found in {"", "/", "?", "#"}
    return is_left and ":" in s.authority and s.triplet_start < 0


def is_unbracketed(s: Situation) -> bool:
    """Tell whether an IPv6 address stands without brackets."""
    colons = s.authority.count(":")
    return is_no_port(s) and colons > 1 and not set(s.authority) - _digits() - {":", "."}


def has_no_scheme(s: Situation) -> bool:
    """Tell whether a scheme is demanded and no ":" ends one."""
    wants_one = s.rule in {"URI", "absolute-URI", "IRI", "absolute-IRI"}
    return wants_one and s.offset <= len(s.head) and ":" not in s.head


def is_no_scheme(s: Situation) -> bool:
    """Tell whether it stands before the ":" that should end a scheme."""
    if ":" not in s.head or s.offset >= s.head.index(":"):
        return False
    return s.under_way("scheme") or s.expected in {("ALPHA",), ("alpha",)}


def is_colon_first(s: Situation) -> bool:
    """Tell whether it is a ":" that ends no scheme."""
    if s.found != ":" or s.offset > s.text.find(":"):
        return False
    return s.offset == 0 or s.under_way("path-noscheme", "segment-nz-nc")


def is_after_literal(s: Situation) -> bool:
    """Tell whether it follows the bracket that ends an address."""
    return s.before == "]" and s.under_way("authority", "hier-part", "relative-part")


SIGNS: Mapping[str, Callable[[Situation], bool]] = {
    "line-end": is_line_end,
    "byte-order-mark": is_mark,
    "bad-triplet": lambda s: s.triplet_start >= 0,
    "surrounding-space": is_around,
    "surrounding-delimiters": is_delimited,
    "space": lambda s: s.found == " ",
    "backslash": lambda s: s.found == "\\",
    "control": is_control,
    "lone-surrogate": is_surrogate,
    "non-ascii": is_foreign,
    "bracketed-ipv4": is_bracketed_ipv4,
    "zone-identifier": lambda s: s.in_literal and s.found == "%",
    "second-gap": is_second_gap,
    "long-group": is_long_group,
    "big-octet": is_big_octet,
    "many-groups": has_many_groups,
    "unclosed-bracket": is_unclosed,
    "bad-future-address": is_future,
    "short-address": lambda s: s.in_literal and s.found == "]",
    "bad-address": lambda s: s.in_literal and s.literal_start > 0,
    "after-bracket": is_after_literal,
    "bracket-in-name": is_bracket_in_name,
    "bracket": lambda s: s.found in {"[", "]"},
    "second-hash": lambda s: s.found == "#" and "#" in s.text[: s.offset],
    "second-at": lambda s: s.found == "@" and "@" in s.authority,
    "unbracketed-ipv6": is_unbracketed,
    "delimiter-in-userinfo": is_delimiter_in_userinfo,
    "bad-port": is_no_port,
    "bad-scheme": is_no_scheme,
    "no-scheme": has_no_scheme,
    "fragment": lambda s: s.found == "#" and s.rule in {"absolute-URI", "absolute-IRI"},
    "colon-in-first-segment": is_colon_first,
    "beyond-iri": lambda s: not s.found.isascii() and s.grammar in {"rfc3986", "rfc3987"},
    "excluded": lambda s: s.is_excluded,
}
"""The cause that each sign tells, those that exclude others first."""

AT_FAULT: Mapping[str, str] = {"bad-port": "port", "unbracketed-ipv6": "host"}
"""The component of a cause, where all before it could be another with an "@" to come."""


def _digits() -> frozenset[str]:
    return charset("HEXDIG")
