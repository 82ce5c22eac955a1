"""Reference resolution, equivalence and splitting by RFC 2396 (1998).

RFC 3986 changed what this module keeps: an empty reference means the current document and not the
base; a query alone replaces the last segment of the base path; dot segments are removed from
relative paths only; ".." beyond the root is an error, with three ways to handle it. References are
split as in appendix B: their characters are not validated, and nothing is repaired.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NamedTuple, TypeAlias, get_args

from uriparse._base import coerce
from uriparse._base import engine as _engine
from uriparse.components.component_text import Components, compose
from uriparse.errors import ResolutionError, excerpt
from uriparse.grammar import charset
from uriparse.normalization import SCHEME_DEFAULTS, SchemeDefaults

__all__ = [
    "AbsoluteTarget", "Components", "CurrentDocument", "Note", "RFC2396Reference", "SimplePath",
    "equivalent", "join_reference", "normal_form", "parse_reference", "resolve", "simplify",
    "split_reference",
]  # fmt: skip

# Splitting by appendix B of RFC 2396 and RFC 3986, which accepts any text.


def split_reference(text: coerce.Text) -> Components:
    """Split a text at the first delimiters, like the regular expression of appendix B.

    >>> split_reference("http://www.ics.uci.edu/pub/ietf/uri/?#Related")[1:]
    ('www.ics.uci.edu', '/pub/ietf/uri/', '', 'Related')
    >>> split_reference("1a:b").scheme, split_reference("/a:b").scheme
    ('1a', None)
    """
    plain = coerce.as_text(text)
    if _engine.by_lark is not None:
        from uriparse.trees.engine import split_by_lark  # noqa: PLC0415 - loads lark

        if (found := split_by_lark(plain)) is not None:
            return found
    rest, hash_mark, fragment = plain.partition("#")
    rest, question, query = rest.partition("?")
    scheme, colon, after = rest.partition(":")
    has_scheme = colon and scheme and "/" not in scheme
    rest = after if has_scheme else rest
    authority: str | None = None
    if rest.startswith("//"):
        authority, slash, rest = rest[2:].partition("/")
        rest = slash + rest
    found_query, found_fragment = query if question else None, fragment if hash_mark else None
    return Components(scheme if has_scheme else None, authority, rest, found_query, found_fragment)


class RFC2396Reference(NamedTuple):
    """A valid reference of RFC 2396, in its terms; None is absent, "" empty.

    opaque_part: what follows the scheme of a URI that is not hierarchical, "?" included; its path
        is then "" and its query None.
    authority: a registered name as well as a server, whose parts the next three are.
    host: "" for a server that is empty. segments: of the path, each with its own params.
    """

    scheme: str | None
    opaque_part: str | None
    authority: str | None
    userinfo: str | None
    host: str | None
    port: str | None
    path: str
    segments: tuple[tuple[str, ...], ...]
    query: str | None
    fragment: str | None


def parse_reference(text: coerce.Text) -> RFC2396Reference:
    """Read a reference by the grammar of RFC 2396, from its parse tree.

    URISyntaxError, with the offset and the rule, if the text is not one.

    >>> found = parse_reference("http://joe@h.d:80/a;v=1;w/b?c#d")
    >>> found.userinfo, found.host, found.port, found.segments, found.query
    ('joe', 'h.d', '80', (('a', 'v=1', 'w'), ('b',)), 'c')
    >>> parse_reference("mailto:a@b?c").opaque_part, parse_reference("//a,b/c").authority
    ('a@b?c', 'a,b')
    """
    from uriparse.trees import RFC2396Transformer, parse_tree  # noqa: PLC0415 - loads lark

    tree = parse_tree(text, "URI-reference", grammar="rfc2396")
    parts = RFC2396Transformer().transform(tree)
    leaf = {str(node.data): str((*node.children, "")[0]) for node in tree.iter_subtrees()}
    opaque = leaf.get("opaque-part")
    path, query = (parts.path, parts.query) if opaque is None else ("", None)
    is_server = parts.authority is not None and "reg-name" not in leaf
    host = leaf.get("hostname", leaf.get("IPv4address", "" if is_server else None))
    segments = tuple(tuple(one.split(";")) for one in path.removeprefix("/").split("/") if path)
    login = (leaf.get("userinfo"), host, leaf.get("port"))
    return RFC2396Reference(
        *(parts.scheme, opaque, parts.authority, *login, path, segments, query, parts.fragment)
    )


def join_reference(components: Components) -> str:
    """Join components to a reference (RFC 2396 section 5.2 step 7); inverts `split_reference`.

    >>> join_reference(Components("http", "a", "/", "", None))
    'http://a/?'
    """
    if not isinstance(components, tuple) or len(components) != len(Components._fields):
        raise coerce.refusal(components, "components", "a Components")
    path = coerce.as_str(components[2], "path")
    scheme, authority, _, query, fragment = map(
        coerce.as_optional_str, components, Components._fields
    )
    return compose(scheme, None, authority, None, path, query, fragment)


# Dot segments of a merged path (RFC 2396 section 5.2, steps 6c to 6g). The RFC removes parts of
# the string repeatedly; one pass over the segments with a stack returns the same path in linear
# time. The empty string before a leading "/" is not a segment; other empty segments are, and ".."
# removes them like any other.


class SimplePath(NamedTuple):
    """A path without dot segments, except excess ".." at its beginning.

    root: "/" or "".
    excess: the number of ".." at its beginning.
    segments: the segments after them.
    """

    root: str
    excess: int
    segments: tuple[str, ...]

    def retained(self) -> str:
        """Return the path with its excess "..", which shows the author the error.

        >>> simplify("/b/../../g").retained()
        '/../g'
        """
        return self.root + "/".join(("..",) * self.excess + self.segments)

    def removed(self) -> str:
        """Return the path without its excess "..".

        >>> simplify("/b/../../g").removed(), simplify("/..").removed()
        ('/g', '/')
        """
        return self.root + "/".join(self.segments)


def simplify(path: coerce.Text) -> SimplePath:
    """Remove "." segments, and each segment with the ".." after it.

    >>> simplify("/b/c/./../g/.").retained()
    '/b/g/'
    """
    path = coerce.as_text(path, "path")
    root = "/" if path.startswith("/") else ""
    kept: list[str] = []
    excess = 0
    *segments, last = path[len(root) :].split("/")
    for segment in segments:
        if segment == "..":
            excess += not kept
            del kept[-1:]
        elif segment == "" and not (root or kept or excess):
            root = "/"  # everything before it was removed, so its "/" begins the path
        elif segment != ".":
            kept.append(segment)
    if last == ".." and not kept:
        excess += 1
    elif last == "..":
        kept[-1] = ""
    else:
        kept.append("" if last == "." else last)
    return SimplePath(root, excess, tuple(kept))


# Reference resolution and equivalence.

Excess: TypeAlias = Literal["retain", "remove", "avoid"]
EXCESSES: tuple[Excess, ...] = get_args(Excess)
Loophole: TypeAlias = Literal["strict", "compatible", "validating"]
LOOPHOLES: tuple[Loophole, ...] = get_args(Loophole)

HIERARCHICAL_SCHEMES = frozenset({"http", "https", "ftp", "file"})
"""Schemes whose URIs always have a hierarchical part (RFC 1738 section 2.3, and https).

`compatible` drops only these schemes: `mailto:c` in a mail message is not a relative path.
"""

_LOWER = {ord(letter): letter.lower() for letter in charset("ALPHA")}


class Note(StrEnum):
    """A remark on a resolution that is not an error in the chosen mode."""

    EXCESS_DOT_DOT = "excess-dot-dot"
    """The path climbs above the root (step 6g)."""
    MISFORMED = "misformed-relative-reference"
    """The reference has the base's scheme and no authority (step 3)."""
    EMPTY_BASE_PATH = "empty-base-path"
    """The base has an authority and no path, for which step 6a does not work."""
    DOTS_IN_QUERY = "dots-in-query"
    """The query contains dot segments, which some programs remove by mistake (step 6)."""
    GUARDED_PATH = "guarded-path"
    """The path got "/." before it, because it would be read as an authority (step 7)."""


@dataclass(frozen=True, slots=True)
class CurrentDocument:
    """The result of step 2: the document that contains the reference, whatever its URI.

    fragment: the fragment of the reference; None if it has none.
    """

    fragment: str | None = None

    def __str__(self) -> str:
        return "(current document)" + ("" if self.fragment is None else "#" + self.fragment)


@dataclass(frozen=True, slots=True, repr=False)
class AbsoluteTarget(coerce.Textual):
    """The absolute reference that results from steps 3 to 7; `str()` returns its text.

    scheme, authority, path, query, fragment: as written; None is absent, "" empty.
    notes: remarks, in the order of the steps; ignored in comparisons.
    """

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None
    notes: tuple[Note, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return compose(
            self.scheme, None, self.authority, None, self.path, self.query, self.fragment
        )

    def __repr__(self) -> str:
        """Show the text, a password masked, and the notes."""
        notes = f" ({', '.join(self.notes)})" if self.notes else ""
        return f"<{type(self).__name__} {excerpt.masked(str(self))}{notes}>"


def resolve(
    base: coerce.Text,
    reference: coerce.Text,
    *,
    excess: Excess = "retain",
    loophole: Loophole = "strict",
    literal: bool = False,
    hierarchical: Collection[str] = HIERARCHICAL_SCHEMES,
) -> AbsoluteTarget | CurrentDocument:
    """Resolve a reference against a base by the steps of RFC 2396 section 5.2.

    excess: whether ".." beyond the root is kept, removed, or an error (step 6g).
    loophole: how to handle the base's scheme before a relative path, as in `http:g` (step 3):
        "strict" treats the reference as absolute, "compatible" drops the scheme, "validating"
        raises an error.
    literal: False departs from the RFC where its result means something else. A base with an
        authority and no path has the path "/" (step 6a: `g` against `http://a` is `http://a/g`
        and not `http://ag`), and a path that begins with "//" right after a scheme gets "/."
        before it (step 7: `.//c` against `a:/b` is `a:/.//c` and not `a://c`). Both add a note.
        True follows the RFC exactly.
    hierarchical: the schemes, in lower case, to which the loophole applies.

    ResolutionError if the base has no scheme, or for an error by `excess` or `loophole`.

    >>> base = "http://a/b/c/d;p?q"
    >>> str(resolve(base, "?y")), str(resolve(base, "#s")), str(resolve(base, "/./g"))
    ('http://a/b/c/?y', '(current document)#s', 'http://a/./g')
    >>> [str(resolve(base, "../../../g", excess=excess)) for excess in ("retain", "remove")]
    ['http://a/../g', 'http://a/g']
    """
    excess = coerce.as_choice(excess, "excess", EXCESSES)
    loophole = coerce.as_choice(loophole, "loophole", LOOPHOLES)
    coerce.as_items(hierarchical, "hierarchical", "a collection of schemes")
    start = split_reference(coerce.as_text(base, "base"))
    given = split_reference(coerce.as_text(reference, "reference"))
    if start.scheme is None:
        raise ResolutionError("the base has no scheme, so it is relative itself")
    if not given.path and given[:2] == (None, None) and given.query is None:
        return CurrentDocument(given.fragment)
    notes: list[Note] = []
    if given.scheme is not None:
        own = given.scheme.translate(_LOWER)
        drops = own == start.scheme.translate(_LOWER) and own in hierarchical
        drops = drops and given.authority is None
        if drops:
            notes.append(Note.MISFORMED)
        if drops and loophole == "validating":
            raise ResolutionError(
                f"{Note.MISFORMED}: the reference has the scheme of its base before a relative path"
            )
        if not drops or loophole == "strict":
            return AbsoluteTarget(*given, notes=tuple(notes))
    authority, path = given.authority, given.path
    if authority is None:
        authority = start.authority
        if not path.startswith("/"):
            path = _relative(start, given, excess, notes, literal=literal)
    if authority is None and path.startswith("//") and not literal:
        path = "/." + path
        notes.append(Note.GUARDED_PATH)
    return AbsoluteTarget(start.scheme, authority, path, given.query, given.fragment, tuple(notes))


def equivalent(a: coerce.Text, b: coerce.Text) -> bool:
    """Return whether two URIs are equivalent by RFC 2396 section 6.

    Letter case of scheme and host does not matter, nor does a default port. Everything else does:
    `http://h` and `http://h/` differ, and so do `%7E` and `~`.

    ResolutionError if one of them is relative: resolve it first.

    >>> equivalent("http://www.XEROX.com:80", "HTTP://www.xerox.com")
    True
    >>> equivalent("http://h", "http://h/"), equivalent("http://h:/", "http://h")
    (False, False)
    """
    return normal_form(coerce.as_text(a, "a")) == normal_form(coerce.as_text(b, "b"))


def normal_form(uri: coerce.Text, *, schemes: Mapping[str, SchemeDefaults] | None = None) -> str:
    """Return the normal form of a URI by section 6: lower-case scheme and host, no default port.

    schemes: the default ports, by scheme in lower case; None uses `SCHEME_DEFAULTS`.

    ResolutionError if it is relative.

    >>> normal_form("FTP://Joe@H.Example:21/%7Ea")
    'ftp://Joe@h.example/%7Ea'
    """
    parts = split_reference(coerce.as_text(uri, "uri"))
    if schemes is None:
        schemes = SCHEME_DEFAULTS
    elif not isinstance(schemes, Mapping):
        raise coerce.refusal(schemes, "schemes", "a mapping of names to SchemeDefaults")
    if parts.scheme is None:
        raise ResolutionError("a relative reference must be resolved before it is compared")
    scheme = parts.scheme.translate(_LOWER)
    authority = parts.authority
    if authority is not None:
        userinfo, at, hostport = authority.rpartition("@")
        hostport = hostport.translate(_LOWER)
        authority = userinfo + at + _without_default_port(hostport, schemes.get(scheme))
    return join_reference(parts._replace(scheme=scheme, authority=authority))


def _without_default_port(hostport: str, defaults: SchemeDefaults | None) -> str:
    """Remove a default port; only the last ":" of a host can begin a port."""
    host, colon, port = hostport.rpartition(":")
    if not colon or not port or ":" in host.rpartition("]")[2] or defaults is None:
        return hostport
    return host if port.lstrip("0") == str(defaults.port) else hostport


def _relative(
    base: Components, given: Components, excess: Excess, notes: list[Note], *, literal: bool
) -> str:
    """Return the path for a relative path (step 6)."""
    if given.query is not None and ("/./" in given.query or "/../" in given.query):
        notes.append(Note.DOTS_IN_QUERY)
    directory = base.path[: base.path.rfind("/") + 1]
    if base.authority is not None and not base.path:
        notes.append(Note.EMPTY_BASE_PATH)
        directory = "" if literal else "/"
    path = simplify(directory + given.path)
    if not path.excess:
        return path.retained()
    if excess == "avoid":
        raise ResolutionError(
            'step 6g: the path begins with ".." beyond its root, and excess="avoid" forbids that'
        )
    notes.append(Note.EXCESS_DOT_DOT)
    return path.retained() if excess == "retain" else path.removed()
