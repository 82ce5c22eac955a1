"""Grammars of users, and what of the shipped ones was not computed: by way of the compiler.

`abnf2lark` is loaded when one of these functions is called, and not before.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from uriparse.coerce import as_str
from uriparse.conformance.automata import Automaton
from uriparse.conformance.searching import Searching
from uriparse.errors import UnknownRuleError, URIError
from uriparse.grammar import rules
from uriparse.grammar.automata import Group, Witnesses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lark import Token, Tree

    from abnf2lark.library.grammar import Grammar as Compiled
    from abnf2lark.library.trees import Explanation
    from abnf2lark.reading.ir import Grammar
    from uriparse.grammar.derivation import Expression

MAX_STEPS: Final = 20_000_000
"""Of automata; about half a minute."""


class GrammarTextError(URIError):
    """ABNF that cannot be read. The message lists all problems, one a line, each with its place."""


class TextLimitError(URIError):
    """A text, or a rule, that would take too much memory. The message says what to do."""


class NoTextOfRuleError(URIError):
    """A text that is none of a rule's. The message says where it stops."""


class NotRegularError(URIError):
    """A rule that has no finite automaton, or a large one. The message says why, and what to do."""


class OwnGrammar(Searching):
    """A grammar that a user has written, as `read_abnf` makes it.

    Rules that lead back to themselves at their ends only, or at their beginnings only, count as the
    loops that they are: `digits = DIGIT / DIGIT digits` as `digits = 1*DIGIT`.

    Attributes:
        name: what it is called in messages.

    """

    def __init__(self, grammar: Grammar) -> None:
        super().__init__()
        self.name = grammar.name
        self._grammar = grammar

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of the text, in its order."""
        return self._grammar.own

    @cached_property
    def expressions(self) -> Mapping[str, Expression]:
        """All rules as nested tuples, those that are imported as well; loops in place of recursion.

        Rules that are no loops stay as they are.
        """
        from abnf2lark.tables.emit_rules import nested  # noqa: PLC0415 - see above

        return {name: nested(rule.body) for name, rule in self._looped.rules.items()}

    def rule_name(self, rule: str) -> str:
        """Give the text's spelling of a rule; UnknownRuleError if it has none of the name."""
        from abnf2lark.reading.problems import no_rule  # noqa: PLC0415 - see above

        found = self._grammar.find(as_str(rule, "rule"))
        if found is None:
            raise UnknownRuleError(no_rule(rule, self._grammar))
        return found.name

    def automaton(self, rule: str) -> Automaton:
        """Give the automaton of a rule; the rules that it refers to stand for its components.

        NotRegularError if the rule leads back to itself, or has too many states.
        """
        from abnf2lark.automata import (  # noqa: PLC0415 - see above
            Alphabet,
            TooLargeError,
            languages,
            limited,
            part_of_many_states,
        )
        from abnf2lark.reading.ir import reachable, references  # noqa: PLC0415 - see above
        from abnf2lark.tables.error_automaton import diagnosis  # noqa: PLC0415 - see above

        grammar = self._regular(rule)
        needed = reachable(grammar, (rule,))
        components = frozenset(ref.name for ref in references(grammar.rules[rule].body))
        try:
            with limited(MAX_STEPS):
                alphabet = Alphabet(grammar.rules[name].body for name in needed)
                known = languages(grammar.rules, alphabet, needed)
                found = diagnosis(grammar, (rule,), components, known, alphabet)
        except TooLargeError:
            why = f"{rule} has too many states to be looked into"
            part = part_of_many_states(grammar, rule)
            raise NotRegularError(f"{why}: {part}") from None
        except RecursionError:
            raise NotRegularError(f"{rule} is nested too deeply to be looked into") from None
        start = found.starts[rule]
        order = _reached(found.rows, start)
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
        """Say which part of a rule makes it large, where it stands, and what to do."""
        from abnf2lark.reading.large_parts import large_part  # noqa: PLC0415 - see above

        return str(large_part(self._looped, rule))

    def explain(self, text: str, rule: str) -> Explanation:
        """Tell how far a rule, recursive or not, goes with a text, and what could have followed.

        TextLimitError where that takes too much memory.
        """
        with _limits():
            return self._compiled.explain(as_str(text, "text"), rule)

    def tree(self, text: str, rule: str, *, full: bool = False) -> Tree[Token]:
        """Derive a text; NoTextOfRuleError if it is none of the rule's.

        full: whether rules that stand for a character, or for white space, are nodes as well.
        """
        from abnf2lark.library.trees import NoMatchError  # noqa: PLC0415 - see above

        try:
            with _limits():
                return self._compiled.tree(text, rule, detail="full" if full else "nodes")
        except NoMatchError as error:
            raise NoTextOfRuleError(str(error)) from None

    @cached_property
    def _compiled(self) -> Compiled:
        from abnf2lark.library.grammar import Grammar as Compiled  # noqa: PLC0415 - see above
        from abnf2lark.reading.problems import Source  # noqa: PLC0415 - see above

        return Compiled(self._grammar, Source(self.name, ""), ())

    @cached_property
    def _looped(self) -> Grammar:
        from abnf2lark.reading.recursion import with_loops  # noqa: PLC0415 - see above

        return with_loops(self._grammar)

    def _regular(self, rule: str) -> Grammar:
        """Give the grammar with loops; NotRegularError if the rule is recursive even so."""
        from abnf2lark.reading.recursion import recursion, shown  # noqa: PLC0415 - see above

        loop = recursion(self._looped, (rule,))
        if loop:
            raise NotRegularError(f"{rule} is not regular: it is recursive, {shown(loop)}")
        return self._looped

    def _searched(self, rule: str) -> Witnesses:
        from abnf2lark.automata import TooLargeError, part_of_many_states  # noqa: PLC0415 - see above
        from abnf2lark.mutants.witnesses import witnesses  # noqa: PLC0415 - see above

        grammar = self._regular(rule)
        try:
            found = witnesses(grammar, rule)
        except TooLargeError:
            why = f"{rule} has too many states for its mutants to be looked into"
            raise NotRegularError(f"{why}: {part_of_many_states(grammar, rule)}") from None
        return Witnesses(found.texts, found.mutants, found.equal, found.undecided)


@contextmanager
def _limits() -> Iterator[None]:
    from abnf2lark.charts import LimitError  # noqa: PLC0415 - see above

    try:
        yield
    except LimitError as error:
        raise TextLimitError(str(error)) from None


def read_abnf(text: str, name: str = "grammar.abnf", imports: Sequence[str] = ()) -> OwnGrammar:
    """Read a grammar in ABNF (RFC 5234, RFC 7405), so that suites can be made for its rules.

    Args:
        text: the rules; the core rules are at hand.
        name: what to call the text in messages: that of its file.
        imports: shipped grammars that rules which are not defined are taken from.

    GrammarTextError if it cannot be read, UnknownRuleError for an import that is not known.

    >>> own = read_abnf('version = 1*DIGIT *2( "." 1*DIGIT )')
    >>> own.rules, own.automaton("version").accepts("3.11.7")
    (('version',), True)
    """
    from abnf2lark.reading.binding import load  # noqa: PLC0415 - see above
    from abnf2lark.reading.config import import_grammars, origin_of  # noqa: PLC0415 - see above
    from abnf2lark.reading.problems import Source, has_errors  # noqa: PLC0415 - see above

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
    """Give a shipped grammar as the compiler reads it."""
    from abnf2lark.reading.config import bundled_directory, load_bundles  # noqa: PLC0415 - see above

    return OwnGrammar(load_bundles(bundled_directory(), grammar)[grammar].grammar)


def _reached(rows: Sequence[Mapping[int, int]], start: int) -> list[int]:
    found = {start: None}
    for state in (order := [start]):
        for _, target in sorted(rows[state].items()):
            if target not in found:
                found[target] = None
                order.append(target)
    return order
