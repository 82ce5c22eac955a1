"""The generated automata of rules: the longest valid prefix of a text, and all states of a rule."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Final, NamedTuple, TypeAlias, cast

from uriparse._compiled._packed import ABSENT, Section, load
from uriparse._compiled.index import WITNESSED
from uriparse.grammar.matchers import rules, spelled

# Prefixes.
#
# The automaton of a rule reads a text as long as some valid text begins like it. A state knows
# whether the text may end there, and what each rule that has begun expects next.

NONE = ABSENT
"""In a row: no character of this class can follow."""

_LAST = 0x10FFFF
"""The last code point."""

_STEPS = 8
"""Characters that are read one by one before a leap is tried. Most texts end sooner."""

_ROUNDS = 500
"""The most rounds in one leap: `re` stores each until the end, and memory must stay bounded."""

_LONGEST_ROUND = 3
"""The characters of a round at most: one, or three for a percent-encoded octet."""


class Group(NamedTuple):
    """What one rule that has begun expects next, in ABNF terms."""

    component: str
    rule: str
    words: tuple[str, ...]


class LongestPrefix(NamedTuple):
    """The end of a prefix: its offset, whether the text may end there, and what could follow."""

    offset: int
    may_end: bool
    groups: tuple[Group, ...]
    expected: tuple[str, ...]  # their words, each once, and "end" if the text may end
    names: frozenset[str]  # their rules and components


def longest_prefix(text: str, rule: str, grammar: str = "rfc3986") -> LongestPrefix:
    """Find the longest prefix of `text` that some text of the rule begins with; in linear time.

    It is the whole text if that can be continued, or is valid (`may_end`).
    UnknownRuleError for an unknown rule.

    >>> stop = longest_prefix("http://u@h:80x/", "URI")
    >>> stop.offset, stop.may_end, stop.groups[0]
    (13, True, Group(component='port', rule='port', words=('DIGIT',)))
    """
    automaton = shipped_automaton(grammar)
    start = automaton.starts.get(rule)  # as it is spelled, nearly always
    start = automaton.starts[spelled(rule, grammar)] if start is None else start
    return automaton.stop(*automaton.read(text, start))


def continues(state: int, text: str, grammar: str) -> bool:
    """Return whether some text of the rule has a text after a prefix that leads to a state."""
    return shipped_automaton(grammar).read(text, state)[0] == len(text)


def may_end_after(state: int, text: str, grammar: str) -> bool:
    """Return whether a text of the rule may end with a text after such a prefix."""
    automaton = shipped_automaton(grammar)
    offset, state = automaton.read(text, state)
    return offset == len(text) and automaton.stop(offset, state).may_end


def takes(character: str, grammar: str = "rfc3986") -> bool:
    """Return whether some text of a grammar's widest rule contains a character."""
    return shipped_automaton(grammar).takes(character)


class DiagnosisAutomaton:
    """The joint automaton of the rules of a grammar; rows are decoded when first entered."""

    __slots__ = (
        *("_bounds", "_classes", "_groups", "_label_of", "_labels", "_leaps", "_rows", "_states"),
        *("_alphabet", "_decoded", "_grid", "_words", "ascii_classes", "starts"),
    )

    def __init__(self, tables: Section) -> None:
        self._states, (_, self._grid) = tables.grid("states"), tables.parts["states"]
        self._bounds, self._classes = tables.numbers("bounds"), tables.numbers("classes")
        self._alphabet = tables.numbers("taken")
        self._label_of, self._labels = tables.numbers("label_of"), tables.lists("labels")
        self._groups, self._words = tables.lists("groups"), tables.words("words")
        self._rows: dict[int, tuple[int, ...]] = {}
        self._leaps: dict[int, re.Pattern[str] | None] = {}
        self._decoded: dict[
            int, tuple[bool, tuple[Group, ...], tuple[str, ...], frozenset[str]]
        ] = {}
        self.ascii_classes = tables.numbers("ascii")
        self.starts = tables.mapping("starts")

    def packed(self) -> tuple[bytes, bytes]:
        """Return the rows, and the class of each ASCII character, for `stopped` of the kernel."""
        return self._grid, bytes(self.ascii_classes)

    def read(self, text: str, state: int) -> tuple[int, int]:
        """Read from `state` on; return the offset at which no step is possible, and the state.

        After some single steps it tries to leap over all that leads back to the same state. A state
        inside a round has other rounds than the first one, so a leap is tried from as many
        consecutive states as a round has characters.
        """
        ascii_classes, rows, offset = self.ascii_classes, self._rows, 0
        length, tries = len(text), 0
        while offset < length:
            for character in text[offset : offset + (1 if tries else _STEPS)]:
                code = ord(character)
                row = rows.get(state) or self.row(state)
                after = row[ascii_classes[code] if code < 128 else self._class(code)]
                if after == NONE:
                    return offset, state
                state = after
                offset += 1
            tries = (tries or _LONGEST_ROUND) - 1
            if length - offset > _STEPS and (leap := self._leap(state)) is not None:
                while (match := leap.match(text, offset)) is not None:
                    offset, tries = match.end(), 0
        return offset, state

    def takes(self, character: str) -> bool:
        """Return whether some text of the widest rule contains a character."""
        code = ord(character)
        label = self.ascii_classes[code] if code < 128 else self._class(code)
        return label in self._alphabet

    def stop(self, offset: int, state: int) -> LongestPrefix:
        """Return what the tables say of a state."""
        label = self._label_of[state]
        if label not in self._decoded:
            may_end, *numbers = self._labels[label]
            groups = tuple(map(self._group, numbers))
            words = dict.fromkeys(word for group in groups for word in group.words)
            expected = (*words, "end") if may_end else tuple(words)
            names = frozenset(name for group in groups for name in (group.rule, group.component))
            self._decoded[label] = bool(may_end), groups, expected, names
        return LongestPrefix(offset, *self._decoded[label])

    def _group(self, number: int) -> Group:
        component, rule, *words = (self._words[word] for word in self._groups[number])
        return Group(component, rule, tuple(words))

    def row(self, state: int) -> tuple[int, ...]:
        """Return the next state for each class of characters, or `NONE`."""
        row = self._rows[state] = self._states.row(state)
        return row

    def _class(self, code: int) -> int:
        """Return the class of a character above ASCII."""
        return self._classes[bisect_right(self._bounds, code) - 1]

    def spans(self) -> Iterator[tuple[int, int, int]]:
        """Yield all code points in order as (first, last, class); ASCII one by one."""
        yield from ((code, code, label) for code, label in enumerate(self.ascii_classes))
        ends = (*self._bounds[1:], _LAST + 1)
        for first, end, label in zip(self._bounds, ends, self._classes, strict=True):
            yield first, end - 1, label

    def _leap(self, state: int) -> re.Pattern[str] | None:
        """Return an expression for the texts that lead from a state back to it, or None.

        The automaton is deterministic, so a leap ends in the same state as single steps would. A
        step takes 0.1 µs, a character within a leap a hundredth of that.
        """
        if state not in self._leaps:
            rounds = self._rounds(state, state, _LONGEST_ROUND)
            # Possessive (}+): to give up a round never helps, since nothing follows it here.
            bounded = f"(?>{'|'.join(rounds)}){{1,{_ROUNDS}}}+"
            self._leaps[state] = re.compile(bounded) if rounds else None
        return self._leaps[state]

    def _rounds(self, state: int, home: int, length: int) -> list[str]:
        """Return expressions for the paths from `state` to `home`, up to `length` characters."""
        if not length:
            return []
        labels_to: dict[int, list[int]] = {}
        for label, after in enumerate(self.row(state)):
            labels_to.setdefault(after, []).append(label)
        labels_to.pop(NONE, None)
        found = []
        for after, labels in labels_to.items():
            here = self._characters(labels)
            if after == home:  # a path ends at its first return: longer ones are several rounds
                found.append(here + "++" if state == home else here)
            else:
                found += [here + rest for rest in self._rounds(after, home, length - 1)]
        return found

    def _characters(self, labels: list[int]) -> str:
        """Return a character set of an expression with the characters of some classes."""
        wanted = set(labels)
        pieces = [
            re.escape(chr(first)) if first == last else f"{chr(first)}-{chr(last)}"
            for first, last, label in self.spans()
            if label in wanted
        ]
        return f"[{''.join(pieces)}]"


@cache
def shipped_automaton(grammar: str) -> DiagnosisAutomaton:
    """Return the joint automaton of a grammar; UnknownRuleError for an unknown grammar."""
    rules(grammar)
    return DiagnosisAutomaton(load(grammar, "diagnosis"))


# All states of a rule, for callers that traverse its automaton. Reading a text decodes only the
# rows that it enters; here every reachable row is decoded.

Spans: TypeAlias = "tuple[tuple[int, int], ...]"
Row: TypeAlias = "Mapping[int, int]"


DEAD: Final = -1
"""Stands for the state from which no text goes on."""


class Stop(NamedTuple):
    """How many characters some text of the rule begins with, and the state after them."""

    offset: int
    state: int


class Automaton:
    """A deterministic automaton in which every state leads to an end.

    classes: characters that it never distinguishes, as ranges of code points in order; every
        code point is in one class.
    edges: for each state the next one by the number of the class; a class that cannot follow
        is not there. State 0 is the first.
    final: the states in which a text may end.
    groups: for each state what the rules under way expect; empty where nothing is said of it.
    """

    __slots__ = ("_beginnings", "_labels", "classes", "edges", "final", "groups")

    def __init__(
        self,
        classes: Sequence[Spans],
        edges: Sequence[Row],
        final: AbstractSet[int],
        groups: Sequence[tuple[Group, ...]] = (),
    ) -> None:
        self.classes: tuple[Spans, ...] = tuple(classes)
        self.edges: tuple[Row, ...] = tuple(edges)
        self.final = frozenset(final)
        self.groups = tuple(groups)
        begun = sorted((low, label) for label, spans in enumerate(self.classes) for low, _ in spans)
        self._beginnings = [low for low, _ in begun]
        self._labels = [label for _, label in begun]

    def __len__(self) -> int:
        return len(self.edges)

    def class_of(self, character: str) -> int:
        """Return the class of a character."""
        return self._labels[bisect_right(self._beginnings, ord(character)) - 1]

    def step(self, state: int, character: str) -> int:
        """Return the state after a character, `DEAD` if it is not allowed there."""
        return DEAD if state == DEAD else self.edges[state].get(self.class_of(character), DEAD)

    def read(self, text: str, state: int = 0) -> Stop:
        """Read on from a state as far as the text can go on; linear in time."""
        for offset, character in enumerate(text):
            after = self.edges[state].get(self.class_of(character), DEAD)
            if after == DEAD:
                return Stop(offset, state)
            state = after
        return Stop(len(text), state)

    def accepts(self, text: str) -> bool:
        """Return whether a text belongs to the rule."""
        offset, state = self.read(text)
        return offset == len(text) and state in self.final

    def after(self, state: int, labels: Sequence[int]) -> int:
        """Return the state after characters of some classes, `DEAD` if they are not allowed."""
        for label in labels:
            if state == DEAD:
                break
            state = self.edges[state].get(label, DEAD)
        return state


def reached(rows: Mapping[int, Row] | Sequence[Row], start: int) -> list[int]:
    """List the states that can be reached from one, itself first, breadth first."""
    found = {start: None}
    for state in (order := [start]):
        for _, target in sorted(rows[state].items()):
            if target not in found:
                found[target] = None
                order.append(target)
    return order


def numbered(
    rows: Mapping[int, Row] | Sequence[Row], start: int
) -> tuple[list[int], list[dict[int, int]]]:
    """List the states that are `reached`, and their edges with states numbered in that order."""
    order = reached(rows, start)
    number = {state: index for index, state in enumerate(order)}
    return order, [{label: number[t] for label, t in rows[state].items()} for state in order]


class _Rows(dict[int, "Row"]):
    """The rows of a joint automaton by state, decoded when they are first asked for."""

    def __init__(self, of: DiagnosisAutomaton) -> None:
        self._of = of

    def __missing__(self, state: int) -> Row:
        row = {label: after for label, after in enumerate(self._of.row(state)) if after != NONE}
        return self.setdefault(state, row)


@cache
def automaton(rule: str, grammar: str = "rfc3986") -> Automaton:
    """Decode the automaton of a rule; states are numbered in breadth-first order.

    UnknownRuleError for an unknown rule.
    """
    joint = shipped_automaton(grammar)
    order, edges = numbered(_Rows(joint), joint.starts[spelled(rule, grammar)])
    stops = [joint.stop(0, state) for state in order]
    final = {state for state, stop in enumerate(stops) if stop.may_end}
    return Automaton(_classes(grammar), edges, final, [stop.groups for stop in stops])


@cache
def _classes(grammar: str) -> tuple[Spans, ...]:
    automaton = shipped_automaton(grammar)
    found: dict[int, list[tuple[int, int]]] = {}
    for first, last, label in automaton.spans():
        spans = found.setdefault(label, [])
        if spans and spans[-1][1] == first - 1:
            spans[-1] = (spans[-1][0], last)
        else:
            spans.append((first, last))
    return tuple(tuple(found.get(label, ())) for label in range(max(found) + 1))


# Texts that distinguish a rule from its mutants: the rules that result from one edit of it.

_Kept: TypeAlias = "tuple[list[tuple[str, str]], int, int, int, int]"


class Witnesses(NamedTuple):
    """The texts that detect single edits of a rule and of the rules that it leads to.

    texts: few texts, each with a description of the first edit that it detects; together they
        detect every edit that changes the rule, but for the undecided ones.
    mutants: how many edits there are.
    equal: how many of them change nothing, so that no text can detect them.
    undecided: how many of them took too long to decide.
    enough: how many of the texts, the first, detect every edit; the others detect some of them once
        more, in the other of two ways.
    """

    texts: tuple[tuple[str, str], ...]
    mutants: int
    equal: int
    undecided: int
    enough: int


def kept_witnesses(rule: str, grammar: str = "rfc3986") -> Witnesses | None:
    """Return the witnesses found when a grammar was compiled; None for rules without a search."""
    name = spelled(rule, grammar)
    if name not in WITNESSED[grammar]:
        return None
    texts, *numbers = cast("_Kept", load(grammar, "witnesses").json(name))
    return Witnesses(tuple((text, edit) for text, edit in texts), *numbers)
