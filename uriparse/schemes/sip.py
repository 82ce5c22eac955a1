"""sip and sips URIs (RFC 3261 section 19.1): whom to call, and how."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Self

from uriparse.components.normal_form import normal_host
from uriparse.components.servers import significant
from uriparse.schemes import url_parts
from uriparse.schemes.constraints import Constraint, once, together, value_of, valued, within
from uriparse.schemes.current_uri import AuthorityURI, ParametersURI
from uriparse.schemes.encoding import Encoded, full_pairs
from uriparse.schemes.fields import url_field


class CallURI(ParametersURI, AuthorityURI):
    """The syntax that sip and sips share: a `SipURI` or a `SipsURI`.

    user, password: None where absent; a password is not recommended, for all can read it.
    host: a name, an IPv4 address, or an IPv6 address in brackets.
    port: the digits as written; None without ":".
    parameters: pairs of name and value as written, in their order; the value is None without "=".
    headers: pairs of name and value as written, in their order.
    """

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        once("RFC 3261 section 19.1.1"),
        *(
            valued("RFC 3261 section 25.1", name, rule, "rfc3261")
            for name, rule in (
                *(("transport", "other-transport"), ("user", "other-user")),
                *(("method", "extension-method"), ("ttl", "ttl"), ("maddr", "host"), ("lr", None)),
            )
        ),
        within("RFC 3261 section 25.1", "parameters", lambda url: value_of(url, "ttl"), 0, 255),
        together("RFC 3261 section 19.1.1", "ttl", "maddr"),
    )
    user: Encoded | None = url_field("user", first=True)
    password: Encoded | None = url_field("password", first=True)
    written_parameters: Encoded = url_field("uri-parameters", shown=("parameters",))
    written_headers: Encoded | None = url_field("headers", shown=("headers",))

    @property
    def headers(self) -> tuple[tuple[Encoded, Encoded], ...]:
        """The header fields of the request to be made, and "body" for its body."""
        return full_pairs(self.written_headers, "&", 1)

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
