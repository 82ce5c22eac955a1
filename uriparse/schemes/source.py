"""A URL and the text that is parsed in its place: where the offsets of one lie in the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uriparse.schemes.encoding import Encoded
    from uriparse.schemes.host import RelaxedHost
    from uriparse.schemes.url import URL

STAND_IN = "h"
"""A host of RFC 1738, to parse in place of one that it lacks."""


@dataclass(frozen=True, slots=True)
class Source:
    """A URL and what is parsed in its place.

    Attributes:
        text: the URL as written, fragment included.
        parsed: the text that is parsed.
        scheme: its scheme in lower case.
        record: the class of the record to make.
        default_port: the port of the scheme.
        fragment: the fragment, or None.
        shift: what to add to an offset in `parsed` to get one in `text`, where the scheme's word
            was exchanged for another's.
        host: the host that `parsed` has a stand-in for, or None.

    """

    text: str = field(repr=False)
    parsed: str = field(repr=False)
    scheme: str
    record: type[URL]
    default_port: int | None
    fragment: Encoded | None = None
    shift: int = 0
    host: RelaxedHost | None = None

    def at(self, offset: int) -> int:
        """Translate an offset in `parsed` to one in `text`."""
        place = offset + self.shift
        if self.host is not None and self.host.start is not None and place > self.host.start:
            return place + len(self.host) - len(STAND_IN)
        return place

    @property
    def url(self) -> str:
        """The text without the fragment."""
        return self.text if self.fragment is None else self.text.partition("#")[0]
