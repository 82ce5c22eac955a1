"""The outcome of trials as one HTML page that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from uriparse.cli.conformance.trial_forms import SIGNS, nouns, summary, title
from uriparse.conformance import abnf

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.cli.conformance.trial_forms import Report
    from uriparse.conformance import Fault, Subject, Trial

STYLE: Final = """\
:root {
  color-scheme: light dark;
  --line: #767676; --soft: #f2f2f2; --over: #a3260a; --under: #1a4fa3;
}
@media (prefers-color-scheme: dark) {
  :root { --line: #8c8c8c; --soft: #2a2a2a; --over: #ffab91; --under: #9dc1ff; }
}
body { font: 1rem/1.5 system-ui, sans-serif; margin: 1rem; max-width: 80rem; }
h1, h2 { line-height: 1.2; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
/* What is unseen stands within it, or the page would be as wide as the table. */
.wide { position: relative; overflow-x: auto; border: 1px solid var(--line); }
.wide:focus-visible, a:focus-visible, summary:focus-visible, button:focus-visible {
  outline: 3px solid var(--under); outline-offset: 1px;
}
table { border-collapse: collapse; }
th, td {
  border: 1px solid var(--line); padding: .25rem .5rem; text-align: start; vertical-align: top;
}
thead th { background: var(--soft); }
.matrix td { white-space: nowrap; }
.matrix button {
  font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer;
}
.matrix th[aria-sort] button::after { content: " \\2195"; }
.matrix th[aria-sort=ascending] button::after { content: " \\2191"; }
.matrix th[aria-sort=descending] button::after { content: " \\2193"; }
.accepts { color: var(--over); } .rejects { color: var(--under); }
details {
  border-inline-start: 3px solid var(--line); margin: .5rem 0; padding-inline-start: .75rem;
}
summary { cursor: pointer; overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
"""

SCRIPT: Final = """\
for (const table of document.querySelectorAll("table.matrix")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const key = (row, column) => {
    const value = row.cells[column].dataset.value;
    return value === undefined ? row.cells[column].textContent.trim().toLowerCase() : Number(value);
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === (column ? "none" : "ascending");
      heads.forEach((each) => each.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].sort((one, other) => {
        const [a, b] = [key(one, column), key(other, column)];
        return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
      });
      body.append(...rows);
    });
  });
}
const open = () => {
  const found = document.getElementById(location.hash.slice(1));
  const details = found && found.closest("details");
  if (details) {
    details.open = true;
    details.querySelector("summary").focus();
  }
};
addEventListener("hashchange", open);
open();
"""


def page(report: Report, of: Subject) -> str:
    """Write the page, in ASCII, so that it is read alike in whatever encoding it is sent."""
    text = "\n".join(_page(report, of))
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _page(report: Report, of: Subject) -> Iterator[str]:
    found = report.trials
    heading = f"Parsers held to {found.rule} of {found.grammar}"
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(heading)}</title>\n<style>\n{STYLE}</style></head><body>"
    yield f"<h1>{escape(heading)}</h1>"
    yield (
        f"<p>{report.date}. {found.texts:,} texts, {found.valid:,} of them valid. "
        "▲ accepts what the rule refuses, ▼ rejects what it takes, each with the number of texts; "
        "· neither. A sign leads to its group. Numbers compare parsers within a column, no more: "
        "a component has as many texts as its automaton has steps.</p>"
    )
    yield from _matrix(report)
    for number, trial in enumerate(found.trials):
        yield from _parser(number, trial, report, of)
    if report.troubles:
        yield "<h2>Not asked</h2><ul>"
        yield from (f"<li>{escape(name)}: {escape(why)}</li>" for name, why in report.troubles)
        yield "</ul>"
    yield f"<script>\n{SCRIPT}</script></body></html>"


def _matrix(report: Report) -> Iterator[str]:
    found = report.trials
    yield '<div class="wide" role="region" tabindex="0" aria-label="parsers by component">'
    yield '<table class="matrix"><thead><tr><th scope="col">parser</th>'
    yield from (f'<th scope="col">{escape(each.name)}</th>' for each in found.components)
    yield "</tr></thead><tbody>"
    for number, trial in enumerate(found.trials):
        yield f'<tr><th scope="row"><a href="#p{number}">{escape(title(trial))}</a></th>'
        for component in found.components:
            faults = trial.of(component.name)
            total = sum(fault.number for fault in faults)
            signs = " ".join(_sign(number, trial, fault) for fault in faults)
            cell = signs or '<span aria-hidden="true">·</span><span class="unseen">none</span>'
            yield f'<td data-value="{total}">{cell}</td>'
        yield "</tr>"
    yield "</tbody></table></div>"


def _sign(number: int, trial: Trial, fault: Fault) -> str:
    return (
        f'<a class="{fault.direction}" href="#{_anchor(number, trial, fault)}" '
        f'title="{escape(fault.title)}"><span aria-hidden="true">{SIGNS[fault.direction]}</span>'
        f'<span class="unseen">{fault.direction} wrongly</span> {fault.number:,}</a>'
    )


def _anchor(number: int, trial: Trial, fault: Fault) -> str:
    return f"p{number}g{trial.faults.index(fault)}"


def _parser(number: int, trial: Trial, report: Report, of: Subject) -> Iterator[str]:
    yield f'<section id="p{number}"><h2>{escape(title(trial))}</h2>'
    yield f"<p>Accepts when: {escape(report.means[trial.name])}. "
    yield f"{escape(summary(trial, report.trials).capitalize())}.</p>"
    for fault in trial.faults:
        sign = f'<span class="{fault.direction}">{SIGNS[fault.direction]}</span>'
        share = ""
        if fault.steps:
            share = f"; {fault.steps:,} of {fault.of:,} {nouns(fault)}: {_percent(fault)}"
        yield f"<details><summary>{sign} {escape(fault.title)} ({fault.number:,}{share}), "
        yield f"<code>{escape(report.witness(fault.witness))}</code></summary>"
        yield f'<div id="{_anchor(number, trial, fault)}">'
        yield '<table><thead><tr><th scope="col">what</th><th scope="col">texts</th>'
        yield '<th scope="col">the shortest</th></tr></thead><tbody>'
        for part in fault.parts:
            yield f"<tr><td>{escape(part.what)}</td><td>{part.number:,}</td>"
            yield f"<td><code>{escape(report.witness(part.witness))}</code></td></tr>"
        yield "</tbody></table>"
        if rule := abnf(of, fault.component):
            yield f"<pre>{escape(rule)}</pre>"
        yield "</div></details>"
    for part in trial.unanswered:
        yield f"<p>No answer, {escape(part.what)}: {part.number:,} texts, the shortest "
        yield f"<code>{escape(report.witness(part.witness))}</code>.</p>"
    yield "</section>"


def _percent(fault: Fault) -> str:
    """Write a share; what is not all, or not none, is neither 100 nor 0 %."""
    share = 100 * fault.steps / fault.of
    return f"{min(max(round(share), 1), 99) if 0 < fault.steps < fault.of else round(share)} %"
