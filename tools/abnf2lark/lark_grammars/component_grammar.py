"""Compile a grammar to a Lark grammar and to LALR tables, where they can be proved right."""

from collections.abc import Mapping
from typing import TypeAlias

from lark.grammar import Rule

from abnf2lark.automata import Alphabet, Language, TooLargeError, languages, part_of_many_states
from abnf2lark.automata.language import Numbers
from abnf2lark.ir import Numbering, RuleSet
from abnf2lark.lark_grammars import component_rules
from abnf2lark.lark_grammars.conflicts import collision, shifted
from abnf2lark.lark_grammars.kept_tokens import kept_names
from abnf2lark.lark_grammars.lalr_tables import ConflictError, NotLalrError, TokenAutomaton
from abnf2lark.lark_grammars.lexing import Lexing
from abnf2lark.lark_grammars.recursive_grammar import recursive_lalr
from abnf2lark.patterns.proof import ProofError
from abnf2lark.reading.large_parts import large_part, written_out
from abnf2lark.reading.recursion import cycle, recursion, shown
from abnf2lark.tables.packing import Parts

MAX_WRITTEN = 20_000  # elements of a rule whose repetitions are written out


Known: TypeAlias = tuple[Alphabet, Mapping[str, Language]]
"""An alphabet, and the languages of rules over it."""


def lalr_grammar(
    plan: component_rules.Plan, known: Known | None = None, *, apart: bool = False
) -> component_rules.LexedGrammar:
    """Cut a grammar into components and prove that a contextual lexer reads them correctly.

    apart: whether the lexer tries only the terminals of one start rule. Lark's own also tries those
        of others with which it shares states of the parser.
    """
    grammar, starts = plan.grammar, plan.starts
    loop = recursion(grammar, starts)
    where = f"; it is recursive, {shown(loop)}" if loop else ""
    endless = cycle(grammar, starts) if loop else ()
    if endless:
        told = f"a cycle, {shown(endless)}: a text of {endless[0]} has derivations without end"
        raise NotLalrError(told, endless[:-1])
    try:
        if loop:
            refuse_long(grammar)
            return recursive_lalr(plan)
        if known is None:
            alphabet = Alphabet(rule.body for rule in grammar.rules.values())
            known = alphabet, languages(grammar.rules, alphabet, grammar.rules)
        alphabet = known[0]
        components, automaton = _checked(plan, known, apart=apart)
        lexing = Lexing(components, automaton, alphabet, apart)
        return component_rules.LexedGrammar(components, lexing.solve())
    except TooLargeError:
        part = large_part(grammar, starts[0]) if loop else part_of_many_states(grammar, *starts)
        told = f": {part}" if part.counted or not loop else ""
        raise NotLalrError(f"the automata grow too large for a proof{told}{where}") from None
    except RecursionError:
        raise NotLalrError(f"the rules are nested too deeply for a proof{where}") from None
    except NotLalrError as error:
        raise NotLalrError(f"{error}{where}", error.rules) from None
    except ProofError as error:
        raise NotLalrError(f"{error}{where}") from None


def refuse_long(grammar: RuleSet) -> None:
    """Raise :class:`TooLargeError` for rules that are too long with repetitions written out."""
    if any(written_out(rule.body) > MAX_WRITTEN for rule in grammar.rules.values()):
        raise TooLargeError


def _checked(
    plan: component_rules.Plan, known: Known, *, apart: bool
) -> tuple[component_rules.Components, TokenAutomaton]:
    """Cut a grammar into components, and check that these accept what its rules derive."""
    alphabet, words = known
    nullable = frozenset(name for name, language in words.items() if language.nullable())
    only_empty = frozenset(name for name in nullable if not words[name].without_empty())
    components = component_rules.cut(plan, nullable, only_empty)
    if not apart:
        components = component_rules.with_plain_names(components)
        kept = kept_names(components.rules, components.abnf_names)
        components = component_rules.renamed(components, kept)
    text = component_rules.LexedGrammar(components).text()
    terminals = component_rules.terminal_languages(components, alphabet)
    try:
        automaton = TokenAutomaton(text, components.starts, terminals)
    except ConflictError as error:
        raise collision(error, components) from None
    for start, number in automaton.starts.items():
        found = automaton.rest(number, alphabet.size)
        if found != words[start]:
            example = ((words[start] - found) | (found - words[start])).witness(alphabet)
            raise shifted(automaton.actions, components, example or "") or ProofError(
                f"the components of {start} do not read {example!r} as the rule does"
            )
    return components, automaton


# Write the LALR tables of a Lark grammar as packed tables, in one order on every machine.
#
# Lark numbers its states differently from run to run; here they are numbered breadth-first.


def lalr_content(lexed: component_rules.LexedGrammar) -> bytes:
    """Return the section ``lalr``, Lark's own tables in a canonical order.

    Its parts: ``lark``, the release of Lark whose tables they are; ``names``, the ABNF name of each
    Lark rule; ``starts``, the Lark rule to start with for each ABNF rule; ``terminals``, each with
    name, expression, priority, least and most characters; ``rules``, each with origin, symbols with
    their kinds (0 rule, 1 token, 2 left out of trees), and order; ``states``, which map a symbol to
    the next state, or to -1 - the rule to reduce; the first and last state of each start.
    """
    import lark  # noqa: PLC0415 - imported where it is used, like `abnf`
    from lark.parsers.lalr_analysis import Shift  # noqa: PLC0415

    starts = list(lexed.components.starts.values())
    parser = lark.Lark(
        lexed.text(), parser="lalr", lexer="contextual", start=starts, maybe_placeholders=False
    )
    table = parser.parser.parser._parse_table  # noqa: SLF001 - the table is not public
    places = {name: place for place, name in enumerate(lexed.components.rules)}

    def rank(rule: Rule) -> tuple[object, ...]:
        origin = str(rule.origin.name)
        spelled = tuple(str(symbol.name) for symbol in rule.expansion)
        return (places.get(origin, len(places)), origin, rule.order, spelled)

    # Among those that are reduced are rules that Lark adds.
    steps = [step for row in table.states.values() for step in row.values()]
    reduced = dict.fromkeys(argument for action, argument in steps if action is not Shift)
    ordered = sorted(dict.fromkeys(parser.rules) | reduced, key=rank)
    rules = Numbering(*ordered)
    renumbered = Numbers(*table.start_states.values())
    states = [
        {
            str(symbol): renumbered[argument] if action is Shift else -1 - rules[argument]
            for symbol, (action, argument) in sorted(
                table.states[old].items(), key=lambda item: str(item[0])
            )
        }
        for old in renumbered.order
    ]
    terminals = [
        (
            *(one.name, one.pattern.value, one.priority, one.pattern.min_width),
            min(one.pattern.max_width, 1 << 32),
        )
        for one in sorted(parser.terminals, key=lambda one: str(one.name))
    ]
    written = [
        (str(one.origin.name), [(str(s.name), _kind(s)) for s in one.expansion], one.order)
        for one in ordered
    ]
    made = Parts()
    made.json("lark", lark.__version__)
    made.json("names", lexed.components.abnf_names)
    made.json("starts", lexed.components.starts)
    made.json("terminals", terminals)
    made.json("rules", written)
    made.json("states", states)
    made.json("start_states", {start: renumbered[table.start_states[start]] for start in starts})
    made.json("end_states", {start: renumbered[table.end_states[start]] for start in starts})
    return made.content


def _kind(symbol: object) -> int:
    if not getattr(symbol, "is_term", False):
        return 0
    return 2 if getattr(symbol, "filter_out", False) else 1
