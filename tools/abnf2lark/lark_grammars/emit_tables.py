"""Write the LALR tables of a Lark grammar as packed tables, in one order on every machine.

Lark numbers its states differently from run to run; here they are numbered breadth-first.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.tables.packing import Parts

if TYPE_CHECKING:
    from lark.grammar import Rule

    from abnf2lark.lark_grammars.component_grammar import LexedGrammar


@dataclass(frozen=True, slots=True)
class Tables:
    """What a Lark parser is made of, in plain values.

    ``rules`` are (origin, ((symbol, kind), …), order) with kind 0 for a rule, 1 for a terminal, 2
    for one that is left out of trees; ``states`` map a symbol to the next state, or to
    ``-1 - rule`` where that rule is to be reduced.
    """

    lark_version: str
    terminals: tuple[tuple[str, str, int, int, int], ...]
    rules: tuple[tuple[str, tuple[tuple[str, int], ...], int], ...]
    states: tuple[dict[str, int], ...]
    starts: dict[str, int]
    ends: dict[str, int]


def make_tables(lexed: LexedGrammar) -> Tables:
    """Let Lark build its tables, and put them in order."""
    import lark  # noqa: PLC0415 - imported where it is used, like `abnf`
    from lark.parsers.lalr_analysis import Shift  # noqa: PLC0415

    starts = list(lexed.components.starts.values())
    parser = lark.Lark(
        lexed.text({}), parser="lalr", lexer="contextual", start=starts, maybe_placeholders=False
    )
    table = parser.parser.parser._parse_table  # noqa: SLF001 - the table is not public
    places = {name: place for place, name in enumerate(lexed.components.rules)}

    def rank(rule: Rule) -> tuple[object, ...]:
        origin = str(rule.origin.name)
        spelled = tuple(str(symbol.name) for symbol in rule.expansion)
        return (places.get(origin, len(places)), origin, rule.order, spelled)

    ordered = sorted(dict.fromkeys(parser.rules) | _reduced(table, Shift), key=rank)
    numbers = {rule: number for number, rule in enumerate(ordered)}
    states, renumbered = _breadth_first(table, Shift, numbers)
    return Tables(
        lark_version=lark.__version__,
        terminals=tuple(
            (
                terminal.name,
                terminal.pattern.value,
                terminal.priority,
                terminal.pattern.min_width,
                min(terminal.pattern.max_width, 1 << 32),
            )
            for terminal in sorted(parser.terminals, key=lambda terminal: str(terminal.name))
        ),
        rules=tuple(
            (
                str(rule.origin.name),
                tuple((str(s.name), _kind(s)) for s in rule.expansion),
                rule.order,
            )
            for rule in ordered
        ),
        states=states,
        starts={start: renumbered[table.start_states[start]] for start in starts},
        ends={start: renumbered[table.end_states[start]] for start in starts},
    )


def _reduced(table: object, shift: object) -> dict[Rule, None]:
    """Return the rules that the table reduces; helper rules are not in ``parser.rules``."""
    return {
        argument: None
        for row in table.states.values()  # type: ignore[attr-defined]
        for action, argument in row.values()
        if action is not shift
    }


def _kind(symbol: object) -> int:
    if not getattr(symbol, "is_term", False):
        return 0
    return 2 if getattr(symbol, "filter_out", False) else 1


def _breadth_first(
    table: object, shift: object, rules: dict[Rule, int]
) -> tuple[tuple[dict[str, int], ...], dict[int, int]]:
    old_states = table.states  # type: ignore[attr-defined]
    start_states = table.start_states  # type: ignore[attr-defined]
    numbers: dict[int, int] = {}
    pending: deque[int] = deque()

    def number(state: int) -> int:
        if state not in numbers:
            numbers[state] = len(numbers)
            pending.append(state)
        return numbers[state]

    for start in start_states.values():
        number(start)
    states: list[dict[str, int]] = []
    while pending:
        row = old_states[pending.popleft()]
        states.append(
            {
                str(symbol): number(argument) if action is shift else -1 - rules[argument]
                for symbol, (action, argument) in sorted(row.items(), key=lambda item: str(item[0]))
            }
        )
    return tuple(states), numbers


def lalr_content(tables: Tables, names: dict[str, str], starts: dict[str, str]) -> bytes:
    """Return the section ``lalr``.

    Its parts: ``lark``, the release of Lark whose tables they are; ``names``, the ABNF name of each
    Lark rule; ``starts``, the Lark rule to start with for each ABNF rule; ``terminals``, each with
    name, expression, priority, least and most characters; ``rules``, each with origin, symbols with
    their kinds (0 rule, 1 token, 2 left out of trees), and order; ``states``, which map a symbol to
    the next state, or to -1 - the rule to reduce; the first and last state of each start.
    """
    made = Parts()
    made.json("lark", tables.lark_version)
    made.json("names", names)
    made.json("starts", starts)
    made.json("terminals", tables.terminals)
    made.json("rules", tables.rules)
    made.json("states", tables.states)
    made.json("start_states", tables.starts)
    made.json("end_states", tables.ends)
    return made.content
