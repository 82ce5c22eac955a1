"""The sub-commands of ``abnf2lark`` that read texts by a rule: match, explain, tree, records."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from abnf2lark.problems import InputError, Source, no_rule
from abnf2lark.process import add_force, flag, put, repeated, say
from abnf2lark.subcommands import add_sources, read_named

# Modules of the work itself are imported by what uses them, since they are slow to load.
# ruff: noqa: PLC0415

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from lark import Token, Tree

    from abnf2lark.library.explanations import Explanation
    from abnf2lark.library.grammar import Grammar
    from abnf2lark.library.records import Leaf, Record, Records


# Arguments: a grammar, a rule, and texts.


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("grammar", metavar="FILE.abnf", help="a file, a bundled grammar, or -")
    parser.add_argument("rule", metavar="RULE", help="the rule, in any letter case")
    text = "a text; without any, each line of standard input is one"
    parser.add_argument("text", nargs="*", metavar="TEXT", help=text)
    text = "a file that is one text as a whole, line ends included; - for standard input"
    repeated(parser, "--file", metavar="FILE", dest="files", help=text)
    add_sources(parser)
    flag(parser, "--json", help="print one JSON object per line")


def _add_tree_arguments(parser: ArgumentParser) -> None:
    _add_arguments(parser)
    flag(parser, "--full", help="make every rule a node, down to single characters")


def _add_record_arguments(parser: ArgumentParser) -> None:
    _add_arguments(parser)
    text = "a rule that is to be a record or a field (default: those that say something)"
    repeated(parser, "--capture", metavar="RULE", help=text)
    text = "write the classes of the records as a typed module, and read no text"
    parser.add_argument("--types", metavar="OUT.py", help=text)
    add_force(parser)


def _grammar(options: Namespace) -> Grammar:
    from abnf2lark.library.grammar import Grammar

    if options.grammar == "-" and ("-" in options.files or not (options.text or options.files)):
        raise InputError("standard input is the grammar; give texts as arguments or with --file")
    rules = read_named(
        options.grammar, options.imports, [options.rule], options.defines, lenient=options.lenient
    )
    if rules.find(options.rule) is None:
        raise InputError(no_rule(options.rule, rules))
    return Grammar(rules, Source("", ""), ())


def _texts(options: Namespace) -> Iterator[str]:
    """Yield the texts that are given, or the lines of standard input, without their ends."""
    from abnf2lark.config import named_source

    yield from options.text
    for name in options.files:
        yield named_source(name).text if name == "-" else _file(name)
    if not options.text and not options.files:
        for line in sys.stdin:
            yield line.removesuffix("\n").removesuffix("\r")


def _file(name: str) -> str:
    from pathlib import Path

    from abnf2lark.config import read_source

    return read_source(Path(name)).text


# What is done with each text.


def _each(options: Namespace, read: Callable[[str], None]) -> int:
    """Read each text; those that the rule does not match are explained. Return 1 if there are."""
    from abnf2lark.library.explanations import NoMatchError

    code = 0
    for text in _texts(options):
        try:
            read(text)
        except NoMatchError as error:
            code = 1
            say("\n".join(_pointed(error.explanation)))
    return code


_FACTS = ("matches", "offset", "begin", "line", "column", "may_end", "expected", "meant")


def _explained(
    options: Namespace, facts: Sequence[str], lines: Callable[[Explanation], list[str]]
) -> int:
    """Say of each text how far the rule goes with it. Return 1 if one is not the rule's."""
    grammar, code = _grammar(options), 0
    for text in _texts(options):
        found = grammar.explain(text, options.rule)
        code = code if found.matches else 1
        said = {"text": text} | {name: getattr(found, name) for name in facts}
        if "expected" in said:
            said["expected"] = {one.rule: one.words for one in found.expected}
        shown = [json.dumps(said)] if options.json else lines(found)
        put("".join(f"{line}\n" for line in shown))
    return code


def _match(options: Namespace) -> int:
    return _explained(options, _FACTS[:2], _verdict)


def _explain(options: Namespace) -> int:
    return _explained(options, _FACTS, _pointed)


def _verdict(found: Explanation) -> list[str]:
    where = f"stops at offset {found.offset}"
    where = "ends too early" if found.offset == len(found.text) else where
    verdict = found.rule if found.matches else f"no {found.rule}, {where}"
    return [f"{verdict}: {_quoted(found.text)}"]


def _pointed(found: Explanation) -> list[str]:
    """Return what is to be said of a text, and the place in it."""
    if found.matches:
        return [f"{found}: {_quoted(found.text)}"]
    source = Source("", found.text)
    return [str(found), *source.pointed(source.position(found.begin))]


def _tree(options: Namespace) -> int:
    grammar = _grammar(options)

    def read(text: str) -> None:
        tree = grammar.tree(text, options.rule, detail="full" if options.full else "nodes")
        _print(_nodes(tree), text, options)

    return _each(options, read)


def _records(options: Namespace) -> int:
    grammar = _grammar(options)
    captured = options.capture or None
    if options.types is not None:
        grammar.emit_types(options.types, options.rule, captured, force=options.force)
        return 0
    records: Records = grammar.records(options.rule, captured)

    def read(text: str) -> None:
        record = records.parse(text)
        if options.json:
            _print(_nodes_of_record(record), text, options)
        else:
            put(f"{record!r}\n")

    return _each(options, read)


# Nodes, each with its depth: nested output would take as much of Python's stack as the text nests.


class _Node(NamedTuple):
    """A line of output; the rule of text that stands between rules is empty."""

    depth: int
    rule: str
    start: int
    end: int
    is_leaf: bool


def _nodes(tree: Tree[Token]) -> Iterator[_Node]:
    pending: list[tuple[int, Tree[Token] | Token]] = [(0, tree)]
    while pending:
        depth, node = pending.pop()
        if isinstance(node, str):
            yield _Node(depth, "", node.start_pos or 0, node.end_pos or 0, True)
            continue
        inside = node.children
        is_leaf = all(isinstance(child, str) for child in inside)
        yield _Node(depth, str(node.data), node.meta.start_pos, node.meta.end_pos, is_leaf)
        if not is_leaf:
            pending.extend((depth + 1, child) for child in reversed(inside))


def _nodes_of_record(record: Record) -> Iterator[_Node]:
    pending: list[tuple[int, Record | Leaf]] = [(0, record)]
    while pending:
        depth, node = pending.pop()
        yield _Node(depth, node.rule, node.start, node.end, not node.children)
        pending.extend((depth + 1, child) for child in reversed(node.children))


def _print(nodes: Iterator[_Node], text: str, options: Namespace) -> None:
    for node in nodes:
        own = text[node.start : node.end]
        if options.json:
            facts = {"depth": node.depth, "rule": node.rule or None}
            put(f"{json.dumps({**facts, 'start': node.start, 'end': node.end, 'text': own})}\n")
        else:
            place = f"{node.rule} {node.start}-{node.end}".lstrip()
            shown = f" {_quoted(own)}" if node.is_leaf else ""
            put(f"{'  ' * node.depth}{place}{shown}\n")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_EXITS = "Exit codes: 0 the rule matches all texts, 1 it does not, 2 a usage error."

TEXT_COMMANDS = {
    "match": (
        "say whether texts match a rule",
        f"""\
Say for each text whether a rule matches it, recursive or not, and how far it
goes. {_EXITS}""",
        """\
  abnf2lark match rfc3986 IPv6address ::1 1::2::3
  abnf2lark match my.abnf document --file a.doc""",
        _add_arguments,
        _match,
    ),
    "explain": (
        "say where a text stops matching a rule, and what could follow there",
        f"""\
Say where each text stops matching, what could have followed, in the words of
the grammar, and the string that may be meant.
{_EXITS}""",
        """\
  abnf2lark explain rfc3986 URI 'http://a b/'
  abnf2lark explain my.abnf document --json < lines.txt""",
        _add_arguments,
        _explain,
    ),
    "tree": (
        "print the parse tree of texts, with spans",
        f"""\
Print the derivation of each text, a line a node: the rule, where it begins and
ends, in characters from 0, and its text where nothing else is in it.
{_EXITS}""",
        """\
  abnf2lark tree rfc3986 authority 'u@h:80'
  abnf2lark tree my.abnf document --full --json --file a.doc""",
        _add_tree_arguments,
        _tree,
    ),
    "records": (
        "parse texts into records, or write their classes",
        f"""\
Print the record of each text: a field for each rule that says something. With
--types, write the classes as a module of Python, typed, with a visitor.
{_EXITS}""",
        """\
  abnf2lark records rfc3986 authority 'u@h:80' --capture host --capture port
  abnf2lark records my.abnf document --types my_ast.py""",
        _add_record_arguments,
        _records,
    ),
}
