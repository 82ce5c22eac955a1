"""Those who judge whether a rule derives a string, each by means of its own.

The abnf package and the derivatives are the independent ones: neither has anything of the
compiler's automata, expressions or Lark grammars in it.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import lark
from abnf import ParseError, Rule
from oracle.derivatives import derivatives
from oracle.generation import grammar as read_grammar
from places import GRAMMARS

import uriparse
from abnf2lark.automata import Alphabet, Language, languages
from uriparse.grammar.lark_parser import parser, start_symbol
from uriparse.grammar.matchers import bytes_matcher

Judge: TypeAlias = Callable[[str, str, str], bool]
"""(grammar, rule, text) -> whether the rule derives the whole text"""

IMPORTS = {"rfc3987": ("rfc3986",), "agreed": ("rfc3986",)}
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
        start = start_symbol(grammar, rule)
        parser(grammar, start).parse(text, start=start)
    except lark.UnexpectedInput:
        return False
    return True


def by_abnf(grammar: str, rule: str, text: str) -> bool:
    """Judge by the abnf package, which reads our grammar files for itself."""
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
    return abnf_rules(grammar)(f"x-{rule}")


@cache
def abnf_rules(grammar: str) -> type[Rule]:
    """Load grammar files into the abnf package.

    It has core rules of its own for all grammars and refuses another `alpha`: every rule of ours
    but the core's goes by a longer name.
    """
    loaded = type(grammar, (Rule,), {})
    own: set[str] = set()
    texts = [source(grammar)]
    for name in IMPORTS.get(grammar, ()):  # whose rules give way to those of the same name
        rules = re.split(r"(?m)^(?=[A-Za-z])", source(name))
        defined = {
            line.split()[0].casefold() for line in texts[-1].splitlines() if line[:1].isalpha()
        }
        texts.insert(0, "".join(one for one in rules if one.split()[0].casefold() not in defined))
    for text in texts:
        own |= {line.split()[0].casefold() for line in text.splitlines() if line[:1].isalpha()}

    def rename(match: re.Match[str]) -> str:
        return f"x-{match[0]}" if match[0].casefold() in own else match[0]

    for text in texts:
        loaded.load_grammar(NAME.sub(rename, text).replace("\n", "\r\n"))
    return loaded


def source(grammar: str) -> str:
    """Read a grammar file."""
    path = GRAMMARS / f"{grammar}.abnf"
    return path.read_text(encoding="ascii")


JUDGES: dict[str, Judge] = {
    "is_valid": by_matcher,
    "bytes_matcher": by_octets,
    "Lark": by_lark,
    "abnf": by_abnf,
    "derivatives": by_derivatives,
    "automaton": by_automaton,
}
