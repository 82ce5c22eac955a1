"""Write a text of a grammar's rule in which some rules have given texts: the inverse of capturing.

What a rule says beside the fields has to be fixed text, such as "//" or "?": nothing is invented.
Of several texts that hold all fields in their order, the shortest is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeAlias, cast

if TYPE_CHECKING:
    from uriparse.grammar import Expression

    Rules: TypeAlias = Mapping[str, Expression]
    Ranges: TypeAlias = tuple[tuple[int, int], ...]

MANY: Final = 2
"""How often a rule occurs that occurs more than once."""

_ASCII: Final = 0x80

Used: TypeAlias = "tuple[int, ...]"
"""How many texts of each field a piece holds, in the order of the fields."""

Piece: TypeAlias = "tuple[str | int, ...]"
"""Fixed texts, and the numbers of the fields between them."""


def items_of(expression: Expression) -> tuple[Expression, ...]:
    """Return the expressions within one."""
    kind, *rest = expression
    if kind in {"seq", "alt"}:
        return cast("tuple[Expression, ...]", rest[0])
    return (cast("Expression", rest[0]),) if kind == "rep" else ()


class Occurrences:
    """How often a rule occurs in another's text: 0, 1 or `MANY`; `within` fields, too, or not."""

    def __init__(self, known: Rules, wanted: str, fields: Iterable[str], *, within: bool) -> None:
        self._known = known
        self._wanted = wanted
        self._opaque = frozenset(() if within else fields)
        self._found: dict[str, int] = {}

    def of(self, rule: str) -> int:
        """Return how often it can occur in a text of a rule."""
        if rule not in self._found:
            self._found[rule] = 0  # what a rule holds of itself; see below
            once = self._count(self._known[rule])
            self._found[rule] = once
            # A recursive rule that holds it holds it as often as one likes.
            self._found[rule] = MANY if self._count(self._known[rule]) > once else once
        return self._found[rule]

    def _count(self, expression: Expression) -> int:
        kind, *rest = expression
        if kind == "ref":
            name = cast("str", rest[0])
            if name == self._wanted:
                return 1
            return 0 if name in self._opaque else self.of(name)
        counts = [self._count(item) for item in items_of(expression)]
        if kind == "alt":
            return max(counts, default=0)
        if kind == "rep" and rest[2] not in {0, 1}:
            return MANY if counts[0] else 0
        return min(MANY, sum(counts))


def alphabet(known: Rules, rule: str) -> frozenset[str]:
    """Return the ASCII characters that texts of a rule can hold."""
    found: set[str] = set()
    seen, ahead = {rule}, [known[rule]]
    while ahead:
        kind, *rest = expression = ahead.pop()
        if kind == "chars":
            for low, high in cast("Ranges", rest[0]):
                found.update(map(chr, range(low, min(high + 1, _ASCII))))
        elif kind == "text":
            found.update(cast("str", rest[0]))
        elif kind == "ref" and rest[0] not in seen:
            seen.add(cast("str", rest[0]))
            ahead.append(known[cast("str", rest[0])])
        ahead.extend(items_of(expression))
    return frozenset(found)


class Writer:
    """Writes the shortest text of a rule in which other rules have given texts."""

    def __init__(self, known: Rules, rule: str, fields: Mapping[str, int]) -> None:
        """Remember the rules, and by each rule that is a field's, the number of the field."""
        self._known, self._rule, self._fields = known, rule, fields
        self._pieces: dict[Used, Piece | None] = {}

    def text(self, texts: Sequence[Sequence[str]]) -> str | None:
        """Return the text with the texts of all fields, by number; None if there is none."""
        used = tuple(map(len, texts))
        if used in self._pieces:
            piece = self._pieces[used]
        else:
            found = _Shortest(self._known, self._fields, used).of(self._known[self._rule]).get(used)
            piece = None if found is None else _merged(found)
            if max(used, default=0) <= 1:  # the others are without number
                self._pieces[used] = piece
        if piece is None:
            return None
        left = [iter(each) for each in texts]
        return "".join([part if isinstance(part, str) else next(left[part]) for part in piece])


def _merged(piece: Piece) -> Piece:
    """Write adjacent fixed texts as one."""
    groups = (
        (is_text, [*parts]) for is_text, parts in groupby(piece, lambda p: isinstance(p, str))
    )
    each = (["".join(map(str, parts))] if is_text else parts for is_text, parts in groups)
    return tuple(part for parts in each for part in parts)


class _Shortest:
    """Shortest texts by what they hold of the fields, from the parts of a rule to the whole."""

    def __init__(self, known: Rules, fields: Mapping[str, int], wanted: Used) -> None:
        self._known = known
        self._fields = fields
        self._wanted = wanted
        self._none = (0,) * len(wanted)
        self._found: dict[str, dict[Used, Piece]] = {}

    def of(self, expression: Expression) -> dict[Used, Piece]:
        kind, *rest = expression
        if kind == "chars":
            return self._fixed(cast("Ranges", rest[0]))
        if kind == "text":
            return {self._none: (cast("str", rest[0]),)}
        if kind == "ref":
            return self._rule(cast("str", rest[0]))
        if kind == "alt":
            return self._shortest(
                pair for item in items_of(expression) for pair in self.of(item).items()
            )
        if kind == "seq":
            found: dict[Used, Piece] = {self._none: ()}
            for item in items_of(expression):
                found = self._joined(found, self.of(item))
            return found
        return self._repeated(
            self.of(items_of(expression)[0]), *cast("tuple[int, int]", tuple(rest[1:]))
        )

    def _fixed(self, ranges: Ranges) -> dict[Used, Piece]:
        """Return a character that is the only one, or one of the two letter cases."""
        characters = {chr(code) for low, high in ranges for code in (low, high)}
        is_one = all(low == high for low, high in ranges)
        if not is_one or len({character.lower() for character in characters}) > 1:
            return {}
        return {self._none: (max(characters),)}

    def _rule(self, name: str) -> dict[Used, Piece]:
        number = self._fields.get(name)
        if number is not None and self._wanted[number]:
            once = tuple(int(index == number) for index in range(len(self._wanted)))
            return {once: (number,)}
        if name not in self._found:
            self._found[name] = {}  # the shortest text of a rule does not hold itself
            found = self.of(self._known[name])
            if number is not None:  # a field that is not given is empty, or around one that is
                found = {used: one for used, one in found.items() if any(used) or not _size(one)}
            self._found[name] = found
        return self._found[name]

    def _joined(self, left: dict[Used, Piece], right: dict[Used, Piece]) -> dict[Used, Piece]:
        pairs = (
            (tuple(map(sum, zip(a, b, strict=True))), one + other)
            for a, one in left.items()
            for b, other in right.items()
        )
        return self._shortest(
            (used, piece)
            for used, piece in pairs
            if all(count <= most for count, most in zip(used, self._wanted, strict=True))
        )

    def _repeated(self, item: dict[Used, Piece], low: int, high: int) -> dict[Used, Piece]:
        found: dict[Used, Piece] = {self._none: ()}
        for _ in range(low):
            found = self._joined(found, item)
        # Once more for each text that is to be placed, and no more than that.
        more = sum(self._wanted)
        for _ in range(more if high < 0 else min(high - low, more)):
            longer = self._shortest([*found.items(), *self._joined(found, item).items()])
            if longer.keys() == found.keys():
                break
            found = longer
        return found

    @staticmethod
    def _shortest(pairs: Iterable[tuple[Used, Piece]]) -> dict[Used, Piece]:
        found: dict[Used, Piece] = {}
        for used, piece in pairs:
            if used not in found or _size(piece) < _size(found[used]):
                found[used] = piece
        return found


def _size(piece: Piece) -> int:
    return sum(len(part) for part in piece if isinstance(part, str))
