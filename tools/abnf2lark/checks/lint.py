"""Find what is wrong or doubtful in an ABNF file: all of it, in the order of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.checks.first_match import first_match_problems
from abnf2lark.checks.structure import structure_problems
from abnf2lark.checks.subject import Subject
from abnf2lark.reading.binding import load
from abnf2lark.reading.imports import bundled_source, named_source, origin_of
from abnf2lark.reading.near_misses import find_rules, meant
from abnf2lark.reading.outline import Outline
from abnf2lark.reading.problems import GrammarError, InputError, has_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from abnf2lark.reading.ir import Grammar
    from abnf2lark.reading.problems import Problem, Source


def lint_files(
    names: Sequence[str],
    imports: tuple[Grammar, ...],
    starts: Sequence[str] = (),
    defines: Sequence[str] = (),
    *,
    first_match: bool = False,
    lenient: bool = False,
) -> list[Problem]:
    """Return the problems of a grammar: a file, several that belong together, or a bundled one.

    The core rules are the last of the ``imports``. Raises :class:`InputError` for a file that
    cannot be opened and for a start that is not in it.
    """
    shipped = bundled_source(names[0]) if len(names) == 1 else None
    if shipped is not None:
        source, imports = shipped
    else:
        try:
            source = named_source(names)
        except GrammarError as error:
            return error.problems
    return lint_source(source, imports, starts, defines, first_match=first_match, lenient=lenient)


def lint_source(
    source: Source,
    imports: tuple[Grammar, ...],
    starts: Sequence[str] = (),
    defines: Sequence[str] = (),
    *,
    first_match: bool = False,
    lenient: bool = False,
) -> list[Problem]:
    """Return the problems of a text, as :func:`lint_files` does.

    first_match: whether to look for alternatives that a reader never comes to who keeps the first
        one that matches.
    """
    outline = Outline()
    origin = origin_of(source, imports)
    grammar, found = load(
        source, origin, imports, outline=outline, defines=defines, lenient=lenient
    )
    if not has_errors(found):
        starts = find_rules(grammar, starts, "--start")
    if grammar.own:
        subject = Subject(source, grammar, outline, imports[-1])
        found += structure_problems(subject, [start for start in starts if start in grammar.rules])
        if first_match:
            found += first_match_problems(subject)
    return sorted(found, key=lambda problem: (problem.position.line, problem.position.column))


CODES = (
    *("code-point", "core-rule", "dead-alternative", "duplicate", "empty", "empty-repetition"),
    *("encoding", "endless", "left-recursion", "lenient", "no-base", "prose", "range", "repeat"),
    *("repeated-rule", "shadowed-alternative", "surrogate", "syntax", "too-large", "undefined"),
    "unreachable",
)
"""What problems are told under; errors among them cannot be left out."""


def without(problems: Iterable[Problem], codes: Iterable[str]) -> list[Problem]:
    """Leave out the warnings of some codes; raises :class:`InputError` for a code there is not."""
    ignored = set(codes)
    for code in ignored.difference(CODES):
        raise InputError(f"{code}: there is no such problem{meant(code, CODES)}")
    return [one for one in problems if one.severity == "error" or one.code not in ignored]
