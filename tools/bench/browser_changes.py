"""What browsers change in texts: how many of them have each change, and become URIs by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .tables import table


@dataclass
class Changes:
    """What became of texts.

    Attributes:
        texts: their number.
        unchanged, refused: those that are their own URL, and those that browsers refuse.
        steps: by the standard's name of a change, those that have it.
        failures: by the standard's name of a failure, those that are refused for it.
        saved, lost: those that only as URLs are URIs, and those that only are as they stand.

    """

    texts: int = 0
    unchanged: int = 0
    refused: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    saved: int = 0
    lost: int = 0


def measure(texts: Sequence[str]) -> Changes:
    """Read texts as browsers do."""
    from uriparse import is_valid, whatwg

    found = Changes(len(texts))
    for text in texts:
        is_uri = is_valid(text)
        try:
            url = whatwg.parse(text)
        except whatwg.URLError as error:
            found.refused += 1
            found.failures[error.failure] += 1
            found.lost += is_uri
            continue
        found.unchanged += not url.changes
        found.steps.update({change.step for change in url.changes})
        becomes = is_valid(url)
        found.saved += becomes and not is_uri
        found.lost += is_uri and not becomes
    return found


def render(found: Changes) -> str:
    """One table."""
    body = [
        ["unchanged", str(found.unchanged)],
        *([step, str(count)] for step, count in found.steps.most_common()),
        *([f"refused: {name}", str(count)] for name, count in found.failures.most_common()),
        ["no URI, whose URL is one", str(found.saved)],
        ["a URI, whose URL is none", str(found.lost)],
    ]
    return table("what browsers change", ["", f"of {found.texts}"], body)
