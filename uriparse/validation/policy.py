"""Policies: what a caller allows, as a value that is made once and used for millions of texts."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address, ip_address
from math import inf
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias, TypedDict

from uriparse.coerce import as_items, as_str, refusal
from uriparse.grammar import charset, matcher
from uriparse.grammar.matchers import tables
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.resolution import BaseURI
from uriparse.validation import settings
from uriparse.validation.agreement_checks import LONGEST_NAME, is_name_kept
from uriparse.validation.catalogue import CATALOGUE
from uriparse.validation.findings import (
    BLOCKED,
    LAST_PORT,
    Layer,
    Severity,
    default_port,
    port_number,
)
from uriparse.validation.settings import CHECKS, PolicyDefinitionError
from uriparse.validation.settings import base as checked_base
from uriparse.validation.settings import rule as checked_rule
from uriparse.validation.special import NOT_GLOBAL, NOT_PUBLIC, SPECIAL_NAMES, classes_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Self

    from pydantic_core.core_schema import CoreSchema

    from uriparse.coerce import Text
    from uriparse.parsing import Reference
    from uriparse.records import Host


# The quick way to "yes": one match, and a look at what it captured.
#
# Most texts that are judged are good. An acceptor says True where a policy certainly accepts a
# text, and False where it does not know: then all checks are made.

Acceptor: TypeAlias = Callable[[str], bool]


def unsure(_: str) -> bool:
    """Know nothing of any text."""
    return False


def limited(
    accepts: Acceptor, longest: int | None, segments: int | None, parameters: int | None
) -> Acceptor:
    """Put limits before an acceptor: of characters, segments and parameters."""
    if longest is segments is parameters is None:
        return accepts
    if longest is None or segments is None or parameters is None:
        return unsure
    # A text too short to exceed any limit needs no counting.
    shortest = min(longest, segments, parameters)

    def within(text: str) -> bool:
        if len(text) > shortest and (
            len(text) > longest or text.count("/") > segments or text.count("&") >= parameters
        ):
            return False
        return accepts(text)

    return within


def destination_acceptor(
    schemes: Collection[str] | None,
    *,
    fragments: bool,
    names: Collection[str],
    addresses: Collection[str],
    allows: Callable[[str, str, str | None], bool],
) -> Acceptor:
    """Make an acceptor of destinations that are names or IPv4 addresses; IPv6 goes the long way.

    schemes: those that are listed; None for all.
    names, addresses: classes of special names and addresses that are to be passed over.
    allows: whether the caller's lists have a scheme, a host, and a port or None.
    """
    pattern = matcher("destination-URI", "agreed")
    fullmatch, group = pattern.fullmatch, pattern.groupindex
    at = group["scheme"], group["domain"], group["IPv4address"], group["port"], group["fragment"]
    ordinary = _ordinary(names)
    refused = frozenset(addresses)

    def accepts(text: str) -> bool:
        match = fullmatch(text)
        if match is None:
            return False
        scheme, name, number, port, fragment = match.group(*at)
        if fragment is not None and not fragments:
            return False
        if schemes is not None and scheme not in schemes:
            return False
        if not allows(scheme, name or number or "", port):
            return False
        if name is not None:
            if (len(name) > LONGEST_NAME or "--" in name) and not is_name_kept(name):
                return False
            return not names or ordinary(name)
        return number is not None and refused.isdisjoint(classes_of(IPv4Address(number)))

    return accepts


def uri_acceptor(
    rule: str,
    grammar: str,
    schemes: Collection[str] | None,
    *,
    fragments: bool,
    userinfos: bool,
) -> Acceptor:
    """Make an acceptor of whatever a rule of URIs derives, with a scheme that is listed."""
    fullmatch = matcher(rule, grammar).fullmatch
    groups = {field: group for group, field in tables(grammar).FIELDS.items()}
    user, tail = groups["userinfo"], groups["fragment"]
    if schemes is None and fragments and userinfos:
        return lambda text: fullmatch(text) is not None

    def accepts(text: str) -> bool:
        match = fullmatch(text)
        if match is None:
            return False
        scheme, userinfo, fragment = match.group("scheme", user, tail)
        if (userinfo is not None and not userinfos) or (fragment is not None and not fragments):
            return False
        return schemes is None or scheme in schemes

    return accepts


def _ordinary(classes: Collection[str]) -> Callable[[str], bool]:
    """Make a test of names that are certainly of none of some classes.

    It compares their last label, or the last two, with those of the special names.
    """
    rows = [row.name for row in SPECIAL_NAMES if row.kind in classes]
    two_labels = frozenset(name for name in rows if name.count(".") == 1)
    last_labels = frozenset(name.rpartition(".")[2] for name in rows if name.count(".") != 1)

    def is_ordinary(name: str) -> bool:
        lower = name.lower()
        dot = lower.rfind(".")
        if dot < 0 or lower[dot + 1 :] in last_labels:
            return False
        return lower[lower.rfind(".", 0, dot) + 1 :] not in two_labels

    return is_ordinary


# What follows from the settings of a policy: what those ask who judge texts and addresses by it.
#
# What takes time to find out is found out once for each policy.

WEB = frozenset({"http", "https"})
"""The schemes that agreement is about, in lower case."""

Address: TypeAlias = IPv4Address | IPv6Address

Wording: TypeAlias = tuple[Severity, Layer, str, str]
"""What a policy makes of a code: severity, layer, sentence and source of its findings."""

_START = {
    ("rfc3986", False): "URI",
    ("rfc3986", True): "URI-reference",
    ("rfc3987", False): "IRI",
    ("rfc3987", True): "IRI-reference",
}


class Rulings:
    """The answers of a policy, whose settings `policy.Policy` checks and keeps."""

    grammar: str
    rule: str | None
    schemes: Collection[str]
    hosts: Collection[str]
    ports: Collection[int | str]
    bad_ports: bool
    userinfo: bool
    fragment: bool
    relative: bool
    max_length: int | None
    max_segments: int | None
    max_parameters: int | None
    agreement: str | None
    addresses: Collection[str]
    names: Collection[str]
    severity: Mapping[str, str] | tuple[tuple[str, Severity], ...]
    refuse: Severity | str
    base: Reference | BaseURI | None

    @cached_property
    def start(self) -> str:
        """The rule that texts are held to."""
        return self.rule or _START[self.grammar, self.relative]

    def wordings(self, scheme: str | None = None) -> Mapping[str, Wording]:
        """Give severity and words of every code, in a URI of some scheme, in lower case."""
        return self._wordings[scheme if scheme in self._wordings else None]

    def permits(self, address: Address | str) -> bool:
        """Whether a client may connect to an address: no class of it is refused.

        Addresses within addresses (IPv4-mapped, 6to4, Teredo, NAT64...) are judged too. The
        unspecified addresses are never permitted: where they lead differs between clients.
        ValueError for a text that is no address; a pure function, it looks nothing up.

        >>> from uriparse.validation import Policy
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
        schemes = None if self.schemes == "*" else self.schemes
        if self.agreement == "destination":
            accepts = destination_acceptor(
                schemes,
                fragments=self.fragment,
                names=self.names,
                addresses=self._refused_addresses,
                allows=self._allowed_place(),
            )
        elif self._asks_for_schemes_alone:
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

    @property
    def _asks_for_schemes_alone(self) -> bool:
        is_open = self.hosts == "*" and self.ports == "*" and self.bad_ports
        return is_open and self.agreement is None and not self.addresses and not self.names

    def _allowed_place(self) -> Callable[[str, str, str | None], bool]:
        """Make the test of a scheme, a host and a port, as `quick` finds them in a text."""
        blocked = frozenset[str]() if self.bad_ports else BLOCKED
        if self.hosts == "*" and self.ports == "*":
            return lambda _scheme, _host, port: port not in blocked

        def allows(scheme: str, host: str, port: str | None) -> bool:
            if not self.allows_host(host):
                return False
            # A port that is listed is allowed, whatever browsers do.
            return port not in blocked if self.ports == "*" else self.allows_port(port, scheme)

        return allows

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

    def needs_agreement(self, scheme: str | None) -> bool:
        """Whether clients have to agree on a URI of some scheme, in lower case; None for none.

        Agreement was measured for http and https. A scheme that the policy refuses is none of
        those that it allows without agreement.
        """
        if self.agreement is None:
            return False
        is_other = scheme is not None and scheme not in WEB
        return not (is_other and self.allows_scheme(scheme))

    def allows_scheme(self, scheme: str | None) -> bool:
        """Whether the list of schemes has one, in lower case; None is on no list."""
        return self.schemes == "*" or scheme in self.schemes

    def allows_host(self, host: Host | str | None) -> bool:
        """Whether the list of hosts has one; a missing or empty one is on no list.

        Nor is one with a triplet: Node's `url.parse` and Perl read "evil.com%2f.example.com" as
        evil.com. Before a suffix a reserved character does the same ("evil.com;.example.com"), and
        so does a character of an IRI that NFKC makes one (U+FF0F, CVE-2019-9636).
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

    def allows_port(self, port: str | None, scheme: str | None) -> bool:
        """Whether the list of ports has one, written or meant by a scheme in lower case."""
        if self.ports == "*":
            return True
        default = default_port(scheme)
        number = port_number(port) if port else default
        if number is None:
            return False
        return number in self.ports or (number == default and "default" in self.ports)

    @property
    def judges_addresses(self) -> bool:
        """Whether it asks where an address leads at all."""
        return bool(self.addresses) or self.agreement is not None

    @cached_property
    def refusing(self) -> frozenset[Severity]:
        """The severities that make a text refused; what is not reported never does."""
        least = max(Severity(self.refuse).rank, Severity.INFO.rank)
        return frozenset(severity for severity in Severity if severity.rank >= least)

    def refusing_codes(self, scheme: str | None = None) -> frozenset[str]:
        """Give the codes that make a URI of some scheme, in lower case, refused."""
        return self._refusing_codes[scheme if scheme in self._refusing_codes else None]

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


# A policy as a mark on a type: `Annotated[URI, policy]` in pydantic, FastAPI and Typer.


class Marking:
    """What judges the values of a field, be they records or texts."""

    __slots__ = ()
    _check: ClassVar[Callable[[Text, Marking], None]]
    """Raises pydantic's error for a refused text; `validating` sets it, which imports this file."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: Callable[[object], CoreSchema], /
    ) -> CoreSchema:
        """Judge what the type has read; the error's `ctx` holds the code of the first finding."""
        from uriparse.pydantic_schema import checked_schema  # noqa: PLC0415 - seldom

        def check(value: Text) -> None:
            type(self)._check(value, self)  # noqa: SLF001 - our own class

        return checked_schema(handler(source), check)


# What a caller allows: a value, made once and used for millions of texts.
#
# Everything is denied that is not allowed: an allow-list is empty until it is filled, and a
# component that is missing never satisfies one. The other settings protect unless they are named:
# a policy of a few lists is no weaker than `Policy.outbound()`. No regular expressions: schemes,
# hosts and ports are listed, syntax is the grammars' business.

Agreement: TypeAlias = Literal["destination", "request"]
"""What clients have to agree on: where to go, or also what to ask for there."""


class _Unprotected(TypedDict):
    agreement: None
    addresses: tuple[()]
    names: tuple[()]
    bad_ports: bool


@dataclass(frozen=True, kw_only=True)
class Policy(Rulings, Marking):
    """What is allowed; by default nothing.

    A policy made of allow-lists alone refuses what `Policy.outbound()` refuses: hosts that clients
    read differently, addresses that are not global, names of special use and bad ports. To do
    without one of these, name it: `agreement=None`, `addresses=()`, `names=()`, `bad_ports=True`;
    a policy file begins with `preset = "web"` instead.

    Attributes:
        grammar: "rfc3986" for URIs, "rfc3987" for IRIs.
        rule: the rule that texts are held to; by default the grammar's URI or IRI, with `relative`
            its references. A rule that yields no reference is judged by its syntax alone, since
            all components are missing then.
        schemes: allowed ones, in any letter case; or "*".
        hosts: allowed ones, each as it is written or, after a ".", as the suffix of those below
            it (".a.com" allows b.a.com, not a.com); or "*". No entry matches a host with a
            triplet, and no suffix one with a reserved character: clients end such a host at
            different characters.
        ports: allowed ones; "default" is the scheme's own, written or not; or "*". A URI without a
            host has no port, and none is asked of it.
        bad_ports: whether http, https, ws and wss may use the bad ports of the Fetch standard, to
            which browsers do not connect (25, 6000, 6667...). A number in `ports` allows its port.
        userinfo: whether there may be one.
        fragment: whether there may be one.
        relative: whether relative references are allowed.
        max_length: of the text, in characters; None for no limit.
        max_segments: of the path.
        max_parameters: of the query, counted by "&".
        agreement: what clients have to agree on for http and https: "destination", "request", or
            None. URIs of other schemes that `schemes` allows are judged without it.
        addresses: classes of IP addresses that are refused (`special.ADDRESS_CLASSES`); or "*".
        names: classes of special-use names that are refused (`special.NAME_CLASSES`); or "*".
        severity: other severities than those of the `CATALOGUE`, by code or "scheme:code".
        refuse: the lightest severity that makes a text refused.
        base: what relative references are read against, or None; a `BaseURI` tells its source too.

    PolicyDefinitionError for a setting that cannot be.

    >>> policy = Policy(schemes=["https"], hosts=[".example.com"])
    >>> policy.hosts == frozenset({".example.com"}), policy.userinfo
    (True, False)
    >>> policy.permits("127.0.0.1"), policy.replace(addresses=()).permits("127.0.0.1")
    (False, True)
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
    bad_ports: bool = False
    userinfo: bool = False
    fragment: bool = False
    relative: bool = False
    max_length: int | None = 8192
    max_segments: int | None = 1000
    max_parameters: int | None = 1000
    agreement: Agreement | None = "destination"
    addresses: Collection[str] = NOT_GLOBAL
    names: Collection[str] = NOT_PUBLIC
    severity: Mapping[str, str] | tuple[tuple[str, Severity], ...] = ()
    refuse: Severity | str = Severity.ERROR
    base: Reference | BaseURI | None = None

    def __post_init__(self) -> None:
        """Check every setting, and keep it in the form in which it is compared."""
        for name, check in CHECKS.items():
            object.__setattr__(self, name, check(getattr(self, name), name))
        if self.rule is not None:
            object.__setattr__(self, "rule", checked_rule(self.rule, self.grammar))

    def __getstate__(self) -> dict[str, object]:
        """Leave out what is made of the settings, and cannot be pickled."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def syntax(cls) -> Self:
        """Allow whatever the rule derives, of any length."""
        return cls(
            schemes="*",
            hosts="*",
            ports="*",
            userinfo=True,
            fragment=True,
            max_length=None,
            max_segments=None,
            max_parameters=None,
            **_UNPROTECTED,
        )

    @classmethod
    def web(cls) -> Self:
        """Allow http and https to any host and address, without userinfo."""
        return cls(schemes=WEB, hosts="*", ports="*", fragment=True, **_UNPROTECTED)

    @classmethod
    def outbound(cls) -> Self:
        """Allow what a server may fetch for somebody else: every client goes where it says.

        http and https, no userinfo, a destination that all clients agree on, no address that is
        not global, no name of special use and no bad port. A text does not say what its host's
        name resolves to: ask `permits` about each address before connecting.
        """
        return cls(schemes=WEB, hosts="*", ports="*", fragment=True)

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
        for key in (key for key in data if key not in known):
            names = sorted({*known, "preset"})
            near = get_close_matches(str(key), names, 1)
            hint = f'; did you mean "{near[0]}"?' if near else f"; known: {', '.join(names)}"
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


PRESETS = ("syntax", "web", "outbound", "strict")
"""Policies without parameters, by the names of the methods that make them."""

_UNPROTECTED: Final[_Unprotected] = {
    "agreement": None,
    "addresses": (),
    "names": (),
    "bad_ports": True,
}
"""The settings that protect unless they are named, named."""


def _origin(base: Reference | BaseURI) -> dict[str, object]:
    """Give the allow-lists that hold the origin of a base and nothing else."""
    made = checked_base(base, "base")
    uri = None if made is None else made.uri
    if uri is None or uri.scheme.lower() not in WEB or not uri.host:
        raise PolicyDefinitionError("base: an http or https URI with a host is needed")
    scheme = uri.scheme.lower()
    port = port_number(uri.port) if uri.port else SCHEME_DEFAULTS[scheme].port
    if not port:
        raise PolicyDefinitionError(f"base: a port is a number from 1 to {LAST_PORT}")
    ports = {"default"} if port == SCHEME_DEFAULTS[scheme].port else {port}
    return {"base": made, "schemes": {scheme}, "hosts": {str(uri.host)}, "ports": ports}
