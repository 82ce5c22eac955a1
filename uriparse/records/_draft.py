"""The slots of a record, the draft in which they are filled, and the classes that have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, Never, TypeVar

from uriparse.components.component_text import compose

if TYPE_CHECKING:
    from uriparse.records.authority import Authority
    from uriparse.records.hosts import Host

COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
"""The components of references, in their order; the authority by its parts."""

NAMES = ("scheme", "authority", *COMPONENTS[1:])
"""The same, and the authority before its parts."""

T_co = TypeVar("T_co", covariant=True)


class Component(Generic[T_co]):
    """How type checkers see the slots of a record: readable, and not to be assigned."""

    def __get__(self, record: object, owner: object = None, /) -> T_co:
        """Never runs: the slot is there instead."""
        raise NotImplementedError

    def __set__(self, record: object, value: Never, /) -> None:
        """Never runs; nothing can be assigned."""
        raise NotImplementedError


class Slots:
    """One slot a component; `_text` is the whole, `_authority` is made when first asked for."""

    __slots__ = {  # noqa: RUF023 - in the order of a reference; the values are shown by help()
        "_text": "The whole text, as written.",
        "scheme": 'The text before the first ":"; None in a relative reference.',
        "_authority": "The authority, None until it is asked for.",
        "userinfo": 'The text before "@"; None without one.',
        "host": "The host, of its kind; None without an authority.",
        "port": 'The digits after ":"; None without one, "" where none follow.',
        "path": 'The path; "" where nothing is written, never None.',
        "query": 'The text after "?"; None without one.',
        "fragment": 'The text after "#"; None without one.',
        "grammar": 'The grammar it was read by: "rfc3986" or "rfc3987".',
        "__weakref__": "The weak references to it.",
    }

    CLASSES: ClassVar[dict[str, type[Slots]]] = {}
    """The classes of records by name, as generated tables name them; each enters itself."""

    _text: str
    _authority: Authority | None
    scheme: Component[str | None]
    userinfo: Component[str | None]
    host: Component[Host | None]
    port: Component[str | None]
    path: Component[str]
    query: Component[str | None]
    fragment: Component[str | None]
    grammar: Component[str]


class _Draft(Slots):
    """An unfinished record, in which every slot must be set; for this module and readers alone.

    A record refuses assignment, and a draft with the same slots allows it: code that has checked
    its text fills a draft, and assigning `__class__` makes the draft a record. That takes a seventh
    of the time of a frozen dataclass with slots (0.12 µs against 0.8 µs), and components are read
    as fast as any slot.
    """

    __slots__ = ()


def _unchecked_parts(  # noqa: PLR0913, PLR0917 - one for each component
    scheme: str | None,
    userinfo: str | None,
    host: Host | None,
    port: str | None,
    path: str,
    query: str | None,
    fragment: str | None,
    grammar: str | None,
    authority: Authority | None = None,
    text: str | None = None,
) -> Slots:
    """Make a record WITHOUT CHECKING, of components that come from records.

    For code that derives components in ways which keep them valid (parsing, resolution,
    normalization), where checking again would double its time; the tests parse again what it
    returns. Never for text from outside: that is what `URIReference.from_parts` is for.

    grammar: None takes "rfc3986" if the text is ASCII, "rfc3987" otherwise.
    authority, text: what the components make, where it is there.
    """
    draft: Any = _Draft()
    draft.scheme = scheme
    draft.userinfo = userinfo
    draft.host = host
    draft.port = port
    draft.path = path
    draft.query = query
    draft.fragment = fragment
    draft._authority = authority  # noqa: SLF001 - a draft is filled from outside
    if text is None:
        name = None if host is None else host._text  # noqa: SLF001 - same
        text = compose(scheme, userinfo, name, port, path, query, fragment)
    draft._text = text  # noqa: SLF001 - same
    draft.grammar = grammar or ("rfc3986" if text.isascii() else "rfc3987")
    draft.__class__ = Slots.CLASSES["RelativeRef" if scheme is None else "URI"]
    return draft  # type: ignore[no-any-return]  # a record now
