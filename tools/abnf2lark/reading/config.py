"""Read ``grammars.toml`` and the grammar files beside it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from abnf2lark.reading.load import load
from abnf2lark.reading.problems import GrammarError, InputError, Problem, Source, has_errors

if TYPE_CHECKING:
    from abnf2lark.reading.ir import Grammar


@dataclass(frozen=True, slots=True)
class Settings:
    """What ``grammars.toml`` says about one grammar."""

    name: str
    title: str
    source: str
    imports: dict[str, list[str]] = field(default_factory=dict)
    records: dict[str, str] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)
    nodes: list[str] = field(default_factory=list)
    leaves: list[str] = field(default_factory=list)
    charsets: list[str] = field(default_factory=list)
    within: dict[str, str] = field(default_factory=dict)


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


def bundled_directory() -> Path:
    """Return the grammars that come with this package.

    A wheel holds a copy inside the package; a source tree keeps one copy, in ``grammar/``.
    """
    inside = Path(__file__).parents[1] / "grammar"
    return inside if inside.is_dir() else Path(__file__).parents[3] / "grammar"


def core_grammar() -> Grammar:
    """Return the core rules (RFC 5234 appendix B.1) as this package ships them."""
    path = bundled_directory() / "core.abnf"
    grammar, problems = load(Source(path.name, path.read_text(encoding="utf-8")), "core")
    if problems:
        raise GrammarError(problems)
    return grammar


def bundle_names(directory: Path) -> tuple[str, ...]:
    """Return the names of the grammars of a directory, in the order of ``grammars.toml``."""
    return tuple(_tables(directory))


def load_bundles(directory: Path, wanted: str | None = None) -> dict[str, Bundle]:
    """Load every grammar that ``grammars.toml`` names, or a wanted one and what it needs.

    Raises :class:`GrammarError` with all problems of all files.
    """
    tables = _tables(directory)
    bundles: dict[str, Bundle] = {}
    problems: list[Problem] = []
    for name in tables if wanted is None else _needed(tables, wanted):
        settings = _settings(directory, name, tables)
        source = read_source(directory / f"{name}.abnf")
        imports = [bundles[other].grammar for other in settings.imports]
        if name != "core":
            imports.append(bundles["core"].grammar)
        taken = tuple(rule for rules in settings.imports.values() for rule in rules)
        grammar, found = load(source, name, tuple(imports), taken)
        problems.extend(found)
        bundles[name] = Bundle(settings, grammar)
    if has_errors(problems):
        raise GrammarError(problems)
    return bundles


def _tables(directory: Path) -> dict[str, dict[str, Any]]:
    path = directory / "grammars.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise InputError(f"{path}: {error}") from None


def _settings(directory: Path, name: str, tables: dict[str, dict[str, Any]]) -> Settings:
    """Check the settings of a grammar, as far as nothing else would."""
    place = f"{directory / 'grammars.toml'}: [{name}]"
    known = {setting.name for setting in fields(Settings)} - {"name"}
    for key in tables[name].keys() - known:
        raise InputError(f'{place}: unknown setting "{key}"; known: {", ".join(sorted(known))}')
    for key in {"title", "source"} - tables[name].keys():
        raise InputError(f'{place}: "{key}" is missing')
    order = list(tables)
    for other in tables[name].get("imports", ()):
        if other not in order[: order.index(name)]:
            raise InputError(f'{place}: imports "{other}", which is not a grammar above it')
    return Settings(name=name, **tables[name])


def _needed(tables: dict[str, dict[str, Any]], wanted: str) -> list[str]:
    """Return the core rules, what a grammar imports, and itself, in the order of the file."""
    names = {"core", wanted}
    for name in reversed(tables):
        if name in names:
            names.update(tables[name].get("imports", ()))
    return [name for name in tables if name in names]


def read_source(path: Path) -> Source:
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
    """Return the text of a grammar; raises :class:`GrammarError` where it is not UTF-8."""
    try:
        return Source(name, data.decode())
    except UnicodeDecodeError as error:
        source = Source(name, data.decode(errors="replace"))
        here = source.position(len(data[: error.start].decode()))
        text = f"byte 0x{data[error.start]:02X} is not UTF-8"
        raise GrammarError([Problem(source, here, "encoding", text)]) from None
