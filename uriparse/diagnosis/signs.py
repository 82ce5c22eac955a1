"""What can be told for certain about the place where a text stops, by a look around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.grammar import charset, matcher

if TYPE_CHECKING:
    from uriparse.diagnosis.situation import Situation


def is_line_end(s: Situation) -> bool:
    """Tell whether nothing but a line end is left."""
    return s.found in {"\r", "\n"} and not s.text[s.offset :].strip("\r\n")


def is_mark(s: Situation) -> bool:
    """Tell whether the text begins with a byte order mark that makes it stop."""
    is_first = s.offset == 0 or (s.found == ":" and s.offset < len(s.head))
    return s.text.startswith("\ufeff") and is_first


def is_around(s: Situation) -> bool:
    """Tell whether a space stands before or after all else."""
    return s.found == " " and (not s.offset or not s.text[s.offset :].strip(" "))


def is_control(s: Situation) -> bool:
    """Tell whether it is a control character of ASCII or Latin-1."""
    return s.found != "" and (ord(s.found) < ord(" ") or "\x7f" <= s.found <= "\x9f")


def is_surrogate(s: Situation) -> bool:
    """Tell whether it is half of a pair, which no text can hold."""
    return "\ud800" <= s.found <= "\udfff"


def is_foreign(s: Situation) -> bool:
    """Tell whether it is beyond ASCII where IRIs could help."""
    return not s.found.isascii() and s.grammar == "rfc3986"


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


def _digits() -> frozenset[str]:
    return charset("HEXDIG")
