"""What references bring with them: from where they stand (RFC 3986 section 5), and how found."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING

from uriparse.text import Flag, How
from uriparse.text.references import REFERENCE
from uriparse.validation.findings import sign

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.parsing import Record
    from uriparse.resolution import BaseURI
    from uriparse.text import Found
    from uriparse.validation.findings import Sign
    from uriparse.validation.places import Places

_SUFFIX_MARK = "www."
_DOTS = (".", "..")


def reference_signs(record: Record, at: Places, base: BaseURI | None) -> Iterator[Sign]:
    """Say what is doubtful in a reference, given the base it is read against, if there is one."""
    if record.query is not None and at.query is not None:
        dots = _dot_segment(record.query)
        if dots is not None:
            here = (at.query[0] + dots[0], at.query[0] + dots[1])
            yield sign("dots-in-query", here, "query")
    yield from _escaped_signs(record)
    relative = record.scheme is None
    if relative and record.host is None:
        if record.path[: len(_SUFFIX_MARK)].lower() == _SUFFIX_MARK:
            yield sign("suffix-reference-guess", at.path, "path")
        if base is None:
            yield sign("no-base", (0, 0), None)
        elif base.source == "default":
            yield sign("default-base-used", (0, 0), None)
    if base is not None and record.host is None and record.scheme is not None and at.scheme:
        same = record.scheme.lower() == base.uri.scheme.lower()
        if same:
            yield sign("misformed-relative-reference", at.scheme, "scheme")
    excess = _excess(record, base)
    if excess is not None:
        yield sign("excess-dot-dot", (at.path[0] + excess, at.path[0] + excess + 2), "path")


def found_signs(found: Found) -> Iterator[Sign]:
    """Say what made a URI that was found in a text unsure."""
    whole = (0, len(str(found.uri)))
    if Flag.HYPHEN_LINE_BREAK in found.flags:
        yield sign("hyphen-line-break", whole, None)
    if found.how is How.SUFFIX:
        yield sign("suffix-reference-guess", whole, None)


def _escaped_signs(record: Record) -> Iterator[Sign]:
    """Find the first character reference of HTML; it is no part of any component as such."""
    text = str(record)
    if "&" in text and ";" in text:
        for reference in REFERENCE.finditer(text):
            if unescape(reference[0]) != reference[0]:
                yield sign("escaped-html", reference.span(), None)
                return


def _dot_segment(query: str) -> tuple[int, int] | None:
    """Where a dot segment stands between the slashes of a query, at least one of them."""
    if "/" not in query or "." not in query:
        return None
    offset = 0
    for segment in query.split("/"):
        if segment in _DOTS:
            return offset, offset + len(segment)
        offset += len(segment) + 1
    return None


def _excess(record: Record, base: BaseURI | None) -> int | None:
    """Where the first ".." stands that climbs above the root; None if there is none."""
    if ".." not in record.path:
        return None
    depth = 0
    if record.scheme is None and record.host is None and not record.path.startswith("/"):
        if base is None:
            return None
        depth = base.uri.path.count("/") - 1
    offset = 0
    for number, segment in enumerate(record.path.split("/")):
        if segment == "..":
            if depth <= 0:
                return offset
            depth -= 1
        elif segment != "." and (segment or number):
            depth += 1
        offset += len(segment) + 1
    return None
