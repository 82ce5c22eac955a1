"""Mail as it is stored: the parts of a message that are quoted-printable (RFC 2045 section 6.7)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from uriparse.text.found import Flag
from uriparse.text.layer import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 1 << 16
"""Characters of a heading, or of a line, that are waited for; what is longer is no mail."""

_QUOTED = re.compile(r"(?:=[89A-Fa-f][0-9A-Fa-f])+|=[0-7][0-9A-Fa-f]|=[ \t]{0,76}\r?\n")
_TRIPLET = len("=XX")

_FIELD = re.compile("[!-9;-~]+:|From ")
_EMPTY_LINE = re.compile(r"^[ \t\r]*\n", re.MULTILINE)
_IS_QUOTED = re.compile(
    r"^content-transfer-encoding:\s*quoted-printable", re.IGNORECASE | re.MULTILINE
)
_ENCLOSES = re.compile(r"^content-type:\s*message/rfc822", re.IGNORECASE | re.MULTILINE)
_BOUNDARY = re.compile(r'boundary=(?:"([^"\n]+)"|([^\s";]+))', re.IGNORECASE)


class QuotedPrintable:
    """Decodes a message: each part that its heading says is quoted-printable, and no other.

    A text that does not begin with a heading is a part by itself, and is decoded.
    """

    def __init__(self) -> None:
        self._in_heading: bool | None = None  # None before the first line
        self._quoted = True
        self._boundaries: set[str] = set()

    def changes(self, text: str, *, final: bool) -> tuple[list[Change], int]:
        """Give the triplets, and the line breaks that are none; see `Decodes`."""
        found: list[Change] = []
        at, decided = 0, _whole(text, final=final)
        while at < decided:
            if self._in_heading is None:
                self._in_heading = _FIELD.match(text) is not None
            if not self._in_heading:
                quoted = self._quoted
                start, end, at = self._body(text, at, decided)
                if quoted:
                    found.extend(_decoded(text, start, end))
                continue
            empty = _EMPTY_LINE.search(text, at, decided)
            if empty is None and not final and decided - at < _LONGEST:
                break
            end = decided if empty is None else empty.end()
            self._heading(text[at:end])
            at = end
        return found, at

    def _heading(self, heading: str) -> None:
        """Read a heading; that of a message in a message is followed by another one."""
        self._quoted = _IS_QUOTED.search(heading) is not None
        self._in_heading = _ENCLOSES.search(heading) is not None
        self._boundaries |= {f"--{quoted or bare}" for quoted, bare in _BOUNDARY.findall(heading)}

    def _body(self, text: str, at: int, decided: int) -> tuple[int, int, int]:
        """Give where a body begins and ends, and where the line behind it does."""
        line = at
        while self._boundaries:
            if not text.startswith("--", line):
                line = text.find("\n--", line, decided) + 1
                if line == 0:
                    break
            end = text.find("\n", line, decided) + 1 or decided
            if self._ends_part(text[line:end].rstrip()):
                return at, line, end
            line = end
        return at, decided, decided

    def _ends_part(self, line: str) -> bool:
        """Whether a line ends a part; then a heading follows, or nothing that is encoded."""
        begins = line in self._boundaries
        if begins or line.removesuffix("--") in self._boundaries:
            self._in_heading, self._quoted = begins, False
            return True
        return False


def _whole(text: str, *, final: bool) -> int:
    """Return up to where lines are whole, or too long for that."""
    if final:
        return len(text)
    end = text.rfind("\n") + 1
    return end if len(text) - end <= _LONGEST else len(text) - _TRIPLET


def _decoded(text: str, start: int, end: int) -> Iterator[Change]:
    for quoted in _QUOTED.finditer(text, start, end):
        first, last = quoted.span()
        if text[last - 1] == "\n":
            # A line of nothing but a break that is none would be no line: it is an empty one.
            alone = first == start or text[first - 1] == "\n"
            yield Change(first, last, "\n" if alone else "", Flag.LINE_BREAK)
        else:
            yield Change(first, last, _characters(quoted[0]), Flag.ESCAPED)


@lru_cache(maxsize=256)
def _characters(triplets: str) -> str:
    octets = bytes.fromhex(triplets.replace("=", ""))
    return octets.decode("utf-8", "surrogateescape")
