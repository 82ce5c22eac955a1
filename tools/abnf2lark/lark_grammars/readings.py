"""Follow readings of a text character by character, through all texts at once.

A reading is a stack of the parser and a token that is begun. It goes on in all ways that the table
has, or in those alone that have been decided on. Of a stack the top is known: where what is done
depends on what lies below, :class:`DeeperError` says so.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.automata import Language
from abnf2lark.lark_grammars.actions import END
from abnf2lark.lark_grammars.known_rest import ANYTHING, KnownRest
from abnf2lark.lark_grammars.token_rests import TokenRests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from abnf2lark.automata import Alphabet
    from abnf2lark.lark_grammars.actions import Actions, Stack
    from abnf2lark.lark_grammars.known_rest import Behind

FIRST = 1_000_000  # added to what is to come of a token that may end anywhere

# A stack, as it is behind the token that is begun, and what of this token is to come; or a stack
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

        So it may be behind the first token: what is left there is shorter, and has been shown to be
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

        What the readings themselves say of the rest need not be looked at: it tells where a token
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
        """Tell whether the text can end; raises :class:`DeeperError`."""
        return self._at_end(reading) and self.actions.accepts(reading[0])

    def ends_alone(self, reading: Reading, others: frozenset[Reading]) -> bool:
        """Tell whether the text can end in one reading, and in no other."""
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
        """Return the stacks behind a token, but for those that others come to in the same way."""
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
