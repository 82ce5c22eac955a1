"""Write the tagged automaton of a grammar as packed tables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from abnf2lark.automata import Alphabet
from abnf2lark.patterns.matchers import make_matcher
from abnf2lark.reading.ir import reachable
from abnf2lark.tables.packing import Parts
from abnf2lark.tagged.automaton import tagged
from abnf2lark.tagged.format import FORMAT, read, written
from abnf2lark.tagged.marks import choices, layout
from abnf2lark.tagged.merging import merged
from abnf2lark.tagged.octets import over_octets
from abnf2lark.tagged.proof import Held, prove_language, prove_told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from abnf2lark.automata import Language
    from abnf2lark.reading.config import Bundle, Settings

_RECORD = "Leaves"
"""What becomes of a rule that is tagged though it yields no record."""


def of_leaves(bundle: Bundle, languages: Mapping[str, Language], alphabet: Alphabet) -> Settings:
    """Return settings by which the leaves that tagged rules capture are the fields of a record."""
    grammar, settings = bundle.grammar, bundle.settings
    leaves = {name: name for name in settings.leaves if languages[name].without_empty()}
    made = [make_matcher(grammar, rule, leaves, alphabet) for rule in settings.tagged]
    captured = {name for matcher in made for name in matcher.captures}
    fields = {name: name for name in leaves if name in captured}
    return replace(settings, records=dict.fromkeys(settings.tagged, _RECORD), fields=fields)


def tagged_content(bundle: Bundle, languages: Mapping[str, Language], alphabet: Alphabet) -> bytes:
    """Return the section ``tagged``, with tables that were read back and proved.

    One automaton for all rules that yield records, or are named for it, over the octets of UTF-8.
    It begins in ``starts[rule]``; it notes where each of ``fields`` begins and ends, and sets
    constants to the number, from 1, of a value in ``constants``: the first is the class of the
    record, ``kinds[field]`` is the number of the one that says of what kind a field is. ``tables``
    is laid out as :mod:`abnf2lark.tagged.format` says.

    Raises :class:`UntellableError`, :class:`ProofError` or :class:`OverflowError`.
    """
    grammar, settings = bundle.grammar, bundle.settings
    if not settings.records:
        settings = of_leaves(bundle, languages, alphabet)
    told = layout(grammar, settings)
    rules = choices(grammar, told.marks)
    own = Alphabet(grammar.rules[name].body for name in reachable(grammar, rules))
    made = merged(over_octets(tagged(grammar, own, told, tuple(rules)), own))
    data = written(made, told)
    tables = read(data)
    prove_language(grammar.name, tables, made.starts, languages, alphabet)
    captured = {name: name for name in settings.fields if languages[name].without_empty()}
    names = (*told.marks, *told.owners.values())
    patterns = {name: make_matcher(grammar, name, captured, alphabet).pattern for name in names}
    prove_told(grammar.name, tables, made.starts, rules, Held(patterns, settings, told))
    parts = Parts()
    parts.numbers("format", [FORMAT])
    parts.words("fields", told.fields)
    parts.word_lists("constants", told.constants)
    parts.mapping("kinds", told.kinds)
    parts.mapping("starts", made.starts)
    parts.octets("tables", data)
    return parts.content
