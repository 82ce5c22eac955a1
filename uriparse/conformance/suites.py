"""Finite suites for a rule, each with a guarantee of what no parser that passes it gets wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from uriparse.coerce import as_choice, refusal
from uriparse.conformance.cases import hsi_cases, hsi_size, mutant_cases, transition_cases
from uriparse.conformance.rows import Row, Rows
from uriparse.conformance.shares import share
from uriparse.conformance.subjects import subject
from uriparse.errors import URIError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from uriparse.conformance.cases import Case
    from uriparse.conformance.shares import Share
    from uriparse.conformance.sources import Source
    from uriparse.conformance.subjects import Subject

Method: TypeAlias = Literal["standard", "transition", "mutants", "hsi"]
Characters: TypeAlias = Literal["one", "borders", "suspects", "all"]

METHODS: Final[tuple[Method, ...]] = get_args(Method)
CHARACTERS: Final[tuple[Characters, ...]] = get_args(Characters)

MAX_ROWS: Final = 5_000_000
"""A suite with more rows is refused: whoever wants it wants another method."""


class SuiteTooLargeError(URIError):
    """A suite would pass `MAX_ROWS`. The message says how many rows it would have."""


class Suite:
    """Texts with verdicts, in the same order each time; a row is made when it is come to.

    Attributes:
        subject: the rule that it is for.
        method: one of `METHODS`.
        characters: which characters stand for a class: one of `CHARACTERS`.
        extra_states: how many states more than the rule a parser may tell apart, for `hsi`.

    """

    def __init__(
        self, of: Subject, method: Method, characters: Characters, extra_states: int
    ) -> None:
        self.subject = of
        self.method = method
        self.characters = characters
        self.extra_states = extra_states
        self._cases: dict[str, tuple[Case, str]] = {}
        for name, case in self._made():
            self._cases.setdefault(case.text, (case, name))

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._cases)

    def __iter__(self) -> Iterator[Row]:
        """Make the rows, one after the other."""
        rows = Rows(self.subject)
        return (rows.row(case, name) for case, name in self._cases.values())

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
            f"automaton has {_count(len(automaton), 'state')} and tells "
            f"{_count(len(automaton.classes), 'class', 'classes')} of characters apart."
        )

    @property
    def guarantee(self) -> str:
        """What no parser that passes gets wrong, and under which assumption: one sentence."""
        return _GUARANTEES[self.method](self)

    def _made(self) -> Iterator[tuple[str, Case]]:
        if self.method == "hsi":
            made = hsi_cases(self.subject, self.characters, self.extra_states)
            yield from (("hsi", case) for case in made)
        if self.method in ("transition", "standard"):
            made = transition_cases(self.subject, self.characters)
            yield from (("transition", case) for case in made)
        if self.method in ("mutants", "standard"):
            yield from (("mutants", case) for case in mutant_cases(self.subject))


def suite(
    rule: str = "URI",
    *,
    grammar: str | Source = "rfc3986",
    method: Method = "standard",
    characters: Characters | None = None,
    extra_states: int = 0,
) -> Suite:
    """Make a finite suite for a rule.

    `transition`: every step of the rule's smallest automaton is taken once and led on to an end,
    and every character that it refuses is put where it is refused. Excludes: a parser that reads
    by the rule's own automaton but for single steps that lead nowhere, or somewhere where other
    texts end.

    `hsi`: no parser passes that reads by an automaton of no more states than the rule's (the state
    of refusal counted, `extra_states` more allowed), treats the characters of each class alike and
    accepts another language. Few mistakes that people make are of that kind: of the 785 rules that
    one edit makes of `URI`, it tells 652 (`transition` tells 445, with one character a class).

    `mutants`: no parser passes that reads by the rule with one edit anywhere in its grammar: an
    alternative dropped, doubled or swapped, a bound or the end of a range moved by one, a part
    made optional or required, a literal's case, a reference to another rule.

    `standard`: `transition` with all characters, and `mutants`.

    Args:
        rule: its name, in any letter case.
        grammar: a shipped grammar, by name, or one that `read_abnf` has read.
        method: what the suite is made by.
        characters: what stands for a class of characters: `one` of them, which can be read; the
            `borders` of its ranges as well; the `suspects` in it as well (line ends, controls,
            digits and letters of other scripts); or `all`. By default `all` for `standard`, `one`
            for the others; `mutants` have their own.
        extra_states: for `hsi`; each multiplies the suite by the number of classes.

    UnknownRuleError if there is no such rule, TypeError and ValueError for what is not among the
    choices, SuiteTooLargeError if there would be more than `MAX_ROWS` rows.

    >>> found = suite("dec-octet", method="transition")
    >>> print(found.size)
    44 texts for dec-octet of rfc3986, whose automaton has 6 states and tells 7 classes of \
characters apart.
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
    of = subject(rule, grammar)
    if method == "hsi" and (rows := hsi_size(of, chosen, extra_states)) > MAX_ROWS:
        raise SuiteTooLargeError(
            f"hsi with {_count(extra_states, 'extra state')} would have {rows:,} rows for "
            f"{of.rule}, which is more than {MAX_ROWS:,}; ask for fewer"
        )
    return Suite(of, method, chosen, extra_states)


def _count(number: int, what: str, many: str = "") -> str:
    return f"{number:,} {what if number == 1 else many or what + 's'}"


def _steps(_: Suite) -> str:
    return (
        "A parser that passes takes and refuses every character after every state as the rule "
        "does, if it reads the words that lead there to the same states"
    )


def _transition(own: Suite) -> str:
    return _steps(own) + _told(own, lambda one: one.transition)


def _hsi(own: Suite) -> str:
    states = len(own.subject.automaton) + 1 + own.extra_states
    promised = (
        f"A parser that passes accepts the texts of the rule and no others, if it reads by an "
        f"automaton of at most {states:,} states (that of refusal counted) and treats the "
        f"characters of each class alike"
    )
    return promised + _told(own, lambda one: one.hsi)


def _told(own: Suite, number: Callable[[Share], int]) -> str:
    """End a sentence with how many mutants are told, where that is known."""
    known = share(own.subject)
    if known is None:
        return "."
    least = "" if own.characters == "one" and not own.extra_states else "at least "
    return (
        f"; of the {known.mutants - known.equal:,} rules that one edit of the grammar makes of "
        f"this one, {least}{number(known):,} are told."
    )


def _mutants(own: Suite) -> str:
    found = own.subject.source.witnesses(own.subject.rule)
    told = found.mutants - found.equal - found.undecided
    given_up = f"; {found.undecided:,} were given up" if found.undecided else ""
    return (
        f"A parser that passes does not read by any of the {told:,} rules that one edit of the "
        f"grammar makes of this one ({found.mutants:,} edits, of which {found.equal:,} change "
        f"nothing{given_up}): all {told:,} are told."
    )


def _standard(own: Suite) -> str:
    return f"{_mutants(own)[:-1]}; {_steps(own).replace('A parser that passes', 'it')}."


_GUARANTEES: Final = {
    "transition": _transition,
    "hsi": _hsi,
    "mutants": _mutants,
    "standard": _standard,
}
