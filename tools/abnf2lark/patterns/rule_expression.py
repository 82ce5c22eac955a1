"""Make the matcher of a rule: one regular expression with captures, and its proof."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from abnf2lark import automata, ir
from abnf2lark.automata import languages
from abnf2lark.patterns import passes
from abnf2lark.patterns.emit_pattern import PYTHON, Flavour, anchored, in_python, pattern
from abnf2lark.patterns.proof import NotLinearError, ProofError, backtracking, prove
from abnf2lark.problems import AbnfError
from abnf2lark.reading.large_parts import large_part
from abnf2lark.reading.recursion import END, START, Arrows, expression, recursion, shown, with_loops

# Convert an automaton to an expression.
#
# Every text has one path through a deterministic automaton, and through its expression, too. So
# this expression hardly backtracks, even if the grammar's own does.

MAX_STATES = 200
MAX_NODES = 4_000


def of_language(language: automata.Language, alphabet: automata.Alphabet) -> ir.Node:
    """Return an expression for a language; :class:`TooLargeError` if it is too large."""
    if len(language) > MAX_STATES:
        raise automata.TooLargeError
    arrows: Arrows = {START: {0: ir.EMPTY}}
    for state, row in enumerate(language.edges):
        goals = ir.grouped((target, label) for label, target in row.items())
        arrows[state] = {target: alphabet.chars(labels) for target, labels in goals.items()}
        if state in language.final:
            arrows[state][END] = ir.EMPTY
    found = expression(arrows, _small)
    if found is None:
        raise automata.TooLargeError
    return found


def _small(arrows: Arrows) -> None:
    size = sum(1 for row in arrows.values() for node in row.values() for _ in ir.walk(node))
    automata.spend(size)
    if size > MAX_NODES:
        raise automata.TooLargeError


def linear(node: ir.Node, alphabet: automata.Alphabet) -> ir.Node:
    """Return an equal expression of linear time; :class:`NotLinearError` if none is found."""
    found = _mended(node, alphabet)
    why = backtracking(found)
    if why is not None:
        raise why
    return found


def _mended(node: ir.Node, alphabet: automata.Alphabet) -> ir.Node:
    """Replace the smallest parts that backtrack by expressions of automata."""
    if not ir.children(node) or backtracking(node) is None:
        return node
    node = ir.changed(node, lambda part: _mended(part, alphabet))
    why = backtracking(node)
    if passes.has_capture(node) or why is None or not why.text:
        return node
    return _read_anew(node, alphabet, lambda way: backtracking(way) is None)


def _read_anew(
    node: ir.Node, alphabet: automata.Alphabet, is_good: Callable[[ir.Node], bool]
) -> ir.Node:
    """Return the expression of an automaton, if it is good; else the given one."""
    try:
        made = of_language(automata.language_of_node(node, alphabet), alphabet)
    except automata.TooLargeError:
        return node
    return next(filter(is_good, (passes.optimize(made), made)), node)


# Adapt an expression to an engine, exactly and for texts of any length.
#
# Lone surrogates, which are in no text and which most engines cannot name, are removed; loops that
# backtrack are replaced by expressions of automata. What remains is refused, with a remedy.

HALVES = ir.Chars(((ir.SURROGATES.start, ir.SURROGATES.stop - 1),))  # lone surrogates, as a set


class NoExpressionError(AbnfError):
    """A rule has no regular expression that is proved: it is too large, or none is linear.

    ``reason`` says why not, ``remedy`` what to do about it; empty if nothing is known.
    """

    def __init__(self, message: str, reason: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.reason = reason or message
        self.remedy = remedy


class NotRegularError(NoExpressionError):
    """A rule has no regular expression, since it is recursive."""


class FlavourError(NoExpressionError):
    """A rule has no expression in a flavour, though it has one in others."""

    def __init__(self, rule: str, flavour: Flavour, reason: str, remedy: str) -> None:
        message = f"{rule} has no expression for {flavour.name}: {reason}; {remedy}"
        super().__init__(message, reason, remedy)


def fitted(node: ir.Node, rule: str, flavour: Flavour, alphabet: automata.Alphabet) -> ir.Node:
    """Return an equal expression without surrogates that an engine supports; `FlavourError`."""
    held = ir.pruned(node, _without_surrogates)
    if held is None:
        raise FlavourError(
            *(rule, flavour),
            "all its texts hold surrogates (U+D800 to U+DFFF), which no text can have",
            "write code points, such as %x1F600",
        )
    node = held
    count = _highest_count(node, multiplied=flavour.multiplies_counts)
    if flavour.highest_count is not None and count > flavour.highest_count:
        nested = ", repetitions within repetitions multiplied" if flavour.multiplies_counts else ""
        most = f"{flavour.engine} to {flavour.highest_count} at most"
        raise FlavourError(
            *(rule, flavour),
            f"it counts to {count}{nested}, and {most}",
            "write the repetition in parts, one after the other",
        )
    if flavour.takes_stack:
        node = _possessive(node, passes.NO_CHARS, alphabet)
        if _gives_back(node, passes.NO_CHARS):
            raise FlavourError(
                *(rule, flavour),
                f"a loop in it has to backtrack, for which {flavour.engine} keeps every iteration,"
                " so a long text would exceed its memory",
                f"take the expression for {flavour.otherwise}",
            )
    return node


def without_surrogates(
    language: automata.Language, alphabet: automata.Alphabet
) -> automata.Language:
    """Remove words with surrogates from a language; the alphabet must distinguish these."""
    halves = alphabet.classes(HALVES)
    edges = [
        {label: target for label, target in row.items() if label not in halves}
        for row in language.edges
    ]
    return automata.Language(edges, language.final, language.size)


def _without_surrogates(node: ir.Node) -> ir.Node | None:
    if isinstance(node, ir.Text):
        return None if any(ord(char) in ir.SURROGATES for char in node.value) else node
    kept = node.without_surrogates() if isinstance(node, ir.Chars) else node
    return kept if not isinstance(kept, ir.Chars) or kept.ranges else None


_UNCOUNTED = {(0, None), (1, None), (0, 1)}


def _highest_count(node: ir.Node, *, multiplied: bool) -> int:
    """Return the highest number that is in a repetition."""
    below = max(
        (_highest_count(part, multiplied=multiplied) for part in ir.children(node)), default=1
    )
    if not isinstance(node, ir.Rep) or (node.low, node.high) in _UNCOUNTED:
        return below
    count = node.low if node.high is None else node.high
    return max(count, 1) * below if multiplied else max(count, below)


def _gives_back(node: ir.Node, follow: ir.Chars) -> bool:
    """Return whether an unbounded loop over more than a set may have to backtrack."""
    endless = isinstance(node, ir.Rep) and node.high is None and not isinstance(node.item, ir.Chars)
    if endless and not passes.deterministic(node, follow):
        return True
    return any(_gives_back(part, after) for part, after in passes.followed(node, follow))


def _possessive(node: ir.Node, follow: ir.Chars, alphabet: automata.Alphabet) -> ir.Node:
    """Replace the smallest parts with backtracking loops by expressions of automata."""
    if not _gives_back(node, follow):
        return node
    parts = passes.followed(node, follow)
    node = ir.rebuild(node, [_possessive(*one, alphabet) for one in parts][::-1])
    if not _gives_back(node, follow):
        return node
    return _read_anew(node, alphabet, lambda way: not _gives_back(way, follow))


MAX_STEPS = 5_000_000  # of automata; about 5 seconds
MAX_PLACES = 30_000  # of characters, with all rules written out; those of real use have 3,000


@dataclass(frozen=True, slots=True)
class Matcher:
    """The expression of a rule and the rules whose text it captures, in group order."""

    rule: str
    pattern: str
    captures: tuple[str, ...]


def make_matcher(
    grammar: ir.RuleSet, rule: str, captured: Mapping[str, str], alphabet: automata.Alphabet
) -> Matcher:
    """Compile a rule for whole texts; :class:`NotLinearError` if nothing is known to be linear."""
    node, captures = _expression(grammar, rule, captured, alphabet)
    return Matcher(rule, pattern(node, PYTHON), captures)


def _expression(
    grammar: ir.RuleSet, rule: str, captured: Mapping[str, str], alphabet: automata.Alphabet
) -> tuple[ir.Node, tuple[str, ...]]:
    """Make a rule's expression, with captures if each occurs once and time stays linear."""
    rules = grammar.rules
    node = passes.optimize(passes.inline(rules[rule].body, rules, captured))
    names = [part.rule for part in ir.walk(node) if isinstance(part, ir.Capture)]
    if len(names) == len(set(names)):
        try:
            return linear(node, alphabet), tuple(names)
        except NotLinearError:
            if not names:
                raise
    node = passes.optimize(passes.inline(rules[rule].body, rules, {}))
    return linear(node, alphabet), ()


def make_matchers(
    grammar: ir.RuleSet,
    names: tuple[str, ...],
    captured: Mapping[str, str],
    languages: Mapping[str, automata.Language],
    alphabet: automata.Alphabet,
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


def proved_matcher(
    grammar: ir.RuleSet, rule: str, captured: Sequence[str], flavour: Flavour = PYTHON
) -> Matcher:
    """Compile and prove one rule; :class:`NoExpressionError` if there is none."""
    grammar = with_loops(grammar, ir.reachable(grammar, (rule,)))
    loop = recursion(grammar, (rule,))
    if loop:
        raise NotRegularError(f"{rule} has no regular expression: it is recursive, {shown(loop)}")
    try:
        with automata.limited(MAX_STEPS):
            return _proved(grammar, rule, captured, flavour)
    except automata.TooLargeError:
        reason = f"{rule} is too large for a regular expression"
        raise NoExpressionError(
            f"{reason}: {automata.part_of_many_states(grammar, rule)}", reason
        ) from None
    except RecursionError:
        raise NoExpressionError(f"{rule} is nested too deeply for a regular expression") from None
    except NotLinearError as error:
        text = f"{rule} has no regular expression that is known to take linear time: {error}"
        if not error.text:
            text = f"{text}; {large_part(grammar, rule)}"
        raise NoExpressionError(text) from None


def _proved(grammar: ir.RuleSet, rule: str, captured: Sequence[str], flavour: Flavour) -> Matcher:
    if captured and flavour.named_group is None:
        told = "it gives verdicts alone, and captures nothing"
        raise FlavourError(rule, flavour, told, "leave the captures out")
    automata.refuse_long(grammar, rule, MAX_PLACES)
    bodies = [grammar.rules[name].body for name in ir.reachable(grammar, [rule])]
    alphabet = automata.Alphabet([*bodies, HALVES])
    words = without_surrogates(languages(grammar.rules, alphabet, [rule])[rule], alphabet)
    node, captures = _expression(grammar, rule, {name: name for name in captured}, alphabet)
    node = fitted(node, rule, flavour, alphabet)
    prove(rule, in_python(pattern(node, flavour)), words, alphabet)
    return Matcher(rule, anchored(node, flavour), captures)


def dispatch(grammar: ir.RuleSet, made: Sequence[Matcher]) -> dict[str, tuple[str, ...]]:
    """Return the rules that are a choice of rules with captures, and have none themselves."""
    captures = {matcher.rule: matcher.captures for matcher in made}
    found: dict[str, tuple[str, ...]] = {}
    for name in grammar.own:
        body = grammar.rules[name].body
        if isinstance(body, ir.Alt) and not captures[name]:
            choices = [item.name for item in body.items if isinstance(item, ir.Ref)]
            if len(choices) == len(body.items) and all(captures.get(rule) for rule in choices):
                found[name] = tuple(choices)
    return found
