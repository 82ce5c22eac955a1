"""Rows of texts in Arrow buffers, read by the kernel or in Python, and the columns made of them."""

from __future__ import annotations

from array import array
from functools import cache
from itertools import accumulate
from operator import attrgetter
from struct import pack, unpack_from
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from uriparse._native import native_rule, tagged, tagged_octets
from uriparse.coerce import as_str
from uriparse.errors import URIError
from uriparse.grammar import matcher, rule_name
from uriparse.grammar.automata import longest_prefix
from uriparse.parsing.readers import reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from uriparse._native._kernel import Block, Rule


# Rows of texts as they lie in the buffers of an Arrow array, held to their bounds.
#
# The kernel reads rows by their `facts`; in Python they are read here, by the same rules.

Buffer: TypeAlias = bytes | bytearray | memoryview

VIEW = 16
"""Octets of a view, which stands in the place of an offset."""

_INLINE = 12
"""Texts of so many octets stand in their view."""

_KEY_FORMATS = {-1: "=b", 1: "=B", -2: "=h", 2: "=H", -4: "=i", 4: "=I", -8: "=q", 8: "=Q"}
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
            (key,) = unpack_from(_KEY_FORMATS[keys.width], keys.octets, own * abs(keys.width))
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


# New columns: their types, and their values in buffers laid out as Arrow has them.

if TYPE_CHECKING:
    Octets: TypeAlias = bytes | Block

TOO_LONG = (
    "column: what is made of it takes more octets than offsets of 32 bits can count:"
    " give it as large_string, or in smaller pieces"
)


class Type(NamedTuple):
    """A type, as Arrow writes it; `""` for the name of one that stands alone."""

    format: str
    name: str = ""
    children: tuple[Type, ...] = ()


class Values(NamedTuple):
    """The values of a column: its rows, its nulls, its buffers, and the columns in it."""

    length: int
    nulls: int
    buffers: tuple[Octets | None, ...]
    children: tuple[Values, ...] = ()


Outcome: TypeAlias = "tuple[int, Octets | None, Octets, Octets | None]"
"""What is made of a column: how many nulls, what is no null, values, and the octets of texts."""

BOOL = Type("b")
INT64 = Type("l")


def text_type(width: int, name: str = "") -> Type:
    """Give the type of texts whose beginnings take so many octets each."""
    return Type("u" if width == 4 else "U", name)


def values_of(length: int, outcome: Outcome) -> Values:
    """Give an outcome as values."""
    nulls, validity, values, data = outcome
    buffers = (validity, values) if data is None else (validity, values, data)
    return Values(length, nulls, buffers)


def flags(values: Sequence[bool | None]) -> Outcome:
    """Write verdicts, None for null."""
    return *_validity(values), _bits([value is True for value in values]), None


def numbers(values: Sequence[int | None]) -> Outcome:
    """Write whole numbers, None for null."""
    return *_validity(values), array("q", [value or 0 for value in values]).tobytes(), None


def texts(values: Sequence[bytes | None], width: int) -> Outcome:
    """Write texts, None for null; ColumnError for more than the width of beginnings allows."""
    begins = list(accumulate((len(value or b"") for value in values), initial=0))
    if width == 4 and begins[-1] > _MOST:
        raise ColumnError(TOO_LONG)
    places = array("i" if width == 4 else "q", begins).tobytes()
    return *_validity(values), places, b"".join(value for value in values if value)


_MOST = (1 << 31) - 1


def _validity(values: Sequence[object]) -> tuple[int, bytes | None]:
    nulls = sum(value is None for value in values)
    return nulls, _bits([value is not None for value in values]) if nulls else None


def _bits(values: list[bool]) -> bytes:
    digits = "".join("01"[value] for value in reversed(values))
    return int(digits or "0", 2).to_bytes((len(values) + 7) // 8, "little")


# Columns read row by row in Python, by the matchers and automata that single texts are read by.
#
# For rules that the kernel has no tables of, and where there is no kernel.

COMPONENTS = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"]
COLUMNS = (*COMPONENTS, "host_kind")
"""What a text is split into."""

_parts = attrgetter(*COMPONENTS)


class ByRows:
    """A rule that reads columns."""

    def __init__(self, rule: str, grammar: str) -> None:
        self._rule = rule
        self._grammar = grammar

    def verdicts(self, rows: Rows) -> Outcome:
        """Tell whether each row is a text of the rule."""
        fullmatch = matcher(self._rule, self._grammar).fullmatch
        return flags([o if o is None else fullmatch(text_of(o)) is not None for o in rows])

    def stops(self, rows: Rows) -> Outcome:
        """Tell where each row cannot go on."""
        return numbers([o if o is None else self._stop(text_of(o)) for o in rows])

    def split(self, rows: Rows, width: int) -> tuple[Outcome, ...]:
        """Tell which rows are references, their components, and the kinds of their hosts."""
        read = reader(self._rule, self._grammar)
        found: list[tuple[bytes | None, ...]] = []
        for octets in rows:
            record = None if octets is None else read(text_of(octets))
            if record is None:
                found.append(_NOTHING)
                continue
            parts = [None if part is None else str(part).encode() for part in _parts(record)]
            kind = None if record.host is None else type(record.host).__name__.encode()
            found.append((b"", *parts, kind))
        whole, *columns = zip(*found, strict=True) if found else [()] * len(_NOTHING)
        return flags(whole), *(texts(column, width) for column in columns)

    def _stop(self, text: str) -> int | None:
        stop = longest_prefix(text, self._rule, self._grammar)
        return None if stop.may_end and stop.offset == len(text) else stop.offset


_NOTHING = (None,) * (len(COMPONENTS) + 2)


def text_of(octets: bytes) -> str:
    """Read octets as UTF-8; for what is none stand characters that no rule reads."""
    return octets.decode("utf-8", "surrogateescape")


# Columns read by the kernel, without Python's lock.

_T = TypeVar("_T")

Wanted: TypeAlias = "tuple[tuple[int, ...]] | tuple[int, tuple[bytes, ...]]"
"""A column that is made of texts: the fields that it goes over; or a constant and its names."""


class ByKernel:
    """A rule that reads columns."""

    def __init__(self, rule: Rule, grammar: str) -> None:
        self._rule = rule
        self._grammar = grammar

    def verdicts(self, rows: Rows) -> Outcome:
        """Tell whether each row is a text of the rule."""
        return asked(self._rule.verdicts, rows.facts)

    def stops(self, rows: Rows) -> Outcome:
        """Tell where each row cannot go on."""
        return asked(self._rule.stops, rows.facts)

    def split(self, rows: Rows, width: int) -> tuple[Outcome, ...]:
        """Tell which rows are references, their components, and the kinds of their hosts."""
        return asked(self._rule.split, rows.facts, wanted(self._grammar), width)


@cache
def wanted(grammar: str) -> tuple[Wanted, ...]:
    """Give the columns that make a split one: the fields that each goes over, or its names."""
    told = tagged(grammar)
    spans = {field: [field] for field in told.FIELDS}
    spans["authority"] = ["userinfo", "host", "port"]
    kinds = told.KINDS["host"]
    names = tuple(name.encode() for name in told.CONSTANTS[kinds])
    fields = [tuple(map(told.FIELDS.index, spans[name])) for name in COMPONENTS]
    return *((numbers,) for numbers in fields), (kinds, names)


def asked(function: Callable[..., _T], *args: object) -> _T:
    """Ask the kernel; what it says of a column is a ColumnError."""
    try:
        return function(*args)
    except OverflowError:
        said = TOO_LONG
    except ValueError as error:
        said = f"column: {error}"
    raise ColumnError(said)


# What the kernel is to make of columns, in octets, for engines that call it themselves.
#
# An order holds the tables too, so that it can be carried out in any process and on any machine.

FORMAT = 1
"""Of orders, which `polars.c` reads."""


def order(rule: str, grammar: str, columns: tuple[str, ...] = ()) -> bytes | None:
    """Write the order to judge texts by a rule, or to make columns of them; None without kernel.

    None as well for a rule that the kernel has no tables of. UnknownRuleError if there is no such
    rule, or none that yields references where columns are asked for.

    columns: of `COLUMNS`.
    """
    name = rule_name(as_str(rule, "rule"), as_str(grammar, "grammar"))
    if columns:
        reader(name, grammar)
    if native_rule(name, grammar, len) is None:
        return None
    start = tagged(grammar).STARTS[name]
    asked = dict(zip(COLUMNS, wanted(grammar), strict=True)) if columns else {}
    head = pack("<4sHHB", b"ASKS", FORMAT, start, len(columns))
    parts = [_counted(name.encode()) + _column(asked[name]) for name in columns]
    return b"".join([head, *parts, _tables(grammar)])


_tables = cache(tagged_octets)


def _column(asked: Wanted) -> bytes:
    if len(asked) == 1:
        return _counted(bytes(asked[0]))
    constant, names = asked
    return bytes([0, constant, len(names)]) + b"".join(map(_counted, names))


def _counted(octets: bytes) -> bytes:
    return bytes([len(octets)]) + octets
