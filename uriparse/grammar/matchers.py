"""The regular expressions and character sets of grammar rules, by the rule's name.

They come from tables that the grammar compiler generates; nothing here knows URI syntax.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from uriparse._base import engine as _engine
from uriparse._base.coerce import as_str
from uriparse._compiled.index import RULES, START_RULES
from uriparse.errors import UnknownRuleError

if TYPE_CHECKING:
    from uriparse._compiled.names import GrammarName, RuleName

_BEYOND_ASCII = re.compile(r"\\(?:x[89a-f]|[uU])|\[\^")
"""Matches the escapes of characters above ASCII in the tables."""

_FEW = 8
"""The most names that an error lists if none is near."""


Expression: TypeAlias = "tuple[object, ...]"


class _Tables(Protocol):
    """The content of a generated `<grammar>_matchers` module."""

    PATTERNS: Mapping[str, str]
    DISPATCH: Mapping[str, tuple[str, ...]]
    RECORDS: Mapping[str, str]
    FIELDS: Mapping[str, str]
    HOSTS: Mapping[str, str]


def grammars() -> tuple[str, ...]:
    """Return the names of the shipped grammars.

    >>> grammars()[:4]
    ('rfc3986', 'rfc3987', 'rfc1738', 'rfc2396')
    """
    return tuple(RULES)


def rules(grammar: GrammarName | str = "rfc3986") -> tuple[str, ...]:
    """Return the rules of a grammar in the RFC's spelling and order, then those it imports.

    UnknownRuleError for an unknown grammar.

    >>> rules()[:3]
    ('URI', 'hier-part', 'URI-reference')
    """
    name = as_str(grammar, "grammar")
    if name not in RULES:
        raise _unknown("grammar", name, RULES, is_listed=True)
    return RULES[name]


def start_rule(grammar: GrammarName | str = "rfc3986") -> str:
    """Return the widest rule of a grammar: the first of those that lead to the most rules.

    UnknownRuleError for an unknown grammar.

    >>> start_rule("rfc3986"), start_rule("rfc1738")
    ('URI-reference', 'url')
    """
    rules(grammar)
    return START_RULES[grammar]


def rule_name(rule: RuleName | str, grammar: GrammarName | str = "rfc3986") -> str:
    """Return the RFC's spelling of a rule name in any letter case (RFC 5234 section 2.1).

    UnknownRuleError if the grammar has no such rule, with the nearest names.

    >>> rule_name("uri-REFERENCE", "rfc3986")
    'URI-reference'
    """
    return spelled(as_str(rule, "rule"), as_str(grammar, "grammar"))


@lru_cache(maxsize=4096)
def spelled(rule: str, grammar: str) -> str:
    """Do as `rule_name`, for names that are plain strings already."""
    names = _names(grammar) if grammar in RULES else {}
    if (name := names.get(rule.lower())) is not None:
        return name
    known = rules(grammar)
    owners = [grammar for grammar in RULES if rule.lower() in _names(grammar)]
    raise _unknown(f"rule of {grammar}", rule, known, owners)


@lru_cache(maxsize=4096)
def node_name(rule: str) -> str:
    """Return the name of a rule as grammars of Lark and their trees have it, and groups in theirs.

    Rules ignore letter case (RFC 5234 section 2.1). `abnf2lark` names variants of a rule after it,
    with three underscores between.
    """
    return rule.partition("___")[0].replace("-", "_").lower()


def matcher(rule: RuleName | str, grammar: GrammarName | str = "rfc3986") -> re.Pattern[str]:
    """Compile the expression of a rule, to be used with `fullmatch`.

    Its named groups are the captured rules inside it, with "-" replaced by "_". A rule whose
    alternatives capture the same name has no groups: see `dispatch`.

    UnknownRuleError for an unknown rule.
    """
    rule, grammar = as_str(rule, "rule"), as_str(grammar, "grammar")
    return _compiled(spelled(rule, grammar), grammar)


@cache
def fullmatch(rule: str, grammar: str = "rfc3986") -> Callable[[str], object | None]:
    """Return what returns None for a text that a rule does not match, by the engine that reads.

    UnknownRuleError for an unknown rule.
    """
    if _engine.by_lark is not None:
        return _engine.by_lark.matches(rule_name(rule, grammar), grammar)
    return matcher(rule, grammar).fullmatch


def bytes_matcher(
    rule: RuleName | str, grammar: GrammarName | str = "rfc3986"
) -> re.Pattern[bytes]:
    """Compile the expression of a rule for octets, to be used with `fullmatch`.

    Only for rules that derive nothing but ASCII, such as all of rfc3986: there a character is an
    octet. The groups are those of `matcher`. UnknownRuleError for an unknown rule, ValueError
    if it derives other characters: decode the text first.

    >>> bytes_matcher("scheme").fullmatch(b"http") is not None
    True
    """
    rule, grammar = as_str(rule, "rule"), as_str(grammar, "grammar")
    return _bytes_compiled(spelled(rule, grammar), grammar)


def dispatch(rule: RuleName | str, grammar: GrammarName | str = "rfc3986") -> tuple[str, ...]:
    """Return the rules to try in order instead of `rule`, so that each has its captures.

    UnknownRuleError for an unknown rule.

    >>> dispatch("URI-reference")
    ('URI', 'relative-ref')
    >>> dispatch("scheme")
    ('scheme',)
    """
    rule, grammar = as_str(rule, "rule"), as_str(grammar, "grammar")
    name = rule_name(rule, grammar)
    return tables(grammar).DISPATCH.get(name, (name,))


def charset(name: str, grammar: GrammarName | str = "rfc3986") -> frozenset[str]:
    """Return the single characters that a rule derives, if it is an exported set.

    UnknownRuleError if the grammar exports no such set.

    >>> "~" in charset("unreserved"), "/" in charset("segment")
    (True, False)
    """
    wanted, grammar = as_str(name, "name"), as_str(grammar, "grammar")
    sets = _sets(grammar)
    if wanted not in sets:
        raise _unknown(f"character set of {grammar}", wanted, sets)
    return sets[wanted]


def rule_expressions(grammar: str = "rfc3986") -> Mapping[str, Expression]:
    """Return the rules of a grammar, and the core rules they use, as nested tuples.

    `("chars", ranges)`, `("text", value)`, `("ref", rule)`, `("seq", items)`, `("alt", items)`,
    `("rep", item, low, high or -1)`. UnknownRuleError for an unknown grammar.

    >>> rule_expressions()["query"][0], len(rule_expressions()["DIGIT"])
    ('rep', 2)
    """
    grammar = as_str(grammar, "grammar")
    rules(grammar)
    found: Mapping[str, Expression] = import_module(f"uriparse._compiled.{grammar}_rules").RULES
    return found


@cache
def tables(grammar: str) -> _Tables:
    """Load the generated tables of a grammar: patterns, dispatch, record fields, hosts."""
    rules(grammar)
    return cast("_Tables", import_module(f"uriparse._compiled.{grammar}_matchers"))


@cache
def _compiled(name: str, grammar: str) -> re.Pattern[str]:
    return re.compile(tables(grammar).PATTERNS[name])


@cache
def _bytes_compiled(name: str, grammar: str) -> re.Pattern[bytes]:
    text = tables(grammar).PATTERNS[name]
    if _BEYOND_ASCII.search(text):
        raise ValueError(f"{name} of {grammar} derives more than ASCII; decode the octets first")
    return re.compile(text.encode("ascii"))


@cache
def _names(grammar: str) -> dict[str, str]:
    return {name.lower(): name for name in RULES[grammar]}


@cache
def _sets(grammar: str) -> dict[str, frozenset[str]]:
    rules(grammar)
    found: Mapping[str, str] = import_module(f"uriparse._compiled.{grammar}_charsets").CHARSETS
    return {name: frozenset(characters) for name, characters in found.items()}


def _unknown(
    kind: str,
    name: str,
    known: Iterable[str],
    owners: Sequence[str] = (),
    *,
    is_listed: bool = False,
) -> UnknownRuleError:
    from uriparse.errors import excerpt  # noqa: PLC0415 - only failures pay for it

    message = f"unknown {kind}: {excerpt.invalid_name(name)}"
    if len(name) > excerpt.LONGEST_NAME:  # the search for near names takes quadratic time
        return UnknownRuleError(message)
    from difflib import get_close_matches  # noqa: PLC0415 - only failures pay for it

    spelled = {candidate.lower(): candidate for candidate in known}
    near = [spelled[hit] for hit in get_close_matches(name.lower(), spelled, n=3)]
    if name and not near:
        near = [rule for low, rule in spelled.items() if low.startswith(name.lower())][:3]
    if near:
        message += f"; did you mean {' or '.join(near)}"
        message += f", or {name} of {_listed(owners, ' and ')}?" if owners else "?"
    elif spelled and (is_listed or len(spelled) <= _FEW):
        message += f"; there are {_listed([*spelled.values()], ', ')}"
    elif owners:
        message += f"; it is one of {_listed(owners, ' and ')}"
    return UnknownRuleError(message)


def _listed(names: Sequence[str], between: str) -> str:
    more = len(names) - _FEW
    return between.join(names[:_FEW]) + (f" and {more} more" if more > 0 else "")
