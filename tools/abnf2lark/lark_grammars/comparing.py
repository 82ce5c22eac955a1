"""Show that what a text goes on with under one reading, it goes on with under others, too.

Two readings of a text share what lies at the bottom of their stacks, which is not known and makes
no difference while it is shared: only what lies above is held, from the topmost shared state up.
Where a reduction takes that away, too, all states are tried that can lie below it.

One reading is followed against all others, through all texts at once. It is among them where each
text leads to a reading that is one of them, or to readings that have been compared before.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from abnf2lark.automata import TooLargeError, spend
from abnf2lark.lark_grammars.actions import DeeperError, Reduction
from abnf2lark.lark_grammars.known_rest import ANYTHING, Behind
from abnf2lark.lark_grammars.readings import Reading, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from abnf2lark.automata import Alphabet
    from abnf2lark.lark_grammars.actions import Stack
    from abnf2lark.lark_grammars.readings import Readings

MAX_COMPARED = 20_000  # pairs of readings in one proof
MAX_DEPTH = 40  # states of a stack above those that are shared
MAX_FAR = 3  # states below those, that it is looked for what others do to
MAX_OTHERS = 12  # readings
COST = 80  # steps of an automaton that take as long as one of two readings
NOTHING = -1  # in the place of a character


class Compared(NamedTuple):
    """One reading against others, on texts that are of certain languages."""

    one: Reading
    others: frozenset[Reading]
    behind: Behind = ANYTHING


class Comparison:
    """What is proved of the readings of one table."""

    def __init__(self, readings: Readings, alphabet: Alphabet) -> None:
        self.readings = readings
        self.actions = readings.actions
        self.alphabet = alphabet
        self._among: set[Compared] = set()

    def forget(self) -> None:
        """Forget what was proved: it is no longer decided as it was."""
        self._among.clear()

    def compare(self, pairs: Iterable[Compared]) -> str | None:
        """Return a text with which the one goes on in some pair and the others do not.

        ``None`` if there is none; then that is known of all pairs, and of those that were met.
        """
        pending = deque((_shared_cut(pair), "") for pair in pairs)
        met: set[Compared] = set()
        while pending:
            pair, text = pending.popleft()
            if plain(pair.one) in pair.others or pair in met or pair in self._among:
                continue
            met.add(pair)
            if len(met) > MAX_COMPARED:
                raise TooLargeError
            for label, following in self._stepped(pair):
                longer = text + self.alphabet.sample(label) if label >= 0 else text
                if following is None:
                    return longer
                pending.append((_shared_cut(following), longer))
        self._among |= met
        return None

    def _stepped(self, pair: Compared) -> Iterator[tuple[int, Compared | None]]:
        """Yield what comes of a pair, whatever lies below; ``None`` where a text parts it."""
        pairs = [(pair, 0)]
        while pairs:
            here, far = pairs.pop()
            try:
                above = self._above(here)
                if above is None:
                    found = self._next(here, known=far > MAX_FAR)
                else:
                    found = [(NOTHING, one) for one in above]
            except DeeperError:
                if len(here.one[0]) > MAX_DEPTH:
                    raise TooLargeError from None
                spend(COST)
                pairs += [(one, far + 1) for one in self._deeper(here)]
            else:
                yield from found

    def _above(self, pair: Compared) -> list[Compared] | None:
        """Leave out what two stacks share at their tops: both do the same until that is reduced.

        Returns the pairs behind all those reductions; ``None`` where no such top is shared.
        """
        stack, rest = plain(pair.one)
        if pair.behind or rest < 0:
            return None
        alike = [
            other
            for other, begun in pair.others
            if begun == rest and other[-1] == stack[-1] and min(len(stack), len(other)) > 1
        ]
        if not alike:
            return None
        found: list[Compared] = []
        done = self.readings.rests.done
        for name, place in sorted(self.actions.begun[stack[-1]]):
            made = Reduction(name, place, "")
            one = self.actions.reduce(stack[:-1], made)
            if one is not None:
                beside = {self.actions.reduce(other[:-1], made) for other in alike}
                others = frozenset((other, done) for other in beside if other is not None)
                found.append(Compared((one, done), others))
        return found

    def _next(self, pair: Compared, *, known: bool) -> list[tuple[int, Compared | None]]:
        """Return what comes of a pair by each character, ``None`` where a text parts it.

        With ``known`` others do nothing for which they need what lies below.
        """
        readings, known_rest = self.readings, self.readings.known
        stack, rest = plain(pair.one)
        labels = known_rest.labels(pair.behind)
        # Behind the token that is begun, what has the same stack does the same.
        same = any(one == stack and other in readings.rests.final for one, other in pair.others)
        if same:
            labels = labels.intersection(readings.rests.edges[rest])
        one = readings.meant(pair.one, labels, inside=same, beside=pair.others)
        labels = frozenset(one)
        spend(COST)
        others = [readings.steps(other, labels, known=known) for other in pair.others]
        found: list[tuple[int, Compared | None]] = []
        if (
            known_rest.may_end(pair.behind)
            and not same
            and readings.ends_alone(pair.one, pair.others)
        ):
            return [(NOTHING, None)]
        for label, ways in readings.apart(one, others, pair.behind):
            beside = _fewer(frozenset().union(*(steps.get(label, ()) for steps in others)))
            for reading, ended in ways:
                behind = known_rest.moved(pair.behind | ended, label)
                if behind is not None:
                    if not beside and not behind:
                        return [(label, None)]
                    found.append((label, Compared(reading, beside, behind)))
        return found

    def _deeper(self, pair: Compared) -> list[Compared]:
        """Return the pair above each state that can lie below what is known."""
        return [
            pair._replace(
                one=((state, *pair.one[0]), pair.one[1]),
                others=frozenset(((state, *stack), rest) for stack, rest in pair.others),
            )
            for state in sorted(self.actions.before[pair.one[0][0]])
        ]


def _fewer(readings: frozenset[Reading]) -> frozenset[Reading]:
    """Return as many readings as one is compared with, those with the least stacks."""
    if len(readings) <= MAX_OTHERS:
        return readings
    return frozenset(sorted(readings, key=lambda one: (len(one[0]), one))[:MAX_OTHERS])


def _shared_cut(pair: Compared) -> Compared:
    """Forget what all stacks share, but for the topmost of that."""
    if not pair.others:  # so that it is known where the one comes to nothing, too
        return pair
    below = shared([pair.one[0], *(stack for stack, _ in pair.others)])
    if not below:
        return pair
    return pair._replace(
        one=(pair.one[0][below:], pair.one[1]),
        others=frozenset((stack[below:], rest) for stack, rest in pair.others),
    )


def shared(stacks: Sequence[Stack]) -> int:
    """Return how many states at the bottom can be forgotten: the topmost shared one is kept."""
    shortest = min(map(len, stacks))
    found = 0
    while found + 1 < shortest and len({stack[found + 1] for stack in stacks}) == 1:
        found += 1
    return found
