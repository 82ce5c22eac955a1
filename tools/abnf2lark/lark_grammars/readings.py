"""Prove that a parser may take one action or token instead of another: compare its stacks."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from abnf2lark.automata import Alphabet, Language, TooLargeError, spend
from abnf2lark.automata.language import blocks
from abnf2lark.ir import grouped, memoized, reached
from abnf2lark.lark_grammars.lalr_tables import END, Actions, DeeperError, Reduction, Stack

# A constraint on the rest of a text: an automaton and a state from which it must be accepted;
# ``None`` without a constraint.
Constraint: TypeAlias = "tuple[Language, int] | None"


def constraint(language: Language, state: int = 0) -> Constraint:
    """Return the constraint that a rest is accepted from a state."""
    row = language.edges[state]
    # Without this normal form equal pairs would differ, and a comparison would never end.
    free = state in language.final and set(row.values()) == {state} and len(row) == language.size
    return None if free else (language, state)


# The rests of tokens at each state, numbered: equal languages have one number.


class TokenRests:
    """The rests of all tokens: their edges, accepting ones, and ``done``, the empty word only."""

    def __init__(self, languages: Mapping[str, Language]) -> None:
        first: dict[str, int] = {}
        rows: dict[int, dict[int, int]] = {}
        final: set[int] = set()
        for name, language in languages.items():
            first[name] = base = len(rows)
            for state, row in enumerate(language.edges):
                rows[base + state] = {label: base + target for label, target in row.items()}
            final |= {base + state for state in language.final}
        # The automata are minimized together, so that equal rests have one number.
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
        """Return the rest of a token at its beginning."""
        return self._of[token][0]


# Follow parser configurations character by character, for all texts at once.
#
# A reading is a stack of the parser and a token in progress. It continues by all actions of the
# table, or only by the kept ones. Only the top of a stack is known: :class:`DeeperError` is raised
# where an action depends on states below it.

# The stack after the token in progress, and the rest of this token; or the stack before a token,
# and its name.
Reading: TypeAlias = "tuple[Stack, int | str]"
Steps: TypeAlias = "dict[int, frozenset[Reading]]"  # after each character
Options: TypeAlias = "Callable[[Stack, str], list[tuple[Stack, bool]]]"


class Readings:
    """The readings of a table, and their steps."""

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
        """Return the readings after each character, without those that ``others`` share."""
        stack, rest = reading
        rests, kept = self.rests, self.actions.only
        options = kept if decided else self.actions.options
        begun: list[tuple[Stack, int]] = []  # with the rests of tokens
        if isinstance(rest, str):
            after = () if rest == END else self._after(stack, rest, kept)
            begun += [(one, rests.first(rest)) for one in after]
        else:
            begun.append((stack, rest))
        if rest in rests.final:
            # After the first token kept actions suffice: the rest is shorter, and by induction it
            # is accepted by them.
            for token in self.actions.tried(stack[-1]):
                first = rests.first(token)
                if not labels.isdisjoint(rests.edges[first]):
                    begun += [(one, first) for one in self._after(stack, token, options, others)]
        made = grouped(
            (label, (stack, target))
            for stack, place in begun
            for label, target in rests.edges[place].items()
            if label in labels
        )
        return {label: frozenset(ways) for label, ways in made.items()}

    def ends(self, reading: Reading, others: frozenset[Reading] = frozenset()) -> bool:
        """Return whether the end is accepted, in another way than in ``others``."""
        stack, rest = reading
        at_end = rest in self.rests.final or rest == END
        return at_end and bool(self._after(stack, END, self.actions.endings, others))

    def _after(
        self, stack: Stack, token: str, options: Options, others: frozenset[Reading] = frozenset()
    ) -> set[Stack]:
        """Return the stacks after a token, without those that ``others`` reach, too."""
        # A stack that others reduce to, too, behaves the same from there on. It is not followed, so
        # the states below it are not needed.
        known = {
            one
            for other, rest in others
            if rest in self.rests.final or rest == token == END
            for one in self.actions.known(other, token)
        }
        found: set[Stack] = set()

        def after(here: Stack) -> Iterator[Stack]:
            for one, done in options(here, token) if here not in known else ():
                if done:
                    found.add(one)
                else:
                    yield one

        reached([stack], after)
        return found


# Prove that all continuations of one reading are accepted by a set of others.
#
# This is an inclusion of languages, proved by a bisimulation up to congruence (Bonchi, Pous 2013,
# "Checking NFA equivalence with bisimulations up to congruence"): a pair of one reading and a set
# of others holds if each character leads to pairs that hold, have been visited, or in which the one
# is among the others. Stacks are cut above their common bottom, which is unknown and irrelevant
# while it is shared; where a reduction removes that, too, all possible predecessors are tried.
#
# Then an action or token may replace another: all that the one leads to is accepted by the other. A
# text that is not is a refutation.

MAX_COMPARED = 20_000  # pairs of readings in one proof
MAX_DEPTH = 40  # states of a stack above the shared ones
MAX_BEGUN = 8_000  # pairs of stacks before or after two tokens
COST = 80  # steps of an automaton that take as long as one step of a pair
COPIED = 8  # states of a stack that are copied in a step
NO_CHARACTER = -1  # the label of a step that reads nothing


class Compared(NamedTuple):
    """A pair of the simulation: a reading, the others, and the constraint on the rest of texts."""

    one: Reading
    others: frozenset[Reading]
    rest: Constraint = None


class _Begun(NamedTuple):
    """Two stacks before or after two tokens; ``None`` where a token is an error."""

    one: Stack
    other: Stack | None
    one_done: bool = False
    other_done: bool = False


def _without_shared(pair: Compared) -> Compared:
    """Cut the stacks above their common bottom, of which the topmost state is kept."""
    if not pair.others:  # the one alone may still be rejected everywhere
        return pair
    below = _shared([pair.one[0], *(stack for stack, _ in pair.others)])
    return pair._replace(
        one=(pair.one[0][below:], pair.one[1]),
        others=frozenset((stack[below:], rest) for stack, rest in pair.others),
    )


def _shared(stacks: Sequence[Stack]) -> int:
    """Return how many states at the bottom can be cut: the topmost shared one is kept."""
    found = 0
    while found + 1 < min(map(len, stacks)) and len({stack[found + 1] for stack in stacks}) == 1:
        found += 1
    return found


class Replacements:
    """Proofs and refutations: which actions and tokens of a table may replace others."""

    def __init__(
        self, actions: Actions, languages: Mapping[str, Language], alphabet: Alphabet
    ) -> None:
        self.actions = actions
        self.languages = languages
        self.alphabet = alphabet
        self.readings = Readings(actions, languages)
        self._among: set[Compared] = set()

    def decide(self, priorities: Mapping[str, int]) -> None:
        """Resolve each conflict as Lark does, given the priorities of rules."""
        self.actions.decide(priorities)
        # What has been proved depends on the actions that were kept before.
        self._among.clear()
        for name in ("_settled", "_lost", "_begun_together"):
            vars(self).pop(name, None)

    def refute_action(
        self, state: int, token: str, kept: Reduction | None, dropped: Reduction
    ) -> str | None:
        """Return a text that only the dropped reduction accepts, not the kept action, or ``None``.

        Other actions before the token are the kept ones. ``kept`` is ``None`` for a shift.
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
        """Return a text that is lost where one token is taken instead of another, or ``None``.

        It begins with a word of ``meant``, and with one of ``taken``: the longest one after which
        ``guard`` is satisfied.
        """
        # Many states have the same stacks.
        return self._lost(self._begun_together(state, meant, taken), taken, meant, guard)

    @memoized
    def _settled(self, token: str) -> bool:
        """Return whether kept actions suffice before a token.

        They do if each dropped reduction, with kept actions after it, can be replaced by the kept
        action: by induction from the last one of a reading.
        """
        return all(
            self._replaced(state, token, rule)
            for state, name in self.actions.conflicts()
            if name == token
            for rule in self.actions.reductions[state][token]
        )

    def _replaced(self, state: int, token: str, rule: Reduction) -> bool:
        kept = self.actions.kept(state, token)
        try:
            return rule == kept or self.refute_action(state, token, kept, rule) is None
        except TooLargeError:
            return False

    @memoized
    def _lost(
        self,
        together: frozenset[tuple[Stack, Stack | None]],
        taken: str,
        meant: str,
        guard: Language,
    ) -> str | None:
        """Return a text that is lost, given the stacks after the tokens ``meant`` and ``taken``."""
        words, rests = self.languages[taken], self.readings.rests
        pending: deque[tuple[Compared, int, str]] = deque()
        for stack, other in together:
            others = frozenset(() if other is None else {(other, rests.done)})
            pending.append((Compared((stack, rests.first(meant)), others), 0, ""))
        seen: set[tuple[Compared, int]] = set()
        pairs: dict[Compared, str] = {}
        # The text is read as ``meant``, in parallel with the token ``taken``. Where that may end,
        # the readings are compared, on texts on which it is the longest.
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

    @memoized
    def _unextended(self, token: str, state: int, guard: Language) -> Constraint:
        """Return what can follow a word that leads to a state and is the longest one."""
        words = self.languages[token]
        if not words.edges[state]:
            return constraint(guard)
        return constraint(guard - (words.after(state).without_empty() + guard))

    @memoized
    def _begun_together(
        self, state: int, meant: str, taken: str
    ) -> frozenset[tuple[Stack, Stack | None]]:
        """Return the stacks after two tokens, cut above their common bottom.

        One token is read by all actions, or by the kept ones where they suffice; the other by kept
        ones. Both go step by step, so that common changes of the stack are soon shared.
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
        """Return a text that refutes a pair: the one accepts it, the others do not; or ``None``."""
        pending = deque((_without_shared(pair), "") for pair in pairs)
        met: set[Compared] = set()
        while pending:
            pair, text = pending.popleft()
            # By coinduction a pair that is met again holds: a shortest refutation of it would have
            # been found the first time.
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
        """Yield the pairs after each character, for all states below; ``None`` for a refutation."""
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
        """Complete the rule that two stacks have on top; return the pairs after it, or ``None``."""
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
        """Return the pairs after each character; ``None`` for a refutation."""
        readings = self.readings
        language, state = pair.rest or (None, 0)
        allowed = range(self.alphabet.size) if language is None else language.edges[state]
        labels = frozenset(allowed)
        steps = readings.steps(pair.one, labels, decided=True, others=pair.others)
        spend(COST * (1 + len(pair.others)) + len(pair.one[0]) // COPIED)
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
            # Under a constraint the one may accept no rest at all: this is not a refutation yet.
            if not beside and following is None:
                return [(label, None)]
            found += [(label, Compared(one, beside, following)) for one in ways]
        spend(COST // 8 * len(found))
        return found

    def deeper(self, pair: Compared) -> list[Compared]:
        """Return the pair with each state that can be below the known ones."""
        stack, place = pair.one
        return [
            pair._replace(
                one=((state, *stack), place),
                others=frozenset(((state, *other), rest) for other, rest in pair.others),
            )
            for state in sorted(self.actions.before[stack[0]])
        ]
