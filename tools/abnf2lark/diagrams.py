"""Draw a grammar as railroad diagrams on one HTML page, each beside its ABNF."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from abnf2lark import ir
from abnf2lark.charts import LimitError
from abnf2lark.pages import document
from abnf2lark.problems import InputError
from abnf2lark.reading.large_parts import elements

if TYPE_CHECKING:
    from types import ModuleType

# Draw a rule: from the intermediate form to SVG, by the package railroad-diagrams.

MAX_WIDTH = 720  # pixels of a sequence in one row
MAX_LABEL = 60  # characters of a text in its box; the rule's ABNF has the whole


def anchor(rule: str) -> str:
    """Return the id of a rule's place on the page."""
    return f"rule-{rule}"


class Drawing:
    """Makes diagrams of rules; references are links, of the form that `target` has for a name.

    Raises :class:`InputError` where the package that draws is not installed.
    """

    def __init__(self, target: str = "#rule-{}") -> None:
        try:
            import railroad  # noqa: PLC0415 - an extra
        except ModuleNotFoundError:
            told = "railroad diagrams need a package: pip install 'uriparse[diagrams]'"
            raise InputError(told) from None
        self._railroad: ModuleType = railroad
        self._target = target

    def svg(self, rule: ir.Rule, style: str = "") -> str:
        """Return the diagram of a rule as an ``svg`` element, a file of its own with a style."""
        diagram = self._railroad.Diagram(self._item(rule.body))
        diagram.format(8)
        diagram.attrs.update({"role": "group", "aria-label": f"Diagram of {rule.name}"})
        _tidy(diagram)
        if style:
            diagram.attrs["xmlns"] = "http://www.w3.org/2000/svg"
            diagram.children.insert(0, self._railroad.Style(style))
        made: list[str] = []
        diagram.writeSvg(made.append)
        return "".join(made)

    def _item(self, node: ir.Node) -> Any:
        match node:
            case ir.Ref(name):
                return self._railroad.NonTerminal(name, href=self._target.format(name))
            case ir.Seq() | ir.Chars() | ir.Text():
                return self._sequence(node.items if isinstance(node, ir.Seq) else (node,))
            case ir.Alt(items):
                return self._railroad.Choice(0, *map(self._item, items))
            case ir.Capture(_, item):
                return self._item(item)
            case ir.Rep(item, low, 1):
                return self._railroad.Optional(self._item(item))
            case ir.Rep(item, low, high):
                many = self._railroad.OneOrMore(self._item(item), self._count(low, high))
                return many if low else self._railroad.Optional(many)

    def _sequence(self, items: Sequence[ir.Node]) -> Any:
        """Draw items in a row, or in as many as they need."""
        is_terminal = (str, ir.Chars, ir.Text)
        parts = [
            self._terminal(item, alone=len(items) == 1)
            if isinstance(item, is_terminal)
            else self._item(item)
            for item in ir.strings(items)
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

    def _terminal(self, item: str | ir.Chars | ir.Text, *, alone: bool) -> Any:
        text = item if isinstance(item, str) else ir.spelled(item)
        label = text if len(text) <= MAX_LABEL else f"{text[: MAX_LABEL - 1]}…"
        spans = item.ranges if alone and isinstance(item, ir.Chars) and text[0] == "%" else ()
        if not all("!" <= chr(end) <= "~" for span in spans for end in span):
            spans = ()
        told = (" to ".join(dict.fromkeys(map(chr, span))) for span in spans)
        return self._railroad.Terminal(label, title=", ".join(told) or None)

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
    """Make links HTML's own, with their text once: the package writes it twice."""
    pending = [diagram]
    while pending:
        item = pending.pop()
        if getattr(item, "name", "") == "a":
            item.attrs["href"] = item.attrs.pop("xlink:href")
            del item.children[1:]
        pending.extend(part for part in getattr(item, "children", ()) if not isinstance(part, str))


# What ABNF text is made of, as far as names have to be distinguished from the rest.
_PIECE = re.compile(
    r"""(?P<comment>;[^\n]*)
      | (?P<other>"[^"\n]*"|%[^\s"]*|[A-Za-z][A-Za-z0-9-]*(?=[ \t]*=))
      | <[ ]*(?P<prose>[A-Za-z][A-Za-z0-9-]*)[^>\n]*>
      | (?P<name>[A-Za-z][A-Za-z0-9-]*)
    """,
    re.VERBOSE,
)


def written(rule: ir.Rule) -> str:
    """Return the text of a rule as HTML, to be in a ``pre`` element, with links to the rules."""
    text = dedent(" " * (rule.position.column - 1) + rule.source)
    # A rule of another grammar may be called by that grammar's name before its own.
    targets = {ref.name.rpartition(".")[2].casefold(): ref.name for ref in ir.references(rule.body)}
    made: list[str] = []
    end = 0
    for piece in _PIECE.finditer(text):
        made.append(escape(text[end : piece.start()]))
        end = piece.end()
        target = targets.get((piece["name"] or piece["prose"] or "").casefold())
        if piece["comment"]:
            made.append(f"<i>{escape(piece[0])}</i>")
        elif target:
            made.append(link(target, piece[0]))
        else:
            made.append(escape(piece[0]))
    return "".join([*made, escape(text[end:])])


def link(rule: str, text: str = "") -> str:
    """Return a link to a rule's place on the page."""
    return f'<a href="#{escape(anchor(rule))}">{escape(text or rule)}</a>'


MAX_ELEMENTS = 150_000
"""Of all rules that are drawn, as they are written; so many take some 10 seconds and 500 MB."""

_LEGEND = "Text in quotes matches in either letter case; after %s or %x it is matched exactly."
# Widths are in rem and diagrams scroll in boxes of their own, so that text still fits a
# window at any zoom (WCAG 2.2, 1.4.10).
_COLOURS = """
:root { color-scheme: light dark; --back: #fff; --text: #1a1a1a; --soft: #555; --line: #444;
  --link: #0047b3; --rule: #e4eefc; --term: #e6f4e0; --code: #f5f5f5; }
@media (prefers-color-scheme: dark) {
  :root { --back: #16181c; --text: #e8e8e8; --soft: #b0b0b0; --line: #aaa;
    --link: #8ab8ff; --rule: #20324d; --term: #24401c; --code: #22252b; } }
"""
_SHAPES = """
svg path { stroke: var(--line); stroke-width: 2; fill: none; }
svg rect { stroke: var(--line); stroke-width: 2; fill: var(--term); }
svg .non-terminal rect { fill: var(--rule); }
svg text { font: bold 14px monospace; text-anchor: middle; fill: var(--text); }
svg a text { fill: var(--link); text-decoration: underline; }
svg text.comment { font: italic 12px monospace; fill: var(--soft); }
"""
_PAGE = """
body { margin: 0 auto; padding: 1rem; max-width: 90rem; background: var(--back);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
a { color: var(--link); fill: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none; }
h1, h2, p, li { overflow-wrap: anywhere; }
section { border-top: 1px solid var(--soft); padding: .5rem 0; }
section:target { outline: 2px solid var(--link); outline-offset: .25rem; }
section > div { display: grid; gap: .5rem 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 32rem), 1fr)); }
figure, pre { margin: 0; overflow-x: auto; padding: .25rem; }
pre { align-self: start; padding: .75rem; background: var(--code); font-size: .9rem; }
small, pre i { color: var(--soft); font-style: normal; }
"""


def railroad_files(grammar: ir.RuleSet, wanted: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield the rules as files of SVG, each with its name; a reference links to the other file."""
    drawing = Drawing("{}.svg")
    for name in _drawn(grammar, wanted):
        yield f"{name}.svg", drawing.svg(grammar.rules[name], _COLOURS + _SHAPES) + "\n"


def _drawn(grammar: ir.RuleSet, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the rules to draw; :class:`LimitError` where they are too large."""
    names = ir.reachable(grammar, wanted) if wanted else tuple(grammar.rules)
    total, counted = elements(grammar, names)
    if total > MAX_ELEMENTS:
        raise LimitError(
            f"{grammar.name} is too large to be drawn: the rules have {counted}; "
            f"{MAX_ELEMENTS:,} can be drawn: draw a rule that leads to fewer, with --rule"
        )
    return names


def railroad_page(grammar: ir.RuleSet, wanted: Sequence[str] = ()) -> str:
    """Return the page of the wanted rules and all that they lead to; without any, of all."""
    drawing = Drawing()
    names = _drawn(grammar, wanted)
    users: dict[str, dict[str, None]] = {name: {} for name in names}
    for name in names:
        for ref in ir.references(grammar.rules[name].body):
            users[ref.name][name] = None
    title = escape(f"{grammar.name}: railroad diagrams")
    lines = [
        f"<p>{_LEGEND}</p>",
        '<nav aria-label="Rules"><ul>',
        *(f"<li>{link(name)}</li>" for name in names),
        "</ul></nav>",
        "<main>",
    ]
    for name in names:
        rule = grammar.rules[name]
        lines += _section(rule, drawing.svg(rule), list(users[name]), grammar.name)
    return document(title, _COLOURS + _PAGE + _SHAPES, [*lines, "</main>"])


def _section(rule: ir.Rule, svg: str, users: list[str], grammar: str) -> list[str]:
    """Return the part of the page that is about one rule."""
    name = escape(rule.name)
    origin = "" if rule.origin == grammar else f" <small>of {escape(rule.origin)}</small>"
    lines = [
        f'<section id="{escape(anchor(rule.name))}" aria-label="{name}">',
        f"<h2>{link(rule.name)}{origin}</h2>",
        "<div>",
        # What scrolls can be scrolled with the keyboard.
        f'<figure tabindex="0" aria-label="{name} drawn">{svg}</figure>',
        f'<pre tabindex="0" aria-label="{name} in ABNF">{written(rule)}</pre>',
        "</div>",
    ]
    if users:
        lines.append(f"<p><small>Used by {', '.join(map(link, users))}</small></p>")
    return [*lines, "</section>"]
