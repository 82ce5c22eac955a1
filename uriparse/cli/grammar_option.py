"""The rule that a command is about: of a shipped grammar, or of a file of ABNF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from uriparse.cli.arguments import repeated
from uriparse.cli.console import Console, RefusedOptionError, UsageError
from uriparse.grammar import grammars, start_rule

if TYPE_CHECKING:
    import argparse

    from uriparse.rule_sources import OwnGrammar, Source


_RULE = "default: URI, for another grammar its widest rule, for a file its first"


def add_grammar(parser: argparse.ArgumentParser, rule: str = _RULE) -> None:
    """Declare `--rule`, `--grammar`, `--abnf` and `--import`; rule: what help says of the first."""
    parser.add_argument("--rule", metavar="RULE", help=rule)
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--grammar",
        choices=grammars(),
        default="rfc3986",
        metavar="NAME",
        help=f"one of {', '.join(grammars())} (default: rfc3986)",
    )
    _add_file(where)
    _add_imports(parser)


def add_own_grammar(parser: argparse.ArgumentParser) -> None:
    """Declare `--rule`, `--abnf` and `--import`, for rules of a file alone."""
    parser.add_argument("--rule", metavar="RULE", help="for --abnf: the rule (default: its first)")
    _add_file(parser)
    _add_imports(parser)


def _add_file(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--abnf", metavar="FILE", help="take the rule from a file of ABNF")


def _add_imports(parser: argparse.ArgumentParser) -> None:
    text = "for --abnf: take rules that are not defined from this grammar"
    repeated(parser, "--import", dest="imports", choices=grammars(), metavar="NAME", help=text)


def read_rule(args: argparse.Namespace, console: Console) -> tuple[str, str | Source]:
    """Return the rule that is named, and its grammar; UsageError if there is none."""
    if args.abnf is None:
        if args.imports:
            raise UsageError("--import goes with --abnf FILE: it is for rules not in there")
        first = "URI" if args.grammar == "rfc3986" else start_rule(args.grammar)
        return first if args.rule is None else args.rule, args.grammar
    source = read_file(args, console)
    return source.rules[0] if args.rule is None else args.rule, source


def read_file(args: argparse.Namespace, console: Console) -> OwnGrammar:
    """Return the grammar of the file that `--abnf` names; UsageError if it cannot be used."""
    from uriparse.rule_sources import GrammarTextError, read_abnf

    try:
        text = Path(args.abnf).read_text(encoding="utf-8-sig")
        return read_abnf(text, args.abnf, args.imports)
    except GrammarTextError as error:
        console.error(console.shown(str(error)))  # each line names file, line and column
        raise RefusedOptionError("--abnf") from None
    except (OSError, ValueError) as error:  # not UTF-8, or a null in the name
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise UsageError(f"{console.shown(args.abnf)}: {reason}") from None
