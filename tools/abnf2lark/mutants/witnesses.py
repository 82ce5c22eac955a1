"""Witnesses: for each mutant of a rule, a text on which it differs from the rule."""

from collections import defaultdict
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import astuple, dataclass
from types import MappingProxyType

from abnf2lark.automata import Alphabet, languages
from abnf2lark.ir import Node, Ref, RuleSet, leading_to, reachable, references
from abnf2lark.mutants.edits import Mutant, mutants
from abnf2lark.mutants.mutant_automata import (
    Classes,
    Difference,
    Fixed,
    LazyDfa,
    MutantNfa,
    accepted,
    difference,
)
from abnf2lark.tables.packing import Parts

LARGE = 20_000  # states beyond which an automaton is not kept for later, but made again


@dataclass(frozen=True, slots=True)
class Witnesses:
    """The texts that detect the mutants of a rule.

    ``texts`` are texts, each with the first edit that it detects; of ``mutants`` mutants ``equal``
    derive the same texts as the rule, and of ``undecided`` it takes too long to find out. The first
    ``enough`` texts detect each mutant; the others detect those that are wrong in both ways also in
    the other way, which tells them from the rule when a second edit hides the first.
    """

    texts: tuple[tuple[str, str], ...]
    mutants: int
    equal: int
    undecided: int
    enough: int


class Laboratory:
    """A rule with all its mutants, over one alphabet that is fine enough for each."""

    def __init__(self, grammar: RuleSet, start: str) -> None:
        self.grammar = grammar
        self.start = start
        self.mutants = mutants(grammar, start)
        mutated = [mutant.body for mutant in self.mutants]
        named = {ref.name for body in mutated for ref in references(body)}
        needed = reachable(grammar, [start, *named])
        alphabet = Alphabet([*mutated, *(grammar.rules[name].body for name in needed)])
        self.classes = Classes(alphabet)
        known = languages(grammar.rules, alphabet, needed)
        self._fixed = {name: Fixed(language, self.classes) for name, language in known.items()}
        self.own = self._fixed[start]

    def lazy_dfa(self, *together: Mutant) -> LazyDfa:
        """Return the automaton of the start rule with the bodies of some rules changed."""
        changed = {mutant.rule: mutant.body for mutant in together}
        above = leading_to(self.grammar, changed)
        bodies: dict[str, Node] = {name: self.grammar.rules[name].body for name in above}
        return self._lazy_dfa(Ref(self.start), bodies | changed)

    def _lazy_dfa(self, node: Node, bodies: Mapping[str, Node] = MappingProxyType({})) -> LazyDfa:
        return LazyDfa(MutantNfa(node, self._fixed, self.classes, bodies))

    def difference(self, mutant: Mutant) -> tuple[LazyDfa, Difference]:
        """Return a mutant's automaton, and the shortest texts on which it and the rule differ."""
        whole = self.lazy_dfa(mutant)
        before, after = self._lazy_dfa(mutant.before), self._lazy_dfa(mutant.after)
        part = difference(before, after, self.classes, may_lose=True, may_gain=True)
        lose, gain = (one is not None or not part.decided for one in part[:2])
        return whole, difference(self.own, whole, self.classes, may_lose=lose, may_gain=gain)


def witnesses(grammar: RuleSet, start: str) -> Witnesses:
    """Return few texts that detect all mutants of a rule that differ from it."""
    laboratory = Laboratory(grammar, start)
    texts: dict[str, str] = {}
    kept: list[tuple[LazyDfa | None, bool, bool]] = []
    untold = {True: 0, False: 0}
    for mutant in laboratory.mutants:
        lazy_dfa, (lost, gained, decided) = laboratory.difference(mutant)
        # The large ones are made again when needed: all at once would take much memory.
        small = lazy_dfa if lazy_dfa.size < LARGE else None
        kept.append((small, lost is not None, gained is not None))
        if lost is gained is None:
            untold[decided] += 1
        for text in (lost, gained):
            if text is not None:
                texts.setdefault(text, mutant.edit)
    betrayed = {one: set(ways) for one, ways in _betrayals(laboratory, list(texts), kept).items()}
    first = _cover({one: {way // 2 for way in ways} for one, ways in betrayed.items()})
    known = set().union(*(betrayed[one] for one in first))
    second = _cover({one: ways - known for one, ways in betrayed.items()})
    pairs = list(texts.items())
    found = tuple(pairs[one] for chosen in (first, second) for one in sorted(chosen))
    return Witnesses(found, len(kept), untold[True], untold[False], len(first))


def _betrayals(
    laboratory: Laboratory, texts: list[str], kept: list[tuple[LazyDfa | None, bool, bool]]
) -> Mapping[int, list[int]]:
    """Return for each text, by number, the mutants that it detects, each way another number."""
    words = [laboratory.classes.bits_of(text) for text in texts]
    order = sorted(range(len(words)), key=words.__getitem__)
    ordered = [words[number] for number in order]
    # In order, words share what they begin with, and that is walked once.
    own = accepted(laboratory.own, ordered)
    found: dict[int, list[int]] = defaultdict(list)
    for mutant, (lazy_dfa, lost, gained) in enumerate(kept):
        if lost or gained:
            theirs = accepted(lazy_dfa or laboratory.lazy_dfa(laboratory.mutants[mutant]), ordered)
            for number, belongs, still in zip(order, own, theirs, strict=True):
                if belongs is not still and (lost if belongs else gained):
                    found[number].append(2 * mutant + belongs)
    return found


def _cover(betrayed: Mapping[int, AbstractSet[int]]) -> set[int]:
    """Return few texts that together detect all: greedily the one that adds the most."""
    left = dict(betrayed)
    chosen: set[int] = set()
    missing = set().union(*left.values())
    while missing:
        # Greedy set cover: the least number is NP-hard, and this comes within a factor of log(n).
        best = max(left, key=lambda number: (len(left[number]), -number))
        chosen.add(best)
        done = left.pop(best)
        missing -= done
        left = {number: others - done for number, others in left.items()}
    return chosen


def witness_part(rule: str, found: Witnesses) -> bytes:
    """Return one part of the section ``witnesses``: the fields of what was found, as JSON."""
    made = Parts()
    made.json(rule, astuple(found))
    return made.content
