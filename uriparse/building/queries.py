"""Queries made of pairs, written so that `query_pairs` reads them back, and changed pair by pair.

The pairs that are not named stay as they are written, and so do the delimiters between them. A pair
that is given and that the query has already stays as it is written too: one text of a pair may mean
to its server what another of the same data does not (`+`, `%20` and `;` are read in several ways),
and a signature may cover it.

`plus` and `separator` say how the query is read, as for `query_pairs`. What is written new depends
on neither: a space is `%20`, and "+", "&", ";" and "=" that are data are triplets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from uriparse._base.coerce import (
    Data,
    Pairs,
    Text,
    as_choice,
    as_data,
    as_items,
    as_text,
    each_pair,
    refusal,
)
from uriparse.building.component_data import written
from uriparse.errors import EncodingError, URIError, unfit
from uriparse.parsing import parse
from uriparse.parsing.rewriting import remade
from uriparse.percent import (
    SEPARATORS,
    Separator,
    decoded_pairs,
    encoder,
    split_pairs,
    unquote_to_bytes,
)
from uriparse.records import URIReference
from uriparse.records.components import grammar_of_records, rule_of
from uriparse.records.servers import LONGEST_PORT

if TYPE_CHECKING:
    from uriparse._compiled.names import RecordGrammar

_R = TypeVar("_R", bound=URIReference)


class RawPair(NamedTuple):
    """A pair as it is written.

    separator: the one before it, `""` before the first.
    name, value: not decoded; the value is None without "=".
    """

    separator: str
    name: str
    value: str | None

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing between two separators; such a pair has no name."""
        return not self.name and self.value is None

    @property
    def text(self) -> str:
        """Name and value without the separator."""
        return self.name if self.value is None else f"{self.name}={self.value}"

    def is_named(self, names: frozenset[bytes], *, plus: bool = False) -> bool:
        """Return whether its name, decoded, is among these."""
        return not self.is_empty and decoded(self.name, plus=plus) in names


def query_pairs(
    reference: Text | None = None,
    *,
    query: Text | None = None,
    plus: bool = True,
    separator: Separator = "&",
) -> tuple[tuple[str, str | None], ...]:
    """Split the query of a reference into pairs of name and value, then decode each of both.

    reference: a record, or the text of a URI or relative reference; without a query it has no
        pairs.
    query: instead of a reference, the text of a query.
    plus: True reads "+" as a space, as HTML forms, browsers, servers, `urllib.parse.parse_qsl` and
        yarl do; only `%2B` is a plus sign then. False reads "+" as itself, as in RFC 3986.
    separator: "&", as in browsers and `parse_qsl`; ";" or "&;" (either one) for a server that is
        known to split so.

    The value is None without "=", and `""` if nothing follows it; empty pairs are skipped.
    `query_string` writes a space as `%20` and a plus sign as `%2B`, which do not depend on `plus`;
    `with_query` keeps existing pairs as written.

    URISyntaxError for an invalid reference. ComponentError for a text such as "a=1&b", a relative
    path with "=" in its first segment: it is nearly always a query that was not given by name.
    EncodingError as for `unquote`, for octets that are not UTF-8; its offset is within the name or
    value. ValueError for another separator. TypeError unless exactly one of both is given.

    >>> query_pairs("http://h/?a=1&b=x%26y+z&c&d=;")
    (('a', '1'), ('b', 'x&y z'), ('c', None), ('d', ';'))
    >>> query_pairs(query="a=1+2;b", plus=False, separator=";")
    (('a', '1+2'), ('b', None))
    """
    if query is None and reference is not None:
        text = _query_of(reference)
    elif query is not None and reference is None:
        text = as_text(query, "query")
    else:
        raise TypeError("give either a reference or query=, the text of a query")
    return decoded_pairs(text, plus=plus, separator=separator)


def _query_of(reference: Text) -> str:
    if isinstance(reference, URIReference):
        return reference.query or ""
    record = parse(as_text(reference, "reference"))
    if record.scheme is None and "=" in record.path.partition("/")[0]:
        reason = "a query is given by name, query_pairs(query=...); a path like this begins with ./"
        raise unfit("path", reason, offset=record.path.index("="))
    return record.query or ""


def query_string(
    pairs: Pairs, *, separator: Separator = "&", grammar: RecordGrammar | str = "rfc3986"
) -> str:
    """Write pairs of name and value as a query, which `query_pairs` reads back.

    pairs: data. A space is written as `%20` and a plus sign as `%2B`, so a server may read
        "+" as a space or not; "&", ";" and "=" are encoded too. A value may be a number; a bool
        is written "true" or "false"; with None only the name is written. In a mapping, a list
        holds several values of the name.
    separator: what is written between pairs, the first character of "&", ";" or "&;".
    grammar: "rfc3987" keeps characters beyond ASCII.

    Linear in time. ComponentError for the pair of `""` and None, which has no written form;
    EncodingError for lone surrogates; TypeError for another type of pair; ValueError
    for another separator.

    >>> query_string([("q", "a&b=c+d e"), ("page", 2), ("all", None), ("", "")])
    'q=a%26b%3Dc%2Bd%20e&page=2&all&='
    """
    between = _between(separator)
    return between.join(written_pairs(pairs, grammar_of_records(grammar)))


# What the methods of records call.


def with_query(record: _R, pairs: Pairs, *, plus: bool, separator: Separator) -> _R:
    """Replace the query: `URIReference.with_query`."""
    old = [pair for pair in raw_pairs(record.query, separator) if not pair.is_empty]
    between = _between(separator)
    new = _aswritten_pairs(written_pairs(pairs, record.grammar), old, between, plus=plus)
    if new and new == old:
        return record
    return _with_query(record, joined([(p.separator or between, p.text) for p in new]) or None)


def add_query(record: _R, pairs: Pairs, *, separator: Separator) -> _R:
    """Add pairs to the query: `URIReference.add_query`."""
    ends = as_choice(separator, "separator", SEPARATORS)
    between = ends[0]
    new = between.join(written_pairs(pairs, record.grammar))
    if not new:
        return record
    if not record.query or record.query.endswith(tuple(ends)):
        between = ""
    return _with_query(record, f"{record.query or ''}{between}{new}")


def set_query(record: _R, pairs: Pairs, *, plus: bool, separator: Separator) -> _R:
    """Replace the pairs of some names: `URIReference.set_query`."""
    old = [*raw_pairs(record.query, separator)]
    between = _between(separator)
    filled = [pair for pair in old if not pair.is_empty]
    given: dict[bytes, list[str]] = {}
    for pair in _aswritten_pairs(written_pairs(pairs, record.grammar), filled, between, plus=plus):
        given.setdefault(decoded(pair.name, plus=plus), []).append(pair.text)
    if not given:
        return record
    names, kept = frozenset(given), []
    for pair in old:
        if not pair.is_named(names, plus=plus):
            kept.append((pair.separator, pair.text))
        elif new := given.pop(decoded(pair.name, plus=plus), None):
            kept.append((pair.separator, between.join(new)))
    kept += [(between, text) for texts in given.values() for text in texts]
    return _with_query(record, joined(kept))


def without_query(record: _R, names: Collection[Data], *, plus: bool, separator: Separator) -> _R:
    """Remove the pairs of some names: `URIReference.without_query`."""
    wanted = octets_of(names)
    old = [*raw_pairs(record.query, separator)]
    kept = [(pair.separator, pair.text) for pair in old if not pair.is_named(wanted, plus=plus)]
    return record if len(kept) == len(old) else _with_query(record, joined(kept) or None)


def raw_pairs(query: str | None, separator: Separator = "&;") -> Iterator[RawPair]:
    """Split a query where `query_pairs` does, nothing decoded and nothing left out.

    An absent or empty query has none. The default splits at every separator, for callers that
    look for secrets.

    >>> [*raw_pairs("a=1;b")]
    [RawPair(separator='', name='a', value='1'), RawPair(separator=';', name='b', value=None)]
    """
    parts = split_pairs(query or "", separator)
    if not query:
        return
    at = 0
    for number, text in enumerate(parts):
        yield _raw_pair(text, query[at - 1] if number else "")
        at += len(text) + 1


def octets_of(names: Iterable[Data]) -> frozenset[bytes]:
    """Return the octets of names, for comparison with decoded ones."""
    return frozenset(
        unquote_to_bytes(written(name, "query-value", "rfc3986", "a name")) for name in names
    )


def joined(pairs: list[tuple[str, str]]) -> str:
    """Join pairs, each with the separator before it, without that of the first.

    >>> joined([(";", "a=1"), ("&", "b")])
    'a=1&b'
    """
    text = "".join(separator + pair for separator, pair in pairs)
    return text[len(pairs[0][0]) :] if pairs else text


def _raw_pair(text: str, separator: str) -> RawPair:
    name, equals, value = text.partition("=")
    return RawPair(separator, name, value if equals else None)


def decoded(text: str, *, plus: bool = False) -> bytes:
    """Decode a name or a value; a text in which some "%" begins no triplet stays as it is.

    >>> decoded("a+%62", plus=True), decoded("100%")
    (b'a b', b'100%')
    """
    if plus:
        text = text.replace("+", " ")
    if "%" in text:
        with suppress(URIError):
            return unquote_to_bytes(text)
    return text.encode("utf-8", "surrogateescape")


def _between(separator: Separator) -> Literal["&", ";"]:
    """Return the separator that is written between new pairs."""
    return ";" if as_choice(separator, "separator", SEPARATORS) == ";" else "&"


def _aswritten_pairs(
    texts: Iterable[str], old: list[RawPair], between: Literal["&", ";"], *, plus: bool
) -> list[RawPair]:
    """Replace each new pair by an old pair of the same data; each old one is used once.

    old: pairs of which none is empty.
    """
    new = [_raw_pair(text, between) for text in texts]
    if not old or not new:
        return new
    spare: dict[tuple[str, str | None], list[RawPair]] = {}
    data_of_old = _decoded(old, between, plus=plus)
    for data, pair in zip(reversed(data_of_old), reversed(old), strict=True):
        spare.setdefault(data, []).append(pair)  # the first one last, to be taken by pop
    return [
        same.pop() if (same := spare.get(data)) else pair
        for data, pair in zip(_decoded(new, between, plus=plus), new, strict=True)
    ]


def _decoded(
    pairs: list[RawPair], between: Literal["&", ";"], *, plus: bool
) -> Sequence[tuple[str, str | None]]:
    """Decode pairs of which none is empty; octets that are not UTF-8 become lone surrogates."""
    try:  # all at once, which takes a third of the time
        text = between.join([pair.text for pair in pairs])
        return decoded_pairs(text, plus=plus, separator=between)
    except EncodingError:
        pass
    return [
        (
            _escaped(pair.name, plus=plus),
            None if pair.value is None else _escaped(pair.value, plus=plus),
        )
        for pair in pairs
    ]


def _escaped(text: str, *, plus: bool) -> str:
    return decoded(text, plus=plus).decode("utf-8", "surrogateescape")


def written_pairs(pairs: Pairs, grammar: str) -> list[str]:
    """Return the text of each pair; errors as for `query_string`."""
    if not pairs and type(pairs) is tuple:  # as by default
        return []
    encode, is_plain = encoder("query-value"), grammar == "rfc3986"
    is_mapping = type(pairs) is not list and isinstance(pairs, Mapping)
    several = each_pair(pairs) if is_mapping else pairs  # type: ignore[arg-type]  # a mapping
    texts = []
    for pair in as_items(several, "pairs", _PAIRS):
        if type(pair) is not tuple and not isinstance(pair, _PAIR):
            raise refusal(pair, "a pair", "a tuple of name and value")
        if len(pair) != _SIZE:
            raise TypeError(f"a pair is a tuple of name and value, not of {len(pair)}")
        name, value = pair
        if is_plain and type(name) is type(value) is str:  # as most are
            texts.append(f"{encode(name)}={encode(value)}")
            continue
        text = written(name, "query-value", grammar, "a name")
        if value is not None:
            data = _number(value) if isinstance(value, int | float) else _data(value)
            text += "=" + written(data, "query-value", grammar, "a value")
        elif not text:
            raise unfit(
                "query",
                'a pair without name and value has no text; give it the value ""',
                rule_of("query", grammar),
            )
        texts.append(text)
    return texts


_PAIR = (tuple, list)
_SIZE = len(("name", "value"))
_PAIRS = "an iterable of pairs, such as query_pairs(text), or a mapping"
_VALUE = "a str, a number, octets as bytes, a record or None"


def _data(value: Data) -> str | bytes:
    are_several = isinstance(value, (list, tuple, set, frozenset))
    each = " (of several, each has a pair of its own, or a mapping has a list)"
    return as_data(value, "a value", _VALUE + each if are_several else _VALUE)


def _number(value: float) -> str:
    """Write a number, or a bool as JSON does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if isfinite(value):
            return float.__repr__(value)
        reason = f"{value!r} is not a number that is written"
    elif abs(value) < 10**LONGEST_PORT:
        return int.__repr__(value)
    else:
        reason = f"a number of more than {LONGEST_PORT} digits is not written"
    raise unfit("query", f"{reason}; give its text")


def _with_query(record: _R, query: str | None) -> _R:
    """Replace the query by one made of valid pairs."""
    return remade(record, record.path, query)
