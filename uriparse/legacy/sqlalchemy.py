"""Database URLs as SQLAlchemy reads and writes them, by version.

No RFC describes these texts and versions read them differently, so each function takes a version:

- "0.9", "1.3": a password ends at the last "@" of its line; "?" begins a query after "/" alone.
- "1.4" (from 1.4.16; earlier ones split as 1.3 does), "2.0", "2.1": a password ends at the first
  "@", and "?" ends a host or a port.
- "2.1" also decodes the database.
- Before 2.0.24, which is "2.0.23" here, exactly ":", "@" and "/" are encoded in a user name or a
  password (RFC 1738 section 3.1); since, everything but letters, digits, "-._~", " " and "+".

In every version a password may contain "/" and "?": "postgresql://good:5432/db@evil/x" connects to
evil. Unlike SQLAlchemy, this module rejects a port with other characters than the digits 0 to 9,
such as " 8_0", and a drivername with non-ASCII letters. Some dialects also read a host from the
query, which this module does not inspect.

SQLAlchemy decodes the query into a mapping; here it stays as written: use `uriparse.query_pairs`
and `uriparse.building.query_string`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, get_args

from uriparse._base.coerce import Text, as_choice, as_optional_str, as_str, as_text, refusal
from uriparse.components.servers import HIGHEST_PORT
from uriparse.errors import ComponentError, URISyntaxError, unfit
from uriparse.errors.advice import Advice, Argument
from uriparse.errors.excerpt import MASK
from uriparse.grammar import charset
from uriparse.legacy.octets import decode_text, encoder, triplet

__all__ = ["VERSIONS", "EngineURL", "quote", "split_engine_url", "unquote"]

Version: TypeAlias = Literal["0.9", "1.3", "1.4", "2.0.23", "2.0", "2.1"]
"""A version of SQLAlchemy: the last of its series, and "2.0.23" for the first ones of 2.0."""


VERSIONS: tuple[Version, ...] = get_args(Version)
"""The supported versions, oldest first."""

_NEWEST = VERSIONS[-1]
_BY_LINE = frozenset({"0.9", "1.3"})
"""The versions in which a password ends at the last "@" of its line."""

_ENCODES_ALL = frozenset({"2.0", "2.1"})
_DECODES_DATABASE = frozenset({"2.1"})

QUOTED = frozenset(":@/")
"""The characters that RFC 1738 section 3.1 encodes in user names and passwords."""


class _EncodedText(dict[int, str]):
    """A table for `str.translate` that encodes what is not kept; only ASCII entries are stored."""

    def __init__(self, kept: Iterable[str]) -> None:
        octets = encoder(kept)
        super().__init__({code: octets[code] for code in range(0x80)})

    def __missing__(self, code: int) -> str:
        octets = chr(code).encode("utf-8", "surrogatepass").decode("latin-1")
        return chr(code) if 0xD800 <= code <= 0xDFFF else "".join(map(triplet, octets))


_QUOTED_TABLE = {ord(character): triplet(character) for character in QUOTED}
_LOSSLESS_TABLE = _QUOTED_TABLE | {ord(character): triplet(character) for character in "%\n"}
_RESERVED_TABLE = _EncodedText(charset("unreserved") | frozenset(" +"))
_DATABASE_TABLE = _EncodedText(charset("unreserved") | frozenset(" +/"))

_DRIVER_CHARACTERS = charset("ALPHA") | charset("DIGIT") | frozenset("+_")
"""The characters of a dialect and driver: Python names joined by "+"."""

_LONGEST_NUMBER = 4300
"""The most digits that `int` accepts by default; more would take quadratic time."""


def quote(text: Text, *, lossless: bool = False, version: Version = "1.4") -> str:
    """Encode a user name or password for a database URL.

    lossless: whether older versions also encode "%" and line feeds, so that `unquote` returns the
        same text; versions since 2.0.24 always do.
    version: the version of SQLAlchemy: until "2.0.23" exactly ":", "@" and "/" are encoded.

    >>> quote("a:b@c/d"), quote("100%3A"), quote("100%3A", lossless=True)
    ('a%3Ab%40c%2Fd', '100%3A', '100%253A')
    >>> quote("a b:ü!%3A", version="2.1")
    'a b%3A%C3%BC%21%253A'
    """
    text = as_text(text)
    if as_choice(version, "version", VERSIONS) in _ENCODES_ALL:
        return text.translate(_RESERVED_TABLE)
    return text.translate(_LOSSLESS_TABLE if lossless else _QUOTED_TABLE)


def unquote(text: Text) -> str:
    """Decode the triplets of a user name or password; "+" and malformed triplets stay.

    Octets that are not UTF-8 become lone surrogates, as in `os.fsdecode`; SQLAlchemy replaces them
    by U+FFFD.

    >>> unquote("apples%40oranges+%40%"), unquote("caf%C3%A9")
    ('apples@oranges+@%', 'café')
    """
    return decode_text(as_text(text))


@dataclass(frozen=True, slots=True, repr=False, init=False)
class EngineURL:
    """A database URL; `str()` hides the password. None is an absent part, "" an empty one.

    The constructor takes the parts in this order, the port also as a number from 0 to 65535.

    drivername: dialect, and the driver after "+", as written.
    username: decoded.
    password: decoded.
    host: without the brackets around an IPv6 address; None also if empty. Since 1.4 it may
        contain "@", if the password does.
    port: the digits as written.
    database: without the "/" before it; decoded in version 2.1, else as written.
    query: as written, without the "?" before it.
    version: the version of SQLAlchemy whose rules apply.

    ComponentError if a part cannot be written so that it is read back.

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
    version: Version

    def __init__(
        self,
        drivername: str,
        username: str | None = None,
        password: str | None = None,
        host: str | None = None,
        port: int | str | None = None,
        database: str | None = None,
        query: str | None = None,
        *,
        version: Version = _NEWEST,
    ) -> None:
        given = (username, password, host, _digits(port), database, query)
        parts = dict(zip(_PARTS, map(as_optional_str, given, _PARTS), strict=True))
        parts["drivername"] = as_str(drivername, "drivername")
        parts["version"] = as_choice(version, "version", VERSIONS)
        for component, value in parts.items():
            object.__setattr__(self, component, value)
        self._hold_to_what_is_read()

    def _hold_to_what_is_read(self) -> None:
        """Check that all parts are read back unchanged from the written URL."""
        if not self.drivername or not _DRIVER_CHARACTERS.issuperset(self.drivername):
            raise _unwritable("drivername", self.drivername)
        if self.password is not None and self.username is None:
            raise _unwritable("password", self.password)
        if self.port is not None and not _is_number(self.port):
            raise _unwritable("port", self.port)
        again = _split(self._after_drivername(lossless=True, hidden=False), self.version)
        for component in _PARTS:
            value: str | None = getattr(self, component)
            if getattr(again, component) != value:
                raise _unwritable(component, value)

    @property
    def dialect(self) -> str:
        """The drivername up to the "+", or all of it.

        >>> EngineURL("postgresql+psycopg2").dialect
        'postgresql'
        """
        return self.drivername.partition("+")[0]

    @property
    def driver(self) -> str | None:
        """The drivername after the "+"; None without one, for the dialect's default driver.

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

    def parts(self, *, hide_password: bool = True) -> dict[str, str | None]:
        """Return the parts by name, in the order of the constructor.

        hide_password: whether "***" replaces the password, and the text before an "@" in a later
            part, which may be meant as the end of the password.

        >>> split_engine_url("d://u:p@ss@h/x", version="2.1").parts()["host"]
        '***@h'
        """
        found: dict[str, str | None] = {
            name: getattr(self, name) for name in ("drivername", *_PARTS)
        }
        if hide_password and self.password is not None:
            found["password"] = MASK
            for name in ("host", "database", "query"):
                _, at, after = (found[name] or "").rpartition("@")
                if at:
                    found[name] = f"{MASK}@{after}"
        return found

    def render(self, *, hide_password: bool = True, lossless: bool = True) -> str:
        """Return the text of the URL by the rules of its version.

        hide_password: whether "***" replaces the password, as in `parts`.
        lossless: whether `split_engine_url` returns the same record; False writes "%" as versions
            before 2.0.24 did.

        >>> url = EngineURL("postgresql", username="u", password="a@b", host="h", database="d")
        >>> url.render(), url.render(hide_password=False)
        ('postgresql://u:***@h/d', 'postgresql://u:a%40b@h/d')
        """
        rest = self._after_drivername(lossless=lossless, hidden=hide_password)
        return f"{self.drivername}://{rest}"

    def _after_drivername(self, *, lossless: bool, hidden: bool) -> str:
        shown = self.parts(hide_password=hidden)
        credentials = ""
        if self.username is not None:
            credentials = quote(self.username, lossless=lossless, version=self.version)
            if self.password is not None:
                password = quote(self.password, lossless=lossless, version=self.version)
                credentials += ":" + (MASK if hidden else password)
            credentials += "@"
        host = shown["host"] or ""
        if ":" in host or host.startswith("["):  # the brackets around an address were removed
            host = f"[{host}]"
        port = "" if self.port is None else ":" + self.port
        database, query = shown["database"], shown["query"]
        if database is not None:
            if self.version in _DECODES_DATABASE and database == self.database:
                database = database.translate(_DATABASE_TABLE)
            database = "/" + database
        query = "" if query is None else "?" + query
        return f"{credentials}{host}{port}{database or ''}{query}"


def split_engine_url(text: Text, *, version: Version | None = None) -> EngineURL:
    """Parse a database URL: dialect+driver://username:password@host:port/database?query.

    version: the version of SQLAlchemy that connects. None uses the newest of `VERSIONS`, and
        rejects a URL in which another version reads another host or port.

    URISyntaxError if there is no dialect before "://", if the port is not a number, or if the
    version is None and versions read different hosts.

    >>> url = split_engine_url("my_sql+py://user:pass word%2F@[::1]:33/db?charset=utf8")
    >>> url.drivername, url.password, url.host, url.port, url.database, url.query
    ('my_sql+py', 'pass word/', '::1', '33', 'db', 'charset=utf8')
    >>> print(url)
    my_sql+py://user:***@[::1]:33/db?charset=utf8
    >>> split_engine_url("postgresql://good.example:5432/db@evil.example/x").host
    'evil.example'
    >>> split_engine_url("d://u:p@ss@h/x", version="1.3").password
    'p@ss'
    """
    text = as_text(text)
    if version is not None:
        version = as_choice(version, "version", VERSIONS)
    drivername, separator, rest = text.partition("://")
    if not separator or not drivername or not _DRIVER_CHARACTERS.issuperset(drivername):
        raise URISyntaxError(
            'a database URL begins with a dialect and "://"',
            text=text,
            offset=_first_outside(drivername) if separator else len(text),
            component="drivername",
        )
    parts = _split(rest, version or _NEWEST)
    before = len(text) - len(rest)
    if parts.port is not None and not _is_number(parts.port):
        raise URISyntaxError(
            "the port of a database URL is a number; ':', '@' and '/' in a user name or password"
            " are encoded",
            text=text,
            offset=before + parts.port_at + _first_outside(parts.port, charset("DIGIT")),
            component="port",
        )
    if version is None:
        _refuse_where_versions_part(text, before, parts)
    return EngineURL(
        drivername, *(getattr(parts, name) for name in _PARTS), version=version or _NEWEST
    )


def _refuse_where_versions_part(text: str, before: int, parts: _Parts) -> None:
    """Reject a text in which an older version reads another host, or a port that it accepts."""
    older = _split(text[before:], VERSIONS[0])
    if older[:2] == parts[:2] or not _is_taken(older.port):
        return
    from uriparse.diagnosis import format_help  # noqa: PLC0415 - only refusals pay for it

    advice = Advice(
        "SQLAlchemy before 1.4.16 and since read different hosts in this database URL",
        "name the version that connects",
        Argument(f"read it as {_NEWEST} does", "version", _NEWEST),
    )
    raise URISyntaxError(
        f"{advice.reason}; help: {format_help(advice)}",
        text=text,
        offset=before + min(older.host_at, parts.host_at),
        component="host",
        advice=advice,
    )


class _Parts(NamedTuple):
    """The parts after "://", and the offsets of host and port."""

    host: str | None
    port: str | None
    username: str | None
    password: str | None
    database: str | None
    query: str | None
    host_at: int
    port_at: int


_PARTS = ("username", "password", "host", "port", "database", "query")


def _split(rest: str, version: Version) -> _Parts:
    """Split the text after "://"; never fails, and ignores what remains."""
    by_line = version in _BY_LINE
    host_at, *login = _split_credentials(rest, by_line=by_line)
    end = _first_of("/" if by_line else "/?", rest, host_at)
    # An address ends at the last "]"; SQLAlchemy ignores the text between it and the port.
    closing = rest.rfind("]", host_at + 2, end) if rest.startswith("[", host_at) else -1
    here = closing + 1 or _first_of(":", rest, host_at, end)
    host = rest[host_at + 1 : closing] if closing >= 0 else rest[host_at:here]
    port = database = query = None
    port_at = here + 1
    if rest.startswith(":", here):
        port = rest[port_at:end]
        here = end
    if rest.startswith("/", here):
        start = here + 1
        here = _first_of("\n" if by_line else "?", rest, start)
        database = rest[start:here]
        if by_line and "?" in database:
            database, query, *_ = database.split("?", 2)
    if not by_line and rest.startswith("?", here):
        query = rest[here + 1 : _first_of("\n", rest, here)]
    if database is not None and version in _DECODES_DATABASE:
        database = unquote(database)
    username, password = (None if one is None else unquote(one) for one in login)
    return _Parts(host or None, port, username, password, database, query, host_at, port_at)


def _split_credentials(rest: str, *, by_line: bool) -> tuple[int, str | None, str | None]:
    """Return the offset of the host, and the user name and password before it."""
    colon = _first_of(":/", rest)
    if rest.startswith(":", colon):
        at = rest.find("@", colon)
        if by_line:
            at = rest.rfind("@", colon, _first_of("\n", rest, colon))
        if at >= 0:
            return at + 1, rest[:colon], rest[colon + 1 : at]
    at = rest.rfind("@", 0, colon)
    return at + 1, rest[:at] if at >= 0 else None, None


def _first_of(marks: str, text: str, start: int = 0, stop: int | None = None) -> int:
    """Return the offset of the first of some characters, or `stop` if there is none."""
    if stop is None:
        stop = len(text)
    for mark in marks:
        if (found := text.find(mark, start, stop)) >= 0:
            stop = found
    return stop


def _is_number(port: str) -> bool:
    return bool(port) and charset("DIGIT").issuperset(port)


def _is_taken(port: str | None) -> bool:
    """Return whether SQLAlchemy accepts a port, which it reads with `int`: " 8_0" is accepted."""
    if port is None:
        return True
    try:
        int(port[: _LONGEST_NUMBER + 1])
    except ValueError:
        return False
    return len(port) <= _LONGEST_NUMBER


def _digits(port: int | str | None) -> str | None:
    """Return a port as digits."""
    if port is None or isinstance(port, str):
        return as_optional_str(port, "port")
    if not isinstance(port, int) or isinstance(port, bool):
        raise refusal(port, "port", "an int, digits as a str, or None")
    if not 0 <= port <= HIGHEST_PORT:
        raise unfit("port", f"must be a number from 0 to {HIGHEST_PORT}")
    return str(int(port))


def _first_outside(text: str, characters: frozenset[str] = _DRIVER_CHARACTERS) -> int:
    return next((at for at, found in enumerate(text) if found not in characters), len(text))


def _unwritable(component: str, value: str | None) -> ComponentError:
    why = "cannot be written in a database URL so that it is read back"
    return unfit(component, why, value=value)
