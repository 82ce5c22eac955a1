"""Compare two rules, of one grammar or of two: what each of them matches and the other does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from abnf2lark.automata.alphabet import Alphabet
from abnf2lark.automata.large_rules import part_of_many_states, refuse_long
from abnf2lark.automata.limits import TooLargeError, limited
from abnf2lark.automata.nfa import languages
from abnf2lark.reading.ir import Ref, reachable
from abnf2lark.reading.large_parts import Sizes
from abnf2lark.reading.linear_recursion import with_loops
from abnf2lark.reading.loops import recursion, shown

if TYPE_CHECKING:
    from abnf2lark.automata.language import Language
    from abnf2lark.reading.ir import Grammar

MAX_STEPS = 10_000_000  # of automata; about 10 seconds
MAX_PLACES = 30_000  # of characters, with all rules written out


class UndecidedError(Exception):
    """No automaton of a rule can be made; the message names the rule and says why."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two rules have in common: a shortest text of each kind, ``None`` where there is none."""

    only_left: str | None
    only_right: str | None
    both: str | None

    @property
    def relation(self) -> Literal["equal", "subset", "superset", "overlapping", "disjoint"]:
        """What the texts of the left rule are to those of the right one."""
        if self.only_left is None:
            return "equal" if self.only_right is None else "subset"
        if self.only_right is None:
            return "superset"
        return "disjoint" if self.both is None else "overlapping"


def compare_rules(left: Grammar, rule: str, right: Grammar, other: str) -> Comparison:
    """Compare a rule with another one; both are spelled as their grammars do.

    Raises :class:`UndecidedError` for a rule that leads back to itself, or is too large.
    """
    left = with_loops(left, reachable(left, [rule]))
    right = with_loops(right, reachable(right, [other]))
    sides = ((left, rule), (right, other))
    for grammar, name in sides:
        loop = recursion(grammar, [name])
        if loop:
            text = f"{name} of {grammar.name} is recursive, {shown(loop)}, so it has no automaton"
            raise UndecidedError(text)
    bodies = (
        grammar.rules[inner].body for grammar, name in sides for inner in reachable(grammar, [name])
    )
    large = max(sides, key=lambda side: Sizes(*side).of(Ref(side[1])))
    try:
        with limited(MAX_STEPS):
            refuse_long(*large, MAX_PLACES)
            alphabet = Alphabet(bodies)
            ours = languages(left.rules, alphabet, [rule])[rule]
            theirs = languages(right.rules, alphabet, [other])[other]
            return _compared(ours, theirs, alphabet)
    except TooLargeError:
        text = f"{rule} of {left.name} and {other} of {right.name} are too large to be compared"
        raise UndecidedError(f"{text}: {part_of_many_states(*large)}") from None


def _compared(ours: Language, theirs: Language, alphabet: Alphabet) -> Comparison:
    def shortest(language: Language) -> str | None:
        word = language.witness(alphabet)
        return None if word is None else plainer(word, language, alphabet)

    return Comparison(shortest(ours - theirs), shortest(theirs - ours), shortest(ours & theirs))


def plainer(word: str, language: Language, alphabet: Alphabet) -> str:
    """Return a word of a language in lower case, if that belongs to it too."""
    lower = word.lower() if word.isascii() else word
    return lower if language.accepts(lower, alphabet) else word
