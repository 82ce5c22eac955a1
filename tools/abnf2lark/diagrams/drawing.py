"""Draw a rule: from the intermediate form to SVG, by the package railroad-diagrams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from abnf2lark.diagrams.words import Spelling, readable
from abnf2lark.reading.ir import Alt, Capture, Chars, Ref, Rep, Seq, Text
from abnf2lark.reading.problems import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from abnf2lark.reading.ir import Node, Rule

MAX_WIDTH = 720  # pixels of a sequence in one row
MAX_LABEL = 60  # characters of a text in its box; the rule's ABNF has the whole
_MISSING = "railroad diagrams need a package: pip install 'uriparse[diagrams]'"


def railroad_package() -> ModuleType:
    """Return the package that draws; raises :class:`InputError` where it is not installed."""
    try:
        import railroad  # noqa: PLC0415 - an extra
    except ModuleNotFoundError:
        raise InputError(_MISSING) from None
    package: ModuleType = railroad
    return package


def anchor(rule: str) -> str:
    """Return the id of a rule's place on the page.

    >>> anchor("path-abempty")
    'rule-path-abempty'
    """
    return f"rule-{rule}"


class Drawing:
    """Makes diagrams of rules; references are links to the rules' anchors."""

    def __init__(self) -> None:
        self._railroad = railroad_package()

    def svg(self, rule: Rule) -> str:
        """Return the diagram of a rule as an ``svg`` element."""
        diagram = self._railroad.Diagram(self._item(rule.body, Spelling(rule.source)))
        diagram.format(8)
        diagram.attrs.update({"role": "group", "aria-label": f"Diagram of {rule.name}"})
        _tidy(diagram)
        made: list[str] = []
        diagram.writeSvg(made.append)
        return "".join(made)

    def _item(self, node: Node, spelling: Spelling) -> Any:
        match node:
            case Ref(name):
                return self._railroad.NonTerminal(name, href=f"#{anchor(name)}")
            case Seq(items):
                return self._sequence(items, spelling)
            case Chars() | Text():
                return self._sequence((node,), spelling)
            case Alt(items):
                parts = [self._item(item, spelling) for item in items]
                return self._railroad.Choice(0, *parts)
            case Capture(_, item):
                return self._item(item, spelling)
            case Rep(item, low, high):
                return self._repetition(self._item(item, spelling), low, high)

    def _sequence(self, items: Sequence[Node], spelling: Spelling) -> Any:
        """Draw items in a row, or in as many as they need."""
        parts = [
            self._terminal(item, readable(items[0]) if len(items) == 1 else "")
            if isinstance(item, str)
            else self._item(item, spelling)
            for item in spelling.terminals(items)
        ]
        rows: list[list[Any]] = [[]]
        width = 0
        for part in parts:
            if rows[-1] and width + part.width > MAX_WIDTH:
                rows.append([])
                width = 0
            rows[-1].append(part)
            width += part.width + 20
        if not parts:
            return self._railroad.Skip()
        drawn = [row[0] if len(row) == 1 else self._railroad.Sequence(*row) for row in rows]
        return drawn[0] if len(drawn) == 1 else self._railroad.Stack(*drawn)

    def _terminal(self, text: str, meaning: str) -> Any:
        label = text if len(text) <= MAX_LABEL else f"{text[: MAX_LABEL - 1]}…"
        title = meaning if text.startswith("%") else ""
        return self._railroad.Terminal(label, title=title or None)

    def _repetition(self, item: Any, low: int, high: int | None) -> Any:
        if high == 1:
            return self._railroad.Optional(item)
        many = self._railroad.OneOrMore(item, self._count(low, high))
        return many if low else self._railroad.Optional(many)

    def _count(self, low: int, high: int | None) -> Any:
        """Write how often beneath the way back, where it is neither any number nor one or more."""
        if high is None and low < 2:
            return None
        if high is None:
            text = f"{low} or more times"
        elif low == high:
            text = f"{low} times"
        else:
            text = f"{low} to {high} times" if low else f"at most {high} times"
        return self._railroad.Comment(text)


def _tidy(diagram: Any) -> None:
    """Let links be HTML's own, and hold their text once: the package puts it in twice."""
    pending = [diagram]
    while pending:
        item = pending.pop()
        if getattr(item, "name", "") == "a":
            item.attrs["href"] = item.attrs.pop("xlink:href")
            del item.children[1:]
        pending.extend(part for part in getattr(item, "children", ()) if not isinstance(part, str))
