"""User names and passwords of database URLs, as SQLAlchemy wrote them before version 1.4.42.

`quote` is that program's rule: RFC 1738 section 3.1 asks for ":", "@" and "/" to be encoded in a
user name or password, and it encodes these three and nothing else. As "%" stays, a text that
holds a triplet already comes back changed; `lossless=True` encodes "%" too, and then `unquote`
gives back every text. Later versions of SQLAlchemy encode all that RFC 3986 would.

`split_engine_url` reads a whole database URL leniently: "_" stands in the scheme, spaces and "?"
stand in user name and password. These are no URIs; `uriparse.parse` refuses them.

What the program's own functions are here:

| SQLAlchemy                  | here                                         |
|-----------------------------|----------------------------------------------|
| _rfc_1738_quote             | `quote`                                      |
| _rfc_1738_unquote           | `unquote`                                    |
| make_url                    | `split_engine_url`                           |
| _parse_rfc1738_args         | `split_engine_url`                           |
| URL.create                  | `EngineURL`                                  |
| URL.render_as_string        | `EngineURL.render`                           |
| URL.__to_string__           | `EngineURL.render` with `lossless=False`     |
| URL.__str__, URL.__repr__   | `EngineURL.__str__`, `EngineURL.__repr__`    |
| URL.drivername              | `EngineURL.drivername`                       |
| URL.get_backend_name        | `EngineURL.dialect`                          |
| URL.get_driver_name         | `EngineURL.driver`                           |

SQLAlchemy decodes the query into a mapping; here it stays as it is written, for
`uriparse.query_pairs` to read and `uriparse.query_string` to write.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from uriparse.door import as_optional_str, as_str, as_text, refusal
from uriparse.errors import ComponentError, URISyntaxError
from uriparse.grammar import charset
from uriparse.legacy.octets import decode_text, encoder

if TYPE_CHECKING:
    from uriparse.door import Text

QUOTED = frozenset(":@/")
"""What RFC 1738 section 3.1 has encoded in user names and passwords."""

_ENCODED = encoder(())
_QUOTED_TABLE = {ord(character): _ENCODED[ord(character)] for character in QUOTED}
_LOSSLESS_TABLE = {ord(character): _ENCODED[ord(character)] for character in QUOTED | {"%"}}

_DRIVER_CHARACTERS = charset("ALPHA") | charset("DIGIT") | frozenset("+_")
"""A dialect and a driver are Python names joined by "+", which is why "_" is among them."""

_HIDDEN = "***"
_HIGHEST_PORT = 0xFFFF


def quote(text: Text, *, lossless: bool = False) -> str:
    """Encode a user name or password for a database URL.

    lossless: whether "%" is encoded too, so that `unquote` gives the text back.

    >>> quote("a:b@c/d"), quote("100%3A"), quote("100%3A", lossless=True)
    ('a%3Ab%40c%2Fd', '100%3A', '100%253A')
    """
    return as_text(text).translate(_LOSSLESS_TABLE if lossless else _QUOTED_TABLE)


def unquote(text: Text) -> str:
    """Decode the triplets of a user name or password; "+" and what is no triplet stay.

    Octets that are not UTF-8 become lone surrogates, as in `os.fsdecode`.

    >>> unquote("apples%40oranges+%40%"), unquote("caf%C3%A9")
    ('apples@oranges+@%', 'café')
    """
    return decode_text(as_text(text))


@dataclass(frozen=True, slots=True, repr=False, init=False)
class EngineURL:
    """A database URL. None is an absent part, "" an empty one; `str()` hides the password.

    The constructor takes the parts in their order, the port also as a number from 0 to 65535.

    Attributes:
        drivername: dialect, and the driver after "+", as written.
        username: decoded.
        password: decoded.
        host: without the brackets around an IPv6 address; None also where it is empty.
        port: as written: digits.
        database: as written, without the "/" before it.
        query: as written, without the "?" before it.

    ComponentError if a part cannot be written at its place.

    >>> EngineURL("postgresql", host="h", port=5432).port
    '5432'
    """

    drivername: str
    username: str | None
    password: str | None
    host: str | None
    port: str | None
    database: str | None
    query: str | None

    def __init__(
        self,
        drivername: str,
        username: str | None = None,
        password: str | None = None,
        host: str | None = None,
        port: int | str | None = None,
        database: str | None = None,
        query: str | None = None,
    ) -> None:
        parts = {
            "drivername": as_str(drivername, "drivername"),
            "username": as_optional_str(username, "username"),
            "password": as_optional_str(password, "password"),
            "host": as_optional_str(host, "host"),
            "port": _digits(port),
            "database": as_optional_str(database, "database"),
            "query": as_optional_str(query, "query"),
        }
        for component, value in parts.items():
            object.__setattr__(self, component, value)
        self._hold_to_what_is_read()

    def _hold_to_what_is_read(self) -> None:
        """Hold the parts to what can be written and read again."""
        if not self.drivername or not _DRIVER_CHARACTERS.issuperset(self.drivername):
            raise _unwritable("drivername", self.drivername)
        if self.password is not None and self.username is None:
            raise _unwritable("password", self.password)
        if self.port is not None and not charset("DIGIT").issuperset(self.port):
            raise _unwritable("port", self.port)
        again = _split(self._after_drivername(lossless=True, hidden=False))
        for component in ("username", "password", "host", "port", "database", "query"):
            value: str | None = getattr(self, component)
            if again[component] != value:
                raise _unwritable(component, value)

    @property
    def dialect(self) -> str:
        """What stands before the "+" of the drivername, or all of it.

        >>> EngineURL("postgresql+psycopg2").dialect
        'postgresql'
        """
        return self.drivername.partition("+")[0]

    @property
    def driver(self) -> str | None:
        """What stands behind the "+" of the drivername; None without one, for the dialect's own.

        >>> EngineURL("postgresql+psycopg2").driver, EngineURL("sqlite").driver
        ('psycopg2', None)
        """
        _, plus, driver = self.drivername.partition("+")
        return driver if plus else None

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        """Show the display form."""
        return f"<{type(self).__name__} {self.render()}>"

    def render(self, *, hide_password: bool = True, lossless: bool = True) -> str:
        """Print the URL.

        hide_password: whether "***" stands for the password.
        lossless: whether `split_engine_url` gives this record back; False writes "%" as SQLAlchemy
            did.

        >>> url = EngineURL("postgresql", username="u", password="a@b", host="h", database="d")
        >>> url.render(), url.render(hide_password=False)
        ('postgresql://u:***@h/d', 'postgresql://u:a%40b@h/d')
        """
        rest = self._after_drivername(lossless=lossless, hidden=hide_password)
        return f"{self.drivername}://{rest}"

    def _after_drivername(self, *, lossless: bool, hidden: bool) -> str:
        credentials = ""
        if self.username is not None:
            credentials = quote(self.username, lossless=lossless)
            if self.password is not None:
                shown = _HIDDEN if hidden else quote(self.password, lossless=lossless)
                credentials += ":" + shown
            credentials += "@"
        host = self.host or ""
        if ":" in host:
            host = f"[{host}]"
        port = "" if self.port is None else ":" + self.port
        database = "" if self.database is None else "/" + self.database
        query = "" if self.query is None else "?" + self.query
        return f"{credentials}{host}{port}{database}{query}"


def split_engine_url(text: Text) -> EngineURL:
    """Read a database URL: dialect+driver://username:password@host:port/database?query.

    User name and password end at the last "@" before the first "/".

    URISyntaxError if there is no dialect before "://", or the port is no number.

    >>> url = split_engine_url("my_sql+py://user:pass word%2F@[::1]:33/db?charset=utf8")
    >>> url.drivername, url.password, url.host, url.port, url.database, url.query
    ('my_sql+py', 'pass word/', '::1', '33', 'db', 'charset=utf8')
    >>> print(url)
    my_sql+py://user:***@[::1]:33/db?charset=utf8
    """
    text = as_text(text)
    drivername, separator, rest = text.partition("://")
    if not separator or not drivername or not _DRIVER_CHARACTERS.issuperset(drivername):
        raise URISyntaxError(
            'a database URL begins with a dialect and "://"',
            text=text,
            offset=_first_outside(drivername) if separator else len(text),
            component="drivername",
        )
    parts = _split(rest)
    port = parts["port"]
    if port is not None and not charset("DIGIT").issuperset(port):
        tail = "".join(
            mark + part
            for mark, part in (("/", parts["database"]), ("?", parts["query"]))
            if part is not None
        )
        raise URISyntaxError(
            "the port of a database URL is a number; ':', '@' and '/' in a user name or password"
            " are encoded",
            text=text,
            offset=len(text) - len(tail) - len(port) + _first_outside(port, charset("DIGIT")),
            component="port",
        )
    return EngineURL(
        drivername,
        parts["username"],
        parts["password"],
        parts["host"],
        port,
        parts["database"],
        parts["query"],
    )


def _digits(port: int | str | None) -> str | None:
    """Write a port that is given as a number."""
    if port is None or isinstance(port, str):
        return as_optional_str(port, "port")
    if not isinstance(port, int) or isinstance(port, bool):
        raise refusal(port, "port", "an int, digits as a str, or None")
    if not 0 <= port <= _HIGHEST_PORT:
        raise ComponentError(
            f"port: a number from 0 to {_HIGHEST_PORT}", component="port", rule="port"
        )
    return str(int(port))


def _split(rest: str) -> dict[str, str | None]:
    """Split what follows "://"."""
    at = rest.partition("/")[0].rfind("@")
    username: str | None = None
    password: str | None = None
    if at >= 0:
        username, colon, quoted = rest[:at].partition(":")
        username = unquote(username)
        password = unquote(quoted) if colon else None
    before, question, query = rest[at + 1 :].partition("?")
    location, slash, database = before.partition("/")
    host, port = _split_port(location)
    return {
        "username": username,
        "password": password,
        "host": host or None,
        "port": port,
        "database": database if slash else None,
        "query": query if question else None,
    }


def _split_port(location: str) -> tuple[str, str | None]:
    if location.startswith("["):
        address, bracket, after = location[1:].partition("]")
        if bracket and (not after or after.startswith(":")):
            return address, after[1:] if after else None
    host, colon, port = location.partition(":")
    return host, port if colon else None


def _first_outside(text: str, characters: frozenset[str] = _DRIVER_CHARACTERS) -> int:
    return next((at for at, found in enumerate(text) if found not in characters), len(text))


def _unwritable(component: str, value: str | None) -> ComponentError:
    return ComponentError(
        f"this {component} cannot be written at its place in a database URL",
        component=component,
        rule=component,
        value=value,
    )
