"""Normal forms on the text of components (RFC 3986 section 6.2.2 and 6.2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from uriparse import percent
from uriparse.components.dot_segments import keep_encoded_dots
from uriparse.components.servers import SCHEME_DEFAULTS, SchemeDefaults
from uriparse.components.target import path_without_dots

if TYPE_CHECKING:
    from collections.abc import Mapping

Parts: TypeAlias = tuple[
    str | None, str | None, str | None, str | None, str, str | None, str | None
]
"""Scheme, userinfo, host, port, path, query and fragment, in the order of a text."""


def normal_parts(
    parts: Parts,
    grammar: str,
    *,
    by_scheme: bool,
    schemes: Mapping[str, SchemeDefaults] | None = None,
) -> Parts:
    """Return the components of the normal form: what the passes of a level make, all at once.

    by_scheme: whether what equals the defaults of the scheme goes, as `schemes` has them.
    """
    scheme, userinfo, host, port, path, query, fragment = parts
    written = path
    if "%" in f"{userinfo}{host}{path}{query}{fragment}":
        fold = percent.fold_triplets if grammar == "rfc3986" else percent.fold_utf8_triplets
        userinfo, host = userinfo and fold(userinfo), host and fold(host)
        path, query, fragment = fold(path), query and fold(query), fragment and fold(fragment)
    if host:
        host = percent.lower_around_triplets(host)
    if scheme is not None:
        scheme = scheme.lower()
        path = path_without_dots(path, after_authority=host is not None)
    elif path is not written:
        path = keep_encoded_dots(written, path)
    if by_scheme:
        host, port, path = defaulted(scheme, userinfo, host, port, path, schemes)
    return scheme, userinfo, host, port, path, query, fragment


def defaulted(
    scheme: str | None,
    userinfo: str | None,
    host: str | None,
    port: str | None,
    path: str,
    schemes: Mapping[str, SchemeDefaults] | None = None,
) -> tuple[str | None, str | None, str]:
    """Return host, port and path without what equals the defaults of a scheme in lower case."""
    known = SCHEME_DEFAULTS if schemes is None else schemes
    defaults = _NO_DEFAULTS if scheme is None else known.get(scheme, _NO_DEFAULTS)
    if port is not None and (not port or port.lstrip("0") == str(defaults.port)):
        port = None
    if host is None:
        if defaults.path_ends_in_domain and percent.lower_around_triplets(path) != path:
            path = ",".join(map(_lower_domain, path.split(",")))
        if defaults.host is not None and path.startswith("/"):
            host = ""
            path = path.removeprefix("/.") if path.startswith("/.//") else path
    else:
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


_NO_DEFAULTS = SchemeDefaults()


def _lower_domain(mailbox: str) -> str:
    """Write the domain of `local@domain` in lower case; the local part may be case-sensitive."""
    local, at, domain = mailbox.rpartition("@")
    return local + at + percent.lower_around_triplets(domain) if at else mailbox
