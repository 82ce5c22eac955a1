"""What follows from the components of a reference: all that a record tells beyond them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from uriparse.foreign_names import ForeignToReferences
from uriparse.records._draft import Component, Slots
from uriparse.records.authority import Authority, _unchecked_authority, password_of, user_of
from uriparse.records.framed import Framed
from uriparse.rightward import public
from uriparse.textual import ComparedAsText

if TYPE_CHECKING:
    from typing import Self

    from uriparse.records.hosts import Host

NormalLevel: TypeAlias = Literal["syntax", "scheme"]

_keep_authority = Slots._authority.__set__  # type: ignore[attr-defined]  # noqa: SLF001 - as the slot of a class


class Derived(Slots, ComparedAsText, ForeignToReferences, Framed):
    """A record as its readers see it: components, and what follows from them."""

    __slots__ = ()
    _authority: Authority | None
    scheme: Component[str | None]
    userinfo: Component[str | None]
    host: Component[Host | None]
    port: Component[str | None]
    path: Component[str]
    query: Component[str | None]
    fragment: Component[str | None]
    grammar: Component[str]

    @property
    def authority(self) -> Authority | None:
        """The authority with its parts, None where there is none."""
        authority = self._authority
        if authority is None and (host := self.host) is not None:
            # Two threads may both come here: they make equal values, and either may stay.
            authority = _unchecked_authority(self.userinfo, host, self.port)
            _keep_authority(self, authority)
        return authority

    @property
    def user(self) -> str | None:
        """The userinfo up to its first ":", as written; None without "@"."""
        return user_of(self.userinfo)

    @property
    def password(self) -> str | None:
        """The userinfo after its first ":", as written; None without ":"."""
        return password_of(self.userinfo)

    @property
    def port_number(self) -> int | None:
        """The port as a number, None where it is absent or empty.

        Not bounded by 65535; ComponentError for more than 20 digits, leading zeros apart.
        """
        from uriparse.records.servers import port_number  # noqa: PLC0415 - for those who ask

        return port_number(self.port)

    @property
    def effective_port(self) -> int | None:
        """The port to connect to: the one that is written, or else the scheme's own.

        None if there is neither (see `SCHEME_DEFAULTS`). ComponentError as for `port_number`.

        >>> from uriparse.parsing.parser import parse
        >>> parse("https://h/").effective_port, parse("https://h:8443/").effective_port
        (443, 8443)
        """
        from uriparse.records.servers import default_port  # noqa: PLC0415 - for those who ask

        number = self.port_number
        if number is None and self.host is not None:
            return default_port(self.scheme)
        return number

    @property
    def origin(self) -> str | None:
        """The origin as text: scheme, host, port if it is not the scheme's own (RFC 6454 §6.2).

        None where there is none (section 4): without scheme or host, and for schemes whose
        default port is not known (see `SCHEME_DEFAULTS`), `file` among them. None is no origin
        that two URIs could have in common: compare what is there. The host is in lower case, and
        no name beyond ASCII is mapped (see `iri_to_uri`).

        >>> from uriparse.parsing.parser import parse
        >>> parse("HTTPS://u@Example.COM:443/a").origin, parse("mailto:a@b").origin
        ('https://example.com', None)
        """
        from uriparse.records.servers import origin  # noqa: PLC0415 - for those who ask

        return origin(self.scheme, self.host, self.port)

    @property
    def segments(self) -> tuple[str, ...]:
        """The segments of the path, as written: split first, decode each with `unquote` then.

        >>> from uriparse.parsing.parser import parse
        >>> parse("/a//b").segments, parse("a%2Fb/").segments, parse("/").segments
        (('a', '', 'b'), ('a%2Fb', ''), ('',))
        """
        path = self.path
        return tuple(path.removeprefix("/").split("/")) if path else ()

    def normalize(self, level: NormalLevel = "syntax") -> Self:
        """Return the normal form, as the function `normalize` does, which takes more.

        >>> from uriparse.parsing.parser import parse
        >>> parse("HTTP://H:80/%7Ea").normalize("scheme")
        <URI 'http://h/~a'>
        """
        return cast("Self", public("normalize")(self, level))
