"""How the readings of a text differ from ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from uriparse.cli.coprocess import Silence
from uriparse.cli.readers.reading import Refusal, our_reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uriparse.cli.readers.reading import Outcome, Reading

Verdict: TypeAlias = Literal["same", "elsewhere", "target", "refuses", "silent"]
"""`elsewhere`: another scheme, host or port; `target`: only another path or query."""


class Member(NamedTuple):
    """A reader that is installed.

    Attributes:
        name: the reader's.
        version: its version, "?" where it could not be started.

    """

    name: str
    version: str


class Row(NamedTuple):
    """A reader and what it made of the text."""

    member: Member
    outcome: Outcome
    verdict: Verdict


class Comparison(NamedTuple):
    """What everybody makes of one text.

    Attributes:
        text: the text.
        ours: our own reading of it.
        rows: the others', in the order of the panel.

    """

    text: str
    ours: Reading | Refusal
    rows: tuple[Row, ...]

    @property
    def agree(self) -> bool:
        """Whether all who read the text read it as we do; who refuses it goes nowhere else."""
        return not any(row.verdict in {"elsewhere", "target"} for row in self.rows)


def compare(text: str, members: Sequence[Member], outcomes: Sequence[Outcome]) -> Comparison:
    """Set what readers made of a text beside our reading of it."""
    ours = our_reading(text)
    pairs = zip(members, outcomes, strict=True)
    rows = tuple(Row(member, outcome, verdict(ours, outcome)) for member, outcome in pairs)
    return Comparison(text, ours, rows)


def verdict(ours: Reading | Refusal, theirs: Outcome) -> Verdict:
    """Tell where a reader goes with a text, compared with us.

    What we refuse has no destination, so whoever reads it goes elsewhere. An empty host and none
    are one here, since many readers do not tell them apart; and where there is none, a port is
    the port of nothing.
    """
    if isinstance(theirs, Silence):
        return "silent"
    if isinstance(theirs, Refusal):
        return "refuses"
    if isinstance(ours, Refusal) or _destination(theirs) != _destination(ours):
        return "elsewhere"
    return "same" if theirs.target == ours.target else "target"


def _destination(reading: Reading) -> tuple[object, ...]:
    return (reading.scheme, reading.host, reading.port) if reading.host else (reading.scheme,)
