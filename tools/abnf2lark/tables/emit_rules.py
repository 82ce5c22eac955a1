"""Write the rules themselves as Python data, for the derivation of full parse trees."""

from __future__ import annotations

from abnf2lark.reading.ir import Alt, Chars, Grammar, Node, Ref, Rep, Seq, Text, reachable


def rules_text(grammar: Grammar, public: tuple[str, ...], header: str) -> str:
    """Return a module that holds every rule the public ones lead to, as nested tuples."""
    lines = [
        header,
        "# ('chars', ranges) ('text', value) ('ref', rule) ('seq', items) ('alt', items)",
        "# ('rep', item, low, high or -1)",
        "RULES: dict[str, tuple[object, ...]] = {",
    ]
    lines += [
        f"    {name!r}: {nested(grammar.rules[name].body)!r},"
        for name in reachable(grammar, public)
    ]
    return "\n".join([*lines, "}", ""])


def nested(node: Node) -> tuple[object, ...]:
    """Return an expression as nested tuples."""
    match node:
        case Chars(ranges):
            return ("chars", ranges)
        case Text(value):
            return ("text", value)
        case Ref(name):
            return ("ref", name)
        case Seq(items):
            return ("seq", tuple(nested(item) for item in items))
        case Alt(items):
            return ("alt", tuple(nested(item) for item in items))
        case Rep(item, low, high):
            return ("rep", nested(item), low, -1 if high is None else high)
        case _:
            raise TypeError(node)
