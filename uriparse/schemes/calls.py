"""tel, sip and sips: a telephone number, and whom to call (RFC 3966, RFC 3261)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Self

from uriparse._base.coerce import as_str, derived
from uriparse.components.normal_form import normal_host
from uriparse.components.servers import significant
from uriparse.grammar.matchers import fullmatch
from uriparse.percent import fold_triplets
from uriparse.schemes import constraints, url_parts
from uriparse.schemes.constraints import Constraint, value_of
from uriparse.schemes.current_uri import AuthorityURI, ParametersURI
from uriparse.schemes.encoding import Encoded, FullPairs, Pairs, full_pairs
from uriparse.schemes.fields import Found, url_field
from uriparse.schemes.url import SchemeCause
from uriparse.schemes.url_parts import Data, Schemes, checked, written_pairs

_SEPARATORS = str.maketrans("", "", "-.()")
"""Written for people, and nothing to a telephone."""


class TelURI(ParametersURI):
    """`tel:number;name=value...`.

    number: as written, with "+" before a global one.
    parameters: pairs of name and value as written, in their order; the value is None without "=".
    is_global: whether the number is unique in the world; a local one has a context.
    digits: the number without what is there for people to read it.
    context: where a local number is valid: a domain, or the first digits of a global number.
    extension, isdn_subaddress: what follows the number; None where absent.

    A "#" is a key of the telephone here, and begins no fragment.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("tel:863-1234;phone-context=+1-914-555")
    >>> url.is_global, url.digits, url.context
    (False, '8631234', '+1-914-555')
    >>> parse_url("tel:+1-201-555-0123;ext=12").extension
    '12'
    """

    COMPLETED: ClassVar[tuple[str, ...]] = ("global-number", "local-number")
    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        constraints.once("RFC 3966 section 3"),
        constraints.apart("RFC 3966 section 5.3", "ext", "isub"),
        constraints.ordered("RFC 3966 section 3", "ext|isub", "phone-context", sorted_rest=True),
        constraints.valued("RFC 3966 section 3", "ext", "extension", "rfc3966", whole=True),
        constraints.valued("RFC 3966 section 3", "isub", "isdn-subaddress", "rfc3966", whole=True),
        constraints.valued("RFC 3966 section 3", "phone-context", "context", "rfc3966", whole=True),
    )
    number: Encoded = url_field()
    written_parameters: Encoded = url_field(shown=("parameters",))
    is_global: bool = derived(lambda url: url.number.startswith("+"))
    digits: str = derived(lambda url: url.number.translate(_SEPARATORS))
    context: Encoded | None = derived(lambda url: value_of(url, "phone-context"))
    extension: Encoded | None = derived(lambda url: value_of(url, "ext"))
    isdn_subaddress: Encoded | None = derived(lambda url: value_of(url, "isub"))

    @classmethod
    def cause(cls, url: str, offset: int) -> SchemeCause | None:
        """Recognize a local number without its context, or with it in another place."""
        if ";phone-context=" in url[:offset].lower():
            return None
        for end in (offset, url.rfind(";", 0, offset)):
            number = f"{url[len('tel:') : end]};phone-context=a"
            if end > 0 and fullmatch("local-number", "rfc3966")(number):
                return SchemeCause("no-context", "context")
        return None

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Split the number and its parameters, which begin with the first ";"."""
        del url
        whole = found.pop("global_number", None) or found.pop("local_number")
        if isinstance(whole, Encoded):
            at, end = whole.start or 0, whole.find(";") if ";" in whole else len(whole)
            found["number"] = Encoded(whole[:end], at)
            found["written_parameters"] = Encoded(whole[end:], at + end if whole[end:] else None)

    @classmethod
    def from_parts(
        cls,
        *,
        number: str,
        parameters: Iterable[tuple[Data, Data | None]] = (),
        registry: Schemes | None = None,
    ) -> Self:
        """Make a URI of a number and its parameters, pairs of name and value.

        number: a global one begins with "+", a local one needs a "phone-context".
        parameters: in their order, in which "ext" or "isub" is first, and "phone-context" next;
            the value is None for one without "=".

        >>> TelURI.from_parts(number="863-1234", parameters=[("phone-context", "+1-914-555")])
        <TelURI 'tel:863-1234;phone-context=+1-914-555'>
        """
        text = written_pairs(cls, ("pname", "pvalue"), parameters)
        expected = {"number": as_str(number, "number"), "written_parameters": text}
        return checked(cls, f"tel:{number}{text}", None, expected, registry)

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share (section 4).

        Visual separators and letter case mean nothing, nor does the order of parameters.
        """
        return subscriber(self.number, self.parameters)


def subscriber(number: str, parameters: Pairs) -> tuple[object, ...]:
    """Return what two forms of a telephone number share, as in URIs of tel and of sms."""
    found = set()
    for name, value in parameters:
        key, text = name.lower(), None if value is None else fold_triplets(value).lower()
        if text and (key == "ext" or (key == "phone-context" and text.startswith("+"))):
            text = text.translate(_SEPARATORS)
        found.add((key, text))
    return number.translate(_SEPARATORS).lower(), frozenset(found)


class CallURI(ParametersURI, AuthorityURI):
    """The syntax that sip and sips share: a `SipURI` or a `SipsURI`.

    user, password: None where absent; a password is not recommended, for all can read it.
    host: a name, an IPv4 address, or an IPv6 address in brackets.
    port: the digits as written; None without ":".
    parameters: pairs of name and value as written, in their order; the value is None without "=".
    headers: pairs as written, the header fields of the request to be made, and "body" for its body.
    """

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        constraints.once("RFC 3261 section 19.1.1"),
        *(
            constraints.valued("RFC 3261 section 25.1", name, rule, "rfc3261")
            for name, rule in (
                *(("transport", "other-transport"), ("user", "other-user")),
                *(("method", "extension-method"), ("ttl", "ttl"), ("maddr", "host"), ("lr", None)),
            )
        ),
        constraints.within(
            "RFC 3261 section 25.1", "parameters", lambda url: value_of(url, "ttl"), 0, 255
        ),
        constraints.together("RFC 3261 section 19.1.1", "ttl", "maddr"),
    )
    user: Encoded | None = url_field("user", first=True)
    password: Encoded | None = url_field("password", first=True)
    written_parameters: Encoded = url_field("uri-parameters", shown=("parameters",))
    written_headers: Encoded | None = url_field("headers", shown=("headers",))
    headers: FullPairs = derived(lambda url: full_pairs(url.written_headers, "&", 1))

    @classmethod
    def from_parts(
        cls,
        *,
        host: str,
        user: url_parts.Data | None = None,
        password: url_parts.Data | None = None,
        port: int | str | None = None,
        parameters: Iterable[tuple[url_parts.Data, url_parts.Data | None]] = (),
        headers: Iterable[tuple[url_parts.Data, url_parts.Data | None]] = (),
        registry: url_parts.Schemes | None = None,
    ) -> Self:
        """Make a URI of data; parameters and headers are pairs of name and value.

        >>> SipURI.from_parts(user="a b", host="h.d", parameters=[("lr", None)])
        <SipURI 'sip:a%20b@h.d;lr'>
        """
        text = url_parts.written_pairs(cls, ("pname", "pvalue"), parameters)
        asked = url_parts.written_pairs(cls, ("hname", "hvalue"), headers, before="&")
        scheme = url_parts.own_scheme(cls, registry)
        fields = {"user": user, "password": password, **url_parts.server(host, port, scheme)}
        fields["written_parameters"] = Encoded(text)
        fields["written_headers"] = Encoded(f"?{asked[1:]}") if asked else None
        return url_parts.made(cls, scheme, None, fields)

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share (section 19.1.4).

        Letter case means nothing but in user and password, the order of parameters and of headers
        nothing either. A parameter that only one of two URIs has makes them differ here, where the
        RFC looks at the common ones alone: what it defines is not an equivalence.
        """
        return (
            None if self.user is None else self.user.octets,
            None if self.password is None else self.password.octets,
            None if self.host is None else normal_host(self.host),
            None if self.port is None else significant(self.port),
            frozenset(
                (name.octets.lower(), None if value is None else value.octets.lower())
                for name, value in self.parameters
            ),
            frozenset((name.octets.lower(), value.octets) for name, value in self.headers),
        )


class SipURI(CallURI):
    """`sip:user:password@host:port;parameters?headers`, port 5060 by default.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("sip:alice@atlanta.com;maddr=239.255.255.1;ttl=15")
    >>> url.user, url.host, url.parameters
    ('alice', 'atlanta.com', (('maddr', '239.255.255.1'), ('ttl', '15')))
    """


class SipsURI(CallURI):
    """As `SipURI`, with TLS all the way, port 5061 by default."""
