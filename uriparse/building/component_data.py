"""Encode data for a component of a reference.

In a URI characters beyond ASCII become the triplets of their UTF-8 octets; in an IRI they stay, but
for those that are better not seen there (see `uriparse.uri_to_iri`).
"""

from collections.abc import Iterable

from uriparse import percent as triplets
from uriparse import percent as utf8_triplets
from uriparse._base.coerce import Data, as_data, as_text
from uriparse.errors import ComponentError, excerpt, unfit
from uriparse.grammar import charset
from uriparse.grammar.matchers import fullmatch
from uriparse.percent import Component, encoder, quote
from uriparse.records import Host
from uriparse.records.components import NO_ZONE, rule_of
from uriparse.records.hosts import HostPart, host_of_part, host_reader, read_host
from uriparse.resolution import remove_dot_segments


def written(data: Data, component: Component, grammar: str, name: str) -> str:
    """Write data for a component, as `quote` does, in a URI or an IRI.

    name: of the parameter, for messages.

    EncodingError for lone surrogates; TypeError for other types.

    >>> written("ü b", "fragment", "rfc3986", "fragment"), written("ü b", "query", "rfc3987", "q")
    ('%C3%BC%20b', 'ü%20b')
    """
    if type(data) is str and grammar == "rfc3986":
        return encoder(component)(data)
    text = quote(data if type(data) is str else as_data(data, name), component)
    if grammar == "rfc3986" or "%" not in text:
        return text
    return utf8_triplets.decode_utf8_triplets(text, private=component.startswith("query"))


def written_segments(data: Iterable[Data], grammar: str) -> list[str]:
    """Write data as segments.

    ComponentError for "." and "..", and as for `written`.

    >>> written_segments(["a/b", "c"], "rfc3986")
    ['a%2Fb', 'c']
    """
    encode, is_plain = encoder("segment"), grammar == "rfc3986"
    segments = []
    for each in data:
        if is_plain and type(each) is str:
            segment = encode(each)
        else:
            segment = written(each, "segment", grammar, "a segment")
        if segment[:1] == ".":  # a dot is never written as a triplet
            refuse_dots(segment)
        segments.append(segment)
    return segments


def refuse_dots(segment: str) -> None:
    """ComponentError for a dot segment: it would lead elsewhere, and no spelling prevents that.

    Triplets would not help: "%2E" means "." (RFC 3986 section 6.2.2.2).
    """
    if is_dots(segment):
        raise unfit(
            "path",
            f"the segment {excerpt.quoted(segment)} does not name anything, but would be"
            f" removed with what it steps over (RFC 3986 section 5.2.4); to go there, resolve it",
            "segment",
            value=segment,
        )


def is_dots(segment: str) -> bool:
    """Return whether a segment is removed as a dot segment, once it is normalized.

    >>> is_dots("."), is_dots("%2e."), is_dots("...")
    (True, True, False)
    """
    plain = triplets.decode_unreserved(segment)
    return remove_dot_segments(plain) != plain


def written_host(host: HostPart, grammar: str) -> Host:
    """Make a host of a name, whose characters beyond ASCII are encoded, or of an address.

    A `Host` or an address of `ipaddress` is what it is; of texts, an IPv6 address may come with or
    without its brackets.

    ComponentError, with its offset, for an ASCII character that no name holds.

    >>> written_host("ü.example", "rfc3986"), written_host("::1", "rfc3986")
    (RegName('%C3%BC.example'), IPv6('[::1]'))
    """
    if not isinstance(host, str):
        return host_of_part(host, grammar)
    text = host if type(host) is str else as_text(host)
    if "%" not in text and (found := host_reader("rfc3986")(text)):
        return found
    if fullmatch("IPv6address")(text):
        return read_host(f"[{text}]", grammar)
    address, percent, _ = text.strip("[]").partition("%")
    if percent and fullmatch("IPv6address")(address):
        raise unfit("host", NO_ZONE, rule_of("host", grammar), value=text, offset=text.index("%"))
    letters = charset("reg-name")
    for offset, character in enumerate(text):
        if character.isascii() and character not in letters:  # as triplets it would hide
            raise unfit(
                "host",
                f"{excerpt.found_at(text, offset)} at offset {offset} is not part of a name;"
                " give user, password and port by themselves, a name with triplets as a RegName",
                rule_of("reg-name", grammar),
                value=text,
                offset=offset,
            )
    return read_host(written(text, "reg-name", grammar, "host"), grammar)


def written_userinfo(user: Data | None, password: Data | None, grammar: str) -> str | None:
    """Write user and password; None without either.

    ComponentError for a password without a user, which may be empty.

    >>> written_userinfo("a:b", "c:d@", "rfc3986")
    'a%3Ab:c:d%40'
    """
    if user is None:
        if password is not None:
            raise ComponentError(
                'password: given without a user, which may be ""',
                component="userinfo",
                rule=rule_of("userinfo", grammar),
            )
        return None
    # The first ":" ends the user, so the user itself cannot contain one.
    text = written(user, "userinfo", grammar, "user").replace(":", quote(":", "unreserved"))
    if password is None:
        return text
    return f"{text}:{written(password, 'userinfo', grammar, 'password')}"
