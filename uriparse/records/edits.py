"""The path of a record by its segments, its query by its pairs, and records with others of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Self, TypeVar, cast, overload

from uriparse import components
from uriparse._base.coerce import Data, Pairs, Values, each_pair
from uriparse.records import rewriting
from uriparse.records._draft import Slots, _unchecked_parts

if TYPE_CHECKING:
    from uriparse.components.path_edits import After
    from uriparse.percent import OctetErrors, Separator

_E = TypeVar("_E", bound="Edits")


class Edits(Slots):
    """The properties and methods of records for segments and pairs."""

    __slots__ = ()

    def _with_path(self, path: str) -> Self:
        """Replace the path by one made of valid segments."""
        if self.host is None and path.startswith("//"):
            path = components.target.guarded(path)
        return self if path == self.path else self._remade(path, self.query)

    def _with_query(self, query: str | None) -> Self:
        """Replace the query by one made of valid pairs."""
        return self if query == self.query else self._remade(self.path, query)

    def _remade(self, path: str, query: str | None) -> Self:
        made = rewriting.remade(self, path, query)
        if made is None:
            before = (self.scheme, self.userinfo, self.host, self.port)
            last = (self.fragment, self.grammar, self._authority)
            made = _unchecked_parts(*before, path, query, *last)
        return cast("Self", made)

    @property
    def segments(self) -> tuple[str, ...]:
        """The segments of the path, as written: split first, decode each with `unquote` then.

        >>> from uriparse.parsing.parser import parse
        >>> parse("/a//b").segments, parse("a%2Fb/").segments, parse("/").segments
        (('a', '', 'b'), ('a%2Fb', ''), ('',))
        """
        path = self.path
        return tuple(path.removeprefix("/").split("/")) if path else ()

    @property
    def name(self) -> str:
        """The last segment of the path, as written; `""` if the path is empty or ends in "/".

        >>> from uriparse.parsing.parser import parse
        >>> uri = parse("http://h/a%20b.tar.gz?q")
        >>> uri.name, uri.stem, uri.suffix, uri.suffixes
        ('a%20b.tar.gz', 'a%20b.tar', '.gz', ('.tar', '.gz'))
        """
        return self.path.rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """The end of `name` from its last dot on, which `with_suffix` replaces; `""` without one.

        As in pathlib, a dot at the beginning or the end of a name begins no suffix.
        """
        name = self.name
        dot = name.rfind(".")
        return name[dot:] if 0 < dot < len(name) - 1 else ""

    @property
    def stem(self) -> str:
        """The beginning of `name`, up to its `suffix`."""
        return self.name.removesuffix(self.suffix)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The parts of `name` from each dot to the next; none where there is no `suffix`."""
        if self.name.endswith("."):
            return ()
        return tuple(f".{part}" for part in self.name.lstrip(".").split(".")[1:])

    @property
    def query_pairs(self) -> tuple[tuple[str, str | None], ...]:
        """The pairs of the query, decoded, as the function `query_pairs` reads them.

        EncodingError for octets that are not UTF-8.

        >>> from uriparse.parsing.parser import parse
        >>> parse("http://h/?a=1+2&b").query_pairs
        (('a', '1 2'), ('b', None))
        """
        from uriparse.percent import decoded_pairs  # noqa: PLC0415 - for those who ask

        return decoded_pairs(self.query or "")

    def query_values(
        self,
        name: Data,
        *,
        plus: bool = True,
        separator: Separator = "&",
        errors: OctetErrors = "strict",
    ) -> tuple[str | None, ...]:
        """Return the values of all pairs of a name, decoded, in the order of the query.

        name: decoded, as data. Parameters and errors as for `query_pairs`; other pairs are not
            decoded, so what is wrong in them is not an error.

        >>> from uriparse.parsing.parser import parse
        >>> parse("http://h/?a=1&b=%FF&a").query_values("a")
        ('1', None)
        """
        edits = components.query_edits
        return edits.query_values(self.query, name, plus=plus, separator=separator, errors=errors)

    def query_value(
        self,
        name: Data,
        *,
        plus: bool = True,
        separator: Separator = "&",
        errors: OctetErrors = "strict",
    ) -> str | None:
        """Return the first of `query_values`; None where there is none, and without "=".

        >>> from uriparse.parsing.parser import parse
        >>> parse("http://h/?page=2&q=a+b").query_value("q")
        'a b'
        """
        found = self.query_values(name, plus=plus, separator=separator, errors=errors)
        return found[0] if found else None

    def __truediv__(self, segment: Data) -> Self:
        """Add a segment of data to the path, as `child` does."""
        return self.child(segment)

    def child(self, *segments: Data) -> Self:
        """Add segments to the path; `record / segment` adds one.

        segments: data, in which "/" and whatever a segment cannot hold is encoded. Each is one
            segment, `""` too, which makes the path end in "/". The first replaces an empty last
            segment.

        Query and fragment stay. A path that would be read as something else gets "./" before it, or
        "/." as in `resolve`.

        ComponentError for "." and ".."; EncodingError for text that has no octets.

        >>> from uriparse.parsing.parser import parse
        >>> str(parse("http://h/a/?q").child("b c", "d/e")), str(parse("http://h").child(""))
        ('http://h/a/b%20c/d%2Fe?q', 'http://h/')
        >>> parse("http://h") / "a"
        <URI 'http://h/a'>
        """
        return self._with_path(
            components.path_edits.child(self.path, segments, self.grammar, self._path_after)
        )

    @property
    def parent(self) -> Self:
        """The reference without the last segment of its path; query and fragment stay.

        A path that begins with "/" keeps that one, and a relative path of one segment becomes ".".
        The root, and a URI without a path, is its own parent.

        ComponentError for a path that ends in a dot segment, and for an empty reference: only
        resolving them shows what is above.

        >>> from uriparse.parsing.parser import parse
        >>> [str(parse(text).parent) for text in ("http://h/a/b?q", "http://h/a", "a")]
        ['http://h/a?q', 'http://h/', '.']
        """
        return self._with_path(components.path_edits.parent(self.path, self._path_after))

    @property
    def parents(self) -> Sequence[Self]:
        """All references above, the next one first, each made when it is asked for.

        ComponentError, as for `parent`, if one of them has no parent that is known.

        >>> from uriparse.parsing.parser import parse
        >>> [str(above) for above in parse("http://h/a/b").parents]
        ['http://h/a', 'http://h/']
        """
        return _Parents(self)

    def with_segments(self, segments: Iterable[Data]) -> Self:
        """Replace the path; if it begins with "/", the new one does too.

        segments: data, as for `child`; none makes an empty path, a single `""` makes "/".

        Errors as for `child`.

        >>> from uriparse.parsing.parser import parse
        >>> str(parse("http://h/a?q").with_segments(["b", "c?"]))
        'http://h/b/c%3F?q'
        >>> str(parse("urn:a").with_segments(["b:c"]))
        'urn:b:c'
        """
        return self._with_path(
            components.path_edits.with_segments(self.path, segments, self.grammar, self._path_after)
        )

    def with_name(self, name: Data) -> Self:
        """Replace the last segment, also an empty one.

        name: data, as for `child`.

        ComponentError as for `parent`, and otherwise as for `child`.

        >>> from uriparse.parsing.parser import parse
        >>> str(parse("http://h/a/b?q").with_name("c d")), str(parse("http://h/a/").with_name("b"))
        ('http://h/a/c%20d?q', 'http://h/a/b')
        """
        return self._with_path(
            components.path_edits.with_name(self.path, name, self.grammar, self._path_after)
        )

    def with_suffix(self, suffix: Data) -> Self:
        """Replace the end of the last segment from its last dot on, as pathlib does.

        suffix: data that begins with "."; `""` removes the suffix. A dot at the beginning or the
            end of a segment begins no suffix.

        ComponentError for another suffix, and where the last segment is empty; otherwise as for
        `with_name`.

        >>> from uriparse.parsing.parser import parse
        >>> str(parse("http://h/a.tar.gz?q").with_suffix(".xz"))
        'http://h/a.tar.xz?q'
        >>> str(parse("http://h/.rc").with_suffix(".bak"))
        'http://h/.rc.bak'
        """
        return self._with_path(
            components.path_edits.with_suffix(self.path, suffix, self.grammar, self._path_after)
        )

    def with_query(
        self, pairs: Pairs = (), *, plus: bool = True, separator: Separator = "&", **named: Values
    ) -> Self:
        """Replace the query by pairs; without pairs the result has no query.

        Pairs that the query has already stay as they are written, each of them once; others are
        written as by `query_string`. So `uri.with_query(query_pairs(uri))` is `uri`, unless its
        query has no pairs ("", "&&").

        plus, separator: how the query is read, as for `query_pairs`; give the same to both.
        named: further pairs, by name.

        For a query that is not made of pairs, see `replace`. Errors as for `query_string`.

        >>> from uriparse.parsing.parser import parse
        >>> str(parse("http://h/?a=1#f").with_query({"b": "x y"}))
        'http://h/?b=x%20y#f'
        >>> str(parse("http://h/").with_query(q="a", page=[1, 2], exact=True))
        'http://h/?q=a&page=1&page=2&exact=true'
        >>> uri = parse("http://h/?a=x+y&b=%7e")
        >>> str(uri.with_query([("b", "~"), ("a", "x y"), ("a", "+")]))
        'http://h/?b=%7e&a=x+y&a=%2B'
        """
        pairs = _together(pairs, named) if named else pairs
        edits, grammar = components.query_edits, self.grammar
        new = edits.with_query(self.query, pairs, grammar, plus=plus, separator=separator)
        return self._with_query(new)

    def add_query(self, pairs: Pairs = (), *, separator: Separator = "&", **named: Values) -> Self:
        """Add pairs after those of the query, which stays as it is written.

        separator: as for `query_pairs`; its first character is written before each new pair.

        Errors as for `with_query`.

        >>> from uriparse.parsing.parser import parse
        >>> str(parse("http://h/?a=1;b#f").add_query([("a", "2"), ("c", "é")]))
        'http://h/?a=1;b&a=2&c=%C3%A9#f'
        """
        pairs = _together(pairs, named) if named else pairs
        edits = components.query_edits
        return self._with_query(
            edits.add_query(self.query, pairs, self.grammar, separator=separator)
        )

    def set_query(
        self, pairs: Pairs = (), *, plus: bool = True, separator: Separator = "&", **named: Values
    ) -> Self:
        """Replace the pairs that have these names, and add those that are missing.

        The new pairs of a name replace its first old one; its others are removed. All other pairs
        stay as they are written, and so does a new pair that the query has already. Names are
        compared decoded. Linear in time.

        plus, separator: how the query is read, as for `query_pairs`.

        Errors as for `with_query`.

        >>> from uriparse.parsing.parser import parse
        >>> uri = parse("http://h/?a=1&b=%7e&a=2")
        >>> str(uri.set_query({"%61": "0", "a": "3", "c": None}))
        'http://h/?a=3&b=%7e&%2561=0&c'
        """
        pairs = _together(pairs, named) if named else pairs
        edits, grammar = components.query_edits, self.grammar
        new = edits.set_query(self.query, pairs, grammar, plus=plus, separator=separator)
        return self._with_query(new)

    def without_query(self, *names: Data, plus: bool = True, separator: Separator = "&") -> Self:
        """Remove the pairs of these names; `replace(query=None)` removes the whole query.

        Names are compared decoded; the other pairs stay as they are written. If none remains, the
        query goes with its "?". Linear in time.

        plus, separator: how the query is read, as for `query_pairs`.

        EncodingError for text that has no octets; ValueError for another separator.

        >>> from uriparse.parsing.parser import parse
        >>> str(parse("http://h/?a=1&b&%61=2").without_query("a"))
        'http://h/?b'
        """
        edits = components.query_edits
        return self._with_query(
            edits.without_query(self.query, edits.octets_of(names), plus=plus, separator=separator)
        )

    @property
    def _path_after(self) -> After:
        """What the path comes after."""
        return (
            "authority" if self.host is not None else "nothing" if self.scheme is None else "scheme"
        )


def _together(pairs: Pairs, named: Mapping[str, Values]) -> Pairs:
    """Return pairs and those that are given by name, one after the other."""
    several = each_pair(pairs) if isinstance(pairs, Mapping) else pairs
    return [*several, *each_pair(named)]


class _Parents(Sequence[_E]):
    """The references above one, of which only the lengths of the paths are kept."""

    def __init__(self, record: _E) -> None:
        self._record = record
        self._sizes = [*components.path_edits.sizes_of_parents(record.path)]
        self._is_relative = record.scheme is None and record.host is None

    def __len__(self) -> int:
        return len(self._sizes)

    @overload
    def __getitem__(self, index: int) -> _E: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_E]: ...
    def __getitem__(self, index: int | slice) -> _E | Sequence[_E]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        path = self._record.path[: self._sizes[index]]
        return self._record._with_path(path or "." if self._is_relative else path)  # noqa: SLF001

    def __repr__(self) -> str:
        return repr([*self])
