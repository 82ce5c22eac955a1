"""Queries made of pairs, written so that `query_pairs` reads them back, and changed pair by pair.

The pairs that are not named stay as they are written, and so do the delimiters between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar, overload

from uriparse.building.data import written
from uriparse.door import as_data, as_items, refusal
from uriparse.errors import ComponentError
from uriparse.parsing import Record, Reference, as_reference
from uriparse.percent import unquote_to_bytes
from uriparse.records import _unchecked
from uriparse.records.components import grammar_of_records, rule_of
from uriparse.records.servers import LONGEST_PORT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse._compiled.names import RecordGrammar
    from uriparse.door import Data, Pairs

_R = TypeVar("_R", bound=Record)


class RawPair(NamedTuple):
    """A pair as it is written.

    separator: what stands before it, `""` before the first.
    name, value: not decoded; the value is None without "=".
    """

    separator: str
    name: str
    value: str | None

    def is_named(self, names: frozenset[bytes]) -> bool:
        """Whether its name, decoded, is among these; an empty pair has none."""
        return bool(self.name or self.value is not None) and unquote_to_bytes(self.name) in names

    @property
    def text(self) -> str:
        """Name and value without the separator."""
        return self.name if self.value is None else f"{self.name}={self.value}"


def query_string(pairs: Pairs, *, grammar: RecordGrammar | str = "rfc3986") -> str:
    """Write pairs of name and value as a query, which `query_pairs` reads back.

    pairs: data; "&", ";", "=" and "+" in them are encoded. A value may be a whole number, None is
        a name alone.
    grammar: "rfc3987" keeps characters beyond ASCII.

    Linear in time. ComponentError for the pair of `""` and None, for which there is no text;
    EncodingError for text that has no octets; TypeError for what is no pair of data.

    >>> query_string([("q", "a&b=c+d"), ("page", 2), ("all", None), ("", "")])
    'q=a%26b%3Dc%2Bd&page=2&all&='
    """
    return "&".join(_written(pairs, grammar_of_records(grammar)))


@overload
def with_query(uri: _R, pairs: Pairs) -> _R: ...
@overload
def with_query(uri: Reference, pairs: Pairs) -> Record: ...
def with_query(uri: Reference, pairs: Pairs) -> Record:
    """Exchange the query of a reference by pairs, as `query_string` writes them; none, no query.

    For a query that is not made of pairs, see `replace`. URISyntaxError if a text is no
    reference; otherwise errors as for `query_string`.

    >>> str(with_query("http://h/?a=1#f", {"b": "x y"}))
    'http://h/?b=x%20y#f'
    """
    record = as_reference(uri, name="uri")
    return _with_query(record, "&".join(_written(pairs, record.grammar)) or None)


@overload
def add_query(uri: _R, pairs: Pairs) -> _R: ...
@overload
def add_query(uri: Reference, pairs: Pairs) -> Record: ...
def add_query(uri: Reference, pairs: Pairs) -> Record:
    """Add pairs after those of a reference, whose query stays as it is written.

    Errors as for `with_query`.

    >>> str(add_query("http://h/?a=1;b#f", [("a", "2"), ("c", "é")]))
    'http://h/?a=1;b&a=2&c=%C3%A9#f'
    """
    record = as_reference(uri, name="uri")
    new = "&".join(_written(pairs, record.grammar))
    if not new:
        return record
    separator = "" if not record.query or record.query.endswith(("&", ";")) else "&"
    return _with_query(record, f"{record.query or ''}{separator}{new}")


@overload
def set_query(uri: _R, pairs: Pairs) -> _R: ...
@overload
def set_query(uri: Reference, pairs: Pairs) -> Record: ...
def set_query(uri: Reference, pairs: Pairs) -> Record:
    """Exchange the pairs of a reference that have these names, and add those it lacks.

    The pairs given of a name take the place of its first one; its others go. All other pairs stay
    as they are written. Names are compared decoded. Linear in time.

    Errors as for `with_query`.

    >>> str(set_query("http://h/?a=1&b=%7e&a=2", {"%61": "0", "a": "3", "c": None}))
    'http://h/?a=3&b=%7e&%2561=0&c'
    """
    record = as_reference(uri, name="uri")
    given: dict[bytes, list[str]] = {}
    for text in _written(pairs, record.grammar):
        given.setdefault(unquote_to_bytes(text.partition("=")[0]), []).append(text)
    if not given:
        return record
    names, kept = frozenset(given), []
    for pair in raw_pairs(record.query):
        if not pair.is_named(names):
            kept.append((pair.separator, pair.text))
        elif new := given.pop(unquote_to_bytes(pair.name), None):
            kept.append((pair.separator, "&".join(new)))
    kept += [("&", text) for texts in given.values() for text in texts]
    return _with_query(record, joined(kept))


@overload
def without_query(uri: _R, *names: Data) -> _R: ...
@overload
def without_query(uri: Reference, *names: Data) -> Record: ...
def without_query(uri: Reference, *names: Data) -> Record:
    """Take the query from a reference, or only the pairs of these names.

    Names are compared decoded; the other pairs stay as they are written. Where none is left, the
    query goes with its "?". Linear in time.

    URISyntaxError if a text is no reference; EncodingError for text that has no octets.

    >>> str(without_query("http://h/?a=1&b;%61=2", "a")), str(without_query("http://h/?a=1"))
    ('http://h/?b', 'http://h/')
    """
    record = as_reference(uri, name="uri")
    wanted = octets_of(names)
    if not names:
        return _with_query(record, None)
    old = [*raw_pairs(record.query)]
    kept = [(pair.separator, pair.text) for pair in old if not pair.is_named(wanted)]
    return record if len(kept) == len(old) else _with_query(record, joined(kept) or None)


def raw_pairs(query: str | None) -> Iterator[RawPair]:
    """Split a query where `query_pairs` does, nothing decoded and nothing left out.

    One that is absent or empty has none.

    >>> [*raw_pairs("a=1;b")]
    [RawPair(separator='', name='a', value='1'), RawPair(separator=';', name='b', value=None)]
    """
    if not query:
        return
    at = 0
    for number, text in enumerate(query.replace(";", "&").split("&")):
        name, equals, value = text.partition("=")
        yield RawPair(query[at - 1] if number else "", name, value if equals else None)
        at += len(text) + 1


def octets_of(names: Iterable[Data]) -> frozenset[bytes]:
    """Give the octets of names, to compare with those that are written."""
    return frozenset(
        unquote_to_bytes(written(name, "query-value", "rfc3986", "a name")) for name in names
    )


def joined(pairs: list[tuple[str, str]]) -> str:
    """Put pairs together, each with the separator before it, but for that of the first.

    >>> joined([(";", "a=1"), ("&", "b")])
    'a=1&b'
    """
    text = "".join(separator + pair for separator, pair in pairs)
    return text[len(pairs[0][0]) :] if pairs else text


def _written(pairs: Pairs, grammar: str) -> Iterator[str]:
    several = pairs.items() if isinstance(pairs, Mapping) else pairs
    for pair in as_items(several, "pairs", _PAIRS):
        if not isinstance(pair, tuple | list):
            raise refusal(pair, "a pair", "a tuple of name and value")
        if len(pair) != len(("name", "value")):
            raise TypeError(f"a pair is a tuple of name and value, not of {len(pair)}")
        name, value = pair
        text = written(name, "query-value", grammar, "a name")
        if value is not None:
            data = _digits(value) if isinstance(value, int) else _data(value)
            text += "=" + written(data, "query-value", grammar, "a value")
        elif not text:
            raise ComponentError(
                'query: a pair without name and value has no text; give it the value ""',
                component="query",
                rule=rule_of("query", grammar),
            )
        yield text


_PAIRS = "an iterable of pairs, as query_pairs gives them of a query, or a mapping"
_VALUE = "a str, an int, octets as bytes, a record or None"


def _data(value: Data) -> str | bytes:
    are_several = isinstance(value, list | tuple | set | frozenset)
    each = " (of several, each has a pair of its own)" if are_several else ""
    return as_data(value, "a value", f"{_VALUE}{each}")


def _digits(value: int) -> str:
    if isinstance(value, bool):
        raise refusal(value, "a value", _VALUE)
    if abs(value) >= 10**LONGEST_PORT:
        raise ComponentError(
            f"query: a number of more than {LONGEST_PORT} digits is not written; give its text",
            component="query",
            rule="query",
        )
    return int.__repr__(value)


def _with_query(record: Record, query: str | None) -> Record:
    """Exchange the query by one made of valid pairs."""
    return _unchecked.reference(
        record.scheme, record.authority, record.path, query, record.fragment, record.grammar
    )
