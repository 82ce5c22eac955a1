"""gopher: an item of a menu, a search or a Gopher+ request (RFC 1738 section 3.4, RFC 4266)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Literal, Self, TypeAlias

from uriparse._base.coerce import as_items, as_optional_str, as_str, derived, refusal
from uriparse.errors import EncodingError, unfit
from uriparse.schemes import url_parts
from uriparse.schemes.current_uri import AuthorityURI
from uriparse.schemes.encoding import Encoded, octets_of
from uriparse.schemes.fields import Found, url_field
from uriparse.schemes.read_by_scheme import cause_error
from uriparse.schemes.url import ServerURL

Kind: TypeAlias = Literal[
    "default-view", "view", "attributes", "directory-attributes", "ask-form", "filled-form", "other"
]

_DATA_FOLLOWS = b"\t1"
_BLOCK_START = b"+-1\r\n"
_BLOCK_END = b".\r\n"
_ATTRIBUTE_KINDS: dict[bytes, Kind] = {b"!": "attributes", b"$": "directory-attributes"}


@dataclass(frozen=True, slots=True)
class GopherPlus:
    r"""What a Gopher+ string asks for.

    kind: `"default-view"` (`+`), `"view"` (`+view` with or without a language),
        `"attributes"` (`!`) of the item, `"directory-attributes"` (`$`) of all items in the
        directory, `"ask-form"` (`?`), `"filled-form"`, or `"other"`, which RFC 1738 does not
        describe.
    octets: the decoded string itself.
    view: a view's name, usually a media type; None if none is named.
    language: the language of the view, None if none is named.
    names: attributes asked for, as `+ABSTRACT`; none for all.
    answers: what a filled form answers; None without a form.

    Octets that are not UTF-8 are kept in the texts as lone surrogates, as `os.fsdecode` does.

    >>> GopherPlus.of(b"+application/postscript Es_ES").language
    'Es_ES'
    >>> GopherPlus.of(b"!+ABSTRACT +SMELL").names
    ('+ABSTRACT', '+SMELL')
    """

    kind: Kind
    octets: bytes
    view: str | None = None
    language: str | None = None
    names: tuple[str, ...] = ()
    answers: tuple[str, ...] | None = None

    @classmethod
    def of(cls, octets: bytes) -> GopherPlus:
        """Read a decoded Gopher+ string. Never fails: what is not described is `"other"`."""
        if not isinstance(octets, bytes):
            raise refusal(octets, "octets", "bytes")
        first = octets[:1]
        if octets == b"?":
            return cls("ask-form", octets)
        if first in _ATTRIBUTE_KINDS:
            names = tuple(_text(name) for name in octets[1:].split(b" ") if name)
            return cls(_ATTRIBUTE_KINDS[first], octets, names=names)
        head, is_form, block = octets[1:].partition(b"\r\n")
        answers = _answers(block) if head.endswith(_DATA_FOLLOWS) else None
        if first != b"+" or (answers is None if is_form else b"\t" in head):
            return cls("other", octets)
        view, language = _view(head.removesuffix(_DATA_FOLLOWS))
        kind: Kind = "filled-form" if is_form else "view" if view else "default-view"
        return cls(kind, octets, view, language, answers=answers)

    @classmethod
    def filled(
        cls, answers: Iterable[str], *, view: str | None = None, language: str | None = None
    ) -> GopherPlus:
        r"""Make the string that returns the answers to a form (RFC 1738 section 3.4.9).

        EncodingError for an answer that would end its line or the block, for a view or a language
        with a space or a control character, and for a lone surrogate that is not an octet.

        >>> GopherPlus.filled(["x", "y"]).octets
        b'+\t1\r\n+-1\r\nx\r\ny\r\n.\r\n'
        """
        given = as_items(answers, "answers", "an iterable of lines")
        lines = tuple(as_str(line, "an answer") for line in given)
        view = as_optional_str(view, "view")
        language = as_optional_str(language, "language")
        for line in lines:
            if line == "." or "\r" in line or "\n" in line or "\0" in line:
                raise EncodingError("an answer is one line, and not a lone full stop", text=line)
        head = "+" + " ".join(part for part in (view, language) if part is not None)
        for part in (view, language):
            if part is not None and (not part or min(part) <= " "):
                raise EncodingError("a view or a language has no space or control", text=part)
        if language is not None and view is None:
            raise EncodingError("a language belongs to a view", text=language)
        body = "".join(f"{line}\r\n" for line in lines)
        lines_of = partial(octets_of, errors="surrogateescape")
        octets = lines_of(head) + _DATA_FOLLOWS + b"\r\n" + _BLOCK_START
        return cls.of(octets + lines_of(body) + _BLOCK_END)


def _view(head: bytes) -> tuple[str | None, str | None]:
    view, space, language = head.partition(b" ")
    return _text(view) if view else None, _text(language) if space else None


def _answers(block: bytes) -> tuple[str, ...] | None:
    """Return the lines of a data block; None if the text is not exactly one block."""
    if not block.startswith(_BLOCK_START) or not block.endswith(b"\r\n"):
        return None
    *lines, last = block.removeprefix(_BLOCK_START).removesuffix(b"\r\n").split(b"\r\n")
    if last != b"." or b"." in lines:
        return None
    if any(octet in line for line in lines for octet in (b"\r", b"\n", b"\0")):
        return None
    return tuple(_text(line) for line in lines)


def _text(octets: bytes) -> str:
    return octets.decode("utf-8", "surrogateescape")


MENU = "1"
"""The type of an item whose URL has none: a menu."""

_TAB = "%09"


def _path(own: ServerURL) -> Encoded | None:
    """Return the path as a whole."""
    slash = own.url.find("/", own.url.index("//") + 2)
    return None if slash < 0 else Encoded(own.url[slash + 1 :], slash + 1)


class GopherURL(ServerURL):
    """`gopher://host:port/` and a type, a selector, `%09` search, `%09` Gopher+ string; port 70.

    path: what follows the "/" after host and port, as written; None without that "/".
    gtype: the type as written, one character or its triplet; None without one.
    type: the type decoded, one character (an octet as Latin-1); "1" by default.
    selector: what the server is sent, as written; `""` names its top menu.
    search: words to search for; None without the first `%09`.
    gopher_plus: the Gopher+ string, which may hold further `%09`; None without the second.
    plus: what the Gopher+ string asks for; None without one.

    Nothing is reserved in the path but these two tabs, so "/" and "?" belong to the selector.

    >>> from uriparse.schemes import RFC1738, parse_url
    >>> url = parse_url("gopher://h.d/7foo%09bar%09+", registry=RFC1738)
    >>> url.type, url.selector, url.search, url.plus.kind
    ('7', 'foo', 'bar', 'default-view')
    >>> parse_url("gopher://h.d", registry=RFC1738).type
    '1'
    """

    path: Encoded | None = url_field(shown=(), derived=_path)
    gtype: Encoded | None = url_field("gtype", "gophertype", characters="xchar", shown=("type",))
    selector: Encoded = url_field("selector")
    search: Encoded | None = url_field("gopher-search")
    gopher_plus: Encoded | None = url_field("gopher-plus-string")
    type: str = derived(lambda url: (url.gtype or Encoded(MENU)).octets.decode("latin-1"))
    plus: GopherPlus | None = derived(
        lambda url: None if url.gopher_plus is None else GopherPlus.of(url.gopher_plus.octets)
    )

    @classmethod
    def from_parts(  # noqa: PLR0913 - one argument a field
        cls,
        *,
        host: str,
        port: int | str | None = None,
        gtype: url_parts.Data | None = None,
        selector: url_parts.Data = "",
        search: url_parts.Data | None = None,
        gopher_plus: url_parts.Data | GopherPlus | None = None,
        slash: bool = False,
        fragment: url_parts.Data | None = None,
        registry: url_parts.Schemes | None = None,
    ) -> Self:
        r"""Make a URL from data. Without a type it has no path.

        gtype: one octet, as `type` returns it: a character up to U+00FF.
        slash: whether a URL without a type ends in "/".

        ComponentError for a selector without a type, a Gopher+ string without a search (which may
        be empty), a tab in a selector or a search.

        >>> GopherURL.from_parts(host="h.d", gtype="0", selector="a b?", search="", gopher_plus="+")
        <GopherURL 'gopher://h.d/0a%20b?%09%09+'>
        """
        scheme = url_parts.own_scheme(cls, registry)
        plus = gopher_plus.octets if isinstance(gopher_plus, GopherPlus) else gopher_plus
        is_empty = gtype is None and selector in ("", b"")
        fields = {
            **url_parts.server(host, port, scheme),
            "gtype": None if gtype is None else Encoded(_written_type(gtype)),
            **({} if is_empty else {"selector": selector}),
            "search": search,
            "gopher_plus": plus,
        }
        end = "/" if slash and gtype is None else ""
        return url_parts.made(cls, scheme, fragment, fields, needs=("selector",), end=end)

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Add an empty selector; refuse a type that is a tab, which separates parts of the path."""
        del url
        if "selector" not in found:
            found["selector"] = Encoded("")
        gtype = found.get("gtype")
        if isinstance(gtype, Encoded) and gtype == _TAB:
            text, scheme = str(found["_text"]), str(found["scheme"])
            raise cause_error(text, scheme, gtype.start or 0, "gtype", "gtype", "tab")

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share; no type is type "1"."""
        return (
            *self._server(),
            self.type,
            *map(self._canonical, ("selector", "search", "gopher_plus")),
        )


def _written_type(gtype: url_parts.Data) -> str:
    """Write a type; text is taken as Latin-1, for a type is one octet."""
    if isinstance(gtype, str) and not isinstance(gtype, Encoded):
        text = as_str(gtype, "gtype")
        if not text or max(text) > "\xff":
            raise unfit("gtype", "one octet, as a character up to U+00FF", "gtype")
        return url_parts.written(text.encode("latin-1"), "xchar")
    return url_parts.written(gtype, "xchar", "gtype")


class GopherURI(AuthorityURI, GopherURL):
    """`gopher://host:port/` and a type, a selector, a search...; the fields of `GopherURL`.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("gopher://h.d/7/~me?x%09foo")
    >>> url.type, url.selector, url.search
    ('7', '/~me?x', 'foo')
    """

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share; no type is type "1" (RFC 4266 section 2.1)."""
        (normal,) = super().identity()
        return (f"{str(normal).removesuffix('/')}/1" if self.gtype is None else normal,)
