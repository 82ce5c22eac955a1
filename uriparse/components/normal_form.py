"""Normal forms on the text of components (RFC 3986 section 6.2.2 and 6.2.3)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from uriparse import percent
from uriparse.components.dot_segments import keep_encoded_dots
from uriparse.components.servers import defaults_of
from uriparse.components.target import path_without_dots

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uriparse.components.servers import SchemeDefaults

Parts: TypeAlias = tuple[
    str | None, str | None, str | None, str | None, str, str | None, str | None
]
"""Scheme, userinfo, host, port, path, query and fragment, in the order of a text."""


def normal_parts(
    parts: Parts,
    grammar: str,
    schemes: Mapping[str, SchemeDefaults] | None,
    syntax: tuple[bool, bool, bool],
    *,
    defaults: bool,
) -> Parts:
    """Return the components of a normal form: what the chosen passes make, all at once.

    syntax: whether to decode triplets of unreserved characters (section 6.2.2.2), to fold the case
        of triplets, scheme and host (section 6.2.2.1), and to remove the dot segments of a URI's
        path, unless it is opaque (section 6.2.2.3).
    defaults: what equals the defaults of the scheme, as `schemes` has them (section 6.2.3).

    What the RFC of the scheme tells apart stays apart at each level.
    """
    scheme, userinfo, host, port, path, query, fragment = parts
    known = defaults_of(scheme, schemes)
    if known.verbatim:
        return parts
    decode, case, dots = syntax
    written = path
    if (decode or case) and "%" in f"{userinfo}{host}{path}{query}{fragment}":
        fold: Callable[..., str] = percent.fold_triplets
        if grammar == "rfc3987" and decode and not known.undecoded:
            fold = partial(percent.decode_utf8_triplets, upper=case)
        elif known.undecoded or not (decode and case):
            fold = partial(fold, decode=decode, upper=case, undecoded=known.undecoded)
        userinfo, host = userinfo and fold(userinfo), host and fold(host)
        path, query, fragment = fold(path), query and fold(query), fragment and fold(fragment)
        if scheme is None:
            path = keep_encoded_dots(written, path)
    if case:
        scheme = scheme and scheme.lower()
        host = host and percent.lower_around_triplets(host)
    if dots and scheme is not None and not known.opaque:
        # A path of file never begins with "//" (RFC 8089 section 2, `path-absolute`): "/." is
        # before it, as without an authority.
        rooted = host is not None and known.host is None
        path = path_without_dots(path, after_authority=rooted)
    if defaults:
        host, port, path = _defaulted(known, userinfo, host, port, path)
    return scheme, userinfo, host, port, path, query, fragment


def _defaulted(
    defaults: SchemeDefaults, userinfo: str | None, host: str | None, port: str | None, path: str
) -> tuple[str | None, str | None, str]:
    """Return host, port and path without what equals the defaults of a scheme."""
    if port is not None and (not port or port.lstrip("0") == str(defaults.port)):
        port = None
    if host is None:
        if defaults.path_ends_in_domain and percent.lower_around_triplets(path) != path:
            path = ",".join(map(_lower_domain, path.split(",")))
        if defaults.host is not None and path.startswith("/"):
            host = ""
    else:
        host = _shortest(host)
        if not path and defaults.empty_path_is_slash:
            path = "/"
        if (
            defaults.host is not None
            and userinfo is None
            and port is None
            and percent.lower_around_triplets(host) == defaults.host
        ):
            host = ""
    return host, port, path


def normal_host(host: str) -> str:
    """Return what all spellings of a host share, those of an IPv6 address too."""
    return _shortest(percent.lower_around_triplets(percent.fold_triplets(host)))


def _shortest(host: str) -> str:
    """Write an IPv6 address in brackets in its one form; all else stays."""
    if not host.startswith("[") or host[1] in "vV":
        return host
    return f"[{shortest_ipv6(host[1:-1])}]"


_MIXED: Final = ("0:0:0:0:0:ffff:", "0:0:0:0:ffff:0:", "64:ff9b:0:0:0:0:")
"""How addresses begin that hold one of IPv4 (RFC 4291, RFC 2765 and RFC 6052)."""


def shortest_ipv6(address: str) -> str:
    """Write an IPv6 address in the one form of RFC 5952 (sections 4 and 5)."""
    before, _, decimal = address.rpartition(":")
    if "." in decimal:
        a, b, c, d = map(int, decimal.split("."))
        address = f"{before}:{a << 8 | b:x}:{c << 8 | d:x}"
    head, _, tail = address.partition("::")
    words = [[f"{int(word, 16):x}" for word in part.split(":") if word] for part in (head, tail)]
    whole = ":".join([*words[0], *["0"] * (8 - len(words[0]) - len(words[1])), *words[1]])
    if whole.startswith(_MIXED):
        before, *last = whole.rsplit(":", 2)
        high, low = (int(word, 16) for word in last)
        whole = f"{before}:{high >> 8}.{high & 255}.{low >> 8}.{low & 255}"
    return compressed(whole)


def compressed(address: str) -> str:
    """Write "::" in an IPv6 address for the first longest run of two or more zeros."""
    for count in range(8, 1, -1):
        before, zeros, after = f":{address}:".partition(":" + "0:" * count)
        if zeros:
            return f"{before[1:]}::{after[:-1]}"
    return address


def _lower_domain(mailbox: str) -> str:
    """Write the domain of `local@domain` in lower case; the local part may be case-sensitive."""
    local, at, domain = mailbox.rpartition("@")
    return local + at + percent.lower_around_triplets(domain) if at else mailbox
