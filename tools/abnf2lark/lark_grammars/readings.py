"""Follow the readings of all texts at once, and show what one allows that another allows."""

from __future__ import annotations

from collections import deque
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from abnf2lark.automata import Language, TooLargeError, spend
from abnf2lark.automata.language import blocks
from abnf2lark.lark_grammars.lalr_tables import END, DeeperError, Reduction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from abnf2lark.automata import Alphabet
    from abnf2lark.lark_grammars.lalr_tables import Actions, Stack


# What is known of the rest of a text: languages that it is of, all at once.

# Languages, each by its number and a state: what is to come leads from there to an end of it.
Behind: TypeAlias = "frozenset[tuple[int, int]]"
ANYTHING: Behind = frozenset()


class KnownRest:
    """Languages over so many characters, and what they say when some of a text has been read."""

    def __init__(self, size: int) -> None:
        self._all = frozenset(range(size))
        self._languages: list[Language] = []
        self._numbers: dict[Language, int] = {}
        self._moves: dict[tuple[Behind, int], Behind | None] = {}

    def of(self, language: Language) -> Behind:
        """Return what lets a text be one of a language."""
        number = self._numbers.setdefault(language, len(self._numbers))
        if number == len(self._languages):
            self._languages.append(language)
        return self._loosened({(number, 0)})

    def moved(self, behind: Behind, label: int) -> Behind | None:
        """Return what the rest is of after a character; ``None`` where that cannot come."""
        if not behind:
            return behind
        key = (behind, label)
        if key not in self._moves:
            rows = self.rows(behind)
            found = {
                (number, row[label])
                for (number, _), row in zip(behind, rows, strict=True)
                if label in row
            }
            self._moves[key] = self._loosened(found) if len(found) == len(rows) else None
        return self._moves[key]

    def labels(self, behind: Behind) -> frozenset[int]:
        """Return the characters that can come."""
        return self._all.intersection(*self.rows(behind))

    def may_end(self, behind: Behind) -> bool:
        """Return whether nothing need come."""
        return all(state in self._languages[number].final for number, state in behind)

    def rows(self, behind: Behind) -> list[dict[int, int]]:
        """Return where each character leads in each of the languages."""
        return [self._languages[number].edges[state] for number, state in behind]

    def _loosened(self, behind: Iterable[tuple[int, int]]) -> Behind:
        """Forget languages that all texts are of from here on."""
        return frozenset(one for one in behind if not self._is_loose(*one))

    def _is_loose(self, number: int, state: int) -> bool:
        language = self._languages[number]
        row = language.edges[state]
        loose = state in language.final and set(row.values()) == {state}
        return loose and row.keys() == self._all


# What is left of a token at each place in it, by numbers: one where two tokens leave the same.


class TokenRests:
    """The rests of all tokens of a grammar.

    Attributes:
        edges: for each rest, what each character leaves of it.
        final: those of which nothing need come.
        done: that of which nothing can.

    """

    def __init__(self, languages: Mapping[str, Language]) -> None:
        self._languages = languages
        rows: dict[int, dict[int, int]] = {}
        final: set[int] = set()
        first: dict[str, int] = {}
        for name, language in languages.items():
            first[name] = base = len(rows)
            for state, row in enumerate(language.edges):
                rows[base + state] = {label: base + target for label, target in row.items()}
                if state in language.final:
                    final.add(base + state)
        block = blocks(rows, final)
        self._places: dict[int, tuple[str, int]] = {}  # a token, and a state of it
        self._of: dict[str, list[int]] = {}
        for name, language in languages.items():
            self._of[name] = [block[first[name] + state] for state in range(len(language.edges))]
            for state, rest in enumerate(self._of[name]):
                self._places.setdefault(rest, (name, state))
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

    def of(self, tokens: Iterable[str]) -> set[int]:
        """Return all rests of some tokens."""
        return {rest for token in tokens for rest in self._of[token]}

    def more(self, rest: int) -> Language | None:
        """Return the texts, not empty, that make more of a token; ``None`` if there are none."""
        if not self.edges[rest]:
            return None
        token, state = self._places[rest]
        return self._languages[token].after(state).without_empty()


# Follow readings of a text character by character, through all texts at once.
#
# A reading is a stack of the parser and a token that is begun. It goes on in all ways that the
# table has, or in those alone that have been decided on. Of a stack the top is known: where what
# is done depends on what lies below, :class:`DeeperError` says so.

FIRST = 1_000_000  # added to what is to come of a token that may end anywhere

# A stack, as it is after the token that is begun, and what of this token is to come; or a stack
# before a token that has been decided on.
Reading: TypeAlias = "tuple[Stack, int]"
Steps: TypeAlias = "dict[int, frozenset[Reading]]"
# Readings with what the rest of the text is of, where they are the right ones.
Meant: TypeAlias = "dict[int, frozenset[tuple[Reading, Behind]]]"


class Readings:
    """The readings of a table's stacks and tokens.

    Attributes:
        actions: the table.
        rests: of the tokens.
        known: of the rest of a text.

    """

    def __init__(
        self, actions: Actions, languages: Mapping[str, Language], alphabet: Alphabet
    ) -> None:
        self.actions = actions
        self.rests = TokenRests(languages)
        self.known = KnownRest(alphabet.size)
        self._everything = Language.everything(alphabet.size)
        self._tokens = {name: -2 - place for place, name in enumerate([END, *languages])}
        self._names = {number: name for name, number in self._tokens.items()}
        self._guarded: set[int] = set()
        self._longest_known: dict[int, Behind] = {}
        self._steps: dict[tuple[Reading, frozenset[int], bool], Steps] = {}
        self._meant: dict[tuple[Reading, frozenset[int], bool, frozenset[Reading]], Meant] = {}
        # The same objects for equal sets, so that they are quickly told apart.
        self._sets: dict[frozenset[Reading], frozenset[Reading]] = {}
        self._pairs: dict[frozenset[tuple[Reading, Behind]], frozenset[tuple[Reading, Behind]]] = {}

    def guard(self, tokens: Iterable[str]) -> None:
        """Take back that tokens end where they can be no longer: these are guarded."""
        self._guarded |= self.rests.of(tokens)

    def forget(self) -> None:
        """Forget readings in which all is done as had been decided: that has changed."""
        self._longest_known.clear()
        self._steps.clear()
        self._meant.clear()

    def before(self, stack: Stack, token: str) -> Reading:
        """Return the reading in which a token is next, before which all is done as decided."""
        return stack, self._tokens[token]

    def steps(self, reading: Reading, labels: frozenset[int], *, known: bool = False) -> Steps:
        """Return the readings behind some characters; raises :class:`DeeperError`.

        With ``known`` only those in which nothing below a stack is needed.
        """
        found = self._steps.get((reading, labels, known))
        if found is None:
            stack, rest = reading
            inside = {reading} if rest in self.rests.edges else set()
            if rest in self.rests.final:
                for token in self.actions.tried(stack[-1]):
                    first = self.rests.first(token)
                    if not labels.isdisjoint(self.rests.edges[first]):
                        behind = self.actions.after(stack, token, known=known)
                        inside |= {(one, first) for one in behind}
            elif self._names.get(rest, END) != END:
                token = self._names[rest]
                first = self.rests.first(token)
                inside = {(one, first) for one in self.actions.decidedly_after(stack, token)}
            made: dict[int, set[Reading]] = {}
            for begun, place in inside:
                for label, target in self.rests.edges[place].items():
                    if label in labels:
                        made.setdefault(label, set()).add((begun, target))
            found = self._steps[reading, labels, known] = {
                label: self._sets.setdefault(frozenset(way), frozenset(way))
                for label, way in made.items()
            }
        return found

    def meant(
        self,
        reading: Reading,
        labels: frozenset[int],
        *,
        inside: bool = False,
        beside: frozenset[Reading] = frozenset(),
    ) -> Meant:
        """Return the readings behind some characters in which all is done as has been decided.

        So it may be after the first token: what is left there is shorter, and has been shown to be
        read so. Each comes with what the rest is of. ``inside``: of the token that is begun alone.
        Left out is what the readings ``beside`` do just so. Raises :class:`DeeperError`.
        """
        found = self._meant.get((reading, labels, inside, beside))
        if found is None:
            made: dict[int, set[tuple[Reading, Behind]]] = {}
            for begun, state, mark, behind in self._ways(reading, labels, beside, inside=inside):
                for label, target in self.rests.edges[state].items():
                    if label in labels and self.known.moved(behind, label) is not None:
                        made.setdefault(label, set()).add(((begun, target + mark), behind))
            found = self._meant[reading, labels, inside, beside] = {
                label: self._pairs.setdefault(frozenset(way), frozenset(way))
                for label, way in made.items()
            }
        return found

    def _ways(
        self,
        reading: Reading,
        labels: frozenset[int],
        beside: frozenset[Reading],
        *,
        inside: bool,
    ) -> Iterator[tuple[Stack, int, int, Behind]]:
        """Yield stacks and what is to come of their tokens, before some characters."""
        stack, rest = plain(reading)
        first = reading[1] - rest
        edges = self.rests.edges
        if rest in self._names:
            token = self._names[rest]
            if token != END:
                for one in self.actions.decidedly_after(stack, token):
                    yield one, self.rests.first(token), FIRST, ANYTHING
        else:
            yield stack, rest, first, ANYTHING
        if rest in self.rests.final and not inside:
            longest = ANYTHING if first else self._longest(rest)
            for token in self.actions.tried(stack[-1]):
                if not labels.isdisjoint(edges[self.rests.first(token)]):
                    for one in self._apart_from(stack, token, beside, self.actions.only):
                        yield one, self.rests.first(token), 0, longest

    def _longest(self, rest: int) -> Behind:
        """Return what can follow a token that is taken by itself, where it can be no longer."""
        if rest not in self._longest_known:
            more = None if rest in self._guarded else self.rests.more(rest)
            self._longest_known[rest] = (
                ANYTHING
                if more is None
                else self.known.of(self._everything - (more + self._everything))
            )
        return self._longest_known[rest]

    def apart(
        self,
        one: Meant,
        others: Sequence[Steps],
        behind: Behind,
        row: Mapping[int, int] = MappingProxyType({}),
    ) -> Iterator[tuple[int, frozenset[tuple[Reading, Behind]]]]:
        """Yield the steps of one; of characters that lead to the same everywhere, the first.

        What the readings themselves say of the rest need not be looked at: it says where a token
        cannot go on, and of what it goes on with there is a reading, too.
        """
        seen: set[tuple[int, ...]] = set()
        rows = self.known.rows(behind)
        for label, readings in one.items():
            key = (
                id(readings),
                row.get(label, -1),
                *(one.get(label, -1) for one in rows),
                *(id(other.get(label)) for other in others),
            )
            if key not in seen:
                seen.add(key)
                yield label, readings

    def ends(self, reading: Reading) -> bool:
        """Return whether the text can end; raises :class:`DeeperError`."""
        return self._at_end(reading) and self.actions.accepts(reading[0])

    def ends_alone(self, reading: Reading, others: frozenset[Reading]) -> bool:
        """Return whether the text can end in one reading, and in no other."""
        if not self._at_end(plain(reading)):
            return False
        ends = self._apart_from(reading[0], END, others, self.actions.endings)
        return bool(ends) and not any(map(self.ends, others))

    def _at_end(self, reading: Reading) -> bool:
        return reading[1] in self.rests.final or self._names.get(reading[1]) == END

    def _apart_from(
        self,
        stack: Stack,
        token: str,
        beside: frozenset[Reading],
        options: Callable[[Stack, str], list[tuple[Stack, bool]]],
    ) -> set[Stack]:
        """Return the stacks after a token, but for those that others come to in the same way."""
        known = self._reduced(token, beside)
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

    def _reduced(self, token: str, beside: frozenset[Reading]) -> frozenset[Stack]:
        """Return what readings can be reduced to before a token, as far as that can be told."""
        return frozenset().union(
            *(
                self.actions.known(stack, token)
                for stack, rest in beside
                if rest in self.rests.final or rest == self._tokens[token] == self._tokens[END]
            )
        )


def plain(reading: Reading) -> Reading:
    """Return a reading whatever its token is to be like."""
    stack, rest = reading
    return (stack, rest - FIRST) if rest >= FIRST else reading


# Show that what a text goes on with under one reading, it goes on with under others, too.
#
# Two readings of a text share what is at the bottom of their stacks, which is not known and
# makes no difference while it is shared: only what lies above is held, from the topmost shared
# state up. Where a reduction takes that away, too, all states are tried that can lie below it.
#
# One reading is followed against all others, through all texts at once. It is among them where
# each text leads to a reading that is one of them, or to readings that have been compared before.

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
