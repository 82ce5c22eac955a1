"""Policies: what a caller allows, as an immutable value that is made once and used many times."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property, wraps
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias, TypeVar

from uriparse._base import migration_hints as hints
from uriparse._base.coerce import Text, as_items, as_str, refusal
from uriparse.components.servers import HIGHEST_PORT, default_port, tcp_port
from uriparse.errors.excerpt import quoted
from uriparse.resolution import BaseURI
from uriparse.validation import findings, settings
from uriparse.validation.addresses import AddressRules
from uriparse.validation.settings import (
    CHECKS,
    LIMITS,
    PolicyDefinitionError,
    check_base,
    check_list,
    check_rule,
    check_uri,
)

if TYPE_CHECKING:
    from pydantic_core.core_schema import CoreSchema

    from uriparse.parsing import Reference


WEB = frozenset({"http", "https"})
"""The schemes to which agreement applies, in lower case."""

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network


class PydanticConstraint:
    """Makes a policy an annotation in pydantic, FastAPI and Typer: `Annotated[URI, policy]`."""

    __slots__ = ()
    _check: ClassVar[Callable[[Text, PydanticConstraint], None]]
    """Raises pydantic's error for a refused text; `validating` imports this file and sets it."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: Callable[[object], CoreSchema], /
    ) -> CoreSchema:
        """Validate the parsed value; the error's `ctx` has the code of the first finding."""
        from uriparse._base.pydantic_schema import checked_schema  # noqa: PLC0415 - seldom

        def check(value: Text) -> None:
            type(self)._check(value, self)  # noqa: SLF001 - our own class

        return checked_schema(handler(source), check)


# A policy is `Policy.outbound()` but for what is named, so that a policy of a few settings protects
# in all that it does not name. A missing component never satisfies an allow-list.

Agreement: TypeAlias = Literal["destination", "request"]
"""What clients must agree on: only the destination, or also the request."""


_T = TypeVar("_T")


def _names_checked(cls: type[_T]) -> type[_T]:
    """Make the constructor of a dataclass say what to write for an unknown setting."""
    init = cls.__init__

    @wraps(init)
    def checked(self: _T, *args: object, **given: object) -> None:
        if args:
            raise TypeError("Policy takes settings by name; a preset is a method: Policy.web()")
        settings.check_settings(given, CHECKS)
        init(self, **given)

    setattr(cls, "__init__", checked)  # noqa: B010 - a checker of types takes no other spelling
    return cls


_OPEN: Mapping[str, Any] = {
    "agreement": None,
    "allowed_addresses": "*",
    "allowed_names": "*",
    "bad_ports": True,
}
_NO_LIMITS = {limit.setting: None for limit in LIMITS}
PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "outbound": {},
        "web": _OPEN,
        "redirect": {**_OPEN, "relative": True, "agreement": "destination"},
        "strict": {
            "schemes": {"https"},
            "ports": {"default"},
            "fragment": False,
            "agreement": "request",
            "refuse": "warning",
        },
        "syntax": {
            **_OPEN,
            **_NO_LIMITS,
            "schemes": "*",
            "userinfo": True,
        },
    }
)
"""The named policies: in what each differs from `outbound`; "redirect" also has those of a base."""


@_names_checked
@dataclass(frozen=True, kw_only=True)
class Policy(PydanticConstraint, hints.Foreign, foreign=hints.foreign_names("policy")):
    """What is allowed and refused: `Policy.outbound()` with other settings.

    `schemes`, `hosts`, `ports` and `uris` list what is allowed. A list that is given allows its
    entries alone, and an empty one nothing; a list that is not given is that of `outbound`: http
    and https, any host, any port but bad ones. Addresses that are not global and names that are not
    public are refused: `allowed_addresses` and `allowed_names` open just what they list (or "*"),
    `refused_addresses` and `refused_names` add to what is refused. The other protections end where
    they are named: `agreement=None`, `bad_ports=True`. Presets are methods, and take settings too:
    `Policy.web(userinfo=True)`.

    grammar: "rfc3986" for URIs, "rfc3987" for IRIs.
    rule: the rule that texts must match; by default the grammar's URI or IRI, with `relative`
        its references. For a rule that makes no record only the syntax is checked, and all
        components count as missing.
    schemes: the allowed schemes, in any letter case; or "*".
    hosts: the allowed hosts, each as written or, after a ".", as a suffix (".a.com" allows
        b.a.com, not a.com); or "*". A host with a percent-encoded character never matches; a host
        with a reserved character never matches a suffix, since clients disagree where it ends.
    ports: the allowed ports; "default" is the scheme's own, written or not, and "web" those of
        nearly all web servers (80, 443, 8000, 8080, 8443); or "*". A URI without a host needs
        no port.
    uris: the allowed URIs, each in the letters in which it is listed; or "*". A listed http URI
        whose host is a loopback address allows every port (RFC 8252 section 7.3).
    localhost_ports: whether a listed http URI with the host "localhost" does so too, the
        exception of RFC 9700 section 2.1.
    bad_ports: whether http, https, ws and wss may use the bad ports of the Fetch standard,
        which browsers block (25, 6000, 6667...). A number in `ports` allows its port.
    userinfo: whether userinfo is allowed.
    fragment: whether a fragment is allowed.
    relative: whether relative references are allowed.
    max_length: the most characters of the text; None for no limit.
    max_segments: the most segments of the path; None for no limit.
    max_parameters: the most parameters of the query, separated by "&"; None for no limit.
    agreement: what clients must agree on for http and https: "destination", "request" or None.
        Other allowed schemes need no agreement.
    clients: between which, as in `CLIENTS` ("curl", "requests"...); or "*" for all that were
        measured. Rules that none of them needs do not refuse.
    refused_addresses: networks ("203.0.113.0/24") and classes (`special.ADDRESS_CLASSES`) of IP
        addresses that are refused besides those that are not global (`special.NOT_GLOBAL`).
    allowed_addresses: networks and classes that are allowed all the same; "*" for all that
        `refused_addresses` does not list. Of networks that overlap the narrowest decides; what
        is listed as both is refused.
    refused_names: classes of special-use names (`special.NAME_CLASSES`) that are refused
        besides those that are not public (`special.NOT_PUBLIC`).
    allowed_names: classes of names that are allowed all the same; or "*", likewise.
    severity: severities that replace those of the `CATALOGUE`, by code or "scheme:code".
    refuse: the lowest severity for which a text is refused.
    base: the base for relative references, or None; a `BaseURI` also has its source.

    PolicyDefinitionError for an invalid setting.

    >>> policy = Policy(schemes=["https"], hosts=[".example.com"])
    >>> policy.hosts == frozenset({".example.com"}), policy.userinfo
    (True, False)
    >>> inside = Policy(allowed_addresses=["10.0.0.0/8"])
    >>> inside.permits("10.1.2.3"), inside.permits("127.0.0.1"), policy.permits("10.1.2.3")
    (True, False, False)
    >>> Policy(hosts=["a.com", "b.com:80"])
    Traceback (most recent call last):
    ...
    uriparse.validation.settings.PolicyDefinitionError: hosts[1]: "b.com:80" is not a host \
(without a port) or a ".suffix"
    """

    grammar: str = "rfc3986"
    rule: str | None = None
    schemes: Collection[str] = WEB
    hosts: Collection[str] = "*"
    ports: Collection[int | str] = "*"
    uris: Collection[str] = "*"
    localhost_ports: bool = False
    bad_ports: bool = False
    userinfo: bool = False
    fragment: bool = True
    relative: bool = False
    max_length: int | None = 8192
    max_segments: int | None = 1000
    max_parameters: int | None = 1000
    agreement: Agreement | None = "destination"
    clients: Collection[str] = "*"
    refused_addresses: Collection[str | Address | Network] = ()
    allowed_addresses: Collection[str | Address | Network] = ()
    refused_names: Collection[str] = ()
    allowed_names: Collection[str] = ()
    severity: Mapping[str, str] | tuple[tuple[str, findings.Severity], ...] = ()
    refuse: findings.Severity | str = findings.Severity.ERROR
    base: Reference | BaseURI | None = None

    def __post_init__(self) -> None:
        """Check every setting and store its normalized value."""
        for name, check in CHECKS.items():
            object.__setattr__(self, name, check(getattr(self, name), name))
        if self.rule is not None:
            object.__setattr__(self, "rule", check_rule(self.rule, self.grammar))

    def __repr__(self) -> str:
        """Return, on one line, in what the policy differs from the nearest named one."""
        values = {name: getattr(self, name) for name in CHECKS}
        named = {f"{name}()": getattr(Policy, name)() for name in PRESETS if name != "redirect"}
        with suppress(PolicyDefinitionError):
            named[f"redirect({_shown(self.base)})"] = Policy.redirect(self.base)  # type: ignore[arg-type]  # checked there
        if self.uris != "*":
            free = ", localhost_ports=True" * self.localhost_ports
            listed = Policy.redirect_uris(self.uris, localhost_ports=self.localhost_ports)
            named[f"redirect_uris({_shown(self.uris)}{free})"] = listed
        changes = {
            made: [name for name, value in values.items() if value != getattr(policy, name)]
            for made, policy in named.items()
        }
        made = min(changes, key=lambda name: len(changes[name]))
        given = ", ".join(f"{name}={_shown(values[name])}" for name in changes[made])
        kind = type(self).__name__
        if given and made == "outbound()":
            return f"{kind}({given})"
        return f"{kind}.{made}.replace({given})" if given else f"{kind}.{made}"

    def __getstate__(self) -> dict[str, object]:
        """Return the settings alone: cached values cannot be pickled."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def _preset(cls, name: str, changes: Mapping[str, object]) -> Self:
        return cls(**{**PRESETS[name], **changes})

    @classmethod
    def syntax(cls, **changes: object) -> Self:
        """Allow every text that matches the rule, of any length."""
        return cls._preset("syntax", changes)

    @classmethod
    def web(cls, **changes: object) -> Self:
        """Allow http and https to any host and address, without userinfo."""
        return cls._preset("web", changes)

    @classmethod
    def outbound(cls, **changes: object) -> Self:
        """Allow what a server may fetch on behalf of others.

        http and https, no userinfo, a destination that all clients agree on, global addresses
        only, no name of special use and no bad port. The check does not resolve names: ask
        `permits` about each resolved address before connecting.
        """
        return cls._preset("outbound", changes)

    @classmethod
    def redirect(cls, base: Reference | BaseURI, **changes: object) -> Self:
        """Allow references that all clients resolve to the origin of a base.

        PolicyDefinitionError unless the base is an http or https URI with a host.
        """
        return cls._preset("redirect", {**_origin(base), **changes})

    @classmethod
    def redirect_uris(cls, uris: Iterable[str], *, localhost_ports: bool = False) -> Self:
        """Allow the redirect URIs that an OAuth client has registered, and nothing else.

        They are compared letter by letter; the port alone is free where a native application
        listens at a loopback address (RFC 8252 section 7.3). PolicyDefinitionError for one that is
        not a URI, or has a fragment.

        localhost_ports: whether the port is free for http://localhost too, the exception of RFC
            9700 section 2.1. Off by default: RFC 8252 section 8.3 advises against that name.

        >>> policy = Policy.redirect_uris(["https://a.com/cb", "http://127.0.0.1/cb"])
        >>> from uriparse.validation import validate
        >>> texts = "https://a.com/cb", "https://a.com/cb/", "http://127.0.0.1:50123/cb"
        >>> [validate(text, policy).accepted for text in texts]
        [True, False, True]
        """
        listed = check_list(tuple(as_items(uris, "uris", "an iterable of URIs")), "uris", check_uri)
        schemes = {uri.partition(":")[0] for uri in listed}
        return cls.outbound().replace(
            uris=listed,
            localhost_ports=localhost_ports,
            schemes=schemes,
            fragment=False,
            bad_ports=True,
            allowed_addresses="*",
            allowed_names="*",
        )

    @classmethod
    def strict(cls, **changes: object) -> Self:
        """Allow https at its default port, if all clients send the same request; no warnings."""
        return cls._preset("strict", changes)

    @classmethod
    def from_dict(cls, data: Mapping[str, object], *, name: str = "policy") -> Self:
        """Make a policy from plain data: a "preset" to start from, and settings that differ.

        The preset "redirect" needs a "base". PolicyDefinitionError begins with `name` and the
        setting at fault.

        >>> Policy.from_dict({"preset": "web", "hosts": ["a.com", 5]}, name="policy.toml")
        Traceback (most recent call last):
        ...
        uriparse.validation.settings.PolicyDefinitionError: policy.toml: hosts[1]: a host or \
".suffix" is a string, not 5
        """
        if not isinstance(data, Mapping):
            raise refusal(data, "data", "a mapping of settings")
        try:
            return cls._from_dict(dict(data))
        except PolicyDefinitionError as error:
            raise PolicyDefinitionError(f"{name}: {error}") from None

    @classmethod
    def _from_dict(cls, data: dict[str, object]) -> Self:
        preset = data.pop("preset", None)
        settings.check_settings(data, {*CHECKS, "preset"})
        if preset is None:
            return cls(**data)  # type: ignore[arg-type]  # every setting is checked
        if preset == "redirect":
            policy = cls.redirect(data.pop("base", None))  # type: ignore[arg-type]  # checked there
        elif isinstance(preset, str) and preset in PRESETS:
            policy = getattr(cls, preset)()
        else:
            raise settings.invalid_value("preset", f"one of {', '.join(PRESETS)}", preset)
        return policy.replace(**data)

    @classmethod
    def from_toml(cls, text: str, *, name: str = "policy.toml") -> Self:
        """Make a policy from the text of a TOML file; see `from_dict`.

        PolicyDefinitionError also if the text is not valid TOML.
        """
        try:
            data = tomllib.loads(as_str(text, "text"))
        except tomllib.TOMLDecodeError as error:
            is_name = "=" not in text and "[" not in text
            hint = "; give the text of the file, not its name: Path(...).read_text()"
            raise PolicyDefinitionError(f"{name}: {error}{hint if is_name else ''}") from None
        return cls.from_dict(data, name=name)

    def replace(self, **changes: object) -> Self:
        """Return a policy that differs in some settings; PolicyDefinitionError as for a new one."""
        return replace(self, **changes)  # type: ignore[arg-type]  # every setting is checked

    def permits(self, address: Address | str) -> bool:
        """Whether a client may connect to an address: the policy refuses none of its classes.

        Embedded IPv4 addresses (IPv4-mapped, 6to4, Teredo, NAT64...) count too. Unspecified
        addresses are never permitted: clients differ in where they connect to. ValueError for a
        text that is not an address. The function does no look-up.

        >>> from uriparse.validation import Policy
        >>> [Policy.outbound().permits(one) for one in ("9.9.9.9", "::ffff:127.0.0.1")]
        [True, False]
        """
        return not self.refused_classes(
            ip_address(address) if isinstance(address, str) else address
        )

    def refused_classes(self, address: Address) -> tuple[str, ...]:
        """Return the classes and listed networks for which the policy refuses an address.

        `()` if it permits the address.
        """
        if not isinstance(address, IPv4Address | IPv6Address):
            raise TypeError(f"an IPv4Address or IPv6Address, not {type(address).__name__}")
        return self._address_rules.reasons(address)

    @cached_property
    def _address_rules(self) -> AddressRules:
        return AddressRules(self.refused_addresses, self.allowed_addresses)  # type: ignore[arg-type]  # checked texts

    def admit(self, addresses: Iterable[Address | str]) -> tuple[Address, ...]:
        """Return the addresses that a client may connect to, in their order."""
        items = as_items(addresses, "addresses", "an iterable of addresses")
        parsed = (ip_address(item) if isinstance(item, str) else item for item in items)
        return tuple(address for address in parsed if not self.refused_classes(address))


def as_policy(policy: Policy) -> Policy:
    """Return an argument that must be a policy; TypeError for another, such as a preset's name."""
    if isinstance(policy, Policy):
        return policy
    raise refusal(policy, "policy", "a Policy, such as Policy.web()")


_MOST_SHOWN = 5
"""Entries of a list that a repr shows."""


def _shown(value: object) -> str:
    """Return a setting for a repr: short, without passwords."""
    if isinstance(value, BaseURI):
        value = value.uri
    if isinstance(value, frozenset):
        entries = [*map(_shown, sorted(value, key=lambda one: (isinstance(one, str), one)))]
        more = [f"... {len(entries)} entries"] if len(entries) > _MOST_SHOWN else []
        return f"[{', '.join(entries[:_MOST_SHOWN] + more)}]"
    if isinstance(value, tuple):
        return f"{{{', '.join(f'{_shown(code)}: {_shown(level)}' for code, level in value)}}}"
    if value is None or isinstance(value, bool | int):
        return repr(value)
    return f"'{quoted(str(value))[1:-1]}'"


def _origin(base: Reference | BaseURI) -> dict[str, Any]:
    checked = check_base(base, "base")
    uri = None if checked is None else checked.uri
    if uri is None or uri.scheme.lower() not in WEB or not uri.host:
        raise PolicyDefinitionError("base: must be an http or https URI with a host")
    scheme = uri.scheme.lower()
    port = tcp_port(uri.port) if uri.port else default_port(scheme)
    if not port:
        raise PolicyDefinitionError(f"base: the port must be a number from 1 to {HIGHEST_PORT}")
    ports = {"default"} if port == default_port(scheme) else {port}
    return {"base": checked, "schemes": {scheme}, "hosts": {str(uri.host)}, "ports": ports}
