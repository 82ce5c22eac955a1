"""A colon that may be a scheme's, and what stands before that scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uriparse.text.patterns import BLANKS, FAR
from uriparse.text.run import scheme_start
from uriparse.text.schemes import LONGEST, Schemes, Shape, shape

if TYPE_CHECKING:
    from uriparse.text.patterns import Patterns

_URL = "url"
_PREFIX = f"{_URL}:"

LOOK_BACK = 2 * FAR + LONGEST + len(_PREFIX) + 2
"""Characters before a colon that may belong to what is found there: all that has to be kept."""


class Candidate(NamedTuple):
    """A place where a scheme may begin a URI.

    Attributes:
        start: where the scheme begins.
        body: where its colon has been passed.
        shape: what has to follow.
        whole: where the prefix begins, or else the scheme.
        opener: `<` or `"` where one precedes that, else "".
        outside: where that delimiter is, or else `whole`.
        spaced: whether white space stands between the delimiter and `whole`.

    """

    start: int
    body: int
    shape: Shape
    whole: int
    opener: str
    outside: int
    spaced: bool

    @property
    def prefixed(self) -> bool:
        """Whether `URL:` precedes the scheme."""
        return self.whole < self.start


def candidate(
    text: str, colon: int, floor: int, patterns: Patterns, schemes: Schemes
) -> Candidate | None:
    """Judge a colon by what precedes it, no further back than `floor`."""
    start = scheme_start(text, colon, floor, patterns)
    if start is None:
        return None
    name = text[start:colon].lower()
    if name == _URL:
        return None
    before = _before(text, start, floor)
    whole = start
    prefix = before - len(_PREFIX)
    if (
        prefix >= floor
        and text[before - 1] == ":"
        and text[prefix:before].lower() == _PREFIX
        and (prefix == floor or text[prefix - 1] not in patterns.scheme_characters)
    ):
        whole = prefix
        before = _before(text, whole, floor)
    opener = text[before - 1] if before > floor else ""
    apart = before < start and whole + len(_PREFIX) < start and opener != "<"
    fitting = shape(name, schemes, announced=whole < start and not apart)
    if fitting is None:
        return None
    spaced = before < whole
    if opener == "<" or (opener == '"' and not spaced):
        return Candidate(start, colon + 1, fitting, whole, opener, before - 1, spaced)
    return Candidate(start, colon + 1, fitting, whole, "", whole, spaced)


def _before(text: str, at: int, floor: int) -> int:
    """Return where white space before a place begins."""
    if at <= floor or text[at - 1] not in BLANKS:
        return at
    first = max(floor, at - FAR)
    return first + len(text[first:at].rstrip(BLANKS))
