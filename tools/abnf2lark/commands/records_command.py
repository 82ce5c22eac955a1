"""Print the record of each text: a field for each rule that says something. With
--types, write the classes as a module of Python, typed, with a visitor.
Exit codes: 0 the rule matches all texts, 1 it does not, 2 a usage error.

examples:
  abnf2lark records rfc3986 authority 'u@h:80' --capture host --capture port
  abnf2lark records my.abnf document --types my_ast.py
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from abnf2lark.commands.texts import add_text_arguments, each_text, grammar_of, put_nodes
from abnf2lark.library.records import Node
from abnf2lark.process import add_force, put, repeated


def add_arguments(parser: ArgumentParser) -> None:
    add_text_arguments(parser)
    text = "a rule that is to be a record or a field (default: those that say something)"
    repeated(parser, "--capture", metavar="RULE", help=text)
    text = "write the classes of the records as a typed module, and read no text"
    parser.add_argument("--types", metavar="OUT.py", help=text)
    add_force(parser)


def run(options: Namespace) -> int:
    """Print the records, or write their classes; return 1 if a text does not match."""
    grammar = grammar_of(options)
    captured = options.capture or None
    if options.types is not None:
        grammar.emit_types(options.types, options.rule, captured, force=options.force)
        return 0
    records = grammar.records(options.rule, captured)

    def read(text: str) -> None:
        record = records.parse(text)
        if options.json:
            put_nodes(list[Node]([record]), _parts, text, options)
        else:
            put(f"{record!r}\n")

    return each_text(options, read)


def _parts(node: Node) -> tuple[str, int, int, Sequence[Node]]:
    return node.rule, node.start, node.end, node.children
