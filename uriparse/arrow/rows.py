"""Rows of texts as they lie in the buffers of an Arrow array, held to their bounds.

The kernel reads rows by their `facts`; in Python they are read here, by the same rules.
"""

from __future__ import annotations

from struct import unpack_from
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from uriparse.errors import URIError

if TYPE_CHECKING:
    from collections.abc import Iterator

Buffer: TypeAlias = bytes | bytearray | memoryview

VIEW = 16
"""Octets of a view, which stands in the place of an offset."""

_INLINE = 12
"""Texts of so many octets stand in their view."""

_KEYS = {-1: "=b", 1: "=B", -2: "=h", 2: "=H", -4: "=i", 4: "=I", -8: "=q", 8: "=Q"}
"""How keys are spelled, by their width."""


class ColumnError(URIError):
    """A column that contradicts itself, or has been released, so that its rows cannot be read.

    A capsule of Arrow is released by whoever reads it first: an object that gives the same capsule
    again can be read only once.
    """


class Texts(NamedTuple):
    """Octets, where each text of them lies, and which texts are there.

    Attributes:
        length, offset: of texts, from the one at the offset on.
        width: octets of a place: 4 or 8 for where a text begins, `VIEW` for a view.
        validity: a bit for each that is there; None where all are.
        places: one for each, and without views one more.
        data: the octets; as many parts as there are for views.

    """

    length: int
    offset: int
    width: int
    validity: Buffer | None
    places: Buffer
    data: tuple[Buffer, ...]


class Keys(NamedTuple):
    """Which text of a dictionary each row is.

    Attributes:
        offset: of the first key.
        width: octets of a key, below 0 where keys are signed.
        validity: a bit for each that is there; None where all are.
        octets: the keys.

    """

    offset: int
    width: int
    validity: Buffer | None
    octets: Buffer


class Facts(NamedTuple):
    """All of a column, as the kernel takes it."""

    length: int
    texts: Texts
    keys: Keys | None


class Rows:
    """A column of texts.

    owner: what keeps the buffers where they are.
    """

    __slots__ = ("_data", "_key_validity", "_owner", "_places", "_validity", "facts")

    def __init__(self, facts: Facts, owner: object = None) -> None:
        length, texts, keys = facts
        self.facts = facts
        self._owner = owner
        self._validity = _view(texts.validity)
        self._places = memoryview(texts.places)
        self._data = [memoryview(part) for part in texts.data]
        self._key_validity = None if keys is None else _view(keys.validity)
        end = texts.offset + texts.length
        numbers = end + (texts.width != VIEW) if end else 0
        fits = min(length, texts.length, texts.offset) >= 0
        fits = fits and len(self._places) >= numbers * texts.width
        fits = fits and _covers(self._validity, end)
        if keys is None:
            fits = fits and length == texts.length
        else:
            end = length + keys.offset
            fits = fits and keys.offset >= 0 and _covers(self._key_validity, end)
            fits = fits and memoryview(keys.octets).nbytes >= end * abs(keys.width)
        if not fits:
            raise ColumnError("column: its buffers are too small")

    def __len__(self) -> int:
        return self.facts.length

    def __iter__(self) -> Iterator[bytes | None]:
        return map(self.octets, range(len(self)))

    def octets(self, row: int) -> bytes | None:
        """Give the text of a row, None for a null; ColumnError where it lies out of bounds."""
        texts, keys = self.facts.texts, self.facts.keys
        if keys is not None:
            own = row + keys.offset
            if not _is_there(self._key_validity, own):
                return None
            (key,) = unpack_from(_KEYS[keys.width], keys.octets, own * abs(keys.width))
            if not 0 <= key < texts.length:
                raise outside(row)
            at = key + texts.offset
        else:
            at = row + texts.offset
        if not _is_there(self._validity, at):
            return None
        if texts.width == VIEW:
            return self._viewed(row, at)
        code = "=ii" if texts.width == 4 else "=qq"
        begin, end = unpack_from(code, self._places, at * texts.width)
        if not 0 <= begin <= end <= len(self._data[0]):
            raise outside(row)
        return bytes(self._data[0][begin:end])

    def _viewed(self, row: int, at: int) -> bytes:
        size, _, part, begin = unpack_from("=iiii", self._places, at * VIEW)
        if 0 <= size <= _INLINE:
            return bytes(self._places[at * VIEW + 4 : at * VIEW + 4 + size])
        if not (size >= 0 and begin >= 0 and 0 <= part < len(self._data)):
            raise outside(row)
        if begin + size > len(self._data[part]):
            raise outside(row)
        return bytes(self._data[part][begin : begin + size])


def outside(row: int) -> ColumnError:
    """Make the error for a row that the buffers do not hold."""
    return ColumnError(f"column: row {row} lies outside of its buffers")


def _view(given: Buffer | None) -> memoryview | None:
    return None if given is None else memoryview(given)


def _covers(bits: memoryview | None, count: int) -> bool:
    return bits is None or len(bits) * 8 >= count


def _is_there(bits: memoryview | None, at: int) -> bool:
    return bits is None or bool(bits[at >> 3] >> (at & 7) & 1)
