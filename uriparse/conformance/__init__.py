"""The conformance kit: finite test suites for a rule, each with a guarantee, and what uses them.

A `Subject` is a rule of any grammar with its automaton (`rule_sources`). `suites` makes the texts
of a suite and says what each of them tests. `generation` draws random words, and `strategies`,
which is not loaded here, is for Hypothesis. `coverage` reports what a corpus leaves untested: of
the rule's `derivations`, and of its automaton, with a shortest text for each missing item.

`trials` compares other parsers with a rule and groups their errors, with what `trial_corpus` knows
of each text. `peers` runs other people's parsers as processes. `commands` is the command's part.
"""

from uriparse.conformance.coverage import Coverage, Item, Tally, coverage
from uriparse.conformance.derivations import RuleTooLargeError
from uriparse.conformance.generation import count_words, words
from uriparse.conformance.operations import (
    Operation,
    OperationCase,
    operation_suite,
)
from uriparse.conformance.suites import (
    Subject,
    Suite,
    SuiteRow,
    SuiteTooLargeError,
    abnf,
    subject,
    suite,
)
from uriparse.conformance.trial_corpus import TrialCorpus
from uriparse.conformance.trials import (
    Answer,
    Fault,
    TextKind,
    Trial,
    Trials,
    answer,
    judged,
    silent,
    trial,
    trial_texts,
)
from uriparse.grammar.automata import Automaton
from uriparse.grammar.rule_sources import (
    GrammarTextError,
    NoTextOfRuleError,
    NotRegularError,
    OwnGrammar,
    Source,
    TextLimitError,
    read_abnf,
)

__all__ = [
    "Answer", "Automaton", "Coverage", "Fault", "GrammarTextError", "Item", "NoTextOfRuleError",
    "NotRegularError", "Operation", "OperationCase", "OwnGrammar", "RuleTooLargeError", "Source",
    "Subject", "Suite", "SuiteRow", "SuiteTooLargeError", "Tally", "TextKind", "TextLimitError",
    "Trial", "TrialCorpus", "Trials", "abnf", "answer", "count_words", "coverage", "judged",
    "operation_suite", "read_abnf", "silent", "subject", "suite", "trial", "trial_texts", "words",
]  # fmt: skip
