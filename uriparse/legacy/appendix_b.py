"""The split of RFC 2396 appendix B, which every text has: five components, nothing validated."""

from __future__ import annotations

from typing import NamedTuple


class Components(NamedTuple):
    """The components of a reference as written. None is an absent one, "" an empty one.

    Attributes:
        scheme: without its ":".
        authority: without the "//" before it.
        path: never absent.
        query: without the "?" before it.
        fragment: without the "#" before it.

    """

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None


def split_reference(text: str) -> Components:
    """Split a text at the first delimiters, as the expression of appendix B does.

    >>> split_reference("http://www.ics.uci.edu/pub/ietf/uri/?#Related")[1:]
    ('www.ics.uci.edu', '/pub/ietf/uri/', '', 'Related')
    >>> split_reference("1a:b").scheme, split_reference("/a:b").scheme
    ('1a', None)
    """
    rest, hash_mark, fragment = text.partition("#")
    rest, question, query = rest.partition("?")
    scheme, colon, after = rest.partition(":")
    if colon and scheme and "/" not in scheme:
        rest = after
    else:
        scheme = ""
    authority: str | None = None
    if rest.startswith("//"):
        slash = rest.find("/", 2)
        end = len(rest) if slash < 0 else slash
        authority, rest = rest[2:end], rest[end:]
    return Components(
        scheme or None,
        authority,
        rest,
        query if question else None,
        fragment if hash_mark else None,
    )


def join_reference(components: Components) -> str:
    """Put components together (RFC 2396 section 5.2 step 7); the inverse of `split_reference`.

    >>> join_reference(Components("http", "a", "/", "", None))
    'http://a/?'
    """
    scheme, authority, path, query, fragment = components
    return "".join(
        (
            "" if scheme is None else scheme + ":",
            "" if authority is None else "//" + authority,
            path,
            "" if query is None else "?" + query,
            "" if fragment is None else "#" + fragment,
        )
    )
