"""The split of appendix B of RFC 2396 and RFC 3986: every text has it, and nothing is validated."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uriparse import excerpt
from uriparse.door import as_optional_str, as_str, as_text, refusal

if TYPE_CHECKING:
    from uriparse.door import Text


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

    def __repr__(self) -> str:
        """Show the text of the components, a password masked."""
        return f"<{type(self).__name__} {excerpt.masked(join_reference(self))!r}>"


def split_reference(text: Text) -> Components:
    """Split a text at the first delimiters, as the expression of appendix B does.

    >>> split_reference("http://www.ics.uci.edu/pub/ietf/uri/?#Related")[1:]
    ('www.ics.uci.edu', '/pub/ietf/uri/', '', 'Related')
    >>> split_reference("1a:b").scheme, split_reference("/a:b").scheme
    ('1a', None)
    """
    rest, hash_mark, fragment = as_text(text).partition("#")
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
    if not isinstance(components, tuple) or len(components) != len(Components._fields):
        raise refusal(components, "components", "a Components")
    scheme = as_optional_str(components[0], "scheme")
    authority = as_optional_str(components[1], "authority")
    path = as_str(components[2], "path")
    query = as_optional_str(components[3], "query")
    fragment = as_optional_str(components[4], "fragment")
    return "".join(
        (
            "" if scheme is None else scheme + ":",
            "" if authority is None else "//" + authority,
            path,
            "" if query is None else "?" + query,
            "" if fragment is None else "#" + fragment,
        )
    )
