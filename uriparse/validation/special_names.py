"""What a name is for: data, and how a name is looked up in it.

The rows are those of IANA's registries of special-use domain names (RFC 6761) and of zones that
resolvers serve for themselves (RFC 6303), and a few that are in neither. A name counts by its
labels, whatever its letter case (RFC 4343).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

NameClass: TypeAlias = Literal[
    "localhost",
    "local",
    "internal",
    "home.arpa",
    "private-namespace",
    "single-label",
    "onion",
    "alt",
    "test",
    "invalid",
    "example",
    "reverse",
    "ipv4only.arpa",
    "resolver.arpa",
    "service.arpa",
    "eap.arpa",
    "6tisch.arpa",
    "cloud",
    "cluster",
]
"""What a name is for, where it is for something special."""

NAME_CLASSES: Final[frozenset[NameClass]] = frozenset(get_args(NameClass))
"""All class names."""

NOT_PUBLIC: Final[frozenset[NameClass]] = NAME_CLASSES - {"example"}
"""The classes that a client which fetches for others must not look up.

That is all but the names for documentation, which resolve like any other (RFC 6761 section 6.5).
What the others mean depends on who asks: the machine itself (`localhost`), its link (`local`), its
network (`internal`, `home.arpa`, `private-namespace`, `test`, `reverse`, and the names by which it
is configured), its cloud or cluster (`cloud`, `cluster`: services that give away credentials), its
search list (`single-label`); or they are not names of the DNS at all (`onion`,
`alt`, `invalid`), so that a look-up that succeeds is somebody's invention.
"""


class SpecialName(NamedTuple):
    """One row of the table.

    Attributes:
        name: the domain in lower case, without a trailing dot; what is below it counts as well.
            `""` is in the row of the class `single-label`, which is for no domain.
        kind: the class of these names.
        source: the RFC that reserves it, or who else does.

    """

    name: str
    kind: NameClass
    source: str


_N = SpecialName
_LOCAL_ZONES = "RFC 6303 section 4"

SPECIAL_NAMES: Final = (
    _N("localhost", "localhost", "RFC 6761 section 6.3"),
    _N("localhost.localdomain", "localhost", "nss-myhostname(8)"),
    *(
        _N(name, "localhost", "/etc/hosts of Fedora and RHEL (package setup)")
        for name in (
            "localhost4",
            "localhost4.localdomain4",
            "localhost6",
            "localhost6.localdomain6",
        )
    ),
    _N("local", "local", "RFC 6762 section 3"),
    _N("internal", "internal", "ICANN Board resolution 2024.07.29.06"),
    _N("home.arpa", "home.arpa", "RFC 8375"),
    *(
        _N(name, "private-namespace", "RFC 6762 appendix G")
        for name in ("corp", "home", "intranet", "lan", "private")
    ),
    _N("localdomain", "private-namespace", "/etc/hosts of Fedora and RHEL; VMware's DHCP servers"),
    _N("metadata.goog", "cloud", "Google Compute Engine, VM metadata: metadata.google.internal"),
    _N("cluster.local", "cluster", "Kubernetes, DNS for Services and Pods"),
    _N("kubernetes.default.svc", "cluster", "Kubernetes, Accessing the API from a Pod"),
    _N("onion", "onion", "RFC 7686"),
    _N("alt", "alt", "RFC 9476"),
    _N("test", "test", "RFC 6761 section 6.2"),
    _N("invalid", "invalid", "RFC 6761 section 6.4"),
    *(
        _N(name, "example", "RFC 6761 section 6.5")
        for name in ("example", "example.com", "example.net", "example.org")
    ),
    _N("ipv4only.arpa", "ipv4only.arpa", "RFC 8880"),
    _N("resolver.arpa", "resolver.arpa", "RFC 9462"),
    _N("service.arpa", "service.arpa", "RFC 9665"),
    _N("eap.arpa", "eap.arpa", "RFC 9965"),
    _N("eap-noob.arpa", "eap.arpa", "RFC 9140"),
    _N("6tisch.arpa", "6tisch.arpa", "RFC 9031"),
    _N("0.in-addr.arpa", "reverse", _LOCAL_ZONES),
    _N("10.in-addr.arpa", "reverse", "RFC 6761 section 6.1"),
    *(_N(f"{n}.100.in-addr.arpa", "reverse", "RFC 7793") for n in range(64, 128)),
    _N("127.in-addr.arpa", "reverse", _LOCAL_ZONES),
    _N("254.169.in-addr.arpa", "reverse", "RFC 6762 section 12"),
    *(_N(f"{n}.172.in-addr.arpa", "reverse", "RFC 6761 section 6.1") for n in range(16, 32)),
    _N("170.0.0.192.in-addr.arpa", "reverse", "RFC 8880"),
    _N("171.0.0.192.in-addr.arpa", "reverse", "RFC 8880"),
    _N("2.0.192.in-addr.arpa", "reverse", _LOCAL_ZONES),
    _N("168.192.in-addr.arpa", "reverse", "RFC 6761 section 6.1"),
    _N("100.51.198.in-addr.arpa", "reverse", _LOCAL_ZONES),
    _N("113.0.203.in-addr.arpa", "reverse", _LOCAL_ZONES),
    _N("255.255.255.255.in-addr.arpa", "reverse", _LOCAL_ZONES),
    _N("0." * 32 + "ip6.arpa", "reverse", _LOCAL_ZONES),
    _N("1." + "0." * 31 + "ip6.arpa", "reverse", _LOCAL_ZONES),
    _N("8.b.d.0.1.0.0.2.ip6.arpa", "reverse", _LOCAL_ZONES),
    _N("d.f.ip6.arpa", "reverse", _LOCAL_ZONES),
    *(_N(f"{n}.e.f.ip6.arpa", "reverse", "RFC 6762 section 12") for n in "89ab"),
)

SINGLE_LABEL: Final = _N("", "single-label", "RFC 1535")
"""The row for a name without a dot: search lists decide which domain it is completed with."""

_BY_NAME: Mapping[str, SpecialName] = MappingProxyType({row.name: row for row in SPECIAL_NAMES})
_LONGEST = max(len(row.name) for row in SPECIAL_NAMES)


def name_classes(host: str) -> tuple[NameClass, ...]:
    """Name the classes of a name, those of the longest domain first; `()` where none is special.

    host: the name as it is looked up, so decoded and in ASCII; its letter case and a dot at its end
        do not count.

    TypeError if it is no str.

    >>> name_classes("Api.LocalHost."), name_classes("notlocalhost.com"), name_classes("intranet")
    (('localhost',), (), ('private-namespace', 'single-label'))
    """
    return tuple([row.kind for row in names_of(host)])


def names_of(host: str) -> tuple[SpecialName, ...]:
    """Give the rows of the table that `name_classes` has the classes from, in the same order.

    >>> names_of("printer.local")[0].source
    'RFC 6762 section 3'
    """
    if not isinstance(host, str):
        raise TypeError(f"host is a str, not {type(host).__name__}")
    name = host.rstrip(".").lower()
    # One character more than a row can have: time stays linear, and half a label is never a row's.
    rest, dot = name[-_LONGEST - 1 :], "."
    rows = []
    while dot:
        row = _BY_NAME.get(rest)
        if row is not None:
            rows.append(row)
        _, dot, rest = rest.partition(".")
    # No search list is asked for "localhost" itself: it means the loopback address.
    if name and "." not in name and name != "localhost":
        rows.append(SINGLE_LABEL)
    return tuple(rows)
