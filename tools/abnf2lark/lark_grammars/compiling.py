"""Compile a user's grammar to a Lark grammar that can be loaded as it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from abnf2lark.automata import TooLargeError, limited
from abnf2lark.lark_grammars.ambiguity import MAX_STEPS as MAX_STEPS_OF_A_REASON
from abnf2lark.lark_grammars.ambiguity import told_apart
from abnf2lark.lark_grammars.bounds import refuse_large
from abnf2lark.lark_grammars.coarser import coarser_leaves
from abnf2lark.lark_grammars.component_grammar import NotLalrError, lalr_grammar, refuse_long
from abnf2lark.lark_grammars.earley import earley_grammar
from abnf2lark.lark_grammars.nodes import default_nodes
from abnf2lark.lark_grammars.recursive_grammar import recursive_components
from abnf2lark.lark_grammars.taken_back import prove_expressions
from abnf2lark.reading.ir import reachable, references
from abnf2lark.reading.linear_recursion import with_loops
from abnf2lark.reading.loops import cycle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from abnf2lark.reading.ir import Grammar

MAX_STEPS = 4_000_000  # of automata; about 4 seconds
MAX_STEPS_OF_TERMINALS = 600_000  # of automata that a reason is looked for with
PROOF_BY_REASON = 25  # steps of the one to those of the other, where there are to be few


@dataclass(frozen=True, slots=True)
class LarkGrammar:
    """The text of a Lark grammar, the parser that it is for, and why not a better one."""

    text: str
    parser: Literal["lalr", "earley"]
    starts: tuple[str, ...]  # in Lark's spelling
    reason: str = ""
    advice: tuple[str, ...] = ()  # rules that would make it LALR as leaves
    flattened: tuple[str, ...] = ()  # rules that could not be nodes, or it would not be LALR


def compile_grammar(
    grammar: Grammar,
    starts: tuple[str, ...],
    *,
    nodes: Iterable[str] = (),
    leaves: Iterable[str] = (),
    inlined: Iterable[str] = (),
    advise: bool = False,
    max_steps: int = MAX_STEPS,
) -> LarkGrammar:
    """Compile the rules that ``starts`` lead to; LALR where that is proved right, else Earley.

    ``nodes`` and ``leaves`` are nodes of trees as well as the rules that are by default; a leaf
    holds text only. ``inlined`` rules are none. With ``advise`` leaves are looked for that would
    make it LALR. Raises :class:`GrammarTooLargeError` for what Lark would not load.
    """
    only = _restricted(grammar, starts)
    refuse_large(only)
    flat = frozenset(leaves).intersection(only.rules)
    kept = (default_nodes(only) | flat.union(nodes).intersection(only.rules)).difference(inlined)
    only = with_loops(only, _texts(only, kept))
    comments = {rule.name: rule.source for rule in only.rules.values()}
    try:
        with limited(max_steps):
            lalr = lalr_grammar(only, starts, kept - flat, flat)
    except NotLalrError as error:
        earley = earley_grammar(only, starts, kept - flat, flat)
        body = earley.text(comments)
        prove_expressions(body, earley.starts.values(), earley.terminals)
        steps = min(MAX_STEPS_OF_A_REASON, max_steps // PROOF_BY_REASON)
        reason = _reason(error, only, starts, kept - flat, flat, steps)
        made = _finished(grammar.name, body, "earley", earley.starts, earley.rules, reason)
        if advise:
            advice = coarser_leaves(only, starts, kept - flat, flat, error.rules)
            made = replace(made, advice=advice)
        return made
    body = lalr.text(comments, aliases=True)
    prove_expressions(body, lalr.components.starts.values(), lalr.expressions())
    components = lalr.components
    shown = {components.abnf_names.get(name) for name in components.rules if name[0] != "_"}
    flattened = tuple(name for name in only.rules if name in kept and name not in shown)
    made = _finished(
        grammar.name, body, "lalr", components.starts, components.rules, flattened=flattened
    )
    return replace(made, flattened=flattened)


def _reason(
    error: NotLalrError,
    grammar: Grammar,
    starts: tuple[str, ...],
    nodes: frozenset[str],
    leaves: frozenset[str],
    max_steps: int,
) -> str:
    """Say why a grammar is Earley's, with a text that shows it."""
    if cycle(grammar, starts):
        return str(error)
    try:
        refuse_long(grammar)
        with limited(MAX_STEPS_OF_TERMINALS):
            components = recursive_components(grammar, starts, nodes, leaves)
            told = told_apart(components, error.rules, max_steps)
    except (RecursionError, TooLargeError):  # there is no text to be found in reasonable time
        return str(error)
    return f"{error}; {told}" if told else str(error)


def _restricted(grammar: Grammar, starts: tuple[str, ...]) -> Grammar:
    """Return the grammar without the rules that the given ones do not lead to."""
    names = dict.fromkeys(reachable(grammar, starts))
    own = tuple(name for name in grammar.own if name in names)
    return type(grammar)(grammar.name, {name: grammar.rules[name] for name in names}, own)


def _texts(grammar: Grammar, kept: AbstractSet[str]) -> Iterator[str]:
    """Yield the rules that lead back to themselves at once and hold no other node."""
    for name, rule in grammar.rules.items():
        inside = {ref.name for ref in references(rule.body)}
        if name in inside and kept.isdisjoint(reachable(grammar, inside - {name})):
            yield name


def _finished(
    name: str,
    body: str,
    parser: Literal["lalr", "earley"],
    starts: Mapping[str, str],
    rules: Iterable[str],
    reason: str = "",
    flattened: tuple[str, ...] = (),
) -> LarkGrammar:
    """Add a header, and a rule `start` for Lark's default."""
    options = 'parser="lalr", lexer="contextual"' if parser == "lalr" else 'parser="earley"'
    spelled = tuple(starts.values())
    shown = f'"{spelled[0]}"' if len(spelled) == 1 else str(list(spelled)).replace("'", '"')
    lines = [
        f"// Generated by `abnf2lark compile` from {name}.abnf.",
        f"// lark.Lark(text, {options}, start={shown})",
    ]
    if parser == "lalr":
        lines.append("// LALR(1): guards and priorities of the terminals are proved sufficient.")
    else:
        lines.append(f"// Earley, because there is no proof for LALR(1): {reason}")
    if flattened:
        lines.append(
            f"// No nodes, since it would not be LALR(1) with them: {', '.join(flattened)}"
        )
    if len(spelled) > 1:
        lines.insert(2, f'// and of what that returns: .parse(string, start="{spelled[0]}")')
    if "start" not in rules:
        lines += ["", f"?start: {' | '.join(spelled)}"]
    return LarkGrammar("\n".join([*lines, "", body]), parser, spelled, reason)
