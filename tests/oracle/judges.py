"""Those who judge whether a rule derives a string, each by means of its own.

The abnf package and the derivatives are the independent ones: neither has anything of the
compiler's automata, expressions or Lark grammars in it.
"""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from abnf import ParseError, Rule
from oracle.derivatives import derivatives
from oracle.generation import grammar as read_grammar
from paths import GRAMMARS

import uriparse
from abnf2lark.automata import Alphabet, Language, languages
from uriparse.grammar import bytes_matcher

Judge: TypeAlias = Callable[[str, str, str], bool]
"""(grammar, rule, text) -> whether the rule derives the whole text"""

NAME = re.compile(r'"[^"]*"|<[^>]*>|;.*|%[a-z][^\s/()\[\]]*|[A-Za-z][A-Za-z0-9-]*', re.IGNORECASE)


def by_matcher(grammar: str, rule: str, text: str) -> bool:
    """Judge by the compiled expression, as users do."""
    return uriparse.is_valid(text, rule, grammar=grammar)


def by_octets(grammar: str, rule: str, text: str) -> bool:
    """Judge the UTF-8 of the text, by the expression for octets where there is one."""
    octets = text.encode("utf-8", "surrogatepass")
    try:
        return bytes_matcher(rule, grammar).fullmatch(octets) is not None
    except ValueError:  # the rule derives more than ASCII
        return uriparse.is_valid(octets if text.isascii() else text, rule, grammar=grammar)


def by_lark(grammar: str, rule: str, text: str) -> bool:
    """Judge by the generated Lark grammar of components."""
    try:
        uriparse.parse_tree(text, rule, grammar=grammar)
    except uriparse.URISyntaxError:
        return False
    return True


def by_abnf(grammar: str, rule: str, text: str) -> bool:
    """Judge by the abnf package, which reads our grammar files for itself.

    It takes halves of UTF-16 for characters, which they are not.
    """
    if any("\ud800" <= char <= "\udfff" for char in text):
        return False
    try:
        abnf_rule(grammar, rule).parse_all(text)
    except ParseError:
        return False
    return True


def by_derivatives(grammar: str, rule: str, text: str) -> bool:
    """Judge by taking the rule apart."""
    return derivatives(grammar).accepts(rule, text)


def by_automaton(grammar: str, rule: str, text: str) -> bool:
    """Judge by the automaton of the compiler's proofs."""
    alphabet, known = automata(grammar)
    return known[rule].accepts(text, alphabet)


@cache
def automata(grammar: str) -> tuple[Alphabet, dict[str, Language]]:
    """Compute the automata of all rules of a grammar."""
    rules = read_grammar(grammar).rules
    alphabet = Alphabet([rule.body for rule in rules.values()])
    return alphabet, languages(rules, alphabet, rules)


@cache
def abnf_rule(grammar: str, rule: str) -> Rule:
    """Give the abnf package's parser of a rule of ours."""
    return abnf_rules(grammar)(long_name(grammar, rule))


@cache
def abnf_rules(grammar: str) -> type[Rule]:
    """Load a grammar file and those that it imports from into the abnf package.

    It has core rules of its own for all grammars and refuses another `alpha`: every rule of ours
    but the core's goes by a longer name, in which its grammar stands, since two of them may have
    rules of one name.
    """
    loaded = type(grammar, (Rule,), {})
    pending = [grammar]
    for name in pending:
        text = NAME.sub(lambda match, home=name: long_name(home, match[0]), source(name))
        loaded.load_grammar(text.replace("\n", "\r\n"))
        pending += [other for other in imports(name) if other not in pending]
    return loaded


def long_name(grammar: str, word: str) -> str:
    """Name a rule with its grammar; other words, and rules of the core, stay as they are."""
    name = word.casefold()
    if name in own_rules(grammar):
        return f"x-{grammar}-{name}"
    for other, rules in imports(grammar).items():
        if name in map(str.casefold, rules):
            return long_name(other, name)
    return word


@cache
def own_rules(grammar: str) -> frozenset[str]:
    """Name the rules that stand in a grammar file."""
    lines = source(grammar).splitlines()
    return frozenset(line.split()[0].casefold() for line in lines if line[:1].isalpha())


@cache
def imports(grammar: str) -> dict[str, list[str]]:
    """Tell which rules a grammar takes from which others."""
    settings = tomllib.loads((GRAMMARS / "grammars.toml").read_text(encoding="utf-8"))
    found: dict[str, list[str]] = settings[grammar].get("imports", {})
    return found


def source(grammar: str) -> str:
    """Read a grammar file."""
    path = GRAMMARS / f"{grammar}.abnf"
    return path.read_text(encoding="ascii")


JUDGES: dict[str, Judge] = {
    "is_valid": by_matcher, "bytes_matcher": by_octets, "Lark": by_lark, "abnf": by_abnf,
    "derivatives": by_derivatives, "automaton": by_automaton,
}  # fmt: skip
