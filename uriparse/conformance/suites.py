"""Finite test suites for a rule, each with a guarantee about any parser that passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

from uriparse._base.coerce import as_choice, refusal
from uriparse.conformance import rule_automata
from uriparse.conformance.operations import operation_suite, taken_apart
from uriparse.diagnosis import join_words
from uriparse.errors import SchemeError, UnknownRuleError, URIError, excerpt
from uriparse.grammar.automata import DEAD, Automaton
from uriparse.grammar.rule_sources import OwnGrammar, Source, as_grammar, source_of
from uriparse.parsing import try_parse
from uriparse.schemes import RFC1738, access_plan, parse_url

if TYPE_CHECKING:
    from uriparse.grammar import Expression
    from uriparse.records import URIReference


# Expressions of a grammar written as ABNF (RFC 5234, RFC 7405), for messages.


def abnf(subject: Subject, rule: str) -> str:
    """Write a rule of the subject's grammar as ABNF for a file; `""` if it has no such rule."""
    expression = subject.source.expressions.get(rule)
    return "" if expression is None else f"{rule} = {written(expression)}"


def written(expression: Expression) -> str:
    """Write an expression."""
    from abnf2lark.ir import spelled  # noqa: PLC0415 - for messages alone

    return spelled(as_grammar({"": expression}).rules[""].body)


# The rows of a suite: a text, whether it belongs to the rule, and what it tests.


class SuiteRow(NamedTuple):
    """A text, the verdict on it, and what it is there for.

    text: as it is, lone surrogates and line ends included.
    valid: whether it belongs to the rule.
    method: what it comes from: `"transition"`, `"hsi"`, `"mutants"` or `"components"`.
    component: the component that is in progress at the character that it tests, or where it stops;
        `""` between components.
    rule: the rule that is in progress there.
    tests: what it tests: `'"(" for pchar at offset 9'`.
    offset: where it stops, in characters from 0; None for a text that belongs.
    expected: ABNF words for what was allowed there, `"end"` among them; empty for a text that
        belongs.
    components: of a reference that belongs, its seven components by name, None for an absent one;
        of a URL of RFC 1738, the fields of its record, and as "plan" the octets, as characters,
        that a client sends, if they are known. None for all other texts, and for rules of a part
        of a reference.
    """

    text: str
    valid: bool
    method: str
    component: str
    rule: str
    tests: str
    offset: int | None
    expected: tuple[str, ...]
    components: dict[str, str | None] | None


class RowMaker:
    """Makes the rows of the cases of one rule."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._automaton = subject.labelled
        self._expressions = subject.source.expressions
        self._begins = cache(self._looked_up)

    def row(self, case: Case, method: str) -> SuiteRow:
        """Judge a text, and say what it tests."""
        text = case.text
        offset, state = self._automaton.read(text)
        valid = offset == len(text) and state in self._automaton.final
        at = min(case.at, offset)
        here = self._automaton.read(text[:at]).state if at < offset else state
        component, rule, word = self._under_way(here, text[at : at + 1])
        tests = self._tested(text, at, word, here)
        if case.edit:
            tests = f"{case.edit}; {tests}"
        if valid:
            parts = self._subject.components(text)
            return SuiteRow(text, True, method, component, rule, tests, None, (), parts)
        component, rule, _ = self._under_way(state, text[offset : offset + 1])
        expected = self._expected(state)
        return SuiteRow(text, False, method, component, rule, tests, offset, expected, None)

    def _tested(self, text: str, at: int, word: str, state: int) -> str:
        is_end = at == len(text)
        found = "end" if is_end else excerpt.named(text[at])
        if is_end and state in self._automaton.final:
            return f"end at offset {at}"
        if word and not is_end:
            return f"{found} for {word} at offset {at}"
        return f"{found} at offset {at}, for {join_words(self._expected(state))}"

    def _expected(self, state: int) -> tuple[str, ...]:
        groups = self._automaton.groups[state]
        words = tuple(dict.fromkeys(word for group in groups for word in group.words))
        return (*words, "end") if state in self._automaton.final else words

    def _under_way(self, state: int, character: str) -> tuple[str, str, str]:
        """Return component, rule and word of the first group that takes a character (else '')."""
        groups = self._automaton.groups[state]
        for component, rule, words in groups:
            for word in words:
                if character and self._begins(word, character):
                    return component, rule, word
        component, rule = groups[0][:2] if groups else ("", self._subject.rule)
        return component, rule, ""

    def _looked_up(self, word: str, character: str) -> bool:
        """Return whether what an ABNF word represents can begin with a character."""
        if word.startswith('"'):
            return word[1].casefold() == character.casefold() and character.isascii()
        code = ord(character)
        if word.startswith("%x"):
            ends = [part.removeprefix("%x").partition("-") for part in word.split(" / ")]
            return any(int(low, 16) <= code <= int(high or low, 16) for low, _, high in ends)
        return self._can_begin(self._expressions[word], code)

    def _can_begin(self, expression: Expression, code: int) -> bool:
        """Return whether a word of a short, named rule's expression can begin with a character."""
        match expression:
            case ("chars", tuple(ranges)):
                return any(low <= code <= high for low, high in ranges)
            case ("text", str(value)):
                return ord(value[0]) == code
            case ("ref", str(rule)):
                return self._can_begin(self._expressions[rule], code)
            case ("alt", tuple(items)):
                return any(self._can_begin(item, code) for item in items)
            case ("seq", (tuple(first), *_)) | ("rep", tuple(first), _, _):
                return self._can_begin(first, code)
            case _:
                raise TypeError(expression)


# The texts of a suite, by the method that they come from.


class Case(NamedTuple):
    """A text, the offset that it tests, and the edit or mistake that it detects, or ''."""

    text: str
    at: int
    edit: str = ""


def transition_cases(subject: Subject, characters: str) -> Iterator[Case]:
    """Take each step of the automaton once, and each that it refuses, and see where it leads.

    After a step comes nothing, then a shortest way to an end. A character that is refused may be
    passed over by mistake, or read as one that fits: after it comes the way to an end from the
    state before it, and from each that follows that.
    """
    automaton, cover = subject.automaton, subject.cover
    for state, word in enumerate(cover.prefixes):
        yield Case(word, len(word))
        followers = _followers(automaton, state)
        for label, spans in enumerate(automaton.classes):
            target = automaton.edges[state].get(label, DEAD)
            for number, character in enumerate(rule_automata.stand_ins(spans, characters)):
                if not number:
                    yield Case(word + character, len(word))
                # Foreign digits and the like are mostly read as what most characters are there.
                wrong = dict.fromkeys([state, *followers[: 1 if number else None]])
                for goal in wrong if target == DEAD else [target]:
                    yield Case(word + character + cover.suffixes[goal], len(word))


def _followers(automaton: Automaton, state: int) -> list[int]:
    """Return the states after a state, that to which most characters lead first."""
    widths: dict[int, int] = {}
    for label, target in automaton.edges[state].items():
        width = sum(high - low + 1 for low, high in automaton.classes[label])
        widths[target] = widths.get(target, 0) + width
    return sorted(widths, key=lambda target: (-widths[target], target))


def component_cases(subject: Subject) -> Iterator[Case]:
    """Yield references that detect parsers which split them wrongly, if the rule has components."""
    for kind in ("components", "recomposition"):
        for case in operation_suite(kind, size="tiny"):
            text = str(case.expected if kind == "recomposition" else case.given["text"])
            if subject.record(text) is not None:
                yield Case(text, len(text), case.tells)


def hsi_cases(subject: Subject, characters: str, extra_states: int) -> Iterator[Case]:
    """Take all steps from each state, so many more after them, and identify where they end."""
    automaton, cover = subject.automaton, subject.cover
    own = {
        state: tuple("".join(cover.samples[label] for label in word) for word in words)
        for state, words in rule_automata.identifiers(automaton).items()
    }
    every = range(len(automaton.classes))
    starts = [*enumerate(cover.prefixes)]
    if (refused := first_refused(subject)) is not None:
        starts.append((DEAD, refused))
    for state, word in starts:
        yield from (Case(word + suffix, len(word)) for suffix in own[state])
        for length in range(extra_states + 1):
            for label, *rest in product(every, repeat=length + 1):
                tail = "".join(cover.samples[number] for number in rest)
                suffixes = own[automaton.after(state, (label, *rest))]
                for character in rule_automata.stand_ins(automaton.classes[label], characters):
                    before = word + character + tail
                    yield from (Case(before + suffix, len(word)) for suffix in suffixes)


def hsi_size(subject: Subject, characters: str, extra_states: int) -> int:
    """Count the cases of `hsi_cases` without making them; some of them have the same text."""
    automaton = subject.automaton
    counts = {state: len(words) for state, words in rule_automata.identifiers(automaton).items()}
    widths = [len(rule_automata.stand_ins(spans, characters)) for spans in automaton.classes]
    here = Counter(range(len(automaton)))
    if first_refused(subject) is not None:
        here[DEAD] = 1
    total = sum(counts[state] for state in here)
    for length in range(extra_states + 1):
        after: Counter[int] = Counter()
        for state, count in here.items():
            for label, width in enumerate(widths):
                after[automaton.after(state, (label,))] += count if length else count * width
        here = after
        total += sum(counts[state] * count for state, count in here.items())
    return total


def mutant_cases(subject: Subject) -> Iterator[Case]:
    """Yield the texts that distinguish the rule from each that one edit makes of its grammar."""
    for text, edit in subject.source.witnesses(subject.rule).texts:
        offset, _ = subject.automaton.read(text)
        yield Case(text, offset, edit)


def first_refused(subject: Subject) -> str | None:
    """Return a shortest text that no text of the rule begins with; None if there is none."""
    automaton, cover = subject.automaton, subject.cover
    found = (
        word + cover.samples[label]
        for state, word in enumerate(cover.prefixes)
        for label in range(len(automaton.classes))
        if label not in automaton.edges[state]
    )
    return min(found, key=len, default=None)


# A rule under test: its automata, and words through them.


@dataclass(eq=False)
class Subject:
    """A rule of a grammar, and what is known of it; each thing is computed when first asked for.

    rule: its name, in the spelling of its grammar.
    source: its grammar.
    """

    rule: str
    source: Source

    @cached_property
    def labelled(self) -> Automaton:
        """The automaton whose states say what is in progress and what is expected."""
        return rule_automata.merged(self.source.automaton(self.rule))

    @cached_property
    def automaton(self) -> Automaton:
        """The smallest automaton."""
        return rule_automata.minimal(self.labelled)

    def record(self, text: str) -> URIReference | None:
        """Return the components of a text; None if it has none, or the rule none."""
        if isinstance(self.source, OwnGrammar):
            return None
        try:
            return try_parse(text, self.rule, grammar=self.source.name)
        except UnknownRuleError:
            return None

    def components(self, text: str) -> dict[str, str | None] | None:
        """Return the parts of a text that belongs, by name, as a `SuiteRow` has them."""
        if (record := self.record(text)) is not None:
            return taken_apart(record)
        scheme = RFC1738.get(self.rule.removesuffix("url"))
        if scheme is None or (self.rule, self.source) != (scheme.rule, source_of("rfc1738")):
            return None
        try:
            url = parse_url(text, registry=RFC1738)
        except SchemeError:  # in the rule, but refused by the RFC's prose
            return None
        parts = {name: _joined(value) for name, value in url.as_dict().items()}
        with suppress(SchemeError):
            plan = access_plan(url)
            commands = getattr(plan, "commands", ())
            lines = (f"{one}\r\n".encode() if one.prompt else one.octets for one in commands)
            sent = b"".join(lines) or getattr(plan, "request", b"")
            parts["plan"] = sent.decode("latin-1") or None
        return parts

    @cached_property
    def cover(self) -> rule_automata.StateCover:
        """Words to each state of the smallest automaton, and from there to an end."""
        return rule_automata.StateCover(self.automaton)


def _joined(value: object) -> str | None:
    """Write a field as the URL has it: names of a path, or pairs."""
    if not isinstance(value, tuple):
        return None if value is None else str(value)
    pairs = [f";{'='.join(one)}" for one in value if isinstance(one, tuple)]
    return "".join(pairs) or "/".join(map(str, value))


def subject(rule: str = "URI", grammar: str | Source = "rfc3986") -> Subject:
    """Return a rule of a shipped grammar, by name, or of one that `read_abnf` has read.

    UnknownRuleError for an unknown rule.

    >>> found = subject("URI")
    >>> len(found.labelled), len(found.automaton), len(found.automaton.classes)
    (247, 179, 21)
    """
    source = source_of(grammar)
    return _subject(source.rule_name(rule), source)


@lru_cache(maxsize=64)
def _subject(rule: str, source: Source) -> Subject:
    return Subject(rule, source)


EDITS: Final = (
    "a part of a sequence, a literal or a letter of one left out, doubled, or made optional",
    "a part of a sequence swapped with the next",
    "an alternative left out, left empty, or swapped with the next",
    "a bound of a repetition moved by one, lifted, or set to one",
    "an end of a range of characters moved by one",
    "a character of a literal left out, doubled, or with its neighbour or other case allowed",
    "a reference to another rule of the same body, or whose name has the same first word",
    "a reference to another rule of the same kind: of three characters at most, or a run of those",
)
"""What an edit of a grammar may be, for the method `mutants`."""

NOT_PROMISED: Final = (
    "Edits of other kinds are not promised to be found: a part repeated without a limit, a "
    "character more at one place, or one less in the middle of a range."
)


Method: TypeAlias = Literal["standard", "transition", "mutants", "hsi"]
Characters: TypeAlias = Literal["one", "borders", "suspects", "all"]

METHODS: Final[tuple[Method, ...]] = get_args(Method)
CHARACTERS: Final[tuple[Characters, ...]] = get_args(Characters)

MAX_ROWS: Final = 5_000_000
"""A suite with more rows is refused: another method is better then."""

MAX_DEPTH: Final = 8
"""Each level multiplies the states of the automaton."""


class SuiteTooLargeError(URIError):
    """A suite would pass `MAX_ROWS`. The message says how many rows it would have."""


@dataclass(eq=False)
class Suite:
    """Texts with verdicts, in the same order each time; a row is made when it is reached.

    subject: the rule that it is for.
    method: one of `METHODS`.
    characters: which characters stand for a class: one of `CHARACTERS`.
    extra_states: how many states more than the rule a parser may have, for `hsi`.
    depth: how many levels of a recursive rule are looked into; None for all others.
    """

    subject: Subject
    method: Method
    characters: Characters
    extra_states: int
    depth: int | None = None

    def __post_init__(self) -> None:
        self._cases: dict[str, tuple[Case, str]] = {}
        for name, case in self._made():
            if case.text not in self._cases and not self._is_beyond(case.text):
                self._cases[case.text] = (case, name)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._cases)

    def __iter__(self) -> Iterator[SuiteRow]:
        """Make the rows, one after the other."""
        rows = RowMaker(self.subject)
        return (rows.row(case, name) for case, name in self._cases.values())

    def _is_beyond(self, text: str) -> bool:
        """Whether a text is one of the rule, but of more levels than its automaton has."""
        if self.depth is None:
            return False
        own, source = self.subject.automaton, self.subject.source
        offset, state = own.read(text)
        if offset == len(text) and state in own.final:
            return False
        return isinstance(source, OwnGrammar) and source.is_deeper(text, self.subject.rule)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts alone, in the order of the rows."""
        return tuple(self._cases)

    @property
    def size(self) -> str:
        """How many rows there are, and for what: one sentence."""
        automaton = self.subject.automaton
        return (
            f"{len(self):,} texts for {self.subject.rule} of {self.subject.source.name}, whose "
            f"automaton has {_count(len(automaton), 'state')} and distinguishes "
            f"{_count(len(automaton.classes), 'class', 'classes')} of characters."
        )

    @property
    def guarantee(self) -> str:
        """The faults that a parser that passes cannot have, and the assumption: one sentence."""
        if self.method == "hsi":
            states = len(self.subject.automaton) + 1 + self.extra_states
            sentence = (
                f"A parser that passes accepts the texts of the rule and no others, if it reads by "
                f"an automaton of at most {states:,} states (that of refusal counted) and treats "
                f"the characters of each class alike."
            )
        elif self.method == "transition":
            sentence = f"A parser that passes does not read by {_FAULTS}."
        else:
            more = "" if self.method == "mutants" else f"; nor does it read by {_FAULTS}"
            sentence = f"{_mutants(self.subject)}{more}."
        if self.depth is None:
            return sentence
        levels = _count(self.depth, "level")
        return f"Of texts whose rules are nested to {levels}: {sentence[0].lower()}{sentence[1:]}"

    def _made(self) -> Iterator[tuple[str, Case]]:
        if self.method == "hsi":
            made = hsi_cases(self.subject, self.characters, self.extra_states)
            yield from (("hsi", case) for case in made)
        if self.method in ("transition", "standard"):
            made = transition_cases(self.subject, self.characters)
            yield from (("transition", case) for case in made)
        if self.method in ("mutants", "standard"):
            yield from (("mutants", case) for case in mutant_cases(self.subject))
        if self.method == "standard":
            yield from (("components", case) for case in component_cases(self.subject))


def suite(
    rule: str = "URI",
    *,
    grammar: str | Source = "rfc3986",
    method: Method = "standard",
    characters: Characters | None = None,
    extra_states: int = 0,
    depth: int | None = None,
) -> Suite:
    """Make a finite suite for a rule.

    `transition`: every step of the rule's smallest automaton is taken once and led on to an end,
    and every character that it refuses is put where it is refused, between others and in place of
    each that is taken there. Excludes: a parser that reads by the rule's own automaton but for an
    end that is allowed or refused by mistake, a step that leads nowhere, or a refused class of
    characters that is passed over or read as one that is taken.

    `hsi`: no parser passes that reads by an automaton of no more states than the rule's (the state
    of refusal counted, `extra_states` more allowed), treats the characters of each class alike and
    accepts another language. Few mistakes that people make are of that kind.

    `mutants`: no parser passes that reads by the rule with one edit in its grammar (`EDITS`), made
    in a rule or in one place that refers to it.

    `standard`: `transition` with all characters, and `mutants`; for rules of references also texts
    that detect parsers which split them wrongly.

    rule: its name, in any letter case.
    grammar: a shipped grammar, by name, or one that `read_abnf` has read.
    method: what the suite is made by.
    characters: what represents a class of characters: `one` of them, which can be read; the
        `borders` of its ranges as well; the `suspects` in it as well (line ends, controls,
        digits and letters of other scripts); or `all`. By default `all` for `standard`, `one`
        for the others; `mutants` have their own.
    extra_states: for `hsi`; each multiplies the suite by the number of classes.
    depth: for a rule that leads back to itself, in a grammar that `read_abnf` has read: how
        many levels are looked into. Only `transition` is for such rules, and no row is a text
        of more levels.

    UnknownRuleError for an unknown rule, TypeError and ValueError for what is not among the
    choices, SuiteTooLargeError if there would be more than `MAX_ROWS` rows.

    >>> found = suite("dec-octet", method="transition")
    >>> print(found.size)
    44 texts for dec-octet of rfc3986, whose automaton has 6 states and distinguishes \
7 classes of characters.
    >>> for row in list(found)[1:4]:
    ...     print(row.text, row.valid, row.tests)
    a False "a" at offset 0, for dec-octet
    a0 False "a" at offset 0, for dec-octet
    0 True "0" for dec-octet at offset 0
    """
    method = as_choice(method, "method", METHODS)
    usual: Characters = "all" if method == "standard" else "one"
    chosen = usual if characters is None else as_choice(characters, "characters", CHARACTERS)
    if type(extra_states) is not int:
        raise refusal(extra_states, "extra_states", "an int")
    if extra_states < 0 or (extra_states and method != "hsi"):
        raise ValueError("extra_states are for the method hsi, 0 or more of them")
    if depth is not None:
        if type(depth) is not int:
            raise refusal(depth, "depth", "an int")
        if not 0 <= depth <= MAX_DEPTH:
            raise ValueError(f"depth is from 0 to {MAX_DEPTH}, not {depth}")
        if method != "transition" or not isinstance(grammar, OwnGrammar):
            raise ValueError("depth is for the method transition, and for a grammar of one's own")
        grammar = grammar.to_depth(depth)
    of = subject(rule, grammar)
    if method == "hsi" and (rows := hsi_size(of, chosen, extra_states)) > MAX_ROWS:
        raise SuiteTooLargeError(
            f"hsi with {_count(extra_states, 'extra state')} would have {rows:,} rows for "
            f"{of.rule}, which is more than {MAX_ROWS:,}; ask for fewer"
        )
    return Suite(of, method, chosen, extra_states, depth)


def _count(number: int, what: str, many: str = "") -> str:
    return f"{number:,} {what if number == 1 else many or what + 's'}"


_FAULTS: Final = (
    "the rule's automaton with one of these faults: a text may end after one more state, or one "
    "fewer; after one state a class of characters is refused that the rule takes there, or one "
    "that the rule refuses there is passed over, or read as one that the rule takes"
)


def _mutants(of: Subject) -> str:
    found = of.source.witnesses(of.rule)
    told = found.mutants - found.equal - found.undecided
    given_up = f"; {found.undecided:,} were given up" if found.undecided else ""
    return (
        f"A parser that passes does not read by any of the {told:,} rules that one edit of the "
        f"grammar makes of this one ({found.mutants:,} edits, of which {found.equal:,} change "
        f"nothing{given_up}): all {told:,} are found"
    )
