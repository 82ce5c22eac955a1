"""Say what is lost where a parser takes one action, or one token, in place of another.

Nothing is lost where all that the one leads to is read by the other, too.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from abnf2lark.automata import Language, TooLargeError, spend
from abnf2lark.lark_grammars.lalr_tables import DeeperError
from abnf2lark.lark_grammars.readings import (
    ANYTHING,
    COST,
    FIRST,
    MAX_COMPARED,
    MAX_DEPTH,
    Behind,
    Compared,
    Comparison,
    Reading,
    Readings,
    shared,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from abnf2lark.automata import Alphabet
    from abnf2lark.lark_grammars.lalr_tables import Actions, Reduction, Stack

MAX_BEGUN = 8_000  # pairs of stacks, each of which can be deep


class _Begun(NamedTuple):
    """Two stacks before two tokens, or after them; ``None`` where a token is refused."""

    one: Stack
    other: Stack | None
    one_done: bool = False
    other_done: bool = False


class _Taken(NamedTuple):
    """A reading, and stacks after a token that is taken in its place, at a state in that."""

    one: Reading
    others: frozenset[Stack]
    place: int = 0
    behind: Behind = ANYTHING


class Losses:
    """What is lost of the texts of a table with its tokens."""

    def __init__(
        self, actions: Actions, languages: Mapping[str, Language], alphabet: Alphabet
    ) -> None:
        self.actions = actions
        self.languages = languages
        self.alphabet = alphabet
        self.readings = Readings(actions, languages, alphabet)
        self.comparison = Comparison(self.readings, alphabet)
        self._settled_known: dict[str, bool] = {}
        self._missed: dict[tuple[object, ...], str | None] = {}
        self._ended: dict[tuple[str, int, Language], Behind] = {}
        self._without_end: set[tuple[int, str, str]] = set()

    def decide(self, priorities: Mapping[str, int]) -> None:
        """Keep of each conflict what Lark keeps, given the priorities of rules."""
        self.actions.decide(priorities)
        self._without_end.clear()
        self._forget()

    def guard(self, tokens: Iterable[str]) -> None:
        """Take back that tokens end where they can be no longer: these are guarded."""
        self.readings.guard(tokens)
        self._forget()

    def _forget(self) -> None:
        """Forget what was found of readings in which all is done as had been decided."""
        self.readings.forget()
        self.comparison.forget()
        self._settled_known.clear()
        self._missed.clear()

    def parted(
        self, state: int, token: str, kept: Reduction | None, dropped: Reduction
    ) -> str | None:
        """Return a text before which a reduction is needed that the one that is kept cannot read.

        Whatever else is to be done before the token is done as has been decided. ``None`` if there
        is no such text. ``kept`` is ``None`` for a shift.
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
            others: set[Reading] = set()
            if kept is None:
                shifted = (*stack, self.actions.shifts[state][token])
                others.add((shifted, self.readings.rests.first(token)))
            elif other is not None:
                others.add(self.readings.before(other, token))
            pairs.append(Compared(self.readings.before(one, token), frozenset(others)))
        return self.comparison.compare(pairs)

    def missed(self, state: int, taken: str, meant: str, guard: Language) -> str | None:
        """Return a text that is no longer read where one token is taken in place of another.

        It begins with the token that is ``meant``, and with one that is ``taken``: the longest that
        ``guard`` lets be what follows. ``None`` if there is no such text.
        """
        tokens = (state, meant, taken)
        if tokens in self._without_end:
            raise TooLargeError  # whatever is guarded: it would take as long to find out again
        try:
            begun = frozenset(self._begun_together(state, meant, taken))
        except TooLargeError:
            self._without_end.add(tokens)
            raise
        key = (begun, taken, meant, guard)
        if key not in self._missed:
            self._missed[key] = self._lost(begun, taken, meant, guard)
        return self._missed[key]

    def _settled(self, token: str) -> bool:
        """Return whether all may be thought to be done as has been decided before a token.

        So it is where each reduction that has been dropped, and behind which all is done so, can be
        replaced by what is kept: the last one of a reading first.
        """
        if token not in self._settled_known:
            self._settled_known[token] = all(
                self._replaced(state, token, rule)
                for state, name in self.actions.conflicts()
                if name == token
                for rule in self.actions.reductions[state][token]
            )
        return self._settled_known[token]

    def _replaced(self, state: int, token: str, rule: Reduction) -> bool:
        kept = self.actions.kept(state, token)
        try:
            return rule == kept or self.parted(state, token, kept, rule) is None
        except TooLargeError:
            return False

    def _lost(
        self,
        together: frozenset[tuple[Stack, Stack | None]],
        taken: str,
        meant: str,
        guard: Language,
    ) -> str | None:
        # Another token may be thought to be as long as it can: that has been shown for itself.
        first = self.readings.rests.first(meant) + (FIRST if meant == taken else 0)
        pending = deque(
            (_Taken((stack, first), frozenset() if other is None else frozenset({other})), "")
            for stack, other in together
        )
        seen: set[_Taken] = set()
        pairs: dict[Compared, str] = {}
        while pending:
            here, text = pending.popleft()
            if here in seen:
                continue
            seen.add(here)
            spend(COST)
            if len(seen) > 4 * MAX_COMPARED:
                raise TooLargeError
            try:
                following = list(self._through(here, taken))
            except DeeperError:
                pending += [(one, text) for one in self._below(here)]
                continue
            for label, one in following:
                longer = text + self.alphabet.sample(label)
                pending.append((one, longer))
                if one.place in self.languages[taken].final:
                    beside = frozenset((other, self.readings.rests.done) for other in one.others)
                    behind = one.behind | self._unextended(taken, one.place, guard)
                    pairs.setdefault(Compared(one.one, beside, behind), longer)
        for pair, text in pairs.items():
            found = self.comparison.compare([pair])
            if found is not None:
                return text + found
        return None

    def _through(self, here: _Taken, token: str) -> Iterator[tuple[int, _Taken]]:
        """Yield what comes of a reading while a token is read, by each character."""
        row = self.languages[token].edges[here.place]
        steps = self.readings.meant(here.one, frozenset(row))
        for label, readings in self.readings.apart(steps, [], here.behind, row):
            for reading, ended in readings:
                behind = self.readings.known.moved(here.behind | ended, label)
                if behind is not None:
                    yield label, _Taken(reading, here.others, row[label], behind)

    def _below(self, here: _Taken) -> Iterator[_Taken]:
        """Yield the same above each state that can lie below what is known."""
        stack, rest = here.one
        for below in self.actions.before[stack[0]]:
            others = frozenset((below, *other) for other in here.others)
            yield here._replace(one=((below, *stack), rest), others=others)

    def _unextended(self, token: str, state: int, guard: Language) -> Behind:
        """Return what can follow a word that leads to a state where no longer one is taken."""
        key = (token, state, guard)
        if key not in self._ended:
            words, found = self.languages[token], guard
            if words.edges[state]:
                found = guard - (words.after(state).without_empty() + guard)
            self._ended[key] = self.readings.known.of(found)
        return self._ended[key]

    def _begun_together(
        self, state: int, meant: str, taken: str
    ) -> set[tuple[Stack, Stack | None]]:
        """Return the stacks behind two tokens, above what they share.

        One token is read in all ways, or in those that are enough; the other as has been decided,
        or not at all. They go step by step, so that what both do to the stack is soon shared.
        """
        options = self.actions.only if self._settled(meant) else self.actions.options
        found: set[tuple[Stack, Stack | None]] = set()
        pending: list[_Begun] = [_Begun((state,), (state,))]
        seen = set(pending)
        while pending:
            here = pending.pop()
            if here.one_done and here.other_done:
                found.add((here.one, here.other))
                continue
            for one in self._both(here, meant, taken, options):
                if one not in seen:
                    seen.add(one)
                    spend(COST // 4)
                    if len(seen) > MAX_BEGUN:
                        raise TooLargeError
                    pending.append(one)
        return found

    def _both(
        self,
        here: _Begun,
        meant: str,
        taken: str,
        options: Callable[[Stack, str], list[tuple[Stack, bool]]],
    ) -> Iterator[_Begun]:
        """Yield what two stacks are one step on, whatever lies below."""
        pending = [here]
        while pending:
            one, other, one_done, other_done = here = pending.pop()
            try:
                ones = [(one, True)] if one_done else options(one, meant)
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
                    below = shared([stack, other])
                    yield _Begun(stack[below:], other[below:], done, other_done)
