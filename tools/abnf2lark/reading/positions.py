"""Unfold expressions into positions: what is read at each, and which ones come next."""

from typing import Generic, TypeVar

from abnf2lark.ir import Alt, Capture, Chars, Literal, Node, Ref, Rep, Seq, Text

Around = TypeVar("Around")


class Unfolding(Generic[Around]):
    """Adds the positions of expressions, each in front of those that come next.

    Subclasses define what is at a position: they add it, and keep in ``following`` for each
    position the next ones, in the order in which they are tried. ``around`` is what they know of
    the rules around an expression.
    """

    following: list[list[int]]

    def unfold(self, node: Node, after: int, around: Around) -> int:
        """Add the positions of an expression in front of ``after``; return the first."""
        match node:
            case Chars():
                return self.position([after], around, node)
            case Text(value):
                for place in reversed(range(len(value))):
                    code, text = ord(value[place]), value[place:]
                    chars = Chars(((code, code),), Literal(value, place, exact=True))
                    after = self.position([after], around, chars, text)
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

    def position(
        self, ways: list[int], around: Around, chars: Chars | None = None, text: str = ""
    ) -> int:
        """Add a position that reads one of some characters, or none, with the ways from it."""
        raise NotImplementedError

    def rule_at(self, name: str, after: int, around: Around) -> int:
        """Add the positions of a rule that is referred to."""
        raise NotImplementedError
