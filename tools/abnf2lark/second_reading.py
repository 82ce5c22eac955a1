"""A second reader: the package abnf reads the same text, and both must mean the same.

Its parser and its reading of strings and numbers share nothing with ours; only the way from its
parse tree to the intermediate form is here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from abnf2lark import ir
from abnf2lark.problems import Problem, Source
from abnf2lark.reading.reader import read_rules

if TYPE_CHECKING:
    from abnf.parser import Literal, Node, NodeVisitor


def second_reading(source: Source) -> tuple[list[Problem], str]:
    """Compare what two readers make of a text, rule by rule; ours must have no errors with it.

    Return problems, or why the other one cannot read it at all.
    """
    from abnf.parser import ABNFGrammarRule, ParseError  # noqa: PLC0415 - slow to load

    text = source.text.rstrip().replace("\r", "") + "\n"
    try:
        tree = ABNFGrammarRule("rulelist").parse_all(text.replace("\n", "\r\n"))
    except ParseError as error:
        line = text.replace("\n", "\r\n")[: error.start].count("\n") + 1
        return [], f"the package abnf cannot read on from line {line}"
    except RecursionError:
        return [], "the rules are nested too deeply for the package abnf"
    rules = (
        {part.name: part for part in rule.children} for rule in tree.children if rule.name == "rule"
    )
    theirs = ir.grouped(
        (parts["rulename"].value.casefold(), _body(parts["elements"])) for parts in rules
    )
    found: list[Problem] = []
    ours, _ = read_rules(replace(source, lenient=False), "")
    for one in ours:
        other = ir.alt(theirs.pop(one.name.casefold(), [ir.EMPTY]))
        if ir.replaced(one.body, _folded) != other:
            text = f"the package abnf reads {one.name} as {ir.spelled(other)}"
            found.append(Problem(source, one.position, "second-reader", text))
    for name in theirs:
        text = f"the package abnf reads a rule {name} here, which we do not"
        found.append(Problem(source, ir.Position(1, 1), "second-reader", text))
    return found, ""


def _folded(ref: ir.Ref) -> ir.Node:
    return ir.Ref(" ".join(ref.name.casefold().split()))


def _body(node: Node) -> ir.Node:
    names = ("alternation", "concatenation", "repetition")
    inner = [part for part in node.children if part.name in names]
    match node.name:
        case "elements" | "group":
            return _body(inner[0])
        case "alternation":
            return ir.alt([_body(part) for part in inner])
        case "concatenation":
            return ir.seq([_body(part) for part in inner])
        case "option":
            return ir.optional(_body(inner[0]))
        case "repetition":
            return _repeated(node)
        case "element":
            return _body(node.children[0])
        case "char-val" | "num-val":
            return _literal(node)
        case _:  # a rule name, or prose
            return _folded(ir.Ref(node.value))


def _repeated(node: Node) -> ir.Node:
    from abnf.parser import ABNFGrammarNodeVisitor  # noqa: PLC0415 - slow to load

    item = _body(node.children[-1])
    if node.children[0].name != "repeat":
        return item
    repeat = ABNFGrammarNodeVisitor.visit_repeat(node.children[0])
    if (repeat.min, repeat.max) == (1, 1):
        return item
    return ir.EMPTY if repeat.max == 0 else ir.Rep(item, repeat.min, repeat.max)


def _literal(node: Node) -> ir.Node:
    from abnf.parser import CharValNodeVisitor, NumValVisitor  # noqa: PLC0415 - slow to load

    kind: Callable[[], NodeVisitor] = CharValNodeVisitor
    if node.name == "num-val":
        kind = NumValVisitor
    made: Literal = kind().visit(node)
    value = made.value
    if isinstance(value, tuple):
        low, high = map(ord, value)
        half = [(low, min(high, 0xD7FF)), (max(low, 0xE000), high)]  # halves of UTF-16 are not text
        return ir.Chars(tuple(pair for pair in half if pair[0] <= pair[1]) or ((low, high),))
    if made.case_sensitive or value.lower() == value.upper():
        return ir.Chars.single(value) if len(value) == 1 else ir.Text(value) if value else ir.EMPTY
    both = [{ord(char.lower()), ord(char.upper())} for char in value]
    return ir.seq([ir.Chars.of([(code, code) for code in codes]) for codes in both])
