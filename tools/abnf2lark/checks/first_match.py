"""Checks on alternatives as a reader takes them who keeps the first one that matches.

ABNF gives the order of alternatives no meaning, but many parsers do. Under them an alternative is
dead if everything it matches is matched before it, and shadowed if an earlier one takes only the
beginning of what it would match.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.automata import (
    Alphabet,
    Language,
    Nfa,
    TooLargeError,
    add_languages,
    first_words,
    limited,
    part_of_many_states,
    plainer,
    spend,
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

MAX_STEPS = 1_000_000  # of automata, for a choice and the rules in it; about a second
MAX_STEPS_IN_ALL = 2_000_000


def first_match_problems(subject: Subject) -> list[Problem]:
    """Return the dead and the shadowed alternatives of a file, each with a witness.

    Alternatives that lead to recursive rules are left out: nobody can decide about them.
    """
    found: list[Problem] = []
    left = MAX_STEPS_IN_ALL
    choices = subject.outline.choices
    try:
        checker = _Checker(subject)
    except TooLargeError:
        text = "no alternatives are compared: too many ranges of characters overlap in this file"
        first = [choice.parts[0].position for choice in choices[:1]]
        return [Problem(subject.source, here, "too-large", text, "warning") for here in first]
    for choice in choices:
        allowed = min(left, MAX_STEPS)
        with limited(allowed) as steps:
            try:
                found.extend(checker.check(choice))
            except TooLargeError:
                text = f"the alternatives of {choice.rule} are too large to be compared"
                if allowed < MAX_STEPS:
                    text = f"{text}, and what follows is not: the file is too large"
                elif choice.rule not in checker.irregular:
                    text = f"{text}: {part_of_many_states(checker.grammar, choice.rule)}"
                here = choice.parts[0].position
                found.append(Problem(subject.source, here, "too-large", text, "warning"))
                if allowed < MAX_STEPS:
                    break
            left -= allowed - max(steps[0], 0)
    return found


@dataclass(frozen=True, slots=True)
class _Known:
    """An alternative whose texts are known, and its number in the choice as written."""

    number: int
    part: Part
    language: Language


class _Checker:
    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.grammar = with_loops(subject.grammar)
        self.irregular = leading_to(self.grammar, recursive_rules(self.grammar))
        bodies = [rule.body for rule in self.grammar.rules.values()]
        parts = [part.node for choice in subject.outline.choices for part in choice.parts]
        self.alphabet = Alphabet([*bodies, *parts])
        self.languages: dict[str, Language] = {}

    def language(self, node: Node) -> Language | None:
        names = {ref.name for ref in references(node)}
        if names & self.irregular:
            return None
        add_languages(self.grammar.rules, self.alphabet, names, self.languages)
        nfa = Nfa()
        start = nfa.state()
        end = nfa.add(node, start, self.languages, self.alphabet)
        return nfa.language(start, {end}, self.alphabet.size)

    def check(self, choice: Choice) -> Iterator[Problem]:
        """Yield the alternatives of a choice that an earlier one stands in the way of."""
        known: list[_Known] = []
        for number, part in enumerate(choice.parts, 1):
            language = self.language(part.node)
            if language is not None:
                known.append(_Known(number, part, language))
        if len(known) > 1:
            seen = first_words([one.language for one in known])
            for place, one in enumerate(known):
                if one.language and place not in seen.chosen:
                    yield self.dead(one, known[:place])
                elif place in seen.shadowed:
                    yield self.shadowed(one, known[:place], seen.shadowed[place])

    def dead(self, one: _Known, earlier: list[_Known]) -> Problem:
        spend(len(earlier))
        language = one.language
        witness = plainer(language.witness(self.alphabet) or "", language, self.alphabet)
        number = next(n.number for n in earlier if n.language.accepts(witness, self.alphabet))
        text = (
            f"this alternative can never be chosen: all that it matches is matched before, "
            f"{abnf_text(witness)} by alternative {number}"
        )
        return self.problem(one.part, "dead-alternative", text, witness)

    def shadowed(self, one: _Known, earlier: list[_Known], labels: tuple[int, ...]) -> Problem:
        witness = "".join(map(self.alphabet.sample, labels))
        number, taken = self.longest(earlier, witness)
        lower = witness.lower() if witness.isascii() else witness
        if lower != witness and self.is_shadowed(one, earlier, lower):
            witness = lower
            number, taken = self.longest(earlier, witness)
        text = (
            f"a first match never comes to {abnf_text(witness)}: "
            f"alternative {number} takes {abnf_text(taken or '')} of it"
        )
        return self.problem(one.part, "shadowed-alternative", text, witness)

    def is_shadowed(self, one: _Known, earlier: list[_Known], word: str) -> bool:
        """Tell whether an alternative matches a word of which an earlier one takes a part."""
        return (
            one.language.accepts(word, self.alphabet)
            and not any(other.language.accepts(word, self.alphabet) for other in earlier)
            and self.longest(earlier, word)[1] is not None
        )

    def longest(self, earlier: list[_Known], word: str) -> tuple[int, str | None]:
        """Return the earlier alternative that takes most of a word, the first of several."""
        spend(len(earlier) * (len(word) + 1))
        return max(
            ((one.number, self.prefix(one.language, word)) for one in earlier),
            key=lambda found: (len(found[1] or ""), found[1] is not None, -found[0]),
        )

    def prefix(self, language: Language, word: str) -> str | None:
        """Return the longest beginning of a word that belongs to a language."""
        lengths = range(len(word) - 1, -1, -1)
        return next((word[:n] for n in lengths if language.accepts(word[:n], self.alphabet)), None)

    def problem(self, part: Part, code: str, text: str, witness: str) -> Problem:
        return Problem(self.subject.source, part.position, code, text, "warning", witness)
