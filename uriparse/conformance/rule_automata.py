"""Automata of rules for the kit: characters, minimal automata, words to each state, identifiers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from heapq import heappop, heappush
from typing import Final, TypeAlias, TypeVar

from uriparse.grammar.automata import DEAD, Automaton, Spans, reached

# The characters that stand for a class: a readable one, its borders, and suspects.
#
# A suspect is a character that parsers are known to take for another one, or to pass over.

LINE_ENDS: Final = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What a line may end with, somewhere: `$` in an expression looks past the first one."""

CONTROLS: Final = "\x00\t\x08\x1b\x1f\x7f\x9f"

BLANKS: Final = " \xa0\xad\u2002\u200b\u200e\u202e\u3000\ufeff"
"""Spaces, and invisible characters."""

FOREIGN: Final = "٣۳３²①ÉéＡａＦｆｇα０／．：％＃？＠［］\uff61\u3002"
"""Digits, letters and delimiters of other scripts, many of which fold to ASCII."""

FOLDED: Final = "\u017f\u212aßİıﬁ"
"""Long s, the Kelvin sign and others whose other case is ASCII."""

BEYOND: Final = "\ud800\udfff\ue000\ufdd0\ufffd\ufffe\uffff\U00010000\U0010ffff"
"""Surrogates, private use, noncharacters; the first and the last of the planes beyond the first."""

SUSPECTS: Final = "".join(dict.fromkeys(LINE_ENDS + CONTROLS + BLANKS + FOREIGN + FOLDED + BEYOND))

_READABLE: Final = (("a", "z"), ("1", "9"), ("0", "0"), ("A", "Z"), ("!", "~"))


@cache
def sample(spans: Spans) -> str:
    """Return a readable character of a class: a letter, a digit, or what else can be printed."""
    for first, last in _READABLE:
        for low, high in spans:
            if low <= ord(last) and high >= ord(first):
                return chr(max(low, ord(first)))
    return chr(spans[0][0])


@cache
def borders(spans: Spans) -> tuple[str, ...]:
    """Return the first and the last character of each range of a class."""
    return tuple(dict.fromkeys(chr(end) for span in spans for end in span))


@cache
def stand_ins(spans: Spans, characters: str) -> tuple[str, ...]:
    """Return samples of a class, the readable one first: `one`, `borders`, `suspects`, `all`."""
    found = dict.fromkeys([sample(spans)])
    if characters in ("borders", "all"):
        found |= dict.fromkeys(borders(spans))
    if characters in ("suspects", "all"):
        inside = (c for c in SUSPECTS if any(low <= ord(c) <= high for low, high in spans))
        found |= dict.fromkeys(inside)
    return tuple(found)


_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Memo(dict[_Key, _Value]):
    """Values by key, each made when it is first asked for."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[_Key], _Value]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: _Key) -> _Value:
        self[key] = found = self._make(key)
        return found


class Walked(Memo[str, "Walked"]):
    """A state of an automaton that is made while it is walked; by label, the state after it."""

    __slots__ = ("state",)

    def __init__(self, after: Callable[[Walked, str], Walked], state: int) -> None:
        super().__init__(partial(after, self))
        self.state = state

    # Equal to itself alone, since there is one for each state; `def` would cost a call.
    __hash__ = object.__hash__  # type: ignore[assignment]


# Characters as labels: a label is a class of characters that some sets never distinguish.

_BEYOND: Final = 0x110000


class Alphabet:
    """Writes texts in labels; ``samples`` has a readable character for each."""

    def __init__(self, distinguished: Iterable[Spans]) -> None:
        """Tell apart what one of these sets of characters holds and another does not."""
        sets = list(dict.fromkeys(distinguished))
        cuts = {0, _BEYOND} | {
            cut for spans in sets for low, high in spans for cut in (low, high + 1)
        }
        self._cuts = sorted(cuts)
        members: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        intervals = list(zip(self._cuts, self._cuts[1:], strict=False))
        held = [_holders(low, sets) for low, _ in intervals]
        for (low, beyond), holders in zip(intervals, held, strict=True):
            members.setdefault(holders, []).append((low, beyond - 1))
        labels = {holders: chr(number) for number, holders in enumerate(members)}
        self._labels = [labels[holders] for holders in held]
        self._table = Memo(self.label)
        self.samples = {labels[holders]: sample(tuple(spans)) for holders, spans in members.items()}

    def label(self, code: int) -> str:
        """Return the label of a code point."""
        return self._labels[bisect_right(self._cuts, code) - 1]

    def labels(self, text: str) -> str:
        """Write a text in labels, one for each character."""
        return text.translate(self._table)


def _holders(code: int, sets: list[Spans]) -> tuple[int, ...]:
    return tuple(
        number
        for number, spans in enumerate(sets)
        if any(low <= code <= high for low, high in spans)
    )


# Minimization: merge characters that an automaton never distinguishes, then states.


def merged(automaton: Automaton) -> Automaton:
    """Merge the characters that an automaton never distinguishes; its states stay the same."""
    columns: dict[tuple[int | None, ...], list[int]] = {}
    for label, spans in enumerate(automaton.classes):
        if spans:
            column = tuple(row.get(label) for row in automaton.edges)
            columns.setdefault(column, []).append(label)
    together = {
        _joined([span for label in labels for span in automaton.classes[label]]): labels[0]
        for labels in columns.values()
    }
    classes = sorted(together)
    shown = {together[spans]: number for number, spans in enumerate(classes)}
    edges = [
        {shown[label]: target for label, target in sorted(row.items()) if label in shown}
        for row in automaton.edges
    ]
    return Automaton(classes, edges, automaton.final, automaton.groups)


def minimal(automaton: Automaton) -> Automaton:
    """Merge equivalent states (Moore 1956), and characters; number the states breadth-first."""
    automaton = merged(automaton)  # the fewer characters, the less is to be done
    block = [int(state in automaton.final) for state in range(len(automaton))]
    count = len(set(block))
    while True:
        numbers: dict[object, int] = {}
        signatures = (
            (block[state], tuple(sorted((label, block[target]) for label, target in row.items())))
            for state, row in enumerate(automaton.edges)
        )
        block = [numbers.setdefault(signature, len(numbers)) for signature in signatures]
        if len(numbers) == count:
            break
        count = len(numbers)
    first = {number: state for state, number in reversed([*enumerate(block)])}
    rows = [
        {label: block[target] for label, target in automaton.edges[first[number]].items()}
        for number in range(count)
    ]
    quotient = merged(Automaton(automaton.classes, rows, {block[s] for s in automaton.final}))
    walk = reached(quotient.edges, block[0])
    order = {number: place for place, number in enumerate(walk)}
    edges = [{label: order[t] for label, t in quotient.edges[here].items()} for here in walk]
    return Automaton(quotient.classes, edges, {order[number] for number in quotient.final})


def _joined(spans: Sequence[tuple[int, int]]) -> Spans:
    found: list[tuple[int, int]] = []
    for low, high in sorted(spans):
        if found and found[-1][1] == low - 1:
            found[-1] = (found[-1][0], high)
        else:
            found.append((low, high))
    return tuple(found)


# Readable words through an automaton: to each state, and from it to an end.

EXAMPLES: Final = (
    *("http://a.b/c", "http://a.b/c?d=e#f", "http://a.b:80/", "http://u@a.b/", "http://a/b;c"),
    *("urn:isbn:1", "mailto:a@b.c", "data:,a", "tel:+1", "a:b/c", "file:///a", "a:/b"),
    *("http://1.2.3.4/", "http://25.0.0.1/", "http://199.1/", "http://a%20b/", "http://a/%20"),
    *("http://[::1]/", "http://[1:2:3:4:5:6:7:8]", "http://[1::8]", "http://[::1.2.3.4]"),
    *("http://[v1.a]/", "//a.b/c", "/a/b", "a/b", "../a", "./a", "?a=b", "#a", "1.2.3.4", "[::1]"),
    *("ftp://u:p@a.b/c;type=i", "ftp://a.b/c", "gopher://a.b/1c", "gopher://a/1b%09c%09+d"),
    *("news:a.b", "news:a@b", "news:*", "nntp://a.b/c/1", "telnet://a.b/", "wais://a.b/c"),
    *("wais://a.b/c?d", "wais://a/b/c/d", "prospero://a/b;c=d", "file://localhost/a"),
    *("http://é.b/ü", "http://a.b/c?\ue000"),
    "a://u:p@",  # what ends before a host has a scheme that allows an empty one
)
"""Texts as people write them, short ones; their prefixes are better read than random words."""


@dataclass(eq=False)
class StateCover:
    """Words that lead through an automaton, prefixes of the examples where they can be."""

    automaton: Automaton

    @cached_property
    def samples(self) -> tuple[str, ...]:
        """A readable character for each class."""
        return tuple(map(sample, self.automaton.classes))

    @cached_property
    def prefixes(self) -> tuple[str, ...]:
        """Return a word to each state: the shortest beginning of an example, else one step on."""
        found: dict[int, str] = {0: ""}
        for text in filter(self.automaton.accepts, EXAMPLES):
            state = 0
            for offset, character in enumerate(text, 1):
                state = self.automaton.step(state, character)
                if state not in found or (state and offset < len(found[state])):
                    found[state] = text[:offset]
        pending: list[tuple[int, int, int]] = []
        order = dict(found)
        for state, word in found.items():
            heappush(pending, (len(word), len(pending), state))
        count = len(pending)
        done: set[int] = set()
        while pending:
            _, _, state = heappop(pending)
            if state in done:
                continue
            done.add(state)
            for label, target in self._steps(state):
                word = order[state] + self.samples[label]
                if target not in found and len(word) < len(order.get(target, word + " ")):
                    order[target] = word
                    count += 1
                    heappush(pending, (len(word), count, target))
        return tuple(order[state] for state in range(len(self.automaton)))

    @cached_property
    def suffixes(self) -> tuple[str, ...]:
        """A shortest word from each state to an end."""
        back: dict[int, list[tuple[int, int]]] = {}
        for state in range(len(self.automaton)):
            for label, target in self._steps(state):
                back.setdefault(target, []).append((state, label))
        found = dict.fromkeys(sorted(self.automaton.final), "")
        for state in (walk := list(found)):
            for before, label in back.get(state, ()):
                if before not in found:
                    found[before] = self.samples[label] + found[state]
                    walk.append(before)
        return tuple(found[state] for state in range(len(self.automaton)))

    def _steps(self, state: int) -> list[tuple[int, int]]:
        """List what can follow, readable characters first."""
        return sorted(
            self.automaton.edges[state].items(),
            key=lambda step: (not self.samples[step[0]].isalnum(), self.samples[step[0]]),
        )


# Words that distinguish the states of an automaton: few for each, and any two have one in common.
#
# These are the harmonized state identifiers of Petrenko (1991), from a tree: a word parts the
# states after which it leads to an end from the others, another word parts each half again, and
# so on until every state is alone. The words on the way to a state are its own.

Labels: TypeAlias = "tuple[int, ...]"

_POOL: Final = 3000
"""Words to choose from, beyond which only those are kept that part states which no other does."""


def identifiers(automaton: Automaton) -> dict[int, tuple[Labels, ...]]:
    """Return each state of a minimal automaton, `DEAD` among them, the words that identify it.

    A word is a sequence of classes. Of any two states one has a word, which the other has too,
    that leads to an end after one of them alone. The empty word, which asks whether a text may end
    there, is among those of every state. States that many steps lead to get fewer words.
    """
    count = len(automaton)
    words = _words(automaton)
    weight = _weights(automaton)
    found: dict[int, tuple[Labels, ...]] = {}
    # The empty word is everybody's: without it nobody would ask whether a text may end in a state,
    # and a parser that has that wrong would pass.
    ends = words[0][0]
    pending: list[tuple[int, tuple[Labels, ...]]] = [
        (block, ((),)) for block in (((1 << count + 1) - 1) & ~ends, ends) if block
    ]
    while pending:
        block, own = pending.pop()
        members = [*bits(block)]
        if len(members) == 1:
            state = members[0] if members[0] < count else DEAD
            found[state] = own
            continue
        half = sum(weight[member] for member in members) / 2
        parting = [
            (abs(sum(weight[m] for m in bits(block & ends)) - half), len(word), number)
            for number, (ends, word) in enumerate(words)
            if block & ends and block & ~ends
        ]
        *_, number = min(parting)
        ends, word = words[number]
        pending += [(block & ~ends, (*own, word)), (block & ends, (*own, word))]
    return dict(sorted(found.items(), key=lambda item: item[0] if item[0] != DEAD else count))


def _words(automaton: Automaton) -> list[tuple[int, Labels]]:
    """List words that part any two states, shortest first, with bits of states that they accept."""
    before: list[dict[int, int]] = [{} for _ in automaton.classes]
    for state, row in enumerate(automaton.edges):
        for label, target in row.items():
            before[label][target] = before[label].get(target, 0) | 1 << state
    first = sum(1 << state for state in automaton.final)
    found: dict[int, Labels] = {first: ()}
    blocks = _parted([(1 << len(automaton) + 1) - 1], first)
    words = [(first, ())]
    longer: list[tuple[int, Labels]] = list(words)
    while len(blocks) <= len(automaton):
        shorter, longer = longer, []
        for ends, word in shorter:
            members = [*bits(ends)]
            for label, sources in enumerate(before):
                leading = 0
                for member in members:
                    leading |= sources.get(member, 0)
                if not leading or leading in found:
                    continue
                finer = _parted(blocks, leading)
                if len(finer) == len(blocks) and len(found) >= _POOL:
                    continue
                blocks = finer
                found[leading] = (label, *word)
                longer.append((leading, found[leading]))
        if not longer:
            raise ValueError("the automaton is not minimal")
    return list(found.items())


def _parted(blocks: Sequence[int], ends: int) -> list[int]:
    return [part for block in blocks for part in (block & ends, block & ~ends) if part]


def bits(block: int) -> Iterator[int]:
    """Return the numbers of the bits that are set in a number, the lowest first."""
    while block:
        lowest = block & -block
        yield lowest.bit_length() - 1
        block ^= lowest


def _weights(automaton: Automaton) -> list[int]:
    """Count the steps that lead to each state, and to `DEAD`."""
    found = [1] * (len(automaton) + 1)
    for row in automaton.edges:
        for target in row.values():
            found[target] += 1
        found[-1] += len(automaton.classes) - len(row)
    return found
