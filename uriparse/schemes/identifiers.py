"""Schemes of names and of what programs hold: did, about, blob, magnet and otpauth."""

from __future__ import annotations

from typing import ClassVar

from uriparse._base.coerce import derived
from uriparse.percent import fold_triplets
from uriparse.schemes.constraints import Constraint, required, value_of
from uriparse.schemes.encoding import Encoded, FullPairs, Parts, full_pairs
from uriparse.schemes.fields import url_field
from uriparse.schemes.from_abnf import GrammarURI

__all__ = ["AboutURI", "BlobURL", "DidURL", "MagnetURI", "OtpauthURI"]


class DidURL(GrammarURI):
    """`did:method:identifier/path?query` (W3C, Decentralized Identifiers 1.0).

    path: begins with "/" or is empty. query: None without "?".

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("did:example:123456/path?versionId=1#public-key-0", registry=CURRENT)
    >>> url.method, url.identifier, url.path, url.query, url.fragment
    ('example', '123456', '/path', 'versionId=1', 'public-key-0')
    """

    method: Encoded = url_field("method-name")
    identifier: Encoded = url_field("method-specific-id")
    path: Encoded = url_field("path-abempty")
    query: Encoded | None = url_field("query")

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share: "~" is `%7E`, though the name has only the triplet."""
        return (fold_triplets(str(*super().identity())),)


class AboutURI(GrammarURI):
    """`about:token?query` (RFC 6694), such as `about:blank`.

    token: may be empty. query: None without "?".
    """

    token: Encoded = url_field("about-token")
    query: Encoded | None = url_field("query")


class BlobURL(GrammarURI):
    """`blob:origin/identifier` (W3C, File API): an object in the memory of a browser.

    origin: "null", or scheme, host and port of the page that made it.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("blob:https://example.org/9115d58c-bcda-ff47", registry=CURRENT)
    >>> url.origin, url.identifier
    ('https://example.org', '9115d58c-bcda-ff47')
    """

    origin: Encoded = url_field("origin")
    identifier: Encoded = url_field("identifier")


class MagnetURI(GrammarURI):
    """`magnet:?xt=...&dn=...`: a file by what it holds.

    parameters: pairs of name and value, as written; written_parameters: their text.
    topics: what is wanted: the values of "xt", and of "xt.1" and so on.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("magnet:?xt=urn:btih:c12fe1c0&dn=a%20b&tr=udp%3A%2Ft.d", registry=CURRENT)
    >>> url.topics, url.parameters[1][1].decoded
    (('urn:btih:c12fe1c0',), 'a b')
    """

    written_parameters: Encoded = url_field("magnet-params", shown=("parameters",))
    parameters: FullPairs = derived(lambda url: full_pairs(url.written_parameters, "&"))
    topics: Parts = derived(
        lambda url: tuple(value for name, value in url.parameters if name.split(".")[0] == "xt")
    )


class OtpauthURI(GrammarURI):
    """`otpauth://type/issuer:account?secret=...`: a key of one-time passwords.

    otp_type: "totp" or "hotp", in any letter case. issuer: None without ":". account: as written,
    without the spaces (`%20`) before it. parameters: pairs of name and value, as written; a secret
    is required, and a counter for "hotp". secret: the key, in base32, which `repr` masks.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("otpauth://totp/ACME%20Co:john@example.com?secret=HXDM&issuer=ACME%20Co",
    ...     registry=CURRENT)
    >>> url, url.issuer.decoded, url.account
    (<OtpauthURI 'otpauth://totp/ACME%20Co:john@example.com?secret=***&issuer=ACME%20Co'>, \
'ACME Co', 'john@example.com')
    """

    SECRET: ClassVar[str] = "secret"
    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        required("Key Uri Format, Secret", "secret"),
        required("Key Uri Format, Counter", "counter", where=("otp_type", "hotp")),
    )
    otp_type: Encoded = url_field("otp-type")
    issuer: Encoded | None = url_field("issuer")
    account: Encoded = url_field("account")
    written_parameters: Encoded | None = url_field("parameters", shown=("parameters",))
    parameters: FullPairs = derived(lambda url: full_pairs(url.written_parameters, "&"))
    secret: Encoded | None = derived(lambda url: value_of(url, "secret"))

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share: the fields, with the parameters in any order."""
        pairs = frozenset((name.octets, value.octets) for name, value in self.parameters)
        issuer = None if self.issuer is None else self.issuer.octets
        return (self.otp_type.lower(), issuer, self.account.octets, pairs)
