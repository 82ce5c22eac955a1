"""ldap URLs (RFC 4516): a search in a directory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, Self, TypeAlias

from uriparse._base.coerce import as_items, as_optional_str, derived
from uriparse.percent import fold_triplets
from uriparse.schemes import url_parts
from uriparse.schemes.current_uri import AuthorityURI
from uriparse.schemes.encoding import Encoded, Pairs, Parts, pairs_of, parts_of
from uriparse.schemes.fields import url_field

Scope: TypeAlias = Literal["base", "one", "sub"]

MATCH_ALL: Final = "(objectClass=*)"
"""The filter that is meant where none is written."""


class LdapURL(AuthorityURI):
    """`ldap://host:port/dn?attributes?scope?filter?extensions`, port 389 by default.

    host: where to ask; None or empty where the client has to know.
    dn: the name of the entry where the search begins; None without "/".
    attributes, scope, filter, extensions: as written; None where absent.
    attribute_selectors: the attributes to return; none for all of the user's.
    search_scope: how far the search goes, in lower case; "base" where nothing is written.
    search_filter: the filter, decoded; `MATCH_ALL` where none is written.
    extension_pairs: pairs of type and value as written; the type has a "!" where it is critical.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("LDAP://ldap1.example.com/c=GB?objectClass?ONE")
    >>> url.dn, url.attribute_selectors, url.search_scope, url.search_filter
    ('c=GB', ('objectClass',), 'one', '(objectClass=*)')
    """

    dn: Encoded | None = url_field("dn")
    attributes: Encoded | None = url_field("attributes")
    scope: Encoded | None = url_field("scope")
    filter: Encoded | None = url_field("filter")
    extensions: Encoded | None = url_field("extensions")
    attribute_selectors: Parts = derived(lambda url: parts_of(url.attributes or None, ","))
    search_scope: Scope = derived(lambda url: url.scope.lower() if url.scope else "base")
    search_filter: str = derived(lambda url: url.filter.decoded if url.filter else MATCH_ALL)
    extension_pairs: Pairs = derived(lambda url: pairs_of(url.extensions, ","))

    @classmethod
    def from_parts(  # noqa: PLR0913 - one argument a field
        cls,
        *,
        host: str | None = None,
        port: int | str | None = None,
        dn: url_parts.Data | None = None,
        attributes: Iterable[url_parts.Data] = (),
        scope: Scope | None = None,
        filter: url_parts.Data | None = None,  # noqa: A002 - what the record calls it
        extensions: Iterable[tuple[url_parts.Data, url_parts.Data | None]] = (),
        fragment: url_parts.Data | None = None,
        registry: url_parts.Schemes | None = None,
    ) -> Self:
        """Make a URL of a search.

        extensions: pairs of type and value, None for one without; "!" before a critical type.

        >>> LdapURL.from_parts(host="h.d", dn="c=GB", attributes=["cn"], filter="(cn=a?b)")
        <LdapURL 'ldap://h.d/c=GB?cn??(cn=a%3Fb)'>
        """
        names = [
            url_parts.by_rule(cls, "attrdesc", one, "an attribute")
            for one in as_items(attributes, "attributes", "an iterable of attributes")
        ]
        more = url_parts.written_pairs(cls, ("extension", "exvalue"), extensions, before=",")[1:]
        reach = as_optional_str(scope, "scope")
        asked = {
            "attributes": Encoded(",".join(names)) if names else None,
            "scope": None if reach is None else Encoded(reach),
            "filter": filter,
            "extensions": Encoded(more) if more else None,
        }
        if dn is None and any(part is not None for part in asked.values()):
            dn = ""
        scheme = url_parts.own_scheme(cls, registry)
        fields = {**url_parts.server(host or "", port, scheme), "dn": dn, **asked}
        return url_parts.made(cls, scheme, fragment, fields)

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share (section 4): what is left out is the default.

        The selector "*" asks for all attributes, as no selector does (section 2).
        """
        attributes = "" if self.attributes == "*" else self.attributes
        written = (self.dn, attributes, self.search_scope, self.filter, self.extensions)
        dn, names, scope, wanted, more = (fold_triplets(part or "") for part in written)
        return (*self._server(), dn, names, scope, wanted or MATCH_ALL, more)
