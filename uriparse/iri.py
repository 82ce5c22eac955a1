"""Mapping between IRIs and URIs (RFC 3987 section 3)."""

import unicodedata
from functools import lru_cache

from uriparse.components.component_text import compose
from uriparse.components.dot_segments import keep_encoded_dots
from uriparse.components.servers import defaults_of
from uriparse.errors import EncodingError
from uriparse.parsing import Record, Reference, as_reference, parse
from uriparse.percent import decode_utf8_triplets, encode_non_ascii, unquote
from uriparse.records import RegName

__all__ = ["iri_to_uri", "uri_to_iri"]


def iri_to_uri(iri: Reference, *, idna: bool = False) -> Record:
    """Return the URI reference for an IRI reference (RFC 3987 section 3.1).

    Each non-ASCII character becomes the triplets of its UTF-8 octets; nothing else changes, so a
    URI maps to itself. Characters are not normalized (section 3.1, step 1c).

    idna: True writes a non-ASCII host name, percent-encoded or not, as a DNS name (ToASCII, with
        the mapping of UTS 46), for schemes whose hosts are DNS names.

    URISyntaxError if a text is not an IRI reference; EncodingError if its host is not a DNS name.

    >>> str(iri_to_uri("http://résumé.example.org/é"))
    'http://r%C3%A9sum%C3%A9.example.org/%C3%A9'
    >>> str(iri_to_uri("http://résumé.example.org", idna=True))
    'http://xn--rsum-bpad.example.org'
    """
    record = as_reference(iri, "rfc3987", "iri")
    text = str(record)
    if idna and isinstance(record.host, RegName):
        own = (record.scheme, record.userinfo, to_ascii(record.host.text), record.port)
        text = compose(*own, record.path, record.query, record.fragment)
    return parse(encode_non_ascii(text))


def uri_to_iri(uri: Reference, *, idna: bool = False) -> Record:
    """Return an IRI reference for a URI reference that is easier to read (RFC 3987 section 3.2).

    Triplets of unreserved characters and of UTF-8 octets become characters. Other triplets stay:
    those of reserved and other ASCII characters, of octets that are not UTF-8, of characters that
    IRIs do not allow there, of spaces, and of characters that are invisible or change the direction
    of text. In a relative reference the first dot of a new dot segment stays encoded, because the
    reference would change its target. A URI of a scheme that has triplets which normalization does
    not decode, such as urn, stays as it is. Mapped back, the URI has the same normal form (level
    "syntax").

    idna: True also decodes the `xn--` labels of the host.

    URISyntaxError if a text is not a URI reference.

    >>> str(uri_to_iri("http://www.example.org/D%C3%BCrst%2F%7Eu%FC"))
    'http://www.example.org/Dürst%2F~u%FC'
    """
    record = as_reference(uri, name="uri")
    known = defaults_of(record.scheme)
    if known.undecoded or known.verbatim:
        return parse(str(record), "IRI-reference", grammar="rfc3987")
    host = None if record.host is None else record.host.text
    if host and isinstance(record.host, RegName):
        host = decode_utf8_triplets(host)
        host = to_unicode(host) if idna else host
    path = decode_utf8_triplets(record.path)
    if record.scheme is None:
        path = keep_encoded_dots(record.path, path)
    text = compose(
        record.scheme,
        record.userinfo and decode_utf8_triplets(record.userinfo),
        host,
        record.port,
        path,
        record.query and decode_utf8_triplets(record.query, private=True),
        record.fragment and decode_utf8_triplets(record.fragment),
    )
    return parse(text, "IRI-reference", grammar="rfc3987")


# DNS names. The package `idna` is imported inside functions: only non-ASCII hosts, and those with
# `xn--` labels, need its tables.

_LONGEST_NAME = 254
"""Characters of a DNS name with its final dot. Longer names never reach the package, some of whose
functions take quadratic time."""

_LONGEST_LABEL = 63
"""Characters of a label (RFC 1035 section 2.3.4): decoding Punycode takes quadratic time."""

_PREFIX = "xn--"


def to_ascii(name: str) -> str:
    """Return a registered name, mapped as UTS 46 does, as a DNS name; ASCII labels stay."""
    decoded = unquote(name) if "%" in name else name
    if decoded.isascii():
        return name
    if len(decoded) > _LONGEST_NAME:
        message = f"the host has {len(decoded)} characters, more than a DNS name allows"
        raise EncodingError(message, text=name)
    import idna  # noqa: PLC0415 - see above

    try:
        mapped: str = idna.uts46_remap(decoded, std3_rules=True)
        # A label from a triplet or from the mapping may contain any character, even "/", which the
        # package rejects. Only labels of the valid name itself are kept unchecked.
        as_written = {label for label in name.lower().split(".") if label.isascii()}
        labels = [
            label if label in as_written else idna.alabel(label).decode()
            for label in mapped.split(".")
        ]
    except idna.IDNAError as error:
        raise EncodingError(f"the host is not a valid DNS name: {error}", text=name) from None
    return ".".join(labels)


def to_unicode(name: str) -> str:
    """Decode the `xn--` labels of a DNS name; an invalid label stays."""
    is_long = len(name) > _LONGEST_NAME
    return name if is_long else ".".join(map(_label_to_unicode, name.split(".")))


@lru_cache(maxsize=64)  # several checks ask about one name
def rewritten_label(name: str) -> str | None:
    """Return the first `xn--` label of a name that some client replaces by another; None if none.

    A client that decodes a label, maps it and encodes it again must get the same label, whether it
    maps by IDNA 2003, IDNA 2008 or UTS 46. So the label must decode (RFC 3492) to non-ASCII text
    that UTS 46 (non-transitional) maps to itself and that encodes to the same label. Emoji names,
    which only IDNA 2008 rejects, qualify. Qt 5.15 keeps 16 bits of a code point and reads the label
    of U+10030 as "0": a character beyond the Basic Multilingual Plane must be one that such a
    client cannot confuse with another.

    Letter case does not matter. No client looks up a name too long for the DNS: there, every `xn--`
    label is returned.
    """
    fits = len(name) <= _LONGEST_NAME
    for label in name.split("."):
        if label[: len(_PREFIX)].lower() == _PREFIX and not (fits and _is_stable(label.lower())):
            return label
    return None


@lru_cache(maxsize=1024)  # most names of a stream share theirs, such as a top-level domain
def _is_stable(label: str) -> bool:
    """Return whether an `xn--` label in lower case decodes, maps and encodes to itself."""
    encoded = label[len(_PREFIX) :].encode()
    # Of what decodes, nothing else encodes to another label: Bootstring has one form of each text.
    if len(label) > _LONGEST_LABEL or encoded.rfind(b"-") == 0:
        return False
    try:
        decoded = encoded.decode("punycode")
        return (
            not decoded.isascii()
            and unicodedata.is_normalized("NFC", decoded)
            and all(map(_is_stable_character, decoded))
        )
    except UnicodeError:  # also the base class of the package's errors
        return False


@lru_cache(maxsize=1 << 13)
def _is_stable_character(char: str) -> bool:
    """Return whether UTS 46 maps a character to itself, and its low 16 bits not to another one.

    Those of most emoji are a private-use or compatibility character, which a client keeps.
    """
    import idna  # noqa: PLC0415 - see above

    cut = chr(ord(char) & 0xFFFF)
    return idna.uts46_remap(char, std3_rules=True) == char and (
        cut == char
        or unicodedata.category(cut) == "Co"
        or unicodedata.normalize("NFKC", cut) != cut
    )


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
