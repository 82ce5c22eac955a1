"""Which schemes a text is believed to mean, and what must follow their colon in prose.

Any word before a colon is a scheme by the grammar: `note:this` is a URI. So a bare reference needs
more than the grammar to be believed. This is a table of habits, not of syntax: what passes it is
still to be derived by the grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from uriparse import excerpt
from uriparse.door import as_items, as_str

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from uriparse.records import URI

Schemes: TypeAlias = "Literal['plausible', 'known', 'any'] | Collection[str]"
"""Which schemes to look for, by a word or by name; see `find_uris`."""

LONGEST = 64
"""Characters of a scheme that is looked for; the longest one registered has 36."""

FAR = 256
"""Characters after the colon within which what a scheme needs has to come."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What has to follow the colon.

    Attributes:
        start: the text it starts with.
        host: whether that has to be an authority whose host is not empty.
        some: characters one of which has to come somewhere; any will do if it is empty.
        name: whether one word in capitals, or with one, can be all of it. Hosts are written in
            small letters, so that `ht://Dig` is a name.

    """

    start: str = ""
    host: bool = False
    some: str = ""
    name: bool = True

    def fits(self, text: str, start: int, end: int) -> bool:
        """Whether what stands between two offsets can be the rest of such a URI.

        Slashes alone never can: `http://` is what is left of a placeholder, and `news:` is a
        heading.
        """
        if not text.startswith(self.start, start, end):
            return False
        last = min(end, start + FAR)
        if self.some and all(text.find(mark, start, last) < 0 for mark in self.some):
            return False
        while start < end and text[start] == "/":
            start += 1
        return start < end

    def takes(self, uri: URI) -> bool:
        """Whether a URI that fits has a host, if it has to, and is more than a name, likewise."""
        if self.host and not (uri.host and uri.host.text):
            return False
        return self.name or str(uri.host).islower() or not _is_one_word(uri)


def _is_one_word(uri: URI) -> bool:
    host = uri.host
    others = (uri.userinfo, uri.port, uri.query, uri.fragment)
    alone = not uri.path and all(part is None for part in others)
    return alone and host is not None and host.text.isalpha()


_ANYTHING = Shape()
_HOST = Shape("//", host=True)
_SLASHES = Shape("//", name=False)
_MAILBOX = Shape(some="@")

_HOSTS = (
    "http https ws wss ftp ftps sftp tftp gopher nntp telnet wais prospero ssh git svn rsync smb "
    "ldap ldaps imap imaps pop irc ircs rtsp rtmp mms vnc rdp nfs afp redis rediss amqp amqps mqtt "
    "mongodb postgresql postgres mysql dict snmp gemini"
)

_OPAQUE: Mapping[str, Shape] = {
    "file": Shape("/"),
    "mailto": Shape(some="@?"),
    "news": _ANYTHING,
    "urn": Shape(some=":"),
    "tag": Shape(some=":"),
    "did": Shape(some=":"),
    "jdbc": Shape(some=":"),
    "blob": Shape(some=":"),
    "tel": Shape(some="0123456789"),
    "sms": Shape(some="0123456789"),
    "geo": Shape(some="0123456789"),
    "data": Shape(some=","),
    "magnet": Shape("?"),
    "doi": Shape(some="/"),
    "info": Shape(some="/"),
    "cid": _MAILBOX,
    "mid": _MAILBOX,
    "acct": _MAILBOX,
    "xmpp": _MAILBOX,
    "sip": _MAILBOX,
    "sips": _MAILBOX,
}

KNOWN: Mapping[str, Shape] = MappingProxyType(dict.fromkeys(_HOSTS.split(), _HOST) | dict(_OPAQUE))
"""The schemes that people write in prose, in lower case, and the shape of each."""


def wanted(schemes: Schemes) -> Schemes:
    """Check the choice, and return names as a set of lower case ones.

    ValueError for a word that is none of the three; a single name comes in a list.
    """
    if isinstance(schemes, str):
        schemes = as_str(schemes, "schemes")
        if schemes not in {"plausible", "known", "any"}:
            choices = 'schemes: "plausible", "known", "any" or a collection of names'
            raise ValueError(f"{choices}, not {excerpt.masked(schemes)!r}")
        return schemes
    names = as_items(schemes, "schemes", "a word or a collection of names")
    return frozenset(as_str(name, "a name of schemes").lower() for name in names)


def shape(name: str, schemes: Schemes, *, announced: bool) -> Shape | None:
    """Return what has to follow a scheme, given in lower case; None if it is not looked for.

    announced: whether the text says that this is a URL, by a prefix: then any scheme of two or
        more characters is plausible. One letter is more likely a drive.

    >>> shape("note", "plausible", announced=False)
    Shape(start='//', host=False, some='', name=False)
    >>> shape("note", "known", announced=False) is None
    True
    """
    known = KNOWN.get(name)
    match schemes:
        case "any":
            return _ANYTHING if known is None else known
        case "known":
            return known
        case "plausible":
            if known is not None or len(name) < len("xy"):
                return known
            return _ANYTHING if announced else _SLASHES
        case _:
            if name not in schemes:
                return None
            return _ANYTHING if known is None else known
