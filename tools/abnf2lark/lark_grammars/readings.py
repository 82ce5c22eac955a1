"""Prove that a parser may take one action or token in place of another: compare its readings."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from abnf2lark.automata import Alphabet, Language, TooLargeError, spend
from abnf2lark.automata.language import blocks
from abnf2lark.lark_grammars.lalr_tables import END, Actions, DeeperError, Reduction, Stack

# What constrains the rest of a text: a regular language and a state, from which it leads to an
# end; ``None`` where any rest will do.
Constraint: TypeAlias = "tuple[Language, int] | None"


def constraint(language: Language, state: int = 0) -> Constraint:
    """Return the constraint that a rest leads from a state to an end."""
    row = language.edges[state]
    # Where all texts are allowed from here on there is no constraint. That has to be seen, or
    # pairs that are the same would differ, and a comparison would go on without end.
    free = state in language.final and set(row.values()) == {state} and len(row) == language.size
    return None if free else (language, state)


# What is left of a token at each place in it, by numbers: one where two tokens leave the same.


class TokenRests:
    """The rests of all tokens: what characters leave, those that may end, the one that must."""

    def __init__(self, languages: Mapping[str, Language]) -> None:
        first: dict[str, int] = {}
        rows: dict[int, dict[int, int]] = {}
        final: set[int] = set()
        for name, language in languages.items():
            first[name] = base = len(rows)
            for state, row in enumerate(language.edges):
                rows[base + state] = {label: base + target for label, target in row.items()}
            final |= {base + state for state in language.final}
        # The automata are minimized together, so that rests are equal if their texts are.
        block = blocks(rows, final)
        self._of = {
            name: [block[first[name] + state] for state in range(len(language))]
            for name, language in languages.items()
        }
        self.edges = {
            block[state]: {label: block[target] for label, target in row.items()}
            for state, row in rows.items()
        }
        self.final = {block[state] for state in final}
        self.done = next((one for one in self.final if not self.edges[one]), len(rows))
        self.edges.setdefault(self.done, {})
        self.final.add(self.done)

    def first(self, token: str) -> int:
        """Return what is left of a token that begins: all of it."""
        return self._of[token][0]


# Follow readings of a text character by character, through all texts at once.
#
# A reading is a stack of the parser and a token that is begun. It goes on in all ways that the
# table has, or in those alone that have been decided on. Of a stack the top is known: where what
# is done depends on what lies below, :class:`DeeperError` says so.

# A stack, as it is after the token that is begun, and what of this token is to come; or a stack
# before a token that has been decided on, and the name of that.
Reading: TypeAlias = "tuple[Stack, int | str]"
Steps: TypeAlias = "dict[int, frozenset[Reading]]"  # after each character
Options: TypeAlias = "Callable[[Stack, str], list[tuple[Stack, bool]]]"


class Readings:
    """The readings of a table's stacks and tokens."""

    def __init__(self, actions: Actions, languages: Mapping[str, Language]) -> None:
        self.actions = actions
        self.rests = TokenRests(languages)

    def steps(
        self,
        reading: Reading,
        labels: frozenset[int],
        *,
        decided: bool = False,
        others: frozenset[Reading] = frozenset(),
    ) -> Steps:
        """Return the readings after characters, but for those of ``others``; all, or decided."""
        made: dict[int, set[Reading]] = {}
        for stack, place in self._begun(reading, labels, others, kept_only=decided):
            for label, target in self.rests.edges[place].items():
                if label in labels:
                    made.setdefault(label, set()).add((stack, target))
        return {label: frozenset(ways) for label, ways in made.items()}

    def _begun(
        self,
        reading: Reading,
        labels: frozenset[int],
        others: frozenset[Reading],
        *,
        kept_only: bool,
    ) -> Iterator[tuple[Stack, int]]:
        """Yield stacks and what is to come of their tokens, before some characters."""
        stack, rest = reading
        kept = self.actions.only
        if isinstance(rest, str):
            if rest != END:
                for one in self._after(stack, rest, kept):
                    yield one, self.rests.first(rest)
            return
        yield stack, rest
        if rest in self.rests.final:
            # After the first token all may be done as has been decided: what is left there is
            # shorter, and by induction it has been shown to be read so.
            for token in self.actions.tried(stack[-1]):
                first = self.rests.first(token)
                if not labels.isdisjoint(self.rests.edges[first]):
                    options = kept if kept_only else self.actions.options
                    for one in self._after(stack, token, options, others):
                        yield one, first

    def ends(self, reading: Reading, others: frozenset[Reading] = frozenset()) -> bool:
        """Return whether the text can end, other than as in ``others``."""
        stack, rest = reading
        at_end = rest in self.rests.final or rest == END
        return at_end and bool(self._after(stack, END, self.actions.endings, others))

    def _after(
        self, stack: Stack, token: str, options: Options, others: frozenset[Reading] = frozenset()
    ) -> set[Stack]:
        """Return the stacks after a token, but for those that others reach in the same way."""
        # What others can be reduced to, too, does the same from there on. So a reading need not
        # be followed there: that leaves what is below it unasked.
        known = {
            one
            for other, rest in others
            if rest in self.rests.final or rest == token == END
            for one in self.actions.known(other, token)
        }
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


# Show that what a text goes on with under one reading, it goes on with under others, too.
#
# Two readings of a text share what is at the bottom of their stacks, which is not known and
# makes no difference while it is shared: only what lies above is held, from the topmost shared
# state up. Where a reduction takes that away, too, all states are tried that can lie below it.
#
# One reading is followed against all others, through all texts at once. It is among them where
# each text leads to a reading that is one of them, or to readings that have been compared before.
# Then an action or token may be taken in place of another: all that the one leads to is read by
# the other, too. Where it is not, a text refutes it.

MAX_COMPARED = 20_000  # pairs of readings in one proof
MAX_DEPTH = 40  # states of a stack above those that are shared
MAX_BEGUN = 8_000  # pairs of stacks, each of which can be deep
COST = 80  # steps of an automaton that take as long as one of two readings
COPIED = 8  # states of a stack that are copied in a step
NO_CHARACTER = -1  # in the place of a character


class Compared(NamedTuple):
    """One reading against others, on texts whose rest is constrained."""

    one: Reading
    others: frozenset[Reading]
    rest: Constraint = None


class _Begun(NamedTuple):
    """Two stacks before two tokens, or after them; ``None`` where a token is refused."""

    one: Stack
    other: Stack | None
    one_done: bool = False
    other_done: bool = False


def _without_shared(pair: Compared) -> Compared:
    """Forget what all stacks share, but for the topmost of that."""
    if not pair.others:  # so that it is known where the one leads nowhere, too
        return pair
    below = _shared([pair.one[0], *(stack for stack, _ in pair.others)])
    return pair._replace(
        one=(pair.one[0][below:], pair.one[1]),
        others=frozenset((stack[below:], rest) for stack, rest in pair.others),
    )


def _shared(stacks: Sequence[Stack]) -> int:
    """Return how many states at the bottom can be forgotten: the topmost shared one is kept."""
    found = 0
    while found + 1 < min(map(len, stacks)) and len({stack[found + 1] for stack in stacks}) == 1:
        found += 1
    return found


class Replacements:
    """The actions and tokens of a table that may be taken in place of others."""

    def __init__(
        self, actions: Actions, languages: Mapping[str, Language], alphabet: Alphabet
    ) -> None:
        self.actions = actions
        self.languages = languages
        self.alphabet = alphabet
        self.readings = Readings(actions, languages)
        self._among: set[Compared] = set()
        self._settled_known: dict[str, bool] = {}
        self._refuted: dict[tuple[object, ...], str | None] = {}
        self._together: dict[tuple[int, str, str], frozenset[tuple[Stack, Stack | None]]] = {}
        self._ended: dict[tuple[str, int, Language], Constraint] = {}

    def decide(self, priorities: Mapping[str, int]) -> None:
        """Keep of each conflict what Lark keeps, given the priorities of rules."""
        self.actions.decide(priorities)
        # All that has been proved was proved of what was kept before.
        self._among.clear()
        self._settled_known.clear()
        self._refuted.clear()
        self._together.clear()

    def refute_action(
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
                others.add((other, token))
            pairs.append(Compared((one, token), frozenset(others)))
        return self.compare(pairs)

    def refute_token(self, state: int, taken: str, meant: str, guard: Language) -> str | None:
        """Return a text that is no longer read where one token is taken in place of another.

        It begins with the token that is ``meant``, and with one that is ``taken``: the longest that
        ``guard`` lets be what follows. ``None`` if there is no such text.
        """
        together = (state, meant, taken)
        begun = self._together.get(together)
        if begun is None:
            begun = self._together[together] = self._begun_together(*together)
        key = (begun, taken, meant, guard)  # many states of the table begin alike
        if key not in self._refuted:
            self._refuted[key] = self._lost(begun, taken, meant, guard)
        return self._refuted[key]

    def _settled(self, token: str) -> bool:
        """Return whether all may be thought to be done as has been decided before a token.

        So it is where each reduction that has been dropped, and after which all is done so, can be
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
            return rule == kept or self.refute_action(state, token, kept, rule) is None
        except TooLargeError:
            return False

    def _lost(
        self,
        together: frozenset[tuple[Stack, Stack | None]],
        taken: str,
        meant: str,
        guard: Language,
    ) -> str | None:
        """Return a text that is lost, given the stacks after the token that is meant and taken."""
        words, rests = self.languages[taken], self.readings.rests
        pending: deque[tuple[Compared, int, str]] = deque()
        for stack, other in together:
            others = frozenset(() if other is None else {(other, rests.done)})
            pending.append((Compared((stack, rests.first(meant)), others), 0, ""))
        seen: set[tuple[Compared, int]] = set()
        pairs: dict[Compared, str] = {}
        # The text is read as it is meant, while the token that is taken reads along. Where that
        # may end, the two readings are compared: on texts on which no longer one is taken.
        while pending:
            pair, place, text = pending.popleft()
            if (pair, place) in seen:
                continue
            seen.add((pair, place))
            spend(COST + len(pair.one[0]) // COPIED)
            if len(seen) > 4 * MAX_COMPARED:
                raise TooLargeError
            row = words.edges[place]
            try:
                steps = self.readings.steps(pair.one, frozenset(row), decided=True)
            except DeeperError:
                pending += [(one, place, text) for one in self.deeper(pair)]
                continue
            for label, ways in steps.items():
                longer = text + self.alphabet.sample(label)
                for reading in ways:
                    here = Compared(reading, pair.others)
                    pending.append((here, row[label], longer))
                    if row[label] in words.final:
                        rest = self._unextended(taken, row[label], guard)
                        pairs.setdefault(here._replace(rest=rest), longer)
        for pair, text in pairs.items():
            found = self.compare([pair])
            if found is not None:
                return text + found
        return None

    def _unextended(self, token: str, state: int, guard: Language) -> Constraint:
        """Return what can follow a word that leads to a state where no longer one is taken."""
        key = (token, state, guard)
        if key not in self._ended:
            words, found = self.languages[token], guard
            if words.edges[state]:
                found = guard - (words.after(state).without_empty() + guard)
            self._ended[key] = constraint(found)
        return self._ended[key]

    def _begun_together(
        self, state: int, meant: str, taken: str
    ) -> frozenset[tuple[Stack, Stack | None]]:
        """Return the stacks after two tokens, above what they share.

        One token is read in all ways, or in those that are enough; the other as has been decided,
        or not at all. They go step by step, so that what both do to the stack is soon shared.
        """
        options = self.actions.only if self._settled(meant) else self.actions.options
        found: set[tuple[Stack, Stack | None]] = set()
        pending = [_Begun((state,), (state,))]
        seen = set(pending)
        while pending:
            one, other, one_done, other_done = here = pending.pop()
            if one_done and other_done:
                found.add((one, other))
                continue
            following: list[_Begun] = []
            try:
                ones = [(one, True)] if one_done else options(one, meant)
                if other is not None and not other_done:
                    other, other_done = self.actions.decided(other, taken)
            except DeeperError:
                if len(one) > MAX_DEPTH:
                    raise TooLargeError from None
                for below in self.actions.before[one[0]]:
                    deeper = here.other and (below, *here.other)
                    following.append(here._replace(one=(below, *one), other=deeper))
            else:
                if other is None:
                    other_done = True
                for stack, done in ones:
                    cut = 0 if other is None else _shared([stack, other])
                    beside = other and other[cut:]
                    following.append(_Begun(stack[cut:], beside, done, other_done))
            for one_more in following:
                if one_more not in seen:
                    seen.add(one_more)
                    spend(COST // 4)
                    if len(seen) > MAX_BEGUN:
                        raise TooLargeError
                    pending.append(one_more)
        return frozenset(found)

    # -- comparison --------------------------------------------------------------------------

    def compare(self, pairs: Iterable[Compared]) -> str | None:
        """Return a text with which one goes on in some pair and the others do not, or ``None``."""
        pending = deque((_without_shared(pair), "") for pair in pairs)
        met: set[Compared] = set()
        while pending:
            pair, text = pending.popleft()
            # By coinduction a pair that is met again holds: if it did not, a shortest text would
            # show that, and it would have been found the first time.
            if pair.one in pair.others or pair in met or pair in self._among:
                continue
            met.add(pair)
            if len(met) > MAX_COMPARED:
                raise TooLargeError
            for label, following in self._following(pair):
                longer = text + self.alphabet.sample(label) if label >= 0 else text
                if following is None:
                    return longer
                pending.append((_without_shared(following), longer))
        self._among |= met
        return None

    def _following(self, pair: Compared) -> Iterator[tuple[int, Compared | None]]:
        """Yield what comes of a pair, whatever lies below; ``None`` where a text parts it."""
        pairs = [pair]
        while pairs:
            here = pairs.pop()
            try:
                above = self._above(here)
                found = self._next(here) if above is None else above
            except DeeperError:
                if len(here.one[0]) > MAX_DEPTH:
                    raise TooLargeError from None
                spend(COST)
                pairs += self.deeper(here)
            else:
                yield from found

    def _above(self, pair: Compared) -> list[tuple[int, Compared | None]] | None:
        """Leave out what the tops of two stacks share; return the pairs after that, or ``None``."""
        stack, rest = pair.one
        if pair.rest is not None or isinstance(rest, str):
            return None
        alike = [
            other
            for other, begun in pair.others
            if begun == rest and other[-1] == stack[-1] and min(len(stack), len(other)) > 1
        ]
        if not alike:
            return None
        found: list[tuple[int, Compared | None]] = []
        done = self.readings.rests.done
        for name, place in sorted(self.actions.begun[stack[-1]]):
            made = Reduction(name, place, "")
            one = self.actions.reduce(stack[:-1], made)
            if one is not None:
                stacks = {self.actions.reduce(other[:-1], made) for other in alike} - {None}
                others = frozenset((other, done) for other in stacks if other is not None)
                found.append((NO_CHARACTER, Compared((one, done), others)))
        return found

    def _next(self, pair: Compared) -> list[tuple[int, Compared | None]]:
        """Return what comes of a pair by each character, ``None`` where a text parts it."""
        readings = self.readings
        language, state = pair.rest or (None, 0)
        allowed = range(self.alphabet.size) if language is None else language.edges[state]
        labels = frozenset(allowed)
        steps = readings.steps(pair.one, labels, decided=True, others=pair.others)
        spend(COST + len(pair.one[0]) // COPIED)
        others = [readings.steps(other, frozenset(steps)) for other in pair.others]
        if (
            (language is None or state in language.final)
            and readings.ends(pair.one, pair.others)
            and not any(map(readings.ends, pair.others))
        ):
            return [(NO_CHARACTER, None)]
        found: list[tuple[int, Compared | None]] = []
        for label, ways in steps.items():
            beside = frozenset().union(*(other.get(label, ()) for other in others))
            following = None
            if language is not None:
                following = constraint(language, language.edges[state][label])
            # Under a constraint the one may have no rest at all, so nothing is lost yet.
            if not beside and following is None:
                return [(label, None)]
            found += [(label, Compared(one, beside, following)) for one in ways]
        return found

    def deeper(self, pair: Compared) -> list[Compared]:
        """Return the pair above each state that can lie below what is known."""
        stack, place = pair.one
        return [
            pair._replace(
                one=((state, *stack), place),
                others=frozenset(((state, *other), rest) for other, rest in pair.others),
            )
            for state in sorted(self.actions.before[stack[0]])
        ]
