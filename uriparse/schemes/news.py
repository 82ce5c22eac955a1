"""news and nntp: newsgroups and their articles (RFC 1738 sections 3.6 and 3.7, RFC 5538)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, Self, TypeAlias

from uriparse._base.coerce import as_optional_str, derived
from uriparse.components.servers import number, significant
from uriparse.errors import unfit
from uriparse.grammar.matchers import fullmatch
from uriparse.schemes import current_uri, url_parts
from uriparse.schemes.encoding import HOST_KINDS, Encoded, Host, Parts, canonical, parts_of
from uriparse.schemes.fields import Found, url_field
from uriparse.schemes.url import URL, ServerURL

Kind: TypeAlias = Literal["all", "group", "article"]

ALL = "*"
"""Stands for all newsgroups that are there."""


class NewsURL(URL):
    """`news:group`, `news:message-id` or `news:*`; names news wherever a reader gets them.

    grouppart: what follows ":", as written.
    domain: the host after the "@" of a message id; None if there is none.
    kind: what the URL names; an article has an "@", a group has not.
    group: the name of a newsgroup; None if the URL names none.
    group_components: the levels of the newsgroup's name; none if the URL names none.
    message_id: that of an article as octets, without angle brackets; None if there is none.

    >>> from uriparse.schemes import RFC1738, parse_url
    >>> url = parse_url("news:4234@h.dom", registry=RFC1738)
    >>> url.kind, url.unique, url.domain, url.group
    ('article', '4234', 'h.dom', None)
    >>> parse_url("news:comp.infosystems.www.misc", registry=RFC1738).group_components
    ('comp', 'infosystems', 'www', 'misc')
    """

    UNREAD: ClassVar[tuple[str, ...]] = ("grouppart", "group")
    HOST_FIELD: ClassVar[str] = "domain"
    grouppart: Encoded = url_field(shown=("kind", "group", "unique"))
    domain: Host | None = url_field(kind=HOST_KINDS)
    kind: Kind = derived(
        lambda url: "article" if url.domain else "all" if url.grouppart == ALL else "group"
    )
    group: Encoded | None = derived(lambda url: url.grouppart if url.kind == "group" else None)
    group_components: Parts = derived(lambda url: parts_of(url.group, "."))
    message_id: bytes | None = derived(lambda url: url.domain and url.grouppart.octets)

    @property
    def unique(self) -> Encoded | None:
        """The message id before its "@", as written; None if the URL names no article."""
        if self.domain is None:
            return None
        size = len(self.grouppart) - len(self.domain) - len("@")
        return Encoded(self.grouppart[:size], self.grouppart.start)

    @property
    def is_message_id(self) -> bool:
        """Whether an article is named, by an id that RFC 1036 allows, too (section 2.1.5).

        The rule of RFC 1738 is stricter about domains and looser about the rest.

        >>> from uriparse.schemes import RFC1738, parse_url
        >>> texts = ["news:" + text for text in ("1@h.d", "a%20b@h.d", "a.b")]
        >>> [parse_url(text, registry=RFC1738).is_message_id for text in texts]
        [True, False, False]
        """
        text = (self.message_id or b"").decode("latin-1")
        return fullmatch("message-id", "rfc822")(text) is not None

    @classmethod
    def from_parts(
        cls,
        *,
        group: str | None = None,
        unique: url_parts.Data | None = None,
        domain: str | None = None,
        fragment: url_parts.Data | None = None,
        registry: url_parts.Schemes | None = None,
    ) -> Self:
        """Make a URL of a group's name, of the parts of a message id, or of neither for all.

        A group's name has no encoding.

        >>> NewsURL.from_parts(unique="a/b<c>", domain="h.d"), NewsURL.from_parts()
        (<NewsURL 'news:a/b%3Cc%3E@h.d'>, <NewsURL 'news:*'>)
        """
        group = as_optional_str(group, "group")
        if (unique is None) != (domain is None) or (group is not None and unique is not None):
            raise unfit(
                "unique", "a message id has a unique part and a domain, and no group", "grouppart"
            )
        scheme = url_parts.own_scheme(cls, registry)
        if unique is None or domain is None:
            text = f"{cls.SCHEME}:{ALL if group is None else group}"
            return url_parts.checked(cls, text, fragment, {"group": group}, scheme)
        domain = url_parts.as_host(domain, "domain")
        url_parts.server(domain, None, scheme)
        first = url_parts.written(unique, "xchar", "unique", reserved="@")
        expected = {"unique": first, "domain": domain}
        return url_parts.checked(cls, f"{cls.SCHEME}:{first}@{domain}", fragment, expected, scheme)

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Add what follows ":"."""
        start = url.index(":") + 1
        found["grouppart"] = Encoded(url[start:], start)

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share; the domain of a message id ignores letter case."""
        if self.domain is None:
            return (str(self.grouppart), None)
        return canonical(self.unique or "", "xchar", reserved="@"), self.domain.lower()


class NntpURL(ServerURL):
    """`nntp://host:port/group/article`, port 119 by default.

    group: the newsgroup's name.
    digits: the article's number as written; None where none is.
    article: the same as a number; ComponentError for more than 20 digits.

    >>> from uriparse.schemes import RFC1738, parse_url
    >>> url = parse_url("nntp://h.d/g.r/12", registry=RFC1738)
    >>> url.group, url.article, url.effective_port
    ('g.r', 12, 119)
    """

    _WRITTEN: ClassVar[Mapping[str, str]] = {"article": "digits"}
    group: Encoded = url_field("group")
    digits: Encoded | None = url_field("digits", "article-number", shown=("article",))
    article: int | None = derived(lambda url: url.digits and number(url.digits, "article"))

    @classmethod
    def from_parts(
        cls,
        *,
        host: str,
        port: int | str | None = None,
        userinfo: url_parts.Data | None = None,
        group: url_parts.Data,
        article: int | str | None = None,
        fragment: url_parts.Data | None = None,
        registry: url_parts.Schemes | None = None,
    ) -> Self:
        """Make a URL of a group's name, and an article's number or its digits perhaps.

        userinfo: of today's URIs alone. By RFC 1738, a group's name has no encoding.

        >>> NntpURL.from_parts(host="h.d", group="comp.lang.c", article=7)
        <NntpURL 'nntp://h.d/comp.lang.c/7'>
        >>> NntpURI.from_parts(host="[::1]", group="a/b", article=7)
        <NntpURI 'nntp://[::1]/a%2Fb/7'>
        """
        scheme = url_parts.own_scheme(cls, registry)
        digits = None if article is None else url_parts.number_or_digits(article, "article")
        fields = {"userinfo": userinfo, **url_parts.server(host, port, scheme)}
        fields |= {"group": group, "digits": None if digits is None else Encoded(digits)}
        return url_parts.made(cls, scheme, fragment, fields, needs=("group",))

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share."""
        digits = None if self.digits is None else significant(self.digits)
        return (*self._server(), self.group.octets, digits)


URIKind: TypeAlias = Literal["all", "groups", "group", "article"]


class NewsURI(current_uri.UserinfoURI):
    """`news:article` or `news:newsgroups`, either with `//authority/` before it (RFC 5538).

    userinfo, host, port: of the server to ask; all None where it is the reader's own.
    article: a message id without angle brackets, as written; None for newsgroups.
    newsgroups: the name of a newsgroup, or a pattern in which "*" and "?" (which is always
        written `%3F`) are wildcards, as written; None for an article.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("news://h.d/p06@%5B10.0.0.1%5D")
    >>> url.kind, url.host, url.article.decoded, url.newsgroups
    ('article', 'h.d', 'p06@[10.0.0.1]', None)
    >>> [parse_url(f"news:{text}").kind for text in ("a.b", "a.*", "a%3F", "")]
    ['group', 'groups', 'groups', 'all']
    """

    article: Encoded | None = url_field("article", characters="pchar", reserved=current_uri.NO_ATOM)
    newsgroups: Encoded | None = url_field("newsgroups")

    @property
    def kind(self) -> URIKind:
        """What the URI names: an article, one newsgroup, those of a pattern, or all."""
        if self.newsgroups is None:
            return "article"
        pattern = self.newsgroups.octets
        if pattern in {b"", b"*"}:
            return "all"
        return "groups" if b"*" in pattern or b"?" in pattern else "group"

    @classmethod
    def from_parts(
        cls,
        *,
        host: str | None = None,
        port: int | str | None = None,
        userinfo: url_parts.Data | None = None,
        article: url_parts.Data | None = None,
        newsgroups: url_parts.Data | None = None,
        fragment: url_parts.Data | None = None,
        registry: url_parts.Schemes | None = None,
    ) -> Self:
        """Make a URI of an article's id, of a newsgroup or a pattern, or of neither for all groups.

        host: of the server, as written; None for the reader's own.

        "*" in a pattern stays. ComponentError for an id without "@" or with its angle brackets, and
        for an article and newsgroups at once.

        >>> str(NewsURI.from_parts(article="p06@[10.0.0.1]"))
        'news:p06@%5B10.0.0.1%5D'
        >>> NewsURI.from_parts(host="h.d", newsgroups="a.*")
        <NewsURI 'news://h.d/a.*'>
        """
        scheme = url_parts.own_scheme(cls, registry)
        asked = "" if newsgroups is None and article is None else newsgroups
        fields = {"userinfo": userinfo, "host": None, "port": port}
        if host is not None:
            fields |= url_parts.server(host, port, scheme)
        return url_parts.made(
            cls, scheme, fragment, {**fields, "article": article, "newsgroups": asked}
        )

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Add the newsgroups where nothing is written: all of them."""
        del url
        if found.keys().isdisjoint(("article", "newsgroups")):
            found["newsgroups"] = Encoded("")

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share: the server, and what is asked of it by whom."""
        asked = self.article if self.newsgroups is None else self.newsgroups
        octets = b"" if asked is None or self.kind == "all" else asked.octets
        return (current_uri.login_octets(self.userinfo), *self._server(), self.kind, octets)


class NntpURI(current_uri.AuthorityURI, NntpURL):
    """`nntp://host:port/group` or `nntp://host:port/group/article` (RFC 5538), port 119 by default.

    userinfo: what comes before "@" in the authority; None without "@".
    group: the newsgroup's name as written. The others are those of `NntpURL`.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("nntp://wild.server.example/example.group.n%2Fa/12345")
    >>> url.group.decoded, url.article
    ('example.group.n/a', 12345)
    """

    userinfo: Encoded | None = url_field("userinfo", first=True)

    password = current_uri.UserinfoURI.password

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share."""
        return (current_uri.login_octets(self.userinfo), *NntpURL.identity(self))
