"""What the canonical form makes of each part by the document of 2.6, one rule a part.

Every rule decodes once and encodes once, by a set without the delimiters around its part. So what
it writes is split again at the same places and comes out of the rule unchanged: the canonical
form is its own canonical form.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple, TypeAlias

from uriparse.grammar import charset
from uriparse.legacy.octets import Octets, decode, encoder
from uriparse.legacy.wwwoffle import encodings, split
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.resolution import remove_dot_segments

Rule: TypeAlias = Callable[[split.WwwoffleParts], None]
"""Rewrites one part, or what it leaves out."""

_DEFAULT_PROTOCOL = "http"
DEFAULT_PORTS = {
    "finger": "79",
    **{scheme: str(SCHEME_DEFAULTS[scheme].port) for scheme in ("ftp", "http", "https")},
}
"""Of the protocols that the program speaks; it knows no other default port."""

_IN_HOST = charset("reg-name") - {";"}  # which would begin the params

_PROTOCOL_TABLE = encoder(charset("scheme", "rfc1738"), lower=True)
_NAME_TABLE = encoder(_IN_HOST, lower=True)
_LITERAL_TABLE = encoder(_IN_HOST | {":"}, lower=True)
_PORT_TABLE = encoder(_IN_HOST)
_PASSWORD_TABLE = encoder(encodings.PASSWORD)

_ENCODED_SLASH = "\u0100"
"""Stands for "%2F" while the path around it is decoded; it is not an octet."""


class NamedRule(NamedTuple):
    """A rule, its short name in lower case, and what it says in one sentence."""

    name: str
    says: str
    apply: Rule


@cache
def rules(*, preserve_encoded_slash: bool) -> tuple[NamedRule, ...]:
    """Return the rules of the canonical form in their order.

    preserve_encoded_slash: whether "%2F" in the path stays encoded.
    """
    path_table = encodings.BEFORE_PARAMS | {ord(_ENCODED_SLASH): "%2F"}

    def path(parts: split.WwwoffleParts) -> None:
        octets = parts.path
        if not octets:
            parts.path = "/"
            return
        if "%" in octets:
            if preserve_encoded_slash:
                octets = octets.replace("%2F", _ENCODED_SLASH).replace("%2f", _ENCODED_SLASH)
            octets = decode(octets)
        parts.path = remove_dot_segments(octets).translate(path_table)

    return (
        NamedRule("protocol", "http where none is written; in lower case", _protocol),
        NamedRule("credentials", "one encoding; empty ones stay", _credentials),
        NamedRule("host", "in lower case, one encoding", _host),
        NamedRule("port", "left out where it is the protocol's default", _port),
        NamedRule("path", '"/" where none is written; no dot segments, one encoding', path),
        NamedRule("params", "one encoding; left out where empty", partial(_recoded, "params")),
        NamedRule(
            "arguments", "one encoding; left out where empty", partial(_recoded, "arguments")
        ),
    )


def canonical_host(host: Octets, protocol: str) -> str:
    """Host and port in canonical form.

    >>> canonical_host("H:0080", "http"), canonical_host("[::A]:81", "http")
    ('h', '[::a]:81')
    """
    parts = split.WwwoffleParts(protocol, host, "")
    _host(parts)
    _port(parts)
    return parts.host


def canonical_protocol(protocol: Octets | None) -> Octets:
    """Protocol in canonical form."""
    if protocol is None:
        return _DEFAULT_PROTOCOL
    return decode(protocol).translate(_PROTOCOL_TABLE)


def _protocol(parts: split.WwwoffleParts) -> None:
    parts.protocol = canonical_protocol(parts.protocol)


def _credentials(parts: split.WwwoffleParts) -> None:
    for name in ("username", "password"):
        if (part := getattr(parts, name)) is not None:
            setattr(parts, name, decode(part).translate(_PASSWORD_TABLE))


def _host(parts: split.WwwoffleParts) -> None:
    name, port = split.split_port(parts.host)
    if split.is_literal(name):
        name = f"[{decode(name[1:-1]).translate(_LITERAL_TABLE)}]"
    else:
        name = decode(name).translate(_NAME_TABLE)
    parts.host = name if port is None else f"{name}:{decode(port).translate(_PORT_TABLE)}"


def _port(parts: split.WwwoffleParts) -> None:
    name, port = split.split_port(parts.host)
    if name and port and parts.protocol is not None:  # without both it would be the local host
        default = DEFAULT_PORTS.get(parts.protocol)
        if port.lstrip("0") == default:
            parts.host = name


def _recoded(name: str, parts: split.WwwoffleParts) -> None:
    if (part := getattr(parts, name)) is not None:
        setattr(parts, name, encodings.recode_form_octets(part) or None)
