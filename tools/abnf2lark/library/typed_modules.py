"""Modules of typed classes for the records of a rule, as `Grammar.emit_types` writes them."""

from abnf2lark.ir import RuleSet, reachable, spelled
from abnf2lark.library.records import RecordClasses, annotation

HEAD = '''\
"""Records of {rule}: classes, `parse`, and a visitor. Written by abnf2lark; edit the grammar."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

import abnf2lark
from abnf2lark import Leaf, Record

GRAMMAR = (
{grammar})
'''

RECORD = """

@dataclass(frozen=True, eq=False, repr=False)
class {name}(Record):
    rule: ClassVar[str] = {rule!r}
{fields}"""

LEAF = """

class {name}(Leaf):
    __slots__ = ()
    rule: ClassVar[str] = {rule!r}
"""

TAIL = '''

Node: TypeAlias = {union}

RECORDS = abnf2lark.load(GRAMMAR).records(
    {rule!r},
    classes={{
{classes}    }},
)


def parse(text: str) -> {name}:
    """Read a text; `abnf2lark.NoMatchError` for one that is not of the rule."""
    found = RECORDS.parse(text)
    if not isinstance(found, {name}):
        raise TypeError(found)
    return found


class Visitor:
    """Calls a method for each node, outermost first; override those that matter."""

    def visit(self, top: Record) -> None:
        for node in top.walk():
            match node:
{cases}
{methods}'''


def typed_module(grammar: RuleSet, classes: RecordClasses) -> str:
    """Write a module of the classes, which imports only abnf2lark; mypy --strict is content."""
    names = classes.names
    parts = [HEAD.format(rule=classes.top, grammar=_grammar(grammar, classes.top))]
    for rule, name in names.items():
        if not classes.is_record(rule):
            parts.append(LEAF.format(name=name, rule=rule))
            continue
        slots = classes.slots[rule]
        fields = "".join(f"    {slot.name}: {annotation(slot, names)}\n" for slot in slots)
        inside = _union([names[slot.rule] for slot in slots])
        if inside:
            fields += f"    children: tuple[{inside}, ...] = field(kw_only=True, repr=False)\n"
        parts.append(RECORD.format(name=name, rule=rule, fields=fields))
    methods = {rule: f"visit_{name}" for rule, name in names.items()}
    parts.append(
        TAIL.format(
            union=_union([*names.values()]),
            rule=classes.top,
            name=names[classes.top],
            classes="".join(f"        {rule!r}: {name},\n" for rule, name in names.items()),
            cases="\n".join(
                f"                case {name}():\n                    self.{methods[rule]}(node)"
                for rule, name in names.items()
            ),
            methods="".join(
                f"\n    def {methods[rule]}(self, node: {name}) -> None:\n"
                f'        """Nothing by default."""\n'
                for rule, name in names.items()
            ),
        )
    )
    return "".join(parts)


def _union(names: list[str]) -> str:
    return " | ".join(dict.fromkeys(names))


def _grammar(grammar: RuleSet, top: str) -> str:
    """Write the rule, then all others that it leads to, except core rules."""
    rules = [grammar.rules[name] for name in (top, *reachable(grammar, [top]))]
    needed = dict.fromkeys(one for one in rules if one.name == top or one.origin != "core")
    lines = [f"{one.name} = {spelled(one.body)}\n" for one in needed]
    return "".join(f"    {line!r}\n" for line in lines)
