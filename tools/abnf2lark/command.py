"""The command ``abnf2lark``: build, compile, lint, pattern, railroad, extract, diff, show.

Exit codes: 0 done; 1 a grammar has errors or is too large, or generated files are not what they
should be; 2 the command was not given what it needs, or its output cannot be written; 130 after
Ctrl-C; 141 when the reader of the output went away.
"""

from __future__ import annotations

import argparse
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from abnf2lark.charts import LimitError
from abnf2lark.process import (
    CHOICES,
    Parser,
    end_at_once,
    finished,
    is_terminal,
    number_of_processes,
    overwrite,
    put,
    say,
    uninterrupted,
    wanted,
)
from abnf2lark.reading.problems import GrammarError, InputError, meant
from abnf2lark.subcommands.arguments import (
    add_input,
    add_out,
    add_rules,
    output,
    read,
    shown,
)
from abnf2lark.subcommands.registry import register

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    if arguments is None:
        end_at_once()
    return finished("abnf2lark", partial(_run, arguments))


def _run(arguments: Sequence[str] | None) -> int:
    colour = "auto"
    try:
        options = _parser().parse_args(arguments)
        colour = options.color
        code: int = options.run(options)
    except SystemExit as stop:  # after --help, and after a message about the arguments
        return stop.code if isinstance(stop.code, int) else 2
    except GrammarError as error:
        for problem in error.problems:
            say(shown(problem, colours=wanted(colour, "stderr")))
        return 1
    except LimitError as error:
        say(f"abnf2lark: {error}")
        return 1
    except InputError as error:
        for line in str(error).splitlines():
            say(f"abnf2lark: {line}")
        return 2
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package != "lark":
            raise
        say(f"abnf2lark: {package} is not installed, which is needed here: pip install {package}")
        return 2
    return code


class _Parser(Parser):
    """Adds near misses to messages."""

    def refuse_option(self, name: str) -> NoReturn:
        self.error(f"there is no option {name}{meant(name, self._option_string_actions)}")

    def error(self, message: str) -> NoReturn:
        choice = _CHOICE.search(message)
        hint = meant(choice[1], re.findall(r"[\w-]+", choice[2])) if choice else ""
        say(f"{self.format_usage()}{self.prog}: error: {message}{hint}")
        self.exit(2)


_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)", re.DOTALL)


class _Version(argparse.Action):
    """Prints the release of the distribution that the command comes with."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow to load

        try:
            release = version("uriparse")
        except PackageNotFoundError:  # a source tree on the path
            release = "(not installed)"
        put(f"abnf2lark {release}\n")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="abnf2lark",
        description="Compile ABNF grammars (RFC 5234, RFC 7405) to Lark grammars and patterns.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the release and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    build = commands.add_parser("build", help="regenerate what a project compiles from grammar/")
    build.add_argument("--check", action="store_true", help="write nothing; print a diff, exit 1")
    build.add_argument("--full", action="store_true", help="compile what has not changed, too")
    build.add_argument(
        "--jobs", type=number_of_processes, metavar="N", help="processes (default: processors)"
    )
    build.add_argument("--grammars", metavar="DIR", help="where grammars.toml is")
    build.add_argument("--out", metavar="DIR", help="where the generated files go")
    build.set_defaults(run=_build)

    compile_ = commands.add_parser("compile", help="turn an ABNF file into a Lark grammar")
    add_input(compile_)
    add_rules(compile_, "--start", "a rule to start with (default: rules that none refers to)")
    add_rules(compile_, "--node", "a rule that is to be a node of trees, though it is a character")
    add_rules(compile_, "--leaf", "a rule that is to be a node holding nothing but text")
    add_rules(compile_, "--inline", "a rule that is to be no node")
    add_out(compile_, "OUT.lark")
    compile_.set_defaults(run=_compile)

    pattern = commands.add_parser("pattern", help="print the regular expression of a rule")
    add_input(pattern)
    pattern.add_argument("--rule", required=True, metavar="RULE")
    text = "of which engine: python (default), re2, rust, java, ecmascript, pcre2 or postgresql"
    pattern.add_argument("--flavour", default="python", metavar="NAME", help=text)
    add_rules(pattern, "--capture", "a rule whose text is captured in a named group (python alone)")
    pattern.set_defaults(run=_pattern)

    register(commands.add_parser)
    for command in commands.choices.values():
        text = "whether messages have colours (default: on a terminal)"
        command.add_argument("--color", choices=CHOICES, default="auto", help=text)
    return parser


def _build(options: argparse.Namespace) -> int:
    from abnf2lark.building.artifacts import processors  # noqa: PLC0415 - same
    from abnf2lark.building.project import (  # noqa: PLC0415 - needs lark
        BuildError,
        Progress,
        differences,
        is_recorded,
        places,
        rendered,
        write,
    )

    grammars, out = places(Path.cwd(), options.grammars, options.out)
    try:
        with Progress(overwrite if is_terminal("stderr") else None) as show:
            jobs = options.jobs or processors()
            made = rendered(grammars, out, show, full=options.full, jobs=jobs)
    except BuildError as error:
        say(f"abnf2lark: {error}")
        return 1
    if options.check:
        diff = differences(made.files, out)
        put(diff)
        if diff:
            say(f"abnf2lark: {out} is not what {grammars} compiles to; run: abnf2lark build")
        elif not is_recorded(made, out):
            say(f"abnf2lark: {out} is right, but not its record: abnf2lark build renews it")
        return 1 if diff else 0
    with uninterrupted():
        done = write(made, out)
    for line in done:
        say(line)
    return 0


def _compile(options: argparse.Namespace) -> int:
    from abnf2lark.lark_grammars.compiling import compile_grammar  # noqa: PLC0415 - needs lark
    from abnf2lark.reading.config import roots  # noqa: PLC0415 - with the others
    from abnf2lark.reading.problems import find_rules  # noqa: PLC0415 - with the others

    with output(options, [*options.file, *options.imports]) as write:
        wanted = [*options.start, *options.node, *options.leaf, *options.inline]
        grammar = read(options, wanted)
        starts = find_rules(grammar, options.start, "--start") or roots(grammar)
        made = compile_grammar(
            grammar,
            starts,
            nodes=find_rules(grammar, options.node, "--node"),
            leaves=find_rules(grammar, options.leaf, "--leaf"),
            inlined=find_rules(grammar, options.inline, "--inline"),
            advise=True,
        )
        write(made.text)
    if made.parser == "lalr":
        say(f"LALR: proved for {', '.join(starts)}")
        if made.flattened:
            say(f"It is LALR without nodes of {', '.join(made.flattened)}")
    else:
        say(f"Earley: {made.reason}")
        if made.advice:
            advice = " ".join(f"--leaf {rule}" for rule in made.advice)
            say(f"It would be LALR with {advice}")
    return 0


def _pattern(options: argparse.Namespace) -> int:
    from abnf2lark.patterns.emit_pattern import FLAVOURS  # noqa: PLC0415 - with the others
    from abnf2lark.patterns.rule_expression import NotRegularError, proved_matcher  # noqa: PLC0415 - with the others
    from abnf2lark.reading.problems import find_rules  # noqa: PLC0415 - with the others

    flavour = FLAVOURS.get(options.flavour)
    if flavour is None:
        known, hint = ", ".join(FLAVOURS), meant(options.flavour, FLAVOURS)
        raise InputError(f"--flavour {options.flavour}: one of {known} is known{hint}")
    wanted = [options.rule, *options.capture]
    grammar = read(options, wanted)
    (rule,) = find_rules(grammar, [options.rule], "--rule")
    captured = find_rules(grammar, options.capture, "--capture")
    try:
        made = proved_matcher(grammar, rule, captured, flavour)
    except NotRegularError as error:
        say(f"abnf2lark: {error}")
        return 1
    put(made.pattern + "\n")
    lost = [name for name in captured if name not in made.captures]
    if lost:
        say(f"not captured, since a group would occur twice or not at all: {', '.join(lost)}")
    return 0
