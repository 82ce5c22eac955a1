"""Read ``grammars.toml``: what the compiler has to know and the rules do not say."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from abnf2lark.reading.near_misses import meant, no_rule
from abnf2lark.reading.problems import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from importlib.resources.abc import Traversable

    from abnf2lark.reading.ir import Grammar

FILE = "grammars.toml"
_SUFFIX = ".abnf"
CORE = "core"
RESERVED = ("index", "names")  # modules of every package that is built
_NAME = re.compile("[a-z][a-z0-9_]*")  # of a grammar: modules are called by it


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
    suites: list[str] = field(default_factory=list)
    tagged: list[str] = field(default_factory=list)
    interface: bool = False


def read_settings(directory: Traversable, outside: Collection[str] = ()) -> dict[str, Settings]:
    """Return the settings of every grammar of a directory, in the order of the file.

    They may import from grammars ``outside``; where the core rules are among those, the directory
    needs none of its own.

    Raises :class:`InputError` for a file that is not what it should be, with all that is wrong
    with its tables, and for grammar files that it does not name.
    """
    path = directory / FILE
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise InputError(f"{path}: {error}") from None
    wrong = [*_wrong_tables(path, tables, outside), *_nameless_files(directory, tables)]
    if wrong:
        raise InputError("\n".join(wrong))
    return {name: Settings(name, **table) for name, table in tables.items()}


def _wrong_tables(
    path: Traversable, tables: Mapping[str, Any], outside: Collection[str]
) -> Iterator[str]:
    above = [name for name in outside if name not in tables]
    if next(iter(tables), None) != CORE and CORE not in above:
        yield f"{path}: the first table is [{CORE}], the rules that all grammars may use"
    for name, table in tables.items():
        place = f"{path}: [{name}]"
        if _NAME.fullmatch(name) is None:
            yield f"{place}: a grammar is named in small letters, digits and underscores"
        if not isinstance(table, dict):
            yield f"{path}: {name} = …: a grammar has a table, [{name}]"
            continue
        if name in RESERVED and table.get("interface"):
            yield f"{place}: a grammar of this name has no interface, whose module would be {name}"
        yield from _wrong_settings(place, table)
        imports = table.get("imports")
        for other in imports if isinstance(imports, dict) else ():
            if other not in above:
                hint = meant(other, above)
                yield f'{place} imports: "{other}" is not a grammar above it{hint}'
        above.append(name)


def _wrong_settings(place: str, table: dict[str, object]) -> Iterator[str]:
    known = [setting.name for setting in fields(Settings) if setting.name != "name"]
    for key in table:
        if key not in known:
            hint = meant(key, known) or f"; known: {', '.join(sorted(known))}"
            yield f'{place}: unknown setting "{key}"{hint}'
    for key in ("title", "source"):
        if key not in table:
            yield f'{place}: "{key}" is missing'
        elif not isinstance(table[key], str):
            yield f'{place}: "{key}" is a string'
    for key in ("nodes", "leaves", "charsets", "suites", "tagged"):
        if not _are_strings(table.get(key, [])):
            yield f'{place}: "{key}" is a list of rule names'
    if table.get("records") and table.get("tagged"):
        yield f'{place}: "tagged" is for grammars without records, whose rules are tagged anyway'
    if not isinstance(table.get("interface", False), bool):
        yield f'{place}: "interface" is true or false'
    tables = {"records": "class names", "fields": "field names", "within": "wider rules"}
    for key, values in tables.items():
        entries = table.get(key, {})
        if not isinstance(entries, dict) or not _are_strings([*entries.values()]):
            yield f'{place}: "{key}" is a table of rules and their {values}'
    imports = table.get("imports", {})
    if not isinstance(imports, dict) or not all(map(_are_strings, imports.values())):
        yield f'{place}: "imports" is a table of grammars and lists of their rules'


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _nameless_files(directory: Traversable, tables: Mapping[str, Any]) -> Iterator[str]:
    for file in sorted(one.name for one in directory.iterdir() if one.name.endswith(_SUFFIX)):
        if (name := file.removesuffix(_SUFFIX)) not in tables:
            text = (
                f"{directory / FILE} has no table [{name}]: give it one with a title and a source"
            )
            yield f"{directory / file}: {text}{meant(name, tables)}"


def with_rules_found(settings: Settings, grammar: Grammar) -> tuple[Settings, list[str]]:
    """Return settings that spell rules as the grammar does, and what is wrong with them."""
    wrong: list[str] = []

    def found(key: str, names: Iterable[str]) -> list[str]:
        rules = {name: grammar.find(name) for name in names}
        wrong.extend(f"{key}: {no_rule(name, grammar)}" for name, rule in rules.items() if not rule)
        return [rule.name for rule in rules.values() if rule]

    def table(key: str, entries: dict[str, str]) -> dict[str, str]:
        return {rule: entry for name, entry in entries.items() for rule in found(key, [name])}

    checked = Settings(
        settings.name,
        settings.title,
        settings.source,
        settings.imports,
        records=table("records", settings.records),
        fields=table("fields", settings.fields),
        nodes=found("nodes", settings.nodes),
        leaves=found("leaves", settings.leaves),
        charsets=found("charsets", settings.charsets),
        suites=found("suites", settings.suites),
        tagged=found("tagged", settings.tagged),
        interface=settings.interface,
        within=settings.within,  # whose rules are looked up where they are compared
    )
    return checked, wrong
