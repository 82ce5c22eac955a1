"""What the records of all schemes have in common: a text, its fields, and how to change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple, NoReturn, Self, TypeAlias, TypeVar, cast

from uriparse._base import migration_hints as hints
from uriparse._base.coerce import ComparedAsText, Text, derived
from uriparse.components.normal_form import normal_host
from uriparse.components.servers import origin, port_number, significant
from uriparse.errors.excerpt import MASK, masked_path
from uriparse.records._parts import Framed
from uriparse.schemes.encoding import HOST_KINDS, Encoded, Host, RelaxedHost, canonical
from uriparse.schemes.fields import Field, Found, RecordClass, url_field

if TYPE_CHECKING:
    from uriparse.schemes.constraints import Constraint

# A URL and the text that is parsed in its place: where the offsets of one lie in the other.

STAND_IN = "h"
"""As often as a host that RFC 1738 lacks is long: a host that it has, to parse in its place."""


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A URL and what is parsed in its place.

    text: the URL as written, fragment included. parsed: the text that is parsed.
    record: the class of the record to make.
    shift: what to add to an offset in `parsed` to get one in `text`, where the scheme's word
        was exchanged for another's.
    host: the host that `parsed` has another of the same length for, or None.
    """

    text: str = field(repr=False)
    parsed: str = field(repr=False)
    scheme: str
    record: type[URL]
    default_port: int | None
    fragment: Encoded | None = None
    shift: int = 0
    host: RelaxedHost | None = None

    def at(self, offset: int) -> int:
        """Translate an offset in `parsed` to one in `text`."""
        return offset + self.shift

    @property
    def url(self) -> str:
        """The text without the fragment."""
        return self.text if self.fragment is None else self.text.partition("#")[0]

    def record_of(self, found: Found) -> URL:
        """Make the record of the fields found in `parsed`, which it completes."""
        if self.shift:
            for value in found.values():
                if isinstance(value, Encoded) and value.start is not None:
                    value._start = self.at(value.start)  # noqa: SLF001 - not yet a record's
        if self.host is not None and self.record.HOST_FIELD in found:
            found[self.record.HOST_FIELD] = self.host
        whole = {
            "_text": self.text,
            "scheme": self.scheme,
            "fragment": self.fragment,
            "default_port": self.default_port,
            **found,
        }
        self.record.complete(whole, self.url)
        return _unchecked_url(self.record, whole)


# A record has one slot for each piece that the scheme's rule captures, holding it as written; all
# else (decoded values, the parts of a path) is derived when asked for. `None` is a field that is
# absent with its delimiter, `""` one that is there and empty.

Fields: TypeAlias = Mapping[str, object]
"""The slots of a record by name; those left out are None."""

_U = TypeVar("_U", bound="URL")
_new = object.__new__


class SchemeCause(NamedTuple):
    """Why a text is not a URL of its scheme, where that is certain.

    cause: its name in `uriparse.diagnosis.CAUSES`; placeholders: what those in it stand for.
    component: the rule at fault; None for the one that stops there.
    """

    cause: str
    component: str | None = None
    placeholders: Mapping[str, str] = MappingProxyType({})


class URL(
    ComparedAsText,
    hints.Foreign,
    Framed,
    metaclass=RecordClass,
    foreign=hints.foreign_names("url"),
):
    """A URL of some scheme; this class itself has no instances: see `parse_url`, `from_parts`.

    scheme: in lower case, however it was written.
    fragment: what follows "#", which is not a part of the URL (RFC 1738 section 2.2) and is kept
        beside it; None without "#".
    default_port: the port that is meant where none is written; None if the scheme has none.

    `from_parts` makes a URL of data: plain text and octets are encoded, `Encoded` text is taken as
    written. ComponentError for parts that make no URL of the scheme.

    `str` returns the text that was parsed, fragment included. Immutable, picklable; equal to that
    text, hashed and ordered as it is (see `equivalent` for what means the same). `repr` masks the
    password. Each class is a type of fields for pydantic.
    """

    __slots__ = ("_text", "default_port", "fragment", "scheme")

    __match_args__: ClassVar[tuple[str, ...]]
    FIELDS: ClassVar[Mapping[str, Field]]
    SLOTS: ClassVar[dict[str, None]]

    SCHEME: ClassVar[str | None] = None
    """The scheme whose records these are, for `from_parts`; None if it is a parameter there."""
    OWN_SCHEME: ClassVar[object] = None
    """The `Scheme` that the class is for, or its row in the table; see `registry.scheme_of`."""
    UNREAD: ClassVar[tuple[str, ...]] = ("scheme", "fragment", "f-component")
    """Rules whose own text is not a field; each class adds to those of its bases."""
    COMPLETED: ClassVar[tuple[str, ...]] = ()
    """Rules whose text only `complete` uses; it takes it out by the name of the node."""
    LISTS: ClassVar[frozenset[str]] = frozenset()
    """The fields that are tuples."""
    HOST_FIELD: ClassVar[str] = "host"
    """The field that holds the host, where the URL has one."""

    _WRITTEN: ClassVar[Mapping[str, str]] = {}
    """The fields that numbers in `__match_args__` are written in."""
    SECRET: ClassVar[str] = "password"
    """The field, or the property, that `repr` masks."""

    is_retrievable: ClassVar[bool] = True
    """Return whether the URL represents a data object that can be fetched."""
    is_location_independent: ClassVar[bool] = False
    """Return whether it names its object wherever it is stored."""
    is_globally_accessible: ClassVar[bool] = True
    """Return whether anyone on the Internet can be expected to reach it."""
    credentials_advisory: ClassVar[bool] = False
    """Return whether user and password are shown to a person, and not sent."""
    needs_host: ClassVar[bool] = False
    """Return whether a host is named by every URL, though the rule takes an empty one."""

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = ()
    """What the RFC requires beside its ABNF, in the order in which it is checked."""

    _FORMAT = "uri"
    _read_field: ClassVar[Callable[[type[URL], Text], URL]]
    """Reads the value of a field of pydantic; `url_parsing` imports this file and sets it."""

    _text: str
    scheme: str
    fragment: Encoded | None
    default_port: int | None

    def __new__(cls, *_: object, **__: object) -> Self:
        """Refuse: use `parse_url` or `from_parts`."""
        raise TypeError(f"{cls.__name__} has no constructor: use parse_url() or from_parts()")

    @classmethod
    def _field_reader(cls) -> Callable[[Text], object]:
        return partial(cls._read_field, cls)

    @property
    def url(self) -> str:
        """The text without "#" and fragment."""
        return self._text if self.fragment is None else self._text.partition("#")[0]

    def as_dict(self) -> dict[str, object]:
        """Return the fields by name, in the order of `__match_args__`; numbers as written."""
        written = self._WRITTEN
        return {name: getattr(self, written.get(name, name)) for name in self.__match_args__}

    @classmethod
    def complete(cls, found: dict[str, object], url: str) -> None:
        """Add to the fields found those that are not the text of a rule; by default, nothing.

        found: the slots by name, those of the common syntax included.
        url: the text without the fragment.

        SchemeError for a field that the prose of the RFC forbids and its rule allows.
        """

    @classmethod
    def cause(cls, url: str, offset: int) -> SchemeCause | None:
        """Return why a text is invalid at an offset, where the scheme knows more than its rule.

        url: the text without the fragment.
        """
        del url, offset
        return None

    def identity(self) -> tuple[object, ...]:
        """Return what two records of one class have in common exactly when they are equivalent.

        The fields, spelled in the one way that `encoding.canonical` chooses.
        """
        raise NotImplementedError

    def _canonical(self, name: str) -> str | None:
        """Return a field with the triplets of its characters decoded; None where it is absent."""
        text: Encoded | None = getattr(self, name)
        stated = self.FIELDS[name]
        return (
            text if text is None else canonical(text, stated.characters, reserved=stated.reserved)
        )

    def fragment_identity(self) -> str | None:
        """Return what the fragments of equivalent records have in common; None without one."""
        return None if self.fragment is None else canonical(self.fragment)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._masked()!r}>"

    def _masked(self) -> str:
        """Return the text with the password, where the class has one, as `***`."""
        password: Encoded | None = getattr(self, self.SECRET, None)
        if not password:
            if getattr(self, "host", None) is not None or "@" not in self._text:
                return self._text
            # Without a server, a part of its own may hold what looks like a password.
            return masked_path(self._text)
        start = password.start or 0
        return f"{self._text[:start]}{MASK}{self._text[start + len(password) :]}"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __reduce__(self) -> tuple[object, ...]:
        return _unchecked_url, (
            type(self),
            {name: getattr(self, name) for name in self.SLOTS},
        )


@cache
def _draft(kind: type[URL]) -> type[URL]:
    """Return a class with the same slots that allows assignment; see `_unchecked_url`."""
    allowing: dict[str, object] = {
        "__setattr__": object.__setattr__,
        "__delattr__": object.__delattr__,
    }
    return cast("type[URL]", RecordClass(f"{kind.__name__}_Draft", (kind,), allowing))


def _unchecked_url(kind: type[_U], fields: Fields) -> _U:
    """Make a record without checking it; TypeError for a field that its class has no slot for.

    It is a draft until it is filled, and assigning its class makes it immutable: that takes half
    the time of filling the slots by their descriptors.
    """
    filled = {**kind.SLOTS, **fields}
    if len(filled) > len(kind.SLOTS):
        strange = ", ".join(sorted(filled.keys() - kind.SLOTS.keys()))
        raise TypeError(f"{kind.__name__} has no field for {strange}")
    record: _U = _new(_draft(kind))  # type: ignore[assignment]  # it becomes one
    for name, value in filled.items():
        setattr(record, name, value)
    record.__class__ = kind
    return record


class ServerURL(URL):
    """A URL with the host of a server, and perhaps a port.

    host: as written; one of `HostName`, `HostNumber`, `RelaxedHost`.
    port: the digits as written, which may be none where RFC 3986 is followed; None without ":".
    port_number: the port as a number, not bounded by 65535, for the grammar is not; None if none is
        written. ComponentError for more than 20 digits.
    effective_port: the port to connect to: the one that is written, or else the scheme's own; None
        if there is neither. ComponentError as for `port_number`.
    """

    host: Host | None = url_field(kind=HOST_KINDS)
    port: Encoded | None = url_field("port")
    port_number: int | None = derived(lambda url: port_number(url.port))
    effective_port: int | None = derived(
        lambda url: url.port_number if url.port else url.default_port
    )

    @property
    def origin(self) -> str | None:
        """Scheme, host, and port if it is not the scheme's own; None as for `URIReference`.

        >>> from uriparse.schemes import parse_url
        >>> parse_url("https://h:443/a").origin
        'https://h'
        """
        return origin(self.scheme, None if self.host is None else str(self.host), self.port)

    def _server(self) -> tuple[object, ...]:
        port = significant(self.port) if self.port else str(self.default_port)
        return (None if self.host is None else normal_host(self.host), port)


class LoginURL(ServerURL):
    """A URL that may name a user, and a password with it.

    user: None without "@", `""` for an empty name.
    password: None without ":", `""` for an empty one.
    """

    user: Encoded | None = url_field("user", first=True)
    password: Encoded | None = url_field("password", first=True)

    def _login(self) -> tuple[object, ...]:
        return (self._canonical("user"), self._canonical("password"), *self._server())
