"""The generated files of a grammar."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from keyword import iskeyword
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import TypeAlias, TypeVar

from abnf2lark.automata import Alphabet, Language, languages
from abnf2lark.config import CORE, Bundle
from abnf2lark.ir import Alt, Ref, grouped
from abnf2lark.lark_grammars.compiling import settled_grammar, settled_text
from abnf2lark.lark_grammars.component_grammar import lalr_content
from abnf2lark.mutants.witnesses import witness_part, witnesses
from abnf2lark.patterns.emit_pattern import group_name
from abnf2lark.patterns.proof import NotLinearError
from abnf2lark.patterns.rule_expression import dispatch, make_matcher, make_matchers
from abnf2lark.reading.large_parts import MANY, fillings
from abnf2lark.tables import packed
from abnf2lark.tables.error_automaton import diagnosis, diagnosis_content, rules_text
from abnf2lark.tables.packed import SUFFIX
from abnf2lark.tables.packing import packed_file
from abnf2lark.tagged.tagged_proof import tagged_content

# Tasks in processes side by side: what they give is the same, only sooner.

Say: TypeAlias = "Callable[[str, str], None]"  # takes the grammar and the stage that has begun
_HEARD = 0.1  # seconds after which it is looked whether there was an interrupt

_Given = TypeVar("_Given")
_Key: TypeAlias = "tuple[str, str]"  # a grammar, and its rule that is looked into


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def gathered(
    tasks: Mapping[_Key, Callable[[Say], _Given]], say: Say, jobs: int
) -> dict[_Key, _Given]:
    """Do tasks, so many at once; return what each gives. An error of one ends the others."""
    if jobs == 1 or len(tasks) < 2:
        return {key: task(say) for key, task in tasks.items()}
    others = active_children()
    # Spawned processes leave semaphores when this one is ended, and warn about that.
    context = get_context("fork" if sys.platform == "linux" else None)
    with ProcessPoolExecutor(min(jobs, len(tasks)), context, _follow) as pool:
        try:
            waiting = {pool.submit(task, _silent): key for key, task in tasks.items()}
            number = 0
            left = set(waiting)
            while left:
                # An interrupt that another thread is given does not wake this one.
                done, left = wait(left, _HEARD, FIRST_COMPLETED)
                for one in done:
                    one.result()
                    number += 1
                    say(f"{number} of {len(tasks)}", " ".join(waiting[one]).rstrip())
            return {key: one.result() for one, key in waiting.items()}
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                if child not in others:
                    child.terminate()
            raise


def _follow() -> None:
    """End when the process that gathers ends; leave it to that one what an interrupt means."""

    def end_with(parent: BaseProcess) -> None:
        parent.join()
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent := parent_process():
        Thread(target=end_with, args=[parent], daemon=True).start()


def _silent(name: str, stage: str) -> None:
    """Report nothing."""


# Render everything that is generated from a directory of grammars, as name → octets.
#
# A name is that of a file, or of a section of a packed file: ``rfc3986.packed/tagged``. Sections
# of one packed file are made by different tasks, so they have names of their own until `joined`
# puts them together.

SHARED = ""  # represents all grammars together, among the names of grammars
WITNESSES = " witnesses"  # after the name of a grammar: the texts that distinguish its mutants
TAGGED = " tagged"  # after the name of a grammar: the automata that find the components

INTERFACE = " interface"
"""Stands after the name of a grammar for the module that other projects import."""

RUNTIME = " runtime"  # the name of the module by which all interfaces read their tables

_FILES = {
    WITNESSES: (f"{{}}{SUFFIX}/witnesses",),
    TAGGED: (f"{{}}{SUFFIX}/tagged",),
    INTERFACE: ("{}.py",),
    RUNTIME: ("_runtime.py",),
    SHARED: ("__init__.py", "_packed.py", "index.py", "names.py"),
}
_FILES_OF_GRAMMAR = (
    *("{}_matchers.py", "{}_charsets.py", "{}_rules.py", "{}.lark"),
    *(f"{{}}{SUFFIX}/diagnosis", f"{{}}{SUFFIX}/lalr"),
)


class RuleLanguages:
    """A grammar with its alphabet and the language of each of its rules."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.grammar = bundle.grammar
        rules = bundle.grammar.rules
        self.alphabet = Alphabet(rule.body for rule in rules.values())
        self.languages: dict[str, Language] = languages(rules, self.alphabet, rules)


def file_names(name: str) -> tuple[str, ...]:
    """Name the files and sections that are made of a grammar, a part of it, or all grammars."""
    grammar, space, part = name.partition(" ")
    files = _FILES_OF_GRAMMAR if grammar and not part else _FILES[space + part]
    return tuple(file.format(grammar) for file in files)


def joined(made: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files, with the sections of each packed file put together."""
    parts = [(*name.partition("/")[::2], data) for name, data in made.items()]
    files = {file: data for file, section, data in parts if not section}
    sections = grouped((file, (section, data)) for file, section, data in parts if section)
    for file, contents in sections.items():
        files[file] = packed_file(dict(contents), f"grammar/{file.removesuffix(SUFFIX)}.abnf")
    return files


def copied(module: ModuleType) -> str:
    """Return a module of this package as it is put into packages that are built."""
    text = Path(str(module.__file__)).read_text(encoding="utf-8")
    # The copies lie side by side: they have to work where this package is not installed.
    text = text.replace(f"from {packed.__name__} import", "from ._packed import")
    summary, _, rest = text.partition("\n\n")
    return f"{summary}\n\nGenerated by ``abnf2lark build``. Do not edit.\n\n{rest}"


def shared_files(bundles: Mapping[str, Bundle]) -> dict[str, bytes]:
    """Render what is made of all grammars."""
    listed = dict(sorted(bundles.items(), key=lambda one: one[0] == CORE))  # asked for least: last
    header = _header("all grammars", "Generated tables.")
    return encoded(SHARED, header, copied(packed), _index(listed), _names(listed))


def grammar_files(bundle: Bundle, say: Say) -> dict[str, bytes]:
    """Compile a grammar."""
    name = bundle.grammar.name
    say(name, "languages of the rules")
    one = RuleLanguages(bundle)
    source = f"grammar/{name}.abnf"
    say(name, "regular expressions")
    matchers, charsets = _matchers(one), _charsets(one)
    header = _header(source, f"The rules of {name}.")
    rules = rules_text(one.grammar, bundle.public, header)
    say(name, "automata for errors")
    own = bundle.settings
    components = frozenset([*own.nodes, *own.leaves, *own.fields, *own.records])
    found = diagnosis(one.grammar, bundle.public, components, one.alphabet)
    errors = diagnosis_content(found, bundle.start, one.alphabet)
    say(name, "proof of the Lark grammar")
    lexed = settled_grammar(bundle, known=(one.alphabet, one.languages))
    say(name, "Lark's tables")
    lark, tables = settled_text(bundle, lexed), lalr_content(lexed)
    return encoded(name, matchers, charsets, rules, lark, errors, tables)


def encoded(name: str, *made: str | bytes) -> dict[str, bytes]:
    """Pair what is made of a grammar, or a part of it, with the names."""
    octets = (one.encode() if isinstance(one, str) else one for one in made)
    return dict(zip(file_names(name), octets, strict=True))


def witness_entry(bundle: Bundle, rule: str, say: Say) -> dict[str, bytes]:
    """Find the texts that distinguish a rule from its mutants."""
    say(bundle.grammar.name, f"mutants of {rule}")
    return {rule: witness_part(rule, witnesses(bundle.grammar, rule))}


def tagged_files(bundle: Bundle, say: Say) -> dict[str, bytes]:
    """Compile the rules of a grammar that yield records, or that are named, to tagged automata."""
    name = bundle.grammar.name
    say(name, "tagged automata")
    one = RuleLanguages(bundle)
    return encoded(name + TAGGED, tagged_content(bundle, one.languages, one.alphabet))


def _header(source: str, summary: str) -> str:
    return f'"""{summary}\n\nGenerated by ``abnf2lark build`` from {source}. Do not edit.\n"""\n'


def _index(bundles: Mapping[str, Bundle]) -> str:
    lines = [_header("grammar/grammars.toml", "The grammars and the rules that each offers.")]
    lines.append("RULES: dict[str, tuple[str, ...]] = {")
    for name, bundle in bundles.items():
        lines += [f"    {name!r}: (", *(f"        {rule!r}," for rule in bundle.public), "    ),"]
    lines.append("}\n\n# The widest rule of each grammar, from which the most rules are reached.")
    lines += _table("START_RULES", {name: bundle.start for name, bundle in bundles.items()})
    lines.append("\n# The rules of each grammar whose mutants have been looked into.")
    settings = {name: bundle.settings for name, bundle in bundles.items()}
    suites = {name: tuple(one.suites) for name, one in settings.items()}
    lines += _table("WITNESSED", suites, "tuple[str, ...]")
    lines.append("\n# The grammars with tagged automata.")
    tagged = tuple(name for name, one in settings.items() if one.records or one.tagged)
    lines.append(f"TAGGED: tuple[str, ...] = {tagged!r}")
    titles = {name: (one.title, one.source) for name, one in settings.items()}
    return "\n".join([*lines, "", *_table("TITLES", titles, "tuple[str, str]"), ""])


def _names(bundles: Mapping[str, Bundle]) -> str:
    """Render the names of grammars and rules as types, which editors complete."""
    recorded = {name: one for name, one in bundles.items() if one.settings.records}
    pairs = (pair for bundle in recorded.values() for pair in bundle.settings.records.items())
    kinds = grouped((f"{kind}Rule", rule) for rule, kind in pairs)
    starts = [bundle.start for bundle in recorded.values()]
    types = {
        "GrammarName": list(bundles),
        "RuleName": [rule for bundle in bundles.values() for rule in bundle.public],
        "RecordGrammar": list(recorded),
        "RecordRule": [*starts, *(rule for rules in kinds.values() for rule in rules)],
        **kinds,
    }
    summary = "The names that functions take, as types: of all grammars, and of those of records."
    lines = [_header("all grammars", summary), "from typing import Literal, TypeAlias"]
    for name, words in types.items():
        if words:
            rows = [f"    {word!r}," for word in dict.fromkeys(words)]
            lines += ["", f"{name}: TypeAlias = Literal[", *rows, "]"]
    return "\n".join([*lines, ""])


def _matchers(one: RuleLanguages) -> str:
    settings = one.bundle.settings
    wanted = (*settings.fields, *settings.leaves)
    # A captured rule without a single character (path-empty) needs no group.
    captured = {rule: rule for rule in wanted if one.languages[rule].without_empty()}
    made = make_matchers(one.grammar, one.bundle.public, captured, one.languages, one.alphabet)
    name = one.grammar.name
    lines = [_header(f"grammar/{name}.abnf", f"One expression for each rule of {name}.")]
    lines += _table("PATTERNS", {matcher.rule: matcher.pattern for matcher in made})
    lines.append("\n# Rules that are a choice of rules which capture the same, in order.")
    lines += _table("DISPATCH", dispatch(one.grammar, made), "tuple[str, ...]")
    lines.append("\n# Rules that become records, and the class.")
    lines += _table("RECORDS", settings.records)
    lines.append("\n# Groups, and the field of a record that each one fills.")
    fields = {group_name(r): f.partition(":")[0] for r, f in settings.fields.items()}
    lines += _table("FIELDS", fields)
    lines.append("\n# Groups, and the kind of host that each one means.")
    hosts = {group_name(r): f.partition(":")[2] for r, f in settings.fields.items() if ":" in f}
    lines += _table("HOSTS", hosts)
    return "\n".join([*lines, ""])


def _table(name: str, table: Mapping[str, object], kind: str = "str") -> list[str]:
    rows = [f"    {key!r}: {value!r}," for key, value in table.items()]
    head = f"{name}: dict[str, {kind}] = {{"
    return [head, *rows, "}"] if table or name not in _MAY_BE_EMPTY else [head + "}"]


_MAY_BE_EMPTY = ("RECORDS", "FIELDS", "HOSTS")


def _charsets(one: RuleLanguages) -> str:
    source = f"grammar/{one.grammar.name}.abnf"
    header = _header(source, "The one-character words of rules, sorted.")
    charsets: dict[str, str] = {}
    for rule in one.bundle.settings.charsets:
        language = one.languages[rule]
        ends = {label for label, target in language.edges[0].items() if target in language.final}
        ranges = one.alphabet.chars(ends).ranges
        codes = (code for low, high in ranges for code in range(low, high + 1))
        charsets[rule] = "".join(map(chr, codes))
    return "\n".join([header, *_table("CHARSETS", charsets), ""])


class InterfaceError(Exception):
    """Settings ask for a record that cannot be made; the message says which, and why."""


def interface_files(bundle: Bundle, say: Say) -> dict[str, bytes]:
    """Render the module that other projects import: records, and what makes them.

    :class:`InterfaceError` for a field that repeats.
    """
    say(bundle.grammar.name, "interface")
    return encoded(bundle.grammar.name + INTERFACE, "\n".join([*_lines(bundle), ""]))


def _lines(bundle: Bundle) -> Iterator[str]:
    settings, name = bundle.settings, bundle.grammar.name
    title, source = _quoted(settings.title), _quoted(settings.source)
    yield _HEAD.format(title=title, source=source, name=name)
    classes = settings.records
    for rule, kind in classes.items():
        if not kind.isidentifier() or iskeyword(kind):
            raise InterfaceError(f"{rule} cannot become records of the name {kind!r}")
    shown = ["RULES", "MismatchError", "Stop", *dict.fromkeys(classes.values())]
    functions = ["explain", "matches", "parse_tree"]
    yield f"__all__ = {sorted({*shown, *functions, *(f'parse_{_field(r)}' for r in classes)})!r}"
    yield _FUNCTIONS.format(rules=bundle.public, name=name, start=bundle.start)
    for rule, kind in classes.items():
        yield _record(bundle, rule, kind)


_HEAD = '''\
"""{title}: {source}.

Generated by ``abnf2lark build`` from grammar/{name}.abnf. Do not edit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._runtime import Compiled, MismatchError, Stop

if TYPE_CHECKING:
    from lark import ParseTree
'''
_FUNCTIONS = '''
RULES = {rules!r}
"""The rules, in the order and spelling of the grammar."""

_grammar = Compiled({name!r})


def matches(text: str, rule: str = {start!r}) -> bool:
    """Return whether a text belongs to a rule; `KeyError` for an unknown rule."""
    return _grammar.matches(text, rule)


def explain(text: str, rule: str = {start!r}) -> Stop:
    """Return how far a rule matches a text, and what could have followed there."""
    return _grammar.explain(text, rule)


def parse_tree(text: str, rule: str = {start!r}) -> ParseTree:
    """Parse a text by Lark; `MismatchError` for one that is not the rule's."""
    return _grammar.tree(text, rule)'''


def _record(bundle: Bundle, rule: str, kind: str) -> str:
    """Render the class of a rule's records, and what makes them."""
    fields = {one: field.partition(":")[0] for one, field in bundle.settings.fields.items()}
    found = fillings(bundle.grammar, rule, fields)
    for field, (_, high) in found.items():
        if high == MANY:
            raise InterfaceError(f"{rule} has its field {field} more than once")
    choice = bundle.grammar.rules[rule].body
    apart = isinstance(choice, Alt) and all(isinstance(item, Ref) for item in choice.items)
    if found and not apart:
        alphabet = Alphabet(one.body for one in bundle.grammar.rules.values())
        try:
            captures = make_matcher(bundle.grammar, rule, fields, alphabet).captures
        except NotLinearError as error:
            raise InterfaceError(str(error)) from None
        if not captures:
            raise InterfaceError(
                f"no expression finds the fields of {rule} in linear time, each in one place: "
                f"{', '.join(found)}; make fields of other rules, or of fewer"
            )
    types, values = ["    text: str"], ["        text,"]
    for field, (low, _) in found.items():
        types.append(f"    {_field(field)}: {'str' if low else 'str | None'}")
        values.append(f"        found.get({field!r}){' or ' + repr('') if low else ''},")
    texts = {"types": "\n".join(types), "values": "\n".join(values)}
    return _RECORD.format(kind=kind, rule=rule, function=f"parse_{_field(rule)}", **texts)


_RECORD = '''

@dataclass(frozen=True)
class {kind}:
    """A {rule}; a field is ``None`` where it is absent."""

{types}

    def __str__(self) -> str:
        return self.text


def {function}(text: str) -> {kind}:
    """Read a {rule}; `MismatchError` for a text that is not one."""
    found = _grammar.fields(text, {rule!r})
    return {kind}(
{values}
    )'''


def _field(name: str) -> str:
    found = name.lower().replace("-", "_").replace(".", "__")
    if not found.isidentifier():
        raise InterfaceError(f"{name!r} cannot be the name of a field")
    return f"{found}_" if iskeyword(found) or found == "text" else found


def _quoted(text: str) -> str:
    """Make text fit to be in a docstring."""
    return " ".join(text.replace("\\", "/").replace('"', "'").split())
