"""Read the packed tables of a grammar, `<grammar>.packed`: what only programs read.

Copied into packages that are built, so it needs nothing but the standard library.

A packed file is, in this order, all numbers being little-endian:

- the line ``abnf2lark tables 1``, where 1 is the version of this layout, and a line for people;
- the directory: one octet for the number of sections; for each section one octet for the length of
  its name, the name in ASCII, and four octets each for the length of its stream, the length of its
  content, and the CRC-32 of its content; after the last the CRC-32 of all octets so far;
- the streams, one after the other: each is a section's content, compressed by zlib.

The content of a section is a row of parts. A part is one octet for the length of its name, the name
in ASCII, one octet for its kind, four octets for the length of its body, and the body:

- ``o`` octets
- ``1``, ``2``, ``4`` unsigned numbers of so many octets
- ``l`` lists of numbers of four octets, each list after its length
- ``g`` a grid: four octets for its columns, then its cells row by row, two octets each
- ``w`` strings: four octets for how many, four octets each for their lengths in characters, then
  all their characters in UTF-8 (which may hold lone surrogates)
- ``j`` JSON

A mapping from strings to numbers is two parts: its keys, and under the same name with a "=" its
values. A list of lists of strings is all strings, and under the same name with a "#" the lengths.

Two files with the same content may differ in their streams, because releases of zlib do: compare
what `contents` returns.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from itertools import accumulate, pairwise
from typing import NoReturn

SUFFIX = ".packed"
MAGIC = b"abnf2lark tables "
VERSION = b"1"
LONGEST = 1 << 28
"""Octets of a section at most, so that a damaged length cannot ask for all memory."""

ABSENT = 0xFFFF
"""The cell of a grid where there is nothing."""

_WIDTHS = {b"1": 1, b"2": 2, b"4": 4}
_IS_LITTLE = sys.byteorder == "little"
_FROM_DIRECTORIES = "_frozen_importlib_external"  # where Python's own loaders of files are from


class TablesError(ImportError):
    """A packed file is missing, damaged, or of another version; the message says which and why."""


def _numbers(octets: bytes, width: int) -> tuple[int, ...]:
    """Return numbers of so many octets each; `struct` would take longer to load."""
    if width == 1:
        return tuple(octets)
    if _IS_LITTLE:  # memoryview reads numbers in the order of the processor
        view = memoryview(octets)
        return tuple(view.cast("H") if width == 2 else view.cast("I"))
    places = range(0, len(octets), width)
    return tuple([int.from_bytes(octets[at : at + width], "little") for at in places])


class Grid:
    """Rows of numbers of two octets, decoded when they are asked for; `ABSENT` is an empty cell."""

    __slots__ = ("_cells", "columns")

    def __init__(self, columns: int, cells: bytes) -> None:
        self.columns = columns
        self._cells = cells

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._cells) // (2 * self.columns) if self.columns else 0

    def row(self, number: int) -> tuple[int, ...]:
        """Return a row, from 0."""
        octets = 2 * self.columns
        return _numbers(self._cells[octets * number : octets * (number + 1)], 2)


class Section:
    """The parts of a section, by name; TablesError for a part that is missing or damaged."""

    def __init__(self, content: bytes, place: str) -> None:
        self._place = place
        self.parts: Mapping[str, tuple[bytes, bytes]] = dict(_parts(_Cursor(content, place)))

    def octets(self, name: str) -> bytes:
        """Return octets."""
        return self._body(name, b"o")

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return numbers."""
        kind, body = self.parts.get(name, (b"", b""))
        width = _WIDTHS.get(kind, 0)
        if not width or len(body) % width:
            _refuse(self._place, f"it has no numbers {name}")
        return _numbers(body, width)

    def lists(self, name: str) -> tuple[tuple[int, ...], ...]:
        """Return lists of numbers."""
        body = self._body(name, b"l")
        if len(body) % 4:
            _refuse(self._place, f"{name} ends in the middle")
        cells = _numbers(body, 4)
        found, at = [], 0
        while at < len(cells):
            stop = at + 1 + cells[at]
            if stop > len(cells):
                _refuse(self._place, f"{name} ends in the middle")
            found.append(cells[at + 1 : stop])
            at = stop
        return tuple(found)

    def grid(self, name: str) -> Grid:
        """Return a grid."""
        body = self._body(name, b"g")
        columns = int.from_bytes(body[:4], "little")
        if len(body) < 4 or (len(body) - 4) % (2 * columns or len(body)):
            _refuse(self._place, f"{name} has no whole rows")
        return Grid(columns, body[4:])

    def words(self, name: str) -> tuple[str, ...]:
        """Return strings."""
        cursor = _Cursor(self._body(name, b"w"), self._place)
        lengths = _numbers(cursor.take(4 * cursor.number()), 4)
        try:
            text = cursor.rest().decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            _refuse(self._place, f"{name} is not UTF-8")
        stops = list(accumulate(lengths, initial=0))
        if stops[-1] != len(text):
            _refuse(self._place, f"{name} ends in the middle")
        return tuple([text[at:stop] for at, stop in pairwise(stops)])

    def mapping(self, name: str) -> dict[str, int]:
        """Return a mapping from strings to numbers."""
        keys, values = self.words(name), self.numbers(f"{name}=")
        if len(keys) != len(values):
            _refuse(self._place, f"{name} has {len(keys)} keys and {len(values)} values")
        return dict(zip(keys, values, strict=True))

    def word_lists(self, name: str) -> tuple[tuple[str, ...], ...]:
        """Return lists of strings."""
        words, stops = self.words(name), list(accumulate(self.numbers(f"{name}#"), initial=0))
        if stops[-1] != len(words):
            _refuse(self._place, f"{name} has not the strings that its lists need")
        return tuple(words[at:stop] for at, stop in pairwise(stops))

    def json(self, name: str) -> object:
        """Return the value of a JSON text."""
        import json  # noqa: PLC0415 - slow to load, and few sections need it

        try:
            found: object = json.loads(self._body(name, b"j"))
        except (ValueError, RecursionError):
            _refuse(self._place, f"{name} is not JSON")
        return found

    def _body(self, name: str, kind: bytes) -> bytes:
        found, body = self.parts.get(name, (b"", b""))
        if found != kind:
            _refuse(self._place, f"it has no {name}")
        return body


def load(grammar: str, section: str) -> Section:
    """Return a section of a grammar of the package that this module is in."""
    place = f"{grammar}{SUFFIX}"
    return Section(content(_resource(place), section, place), f"{place}, {section}")


def content(data: bytes, section: str, place: str) -> bytes:
    """Return the content of one section of a packed file; `place` names it in errors."""
    found = _streams(data, place)
    if section not in found:
        _refuse(place, f"it has no section {section}")
    return _inflated(*found[section], f"{place}, {section}")


def contents(data: bytes, place: str) -> dict[str, bytes]:
    """Return the content of each section of a packed file; `place` names it in errors."""
    return {
        name: _inflated(stream, length, checksum, f"{place}, {name}")
        for name, (stream, length, checksum) in _streams(data, place).items()
    }


def _resource(name: str) -> bytes:
    """Return the octets of a file of this package."""
    package = import_module(__name__.rpartition(".")[0])
    loader = package.__spec__.loader if package.__spec__ else None
    try:
        # importlib.resources takes 10 ms to load. It is needed where the package is not a directory
        # but in a zip or a frozen program: only the loader knows how to read it there.
        if type(loader).__module__ == _FROM_DIRECTORIES and package.__file__:
            directory = os.path.dirname(package.__file__)  # noqa: PTH120 - pathlib is not loaded yet
            read: Callable[[str], bytes] = getattr(loader, "get_data")  # noqa: B009 - no type has it
            return read(os.path.join(directory, name))  # noqa: PTH118 - pathlib, too
        from importlib import resources  # noqa: PLC0415 - see above

        return resources.files(package).joinpath(name).read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise TablesError(f"{package.__name__}: cannot read {name}: {reason}") from None


def _streams(data: bytes, place: str) -> dict[str, tuple[bytes, int, int]]:
    """Check the directory; return stream, length and checksum of each section."""
    cursor = _Cursor(data, place)
    if cursor.line(len(MAGIC) + 8) != MAGIC + VERSION:
        if not data.startswith(MAGIC):
            _refuse(place, "it does not begin as packed tables do")
        told = f"this release reads version {VERSION.decode()}"
        raise TablesError(f"{place} is of another version; {told}: build it again")
    cursor.line(1000)
    entries = [
        (cursor.name(), cursor.number(), cursor.number(), cursor.number())
        for _ in range(cursor.take(1)[0])
    ]
    read = cursor.at
    if cursor.number() != _checksum(data[:read]):
        _refuse(place, "the checksum of its directory is wrong")
    if sum(stored for _, stored, _, _ in entries) != len(data) - cursor.at:
        _refuse(place, "its length is wrong")
    return {
        name: (cursor.take(stored), length, checksum) for name, stored, length, checksum in entries
    }


def _inflated(stream: bytes, length: int, checksum: int, place: str) -> bytes:
    from zlib import decompressobj, error  # noqa: PLC0415 - loaded for the first tables

    if length > LONGEST:
        _refuse(place, "it is too long")
    try:
        inflate = decompressobj()
        found = inflate.decompress(stream, length + 1)  # no more than one octet too many
    except error:
        _refuse(place, "it cannot be decompressed")
    if len(found) != length or not inflate.eof or inflate.unused_data:
        _refuse(place, "its length is wrong")
    if _checksum(found) != checksum:
        _refuse(place, "its checksum is wrong")
    return found


def _checksum(data: bytes) -> int:
    from zlib import crc32  # noqa: PLC0415 - same

    return crc32(data)


def _parts(cursor: _Cursor) -> Iterator[tuple[str, tuple[bytes, bytes]]]:
    while not cursor.is_at_end():
        name, kind = cursor.name(), cursor.take(1)
        yield name, (kind, cursor.take(cursor.number()))


class _Cursor:
    """Takes octets from the front; TablesError where there are not enough."""

    def __init__(self, data: bytes, place: str) -> None:
        self._data = data
        self._place = place
        self.at = 0

    def take(self, count: int) -> bytes:
        found = self._data[self.at : self.at + count]
        if len(found) != count:
            _refuse(self._place, "it ends in the middle")
        self.at += count
        return found

    def number(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def name(self) -> str:
        found = self.take(self.take(1)[0]).decode("latin-1")
        if not (found.isascii() and found.isprintable()):
            _refuse(self._place, "a name is not printable ASCII")
        return found

    def line(self, longest: int) -> bytes:
        end = self._data.find(b"\n", self.at, self.at + longest)
        if end < 0:
            _refuse(self._place, "it does not begin as packed tables do")
        return self.take(end + 1 - self.at)[:-1]

    def rest(self) -> bytes:
        return self.take(len(self._data) - self.at)

    def is_at_end(self) -> bool:
        return self.at >= len(self._data)


def _refuse(place: str, reason: str) -> NoReturn:
    raise TablesError(f"{place} is damaged: {reason}; install the package again, or build it")
