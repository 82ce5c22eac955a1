"""Pictures as SVG within a page: they follow light and dark, and fit a window of 320 pixels.

A picture is drawn 300 units wide with text of 12, and scaled up to 30rem. `_static/pages.css` has
the colours: a shape has the class of its kind.
"""

from __future__ import annotations

from html import escape
from itertools import count
from textwrap import wrap

WIDTH = 300
"""Of a picture in units: a page leaves so many pixels on a phone."""
LETTER = 6.6
"""Units that a letter of code takes, at 11 units of height; prose takes less."""
LINE = 15
_numbers = count(1)


def text(x: float, y: float, written: str, kind: str = "", anchor: str = "start") -> str:
    """Return a line of text; `anchor` says which part of it is at `x`."""
    return (
        f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(written)}</text>'
    )


def box(x: float, y: float, width: float, height: float, kind: str, title: str = "") -> str:
    """Return a rectangle, whose title a pointer shows."""
    told = f"<title>{escape(title)}</title>" if title else ""
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect {place} rx="3" class="{kind}">{told}</rect>'


def line(*points: tuple[float, float], kind: str = "line") -> str:
    """Return a line through points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{path}" class="{kind}"/>'


def link(target: str, *parts: str) -> str:
    """Return parts that lead to a page, which is given as its file without an ending."""
    page, hash_, place = target.partition("#")
    return f'<a href="{page}.html{hash_}{place}">{"".join(parts)}</a>'


def lines(x: float, y: float, written: str, columns: int, kind: str = "") -> tuple[str, float]:
    """Return a text of several lines, and how high they are."""
    made = wrap(written, columns)
    return "".join(text(x, y + LINE * n, one, kind) for n, one in enumerate(made)), LINE * len(made)


def picture(title: str, description: str, parts: list[str], height: float) -> str:
    """Return a whole picture; the description says in words what is in it.

    A screen reader reads title and description, and the links if there are any.
    """
    number = next(_numbers)
    role = "group" if any(part.startswith("<a ") for part in parts) else "img"
    return (
        f'<svg class="picture" viewBox="0 0 {WIDTH} {height:g}" role="{role}" '
        f'aria-labelledby="picture-{number}" aria-describedby="picture-{number}-text">'
        f'<title id="picture-{number}">{escape(title)}</title>'
        f'<desc id="picture-{number}-text">{escape(description)}</desc>'
        f"{''.join(parts)}</svg>"
    )
