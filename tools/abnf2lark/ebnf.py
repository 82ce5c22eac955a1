"""Write a grammar in the EBNF of the W3C's specifications, which tools for diagrams read."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from abnf2lark import ir
from abnf2lark.charts import LimitError
from abnf2lark.reading.large_parts import written_out

MAX_WRITTEN = 4_000  # elements of a rule, with its repetitions written out: EBNF has no counts

MARKS = {(0, 1): "?", (0, None): "*", (1, None): "+"}
CHOICE, SEQUENCE, ITEM = range(3)
"""What binds least comes first: an expression in one that binds more gets parentheses."""


def ebnf(grammar: ir.RuleSet, starts: Iterable[str] = ()) -> str:
    """Write rules and those that they lead to, or all of them; core rules only where they are used.

    The grammar is that of section 6 of the XML specification. Strings of letters in any case are
    sets, counts are written out, and comments are left out. Raises :class:`LimitError` for a rule
    with too large counts.
    """
    first = [*starts] or [*grammar.own]
    names = [*dict.fromkeys([*first, *ir.reachable(grammar, first)])]
    wide = max(map(len, names))
    lines: list[str] = []
    for name in names:
        body = grammar.rules[name].body
        if written_out(body) > MAX_WRITTEN:
            raise LimitError(f"{name} is too long in EBNF, which has no counts")
        lines.append(f"{name:<{wide}} ::= {_written(body, CHOICE)}\n")
    return "".join(lines)


def _written(node: ir.Node, around: int) -> str:
    match node:
        case ir.Ref(name):
            return name
        case ir.Chars() | ir.Text():
            return _string([node], around)
        case ir.Alt(items):
            full = [item for item in items if item != ir.EMPTY]
            text = " | ".join(_written(one, SEQUENCE) for one in full)
            return _in(around, CHOICE, text) if len(full) == len(items) else f"({text})?"
        case ir.Seq(()) | ir.Rep(_, _, 0):
            return '""'
        case ir.Seq(items):
            parts = [*_parts(items)]
            return _in(around, SEQUENCE, " ".join(parts)) if len(parts) > 1 else parts[0]
        case ir.Rep(item, low, high) if (low, high) in MARKS:
            inner = _written(item, ITEM)
            inner = f"({inner})" if inner.endswith((*MARKS.values(),)) else inner
            return inner + MARKS[low, high]
        case ir.Rep():
            return _written(_counted(node), around)
        case ir.Capture(_, item):
            return _written(item, around)
    raise TypeError(node)


def _counted(node: ir.Rep) -> ir.Node:
    """Write the turns of a repetition one after the other."""
    high = node.high or 0
    more = ir.Rep(node.item, 0, None if node.high is None else 1)
    return ir.seq(
        [*[node.item] * node.low, *[more] * (1 if node.high is None else high - node.low)]
    )


def _in(around: int, kind: int, text: str) -> str:
    return f"({text})" if around > kind else text


def _parts(items: Iterable[ir.Node]) -> Iterator[str]:
    """Write a sequence; neighbouring single characters are one string."""
    for plain, run in groupby(_flat(items), _is_plain):
        if plain:
            yield _string(run, SEQUENCE)
        else:
            yield from (_written(one, ITEM) for one in run)


def _flat(items: Iterable[ir.Node]) -> Iterator[ir.Node]:
    for item in items:
        if isinstance(item, ir.Rep) and (item.low, item.high) not in MARKS:
            made = _counted(item)
            yield from _flat(made.items if isinstance(made, ir.Seq) else [made])
        else:
            yield item


def _is_plain(node: ir.Node) -> bool:
    return isinstance(node, ir.Text) or (isinstance(node, ir.Chars) and node.size() == 1)


def _string(nodes: Iterable[ir.Node], around: int) -> str:
    """Write characters that are all of one kind: a string, or a set."""
    found = ""
    for node in nodes:
        match node:
            case ir.Text(value):
                found += value
            case ir.Chars(((low, high),)) if low == high:
                found += chr(low)
            case ir.Chars():
                return spelled_set(node)
    quote = "'" if '"' in found else '"'
    if quote not in found and all(" " <= char <= "~" for char in found):
        return f"{quote}{found}{quote}"
    codes = " ".join(f"#x{ord(char):X}" for char in found)
    return _in(around, SEQUENCE, codes) if len(found) > 1 else codes


def spelled_set(chars: ir.Chars) -> str:
    """Write a set of characters in brackets."""
    ends = [dict.fromkeys(map(_code, span)) for span in chars.ranges]
    return f"[{''.join(map('-'.join, ends))}]"


def _code(code: int) -> str:
    return chr(code) if chr(code).isascii() and chr(code).isalnum() else f"#x{code:X}"
