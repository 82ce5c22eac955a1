"""What a corpus leaves untested: of the grammar of a rule, and of its automaton."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from heapq import heapify, heappop, heappush
from typing import Final, Literal, NamedTuple, TypeAlias, cast, get_args

from uriparse._base.coerce import Text, as_items, as_text
from uriparse.conformance.derivations import (
    BEGIN,
    END,
    Choice,
    Derivations,
    RuleTooLargeError,
    Unfolding,
)
from uriparse.conformance.rule_automata import Alphabet, Walked, bits
from uriparse.conformance.suites import Case, RowMaker, Subject, subject, written
from uriparse.errors import excerpt
from uriparse.grammar.automata import DEAD, Automaton, Spans
from uriparse.grammar.rule_sources import OwnGrammar, Source

# Candidates: short texts that probably reach a choice of a rule, and those that do.
#
# A text is a shortest way to a position and a shortest way from there to an end.
# Its first derivation may be another one, where alternatives compete; so it is looked at.


def candidate_texts(derivations: Derivations, wanted: int) -> dict[int, str]:
    """Return a short text for as many of some choices, as bits, as are easily found."""
    found: dict[int, str] = {}
    candidates = sorted(_candidates(derivations, wanted), key=lambda one: len(one[1]))
    for choices, text in candidates:
        if not choices & wanted:
            continue
        made = (derivations.choices_of(derivations.alphabet.labels(text)) or 0) & wanted
        wanted &= ~made
        found |= dict.fromkeys(bits(made), text)
    return found


def _candidates(derivations: Derivations, wanted: int) -> Iterator[tuple[int, str]]:
    """Yield choices, as bits, with a text that some derivation of makes them."""
    before, after = _prefixes(derivations), _suffixes(derivations)
    for position, word in before.items():
        for follower in derivations.followers[position]:
            if follower.position not in after:
                continue
            if follower.choices & wanted:
                yield follower.choices, word + after[follower.position]
            if derivations.unfolding.choices_by_reading[follower.position] & wanted:
                following = derivations.followers[follower.position]
                words = (after[one.position] for one in following if one.position in after)
                rest = min(words, key=len, default="")
                for label, character in derivations.alphabet.samples.items():
                    choices = derivations.reads(follower.position, label)
                    if choices is not None and choices & wanted:
                        yield choices, word + character + rest


def _prefixes(derivations: Derivations) -> dict[int, str]:
    """Return a shortest word that ends by reading at each position; the empty one for `BEGIN`."""
    found = {BEGIN: ""}
    for position in (walk := [BEGIN]):
        for follower in derivations.followers[position]:
            there = follower.position
            if there != END and there not in found:
                found[there] = found[position] + derivations.sample(there)
                walk.append(there)
    return found


def _suffixes(derivations: Derivations) -> dict[int, str]:
    """Return a shortest word that begins by reading at each position; the empty one for `END`."""
    sources: dict[int, list[int]] = {}
    for position in range(len(derivations.unfolding.reads)):
        for follower in derivations.followers[position]:
            sources.setdefault(follower.position, []).append(position)
    found = {END: ""}
    for position in (walk := [END]):
        for source in sources.get(position, ()):
            if source not in found and source != BEGIN:
                found[source] = derivations.sample(source) + found[position]
                walk.append(source)
    return found


# A short text for each choice of a rule: one whose first derivation reaches it.
#
# Some choices no text reaches, since an earlier one always takes its place. What is not easily
# found is searched for by walking all that derivations can do: first from the end backwards, to
# all rows; then from the beginning of any text to each position that is reached with each row
# before it.

MOST_ROWS: Final = 2_000
"""Rows from which the search goes out; those of a URI are 510."""


class _Node(NamedTuple):
    """A derivation in progress, the shortest first; ``number`` makes nodes comparable."""

    length: int
    number: int
    text: str
    position: int
    row: Walked
    choices: int


def shortest_texts(derivations: Derivations, wanted: int) -> dict[int, str]:
    """Return a short text for each reachable one of the choices in bits, by its number."""
    found = candidate_texts(derivations, wanted)
    left = wanted & ~sum(1 << number for number in found)
    return found | _searched(derivations, left) if left else found


def _searched(derivations: Derivations, wanted: int) -> dict[int, str]:
    """Search all derivations until each choice is found, or nothing is left to search."""
    rests, before = _rows(derivations)
    samples, alike = derivations.alphabet.samples, _alike(derivations)
    found: dict[int, str] = {}
    possible = derivations.unfolding.choices_by_reading
    starts = [row for row in rests if derivations.can_follow(BEGIN, row)]
    pending = [
        _Node(len(rests[row]), number, "", BEGIN, row, 0) for number, row in enumerate(starts)
    ]
    heapify(pending)
    count = len(pending)
    least: dict[tuple[int, Walked], int] = {}
    done: set[tuple[int, Walked]] = set()
    while pending and wanted:
        _, _, text, position, row, choices = heappop(pending)
        follower = derivations.next(position, row)
        gained = (choices | follower.choices) & wanted
        for number in bits(gained):
            found[number] = text + rests[row]
        wanted &= ~gained
        here = follower.position
        if here == END or (here, row) in done:
            continue
        done.add((here, row))
        useful = wanted & possible[here]
        for first, rest in before.get(row, ()):
            if not derivations.can_follow(here, rest):
                continue
            length = len(text) + 1 + len(rests[rest])
            for label in alike[first] if useful else (first,):
                made = derivations.reads(here, label)
                if made is None:
                    break
                if made & useful or length < least.get((here, rest), length + 1):
                    least[here, rest] = min(length, least.get((here, rest), length))
                    count += 1
                    longer = text + samples[label]
                    heappush(pending, _Node(length, count, longer, here, rest, made))
    return found


def _rows(
    derivations: Derivations,
) -> tuple[dict[Walked, str], dict[Walked, list[tuple[str, Walked]]]]:
    """Return all rows with a shortest rest of a text, and the rows that each label leads to."""
    rests = {derivations.last: ""}
    before: dict[Walked, list[tuple[str, Walked]]] = {derivations.last: []}
    order = [derivations.last]
    firsts = _alike(derivations)
    for row in order:
        if len(order) > MOST_ROWS:
            break
        for label in firsts:
            longer = row[label]
            if not longer.state:
                continue
            before.setdefault(longer, []).append((label, row))
            if longer not in rests:
                rests[longer] = derivations.alphabet.samples[label] + rests[row]
                order.append(longer)
    return rests, before


def _alike(derivations: Derivations) -> dict[str, list[str]]:
    """Return the labels that the same positions read by the first of them, readable ones first."""
    samples = derivations.alphabet.samples
    order = sorted(samples, key=lambda label: (not samples[label].islower(), samples[label]))
    together: dict[str, list[str]] = {}
    for label in order:
        together.setdefault(derivations.alike[label], []).append(label)
    return {labels[0]: labels for labels in together.values()}


# What a text can touch: the choices of a rule, and the steps and endings of its automaton.

LONGEST = 60
"""Characters of an expression that are written; of a longer one the beginning."""

Kind: TypeAlias = Literal[
    "rule", "alternative", "option", "repetition", "range", "transition", "refusal", "ending"
]

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""The first five are of the grammar, the other three of the automaton."""


class Item(NamedTuple):
    """Something that a text can touch, and a text that does.

    kind: one of `KINDS`.
    component: the component that it is in, by the name of its rule; outside of all components
        the rule that is covered.
    rule: the rule that it is in.
    what: what it is: `'3 of 1*4HEXDIG'`, `'"(" for pchar at offset 9'`.
    text: a text that touches it, made for this and taken from no corpus.
    accepted: whether that belongs to the rule.
    """

    kind: Kind
    component: str
    rule: str
    what: str
    text: str
    accepted: bool


@cache
def steps(subject: Subject) -> tuple[tuple[tuple[int, int | None], Item], ...]:
    """Name the steps and endings of an automaton by state and class, None for the ending."""
    automaton, cover, rows = subject.automaton, subject.cover, RowMaker(subject)

    def item(kind: Kind, text: str, at: int) -> Item:
        row = rows.row(Case(text, at), kind)
        return Item(kind, row.component or subject.rule, row.rule, row.tests, text, row.valid)

    found: list[tuple[tuple[int, int | None], Item]] = []
    for state, word in enumerate(cover.prefixes):
        for label, character in enumerate(cover.samples):
            target = automaton.edges[state].get(label)
            kind: Kind = "refusal" if target is None else "transition"
            home = cover.suffixes[state if target is None else target]
            found.append(((state, label), item(kind, word + character + home, len(word))))
        found.append(((state, None), item("ending", word, len(word))))
    return tuple(found)


def worded(choice: Choice) -> str:
    """Say what is chosen."""
    place, value = choice.place, choice.value
    match choice.kind, place:
        case "alternative", ("alt", tuple(items)):
            return f"alternative {value + 1} of {len(items)}: {_cut(written(items[value]))}"
        case "option", _:
            return f"{'with' if value else 'without'} {_cut(written(place))}"
        case "repetition", ("rep", _, int(low), int(high)):
            more = " or more" if high < 0 and value > low + 1 else ""
            return f"{value}{more} of {_cut(written(place))}"
        case "range", _:
            return f"{excerpt.named(chr(value))}, an end of {_cut(written(place))}"
        case _:
            return "the rule"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3].rstrip() + "..."


# Many texts read by one automaton, and the steps that they take.


class Traversal:
    """Reads texts, and remembers the steps, refusals and endings of its automaton they take."""

    def __init__(self, automaton: Automaton, alphabet: Alphabet) -> None:
        self.automaton = automaton
        self.steps: set[tuple[int, int]] = set()
        self.endings: set[int] = set()
        self._class_of = {
            label: automaton.class_of(character) for label, character in alphabet.samples.items()
        }
        self._states = {state: Walked(self.step, state) for state in (DEAD, *range(len(automaton)))}

    def read(self, labels: str) -> bool:
        """Read a text, given by the labels of its characters; return whether it is accepted."""
        here = self._states[0]
        for label in labels:
            here = here[label]
        self.endings.add(here.state)
        return here.state in self.automaton.final

    def step(self, here: Walked, label: str) -> Walked:
        """Take a step for the first time."""
        if here.state == DEAD:
            return here
        read = self._class_of[label]
        self.steps.add((here.state, read))
        return self._states[self.automaton.edges[here.state].get(read, DEAD)]


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

    subject: the rule.
    accepted: how many of the texts belong to it.
    refused: how many do not.
    """

    def __init__(self, of: Subject) -> None:
        self.subject = of
        self.accepted = self.refused = 0
        components = {group.component for groups in of.labelled.groups for group in groups}
        try:
            unfolding = Unfolding(of.rule, of.source.expressions, components - {""})
        except RuleTooLargeError as error:
            part = of.source.large_part(of.rule) if isinstance(of.source, OwnGrammar) else ""
            raise RuleTooLargeError(f"{error}: {part}" if part else str(error)) from None
        self._alphabet = Alphabet(_distinguished(of, unfolding))
        self._derivations = Derivations(unfolding, self._alphabet)
        self._traversal = Traversal(of.automaton, self._alphabet)

    def read(self, text: str) -> bool:
        """Read one more text; return whether it belongs to the rule. Linear in time."""
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
        return self._found[0]

    @property
    def missing(self) -> tuple[Item, ...]:
        """What no text has covered, each with a text that would, in the order of the tallies."""
        return self._found[1]

    @property
    def unreachable(self) -> tuple[Choice, ...]:
        """Choices that no text reaches, since an earlier alternative takes all of theirs.

        They are not counted. For rules of more than `MOST_ROWS` rows it is not proved that there
        is not text: none has been found.
        """
        return self._found[2]

    def tally(self, kind: Kind | None = None, component: str | None = None) -> tuple[int, int]:
        """Return how many are touched and how many there are, of a kind, in a component, or in all.

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
    def _found(self) -> tuple[tuple[Tally, ...], tuple[Item, ...], tuple[Choice, ...]]:
        subject, unfolding = self.subject, self._derivations.unfolding
        untouched = ~self._derivations.touched & (1 << len(unfolding.choices)) - 1
        texts = shortest_texts(self._derivations, untouched)
        found: list[tuple[Item, bool]] = []  # what there is, and whether it is touched
        unreachable = []
        places = {rule: number for number, rule in enumerate(subject.source.expressions)}
        keys = {number: key for key, number in unfolding.numbers.items()}
        for number in sorted(keys, key=lambda number: (places[keys[number][1]], keys[number][2:])):
            choice = unfolding.choices[number]
            touched = not untouched >> number & 1
            if touched or number in texts:
                kind, component = cast("Kind", choice.kind), choice.component or subject.rule
                text = texts.get(number, "")
                item = Item(kind, component, choice.rule, worded(choice), text, True)
                found.append((item, touched))
            else:
                unreachable.append(choice)
        for (state, label), item in steps(subject):
            is_ending, way = label is None, (state, label)
            touched = (
                state in self._traversal.endings if is_ending else way in self._traversal.steps
            )
            found.append((item, touched))
        found.sort(key=lambda one: (places[one[0].component], KINDS.index(one[0].kind)))
        totals = Counter((item.kind, item.component) for item, _ in found)
        counts = Counter((item.kind, item.component) for item, touched in found if touched)
        tallies = tuple(Tally(*key, counts[key], total) for key, total in totals.items())
        missing = tuple(item for item, touched in found if not touched)
        return tallies, missing, tuple(unreachable)


def coverage(
    rule: str = "URI", texts: Iterable[Text] = (), *, grammar: str | Source = "rfc3986"
) -> Coverage:
    """Measure which parts of a rule some texts test.

    Counted are, of the grammar, over the first derivation of each text that belongs to the rule
    (where alternatives compete, the first that leads to the end, as `parse_tree` has it): each
    rule used, each alternative taken, each option with and without, the fewest repetitions, one
    more, and the most and one less or, where there is no bound, two more or above (a fixed number
    is not counted), and each end of a range of characters that is not one character. A place of
    the grammar is counted once for each component (by the innermost rule that is one) from which
    it is reached, by however many ways.

    Of the smallest automaton of the rule, along the longest viable prefix of each text: each
    transition, which is a state and a class of characters read there; each refusal, a state and a
    class that is not allowed there; and each state that a text ends in. The component is that which
    is in progress on the way to the state that `Subject.cover` has.

    rule: its name, in any letter case.
    texts: which ones; they are read one after the other and not kept.
    grammar: a shipped grammar, by name, or one that `read_abnf` has read.

    UnknownRuleError for an unknown rule; TypeError for a single text; EncodingError for bytes
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


def _distinguished(of: Subject, unfolding: Unfolding) -> Iterator[Spans]:
    yield from of.automaton.classes
    for readings in unfolding.reads:
        for reading in readings:
            yield reading.spans
            yield from (((code, code),) for code in reading.ends)
