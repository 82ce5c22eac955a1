"""How often rules come in others, counted rule by rule."""

from abnf2lark.reading import large_parts as counting
from abnf2lark.reading.large_parts import occurrences


def test_of_alternatives_the_least_and_the_most_count(grammar):
    made = grammar('s = a b / 2a / a [ b ] / *c a\na = "a"\nb = "b"\nc = "c"\n')
    found = occurrences(made, {"s", "a", "b", "c"})
    assert found["s"] == {"a": (1, 2), "b": (0, 1), "c": (0, 2)}


def test_each_alternative_is_looked_at_once():
    looked = 0

    class Counted(dict):
        def items(self):
            nonlocal looked
            looked += 1
            return super().items()

    ways = [Counted(a=(1, 1), b=(0, 1)) for _ in range(500)] + [Counted(b=(1, 2))]
    assert counting._either(ways) == {"a": (0, 1), "b": (0, 2)}
    assert looked == len(ways)
