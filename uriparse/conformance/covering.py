"""What a corpus leaves untested: of the grammar of a rule, and of its automaton."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from uriparse.coerce import as_items, as_text
from uriparse.conformance.alphabet import Alphabet
from uriparse.conformance.derivations import Derivations
from uriparse.conformance.items import KINDS, Item, Kind, chosen, steps
from uriparse.conformance.shortest import shortest_texts
from uriparse.conformance.subjects import subject
from uriparse.conformance.too_large import too_large
from uriparse.conformance.traversal import Traversal
from uriparse.conformance.unfolding import RuleTooLargeError, Unfolding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from uriparse.coerce import Text
    from uriparse.conformance.automata import Spans
    from uriparse.conformance.sources import Source
    from uriparse.conformance.subjects import Subject
    from uriparse.conformance.unfolding import Choice


class Tally(NamedTuple):
    """How many things of a kind, in a component, are touched, and how many there are.

    kind: one of `KINDS`.
    component: by the name of its rule.
    """

    kind: Kind
    component: str
    touched: int
    total: int


class Coverage:
    """What texts have touched of a rule. More can be read at any time.

    Attributes:
        subject: the rule.
        accepted: how many of the texts belong to it.
        refused: how many do not.

    """

    def __init__(self, of: Subject) -> None:
        self.subject = of
        self.accepted = self.refused = 0
        components = {group.component for groups in of.telling.groups for group in groups}
        try:
            unfolding = Unfolding(of.rule, of.source.expressions, components - {""})
        except RuleTooLargeError as error:
            raise too_large(str(error), of.rule, of.source) from None
        self._alphabet = Alphabet(_told(of, unfolding))
        self._derivations = Derivations(unfolding, self._alphabet)
        self._traversal = Traversal(of.automaton, self._alphabet)

    def read(self, text: str) -> bool:
        """Read one more text; tell whether it belongs to the rule. Linear in time."""
        self.__dict__.pop("_found", None)
        labels = self._alphabet.labels(text)
        if not self._traversal.read(labels):
            self.refused += 1
            return False
        self._derivations.derive(labels)
        self.accepted += 1
        return True

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """For each component, in the order of the grammar, the kinds that there are in it."""
        return self._found.tallies

    @property
    def missing(self) -> tuple[Item, ...]:
        """What no text has touched, each with a text that does, in the order of the tallies."""
        return self._found.missing

    @property
    def unreachable(self) -> tuple[Choice, ...]:
        """Choices that no text comes to, since an earlier alternative takes all of theirs.

        They are not counted. For rules of more than `MOST_ROWS` rows it is not proved that there
        is no text: none has been found.
        """
        return self._found.unreachable

    def tally(self, kind: Kind | None = None, component: str | None = None) -> tuple[int, int]:
        """Give how many are touched and how many there are, of a kind, in a component, or in all.

        >>> coverage("port", ["80"]).tally("repetition")
        (1, 3)
        """
        counted = [
            (one.touched, one.total)
            for one in self.tallies
            if kind in (None, one.kind) and component in (None, one.component)
        ]
        return sum(touched for touched, _ in counted), sum(total for _, total in counted)

    @cached_property
    def _found(self) -> _Found:
        return _Found.of(self.subject, self._derivations, self._traversal)


class _Found(NamedTuple):
    tallies: tuple[Tally, ...]
    missing: tuple[Item, ...]
    unreachable: tuple[Choice, ...]

    @classmethod
    def of(cls, subject: Subject, derivations: Derivations, traversal: Traversal) -> _Found:
        choices = derivations.unfolding.choices
        untouched = ~derivations.touched & (1 << len(choices)) - 1
        texts = shortest_texts(derivations, untouched)
        counts: dict[tuple[str, Kind], list[int]] = {}
        missing: list[Item] = []
        unreachable = []

        def count(item: Item, *, touched: bool) -> None:
            counted = counts.setdefault((item.component, item.kind), [0, 0])
            counted[0] += touched
            counted[1] += 1
            if not touched:
                missing.append(item)

        places = {rule: number for number, rule in enumerate(subject.source.expressions)}
        keys = {number: key for key, number in derivations.unfolding.numbers.items()}
        in_order = sorted(keys, key=lambda number: (places[keys[number][1]], keys[number][2:]))
        for number in in_order:
            choice = choices[number]
            if not untouched >> number & 1:
                count(chosen(choice, "", subject), touched=True)
            elif number in texts:
                count(chosen(choice, texts[number], subject), touched=False)
            else:
                unreachable.append(choice)
        for (state, label), item in steps(subject):
            came = (state, label) in traversal.steps if label is not None else None
            count(item, touched=state in traversal.endings if came is None else came)
        order = sorted(counts, key=lambda key: (places[key[0]], KINDS.index(key[1])))
        missing.sort(key=lambda item: (places[item.component], KINDS.index(item.kind)))
        tallies = tuple(
            Tally(kind, component, *counts[component, kind]) for component, kind in order
        )
        return cls(tallies, tuple(missing), tuple(unreachable))


def coverage(
    rule: str = "URI", texts: Iterable[Text] = (), *, grammar: str | Source = "rfc3986"
) -> Coverage:
    """Find out what texts leave untested of a rule.

    Counted are, of the grammar, over the first derivation of each text that belongs to the rule
    (where alternatives compete, the first that leads to the end, as `parse_tree` has it): each
    rule used, each alternative taken, each option with and without, the fewest repetitions, one
    more, and the most and one less or, where there is no bound, two more or above (a fixed number
    is not counted), and each end of a range of characters that is not one character. A place of
    the grammar is counted once for each component (by the innermost rule that is one) from which
    it is come to, however many ways lead there.

    Of the smallest automaton of the rule, as far as each text can go on: each transition, which is
    a state and a class of characters read there; each refusal, a state and a class that cannot
    stand there; and each state that a text ends in. The component is that which is under way on
    the way to the state that `Subject.ways` has.

    Args:
        rule: its name, in any letter case.
        texts: which ones; they are read one after the other and not kept.
        grammar: a shipped grammar, by name, or one that `read_abnf` has read.

    UnknownRuleError if there is no such rule; TypeError for a single text; EncodingError for bytes
    that are not ASCII. Linear in time.

    >>> found = coverage("IPv4address", ["127.0.0.1", "10.0.0.256"])
    >>> found.accepted, found.refused, found.tally("alternative"), found.tally("transition")
    (1, 1, (2, 5), (13, 131))
    >>> found.missing[0].what, found.missing[0].text
    ('alternative 2 of 5: %x31-39 DIGIT', '11.1.1.1')
    """
    found = Coverage(subject(rule, grammar))
    for text in as_items(texts, "texts", "an iterable of texts"):
        found.read(as_text(text))
    return found


def _told(of: Subject, unfolding: Unfolding) -> Iterator[Spans]:
    """Yield the sets of characters that have to be told apart."""
    yield from of.automaton.classes
    for readings in unfolding.reads:
        for reading in readings:
            yield reading.spans
            yield from (((code, code),) for code in reading.ends)
