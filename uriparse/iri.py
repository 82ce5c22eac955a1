"""IRIs to URIs and back (RFC 3987 section 3)."""

from __future__ import annotations

import unicodedata
from functools import partial
from typing import TYPE_CHECKING

from uriparse.errors import EncodingError
from uriparse.parsing import as_reference, parse
from uriparse.percent import decode_utf8_triplets, encode, unquote
from uriparse.records import RegName
from uriparse.records.components import compose, compose_authority
from uriparse.resolution.dot_segments import keep_encoded_dots

if TYPE_CHECKING:
    from collections.abc import Callable

    from uriparse.parsing import Record, Reference

__all__ = [
    "iri_to_uri",
    "uri_to_iri",
]


# The mapping between IRIs and URIs (RFC 3987 sections 3.1 and 3.2).


def iri_to_uri(iri: Reference, *, idna: bool = False) -> Record:
    """Map an IRI reference to the URI reference that identifies the same (RFC 3987 section 3.1).

    Each character beyond ASCII becomes the triplets of its UTF-8 octets; nothing else changes,
    so a URI maps to itself. No character normalization takes place (section 3.1, step 1c).

    idna: True writes a host name beyond ASCII, percent-encoded or not, as a DNS name instead
        (ToASCII, with the mapping of UTS 46). For schemes whose hosts are DNS names.

    URISyntaxError if a text is no IRI reference; EncodingError if its host is no DNS name.

    >>> str(iri_to_uri("http://résumé.example.org/é"))
    'http://r%C3%A9sum%C3%A9.example.org/%C3%A9'
    >>> str(iri_to_uri("http://résumé.example.org", idna=True))
    'http://xn--rsum-bpad.example.org'
    """
    record = as_reference(iri, "rfc3987", "iri")
    text = str(record)
    if idna:
        text = _mapped(record, host=to_ascii)
    return parse(encode(text))


def uri_to_iri(uri: Reference, *, idna: bool = False) -> Record:
    """Map a URI reference to an IRI reference that is easier to read (RFC 3987 section 3.2).

    Triplets of unreserved characters, and of UTF-8 octets, become characters. Those that stay:
    of reserved and of other ASCII characters; of octets that are no UTF-8; of characters that
    IRIs do not allow there, of spaces, and of those that are invisible or change the direction
    of text; and, in a relative reference, the first dot of a segment that would become a dot
    segment, and lead elsewhere. Mapped back, the IRI gives a URI with the same normal form (level
    "syntax").

    idna: True also decodes the `xn--` labels of the host.

    URISyntaxError if a text is no URI reference.

    >>> str(uri_to_iri("http://www.example.org/D%C3%BCrst%2F%7Eu%FC"))
    'http://www.example.org/Dürst%2F~u%FC'
    """
    record = as_reference(uri, name="uri")
    host: Callable[[str], str] = decode_utf8_triplets
    path = decode_utf8_triplets if record.scheme is not None else _decoded_relative_path
    if idna:

        def host(name: str) -> str:
            return to_unicode(decode_utf8_triplets(name))

    text = _mapped(
        record, host, path, decode_utf8_triplets, partial(decode_utf8_triplets, private=True)
    )
    return parse(text, "IRI-reference", grammar="rfc3987")


def _as_it_is(text: str) -> str:
    return text


def _decoded_relative_path(path: str) -> str:
    return keep_encoded_dots(path, decode_utf8_triplets(path))


def _mapped(
    record: Record,
    host: Callable[[str], str],
    path: Callable[[str], str] = _as_it_is,
    other: Callable[[str], str] = _as_it_is,
    query: Callable[[str], str] = _as_it_is,
) -> str:
    """Put the text of a reference together again, with its components mapped."""
    authority: str | None = None
    if record.host is not None:
        name = record.host.text
        authority = compose_authority(
            None if record.userinfo is None else other(record.userinfo),
            host(name) if isinstance(record.host, RegName) else name,
            record.port,
        )
    return compose(
        record.scheme,
        authority,
        path(record.path),
        None if record.query is None else query(record.query),
        None if record.fragment is None else other(record.fragment),
    )


# Host names beyond ASCII as DNS names and back, through the `idna` package.
#
# The package is imported in the functions that ask it: only hosts beyond ASCII, or with `xn--`
# labels, pay for its tables.

_LONGEST_NAME = 254
"""Characters of a DNS name with its final dot. Longer ones are kept from the package, some of whose
work takes quadratic time."""

_LONGEST_LABEL = 63
"""Characters of a label (RFC 1035 section 2.3.4): decoding Punycode takes quadratic time."""

_PREFIX = "xn--"


def to_ascii(name: str) -> str:
    """Write a registered name as a DNS name: its labels beyond ASCII encoded, the others as is.

    The name may hold triplets, of UTF-8. Letters are mapped as in UTS 46, so that upper case and
    full-width dots are understood. EncodingError if a label is none of the DNS's.
    """
    decoded = unquote(name) if "%" in name else name
    if decoded.isascii():
        return name
    if len(decoded) > _LONGEST_NAME:
        raise EncodingError(f"the host is longer than a DNS name: {len(decoded)}", text=name)
    import idna  # noqa: PLC0415 - see above

    try:
        mapped: str = idna.uts46_remap(decoded, std3_rules=True)
        # A label that comes out of a triplet or of the mapping may hold any character, "/" too:
        # the package refuses it. Only those that stand in the valid name itself are kept.
        as_written = {label for label in name.lower().split(".") if label.isascii()}
        labels = [
            label if label in as_written else idna.alabel(label).decode()
            for label in mapped.split(".")
        ]
    except idna.IDNAError as error:
        raise EncodingError(f"the host is no DNS name: {error}", text=name) from None
    return ".".join(labels)


def to_unicode(name: str) -> str:
    """Decode the labels of a DNS name that stand for others; what does not decode stays."""
    if len(name) > _LONGEST_NAME:
        return name
    return ".".join(map(_label_to_unicode, name.split(".")))


def rewritten_label(name: str) -> str | None:
    """Find a label that begins with `xn--` and that some client would replace by another.

    A client that decodes a label, maps it and encodes it again must come back to it, whether it
    maps by IDNA 2003, IDNA 2008 or UTS 46. So the label has to decode (RFC 3492) to more than
    ASCII, UTS 46 (non-transitional) to map the result to itself, and that to encode to the same
    label. Names that IDNA 2008 alone refuses, those of emoji, fulfil it. Qt 5.15 keeps 16 bits of
    a code point, and reads the label of U+10030 as "0": of characters beyond the Basic Multilingual
    Plane, those count as stable that such a client cannot take for another.

    Returns the first such label, as it is written; None if there is none. Letter case does not
    count. A name too long for the DNS is looked up by no client: there, every `xn--` label counts.

    >>> rewritten_label("www.xn--bcher-kva.example"), rewritten_label("xn--i-7iq.example")
    (None, None)
    >>> rewritten_label("a.xn--u-ccb.example"), rewritten_label("XN--abc-.example")
    ('xn--u-ccb', 'XN--abc-')
    """
    fits = len(name) <= _LONGEST_NAME
    for label in name.split("."):
        if label[: len(_PREFIX)].lower() == _PREFIX and not (fits and _is_stable(label.lower())):
            return label
    return None


def _is_stable(label: str) -> bool:
    """Whether an `xn--` label in lower case decodes, maps and encodes to itself."""
    if len(label) > _LONGEST_LABEL:
        return False
    import idna  # noqa: PLC0415 - see above

    encoded = label[len(_PREFIX) :].encode()
    try:
        decoded = encoded.decode("punycode")
        return (
            not decoded.isascii()
            and idna.uts46_remap(decoded, std3_rules=True) == decoded
            and decoded.encode("punycode") == encoded
            and (max(decoded) < "\U00010000" or all(map(_is_whole_or_nothing, decoded)))
        )
    except UnicodeError:  # so are the errors of the package
        return False


def _is_whole_or_nothing(char: str) -> bool:
    """Whether 16 bits of a character are no other one that a name may hold.

    Those of most emoji are for private use, or a compatibility character, and a client keeps the
    label as it is. Surrogates do not count: two of them would be a character again.
    """
    if char < "\U00010000":
        return True
    cut = chr(ord(char) & 0xFFFF)
    return unicodedata.category(cut) == "Co" or unicodedata.normalize("NFKC", cut) != cut


def _label_to_unicode(label: str) -> str:
    if label[: len(_PREFIX)].lower() != _PREFIX:
        return label
    import idna  # noqa: PLC0415 - see above

    try:
        decoded: str = idna.ulabel(label)
        encoded: str = idna.alabel(decoded).decode()
    except idna.IDNAError:
        return label
    return decoded if encoded == label.lower() else label
