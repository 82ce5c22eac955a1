"""Write a component grammar as a Lark grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.lark_grammars.names import lark_name
from abnf2lark.patterns.emit_pattern import pattern
from abnf2lark.patterns.flavours import PYTHON
from abnf2lark.reading.ir import Alt, Node, Ref, Rep, Seq

if TYPE_CHECKING:
    from collections.abc import Mapping

    from abnf2lark.lark_grammars.components import Components


@dataclass(frozen=True, slots=True)
class LexedTerminal:
    """How the lexer knows a terminal: its expression, a guard behind it, and a priority."""

    pattern: str
    guard: str = ""
    priority: int = 0


def lark_text(
    components: Components,
    lexed: Mapping[str, LexedTerminal],
    comments: Mapping[str, str],
    header: str = "",
    *,
    aliases: bool = False,
) -> str:
    """Return the text of the Lark grammar; ``comments`` hold the ABNF of rules.

    With ``aliases`` the variants of a rule make trees of the rule's own name.
    """
    lines = [header] if header else []
    for name, body in components.rules.items():
        comment = comments.get(components.abnf_names[name])
        if comment:
            lines.extend(f"// {line}".rstrip() for line in comment.splitlines())
        tree_name = lark_name(components.abnf_names[name]) if aliases else ""
        rank = components.priorities.get(name, 0)
        lines.append(rule_line(name, body, tree_name, f".{rank}" if rank else ""))
    lines.append("")
    for name, terminal in components.terminals.items():
        extra = lexed.get(name) or LexedTerminal(pattern(terminal.node, PYTHON))
        priority = f".{extra.priority}" if extra.priority else ""
        lines.append(f"{name}{priority}: {regexp(extra.pattern + extra.guard)}")
    return "\n".join([*lines, ""])


def rule_line(name: str, body: Node, tree_name: str = "", priority: str = "") -> str:
    """Write a rule; its trees are called ``tree_name``, where that is not its own name."""
    if tree_name in ("", name) or name.startswith("_"):
        return f"{name}{priority}: {expansion(body)}".rstrip()
    ways = body.items if isinstance(body, Alt) else (body,)
    written = " | ".join(f"{expansion(way)} -> {tree_name}".strip() for way in ways)
    return f"{name}{priority}: {written}"


def regexp(body: str) -> str:
    """Write a regular expression between slashes, so that Lark reads the same.

    Lark takes a backslash from a quotation mark, also where it is the second of two.
    """
    return "/" + body.replace("/", "\\/").replace('\\"', "\\\\x22") + "/"


def expansion(node: Node) -> str:
    """Write the right side of a Lark rule."""
    match node:
        case Ref(name):
            return name
        case Seq(items):
            return " ".join(
                f"({expansion(item)})" if isinstance(item, Alt) else expansion(item)
                for item in items
            )
        case Alt(items):
            return " | ".join(expansion(item) for item in items)
        case Rep(item, 0, 1):
            return _group(item) + "?"
        case Rep(item, 0, None):
            return _group(item) + "*"
        case Rep(item, 1, None):
            return _group(item) + "+"
        case Rep(item, low, None):
            return f"{_group(item)}~{low} {_group(item)}*"
        case Rep(item, low, high):
            return f"{_group(item)}~{low}" + ("" if low == high else f"..{high}")
        case _:
            raise TypeError(node)


def _group(node: Node) -> str:
    return expansion(node) if isinstance(node, Ref) else f"({expansion(node)})"
