"""Compile a recursive grammar to a Lark grammar for LALR, where the proof is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import Alphabet, TooLargeError
from abnf2lark.lark_grammars.actions import Actions
from abnf2lark.lark_grammars.components import Components, cut
from abnf2lark.lark_grammars.conflicts import collision, undecided
from abnf2lark.lark_grammars.contexts import apart
from abnf2lark.lark_grammars.emit_lark import lark_text
from abnf2lark.lark_grammars.lexing import UnprovableError
from abnf2lark.lark_grammars.lexing_states import LexingStates
from abnf2lark.lark_grammars.losses import Losses
from abnf2lark.lark_grammars.plain_names import renamed, with_plain_names
from abnf2lark.lark_grammars.recursive_lexing import RecursiveLexing
from abnf2lark.lark_grammars.remembering import remembered
from abnf2lark.lark_grammars.resolving import ConflictingError, priorities
from abnf2lark.lark_grammars.terminals import terminal_languages
from abnf2lark.lark_grammars.tokens import ConflictError
from abnf2lark.lark_grammars.trees import Trees
from abnf2lark.reading.ir import Chars, Text, leading_to, nullable_rules, walk
from abnf2lark.reading.loops import recursive_rules

if TYPE_CHECKING:
    from abnf2lark.lark_grammars.emit_lark import LexedTerminal
    from abnf2lark.reading.ir import Grammar

MAX_TRIES = 30


class UndecidedError(Exception):
    """A parser cannot decide between two actions; the message says where, ``rules`` of which."""

    def __init__(self, message: str, rules: tuple[str, ...]) -> None:
        super().__init__(message)
        self.rules = rules


def recursive_components(
    grammar: Grammar, starts: tuple[str, ...], nodes: frozenset[str], leaves: frozenset[str]
) -> Components:
    """Cut a recursive grammar; rules that lead back to themselves are nodes, whatever is wanted."""
    recursive = recursive_rules(grammar)
    texts = {
        name
        for name, rule in grammar.rules.items()
        if any(isinstance(part, Chars | Text) for part in walk(rule.body))
    }
    nullable = nullable_rules(grammar)
    components = cut(
        grammar,
        starts,
        nodes | recursive,
        leaves - recursive,
        nullable=nullable,
        only_empty=nullable - leading_to(grammar, texts),
        spread=True,
    )
    components = with_plain_names(components)
    return renamed(components, remembered(components.rules, components.abnf_names))


def recursive_lalr(
    grammar: Grammar, starts: tuple[str, ...], nodes: frozenset[str], leaves: frozenset[str]
) -> tuple[Components, dict[str, LexedTerminal]]:
    """Find trees for which a recursive grammar is LALR(1), the finest first.

    Where the proof fails, the rules at which it does are changed: to leaves, to none, or so that
    one takes in what comes behind it. Raises :class:`UndecidedError` or ``UnprovableError`` where
    that comes to an end, with what stood in the way of the finest trees last.
    """
    trees = Trees(grammar, starts, nodes, leaves)
    failures: list[Exception] = []
    finest = split = False
    for _ in range(MAX_TRIES):
        components = recursive_components(trees.grammar, starts, trees.nodes, trees.leaves)
        if split:
            components = apart(components)
        try:
            return components, lexed(components)
        except ConflictingError as error:
            failures.append(UndecidedError(*undecided(error, components)))
            changed = trees.decide(error, components)
        except ConflictError as error:
            failures.append(UndecidedError(*collision(str(error), components)))
            changed = False
        except UnprovableError as error:
            failures.append(error)
            changed = not split or trees.tell_apart(error.rules)
            split = True
        except TooLargeError:
            if not failures:
                raise
            break
        if finest:
            failures.pop()
        if not changed:
            finest = True
            if not trees.coarsen():
                break
    raise failures[-1]


def lexed(components: Components) -> dict[str, LexedTerminal]:
    """Find guards and priorities for a recursive component grammar; set those of its rules.

    Raises :class:`ConflictError` where it is not LALR(1), :class:`UnprovableError` where tokens
    cannot be told apart.
    """
    alphabet = Alphabet(terminal.node for terminal in components.terminals.values())
    languages = terminal_languages(components, alphabet)
    actions = Actions(lark_text(components, {}, {}), list(components.starts.values()))
    losses = Losses(actions, languages, alphabet)
    components.priorities = priorities(actions, losses, list(components.rules))
    losses.decide(components.priorities)
    states = LexingStates(actions)
    return RecursiveLexing(components, states, losses, languages, alphabet).solve()
