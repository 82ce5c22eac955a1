"""What the commands that read texts by a rule share."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from abnf2lark.commands.shared import add_rule, read_grammar_of
from abnf2lark.config import named_source, read_source
from abnf2lark.library.explanations import Explanation, NoMatchError
from abnf2lark.library.grammar import Grammar
from abnf2lark.problems import InputError, Source, no_rule
from abnf2lark.process import flag, put, repeated, say


def add_text_arguments(parser: ArgumentParser) -> None:
    """Add a grammar, a rule, and texts."""
    add_rule(parser)
    text = "a text; without any, each line of standard input is one"
    parser.add_argument("text", nargs="*", default=[], metavar="TEXT", help=text)
    text = "a file that is one text as a whole, line ends included; - for standard input"
    repeated(parser, "--file", metavar="FILE", dest="files", help=text)
    flag(parser, "--json", help="print one JSON object per line")


def grammar_of(options: Namespace) -> Grammar:
    """Read the grammar that options name; :class:`InputError` if it lacks the rule."""
    if options.file == "-" and ("-" in options.files or not (options.text or options.files)):
        raise InputError("standard input is the grammar; give texts as arguments or with --file")
    rules = read_grammar_of(options, [options.rule])
    if rules.find(options.rule) is None:
        raise InputError(no_rule(options.rule, rules))
    return Grammar(rules, Source("", ""), ())


def _texts(options: Namespace) -> Iterator[str]:
    """Yield the texts that are given, or the lines of standard input, without their ends."""
    yield from options.text
    for name in options.files:
        yield named_source(name).text if name == "-" else read_source(Path(name)).text
    if not options.text and not options.files:
        for line in sys.stdin:
            yield line.removesuffix("\n").removesuffix("\r")


def each_text(options: Namespace, read: Callable[[str], None]) -> int:
    """Read each text, explain those that the rule does not match; return 1 if there are any."""
    code = 0
    for text in _texts(options):
        try:
            read(text)
        except NoMatchError as error:
            code = 1
            say("\n".join(pointed(error.explanation)))
    return code


def explained(
    options: Namespace, facts: Sequence[str], lines: Callable[[Explanation], list[str]]
) -> int:
    """Print for each text how far the rule matches it; return 1 if one does not match."""
    grammar, code = grammar_of(options), 0
    for text in _texts(options):
        found = grammar.explain(text, options.rule)
        code = code if found.matches else 1
        said = {"text": text} | {name: getattr(found, name) for name in facts}
        if "expected" in said:
            said["expected"] = {one.rule: one.words for one in found.expected}
        shown = [json.dumps(said)] if options.json else lines(found)
        put("".join(f"{line}\n" for line in shown))
    return code


def pointed(found: Explanation) -> list[str]:
    """Return the explanation of a text in words, and the place in it."""
    if found.matches:
        return [f"{found}: {quoted(found.text)}"]
    source = Source("", found.text)
    return [str(found), *source.pointed(source.position(found.begin))]


Node = TypeVar("Node")


def put_nodes(
    tops: list[Node],
    parts: Callable[[Node], tuple[str, int, int, Sequence[Node]]],
    text: str,
    options: Namespace,
) -> None:
    """Print the nodes of a text, a line each: rules, and texts between them, whose rule is empty.

    parts: returns the rule of a node, where it begins and ends, and the nodes in it.
    """
    pending = [(0, top) for top in tops]
    while pending:
        depth, node = pending.pop()
        rule, start, end, inside = parts(node)
        if options.json:
            facts = {"depth": depth, "rule": rule or None, "start": start, "end": end}
            put(f"{json.dumps({**facts, 'text': text[start:end]})}\n")
        else:
            shown = "" if inside else f" {quoted(text[start:end])}"
            put(f"{'  ' * depth}{f'{rule} {start}-{end}'.lstrip()}{shown}\n")
        pending.extend((depth + 1, child) for child in reversed(inside))


def quoted(text: str) -> str:
    """Write a text in quotes, on one line."""
    return json.dumps(text, ensure_ascii=False)
