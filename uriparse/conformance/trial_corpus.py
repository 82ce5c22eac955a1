"""The trial corpus: what is known of each text before any parser is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse.conformance.generation import compiled
from uriparse.conformance.rule_automata import LINE_ENDS, StateCover, stand_ins
from uriparse.errors import excerpt
from uriparse.grammar.automata import DEAD

if TYPE_CHECKING:
    from uriparse.conformance.suites import Subject


# Kinds of characters, for people: a parser usually accepts all of a kind or none.

THE_END: Final = "the end"

_SURROGATES: Final = range(0xD800, 0xE000)


def kind(character: str) -> str:
    """Name the kind of a character; `""` is the end of a text."""
    if not character:
        return THE_END
    if character in LINE_ENDS:
        return "a line end"
    if ord(character) in _SURROGATES:
        return "a surrogate"
    if not character.isascii():
        return "non-ASCII"
    if character == " ":
        return "a space"
    if not character.isprintable():
        return "a control"
    if character.isalnum():
        return "DIGIT" if character.isdigit() else "ALPHA"
    return excerpt.named(character)


# Where RFC 3986 says what its rules are.


class Passage(NamedTuple):
    """A sentence of RFC 3986: its section, and its number in the prose of that, from 1."""

    section: str
    sentence: int

    def __str__(self) -> str:
        return f"{self.section}, sentence {self.sentence}"


PASSAGES: Final = {
    **dict.fromkeys(("URI", "hier-part"), Passage("3", 1)),
    "scheme": Passage("3.1", 3),
    "authority": Passage("3.2", 3),
    "userinfo": Passage("3.2.1", 1),
    "host": Passage("3.2.2", 1),
    "IP-literal": Passage("3.2.2", 11),
    "IPvFuture": Passage("3.2.2", 13),
    "IPv6address": Passage("3.2.2", 17),
    "h16": Passage("3.2.2", 21),
    "ls32": Passage("3.2.2", 23),
    **dict.fromkeys(("IPv4address", "dec-octet"), Passage("3.2.2", 25)),
    "reg-name": Passage("3.2.2", 27),
    "port": Passage("3.2.3", 1),
    "path-abempty": Passage("3.3", 3),
    **dict.fromkeys(("path-absolute", "path-rootless"), Passage("3.3", 4)),
    **dict.fromkeys(("path-noscheme", "segment-nz-nc"), Passage("3.3", 5)),
    **dict.fromkeys(("path", "segment", "segment-nz", "pchar"), Passage("3.3", 8)),
    "path-empty": Passage("3.3", 9),
    "query": Passage("3.4", 2),
    "fragment": Passage("3.5", 3),
    **dict.fromkeys(("URI-reference", "relative-ref", "relative-part"), Passage("4.1", 2)),
    "absolute-URI": Passage("4.3", 1),
    "pct-encoded": Passage("2.1", 2),
}
"""Where RFC 3986 says what its rules and components are."""


# Where in a rule a state of its automaton is: the component that is in progress.

END: Final = -1
"""Stands for the end of a text among the classes of characters."""


class AutomatonStep(NamedTuple):
    """What may come after a state: a class of characters, or `END`."""

    state: int
    label: int


class ComponentMap:
    """The components of a rule, by the states of its automaton."""

    def __init__(self, subject: Subject) -> None:
        from abnf2lark.ir import reachable  # noqa: PLC0415 - slow to load

        self._subject = subject
        self._automaton = subject.labelled
        grammar = compiled(subject.source)
        self._inner = {rule: {*reachable(grammar, [rule])} for rule in grammar.rules}
        self._components = tuple(self._component(state) for state in range(len(self._automaton)))

    def component(self, state: int) -> str:
        """Return the one component in progress or about to begin; else the rule around them all."""
        return self._components[state]

    def is_shared(self, state: int) -> str:
        """Name the rule in progress if several components share it, as pct-encoded; else `""`."""
        rules = {group.rule for group in self._automaton.groups[state]}
        [rule, *more] = rules or {""}
        return "" if more or len(self._users.get(rule, ())) < 2 else rule

    def entered(self, state: int) -> str:
        """Return the component that is in progress, `""` if none is, or the rule itself."""
        every = dict.fromkeys(group.component for group in self._automaton.groups[state])
        names = [name for name in every if name]
        return self._around(names) if names and names[0] != self._subject.rule else ""

    def reached(self, step: AutomatonStep) -> str:
        """Return the component that a step leads to; an ending stays where it is."""
        row = self._automaton.edges[step.state]
        return self.component(step.state if step.label == END else row[step.label])

    @cached_property
    def taken(self) -> Counter[str]:
        """How many steps lead to each component; an ending is one."""
        return Counter(self.reached(step) for step, taken in self._steps() if taken)

    @cached_property
    def refused(self) -> Counter[str]:
        """How many steps each component refuses, an ending among them."""
        return Counter(self.component(step.state) for step, taken in self._steps() if not taken)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All components in the order in which a text reaches them."""
        return tuple(dict.fromkeys(self._components))

    @cached_property
    def _users(self) -> dict[str, set[str]]:
        """The components in whose states each rule is in progress."""
        found: dict[str, set[str]] = {}
        for groups in self._automaton.groups:
            for group in groups:
                if group.component not in ("", group.rule):
                    found.setdefault(group.rule, set()).add(group.component)
        return found

    def _steps(self) -> Iterator[tuple[AutomatonStep, bool]]:
        for state, row in enumerate(self._automaton.edges):
            yield AutomatonStep(state, END), state in self._automaton.final
            for label in range(len(self._automaton.classes)):
                yield AutomatonStep(state, label), label in row

    def _component(self, state: int) -> str:
        if entered := self.entered(state):
            return entered
        begun = Counter(
            after
            for target in self._automaton.edges[state].values()
            if (after := self.entered(target))
        )
        return begun.most_common(1)[0][0] if begun else self._subject.rule

    def _around(self, names: Sequence[str]) -> str:
        """Return the first component, or the smallest rule around it and the others."""
        first = names[0]
        beside = [
            name
            for name in names
            if name not in self._inner.get(first, ()) and first not in self._inner.get(name, ())
        ]
        if not beside:
            return first
        around = [rule for rule, inner in self._inner.items() if inner >= {first, *beside}]
        return min(around, key=lambda rule: len(self._inner[rule]), default=first)


# Texts that test each component, also where the automaton has one state for several.
#
# The smallest automaton has one state for what can follow in a path and a query; parsers have code
# for each. So the texts of a suite are made of its steps, and those of a trial of all places as
# well.


def component_texts(subject: Subject, characters: str = "all") -> Iterator[str]:
    """Yield texts for each state of the automaton that distinguishes components.

    Each character, taken or refused, and after it the way to an end; after one that is refused
    also a step that could be taken before it, as in `[::%0]`.
    """
    automaton = subject.labelled
    cover = StateCover(automaton)
    for state, word in enumerate(cover.prefixes):
        yield word
        row = automaton.edges[state]
        for label, spans in enumerate(automaton.classes):
            target = row.get(label, DEAD)
            end = cover.suffixes[state if target == DEAD else target]
            for number, character in enumerate(stand_ins(spans, characters)):
                yield word + character + end
                if target == DEAD and not number:
                    yield from (
                        word + character + cover.samples[next_one] + cover.suffixes[after]
                        for next_one, after in sorted(row.items())[:1]
                    )


COMPONENT, STATE, KIND, CHARACTER = range(4)
"""How wide a feature is, the widest first."""


class Fact(NamedTuple):
    """A text, and what the rule says of it.

    text: the text.
    valid: whether it belongs to the rule.
    offset: where it stops; its length where it does not.
    step: the step that is refused there; for a text that belongs, its ending.
    component: the one that is in progress there.
    kind: what is there: the kind of character, or `"broken pct-encoded"`.
    """

    text: str
    valid: bool
    offset: int
    step: AutomatonStep
    component: str
    kind: str


class Feature(NamedTuple):
    """What a text has in common with others that a parser may reject for it.

    width: a `COMPONENT` as a whole, a `STATE`, a `KIND` of character after a state, or a
        `CHARACTER`; of features that explain as much the widest is taken.
    component: the one that it is in.
    state: the state.
    what: the kind or the character; `""` for the widest two.
    """

    width: int
    component: str
    state: int
    what: str


class TrialCorpus:
    """The texts of a trial.

    subject: the rule that parsers are compared with.
    component_map: its components.
    facts: what it says of each text.
    """

    def __init__(self, subject: Subject, texts: Iterable[str], *, masks: bool = False) -> None:
        """Judge texts by the rule.

        masks: whether no character is named that may be of a password.
        """
        self.subject = subject
        self.component_map = ComponentMap(subject)
        self._masks = masks
        self._features: dict[str, tuple[Feature, ...]] = {}
        self.facts = tuple(self._fact(text) for text in dict.fromkeys(texts))

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts alone, each once."""
        return tuple(fact.text for fact in self.facts)

    def steps(self, text: str) -> Iterator[AutomatonStep]:
        """Yield the steps of a text that belongs to the rule, its ending last."""
        automaton = self.subject.labelled
        state = 0
        for character in text:
            label = automaton.class_of(character)
            yield AutomatonStep(state, label)
            state = automaton.edges[state][label]
        yield AutomatonStep(state, END)

    def steps_with(self, feature: Feature, text: str) -> Iterator[AutomatonStep]:
        """Yield the steps by which a text has a feature that is a character, or a kind of them."""
        for character, step in zip([*text, ""], self.steps(text), strict=True):
            what = {KIND: kind(character), CHARACTER: character}.get(feature.width)
            if step.state == feature.state and what == feature.what:
                yield step

    def features(self, fact: Fact) -> tuple[Feature, ...]:
        """Return what a text that belongs to the rule consists of."""
        if fact.text not in self._features:
            self._features[fact.text] = tuple(dict.fromkeys(self._found(fact.text)))
        return self._features[fact.text]

    def mostly(self, fact: Fact) -> str:
        """Return the component that most characters of a text that belongs to the rule lead to."""
        steps = map(self.component_map.reached, self.steps(fact.text))
        return Counter(steps).most_common(1)[0][0]

    def _fact(self, text: str) -> Fact:
        automaton = self.subject.labelled
        offset, state = automaton.read(text)
        at_end = offset == len(text)
        step = AutomatonStep(state, END if at_end else automaton.class_of(text[offset]))
        shared = self.component_map.is_shared(state)
        start, end = self._masked(text)
        if start <= offset < end:
            what = "a masked character"
        else:
            what = f"broken {shared}" if shared else kind(text[offset : offset + 1])
        valid = at_end and state in automaton.final
        return Fact(text, valid, offset, step, self.component_map.component(state), what)

    def _found(self, text: str) -> Iterator[Feature]:
        state = 0
        automaton = self.subject.labelled
        start, end = self._masked(text)
        for at, character in enumerate(text):
            before, state = state, automaton.step(state, character)
            component = self.component_map.component(state)
            if entered := self.component_map.entered(state):
                yield Feature(COMPONENT, entered, 0, "")
            yield Feature(STATE, component, state, "")
            if not start <= at < end:
                yield Feature(KIND, component, before, kind(character))
                yield Feature(CHARACTER, component, before, character)
        yield Feature(KIND, self.component_map.component(state), state, kind(""))

    def _masked(self, text: str) -> tuple[int, int]:
        return (excerpt.secret_span(text) if self._masks else None) or (0, 0)
