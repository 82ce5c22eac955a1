"""Compile a grammar to a Lark grammar: LALR where it can be proved right, Earley elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.automata import Alphabet, Language, TooLargeError, languages, part_of_many_states
from abnf2lark.lark_grammars.components import Components, cut
from abnf2lark.lark_grammars.conflicts import collision, shifted
from abnf2lark.lark_grammars.emit_lark import LexedTerminal, lark_text
from abnf2lark.lark_grammars.lexing import Lexing, UnprovableError
from abnf2lark.lark_grammars.plain_names import renamed, with_plain_names
from abnf2lark.lark_grammars.recursive_grammar import UndecidedError, recursive_lalr
from abnf2lark.lark_grammars.remembering import remembered
from abnf2lark.lark_grammars.terminals import terminal_languages
from abnf2lark.lark_grammars.tokens import ConflictError, TokenAutomaton
from abnf2lark.patterns.proof import ProofError
from abnf2lark.reading.large_parts import large_part, written_out
from abnf2lark.reading.loops import cycle, recursion, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from abnf2lark.reading.ir import Grammar

MAX_WRITTEN = 20_000  # elements of a rule whose repetitions are written out


@dataclass(frozen=True, slots=True)
class LexedGrammar:
    """A component grammar with the priorities and guards of its terminals, all proved."""

    components: Components
    lexed: dict[str, LexedTerminal]

    def text(self, comments: Mapping[str, str], header: str = "", *, aliases: bool = False) -> str:
        """Return the Lark grammar."""
        return lark_text(self.components, self.lexed, comments, header, aliases=aliases)

    def expressions(self) -> dict[str, str]:
        """Return the proved expression of each terminal, with its guard."""
        return {name: one.pattern + one.guard for name, one in self.lexed.items()}


class NotLalrError(Exception):
    """No LALR grammar could be proved right; the message says why, ``rules`` where."""

    def __init__(self, message: str, rules: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.rules = rules


def lalr_grammar(
    grammar: Grammar,
    starts: tuple[str, ...],
    nodes: frozenset[str],
    leaves: frozenset[str],
    known: tuple[Alphabet, Mapping[str, Language]] | None = None,
    *,
    apart: bool = False,
) -> LexedGrammar:
    """Cut a grammar into components and prove that a contextual lexer reads them right.

    apart: whether the lexer tries the terminals of one start rule alone. Lark's own tries those of
        others, too, where their texts share states of the parser.
    """
    loop = recursion(grammar, starts)
    where = f"; it is recursive, {shown(loop)}" if loop else ""
    endless = cycle(grammar, starts) if loop else ()
    if endless:
        told = f"a cycle, {shown(endless)}: a text of {endless[0]} has derivations without end"
        raise NotLalrError(told, endless[:-1])
    try:
        if loop:
            refuse_long(grammar)
            return LexedGrammar(*recursive_lalr(grammar, starts, nodes, leaves))
        if known is None:
            alphabet = Alphabet(rule.body for rule in grammar.rules.values())
            words = languages(grammar.rules, alphabet, grammar.rules)
        else:
            alphabet, words = known[0], dict(known[1])
        components, automaton = _checked(
            grammar, starts, nodes, leaves, alphabet, words, apart=apart
        )
        lexing = Lexing(components, automaton, alphabet, apart=apart)
        return LexedGrammar(components, lexing.solve())
    except TooLargeError:
        part = large_part(grammar, starts[0]) if loop else part_of_many_states(grammar, *starts)
        told = f": {part}" if part.counted or not loop else ""
        raise NotLalrError(f"the automata grow too large for a proof{told}{where}") from None
    except RecursionError:
        raise NotLalrError(f"the rules are nested too deeply for a proof{where}") from None
    except UndecidedError as error:
        raise NotLalrError(f"not LALR(1): {error}{where}", error.rules) from None
    except UnprovableError as error:
        raise NotLalrError(f"{error}{where}", error.rules) from None
    except ProofError as error:
        raise NotLalrError(f"{error}{where}") from None


def refuse_long(grammar: Grammar) -> None:
    """Raise :class:`TooLargeError` for rules that would be too long with repetitions written out.

    Where there is no recursion, the automata are too large for a proof before that.
    """
    if any(written_out(rule.body) > MAX_WRITTEN for rule in grammar.rules.values()):
        raise TooLargeError


def _checked(
    grammar: Grammar,
    starts: tuple[str, ...],
    nodes: frozenset[str],
    leaves: frozenset[str],
    alphabet: Alphabet,
    words: dict[str, Language],
    *,
    apart: bool,
) -> tuple[Components, TokenAutomaton]:
    """Cut a grammar into components, and see that these read what its rules derive."""
    nullable = frozenset(name for name, language in words.items() if language.nullable())
    only_empty = frozenset(name for name in nullable if not words[name].without_empty())
    components = cut(grammar, starts, nodes, leaves, nullable=nullable, only_empty=only_empty)
    if not apart:
        components = with_plain_names(components)
        kept = remembered(components.rules, components.abnf_names)
        components = renamed(components, kept)
    text = lark_text(components, {}, {})
    terminals = terminal_languages(components, alphabet)
    try:
        automaton = TokenAutomaton(text, components.starts, terminals)
    except ConflictError as error:
        why, rules = collision(str(error), components)
        raise NotLalrError(f"not LALR(1): {why}", rules) from None
    for start, number in automaton.starts.items():
        found = automaton.rest(number, alphabet.size)
        if found != words[start]:
            example = ((words[start] - found) | (found - words[start])).witness(alphabet)
            why, rules = shifted(text, list(components.starts.values()), components)
            if why:
                raise NotLalrError(f"not LALR(1): {why}, as in {example!r}", rules)
            raise ProofError(f"the components of {start} do not read {example!r} as the rule does")
    return components, automaton
