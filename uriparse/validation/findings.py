"""What checks report: findings and hits, triplets of a text, ports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from uriparse._scheme_facts import schemes_with
from uriparse.records.spans import Span

if TYPE_CHECKING:
    from uriparse.diagnosis import Remedy
    from uriparse.errors import URISyntaxError


Layer: TypeAlias = Literal["syntax", "scheme", "agreement", "policy"]
"""Which question a finding answers.

"syntax": does the rule match the text? "scheme": what do the RFCs of URIs and of the scheme warn
of? "agreement": do all clients go to the same destination? "policy": does the caller allow it?
"""


class Severity(StrEnum):
    """How serious a finding is, in ascending order."""

    OFF = "off"
    """Not reported at all."""
    INFO = "info"
    """Worth knowing: some clients reject the text, none misreads it."""
    WARNING = "warning"
    """The RFCs or experience warn against it."""
    ERROR = "error"
    """A reason to refuse."""

    @property
    def rank(self) -> int:
        """The position in the order of severities, from 0."""
        return _ORDER.index(self)


_ORDER = tuple(Severity)


class Finding(NamedTuple):
    """One thing found in a text.

    code: the key in the `CATALOGUE`.
    severity: the severity that the policy sets.
    layer: which question it answers.
    span: where, in characters of the text; empty if something is missing there.
    component: the component that contains it (`"host"`, `"path"`...), None for the whole text.
    message: one sentence about this text, without a password.
    source: why this is a finding: the RFC and its section, or the clients that err.
    times: how often it occurs in that component; `span` is the first occurrence.
    error: the syntax error (`expected`, `rule`, `cause`...) for layer "syntax", else None.
    """

    code: str
    severity: Severity
    layer: Layer
    span: Span
    component: str | None
    message: str
    source: str
    times: int = 1
    error: URISyntaxError | None = None

    @property
    def offset(self) -> int:
        """The offset at which it begins, in characters from 0."""
        return self.span[0]

    @property
    def remedy(self) -> Remedy | None:
        """The edit that makes the text valid, if there is one that leaves nothing to choose.

        None for other layers than "syntax".
        """
        if self.error is None:
            return None
        from uriparse.diagnosis import find_remedy  # noqa: PLC0415 - for refused text alone

        return find_remedy(self.error, *vars(self.error)["_parsed_by"])

    def as_dict(self) -> dict[str, object]:
        """Return the finding as plain data for JSON."""
        facts: dict[str, object] = {
            "code": self.code,
            "severity": str(self.severity),
            "layer": self.layer,
            "offset": self.span[0],
            "end": self.span[1],
            "component": self.component,
            "message": self.message,
            "source": self.source,
        }
        if self.times > 1:
            facts["times"] = self.times
        if self.error is not None:
            facts["cause"] = self.error.cause
            facts["rule"] = self.error.rule
            facts["expected"] = list(self.error.expected)
        if self.remedy is not None:
            start, end = self.remedy.span
            facts["remedy"] = {"offset": start, "end": end, "replacement": self.remedy.replacement}
        return facts

    def __str__(self) -> str:
        return f"{self.severity} {self.code} at offset {self.span[0]}: {self.message}"


Hit: TypeAlias = tuple[str, Span, str | None, str, int]
"""A finding before a policy has judged it: code, span, component, detail, times.

What the checks yield. A plain tuple, since a text has a dozen of them and a NamedTuple takes twice
as long to make and to read.
"""


def hit(code: str, span: Span, component: str | None, detail: str = "", times: int = 1) -> Hit:
    """Make a hit; `detail` is what the message adds to the sentence of the code."""
    return code, span, component, detail, times


def span_of(piece: str, text: str, delimiter: str, start: int) -> Span:
    """Return the span of the first piece of a delimited text, which begins at `start`."""
    at = start + f"{delimiter}{text}{delimiter}".index(f"{delimiter}{piece}{delimiter}")
    return at, at + len(piece)


def odd_pieces(
    code: str, odd: Sequence[str], text: str, delimiter: str, start: int, component: str
) -> Iterator[Hit]:
    """Report the pieces of a delimited text that are odd, if any, at the first of them."""
    if odd:
        yield hit(code, span_of(odd[0], text, delimiter, start), component, "", len(odd))


# Percent-encoded triplets of a valid text, with their offsets.


def triplets_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield the offset and the text of each triplet, in order; every "%" begins one."""
    at = text.find("%")
    while at >= 0:
        yield at, text[at : at + 3]
        at = text.find("%", at + 3)


def octet_of(triplet: str) -> int:
    """Return the octet that a triplet encodes."""
    return int(triplet[1:], 16)


def characters_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield the offset and the value of each non-ASCII character that triplets encode in UTF-8.

    An octet that is not UTF-8 becomes a lone surrogate, as with `surrogateescape`.
    """
    run, start, after = bytearray(), 0, 0
    for at, triplet in triplets_in(text):
        octet = octet_of(triplet)
        if run and (at != after or octet < 0x80):
            yield from _decoded(run, start)
            run.clear()
        if octet > 0x7F:
            start = start if run else at
            run.append(octet)
            after = at + 3
    yield from _decoded(run, start)


def is_stray_octet(char: str) -> bool:
    """Return whether a character of `characters_in` represents an octet that is not UTF-8."""
    return "\udc80" <= char <= "\udcff"


def _decoded(run: bytearray, start: int) -> Iterator[tuple[int, str]]:
    for char in run.decode("utf-8", "surrogateescape"):
        yield start, char
        start += 3 * len(char.encode("utf-8", "surrogateescape"))


# Ports.

BAD_PORTS: Final = frozenset(
    {
        *(0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95),
        *(101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161),
        *(179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563),
        *(587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061),
        *(6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080),
    }
)
"""The "bad ports" of the Fetch standard ("port blocking"), as of 2026-11."""

BLOCKED: Final = frozenset(map(str, BAD_PORTS))
"""The bad ports as text without leading zeros."""

BLOCKING: Final = schemes_with("fetched")
"""The schemes for which the Fetch standard blocks bad ports; it fetches ws and wss as http(s)."""
