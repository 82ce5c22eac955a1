"""Put a URL together of data, each field by the rule of its place.

The text is then parsed as any other, so that a URL made of parts is one of its scheme and says
what was meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from uriparse._base import coerce
from uriparse._base.coerce import Text, as_data, as_items, as_str, as_text, refusal
from uriparse.components.component_data import refuse_dots
from uriparse.components.servers import LONGEST_PORT
from uriparse.errors import ComponentError, SchemeError, unfit
from uriparse.grammar import rule_expressions
from uriparse.grammar.matchers import fullmatch
from uriparse.schemes import registry as registries
from uriparse.schemes.encoding import Encoded, RelaxedHost, encode, read_host
from uriparse.schemes.read_by_scheme import read
from uriparse.schemes.registry import Scheme, known, scheme_of
from uriparse.schemes.written_by_rule import written_by

if TYPE_CHECKING:
    from uriparse.schemes.url import URL, Fields

Schemes: TypeAlias = registries.Schemes

Data: TypeAlias = coerce.Data
"""A field to be written: an `Encoded` is taken as it is, other text and octets are encoded."""

_U = TypeVar("_U", bound="URL")
_V = TypeVar("_V", "Data", "Data | None")


def written(
    data: Data, rule: str, name: str | None = None, *, reserved: str = "", grammar: str = "rfc1738"
) -> str:
    """Write a field, data by `encode`; messages call it by `name`, or by its rule."""
    if isinstance(data, Encoded):
        return as_str(data, name or rule)
    return encode(as_data(data, name or rule), rule, reserved=reserved, grammar=grammar)


def written_field(kind: type[URL], name: str, data: Data, *, grammar: str = "rfc1738") -> str:
    """Write a field with its class's characters; TypeError for what is not data."""
    stated = kind.FIELDS[name]
    return written(data, stated.characters, name, reserved=stated.reserved, grammar=grammar)


def written_segment(
    data: Data, rule: str, name: str, *, reserved: str = "", grammar: str = "rfc1738"
) -> str:
    """Write what is between two slashes, as `written` does.

    ComponentError for "." and ".." as data: clients remove them, and what is before them.
    """
    text = written(data, rule, name, reserved=reserved, grammar=grammar)
    if not isinstance(data, Encoded):
        refuse_dots(text)
    return text


def each_pair(pairs: Iterable[tuple[Data, _V]], name: str, one: str) -> Iterator[tuple[Data, _V]]:
    """Yield pairs of a name and a value; TypeError, in words for the parameter, for others."""
    for pair in as_items(pairs, name, "an iterable of pairs"):
        if not isinstance(pair, tuple) or len(pair) != len(("name", "value")):
            raise refusal(pair, one, "a pair of name and value")
        yield pair


def by_rule(kind: type[URL], rule: str, data: Data, name: str) -> str:
    """Write data by a rule of the grammar that a class of today's records is of."""
    scheme = scheme_of(kind)
    assert scheme is not None  # noqa: S101 - as each of these classes has one
    return written_by(rule_expressions(scheme.grammar), rule, data, name)


def written_pairs(
    kind: type[URL],
    rules: tuple[str, str],
    pairs: Iterable[tuple[Data, Data | None]],
    *,
    before: str = ";",
) -> str:
    """Write parameters, each after a delimiter; one whose value is None has no "="."""
    name, value = rules
    written = (
        f"{before}{by_rule(kind, name, one, 'a name')}"
        + ("" if two is None else f"={by_rule(kind, value, two, 'a value')}")
        for one, two in each_pair(pairs, "parameters", "a parameter")
    )
    return "".join(written)


def as_host(host: Text, name: str = "host") -> str:
    """Return a host as a `str` proper, a `RelaxedHost` as it is; TypeError if it is not text."""
    return host if isinstance(host, RelaxedHost) else as_text(host, name)


def grammar_of(scheme: Scheme) -> str:
    """Name the grammar whose sets the fields of a scheme's URLs are written by."""
    return scheme.grammar if scheme.takes_any_host else "rfc1738"


def server_parts(
    host: str, port: int | str | None, *, any_host: bool = False
) -> tuple[str, Fields]:
    """Write `hostport`, and return the fields to find in it; `any_host`: as RFC 3986 has it."""
    host = as_host(host)
    kind = read_host(host)
    is_strange = isinstance(kind, RelaxedHost) and not isinstance(host, RelaxedHost)
    is_none = kind is None and not (any_host and host == "")
    if is_none or (is_strange and not any_host):
        hint = "" if kind is None else "; pass a RelaxedHost to allow it"
        raise unfit(
            "host",
            f"the text does not fit the rule host of RFC {3986 if any_host else 1738}{hint}",
            value=host,
        )
    if port is None:
        return str(host), {"host": host, "port": None}
    digits = number_or_digits(port, "port")
    if fullmatch("port", "rfc3986" if any_host else "rfc1738")(digits) is None:
        raise unfit("port", "digits only", value=digits)
    return f"{host}:{digits}", {"host": host, "port": digits}


def number_or_digits(value: int | str, name: str) -> str:
    """Return the digits of a number; ComponentError for more than 20, TypeError for no number."""
    if isinstance(value, str):
        return as_str(value, name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise refusal(value, name, "an int, or digits as a str, or None")
    if abs(value) >= 10**LONGEST_PORT:
        raise unfit(name, f"a number of more than {LONGEST_PORT} digits is not written", "digits")
    return str(int(value))


def login_parts(
    user: Data | None,
    password: Data | None,
    host: str,
    port: int | str | None,
    scheme: Scheme | None = None,
) -> tuple[str, Fields]:
    """Write `login`, and return the fields to find in it; a password needs a user."""
    grammar = "rfc1738" if scheme is None else grammar_of(scheme)
    any_host = scheme is not None and scheme.takes_any_host
    server, fields = server_parts(host, port, any_host=any_host)
    name = None if user is None else written(user, "user", grammar=grammar)
    secret = None if password is None else written(password, "password", grammar=grammar)
    fields = {"user": name, "password": secret, **fields}
    if name is None:
        if secret is not None:
            raise unfit("password", "given without a user, which may be empty", "login")
        return server, fields
    return f"{name}{'' if secret is None else f':{secret}'}@{server}", fields


def own_scheme(kind: type[URL], registry: Schemes | None) -> Scheme:
    """Find the scheme of a class of records; ComponentError if the registry has no such scheme."""
    own = scheme_of(kind)
    schemes = known(registry, {} if own is None else {own.name: own})
    scheme = schemes.get(kind.SCHEME or "")
    if scheme is not None and issubclass(scheme.record, kind):
        return scheme
    raise unfit(
        "scheme",
        f"no {kind.SCHEME} URL is read as a {kind.__name__}: give a registry where it is",
        "url",
    )


def checked(
    kind: type[_U],
    text: str,
    fragment: Data | None,
    expected: Fields,
    registry: Scheme | Schemes | None,
) -> _U:
    """Parse a text made of parts; ComponentError if a part does not come back as it was.

    registry: where the scheme of the class is, or that scheme.
    """
    scheme = registry if isinstance(registry, Scheme) else own_scheme(kind, registry)
    whole = text if fragment is None else f"{text}#{written(fragment, 'urlpath', 'fragment')}"
    relaxed = any(isinstance(value, RelaxedHost) for value in expected.values())
    refusal: ComponentError | None = None
    try:
        name = text.partition(":")[0].lower()
        record = read(whole, name, scheme, relaxed_host=relaxed)
    except SchemeError as error:
        component, rule = error.component or "URL", error.rule or "genericurl"
        message = f"{component}: does not fit the rule {error.rule}"
        refusal = ComponentError(message, component=component, rule=rule)
    if refusal is not None:  # outside the handler: the chained error would show the whole URL
        raise refusal
    if not isinstance(record, kind):
        raise TypeError(f"{scheme.name}: its records are not of the class {kind.__name__}")
    for name, value in expected.items():
        if getattr(record, name) != value:
            raise unfit(
                name,
                "would be read as another text: it, or a field beside it, holds a"
                " delimiter or lacks one",
            )
    return record
