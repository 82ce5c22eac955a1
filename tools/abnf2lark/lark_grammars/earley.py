"""Write a grammar for Lark's Earley parser: any grammar, recursive or ambiguous, slower.

What is regular and holds no node is one token, as large as can be, since the parser takes its time
for each. But of each token Lark takes the longest text alone. Where that is not proved to be
enough, a token is written as the tokens that it is made of, down to single characters.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.automata import Alphabet, Nfa, TooLargeError, limited, spend
from abnf2lark.lark_grammars.earley_rules import Writer
from abnf2lark.lark_grammars.emit_lark import regexp, rule_line
from abnf2lark.lark_grammars.longest_tokens import LongestTokens, longest_first
from abnf2lark.lark_grammars.names import lark_name
from abnf2lark.lark_grammars.plain_names import renamed_node
from abnf2lark.lark_grammars.remembering import remembered
from abnf2lark.lark_grammars.unfolding import unfolded
from abnf2lark.lark_grammars.written_out import is_fixed
from abnf2lark.patterns.determinism import NO_CHARS
from abnf2lark.patterns.emit_pattern import pattern
from abnf2lark.patterns.flavours import PYTHON

if TYPE_CHECKING:
    from collections.abc import Mapping

    from abnf2lark.automata import Language
    from abnf2lark.lark_grammars.earley_rules import Token, Written
    from abnf2lark.reading.ir import Chars, Grammar, Node

MAX_STEPS = 3_000_000  # of automata; about 3 seconds
MAX_STEPS_OF_ONE = 800_000  # for the expression of one token
MAX_STEPS_OF_NAMES = 2_000_000  # for what trees may leave out


@dataclass(frozen=True, slots=True)
class EarleyGrammar:
    """Rules and expressions of terminals by their Lark names.

    ``starts`` lead from ABNF to Lark names.
    """

    rules: dict[str, Node]
    terminals: dict[str, str]
    abnf_names: dict[str, str]
    starts: dict[str, str]

    def text(self, comments: Mapping[str, str]) -> str:
        """Return the Lark grammar; ``comments`` hold the ABNF of rules."""
        lines: list[str] = []
        for name, body in self.rules.items():
            abnf = self.abnf_names[name]
            lines.extend(f"// {line}".rstrip() for line in comments.get(abnf, "").splitlines())
            lines.append(rule_line(name, body, lark_name(abnf)))
        lines.append("")
        lines.extend(f"{name}: {regexp(text)}" for name, text in self.terminals.items())
        return "\n".join([*lines, ""])


def earley_grammar(
    grammar: Grammar,
    starts: tuple[str, ...],
    nodes: frozenset[str],
    leaves: frozenset[str],
    *,
    max_steps: int = MAX_STEPS,
) -> EarleyGrammar:
    """Turn a grammar, recursive or not, into rules over tokens of which the longest are enough."""
    writer = Writer(grammar, nodes | leaves, leaves)
    expressions = _Expressions(grammar)
    found = writer.written(starts)
    try:
        with limited(max_steps):
            while parts := expressions.parted(found):
                writer.parted |= parts
                found = writer.written(starts)
    except TooLargeError:
        writer.smallest = True
        found = writer.written(starts)
    unfolded(found.rules, found.abnf_names)
    with limited(MAX_STEPS_OF_NAMES):
        names = remembered(found.rules, found.abnf_names)
    return EarleyGrammar(
        {name: renamed_node(body, names) for name, body in found.rules.items()},
        {names.get(name, name): expressions.of(one) for name, one in found.tokens.items()},
        found.abnf_names,
        found.starts,
    )


class _Expressions:
    """What the tokens of a grammar are to Lark."""

    def __init__(self, grammar: Grammar) -> None:
        self._alphabet = Alphabet(rule.body for rule in grammar.rules.values())
        self._known: dict[Token, tuple[Language, str] | None] = {}

    def of(self, token: Token) -> str:
        """Return the expression of a token that is not to be parted."""
        known = self._known.get(token)
        return known[1] if known else pattern(token.body, PYTHON)

    def parted(self, found: Written) -> dict[Token, Chars]:
        """Return the tokens that have to be written as those that they are made of.

        With each come the characters that it must not go on with; none where it is not known to
        take the longest text.
        """
        known = {name: self._proved(one) for name, one in found.tokens.items()}
        words = {name: one[0] for name, one in known.items() if one}
        parts = {found.tokens[name]: NO_CHARS for name, one in known.items() if not one}
        if not parts:
            proof = LongestTokens(found.rules, found.starts.values(), words)
            lost = {token: proof.lost(name) for name, token in found.tokens.items()}
            parts = {
                token: self._alphabet.chars(labels) for token, labels in lost.items() if labels
            }
        return parts

    def _proved(self, token: Token) -> tuple[Language, str] | None:
        """Return the words of a token, and an expression that takes the longest of them."""
        if token not in self._known:
            self._known[token] = None
            with limited(MAX_STEPS_OF_ONE) as left, suppress(TooLargeError, RecursionError):
                self._known[token] = self._found(token.body)
            spend(MAX_STEPS_OF_ONE - left[0])
        return self._known[token]

    def _found(self, node: Node) -> tuple[Language, str] | None:
        nfa = Nfa()
        start = nfa.state()
        end = nfa.add(node, start, {}, self._alphabet)
        words = nfa.language(start, {end}, self._alphabet.size)
        fixed = is_fixed(node)
        text = pattern(node, PYTHON) if fixed else longest_first(node, words, self._alphabet)
        return (words, text) if text else None
