"""What is known of schemes by their names: one table, which every other part asks.

Data only. What an RFC says of the syntax of a scheme is in its grammar and its record class. Every
scheme that the library describes says here what may be changed in its URIs without a change of
meaning: all that RFC 3986 section 6.2.2 changes, if it is hierarchical; else dot segments stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

Fact: TypeAlias = Literal[
    "hierarchical", "slash", "local", "mailboxes", "tilde", "undecoded", "verbatim",
    "special", "fetched", "prose", "no-user", "no-password", "opaque-login",
]  # fmt: skip
"""What can be true of a scheme.

hierarchical: "/" in its URIs separates the levels of a hierarchy of names, "." and ".." among them.
slash: after an authority, an empty path means "/".
tilde: the triplet of "~" stays, since the scheme's rule has no "~".
undecoded: no triplet is decoded (RFC 8141 section 3.1).
verbatim: every character counts (RFC 4151 section 2.4).
local: an empty host means "localhost".
mailboxes: the path is a list of mailboxes, whose domains ignore letter case.
special: the URL Standard calls it special.
fetched: the Fetch standard fetches it, and blocks bad ports.
prose: `find_uris` knows it in prose, with "//" and a host.
no-user: the server has no user, so the path after it has no password (RFC 1738 section 3).
no-password: URIs have no "//", and no password.
opaque-login: URIs have no "//", but a user and a password (RFC 3261 section 19.1.1).
"""

# Schemes; the default port, "-" if there is none, "?" if the library does not describe the scheme;
# facts. Several lines of a scheme add up.
_TABLE = """
http ws               80     hierarchical slash special fetched prose
https wss             443    hierarchical slash special fetched prose
ftp                   21     hierarchical slash special prose
file                  -      hierarchical local special
ssh sftp              22     hierarchical slash prose
git+ssh               22     hierarchical slash
telnet                23     slash prose
gopher                70     slash no-user prose
nntp                  119    tilde prose
news                  119    tilde no-password
imap                  143    slash prose
wais                  210    no-user prose
ldap                  389    slash prose
ldaps                 636    slash prose
prospero              1525   no-user prose
rtsp                  554    hierarchical slash prose
rtsps                 322    hierarchical slash
mysql                 3306   prose
postgresql postgres   5432   prose
redis rediss          6379   prose
mongodb               27017  prose
mongodb+srv s3 gs     -
git                   9418   hierarchical slash prose
stun turn             3478
stuns turns           5349
sip                   5060   opaque-login
sips                  5061   opaque-login
coap                  5683   hierarchical slash
coaps                 5684   hierarchical slash
coap+tcp              5683   hierarchical slash
coaps+tcp             5684   hierarchical slash
coap+ws               80     hierarchical slash
coaps+ws              443    hierarchical slash
ipp ipps              631    hierarchical slash
nfs                   2049   hierarchical slash prose
dns                   53
ni                    -
pop                   110
mailto                -      mailboxes no-password
acct cid data geo mid -      no-password
sms tel xmpp          -      no-password
tag                   -      verbatim no-password
urn                   -      undecoded no-password
did                   -      tilde
about blob magnet     -
otpauth               -
ftps tftp svn rsync   ?      prose
smb imaps pop irc     ?      prose
ircs rtmp mms vnc rdp ?      prose
afp amqp amqps        ?      prose
mqtt dict snmp gemini ?      prose
"""


def _rows() -> dict[str, tuple[str, frozenset[str]]]:
    rows: dict[str, tuple[str, frozenset[str]]] = {}
    for line in _TABLE.strip().splitlines():
        *names, port = line[:29].split()
        for name in names:
            known, facts = rows.get(name, ("?", frozenset[str]()))
            rows[name] = (known if port == "?" else port, facts.union(line[29:].split()))
    return rows


_ROWS = _rows()

PORTS: Final[Mapping[str, int | None]] = MappingProxyType(
    {name: None if port == "-" else int(port) for name, (port, _) in _ROWS.items() if port != "?"}
)
"""The default port of each scheme that the library describes; None if the scheme has none."""


def schemes_with(fact: Fact) -> frozenset[str]:
    """Return the names of the schemes, in lower case, of which something is true."""
    return frozenset(name for name, (_, facts) in _ROWS.items() if fact in facts)
