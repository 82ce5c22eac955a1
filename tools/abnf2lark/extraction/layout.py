"""The lines of an RFC's plain text, without its pages, and its sections."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

FORM_FEED = "\f"
# Python counts these as line ends, editors do not; line numbers are to be those of editors.
_NO_LINE_ENDS = dict.fromkeys(map(ord, "\r\v\x1c\x1d\x1e\x85\u2028\u2029\ufeff"), " ")
_PAGE = re.compile(r"\[ *Page +\w+ *\]$")
_FOOT = re.compile(rf"{_PAGE.pattern}|(?:^| )- *[0-9]+ *-(?: |$)")
_HEAD = re.compile(
    r"^(?:RFC *(?:# *)?[0-9]+|Internet[ -]Draft)\b.*[0-9]{4}$|.* RFC *(?:# *)?[0-9]+$"
)
_SIGNS = frozenset('"%=*[]|<>')  # of ABNF; running heads and feet hold none


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its number in the file, from 1; ``after_break``: it is the first of a page."""

    number: int
    text: str
    after_break: bool = False

    @property
    def depth(self) -> int:
        """The number of spaces before the text."""
        return len(self.text) - len(self.text.lstrip())


def printed_lines(text: str) -> list[str]:
    """Cut a text into lines as editors count them, with spaces for all blanks except form feeds."""
    lines = text.replace("\r\n", "\n").translate(_NO_LINE_ENDS).split("\n")
    return [line.expandtabs().rstrip(" ") for line in lines]


def without_pages(printed: Sequence[str]) -> list[Line]:
    """Leave out form feeds, heads and feet, and the blank lines between them."""
    lines = [line.replace(FORM_FEED, "") for line in printed]
    gaps = _gaps(printed, lines)
    ends = {end for gap in gaps for end in gap if 0 <= end < len(lines)}
    known = Counter(_shape(lines[end]) for end in ends)
    dropped: set[int] = set()
    first: set[int] = set()
    for foot, head in gaps:
        dropped.update(range(foot + 1, head))
        last = lines[foot]
        recurring = known[_shape(last)] > 1 and _SIGNS.isdisjoint(last)
        if foot >= 0 and (recurring or _FOOT.search(last)):
            dropped.add(foot)
        begin = head
        if head < len(lines) and _is_head(lines, head, footed=foot in dropped):
            begin = next((n for n in range(head + 1, len(lines)) if lines[n].strip()), len(lines))
            dropped.update(range(head, begin))
        first.add(begin)
    return [
        Line(number, line, number - 1 in first)
        for number, line in enumerate(lines, 1)
        if number - 1 not in dropped
    ]


def _gaps(printed: Sequence[str], lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return for each page's end the last line with text before it and the first one after it."""
    gaps: list[tuple[int, int]] = []
    foot, broken = -1, False
    for number, line in enumerate(lines):
        broken |= FORM_FEED in printed[number] and not _ends_a_page(printed[number])
        if line.strip():
            if broken:
                gaps.append((foot, number))
            foot, broken = number, _ends_a_page(printed[number])
    return [*gaps, (foot, len(lines))]


def _ends_a_page(line: str) -> bool:
    """Return whether the page ends after a line: it is a foot, or the form feed is at its end."""
    return bool(line.partition(FORM_FEED)[0].strip() if FORM_FEED in line else _PAGE.search(line))


def _shape(line: str) -> str:
    """Return what is the same of a head or a foot on all pages: no numbers, no wide spaces."""
    return re.sub("[0-9]+", "0", " ".join(line.split()))


def _is_head(lines: Sequence[str], place: int, *, footed: bool) -> bool:
    """Return whether a page's first line is a head; after a foot, if it has no signs of ABNF."""
    if place + 1 < len(lines) and lines[place + 1].strip():
        return False
    return bool(_HEAD.match(lines[place].strip())) or (footed and _SIGNS.isdisjoint(lines[place]))


# The sections of a document: which of several definitions counts depends on them.

_SECTION = re.compile(
    r"(?:Appendix +)?(?P<number>[0-9]+(?:\.[0-9]+)*|[A-Z](?:\.[0-9]+)*(?=\.|$))\.?"
    r"(?: +(?P<title>\S.*))?|#{1,6} +(?P<heading>[^{]*[^{ ]).*"
)
_CONTENTS = re.compile(r"(?:\. ?){3}|\s[0-9]+$")  # a line of a table of contents
_INFORMATIVE = re.compile(
    r"\binformati(?:ve|onal only)\b|\bnon-?normative\b|\bnot normative\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A section of a document; ``informative``: it says that it is not normative."""

    name: str
    title: str
    first: int
    informative: bool = False

    @property
    def chapter(self) -> str:
        """The first part of its number, or its title."""
        return self.name.partition(".")[0]

    def is_in(self, wanted: str) -> bool:
        """Return whether it is the wanted section, by number or title, or is inside it."""
        known = self.name.casefold()
        key = re.sub("^(?:appendix|section) +", "", wanted.casefold()).rstrip(".")
        return known == key or known.startswith(f"{key}.") or self.title.casefold() == key


def sections(lines: Iterable[Line]) -> list[DocumentSection]:
    """Return the sections of a document in its order; the first is what is before all of them."""
    found = [DocumentSection("", "", 0)]
    for line in lines:
        head = _SECTION.fullmatch(line.text)
        if head is not None and _CONTENTS.search(line.text) is None:
            title = head["heading"] or head["title"] or ""
            found.append(DocumentSection(head["number"] or title, title, line.number))
        elif not found[-1].informative and _INFORMATIVE.search(line.text):
            found[-1] = replace(found[-1], informative=True)
    return found
