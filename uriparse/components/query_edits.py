"""Queries of pairs, on their text: written so that `query_pairs` reads them back, and changed.

The pairs that are not named stay as they are written, and so do the delimiters between them. A pair
that is given and that the query has already stays as it is written too: one text of a pair may mean
to its server what another of the same data does not (`+`, `%20` and `;` are read in several ways),
and a signature may cover it.

`plus` and `separator` say how the query is read, as for `query_pairs`. What is written new depends
on neither: a space is `%20`, and "+", "&", ";" and "=" that are data are triplets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from math import isfinite
from typing import Literal, NamedTuple

from uriparse._base.coerce import Data, Pairs, as_choice, as_data, as_items, each_pair, refusal
from uriparse.components.component_data import written
from uriparse.components.component_text import rule_of
from uriparse.components.servers import LONGEST_PORT
from uriparse.errors import URIError, unfit
from uriparse.percent import (
    SEPARATORS,
    OctetErrors,
    Separator,
    decoded_pairs,
    encoder,
    split_pairs,
    unquote_to_bytes,
)


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

    def is_named(
        self, names: frozenset[bytes], prefixes: tuple[bytes, ...] = (), *, plus: bool = False
    ) -> bool:
        """Return whether its name, decoded, is among these or begins with a prefix."""
        if self.is_empty:
            return False
        name = decoded(self.name, plus=plus)
        return name in names or name.startswith(prefixes)


def with_query(
    query: str | None, pairs: Pairs, grammar: str, *, plus: bool, separator: Separator
) -> str | None:
    """Replace all pairs: `URIReference.with_query`."""
    old = [pair for pair in raw_pairs(query, separator) if not pair.is_empty]
    between = between_pairs(separator)
    new = _aswritten_pairs(written_pairs(pairs, grammar), old, between, plus=plus)
    if new and new == old:
        return query
    return joined([(pair.separator or between, pair.text) for pair in new]) or None


def add_query(query: str | None, pairs: Pairs, grammar: str, *, separator: Separator) -> str | None:
    """Add pairs at the end: `URIReference.add_query`."""
    ends = as_choice(separator, "separator", SEPARATORS)
    between = ends[0]
    new = between.join(written_pairs(pairs, grammar))
    if not new:
        return query
    if not query or query.endswith(tuple(ends)):
        between = ""
    return f"{query or ''}{between}{new}"


def set_query(
    query: str | None, pairs: Pairs, grammar: str, *, plus: bool, separator: Separator
) -> str | None:
    """Replace the pairs of some names: `URIReference.set_query`."""
    old = [*raw_pairs(query, separator)]
    between = between_pairs(separator)
    filled = [pair for pair in old if not pair.is_empty]
    given: dict[bytes, list[str]] = {}
    for pair in _aswritten_pairs(written_pairs(pairs, grammar), filled, between, plus=plus):
        given.setdefault(decoded(pair.name, plus=plus), []).append(pair.text)
    if not given:
        return query
    names, kept = frozenset(given), []
    for pair in old:
        if not pair.is_named(names, plus=plus):
            kept.append((pair.separator, pair.text))
        elif new := given.pop(decoded(pair.name, plus=plus), None):
            kept.append((pair.separator, between.join(new)))
    kept += [(between, text) for texts in given.values() for text in texts]
    return joined(kept)


def without_query(
    query: str | None,
    names: frozenset[bytes],
    prefixes: tuple[bytes, ...] = (),
    *,
    plus: bool,
    separator: Separator,
) -> str | None:
    """Remove the pairs of names, and those whose names begin so: `URIReference.without_query`."""
    old = [*raw_pairs(query, separator)]
    kept = [p for p in old if not p.is_named(names, prefixes, plus=plus)]
    if len(kept) == len(old):
        return query
    return joined([(pair.separator, pair.text) for pair in kept]) or None


def query_values(
    query: str | None, name: Data, *, plus: bool, separator: Separator, errors: OctetErrors
) -> tuple[str | None, ...]:
    """Decode the values of a name, whatever other pairs hold: `URIReference.query_values`."""
    wanted = octets_of([name])

    def is_wanted(written: str) -> bool:
        return decoded(written, plus=plus) in wanted

    pairs = decoded_pairs(
        query or "", plus=plus, separator=separator, errors=errors, only=is_wanted
    )
    return tuple(value for _, value in pairs)


def raw_pairs(query: str | None, separator: Separator = "&;") -> Iterator[RawPair]:
    """Split a query where `query_pairs` does, nothing decoded and nothing left out.

    An absent or empty query has none. The default splits at every separator, for callers that
    look for secrets.
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
    """Join pairs, each with the separator before it, without that of the first."""
    text = "".join(separator + pair for separator, pair in pairs)
    return text[len(pairs[0][0]) :] if pairs else text


def _raw_pair(text: str, separator: str) -> RawPair:
    name, equals, value = text.partition("=")
    return RawPair(separator, name, value if equals else None)


def decoded(text: str, *, plus: bool = False) -> bytes:
    """Decode a name or a value; a text in which some "%" begins no triplet stays as it is."""
    if plus:
        text = text.replace("+", " ")
    if "%" in text:
        with suppress(URIError):
            return unquote_to_bytes(text)
    return text.encode("utf-8", "surrogateescape")


def between_pairs(separator: Separator) -> Literal["&", ";"]:
    """Return the separator that is written between new pairs."""
    return ";" if as_choice(separator, "separator", SEPARATORS) == ";" else "&"


def _aswritten_pairs(
    texts: Iterable[str], old: list[RawPair], between: Literal["&", ";"], *, plus: bool
) -> list[RawPair]:
    """Replace each new pair by an old pair of the same data; each old one is used once."""
    new = [_raw_pair(text, between) for text in texts]
    if not old or not new:
        return new
    spare: dict[tuple[bytes, bytes | None], list[RawPair]] = {}
    for pair in reversed(old):
        spare.setdefault(_data_of(pair, plus=plus), []).append(pair)  # to be taken by pop
    return [same.pop() if (same := spare.get(_data_of(one, plus=plus))) else one for one in new]


def _data_of(pair: RawPair, *, plus: bool) -> tuple[bytes, bytes | None]:
    value = None if pair.value is None else decoded(pair.value, plus=plus)
    return decoded(pair.name, plus=plus), value


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
            raise TypeError(f"each pair must be (name, value); one has {len(pair)} items")
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
_PAIRS = "an iterable of pairs, such as query_pairs(query=text), or a mapping"
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
