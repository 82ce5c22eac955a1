"""Checks on alternatives as a reader takes them who keeps the first one that matches.

ABNF gives the order of alternatives no meaning, but many parsers do. Under them an alternative is
dead if everything it matches is matched before it, and shadowed if an earlier one takes only the
beginning of what it would match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import (
    Alphabet,
    Language,
    Nfa,
    TooLargeError,
    common_word,
    languages,
    limited,
    plainer,
)
from abnf2lark.lark_grammars.names import abnf_text
from abnf2lark.reading.ir import leading_to, references
from abnf2lark.reading.linear_recursion import with_loops
from abnf2lark.reading.loops import recursive_rules
from abnf2lark.reading.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abnf2lark.checks.subject import Subject
    from abnf2lark.reading.ir import Node
    from abnf2lark.reading.outline import Choice, Part

MAX_STEPS = 5_000_000  # of automata, for a file; about 10 seconds


def first_match_problems(subject: Subject) -> list[Problem]:
    """Return the dead and the shadowed alternatives of a file, each with a witness.

    Alternatives that lead to recursive rules are left out: nobody can decide about them.
    """
    checker = _Checker(subject)
    found: list[Problem] = []
    try:
        with limited(MAX_STEPS):
            checker.prepare()
            for choice in subject.outline.choices:
                found.extend(checker.check(choice))
    except TooLargeError:
        here = subject.grammar.rules[subject.grammar.own[0]].position
        text = "this file is too large for its alternatives to be compared"
        found.append(Problem(subject.source, here, "too-large", text, "warning"))
    return found


class _Checker:
    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.grammar = with_loops(subject.grammar)
        bodies = [rule.body for rule in self.grammar.rules.values()]
        parts = [part.node for choice in subject.outline.choices for part in choice.parts]
        self.alphabet = Alphabet([*bodies, *parts])
        self.languages: dict[str, Language] = {}
        self.more = ~Language.nothing(self.alphabet.size)  # one character or more

    def prepare(self) -> None:
        """Compute the language of every rule that does not lead to a recursive one."""
        irregular = leading_to(self.grammar, recursive_rules(self.grammar))
        wanted = [name for name in self.grammar.rules if name not in irregular]
        self.languages = languages(self.grammar.rules, self.alphabet, wanted)

    def language(self, node: Node) -> Language | None:
        if any(ref.name not in self.languages for ref in references(node)):
            return None
        nfa = Nfa()
        start = nfa.state()
        end = nfa.add(node, start, self.languages, self.alphabet)
        return nfa.language(start, {end}, self.alphabet.size)

    def check(self, choice: Choice) -> Iterator[Problem]:
        """Yield the alternatives of a choice that an earlier one stands in the way of."""
        earlier = Language.empty(self.alphabet.size)
        known: list[tuple[int, Language]] = []
        for number, part in enumerate(choice.parts, 1):
            language = self.language(part.node)
            if language is None:
                continue
            problem = self.dead(part, language, earlier, known) or self.shadowed(
                part, language, earlier, known
            )
            if problem:
                yield problem
            known.append((number, language))
            earlier |= language

    def dead(
        self, part: Part, language: Language, earlier: Language, known: list[tuple[int, Language]]
    ) -> Problem | None:
        if not known or not language <= earlier:
            return None
        witness = plainer(language.witness(self.alphabet) or "", language, self.alphabet)
        number = next(n for n, other in known if other.accepts(witness, self.alphabet))
        text = (
            f"this alternative can never be chosen: all that it matches is matched before, "
            f"{abnf_text(witness)} by alternative {number}"
        )
        return self.problem(part, "dead-alternative", text, witness)

    def shadowed(
        self, part: Part, language: Language, earlier: Language, known: list[tuple[int, Language]]
    ) -> Problem | None:
        if not earlier.nullable() and earlier.first().isdisjoint(language.first()):
            return None
        witness = common_word(earlier + self.more, language, self.alphabet, outside=earlier)
        if witness is None:
            return None
        witness = plainer(witness, ((earlier + self.more) & language) - earlier, self.alphabet)
        number, taken = max(
            ((n, self.prefix(other, witness)) for n, other in known),
            key=lambda found: (len(found[1] or ""), found[1] is not None, -found[0]),
        )
        text = (
            f"a first match never comes to {abnf_text(witness)}: "
            f"alternative {number} takes {abnf_text(taken or '')} of it"
        )
        return self.problem(part, "shadowed-alternative", text, witness)

    def prefix(self, language: Language, word: str) -> str | None:
        """Return the longest beginning of a word that belongs to a language."""
        lengths = range(len(word) - 1, -1, -1)
        return next((word[:n] for n in lengths if language.accepts(word[:n], self.alphabet)), None)

    def problem(self, part: Part, code: str, text: str, witness: str) -> Problem:
        return Problem(self.subject.source, part.position, code, text, "warning", witness)
