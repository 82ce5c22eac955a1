"""Put a URL together of data, each field by the rule of its place.

The text is then parsed as any other, so that a URL made of parts is one of its scheme and says
what was meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from uriparse._base import coerce
from uriparse._base.coerce import Text, as_data, as_items, as_str, as_text, refusal
from uriparse.components.component_data import refuse_dots
from uriparse.components.servers import LONGEST_PORT
from uriparse.errors import ComponentError, SchemeError, unfit
from uriparse.grammar.matchers import fullmatch
from uriparse.percent import spelled_octets
from uriparse.schemes import registry as registries
from uriparse.schemes.encoding import Encoded, RelaxedHost, encode, octets_of, read_host
from uriparse.schemes.read_by_scheme import read
from uriparse.schemes.registry import Scheme, known, scheme_of
from uriparse.schemes.written_by_rule import alphabet

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


def written_segment(
    data: Data, rule: str, name: str, *, reserved: str = "", grammar: str = "rfc1738"
) -> str:
    """Write what is between two slashes; ComponentError for "." and "..", which clients remove."""
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
    return written(data, rule, name, grammar=scheme.grammar)


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


def segments_of(kind: type[URL], field: str, segments: Iterable[Data], scheme: Scheme) -> list[str]:
    """Write the segments of a path, each by the rule that its class states for the field."""
    stated = kind.FIELDS[field]
    grammar = scheme.grammar if stated.characters in scheme.rules else "rfc3986"
    return [
        written_segment(
            part, stated.characters, "a segment", reserved=stated.reserved, grammar=grammar
        )
        for part in as_items(segments, "segments", "an iterable of segments")
    ]


def as_host(host: Text, name: str = "host") -> str:
    """Return a host as a `str` proper, a `RelaxedHost` as it is; TypeError if it is not text."""
    return host if isinstance(host, RelaxedHost) else as_text(host, name)


def server(host: Text, port: int | str | None, scheme: Scheme) -> dict[str, Encoded | None]:
    """Return the fields of a server, checked; a host has to be one of RFC 1738 for its schemes."""
    any_host = scheme.takes_any_host
    text = as_host(host)
    kind = read_host(text)
    is_strange = isinstance(kind, RelaxedHost) and not isinstance(text, RelaxedHost)
    is_none = kind is None and not (any_host and text == "")
    if is_none or (is_strange and not any_host):
        hint = "" if kind is None else "; pass a RelaxedHost to allow it"
        raise unfit(
            "host",
            f"the text does not fit the rule host of RFC {3986 if any_host else 1738}{hint}",
            value=text,
        )
    fits = fullmatch("port", "rfc3986" if any_host else "rfc1738")
    digits = None if port is None else number_or_digits(port, "port")
    if digits is not None and fits(digits) is None:
        raise unfit("port", "digits only", value=digits)
    return {
        "host": text if isinstance(text, RelaxedHost) else Encoded(text),
        "port": None if digits is None else Encoded(digits),
    }


def number_or_digits(value: int | str, name: str) -> str:
    """Return the digits of a number; ComponentError for more than 20, TypeError for no number."""
    if isinstance(value, str):
        return as_str(value, name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise refusal(value, name, "an int, or digits as a str, or None")
    if abs(value) >= 10**LONGEST_PORT:
        raise unfit(name, f"a number of more than {LONGEST_PORT} digits is not written", "digits")
    return str(int(value))


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


def made(
    kind: type[_U],
    registry: Scheme | Schemes | None,
    fragment: Data | None,
    fields: Mapping[str, Data | Iterable[Data] | int | None],
    expected: Fields = MappingProxyType({}),
    *,
    needs: tuple[str, ...] = (),
    end: str = "",
) -> _U:
    """Make a URL of data for its fields: by the rule of its scheme, the shortest that has them.

    expected: what else is to come back. needs: fields that every URL has; TypeError for None in
    one. end: what the rule does not write, after all fields.
    """
    scheme = registry if isinstance(registry, Scheme) else own_scheme(kind, registry)
    ruled, writer = scheme.writer
    texts: dict[str, list[str]] = {}
    found: dict[str, object] = {}
    for name, value in fields.items():
        if value is None and name in needs:
            raise refusal(value, name, "a str, octets as bytes or a record")
        is_list = name in kind.LISTS
        if name not in kind.FIELDS:
            if value is not None:
                raise unfit(name, f"{scheme.name} URLs have none", scheme.rule)
            continue
        if value is None:
            found[name] = () if is_list else None
            continue
        each: Iterable[Data] = [value]  # type: ignore[list-item]  # checked when it is written
        if is_list and not isinstance(value, str | bytes):
            each = as_items(value, name, "an iterable of data")  # type: ignore[arg-type]  # same
        texts[name] = [_field(kind, scheme, name, data) for data in each]
        found[name] = tuple(texts[name]) if is_list else texts[name][0]
    whole = writer.text([texts.get(name, ()) for name in ruled])
    if whole is None:
        for name, rule in ruled.items():
            more = [["x"] if other == name else texts.get(other, ()) for other in ruled]
            if not texts.get(name) and writer.text(more) is not None:
                told = f"missing, and {scheme.name} URIs need it with these fields"
                raise unfit(name, told, rule)
        told = f"{scheme.name}: no URI has these fields together"
        raise ComponentError(told, component="URI", rule=scheme.rule)
    text = f"{scheme.name}:{whole.partition(':')[2]}{end}"
    return checked(kind, text, fragment, {**expected, **found}, scheme)


def _field(kind: type[URL], scheme: Scheme, name: str, data: Data) -> str:
    """Write the data of a field by the rule of its place; a port may be a number."""
    if isinstance(data, Encoded):
        return data
    if name == "port":
        return number_or_digits(data, name)  # type: ignore[arg-type]  # it checks that
    stated = kind.FIELDS[name]
    rule = stated.characters
    if scheme.own is not None:
        plain = as_data(data, name)
        octets = octets_of(plain) if isinstance(plain, str) else plain
        spelled = spelled_octets(alphabet(scheme.rules, rule) - {"%"})
        return "".join(map(spelled.__getitem__, octets))
    grammar = scheme.grammar if rule in scheme.rules else "rfc3986"
    return written(data, rule, name, reserved=stated.reserved, grammar=grammar)


def checked(
    kind: type[_U],
    text: str,
    fragment: Data | None,
    expected: Fields,
    registry: Scheme | Schemes | None,
) -> _U:
    """Parse a text made of parts; ComponentError if a part does not come back as it was."""
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
        back = getattr(record, name)
        if back != value:
            raise unfit(
                name,
                "missing, and the other fields need it; it may be empty"
                if not value and back in {"", ("",)}
                else "would be read as another text: it, or a field beside it, holds a"
                " delimiter or lacks one",
            )
    return record
