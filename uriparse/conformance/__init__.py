"""The conformance kit: finite suites for a rule, each with a guarantee, and what is made of them.

`sources` are grammars, shipped or a user's; a `Subject` is a rule of one, with its automaton;
`cases` makes the texts of a suite by its method, `rows` says what each tests, `suites` is the door.
`counting`, `deriving` and `spoiling` draw random words; `strategies`, which is not loaded here, are
for Hypothesis. `covering` tells what a corpus leaves untested: an `Unfolding` of a rule and the
first `Derivations` of its texts, a `Traversal` of its automaton, and `shortest` texts for what none
of them touches.

`trials` holds other parsers to a rule: `docket` knows the texts, `places` the components that they
stop in, `faults` and `differences` group what a parser's `answers` have wrong.
"""

from uriparse.conformance.answers import Answer, answer, silent
from uriparse.conformance.automata import DEAD, Automaton
from uriparse.conformance.counting import count_words, words
from uriparse.conformance.covering import Coverage, Tally, coverage
from uriparse.conformance.deriving import Deriver
from uriparse.conformance.docket import Docket
from uriparse.conformance.faults import Fault, Part
from uriparse.conformance.items import KINDS, Item
from uriparse.conformance.notation import abnf
from uriparse.conformance.own_grammars import (
    GrammarTextError,
    NoTextOfRuleError,
    NotRegularError,
    OwnGrammar,
    TextLimitError,
    read_abnf,
)
from uriparse.conformance.rows import Row
from uriparse.conformance.sources import Source
from uriparse.conformance.spoiling import spoil
from uriparse.conformance.spots import Spot, spots
from uriparse.conformance.subjects import Subject, subject
from uriparse.conformance.suites import (
    CHARACTERS,
    MAX_ROWS,
    METHODS,
    Suite,
    SuiteTooLargeError,
    suite,
)
from uriparse.conformance.trials import Component, Trial, Trials, judged, trial, trial_texts
from uriparse.conformance.unfolding import RuleTooLargeError

__all__ = [
    "CHARACTERS",
    "DEAD",
    "KINDS",
    "MAX_ROWS",
    "METHODS",
    "Answer",
    "Automaton",
    "Component",
    "Coverage",
    "Deriver",
    "Docket",
    "Fault",
    "GrammarTextError",
    "Item",
    "NoTextOfRuleError",
    "NotRegularError",
    "OwnGrammar",
    "Part",
    "Row",
    "RuleTooLargeError",
    "Source",
    "Spot",
    "Subject",
    "Suite",
    "SuiteTooLargeError",
    "Tally",
    "TextLimitError",
    "Trial",
    "Trials",
    "abnf",
    "answer",
    "count_words",
    "coverage",
    "judged",
    "read_abnf",
    "silent",
    "spoil",
    "spots",
    "subject",
    "suite",
    "trial",
    "trial_texts",
    "words",
]
