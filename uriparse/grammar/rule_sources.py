"""The rules of any grammar, shipped or in a user's ABNF: their automata, and verdicts by them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from uriparse._base.coerce import as_str, refusal
from uriparse.errors import UnknownRuleError, URIError, excerpt
from uriparse.grammar import Expression, rule_expressions, rule_name, rules
from uriparse.grammar.automata import Group, Witnesses, kept_witnesses, states

if TYPE_CHECKING:
    from lark import Token, Tree

    from abnf2lark.ir import Node, RuleSet
    from abnf2lark.library.explanations import Explanation
    from abnf2lark.library.grammar import Grammar as Compiled


# The automaton of a rule.

Spans: TypeAlias = "tuple[tuple[int, int], ...]"
Edges: TypeAlias = "tuple[Mapping[int, int], ...]"

DEAD: Final = -1
"""Stands for the state from which no text goes on."""


class Stop(NamedTuple):
    """How many characters some text of the rule begins with, and the state after them."""

    offset: int
    state: int


class Automaton:
    """A deterministic automaton in which every state leads to an end.

    classes: characters that it never distinguishes, as ranges of code points in order; every
        code point is in one class.
    edges: for each state the next one by the number of the class; a class that cannot follow
        is not there. State 0 is the first.
    final: the states in which a text may end.
    groups: for each state what the rules under way expect; empty where nothing is said of it.
    """

    __slots__ = ("_beginnings", "_labels", "classes", "edges", "final", "groups")

    def __init__(
        self,
        classes: Sequence[Spans],
        edges: Sequence[Mapping[int, int]],
        final: AbstractSet[int],
        groups: Sequence[tuple[Group, ...]] = (),
    ) -> None:
        self.classes: tuple[Spans, ...] = tuple(classes)
        self.edges: Edges = tuple(edges)
        self.final = frozenset(final)
        self.groups = tuple(groups)
        begun = sorted((low, label) for label, spans in enumerate(self.classes) for low, _ in spans)
        self._beginnings = [low for low, _ in begun]
        self._labels = [label for _, label in begun]

    def __len__(self) -> int:
        return len(self.edges)

    def class_of(self, character: str) -> int:
        """Return the class of a character."""
        return self._labels[bisect_right(self._beginnings, ord(character)) - 1]

    def step(self, state: int, character: str) -> int:
        """Return the state after a character, `DEAD` if it is not allowed there."""
        return DEAD if state == DEAD else self.edges[state].get(self.class_of(character), DEAD)

    def read(self, text: str, state: int = 0) -> Stop:
        """Read on from a state as far as the text can go on; linear in time."""
        for offset, character in enumerate(text):
            after = self.edges[state].get(self.class_of(character), DEAD)
            if after == DEAD:
                return Stop(offset, state)
            state = after
        return Stop(len(text), state)

    def accepts(self, text: str) -> bool:
        """Return whether a text belongs to the rule."""
        offset, state = self.read(text)
        return offset == len(text) and state in self.final

    def after(self, state: int, labels: Sequence[int]) -> int:
        """Return the state after characters of some classes, `DEAD` if they are not allowed."""
        for label in labels:
            if state == DEAD:
                break
            state = self.edges[state].get(label, DEAD)
        return state


# Grammars that rules are taken from: those that are shipped, and those of users.


class Source(ABC):
    """A grammar, as the suites see it; the same one is equal to itself alone.

    name: what the grammar is called.
    """

    name: str

    def __init__(self) -> None:
        self._found: dict[str, Witnesses] = {}

    @property
    @abstractmethod
    def rules(self) -> tuple[str, ...]:
        """The rules that it offers, in its own order."""

    @property
    @abstractmethod
    def expressions(self) -> Mapping[str, Expression]:
        """All its rules as nested tuples, as `uriparse.grammar.rule_expressions` has them."""

    @abstractmethod
    def rule_name(self, rule: str) -> str:
        """Return the grammar's spelling of a rule; UnknownRuleError if it has none of the name."""

    @abstractmethod
    def automaton(self, rule: str) -> Automaton:
        """Return the automaton of a rule, with what its states say."""

    def witnesses(self, rule: str) -> Witnesses:
        """Return texts that distinguish a rule from its mutants; takes up to a minute, once."""
        found = self._found.get(rule)
        if found is None:
            found = self._found[rule] = self._searched(rule)
        return found

    def knows(self, rule: str) -> bool:
        """Whether the witnesses of a rule, in the grammar's spelling, need not be looked for."""
        return rule in self._found

    def learn(self, rule: str, found: Witnesses) -> None:
        """Take what was found at another time of the same grammar."""
        self._found[rule] = found

    @abstractmethod
    def _searched(self, rule: str) -> Witnesses:
        """Look for witnesses."""


class Shipped(Source):
    """A grammar of this package: all but some witnesses is there without its compiler."""

    def __init__(self, name: str) -> None:
        super().__init__()
        rules(name)
        self.name = name

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it offers, in the RFC's order."""
        return rules(self.name)

    @property
    def expressions(self) -> Mapping[str, Expression]:
        """All its rules as nested tuples."""
        return rule_expressions(self.name)

    def rule_name(self, rule: str) -> str:
        """Return the RFC's spelling of a rule; UnknownRuleError if no rule has the name."""
        return rule_name(rule, self.name)

    def automaton(self, rule: str) -> Automaton:
        """Return the automaton of a rule."""
        found = states(rule, self.name)
        final = {state for state, ends in enumerate(found.endings) if ends}
        return Automaton(found.classes, found.edges, final, found.groups)

    def knows(self, rule: str) -> bool:
        """Return whether witnesses were found when the grammar was compiled, or since."""
        return super().knows(rule) or kept_witnesses(rule, self.name) is not None

    def _searched(self, rule: str) -> Witnesses:
        """Return what was found when the grammar was compiled, or look now."""
        found = kept_witnesses(rule, self.name)
        return found or compiled_anew(self.name).witnesses(self.rule_name(rule))


_shipped = cache(Shipped)


def source_of(grammar: str | Source) -> Source:
    """Return a grammar: a shipped one by its name, or one that was read, as it is.

    TypeError for anything else, UnknownRuleError for a name that no grammar has.
    """
    if isinstance(grammar, str):
        return _shipped(as_str(grammar, "grammar"))
    if not isinstance(grammar, Source):
        raise refusal(grammar, "grammar", "the name of one, or what read_abnf returns")
    return grammar


# Grammars of users, and what of the shipped ones was not computed: by the compiler, if called for.
# ruff: noqa: PLC0415

MAX_STEPS: Final = 20_000_000
"""Of automata; about half a minute."""


class GrammarTextError(URIError):
    """ABNF that cannot be read. The message lists all problems, one per line, with their places."""


class TextLimitError(URIError):
    """A text, or a rule, that would take too much memory. The message says what to do."""


class NoTextOfRuleError(URIError):
    """A text that a rule does not match. The message says where it stops."""


class NotRegularError(URIError):
    """A rule that has no finite automaton, or a large one. The message says why, and what to do."""


class OwnGrammar(Source):
    """A grammar that a user has written, as `read_abnf` makes it.

    Rules that lead back to themselves at their ends only, or at their beginnings only, count as the
    loops that they are: `digits = DIGIT / DIGIT digits` as `digits = 1*DIGIT`.
    """

    def __init__(self, grammar: RuleSet) -> None:
        super().__init__()
        self.name = grammar.name
        self._grammar = grammar

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of the text, in its order."""
        return self._grammar.own

    @cached_property
    def expressions(self) -> Mapping[str, Expression]:
        """All rules as nested tuples, imported ones too; loops in place of recursion."""
        from abnf2lark.tables.error_automaton import nested

        return {name: nested(rule.body) for name, rule in self._looped.rules.items()}

    def rule_name(self, rule: str) -> str:
        """Return the text's spelling of a rule; UnknownRuleError if it has none of the name."""
        from abnf2lark.problems import no_rule

        found = self._grammar.find(as_str(rule, "rule"))
        if found is None:
            raise UnknownRuleError(no_rule(excerpt.masked(rule), self._grammar))
        return found.name

    def to_depth(self, depth: int) -> OwnGrammar:
        """Return the grammar with its recursive rules to so many levels, and no deeper."""
        return _Bounded(self._grammar, depth)

    def is_deeper(self, text: str, rule: str) -> bool:  # noqa: ARG002 - of one with levels
        """Whether a text that the automaton of a rule refuses is one of the rule all the same."""
        return False

    def automaton(self, rule: str) -> Automaton:
        """Return the automaton of a rule; the rules that it refers to stand for its components.

        NotRegularError if the rule leads back to itself, or has too many states.
        """
        from abnf2lark.automata import Alphabet, TooLargeError, limited, part_of_many_states
        from abnf2lark.ir import reachable, references
        from abnf2lark.tables.error_automaton import diagnosis

        try:
            grammar = self._regular(rule)
            needed = reachable(grammar, (rule,))
            components = frozenset(ref.name for ref in references(grammar.rules[rule].body))
            with limited(MAX_STEPS):
                alphabet = Alphabet(grammar.rules[name].body for name in needed)
                found = diagnosis(grammar, (rule,), components, alphabet)
        except TooLargeError:
            why = f"{rule} has too many states to be looked into"
            part = part_of_many_states(grammar, rule)
            raise NotRegularError(f"{why}: {part}") from None
        except RecursionError:
            raise NotRegularError(f"{rule} is nested too deeply to be looked into") from None
        start = found.starts[rule]
        order = reached(found.rows, start)
        number = {state: index for index, state in enumerate(order)}
        edges = [{label: number[t] for label, t in found.rows[state].items()} for state in order]
        labels = [found.labels[state] for state in order]
        return Automaton(
            [alphabet.chars([label]).ranges for label in range(alphabet.size)],
            edges,
            {index for index, (ends, _) in enumerate(labels) if ends},
            [tuple(Group(*group) for group in groups) for _, groups in labels],
        )

    def large_part(self, rule: str) -> str:
        """Say which part of a rule makes it large, where it is, and what to do."""
        from abnf2lark.reading.large_parts import large_part

        return str(large_part(self._looped, rule))

    def explain(self, text: str, rule: str) -> Explanation:
        """Say where a text stops matching a rule, recursive or not, and what could follow there.

        TextLimitError where that takes too much memory.
        """
        with _limits():
            return self._compiled.explain(as_str(text, "text"), rule)

    def tree(self, text: str, rule: str, *, full: bool = False) -> Tree[Token]:
        """Derive a text; NoTextOfRuleError if the rule does not match it.

        full: whether rules that stand for a character, or for white space, are nodes as well.
        """
        from abnf2lark.library.explanations import NoMatchError

        try:
            with _limits():
                return self._compiled.tree(text, rule, detail="full" if full else "nodes")
        except NoMatchError as error:
            raise NoTextOfRuleError(str(error)) from None

    def pattern(self, rule: str, captured: Sequence[str] = ()) -> str | None:
        """Write one expression for a rule, proved to match what it does; None if there is none.

        captured: rules whose text is to be in a named group, where they occur in one place.
        """
        from abnf2lark.patterns.rule_expression import NoExpressionError

        try:
            return self._compiled.pattern(rule, capture=captured)
        except NoExpressionError:
            return None

    @cached_property
    def _compiled(self) -> Compiled:
        from abnf2lark.library.grammar import Grammar as Compiled
        from abnf2lark.problems import Source

        return Compiled(self._grammar, Source(self.name, ""), ())

    @cached_property
    def _looped(self) -> RuleSet:
        from abnf2lark.reading.recursion import with_loops

        return with_loops(self._grammar)

    def _regular(self, rule: str) -> RuleSet:
        """Return the grammar with loops; NotRegularError if the rule is recursive even so."""
        from abnf2lark.reading.recursion import recursion, shown

        loop = recursion(self._looped, (rule,))
        if loop:
            raise NotRegularError(
                f"{rule} is not regular: it is recursive, {shown(loop)}; only a suite to a depth "
                "is for such rules, as by --method transition --depth 2"
            )
        return self._looped

    def _searched(self, rule: str) -> Witnesses:
        from abnf2lark.automata import TooLargeError, part_of_many_states
        from abnf2lark.mutants.witnesses import witnesses

        grammar = self._regular(rule)
        try:
            found = witnesses(grammar, rule)
        except TooLargeError:
            why = f"{rule} has too many states for its mutants to be looked into"
            raise NotRegularError(f"{why}: {part_of_many_states(grammar, rule)}") from None
        return Witnesses(found.texts, found.mutants, found.equal, found.undecided, found.enough)


class _Bounded(OwnGrammar):
    """A grammar whose recursive rules are copied, once for each level that is looked into."""

    def __init__(self, grammar: RuleSet, depth: int) -> None:
        super().__init__(grammar)
        self._depth = depth

    def is_deeper(self, text: str, rule: str) -> bool:
        return self.explain(text, rule).matches

    def automaton(self, rule: str) -> Automaton:
        """Return the automaton; its groups name rules, not their copies."""
        found = super().automaton(rule)
        groups = [
            tuple(
                Group(_named(group.component), _named(group.rule), tuple(map(_named, group.words)))
                for group in state
            )
            for state in found.groups
        ]
        return Automaton(found.classes, found.edges, found.final, groups)

    def _regular(self, rule: str) -> RuleSet:
        from abnf2lark.reading.recursion import to_depth

        found = to_depth(self._looped, rule, self._depth)
        if found is None:
            raise NotRegularError(f"{rule} has no text of {self._depth} levels or fewer")
        return found


def _named(copy: str) -> str:
    """Return the rule that a copy is of."""
    from abnf2lark.reading.recursion import MARK

    return copy if copy.startswith('"') else copy.partition(MARK)[0]


@contextmanager
def _limits() -> Iterator[None]:
    from abnf2lark.charts import LimitError

    try:
        yield
    except LimitError as error:
        raise TextLimitError(str(error)) from None


def read_abnf(text: str, name: str = "grammar.abnf", imports: Sequence[str] = ()) -> OwnGrammar:
    """Read a grammar in ABNF (RFC 5234, RFC 7405), so that suites can be made for its rules.

    text: the rules; the core rules are included.
    name: what to call the text in messages: that of its file.
    imports: shipped grammars that rules which are not defined are taken from.

    GrammarTextError if it cannot be read, UnknownRuleError for an import that is not known.

    >>> own = read_abnf('version = 1*DIGIT *2( "." 1*DIGIT )')
    >>> own.rules, own.automaton("version").accepts("3.11.7")
    (('version',), True)
    """
    from abnf2lark.config import import_grammars, origin_of
    from abnf2lark.problems import Source, has_errors
    from abnf2lark.reading import load

    for other in imports:
        rules(other)  # which refuses what is not shipped; the compiler would look for a file
    known = import_grammars(imports)
    source = Source(as_str(name, "name"), as_str(text, "text"))
    grammar, problems = load(source, origin_of(source, known), known)
    if has_errors(problems):
        wrong = [problem.show() for problem in problems if problem.severity == "error"]
        raise GrammarTextError("\n".join(wrong))
    return OwnGrammar(grammar)


@cache
def compiled_anew(grammar: str) -> OwnGrammar:
    """Return a shipped grammar as the compiler reads it."""
    from abnf2lark.config import bundled_directory, load_bundles

    return OwnGrammar(load_bundles(bundled_directory(), grammar)[grammar].grammar)


def reached(rows: Sequence[Mapping[int, int]], start: int) -> list[int]:
    """List the states that can be reached from one, itself first, breadth first."""
    found = {start: None}
    for state in (order := [start]):
        for _, target in sorted(rows[state].items()):
            if target not in found:
                found[target] = None
                order.append(target)
    return order


# Whether a text belongs to a rule: of a shipped grammar, or of ABNF that a user has written.


class Verdict(NamedTuple):
    """Whether a text matches a rule, and how many characters some text of the rule begins with."""

    matches: bool
    offset: int


class Membership:
    """Judges texts by one rule, named in the spelling of its grammar."""

    def __init__(self, rule: str, judge: Automaton | OwnGrammar) -> None:
        self.rule = rule
        self._judge = judge

    def judge(self, text: str) -> Verdict:
        """Judge a text. No rule accepts surrogates, which are not characters.

        Linear in the text's length where the rule is not recursive. TextLimitError for a text that
        a recursive one can be read by in too many ways.
        """
        if isinstance(self._judge, OwnGrammar):
            found = self._judge.explain(text, self.rule)
            return Verdict(found.matches, found.offset)
        offset, state = self._judge.read(text)
        return Verdict(offset == len(text) and state in self._judge.final, offset)


def membership(rule: str = "URI", grammar: str | Source = "rfc3986") -> Membership:
    """Judge by a rule of a shipped grammar, by name, or of one that `read_abnf` has read.

    UnknownRuleError for an unknown rule.
    """
    source = source_of(grammar)
    name = source.rule_name(rule)
    return Membership(name, source if isinstance(source, OwnGrammar) else source.automaton(name))


def as_grammar(rules: Mapping[str, Expression]) -> RuleSet:
    """Return rules as the compiler has them."""
    from abnf2lark import ir

    def node(expression: Expression) -> Node:
        match expression:
            case ("chars", tuple(ranges)):
                return ir.Chars(ranges)
            case ("text", str(value)):
                return ir.Text(value)
            case ("ref", str(name)):
                return ir.Ref(name)
            case ("seq", tuple(items)):
                return ir.Seq(tuple(map(node, items)))
            case ("alt", tuple(items)):
                return ir.Alt(tuple(map(node, items)))
            case ("rep", tuple(item), int(low), int(high)):
                return ir.Rep(node(item), low, high if high >= 0 else None)
            case _:
                raise TypeError(expression)

    nowhere = ir.Position(0, 0)
    known = {name: ir.Rule(name, node(body), "", nowhere) for name, body in rules.items()}
    return ir.RuleSet("", known, tuple(known))
