"""Render everything that is generated from a directory of grammars, as file name → text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import Alphabet, Language, languages
from abnf2lark.lark_grammars.component_grammar import LexedGrammar, lalr_grammar
from abnf2lark.lark_grammars.emit_tables import make_tables, tables_text
from abnf2lark.lark_grammars.taken_back import prove_expressions
from abnf2lark.mutants.emit_witnesses import entry_text, witnesses_text
from abnf2lark.mutants.witnesses import witnesses
from abnf2lark.patterns.emit_pattern import group_name
from abnf2lark.patterns.matchers import Matcher, dispatch, make_matchers
from abnf2lark.reading.settings import CORE
from abnf2lark.tables.emit_diagnosis import diagnosis_text
from abnf2lark.tables.emit_rules import rules_text
from abnf2lark.tables.error_automaton import diagnosis
from abnf2lark.tagged.emit_tagged import tagged_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from abnf2lark.building.workers import Say
    from abnf2lark.reading.config import Bundle

SHARED = ""
"""Stands for all grammars together, among the names of grammars."""


WITNESSES = " witnesses"
"""Stands behind the name of a grammar for what its mutants are told by."""

TAGGED = " tagged"
"""Stands behind the name of a grammar for the automata that tell where components lie."""


INTERFACE = " interface"
"""Stands behind the name of a grammar for the module that other projects import."""

RUNTIME = " runtime"
"""Stands for the module by which all interfaces read their tables."""


class Compiled:
    """A grammar with its alphabet and the language of each of its rules."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.grammar = bundle.grammar
        self.alphabet = Alphabet(rule.body for rule in self.grammar.rules.values())
        self.languages: dict[str, Language] = languages(
            self.grammar.rules, self.alphabet, self.grammar.rules
        )


def file_names(name: str) -> tuple[str, ...]:
    """Name the files that are made of a grammar, of a part of it, or of all grammars."""
    if name.endswith(WITNESSES):
        return (f"{name.removesuffix(WITNESSES)}_witnesses.py",)
    if name.endswith(INTERFACE):
        return (f"{name.removesuffix(INTERFACE)}.py",)
    if name == RUNTIME:
        return ("_runtime.py",)
    if name.endswith(TAGGED):
        return (f"{name.removesuffix(TAGGED)}_tagged.py",)
    if name == SHARED:
        return ("__init__.py", "index.py", "names.py")
    modules = ("matchers", "charsets", "rules", "diagnosis", "tables")
    return (*(f"{name}_{one}.py" for one in modules), f"{name}.lark")


def shared_files(bundles: Mapping[str, Bundle]) -> dict[str, str]:
    """Render what is made of all grammars."""
    listed = dict(sorted(bundles.items(), key=lambda one: one[0] == CORE))  # asked for least: last
    return {
        "__init__.py": _header("all grammars", "Generated tables."),
        "index.py": _index(listed),
        "names.py": _names(listed),
    }


def grammar_files(bundle: Bundle, say: Say) -> dict[str, str]:
    """Compile a grammar."""
    name = bundle.grammar.name
    say(name, "languages of the rules")
    one = Compiled(bundle)
    source = f"grammar/{name}.abnf"
    say(name, "regular expressions")
    matchers, charsets = _matchers(one), _charsets(one)
    header = _header(source, f"The rules of {name}.")
    rules = rules_text(one.grammar, bundle.public, header)
    say(name, "automata for errors")
    errors = _diagnosis(one)
    say(name, "proof of the Lark grammar")
    lexed = _lexed(one)
    say(name, "Lark's tables")
    header = _header(source, f"The LALR tables of {name}.lark.")
    names, starts = lexed.components.abnf_names, lexed.components.starts
    prove_expressions(lexed.text({}), starts.values(), lexed.expressions())
    tables = tables_text(make_tables(lexed), names, starts, header)
    texts = (matchers, charsets, rules, errors, tables, _lark(one, lexed))
    return dict(zip(file_names(name), texts, strict=True))


def witness_entry(bundle: Bundle, rule: str, say: Say) -> str:
    """Find the texts that tell a rule from its mutants."""
    say(bundle.grammar.name, f"mutants of {rule}")
    return entry_text(rule, witnesses(bundle.grammar, rule))


def witness_files(name: str, entries: Iterable[str]) -> dict[str, str]:
    """Put together what was found for the rules of a grammar that are named for it."""
    header = _header(f"grammar/{name}.abnf", f"Texts that tell rules of {name} from their mutants.")
    return dict(zip(file_names(name + WITNESSES), [witnesses_text(entries, header)], strict=True))


def tagged_files(bundle: Bundle, say: Say) -> dict[str, str]:
    """Compile the rules of a grammar that yield records, or that are named, to tagged automata."""
    name = bundle.grammar.name
    say(name, "tagged automata")
    one = Compiled(bundle)
    header = _header(f"grammar/{name}.abnf", f"Where the components of texts of {name} lie.")
    text = tagged_text(bundle, one.languages, one.alphabet, header)
    return dict(zip(file_names(name + TAGGED), [text], strict=True))


def _diagnosis(one: Compiled) -> str:
    settings = one.bundle.settings
    name = one.grammar.name
    components = frozenset([*settings.nodes, *settings.leaves, *settings.fields, *settings.records])
    found = diagnosis(one.grammar, one.bundle.public, components, one.languages, one.alphabet)
    header = _header(f"grammar/{name}.abnf", "How far a text can go on, and what could follow.")
    return diagnosis_text(found, one.bundle.start, one.alphabet, header)


def _lexed(one: Compiled) -> LexedGrammar:
    settings = one.bundle.settings
    return lalr_grammar(
        one.grammar,
        one.bundle.public,
        frozenset([*settings.nodes, *settings.records]),
        frozenset([*settings.leaves, *settings.fields]),
        (one.alphabet, one.languages),
        apart=True,
    )


def _lark(one: Compiled, lexed: LexedGrammar) -> str:
    settings = one.bundle.settings
    name = one.grammar.name
    header = (
        f"// {settings.title}: {settings.source}.\n"
        f"// Generated by `abnf2lark build` from grammar/{name}.abnf. Do not edit.\n"
        "// LALR(1) with the contextual lexer; guards and priorities are proved sufficient.\n"
    )
    comments = {rule.name: rule.source for rule in one.grammar.rules.values()}
    return lexed.text(comments, header)


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
    lines.append("WITNESSED: dict[str, tuple[str, ...]] = {")
    settings = {name: bundle.settings for name, bundle in bundles.items()}
    lines += [f"    {name!r}: {tuple(one.suites)!r}," for name, one in settings.items()]
    lines.append("}")
    lines.append("\n# The grammars with tagged automata.")
    tagged = tuple(name for name, one in settings.items() if one.records or one.tagged)
    lines.append(f"TAGGED: tuple[str, ...] = {tagged!r}")
    lines.append("\nTITLES: dict[str, tuple[str, str]] = {")
    lines += [f"    {name!r}: {(one.title, one.source)!r}," for name, one in settings.items()]
    return "\n".join([*lines, "}\n"])


def _names(bundles: Mapping[str, Bundle]) -> str:
    """Render the names of grammars and rules as types, which editors complete."""
    recorded = {name: one for name, one in bundles.items() if one.settings.records}
    kinds: dict[str, list[str]] = {}
    for bundle in recorded.values():
        for rule, kind in bundle.settings.records.items():
            kinds.setdefault(f"{kind}Rule", []).append(rule)
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


def _matchers(one: Compiled) -> str:
    settings = one.bundle.settings
    wanted = (*settings.fields, *settings.leaves)
    # A captured rule without a single character (path-empty) needs no group.
    captured = {rule: rule for rule in wanted if one.languages[rule].without_empty()}
    made = make_matchers(one.grammar, one.bundle.public, captured, one.languages, one.alphabet)
    name = one.grammar.name
    lines = [_header(f"grammar/{name}.abnf", f"One expression for each rule of {name}.")]
    lines.append("PATTERNS: dict[str, str] = {")
    lines.extend(_pattern_lines(matcher) for matcher in made)
    lines.append("}\n\n# Rules that are a choice of rules which capture the same, in order.")
    lines.append("DISPATCH: dict[str, tuple[str, ...]] = {")
    lines.extend(
        f"    {rule!r}: {choices!r}," for rule, choices in dispatch(one.grammar, made).items()
    )
    lines.append("}\n\n# Rules that become records, and the class.")
    lines.extend(_table("RECORDS", settings.records))
    lines.append("\n# Groups, and the field of a record that each one fills.")
    fields = {group_name(r): f.partition(":")[0] for r, f in settings.fields.items()}
    lines.extend(_table("FIELDS", fields))
    lines.append("\n# Groups, and the kind of host that each one tells.")
    hosts = {group_name(r): f.partition(":")[2] for r, f in settings.fields.items() if ":" in f}
    lines.extend(_table("HOSTS", hosts))
    return "\n".join([*lines, ""])


def _table(name: str, table: dict[str, str]) -> list[str]:
    if not table:
        return [f"{name}: dict[str, str] = {{}}"]
    rows = [f"    {key!r}: {value!r}," for key, value in table.items()]
    return [f"{name}: dict[str, str] = {{", *rows, "}"]


def _pattern_lines(matcher: Matcher) -> str:
    width = 88
    text = matcher.pattern
    pieces = [text[i : i + width] for i in range(0, len(text), width)] or [""]
    body = "\n".join(f"        {piece!r}" for piece in pieces)
    return f"    {matcher.rule!r}: (\n{body}\n    ),"


def _charsets(one: Compiled) -> str:
    name = one.grammar.name
    lines = [_header(f"grammar/{name}.abnf", "The one-character words of rules, sorted.")]
    lines.append("CHARSETS: dict[str, str] = {")
    for rule in one.bundle.settings.charsets:
        language = one.languages[rule]
        ends = {label for label, target in language.edges[0].items() if target in language.final}
        ranges = one.alphabet.chars(ends).ranges
        chars = "".join(chr(code) for low, high in ranges for code in range(low, high + 1))
        lines.append(f"    {rule!r}: {chars!r},")
    return "\n".join([*lines, "}\n"])
