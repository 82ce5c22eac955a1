"""The sub-commands of ``abnf2lark``: the arguments of each, and its work."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark import problems, process
from abnf2lark.problems import GrammarError, InputError, Problem, meant
from abnf2lark.process import add_force, flag, painted, put, repeated, say

# Modules of the work itself are imported by what uses them: they need lark or abnf, and are slow.
# ruff: noqa: PLC0415

if TYPE_CHECKING:
    from abnf2lark.automata import Comparison
    from abnf2lark.ir import Grammar
    from abnf2lark.library.grammar import Grammar as Compiled


def add_subcommands(add_parser: Callable[..., ArgumentParser]) -> None:
    """Add the sub-commands to the command."""
    for add in (_add_build, _add_compile, _add_pattern):
        add(add_parser)
    add_described(add_parser, _DESCRIBED)


Run: TypeAlias = Callable[[Namespace], int]
Described: TypeAlias = "Mapping[str, tuple[str, str, str, Callable[[ArgumentParser], None], Run]]"
"""By name: what `--help` lists, a description, examples, what adds arguments, what runs it."""


def add_described(add_parser: Callable[..., ArgumentParser], described: Described) -> None:
    """Add sub-commands that have a description and examples."""
    for name, (text, description, examples, add_arguments, run) in described.items():
        parser = add_parser(
            name,
            help=text,
            description=description,
            epilog=f"examples:\n{examples}",
            formatter_class=RawDescriptionHelpFormatter,
        )
        add_arguments(parser)
        parser.set_defaults(run=run)


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


# Arguments that sub-commands share.


def _add_input(parser: ArgumentParser) -> None:
    """Add the grammar, and what it may take rules from."""
    text = "a grammar: files, the name of a bundled one (rfc3986), or - for standard input"
    parser.add_argument("file", nargs="+", metavar="FILE.abnf", help=text)
    add_sources(parser)


def add_sources(parser: ArgumentParser) -> None:
    """Add what a grammar takes rules from, and how it is read."""
    add_import(parser)
    add_define(parser)
    text = "read | ::= 'x' x* [a-z] 1#x and the like as what they seem to mean, and say so"
    flag(parser, "--lenient", help=text)


def add_define(parser: ArgumentParser) -> None:
    """Add what the grammar leaves open."""
    text = "what a name, or prose such as <any CHAR except CTLs>, stands for"
    repeated(parser, "--define", metavar="NAME=ELEMENTS", dest="defines", help=text)


def add_import(parser: ArgumentParser) -> None:
    """Add what a grammar takes rules from."""
    text = "a bundled grammar, or a file, to take undefined rules from"
    repeated(parser, "--import", metavar="NAME", dest="imports", help=text)


def add_rules(parser: ArgumentParser, option: str, text: str) -> None:
    """Add an option that names rules."""
    repeated(parser, option, metavar="RULE", help=text)


def add_ignore(parser: ArgumentParser) -> None:
    """Add what is not reported."""
    text = "leave out warnings of this code, such as core-rule"
    repeated(parser, "--ignore", metavar="CODE", help=text)


def add_out(parser: ArgumentParser, metavar: str) -> None:
    """Add the options for the file to write."""
    parser.add_argument("-o", "--out", metavar=metavar, help="write to this file")
    add_force(parser)


# Reading and writing.


def _read(options: Namespace, take: Sequence[str] = ()) -> Grammar:
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
) -> Grammar:
    """Return a grammar, report its warnings; :class:`GrammarError` if it has errors."""
    from abnf2lark.config import import_grammars, read_grammar

    known = import_grammars(imports)
    grammar, found = read_grammar(names, known, take, defines, lenient=lenient)
    if problems.has_errors(found):
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
    from abnf2lark.config import shipped
    from abnf2lark.outputs import Outputs

    files = [options.file] if isinstance(options.file, str) else options.file
    read = [name for name in [*files, *options.imports] if name.lower() not in shipped()]
    with Outputs(force=options.force, read=read) as written:
        yield written.text(options.out).write


def _add_build(add_parser: Callable[..., ArgumentParser]) -> None:
    build = add_parser("build", help="regenerate the compiled files of a project")
    flag(build, "--check", help="write nothing; print a diff, exit 1")
    flag(build, "--full", help="also compile grammars that have not changed")
    kind, text = process.number_of_processes, "processes (default: processors)"
    build.add_argument("--jobs", type=kind, metavar="N", help=text)
    build.add_argument("--grammars", metavar="DIR", help="where grammars.toml is")
    build.add_argument("--out", metavar="DIR", help="where the generated files go")
    build.set_defaults(run=_build)


def _build(options: Namespace) -> int:
    from abnf2lark.building import project
    from abnf2lark.building.artifacts import processors

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


def _add_compile(add_parser: Callable[..., ArgumentParser]) -> None:
    parser = add_parser("compile", help="turn an ABNF file into a Lark grammar")
    _add_input(parser)
    add_rules(parser, "--start", "a rule to start with (default: rules that none refers to)")
    text = "take nodes and leaves from this grammars.toml beside FILE.abnf, as build does"
    parser.add_argument("--settings", metavar="TOML", help=text)
    add_rules(parser, "--node", "a rule that is to be a node of trees, though it is a character")
    add_rules(parser, "--leaf", "a rule that is to be a node holding nothing but text")
    add_rules(parser, "--inline", "a rule that is to be no node")
    flag(parser, "--blanks", help="keep white space in trees, which is dropped otherwise")
    flag(parser, "--portable", help="write what Python 3.8 and JavaScript read as well")
    add_out(parser, "OUT.lark")
    parser.set_defaults(run=_compile)


def _compile(options: Namespace) -> int:
    from abnf2lark.config import roots, settled
    from abnf2lark.lark_grammars.compiling import Form, compile_grammar, compile_settled

    options_of_rules = ("start", "node", "leaf", "inline")
    with output(options) as write:
        named = {option: getattr(options, option) for option in options_of_rules}
        take = [rule for rules in named.values() for rule in rules]
        bundle = settled(options.file, options.settings)
        if bundle and not options.settings and not all(map(bundle.grammar.find, take)):
            bundle = None  # the whole grammar of the document may have them
        grammar = bundle.grammar if bundle else _read(options, take)
        starts, nodes, leaves, inlined = (
            problems.find_rules(grammar, rules, f"--{option}") for option, rules in named.items()
        )
        form = Form(options.portable, drops_blanks=not options.blanks)
        if bundle:
            made = compile_settled(bundle, starts, nodes, leaves, inlined, form)
        else:
            starts = starts or roots(grammar)
            made = compile_grammar(
                grammar,
                starts,
                nodes=nodes,
                leaves=leaves,
                inlined=inlined,
                advise=True,
                form=form,
            )
        write(made.text)
    if made.parser == "lalr":
        say(f"LALR: proved for {', '.join(starts) or 'all its rules'}")
        if made.flattened:
            say(f"It is LALR without nodes of {', '.join(made.flattened)}")
    else:
        say(f"Earley: {made.reason}")
        if made.advice:
            advice = " ".join(f"--leaf {rule}" for rule in made.advice)
            say(f"It would be LALR with {advice}")
    return 0


def _add_pattern(add_parser: Callable[..., ArgumentParser]) -> None:
    parser = add_parser("pattern", help="print the regular expression of a rule")
    _add_input(parser)
    parser.add_argument("--rule", required=True, metavar="RULE")
    text = "of which engine: python (default), re2, rust, java, ecmascript, pcre2 or postgresql"
    parser.add_argument("--flavour", default="python", metavar="NAME", help=text)
    text = "a rule whose text is captured in a named group (python alone)"
    add_rules(parser, "--capture", text)
    parser.set_defaults(run=_pattern)


def _pattern(options: Namespace) -> int:
    from abnf2lark.patterns.emit_pattern import flavour_named
    from abnf2lark.patterns.rule_expression import NotRegularError, proved_matcher

    flavour = flavour_named(options.flavour, "--flavour")
    grammar = _read(options, [options.rule, *options.capture])
    (rule,) = problems.find_rules(grammar, [options.rule], "--rule")
    captured = problems.find_rules(grammar, options.capture, "--capture")
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


def _add_lint_arguments(parser: ArgumentParser) -> None:
    from abnf2lark.checks import TOOLS

    parser.add_argument("file", nargs="+", metavar="FILE.abnf")
    add_sources(parser)
    add_rules(parser, "--start", START)
    text = "the files are one grammar: =/ in one adds to a rule of another"
    flag(parser, "--together", help=text)
    text = "report alternatives that a parser never reaches if it keeps the first that matches"
    flag(parser, "--first-match", help=text)
    text = "report alternatives that match the same text, with the text"
    extra = {"ambiguity": text, "unused": "report rules that no other one refers to"}
    for name, text in extra.items():
        parser.add_argument(
            f"--{name}", dest="extra", action="append_const", const=name, default=[], help=text
        )
    text = "report what this tool refuses: abnf, apg-js or bap"
    repeated(parser, "--tool", dest="extra", choices=TOOLS, help=text)
    add_ignore(parser)
    flag(parser, "--json", help="print the problems as a JSON array")


START = "a rule to start with; what it does not lead to is reported"


def _lint(options: Namespace) -> int:
    """Print the problems; return 1 if there are errors."""
    from abnf2lark.checks import without
    from abnf2lark.config import import_grammars

    without([], options.ignore)  # which refuses unknown codes, before anything is read
    imports = import_grammars(options.imports)
    grammars = [options.file] if options.together else [[name] for name in options.file]
    found: list[Problem] = []
    for names in grammars:
        found.extend(without(_problems(names, imports, options), options.ignore))
    if options.json:
        put(json.dumps([problem.as_dict() for problem in found], indent=2) + "\n")
    else:
        colours = process.wanted(options.color, "stdout")
        put_problems(found, colours=colours)
    return 1 if problems.has_errors(found) else 0


def _problems(
    names: Sequence[str], imports: tuple[Grammar, ...], options: Namespace
) -> list[Problem]:
    """Return the problems of a grammar; say how many there would be if it were read leniently."""
    from abnf2lark.checks import last_line_problems, lint_source
    from abnf2lark.config import bundled_source, hint_at_leniency, named_source

    shipped = bundled_source(names[0]) if len(names) == 1 else None
    try:
        source, imports = shipped or (named_source(names), imports)
    except GrammarError as error:
        return error.problems
    starts, defines = options.start, options.defines
    found = lint_source(
        source,
        imports,
        starts,
        defines,
        first_match=options.first_match,
        lenient=options.lenient,
        extra=options.extra,
    )
    found += last_line_problems(source)
    if not options.lenient and "-" not in names:
        hint = hint_at_leniency(names, found)
        if hint:
            say(hint)
    return found


def put_problems(found: Sequence[Problem], *, colours: bool) -> None:
    """Print problems, and on standard error how many there are."""
    for problem in found:
        put(shown(problem, colours=colours))
        put("\n")
    errors = sum(problem.severity == "error" for problem in found)
    if found:
        say(f"{count(errors, 'error')}, {count(len(found) - errors, 'warning')}")


def count(number: int, what: str) -> str:
    """Write a number of things."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def _add_railroad_arguments(parser: ArgumentParser) -> None:
    _add_input(parser)
    add_rules(parser, "--rule", "draw this rule and all that it leads to (default: every rule)")
    add_out(parser, "OUT.html")


def _railroad(options: Namespace) -> int:
    from abnf2lark.diagrams import railroad_page

    with output(options) as write:
        grammar = _read(options, options.rule)
        write(railroad_page(grammar, problems.find_rules(grammar, options.rule, "--rule")))
    return 0


def _add_extract_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="RFC.txt", help="a plain text, or - for standard input")
    add_import(parser)
    add_rules(parser, "--start", START)
    text = "take the rules of this section, by its number or title, and what they need of others"
    repeated(parser, "--section", metavar="SECTION", help=text)
    text = "which of several definitions of a rule counts (default: that of the grammar's section)"
    parser.add_argument("--prefer", choices=("first", "last"), help=text)
    flag(parser, "--lenient", help="also accept ::=, 'x', 1#x and other dialects")
    add_out(parser, "OUT.abnf")


def _extract(options: Namespace) -> int:
    """Write the rules; return 1 if there are errors."""
    from abnf2lark.checks import lint_source
    from abnf2lark.config import import_grammars, named_source
    from abnf2lark.extraction import extract

    with output(options) as write:
        imports = import_grammars(options.imports)
        document = named_source(options.file)
        made = extract(
            document.name,
            document.text,
            imports,
            prefer=options.prefer,
            wanted=options.section,
            lenient=options.lenient,
        )
        found = made.problems
        if made.origins:
            extracted = problems.Source(document.name, made.text)
            linted = lint_source(extracted, imports, options.start, lenient=options.lenient)
            for problem in linted:
                if problem.code == "computed":
                    made.confirm(problem)
            found = [*found, *map(made.in_document, linted)]
        write(made.text)
    found.sort(key=lambda problem: (problem.position.line, problem.position.column))
    for problem in found:
        say(problem.show())
    return 1 if problems.has_errors(found) else 0


def _add_diff_arguments(parser: ArgumentParser) -> None:
    for name in ("left", "right"):
        text = "a rule of a file, or of a bundled grammar such as rfc3986; or all its rules"
        parser.add_argument(name, metavar="FILE.abnf[:RULE]", help=text)
    add_import(parser)
    flag(parser, "--json", help="print one JSON object")


def _diff(options: Namespace) -> int:
    """Print the comparison; return 0 for equal rules, 1 for others, 2 if one does not load."""
    try:
        return _compare(options)
    except GrammarError as error:
        say(str(error))
        return 2


def _compare(options: Namespace) -> int:
    if ":" not in options.left + options.right:
        return _diff_all(options)
    found = compared(options.left, options.right, options.imports)
    if options.json:
        facts = {name: getattr(found, name) for name in ("only_left", "only_right", "both")}
        put(f"{json.dumps({'relation': found.relation, **facts}, indent=2)}\n")
    else:
        put("".join(f"{line}\n" for line in _relation(found, options.left, options.right)))
    return 0 if found.relation == "equal" else 1


def _diff_all(options: Namespace) -> int:
    """Print what became of each rule; return 0 if all are equal."""
    from dataclasses import asdict

    from abnf2lark.automata import UndecidedError
    from abnf2lark.grammar_diff import compare_grammars
    from abnf2lark.ir import abnf_text

    names = (options.left, options.right)
    grammars = [read_named(name, options.imports, []) for name in names]
    try:
        found = compare_grammars(*grammars)
    except UndecidedError as error:
        raise InputError(str(error)) from None
    if options.json:
        put(f"{json.dumps([asdict(one) for one in found], indent=2)}\n")
    for one in () if options.json else found:
        shown = " -> ".join(dict.fromkeys(name for name in (one.left, one.right) if name))
        texts = zip(names, (one.only_left, one.only_right), strict=True)
        only = [
            f"only {name} matches {abnf_text(text)}" for name, text in texts if text is not None
        ]
        put(f"{one.relation:<11} {shown:<20} {', '.join(only)}".rstrip() + "\n")
    return 0 if all(one.relation == "equal" for one in found) else 1


def compared(left: str, right: str, imports: Sequence[str] = ()) -> Comparison:
    """Compare two rules, as ``rfc3986:URI``; :class:`InputError`, :class:`GrammarError` if not."""
    from abnf2lark.automata import UndecidedError, compare_rules

    one, rule = _operand(left, imports)
    two, other = _operand(right, imports)
    try:
        return compare_rules(one, rule, two, other)
    except UndecidedError as error:
        raise InputError(str(error)) from None


def _operand(text: str, imports: Sequence[str]) -> tuple[Grammar, str]:
    name, colon, rule = text.rpartition(":")
    if not (name and colon and rule):
        raise InputError(f"{text}: name a grammar and a rule of it, as in rfc3986:URI")
    grammar = read_named(name, imports, [rule])
    found = grammar.find(rule)
    if found is None:
        raise InputError(f"{text}: {problems.no_rule(rule, grammar)}")
    return grammar, found.name


def _relation(found: Comparison, left: str, right: str) -> list[str]:
    """Return lines on what two rules match, under the names that they were given by."""
    from abnf2lark.ir import abnf_text

    lines = {
        "equal": f"equal: {left} and {right} match the same texts",
        "subset": f"subset: all that {left} matches, {right} matches too",
        "superset": f"superset: all that {right} matches, {left} matches too",
        "overlapping": f"overlapping: {left} and {right} each match texts that the other does not",
        "disjoint": f"disjoint: no text matches both {left} and {right}",
    }
    made = [lines[found.relation]]
    if found.only_left is not None:
        made.append(f"  only {left} matches {abnf_text(found.only_left)}")
    if found.only_right is not None:
        made.append(f"  only {right} matches {abnf_text(found.only_right)}")
    if found.relation == "overlapping" and found.both is not None:
        made.append(f"  both match {abnf_text(found.both)}")
    return made


def _add_generate_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.abnf", help="a file, a bundled grammar, or -")
    parser.add_argument("rule", nargs="?", metavar="RULE", help="default: the grammar's first one")
    add_sources(parser)
    kind = process.whole_number
    parser.add_argument("--count", type=kind, metavar="N", help="how many texts (default: 10)")
    text = "which ones: the same seed gives the same texts (default: 0)"
    parser.add_argument("--seed", type=kind, default=0, metavar="N", help=text)
    text = "characters of a text at most, unless an alternative needs more (default: 40)"
    parser.add_argument("--size", type=kind, default=40, metavar="N", help=text)
    text = "how many of the texts are invalid: changed by one character (default: 0%%)"
    parser.add_argument("--invalid", type=process.share, default=0.0, metavar="P%", help=text)
    text = "instead: all texts of up to N characters, shorter ones first"
    parser.add_argument("--all", type=kind, metavar="N", help=text)
    add_out(parser, "OUT.ndjson")


def _generate(options: Namespace) -> int:
    from itertools import islice

    from abnf2lark.library.grammar import Grammar
    from abnf2lark.problems import Source

    if options.all is not None and options.invalid:
        raise InputError("--all lists the texts of the rule, none of which is invalid")
    with output(options) as write:
        wanted = [] if options.rule is None else [options.rule]
        grammar = Grammar(_read(options, wanted), Source("", ""), ())
        if options.all is not None:
            every = grammar.generate_all(options.all, options.rule)
            texts: Iterator[tuple[str, bool]] = ((one, True) for one in every)
        else:
            texts = _mixed(grammar, options)
        count = 10 if options.count is None and options.all is None else options.count
        for text, valid in islice(texts, count):
            write(f"{json.dumps({'text': text, 'valid': valid})}\n")
    return 0


def _mixed(grammar: Compiled, options: Namespace) -> Iterator[tuple[str, bool]]:
    """Yield texts, each with whether it is valid; invalid ones are spread evenly."""
    seed, size, rule = options.seed, options.size, options.rule
    valid = grammar.generate(seed, size, rule)
    invalid = grammar.generate(seed, size, rule, invalid=True)
    due = 0.0
    while True:
        due += options.invalid
        if due >= 1:
            due -= 1
            yield next(invalid), False
        else:
            yield next(valid), True


def _add_show_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a packed file")
    parser.add_argument("--section", metavar="NAME", help="print only this section")


def _show(options: Namespace) -> int:
    """Print the sections of a packed file; return 1 if it is damaged."""
    from abnf2lark.building.printing import printed
    from abnf2lark.tables.packed import TablesError, contents

    try:
        data = Path(options.file).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{options.file}: {reason}") from None
    try:
        known = contents(data, options.file)
        if options.section not in {None, *known}:
            hint = meant(options.section, known)
            raise InputError(f"{options.file} has no section {options.section}{hint}")
        text = "\n".join(printed(data, options.file, options.section))
    except TablesError as error:
        say(f"abnf2lark: {error}")
        return 1
    put(f"{text}\n")
    return 0


_DESCRIBED = {
    "lint": (
        "find what is wrong or doubtful in ABNF files",
        """\
Find what is wrong or doubtful in ABNF files, in bundled grammars (rfc3986), or
in standard input (-). Exit codes: 0 nothing is wrong, 1 something is.""",
        """\
  abnf2lark lint my.abnf --first-match
  abnf2lark lint --together base.abnf extensions.abnf
  abnf2lark lint --lenient old.bnf --ignore lenient""",
        _add_lint_arguments,
        _lint,
    ),
    "railroad": (
        "draw the rules as railroad diagrams on one HTML page",
        """\
Draw rules as railroad diagrams, linked to each other, beside their ABNF: one
HTML page without scripts. Needs: pip install 'uriparse[diagrams]'""",
        """\
  abnf2lark railroad my.abnf -o my.html
  abnf2lark railroad rfc3986 --rule authority -o authority.html""",
        _add_railroad_arguments,
        _railroad,
    ),
    "extract": (
        "find the ABNF in the plain text of an RFC",
        """\
Find the rules in the plain text of an RFC: page breaks, running heads and feet
are removed, indentation is repaired, and comments name the lines of the text.
Then lint them. What looks like a rule and is none, and what comes twice, is
reported on standard error, each with its line in the text.""",
        """\
  abnf2lark extract rfc8259.txt --out json.abnf
  abnf2lark extract rfc9110.txt --import rfc3986 --start Accept > http.abnf""",
        _add_extract_arguments,
        _extract,
    ),
    "diff": (
        "compare two rules, or all rules of two grammars",
        """\
Compare two rules by their automata: equal, subset, superset, overlapping or
disjoint, with a shortest text that only one of them matches. Of two grammars it
compares all rules: equal, renamed, wider (the second one matches more), narrower,
removed, added, or unknown: recursive or too large, and not written alike.
Exit codes: 0 they are equal, 1 they differ, 2 they cannot be compared.""",
        """\
  abnf2lark diff rfc2396 rfc3986
  abnf2lark diff mine.abnf:uri rfc3986:URI
  abnf2lark diff rfc2396:absoluteURI rfc3986:absolute-URI --json""",
        _add_diff_arguments,
        _diff,
    ),
    "generate": (
        "generate valid and invalid texts for a rule",
        """\
Derive texts of any rule, recursive or not: a JSON object a line, with the text
and whether it is valid. They soon use every alternative of the rule and of
those that it leads to: as long as one was never used, each text uses one.""",
        """\
  abnf2lark generate rfc3986 URI --count 1000 --invalid 20%
  abnf2lark generate my.abnf --seed 7 --size 200 -o texts.ndjson
  abnf2lark generate my.abnf word --all 3""",
        _add_generate_arguments,
        _generate,
    ),
    "show": (
        "print a packed file of tables as text",
        """\
Print what is in a packed file, GRAMMAR.packed: automata, tables of parsers, and
witnesses, which `abnf2lark build` writes for programs. The comments say what
each part means.""",
        """\
  abnf2lark show uriparse/_compiled/rfc3986.packed
  abnf2lark show uriparse/_compiled/rfc3986.packed --section diagnosis""",
        _add_show_arguments,
        _show,
    ),
}
