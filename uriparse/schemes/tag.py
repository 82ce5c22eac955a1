"""tag URIs (RFC 4151): a name assigned by the holder of a domain or an address on a date."""

from __future__ import annotations

from typing import Self

from uriparse._base.coerce import as_str
from uriparse.schemes.current_uri import CurrentURI
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.fields import url_field
from uriparse.schemes.url_parts import Data, Schemes, made


class TagURI(CurrentURI):
    """`tag:authority,date:specific`.

    authority_name: a domain or an e-mail address, as written.
    date: a year, a month of one or a day of one, as written; the first of it is meant.
    specific: the name, which only its authority has to understand.

    >>> from uriparse.schemes import parse_url
    >>> tag = parse_url("tag:timothy@hpl.hp.com,2001-06:web/externalHome")
    >>> tag.authority_name, tag.date, tag.specific, tag.tagging_entity
    ('timothy@hpl.hp.com', '2001-06', 'web/externalHome', 'timothy@hpl.hp.com,2001-06')
    """

    authority_name: Encoded = url_field("authorityName")
    date: Encoded = url_field("date")
    specific: Encoded = url_field("specific")

    @property
    def tagging_entity(self) -> str:
        """Who gave the name: an authority at a date."""
        return f"{self.authority_name},{self.date}"

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
