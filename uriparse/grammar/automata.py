"""The generated automata of rules: the longest valid prefix of a text, and all states of a rule."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias, cast

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

_BEGIN, _MOST_BEGUN = 8, 1 << 12
"""Characters of a begin that is read once, and how many of these are kept."""

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
    """The end of a prefix: its offset, whether the text may end there, and what could follow.

    expected: the words of the groups, each once, and "end" if the text may end.
    names: the rules of the groups, and their components.
    state: of the automaton of the grammar, for `continued`.
    """

    offset: int
    may_end: bool
    groups: tuple[Group, ...]
    expected: tuple[str, ...]
    names: frozenset[str]
    state: int


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


def continues(prefix: LongestPrefix, text: str, grammar: str) -> bool:
    """Return whether some text of the rule begins with a prefix, then with a text."""
    return shipped_automaton(grammar).read(text, prefix.state)[0] == len(text)


def takes(character: str, grammar: str = "rfc3986") -> bool:
    """Return whether some text of a grammar's widest rule contains a character.

    UnknownRuleError for an unknown grammar.
    """
    return shipped_automaton(grammar).takes(character)


class DiagnosisAutomaton:
    """The joint automaton of the rules of a grammar; rows are decoded when first entered."""

    __slots__ = (
        *("_bounds", "_classes", "_groups", "_label_of", "_labels", "_leaps", "_rows", "_states"),
        *("_alphabet", "_begun", "_decoded", "_words", "ascii_classes", "starts"),
    )

    def __init__(self, tables: Section) -> None:
        self._states = tables.grid("states")
        self._bounds, self._classes = tables.numbers("bounds"), tables.numbers("classes")
        self._alphabet = tables.numbers("taken")
        self._label_of, self._labels = tables.numbers("label_of"), tables.lists("labels")
        self._groups, self._words = tables.lists("groups"), tables.words("words")
        self._rows: dict[int, tuple[int, ...]] = {}
        self._leaps: dict[int, re.Pattern[str] | None] = {}
        self._decoded: dict[
            int, tuple[bool, tuple[Group, ...], tuple[str, ...], frozenset[str]]
        ] = {}
        self._begun: dict[tuple[int, str], tuple[int, int]] = {}
        self.ascii_classes = tables.numbers("ascii")
        self.starts = tables.mapping("starts")

    def read(self, text: str, state: int) -> tuple[int, int]:
        """Read from `state` on; return the offset at which no step is possible, and the state.

        After some single steps it tries to leap over all that leads back to the same state. A state
        inside a round has other rounds than the first one, so a leap is tried from as many
        consecutive states as a round has characters.
        """
        length = len(text)
        if length <= _BEGIN:
            return self._read(text, 0, state)
        # Many texts begin alike.
        key = state, text[:_BEGIN]
        begun = self._begun.get(key)
        if begun is None:
            if len(self._begun) >= _MOST_BEGUN:
                self._begun.clear()
            begun = self._begun[key] = self._read(key[1], 0, state)
        return begun if begun[0] < _BEGIN else self._read(text, *begun)

    def _read(self, text: str, offset: int, state: int) -> tuple[int, int]:
        ascii_classes, rows = self.ascii_classes, self._rows
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
        return LongestPrefix(offset, *self._decoded[label], state)

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


class States(NamedTuple):
    """The states of a rule's automaton, by number; 0 is the first.

    classes: characters that the grammar never distinguishes, as ranges of code points in order.
    edges: for each state the next one by the number of the class; classes that cannot follow are
        missing.
    endings: for each state whether a text may end there.
    groups: for each state what the rules that have begun expect, the outermost first.
    """

    classes: tuple[Spans, ...]
    edges: tuple[Mapping[int, int], ...]
    endings: tuple[bool, ...]
    groups: tuple[tuple[Group, ...], ...]


@cache
def states(rule: str, grammar: str = "rfc3986") -> States:
    """Decode the automaton of a rule; states are numbered in breadth-first order.

    UnknownRuleError for an unknown rule.
    """
    automaton = shipped_automaton(grammar)
    first = automaton.starts[spelled(rule, grammar)]
    numbers = {first: 0}
    edges: list[dict[int, int]] = []
    order = [first]
    for state in order:  # grows meanwhile
        row: dict[int, int] = {}
        for label, after in enumerate(automaton.row(state)):
            if after == NONE:
                continue
            if after not in numbers:
                numbers[after] = len(numbers)
                order.append(after)
            row[label] = numbers[after]
        edges.append(row)
    stops = [automaton.stop(0, state) for state in order]
    return States(
        _classes(grammar),
        tuple(edges),
        tuple(stop.may_end for stop in stops),
        tuple(stop.groups for stop in stops),
    )


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
    """Return the witnesses found when a grammar was compiled; None for rules without a search.

    UnknownRuleError for an unknown rule.
    """
    name = spelled(rule, grammar)
    if name not in WITNESSED[grammar]:
        return None
    texts, *numbers = cast("_Kept", load(grammar, "witnesses").json(name))
    return Witnesses(tuple((text, edit) for text, edit in texts), *numbers)
