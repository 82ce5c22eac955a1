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
from abnf2lark.reading.problems import GrammarError, InputError, has_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from abnf2lark.reading.ir import Grammar
    from abnf2lark.reading.problems import Problem, Source


def import_grammars(names: Iterable[str]) -> tuple[Grammar, ...]:
    """Load what ``--import`` names: bundled grammars, or files; the core rules come last.

    A file may use what is named before it. Raises :class:`InputError` for an unknown name,
    :class:`GrammarError` for a file with errors.
    """
    found: list[Grammar] = []
    core = core_grammar()
    for name in names:
        shipped = bundled(name)
        if shipped is not None:
            found.append(shipped)
            continue
        _refuse_unknown(name, f"--import {name}")
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


def _refuse_unknown(name: str, shown: str) -> None:
    """Raise :class:`InputError` for a name that cannot be meant for a file's."""
    if name != "-" and not name.lower().endswith(".abnf") and not Path(name).exists():
        known = ", ".join(bundle_names(bundled_directory()))
        raise InputError(f"{shown}: neither a bundled grammar ({known}) nor a file")


def read_grammar(
    name: str,
    imports: tuple[Grammar, ...],
    wanted: Sequence[str] = (),
    defines: Sequence[str] = (),
) -> tuple[Grammar, list[Problem]]:
    """Load a grammar, and with it ``wanted`` rules of the imports where it has none.

    It is a bundled one, a file, or standard input for ``-``. ``defines`` are rules for what it
    leaves open, as :func:`load` takes them.
    """
    shipped = bundled(name)
    if shipped is not None:
        return shipped, []
    _refuse_unknown(name, name)
    source = named_source(name)
    origin = origin_of(source, imports)
    grammar, problems = load(source, origin, imports, defines=defines)
    taken: list[tuple[Grammar, str]] = []
    for rule in wanted:
        owner = next((other for other in imports if other.find(rule)), None)
        if owner is not None and grammar.find(rule) is None:
            taken.append((owner, rule))
    if taken:
        grammar, problems = load(source, origin, imports, taken, defines=defines)
    if not has_errors(problems):
        problems = [*problems, *endless(source, grammar)]
    return grammar, problems


def named_source(name: str) -> Source:
    """Return the text of a file, or of standard input for ``-``."""
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
