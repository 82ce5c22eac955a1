"""From the match of a rule's expression to a record at once.

That is for records whose fields are what is captured, and nothing else; those that add to it are
made by way of a mapping (see `reading`), which takes a fifth of the time more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from uriparse.schemes.captures import captured
from uriparse.schemes.url import URL, _unchecked_url, making

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from uriparse.schemes.captures import Expression
    from uriparse.schemes.encoding import Encoded

Reader: TypeAlias = "Callable[[str, str, str, Encoded | None], URL | None]"
"""Gives the record of a text; None if its URL is none of the scheme.

The text, and of it the URL, the name of the scheme in lower case, and the fragment.
"""

SHARED = frozenset(URL.__slots__)
"""The slots of every record, which are no rule's own text."""

_new = object.__new__
_new_text = str.__new__


class Named(NamedTuple):
    """Of a scheme its `name`, its `word` within the rule and its `default_port`."""

    name: str
    word: str | None
    port: int | None


class _Way(NamedTuple):
    """An expression, the slots that it never fills, and what fills the others.

    captures: the number of a group, its slot, the kind of field, and whether it is the first of
        the groups for that slot.
    """

    fullmatch: Callable[[str], re.Match[str] | None]
    empty: tuple[str, ...]
    captures: tuple[tuple[int, str, type[Encoded], bool], ...]


def is_direct(kind: type[URL]) -> bool:
    """Whether a record is made of what is captured, and nothing else."""
    own: bool = kind.complete.__func__ is URL.complete.__func__  # type: ignore[attr-defined]
    return own


def reader_of(kind: type[URL], expressions: tuple[Expression, ...], named: Named) -> Reader:
    """Give the reader of a scheme that has expressions."""
    draft, slots = making(kind)
    _, word, port = named
    fields = {slot for expression in expressions for _, slot, _ in expression.leaves}
    if not is_direct(kind) or not fields <= slots.keys():
        return _completing(kind, expressions, word, port)
    among = tuple(_way(expression, slots) for expression in expressions)

    def read(text: str, url: str, name: str, fragment: Encoded | None) -> URL | None:
        shift = 0
        if word is not None and word != name:
            url = word + url[len(name) :]
            shift = len(name) - len(word)
        for fullmatch, empty, captures in among:
            match = fullmatch(url)
            if match is None:
                continue
            record: URL = _new(draft)
            record._text = text  # noqa: SLF001 - a draft is filled from outside
            record.scheme = name
            record.default_port = port
            record.fragment = fragment
            for slot in empty:
                setattr(record, slot, None)
            places = match.regs
            for number, slot, field, is_first in captures:
                start, end = places[number]
                if start >= 0:
                    # As `_trusted_field` makes it: a call for each field is a tenth of the time.
                    value = _new_text(field, url[start:end])
                    value._start = None if start == end else start + shift  # noqa: SLF001 - same
                    setattr(record, slot, value)
                elif is_first:
                    setattr(record, slot, None)
            record.__class__ = kind
            return record
        return None

    return read


def _completing(
    kind: type[URL], expressions: tuple[Expression, ...], word: str | None, port: int | None
) -> Reader:
    """Give the reader for records that add something to what is captured."""

    def read(text: str, url: str, name: str, fragment: Encoded | None) -> URL | None:
        own, shift = url, 0
        if word is not None and word != name:
            own, shift = word + url[len(name) :], len(name) - len(word)
        found = captured(own, expressions, shift=shift)
        if found is None:
            return None
        found["_text"], found["scheme"], found["default_port"] = text, name, port
        found["fragment"] = fragment
        kind.complete(found, url)
        return _unchecked_url(kind, found)

    return read


def _way(expression: Expression, slots: dict[str, None]) -> _Way:
    seen = {*SHARED}
    captures = []
    for number, slot, field in expression.leaves:
        captures.append((number, slot, field, slot not in seen))
        seen.add(slot)
    empty = tuple(slot for slot in slots if slot not in seen)
    return _Way(expression.fullmatch, empty, tuple(captures))
