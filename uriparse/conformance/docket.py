"""What is known of the texts of a trial before any parser is asked."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from uriparse import excerpt
from uriparse.conformance.kinds import kind
from uriparse.conformance.places import END, Places, Step
from uriparse.conformance.sources import Shipped
from uriparse.errors import UnknownRuleError
from uriparse.parsing import try_parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from uriparse.conformance.subjects import Subject
    from uriparse.parsing import Record


COMPONENT, STATE, KIND, CHARACTER = range(4)
"""How wide a feature is, the widest first."""


class Fact(NamedTuple):
    """A text, and what the rule says of it.

    text: the text.
    valid: whether it belongs to the rule.
    offset: where it stops; its length where it does not.
    step: the step that is refused there; for a text that belongs, its ending.
    component: the one that is under way there.
    kind: what stands there: the kind of character, or `"broken pct-encoded"`.
    """

    text: str
    valid: bool
    offset: int
    step: Step
    component: str
    kind: str


class Feature(NamedTuple):
    """What a text has in common with others that a parser may reject for it.

    width: a `COMPONENT` as a whole, a `STATE`, a `KIND` of character behind a state, or a
        `CHARACTER`; of features that explain as much the widest is taken.
    component: the one that it is in.
    state: the state.
    what: the kind or the character; `""` for the widest two.
    """

    width: int
    component: str
    state: int
    what: str


class Docket:
    """The texts of a trial.

    Attributes:
        subject: the rule that parsers are held to.
        places: its components.
        facts: what it says of each text.

    """

    def __init__(self, subject: Subject, texts: Iterable[str], *, masks: bool = False) -> None:
        """Judge texts by the rule.

        masks: whether no character is named that may be of a password.
        """
        self.subject = subject
        self.places = Places(subject)
        self._masks = masks
        self.facts = tuple(self._fact(text) for text in dict.fromkeys(texts))

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts alone, each once."""
        return tuple(fact.text for fact in self.facts)

    def steps(self, text: str) -> Iterator[Step]:
        """Yield the steps of a text that belongs to the rule, its ending last."""
        automaton = self.subject.telling
        state = 0
        for character in text:
            label = automaton.class_of(character)
            yield Step(state, label)
            state = automaton.edges[state][label]
        yield Step(state, END)

    def steps_with(self, feature: Feature, text: str) -> Iterator[Step]:
        """Yield the steps by which a text has a feature that is a character, or a kind of them."""
        for character, step in zip([*text, ""], self.steps(text), strict=True):
            what = {KIND: kind(character), CHARACTER: character}.get(feature.width)
            if step.state == feature.state and what == feature.what:
                yield step

    def features(self, fact: Fact) -> tuple[Feature, ...]:
        """Give what a text that belongs to the rule consists of."""
        if fact.text not in self._features:
            self._features[fact.text] = tuple(dict.fromkeys(self._found(fact.text)))
        return self._features[fact.text]

    def mostly(self, fact: Fact) -> str:
        """Give the component that most characters of a text that belongs to the rule lead to."""
        steps = map(self.places.reached, self.steps(fact.text))
        return Counter(steps).most_common(1)[0][0]

    def record(self, text: str) -> Record | None:
        """Give the components of a text; None if it has none, or the rule none."""
        if not isinstance(self.subject.source, Shipped):
            return None
        try:
            return try_parse(text, self.subject.rule, grammar=self.subject.source.name)
        except UnknownRuleError:
            return None

    @cached_property
    def _features(self) -> dict[str, tuple[Feature, ...]]:
        return {}

    def _fact(self, text: str) -> Fact:
        automaton = self.subject.telling
        offset, state = automaton.read(text)
        at_end = offset == len(text)
        step = Step(state, END if at_end else automaton.class_of(text[offset]))
        shared = self.places.is_shared(state)
        start, end = self._masked(text)
        if start <= offset < end:
            what = "a masked character"
        else:
            what = f"broken {shared}" if shared else kind(text[offset : offset + 1])
        valid = at_end and state in automaton.final
        return Fact(text, valid, offset, step, self.places.component(state), what)

    def _found(self, text: str) -> Iterator[Feature]:
        state = 0
        automaton = self.subject.telling
        start, end = self._masked(text)
        for at, character in enumerate(text):
            before, state = state, automaton.step(state, character)
            component = self.places.component(state)
            if entered := self.places.entered(state):
                yield Feature(COMPONENT, entered, 0, "")
            yield Feature(STATE, component, state, "")
            if not start <= at < end:
                yield Feature(KIND, component, before, kind(character))
                yield Feature(CHARACTER, component, before, character)
        yield Feature(KIND, self.places.component(state), state, kind(""))

    def _masked(self, text: str) -> tuple[int, int]:
        return (excerpt.secret_span(text) if self._masks else None) or (0, 0)
