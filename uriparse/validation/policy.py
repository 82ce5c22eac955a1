"""What a caller allows: a value, made once and used for millions of texts.

Everything is denied that is not allowed: an allow-list is empty until it is filled, and a component
that is missing never satisfies one. No regular expressions: schemes, hosts and ports are listed,
syntax is the grammars' business.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address, ip_address
from math import inf
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypedDict

from uriparse.door import as_items, as_str, refusal
from uriparse.errors import UnknownRuleError, URIError
from uriparse.grammar import rule_name
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.records import URIReference
from uriparse.resolution import BaseURI, base_uri
from uriparse.validation import settings
from uriparse.validation.catalogue import CATALOGUE
from uriparse.validation.findings import Layer, Severity
from uriparse.validation.quick import (
    Acceptor,
    destination_acceptor,
    limited,
    unsure,
    uri_acceptor,
)
from uriparse.validation.settings import PolicyDefinitionError
from uriparse.validation.special import (
    ADDRESS_CLASSES,
    NAME_CLASSES,
    NOT_GLOBAL,
    NOT_PUBLIC,
    classes_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Self

    from uriparse.parsing import Reference

Agreement: TypeAlias = Literal["destination", "request"]
"""What clients have to agree on: where to go, or also what to ask for there."""

Address: TypeAlias = IPv4Address | IPv6Address

Wording: TypeAlias = tuple[Severity, Layer, str, str]
"""What a policy makes of a code: severity, layer, sentence and source of its findings."""

_SOURCES = ("embedded", "enclosing", "retrieval", "default")
_WEB = frozenset({"http", "https"})
_START = {
    ("rfc3986", False): "URI",
    ("rfc3986", True): "URI-reference",
    ("rfc3987", False): "IRI",
    ("rfc3987", True): "IRI-reference",
}


class _Lists(TypedDict):
    schemes: str
    hosts: str
    ports: str
    userinfo: bool
    fragment: bool


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What is allowed; by default nothing.

    Attributes:
        grammar: "rfc3986" for URIs, "rfc3987" for IRIs.
        rule: the rule that texts are held to; by default the grammar's URI or IRI, with `relative`
            its references. A rule that yields no reference is judged by its syntax alone, since
            all components are missing then.
        schemes: allowed ones, in any letter case; or "*".
        hosts: allowed ones, each as it is written or, behind a ".", as the suffix of those below
            it (".a.com" allows b.a.com, not a.com); or "*".
        ports: allowed ones; "default" is the scheme's own, written or not; or "*".
        userinfo: whether there may be one.
        fragment: whether there may be one.
        relative: whether relative references are allowed.
        max_length: of the text, in characters; None for no limit.
        max_segments: of the path.
        max_parameters: of the query, counted by "&".
        agreement: what clients have to agree on, or None.
        addresses: classes of IP addresses that are refused (`special.ADDRESS_CLASSES`).
        names: classes of special-use names that are refused (`special.NAME_CLASSES`).
        severity: other severities than those of the `CATALOGUE`, by code or "scheme:code".
        refuse: the lightest severity that makes a text refused.
        base: what relative references are read against, or None; a `BaseURI` tells its source too.

    PolicyDefinitionError for a setting that cannot be.

    >>> policy = Policy(schemes=["https"], hosts=[".example.com"])
    >>> policy.hosts == frozenset({".example.com"}), policy.userinfo
    (True, False)
    >>> Policy(hosts=["a.com", "b.com:80"])
    Traceback (most recent call last):
    ...
    uriparse.validation.settings.PolicyDefinitionError: hosts[1]: "b.com:80" is not a host without \
its port, nor a ".suffix"
    """

    grammar: str = "rfc3986"
    rule: str | None = None
    schemes: Collection[str] = frozenset()
    hosts: Collection[str] = frozenset()
    ports: Collection[int | str] = frozenset({"default"})
    userinfo: bool = False
    fragment: bool = False
    relative: bool = False
    max_length: int | None = 8192
    max_segments: int | None = 1000
    max_parameters: int | None = 1000
    agreement: Agreement | None = None
    addresses: Collection[str] = frozenset()
    names: Collection[str] = frozenset()
    severity: Mapping[str, str] | tuple[tuple[str, Severity], ...] = ()
    refuse: Severity | str = Severity.ERROR
    base: Reference | BaseURI | None = None

    def __post_init__(self) -> None:
        """Check every setting, and keep it in the form in which it is compared."""
        for name, check in _CHECKS.items():
            object.__setattr__(self, name, check(getattr(self, name), name))
        if self.rule is not None:
            object.__setattr__(self, "rule", _rule(self.rule, self.grammar))

    def __getstate__(self) -> dict[str, object]:
        """Leave out what is made of the settings, and cannot be pickled."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def syntax(cls) -> Self:
        """Allow whatever the rule derives, of any length."""
        return cls(**_ALL, max_length=None, max_segments=None, max_parameters=None)

    @classmethod
    def web(cls) -> Self:
        """Allow http and https to any host, without userinfo."""
        return cls(schemes=_WEB, hosts="*", ports="*", fragment=True)

    @classmethod
    def outbound(cls) -> Self:
        """Allow what a server may fetch for somebody else: every client goes where it says.

        http and https, no userinfo, a destination that all clients agree on, no address that is
        not global and no name of special use. What the host's name resolves to is not known to a
        text: ask `permits` about each address before connecting.
        """
        return cls.web().replace(agreement="destination", addresses=NOT_GLOBAL, names=NOT_PUBLIC)

    @classmethod
    def redirect(cls, base: Reference | BaseURI) -> Self:
        """Allow what leads back into the origin of a base, by every client's reading.

        PolicyDefinitionError unless the base is an http or https URI with a host.
        """
        return cls.web().replace(relative=True, agreement="destination", **_origin(base))

    @classmethod
    def strict(cls) -> Self:
        """Allow https at its own port, a request that all clients send alike, and no doubt."""
        return cls.outbound().replace(
            schemes={"https"},
            ports={"default"},
            fragment=False,
            agreement="request",
            refuse=Severity.WARNING,
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, object], *, name: str = "policy") -> Self:
        """Make a policy of plain data: a "preset" to start from, and settings that differ.

        "redirect" needs a "base" beside it. PolicyDefinitionError names the setting at fault,
        after `name`.

        >>> Policy.from_dict({"preset": "web", "hosts": ["a.com", 5]}, name="policy.toml")
        Traceback (most recent call last):
        ...
        uriparse.validation.settings.PolicyDefinitionError: policy.toml: hosts[1]: a host, or \
".suffix" for those below it, is a text, not 5
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
        known = {field.name for field in fields(cls)}
        for key in data.keys() - known:
            names = {*known, "preset"}
            near = get_close_matches(str(key), names, 1)
            hint = (
                f'; did you mean "{near[0]}"?' if near else f"; known: {', '.join(sorted(names))}"
            )
            raise PolicyDefinitionError(f"there is no setting {settings.shown(key)}{hint}")
        if preset is None:
            return cls(**data)  # type: ignore[arg-type]  # every setting is checked
        if preset == "redirect":
            made = cls.redirect(data.pop("base", None))  # type: ignore[arg-type]  # checked there
        elif isinstance(preset, str) and preset in PRESETS:
            made = getattr(cls, preset)()
        else:
            known = {*PRESETS, "redirect"}
            wanted = f"one of {', '.join(sorted(known))}"
            raise PolicyDefinitionError(f"preset: {wanted}, not {settings.shown(preset)}")
        return made.replace(**data)

    @classmethod
    def from_toml(cls, text: str, *, name: str = "policy.toml") -> Self:
        """Make a policy of the text of a TOML file; see `from_dict`.

        PolicyDefinitionError also where the text is no TOML.
        """
        try:
            data = tomllib.loads(as_str(text, "text"))
        except tomllib.TOMLDecodeError as error:
            raise PolicyDefinitionError(f"{name}: {error}") from None
        return cls.from_dict(data, name=name)

    def replace(self, **changes: object) -> Self:
        """Make a policy that differs in some settings; PolicyDefinitionError as for a new one."""
        return replace(self, **changes)  # type: ignore[arg-type]  # every setting is checked

    @cached_property
    def start(self) -> str:
        """The rule that texts are held to."""
        return self.rule or _START[self.grammar, self.relative]

    def wordings(self, scheme: str | None = None) -> Mapping[str, Wording]:
        """Give severity and words of every code, in a URI of some scheme, in lower case."""
        return self._wordings.get(scheme) or self._wordings[None]

    def permits(self, address: Address | str) -> bool:
        """Whether a client may connect to an address: no class of it is refused.

        Addresses within addresses (IPv4-mapped, 6to4, Teredo, NAT64...) are judged too. The
        unspecified addresses are never permitted: where they lead differs between clients.
        ValueError for a text that is no address; a pure function, it looks nothing up.

        >>> [Policy.outbound().permits(one) for one in ("9.9.9.9", "::ffff:127.0.0.1")]
        [True, False]
        """
        return not self.refused_classes(
            ip_address(address) if isinstance(address, str) else address
        )

    def refused_classes(self, address: Address) -> tuple[str, ...]:
        """Name the classes for which an address is refused, none if it is permitted."""
        if not isinstance(address, IPv4Address | IPv6Address):
            raise TypeError(f"an IPv4Address or IPv6Address, not {type(address).__name__}")
        return tuple(name for name in classes_of(address) if name in self._refused_addresses)

    def admit(self, addresses: Iterable[Address | str]) -> tuple[Address, ...]:
        """Give those of some addresses that a client may connect to, in their order."""
        given = as_items(addresses, "addresses", "an iterable of addresses")
        found = (ip_address(one) if isinstance(one, str) else one for one in given)
        return tuple(one for one in found if not self.refused_classes(one))

    @cached_property
    def surely_accepts(self) -> Acceptor:
        """Tell of a text, in one match, that it is accepted, or else that more checks are due."""
        if self.severity or self.refuse is not Severity.ERROR or self.start not in ("URI", "IRI"):
            return unsure
        if self.hosts != "*" or self.ports != "*":
            return unsure
        schemes = None if self.schemes == "*" else self.schemes
        if self.agreement == "destination":
            accepts = destination_acceptor(
                schemes,
                fragments=self.fragment,
                names=self.names,
                addresses=self._refused_addresses,
            )
        elif self.agreement is None and not self.addresses and not self.names:
            accepts = uri_acceptor(
                self.start,
                self.grammar,
                schemes,
                fragments=self.fragment,
                userinfos=self.userinfo,
            )
        else:
            return unsure
        return limited(accepts, self.max_length, self.max_segments, self.max_parameters)

    @cached_property
    def least_limit(self) -> float:
        """The length below which a text exceeds no limit, in characters."""
        limits = self.max_length, self.max_segments, self.max_parameters
        return min((limit for limit in limits if limit is not None), default=inf)

    @cached_property
    def longest_host(self) -> int:
        """The length of the longest host that is listed, in characters."""
        return max(map(len, self.hosts), default=0)

    @property
    def base_uri(self) -> BaseURI | None:
        """The base that relative references are read against."""
        return self.base if isinstance(self.base, BaseURI) else None

    @property
    def judges_addresses(self) -> bool:
        """Whether it asks where an address leads at all."""
        return bool(self.addresses) or self.agreement is not None

    @cached_property
    def refusing(self) -> frozenset[Severity]:
        """The severities that make a text refused."""
        least = Severity(self.refuse).rank
        return frozenset(severity for severity in Severity if severity.rank >= least)

    def refusing_codes(self, scheme: str | None = None) -> frozenset[str]:
        """Give the codes that make a URI of some scheme, in lower case, refused."""
        return self._refusing_codes.get(scheme) or self._refusing_codes[None]

    @cached_property
    def _refusing_codes(self) -> dict[str | None, frozenset[str]]:
        """Codes by scheme, and by None for all others."""
        return {
            scheme: frozenset(code for code, words in wordings.items() if words[0] in self.refusing)
            for scheme, wordings in self._wordings.items()
        }

    @cached_property
    def _refused_addresses(self) -> frozenset[str]:
        return frozenset({*self.addresses, "unspecified"})

    @cached_property
    def _wordings(self) -> dict[str | None, dict[str, Wording]]:
        """Severities and words by scheme, and by None for all others, then by code."""
        given: dict[str, Severity] = dict(self.severity)  # type: ignore[arg-type]  # checked pairs
        common = {
            code: (given.get(code, known.severity), known.layer, known.sentence, known.source)
            for code, known in CATALOGUE.items()
        }
        found: dict[str | None, dict[str, Wording]] = {None: common}
        for name, severity in given.items():
            scheme, _, code = name.rpartition(":")
            if scheme:
                wordings = found.setdefault(scheme.lower(), dict(common))
                wordings[code] = (severity, *common[code][1:])
        return found


PRESETS = ("syntax", "web", "outbound", "strict")
"""Policies without parameters, by the names of the methods that make them."""

_ALL: Final[_Lists] = {
    "schemes": "*",
    "hosts": "*",
    "ports": "*",
    "userinfo": True,
    "fragment": True,
}


def _base(value: object, place: str) -> BaseURI | None:
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


def _rule(name: str, grammar: str) -> str:
    try:
        return rule_name(name, grammar)
    except UnknownRuleError as error:
        raise PolicyDefinitionError(f"rule: {error}") from None


def _origin(base: Reference | BaseURI) -> dict[str, object]:
    """Give the allow-lists that hold the origin of a base and nothing else."""
    made = _base(base, "base")
    uri = None if made is None else made.uri
    if uri is None or uri.scheme.lower() not in _WEB or not uri.host:
        raise PolicyDefinitionError("base: an http or https URI with a host is needed")
    scheme = uri.scheme.lower()
    port = uri.authority.port_number if uri.authority is not None and uri.port else None
    ports = {"default"} if port in (None, SCHEME_DEFAULTS[scheme].port) else {port}
    return {"base": made, "schemes": {scheme}, "hosts": {str(uri.host)}, "ports": ports}


def _optional(check: settings.Check) -> settings.Check:
    return lambda value, place: None if value is None else check(value, place)


def _lists(check: settings.Check) -> settings.Check:
    return lambda value, place: settings.each(value, place, check)


def _weights(value: object, place: str) -> object:
    return settings.weights(value, place, CATALOGUE.keys())


_CHECKS: dict[str, settings.Check] = {
    "grammar": settings.one_of({"rfc3986", "rfc3987"}),
    "rule": _optional(settings.text),
    "schemes": _lists(settings.scheme),
    "hosts": _lists(settings.host),
    "ports": _lists(settings.port),
    "userinfo": settings.flag,
    "fragment": settings.flag,
    "relative": settings.flag,
    "max_length": settings.limit,
    "max_segments": settings.limit,
    "max_parameters": settings.limit,
    "agreement": _optional(settings.one_of({"destination", "request"})),
    "addresses": _lists(settings.one_of(ADDRESS_CLASSES)),
    "names": _lists(settings.one_of(NAME_CLASSES)),
    "severity": _weights,
    "refuse": settings.severity,
    "base": _base,
}
