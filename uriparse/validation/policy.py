"""What a caller allows: a value, made once and used for millions of texts.

Everything is denied that is not allowed: an allow-list is empty until it is filled, and a component
that is missing never satisfies one. The other settings protect unless they are named: a policy of
a few lists is no weaker than `Policy.outbound()`. No regular expressions: schemes, hosts and ports
are listed, syntax is the grammars' business.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypedDict

from uriparse.door import as_str, refusal
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.validation import settings
from uriparse.validation.findings import Severity
from uriparse.validation.marking import Marking
from uriparse.validation.ports import LAST_PORT, port_number
from uriparse.validation.rulings import WEB, Rulings
from uriparse.validation.setting_checks import CHECKS
from uriparse.validation.setting_checks import base as checked_base
from uriparse.validation.setting_checks import rule as checked_rule
from uriparse.validation.settings import PolicyDefinitionError
from uriparse.validation.special import NOT_GLOBAL, NOT_PUBLIC

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Self

    from uriparse.parsing import Reference
    from uriparse.resolution import BaseURI

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
