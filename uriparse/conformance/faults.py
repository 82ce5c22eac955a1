"""What a parser gets wrong, in groups that have one cause as far as can be told."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from uriparse import excerpt
from uriparse.conformance.docket import CHARACTER, COMPONENT
from uriparse.conformance.kinds import THE_END

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from uriparse.conformance.answers import Answer
    from uriparse.conformance.docket import Docket, Fact, Feature
    from uriparse.conformance.places import Step

Direction: TypeAlias = Literal["accepts", "rejects", "differs", "rewrites"]

_FEW = 4


class Part(NamedTuple):
    """Texts of a group that are alike.

    what: the kind of character, or how a component differs.
    number: how many there are.
    witness: the shortest.
    """

    what: str
    number: int
    witness: str


class Fault(NamedTuple):
    """A group of errors: one component, and what becomes of it.

    direction: `"accepts"` what the rule refuses, `"rejects"` what it takes; a component that
        `"differs"` from the text's own; what the parser `"rewrites"` when it writes the text again.
    component: where the text stops, or what is rejected, or differs.
    title: the same in words: `'query accepts "]"'`.
    parts: the most frequent first.
    steps: how many steps of the rule's automaton are concerned; 0 where they do not count, or
        each is taken elsewhere and it is a combination that is rejected.
    of: of how many that this component refuses, or that lead to it for `"rejects"`.
    """

    direction: Direction
    component: str
    title: str
    parts: tuple[Part, ...]
    steps: int
    of: int

    @property
    def number(self) -> int:
        """How many texts show it."""
        return sum(part.number for part in self.parts)

    @property
    def witness(self) -> str:
        """The shortest text that shows it."""
        return shortest(part.witness for part in self.parts)


def wrongly_accepted(docket: Docket, answers: Sequence[Answer | None]) -> Iterator[Fault]:
    """Group the texts that a parser accepts against the rule by where they stop, and at what."""
    found: dict[str, list[Fact]] = {}
    known: dict[str, set[str]] = {}
    for fact, said in zip(docket.facts, answers, strict=True):
        if said is None or fact.valid:
            continue
        known.setdefault(fact.component, set()).add(fact.kind)
        if said.accepts:
            found.setdefault(fact.component, []).append(fact)
    for component in _in_order(docket, found):
        facts = found[component]
        parts = parted((fact.kind, fact.text) for fact in facts)
        kinds = {part.what for part in parts}
        title = f"{component} accepts {_listed(kinds, known[component])}"
        steps = len({fact.step for fact in facts})
        yield Fault("accepts", component, title, parts, steps, docket.places.refused[component])


def wrongly_rejected(docket: Docket, answers: Sequence[Answer | None]) -> Iterator[Fault]:
    """Group the texts that a parser rejects against the rule by what they have in common.

    What they have and no text that it accepts has; the features that explain most texts first.
    Where nothing is theirs alone, it is a combination that is rejected, in the component that most
    of the text is.
    """
    rejected: list[Fact] = []
    innocent: set[Feature] = set()
    walked: set[Step] = set()
    for fact, said in zip(docket.facts, answers, strict=True):
        if said is None or said.accepts is None or not fact.valid:
            continue
        if said.accepts:
            innocent.update(docket.features(fact))
            walked.update(docket.steps(fact.text))
        else:
            rejected.append(fact)
    missed = {step for fact in rejected for step in docket.steps(fact.text)} - walked
    found: dict[str, list[tuple[Feature | None, Fact]]] = {}
    for feature, facts in _explained(docket, rejected, innocent):
        for fact in facts:
            component = feature.component if feature else docket.mostly(fact)
            found.setdefault(component, []).append((feature, fact))
    for component in _in_order(docket, found):
        cases = found[component]
        parts = parted((_reason(feature), fact.text) for feature, fact in cases)
        steps = {step for step in missed if docket.places.reached(step) == component}
        for feature, fact in cases:
            steps.update(docket.steps_with(feature, fact.text) if feature else ())
        title = _rejection(component, parts)
        yield Fault("rejects", component, title, parts, len(steps), docket.places.taken[component])


def parted(cases: Iterable[tuple[str, str]]) -> tuple[Part, ...]:
    """Put together what is alike: pairs of what it is, and the text."""
    found: dict[str, list[str]] = {}
    for what, text in cases:
        found.setdefault(what, []).append(text)
    parts = [Part(what, len(texts), shortest(texts)) for what, texts in found.items()]
    return tuple(sorted(parts, key=lambda part: (-part.number, part.what)))


def shortest(texts: Iterable[str]) -> str:
    """Give the shortest text, one that can be read if there is such."""
    return min(texts, key=lambda text: (len(text), not (text.isascii() and text.isprintable())))


def _explained(
    docket: Docket, rejected: Sequence[Fact], innocent: set[Feature]
) -> Iterator[tuple[Feature | None, list[Fact]]]:
    """Yield features with the texts that they explain, each text once; None explains the rest."""
    suspected = {
        fact: [each for each in docket.features(fact) if each not in innocent] for fact in rejected
    }
    by_feature: dict[Feature, list[Fact]] = {}
    for fact, features in suspected.items():
        for feature in features:
            by_feature.setdefault(feature, []).append(fact)
    counts = Counter({feature: len(facts) for feature, facts in by_feature.items()})
    done: set[Fact] = set()
    while counts:
        best = min(counts, key=lambda each: (-counts[each], each))
        facts = [fact for fact in by_feature[best] if fact not in done]
        yield best, facts
        done.update(facts)
        for fact in facts:
            counts.subtract(suspected[fact])
        counts = +counts
    rest = [fact for fact in rejected if fact not in done]
    if rest:
        yield None, rest


def _reason(feature: Feature | None) -> str:
    if feature is None:
        return "a combination"
    if feature.width == CHARACTER:
        return excerpt.named(feature.what)
    return feature.what or ("all" if feature.width == COMPONENT else "in places")


def _rejection(component: str, parts: Sequence[Part]) -> str:
    reasons = {part.what for part in parts}
    if "all" in reasons:
        return f"rejects {component}"
    if "in places" in reasons:
        return f"rejects some {component}"
    return f"{component} rejects {_listed(reasons, set())}"


def _in_order(docket: Docket, components: Iterable[str]) -> list[str]:
    """Put components in the order in which a text comes to them."""
    order = {name: number for number, name in enumerate(docket.places.names)}
    return sorted(components, key=lambda name: order.get(name, len(order)))


def _listed(kinds: set[str], known: set[str]) -> str:
    """Name kinds, or those of the known ones that are missing, where these are fewer."""
    missing = known - kinds
    if known and not missing - {THE_END}:
        return "anything"
    if known and len(missing) < min(len(kinds), _FEW):
        return f"anything but {_joined(sorted(missing))}"
    signs = sorted(name for name in kinds if name[0] in "'\"")
    others = sorted(kinds - set(signs))
    if len(signs) > _FEW:
        signs = [f"{len(signs)} signs"]
    return _joined([*signs, *others])


def _joined(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
