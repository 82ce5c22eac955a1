"""The place where a text stops matching, and the rules that find the cause there."""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import TypeAlias

from uriparse._native import kernel
from uriparse.grammar import charset, matcher, rules
from uriparse.grammar.automata import (
    Group,
    LongestPrefix,
    continues,
    longest_prefix,
    may_end_after,
    shipped_automaton,
    takes,
)
from uriparse.grammar.matchers import spelled, tables

_AUTHORITY_ENDS = "/?#"
_LITERALS = frozenset({"IP-literal", "IPv6address", "IPvFuture", "h16", "ls32"})
_AUTHORITIES = frozenset({"authority", "iauthority"})
_LITERAL = "IP-literal"
# Components that only a later "@" or ":" confirms: before "@" every host may be a userinfo.
_CONFIRMED = "userinfo", "scheme"
_Read: TypeAlias = Callable[[str, int], tuple[int, int]]


@lru_cache(maxsize=1 << 10)
def _reading(rule: str, grammar: str) -> tuple[str, int, _Read]:
    """Return a rule as it is spelled, its first state, and what reads texts from a state on."""
    name, automaton = spelled(rule, grammar), shipped_automaton(grammar)
    if kernel is None:
        return name, automaton.starts[name], automaton.read
    read, (rows, classes) = kernel.stopped, automaton.packed()

    def read_on(text: str, state: int) -> tuple[int, int]:
        offset, state = read(rows, classes, text, state)
        if text.isascii():
            return offset, state
        more, state = automaton.read(text[offset:], state)
        return offset + more, state

    return name, automaton.starts[name], read_on


@lru_cache(maxsize=1 << 12)
def _stopped(
    state: int, grammar: str, *confirmed: bool
) -> tuple[LongestPrefix, Group | None, str | None, bool]:
    """Return what follows from a state: what the tables say; the rule at fault, and its component.

    confirmed: whether "@" and ":" are in the rest of the authority or scheme. Without these, the
        last value is whether they matter.
    """
    stop = shipped_automaton(grammar).stop(0, state)
    components = [_component_of(group.component, grammar) for group in stop.groups]
    known = dict(zip(_CONFIRMED, confirmed, strict=False))
    last: Group | None = None  # the innermost rule that the rest of the text confirms
    for group, component in zip(stop.groups, components, strict=True):
        if component == "authority" and group.words != ('"@"',):
            last = group
        elif component is None or component == "authority":
            last = last or group
        elif component not in _CONFIRMED or known.get(component):
            last = group
            break
        else:
            last = group if last is None or component == "userinfo" else last
    own = None if last is None else _component_of(last.component, grammar)
    return stop, last, own, not (confirmed or set(_CONFIRMED).isdisjoint(components))


@lru_cache(maxsize=1 << 10)
def _begins_triplet(state: int, grammar: str) -> bool:
    """Return whether a "%" begins a triplet: it may not be the last character, or be repeated."""
    return not (may_end_after(state, "%", grammar) or continues(state, "%%", grammar))


@cache
def _component_of(name: str, grammar: str) -> str | None:
    known = tables(grammar)
    if name in _AUTHORITIES:
        return "authority"
    if name == _LITERAL:
        return "host"
    if name in known.RECORDS or not name:
        return None
    return known.FIELDS.get(name.replace("-", "_"), name)


class FailureContext:
    """A text, the rule and grammar it was parsed by, and where it stops matching.

    UnknownRuleError for an unknown rule; ValueError if the rule matches the text.

    offset: the length of the longest prefix that some valid text continues.
    found: the character after it, which is not allowed; `""` at the end of the text.
    before: the character before the offset; `""` at the beginning.
    expected: ABNF words for what is allowed there, possibly with `end`.
    group: the rule at fault, with its component.
    component: the component that ends or has just begun at the offset; None between components.
    literal_start: the offset after the bracket that begins an IP literal; 0 if there is none.
    in_literal: whether the offset is between the brackets of an IP literal.
    triplet_start: the offset of the "%" after which two characters make a triplet, one of which is
        not allowed; -1 if there is none.
    authority_start: the offset after the first "//"; -1 if there is none before the failure.
    """

    __slots__ = (
        *("text", "rule", "grammar", "offset", "found", "before", "state", "expected", "group"),
        *("component", "literal_start", "in_literal", "triplet_start", "before_triplet", "_names"),
        *("authority_start", "_port"),
    )

    def __init__(self, text: str, rule: str, grammar: str) -> None:
        name, start, read = _reading(rule, grammar)
        offset, state = read(text, start)
        self.text, self.rule, self.grammar = text, name, grammar
        self.offset, self.state = offset, state
        slashes = text.find("//", 0, offset)
        self.authority_start = -1 if slashes < 0 else slashes + 2
        self._port: tuple[int, int] | None = None
        self.found, self.before = text[offset : offset + 1], text[offset - 1 : offset]
        stop, self.group, self.component, is_open = _stopped(state, grammar)
        self.expected, self._names = stop.expected, stop.names
        if stop.may_end and not self.found:
            raise ValueError(f"there is nothing wrong with the text by the rule {name}")
        if is_open:
            end = _first_of(text, _AUTHORITY_ENDS, offset)
            has_at, has_colon = text.find("@", offset, end) >= 0, text.find(":", offset, end) >= 0
            _, self.group, self.component, _ = _stopped(state, grammar, has_at, has_colon)
        if self.component in {None, "authority"}:
            self._enter_component()
        self.literal_start = text.rfind("[", 0, offset) + 1
        is_open = self.literal_start > 0 and text.find("]", self.literal_start, offset) < 0
        self.in_literal = is_open or not self._names.isdisjoint(_LITERALS)
        self.triplet_start = text.rfind("%", offset - 2 if offset > 2 else 0, offset)
        self.before_triplet = -1
        if self.triplet_start >= 0:
            _, self.before_triplet = read(text[: self.triplet_start], start)
            if not _begins_triplet(self.before_triplet, grammar):
                self.triplet_start = -1

    def is_matching(self, *rules: str) -> bool:
        """Whether one of these rules, or its counterpart for IRIs, has begun and not ended."""
        return any(rule in self._names or "i" + rule in self._names for rule in rules)

    def continues(self, offset: int, written: str) -> bool:
        """Whether some valid text begins with the text up to an offset, then with `written`.

        offset: that of the failure, or `triplet_start`.
        """
        state = self.state if offset == self.offset else self.before_triplet
        return continues(state, written, self.grammar)

    @property
    def triplet(self) -> str:
        """The triplet that is not allowed; `""` if the "%" is not followed by two HEXDIG."""
        written = self.text[self.triplet_start : self.triplet_start + 3]
        return written if len(written) == 3 and _digits().issuperset(written[1:]) else ""

    @property
    def iri_rule(self) -> str | None:
        """The rule of RFC 3987, "IRI" for "URI" or with a leading "i"; None if there is none."""
        names = (self.rule.replace("URI", "IRI"), f"i{self.rule}")
        known = rules("rfc3987") if self.grammar == "rfc3986" else ()
        return next((name for name in names if name in known), None)

    @property
    def head(self) -> str:
        """The text before the first "/", "?" or "#", which contains the scheme if there is one."""
        return self.text[: _first_of(self.text, _AUTHORITY_ENDS, 0)]

    @property
    def authority(self) -> str:
        """The authority up to the failure; `""` without one."""
        return self.text[self.authority_start : self.offset] if self.authority_start >= 0 else ""

    @property
    def port(self) -> tuple[int, int]:
        """The offset of the ":" that seems to begin a port, the first one after "]" or "@".

        And that of the first "/", "?" or "#" from the failure on, or the text's length.
        """
        if self._port is None:
            text, start, end = self.text, max(self.authority_start, 0), self.offset
            start = max(start, text.rfind("]", start, end), text.rfind("@", start, end))
            self._port = text.find(":", start), _first_of(text, _AUTHORITY_ENDS, end)
        return self._port

    @property
    def literal(self) -> str:
        """The IP literal up to the failure."""
        return self.text[self.literal_start : self.offset]

    def _enter_component(self) -> None:
        """Name the component that begins: at its first character, the automaton does not yet."""
        # The delimiter before the character shows which one it is.
        if not tables(self.grammar).FIELDS:
            return
        if self.before == "#":
            self.component = "fragment"
        elif self.before == "?" and self.text.find("#", 0, self.offset) < 0:
            self.component = "query"
        elif self.before == ":" and "DIGIT" in self.expected:
            self.component = "port"
        elif self.text.endswith("//", 0, self.offset):
            self.component = "authority"


def _first_of(text: str, delimiters: str, start: int) -> int:
    if text[start : start + 1] in delimiters:
        return start
    end = len(text)
    for mark in delimiters:
        at = text.find(mark, start, end)
        if at >= 0:
            end = at
    return end


# Rules that recognize a cause from the context. The first rule that applies decides.


def find_cause(context: FailureContext) -> str | None:
    """Return the name of the cause; None if only the expected words are known."""
    where = context.in_literal, context.triplet_start >= 0, context.component
    for name, applies in _rules_at(context.found, context.grammar, where):
        if applies(context):
            return name
    return None


_OTHERS = frozenset({"userinfo", "path", "query", "fragment"})


@lru_cache(maxsize=1 << 10)
def _rules_at(
    found: str, grammar: str, where: tuple[bool, bool, str | None]
) -> list[tuple[str, Callable[[FailureContext], bool]]]:
    """Return the rules that may apply to a character: in a literal, a triplet, a component."""
    in_literal, has_triplet, component = where
    # Up to an "@" that may follow, "host:port" reads as a userinfo: its end shows what was meant.
    ends_user = component == "userinfo" and found in {"", *_AUTHORITY_ENDS}
    excluded = {
        *(() if in_literal else _OF_LITERALS),
        *(() if has_triplet else _OF_TRIPLETS),
        *(_OF_HOSTS if component in _OTHERS else ()),
        *(() if ends_user or (component == "port" and found) else _OF_PORTS),
    }
    if not (found.isprintable() and takes("%", grammar) and not takes(found or "%", grammar)):
        excluded.add("excluded")
    return [
        (name, applies)
        for name, applies in CAUSE_RULES.items()
        if name not in excluded and (name not in _FOUND or _FOUND[name](found))
    ]


def _is_iri_character(s: FailureContext) -> bool:
    """Return whether an IRI allows the character there."""
    wider = s.iri_rule
    if s.component == "port" or wider is None:
        return False
    text = s.text[: s.offset + 1]
    return longest_prefix(text, wider, "rfc3987").offset == len(text)


def _is_bracketed_ipv4(s: FailureContext) -> bool:
    end = s.text.find("]", s.literal_start)
    address = matcher("IPv4address").fullmatch(s.text, s.literal_start, max(end, 0))
    return address is not None


def _is_big_octet(s: FailureContext) -> bool:
    if s.in_literal or s.is_matching("IP-literal"):
        return "." in s.literal and s.literal[-1:].isdigit()
    return s.rule in {"IPv4address", "dec-octet"}


def _is_bad_port(s: FailureContext) -> bool:
    """Return whether the text can only be a bad port, in a port or where a userinfo is to end."""
    return s.component == "port" or ":" in s.authority


def _is_so(_: FailureContext) -> bool:
    """Apply to every character that `_FOUND` has for the cause."""
    return True


CAUSE_RULES: Mapping[str, Callable[[FailureContext], bool]] = {
    "line-end": lambda s: not s.text[s.offset :].strip("\r\n"),
    "byte-order-mark": lambda s: s.text[:1] == "\ufeff",
    "bad-triplet": lambda s: s.triplet_start >= 0 and not s.triplet,
    "excluded-triplet": lambda s: s.triplet_start >= 0,
    "surrounding-space": lambda s: not s.offset or not s.text[s.offset :].strip(" "),
    "surrounding-delimiters": lambda s: (
        s.offset == 0 and len(s.text) > 1 and s.found + s.text[-1:] in {"<>", '""'}
    ),
    "space": _is_so,
    "backslash": _is_so,
    "control": _is_so,
    "lone-surrogate": _is_so,
    "non-ascii": _is_iri_character,
    "bracketed-ipv4": _is_bracketed_ipv4,
    "zone-identifier": _is_so,
    "second-gap": lambda s: s.before == ":" and "::" in s.literal,
    "long-group": lambda s: (  # the character is the fifth digit of a group
        s.found in _digits()
        and _digits().issuperset(s.literal[-4:])
        and len(s.literal.rpartition(":")[2]) == 4
    ),
    "big-octet": _is_big_octet,
    "many-groups": lambda s: (
        len(s.literal.replace("::", ":").split(":")) >= (7 if "::" in s.literal else 8)
    ),
    "unclosed-bracket": lambda s: s.literal_start > 0,
    "bad-future-address": lambda s: s.literal[:1] in {"v", "V"},
    "short-address": _is_so,
    "bad-address": lambda s: s.literal_start > 0,
    "after-bracket": lambda s: (
        s.before == "]" and s.is_matching("authority", "hier-part", "relative-part")
    ),
    "bracket-in-name": lambda s: s.component == "host" and "IP-literal" in rules(s.grammar),
    "bracket": _is_so,
    "second-hash": lambda s: "#" in s.text[: s.offset],
    "second-at": lambda s: "@" in s.authority,
    "unbracketed-ipv6": lambda s: (
        s.authority.count(":") > 1 and not set(s.authority) - _digits() - {":", "."}
    ),
    "delimiter-in-userinfo": lambda s: s.text.find("@", s.offset) >= 0 and _is_bad_port(s),
    "bad-port": _is_bad_port,
    "bad-scheme": lambda s: (  # before the ":" that should end one
        (s.is_matching("scheme") or s.expected in {("ALPHA",), ("alpha",)})
        and s.offset < s.head.find(":")
    ),
    "no-scheme": lambda s: (
        s.rule in {"URI", "absolute-URI", "IRI", "absolute-IRI"}
        and s.offset <= len(s.head)
        and ":" not in s.head
    ),
    "fragment": lambda s: s.rule in {"absolute-URI", "absolute-IRI"},
    "colon-in-first-segment": lambda s: (
        s.found == ":"
        and s.offset <= s.text.find(":")
        and (s.offset == 0 or s.is_matching("path-noscheme", "segment-nz-nc"))
    ),
    "beyond-iri": lambda s: s.grammar in {"rfc3986", "rfc3987"},
    "excluded": _is_so,  # no component allows the character, but one allows its triplets
}
"""The rule for each cause; a rule that excludes others comes before them.

It is asked about the characters of `_FOUND` alone, and where `_rules_at` has it.
"""

_OF_LITERALS = frozenset(
    {
        *("bracketed-ipv4", "zone-identifier", "second-gap", "long-group", "many-groups"),
        *("unclosed-bracket", "bad-future-address", "short-address", "bad-address"),
    }
)
"""The causes of texts that stop in a literal."""

_OF_TRIPLETS = frozenset({"bad-triplet", "excluded-triplet"})
"""Those of texts that stop in a triplet."""

_OF_HOSTS = frozenset({"after-bracket", "second-at"})
"""Those of texts that stop after the userinfo and before the path."""

_OF_PORTS = frozenset({"unbracketed-ipv6", "delimiter-in-userinfo", "bad-port"})
"""Those of texts that stop where a port may be."""

_FOUND: Mapping[str, Callable[[str], bool]] = {
    "byte-order-mark": frozenset("\ufeff:").__contains__,
    "line-end": frozenset("\r\n").__contains__,
    "surrounding-space": " ".__eq__,
    "surrounding-delimiters": frozenset('<"').__contains__,
    "space": " ".__eq__,
    "backslash": "\\".__eq__,
    "control": lambda found: found != "" and (found < " " or "\x7f" <= found <= "\x9f"),
    "lone-surrogate": lambda found: "\ud800" <= found <= "\udfff",
    "non-ascii": lambda found: not found.isascii(),
    "bracketed-ipv4": frozenset(".]").__contains__,
    "zone-identifier": "%".__eq__,
    "second-gap": ":".__eq__,
    "many-groups": ":".__eq__,
    "big-octet": lambda found: found in charset("DIGIT"),
    "unclosed-bracket": frozenset({"", *_AUTHORITY_ENDS}).__contains__,
    "short-address": "]".__eq__,
    "bracket-in-name": frozenset("[]").__contains__,
    "bracket": frozenset("[]").__contains__,
    "second-hash": "#".__eq__,
    "second-at": "@".__eq__,
    "delimiter-in-userinfo": frozenset(_AUTHORITY_ENDS).__contains__,
    "fragment": "#".__eq__,
    "colon-in-first-segment": ":".__eq__,
    "beyond-iri": lambda found: not found.isascii(),
}
"""The characters about which a cause is, if it is about some alone."""

COMPONENT_AT_FAULT: Mapping[str, str] = {"bad-port": "port", "unbracketed-ipv6": "host"}
"""The component of a cause, where the context alone says "userinfo" for lack of an "@"."""


def _digits() -> frozenset[str]:
    return charset("HEXDIG")
