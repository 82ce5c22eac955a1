"""tag URIs (RFC 4151): a name assigned by the holder of a domain or an address on a date."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from uriparse.schemes.current_uri import CurrentURI, described
from uriparse.schemes.fields import url_field

if TYPE_CHECKING:
    from uriparse.schemes.encoding import Encoded


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

    SCHEME: ClassVar[str | None] = "tag"
    is_retrievable: ClassVar[bool] = False
    is_location_independent: ClassVar[bool] = True
    authority_name: Encoded = url_field("authorityName")
    date: Encoded = url_field("date")
    specific: Encoded = url_field("specific")

    @property
    def tagging_entity(self) -> str:
        """Who gave the name: an authority at a date."""
        return f"{self.authority_name},{self.date}"

    def identity(self) -> tuple[object, ...]:
        """Return what equal tags share: every character (section 2.4)."""
        return (self.url,)


TAG: Final = described(TagURI, "tagURI", "rfc4151", fragment=("fragment", "rfc4151"))
