"""Read ``grammars.toml`` and the grammar files beside it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .load import load
from .problems import GrammarError, Problem, Source, has_errors

if TYPE_CHECKING:
    from .ir import Grammar


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


def core_grammar() -> Grammar:
    """Return the core rules (RFC 5234 appendix B.1) as this package ships them."""
    path = Path(__file__).with_name("core.abnf")
    if not path.exists():  # a source tree keeps one copy, in grammar/
        path = Path(__file__).parents[2] / "grammar" / "core.abnf"
    grammar, problems = load(Source(path.name, path.read_text(encoding="utf-8")), "core")
    if problems:
        raise GrammarError(problems)
    return grammar


def load_bundles(directory: Path) -> dict[str, Bundle]:
    """Load every grammar that ``grammars.toml`` names; raise with all problems of all files."""
    with (directory / "grammars.toml").open("rb") as file:
        tables = tomllib.load(file)
    bundles: dict[str, Bundle] = {}
    problems: list[Problem] = []
    for name, table in tables.items():
        settings = Settings(name=name, **table)
        source = read_source(directory / f"{name}.abnf")
        imports = [bundles[other].grammar for other in settings.imports]
        if name != "core":
            imports.append(bundles["core"].grammar)
        wanted = tuple(rule for rules in settings.imports.values() for rule in rules)
        grammar, found = load(source, name, tuple(imports), wanted)
        problems.extend(found)
        bundles[name] = Bundle(settings, grammar)
    if has_errors(problems):
        raise GrammarError(problems)
    return bundles


def read_source(path: Path) -> Source:
    """Read a grammar file; its name is shown as given."""
    return Source(str(path), path.read_text(encoding="utf-8"))
