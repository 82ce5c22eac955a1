"""Other parsers on trial: compared with a rule, and their errors grouped by cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from uriparse._base.coerce import Text, as_items, as_text, refusal
from uriparse.conformance.suites import Method, subject
from uriparse.conformance.suites import suite as suite_of
from uriparse.conformance.trial_corpus import (
    CHARACTER,
    COMPONENT,
    THE_END,
    AutomatonStep,
    Fact,
    Feature,
    TrialCorpus,
    component_texts,
)
from uriparse.diagnosis import join_words
from uriparse.errors import EncodingError, excerpt
from uriparse.grammar.automata import kept_witnesses
from uriparse.percent import unquote_to_bytes

if TYPE_CHECKING:
    from uriparse.grammar.rule_sources import Source


# What a parser says of a text.

Components: TypeAlias = "Mapping[str, str | None]"

NAMES: Final = (
    *("text", "scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"),
)
"""What a mapping of components may hold; `text` is what the parser writes for all of it."""


class Answer(NamedTuple):
    """What a parser says of one text.

    accepts: None where there is no answer.
    components: those of `NAMES` that it reports, None for an absent one; None if it reports none.
    silence: why there is no answer, as "crashed"; `""` where there is one.
    """

    accepts: bool | None
    components: Components | None = None
    silence: str = ""


def answer(value: object) -> Answer:
    """Read what a parser returns: what is true accepts, what is false, None or empty rejects.

    A mapping accepts and has the components, unless it is empty or holds the reason of a refusal
    as `"refuses"`. Values that are not a text, a number or None are ignored.

    >>> answer({"host": "h", "port": 80, "query": None, "username": "u"})
    Answer(accepts=True, components={'host': 'h', 'port': '80', 'query': None}, silence='')
    >>> answer(None).accepts, answer(object()).accepts
    (False, True)
    """
    if not isinstance(value, Mapping):
        return REJECTS if not value else ACCEPTS
    if not value or isinstance(value.get("refuses"), str):
        return REJECTS
    reported = {
        name: None if found is None else str(found)
        for name in NAMES
        if name in value and isinstance(found := value[name], str | int | None)
    }
    return Answer(True, reported)


def silent(reason: str) -> Answer:
    """Return what counts as the answer of a parser that crashed, hung or wrote something else."""
    return Answer(None, silence=reason)


ACCEPTS: Final = Answer(True)
REJECTS: Final = Answer(False)

FAULTS: Final = (AttributeError, ImportError, KeyError, NameError, TypeError)
"""Errors of the code that calls a parser, by which no parser rejects a text: not verdicts."""


def reason_of(error: Exception) -> str:
    """Say what an error is, and the message where it names code and not the text."""
    message = f": {error}" if isinstance(error, FAULTS) and not isinstance(error, KeyError) else ""
    return f"{type(error).__name__}{message}"


# The errors of a parser, in groups with one cause as far as that can be found.

Direction: TypeAlias = Literal["accepts", "rejects", "differs", "rewrites"]

_FEW = 4


class TextKind(NamedTuple):
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
    component: where the text stops, or what is rejected, or differs; the rule where it is the same
        in several.
    title: the same in words: `'query accepts "]"'`.
    parts: the most frequent first.
    steps: how many steps of the rule's automaton are concerned; 0 where they do not count, or
        each is taken elsewhere and it is a combination that is rejected.
    of: of how many that this component refuses, or that lead to it for `"rejects"`.
    """

    direction: Direction
    component: str
    title: str
    parts: tuple[TextKind, ...]
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


def wrongly_accepted(corpus: TrialCorpus, answers: Sequence[Answer | None]) -> Iterator[Fault]:
    """Group the texts that are wrongly accepted by where they stop, and at what character."""
    found: dict[str, list[Fact]] = {}
    known: dict[str, set[str]] = {}
    last = _passed_over_at_the_end(corpus, answers)
    for fact, said in zip(corpus.facts, answers, strict=True):
        if said is None or fact.valid:
            continue
        known.setdefault(fact.component, set()).add(fact.kind)
        if said.accepts and fact.text not in last:
            found.setdefault(fact.component, []).append(fact)
    if last:
        facts = list(last.values())
        parts = parted((f"after {fact.component}", fact.text) for fact in facts)
        accepted = _listed({each.kind for each in facts}, set())
        title = f"{corpus.subject.rule} accepts {accepted} after the last character"
        steps = len({fact.step for fact in facts})
        of = sum(corpus.component_map.refused[name] for name in {each.component for each in facts})
        yield Fault("accepts", corpus.subject.rule, title, parts, steps, of)
    for component in _in_order(corpus, found):
        facts = found[component]
        parts = parted((fact.kind, fact.text) for fact in facts)
        kinds = {part.what for part in parts}
        title = f"{component} accepts {_listed(kinds, known[component])}"
        steps = len({fact.step for fact in facts})
        yield Fault(
            "accepts", component, title, parts, steps, corpus.component_map.refused[component]
        )


def _passed_over_at_the_end(
    corpus: TrialCorpus, answers: Sequence[Answer | None]
) -> dict[str, Fact]:
    r"""Return the texts that are accepted for a character after a valid text, as "$" takes "\n".

    It has to be accepted after every text that the parser accepts, in two components at least, and
    only at the end: a component that accepts it in other places keeps it as a fault of its own.
    """
    pairs = [(fact, said.accepts) for fact, said in zip(corpus.facts, answers, strict=True) if said]
    accepted = {fact.text for fact, accepts in pairs if accepts}
    final = corpus.subject.labelled.final
    last: dict[str, list[Fact]] = {}
    elsewhere: dict[str, set[str]] = {}
    refused: set[str] = set()
    kept: set[str] = set()
    for fact, accepts in pairs:
        if fact.offset == len(fact.text) or accepts is None:
            continue
        character = fact.text[fact.offset]
        if fact.step.state in final and fact.offset == len(fact.text) - 1:
            if accepts:
                last.setdefault(character, []).append(fact)
            elif fact.text[:-1] in accepted:
                kept.add(character)
        elif accepts:
            elsewhere.setdefault(character, set()).add(fact.component)
        else:
            refused.add(character)
    found: dict[str, Fact] = {}
    for character in sorted((last.keys() & refused) - kept):
        own = elsewhere.get(character, set())
        facts = [fact for fact in last[character] if fact.component not in own]
        # Where more components take it elsewhere, the end is not what they have in common.
        if len({fact.component for fact in facts}) > max(1, len(own)):
            found.update((fact.text, fact) for fact in facts)
    return found


def wrongly_rejected(corpus: TrialCorpus, answers: Sequence[Answer | None]) -> Iterator[Fault]:
    """Group the texts that a parser rejects against the rule by what they have in common.

    What they have and no text that it accepts has; the features that explain most texts first.
    Where nothing is theirs alone, it is a combination that is rejected, in the component that most
    of the text is.
    """
    rejected: list[Fact] = []
    innocent: set[Feature] = set()
    walked: set[AutomatonStep] = set()
    for fact, said in zip(corpus.facts, answers, strict=True):
        if said is None or said.accepts is None or not fact.valid:
            continue
        if said.accepts:
            innocent.update(corpus.features(fact))
            walked.update(corpus.steps(fact.text))
        else:
            rejected.append(fact)
    missed = {step for fact in rejected for step in corpus.steps(fact.text)} - walked
    found: dict[str, list[tuple[Feature | None, Fact]]] = {}
    for feature, facts in _explained(corpus, rejected, innocent):
        for fact in facts:
            component = feature.component if feature else corpus.mostly(fact)
            found.setdefault(component, []).append((feature, fact))
    for component in _in_order(corpus, found):
        cases = found[component]
        parts = parted((_reason(feature), fact.text) for feature, fact in cases)
        steps = {step for step in missed if corpus.component_map.reached(step) == component}
        for feature, fact in cases:
            steps.update(corpus.steps_with(feature, fact.text) if feature else ())
        title = _rejection(component, parts)
        yield Fault(
            "rejects", component, title, parts, len(steps), corpus.component_map.taken[component]
        )


def parted(cases: Iterable[tuple[str, str]]) -> tuple[TextKind, ...]:
    """Put together what is alike: pairs of what it is, and the text."""
    found: dict[str, list[str]] = {}
    for what, text in cases:
        found.setdefault(what, []).append(text)
    parts = [TextKind(what, len(texts), shortest(texts)) for what, texts in found.items()]
    return tuple(sorted(parts, key=lambda part: (-part.number, part.what)))


def shortest(texts: Iterable[str]) -> str:
    """Return the shortest text, a readable one if there is one."""
    return min(texts, key=lambda text: (len(text), not (text.isascii() and text.isprintable())))


def _explained(
    corpus: TrialCorpus, rejected: Sequence[Fact], innocent: set[Feature]
) -> Iterator[tuple[Feature | None, list[Fact]]]:
    """Yield features with the texts that they explain, each text once; None explains the rest."""
    suspected = {
        fact: [each for each in corpus.features(fact) if each not in innocent] for fact in rejected
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


def _rejection(component: str, parts: Sequence[TextKind]) -> str:
    reasons = {part.what for part in parts}
    if "all" in reasons:
        return f"rejects {component}"
    if "in places" in reasons:
        return f"rejects some {component}"
    return f"{component} rejects {_listed(reasons, set())}"


def _in_order(corpus: TrialCorpus, components: Iterable[str]) -> list[str]:
    """Put components in the order in which a text reaches them."""
    order = {name: number for number, name in enumerate(corpus.component_map.names)}
    return sorted(components, key=lambda name: order.get(name, len(order)))


def _listed(kinds: set[str], known: set[str]) -> str:
    """Name kinds, or those of the known ones that are missing, where these are fewer."""
    missing = known - kinds
    if known and not missing - {THE_END}:
        return "anything"
    if known and len(missing) < min(len(kinds), _FEW):
        return f"anything but {join_words(tuple(sorted(missing)))}"
    signs = sorted(name for name in kinds if name[0] in "'\"")
    others = sorted(kinds - set(signs))
    if len(signs) > _FEW:
        signs = [f"{len(signs)} signs"]
    return join_words((*signs, *others))


# How components that a parser reports differ from those of the text.


def differing(corpus: TrialCorpus, answers: Sequence[Answer | None]) -> Iterator[Fault]:
    """Group the texts, valid and accepted, for which a parser reports other components."""
    found: dict[str, list[tuple[str, str]]] = {}
    for fact, said in zip(corpus.facts, answers, strict=True):
        if said is None or not said.components or not fact.valid:
            continue
        record = corpus.subject.record(fact.text)
        if record is None:
            continue
        for name, theirs in said.components.items():
            ours = None if name == "text" else getattr(record, name)
            if name != "text" and (what := difference(None if ours is None else str(ours), theirs)):
                found.setdefault(name, []).append((what, fact.text))
    for name, cases in found.items():
        parts = parted(cases)
        title = f"{name} is reported {join_words(tuple(part.what for part in parts))}"
        yield Fault("differs", name, title, parts, 0, 0)


def rewriting(corpus: TrialCorpus, answers: Sequence[Answer | None]) -> Iterator[Fault]:
    """Put together valid accepted texts that a parser rewrites, by the component that differs."""
    cases: list[tuple[str, str]] = []
    for fact, said in zip(corpus.facts, answers, strict=True):
        again = (said.components or {}).get("text") if said and fact.valid else None
        if again is None or again == fact.text:
            continue
        pairs = zip(fact.text, again, strict=False)
        at = next((at for at, (one, other) in enumerate(pairs) if one != other), len(again))
        state = corpus.subject.labelled.read(fact.text[:at]).state
        what = "otherwise"
        if _same_but_spelled(fact.text, again):
            what = difference(fact.text, again)
        elif len(fact.text) != len(again):
            is_longer = len(again) > len(fact.text)
            what = f"with something {'added' if is_longer else 'left out'}"
        cases.append((f"{corpus.component_map.component(state)} {what}", fact.text))
    if cases:
        title = "writes again otherwise than it was written"
        yield Fault("rewrites", corpus.subject.rule, title, parted(cases), 0, 0)


def difference(ours: str | None, theirs: str | None) -> str:
    """Say how what a parser reports differs from what is written; `""` if it does not."""
    if ours == theirs:
        return ""
    if ours is None:
        return "as empty where it is absent" if theirs == "" else "where it is absent"
    if theirs is None:
        return "as absent" if ours else "as absent where it is empty"
    if ours == f"[{theirs}]":
        return "without brackets"
    if _same_but_spelled(ours, theirs):
        return "in other case" if ours.lower() == theirs.lower() else "with other triplets"
    if ours.isdigit() and theirs.isdigit() and ours.lstrip("0") == theirs.lstrip("0"):
        return "without leading zeros"
    return "otherwise"


def _same_but_spelled(ours: str, theirs: str) -> bool:
    return ours.lower() == theirs.lower() or _decoded(ours) == _decoded(theirs)


def _decoded(text: str) -> bytes | str:
    try:
        return unquote_to_bytes(text).lower()
    except EncodingError:
        return text


Adapter: TypeAlias = "Callable[[str], object]"

VERDICTS: Final = ("accepts", "rejects")


class Trial(NamedTuple):
    """The result of one parser.

    name: the parser's.
    version: `""` where it is not known.
    asked: how many texts it was asked about; some are asked about a part.
    faults: its errors, what it accepts first.
    unanswered: texts without an answer by what happened, as "crashed".
    """

    name: str
    version: str
    asked: int
    faults: tuple[Fault, ...]
    unanswered: tuple[TextKind, ...]

    def of(self, component: str) -> tuple[Fault, ...]:
        """Return the wrong verdicts on a component, those that accept first."""
        return tuple(
            fault
            for fault in self.faults
            if fault.component == component and fault.direction in VERDICTS
        )

    @property
    def errs(self) -> bool:
        """Return whether any verdict is wrong or missing."""
        return bool(self.unanswered) or any(each.direction in VERDICTS for each in self.faults)


class Trials(NamedTuple):
    """The parsers that were compared with a rule.

    rule: its name, and `grammar` that of its grammar.
    texts: how many texts there were.
    valid: how many of them belong to the rule.
    components: those of the rule, in the order in which a text reaches them.
    trials: one for each parser.
    """

    rule: str
    grammar: str
    texts: int
    valid: int
    components: tuple[str, ...]
    trials: tuple[Trial, ...]


def trial_texts(rule: str = "URI", grammar: str | Source = "rfc3986") -> tuple[str, ...]:
    """Return the texts of a trial: those of a suite, and more for each component.

    The suite is the standard one for rules whose mutants have been looked for already; that of its
    transitions for others, of which it would take minutes.

    UnknownRuleError for an unknown rule.

    >>> "http://a.b/c?d]" in trial_texts("URI")
    True
    """
    kept = isinstance(grammar, str) and kept_witnesses(rule, grammar) is not None
    method: Method = "standard" if kept else "transition"
    made = suite_of(rule, grammar=grammar, method=method, characters="all").texts
    return tuple(dict.fromkeys([*made, *component_texts(subject(rule, grammar))]))


def trial(
    adapters: Mapping[str, Adapter],
    rule: str = "URI",
    *,
    grammar: str | Source = "rfc3986",
    suite: Iterable[Text] | None = None,
) -> Trials:
    """Compare parsers with a rule, and group their errors by component and kind of character.

    A parser accepts a text by returning what is true, and rejects it by returning what is false,
    None or empty, or by an exception; but one of `FAULTS`, as AttributeError, is an error of the
    adapter, and leaves the text unanswered. If it returns a mapping, its components are compared
    too, as `uriparse.conformance.trials.NAMES` names them, and `"text"`, the parser's own spelling
    of it all, with the text. They run here: what hangs hangs; `uriparse conformance trial` runs
    each in a process of its own.

    adapters: parsers by name.
    rule: what they are compared with, in any letter case.
    grammar: a shipped grammar, by name, or one that `read_abnf` has read.
    suite: the texts; those of `trial_texts` by default.

    UnknownRuleError for an unknown rule; TypeError for a parser that cannot be called, and
    for a single text; EncodingError for bytes that are not ASCII.

    >>> found = trial({"isdigit": str.isdigit}, "dec-octet")
    >>> for fault in found.trials[0].faults:
    ...     print(fault.title, repr(fault.witness), fault.number)
    dec-octet accepts DIGIT or non-ASCII '٣' 53
    """
    if not isinstance(adapters, Mapping):
        raise refusal(adapters, "adapters", "a mapping of parsers by name")
    for name, adapter in adapters.items():
        if not callable(adapter):  # else each call would count as a rejection
            raise refusal(adapter, f"adapter {excerpt.quoted(name)}", "a callable")
    if suite is None:
        texts: Iterable[str] = trial_texts(rule, grammar)
    else:
        texts = map(as_text, as_items(suite, "suite", "an iterable of texts"))
    corpus = TrialCorpus(subject(rule, grammar), texts)
    said = {name: [*_answers(adapter, corpus.texts)] for name, adapter in adapters.items()}
    return judged(corpus, [(name, "", answers) for name, answers in said.items()])


def judged(corpus: TrialCorpus, said: Iterable[tuple[str, str, Sequence[Answer | None]]]) -> Trials:
    """Judge parsers by what they have answered: name, version, and an answer for each text.

    An answer is None for a text that a parser was not asked about.
    """
    places, rule = corpus.component_map, corpus.subject.rule
    trials = tuple(_trial(corpus, *each) for each in said)
    has_own = any(each.of(rule) for each in trials)
    names = dict.fromkeys((*places.names, rule) if has_own else places.names)
    return Trials(
        rule,
        corpus.subject.source.name,
        len(corpus.facts),
        sum(fact.valid for fact in corpus.facts),
        tuple(names),
        trials,
    )


def _trial(corpus: TrialCorpus, name: str, version: str, answers: Sequence[Answer | None]) -> Trial:
    faults = (
        *wrongly_accepted(corpus, answers),
        *wrongly_rejected(corpus, answers),
        *differing(corpus, answers),
        *rewriting(corpus, answers),
    )
    unanswered = parted(
        (each.silence, fact.text)
        for fact, each in zip(corpus.facts, answers, strict=True)
        if each is not None and each.accepts is None
    )
    asked = sum(each is not None for each in answers)
    return Trial(name, version, asked, faults, unanswered)


def _answers(adapter: Adapter, texts: Iterable[str]) -> Iterator[Answer]:
    for text in texts:
        try:
            yield answer(adapter(text))
        except FAULTS as error:
            yield silent(reason_of(error))
        except Exception:  # noqa: BLE001 - any other that a parser raises is a rejection
            yield REJECTS
