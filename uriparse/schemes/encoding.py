"""Octets and hosts in URLs (RFC 1738 sections 2.2 and 3.1)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final, Self, TypeAlias, TypeVar

from uriparse._base.coerce import Data, Text, as_data, as_str, as_text, derived
from uriparse.errors import EncodingError, unfit
from uriparse.grammar import charset, rule_expressions
from uriparse.grammar.matchers import fullmatch
from uriparse.percent import spelled_octets, unquote_to_bytes
from uriparse.records import hosts
from uriparse.schemes.written_by_rule import alphabet

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address


# Octets in URLs (RFC 1738 section 2.2). The sets of characters are those of the grammar. An octet
# that no set lets through is written as a triplet, "%" and two hexadecimal digits; and a reserved
# character written as a triplet has lost its role, so that `a%2Fb` and `a/b` differ where "/" has
# one.

_E = TypeVar("_E", bound="Encoded")


class Encoded(str):
    """A field of a URL as it is written, triplets and all: a `str` that knows what it represents.

    Where data is asked for, an `Encoded` is taken as written and a plain `str` is encoded.

    >>> user = Encoded("a%3Ab")
    >>> user.decoded, user.octets, user == "a%3Ab"
    ('a:b', b'a:b', True)
    """

    __slots__ = ("_start",)
    _start: int | None

    def __new__(cls, text: str, start: int | None = None) -> Self:
        """Keep the text; it is checked when a URL is made of it, or when it is decoded."""
        self = str.__new__(cls, text if type(text) is str else as_str(text, "text"))
        self._start = start
        return self

    @property
    def start(self) -> int | None:
        """The offset of the first character in the URL; None for a field that was not parsed."""
        return self._start

    @property
    def end(self) -> int | None:
        """The offset after the last character in the URL."""
        return None if self._start is None else self._start + len(self)

    @property
    def octets(self) -> bytes:
        r"""What the text represents; EncodingError for a malformed triplet.

        >>> Encoded("A%FF").octets
        b'A\xff'
        """
        return unquote_to_bytes(str(self))

    @property
    def decoded(self) -> str:
        """The octets as text in UTF-8; EncodingError if they are not UTF-8: use `octets` then.

        >>> Encoded("A%FF").decoded
        Traceback (most recent call last):
        uriparse.errors.EncodingError: octet 0xFF at offset 1 is not UTF-8: take the octets
        """
        octets = self.octets
        try:
            return octets.decode()
        except UnicodeDecodeError as error:
            start = error.start
        # Raised outside the handler: the error of the codec shows all octets, and would be chained.
        offset = octet_offset(self, start)
        raise EncodingError(
            f"octet 0x{octets[start]:02X} at offset {offset} is not UTF-8: take the octets",
            text=str(self),
            offset=offset,
        )

    def parts(self, separator: str) -> tuple[Encoded, ...]:
        """Split at a delimiter that is written raw; encoded ones belong to the parts.

        >>> Encoded("a%2Fb/c").parts("/")
        ('a%2Fb', 'c')
        """
        found, at = [], self._start
        for part in self.split(separator):
            found.append(Encoded(part, at))
            at = None if at is None else at + len(part) + len(separator)
        return tuple(found)

    def __reduce__(self) -> tuple[object, ...]:
        return _trusted_field, (type(self), str(self), self._start)


Parts: TypeAlias = tuple[Encoded, ...]
Pairs: TypeAlias = tuple[tuple[Encoded, Encoded | None], ...]
FullPairs: TypeAlias = tuple[tuple[Encoded, Encoded], ...]


def parts_of(written: Encoded | None, separator: str) -> Parts:
    """Split text as `Encoded.parts` does; no parts where it is absent."""
    return () if written is None else written.parts(separator)


def pairs_of(written: Encoded | None, separator: str, skip: int = 0) -> Pairs:
    """Split text such as `a=b;c` from an offset on; a value is None without "="."""
    if not written or len(written) <= skip:
        return ()
    parts = Encoded(written[skip:], (written.start or 0) + skip).parts(separator)
    split = ((one, *one.partition("=")) for one in parts)
    return tuple(
        (Encoded(name, one.start), Encoded(value, (one.end or 0) - len(value)) if equals else None)
        for one, name, equals, value in split
    )


def full_pairs(written: Encoded | None, separator: str, skip: int = 0) -> FullPairs:
    """Split text as `pairs_of` does; a value is empty without "="."""
    found = pairs_of(written, separator, skip)
    return tuple((one, Encoded("", one.end) if two is None else two) for one, two in found)


def _trusted_field(kind: type[_E], text: str, start: int | None = None) -> _E:
    """Make a field without checking it, of text that a parser has read as that kind."""
    field = str.__new__(kind, text)
    field._start = start  # noqa: SLF001 - the constructor checks, and this is for checked text
    return field


def octet_offset(text: str, index: int) -> int:
    """Where in valid encoded text the octet with that index is written, in characters."""
    at = octets = 0
    while octets < index:
        octets += 1 if text[at].isascii() else len(text[at].encode())
        at += 3 if text[at] == "%" else 1
    return at


def first_octet(text: str, octets: frozenset[int]) -> tuple[int, int] | None:
    """Find the first octet among `octets` that valid encoded text represents: (offset, octet)."""
    for index, octet in enumerate(unquote_to_bytes(text)):
        if octet in octets:
            return octet_offset(text, index), octet
    return None


def encode(
    data: Data, rule: str = "unreserved", *, reserved: str = "", grammar: str = "rfc1738"
) -> str:
    """Write data so that it decodes to itself and no octet has a role.

    data: octets, or text, which is taken as UTF-8.
    rule: of the grammar: the characters of its texts stay raw; the default writes every octet as a
        triplet that may have to be one.
    reserved: characters of these which have a role where the data goes, and so become triplets.

    EncodingError if text cannot be UTF-8 (a lone surrogate).

    >>> encode("a b/c"), encode("a:b@c/d", "fsegment"), encode("~")
    ('a%20b%2Fc', 'a:b@c%2Fd', '%7E')
    """
    plain = as_data(data)
    octets = octets_of(plain) if isinstance(plain, str) else plain
    return "".join(map(_table(rule, reserved, grammar).__getitem__, octets))


def canonical(text: Text, rule: str = "unreserved", *, reserved: str = "") -> str:
    """Return the spelling that all equivalent spellings of a field share (RFC 1738 section 2.2).

    Triplets of characters that `encode` would leave raw are decoded, the others get upper-case
    digits; raw characters stay as they are. EncodingError for a malformed triplet.

    >>> canonical("%61%24%2fb~"), canonical("%3f", "fsegment")
    ('a$%2Fb~', '?')
    """
    text = as_text(text)
    unquote_to_bytes(text)  # which refuses malformed triplets
    table = _table(rule, reserved, "rfc1738")
    first, *rest = text.split("%")
    return "".join([first, *(table[int(part[:2], 16)] + part[2:] for part in rest)])


def octets_of(text: str, errors: str = "strict") -> bytes:
    """Return text as UTF-8, by `errors`; EncodingError for a lone surrogate it does not take."""
    try:
        return text.encode("utf-8", errors)
    except UnicodeEncodeError as error:
        start = error.start
    raise EncodingError(
        f"U+{ord(text[start]):04X} at offset {start} is not a character: it has no UTF-8",
        text=text,
        offset=start,
    )


@cache
def _table(rule: str, reserved: str, grammar: str) -> tuple[str, ...]:
    known = rule_expressions(grammar)
    raw = alphabet(known, rule) - {"%"} if rule in known else charset(rule, grammar)
    return spelled_octets(raw - frozenset(reserved))


# Hosts of RFC 1738 (section 3.1), and a looser kind for the names that people have given since.
#
# RFC 1738 has domain names whose last label begins with a letter, and four decimal numbers. It
# has no trailing dot, no underscore, no triplets and no IPv6 address.


class URIHost(Encoded):
    """A host of RFC 3986 (section 3.2.2) as written, brackets included; may be empty.

    kind: the host as `uriparse.parse` returns it, of the first kind that fits.
    address: as a value of `ipaddress`; None for a name and an address of the future.
    problems: what keeps it from being a name of the DNS, as of any `Host`; empty for addresses.

    >>> from uriparse.schemes import parse_url
    >>> host = parse_url("http://[::1]/").host
    >>> host, host.address, host.kind
    ('[::1]', IPv6Address('::1'), IPv6('[::1]'))
    """

    __slots__ = ()

    kind: hosts.Host = derived(lambda host: hosts.read_host(str(host)))
    address: IPv4Address | IPv6Address | None = derived(lambda host: host.kind.address)
    problems: tuple[str, ...] = derived(lambda host: host.kind.problems)


class _CheckedHost(URIHost):
    """A host of one kind. ComponentError for a text that its rule does not derive."""

    __slots__ = ()
    _rule: ClassVar[str]
    _grammar: ClassVar[str] = "rfc1738"

    def __new__(cls, text: str, start: int | None = None) -> Self:
        """Check and keep the text."""
        plain = as_str(text, "text")
        if not plain or fullmatch(cls._rule, cls._grammar)(plain) is None:
            raise unfit(
                "host",
                f"the text is not a {cls.__name__}, by the rule {cls._rule} of {cls._grammar}",
                cls._rule,
                value=plain,
            )
        return _trusted_field(cls, plain, start)


class HostName(_CheckedHost):
    """A domain name (rule `hostname`). ComponentError for another text.

    >>> HostName("info.cern.ch").labels
    ('info', 'cern', 'ch')
    """

    __slots__ = ()
    _rule = "hostname"
    labels: tuple[str, ...] = derived(lambda host: tuple(host.split(".")))


class HostNumber(_CheckedHost):
    """Four groups of digits (rule `hostnumber`), which need not be below 256.

    ComponentError for another text.

    >>> HostNumber("10.0.0.1").address, HostNumber("999.0.0.1").address
    (IPv4Address('10.0.0.1'), None)
    """

    __slots__ = ()
    _rule = "hostnumber"


class RelaxedHost(_CheckedHost):
    """A host that RFC 3986 allows and RFC 1738 does not, taken with `relaxed_host`.

    ComponentError for a text that not even RFC 3986 allows, and for an empty one.

    >>> RelaxedHost("my_host.example.").problems
    ('trailing dot', 'underscore')
    """

    __slots__ = ()
    _rule = "host"
    _grammar = "rfc3986"


Host: TypeAlias = HostName | HostNumber | RelaxedHost | URIHost
"""The host of a URL, a `str`; records of today's schemes hold a `URIHost` proper."""

HOST_KINDS: Final[dict[str, type[Host]]] = {"hostname": HostName, "hostnumber": HostNumber}
"""The rules of hosts in RFC 1738, and the class of each."""


def read_host(text: str) -> Host | None:
    """Return a host as the class that fits; None for an empty or invalid one (RFC 3986)."""
    for rule, kind in HOST_KINDS.items():
        if fullmatch(rule, "rfc1738")(text):
            return _trusted_field(kind, text)
    if not text or fullmatch("host")(text) is None:
        return None
    return _trusted_field(RelaxedHost, text)
