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

from uriparse.conformance.coverage import Coverage, Tally, coverage
from uriparse.conformance.derivations import RuleTooLargeError
from uriparse.conformance.generation import Deriver, Spot, count_words, spoil, spots, words
from uriparse.conformance.suites import (
    CHARACTERS,
    KINDS,
    MAX_ROWS,
    METHODS,
    Item,
    Row,
    Subject,
    Suite,
    SuiteTooLargeError,
    abnf,
    subject,
    suite,
)
from uriparse.conformance.trial_corpus import Docket
from uriparse.conformance.trials import (
    Answer,
    Component,
    Fault,
    Part,
    Trial,
    Trials,
    answer,
    judged,
    silent,
    trial,
    trial_texts,
)
from uriparse.rule_sources import (
    DEAD,
    Automaton,
    GrammarTextError,
    NoTextOfRuleError,
    NotRegularError,
    OwnGrammar,
    Source,
    TextLimitError,
    read_abnf,
)

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
