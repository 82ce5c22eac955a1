"""Load grammars: `grammars.toml`, a directory of files, a user's file with its imports."""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from abnf2lark.ir import RuleSet, free_name, reachable
from abnf2lark.problems import (
    GrammarError,
    InputError,
    Problem,
    Source,
    has_errors,
    joined,
    meant,
    no_rule,
)
from abnf2lark.reading import load
from abnf2lark.reading.binding import citation, citations
from abnf2lark.reading.reader import read_rules
from abnf2lark.reading.recursion import components, endless, steps_of

# Read ``grammars.toml``: what the compiler has to know and the rules do not say.

FILE = "grammars.toml"
_SUFFIX = ".abnf"
CORE = "core"
RESERVED = ("index", "names")  # modules of every package that is built
_RULE_LISTS = ("nodes", "leaves", "charsets", "suites", "tagged")  # settings that name rules
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
    cited: list[str] = field(default_factory=list)


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
        if not isinstance(table.get(key), str):
            yield f'{place}: "{key}" is {"a string" if key in table else "missing"}'
    for key in (*_RULE_LISTS, "cited"):
        if not _are_strings(table.get(key, [])):
            yield f'{place}: "{key}" is a list of {"rule " if key in _RULE_LISTS else ""}names'
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


def with_rules_found(settings: Settings, grammar: RuleSet) -> tuple[Settings, list[str]]:
    """Return settings that spell rules as the grammar does, and what is wrong with them."""
    wrong: list[str] = []

    def found(key: str, names: Iterable[str]) -> list[str]:
        rules = {name: grammar.find(name) for name in names}
        wrong.extend(f"{key}: {no_rule(name, grammar)}" for name, rule in rules.items() if not rule)
        return [rule.name for rule in rules.values() if rule]

    def table(key: str, entries: dict[str, str]) -> dict[str, str]:
        return {rule: entry for name, entry in entries.items() for rule in found(key, [name])}

    # But not what it is within: those rules are looked up where they are compared.
    checked: dict[str, Any] = {
        **{key: table(key, getattr(settings, key)) for key in ("records", "fields")},
        **{key: found(key, getattr(settings, key)) for key in _RULE_LISTS},
    }
    return replace(settings, **checked), wrong


# Load a directory of grammars: each file with its settings, bound to those that it imports.


@dataclass(frozen=True, slots=True)
class Bundle:
    """A grammar with its settings."""

    settings: Settings
    grammar: RuleSet

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
    """Return the bundled grammars: inside the wheel, or in ``grammar/`` of the source tree."""
    inside = resources.files("abnf2lark") / "grammar"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "grammar"


def library_directory() -> Traversable:
    """Return the whole grammars of RFCs, which are read but not compiled."""
    return bundled_directory() / "library"


def core_grammar() -> RuleSet:
    """Return the core rules (RFC 5234 appendix B.1) as this package ships them."""
    path = bundled_directory() / f"{CORE}.abnf"
    grammar, problems = load(Source(path.name, path.read_text(encoding="utf-8")), CORE)
    if problems:
        raise GrammarError(problems)
    return grammar


def settings_of(directory: Traversable) -> dict[str, Settings]:
    """Return the settings of every grammar of a directory, which may use those that are bundled."""
    places = [Path(str(one)).resolve() for one in (directory, bundled_directory())]
    return read_settings(directory, () if places[0] == places[1] else tuple(shipped()))


def outside(settings: Mapping[str, Settings]) -> dict[str, Bundle]:
    """Load the bundled grammars that others use and have not themselves; the core rules first."""
    used = [CORE]
    for own in settings.values():
        used += [*own.imports, *(wider.rpartition(":")[0] for wider in own.within.values())]
    others = [name for name in dict.fromkeys(used) if name not in settings and name in shipped()]
    return {name: load_bundles(shipped()[name][0], name)[name] for name in others}


def load_bundles(directory: Traversable, wanted: str | None = None) -> dict[str, Bundle]:
    """Load all grammars that ``grammars.toml`` names, or a wanted one and what it needs."""
    found = settings_of(directory)
    names = [*found]
    if wanted is not None:  # with what it imports, in the order of the file
        needed = {CORE, wanted}
        for name in reversed(names):
            needed.update(found[name].imports if name in needed else ())
        names = [name for name in names if name in needed]
    known = outside({name: found[name] for name in names})
    bundles: dict[str, Bundle] = {}
    problems: list[Problem] = []
    wrong: list[str] = []
    for name in names:
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
    settings: Settings, imports: dict[str, RuleSet]
) -> tuple[list[tuple[RuleSet, str]], list[str]]:
    """Return the rules that settings import, each with its grammar, and what is wrong with them."""
    taken: dict[str, tuple[RuleSet, str]] = {}
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


def read_octets(path: Traversable) -> bytes:
    """Read a file; :class:`InputError` if it cannot be read."""
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{path}: {reason}") from None


def read_source(path: Traversable) -> Source:
    """Read a grammar file; :class:`InputError` or, if not UTF-8, :class:`GrammarError`."""
    return decoded(str(path), read_octets(path))


def decoded(name: str, data: bytes) -> Source:
    """Return a grammar's text without a byte order mark; :class:`GrammarError` if not UTF-8."""
    try:
        return Source(name, data.decode().removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        source = Source(name, data.decode(errors="replace"))
        here = source.position(len(data[: error.start].decode()))
        text = f"byte 0x{data[error.start]:02X} is not UTF-8"
        raise GrammarError([Problem(source, here, "encoding", text)]) from None


def roots(grammar: RuleSet) -> tuple[str, ...]:
    """Return rules of a file that lead to all its rules, in its order.

    Of rules that lead to each other and that nothing else leads to, it is the first. Core rules
    that a file repeats without need do not count, unless it has no others.
    """
    steps = steps_of(grammar, grammar.own)
    groups = list(components(steps))
    group_of = {name: number for number, group in enumerate(groups) for name in group}
    below = {
        group_of[step]
        for name, inner in steps.items()
        for step in inner
        if step in group_of and group_of[step] != group_of[name]
    }
    first: dict[int, str] = {}
    for name in grammar.own:
        if group_of[name] not in below:
            first.setdefault(group_of[name], name)
    found = tuple(first.values())
    core = core_grammar()
    return tuple(name for name in found if core.find(name) is None) or found


def import_grammars(names: Iterable[str], asked: str = "--import ") -> tuple[RuleSet, ...]:
    """Load bundled grammars and files, which may use those before them; the core rules last."""
    found: list[RuleSet] = []
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


@cache
def shipped() -> dict[str, tuple[Traversable, Settings]]:
    """Return all bundled grammars by name, with their directories; whole RFCs come first."""
    outer, inner = bundled_directory(), library_directory()
    found = {name: (outer, own) for name, own in read_settings(outer).items()}
    whole = read_settings(inner, tuple(found))
    return {name: (inner, own) for name, own in whole.items()} | {
        name: entry for name, entry in found.items() if name not in whole
    }


@cache
def _bundles(name: str) -> dict[str, Bundle]:
    directory, own = shipped()[name]
    return outside({name: own}) | load_bundles(directory, name)


def bundled(name: str) -> RuleSet | None:
    """Return the bundled grammar of a name in any letter case, or ``None``."""
    name = name.lower()
    return _bundles(name)[name].grammar if name in shipped() else None


def settled(names: Sequence[str], settings: str | None = None) -> Bundle | None:
    """Return a grammar whose nodes are settled: by a file of settings, or because it is built.

    :class:`InputError` for a file that is not ``grammars.toml`` beside the grammar's.
    """
    if settings is None:
        name, directory = names[0].lower(), bundled_directory()
        is_built = len(names) == 1 and name in settings_of(directory)
        return load_bundles(directory, name)[name] if is_built else None
    directory, name = Path(settings).parent, Path(names[0]).stem
    own = directory / f"{name}{_SUFFIX}"
    if Path(settings).name != FILE or len(names) > 1 or Path(names[0]).resolve() != own.resolve():
        raise InputError(f"--settings {settings}: settings are in {FILE} beside the grammar's file")
    if name not in settings_of(directory):
        raise InputError(f"--settings {settings}: it has no table [{name}]")
    return load_bundles(directory, name)[name]


def bundled_source(name: str) -> tuple[Source, tuple[RuleSet, ...]] | None:
    """Return the text of a bundled grammar, and what it may take rules from; else ``None``."""
    name = name.lower()
    if name not in shipped():
        return None
    directory, own = shipped()[name]
    imports = tuple(_bundles(name)[other].grammar for other in own.imports)
    return read_source(directory / f"{name}.abnf"), (*imports, core_grammar())


def cited_grammars(text: str) -> dict[str, RuleSet]:
    """Return the bundled grammars that prose of a grammar cites, by what it cites them as."""
    wanted = citations(text)
    found: dict[str, RuleSet] = {}
    for name, (_, settings) in shipped().items() if wanted else ():
        names = wanted.intersection(citation(one) for one in (name, *settings.cited))
        grammar = bundled(name) if names else None
        if grammar is not None:
            found = dict.fromkeys(names, grammar) | found
    return found


def _refuse_unknown(name: str, shown: str) -> None:
    """Raise :class:`InputError` for a name that cannot be meant for a file's."""
    if re.fullmatch(r"\w[\w-]*", name) and not Path(name).exists():
        hint = meant(name, shipped())
        raise InputError(f"{shown}: neither a file nor a bundled grammar such as rfc3986{hint}")


def read_grammar(
    names: str | Sequence[str],
    imports: tuple[RuleSet, ...],
    wanted: Sequence[str] = (),
    defines: Sequence[str] = (),
    *,
    lenient: bool = False,
) -> tuple[RuleSet, list[Problem]]:
    """Load a bundled grammar, "-" or files, with ``wanted`` rules of the imports."""
    names = [names] if isinstance(names, str) else names
    shipped = bundled(names[0]) if len(names) == 1 else None
    if shipped is not None:
        return shipped, []
    source = replace(named_source(names), defines=defines, lenient=lenient)
    return bound(source, imports, wanted)


def bound(
    source: Source, imports: tuple[RuleSet, ...], wanted: Sequence[str] = ()
) -> tuple[RuleSet, list[Problem]]:
    """Load the grammar of a text, as :func:`read_grammar` does."""
    origin = origin_of(source, imports)
    cited = cited_grammars(source.text)
    grammar, problems = load(source, origin, imports, cited=cited)
    taken: list[tuple[RuleSet, str]] = []
    for rule in wanted:
        owner = next((other for other in imports if other.find(rule)), None)
        if owner is not None and grammar.find(rule) is None:
            taken.append((owner, rule))
    if taken:
        grammar, problems = load(source, origin, imports, taken, cited=cited)
    if not has_errors(problems):
        problems = [*problems, *endless(source, grammar)]
    return grammar, problems


def named_source(names: str | Sequence[str]) -> Source:
    """Return the text of files, or of standard input for ``-``; of several, all together."""
    names = [names] if isinstance(names, str) else names
    for name in names:
        _refuse_unknown(name, name)
    return joined(
        [
            read_source(Path(name)) if name != "-" else decoded("<stdin>", sys.stdin.buffer.read())
            for name in names
        ]
    )


def hint_at_leniency(names: Sequence[str], problems: Sequence[Problem]) -> str:
    """Say how many of the problems ``--lenient`` would clear; empty where it would clear none."""
    strict = sum(problem.code == "syntax" for problem in problems)
    if not strict:
        return ""
    _, found = read_rules(replace(named_source(names), lenient=True), "")
    left = sum(problem.code == "syntax" for problem in found)
    if left >= strict:
        return ""
    number = "what is not ABNF here" if not left else f"{strict - left} of {strict} such slips"
    return f"{', '.join(names)}: with --lenient, {number} would be read as what it seems to mean"


def hint_at_imports(problems: Sequence[Problem]) -> str:
    """Name the bundled grammar that defines most of what is undefined; empty if none does."""
    named = {one.message.split('"')[1] for one in problems if one.code == "undefined"}
    missing = {name.casefold(): name for name in named if len(name) > len("CR")}
    found: dict[str, list[str]] = {}
    known = shipped() if missing else {}
    for name, (directory, _) in known.items():
        lines = (directory / f"{name}{_SUFFIX}").read_text("utf-8").splitlines()
        rules = (line.partition("=") for line in lines if "= <" not in line)  # not of others
        defined = {rule.strip().casefold() for rule, _, _ in rules}
        found[name] = [shown for folded, shown in sorted(missing.items()) if folded in defined]
    uses = Counter(one for _, own in known.values() for one in own.imports)
    best = max(found, key=lambda name: (len(found[name]), uses[name]), default="")
    if not found.get(best):
        return ""
    return f"{best} defines {', '.join(found[best])}: take them from there with --import {best}"


def origin_of(source: Source, imports: tuple[RuleSet, ...]) -> str:
    """Make a grammar's name of a file's: letters, digits and hyphens, not taken yet."""
    words = re.sub("[^a-z0-9]+", "-", Path(source.name).stem.lower(), flags=re.ASCII).strip("-")
    base = words if words[:1].isalpha() else f"grammar-{words}".strip("-")
    return free_name(base, {grammar.name for grammar in imports}, "-")
