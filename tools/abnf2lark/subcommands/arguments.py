"""Options that the commands share, and problems in colours."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from abnf2lark.process import Painted, add_force, flag, for_terminals, painted, put, repeated, say
from abnf2lark.reading.problems import GrammarError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from abnf2lark.reading.ir import Grammar
    from abnf2lark.reading.problems import Problem


# Problems in colours, for terminals.


def shown(problem: Problem, *, colours: bool) -> str:
    """Show a problem as `Problem.show` does; its place, its code and the caret may have colours."""
    if not colours:
        return problem.show()
    headline, line, caret = for_terminals(problem.show()).split("\n")
    place, code, message = headline.split(": ", 2)
    style = "error" if problem.severity == "error" else "warning"
    pad = caret[: caret.index("^")]
    first = f"{painted(place, 'place')}: {painted(code, style)}: {message}"
    return Painted(f"{first}\n{line}\n{pad}{painted('^', 'caret')}")


# What the sub-commands share: arguments for grammars and rules, reading and writing.


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the grammar, and what it may take rules from."""
    text = "a grammar: files, the name of a bundled one (rfc3986), or - for standard input"
    parser.add_argument("file", nargs="+", metavar="FILE.abnf", help=text)
    add_import(parser)
    add_define(parser)
    add_lenient(parser)


def add_import(parser: argparse.ArgumentParser) -> None:
    """Add the option for grammars that undefined rules are taken from."""
    repeated(
        parser,
        "--import",
        dest="imports",
        metavar="NAME",
        help="a bundled grammar, or a file, to take undefined rules from",
    )


def add_define(parser: argparse.ArgumentParser) -> None:
    """Add the option for what the grammar leaves open."""
    repeated(
        parser,
        "--define",
        dest="defines",
        metavar="NAME=ELEMENTS",
        help="what a name, or prose such as <any CHAR except CTLs>, stands for",
    )


def add_lenient(parser: argparse.ArgumentParser) -> None:
    """Add the option for what is not ABNF."""
    text = "read | ::= 'x' x* [a-z] 1#x and the like as what they seem to mean, and say so"
    flag(parser, "--lenient", help=text)


def add_rules(parser: argparse.ArgumentParser, option: str, text: str) -> None:
    """Add an option that names a rule, and may come more than once."""
    repeated(parser, option, metavar="RULE", help=text)


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
    from abnf2lark.reading.config import import_grammars, read_grammar  # noqa: PLC0415 - slow

    known = import_grammars(imports)
    grammar, problems = read_grammar(names, known, take, defines, lenient=lenient)
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise GrammarError(errors)
    for problem in problems:
        say(problem.headline())
    return grammar


def add_out(parser: argparse.ArgumentParser, metavar: str) -> None:
    """Add the options for the file to write."""
    parser.add_argument("-o", "--out", metavar=metavar, help="write here, not to the terminal")
    add_force(parser)


@contextmanager
def output(options: argparse.Namespace, names: Sequence[str]) -> Iterator[Callable[[str], object]]:
    """Yield what writes to the file, or to standard output where it is "-" or none is named.

    names: the grammars that are read. OSError if the file is one of them, or cannot be written.
    """
    if options.out in {None, "-"}:
        yield put
        return
    from abnf2lark.outputs import Outputs  # noqa: PLC0415 - seldom needed
    from abnf2lark.reading.config import bundle_names, bundled_directory  # noqa: PLC0415 - slow

    shipped = bundle_names(bundled_directory())
    read = [name for name in names if name.lower() not in shipped]
    with Outputs(force=options.force, read=read) as files:
        yield files.text(options.out).write
