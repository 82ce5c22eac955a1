"""The target of a reference, on the text of its components (RFC 3986 sections 5.2.2 and 5.2.3)."""

from __future__ import annotations

from uriparse.components.dot_segments import remove_dot_segments

WWW = "www."
"""What a host begins with if a text without a scheme is taken for a web address (RFC 3986 section
4.5)."""


def guarded(path: str) -> str:
    """Return a path that is safe without an authority: "/." before "//", which would begin one."""
    return "/." + path if path.startswith("//") else path


def merged(base: str, path: str, *, after_authority: bool) -> str:
    """Merge a path that does not begin with "/" with that of the base (RFC 3986 section 5.2.3)."""
    if after_authority and not base:
        return "/" + path
    return base[: base.rfind("/") + 1] + path


def path_without_dots(path: str, *, after_authority: bool) -> str:
    """Remove the dot segments of a URI's path, which then begins no authority."""
    path = remove_dot_segments(path)
    return path if after_authority else guarded(path)


def target(
    base: str, base_query: str | None, path: str, query: str | None, *, after_authority: bool
) -> tuple[str, str | None]:
    """Return path and query of the target of a reference without scheme and authority."""
    if not path:
        path = base if after_authority else guarded(base)
        return path, base_query if query is None else query
    if not path.startswith("/"):
        path = merged(base, path, after_authority=after_authority)
    return path_without_dots(path, after_authority=after_authority), query
