"""Functions of columns that call Python: once for a distinct text, or for a pair of texts."""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from uriparse import iri, keys, schemes
from uriparse._base.coerce import as_choice, as_str
from uriparse._native import kernel
from uriparse.arrow.column import BOOL, ChunkedColumn, Column, flags, text_type, texts, values_of
from uriparse.arrow.importing import (
    ColumnError,
    ImportedColumn,
    Rows,
    SupportsArrowArray,
    SupportsArrowStream,
    asked,
    import_column,
)
from uriparse.arrow.judging import get, given, normalize, prepare, targets, way_of
from uriparse.arrow.reading import ByKernel, text_of
from uriparse.components.query_edits import query_values
from uriparse.components.redaction import BEFORE_NAMES, Redaction, searched_triplets
from uriparse.errors import URIError
from uriparse.keys.profiles import LEVELS as LEVELS_OF_KEYS
from uriparse.parsing import Record, Reference, common_grammar, try_parse
from uriparse.records import URI
from uriparse.records.references import (
    REFERENCE_RULES,
    URI_RULES,
    absolute,
    as_reference,
    redacted_by,
)
from uriparse.records.rewriting import rewriter
from uriparse.resolution import resolve as target_of
from uriparse.schemes.equivalence import LEVELS, is_ruled

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from uriparse._base.coerce import Data
    from uriparse._compiled.names import RecordGrammar
    from uriparse._native._kernel import Block
    from uriparse.arrow.column import Outcome, Type, Values
    from uriparse.arrow.importing import ArrowColumn
    from uriparse.components.redaction import Names
    from uriparse.components.secret_names import Profile as SecretNames
    from uriparse.keys import Profile, Step
    from uriparse.percent import OctetErrors, Separator
    from uriparse.schemes.equivalence import Level

    OneOrMany: TypeAlias = Reference | ArrowColumn
    """One for all rows, or a column of them."""

_T = TypeVar("_T")

# A column by its distinct texts.


def named(
    numbers: Sequence[int] | Block, size: int, names: tuple[bytes | None, ...], width: int
) -> Outcome:
    """Write the names of numbers, which have 1 or 4 octets; null for a number without a name."""
    if kernel is not None:
        outcome: Outcome = asked(kernel.named, numbers, size, names, width)
        return outcome
    found = memoryview(bytes(numbers)).cast("B" if size == 1 else "i")
    return texts([names[one] if 0 <= one < len(names) else None for one in found], width)


def numbered(rows: Rows) -> tuple[Block | bytes, list[bytes]]:
    """Return the number of each row's text, in 4 octets, -1 for null, and the distinct texts."""
    if kernel is not None:
        found: tuple[Block, list[bytes]] = asked(kernel.distinct, rows.facts)
        return found
    known: dict[bytes | None, int] = {}
    numbers = array("i", [-1 if o is None else known.setdefault(o, len(known)) for o in rows])
    return numbers.tobytes(), [*known]  # type: ignore[list-item]  # None is not among them


def of_texts(column: ArrowColumn, function: Callable[[str], str | None]) -> ChunkedColumn:
    """Return what a function makes of each text; null for None, a URIError, and for null."""
    prepare()
    made = _of_octets(function)

    def names(rows: Rows, width: int) -> Outcome:
        numbers, distinct = numbered(rows)
        return named(numbers, 4, tuple(map(made, distinct)), width)

    return _written(column, names)


def _written(column: ArrowColumn, write: Callable[[Rows, int], Outcome]) -> ChunkedColumn:
    """Return the texts that a function writes for rows, with beginnings of a width."""
    imported = import_column(column)
    width = imported.place_width
    return given(imported, text_type(width), lambda rows: values_of(len(rows), write(rows, width)))


def _of_octets(function: Callable[[str], str | None]) -> Callable[[bytes], bytes | None]:
    def made(octets: bytes) -> bytes | None:
        try:
            found = function(text_of(octets))
        except URIError:
            return None
        return None if found is None else found.encode()

    return made


# Texts of which most stay as they are.


class _Known(dict[bytes, bool]):
    """By the name of a pair whether it is listed, as a function says of names."""

    def __init__(self, is_listed: Callable[[str], bool]) -> None:
        super().__init__()
        self._is_listed = is_listed

    def __missing__(self, name: bytes) -> bool:
        if len(self) >= _MOST_NAMES:
            self.clear()
        found = self[name] = self._is_listed(text_of(name))
        return found


_MOST_NAMES = 1 << 14

# What an octet means for whether a text is looked at: `lookups.c` has the same numbers.
_LOOKED_AT, _BEGINS_NAME, _ENDS_NAME, _TRIPLET, _LOOKED_AT_ENCODED = (1 << bit for bit in range(5))


class _Marks(NamedTuple):
    """What has Python look at a text; all others stay as they are.

    flags: by their octets, the characters that do, or begin or end the name of a pair.
    is_listed: whether the name of a pair does.
    part: the component with the pairs; None for the whole text.
    is_drop: whether all that a change does is to drop the listed pairs, as the kernel can.
    """

    flags: Mapping[int, int]
    is_listed: Callable[[str], bool] = bool
    part: str | None = None
    is_drop: bool = False


_EVERY = _Marks(dict.fromkeys(range(0x100), _LOOKED_AT))
_QUERIES = _Marks({}, lambda _: True, "query")


def _changed(
    column: ArrowColumn, grammar: str, marks: _Marks, change: Callable[[Record], str]
) -> ChunkedColumn:
    """Return what a function makes of each reference; null where the text is refused."""
    name = as_choice(as_str(grammar, "grammar"), "grammar", tuple(REFERENCE_RULES))
    way = way_of(REFERENCE_RULES[name], name)

    def made(text: str) -> str | None:
        record = try_parse(text, grammar=name)
        return None if record is None else change(record)

    if not isinstance(way, ByKernel):
        return of_texts(column, made)
    flags = bytes(marks.flags.get(octet, 0) for octet in range(0x100))
    function = None if marks.is_drop else lru_cache(_MOST_NAMES)(_of_octets(made))
    how = marks.part, flags, _Known(marks.is_listed), function
    return _written(column, lambda rows, width: way.changed(rows, *how, width))


def query_value(
    column: ArrowColumn,
    name: Data,
    *,
    plus: bool = True,
    separator: Separator = "&",
    errors: OctetErrors = "strict",
    grammar: RecordGrammar | str = "rfc3986",
) -> ChunkedColumn:
    """Return the first value of a name in each row's query, decoded: a column of texts.

    name, plus, separator, errors: as for the method `query_value` of references. Null without such
    a pair or without its "=", for a value that cannot be decoded, where the text is refused, and
    for null.

    >>> import pyarrow
    >>> pyarrow.array(query_value(pyarrow.array(["/?q=a+b&c", "/?c", "a b"]), "q")).to_pylist()
    ['a b', None, None]
    """
    known = as_choice(as_str(grammar, "grammar"), "grammar", tuple(REFERENCE_RULES))

    def first(query: str) -> str | None:
        if sure is not None and sure not in query and "%" not in query and "+" not in query:
            return None
        found = query_values(query, name, plus=plus, separator=separator, errors=errors)
        return found[0] if found else None

    sure = None
    first("")  # arguments are checked without rows, too
    sure = name if isinstance(name, str) else None  # what a query has that has no other spelling
    return of_texts(get(column, "query", grammar=known), first)


def strip_query(
    column: ArrowColumn,
    names: Collection[str] | None = None,
    prefixes: Collection[str] = (),
    *,
    grammar: RecordGrammar | str = "rfc3986",
) -> ChunkedColumn:
    """Remove pairs of some names from each row's query: a column of texts.

    names, prefixes: as for `uriparse.keys.drop_query`; by default both are those of tracking
        parameters (`uriparse.keys.tracking_names`). Null where the text is refused, and for null.

    >>> import pyarrow
    >>> column = pyarrow.array(["http://h/?utm_source=x&a=1", "/?b#c", "a b"])
    >>> pyarrow.array(strip_query(column)).to_pylist()
    ['http://h/?a=1', '/?b#c', None]
    """
    is_tracking = names is None and not prefixes
    step: Step[Record]
    step = keys.drop_tracking() if is_tracking else keys.drop_query(names or (), prefixes)
    return _stepped(column, step, grammar, is_drop=bool(is_tracking or names or prefixes))


def _stepped(
    column: ArrowColumn, step: Step[Record], grammar: str = "rfc3986", *, is_drop: bool = False
) -> ChunkedColumn:
    """Apply a step of a profile to each row.

    is_drop: whether it drops pairs of some names.
    """
    one = URI(scheme="a", grammar=grammar)

    def is_listed(name: str) -> bool:
        return step.apply(one.replace(query=f"{name}=")).query != f"{name}="

    flags = {ord("&"): _BEGINS_NAME | _ENDS_NAME, ord("="): _ENDS_NAME}
    marks = _EVERY if step.name == "drop-default-index" else _QUERIES
    marks = _Marks(flags, is_listed, "query", is_drop=True) if is_drop else marks
    return _changed(column, grammar, marks, lambda record: str(step.apply(record)))


def key(column: ArrowColumn, profile: str | Profile[_T] = "scheme") -> ChunkedColumn:
    """Return the key of each row, by which duplicates are found: a column of texts.

    profile: as for `uriparse.keys.key`. Null where the profile rejects the text, and for null.

    >>> import pyarrow
    >>> column = pyarrow.array(["HTTP://h:80/?utm_source=x#top", "http://h", "a b"])
    >>> pyarrow.array(key(column, "scheme+drop-tracking")).to_pylist()
    ['http://h/', 'http://h/', None]
    """
    keys.key("a:", profile)  # an unknown profile is an error without rows, too
    name, *further = profile.split("+") if isinstance(profile, str) else ("",)
    way = way_of("URI", "rfc3986")
    if name not in LEVELS_OF_KEYS or not isinstance(way, ByKernel):
        return of_texts(column, lambda text: keys.key(text, profile))
    made = _written(normalize(column, LEVELS_OF_KEYS[name]), way.before_fragments)
    for one in further:
        made = _stepped(made, keys.STEPS[one](), is_drop=one == "drop-tracking")
    return made


def redact(
    column: ArrowColumn,
    profile: SecretNames = "default",
    *,
    userinfo: bool = True,
    names: Names | None = None,
    grammar: RecordGrammar | str = "rfc3986",
) -> ChunkedColumn:
    """Replace the secrets of each row by REDACTED: a column of texts.

    Parameters as for `uriparse.redact`. Null where the text is refused, and for null.

    >>> import pyarrow
    >>> pyarrow.array(redact(pyarrow.array(["http://u:p@h/?sig=x", "a b"]))).to_pylist()
    ['http://REDACTED:REDACTED@h/?sig=REDACTED', None]
    """
    redaction = Redaction(profile, names, userinfo=userinfo)
    flags = dict.fromkeys((int(code[1:], 16) for code in searched_triplets()), _LOOKED_AT_ENCODED)
    own = (redaction.suspects(), _LOOKED_AT), (BEFORE_NAMES, _BEGINS_NAME), ("=", _ENDS_NAME)
    for characters, flag in (*own, ("%", _TRIPLET)):
        for octet in characters.encode():
            flags[octet] = flags.get(octet, 0) | flag
    marks = _Marks(flags, redaction.is_secret)
    return _changed(column, grammar, marks, lambda record: str(redacted_by(redaction, record)))


def to_iri(column: ArrowColumn, *, idna: bool = False) -> ChunkedColumn:
    """Return each row, a URI reference, as an IRI reference: a column of texts.

    idna: as for `uriparse.uri_to_iri`. Null where the text is refused, and for null.

    >>> import pyarrow
    >>> pyarrow.array(to_iri(pyarrow.array(["/D%C3%BCrst", "/é"]))).to_pylist()
    ['/Dürst', None]
    """
    marks = _EVERY if idna else _Marks({ord("%"): _LOOKED_AT})
    return _changed(column, "rfc3986", marks, lambda record: str(iri.uri_to_iri(record, idna=idna)))


def to_uri(column: ArrowColumn, *, idna: bool = False) -> ChunkedColumn:
    """Return each row, an IRI reference, as a URI reference: a column of texts.

    idna: as for `uriparse.iri_to_uri`. Null where the text is refused, or its host with `idna` is
    not a DNS name, and for null.

    >>> import pyarrow
    >>> pyarrow.array(to_uri(pyarrow.array(["/Dürst", "/ "]))).to_pylist()
    ['/D%C3%BCrst', None]
    """
    marks = _Marks(dict.fromkeys(range(0 if idna else 0x80, 0x100), _LOOKED_AT))
    return _changed(column, "rfc3987", marks, lambda record: str(iri.iri_to_uri(record, idna=idna)))


# Two columns, row by row.


def _paired(
    sides: tuple[ImportedColumn | str, ImportedColumn | str],
    function: Callable[[str, str], _T | None],
    kind: Callable[[int], Type],
    write: Callable[[list[_T | None], int], Outcome],
) -> ChunkedColumn:
    """Return what a function makes of the texts of each row, or of each text and another one."""
    prepare()
    columns = [one for one in sides if isinstance(one, ImportedColumn)]
    if not columns:
        raise TypeError("one of both must be a column: uriparse.equivalent compares two references")
    _check_lengths([sum(map(len, one.chunks)) for one in columns])
    width, known = columns[0].place_width, lru_cache(1 << 14)(function)
    each = (
        map(_text_or_none, chain.from_iterable(one.chunks))
        if isinstance(one, ImportedColumn)
        else repeat(one)
        for one in sides
    )
    found = (
        None if one is None or other is None else known(one, other)
        for one, other in zip(*each, strict=False)
    )

    def values(rows: Rows) -> Values:
        return values_of(len(rows), write([*islice(found, len(rows))], width))

    return given(columns[0], kind(width), values)


def _text_or_none(octets: bytes | None) -> str | None:
    return None if octets is None else text_of(octets)


def _check_lengths(lengths: list[int]) -> None:
    if len(set(lengths)) > 1:
        raise ColumnError(f"column: one of two columns has {lengths[0]} rows, one {lengths[1]}")


def resolve(
    base: OneOrMany,
    column: ArrowColumn,
    *,
    strict: bool = True,
    grammar: RecordGrammar | str = "rfc3986",
) -> ChunkedColumn:
    """Resolve each row as a reference: a column of the texts of targets.

    base: one for all rows, as for `uriparse.resolve`, or a column of the bases of the rows.
    strict: as for `uriparse.resolve`.
    grammar: "rfc3987" reads texts as IRI references; so does a record of an IRI as base.

    Null where the text is not a reference, for null, and where the base of a row is not a URI.
    ResolutionError for one base that is relative, URISyntaxError for an invalid one; TypeError and
    ColumnError as for `is_valid`. RFC 3986 section 5.2.

    >>> import pyarrow
    >>> column = pyarrow.array(["../g", "#s", "http://a b", None])
    >>> pyarrow.array(resolve("http://a/b/c/d", column)).to_pylist()
    ['http://a/b/g', 'http://a/b/c/d#s', None, None]
    >>> bases = pyarrow.array(["http://h/a", "x:y", "z:", "z:"])
    >>> pyarrow.array(resolve(bases, column)).to_pylist()
    ['http://h/g', 'x:y#s', None, None]
    """
    name = as_choice(as_str(grammar, "grammar"), "grammar", tuple(REFERENCE_RULES))
    if not isinstance(base, SupportsArrowArray | SupportsArrowStream):
        name = common_grammar(base, grammar=name)
        return targets(absolute(base, "base", name), column, strict=strict, grammar=name)
    bases, rows, rule = import_column(base), import_column(column), URI_RULES[name]
    native = rewriter() if name == "rfc3986" else None
    pairs = None if native is None else _parallel(bases, rows)
    if native is not None and pairs is not None:
        each, width = iter(pairs[1]), max(bases.place_width, rows.place_width)

        def values(own: Rows) -> Values:
            of_bases, references = (side.facts for side in next(each))
            made = asked(native.targets, references, of_bases, bool(strict), width)
            return values_of(len(own), made)

        return given(bases, text_type(width), values)

    @lru_cache(1 << 10)
    def own(text: str) -> URI | None:
        return try_parse(text, rule, grammar=name)  # type: ignore[return-value]  # by the rule

    def target(base: str, text: str) -> bytes | None:
        found = own(base)
        record = None if found is None else try_parse(text, grammar=name)
        made = found and record and target_of(found, record, strict=strict)
        return None if made is None else str(made).encode()

    return _paired((bases, rows), target, text_type, texts)


def equivalent(
    a: OneOrMany,
    b: OneOrMany,
    level: Level = "scheme",
    *,
    ignore_fragment: bool = False,
    grammar: RecordGrammar | str = "rfc3986",
) -> ChunkedColumn:
    """Return whether the texts of each row are equivalent: a column of bool.

    a, b: columns of equal length; or one of them is a reference, which all rows are compared with.
    level, ignore_fragment: as for `uriparse.equivalent`.
    grammar: "rfc3987" reads texts as IRI references.

    Null where one of both is refused or null. URISyntaxError for a reference that is refused;
    ColumnError for columns of different lengths; TypeError without a column.

    >>> import pyarrow
    >>> column = pyarrow.array(["HTTP://h:80/", "http://h/a", "a b"])
    >>> pyarrow.array(equivalent(column, "http://h")).to_pylist()
    [True, False, None]
    """
    as_choice(level, "level", LEVELS)
    columns = SupportsArrowArray | SupportsArrowStream
    name = as_choice(as_str(grammar, "grammar"), "grammar", tuple(REFERENCE_RULES))
    for one in (a, b):
        if not isinstance(one, columns):
            name = common_grammar(one, grammar=name)

    def found(one: str, other: str) -> bool | None:
        try:
            return schemes.equivalent(
                one, other, level, ignore_fragment=ignore_fragment, grammar=name
            )
        except URIError:
            return None

    left, right = (
        import_column(one) if isinstance(one, columns) else str(as_reference(one, name))
        for one in (a, b)
    )
    native = rewriter() if name == "rfc3986" and not ignore_fragment and level != "simple" else None
    pairs = None if native is None else _parallel(left, right)
    if native is None or pairs is None:
        return _paired((left, right), found, lambda _: BOOL, lambda values, _: flags(values))
    known = _Known(is_ruled if level == "scheme" else bool)

    def ruled(one: bytes, other: bytes) -> bool | None:
        return found(one.decode(), other.decode())

    each = iter(pairs[1])

    def values(rows: Rows) -> Values:
        one, other = (side.facts for side in next(each))
        made = asked(native.equivalents, one, other, level == "scheme", known, ruled)
        return values_of(len(rows), made)

    return given(pairs[0], BOOL, values)


def _parallel(
    *sides: ImportedColumn | str,
) -> tuple[ImportedColumn, list[tuple[Rows, Rows]]] | None:
    """Return the first column, and its chunks in pairs with those of the other, or with a text.

    None for chunks of different lengths.
    """
    one, other = sorted(sides, key=lambda side: isinstance(side, str))
    if isinstance(one, str):
        return None
    if isinstance(other, str):
        text = values_of(1, texts([other.encode()], 8))
        (rows,) = import_column(Column(text_type(8), (text,))).chunks
        return one, [(chunk, rows) for chunk in one.chunks]
    is_parallel = [*map(len, one.chunks)] == [*map(len, other.chunks)]
    return (one, [*zip(one.chunks, other.chunks, strict=True)]) if is_parallel else None
