"""The command `build`."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from abnf2lark import process
from abnf2lark.process import flag, put, say


def add_arguments(parser: ArgumentParser) -> None:
    flag(parser, "--check", help="write nothing; print a diff, exit 1")
    flag(parser, "--full", help="also compile grammars that have not changed")
    kind, text = process.number_of_processes, "processes (default: processors)"
    parser.add_argument("--jobs", type=kind, metavar="N", help=text)
    parser.add_argument("--grammars", metavar="DIR", help="where grammars.toml is")
    parser.add_argument("--out", metavar="DIR", help="where the generated files go")


def run(options: Namespace) -> int:
    """Compile what has changed, or compare; return 1 if there is a difference."""
    from abnf2lark.building import project  # noqa: PLC0415 - loads lark
    from abnf2lark.building.artifacts import processors  # noqa: PLC0415 - same

    grammars, out = project.places(Path.cwd(), options.grammars, options.out)
    try:
        with project.progress(process.overwrite if process.is_terminal("stderr") else None) as show:
            jobs = options.jobs or processors()
            made = project.rendered(grammars, out, show, full=options.full, jobs=jobs)
    except project.BuildError as error:
        say(f"abnf2lark: {error}")
        return 1
    for note in made.notes:
        say(f"abnf2lark: {note}")
    if options.check:
        diff = project.differences(made.files, out)
        put(diff)
        if diff:
            say(f"abnf2lark: {out} is not what {grammars} compiles to; run: abnf2lark build")
        elif not project.is_recorded(made, out):
            say(f"abnf2lark: {out} is right, but not its record: abnf2lark build renews it")
        return 1 if diff else 0
    with process.uninterrupted():
        done = project.write(made, out)
    for line in done:
        say(line)
    return 0
