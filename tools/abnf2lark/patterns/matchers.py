"""Make the matcher of a rule: one regular expression, its captures, and the proof of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.automata import Alphabet, Language, TooLargeError, languages, limited
from abnf2lark.patterns.emit_pattern import pattern
from abnf2lark.patterns.flavours import PYTHON, Flavour
from abnf2lark.patterns.linear import NotLinearError, linear
from abnf2lark.patterns.passes import inline, optimize
from abnf2lark.patterns.proof import ProofError, prove
from abnf2lark.reading.ir import Alt, Capture, Grammar, Ref, reachable, walk
from abnf2lark.reading.linear_recursion import with_loops
from abnf2lark.reading.loops import recursion, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


MAX_STEPS = 5_000_000  # of automata; about 5 seconds


@dataclass(frozen=True, slots=True)
class Matcher:
    """The expression of a rule and the rules whose text it captures, in group order."""

    rule: str
    pattern: str
    captures: tuple[str, ...]


def make_matcher(
    grammar: Grammar,
    rule: str,
    captured: Mapping[str, str],
    alphabet: Alphabet,
    flavour: Flavour = PYTHON,
) -> Matcher:
    """Compile a rule; it captures only if no captured rule would occur twice.

    Nor does it where its captures stand in the way of linear time. Raises :class:`NotLinearError`
    where no expression is known to take that.
    """
    rules = grammar.rules
    node = optimize(inline(rules[rule].body, rules, captured))
    names = [part.rule for part in walk(node) if isinstance(part, Capture)]
    if len(names) == len(set(names)):
        try:
            return Matcher(rule, pattern(linear(node, alphabet), flavour), tuple(names))
        except NotLinearError:
            if not names:
                raise
    node = optimize(inline(rules[rule].body, rules, {}))
    return Matcher(rule, pattern(linear(node, alphabet), flavour), ())


def make_matchers(
    grammar: Grammar,
    names: tuple[str, ...],
    captured: Mapping[str, str],
    languages: Mapping[str, Language],
    alphabet: Alphabet,
) -> list[Matcher]:
    """Compile and prove the matchers of the given rules."""
    made: list[Matcher] = []
    for name in names:
        try:
            matcher = make_matcher(grammar, name, captured, alphabet)
        except NotLinearError as error:
            raise ProofError(f"no expression for {grammar.name} {name}: {error}") from None
        prove(f"{grammar.name} {name}", matcher.pattern, languages[name], alphabet)
        made.append(matcher)
    return made


class NotRegularError(Exception):
    """No regular expression matches what the rule does, or none that can be proved."""


def proved_matcher(
    grammar: Grammar, rule: str, captured: Sequence[str], flavour: Flavour = PYTHON
) -> Matcher:
    """Compile and prove one rule; a flavour other than Python's is compiled from proved passes.

    Raises :class:`NotRegularError` for a rule that no regular expression can match.
    """
    grammar = with_loops(grammar)
    loop = recursion(grammar, (rule,))
    if loop:
        raise NotRegularError(f"{rule} has no regular expression: it is recursive, {shown(loop)}")
    names = dict.fromkeys(captured)
    try:
        with limited(MAX_STEPS):
            alphabet = Alphabet(grammar.rules[name].body for name in reachable(grammar, [rule]))
            words = languages(grammar.rules, alphabet, [rule])
            kept = {name: name for name in names}
            made = make_matcher(grammar, rule, kept, alphabet)
            prove(rule, made.pattern, words[rule], alphabet)
            if flavour is not PYTHON:
                kept = {name: name for name in made.captures}
                made = make_matcher(grammar, rule, kept, alphabet, flavour)
    except (TooLargeError, RecursionError):
        raise NotRegularError(f"{rule} is too large for a regular expression") from None
    except NotLinearError as error:
        text = f"{rule} has no regular expression that is known to take linear time: {error}"
        raise NotRegularError(text) from None
    return made


def dispatch(grammar: Grammar, made: Sequence[Matcher]) -> dict[str, tuple[str, ...]]:
    """Return the rules that are a choice whose captures only the chosen rules can have.

    Between rules which capture the same, a choice has no captures of its own.
    """
    captures = {matcher.rule: matcher.captures for matcher in made}
    found: dict[str, tuple[str, ...]] = {}
    for name in grammar.own:
        body = grammar.rules[name].body
        if isinstance(body, Alt) and not captures[name]:
            choices = [item.name for item in body.items if isinstance(item, Ref)]
            if len(choices) == len(body.items) and all(captures.get(rule) for rule in choices):
                found[name] = tuple(choices)
    return found
