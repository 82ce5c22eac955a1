"""The base URI of a document, a message part or whatever else holds references (RFC 3986 §5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal, TypeAlias, final

from uriparse import excerpt
from uriparse.door import as_items
from uriparse.errors import ResolutionError
from uriparse.parsing import Reference, as_reference
from uriparse.records import URI
from uriparse.resolution.redirects import Redirects
from uriparse.resolution.resolving import absolute, resolve, without_fragment
from uriparse.textual import Textual

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BaseSource: TypeAlias = Literal["embedded", "enclosing", "retrieval", "default"]


@final
@dataclass(frozen=True, slots=True)
class BaseURI:
    """A base and where it comes from.

    Bases may stand in each other as deep as they like.

    Attributes:
        uri: an absolute URI; its fragment is None.
        source: "embedded" in the content, stated by or found for an "enclosing" entity, the
            "retrieval" URI, or the application's "default".
        outer: the base that this one was resolved against or taken over from, with its own
            source; None where it stands by itself.

    """

    uri: URI
    source: BaseSource
    outer: BaseURI | None = None

    def __str__(self) -> str:
        return str(self.uri)

    def __repr__(self) -> str:
        opened = [
            f"BaseURI(uri={base.uri!r}, source={base.source!r}, outer=" for base in self._all()
        ]
        return "".join([*opened, "None", ")" * len(opened)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BaseURI):
            return NotImplemented
        for one, two in zip_longest(self._all(), other._all()):
            if one is two:
                return True  # and so are those around it
            if one is None or two is None or one.source != two.source or one.uri != two.uri:
                return False
        return True

    def __hash__(self) -> int:
        return hash(self._parts())

    def __reduce__(self) -> tuple[object, ...]:
        return _nested, (self._parts(),)

    def __copy__(self) -> BaseURI:
        return self

    def __deepcopy__(self, _: object) -> BaseURI:
        return self

    def _all(self) -> Iterator[BaseURI]:
        """Yield this one and those outside it, outwards."""
        base: BaseURI | None = self
        while base is not None:
            yield base
            base = base.outer

    def _parts(self) -> tuple[tuple[URI, BaseSource], ...]:
        return tuple((base.uri, base.source) for base in self._all())


def _nested(parts: tuple[tuple[URI, BaseSource], ...]) -> BaseURI:
    base: BaseURI | None = None
    for uri, source in reversed(parts):
        base = BaseURI(uri, source, base)
    assert base is not None  # noqa: S101 - there is one at least
    return base


def base_uri(
    *,
    embedded: Reference | None = None,
    enclosing: BaseURI | Reference | Sequence[BaseURI | Reference | None] | None = None,
    retrieval: Reference | Sequence[Reference] | None = None,
    default: Reference | None = None,
) -> BaseURI:
    """Establish a base URI from what is known, the innermost source first (RFC 3986 section 5.1).

    embedded: what the content itself states (`html_base`); may be relative (section 5.1.1).
    enclosing: the base of the entity around it, a result of this function, or what each of the
        entities around it states, innermost first, None for those that state nothing
        (`enclosing_bases`); may be relative (section 5.1.2).
    retrieval: the URI it was retrieved from, or the chain of redirects in order, of which the
        last counts (section 5.1.3). The first must be absolute; the others may be relative to
        the one before (RFC 9110 section 10.2.2).
    default: the application's choice where there is nothing else (section 5.1.4); absolute.

    A relative base is resolved against the next one outwards. Fragments are dropped.
    ResolutionError if nothing is known, or nothing absolute.

    >>> base = base_uri(embedded="sub/", retrieval=["http://r/", "http://r/a/b"])
    >>> str(base), base.source, base.outer.source
    ('http://r/a/sub/', 'embedded', 'retrieval')
    """
    base: BaseURI | None = None
    if default is not None:
        base = BaseURI(without_fragment(absolute(default, "default base")), "default")
    if retrieval is not None and (found := _last_of_chain(retrieval)) is not None:
        base = BaseURI(found, "retrieval")
    for stated in reversed(_entities(enclosing)):
        if isinstance(stated, BaseURI):
            base = BaseURI(stated.uri, "enclosing", stated)
        elif stated is not None:
            base = _stated(stated, "enclosing", base)
    if embedded is not None:
        base = _stated(embedded, "embedded", base)
    if base is None:
        raise ResolutionError(
            "no base URI: nothing embedded, no enclosing entity, no retrieval URI, no default"
        )
    return base


def _entities(
    enclosing: BaseURI | Reference | Sequence[BaseURI | Reference | None] | None,
) -> Sequence[BaseURI | Reference | None]:
    if enclosing is None:
        return ()
    if isinstance(enclosing, BaseURI | str | bytes | Textual):
        return (enclosing,)
    return tuple(as_items(enclosing, "enclosing", "a base, a reference or a sequence of them"))


def _stated(stated: Reference, source: BaseSource, outer: BaseURI | None) -> BaseURI:
    """Make a stated base absolute by the base around it, if it is relative."""
    reference = as_reference(stated, name=source)
    if isinstance(reference, URI):
        return BaseURI(without_fragment(reference), source)
    if outer is None:
        shown = excerpt.masked(repr(reference))
        raise ResolutionError(
            f"the {source} base {shown} is relative, and no base further out is known"
        )
    return BaseURI(without_fragment(resolve(outer.uri, reference)), source, outer)


def _last_of_chain(retrieval: Reference | Sequence[Reference]) -> URI | None:
    if isinstance(retrieval, str | bytes | Textual):
        return without_fragment(absolute(retrieval, "retrieval URI"))
    redirects: Redirects | None = None
    for step in as_items(retrieval, "retrieval", "a reference or a sequence of them"):
        if redirects is None:
            redirects = Redirects(absolute(step, "retrieval URI"))
        else:
            redirects.follow(step)
    return None if redirects is None else redirects.target()
