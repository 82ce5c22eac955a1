"""Show that what a text goes on with under one reading, it goes on with under others, too.

A reading is a stack of the parser and a token that is begun. Two readings of a text share what lies
at the bottom of their stacks, which is not known and makes no difference while it is shared: only
what lies above is held, from the topmost shared state up. Where a reduction takes that away, too,
all states are tried that can lie below it.

Readings are followed character by character, one against all others, through all texts at once.
They are equal where each text leads to a reading that is among the others, or to readings that have
been compared before.
"""

from __future__ import annotations

from collections import deque
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from abnf2lark.automata import Language, TooLargeError, spend
from abnf2lark.automata.minimize import blocks
from abnf2lark.lark_grammars.actions import END, DeeperError, Reduction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from abnf2lark.automata import Alphabet
    from abnf2lark.lark_grammars.actions import Actions, Stack

MAX_COMPARED = 20_000  # pairs of readings in one proof
MAX_DEPTH = 40  # states of a stack above those that are shared
MAX_OTHERS = 12  # readings
COST = 80  # steps of an automaton that take as long as one of two readings
FIRST = 1_000_000  # added to what is to come of a token that may end anywhere
NOTHING = -1  # in the place of a character

# A stack, as it is behind the token that is begun, and what of this token is to come; or a stack
# before a token that has been decided on.
Reading: TypeAlias = "tuple[Stack, int]"


# Languages that the rest of a text is of, each by its number and a state.
Behind: TypeAlias = "frozenset[tuple[int, int]]"
ANYTHING: Behind = frozenset()


class Compared(NamedTuple):
    """One reading against others, on texts that are of certain languages."""

    one: Reading
    others: frozenset[Reading]
    behind: Behind = ANYTHING


class _Begun(NamedTuple):
    """Two stacks before two tokens, or behind them; ``None`` where a token is refused."""

    one: Stack
    other: Stack | None
    one_done: bool = False
    other_done: bool = False


class Readings:
    """The readings of a table's stacks and tokens."""

    def __init__(
        self, actions: Actions, languages: Mapping[str, Language], alphabet: Alphabet
    ) -> None:
        self.actions = actions
        self.languages = languages
        self.alphabet = alphabet
        self._rests: dict[str, list[int]] = {}
        self._places: dict[int, tuple[str, int]] = {}  # a token and a state of it
        self._edges: dict[int, dict[int, int]] = {}
        self._final: set[int] = set()
        self._number_rests()
        self._tokens = {name: -2 - place for place, name in enumerate([END, *languages])}
        self._names = {number: name for name, number in self._tokens.items()}
        self._steps: dict[tuple[Reading, frozenset[int]], dict[int, frozenset[Reading]]] = {}
        self._sets: dict[frozenset[Reading], frozenset[Reading]] = {}
        self._pairs: dict[frozenset[tuple[Reading, Behind]], frozenset[tuple[Reading, Behind]]] = {}
        self._equal: set[Compared] = set()
        self._ended: dict[tuple[str, int, Language], Behind] = {}
        self._longest_known: dict[int, Behind] = {}
        self._guarded: set[int] = set()
        self._all = frozenset(range(alphabet.size))
        self._moves: dict[tuple[Behind, int], Behind | None] = {}
        self._meant: dict[
            tuple[Reading, frozenset[int], bool, frozenset[Reading]],
            dict[int, frozenset[tuple[Reading, Behind]]],
        ] = {}
        self._found: dict[tuple[object, ...], str | None] = {}
        self._behind: list[Language] = []
        self._behind_numbers: dict[Language, int] = {}

    def parted(
        self, state: int, token: str, kept: Reduction | None, dropped: Reduction
    ) -> str | None:
        """Return a text before which a reduction is needed that the one that is kept cannot read.

        ``None`` if there is none. ``kept`` is ``None`` for a shift.
        """
        stacks: list[Stack] = [(state,)]
        pairs: list[Compared] = []
        while stacks:
            stack = stacks.pop()
            try:
                one = self.actions.reduce(stack, dropped)
                other = None if kept is None else self.actions.reduce(stack, kept)
            except DeeperError:
                stacks.extend((below, *stack) for below in self.actions.before[stack[0]])
                continue
            if one is None:
                continue
            if kept is None:
                others = {((*stack, self.actions.shifts[state][token]), self._rests[token][0])}
            else:
                others = set() if other is None else {(other, self._tokens[token])}
            pairs.append(Compared((one, self._tokens[token]), frozenset(others)))
        return self.compare(pairs)

    def missed(self, state: int, taken: str, meant: str, guard: Language) -> str | None:
        """Return a text that is no longer read where one token is taken in place of another.

        It begins with the token that is ``meant``, and with one that is ``taken``: the longest that
        ``guard`` lets be what follows. ``None`` if there is no such text.
        """
        begun = frozenset(self._begun_together(state, meant, taken))
        key = (begun, taken, meant, guard)
        if key not in self._found:
            self._found[key] = self._missed(begun, taken, meant, guard)
        return self._found[key]

    def _missed(
        self,
        together: frozenset[tuple[Stack, Stack | None]],
        taken: str,
        meant: str,
        guard: Language,
    ) -> str | None:
        words = self.languages[taken]
        pending: deque[tuple[Reading, frozenset[Stack], int, Behind, str]] = deque()
        for stack, other in together:
            others: frozenset[Stack] = frozenset() if other is None else frozenset({other})
            # Another token may be thought to be as long as it can: that has been shown for itself.
            first = self._rests[meant][0] + (FIRST if meant == taken else 0)
            pending.append(((stack, first), others, 0, ANYTHING, ""))
        seen: set[tuple[Reading, frozenset[Stack], int, Behind]] = set()
        pairs: dict[Compared, str] = {}
        while pending:
            one, others, place, behind, text = pending.popleft()
            if (one, others, place, behind) in seen:
                continue
            seen.add((one, others, place, behind))
            spend(COST)
            if len(seen) > 4 * MAX_COMPARED:
                raise TooLargeError
            row = words.edges[place]
            try:
                steps = self.meant(one, frozenset(row))
            except DeeperError:
                for below in self.actions.before[one[0][0]]:
                    above = frozenset((below, *other) for other in others)
                    pending.append((((below, *one[0]), one[1]), above, place, behind, text))
                continue
            for label, readings in self._apart(steps, [], behind, row):
                target = row[label]
                longer = text + self.alphabet.sample(label)
                for reading, ended in readings:
                    now = self._moved(behind | ended, label)
                    if now is None:
                        continue
                    pending.append((reading, others, target, now, longer))
                    if target in words.final:
                        beside = frozenset((other, self.done) for other in others)
                        now |= self._unextended(taken, target, guard)
                        pairs.setdefault(Compared(reading, beside, now), longer)
        for pair, text in pairs.items():
            found = self.compare([pair])
            if found is not None:
                return text + found
        return None

    def _begun_together(
        self, state: int, meant: str, taken: str
    ) -> set[tuple[Stack, Stack | None]]:
        """Return the stacks behind two tokens, above what they share.

        One token is read in all ways, the other as has been decided, or not at all. They go step by
        step, so that what both do to the stack is soon shared.
        """
        found: set[tuple[Stack, Stack | None]] = set()
        pending: list[_Begun] = [_Begun((state,), (state,))]
        seen = set(pending)
        while pending:
            here = pending.pop()
            if here.one_done and here.other_done:
                found.add((here.one, here.other))
                continue
            for one in self._both(here, meant, taken):
                if one not in seen:
                    seen.add(one)
                    spend(COST // 4)
                    if len(seen) > MAX_COMPARED:
                        raise TooLargeError
                    pending.append(one)
        return found

    def _both(self, here: _Begun, meant: str, taken: str) -> Iterator[_Begun]:
        """Yield what two stacks are one step on, whatever lies below."""
        pending = [here]
        while pending:
            one, other, one_done, other_done = here = pending.pop()
            try:
                ones = [(one, True)] if one_done else self.actions.options(one, meant)
                if other is not None and not other_done:
                    other, other_done = self.actions.decided(other, taken)
            except DeeperError:
                if len(one) > MAX_DEPTH:
                    raise TooLargeError from None
                pending += [
                    here._replace(one=(below, *here.one), other=here.other and (below, *here.other))
                    for below in self.actions.before[one[0]]
                ]
                continue
            for stack, done in ones:
                if other is None:
                    yield _Begun(stack, None, done, other_done=True)
                else:
                    shared = _shared([stack, other])
                    yield _Begun(stack[shared:], other[shared:], done, other_done)

    def _unextended(self, token: str, state: int, guard: Language) -> Behind:
        """Return what can follow a word that leads to a state where no longer one is taken."""
        key = (token, state, guard)
        if key not in self._ended:
            words, found = self.languages[token], guard
            if words.edges[state]:
                found = guard - (words.after(state).without_empty() + guard)
            self._ended[key] = self.behind(found)
        return self._ended[key]

    def _longest(self, rest: int) -> Behind:
        """Return what can follow a token that is taken by itself, where it can be no longer."""
        if rest not in self._longest_known:
            everything = Language.everything(self.alphabet.size)
            found = ANYTHING
            token, state = self._places[rest]
            if self._edges[rest] and rest not in self._guarded:
                more = self.languages[token].after(state).without_empty()
                found = self.behind(everything - (more + everything))
            self._longest_known[rest] = found
        return self._longest_known[rest]

    def guard(self, tokens: Iterable[str]) -> None:
        """Take back that tokens end where they can be no longer: these are guarded."""
        self._guarded |= {rest for token in tokens for rest in self._rests[token]}
        for known in (self._longest_known, self._meant, self._equal, self._found):
            known.clear()

    def _number_rests(self) -> None:
        """Give what can be left of tokens a number; the same where two leave the same."""
        rows: dict[int, dict[int, int]] = {}
        final: set[int] = set()
        first: dict[str, int] = {}
        for name, language in self.languages.items():
            first[name] = base = len(rows)
            for state, row in enumerate(language.edges):
                rows[base + state] = {label: base + target for label, target in row.items()}
                if state in language.final:
                    final.add(base + state)
        block = blocks(rows, final)
        for name, language in self.languages.items():
            base = first[name]
            self._rests[name] = [block[base + state] for state in range(len(language.edges))]
            for state, rest in enumerate(self._rests[name]):
                self._places.setdefault(rest, (name, state))
        for state, row in rows.items():
            self._edges[block[state]] = {label: block[target] for label, target in row.items()}
            if state in final:
                self._final.add(block[state])
        self.done = next((one for one in self._final if not self._edges[one]), len(rows))
        self._edges.setdefault(self.done, {})
        self._final.add(self.done)

    def behind(self, language: Language) -> Behind:
        """Return what lets a text be one of a language."""
        number = self._behind_numbers.setdefault(language, len(self._behind_numbers))
        if number == len(self._behind):
            self._behind.append(language)
        return self._loosened({(number, 0)})

    def _loosened(self, behind: Iterable[tuple[int, int]]) -> Behind:
        """Forget languages that all texts are of from here on."""
        return frozenset(one for one in behind if not self._is_loose(*one))

    def _is_loose(self, number: int, state: int) -> bool:
        language = self._behind[number]
        row = language.edges[state]
        loose = state in language.final and set(row.values()) == {state}
        return loose and len(row) == self.alphabet.size

    def _moved(self, behind: Behind, label: int) -> Behind | None:
        """Return what the rest is of behind a character; ``None`` where that cannot come."""
        if not behind:
            return behind
        key = (behind, label)
        if key not in self._moves:
            ways = [(number, self._behind[number].edges[one].get(label)) for number, one in behind]
            found = {(number, target) for number, target in ways if target is not None}
            self._moves[key] = self._loosened(found) if len(found) == len(ways) else None
        return self._moves[key]

    def _labels(self, behind: Behind) -> frozenset[int]:
        """Return the characters that can come."""
        rows = (self._behind[number].edges[state] for number, state in behind)
        return self._all.intersection(*rows)

    def begun(self, stack: Stack, token: str) -> set[Reading]:
        """Return the readings in which a token begins; raises :class:`DeeperError`."""
        return {(one, self._rests[token][0]) for one in self.actions.after(stack, token)}

    def compare(self, pairs: Iterable[Compared]) -> str | None:
        """Return a text with which the one goes on in some pair and the others do not.

        ``None`` if there is none; then all pairs, and those that were met, are equal.
        """
        pending = deque((self._shared_cut(pair), "") for pair in pairs)
        met: set[Compared] = set()
        while pending:
            pair, text = pending.popleft()
            if _plain(pair.one) in pair.others or pair in met or pair in self._equal:
                continue
            met.add(pair)
            if len(met) > MAX_COMPARED:
                raise TooLargeError
            for label, following in self._stepped(pair):
                longer = text + self.alphabet.sample(label) if label >= 0 else text
                if following is None:
                    return longer
                pending.append((self._shared_cut(following), longer))
        self._equal |= met
        return None

    def _stepped(self, pair: Compared) -> Iterator[tuple[int, Compared | None]]:
        """Yield what comes of a pair, whatever lies below; ``None`` where a text parts it."""
        pairs = [pair]
        while pairs:
            here = pairs.pop()
            try:
                above = self._above(here)
                found = self._next(here) if above is None else [(NOTHING, one) for one in above]
            except DeeperError:
                if len(here.one[0]) > MAX_DEPTH:
                    raise TooLargeError from None
                spend(COST)
                pairs += self._deeper(here)
            else:
                yield from found

    def _above(self, pair: Compared) -> list[Compared] | None:
        """Leave out what two stacks share at their tops: both do the same until that is reduced.

        Returns the pairs behind all those reductions; ``None`` where no such top is shared.
        """
        stack, rest = _plain(pair.one)
        if pair.behind:
            return None
        for other, other_rest in sorted(pair.others):
            if rest != other_rest or stack[-1] != other[-1]:
                continue
            top = 1
            while top + 1 < min(len(stack), len(other)) and stack[-top - 1] == other[-top - 1]:
                top += 1
            if top >= min(len(stack), len(other)):
                continue
            found: list[Compared] = []
            for name, place in self.actions.begun[stack[-top]]:
                one = self.actions.reduce(stack[:-top], Reduction(name, place, ""))
                beside = self.actions.reduce(other[:-top], Reduction(name, place, ""))
                if one is not None:
                    others = frozenset() if beside is None else frozenset({(beside, self.done)})
                    found.append(Compared((one, self.done), others))
            return found
        return None

    def _next(self, pair: Compared) -> list[tuple[int, Compared | None]]:
        """Return what comes of a pair by each character, ``None`` where a text parts it."""
        stack, rest = _plain(pair.one)
        labels = self._labels(pair.behind)
        # Behind the token that is begun, what has the same stack does the same.
        same = any(one == stack and other in self._final for one, other in pair.others)
        if same:
            labels = labels.intersection(self._edges[rest])
        one = self.meant(pair.one, labels, inside=same, beside=pair.others)
        labels = frozenset(one)
        spend(COST)
        others = [self.steps(other, labels) for other in pair.others]
        found: list[tuple[int, Compared | None]] = []
        may_end = all(state in self._behind[number].final for number, state in pair.behind)
        if may_end and not same and self._ends_alone(pair):
            return [(NOTHING, None)]
        for label, readings in self._apart(one, others, pair.behind):
            beside = frozenset().union(*(steps.get(label, ()) for steps in others))
            if len(beside) > MAX_OTHERS:
                beside = frozenset(sorted(beside, key=lambda r: (len(r[0]), r))[:MAX_OTHERS])
            for reading, ended in readings:
                behind = self._moved(pair.behind | ended, label)
                if behind is not None:
                    if not beside and not behind:
                        return [(label, None)]
                    found.append((label, Compared(reading, beside, behind)))
        return found

    def _apart(
        self,
        steps: Mapping[int, frozenset[tuple[Reading, Behind]]],
        others: Sequence[Mapping[int, frozenset[Reading]]],
        behind: Behind,
        row: Mapping[int, int] = MappingProxyType({}),
    ) -> Iterator[tuple[int, frozenset[tuple[Reading, Behind]]]]:
        """Yield the steps of one; of characters that lead to the same everywhere, the first."""
        seen: set[tuple[int, ...]] = set()
        rows = [self._behind[number].edges[state] for number, state in behind]
        for label, readings in steps.items():
            key = (
                id(readings),
                row.get(label, -1),
                *(one.get(label, -1) for one in rows),
                *(id(other.get(label)) for other in others),
            )
            if key not in seen:
                seen.add(key)
                yield label, readings

    def meant(
        self,
        reading: Reading,
        labels: frozenset[int],
        *,
        inside: bool = False,
        beside: frozenset[Reading] = frozenset(),
    ) -> dict[int, frozenset[tuple[Reading, Behind]]]:
        """Return the readings behind some characters in which all is done as has been decided.

        So it may be behind the first token: what is left there is shorter, and has been shown to be
        read so. Each comes with what the rest is of. ``inside``: of the token that is begun alone.
        Left out is what the readings ``beside`` do just so. Raises :class:`DeeperError`.
        """
        found = self._meant.get((reading, labels, inside, beside))
        if found is None:
            stack, rest = _plain(reading)
            first = reading[1] - rest
            ways: list[tuple[Stack, int, int, Behind]] = []
            if rest in self._names:
                if self._names[rest] != END:
                    token = self._names[rest]
                    ways = [
                        (one, self._rests[token][0], FIRST, ANYTHING)
                        for one in self._apart_from(stack, token, beside, self.actions.options)
                    ]
            else:
                ways.append((stack, rest, first, ANYTHING))
            if rest in self._final and not inside:
                longest = ANYTHING if first else self._longest(rest)
                for token in self.actions.tried(stack[-1]):
                    if labels.isdisjoint(self._edges[self._rests[token][0]]):
                        continue
                    for one in self._apart_from(stack, token, beside, self.actions.only):
                        ways.append((one, self._rests[token][0], 0, longest))
            made: dict[int, set[tuple[Reading, Behind]]] = {}
            for begun, state, mark, behind in ways:
                for label, target in self._edges[state].items():
                    if label in labels and self._moved(behind, label) is not None:
                        made.setdefault(label, set()).add(((begun, target + mark), behind))
            found = self._meant[reading, labels, inside, beside] = {
                label: self._pairs.setdefault(frozenset(way), frozenset(way))
                for label, way in made.items()
            }
        return found

    def _apart_from(
        self,
        stack: Stack,
        token: str,
        beside: frozenset[Reading],
        options: Callable[[Stack, str], list[tuple[Stack, bool]]],
    ) -> set[Stack]:
        """Return the stacks behind a token, but for those that others come to in the same way."""
        known = self._known(token, beside)
        found: set[Stack] = set()
        seen = {stack}
        pending = [stack]
        while pending:
            here = pending.pop()
            if here in known:
                continue
            for one, done in options(here, token):
                if done:
                    found.add(one)
                elif one not in seen:
                    seen.add(one)
                    pending.append(one)
        return found

    def _known(self, token: str, beside: frozenset[Reading]) -> frozenset[Stack]:
        """Return what readings can be reduced to before a token, as far as that can be told."""
        return frozenset().union(
            *(
                self.actions.known(stack, token)
                for stack, rest in beside
                if rest in self._final or rest == self._tokens[token]
            )
        )

    def _ends_alone(self, pair: Compared) -> bool:
        """Tell whether the text can end in one reading, and in no other."""
        stack, rest = _plain(pair.one)
        if rest not in self._final and self._names.get(rest) != END:
            return False
        ends = self._apart_from(stack, END, pair.others, self.actions.endings)
        return bool(ends) and not any(map(self.ends, pair.others))

    def steps(self, reading: Reading, labels: frozenset[int]) -> dict[int, frozenset[Reading]]:
        """Return the readings behind some characters; raises :class:`DeeperError`."""
        found = self._steps.get((reading, labels))
        if found is None:
            stack, rest = reading
            tokens: Iterable[str] = ()
            if rest in self._names:
                tokens = () if self._names[rest] == END else (self._names[rest],)
            elif rest in self._final:
                tokens = self.actions.tried(stack[-1])
            inside = {reading} if rest in self._edges else set()
            for token in tokens:
                if not labels.isdisjoint(self._edges[self._rests[token][0]]):
                    inside |= self.begun(stack, token)
            made: dict[int, set[Reading]] = {}
            for begun, first in inside:
                for label, target in self._edges[first].items():
                    if label in labels:
                        made.setdefault(label, set()).add((begun, target))
            found = self._steps[reading, labels] = {
                label: self._one(frozenset(readings)) for label, readings in made.items()
            }
        return found

    def _one(self, readings: frozenset[Reading]) -> frozenset[Reading]:
        """Return the same object for equal sets, so that they are quickly told apart."""
        return self._sets.setdefault(readings, readings)

    def ends(self, reading: Reading) -> bool:
        """Tell whether the text can end; raises :class:`DeeperError`."""
        stack, rest = reading
        at_end = rest in self._final or self._names.get(rest) == END
        return at_end and self.actions.accepts(stack)

    def _deeper(self, pair: Compared) -> list[Compared]:
        """Return the pair above each state that can lie below what is known."""
        return [
            pair._replace(
                one=((state, *pair.one[0]), pair.one[1]),
                others=frozenset(((state, *stack), rest) for stack, rest in pair.others),
            )
            for state in sorted(self.actions.before[pair.one[0][0]])
        ]

    def _shared_cut(self, pair: Compared) -> Compared:
        """Forget what all stacks share, but for the topmost of that."""
        if not pair.others:  # so that it is known where the one comes to nothing, too
            return pair
        shared = _shared([pair.one[0], *(stack for stack, _ in pair.others)])
        if not shared:
            return pair
        return pair._replace(
            one=(pair.one[0][shared:], pair.one[1]),
            others=frozenset((stack[shared:], rest) for stack, rest in pair.others),
        )


def _plain(reading: Reading) -> Reading:
    """Return a reading whatever its token is to be like."""
    stack, rest = reading
    return (stack, rest - FIRST) if rest >= FIRST else reading


def _shared(stacks: Sequence[Stack]) -> int:
    """Return how many states at the bottom can be forgotten: the topmost shared one is kept."""
    shortest = min(map(len, stacks))
    shared = 0
    while shared + 1 < shortest and len({stack[shared + 1] for stack in stacks}) == 1:
        shared += 1
    return shared
