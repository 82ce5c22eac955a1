"""Checks of a policy's settings; an error begins with the path of the invalid value."""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_interface,
    ip_network,
)
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from uriparse.components.servers import HIGHEST_PORT
from uriparse.errors import UnknownRuleError, URIError
from uriparse.errors.excerpt import quoted
from uriparse.grammar import rule_name
from uriparse.grammar.matchers import fullmatch
from uriparse.records import URIReference
from uriparse.resolution import BaseURI, base_uri
from uriparse.validation.client_table import CLIENTS
from uriparse.validation.finding_catalogue import CATALOGUE
from uriparse.validation.findings import Severity
from uriparse.validation.special import ADDRESS_CLASSES, NAME_CLASSES

Everything: TypeAlias = Literal["*"]
"""Allows every value, in place of an allow-list."""

Check: TypeAlias = Callable[[object, str], object]
"""Takes a value and its path in the policy; returns the normalized value."""

_T = TypeVar("_T")


class PolicyDefinitionError(URIError):
    """An invalid policy; the message begins with the setting at fault, as in `hosts[2]: ...`."""


class UnknownSettingError(PolicyDefinitionError, TypeError):
    """A setting that policies do not have; as an argument a TypeError, as any unknown one."""


_OURS = {
    **{
        name: f"write refused_{name} for what is refused, allowed_{name} for what is allowed"
        for name in ("addresses", "names")
    },
    **{
        f"{word}_{name}": f"write {name}=, a list of what is allowed"
        for name in ("schemes", "hosts", "ports", "uris")
        for word in ("allow", "allowed", "valid", "permitted")
    },
    **dict.fromkeys(("https_only", "require_https", "https"), 'write schemes=["https"]'),
    "strict": "write Policy.strict(), or with other settings Policy.strict(...)",
    "allow_localhost": 'write allowed_names=["localhost"], allowed_addresses=["loopback"]',
    **dict.fromkeys(
        ("deny_hosts", "denied_hosts", "blocked_hosts", "refused_hosts", "denylist", "blocklist"),
        "hosts= is a list of what is allowed; refused_names= adds to what is refused",
    ),
    **dict.fromkeys(
        ("allow_private", "private"), 'write allowed_addresses=["private"], and allowed_names='
    ),
}
"""By a name that is tried for a setting, what to write."""


def check_settings(names: Iterable[object], known: Collection[str]) -> None:
    """Raise UnknownSettingError for the first unknown name, with what to write instead."""
    for name in names:
        if name not in known:
            near = get_close_matches(str(name), known, 1)
            hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(sorted(known))}"
            hint = _OURS.get(str(name), hint)
            raise UnknownSettingError(f"unknown setting {describe_value(name)}; {hint}")


def invalid_value(place: str, expected: str, value: object) -> PolicyDefinitionError:
    """Return the error for a value that is not what a setting expects."""
    return PolicyDefinitionError(f"{place}: must be {expected}, not {describe_value(value)}")


def check_list(
    value: object, place: str, check: Callable[[object, str], _T]
) -> frozenset[_T] | Everything:
    """Check an allow-list: `"*"`, or an iterable of entries that is not a string."""
    if value == "*":
        return "*"
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise invalid_value(place, 'a list, or "*" for all', value)
    return frozenset(check(entry, f"{place}[{number}]") for number, entry in enumerate(value))


def check_scheme(value: object, place: str) -> str:
    """Return the name of a scheme in lower case."""
    name = check_text(value, place, "the name of a scheme")
    if fullmatch("scheme")(name) is None:
        raise PolicyDefinitionError(f"{place}: {quoted(name)} is not the name of a scheme")
    return name.lower()


def check_host(value: object, place: str) -> str:
    """Return a host, or a suffix of hosts that begins with ".", in lower case."""
    found = check_text(value, place, 'a host or ".suffix"')
    name = found.removeprefix(".")
    if "%" in name and fullmatch("host")(name) is not None:
        raise PolicyDefinitionError(
            f"{place}: {quoted(found)} has a triplet, and clients read such a host differently; "
            "write the host that it encodes"
        )
    if "*" in name:  # valid in a name, but whoever writes it almost certainly means a pattern
        help_ = 'write ".example.com" for all hosts below that one, and "*" alone for all hosts'
        raise PolicyDefinitionError(f"{place}: {quoted(found)} is not a host; {help_}")
    if not name or fullmatch("host")(name) is None:
        raise PolicyDefinitionError(
            f'{place}: {quoted(found)} is not a host (without a port) or a ".suffix"'
        )
    return found.lower()


def check_uri(value: object, place: str) -> str:
    """Return a URI without a fragment, as written."""
    found = check_text(value, place, "a URI")
    if fullmatch("absolute-URI")(found) is None:
        raise PolicyDefinitionError(f"{place}: {quoted(found)} is not a URI without a fragment")
    return found


def check_port(value: object, place: str) -> int | Literal["default"]:
    """Return a port number, or "default" for the scheme's default port."""
    if value == "default":
        return "default"
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= HIGHEST_PORT:
        raise invalid_value(place, f'a number from 1 to {HIGHEST_PORT}, "default" or "web"', value)
    return value


def check_address(value: object, place: str) -> str:
    """Return a class of addresses, or the text of a network or of an address as a network."""
    if isinstance(value, IPv4Address | IPv6Address | IPv4Network | IPv6Network):
        value = str(value)
    name = check_text(value, place, "a class or network of addresses")
    if name in ADDRESS_CLASSES:
        return name
    plain = name.replace("%", "/")  # a zone belongs to no network
    try:
        network = ip_network(plain)
    except ValueError:
        near = get_close_matches(name, ADDRESS_CLASSES, 1)
        told = 'is not a network or class, such as "10.0.0.0/8" or "private"'
        told += f'; did you mean "{near[0]}"?' if near else ""
        with suppress(ValueError):
            told = f"has bits after the prefix; write {ip_interface(plain).network}"
        raise PolicyDefinitionError(f"{place}: {quoted(name)} {told}") from None
    inner = getattr(network.network_address, "ipv4_mapped", None)
    if inner is not None:  # its addresses are judged as the IPv4 addresses that they are
        written = f"{inner}/{network.prefixlen - 96}"
        raise PolicyDefinitionError(f"{place}: {quoted(name)} is IPv4; write {written}")
    return str(network)


WEB_PORTS = frozenset({80, 443, 8000, 8080, 8443})
"""The ports of nearly all web servers, which "web" in a list of ports stands for."""


def check_ports(value: object, place: str) -> frozenset[int | str] | Everything:
    """Return a list of ports, in which "web" is `WEB_PORTS`."""
    entries = check_list(value, place, lambda one, at: one if one == "web" else check_port(one, at))
    if entries == "*":
        return "*"
    found = {one for one in entries if isinstance(one, int) or one == "default"}
    return frozenset(found | WEB_PORTS if "web" in entries else found)


def choice_check(known: Collection[str]) -> Callable[[object, str], str]:
    """Return a check that a value is one of the known names."""

    def check(value: object, place: str) -> str:
        name = check_text(value, place)
        if name not in known:
            raise invalid_value(place, f"one of {', '.join(sorted(known))}", name)
        return name

    return check


def check_flag(value: object, place: str) -> bool:
    """Return a bool."""
    if not isinstance(value, bool):
        raise invalid_value(place, "true or false", value)
    return value


def check_limit(value: object, place: str) -> int | None:
    """Return a limit: a positive number, or None for no limit."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
        return value
    raise invalid_value(place, "a positive number", value)


def check_severity(value: object, place: str) -> Severity:
    """Return the severity of a name."""
    name = check_text(value, place, "a severity")
    try:
        return Severity(name)
    except ValueError:
        known = ", ".join(Severity)
        raise invalid_value(place, f"one of {known}", value) from None


def check_severities(value: object, place: str) -> tuple[tuple[str, Severity], ...]:
    """Return sorted pairs of code and severity; `"scheme:code"` applies to one scheme only."""
    pairs = value.items() if isinstance(value, Mapping) else value
    if isinstance(pairs, str | bytes) or not isinstance(pairs, Iterable):
        raise invalid_value(place, "a table of codes", value)
    found: dict[str, Severity] = {}
    for number, pair in enumerate(pairs):
        if not isinstance(pair, tuple | list) or len(pair) != len(("code", "severity")):
            raise invalid_value(f"{place}[{number}]", "a pair of code and severity", pair)
        name, level = pair
        key = check_text(name, place, "a code")
        before, _, code = key.rpartition(":")
        if code not in CATALOGUE:
            raise PolicyDefinitionError(f"{place}: unknown code {quoted(code)}")
        if before:
            check_scheme(before, f"{place}.{key}")
        found[key] = check_severity(level, f"{place}.{key}")
    return tuple(sorted(found.items()))


def check_text(value: object, place: str, what: str = "a name") -> str:
    """Return a string as an exact `str`; `what` names the value in the error."""
    if not isinstance(value, str):
        raise PolicyDefinitionError(f"{place}: {what} is a string, not {describe_value(value)}")
    return str.__str__(value)


def describe_value(value: object) -> str:
    """Return a value for a message: a string excerpted, a number as is, else its type."""
    if isinstance(value, str):
        return quoted(value)
    return repr(value) if isinstance(value, bool | int | float) else type(value).__name__


_SOURCES = ("embedded", "enclosing", "retrieval", "default")


def check_base(value: object, place: str) -> BaseURI | None:
    """Return the base for relative references, made of a reference, a table or a `BaseURI`."""
    if value is None or isinstance(value, BaseURI):
        return value
    if isinstance(value, Mapping):
        return _check_base_table(value, place)
    if not isinstance(value, str | bytes | URIReference):
        raise invalid_value(place, "a URI", value)
    try:
        return base_uri(retrieval=value)
    except URIError as error:
        raise PolicyDefinitionError(f"{place}: {error}") from None


def _check_base_table(table: Mapping[str, object], place: str) -> BaseURI:
    if table.keys() != {"uri", "source"} or table["source"] not in _SOURCES:
        sources = ", ".join(_SOURCES)
        raise PolicyDefinitionError(
            f"{place}: must be a table of uri and source, which is one of {sources}"
        )
    try:
        return base_uri(**{str(table["source"]): table["uri"]})  # type: ignore[arg-type]  # checked
    except (URIError, TypeError) as error:
        raise PolicyDefinitionError(f"{place}.uri: {error}") from None


def check_rule(name: str, grammar: str) -> str:
    """Return the name of a grammar's rule in the spelling of the RFC."""
    try:
        return rule_name(name, grammar)
    except UnknownRuleError as error:
        raise PolicyDefinitionError(f"rule: {error}") from None


def _optional(check: Check) -> Check:
    return lambda value, place: None if value is None else check(value, place)


def _lists(check: Check) -> Check:
    return lambda value, place: check_list(value, place, check)


def _refused(check: Check) -> Check:
    """Return a check of a list of what is refused, which has no "*"."""

    def checked(value: object, place: str) -> object:
        if value == "*":
            told = 'must be a list; "*" is for lists of what is allowed'
            raise PolicyDefinitionError(f"{place}: {told}")
        return check_list(value, place, check)

    return checked


class Limit(NamedTuple):
    """A limit of policies: its setting, the code of its finding, and what it counts.

    component: what is counted in; None for the whole text. Counted in the whole text, no count is
    less than in the component.
    """

    setting: str
    code: str
    component: Literal["path", "query"] | None
    count: Callable[[str], int]


LIMITS = (
    Limit("max_length", "too-long", None, len),
    Limit("max_segments", "too-many-segments", "path", lambda path: path.count("/")),
    Limit("max_parameters", "too-many-parameters", "query", lambda query: query.count("&") + 1),
)

CHECKS: dict[str, Check] = {
    "grammar": choice_check({"rfc3986", "rfc3987"}),
    "rule": _optional(check_text),
    "schemes": _lists(check_scheme),
    "hosts": _lists(check_host),
    "ports": check_ports,
    "uris": _lists(check_uri),
    **dict.fromkeys(
        ("localhost_ports", "bad_ports", "userinfo", "fragment", "relative"), check_flag
    ),
    **{limit.setting: check_limit for limit in LIMITS},
    "agreement": _optional(choice_check({"destination", "request"})),
    "clients": _lists(choice_check(CLIENTS)),
    "refused_addresses": _refused(check_address),
    "allowed_addresses": _lists(check_address),
    "refused_names": _refused(choice_check(NAME_CLASSES)),
    "allowed_names": _lists(choice_check(NAME_CLASSES)),
    "severity": check_severities,
    "refuse": check_severity,
    "base": check_base,
}
"""The checks by setting. `Policy` also runs `check_rule`, which needs the checked grammar."""
