"""Load a grammar that a user names, with the grammars that it imports."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from abnf2lark.reading.binding import load
from abnf2lark.reading.config import (
    bundle_names,
    bundled_directory,
    core_grammar,
    decoded,
    load_bundles,
    read_source,
)
from abnf2lark.reading.endings import endless
from abnf2lark.reading.near_misses import meant
from abnf2lark.reading.problems import GrammarError, InputError, has_errors, joined
from abnf2lark.reading.reader import read_rules
from abnf2lark.reading.settings import read_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from abnf2lark.reading.ir import Grammar
    from abnf2lark.reading.problems import Problem, Source


def import_grammars(names: Iterable[str], asked: str = "--import ") -> tuple[Grammar, ...]:
    """Load what ``--import`` names: bundled grammars, or files; the core rules come last.

    A file may use what is named before it. Raises :class:`InputError` for an unknown name, before
    which ``asked`` stands in the message, :class:`GrammarError` for a file with errors.
    """
    found: list[Grammar] = []
    core = core_grammar()
    for name in names:
        shipped = bundled(name)
        if shipped is not None:
            found.append(shipped)
            continue
        _refuse_unknown(name, f"{asked}{name}")
        grammar, problems = read_grammar(name, (*found, core))
        if has_errors(problems):
            raise GrammarError(problems)
        found.append(grammar)
    return (*found, core)


def bundled(name: str) -> Grammar | None:
    """Return the bundled grammar of a name in any letter case, or ``None``."""
    name = name.lower()
    if name not in bundle_names(bundled_directory()):
        return None
    return load_bundles(bundled_directory(), name)[name].grammar


def bundled_source(name: str) -> tuple[Source, tuple[Grammar, ...]] | None:
    """Return the text of a bundled grammar, and what it may take rules from; else ``None``."""
    name, directory = name.lower(), bundled_directory()
    settings = read_settings(directory)
    if name not in settings:
        return None
    bundles = load_bundles(directory, name)
    imports = tuple(bundles[other].grammar for other in settings[name].imports)
    return read_source(directory / f"{name}.abnf"), (*imports, core_grammar())


def _refuse_unknown(name: str, shown: str) -> None:
    """Raise :class:`InputError` for a name that cannot be meant for a file's."""
    if re.fullmatch(r"\w[\w-]*", name) and not Path(name).exists():
        known = bundle_names(bundled_directory())
        listed = ", ".join(known)
        hint = meant(name, known)
        raise InputError(f"{shown}: neither a bundled grammar ({listed}) nor a file{hint}")


def read_grammar(
    names: str | Sequence[str],
    imports: tuple[Grammar, ...],
    wanted: Sequence[str] = (),
    defines: Sequence[str] = (),
    *,
    lenient: bool = False,
) -> tuple[Grammar, list[Problem]]:
    """Load a grammar, and with it ``wanted`` rules of the imports where it has none.

    It is a bundled one, a file, or standard input for ``-``; or several files, whose rules are one
    grammar. ``defines`` are rules for what it leaves open, as :func:`load` takes them.
    """
    names = [names] if isinstance(names, str) else names
    shipped = bundled(names[0]) if len(names) == 1 else None
    if shipped is not None:
        return shipped, []
    source = named_source(names)
    return bound(source, imports, wanted, defines, lenient=lenient)


def bound(
    source: Source,
    imports: tuple[Grammar, ...],
    wanted: Sequence[str] = (),
    defines: Sequence[str] = (),
    *,
    lenient: bool = False,
) -> tuple[Grammar, list[Problem]]:
    """Load the grammar of a text, as :func:`read_grammar` does."""
    origin = origin_of(source, imports)
    grammar, problems = load(source, origin, imports, defines=defines, lenient=lenient)
    taken: list[tuple[Grammar, str]] = []
    for rule in wanted:
        owner = next((other for other in imports if other.find(rule)), None)
        if owner is not None and grammar.find(rule) is None:
            taken.append((owner, rule))
    if taken:
        grammar, problems = load(source, origin, imports, taken, defines=defines, lenient=lenient)
    if not has_errors(problems):
        problems = [*problems, *endless(source, grammar)]
    return grammar, problems


def named_source(names: str | Sequence[str]) -> Source:
    """Return the text of files, or of standard input for ``-``; of several, all together."""
    names = [names] if isinstance(names, str) else names
    for name in names:
        _refuse_unknown(name, name)
    return joined([_text(name) for name in names])


def hint_at_leniency(names: Sequence[str], problems: Sequence[Problem]) -> str:
    """Say how many of the problems ``--lenient`` would clear; empty where it would clear none."""
    strict = sum(problem.code == "syntax" for problem in problems)
    if not strict:
        return ""
    _, found = read_rules(named_source(names), "", lenient=True)
    left = sum(problem.code == "syntax" for problem in found)
    if left >= strict:
        return ""
    number = "what is no ABNF here" if not left else f"{strict - left} of {strict} such slips"
    return f"{', '.join(names)}: with --lenient, {number} would be read as what it seems to mean"


def _text(name: str) -> Source:
    if name != "-":
        return read_source(Path(name))
    return decoded("<stdin>", sys.stdin.buffer.read())


def origin_of(source: Source, imports: tuple[Grammar, ...]) -> str:
    """Make a grammar's name of a file's: letters, digits and hyphens, not taken yet."""
    words = re.sub("[^a-z0-9]+", "-", Path(source.name).stem.lower(), flags=re.ASCII).strip("-")
    base = words if words[:1].isalpha() else f"grammar-{words}".strip("-")
    taken = {grammar.name for grammar in imports}
    origin, number = base, 1
    while origin in taken:
        number += 1
        origin = f"{base}-{number}"
    return origin
