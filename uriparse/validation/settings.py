"""The values of a policy's settings, checked one by one: what is wrong is named by its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from uriparse.errors import URIError
from uriparse.excerpt import quoted
from uriparse.grammar import matcher
from uriparse.validation.findings import Severity
from uriparse.validation.ports import LAST_PORT

if TYPE_CHECKING:
    from collections.abc import Collection

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
