"""Load a directory of grammars: each file with its settings, bound to those that it imports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from abnf2lark.reading.binding import load
from abnf2lark.reading.ir import reachable
from abnf2lark.reading.near_misses import no_rule
from abnf2lark.reading.problems import GrammarError, InputError, Problem, Source, has_errors
from abnf2lark.reading.settings import CORE, FILE, Settings, read_settings, with_rules_found

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

    from abnf2lark.reading.ir import Grammar


@dataclass(frozen=True, slots=True)
class Bundle:
    """A grammar with its settings."""

    settings: Settings
    grammar: Grammar

    @property
    def public(self) -> tuple[str, ...]:
        """The rules that the grammar offers: its own, then the ones its settings import."""
        taken = {name.casefold() for names in self.settings.imports.values() for name in names}
        own = set(self.grammar.own)
        imported = (n for n in self.grammar.rules if n.casefold() in taken and n not in own)
        return (*self.grammar.own, *imported)

    @property
    def start(self) -> str:
        """The widest rule of the grammar: the first of those that lead to the most rules."""
        return max(self.grammar.own, key=lambda name: len(reachable(self.grammar, [name])))


@cache
def bundled_directory() -> Traversable:
    """Return the grammars that come with this package.

    A wheel holds a copy inside the package, which may itself be in a zip or in a frozen program; a
    source tree keeps one copy, in ``grammar/``.
    """
    inside = resources.files("abnf2lark") / "grammar"
    return inside if inside.is_dir() else Path(__file__).parents[3] / "grammar"


def core_grammar() -> Grammar:
    """Return the core rules (RFC 5234 appendix B.1) as this package ships them."""
    path = bundled_directory() / f"{CORE}.abnf"
    grammar, problems = load(Source(path.name, path.read_text(encoding="utf-8")), CORE)
    if problems:
        raise GrammarError(problems)
    return grammar


def bundle_names(directory: Traversable) -> tuple[str, ...]:
    """Return the names of the grammars of a directory, in the order of ``grammars.toml``."""
    return tuple(read_settings(directory))


def settings_of(directory: Traversable) -> dict[str, Settings]:
    """Return the settings of every grammar of a directory, which may use those that are bundled."""
    bundled = bundled_directory()
    if directory is bundled or (
        isinstance(directory, Path)
        and isinstance(bundled, Path)
        and directory.resolve() == bundled.resolve()
    ):
        return read_settings(directory)
    return read_settings(directory, bundle_names(bundled_directory()))


def outside(settings: Mapping[str, Settings]) -> dict[str, Bundle]:
    """Load the bundled grammars that others use and have not themselves; the core rules first."""
    used = [CORE]
    for own in settings.values():
        used += [*own.imports, *(wider.rpartition(":")[0] for wider in own.within.values())]
    found: dict[str, Bundle] = {}
    for name in dict.fromkeys(used):
        if name and name not in settings and name in bundle_names(bundled_directory()):
            found[name] = load_bundles(bundled_directory(), name)[name]
    return found


def load_bundles(directory: Traversable, wanted: str | None = None) -> dict[str, Bundle]:
    """Load every grammar that ``grammars.toml`` names, or a wanted one and what it needs.

    Raises :class:`InputError` with all settings that name no rule, else :class:`GrammarError` with
    all problems of all files.
    """
    found = settings_of(directory)
    known = outside(found)
    bundles: dict[str, Bundle] = {}
    problems: list[Problem] = []
    wrong: list[str] = []
    for name in found if wanted is None else needed(found, wanted):
        place = f"{directory / FILE}: [{name}]"
        source = read_source(directory / f"{name}.abnf")
        imports = {other: known[other].grammar for other in found[name].imports}
        taken, missing = _taken(found[name], imports)
        core = [known[CORE].grammar] if name != CORE else []
        grammar, new = load(source, name, (*imports.values(), *core), taken)
        problems.extend(new)
        settings, unknown = with_rules_found(found[name], grammar)
        wrong.extend(f"{place} {text}" for text in (*missing, *unknown))
        known[name] = bundles[name] = Bundle(settings, grammar)
    if wrong:
        raise InputError("\n".join(wrong))
    if has_errors(problems):
        raise GrammarError(problems)
    return bundles


def _taken(
    settings: Settings, imports: dict[str, Grammar]
) -> tuple[list[tuple[Grammar, str]], list[str]]:
    """Return the rules that settings import, each with its grammar, and what is wrong with them."""
    taken: dict[str, tuple[Grammar, str]] = {}
    wrong: list[str] = []
    for other, names in settings.imports.items():
        for name in names:
            earlier = taken.get(name.casefold())
            if imports[other].find(name) is None:
                wrong.append(f"imports: {no_rule(name, imports[other])}")
            elif earlier is not None and earlier[0].name != other:
                wrong.append(f'imports: "{name}" is taken from {earlier[0].name} and from {other}')
            else:
                taken[name.casefold()] = imports[other], name
    return list(taken.values()), wrong


def needed(settings: dict[str, Settings], wanted: str) -> list[str]:
    """Return the core rules, what a grammar imports, and itself, in the order of the file."""
    names = {CORE, wanted}
    for name in reversed(settings):
        if name in names:
            names.update(settings[name].imports)
    return [name for name in settings if name in names]


def read_source(path: Traversable) -> Source:
    """Read a grammar file; its name is shown as given.

    Raises :class:`InputError` for a file that cannot be read, :class:`GrammarError` for one that
    is not UTF-8.
    """
    try:
        return decoded(str(path), path.read_bytes())
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{path}: {reason}") from None


def decoded(name: str, data: bytes) -> Source:
    """Return the text of a grammar, without a byte order mark.

    Raises :class:`GrammarError` where it is not UTF-8.
    """
    try:
        return Source(name, data.decode().removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        source = Source(name, data.decode(errors="replace"))
        here = source.position(len(data[: error.start].decode()))
        text = f"byte 0x{data[error.start]:02X} is not UTF-8"
        raise GrammarError([Problem(source, here, "encoding", text)]) from None
