"""Unfold expressions into positions: what is read at each, and which ones come next."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from abnf2lark.ir import Alt, Capture, Chars, Literal, Node, Ref, Rep, Seq, Text

Around = TypeVar("Around")
Carried = TypeVar("Carried")


@dataclass(eq=False)
class Unfolding(Generic[Around]):
    """Adds the positions of expressions, each in front of those that come next.

    characters: the set that is read at each position; None where nothing is read.
    paths: what subclasses know of the rules around it.
    following: the next positions, in the order in which they are tried.
    """

    characters: list[Chars | None] = field(default_factory=list, init=False)
    paths: list[Around] = field(default_factory=list, init=False)
    following: list[list[int]] = field(default_factory=list, init=False)

    def unfold(self, node: Node, after: int, around: Around) -> int:
        """Add the positions of an expression in front of ``after``; return the first."""
        match node:
            case Chars():
                return self.position([after], around, node)
            case Text(value):
                for place in reversed(range(len(value))):
                    code = ord(value[place])
                    chars = Chars(((code, code),), Literal(value, place, exact=True))
                    after = self.position([after], around, chars)
                return after
            case Ref(name):
                return self.rule_at(name, after, around)
            case Seq(items):
                for item in reversed(items):
                    after = self.unfold(item, after, around)
                return after
            case Alt(items):
                return self.position([self.unfold(item, after, around) for item in items], around)
            case Rep():
                return self.repeat(node, after, around)
            case Capture(_, item):
                return self.unfold(item, after, around)

    def repeat(self, node: Rep, after: int, around: Around) -> int:
        """Add the positions of a repetition."""
        first = after
        if node.high is None:
            first = self.position([], around)
            self.following[first] = [self.unfold(node.item, first, around), after]
        for _ in range((node.high or 0) - node.low):
            first = self.position([self.unfold(node.item, first, around), after], around)
        for _ in range(node.low):
            first = self.unfold(node.item, first, around)
        return first

    def position(self, ways: list[int], around: Around, chars: Chars | None = None) -> int:
        """Add a position that reads one of some characters, or none, with the ways from it."""
        self.characters.append(chars)
        self.paths.append(around)
        self.following.append(ways)
        return len(self.following) - 1

    def rule_at(self, name: str, after: int, around: Around) -> int:
        """Add the positions of a rule that is referred to."""
        raise NotImplementedError

    def stops(self, position: int) -> bool:
        """Return whether a position reads, or is an end."""
        return self.characters[position] is not None or not self.following[position]

    def closed(
        self,
        items: Iterable[tuple[int, Carried]],
        carry: Callable[[int, Carried], Carried],
        *,
        once: bool = True,
    ) -> dict[tuple[int, Carried], None]:
        """Follow the steps that read nothing, depth first.

        carry: returns what is known at a position, given what was known before it.
        once: whether the first way to a position counts, else the first with the same knowledge.
        """
        found: dict[tuple[int, Carried], None] = {}
        seen: set[object] = set()
        pending = [*items][::-1]
        while pending:
            item = position, known = pending.pop()
            key = position if once else item
            if key not in seen:
                seen.add(key)
                known = carry(position, known)
                if self.stops(position):
                    found[position, known] = None
                else:
                    pending += [(target, known) for target in reversed(self.following[position])]
        return found
