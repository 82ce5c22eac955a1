"""URLs as the URL Standard has them, and the errors of texts that it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, cast

from uriparse._base import migration_hints as hints
from uriparse._base.coerce import ComparedAsText, Text, as_text, derived
from uriparse._native import kernel, native_rule, tagged
from uriparse._native.fastcall import activate, fastcall
from uriparse.errors import URLError
from uriparse.errors.excerpt import masked
from uriparse.grammar import matcher
from uriparse.records._draft import COMPONENTS
from uriparse.records.rewriting import KEPT, rewriter_of
from uriparse.whatwg import basic_parser
from uriparse.whatwg.basic_parser import SPECIAL, URLParts
from uriparse.whatwg.host_parser import StopError
from uriparse.whatwg.percent_encode_sets import form_pairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from uriparse.records import URI
    from uriparse.whatwg.changes import Change

    _Quick = Callable[[str, bool, None], "BrowserURL | None"]


class BrowserURL(ComparedAsText, hints.Foreign, foreign=hints.foreign_names("browser")):
    """A URL by the URL Standard: what a browser makes of a text. It is its own `href`.

    href: the URL, serialized.
    scheme: in lower case, without ":".
    username, password: percent-encoded; `""` if there is none.
    user: `username`, None where there is none, as records of RFC 3986 have it.
    host: serialized, an IPv6 address in brackets; None if it is null, as in "mailto:a@b"; `""` if
        it is empty, as in "file:///a".
    host_kind: "domain", "IPv4", "IPv6", "opaque" or "empty"; None if the host is null.
    port: None for the default port of the scheme.
    effective_port: the port to connect to; None where the scheme has none that browsers know.
    path: percent-encoded; with its first slash, if it is not opaque.
    is_opaque: whether the path is opaque: not a list of segments.
    query, fragment: percent-encoded, without "?" and "#"; None if there is none.

    Compares, hashes and sorts as `href`. Immutable.
    """

    __slots__ = ("_base", "_given", "_parts", "_text")
    _base: BrowserURL | None
    _given: str | None  # None for a text that the kernel knew for its own serialization
    _parts: URLParts | None
    href: str = derived(str)
    scheme: str = derived(lambda url: url.record().scheme)
    username: str = derived(lambda url: url.record().username)
    user: str | None = derived(lambda url: url.username or None)
    password: str = derived(lambda url: url.record().password)
    host: str | None = derived(lambda url: url.record().host and url.record().host.text)
    host_kind: str | None = derived(lambda url: url.record().host and url.record().host.kind)
    port: int | None = derived(lambda url: url.record().port)
    effective_port: int | None = derived(
        lambda url: SPECIAL.get(url.scheme) if url.port is None else url.port
    )
    path: str = derived(lambda url: url.record().path)
    is_opaque: bool = derived(lambda url: url.record().is_opaque)
    query: str | None = derived(lambda url: url.record().query)
    fragment: str | None = derived(lambda url: url.record().fragment)

    def __new__(cls, text: Text, base: BrowserURL | Text | None = None) -> BrowserURL:  # noqa: PYI034 - it has no subclasses
        """Parse a text, as `parse` does."""
        return parse(text, base)

    def __repr__(self) -> str:
        return f"<BrowserURL {masked(self._text)!r}>"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a URL is immutable: {name} cannot be set")

    def __reduce__(self) -> tuple[object, ...]:
        return parse, (self._text,)

    def record(self) -> URLParts:
        """Return the URL record, for this package."""
        if self._parts is None:  # a text in normal form, of which nobody has asked for a part
            _set(self, "_parts", basic_parser.take_apart(self._text, None)[0])
        assert self._parts is not None  # noqa: S101 - for type checkers
        return self._parts

    @property
    def segments(self) -> tuple[str, ...] | None:
        """The segments of the path, percent-encoded; None if it is opaque, as in "mailto:a@b".

        >>> parse("http://h/a/b/").segments, parse("a:b").segments
        (('a', 'b', ''), None)
        """
        return None if self.is_opaque else tuple(self.path.split("/")[1:])

    @property
    def query_pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs of the query, decoded as `URLSearchParams` does: by `form_pairs`.

        >>> parse("http://h/?a=1+2&b&a=%FF").query_pairs
        (('a', '1 2'), ('b', ''), ('a', '\ufffd'))
        """
        return form_pairs(self.query or "")

    def query_values(self, name: Text) -> tuple[str, ...]:
        """Return the values of all pairs of a name: `URLSearchParams.getAll`.

        name: decoded. TypeError for what is not text.
        """
        wanted = as_text(name, "name")
        return tuple(value for own, value in self.query_pairs if own == wanted)

    def query_value(self, name: Text) -> str | None:
        """Return the first of `query_values`; None if there is none.

        >>> url = parse("http://h/?a=1&b&a=2")
        >>> url.query_value("a"), url.query_value("b"), url.query_value("c"), url.query_values("a")
        ('1', '', None, ('1', '2'))
        """
        return next(iter(self.query_values(name)), None)

    @property
    def origin(self) -> str:
        """The origin, serialized (section 4.7): "null" for an opaque one, as for "file:".

        >>> parse("https://h:8443/a").origin, parse("blob:https://h/x").origin
        ('https://h:8443', 'https://h')
        """
        parts = self.record()
        if parts.scheme == "blob":
            try:
                inner = parse(parts.path)
            except URLError:
                return "null"
            return inner.origin if inner.scheme in ("http", "https") else "null"
        if parts.scheme not in SPECIAL or parts.scheme == "file" or parts.host is None:
            return "null"
        port = "" if parts.port is None else f":{parts.port}"
        return f"{parts.scheme}://{parts.host.text}{port}"

    @property
    def changes(self) -> tuple[Change, ...]:
        r"""What differs between the text that was parsed and `href`; empty if they are the same.

        >>> for change in parse(" https:a.example/\tb|").changes:
        ...     print(change)
        0-1: '' (leading or trailing C0 control or space)
        at 7: '//' (special-scheme-missing-following-solidus)
        17-18: '' (invalid-URL-unit)
        """
        from uriparse.whatwg.changes import find_changes  # noqa: PLC0415 - seldom asked for

        if self._given is None:
            return ()
        base = None if self._base is None else self._base.record()
        return find_changes(self._given, base, self._text)

    def to_uri(self) -> URI:
        r"""Return the URL as a record of RFC 3986.

        URISyntaxError where it is not a URI: the URL Standard leaves some characters as they are
        that the RFC does not allow, such as "|" in a path, and a "%" without two digits.

        >>> parse("HTTP:\\\\example.com\\a b").to_uri()
        <URI 'http://example.com/a%20b'>
        """
        from uriparse.parsing import parse as parse_uri  # noqa: PLC0415 - seldom asked for

        return parse_uri(self._text, "URI")


_set = object.__setattr__


def _made(
    text: str, given: str | None, base: BrowserURL | None, parts: URLParts | None
) -> BrowserURL:
    url = object.__new__(BrowserURL)
    _set(url, "_text", text)
    _set(url, "_given", given)
    _set(url, "_base", base)
    _set(url, "_parts", parts)
    return url


# Most texts are their own serialization: one match shows it, and they are taken apart when somebody
# asks for a part. The kernel also writes those that differ by no more than RFC 3986 would change.


def _quick_reader() -> _Quick:
    """Return what makes the URL of a text in normal form or near it, and None of any other."""
    normal, near = (native_rule(name, "whatwg", _nothing) for name in ("normal-URL", "usual-URL"))
    if normal is None or near is None or kernel is None:
        fullmatch = matcher("normal-URL", "whatwg").fullmatch
        return lambda text, *_: None if fullmatch(text) is None else _made(text, None, None, None)
    slots, fields = vars(BrowserURL), tagged("whatwg").FIELDS
    fixed = tuple((slots[name], None) for name in ("_given", "_base", "_parts"))
    shape = ((BrowserURL,), slots["_text"], (None,) * len(fields), fixed, (), (), _nothing)
    activate("BROWSER", kernel.Reader(normal, *shape).read)
    numbers = bytes(fields.index(f"usual-{name}") for name in COMPONENTS)
    made = rewriter_of(kernel, kernel.Reader(near, *shape), numbers, bytes([KEPT]) * 256)
    return cast("_Quick", made.normal)


def _nothing(_: str) -> None:
    return None


def parse(text: Text, base: BrowserURL | Text | None = None) -> BrowserURL:
    r"""Parse a text as browsers do: the basic URL parser of the URL Standard (section 4.4).

    base: the URL that a relative text is resolved against, or a text for it.

    Nothing is changed silently: `changes` of the result lists all that differs from the text.
    URLError for a text, or a base, that browsers refuse; TypeError for what is not text.

    >>> url = parse("HTTPS:\\\\Example.COM:443\\a\\..\\b c?d")
    >>> str(url), url.host, url.port, url.path
    ('https://example.com/b%20c?d', 'example.com', None, '/b%20c')
    >>> str(parse("../g?h", "http://a/b/c/d"))
    'http://a/b/g?h'
    >>> parse("http://a:99999/")
    Traceback (most recent call last):
    ...
    uriparse.errors.URLError: port-out-of-range: the port is above 65535 (offset 9)
    """
    given = text if type(text) is str else as_text(text)
    if base is None:
        quick = _quick(given, True, None)
        if quick is not None:
            _set(quick, "_given", given)
            return quick
    elif not isinstance(base, BrowserURL):
        base = parse(as_text(base, "base"))
    try:
        parts, _ = basic_parser.take_apart(
            basic_parser.cleaned(given), None if base is None else base.record()
        )
    except StopError as stop:
        error = _error(given, stop)
    else:
        return _made(basic_parser.serialize(parts), given, base, parts)
    raise error


def can_parse(text: Text, base: BrowserURL | Text | None = None) -> bool:
    """Return whether `parse` accepts a text: `URL.canParse` of the standard.

    >>> can_parse("http://a b/"), can_parse("a", "http://h/")
    (False, True)
    """
    try:
        parse(text, base)
    except URLError:
        return False
    return True


_quick = _quick_reader()
if not TYPE_CHECKING:  # type checkers see the function itself
    parse = fastcall("BROWSER", parse)


def join(base: BrowserURL | Text, href: Text) -> BrowserURL:
    """Parse a link of a page, as `parse(href, base)` does.

    >>> str(join("https://h/a/b", "//c/d"))
    'https://c/d'
    """
    return parse(as_text(href, "href"), base)


_SAID = {
    "domain-invalid-code-point": "the domain has a character that no domain may have",
    "domain-to-ASCII": "the domain is not valid by UTS 46",
    "host-invalid-code-point": "the host has a character that no host may have",
    "host-missing": "the host is missing",
    "IPv4-non-numeric-part": "the host ends in a number, and a part of it is not one",
    "IPv4-out-of-range-part": "a part of the IPv4 address is too large",
    "IPv4-too-many-parts": "the IPv4 address has more than four parts",
    "IPv6-unclosed": 'the IPv6 address lacks its "]"',
    "missing-scheme-non-relative-URL": "the text is relative, and no base was given",
    "port-invalid": "the port is not a number",
    "port-out-of-range": "the port is above 65535",
}
_OF_IPV6 = "the IPv6 address is not valid"


def _error(text: str, stop: StopError) -> URLError:
    offset = basic_parser.offsets_of(text)[stop.offset]
    said = _SAID.get(stop.name, _OF_IPV6)
    return URLError(
        f"{stop.name}: {said} (offset {offset})",
        text=text,
        failure=stop.name,
        offset=offset,
        component=stop.component,
    )
