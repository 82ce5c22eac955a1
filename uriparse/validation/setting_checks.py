"""The checks of all settings of a policy, by their names; `settings` has those of single values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from uriparse.errors import UnknownRuleError, URIError
from uriparse.grammar import rule_name
from uriparse.records import URIReference
from uriparse.resolution import BaseURI, base_uri
from uriparse.validation import settings
from uriparse.validation.catalogue import CATALOGUE
from uriparse.validation.settings import PolicyDefinitionError
from uriparse.validation.special import ADDRESS_CLASSES, NAME_CLASSES

if TYPE_CHECKING:
    from collections.abc import Collection

_SOURCES = ("embedded", "enclosing", "retrieval", "default")


def base(value: object, place: str) -> BaseURI | None:
    """Check what relative references are read against: a reference, a table, or a `BaseURI`."""
    if value is None or isinstance(value, BaseURI):
        return value
    if isinstance(value, Mapping):
        return _base_of_table(value, place)
    if not isinstance(value, str | bytes | URIReference):
        raise PolicyDefinitionError(f"{place}: a URI, not {settings.shown(value)}")
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


def _optional(check: settings.Check) -> settings.Check:
    return lambda value, place: None if value is None else check(value, place)


def _lists(check: settings.Check) -> settings.Check:
    return lambda value, place: settings.each(value, place, check)


def _classes(known: Collection[str]) -> settings.Check:
    """Make the check of a list of classes that are refused; "*" is every one of them."""
    check = _lists(settings.one_of(known))
    return lambda value, place: frozenset(known) if value == "*" else check(value, place)


def _weights(value: object, place: str) -> object:
    return settings.weights(value, place, CATALOGUE.keys())


CHECKS: dict[str, settings.Check] = {
    "grammar": settings.one_of({"rfc3986", "rfc3987"}),
    "rule": _optional(settings.text),
    "schemes": _lists(settings.scheme),
    "hosts": _lists(settings.host),
    "ports": _lists(settings.port),
    "bad_ports": settings.flag,
    "userinfo": settings.flag,
    "fragment": settings.flag,
    "relative": settings.flag,
    "max_length": settings.limit,
    "max_segments": settings.limit,
    "max_parameters": settings.limit,
    "agreement": _optional(settings.one_of({"destination", "request"})),
    "addresses": _classes(ADDRESS_CLASSES),
    "names": _classes(NAME_CLASSES),
    "severity": _weights,
    "refuse": settings.severity,
    "base": base,
}
"""All of them but that of `rule`, which needs the grammar, too."""
