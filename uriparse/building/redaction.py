"""Remove secrets from references, for logs and traces."""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, TypeVar, overload

from uriparse import excerpt
from uriparse.building.queries import RawPair, decoded, joined, raw_pairs
from uriparse.coerce import Data, as_choice, as_data, as_items
from uriparse.parsing import Record, Reference, as_reference, try_parse
from uriparse.percent import quote
from uriparse.records import _unchecked

Profile: TypeAlias = Literal["default", "aws", "oauth", "otel", "strict"]

_OTEL = ("AWSAccessKeyId", "Signature", "sig", "X-Goog-Signature")
_AWS = (
    *("AWSAccessKeyId", "Signature", "sig", "Key-Pair-Id", "X-Amz-Credential"),
    *("X-Amz-Security-Token", "X-Amz-Signature", "X-Goog-Credential", "X-Goog-Signature"),
)
_OAUTH = (
    *("access_token", "assertion", "client_assertion", "client_secret", "code", "code_verifier"),
    *("device_code", "id_token", "id_token_hint", "jwt", "logout_token", "password"),
    *("refresh_token", "request", "token", "user_code"),
)
_COMMON = (
    *("api_key", "auth", "auth_token", "authorization", "credential", "credentials", "key"),
    *("otp", "pass", "passwd", "private_token", "pwd", "secret", "session", "session_id"),
    *("sid", "x_api_key", "csrf_token", "jsessionid", "phpsessid"),
)

SENSITIVE_NAMES: Final = tuple(dict.fromkeys((*_OTEL, *_AWS, *_OAUTH, *_COMMON)))
"""Names of pairs whose values the profile "default" redacts."""

NAMES: Final[Mapping[Profile, tuple[str, ...]]] = MappingProxyType(
    {
        "default": SENSITIVE_NAMES,
        "aws": _AWS,  # signed URLs of AWS, Google Cloud and Azure
        "oauth": _OAUTH,  # RFC 6749, 7523, 7636, 8628, 9101 and OpenID Connect
        "otel": _OTEL,  # OpenTelemetry's semantic conventions, for url.full and url.query
        "strict": SENSITIVE_NAMES,
    }
)
"""The names of each profile."""

_MARK = "REDACTED"

_DEEPEST = 3
"""URLs within URLs that are read; what may hold a secret below is redacted whole."""

_R = TypeVar("_R", bound=Record)


@overload
def redacted(
    uri: _R,
    *,
    profile: Profile = "default",
    userinfo: bool = True,
    query: Iterable[Data] | None = None,
) -> _R: ...
@overload
def redacted(
    uri: Reference,
    *,
    profile: Profile = "default",
    userinfo: bool = True,
    query: Iterable[Data] | None = None,
) -> Record: ...
def redacted(
    uri: Reference,
    *,
    profile: Profile = "default",
    userinfo: bool = True,
    query: Iterable[Data] | None = None,
) -> Record:
    """Replace the secrets of a reference by REDACTED; the rest stays as written.

    profile: which names of pairs have secret values (`NAMES` lists them): "default" all known
        ones, "aws" those of signed URLs, "oauth" those of OAuth and OpenID Connect, "otel" those
        of OpenTelemetry. "strict" keeps scheme, host and path only.
    userinfo: whether user and password are secret; False keeps both.
    query: your own names, which replace those of the profile.

    Names are compared decoded, without letter case, "-" and "_". Pairs are looked for in the query
    and in the fragment, and so are URLs in their values, three levels deep. A path is searched for
    passwords of URLs only: what else is secret in it is not known. Linear in time.
    URISyntaxError, without the secret in its message, if a text is not a reference.

    >>> str(redacted("https://u:p@h/?a=1&sig=x#access_token=y"))
    'https://REDACTED:REDACTED@h/?a=1&sig=REDACTED#access_token=REDACTED'
    >>> str(redacted("https://h/?to=https%3A%2F%2Fu%3Ap%40i"))
    'https://h/?to=https://REDACTED:REDACTED@i'
    >>> str(redacted("https://u:p@h:8080/a?b#c", profile="strict"))
    'https://h/a'
    """
    redaction = Redaction(profile, query, userinfo=userinfo)
    return redaction.of(as_reference(uri, name="uri"))


class Redaction:
    """What is to be redacted, for any number of references and texts."""

    def __init__(
        self,
        profile: Profile = "default",
        query: Iterable[Data] | None = None,
        *,
        userinfo: bool = True,
    ) -> None:
        profile = as_choice(profile, "profile", tuple(NAMES))
        if query is None:
            self._names = _names_of(profile)
        else:
            given = as_items(query, "query", "an iterable of names")
            self._names = frozenset(_plain(as_data(name, "a name")) for name in given)
        self._userinfo, self._strict = userinfo, profile == "strict"

    def concerns(self, text: str) -> bool:
        """Whether there may be something to redact in prose: "@" follows a password, "=" a name."""
        return "@" in text or "=" in text or ("//" in text and (self._strict or "%" in text))

    def of(self, record: Record, depth: int = 0) -> Record:
        """Redact a record, at a depth of URLs within URLs."""
        text = str(record)
        if not (self._strict or "@" in text or "=" in text or "%" in text):
            return record
        authority = record.authority
        if authority is not None and self._strict:
            authority = _unchecked.authority(None, authority.host, None)
        elif authority is not None and authority.userinfo is not None and self._userinfo:
            login = _MARK if authority.password is None else f"{_MARK}:{_MARK}"
            authority = _unchecked.authority(login, authority.host, authority.port)
        query, fragment = record.query, record.fragment
        return _unchecked.reference(
            record.scheme,
            authority,
            self._path(record),
            None if query is None or self._strict else self._pairs(query, depth),
            None if fragment is None or self._strict else self._fragment(fragment, depth),
            record.grammar,
        )

    def loosely(self, text: str) -> str:
        """Redact pairs, and what may be a password, in a text that is not a reference."""
        if "?" in text or "#" in text:
            made = [(pair.separator, self._loose_pair(pair)) for pair in raw_pairs(text)]
            text = joined(made) if made else text
        # JSON may write "/" as "\/", and browsers read "\" as "/".
        nests = "//" in text or excerpt.secret_in_path(None, text) is not None
        return excerpt.masked(text) if self._userinfo and nests else text

    def _loose_pair(self, pair: RawPair) -> str:
        if pair.value is None:
            return pair.text
        return self._named(pair, _after(pair.name), pair.value, 0)

    def _named(self, pair: RawPair, name: str, value: str, depth: int) -> str:
        # A "+" may be a space, which no secret's name has: it need not be decoded.
        is_secret = _plain(decoded(name)) in self._names
        return pair._replace(value=_MARK if is_secret else self._value(value, depth)).text

    def _path(self, record: Record) -> str:
        span = None
        if self._userinfo:
            scheme = None if record.authority is not None else record.scheme
            span = excerpt.secret_in_path(scheme, record.path)
        path = record.path
        return path if span is None else f"{path[: span[0]]}{_MARK}{path[span[1] :]}"

    def _fragment(self, fragment: str, depth: int) -> str:
        # Programs of one page keep a path and a query of their own in the fragment.
        route, mark, query = fragment.partition("?")
        if mark:
            return f"{self._pairs(route, depth)}?{self._pairs(query, depth)}"
        return self._pairs(fragment, depth)

    def _pairs(self, text: str, depth: int) -> str:
        """Redact the pairs of a text, which may well have none."""
        made = [(pair.separator, self._pair(pair, depth)) for pair in raw_pairs(text)]
        return joined(made) if made else text

    def _pair(self, pair: RawPair, depth: int) -> str:
        if pair.value is None:
            return self._value(pair.name, depth)
        return self._named(pair, pair.name, pair.value, depth)

    def _value(self, value: str, depth: int) -> str:
        """Redact a URL that a value is, written in whichever way; other values stay."""
        octets = decoded(value)
        if not (b":" in octets or b"=" in octets or b"%" in octets or b"@" in octets):
            return value
        text = octets.decode("utf-8", "surrogateescape")
        rule, grammar = ("URI", "rfc3986") if text.isascii() else ("IRI", "rfc3987")
        record = try_parse(text, f"{rule}-reference", grammar=grammar)
        if record is None or depth == _DEEPEST:
            return _MARK if self._may_be_secret(text) else value
        made = self.of(record, depth + 1)
        if made == record:
            return value
        if value == text:
            return str(made)
        return quote(str(made), "query-value")

    def _may_be_secret(self, text: str) -> bool:
        """Whether a text that cannot be read as a URL may hold a password, or a secret pair."""
        if self._userinfo and excerpt.secret_in_path(None, text) is not None:
            return True
        return any(
            pair.value is not None and _plain(_after(pair.name)) in self._names
            for pair in raw_pairs(text)
        )


@cache
def _names_of(profile: Profile) -> frozenset[bytes]:
    """Return the names of a profile as they are compared."""
    return frozenset(map(_plain, NAMES[profile]))


def _after(name: str) -> str:
    """Return what follows the last "?" or "#", where the first name of a query begins."""
    return name.rpartition("#")[2].rpartition("?")[2]


def _plain(name: str | bytes) -> bytes:
    """Return a name as names are compared: without letter case, "-" and "_".

    >>> _plain("X-Amz-Signature"), _plain("access_token")
    (b'xamzsignature', b'accesstoken')
    """
    octets = name.encode("utf-8", "surrogateescape") if isinstance(name, str) else name
    return octets.lower().replace(b"-", b"").replace(b"_", b"")
