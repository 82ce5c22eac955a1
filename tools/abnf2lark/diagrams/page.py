"""One page of HTML for a grammar: each rule with its diagram and its ABNF; no script, no fetch."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from abnf2lark.charts import LimitError
from abnf2lark.diagrams.drawing import Drawing, anchor
from abnf2lark.diagrams.written import link, written
from abnf2lark.reading.ir import reachable, references
from abnf2lark.reading.large_parts import elements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abnf2lark.reading.ir import Grammar, Rule

MAX_ELEMENTS = 150_000
"""Of all rules that are drawn, as they are written; so many take some 10 seconds and 500 MB."""

_LEGEND = "Text in quotes matches in either letter case; after %s or %x it is matched exactly."
# Widths are in rem and diagrams scroll in boxes of their own, so that text goes on fitting a
# window at any zoom (WCAG 2.2, 1.4.10).
_STYLE = """
:root { color-scheme: light dark; --back: #fff; --text: #1a1a1a; --soft: #555; --line: #444;
  --link: #0047b3; --rule: #e4eefc; --term: #e6f4e0; --code: #f5f5f5; }
@media (prefers-color-scheme: dark) {
  :root { --back: #16181c; --text: #e8e8e8; --soft: #b0b0b0; --line: #aaa;
    --link: #8ab8ff; --rule: #20324d; --term: #24401c; --code: #22252b; } }
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
svg path { stroke: var(--line); stroke-width: 2; fill: none; }
svg rect { stroke: var(--line); stroke-width: 2; fill: var(--term); }
svg .non-terminal rect { fill: var(--rule); }
svg text { font: bold 14px monospace; text-anchor: middle; fill: var(--text); }
svg a text { fill: var(--link); text-decoration: underline; }
svg text.comment { font: italic 12px monospace; fill: var(--soft); }
"""


def railroad_page(grammar: Grammar, wanted: Sequence[str] = ()) -> str:
    """Return the page of the wanted rules and all that they lead to; without any, of all rules.

    Raises :class:`InputError` where the package that draws is not installed, and
    :class:`LimitError` for rules that have more than ``MAX_ELEMENTS`` elements.
    """
    drawing = Drawing()
    names = reachable(grammar, wanted) if wanted else tuple(grammar.rules)
    _refuse_large(grammar, names)
    users: dict[str, dict[str, None]] = {name: {} for name in names}
    for name in names:
        for ref in references(grammar.rules[name].body):
            users[ref.name][name] = None
    title = escape(f"{grammar.name}: railroad diagrams")
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>{title}</h1>",
        f"<p>{_LEGEND}</p>",
        '<nav aria-label="Rules"><ul>',
        *(f"<li>{link(name)}</li>" for name in names),
        "</ul></nav>",
        "<main>",
    ]
    for name in names:
        rule = grammar.rules[name]
        lines += _section(rule, drawing.svg(rule), list(users[name]), grammar.name)
    return "\n".join([*lines, "</main>", "</body>", "</html>", ""])


def _refuse_large(grammar: Grammar, names: Sequence[str]) -> None:
    total, counted = elements(grammar, names)
    if total > MAX_ELEMENTS:
        raise LimitError(
            f"{grammar.name} is too large to be drawn: the rules have {counted}; "
            f"{MAX_ELEMENTS:,} can be drawn: draw a rule that leads to fewer, with --rule"
        )


def _section(rule: Rule, svg: str, users: list[str], grammar: str) -> list[str]:
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
