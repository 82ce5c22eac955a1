"""Lark grammars that took long to compile, kept between runs."""

from dataclasses import astuple
from sys import version_info
from time import process_time
from typing import Any, TypeAlias

from lark import __version__

from abnf2lark import ir
from abnf2lark.lark_grammars.compiling import LarkGrammar, compile_grammar
from abnf2lark.remembered import entry, read, write

WORTH_KEEPING = 0.2  # seconds of processor time; most grammars take less

Kinds: TypeAlias = tuple[list[str], list[str], list[str]]


def compiled(grammar: ir.RuleSet, start: str, kinds: Kinds, *, remember: bool) -> LarkGrammar:
    """Compile a grammar for one rule, or read it from the cache; kinds: nodes, leaves, inlined."""
    names = ir.reachable(grammar, [start])
    rules = [grammar.rules[name] for name in names]
    parts = [(rule.name, rule.origin, rule.source, rule.body) for rule in rules]
    own = [name for name in grammar.own if name in {*names}]
    made_of = (grammar.name, start, kinds, own, parts, __version__, version_info[:2])
    place = entry("lark", made_of) if remember else None
    known = place and read(place, _lark_grammar)
    if known:
        return known
    begun = process_time()
    nodes, leaves, inlined = kinds
    made = compile_grammar(grammar, (start,), nodes=nodes, leaves=leaves, inlined=inlined)
    if place and process_time() - begun >= WORTH_KEEPING:
        write(place, astuple(made))
    return made


def _lark_grammar(kept: Any) -> LarkGrammar:
    values: Any = [tuple(one) if isinstance(one, list) else one for one in kept]
    return LarkGrammar(*values)
