"""Prove what a grammar's settings claim: that a rule derives nothing that a wider one does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.automata import Alphabet, languages
from abnf2lark.reading.problems import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from abnf2lark.automata import Language
    from abnf2lark.reading.config import Bundle


class ContainmentError(Exception):
    """A rule derives a word that the rule it should lie within does not."""


def prove_containment(bundles: Mapping[str, Bundle], name: str) -> None:
    """Prove every pair of a grammar's setting `within`, by the automata of both rules.

    Raises :class:`ContainmentError` with a shortest word, :class:`InputError` for a rule or a
    grammar that does not exist.
    """
    for rule, wider in bundles[name].settings.within.items():
        other, _, wide = wider.rpartition(":")
        pair = [(name, rule), (other or name, wide)]
        alphabet = Alphabet(
            found.body
            for grammar, _ in pair
            if grammar in bundles
            for found in bundles[grammar].grammar.rules.values()
        )
        inner, outer = (_language(bundles, *one, alphabet, name) for one in pair)
        word = (inner - outer).witness(alphabet)
        if word is not None:
            raise ContainmentError(f"{rule} derives {word!r}, which {wider} does not")


def _language(
    bundles: Mapping[str, Bundle], grammar: str, rule: str, alphabet: Alphabet, owner: str
) -> Language:
    found = bundles[grammar].grammar.find(rule) if grammar in bundles else None
    if found is None:
        raise InputError(f'within of {owner}: there is no rule "{rule}" of {grammar}')
    return languages(bundles[grammar].grammar.rules, alphabet, [found.name])[found.name]
