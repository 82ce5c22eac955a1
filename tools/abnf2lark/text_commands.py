"""The sub-commands of ``abnf2lark`` that read texts or documents, by a grammar."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from abnf2lark import process
from abnf2lark.problems import GrammarError, InputError, Problem, Source, has_errors, no_rule
from abnf2lark.process import add_force, flag, put, repeated, say
from abnf2lark.subcommands import (
    START,
    Described,
    add_define,
    add_ignore,
    add_import,
    add_out,
    add_rules,
    add_sources,
    output,
    put_problems,
    read_named,
)

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


# Sub-commands for those who write a grammar and the document around it.


def _add_check_arguments(parser: ArgumentParser) -> None:
    text = "a document: Markdown (.md), the XML or the plain text of an RFC, or a grammar (.abnf)"
    parser.add_argument("file", nargs="+", metavar="FILE", help=text)
    add_import(parser)
    add_define(parser)
    add_rules(parser, "--start", START)
    add_ignore(parser)
    text = "do not read the grammar a second time by the package abnf, which is slow"
    flag(parser, "--once", help=text)
    text = "how to write the problems (default: text)"
    parser.add_argument("--format", choices=("text", "json", "sarif"), default="text", help=text)
    add_out(parser, "OUT")


def _check(options: Namespace) -> int:
    """Write the problems of all documents; return 1 if there are errors."""
    from abnf2lark.checking import check
    from abnf2lark.checks import without
    from abnf2lark.config import import_grammars, named_source

    without([], options.ignore)  # which refuses unknown codes, before anything is read
    imports = import_grammars(options.imports)
    found: list[Problem] = []
    for name in options.file:
        try:
            source = named_source(name)
            new = check(source, imports, options.start, options.defines, twice=not options.once)
        except GrammarError as error:
            new = error.problems
        found += without(new, options.ignore)
    with output(options) as write:
        if options.format == "text" and options.out in {None, "-"}:
            put_problems(found, colours=process.wanted(options.color, "stdout"))
        else:
            write(_written(found, options.format))
    return 1 if has_errors(found) else 0


def _written(found: list[Problem], form: str) -> str:
    if form == "text":
        return "".join(f"{problem.show()}\n" for problem in found)
    made = _sarif(found) if form == "sarif" else [problem.as_dict() for problem in found]
    return f"{json.dumps(made, indent=2)}\n"


def _sarif(problems: list[Problem]) -> dict[str, object]:
    """Return a log of SARIF 2.1.0, in which code hosts take findings: a rule for each code."""
    codes = sorted({problem.code for problem in problems})
    driver = {"name": "abnf2lark", "rules": [{"id": code} for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(problem, codes.index(problem.code)) for problem in problems],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return {"$schema": schema, "version": "2.1.0", "runs": [run]}


def _result(problem: Problem, number: int) -> dict[str, object]:
    name, line = problem.source.place(problem.position.line)
    place = {
        "artifactLocation": {"uri": quote(PurePath(name).as_posix())},
        "region": {"startLine": line, "startColumn": problem.position.column},
    }
    return {
        "ruleId": problem.code,
        "ruleIndex": number,
        "level": problem.severity,
        "message": {"text": problem.message},
        "locations": [{"physicalLocation": place}],
    }


def _add_format_arguments(parser: ArgumentParser) -> None:
    text = "grammars; - for standard input"
    parser.add_argument("file", nargs="+", metavar="FILE.abnf", help=text)
    group = parser.add_mutually_exclusive_group()
    text = "replace the files, where it changes them"
    group.add_argument("--write", action="store_true", help=text)
    group.add_argument("--check", action="store_true", help="print a diff, and write nothing")


def _format(options: Namespace) -> int:
    """Write grammars in the RFCs' style; return 1 if files are not, or were not, written so."""
    import difflib

    from abnf2lark.config import named_source
    from abnf2lark.formatting import formatted
    from abnf2lark.outputs import Outputs

    made = [(source, formatted(source)) for source in map(named_source, options.file)]
    changed = [(source, text) for source, text in made if source.text != text]
    if not (options.write or options.check):
        for _, text in made:
            put(text)
        return 0
    if options.write:
        with Outputs(force=True) as written:
            for source, text in changed:
                written.text(source.name).write(text)
    for source, text in changed:
        if options.write:
            say(f"{source.name}: written anew")
            continue
        pair = (source.text.splitlines(keepends=True), text.splitlines(keepends=True))
        put("".join(difflib.unified_diff(*pair, source.name, f"{source.name} (formatted)")))
    return 1 if changed else 0


DOCUMENT_COMMANDS: Described = {
    "check": (
        "check the grammar of a draft, and the draft's own examples",
        """\
Check documents: take the grammar out of the blocks of type "abnf" of Markdown
(```abnf, ~~~ abnf) and of XML (<sourcecode type="abnf">), or find it in plain
text; lint it; read it a second time by the package abnf and compare. Then hold
the document's examples to it: a block whose type is the name of a rule, whole or
each line, is to match that rule, and one of type !RULE is not. Exit codes: 0
nothing is wrong, 1 something is.""",
        """\
  abnf2lark check draft-example-00.md --import rfc3986
  abnf2lark check --format sarif -o abnf.sarif draft-*.xml grammar/*.abnf""",
        _add_check_arguments,
        _check,
    ),
    "format": (
        "write grammars in the style of RFCs",
        """\
Write grammars as RFCs do: "=" in one column, alternatives below it, lines of at
most 69 columns but for comments, which stay. What is written means the same, or
nothing is written. Exit codes: 0 done, or nothing to change; 1 with --write or
--check: files are changed, or would be.""",
        """\
  abnf2lark format my.abnf > new.abnf
  abnf2lark format --write grammar/*.abnf""",
        _add_format_arguments,
        _format,
    ),
}
