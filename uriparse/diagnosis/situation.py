"""The place where a text stops, and what can be asked about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.grammar import rule_name, rules
from uriparse.grammar.automata import longest_prefix, takes
from uriparse.grammar.matchers import tables

if TYPE_CHECKING:
    from uriparse.grammar.automata import Group

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
        self.text, self.rule, self.grammar = text, rule_name(rule, grammar), grammar
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
