"""The conformance kit: finite suites for a rule, each with a guarantee, and what is made of them.

`sources` are grammars, shipped or a user's; a `Subject` is a rule of one, with its automaton;
`cases` makes the texts of a suite by its method, `rows` says what each tests, `suites` is the door.
"""

from uriparse.conformance.automata import DEAD, Automaton
from uriparse.conformance.own_grammars import (
    GrammarTextError,
    NotRegularError,
    OwnGrammar,
    read_abnf,
)
from uriparse.conformance.rows import Row
from uriparse.conformance.sources import Source
from uriparse.conformance.subjects import Subject, subject
from uriparse.conformance.suites import (
    CHARACTERS,
    MAX_ROWS,
    METHODS,
    Suite,
    SuiteTooLargeError,
    suite,
)

__all__ = [
    "CHARACTERS",
    "DEAD",
    "MAX_ROWS",
    "METHODS",
    "Automaton",
    "GrammarTextError",
    "NotRegularError",
    "OwnGrammar",
    "Row",
    "Source",
    "Subject",
    "Suite",
    "SuiteTooLargeError",
    "read_abnf",
    "subject",
    "suite",
]
