"""Policies: what a caller allows, as an immutable value that is made once and used many times."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, wraps
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from math import inf
from typing import TYPE_CHECKING, ClassVar, Literal, Self, TypeAlias, TypeVar

from uriparse.coerce import Text, as_items, as_str, refusal
from uriparse.grammar import charset, matcher
from uriparse.grammar.matchers import tables
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.parsing import parse
from uriparse.records.servers import HIGHEST_PORT, default_port
from uriparse.resolution import BaseURI
from uriparse.validation import findings, settings
from uriparse.validation.addresses import AddressRules, effective
from uriparse.validation.agreement_checks import (
    LONGEST_NAME,
    KeptTriplets,
    is_name_kept,
    kept_triplets,
    spared_codes,
)
from uriparse.validation.finding_catalogue import CATALOGUE
from uriparse.validation.settings import (
    CHECKS,
    PolicyDefinitionError,
    check_base,
    check_list,
    check_rule,
    check_uri,
)
from uriparse.validation.special import (
    NOT_PUBLIC,
    SPECIAL_NAMES,
    parts_of,
)

if TYPE_CHECKING:
    from pydantic_core.core_schema import CoreSchema

    from uriparse.parsing import Record, Reference
    from uriparse.records import Host


# The fast path. Most texts are accepted, so one match and a look at its captures come first. An
# acceptor returns True only if the policy certainly accepts a text; otherwise all checks run.

_T = TypeVar("_T")
Acceptor: TypeAlias = Callable[[str], bool]


def accept_nothing(_: str) -> bool:
    """Leave every text to the full checks."""
    return False


def with_limits(accepts: Acceptor, policy: Policy) -> Acceptor:
    """Return an acceptor that also checks limits of characters, segments and parameters."""
    longest, segments = policy.max_length, policy.max_segments
    parameters = policy.max_parameters
    if longest is segments is parameters is None:
        return accepts
    if longest is None or segments is None or parameters is None:
        return accept_nothing
    # A text too short to exceed any limit needs no counting.
    shortest = min(longest, segments, parameters)

    def within(text: str) -> bool:
        if len(text) > shortest and (
            len(text) > longest or text.count("/") > segments or text.count("&") >= parameters
        ):
            return False
        return accepts(text)

    return within


def destination_acceptor(policy: Policy) -> Acceptor:
    """Return an acceptor of destinations; it leaves IPv6 hosts to the full checks."""
    pattern = matcher("destination-URI", "agreed")
    fullmatch, group = pattern.fullmatch, pattern.groupindex
    at = group["scheme"], group["domain"], group["IPv4address"], group["port"], group["fragment"]
    schemes, names, fragments = policy.schemes, policy.names, policy.fragment
    ordinary = _ordinary_name_test(names)
    blocked = frozenset[str]() if policy.bad_ports else findings.BLOCKED
    is_any_host, is_any_port = policy.hosts == "*", policy.ports == "*"

    def accepts(text: str) -> bool:
        match = fullmatch(text)
        if match is None:
            return False
        scheme, name, number, port, fragment = match.group(*at)
        if fragment is not None and not fragments:
            return False
        if schemes != "*" and scheme not in schemes:
            return False
        if not (is_any_host or policy.allows_host(name or number or "")):
            return False
        # A listed port is allowed even if browsers block it.
        if port in blocked if is_any_port else not policy.allows_port(port, scheme):
            return False
        if name is not None:
            # Only a name with "--" can have an xn-- label, which costs a look into idna's tables.
            if (len(name) > LONGEST_NAME or "--" in name) and not is_name_kept(name):
                return False
            return not names or ordinary(name)
        return number is not None and not policy.refused_classes(IPv4Address(number))

    return accepts


def uri_acceptor(policy: Policy) -> Acceptor:
    """Return an acceptor of all texts that match the rule and have an allowed scheme."""
    schemes, fragments, userinfos = policy.schemes, policy.fragment, policy.userinfo
    fullmatch = matcher(policy.start, policy.grammar).fullmatch
    groups = {field: group for group, field in tables(policy.grammar).FIELDS.items()}
    user, tail = groups["userinfo"], groups["fragment"]
    if schemes == "*" and fragments and userinfos:
        return lambda text: fullmatch(text) is not None

    def accepts(text: str) -> bool:
        match = fullmatch(text)
        if match is None:
            return False
        scheme, userinfo, fragment = match.group("scheme", user, tail)
        if (userinfo is not None and not userinfos) or (fragment is not None and not fragments):
            return False
        return schemes == "*" or scheme in schemes

    return accepts


def special_labels(classes: Collection[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the last labels of special names of some classes, and the last two of others."""
    rows = [row.name for row in SPECIAL_NAMES if row.kind in classes]
    two_labels = frozenset(name for name in rows if name.count(".") == 1)
    return frozenset(name.rpartition(".")[2] for name in rows if name.count(".") != 1), two_labels


def _ordinary_name_test(classes: Collection[str]) -> Callable[[str], bool]:
    """Return a test whether the last labels of a name belong to none of some classes."""
    last_labels, two_labels = special_labels(classes)

    def is_ordinary(name: str) -> bool:
        lower = name.lower()
        dot = lower.rfind(".")
        if dot < 0 or lower[dot + 1 :] in last_labels:
            return False
        return lower[lower.rfind(".", 0, dot) + 1 :] not in two_labels

    return is_ordinary


WEB = frozenset({"http", "https"})
"""The schemes to which agreement applies, in lower case."""

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

Wording: TypeAlias = tuple[findings.Severity, findings.Layer, str, str]
"""Severity, layer, sentence and source of the findings of a code under a policy."""

_START = {
    ("rfc3986", False): "URI",
    ("rfc3986", True): "URI-reference",
    ("rfc3987", False): "IRI",
    ("rfc3987", True): "IRI-reference",
}


class PydanticConstraint:
    """Makes a policy an annotation in pydantic, FastAPI and Typer: `Annotated[URI, policy]`."""

    __slots__ = ()
    _check: ClassVar[Callable[[Text, PydanticConstraint], None]]
    """Raises pydantic's error for a refused text; `validating` imports this file and sets it."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: Callable[[object], CoreSchema], /
    ) -> CoreSchema:
        """Validate the parsed value; the error's `ctx` has the code of the first finding."""
        from uriparse.pydantic_schema import checked_schema  # noqa: PLC0415 - seldom

        def check(value: Text) -> None:
            type(self)._check(value, self)  # noqa: SLF001 - our own class

        return checked_schema(handler(source), check)


# A policy is `Policy.outbound()` but for what is named, so that a policy of a few settings protects
# in all that it does not name. A missing component never satisfies an allow-list.

Agreement: TypeAlias = Literal["destination", "request"]
"""What clients must agree on: only the destination, or also the request."""


def _names_checked(cls: type[_T]) -> type[_T]:
    """Make the constructor of a dataclass say what to write for an unknown setting."""
    init = cls.__init__

    @wraps(init)
    def checked(self: _T, *args: object, **given: object) -> None:
        settings.check_settings(given, CHECKS)
        init(self, *args, **given)

    setattr(cls, "__init__", checked)  # noqa: B010 - a checker of types takes no other spelling
    return cls


@_names_checked
@dataclass(frozen=True, kw_only=True)
class Policy(PydanticConstraint):
    """What is allowed and refused: `Policy.outbound()` with other settings.

    `schemes`, `hosts`, `ports` and `uris` list what is allowed. A list that is given allows its
    entries alone, and an empty one nothing; a list that is not given is that of `outbound`: http
    and https, any host, any port but bad ones. Addresses that are not global and names that are not
    public are refused: `allowed_addresses` and `allowed_names` open just what they list (or "*"),
    `refused_addresses` and `refused_names` add to what is refused. The other protections end where
    they are named: `agreement=None`, `bad_ports=True`.

    Attributes:
        grammar: "rfc3986" for URIs, "rfc3987" for IRIs.
        rule: the rule that texts must match; by default the grammar's URI or IRI, with `relative`
            its references. For a rule that makes no record only the syntax is checked, and all
            components count as missing.
        schemes: the allowed schemes, in any letter case; or "*".
        hosts: the allowed hosts, each as written or, after a ".", as a suffix (".a.com" allows
            b.a.com, not a.com); or "*". No entry matches a host with a triplet, and no suffix a
            host with a reserved character: clients end such a host at different characters.
        ports: the allowed ports; "default" is the scheme's own, written or not; or "*". A URI
            without a host needs no port.
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

    def __getstate__(self) -> dict[str, object]:
        """Return the settings alone: cached values cannot be pickled."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def syntax(cls) -> Self:
        """Allow every text that matches the rule, of any length."""
        limits = dict.fromkeys(("max_length", "max_segments", "max_parameters"))
        return cls.web().replace(schemes="*", userinfo=True, **limits)

    @classmethod
    def web(cls) -> Self:
        """Allow http and https to any host and address, without userinfo."""
        return cls(agreement=None, allowed_addresses="*", allowed_names="*", bad_ports=True)

    @classmethod
    def outbound(cls) -> Self:
        """Allow what a server may fetch on behalf of others.

        http and https, no userinfo, a destination that all clients agree on, global addresses
        only, no name of special use and no bad port. The check does not resolve names: ask
        `permits` about each resolved address before connecting.
        """
        return cls()

    @classmethod
    def redirect(cls, base: Reference | BaseURI) -> Self:
        """Allow references that all clients resolve to the origin of a base.

        PolicyDefinitionError unless the base is an http or https URI with a host.
        """
        return cls.web().replace(relative=True, agreement="destination", **_origin(base))

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
    def strict(cls) -> Self:
        """Allow https at its default port, if all clients send the same request; no warnings."""
        return cls.outbound().replace(
            schemes={"https"},
            ports={"default"},
            fragment=False,
            agreement="request",
            refuse=findings.Severity.WARNING,
        )

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
            presets = ", ".join(sorted({*PRESETS, "redirect"}))
            raise settings.invalid_value("preset", f"one of {presets}", preset)
        return policy.replace(**data)

    @classmethod
    def from_toml(cls, text: str, *, name: str = "policy.toml") -> Self:
        """Make a policy from the text of a TOML file; see `from_dict`.

        PolicyDefinitionError also if the text is not valid TOML.
        """
        try:
            data = tomllib.loads(as_str(text, "text"))
        except tomllib.TOMLDecodeError as error:
            raise PolicyDefinitionError(f"{name}: {error}") from None
        return cls.from_dict(data, name=name)

    def replace(self, **changes: object) -> Self:
        """Return a policy that differs in some settings; PolicyDefinitionError as for a new one."""
        return replace(self, **changes)  # type: ignore[arg-type]  # every setting is checked

    @cached_property
    def start(self) -> str:
        """The rule that texts must match."""
        return self.rule or _START[self.grammar, self.relative]

    def wordings(self, scheme: str | None = None) -> Mapping[str, Wording]:
        """Return severity and sentence of every code for a scheme in lower case."""
        return self._wordings[scheme if scheme in self._wordings else None]

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
        return self.address_rules.reasons(address)

    def admit(self, addresses: Iterable[Address | str]) -> tuple[Address, ...]:
        """Return the addresses that a client may connect to, in their order."""
        items = as_items(addresses, "addresses", "an iterable of addresses")
        parsed = (ip_address(item) if isinstance(item, str) else item for item in items)
        return tuple(address for address in parsed if not self.refused_classes(address))

    @cached_property
    def fast_accept(self) -> Acceptor:
        """The acceptor of the fast path: True if a text is certainly accepted."""
        if self.fast_rule is None:
            return accept_nothing
        make = destination_acceptor if self.agreement == "destination" else uri_acceptor
        return with_limits(make(self), self)

    @cached_property
    def fast_rule(self) -> tuple[str, str] | None:
        """The rule that the fast path matches, and its grammar; None if there is no fast path."""
        if (
            self.severity
            or self.refuse is not findings.Severity.ERROR
            or self.start not in ("URI", "IRI")
            or self.uris != "*"
        ):
            return None
        if self.agreement == "destination":
            return "destination-URI", "agreed"
        is_open = self.hosts == "*" and self.ports == "*" and self.bad_ports
        is_open = is_open and self.agreement is None and not self.names
        is_open = is_open and self.address_rules.are_any
        return (self.start, self.grammar) if is_open else None

    @cached_property
    def least_limit(self) -> float:
        """The length in characters up to which a text exceeds no limit."""
        limits = self.max_length, self.max_segments, self.max_parameters
        return min((limit for limit in limits if limit is not None), default=inf)

    @cached_property
    def longest_host(self) -> int:
        """The length in characters of the longest listed host."""
        return max(map(len, self.hosts), default=0)

    @property
    def base_uri(self) -> BaseURI | None:
        """The base for relative references."""
        return self.base if isinstance(self.base, BaseURI) else None

    @cached_property
    def kept_triplets(self) -> KeptTriplets:
        """The triplets of ASCII that all clients of the policy send as they are."""
        return kept_triplets(self.clients)

    def needs_agreement(self, scheme: str | None) -> bool:
        """Whether clients must agree on a URI of a scheme in lower case; None for a missing scheme.

        Agreement is known for http and https only, so other schemes that the policy allows need
        none.
        """
        if self.agreement is None:
            return False
        is_other = scheme is not None and scheme not in WEB
        return not (is_other and self.allows_scheme(scheme))

    def allows_scheme(self, scheme: str | None) -> bool:
        """Return whether the policy allows a scheme in lower case; None is on no list."""
        return self.schemes == "*" or scheme in self.schemes

    def allows_host(self, host: Host | str | None) -> bool:
        """Return whether the policy allows a host; a missing or empty host is on no list.

        No list matches a host with a triplet: Node's `url.parse` and Perl read
        "evil.com%2f.example.com" as evil.com. No suffix matches a host with a reserved character,
        which has the same effect ("evil.com;.example.com"), nor with a character of an IRI that
        NFKC maps to a reserved one (U+FF0F, CVE-2019-9636).
        """
        if self.hosts == "*":
            return True
        text = str(host or "").lower()
        if not text or "%" in text:
            return False
        if text in self.hosts:
            return True
        folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
        if not charset("reserved").isdisjoint(folded):
            return False
        # No suffix on the list is longer than the longest host there.
        dot = text.find(".", max(1, len(text) - self.longest_host))
        while dot >= 0:
            if text[dot:] in self.hosts:
                return True
            dot = text.find(".", dot + 1)
        return False

    def allows_uri(self, uri: Record | None) -> bool:
        """Return whether the policy allows a whole URI or reference; None is on no list."""
        if self.uris == "*":
            return True
        if uri is None:
            return False
        return str(uri) in self.uris or self._without_loopback_port(uri) in self._loopback_uris

    @cached_property
    def _loopback_uris(self) -> frozenset[str]:
        bare = (self._without_loopback_port(parse(uri, "URI")) for uri in self.uris)
        return frozenset(uri for uri in bare if uri is not None)

    def _without_loopback_port(self, uri: Record) -> str | None:
        """Return an http URI with a loopback address without its port; None for any other."""
        if uri.host is None or (uri.scheme or "").lower() != "http":
            return None
        address = uri.host.address
        if address is None:
            is_local = self.localhost_ports and str(uri.host).lower() == "localhost"
        else:  # the tables of `ipaddress` differ between versions of Python
            is_local = [row.kind for row in parts_of(address)[0][1]][:1] == ["loopback"]
        return str(uri.replace(port=None)) if is_local else None

    def allows_port(self, port: str | None, scheme: str | None) -> bool:
        """Return whether the policy allows a port; None is the default port of the scheme."""
        if self.ports == "*":
            return True
        default = default_port(scheme)
        number = findings.port_number(port) if port else default
        if number is None:
            return False
        return number in self.ports or (number == default and "default" in self.ports)

    @cached_property
    def refusing(self) -> frozenset[findings.Severity]:
        """The severities that make the policy refuse a text; "off" is never one of them."""
        least = max(findings.Severity(self.refuse).rank, findings.Severity.INFO.rank)
        return frozenset(severity for severity in findings.Severity if severity.rank >= least)

    def refusing_codes(self, scheme: str | None = None) -> frozenset[str]:
        """Return the codes for which a URI of a scheme in lower case is refused."""
        return self._refusing_codes[scheme if scheme in self._refusing_codes else None]

    @cached_property
    def _refusing_codes(self) -> dict[str | None, frozenset[str]]:
        return {
            scheme: frozenset(code for code, words in wordings.items() if words[0] in self.refusing)
            for scheme, wordings in self._wordings.items()
        }

    @cached_property
    def address_rules(self) -> AddressRules:
        """Which addresses are refused."""
        return AddressRules(self.refused_addresses, self.allowed_addresses)  # type: ignore[arg-type]  # checked texts

    @cached_property
    def names(self) -> frozenset[str]:
        """The classes of names that are refused."""
        return effective(self.refused_names, self.allowed_names, NOT_PUBLIC)

    @cached_property
    def _wordings(self) -> dict[str | None, dict[str, Wording]]:
        changed: dict[str, findings.Severity] = dict(self.severity)  # type: ignore[arg-type]  # checked pairs
        off = dict.fromkeys(spared_codes(self.clients), findings.Severity.OFF)
        common = {
            code: (
                changed.get(code, off.get(code, row.severity)),
                row.layer,
                row.sentence,
                row.source,
            )
            for code, row in CATALOGUE.items()
        }
        by_scheme: dict[str | None, dict[str, Wording]] = {None: common}
        for name, severity in changed.items():
            scheme, _, code = name.rpartition(":")
            if scheme:
                wordings = by_scheme.setdefault(scheme.lower(), dict(common))
                wordings[code] = (severity, *common[code][1:])
        return by_scheme


PRESETS = ("syntax", "web", "outbound", "strict")
"""The class methods that make policies without parameters."""


def _origin(base: Reference | BaseURI) -> dict[str, object]:
    checked = check_base(base, "base")
    uri = None if checked is None else checked.uri
    if uri is None or uri.scheme.lower() not in WEB or not uri.host:
        raise PolicyDefinitionError("base: must be an http or https URI with a host")
    scheme = uri.scheme.lower()
    port = findings.port_number(uri.port) if uri.port else SCHEME_DEFAULTS[scheme].port
    if not port:
        raise PolicyDefinitionError(f"base: the port must be a number from 1 to {HIGHEST_PORT}")
    ports = {"default"} if port == SCHEME_DEFAULTS[scheme].port else {port}
    return {"base": checked, "schemes": {scheme}, "hosts": {str(uri.host)}, "ports": ports}
