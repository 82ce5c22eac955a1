"""The settings of a policy, checked one by one: what is wrong is named by its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from uriparse.errors import UnknownRuleError, URIError
from uriparse.excerpt import quoted
from uriparse.grammar import matcher, rule_name
from uriparse.records import URIReference
from uriparse.resolution import BaseURI, base_uri
from uriparse.validation.catalogue import CATALOGUE
from uriparse.validation.findings import LAST_PORT, Severity
from uriparse.validation.special import ADDRESS_CLASSES, NAME_CLASSES

if TYPE_CHECKING:
    from collections.abc import Collection


# The values of a policy's settings, checked one by one: what is wrong is named by its place.

Everything: TypeAlias = Literal["*"]
"""In place of an allow-list: all of them."""

Check: TypeAlias = Callable[[object, str], object]
"""Takes a value and its place; gives it in the form in which it is compared."""

_T = TypeVar("_T")


class PolicyDefinitionError(URIError):
    """A policy that cannot be: the message begins with the setting at fault, `hosts[2]: ...`."""


def each(
    value: object, place: str, check: Callable[[object, str], _T]
) -> frozenset[_T] | Everything:
    """Check an allow-list: `"*"`, or any iterable of entries but a text."""
    if value == "*":
        return "*"
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise PolicyDefinitionError(f'{place}: a list, or "*" for all, not {shown(value)}')
    return frozenset(check(entry, f"{place}[{number}]") for number, entry in enumerate(value))


def scheme(value: object, place: str) -> str:
    """Check the name of a scheme; give it in lower case."""
    name = text(value, place, "the name of a scheme")
    if matcher("scheme").fullmatch(name) is None:
        raise PolicyDefinitionError(f"{place}: {quoted(name)} is not the name of a scheme")
    return name.lower()


def host(value: object, place: str) -> str:
    """Check a host, or the suffix of hosts behind a "."; give it in lower case."""
    found = text(value, place, 'a host, or ".suffix" for those below it,')
    name = found.removeprefix(".")
    if "%" in name and matcher("host").fullmatch(name) is not None:
        raise PolicyDefinitionError(
            f"{place}: {quoted(found)} has a triplet, and clients read such a host differently; "
            "write the host that it encodes"
        )
    if "*" in name:  # a name may hold it, and hardly anybody who writes it means that
        told = '".example.com" allows all hosts below that one, and "*" for the list all there are'
        raise PolicyDefinitionError(f"{place}: {quoted(found)} is no pattern; {told}")
    if not name or matcher("host").fullmatch(name) is None:
        raise PolicyDefinitionError(
            f'{place}: {quoted(found)} is not a host without its port, nor a ".suffix"'
        )
    return found.lower()


def port(value: object, place: str) -> int | Literal["default"]:
    """Check a port, or the word for a scheme's own."""
    if value == "default":
        return "default"
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= LAST_PORT:
        raise PolicyDefinitionError(
            f'{place}: a number from 1 to {LAST_PORT}, or "default", not {shown(value)}'
        )
    return value


def one_of(known: Collection[str]) -> Callable[[object, str], str]:
    """Make the check of a name that has to be one of some."""

    def check(value: object, place: str) -> str:
        name = text(value, place)
        if name not in known:
            raise PolicyDefinitionError(
                f"{place}: {quoted(name)} is none of {', '.join(sorted(known))}"
            )
        return name

    return check


def flag(value: object, place: str) -> bool:
    """Check a yes or no."""
    if not isinstance(value, bool):
        raise PolicyDefinitionError(f"{place}: true or false, not {shown(value)}")
    return value


def limit(value: object, place: str) -> int | None:
    """Check a limit: a number from 1 on, or None for none."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
        return value
    raise PolicyDefinitionError(f"{place}: a number from 1 on, not {shown(value)}")


def severity(value: object, place: str) -> Severity:
    """Check the name of a severity."""
    name = text(value, place, "a severity")
    try:
        return Severity(name)
    except ValueError:
        known = ", ".join(Severity)
        raise PolicyDefinitionError(f"{place}: one of {known}, not {shown(value)}") from None


def weights(value: object, place: str, codes: Collection[str]) -> tuple[tuple[str, Severity], ...]:
    """Check the severities by code: `"code"`, or `"scheme:code"` for URIs of that scheme alone."""
    pairs = value.items() if isinstance(value, Mapping) else value
    if isinstance(pairs, str | bytes) or not isinstance(pairs, Iterable):
        raise PolicyDefinitionError(f"{place}: a table of codes, not {shown(value)}")
    found: dict[str, Severity] = {}
    for number, pair in enumerate(pairs):
        if not isinstance(pair, tuple | list) or len(pair) != len(("code", "severity")):
            raise PolicyDefinitionError(
                f"{place}[{number}]: a pair of code and severity, not {shown(pair)}"
            )
        name, weight = pair
        key = text(name, place, "a code")
        before, _, code = key.rpartition(":")
        if code not in codes:
            raise PolicyDefinitionError(f"{place}: there is no code {quoted(code)}")
        if before:
            scheme(before, f"{place}.{key}")
        found[key] = severity(weight, f"{place}.{key}")
    return tuple(sorted(found.items()))


def text(value: object, place: str, what: str = "a name") -> str:
    """Check that a value is a text; give it as a str proper."""
    if not isinstance(value, str):
        raise PolicyDefinitionError(f"{place}: {what} is a text, not {shown(value)}")
    return str.__str__(value)


def shown(value: object) -> str:
    """Name a value without repeating more of it than a number or a few words."""
    if isinstance(value, str):
        return quoted(value)
    return repr(value) if isinstance(value, bool | int | float) else type(value).__name__


# The checks of all settings of a policy, by their names; `settings` has those of single values.

_SOURCES = ("embedded", "enclosing", "retrieval", "default")


def base(value: object, place: str) -> BaseURI | None:
    """Check what relative references are read against: a reference, a table, or a `BaseURI`."""
    if value is None or isinstance(value, BaseURI):
        return value
    if isinstance(value, Mapping):
        return _base_of_table(value, place)
    if not isinstance(value, str | bytes | URIReference):
        raise PolicyDefinitionError(f"{place}: a URI, not {shown(value)}")
    try:
        return base_uri(retrieval=value)
    except URIError as error:
        raise PolicyDefinitionError(f"{place}: {error}") from None


def _base_of_table(table: Mapping[str, object], place: str) -> BaseURI:
    """Read a base and its source, as a policy file holds them."""
    if table.keys() != {"uri", "source"} or table["source"] not in _SOURCES:
        sources = ", ".join(_SOURCES)
        raise PolicyDefinitionError(
            f"{place}: a table of uri and source, which is one of {sources}"
        )
    try:
        return base_uri(**{str(table["source"]): table["uri"]})  # type: ignore[arg-type]  # checked
    except (URIError, TypeError) as error:
        raise PolicyDefinitionError(f"{place}.uri: {error}") from None


def rule(name: str, grammar: str) -> str:
    """Check the name of a rule of a grammar; give it as the RFC spells it."""
    try:
        return rule_name(name, grammar)
    except UnknownRuleError as error:
        raise PolicyDefinitionError(f"rule: {error}") from None


def _optional(check: Check) -> Check:
    return lambda value, place: None if value is None else check(value, place)


def _lists(check: Check) -> Check:
    return lambda value, place: each(value, place, check)


def _classes(known: Collection[str]) -> Check:
    """Make the check of a list of classes that are refused; "*" is every one of them."""
    check = _lists(one_of(known))
    return lambda value, place: frozenset(known) if value == "*" else check(value, place)


def _weights(value: object, place: str) -> object:
    return weights(value, place, CATALOGUE.keys())


CHECKS: dict[str, Check] = {
    "grammar": one_of({"rfc3986", "rfc3987"}),
    "rule": _optional(text),
    "schemes": _lists(scheme),
    "hosts": _lists(host),
    "ports": _lists(port),
    "bad_ports": flag,
    "userinfo": flag,
    "fragment": flag,
    "relative": flag,
    "max_length": limit,
    "max_segments": limit,
    "max_parameters": limit,
    "agreement": _optional(one_of({"destination", "request"})),
    "addresses": _classes(ADDRESS_CLASSES),
    "names": _classes(NAME_CLASSES),
    "severity": _weights,
    "refuse": severity,
    "base": base,
}
"""All of them but that of `rule`, which needs the grammar, too."""
