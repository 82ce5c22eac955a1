"""The pictures of the pages, each made from what the library, a table or a measurement says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import abnf2lark
from abnf2lark.diagrams import Drawing
from uriparse import URI, RelativeRef, parse, resolve

from .catalogues import preset_entries
from .figures import COMPONENTS, FIGURES, duration
from .svg import LETTER, WIDTH, box, line, lines, link, picture, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.application import Sphinx

EXAMPLE = "https://user@example.com:8042/over/there?name=ferret#nose"
BASE, REFERENCE = "http://a.example/b/c?q", "../d#e"
PARTS = "scheme", "authority", "path", "query", "fragment"
DELIMITERS = {"scheme": "{}:", "authority": "//{}", "query": "?{}", "fragment": "#{}"}
QUESTIONS = (
    ("Is it a valid URI, yes or no?", "is_valid", "tutorial#errors"),
    ("What are its parts, as written?", "parse", "tutorial#parse"),
    ("What does it mean in its scheme: mailto, data, ftp, file?", "parse_url",
     "how-to/todays-schemes"),
    ("What would a browser make of it?", "whatwg.parse",
     "explanation/rfc-and-whatwg#read-a-url-as-browsers-do"),
    ("It is from a stranger. What is wrong with it?", "validate", "how-to/guard-input#check"),
    ("Refuse it unless a server may fetch it.", "check", "how-to/guard-input"),
    ("Fetch it, and stay out of my own network.", "guard", "how-to/fetch"),
    ("Where are the URLs in this prose?", "find_uris", "how-to/find-uris"),
)  # fmt: skip
"""What a reader wants, the function for it, and the page about it."""
STEPS = (
    ("The policy judges the text of the URL", "url"),
    ("The name is looked up, once", ""),
    ("The policy judges each address", "address"),
    ("The guard connects to a permitted address", ""),
    ("The client sends the request; the name is used for TLS and Host", "option"),
    ("The answer is counted and timed while it is read", "size, time, encoding"),
    ("A redirect is a new URL: from the top", "redirects"),
)
"""Of a guarded request, each with the causes for which it ends there."""


def anatomy() -> str:
    """Draw a URI with its components, one below the other."""
    uri = parse(EXAMPLE, "URI")
    rows = [
        ("scheme", f"{uri.scheme}:"), ("", "//"), ("userinfo", f"{uri.userinfo}@"),
        ("host", str(uri.host)), ("port", f":{uri.port}"), ("path", uri.path),
        ("query", f"?{uri.query}"), ("fragment", f"#{uri.fragment}"),
    ]  # fmt: skip
    parts, names = [], [name for name, _ in rows]
    for at, (name, piece) in enumerate(rows):
        y = 4 + 26 * at
        width = 12 + 8 * len(piece)
        parts += [box(0, y, width, 22, f"part-{at % 4}"), text(6, y + 15, piece, "code large")]
        parts.append(text(140, y + 15, name or "marks an authority"))
    top, bottom = (4 + 26 * names.index(name) for name in ("userinfo", "port"))
    parts += [line((225, top), (232, top), (232, bottom + 22), (225, bottom + 22))]
    parts.append(text(238, (top + bottom) / 2 + 15, "authority"))
    told = "; ".join(f"{name} {piece}" for name, piece in rows if name)
    return picture("The parts of a URI", f"{EXAMPLE}: {told}.", parts, 4 + 26 * len(rows))


def functions() -> str:
    """Draw which function answers which question."""
    parts, y = [], 0.0
    for question, name, target in QUESTIONS:
        asked, height = lines(14, y + 16, question, 24)
        height = max(height + 8, 30)
        parts.append(line((4, y + height / 2), (12, y + height / 2)))
        parts.append(asked)
        middle = y + height / 2
        parts.append(line((178, middle), (190, middle), (185, middle - 4)))
        parts.append(line((190, middle), (185, middle + 4)))
        label = text(246, middle + 4, name, "code large", "middle")
        parts.append(link(target, box(194, middle - 13, 104, 26, "answer"), label))
        y += height + 6
    parts.append(line((4, 15), (4, middle)))
    told = " ".join(f"{question} {name}." for question, name, _ in QUESTIONS)
    return picture("Which function do I need?", told, parts, y)


def _components(record: URI | RelativeRef) -> dict[str, str | None]:
    return {
        name: None if (value := getattr(record, name)) is None else str(value) for name in PARTS
    }


def resolution() -> str:
    """Draw where each component of a resolved reference comes from."""
    base, reference = parse(BASE, "URI"), parse(REFERENCE)
    target = resolve(base, reference)
    columns = {"base": base, "reference": reference, "target": target}
    values = {name: _components(record) for name, record in columns.items()}
    starts = dict(zip(columns, (64, 142, 216), strict=True))
    parts = [text(starts[name], 14, name, "strong") for name in columns]
    told = []
    for at, name in enumerate(PARTS):
        y = 24 + 26 * at
        parts.append(text(0, y + 15, name))
        of = {column: values[column][name] or None for column in columns}
        source = next((c for c in ("reference", "base") if of[c] and of[c] == of["target"]), "both")
        told.append(f"{name}: {of['target'] or 'absent'} (from {source})")
        for column, value in of.items():
            if value:
                kind = source if column == "target" else column
                written = DELIMITERS.get(name, "{}").format(value)
                parts.append(box(starts[column] - 4, y, 8 + LETTER * len(written), 22, kind))
                parts.append(text(starts[column], y + 15, written, "code"))
    said = f"{BASE} and {REFERENCE} make {target}. {'; '.join(told)}."
    return picture("base + reference = target", said, parts, 30 + 26 * len(PARTS))


def guarded() -> str:
    """Draw the steps of a guarded request, and the causes for which it is stopped."""
    parts, y = [], 2.0
    for at, (step, causes) in enumerate(STEPS):
        said, height = lines(22, y + 17, step, 24)
        height += 12
        parts += [box(14, y, 178, height, "step"), said]
        if causes:
            stop, _ = lines(212, y + 17, causes, 13, "code")
            parts += [line((192, y + 13), (206, y + 13), kind="line stop"), stop]
        if at + 1 < len(STEPS):
            parts += [line((102, y + height), (102, y + height + 12))]
            parts += [line((98, y + height + 7), (102, y + height + 12), (106, y + height + 7))]
        y += height + 12
    end = y - 12 - height / 2
    parts.append(line((14, end), (4, end), (4, 16), (13, 16)))
    parts.append(line((9, 12), (13, 16), (9, 20)))
    told = " ".join(
        f"{n}. {s}{f' (GuardError: {c})' if c else ''}." for n, (s, c) in enumerate(STEPS, 1)
    )
    return picture("How a guarded request runs", told, parts, y)


OPEN = {"any", "allowed", "nothing"}


def presets() -> str:
    """Draw the named policies and what each allows, limits or refuses."""
    head, _, *rows = ([c.strip(" `") for c in row.split("|")[1:-1]] for row in preset_entries())
    parts = [text(122 + 40 * n, 14, name, "tiny", "middle") for n, name in enumerate(head[1:])]
    told = []
    for at, (title, *cells) in enumerate(rows):
        y = 20 + 22 * at
        parts.append(text(0, y + 14, title, "small"))
        for n, cell in enumerate(cells):
            kind = "open" if cell in OPEN else "closed" if cell == "refused" else "limited"
            mark = {"open": "yes", "closed": "no", "limited": "part"}[kind]
            parts.append(box(104 + 40 * n, y, 36, 20, kind, f"{head[n + 1]}, {title}: {cell}"))
            parts.append(text(122 + 40 * n, y + 14, mark, "small", "middle"))
        told.append(
            f"{title}: {', '.join(f'{h} {c}' for h, c in zip(head[1:], cells, strict=True))}"
        )
    y = 20 + 22 * len(rows)
    parts.append(text(0, y + 16, "yes: allowed; part: as the table says; no: refused", "small"))
    return picture("Presets and their settings", "; ".join(told), parts, y + 22)


def speed(kind: str) -> str:
    """Draw a table of speeds as bars."""
    rows = [(name, row["µs"]) for name, row in FIGURES[kind].items() if row["µs"] < 50]
    most = max(value for _, value in rows)
    parts = []
    for at, (name, value) in enumerate(rows):
        y = 22 * at
        own = "own" if name.startswith("uriparse") else "other"
        width = max(1.0, 100 * value / most)
        parts += [text(0, y + 15, name.replace(", with its", ","), "small")]
        parts += [box(150, y + 3, width, 16, own)]
        parts += [text(154 + width, y + 15, duration(value), "small")]
    told = "; ".join(f"{name} {duration(value)}" for name, value in rows)
    return picture(f"Time to {kind} a URL", told, parts, 22 * len(rows))


def heat() -> str:
    """Draw which parsers err in which component."""
    table = FIGURES["trial"]
    left, step = 104, (WIDTH - 104) / len(COMPONENTS)
    parts = []
    for n, name in enumerate(COMPONENTS):
        x = left + step * (n + 0.6)  # upwards: ten names have no room beside each other
        parts.append(f'<g transform="rotate(-90 {x:g} 66)">{text(x, 66, name, "small")}</g>')
    told = []
    for at, (parser, row) in enumerate(table.items()):
        y = 72 + 20 * at
        parts.append(text(0, y + 13, parser.rpartition(" ")[0], "small"))
        for n, name in enumerate(COMPONENTS):
            mark = row.get(name, "")
            kind = ("right", "one-way", "both-ways")[len(mark)]
            told_here = {"": "no error", "▲": "accepts too much", "▼": "rejects too much",
                         "▲▼": "accepts and rejects too much"}[mark]  # fmt: skip
            place = left + step * n
            parts.append(box(place, y, step - 2, 18, kind, f"{parser}, {name}: {told_here}"))
            parts.append(text(place + step / 2 - 1, y + 13, mark or "·", "tiny", "middle"))
        wrong = [f"{name} {row[name]}" for name in COMPONENTS if row.get(name)]
        told.append(f"{parser}: {', '.join(wrong) or 'none'}")
    return picture("Parsers and the components in which they err", "; ".join(told), parts,
                   72 + 20 * len(table))  # fmt: skip


PICTURES: dict[str, Callable[..., str]] = {
    "anatomy": anatomy, "functions": functions, "resolution": resolution, "guarded": guarded,
    "presets": presets, "speed": speed, "heat": heat,
}  # fmt: skip


def railroad(grammar: str) -> str:
    """Draw all rules of a grammar, each linked to those that it uses."""
    rules = abnf2lark.load(grammar).known.rules
    drawing = Drawing(f"#{grammar}-{{}}")
    made = []
    for name, rule in rules.items():
        place = f"{grammar}-{name}"
        made.append(f'<section id="{place}"><h3>{name}</h3>')
        made.append(f'<div class="railroad" role="group" aria-label="{name} drawn">')
        made.append(f"{drawing.svg(rule)}</div></section>")
    return "".join(made)


class Picture(SphinxDirective):
    """A picture; the argument is its name, and what it takes."""

    required_arguments = 1
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Make it, with links from the page that it is on."""
        name, *more = self.arguments
        made = PICTURES[name](*more)
        up = "../" * self.env.docname.count("/")
        made = re.sub(r'<a href="(?!#)', rf"\g<0>{up}", made)
        return [nodes.raw("", f"<figure>{made}</figure>", format="html")]


class Railroad(SphinxDirective):
    """The rules of a grammar, drawn."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Make the diagrams."""
        return [nodes.raw("", railroad(self.arguments[0]), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.add_directive("picture", Picture)
    app.add_directive("railroad", Railroad)
    return {"parallel_read_safe": True}
