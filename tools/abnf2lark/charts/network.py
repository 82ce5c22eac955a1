"""The positions of rules: what can be read at each, and what comes next.

A rule stands in the network of another one as it is, position by position, unless it is recursive
or that would take too many; then it is called there, and has a network of its own. So all networks
together are about as large as the grammar, whatever the grammar.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from abnf2lark.charts.limits import LimitError
from abnf2lark.charts.sizes import FEW, Sizes
from abnf2lark.reading.ir import Alt, Capture, Chars, Ref, Rep, Seq, Text
from abnf2lark.reading.large_parts import large_part

if TYPE_CHECKING:
    from abnf2lark.reading.ir import Grammar, Node

MAX_POSITIONS: Final = 400_000
"""Positions of all networks that are in use; about 200 MB."""

Kind: TypeAlias = Literal["read", "call", "choice", "enter", "leave", "end"]


class TooManyPositionsError(LimitError):
    """Repetitions take too many positions; the message names the rule and what to cut."""


@dataclass(slots=True)
class Network:
    """The positions of one rule; the first is its end.

    Attributes:
        rule: its name, or for a part of a rule that is called, one that no rule can have.
        kinds: what there is to do at each position.
        characters: the set that is read there.
        names: the rule that is called, entered or left there.
        words: what is expected there, as ABNF writes it.
        paths: the rules around it, outermost first, but for the network's own.
        following: the next ones, in the order of the alternatives.
        start: the first one that is come to.

    """

    rule: str
    kinds: list[Kind] = field(default_factory=list)
    characters: list[Chars | None] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    paths: list[tuple[str, ...]] = field(default_factory=list)
    following: list[list[int]] = field(default_factory=list)
    start: int = 0

    def add(
        self,
        kind: Kind,
        path: tuple[str, ...],
        following: list[int],
        name: str = "",
        characters: Chars | None = None,
        word: str = "",
    ) -> int:
        """Add a position; return its number."""
        self.kinds.append(kind)
        self.characters.append(characters)
        self.names.append(name)
        self.words.append(word)
        self.paths.append(path)
        self.following.append(following)
        return len(self.kinds) - 1


class Networks:
    """The networks of the rules of a grammar, each made when it is first asked for."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.sizes = Sizes(grammar)
        self._room = MAX_POSITIONS
        self._made: dict[str, Network] = {}
        self._parts: dict[str, tuple[Node, tuple[str, ...]]] = {}
        self._refused: dict[str, str] = {}

    def network(self, name: str) -> Network:
        """Return the network of a rule, or of a part of one.

        Raises :class:`TooManyPositionsError` where repetitions make it too large.
        """
        found = self._made.get(name)
        if found is None:
            if name in self._refused:
                raise TooManyPositionsError(self._refused[name])
            body, path = self._parts.get(name) or (self.grammar.rules[name].body, ())
            # Where there is little room left, what is called takes less.
            spread = self.sizes.limit(body) if self._room > MAX_POSITIONS // 2 else FEW
            needed = self.sizes.positions(body, spread)
            if needed > self._room:
                rule = name.partition(" ")[0]
                self._refused[name] = (  # which takes long to find out
                    f"{rule} has more places for characters than can be kept in mind, "
                    f"{MAX_POSITIONS:,}: {large_part(self.grammar, rule)}"
                )
                raise TooManyPositionsError(self._refused[name])
            self._room -= needed
            found = self._made[name] = Network(name)
            end = found.add("end", path, [])
            found.start = self._unfold(found, body, end, path, spread)
        return found

    def is_part(self, name: str) -> bool:
        """Tell whether a name stands for a part of a rule."""
        return name in self._parts

    def _unfold(
        self, net: Network, node: Node, after: int, path: tuple[str, ...], limit: int
    ) -> int:
        """Add the positions of an expression in front of ``after``; return the first."""
        match node:
            case Chars():
                return net.add("read", path, [after], characters=node, word=spelled(node))
            case Text(value):
                for index in range(len(value) - 1, -1, -1):
                    one = Chars.single(value[index])
                    word = _quoted(value[index:])
                    after = net.add("read", path, [after], characters=one, word=word)
                return after
            case Ref(name):
                if not self.sizes.stands_inside(name, limit):
                    return net.add("call", path, [after], name)
                leave = net.add("leave", path, [after], name)
                body = self.grammar.rules[name].body
                inside = self._unfold(net, body, leave, (*path, name), limit)
                return net.add("enter", path, [inside], name)
            case Seq(items):
                for item in reversed(items):
                    after = self._unfold(net, item, after, path, limit)
                return after
            case Alt(items):
                ways = [self._unfold(net, item, after, path, limit) for item in items]
                return net.add("choice", path, ways)
            case Rep():
                return self._repeat(net, node, after, path, limit)
            case Capture(_, item):
                return self._unfold(net, item, after, path, limit)

    def _repeat(
        self, net: Network, node: Rep, after: int, path: tuple[str, ...], limit: int
    ) -> int:
        item = node.item

        def one(after: int) -> int:
            if called is not None:
                return net.add("call", path, [after], called)
            return self._unfold(net, item, after, path, limit)

        called = None
        if self.sizes.is_called(node, limit):
            called = f"{net.rule} {len(self._parts)}"
            self._parts[called] = item, path
        if node.high is None:
            first = net.add("choice", path, [])
            net.following[first] = [one(first), after]
        else:
            first = after
            for _ in range(node.high - node.low):
                first = net.add("choice", path, [one(first), after])
        for _ in range(node.low):
            first = one(first)
        return first


def spelled(chars: Chars) -> str:
    """Write a set as ABNF does: a literal, or ranges in order."""
    letters = {chr(low).lower() for low, high in chars.ranges if low == high}
    if len(letters) == 1 and all(low == high for low, high in chars.ranges):
        return _quoted(letters.pop())
    return " / ".join(
        f"%x{low:02X}" if low == high else f"%x{low:02X}-{high:02X}" for low, high in chars.ranges
    )


def _quoted(text: str) -> str:
    if all(" " <= char <= "~" and char != '"' for char in text):
        return f'"{text}"'
    return "%x" + ".".join(f"{ord(char):02X}" for char in text)
