"""urn URIs (RFC 8141): a permanent name, independent of where the resource is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from uriparse.schemes.current_uri import CurrentURI
from uriparse.schemes.fields import url_field
from uriparse.schemes.url_parts import Data, Schemes, made

if TYPE_CHECKING:
    from uriparse.schemes.encoding import Encoded


class URN(CurrentURI):
    """`urn:NID:NSS?+r-component?=q-component#f-component`.

    nid: the namespace, in the letter case that was written, which means nothing.
    nss: the name within it.
    r_component, q_component: for the resolver, and for the resource or a service for it; None
        where absent.

    >>> from uriparse.schemes import parse_url
    >>> urn = parse_url("urn:example:weather?=op=map#east")
    >>> urn.nid, urn.nss, urn.r_component, urn.q_component, urn.f_component
    ('example', 'weather', None, 'op=map', 'east')
    """

    nid: Encoded = url_field("NID")
    nss: Encoded = url_field("NSS")
    r_component: Encoded | None = url_field("r-component")
    q_component: Encoded | None = url_field("q-component")

    @property
    def f_component(self) -> Encoded | None:
        """The fragment, which the RFC calls so."""
        return self.fragment

    @property
    def assigned_name(self) -> str:
        """The URN without its optional components: what is registered, and compared."""
        return f"urn:{self.nid}:{self.nss}"

    @classmethod
    def from_parts(
        cls,
        *,
        nid: Data,
        nss: Data,
        r_component: Data | None = None,
        q_component: Data | None = None,
        f_component: Data | None = None,
        registry: Schemes | None = None,
    ) -> Self:
        """Make a URN of data; ComponentError for parts that make none.

        >>> URN.from_parts(nid="example", nss="a b", q_component="op=map")
        <URN 'urn:example:a%20b?=op=map'>
        """
        fields = {"nid": nid, "nss": nss, "r_component": r_component, "q_component": q_component}
        return made(cls, registry, f_component, fields, needs=("nid", "nss"))

    def identity(self) -> tuple[object, ...]:
        """Return what URN-equivalent names share (section 3.1).

        Letter case means nothing in the namespace and in triplets, and triplets are not decoded;
        the optional components are not looked at.
        """
        first, *rest = self.nss.split("%")
        parts = [first, *(f"%{part[:2].upper()}{part[2:]}" for part in rest)]
        return (self.nid.lower(), "".join(parts))

    def fragment_identity(self) -> None:
        """Return None: the f-component is an optional component too."""
