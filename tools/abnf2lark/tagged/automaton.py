"""Tagged automata (Laurikari 2000): one deterministic pass that also finds the captures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from abnf2lark.automata import Alphabet
from abnf2lark.automata.language import Numbers, blocks, by_label
from abnf2lark.config import Settings
from abnf2lark.ir import Alt, Numbering, Ref, Rule, RuleSet, grouped, memoized, reachable
from abnf2lark.reading.positions import Unfolding

Values: TypeAlias = tuple[tuple[int, int], ...]  # constants, and what each becomes


class Notes(NamedTuple):
    """What is to be noted before the next character: places (a bit for each), and constants."""

    places: int
    values: Values


NOTHING = Notes(0, ())


class AmbiguousTagsError(Exception):
    """One value for each place is not enough to describe the components of texts."""


class Act(NamedTuple):
    """What an edge or an end notes, so many octets ``back``, and clears (bits as in ``held``)."""

    notes: Notes
    cleared: int = 0
    back: int = 0


IDLE = Act(NOTHING)


class Step(NamedTuple):
    """An edge: where it leads, and what it does."""

    target: int
    act: Act


Row: TypeAlias = dict[int, Step]


@dataclass(slots=True)
class Tagged:
    """Rules of a grammar in one automaton: a start for each, a row and an end for each state."""

    starts: dict[str, int] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    ends: list[Act | None] = field(default_factory=list)


# What a tagged automaton reports of a text: where each field is, and of which kind.
#
# It follows from the settings. A rule that becomes a field is marked by its span. Where a field
# has kinds ("host:IPv6"), its span is that of the innermost rule that contains all the kinds, and
# which of them is there is a constant. The class of a record is a constant of its whole text.


@dataclass(frozen=True, slots=True)
class Mark:
    """What is noted of a rule: a field's number, or a constant and its value; ``inner`` in it."""

    span: int | None = None
    constant: tuple[int, int] | None = None
    inner: "Mapping[str, Mark]" = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Layout:
    """All that is reported of the texts of a grammar's records.

    fields: their names, in the order of the settings.
    constants: for each constant the values that it can have; the first is the record's class.
    kinds: the number of the constant that says of what kind a field is, for those that have kinds.
    owners: the rule whose span such a field has.
    """

    fields: tuple[str, ...]
    constants: tuple[tuple[str, ...], ...]
    kinds: dict[str, int]
    owners: dict[str, str]
    marks: dict[str, Mark]

    @property
    def tags(self) -> int:
        """Count the places that are noted: two for each field."""
        return 2 * len(self.fields)


def layout(grammar: RuleSet, settings: Settings) -> Layout:
    """Return what is reported of the records of a grammar."""
    wanted = {rule: (*name.partition(":")[::2],) for rule, name in settings.fields.items()}
    fields = tuple(dict.fromkeys(name for name, _ in wanted.values()))
    constants = [tuple(dict.fromkeys(settings.records.values()))]
    kinds: dict[str, int] = {}
    owners: dict[str, str] = {}
    inside: dict[str, Mark] = {}
    for number, name in enumerate(fields):
        rules = {rule: kind for rule, (own, kind) in wanted.items() if own == name}
        if not any(rules.values()):
            inside.update(dict.fromkeys(rules, Mark(number)))
            continue
        kinds[name] = len(constants)
        constants.append(tuple(dict.fromkeys(rules.values())))
        values = {kind: value for value, kind in enumerate(constants[-1], start=1)}
        inner = {rule: Mark(constant=(kinds[name], values[k])) for rule, k in rules.items()}
        owners[name] = _owner(grammar, rules)
        inside[owners[name]] = Mark(number, inner=inner)
    marks = {
        rule: Mark(constant=(0, constants[0].index(kind) + 1), inner=inside)
        for rule, kind in settings.records.items()
    }
    return Layout(fields, tuple(constants), kinds, owners, marks)


def _owner(grammar: RuleSet, rules: Mapping[str, str]) -> str:
    """Return the innermost rule that leads to all of the given ones, or AmbiguousTagsError."""
    below = {name: reachable(grammar, [name]) for name in grammar.rules}
    holding = [name for name in below if rules.keys() <= set(below[name]) - {name}]
    if not holding:
        raise AmbiguousTagsError(f"{', '.join(rules)} are kinds of a field, and no rule holds them")
    return min(holding, key=lambda name: len(below[name]))


def choices(grammar: RuleSet, marks: Mapping[str, Mark]) -> dict[str, tuple[str, ...]]:
    """Return the rules that yield records: each with the marked rules to try in its place."""
    found: dict[str, tuple[str, ...]] = {rule: (rule,) for rule in marks}
    for name in grammar.own:
        body = grammar.rules[name].body
        items = body.items if isinstance(body, Alt) else ()
        names = [item.name for item in items if isinstance(item, Ref) and item.name in marks]
        if names and len(names) == len(items):
            found[name] = tuple(names)
    return found


# A rule unfolded into the ways to read it, in the order in which they are tried.
#
# Alternatives are tried as they are written, what is optional before what comes after it: the
# order in which a matcher tries them. Marks are positions, too.

_Way: TypeAlias = tuple[int, Notes]


@dataclass
class Threads(Unfolding["Mapping[str, Mark]"]):
    """The positions of rules: what each reads and notes, and the next ones in order."""

    rules: Mapping[str, Rule]
    alphabet: Alphabet
    notes: dict[int, Notes] = field(default_factory=dict)

    def reads(self, thread: "_Thread") -> Iterable[int]:
        """Return the classes of the characters that a thread reads next."""
        chars = self.characters[thread.position]
        return () if chars is None else self.alphabet.classes(chars)

    def rule_at(self, name: str, after: int, marks: Mapping[str, Mark]) -> int:
        """Add the positions of a rule, those that note its mark around them."""
        mark = marks.get(name)
        body = self.rules[name].body
        if mark is None:
            return self.unfold(body, after, marks)
        begin = end = 0
        if mark.span is not None:
            begin, end = 1 << 2 * mark.span, 2 << 2 * mark.span
        values = (mark.constant,) if mark.constant is not None else ()
        leave = self.position([after], marks)
        self.notes[leave] = Notes(end, values)
        first = self.unfold(body, leave, mark.inner)
        if begin:
            first = self.position([first], marks)
            self.notes[first] = Notes(begin, ())
        return first

    @memoized
    def ways(self, start: int) -> tuple[_Way, ...]:
        """Return the reachable positions that read or end, in their order, and what each notes."""
        return (*self.closed([(start, NOTHING)], self.noted),)

    def noted(self, position: int, so_far: Notes) -> Notes:
        """Add what is noted at a position."""
        own = self.notes.get(position)
        if own is None:
            return so_far
        values = tuple(sorted({**dict(so_far.values), **dict(own.values)}.items()))
        return Notes(so_far.places | own.places, values)


def merged(made: Tagged) -> Tagged:
    """Merge the states that go on alike; number the rest in the order of their discovery."""
    ways, ends = Numbering[tuple[int, Act]](), Numbering[Act]()
    sink = len(made.rows)
    rows: dict[int, dict[int, int]] = {sink: {}}
    for state, (row, end) in enumerate(zip(made.rows, made.ends, strict=True)):
        rows[state] = {ways[label, step.act]: step.target for label, step in row.items()}
        if end is not None:  # a way of its own for each end, which keeps ends apart
            rows[state][-1 - ends[end]] = sink
    block = blocks(rows, {sink})
    of_block = {number: state for state, number in block.items()}  # any state of each
    numbers = Numbering[int]()
    found = Tagged({name: numbers[block[start]] for name, start in made.starts.items()})
    for number in numbers.order:
        found.ends.append(made.ends[of_block[number]])
        steps = sorted(made.rows[of_block[number]].items())
        found.rows.append({label: Step(numbers[block[goal]], act) for label, (goal, act) in steps})
    return found


def earlier(made: Tagged) -> Tagged:
    """Move constants from ends to edges, so that more states can be merged."""
    within = {
        constant for row in made.rows for s in row.values() for constant, _ in s.act.notes.values
    }
    ending = {constant for end in made.ends if end for constant, _ in end.notes.values}
    for constant in sorted(ending - within):
        made = _earlier(made, constant)
    return made


def _earlier(made: Tagged, constant: int) -> Tagged:
    coming = _coming(made, constant)
    starts = {*made.starts.values()}
    rows: list[Row] = []
    for state, row in enumerate(made.rows):
        settled = len(coming[state]) == 1 and state not in starts
        rows.append({})
        for label, step in row.items():
            values = coming[step.target]
            (value,) = values if len(values) == 1 and not settled else (None,)
            act = step.act
            if value is not None:
                noted = tuple(sorted({**dict(act.notes.values), constant: value}.items()))
                act = act._replace(notes=Notes(act.notes.places, noted))
            rows[-1][label] = Step(step.target, act)
    ends = [*made.ends]
    for state, end in enumerate(made.ends):
        if end and len(coming[state]) == 1 and state not in starts:
            others = tuple(one for one in end.notes.values if one[0] != constant)
            ends[state] = end._replace(notes=Notes(end.notes.places, others))
    return Tagged(made.starts, rows, ends)


def _coming(made: Tagged, constant: int) -> list[set[int | None]]:
    """Return for each state the values that a constant can have at the ends it leads to."""
    rows = enumerate(made.rows)
    back = grouped((target, state) for state, row in rows for target, _ in {*row.values()})
    coming: list[set[int | None]] = [
        set() if end is None else {dict(end.notes.values).get(constant)} for end in made.ends
    ]
    pending = [state for state, values in enumerate(coming) if values]
    while pending:
        here = pending.pop()
        for state in back.get(here, ()):
            if not coming[here] <= coming[state]:
                coming[state] |= coming[here]
                pending.append(state)
    return coming


# From ordered threads to one deterministic automaton that notes places on its edges.
#
# A state is the list of threads that are in progress, the one to be preferred first; of two that
# reach the same position the later is dropped, since all that follows is the same for
# both. What a thread is to note at a place is noted by the edge that reads the character there,
# so that an edge writes nothing within a run of characters. All threads note in the same
# places: one value for each describes a text. Where two threads that are both in progress
# would have noted a place at different times, that cannot be, and the rule is refused. Where the
# last thread that holds a place dies, the edge clears it, and the state where a text ends clears
# what is not its thread's; so what is present depends on what was noted, not on the state, and
# states stay few.


class _Thread(NamedTuple):
    """A position: what it notes at the next character, and what it has noted, in bits ``held``."""

    position: int
    notes: Notes
    held: int


def tagged(grammar: RuleSet, alphabet: Alphabet, told: Layout, names: tuple[str, ...]) -> Tagged:
    """Make the automaton of rules; :class:`AmbiguousTagsError` where a place needs two values."""
    made = Tagged()
    for name in names:
        threads = Threads(grammar.rules, alphabet)
        first = threads.unfold(Ref(name), threads.position([], {}), told.marks)
        _Maker(threads, told, name).into(made, first)
    return merged(earlier(merged(made)))


class _Maker:
    def __init__(self, threads: Threads, told: Layout, rule: str) -> None:
        self.threads = threads
        self.told = told
        self.rule = rule
        # A field is there if its end is: beginnings need no clearing.
        ends = sum(2 << 2 * number for number in range(len(told.fields)))
        self.clearable = ends | -1 << told.tags

    def into(self, made: Tagged, first: int) -> None:
        shift = len(made.rows)
        made.starts[self.rule] = shift
        start = tuple(_Thread(at, notes, 0) for at, notes in self.threads.ways(first))
        numbers = Numbers(start)
        for state in numbers.order:
            made.ends.append(self.end(state))
            held = held_by(state)

            def step(reading: tuple[_Thread, ...], held: int = held) -> Step:
                target, act = self.after(held, reading)
                return Step(numbers[target] + shift, act)

            made.rows.append(by_label(state, self.threads.reads, step))

    def after(self, before: int, reading: tuple[_Thread, ...]) -> tuple[tuple[_Thread, ...], Act]:
        """Return the state after a character that threads read, and the act of its edge."""
        found: dict[int, _Thread] = {}
        living: dict[_Thread, None] = {}
        for thread in reading:
            held = thread.held
            if thread.notes is not NOTHING:
                held |= self.bits(thread.notes)
            for target in self.threads.following[thread.position]:
                for position, notes in self.threads.ways(target):
                    if position not in found:
                        found[position] = _Thread(position, notes, held)
                        living[thread] = None
        after = tuple(found.values())
        lost = before & ~held_by(after) & self.clearable
        act = Act(self.together(tuple(living)), lost)
        return after, IDLE if act == IDLE else act

    def together(self, living: tuple[_Thread, ...]) -> Notes:
        """Return what threads note at one character, if they agree."""
        if all(thread.notes is NOTHING for thread in living):
            return NOTHING
        places, values = 0, dict[int, int]()
        for thread in living:
            places |= thread.notes.places
            for constant, value in thread.notes.values:
                if values.setdefault(constant, value) != value:
                    self.refuse(1 << self.told.tags + constant)
        noted = Notes(places, tuple(sorted(values.items())))
        written = self.bits(noted)
        for thread in living:
            self.refuse(written & thread.held & ~self.bits(thread.notes))
        return noted

    def refuse(self, bits: int) -> None:
        if not bits:
            return
        number = bits.bit_length() - 1
        told = self.told
        what = (
            f"where {told.fields[number // 2]} {'ends' if number % 2 else 'begins'}"
            if number < told.tags
            else f"which of {', '.join(told.constants[number - told.tags])} it is"
        )
        raise AmbiguousTagsError(
            f"{self.rule}: two ways to read a text are in progress at once that do not agree {what}"
        )

    def bits(self, notes: Notes) -> int:
        return notes.places | sum(1 << self.told.tags + constant for constant, _ in notes.values)

    def end(self, state: tuple[_Thread, ...]) -> Act | None:
        for thread in state:
            if not self.threads.following[thread.position]:
                own = thread.held | self.bits(thread.notes)
                return Act(thread.notes, held_by(state) & ~own & self.clearable)
        return None


def held_by(state: tuple[_Thread, ...]) -> int:
    """Return what some thread of a state has noted."""
    held = 0
    for thread in state:
        held |= thread.held
    return held
