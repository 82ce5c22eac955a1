"""Write an expression as a regular expression of a flavour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abnf2lark.patterns.determinism import NO_CHARS, before, deterministic, inside
from abnf2lark.reading.ir import Alt, Capture, Chars, Node, Rep, Seq, Text, walk

if TYPE_CHECKING:
    from abnf2lark.patterns.flavours import Flavour


def pattern(node: Node, flavour: Flavour, follow: Chars = NO_CHARS) -> str:
    """Return the text of an expression that is followed by ``follow`` or the end."""
    return _Writer(flavour).write(node, follow)


def anchored(node: Node, flavour: Flavour) -> str:
    """Return the text of an expression that matches whole texts alone, however it is searched."""
    body = pattern(node, flavour)
    if isinstance(node, Alt):
        body = f"{flavour.group}{body})"
    prefix = "" if is_ascii(node) else flavour.beyond_ascii
    return f"{prefix}{flavour.begin}{body}{flavour.end}"


def is_ascii(node: Node) -> bool:
    """Tell whether no word of an expression holds a character beyond ASCII."""
    return all(
        part.ranges[-1][1] <= _LAST_OF_ASCII
        if isinstance(part, Chars)
        else not isinstance(part, Text) or part.value.isascii()
        for part in walk(node)
    )


_LAST_OF_ASCII = 0x7F


class _Writer:
    def __init__(self, flavour: Flavour) -> None:
        self.flavour = flavour

    def write(self, node: Node, follow: Chars) -> str:
        match node:
            case Chars(ranges):
                return self.flavour.char_class(ranges)
            case Text(value):
                return "".join(self.flavour.literal(ord(char)) for char in value)
            case Seq(items):
                return self.sequence(items, follow)
            case Alt(items):
                return "|".join(self.write(item, follow) for item in items)
            case Capture(rule, item):
                name = group_name(rule)
                opening = self.flavour.named_group
                body = self.write(item, follow)
                return f"{opening.format(name)}{body})" if opening else self.grouped(body, item)
            case Rep():
                return self.repetition(node, follow)
            case _:
                raise TypeError(node)

    def sequence(self, items: tuple[Node, ...], follow: Chars) -> str:
        parts: list[str] = []
        for item in reversed(items):
            text = self.write(item, follow)
            parts.append(f"{self.flavour.group}{text})" if isinstance(item, Alt) else text)
            follow = before(item, follow)
        return "".join(reversed(parts))

    def repetition(self, node: Rep, follow: Chars) -> str:
        body = self.grouped(self.write(node.item, inside(node, follow)), node.item)
        quantifier = _QUANTIFIERS.get((node.low, node.high))
        if quantifier is None:
            high = "" if node.high is None else node.high
            exact = node.low == node.high
            quantifier = f"{{{node.low}}}" if exact else f"{{{node.low},{high}}}"
            if exact:
                return body + quantifier
        sure = self.flavour.possessive and deterministic(node, follow)
        return body + quantifier + ("+" if sure and (node.low, node.high) != (0, 1) else "")

    def grouped(self, text: str, node: Node) -> str:
        single = isinstance(node, Chars | Capture)
        return text if single else f"{self.flavour.group}{text})"


_QUANTIFIERS: dict[tuple[int, int | None], str] = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def group_name(rule: str) -> str:
    """Spell a rule name as a group name.

    >>> group_name("reg-name")
    'reg_name'
    """
    return rule.replace("-", "_").replace(".", "__")
