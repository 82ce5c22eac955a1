"""Find what is wrong or doubtful in an ABNF file: all of it, in the order of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.checks.first_match import first_match_problems
from abnf2lark.checks.structure import structure_problems
from abnf2lark.checks.subject import Subject
from abnf2lark.reading.binding import load
from abnf2lark.reading.imports import named_source, origin_of
from abnf2lark.reading.near_misses import find_rules
from abnf2lark.reading.outline import Outline
from abnf2lark.reading.problems import GrammarError, has_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abnf2lark.reading.ir import Grammar
    from abnf2lark.reading.problems import Problem, Source


def lint_file(
    name: str,
    imports: tuple[Grammar, ...],
    starts: Sequence[str] = (),
    defines: Sequence[str] = (),
) -> list[Problem]:
    """Return the problems of a file; the core rules are the last of the ``imports``.

    Raises :class:`InputError` for a file that cannot be opened and for a start that is not in it.
    """
    try:
        source = named_source(name)
    except GrammarError as error:
        return error.problems
    return lint_source(source, imports, starts, defines)


def lint_source(
    source: Source,
    imports: tuple[Grammar, ...],
    starts: Sequence[str] = (),
    defines: Sequence[str] = (),
) -> list[Problem]:
    """Return the problems of a text, as :func:`lint_file` does."""
    outline = Outline()
    origin = origin_of(source, imports)
    grammar, found = load(source, origin, imports, outline=outline, defines=defines)
    if not has_errors(found):
        starts = find_rules(grammar, starts, "--start")
    if grammar.own:
        subject = Subject(source, grammar, outline, imports[-1])
        found += structure_problems(subject, [start for start in starts if start in grammar.rules])
        found += first_match_problems(subject)
    return sorted(found, key=lambda problem: (problem.position.line, problem.position.column))
