"""The automaton that finds the offset of an error, and its tables."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from abnf2lark import ir
from abnf2lark.automata import Alphabet, TooLargeError, spend
from abnf2lark.automata.language import Numbers, blocks, by_label
from abnf2lark.charts.network import spelled
from abnf2lark.reading.large_parts import lengths
from abnf2lark.reading.positions import Unfolding
from abnf2lark.tables.packing import Parts

# Tables for exact error messages: how far a text can go on, and what could have followed.
#
# For every rule an automaton reads the longest viable prefix of a text: a prefix of some word. Each
# state says which rules are in progress and what ABNF expects next. The automata of all rules of a
# grammar are minimized together; states that say different things stay apart.

MAX_POSITIONS = 400_000  # of a rule unfolded; about 200 MB

Item: TypeAlias = tuple[int, int]  # a position, and how many rules around it are in progress
# (component, rule, words): what an open rule expects next
Group: TypeAlias = tuple[str, str, tuple[str, ...]]
Label: TypeAlias = tuple[bool, tuple[Group, ...]]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The joint automaton: ``rows[state]`` maps a character class to the next state."""

    starts: dict[str, int]
    rows: list[dict[int, int]]
    labels: list[Label]


def diagnosis(
    grammar: ir.RuleSet, public: tuple[str, ...], components: frozenset[str], alphabet: Alphabet
) -> Diagnosis:
    """Build the joint automaton of all public rules."""
    # A rule of one to three characters is expected by its name: a character, or its escape.
    small = frozenset(name for name, (low, high) in lengths(grammar).items() if 0 < low <= high < 4)
    starts: dict[str, int] = {}
    rows: list[dict[int, int]] = []
    labels: list[Label] = []
    for name in public:
        maker = _DiagnosisMaker(grammar, alphabet, components, small)
        own_rows, own_labels = maker.automaton(name)
        shift = len(rows)
        starts[name] = shift
        rows.extend({a: t + shift for a, t in row.items()} for row in own_rows)
        labels.extend(own_labels)
    return _minimized(starts, rows, labels)


@dataclass
class _DiagnosisMaker(Unfolding["tuple[str, ...]"]):
    """The unfolded positions of a rule: what each reads, and the rules around it."""

    grammar: ir.RuleSet
    alphabet: Alphabet
    components: frozenset[str]
    small: frozenset[str]

    def position(
        self, ways: list[int], around: tuple[str, ...], chars: ir.Chars | None = None
    ) -> int:
        if len(self.following) == MAX_POSITIONS:
            raise TooLargeError
        return super().position(ways, around, chars)

    def classes(self, position: int) -> Iterable[int]:
        """Return the classes that are read at a position."""
        chars = self.characters[position]
        return () if chars is None else self.alphabet.classes(chars)

    def word(self, position: int) -> str:
        """Return what is read at a position as ABNF writes it: the rest of a text, or a set."""
        chars = self.characters[position] or ir.Chars(())
        literal = chars.literal
        rest = literal.value[literal.place :] if literal and literal.exact else ""
        return f'"{rest}"' if rest else spelled(chars)

    def automaton(self, name: str) -> tuple[list[dict[int, int]], list[Label]]:
        """Make the automaton of a rule; a state is a list of items in written order."""
        end = self.position([], ())
        first = self.unfold(ir.Ref(name), end, ())
        numbers = Numbers(tuple(self.closure([(first, 0)])))
        rows: list[dict[int, int]] = []
        labels: list[Label] = []

        @cache
        def after(position: int) -> dict[Item, None]:
            depth = len(self.paths[position])
            return self.closure([(target, depth) for target in self.following[position]])

        def state_after(positions: tuple[int, ...]) -> int:
            return numbers[(*{item: None for position in positions for item in after(position)},)]

        for state in numbers.order:
            spend(len(state))
            labels.append(self.label(state, end))
            positions = dict.fromkeys(position for position, _ in state)
            rows.append(by_label(positions, self.classes, state_after))
        return rows, labels

    def rule_at(self, name: str, after: int, path: tuple[str, ...]) -> int:
        leave = self.position([after], path)
        inside = self.unfold(self.grammar.rules[name].body, leave, (*path, name))
        return self.position([inside], path)

    def closure(self, items: list[Item]) -> dict[Item, None]:
        """Follow the steps that read nothing; keep how many outer rules are in progress."""
        return self.closed(items, lambda at, depth: min(depth, len(self.paths[at])), once=False)

    def label(self, state: tuple[Item, ...], end: int) -> Label:
        groups: dict[tuple[str, str], dict[str, None]] = {}
        for position, depth in state:
            if position == end:
                continue
            path = self.paths[position]
            under_way, fresh = path[:depth], path[depth:]
            rule = under_way[-1] if under_way else path[0]
            component = next((r for r in reversed(under_way) if r in self.components), "")
            word = next((r for r in fresh if r in self.small), self.word(position))
            groups.setdefault((component, rule), {}).setdefault(word)
        ended = any(position == end for position, _ in state)
        return ended, tuple((c, r, tuple(words)) for (c, r), words in groups.items())


def _minimized(
    starts: dict[str, int], rows: list[dict[int, int]], labels: list[Label]
) -> Diagnosis:
    """Merge states that say the same and go on the same."""
    # A step of its own for each label, which keeps labels apart.
    steps = ir.Numbering(*labels)
    sink = len(rows)
    plain = {state: {**row, -1 - steps[labels[state]]: sink} for state, row in enumerate(rows)}
    found = blocks({**plain, sink: {}}, {sink})
    numbers = ir.Numbering(*map(found.__getitem__, plain))
    block = [numbers[found[state]] for state in plain]
    merged_rows: list[dict[int, int]] = [{} for _ in numbers]
    merged_labels: list[Label] = [(False, ())] * len(numbers)
    for state, number in enumerate(block):
        merged_rows[number] = {label: block[t] for label, t in rows[state].items()}
        merged_labels[number] = labels[state]
    return Diagnosis({n: block[s] for n, s in starts.items()}, merged_rows, merged_labels)


def diagnosis_content(found: Diagnosis, start: str, alphabet: Alphabet) -> bytes:
    """Return the section ``diagnosis``; ``start`` is the widest rule.

    To find how far a text can go on: begin in the state ``starts[rule]``. The class of a character
    is ``ascii[code]`` below 128; above, it is ``classes[n]`` for the last ``bounds[n]`` that is not
    above its code point. The next state is in row ``state`` and column ``class`` of ``states``.
    ``labels[label_of[state]]`` holds 1 if the text may end there, else 0, then numbers of
    ``groups``: for each rule in progress the numbers in ``words`` of its component, perhaps "", of
    its name, and of the ABNF words that it expects next. ``taken`` are the classes of characters in
    texts of the widest rule.

    Raises :class:`OverflowError` for more states than a cell can number.
    """
    labels = ir.Numbering(*found.labels)
    # Classes that lead to the same states share a number.
    columns = ir.Numbering[tuple[int | None, ...]]()
    classes = range(alphabet.size)
    merged = [columns[tuple(row.get(label) for row in found.rows)] for label in classes]
    width = max(merged) + 1
    shown = [merged.index(number) for number in range(width)]
    beyond = _beyond(alphabet, merged)
    groups = ir.Numbering(*(group for _, own in labels for group in own))
    words = ir.Numbering[str]()
    numbered = [[words[word] for word in (one, rule, *others)] for one, rule, others in groups]
    made = Parts()
    made.mapping("starts", found.starts)
    made.numbers("ascii", [merged[alphabet.class_of(chr(code))] for code in range(128)])
    made.numbers("bounds", [first for first, _ in beyond])
    made.numbers("classes", [label for _, label in beyond])
    seen = ir.reached([found.starts[start]], lambda state: found.rows[state].values())
    made.numbers("taken", sorted({merged[label] for state in seen for label in found.rows[state]}))
    made.grid("states", [[row.get(label) for label in shown] for row in found.rows], width)
    made.numbers("label_of", [labels[label] for label in found.labels])
    made.lists("labels", [(ended, *(groups[g] for g in own)) for ended, own in labels])
    made.words("words", words)
    made.lists("groups", numbered)
    return made.content


def _beyond(alphabet: Alphabet, merged: list[int]) -> list[tuple[int, int]]:
    """Return where classes change above ASCII: (first code point, class)."""
    spans = sorted(
        (max(low, 128), merged[label])
        for label in range(alphabet.size)
        for low, high in alphabet.chars([label]).ranges
        if high >= 128 and low <= ir.MAX_CODE_POINT
    )
    return [
        span for before, span in zip([(0, -1), *spans], spans, strict=False) if span[1] != before[1]
    ]


def rules_text(grammar: ir.RuleSet, public: tuple[str, ...], header: str) -> str:
    """Return a module that holds every rule the public ones lead to, as nested tuples."""
    lines = [
        header,
        "# ('chars', ranges) ('text', value) ('ref', rule) ('seq', items) ('alt', items)",
        "# ('rep', item, low, high or -1)",
        "RULES: dict[str, tuple[object, ...]] = {",
    ]
    lines += [
        f"    {name!r}: {nested(grammar.rules[name].body)!r},"
        for name in ir.reachable(grammar, public)
    ]
    return "\n".join([*lines, "}", ""])


def nested(node: ir.Node) -> tuple[object, ...]:
    """Return an expression as nested tuples."""
    match node:
        case ir.Chars(ranges):
            return ("chars", ranges)
        case ir.Text(value):
            return ("text", value)
        case ir.Ref(name):
            return ("ref", name)
        case ir.Seq(items):
            return ("seq", tuple(nested(item) for item in items))
        case ir.Alt(items):
            return ("alt", tuple(nested(item) for item in items))
        case ir.Rep(item, low, high):
            return ("rep", nested(item), low, -1 if high is None else high)
        case _:
            raise TypeError(node)
