"""The functions of `uriparse.building` as methods: another reference of this one and of data."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from uriparse.records.derived import Derived
from uriparse.rightward import public

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

    from uriparse.door import Data, Pairs
    from uriparse.percent.pairs import Separator


class Changing(Derived):
    """A record as what others are made of: what is not named stays as it is written."""

    __slots__ = ()

    def __truediv__(self, segment: Data) -> Self:
        """Add a segment of data to the path, as `child` does."""
        return cast("Self", public("child")(self, segment))

    def child(self, *segments: Data) -> Self:
        """Add segments of data to the path, as the function `child` does.

        >>> from uriparse.parsing.parser import parse
        >>> parse("http://h/a?q").child("b c", "d/e"), parse("http://h") / "a"
        (<URI 'http://h/a/b%20c/d%2Fe?q'>, <URI 'http://h/a'>)
        """
        return cast("Self", public("child")(self, *segments))

    @property
    def parent(self) -> Self:
        """The reference without the last segment of its path, as by the function `parent`."""
        return cast("Self", public("parent")(self))

    def with_segments(self, segments: Iterable[Data]) -> Self:
        """Exchange the path by segments of data, as the function `with_segments` does."""
        return cast("Self", public("with_segments")(self, segments))

    def with_name(self, name: Data) -> Self:
        """Exchange the last segment by data, as the function `with_name` does."""
        return cast("Self", public("with_name")(self, name))

    def with_suffix(self, suffix: Data) -> Self:
        """Exchange the suffix of the last segment, as the function `with_suffix` does."""
        return cast("Self", public("with_suffix")(self, suffix))

    def with_query(self, pairs: Pairs, *, plus: bool = True, separator: Separator = "&") -> Self:
        """Exchange the query by pairs of data, as the function `with_query` does."""
        return cast("Self", public("with_query")(self, pairs, plus=plus, separator=separator))

    def add_query(self, pairs: Pairs, *, separator: Separator = "&") -> Self:
        """Add pairs of data to the query, as the function `add_query` does.

        >>> from uriparse.parsing.parser import parse
        >>> parse("http://h/?a=1").add_query({"b": "2&3"})
        <URI 'http://h/?a=1&b=2%263'>
        """
        return cast("Self", public("add_query")(self, pairs, separator=separator))

    def set_query(self, pairs: Pairs, *, plus: bool = True, separator: Separator = "&") -> Self:
        """Exchange the pairs of these names, as the function `set_query` does."""
        return cast("Self", public("set_query")(self, pairs, plus=plus, separator=separator))

    def without_query(self, *names: Data, plus: bool = True, separator: Separator = "&") -> Self:
        """Take out the query, or the pairs of these names, as the function `without_query` does."""
        return cast("Self", public("without_query")(self, *names, plus=plus, separator=separator))

    def redacted(self, *, userinfo: bool = True, query: Iterable[Data] | None = None) -> Self:
        """Write REDACTED in the place of secrets, as the function `redacted` does."""
        return cast("Self", public("redacted")(self, userinfo=userinfo, query=query))
