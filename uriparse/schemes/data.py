"""data URLs (RFC 2397): a URL that holds what it represents."""

from __future__ import annotations

from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable
from typing import Self

from uriparse._base.coerce import as_data, derived
from uriparse.errors import EncodingError, excerpt, unfit
from uriparse.schemes.current_uri import CurrentURI
from uriparse.schemes.encoding import Encoded, FullPairs, Parts, full_pairs, parts_of
from uriparse.schemes.fields import Found, url_field
from uriparse.schemes.url import SchemeCause
from uriparse.schemes.url_parts import Data, Schemes, by_rule, checked, written_pairs

_BASE64 = ";base64"


def _essence(url: DataURL) -> Parts:
    """Return the type and the subtype as written, or those that are meant where none are."""
    written = parts_of(url.mediatype, ";")[:1]
    return (written[0] if written and written[0] else Encoded("text/plain")).parts("/")


class DataURL(CurrentURI):
    """`data:type/subtype;attribute=value;base64,data`.

    mediatype: what is before ";base64" and ",", as written; None where nothing is.
    is_base64: whether the data is written in base64.
    data: what follows the first ",", as written.
    type, subtype: in lower case and decoded; "text" and "plain" where none are written.
    parameters: pairs of attribute and value as written, in their order. Without a media type, the
        default is `charset=US-ASCII`.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("data:text/html;charset=utf-8;base64,PGI+")
    >>> url.type, url.subtype, url.parameters, url.content
    ('text', 'html', (('charset', 'utf-8'),), b'<b>')
    """

    mediatype: Encoded | None = url_field("mediatype")
    is_base64: bool = url_field(kind=bool)
    data: Encoded = url_field("data")
    type: str = derived(lambda url: _essence(url)[0].decoded.lower())
    subtype: str = derived(lambda url: _essence(url)[1].decoded.lower())
    parameters: FullPairs = derived(lambda url: full_pairs(url.mediatype, ";")[1:])

    @classmethod
    def cause(cls, url: str, offset: int) -> SchemeCause | None:
        """Recognize a parameter without "=", such as ";utf8"; ";base64" is not one."""
        start = url.rfind(";", 0, offset)
        given = url[max(0, start) : offset]
        if start < 0 or "=" in given or given.lower() == _BASE64:
            return None
        if not url.startswith((",", ";"), offset):
            return None
        shown = excerpt.quoted(url, start, offset)
        return SchemeCause("no-value", placeholders={"given": shown})

    @property
    def content(self) -> bytes:
        """The octets that the URL represents; EncodingError for data that is not base64.

        White space that was written as triplets is left out of base64, and padding may be missing.
        """
        octets = self.data.octets
        if not self.is_base64:
            return octets
        packed = b"".join(octets.split())
        try:
            return a2b_base64(packed + b"=" * (-len(packed) % 4), strict_mode=True)
        except Base64Error:
            pass
        raise EncodingError("the data is not base64", text=str(self.data), offset=0)

    @classmethod
    def from_parts(
        cls,
        content: Data,
        *,
        type: str | None = None,  # noqa: A002 - what the record calls it
        subtype: str | None = None,
        parameters: Iterable[tuple[Data, Data]] = (),
        base64: bool | None = None,
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> Self:
        """Make a URL of what it is to hold.

        content: octets, or text, which is written as UTF-8.
        type, subtype: both or neither; without them "text/plain" is meant.
        parameters: pairs of attribute and value, such as `("charset", "utf-8")`.
        base64: whether to write it in base64; None for what is shorter.

        ComponentError for a type that is not one, TypeError for other values.

        >>> DataURL.from_parts("<b>é", type="text", subtype="html", parameters=[("a", "b")])
        <DataURL 'data:text/html;a=b,%3Cb%3E%C3%A9'>
        >>> DataURL.from_parts(bytes(9), base64=True).content == bytes(9)
        True
        """
        if (type is None) != (subtype is None):
            raise unfit("type", "give a subtype with it", "mediatype")
        plain = by_rule(cls, "uric", content, "content")
        data = as_data(content, "content")
        octets = data if isinstance(data, bytes) else Encoded(plain).octets
        packed = b2a_base64(octets, newline=False).decode("ascii")
        # "+", "/" and "=" are characters of a URL, so base64 needs no triplets.
        is_base64 = len(packed) + len(_BASE64) < len(plain) if base64 is None else base64
        names = (type, subtype)
        essence = "/".join(by_rule(cls, "attribute", n, "type") for n in names if n is not None)
        mediatype = essence + written_pairs(cls, ("attribute", "value"), parameters)
        written = packed if is_base64 else plain
        text = f"data:{mediatype}{_BASE64 if is_base64 else ''},{written}"
        expected = {"mediatype": mediatype or None, "is_base64": is_base64, "data": written}
        return checked(cls, text, fragment, expected, registry)

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Add whether the data is in base64, which is not the text of a rule."""
        before = url[: url.index(",")]
        found["is_base64"] = before.lower().endswith(_BASE64)
        found["mediatype"] = found.get("mediatype") or None

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share: the type and the octets, however they are written.

        The character set of "text/plain" is US-ASCII where none is named, in any letter case, and
        the order of parameters means nothing (RFC 2045 section 5.1, RFC 2046 section 4.1.2).
        """
        try:
            content = self.content
        except EncodingError:
            return (*super().identity(), None)
        kind = tuple(part.octets.lower() for part in _essence(self))
        pairs = {name.octets.lower(): value.octets for name, value in reversed(self.parameters)}
        if kind == (b"text", b"plain"):
            pairs.setdefault(b"charset", b"us-ascii")
        if b"charset" in pairs:
            pairs[b"charset"] = pairs[b"charset"].lower()
        return (kind, frozenset(pairs.items()), content)
