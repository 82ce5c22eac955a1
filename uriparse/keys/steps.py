"""Profiles are sequences of steps: what both are, and the steps that change a query or a path.

A step returns a value of the same kind: a record for the profiles of RFC 3986, `Archived` for that
of web archives. Both have `path`, `query`, `fragment` and `replace`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from uriparse._base.coerce import Text, as_items, as_str, as_text
from uriparse.components.query_edits import joined, octets_of, raw_pairs, without_query
from uriparse.errors import excerpt

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Step(Generic[_T]):
    """One step of a profile.

    name: unique in its profile.
    says: what it does, in a few words.
    apply: takes the value of the previous step and returns the next.
    is_last: whether steps that extend its profile come before it.
    """

    name: str
    says: str
    apply: Callable[[_T], _T]
    is_last: bool = False


class Shown(NamedTuple):
    """A step, and the key if the profile ended there."""

    name: str
    says: str
    key: str

    def __repr__(self) -> str:
        """Show name and key, a password masked."""
        return f"<{type(self).__name__} {self.name}: {excerpt.masked(self.key)!r}>"


@dataclass(frozen=True, slots=True)
class Profile(Generic[_T]):
    """How a text becomes a key: read it, apply the steps in order, write the result.

    name: the name in messages.
    read: returns a value for the text, or raises URIError for a text without a key.
    steps: the steps in order.
    write: returns the key for the value.
    """

    name: str
    read: Callable[[str], _T]
    steps: tuple[Step[_T], ...]
    write: Callable[[_T], str]

    def __post_init__(self) -> None:
        """Check that the names of steps are unique."""
        names = [step.name for step in self.steps]
        if len(set(names)) != len(names):
            raise ValueError(f"profile {self.name!r} has two steps of the same name: {names}")

    def key(self, text: Text) -> str:
        """Return the key of a text; URIError if it has none."""
        value = self.read(as_text(text))
        for step in self.steps:
            value = step.apply(value)
        return self.write(value)

    def explain(self, text: Text) -> Iterator[Shown]:
        """Yield the key after each step, and before the first as step "read"."""
        return self._explained(as_text(text))

    def _explained(self, text: str) -> Iterator[Shown]:
        value = self.read(text)
        yield Shown("read", "the text as the profile reads it", self.write(value))
        for step in self.steps:
            value = step.apply(value)
            yield Shown(step.name, step.says, self.write(value))

    def extended(self, name: str, *steps: Step[_T]) -> Profile[_T]:
        """Return a profile with these steps after its own, but before those that are last."""
        at = sum(not step.is_last for step in self.steps)
        return replace(self, name=name, steps=(*self.steps[:at], *steps, *self.steps[at:]))

    def without(self, name: str, *steps: str) -> Profile[_T]:
        """Return a profile without the named steps; ValueError for an unknown step."""
        missing = set(steps) - {step.name for step in self.steps}
        if missing:
            raise ValueError(f"profile {self.name!r} has no step {sorted(missing)}")
        kept = tuple(step for step in self.steps if step.name not in steps)
        return replace(self, name=name, steps=kept)


# Steps of one's own profile.


def drop_fragment() -> Step[_T]:
    """Make the step that removes the fragment, which is not part of what is retrieved."""
    return _changing("fragment", "drop-fragment", "what a client keeps to itself", lambda _: None)


def drop_query(names: Collection[str] = (), prefixes: Collection[str] = ()) -> Step[_T]:
    """Make the step that removes the pairs of some names, or without any the whole query.

    names: whole names; prefixes: beginnings of names. Both are data, compared decoded.

    >>> from uriparse.keys import SCHEME, key
    >>> key("http://h/?utm_id=1&a=2", SCHEME.extended("own", drop_query(prefixes=["utm_"])))
    'http://h/?a=2'
    """
    change = _dropping(names, prefixes)
    if not (names or prefixes):
        return _changing("query", "drop-query", "all queries give one key", lambda _: None)
    return _changing("query", "drop-query", "pairs of some names", change)


def drop_tracking(file: str | Path | None = None) -> Step[_T]:
    """Make the step that removes tracking parameters.

    file: their names, as `tracking_names` reads them; None takes the list of the package.
    """
    change = _dropping(*tracking_names(file))
    return _changing("query", "drop-tracking", "pairs that say where a click came from", change)


def sort_query() -> Step[_T]:
    """Make the step that sorts the pairs of the query by name and value, as they are written."""
    return _changing("query", "sort-query", "the order of pairs", sorted_query)


def drop_default_index(names: Collection[str] = ()) -> Step[_T]:
    """Make the step that removes the name of a directory's own page from the end of the path.

    names: of such pages; without any, index and default with the usual extensions. All at the end
        are removed, and a "/" after them.
    """
    pages = frozenset(as_str(name, "a name") for name in as_items(names, "names", _NAMES)) or _INDEX

    def change(path: str) -> str:
        segments = path.removesuffix("/").split("/")
        count = len(segments)
        while len(segments) > 1 and segments[-1] in pages:
            segments.pop()
        return path if len(segments) == count else "/".join([*segments, ""])

    return _changing("path", "drop-default-index", "the page of a directory", change)


_NAMES = "an iterable of names"
_INDEX = frozenset(
    f"{stem}.{extension}"
    for stem in ("index", "default")
    for extension in ("html", "htm", "php", "asp", "aspx", "jsp")
)


def _changing(
    component: str, name: str, says: str, change: Callable[[str], str | None]
) -> Step[_T]:
    """Make the step that changes a component if there is one."""

    def apply(value: _T) -> _T:
        old: str | None = getattr(value, component)
        new = None if old is None else change(old)
        if new == old:
            return value
        changed: _T = value.replace(**{component: new})  # type: ignore[attr-defined]  # see the module
        return changed

    return Step(name, says, apply)


def _dropping(
    names: Collection[str], prefixes: Collection[str]
) -> Callable[[str | None], str | None]:
    wanted = octets_of(as_items(names, "names", _NAMES))
    begin = tuple(octets_of(as_items(prefixes, "prefixes", _NAMES)))
    return lambda query: without_query(query, wanted, begin, plus=True, separator="&")


def sorted_query(query: str) -> str:
    """Return a query with its pairs sorted, as `sort_query` does."""
    pairs = sorted(raw_pairs(query, "&"), key=lambda pair: (pair.name, pair.value or "", pair.text))
    return joined([("&", pair.text) for pair in pairs])


@cache
def tracking_names(file: str | Path | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of tracking parameters, and the beginnings of such names.

    file: a name in each line, "*" at its end for a beginning; what follows a blank, and lines that
        begin with "#", are remarks. None reads `tracking.txt` of this package, which is such a file
        and says whose names these are and of which date; copy it to make your own.

    OSError for a file that cannot be read.

    >>> names, prefixes = tracking_names()
    >>> "fbclid" in names, "utm_" in prefixes
    (True, True)
    """
    path = Path(__file__).with_name("tracking.txt") if file is None else Path(file)
    lines = path.read_text("utf-8-sig").splitlines()
    words = [word for line in lines for word in line.split()[:1] if word[0] != "#"]
    names = tuple(word for word in words if not word.endswith("*"))
    return names, tuple(word[:-1] for word in words if word.endswith("*"))
