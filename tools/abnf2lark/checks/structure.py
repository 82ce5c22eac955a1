"""Checks on how the rules of a file hang together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import UndecidedError, compare_rules
from abnf2lark.lark_grammars.names import abnf_text
from abnf2lark.reading.endings import endless
from abnf2lark.reading.ir import (
    Alt,
    Capture,
    Chars,
    Ref,
    Rep,
    Seq,
    Text,
    is_nullable,
    nullable_rules,
    reachable,
    references,
)
from abnf2lark.reading.linear_recursion import with_loops
from abnf2lark.reading.loops import loop_through, looping, recursion, shown
from abnf2lark.reading.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from abnf2lark.checks.subject import Subject
    from abnf2lark.reading.ir import Grammar, Node, Rule


def structure_problems(subject: Subject, starts: Sequence[str]) -> list[Problem]:
    """Return unreachable, endless, left-recursive and redefined rules, and empty repetitions."""
    return [
        *_unreachable(subject, starts),
        *endless(subject.source, subject.grammar),
        *_left_recursive(subject),
        *_empty_repetitions(subject),
        *_redefined(subject),
    ]


def _own(subject: Subject) -> list[Rule]:
    return [subject.grammar.rules[name] for name in subject.grammar.own]


def _unreachable(subject: Subject, starts: Sequence[str]) -> Iterator[Problem]:
    """Report what no start leads to; without starts, what the only root does not, if it is first.

    A first rule that others refer to, as they do in recursive grammars, is meant for texts, too.
    """
    grammar = subject.grammar
    if not starts:
        used = {ref.name for rule in _own(subject) for ref in references(rule.body)}
        starts = [name for name in grammar.own if name not in used]
        if starts != [*grammar.own[:1]]:
            return
    reached = set(reachable(grammar, starts))
    for rule in _own(subject):
        if rule.name not in reached:
            text = f'"{rule.name}" is not reached from {" or ".join(starts)}'
            yield Problem(subject.source, rule.position, "unreachable", text, "warning")


def _left_recursive(subject: Subject) -> Iterator[Problem]:
    """Report the first rule of every loop that can come around without reading anything."""
    grammar = subject.grammar
    nullable = nullable_rules(grammar)
    steps = {
        name: tuple(dict.fromkeys(_leftmost(rule.body, nullable)))
        for name, rule in grammar.rules.items()
    }
    left_recursive = set(looping(steps))
    done: set[str] = set()
    for rule in _own(subject):
        if rule.name in left_recursive and rule.name not in done:
            loop = loop_through(rule.name, steps, len(steps) + 2)
            done.update(loop)
            text = f'"{rule.name}" is left-recursive: {shown(loop)}'
            yield Problem(subject.source, rule.position, "left-recursion", text, "warning")


def _leftmost(node: Node, nullable: frozenset[str]) -> Iterator[str]:
    """Yield the rules that ``node`` can begin with, nothing being read before them."""
    match node:
        case Ref(name):
            yield name
        case Seq(items):
            for item in items:
                yield from _leftmost(item, nullable)
                if not is_nullable(item, nullable):
                    break
        case Alt(items):
            for item in items:
                yield from _leftmost(item, nullable)
        case Rep(item) | Capture(_, item):
            yield from _leftmost(item, nullable)
        case Chars() | Text():
            pass


def _empty_repetitions(subject: Subject) -> Iterator[Problem]:
    """Report repeated elements that can be empty: nobody can tell how often they come."""
    nullable = nullable_rules(subject.grammar)
    for repeat in subject.outline.repeats:
        many = repeat.high is None or repeat.high > 1
        if many and is_nullable(repeat.part.node, nullable):
            text = "the repeated element can be empty, so there is no telling how often it comes"
            yield Problem(subject.source, repeat.part.position, "empty-repetition", text, "warning")


def _redefined(subject: Subject) -> Iterator[Problem]:
    """Report own rules with the name of a core rule, and how they differ from it."""
    own = {name.casefold() for name in subject.grammar.own}
    if all(name.casefold() in own for name in subject.core.rules):
        return  # a file of core rules
    for rule in _own(subject):
        core = subject.core.find(rule.name)
        if core is None:
            continue
        difference = _difference(subject.grammar, rule, subject.core, core)
        text = (
            f'"{rule.name}" redefines the core rule {core.name}: {difference}'
            if difference
            else f'"{rule.name}" repeats the core rule {core.name}'
        )
        yield Problem(subject.source, rule.position, "core-rule", text, "warning")


def _difference(grammar: Grammar, rule: Rule, core: Grammar, core_rule: Rule) -> str:
    """Say what only one of two rules matches; empty if they are equal."""
    if recursion(with_loops(grammar), (rule.name,)):
        return "it is recursive"
    try:
        found = compare_rules(grammar, rule.name, core, core_rule.name)
    except UndecidedError as error:
        return f"it is not known how, since {error}"
    if found.only_left is not None:
        return f"only here it matches {abnf_text(found.only_left)}"
    if found.only_right is not None:
        return f"here it does not match {abnf_text(found.only_right)}"
    return ""
