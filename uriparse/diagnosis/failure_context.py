"""The place where a text stops matching, and what can be said for certain about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.grammar import charset, matcher, rules
from uriparse.grammar.automata import longest_prefix, takes
from uriparse.grammar.matchers import spelled, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uriparse.grammar.automata import Group


# The place where a text stops, and what can be asked about it.

_AUTHORITY_ENDS = "/?#"
_LITERALS = frozenset({"IP-literal", "IPv6address", "IPvFuture", "h16", "ls32"})
_AUTHORITIES = frozenset({"authority", "iauthority"})
_LITERAL = "IP-literal"
_TRIPLETS = frozenset({"pct-encoded", "escape", "escaped"})
_DOUBTFUL = {"userinfo": "@", "scheme": ":"}


class Situation:
    """A text, the rule and grammar it was read by, and where it stops.

    UnknownRuleError if there is no such rule; ValueError if the rule derives the text.

    offset: characters that can stand.
    found: the first character that cannot; `""` at the end of the text.
    before: the character before it; `""` at the beginning.
    expected: ABNF words for what could have followed, `end` among them.
    group: the rule to blame, with its component.
    component: the component that ends here, or has just begun; None between components.
    literal_start: the offset after the bracket that begins an IP literal; 0 where there is none.
    in_literal: whether it stops between the brackets of an IP literal.
    triplet_start: the offset of the "%" whose triplet is not finished; -1 where there is none.
    """

    __slots__ = (
        "_names",
        "before",
        "component",
        "expected",
        "found",
        "grammar",
        "group",
        "in_literal",
        "literal_start",
        "offset",
        "rule",
        "text",
        "triplet_start",
    )

    def __init__(self, text: str, rule: str, grammar: str) -> None:
        self.text, self.rule, self.grammar = text, spelled(rule, grammar), grammar
        stop = longest_prefix(text, self.rule, grammar)
        if stop.may_end and stop.offset == len(text):
            raise ValueError(f"there is nothing wrong with the text by the rule {self.rule}")
        self.offset = stop.offset
        self.found = text[stop.offset : stop.offset + 1]
        self.before = text[max(0, stop.offset - 1) : stop.offset]
        words = dict.fromkeys(word for group in stop.groups for word in group.words)
        self.expected = (*words, "end") if stop.may_end else tuple(words)
        self._names = {name for group in stop.groups for name in (group.rule, group.component)}
        self.group = self._blamed(stop.groups)
        self.component = self._component()
        self.literal_start = text.rfind("[", 0, stop.offset) + 1
        is_open = self.literal_start > 0 and text.find("]", self.literal_start, stop.offset) < 0
        self.in_literal = is_open or not self._names.isdisjoint(_LITERALS)
        self.triplet_start = -1
        if not self._names.isdisjoint(_TRIPLETS):
            self.triplet_start = text.rfind("%", max(0, stop.offset - 2), stop.offset)

    def under_way(self, *rules: str) -> bool:
        """Whether one of these rules, or of their counterparts for IRIs, is under way."""
        return any(rule in self._names or "i" + rule in self._names for rule in rules)

    @property
    def iri_rule(self) -> str | None:
        """The rule of RFC 3987 that stands for the rule of RFC 3986; None if there is none.

        It has the same name, with "IRI" for "URI" or an "i" before it.
        """
        names = (self.rule.replace("URI", "IRI"), f"i{self.rule}")
        known = rules("rfc3987") if self.grammar == "rfc3986" else ()
        return next((name for name in names if name in known), None)

    @property
    def head(self) -> str:
        """The text before the first "/", "?" or "#": where a scheme stands if there is one."""
        return self.text[: _first_of(self.text, _AUTHORITY_ENDS, 0)]

    @property
    def authority_start(self) -> int:
        """The offset after the first "//"; -1 where it comes later or not at all."""
        at = self.text.find("//", 0, self.offset)
        return at + 2 if at >= 0 else -1

    @property
    def authority(self) -> str:
        """The authority as far as it was read; `""` without one."""
        start = self.authority_start
        return self.text[start : self.offset] if start >= 0 else ""

    @property
    def authority_end(self) -> int:
        """The offset of the first "/", "?" or "#" from where the text stops, or its end."""
        return _first_of(self.text, _AUTHORITY_ENDS, self.offset)

    @property
    def port_colon(self) -> int:
        """The offset of the ":" that seems to begin a port: the first, or the one after "]"."""
        start = max(self.authority_start, 0)
        start = max(
            start,
            self.text.rfind("]", start, self.offset),
            self.text.rfind("@", start, self.offset),
        )
        return self.text.find(":", start)

    @property
    def literal(self) -> str:
        """An IP literal as far as it was read."""
        return self.text[self.literal_start : self.offset]

    def _blamed(self, groups: tuple[Group, ...]) -> Group | None:
        """Find the innermost rule, of those that the rest of the text speaks for.

        Before "@" every host may be a userinfo, and before ":" every path a scheme: what comes
        later tells which one was meant.
        """
        last: Group | None = None
        for group in groups:
            component = self.component_of(group)
            if component == "authority" and set(group.words) - {'"@"'}:
                last = group
            elif component is None or component == "authority":
                last = last or group
            elif component not in _DOUBTFUL or self._comes(_DOUBTFUL[component]):
                return group
            else:
                last = group if last is None or component == "userinfo" else last
        return last

    def _component(self) -> str | None:
        component = None if self.group is None else self.component_of(self.group)
        if component not in {None, "authority"} or not tables(self.grammar).FIELDS:
            return component
        if self.before == "#":
            return "fragment"
        if self.before == "?" and self.text.find("#", 0, self.offset) < 0:
            return "query"
        if self.before == ":" and "DIGIT" in self.expected:
            return "port"
        return "authority" if self.text.endswith("//", 0, self.offset) else component

    def _comes(self, delimiter: str) -> bool:
        """Whether a delimiter comes before the next end of an authority or a scheme."""
        return self.text.find(delimiter, self.offset, self.authority_end) >= 0

    def component_of(self, group: Group) -> str | None:
        """Name the component of a group: the field of a record, or the rule that is a node."""
        name = group.component
        known = tables(self.grammar)
        if name in _AUTHORITIES:
            return "authority"
        if name == _LITERAL:
            return "host"
        if name in known.RECORDS or not name:
            return None
        return known.FIELDS.get(name.replace("-", "_"), name)

    @property
    def is_excluded(self) -> bool:
        """Whether no component takes the character as it is, but its triplets."""
        if not self.found.isprintable() or not self.found:
            return False
        return takes("%", self.grammar) and not takes(self.found, self.grammar)


def _first_of(text: str, delimiters: str, start: int) -> int:
    found = [at for mark in delimiters if (at := text.find(mark, start)) >= 0]
    return min(found, default=len(text))


# What can be told for certain about the place where a text stops, by a look around it.
#
# Each sign tells a cause; the first one seen is the one that counts.


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
