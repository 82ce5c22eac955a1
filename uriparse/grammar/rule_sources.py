"""The rules of any grammar, shipped or in a user's ABNF, and their automata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from uriparse._base.coerce import as_str, refusal
from uriparse.errors import UnknownRuleError, URIError, excerpt
from uriparse.grammar import Expression, automata, rule_expressions, rule_name, rules
from uriparse.grammar.automata import Automaton, Group, Witnesses

if TYPE_CHECKING:
    from lark import Token, Tree

    from abnf2lark.ir import Node, RuleSet
    from abnf2lark.library.explanations import Explanation
    from abnf2lark.library.grammar import Grammar as Compiled


class Source:
    """A grammar of this package, as the suites see it; the same one is equal to itself alone.

    All but some witnesses is there without the compiler.

    name: what the grammar is called.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._found: dict[str, Witnesses] = {}

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it offers, in its own order."""
        return rules(self.name)

    @property
    def expressions(self) -> Mapping[str, Expression]:
        """All its rules as nested tuples, as `uriparse.grammar.rule_expressions` has them."""
        return rule_expressions(self.name)

    def rule_name(self, rule: str) -> str:
        """Return the grammar's spelling of a rule; UnknownRuleError if it has none of the name."""
        return rule_name(rule, self.name)

    def automaton(self, rule: str) -> Automaton:
        """Return the automaton of a rule, with what its states say."""
        return automata.automaton(rule, self.name)

    def witnesses(self, rule: str) -> Witnesses:
        """Return texts that distinguish a rule from its mutants; takes up to a minute, once."""
        if rule not in self._found:
            self._found[rule] = self._kept(rule) or self._searched(rule)
        return self._found[rule]

    def knows(self, rule: str) -> bool:
        """Whether the witnesses of a rule, in the grammar's spelling, need not be looked for."""
        return rule in self._found or self._kept(rule) is not None

    def learn(self, rule: str, found: Witnesses) -> None:
        """Take what was found at another time of the same grammar."""
        self._found[rule] = found

    def _kept(self, rule: str) -> Witnesses | None:
        """Return what was found when the grammar was compiled."""
        return automata.kept_witnesses(rule, self.name)

    def _searched(self, rule: str) -> Witnesses:
        """Look for witnesses."""
        return compiled_anew(self.name).witnesses(self.rule_name(rule))


_shipped = cache(Source)


def source_of(grammar: str | Source) -> Source:
    """Return a grammar: a shipped one by its name, or one that was read, as it is.

    TypeError for anything else, UnknownRuleError for a name that no grammar has.
    """
    if isinstance(grammar, str):
        name = as_str(grammar, "grammar")
        rules(name)
        return _shipped(name)
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
        super().__init__(grammar.name)
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
        order, edges = automata.numbered(found.rows, found.starts[rule])
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

    def _kept(self, rule: str) -> None:
        """Return None: the compiler has not seen the grammar before."""

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
