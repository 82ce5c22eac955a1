"""Schemes of mail and messages: imap, ldaps, xmpp, sms, cid, mid and acct."""

from __future__ import annotations

from typing import ClassVar

from uriparse._base.coerce import derived
from uriparse.components.normal_form import normal_host
from uriparse.percent import fold_triplets
from uriparse.schemes.calls import subscriber
from uriparse.schemes.constraints import Constraint, in_utf8, once
from uriparse.schemes.current_uri import AuthorityURI
from uriparse.schemes.encoding import Encoded, FullPairs, Parts, URIHost, full_pairs, pairs_of
from uriparse.schemes.fields import url_field
from uriparse.schemes.from_abnf import GrammarURI
from uriparse.schemes.ldap import LdapURL

__all__ = ["AcctURI", "CidURL", "ImapURL", "LdapsURL", "MidURL", "SmsURI", "XmppURI"]


class ImapURL(GrammarURI, AuthorityURI):
    """`imap://user;AUTH=type@host:port/mailbox;UIDVALIDITY=n/;UID=n/;SECTION=s` (RFC 5092).

    user, auth_type: None where absent; "*" is any type. mailbox: None for the server itself.
    uidvalidity, uid, section, partial: None where absent. search: after "?"; None without it.
    urlauth: ";EXPIRE=" and ";URLAUTH=" with all that follows; None without.
    urlauth_token: the last part of it, which authorizes; it is a secret, and masked in `repr`.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("imap://fred;AUTH=*@h.d/gray-council;UIDVALIDITY=385759045/;UID=20/;PARTIAL=0.1024",
    ...     registry=CURRENT)
    >>> url.user, url.auth_type, url.mailbox, url.uidvalidity, url.uid, url.partial
    ('fred', '*', 'gray-council', '385759045', '20', '0.1024')
    """

    SECRET: ClassVar[str] = "urlauth_token"
    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        in_utf8("RFC 5092 section 8", "user", "mailbox"),
    )
    user: Encoded | None = url_field("enc-user", first=True)
    auth_type: Encoded | None = url_field("auth-type", "lone-auth-type", first=True)
    mailbox: Encoded | None = url_field("enc-mailbox")
    uidvalidity: Encoded | None = url_field("uidvalidity")
    search: Encoded | None = url_field("enc-search")
    uid: Encoded | None = url_field("iuid")
    section: Encoded | None = url_field("enc-section")
    partial: Encoded | None = url_field("partial-range")
    urlauth: Encoded | None = url_field("iurlauth")
    urlauth_token: Encoded | None = derived(lambda url: url.urlauth and url.urlauth.parts(":")[-1])

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share: fields, with names such as ";UID=" in any case.

        The "*" that stands for any mechanism is never a triplet (RFC 5092 section 3.2).
        """
        others = self.FIELDS.keys() - {"host", "port", "urlauth"}
        fields = (getattr(self, name) for name in sorted(others))
        octets = (None if each is None else each.octets for each in fields)
        access = ((name.lower(), value.octets) for name, value in full_pairs(self.urlauth, ";", 1))
        return (*self._server(), self.auth_type == "*", *octets, *access)


class LdapsURL(LdapURL):
    """As `LdapURL`, over TLS, port 636 by default."""


class XmppURI(GrammarURI):
    """`xmpp:node@host/resource?query`, or `xmpp://account/node@host/resource?query` (RFC 5122).

    account: as whom to connect; None without "//". node, host, resource: whom to reach.
    query: the action and its pairs, as written; None without "?".
    query_type: what to do, such as "message" or "subscribe"; None without a query.
    pairs: pairs of key and value of the query, as written.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("xmpp:romeo@montague.net?message;subject=Test", registry=CURRENT)
    >>> url.node, url.host, url.query_type, url.pairs
    ('romeo', 'montague.net', 'message', (('subject', 'Test'),))
    """

    account: Encoded | None = url_field("authxmpp", "authonly")
    node: Encoded | None = url_field("nodeid")
    host: URIHost | None = url_field("host", kind=URIHost)
    resource: Encoded | None = url_field("resid")
    query: Encoded | None = url_field("querycomp")
    query_type: Encoded | None = derived(lambda url: url.query and url.query.parts(";")[0])
    pairs: FullPairs = derived(lambda url: full_pairs(url.query, ";")[1:])

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share: addresses, of which only resources have a case.

        A dot at the end of a host says nothing (RFC 7622 sections 3.2 and 3.3).
        """
        account = (None, None) if self.account is None else self.account.parts("@")
        resource = None if self.resource is None else self.resource.octets
        query = None if self.query is None else fold_triplets(self.query)
        return (_address(*account), _address(self.node, self.host), resource, query)


def _address(node: Encoded | None, host: Encoded | None) -> tuple[bytes | None, str | None]:
    name = None if node is None else node.octets.lower()
    if host is None:
        return name, None
    lower = normal_host(host)
    return name, lower.removesuffix(".") or lower


class SmsURI(GrammarURI):
    """`sms:number,number?body=text` (RFC 5724).

    written_recipients, written_fields: as written; the fields are None without "?".
    recipients: the telephone numbers, each as a tel URI has it.
    fields: pairs of name and value, as written.
    body: the text of the message, decoded; None without one.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("sms:+15105550101,+15105550102?body=hello%20there", registry=CURRENT)
    >>> url.recipients, url.body
    (('+15105550101', '+15105550102'), 'hello there')
    """

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        once("RFC 5724 section 2.2", "body", field="fields"),
        in_utf8("RFC 5724 section 2.2", "written_fields"),
    )
    written_recipients: Encoded = url_field("sms-hier-part")
    written_fields: Encoded | None = url_field("sms-fields")
    recipients: Parts = derived(lambda url: url.written_recipients.parts(","))
    fields: FullPairs = derived(lambda url: full_pairs(url.written_fields, "&"))
    body: str | None = derived(
        lambda url: next(
            (value.decoded for key, value in url.fields if key.lower() == "body"), None
        )
    )

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share (section 2.4): recipients in any order, and fields."""
        parts = (each.partition(";") for each in self.recipients)
        whom = frozenset(
            subscriber(number, pairs_of(Encoded(written), ";")) for number, _, written in parts
        )
        return (whom, tuple((key.octets, value.octets) for key, value in self.fields))


class CidURL(GrammarURI):
    """`cid:content-id` (RFC 2392): a part of the same message.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> parse_url("cid:foo4%25foo1@bar.net", registry=CURRENT).content_id.decoded
    'foo4%foo1@bar.net'
    """

    content_id: Encoded = url_field("content-id")


class MidURL(GrammarURI):
    """`mid:message-id/content-id` (RFC 2392): a message, or a part of it.

    content_id: None without "/".

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("mid:960830.1639@XIson.com/partA.960830.1639@XIson.com", registry=CURRENT)
    >>> url.message_id, url.content_id
    ('960830.1639@XIson.com', 'partA.960830.1639@XIson.com')
    """

    message_id: Encoded = url_field("message-id")
    content_id: Encoded | None = url_field("content-id")


class AcctURI(GrammarURI):
    """`acct:user@host` (RFC 7565): an account at a service.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("acct:juliet%40capulet.example@shoppingsite.example", registry=CURRENT)
    >>> url.user.decoded, url.host
    ('juliet@capulet.example', 'shoppingsite.example')
    """

    user: Encoded = url_field("userpart")
    host: URIHost = url_field("host", kind=URIHost)

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share: the user, and the host in any letter case."""
        return (self.user.octets, normal_host(self.host))
