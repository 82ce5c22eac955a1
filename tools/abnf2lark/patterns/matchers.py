"""Make the matcher of a rule: one regular expression, its captures, and the proof of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.automata import (
    Alphabet,
    Language,
    TooLargeError,
    languages,
    limited,
    part_of_many_states,
    refuse_long,
)
from abnf2lark.patterns.emit_pattern import anchored, pattern
from abnf2lark.patterns.fitting import HALVES, UnfitError, fitted, without_surrogates
from abnf2lark.patterns.flavours import PYTHON, Flavour
from abnf2lark.patterns.linear import NotLinearError, linear
from abnf2lark.patterns.passes import inline, optimize
from abnf2lark.patterns.proof import ProofError, in_python, prove
from abnf2lark.reading.ir import Alt, Capture, Grammar, Ref, reachable, walk
from abnf2lark.reading.large_parts import large_part
from abnf2lark.reading.linear_recursion import with_loops
from abnf2lark.reading.loops import recursion, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from abnf2lark.reading.ir import Node


MAX_STEPS = 5_000_000  # of automata; about 5 seconds
MAX_PLACES = 30_000  # of characters, with all rules written out; those of real use have 3,000


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
) -> Matcher:
    """Compile a rule for whole texts, unanchored; captures are those of :func:`_expression`.

    Raises :class:`NotLinearError` where no expression is known to take linear time.
    """
    node, captures = _expression(grammar, rule, captured, alphabet)
    return Matcher(rule, pattern(node, PYTHON), captures)


def _expression(
    grammar: Grammar, rule: str, captured: Mapping[str, str], alphabet: Alphabet
) -> tuple[Node, tuple[str, ...]]:
    """Make the expression of a rule; it captures only if no captured rule would occur twice.

    Nor does it where its captures stand in the way of linear time.
    """
    rules = grammar.rules
    node = optimize(inline(rules[rule].body, rules, captured))
    names = [part.rule for part in walk(node) if isinstance(part, Capture)]
    if len(names) == len(set(names)):
        try:
            return linear(node, alphabet), tuple(names)
        except NotLinearError:
            if not names:
                raise
    node = optimize(inline(rules[rule].body, rules, {}))
    return linear(node, alphabet), ()


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
    """No regular expression matches what the rule does, or none that can be proved.

    ``reason`` says why not, ``remedy`` what to do about it; empty where nothing can be told.
    """

    def __init__(self, message: str, reason: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.reason = reason or message
        self.remedy = remedy


class FlavourError(NotRegularError):
    """No expression in a flavour does what the rule does, though there is one in others."""

    def __init__(self, rule: str, flavour: Flavour, error: UnfitError) -> None:
        message = f"{rule} has no expression for {flavour.name}: {error}"
        super().__init__(message, error.reason, error.remedy)


def proved_matcher(
    grammar: Grammar, rule: str, captured: Sequence[str], flavour: Flavour = PYTHON
) -> Matcher:
    """Compile and prove one rule, for whole texts.

    Raises :class:`NotRegularError` for a rule that no regular expression can match,
    :class:`FlavourError` for one that none of the flavour can.
    """
    grammar = with_loops(grammar, reachable(grammar, (rule,)))
    loop = recursion(grammar, (rule,))
    if loop:
        raise NotRegularError(f"{rule} has no regular expression: it is recursive, {shown(loop)}")
    try:
        with limited(MAX_STEPS):
            return _proved(grammar, rule, captured, flavour)
    except UnfitError as error:
        raise FlavourError(rule, flavour, error) from None
    except TooLargeError:
        reason = f"{rule} is too large for a regular expression"
        raise NotRegularError(f"{reason}: {part_of_many_states(grammar, rule)}", reason) from None
    except RecursionError:
        raise NotRegularError(f"{rule} is nested too deeply for a regular expression") from None
    except NotLinearError as error:
        text = f"{rule} has no regular expression that is known to take linear time: {error}"
        if not error.why.text:
            text = f"{text}; {large_part(grammar, rule)}"
        raise NotRegularError(text) from None


def _proved(grammar: Grammar, rule: str, captured: Sequence[str], flavour: Flavour) -> Matcher:
    if captured and flavour.named_group is None:
        raise UnfitError("it gives verdicts alone, and captures nothing", "leave the captures out")
    refuse_long(grammar, rule, MAX_PLACES)
    bodies = [grammar.rules[name].body for name in reachable(grammar, [rule])]
    alphabet = Alphabet([*bodies, HALVES])
    words = without_surrogates(languages(grammar.rules, alphabet, [rule])[rule], alphabet)
    node, captures = _expression(grammar, rule, {name: name for name in captured}, alphabet)
    node = fitted(node, flavour, alphabet)
    prove(rule, in_python(pattern(node, flavour)), words, alphabet)
    return Matcher(rule, anchored(node, flavour), captures)


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
