"""Other parsers on trial: held to a rule by the texts of a suite, their errors told in groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from uriparse import excerpt
from uriparse.coerce import as_items, as_text, refusal
from uriparse.conformance.answers import REJECTS, Answer, answer
from uriparse.conformance.component_texts import component_texts
from uriparse.conformance.differences import differing, rewriting
from uriparse.conformance.docket import Docket
from uriparse.conformance.faults import Fault, Part, parted, wrongly_accepted, wrongly_rejected
from uriparse.conformance.subjects import subject
from uriparse.conformance.suites import suite as suite_of
from uriparse.grammar.automata import kept_witnesses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from uriparse.coerce import Text
    from uriparse.conformance.sources import Source
    from uriparse.conformance.suites import Method

Adapter: TypeAlias = "Callable[[str], object]"

VERDICTS: Final = ("accepts", "rejects")


class Component(NamedTuple):
    """A component of the rule: a column of the report.

    name: its rule.
    taken: how many steps of the rule's automaton lead to it.
    refused: how many it refuses.
    """

    name: str
    taken: int
    refused: int


class Trial(NamedTuple):
    """What became of one parser.

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
    unanswered: tuple[Part, ...]

    def of(self, component: str) -> tuple[Fault, ...]:
        """Give the wrong verdicts on a component: none, one of a direction, or one of both."""
        return tuple(
            fault
            for fault in self.faults
            if fault.component == component and fault.direction in VERDICTS
        )

    @property
    def errs(self) -> bool:
        """Whether any verdict is wrong or missing."""
        return bool(self.unanswered) or any(each.direction in VERDICTS for each in self.faults)


class Trials(NamedTuple):
    """The parsers that were held to a rule.

    rule: its name, and `grammar` that of its grammar.
    texts: how many texts there were.
    valid: how many of them belong to the rule.
    components: those of the rule, in the order in which a text comes to them.
    trials: one for each parser.
    """

    rule: str
    grammar: str
    texts: int
    valid: int
    components: tuple[Component, ...]
    trials: tuple[Trial, ...]


def trial_texts(rule: str = "URI", grammar: str | Source = "rfc3986") -> tuple[str, ...]:
    """Give the texts of a trial: those of a suite, and more for each component.

    The suite is the standard one for rules whose mutants have been looked for already; that of its
    transitions for others, of which it would take minutes.

    UnknownRuleError if there is no such rule.

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
    """Hold parsers to a rule, and group their errors by component and kind of character.

    A parser accepts a text by returning what is true, and rejects it by returning what is false,
    None or empty, or by any exception. Returns it a mapping, its components are compared as well,
    as `uriparse.conformance.answers.NAMES` names them, and `"text"`, the parser's own spelling of
    it all, with the text. They run here: what hangs hangs; `uriparse conformance trial` runs each
    in a process of its own.

    Args:
        adapters: parsers by name.
        rule: what they are held to, in any letter case.
        grammar: a shipped grammar, by name, or one that `read_abnf` has read.
        suite: the texts; those of `trial_texts` by default.

    UnknownRuleError if there is no such rule; TypeError for a parser that cannot be called, and
    for a single text; EncodingError for bytes that are not ASCII.

    >>> found = trial({"isdigit": str.isdigit}, "dec-octet")
    >>> for fault in found.trials[0].faults:
    ...     print(fault.title, repr(fault.witness), fault.number)
    dec-octet accepts DIGIT or non-ASCII '00' 47
    """
    if not isinstance(adapters, Mapping):
        raise refusal(adapters, "adapters", "a mapping of parsers by name")
    for name, adapter in adapters.items():
        if not callable(adapter):  # each call would be told as a rejection
            raise refusal(adapter, f"adapter {excerpt.quoted(name)}", "a callable")
    if suite is None:
        texts: Iterable[str] = trial_texts(rule, grammar)
    else:
        texts = map(as_text, as_items(suite, "suite", "an iterable of texts"))
    docket = Docket(subject(rule, grammar), texts)
    return judged(docket, [(name, "", _asked(adapters[name], docket)) for name in adapters])


def judged(docket: Docket, said: Iterable[tuple[str, str, Sequence[Answer | None]]]) -> Trials:
    """Judge parsers by what they have answered: name, version, and an answer for each text.

    An answer is None for a text that a parser was not asked about.
    """
    return Trials(
        docket.subject.rule,
        docket.subject.source.name,
        len(docket.facts),
        sum(fact.valid for fact in docket.facts),
        tuple(
            Component(name, docket.places.taken[name], docket.places.refused[name])
            for name in docket.places.names
        ),
        tuple(_trial(docket, *each) for each in said),
    )


def _trial(docket: Docket, name: str, version: str, answers: Sequence[Answer | None]) -> Trial:
    faults = (
        *wrongly_accepted(docket, answers),
        *wrongly_rejected(docket, answers),
        *differing(docket, answers),
        *rewriting(docket, answers),
    )
    unanswered = parted(
        (each.silence, fact.text)
        for fact, each in zip(docket.facts, answers, strict=True)
        if each is not None and each.accepts is None
    )
    asked = sum(each is not None for each in answers)
    return Trial(name, version, asked, faults, unanswered)


def _asked(adapter: Adapter, docket: Docket) -> list[Answer | None]:
    return list(_answers(adapter, docket.texts))


def _answers(adapter: Adapter, texts: Iterable[str]) -> Iterator[Answer]:
    for text in texts:
        try:
            yield answer(adapter(text))
        except Exception:  # noqa: BLE001 - any that a parser raises is a rejection
            yield REJECTS
