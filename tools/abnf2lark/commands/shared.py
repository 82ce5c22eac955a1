"""What the commands share: arguments, the reading of grammars, output, and problems for people."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from abnf2lark import process
from abnf2lark.config import hint_at_imports, import_grammars, read_grammar, shipped
from abnf2lark.ir import RuleSet
from abnf2lark.outputs import Outputs
from abnf2lark.problems import GrammarError, Problem, has_errors
from abnf2lark.process import add_force, flag, painted, put, repeated, say

START = "a rule to start with; what it does not lead to is reported"


def add_input(parser: ArgumentParser) -> None:
    """Add the grammar, and what it may take rules from."""
    text = "a grammar: files, the name of a bundled one (rfc3986), or - for standard input"
    parser.add_argument("file", nargs="+", metavar="FILE.abnf", help=text)
    add_sources(parser)


def add_rule(parser: ArgumentParser, *, is_needed: bool = True) -> None:
    """Add a grammar and one rule of it; without need, the rule is the grammar's first one."""
    text = "a file, a bundled grammar, or -"
    parser.add_argument("file", metavar="FILE.abnf", help=text)
    default = "" if is_needed else " (default: the grammar's first one)"
    text = f"the rule, in any letter case{default}"
    parser.add_argument("rule", nargs=None if is_needed else "?", metavar="RULE", help=text)
    add_sources(parser)


def add_sources(parser: ArgumentParser) -> None:
    """Add what a grammar takes rules from, and how it is read."""
    add_import(parser)
    text = "what a name, or prose such as <any CHAR except CTLs>, stands for"
    repeated(parser, "--define", metavar="NAME=ELEMENTS", dest="defines", help=text)
    text = "read | ::= 'x' x* [a-z] 1#x and the like as what they seem to mean, and say so"
    flag(parser, "--lenient", help=text)


def add_import(parser: ArgumentParser) -> None:
    """Add what a grammar takes rules from."""
    text = "a bundled grammar, or a file, to take undefined rules from"
    repeated(parser, "--import", metavar="NAME", dest="imports", help=text)


def add_rules(parser: ArgumentParser, option: str, text: str) -> None:
    """Add an option that names rules."""
    repeated(parser, option, metavar="RULE", help=text)


def add_scope(parser: ArgumentParser) -> None:
    """Add what is reported, and what is not."""
    add_rules(parser, "--start", START)
    text = "leave out warnings of this code, such as core-rule"
    repeated(parser, "--ignore", metavar="CODE", help=text)


def add_out(parser: ArgumentParser, metavar: str) -> None:
    """Add the options for the file to write."""
    parser.add_argument("-o", "--out", metavar=metavar, help="write to this file")
    add_force(parser)


def read_grammar_of(options: Namespace, take: Sequence[str] = ()) -> RuleSet:
    """Return the grammar that options name, as :func:`read_named` does."""
    lenient = options.lenient
    return read_named(options.file, options.imports, take, options.defines, lenient=lenient)


def read_named(
    names: str | Sequence[str],
    imports: Sequence[str],
    take: Sequence[str],
    defines: Sequence[str] = (),
    *,
    lenient: bool = False,
) -> RuleSet:
    """Return a grammar, report its warnings; :class:`GrammarError` if it has errors."""
    known = import_grammars(imports)
    grammar, found = read_grammar(names, known, take, defines, lenient=lenient)
    if has_errors(found):
        raise GrammarError([problem for problem in found if problem.severity == "error"])
    for problem in found:
        say(problem.headline())
    return grammar


@contextmanager
def output(options: Namespace) -> Iterator[Callable[[str], object]]:
    """Yield what writes to the file or standard output; OSError if it is read or not writable."""
    if options.out in {None, "-"}:
        yield put
        return
    files = [options.file] if isinstance(options.file, str) else options.file
    read = [name for name in [*files, *options.imports] if name.lower() not in shipped()]
    with Outputs(force=options.force, read=read) as written:
        yield written.text(options.out).write


def put_problems(found: Sequence[Problem], colour: str) -> None:
    """Print problems, and on standard error how many there are; ``colour``: as `--color`."""
    colours = process.wanted(colour, "stdout")
    for problem in found:
        put(shown(problem, colours=colours))
        put("\n")
    errors = sum(problem.severity == "error" for problem in found)
    counts = {"error": errors, "warning": len(found) - errors}
    if found:
        say(", ".join(f"{n} {what}{'' if n == 1 else 's'}" for what, n in counts.items()))
    if hint := hint_at_imports(found):
        say(hint)


def shown(problem: Problem, *, colours: bool) -> str:
    """Show a problem as `Problem.show` does; its place, its code and the caret may have colours."""
    if not colours:
        return problem.show()
    headline, line, caret = process.for_terminals(problem.show()).split("\n")
    place, code, message = headline.split(": ", 2)
    style = "error" if problem.severity == "error" else "warning"
    pad = caret[: caret.index("^")]
    first = f"{painted(place, 'place')}: {painted(code, style)}: {message}"
    return process.Painted(f"{first}\n{line}\n{pad}{painted('^', 'caret')}")
