"""What the sub-commands share: arguments for grammars and rules, reading and writing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from abnf2lark.process import put, say
from abnf2lark.reading.problems import GrammarError, InputError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from abnf2lark.reading.ir import Grammar


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the grammar, and what it may take rules from."""
    text = "a grammar: files, the name of a bundled one (rfc3986), or - for standard input"
    parser.add_argument("file", nargs="+", metavar="FILE.abnf", help=text)
    add_import(parser)
    add_define(parser)
    add_lenient(parser)


def add_import(parser: argparse.ArgumentParser) -> None:
    """Add the option for grammars that undefined rules are taken from."""
    parser.add_argument(
        "--import",
        dest="imports",
        action="append",
        default=[],
        metavar="NAME",
        help="a bundled grammar, or a file, to take undefined rules from",
    )


def add_define(parser: argparse.ArgumentParser) -> None:
    """Add the option for what the grammar leaves open."""
    parser.add_argument(
        "--define",
        dest="defines",
        action="append",
        default=[],
        metavar="NAME=ELEMENTS",
        help="what a name, or prose such as <any CHAR except CTLs>, stands for",
    )


def add_lenient(parser: argparse.ArgumentParser) -> None:
    """Add the option for what is no ABNF."""
    text = "read | ::= 'x' x* [a-z] 1#x and the like as what they seem to mean, and say so"
    parser.add_argument("--lenient", action="store_true", help=text)


def add_rules(parser: argparse.ArgumentParser, option: str, text: str) -> None:
    """Add an option that names a rule, and may come more than once."""
    parser.add_argument(option, action="append", default=[], metavar="RULE", help=text)


def read(options: argparse.Namespace, take: Sequence[str] = ()) -> Grammar:
    """Return the grammar that options name, as :func:`read_named` does; tell what is doubtful."""
    return read_named(options.file, options.imports, take, options.defines, lenient=options.lenient)


def read_named(
    names: str | Sequence[str],
    imports: Sequence[str],
    take: Sequence[str] = (),
    defines: Sequence[str] = (),
    *,
    lenient: bool = False,
) -> Grammar:
    """Return a grammar without errors; raises :class:`GrammarError` for one that has some."""
    from abnf2lark.reading.imports import import_grammars, read_grammar  # noqa: PLC0415 - slow

    known = import_grammars(imports)
    grammar, problems = read_grammar(names, known, take, defines, lenient=lenient)
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise GrammarError(errors)
    for problem in problems:
        say(problem.headline())
    return grammar


def spare(out: str | None, names: Sequence[str]) -> None:
    """Refuse to write over a file that is read; raises :class:`InputError`."""
    if out is None or not Path(out).is_file():
        return
    from abnf2lark.reading.config import bundle_names, bundled_directory  # noqa: PLC0415 - slow

    shipped = bundle_names(bundled_directory())
    for name in names:
        if name.lower() in shipped or not Path(name).is_file():
            continue
        if Path(name).samefile(out):
            raise InputError(f"--out {out}: it is what is read; give another name")


def write(text: str, out: str | None) -> None:
    """Write to a file, or to standard output where it is "-" or none is named."""
    if out in {None, "-"}:
        put(text)
        return
    try:
        Path(out).write_bytes(text.encode())
    except OSError as error:
        raise InputError(f"{out}: {error.strerror}") from None
