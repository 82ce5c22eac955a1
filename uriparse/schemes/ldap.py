"""ldap URLs (RFC 4516): a search in a directory."""

from typing import ClassVar, Final, Literal, TypeAlias, cast

from uriparse.schemes.current_uri import AuthorityURI, described
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.fields import url_field

Scope: TypeAlias = Literal["base", "one", "sub"]

MATCH_ALL: Final = "(objectClass=*)"
"""The filter that is meant where none is written."""


class LdapURL(AuthorityURI):
    """`ldap://host:port/dn?attributes?scope?filter?extensions`, port 389 by default.

    host: where to ask; None or empty where the client has to know.
    dn: the name of the entry where the search begins; None without "/".
    attributes, scope, filter, extensions: as written; None where absent.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("LDAP://ldap1.example.com/c=GB?objectClass?ONE")
    >>> url.dn, url.attribute_selectors, url.search_scope, url.search_filter
    ('c=GB', ('objectClass',), 'one', '(objectClass=*)')
    """

    SCHEME: ClassVar[str | None] = "ldap"
    dn: Encoded | None = url_field("dn")
    attributes: Encoded | None = url_field("attributes")
    scope: Encoded | None = url_field("scope")
    filter: Encoded | None = url_field("filter")
    extensions: Encoded | None = url_field("extensions")

    @property
    def attribute_selectors(self) -> tuple[Encoded, ...]:
        """The attributes to return; none for all of the user's."""
        return self.attributes.parts(",") if self.attributes else ()

    @property
    def search_scope(self) -> Scope:
        """How far the search goes, in lower case; "base" where nothing is written."""
        return cast("Scope", self.scope.lower()) if self.scope else "base"

    @property
    def search_filter(self) -> str:
        """The filter, decoded; `MATCH_ALL` where none is written."""
        return self.filter.decoded if self.filter else MATCH_ALL

    @property
    def extension_pairs(self) -> tuple[tuple[Encoded, Encoded | None], ...]:
        """Pairs of type and value as written; the type has a "!" where it is critical."""
        if not self.extensions:
            return ()
        split = (extension.parts("=") for extension in self.extensions.parts(","))
        return tuple((first, _joined(rest)) for first, *rest in split)


def _joined(parts: list[Encoded]) -> Encoded | None:
    return Encoded("=".join(parts), parts[0].start) if parts else None


LDAP: Final = described(LdapURL, "ldapurl", "rfc4516", host_after="//")
