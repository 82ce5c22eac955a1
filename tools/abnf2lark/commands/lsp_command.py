"""Serve an editor by the Language Server Protocol, on standard input and output:
problems while you type, definitions, references, what a rule matches, new names,
and the style of RFCs. Needs: pip install 'uriparse[lsp]'

examples:
  abnf2lark lsp
  abnf2lark lsp --import rfc3986
"""

from argparse import ArgumentParser, Namespace

from abnf2lark.commands.shared import add_import
from abnf2lark.config import import_grammars
from abnf2lark.problems import InputError
from abnf2lark.process import flag


def add_arguments(parser: ArgumentParser) -> None:
    add_import(parser)
    flag(parser, "--lenient", help="read | ::= 'x' and the like as what they seem to mean")


def run(options: Namespace) -> int:
    """Serve until the editor ends it."""
    imports = import_grammars(options.imports)
    try:
        from abnf2lark.language_server import server  # noqa: PLC0415 - needs pygls
    except ModuleNotFoundError as error:
        if error.name not in {"pygls", "lsprotocol"}:
            raise
        raise InputError("lsp needs pygls: pip install 'uriparse[lsp]'") from None
    server(imports, lenient=options.lenient).start_io()
    return 0
