"""urn and tag: names that need no place (RFC 8141, RFC 4151)."""

from __future__ import annotations

from typing import Self

from uriparse._base.coerce import as_str, derived
from uriparse.schemes.current_uri import CurrentURI
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.fields import url_field
from uriparse.schemes.url_parts import Data, Schemes, made


class URN(CurrentURI):
    """`urn:NID:NSS?+r-component?=q-component#f-component`.

    nid: the namespace, in the letter case that was written, which means nothing.
    nss: the name within it.
    r_component, q_component: for the resolver, and for the resource or a service for it; None
        where absent.
    f_component: the fragment, which the RFC calls so.
    assigned_name: the URN without its optional components: what is registered, and compared.

    >>> from uriparse.schemes import parse_url
    >>> urn = parse_url("urn:example:weather?=op=map#east")
    >>> urn.nid, urn.nss, urn.r_component, urn.q_component, urn.f_component
    ('example', 'weather', None, 'op=map', 'east')
    """

    nid: Encoded = url_field("NID")
    nss: Encoded = url_field("NSS")
    r_component: Encoded | None = url_field("r-component")
    q_component: Encoded | None = url_field("q-component")
    f_component: Encoded | None = derived(lambda url: url.fragment)
    assigned_name: str = derived(lambda url: f"urn:{url.nid}:{url.nss}")

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


class TagURI(CurrentURI):
    """`tag:authority,date:specific`.

    authority_name: a domain or an e-mail address, as written.
    date: a year, a month of one or a day of one, as written; the first of it is meant.
    specific: the name, which only its authority has to understand.
    tagging_entity: who gave the name: an authority at a date.

    >>> from uriparse.schemes import parse_url
    >>> tag = parse_url("tag:timothy@hpl.hp.com,2001-06:web/externalHome")
    >>> tag.authority_name, tag.date, tag.specific, tag.tagging_entity
    ('timothy@hpl.hp.com', '2001-06', 'web/externalHome', 'timothy@hpl.hp.com,2001-06')
    """

    authority_name: Encoded = url_field("authorityName")
    date: Encoded = url_field("date")
    specific: Encoded = url_field("specific")
    tagging_entity: str = derived(lambda url: f"{url.authority_name},{url.date}")

    @classmethod
    def from_parts(
        cls,
        *,
        authority_name: str,
        date: str,
        specific: Data = "",
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> Self:
        """Make a tag of its authority, a date such as "2001-06", and a name; the name is encoded.

        >>> TagURI.from_parts(authority_name="a@h.d", date="2001-06", specific="web/é")
        <TagURI 'tag:a@h.d,2001-06:web/%C3%A9'>
        """
        own = as_str(authority_name, "authority_name"), as_str(date, "date")
        fields = {"authority_name": Encoded(own[0]), "date": Encoded(own[1]), "specific": specific}
        return made(cls, registry, fragment, fields)

    def identity(self) -> tuple[object, ...]:
        """Return what equal tags share: every character (section 2.4)."""
        return (self.url,)

    def fragment_identity(self) -> str | None:
        """Return the fragment as it is written."""
        return self.fragment
