"""Ambiguous texts: the shortest one of a grammar with its two trees, and reasons of conflicts."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Literal, NamedTuple

from abnf2lark import ir
from abnf2lark.automata import Alphabet, TooLargeError, limited
from abnf2lark.charts import Derivation, States, read
from abnf2lark.lark_grammars import ambiguity
from abnf2lark.lark_grammars.component_grammar import refuse_long
from abnf2lark.lark_grammars.component_rules import (
    Components,
    LexedGrammar,
    Plan,
    terminal_languages,
)
from abnf2lark.lark_grammars.kept_tokens import HIDDEN
from abnf2lark.lark_grammars.recursive_grammar import recursive_components
from abnf2lark.lark_grammars.rule_parts import keep_first

MAX_STEPS_OF_A_SEARCH = 8_000
"""Steps between pairs of derivations that a search takes; about a tenth of a second."""

LONGER = 4  # characters that such texts have more than the shortest one, at most
MAX_TEXTS = 60  # of which Lark's trees are compared with those of `Grammar.tree`
MAX_STEPS_OF_TERMINALS = 600_000  # of automata


class Witness(NamedTuple):
    """A shortest text that a rule derives with two trees.

    start: the rule that derives it.
    text: the text.
    rule: the innermost rule that reads its part in two ways.
    told: which part of the text that is, and the two ways.
    trees: two trees of rules and tokens, whose names are ABNF's for nodes and "" otherwise.
    others: short texts of the start rule, which may have several trees as well.
    """

    start: str
    text: str
    rule: str
    told: str
    trees: tuple[ambiguity.TreeNode, ambiguity.TreeNode]
    others: tuple[str, ...]


def witnesses(
    grammar: ir.RuleSet,
    starts: tuple[str, ...],
    nodes: frozenset[str],
    *,
    counted: AbstractSet[str] | None = None,
) -> Iterator[Witness]:
    """Find for each start rule a shortest text with two trees, as far as 8,000 steps in all do.

    Trees differ if they have different nodes, or one of them at different places; which of them
    white space is in does not matter. Of the nodes only the ``counted`` ones are compared.
    """
    only = ir.reachable_part(grammar, starts)
    try:
        refuse_long(only)
        with limited(MAX_STEPS_OF_TERMINALS):
            components = recursive_components(Plan(only, starts, nodes & only.rules.keys()))
            derivations = _derivations(components)
    except (RecursionError, TooLargeError):
        return
    shown = shown_rules(components)
    watched = {name: abnf for name, abnf in shown.items() if abnf in (counted or nodes)}
    limit = MAX_STEPS_OF_A_SEARCH // len(starts)
    for start in starts:
        first = components.starts[start]
        found = ambiguity.Search(derivations, watched).found(first, limit)
        text = found[0].text if found else ""
        if found and len({_visible(text, _places(one, watched)) for one in found}) > 1:
            rule = components.abnf_names[_innermost(*found, components)[0].name]
            others = tuple(derivations.texts(first, MAX_TEXTS, len(text) + LONGER))
            trees = (_named(found[0], watched), _named(found[1], watched))
            yield Witness(start, text, rule, _told(*found, text, components), trees, others)


def _derivations(components: Components) -> ambiguity.Derivations:
    alphabet = Alphabet(terminal.node for terminal in components.terminals.values())
    words = terminal_languages(components, alphabet)
    return ambiguity.Derivations(components.rules, words, alphabet)


def _places(
    tree: ambiguity.TreeNode, names: Mapping[str, str], begin: int = 0
) -> Iterator[tuple[str, int, int]]:
    """Yield the nodes of a tree in preorder, each with its place."""
    if tree.name in names:
        yield names[tree.name], begin, begin + len(tree.text)
    for one in tree.inside:
        yield from _places(one, names, begin)
        begin += len(one.text)


def _named(tree: ambiguity.TreeNode, names: Mapping[str, str]) -> ambiguity.TreeNode:
    inside = tuple(_named(one, names) for one in tree.inside)
    return ambiguity.TreeNode(names.get(tree.name, ""), tree.text, inside)


# Of an ambiguous text Lark keeps one tree by rules of its own: is it the one that `tree` gives?

RULE_OF_TREES = (
    "the first one in the order of alternatives, in which each node takes as much as it can"
)
"""Which of several trees of a text `Grammar.tree` gives."""


def shown_rules(components: Components) -> dict[str, str]:
    """Return the Lark names of the rules that are nodes, with ABNF's."""
    names = components.abnf_names
    found = {name: names[name] for name in components.rules if name in names}
    return {name: abnf for name, abnf in found.items() if not name.startswith(HIDDEN)}


def agrees_on(
    doubts: Iterable[Witness],
    found: LexedGrammar,
    grammar: ir.RuleSet,
    nodes: frozenset[str],
    parser: Literal["lalr", "earley"],
) -> bool:
    """Return whether Lark's trees of ambiguous texts have the nodes that `Grammar.tree` gives.

    Without ``nodes`` they are those that the Lark grammar has.
    """
    doubts = tuple(doubts)
    if not doubts:
        return True
    import lark  # noqa: PLC0415 - imported where it is used

    shown, starts = shown_rules(found.components), found.components.starts
    states = States(grammar, nodes)
    lexer: Literal["contextual", "auto"] = "contextual" if parser == "lalr" else "auto"
    made = lark.Lark(
        found.text(),
        start=list(starts.values()),
        parser=parser,
        lexer=lexer,
        propagate_positions=True,
    )
    if parser == "earley":
        keep_first(made)
    for one in doubts:
        for text in (one.text, *one.others):
            tree = made.parse(text, start=starts[one.start])
            inner = tree.iter_subtrees_topdown()  # type: ignore[no-untyped-call]  # Lark's is not typed
            nodes_of = (one for one in inner if not one.meta.empty)
            spans = ((shown[n.data], n.meta.start_pos, n.meta.end_pos) for n in nodes_of)
            meant = read(
                states, one.start, text, kept=nodes or frozenset(shown.values())
            ).derivation
            if meant and _visible(text, spans) != _visible(text, _derived(meant)):
                return False
    return True


def _visible(text: str, spans: Iterable[tuple[str, int, int]]) -> tuple[tuple[str, int, str], ...]:
    """Return nodes without the white space around them, and none that is white space alone."""
    parts = [
        (name, end, text[begin:end].lstrip(ir.BLANK))
        for name, begin, end in spans
        if begin == end or not text[begin:end].isspace()
    ]
    return tuple((name, end - len(one), one.rstrip(ir.BLANK)) for name, end, one in parts)


def _derived(derivation: Derivation) -> Iterator[tuple[str, int, int]]:
    nodes = derivation.nodes
    for rule, begin, end in zip(nodes[::4], nodes[1::4], nodes[2::4], strict=True):
        if begin < end:
            yield derivation.names[rule], begin, end


MAX_STEPS = 150_000  # between pairs of derivations; about two seconds
PART_OF_ONE = 8  # for texts of one rule
MAX_SHOWN = 100  # characters of a text in a message
MAX_PARTS = 6  # of a node in a message


def conflict_reason(
    components: Components, rules: Collection[str], max_steps: int = MAX_STEPS
) -> str:
    """Explain a conflict between rules, named as in the ABNF, by texts; empty if unknown."""
    try:
        derivations = _derivations(components)
        watched = {lark: name for lark, name in components.abnf_names.items() if name in rules}
        starts = {
            start: around
            for start in components.starts.values()
            if not watched.keys().isdisjoint(around := ambiguity.surroundings(derivations, start))
        }
    except (TooLargeError, RecursionError):
        return ""
    for name, token in components.terminals.items():
        if token.rule in rules and not name.startswith(HIDDEN):
            watched[name] = ambiguity.TOKEN + name
    # A text of the rule itself is found sooner than a whole text.
    differing = watched if len(rules) > 1 else {}
    left = max_steps
    for around in starts.values():
        for rule in sorted(watched.keys() & around.keys()):
            search = ambiguity.Search(derivations, differing)
            readings = search.found(rule, min(max_steps // PART_OF_ONE, left))
            left -= search.steps
            if readings:
                whole = readings[0].text.join(around[rule])
                return f"ambiguous: {_told(*readings, whole, components)}"
    finished, fork = True, ""
    for start in starts or components.starts.values():
        search = ambiguity.Search(derivations, watched)
        readings = search.found(start, max_steps // len(starts or components.starts))
        if readings:
            return f"ambiguous: {_told(*readings, readings[0].text, components)}"
        finished = finished and search.finished
        fork = fork or _forked(search.fork)
    if not watched:
        return ""
    if finished:
        reason = f"not ambiguous in {' and '.join(sorted(rules))}, but it needs more lookahead"
    else:
        reason = f"not known to be ambiguous after {max_steps} steps; it may need more lookahead"
    return f"{reason}{fork}"


def _forked(fork: ambiguity.Fork | None) -> str:
    if fork is None:
        return ""
    first, second = (fork.first, fork.text), (fork.second, fork.other)
    (rule, text), (other, instead) = (first, second) if fork.first else (second, first)
    where = f": {rule} ends after {_shown(fork.common[:-1])} in {_shown(text)}"
    return (
        f"{where}, {other} in {_shown(instead)}" if other else f"{where}, not in {_shown(instead)}"
    )


def _told(
    first: ambiguity.TreeNode, second: ambiguity.TreeNode, whole: str, components: Components
) -> str:
    """Describe the two derivations of a text, at the innermost rule where they differ."""
    first, second = _innermost(first, second, components)
    rule = components.abnf_names[first.name]
    ways = [_parts(reading, components) for reading in (first, second)]
    reason = f"{rule} reads {_shown(first.text)} "
    reason += f"as {' or as '.join(ways)}" if ways[0] != ways[1] else "in two ways"
    return reason if whole == first.text else f"{reason}, as in {_shown(whole)}"


def _innermost(
    first: ambiguity.TreeNode, second: ambiguity.TreeNode, components: Components
) -> tuple[ambiguity.TreeNode, ambiguity.TreeNode]:
    """Return the innermost nodes whose parts differ, of both derivations."""
    ways = [_inside(reading, components) for reading in (first, second)]
    if [one[:2] for one in ways[0]] == [one[:2] for one in ways[1]]:
        for one, other in zip(*ways, strict=True):
            if one != other:
                return _innermost(one, other, components)
    return first, second


def _inside(reading: ambiguity.TreeNode, components: Components) -> list[ambiguity.TreeNode]:
    """Return the child nodes and tokens of a node; hidden rules are replaced by theirs."""
    found: list[ambiguity.TreeNode] = []
    for one in reading.inside:
        hidden = one.name in components.rules and one.name.startswith("_")
        found += _inside(one, components) if hidden else [one]
    return found


def _parts(reading: ambiguity.TreeNode, components: Components) -> str:
    parts = [
        f"{components.abnf_names[one.name]} {_shown(one.text)}"
        if one.name in components.rules
        else _shown(one.text)
        for one in _inside(reading, components)
    ]
    parts = parts if len(parts) <= MAX_PARTS else [*parts[: MAX_PARTS - 1], "…"]
    return " + ".join(parts) or "nothing"


def _shown(text: str) -> str:
    return repr(text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…")
