"""news and nntp URIs (RFC 5538): articles and newsgroups, on a server or on any."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias

from uriparse.errors import ComponentError
from uriparse.schemes.current.generic import (
    NO_ATOM,
    CurrentURI,
    HostTransformer,
    UserinfoURI,
    described,
    login_octets,
    password_of,
)
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.parts import (
    Data,
    checked,
    number_or_digits,
    own_scheme,
    server_parts,
    written,
)
from uriparse.schemes.records.news import NntpURL
from uriparse.schemes.trees import branch, leaf, root
from uriparse.schemes.url import significant

if TYPE_CHECKING:
    from uriparse.schemes.scheme import Schemes
    from uriparse.schemes.trees import Found
    from uriparse.schemes.url import Fields

Kind: TypeAlias = Literal["all", "groups", "group", "article"]

ALL: Final = "*"
"""The wildcard that stands for any text: by itself, for all newsgroups."""


class NewsURI(UserinfoURI):
    """`news:article` or `news:newsgroups`, either with `//authority/` before it.

    userinfo, host, port: of the server to ask; all None where it is the reader's own.
    article: a message id without angle brackets, as written; None for newsgroups.
    newsgroups: the name of a newsgroup, or a pattern in which "*" and "?" (which is always
        written `%3F`) are wildcards, as written; None for an article.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("news://h.d/p06@%5B10.0.0.1%5D", registry=CURRENT)
    >>> url.kind, url.host, url.article.decoded, url.newsgroups
    ('article', 'h.d', 'p06@[10.0.0.1]', None)
    >>> [parse_url(f"news:{text}", registry=CURRENT).kind for text in ("a.b", "a.*", "a%3F", "")]
    ['group', 'groups', 'groups', 'all']
    """

    __slots__ = ("article", "newsgroups")
    __match_args__: ClassVar[tuple[str, ...]] = (
        "userinfo",
        "host",
        "port",
        "article",
        "newsgroups",
    )
    SCHEME: ClassVar[str | None] = "news"
    article: Encoded | None
    newsgroups: Encoded | None

    @property
    def kind(self) -> Kind:
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
        userinfo: Data | None = None,
        article: Data | None = None,
        newsgroups: Data | None = None,
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> NewsURI:
        """Make a URI of an article's id, of a newsgroup or a pattern, or of neither for all groups.

        host: of the server, as written; None for the reader's own.

        Plain text and octets are encoded, but for "*" in a pattern; what is `Encoded` is taken as
        written. ComponentError for parts that make no URI, as an id without "@" or with its angle
        brackets, and an article and newsgroups at once.

        >>> str(NewsURI.from_parts(article="p06@[10.0.0.1]"))
        'news:p06@%5B10.0.0.1%5D'
        >>> NewsURI.from_parts(host="h.d", newsgroups="a.*")
        <NewsURI 'news://h.d/a.*'>
        """
        if article is not None and newsgroups is not None:
            raise ComponentError(
                "article: given beside newsgroups", component="article", rule="newsURL"
            )
        server, expected = _server(host, port, userinfo)
        if article is not None:
            asked = written(article, "pchar", "article", reserved=NO_ATOM, grammar="rfc3986")
            expected = {**expected, "article": asked}
        else:
            pattern = "" if newsgroups is None else newsgroups
            asked = written(pattern, "newsgroups", grammar="rfc5538")
            expected = {**expected, "newsgroups": asked}
        text = f"{cls.SCHEME}:{server and server + '/'}{asked}"
        return checked(cls, text, fragment, expected, own_scheme(cls, registry, NEWS))

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Add the newsgroups where nothing is written: all of them."""
        del url
        if "article" not in found:
            found.setdefault("newsgroups", Encoded(""))

    def identity(self) -> tuple[object, ...]:
        """Give what equivalent URIs share: the server, and what is asked of it by whom."""
        asked = self.article if self.newsgroups is None else self.newsgroups
        octets = b"" if asked is None or self.kind == "all" else asked.octets
        return (login_octets(self.userinfo), *self._server(), self.kind, octets)


class NntpURI(CurrentURI, NntpURL):
    """`nntp://host:port/group` or `nntp://host:port/group/article`, port 119 by default.

    userinfo: what stands before "@" in the authority; None without "@".
    group: the newsgroup's name as written. The others are those of `NntpURL`.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("nntp://wild.server.example/example.group.n%2Fa/12345", registry=CURRENT)
    >>> url.group.decoded, url.article
    ('example.group.n/a', 12345)
    """

    __slots__ = ("userinfo",)
    __match_args__: ClassVar[tuple[str, ...]] = ("userinfo", "host", "port", "group", "article")
    needs_host: ClassVar[bool] = True  # since the articles' numbers are those of one server
    userinfo: Encoded | None

    @property
    def password(self) -> Encoded | None:
        """What follows ":" in the userinfo; None without one. Deprecated, and never shown."""
        return password_of(self.userinfo)

    @classmethod
    def from_parts(
        cls,
        *,
        host: str,
        port: int | str | None = None,
        userinfo: Data | None = None,
        group: Data,
        article: int | str | None = None,
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> NntpURI:
        """Make a URI of a newsgroup's name, and of an article's number or its digits perhaps.

        Plain text and octets are encoded; what is `Encoded` is taken as written. ComponentError
        for parts that make no URI.

        >>> NntpURI.from_parts(host="[::1]", group="a/b", article=7)
        <NntpURI 'nntp://[::1]/a%2Fb/7'>
        """
        server, fields = _server(host, port, userinfo)
        name = written(group, "group", grammar="rfc5538")
        digits = None if article is None else number_or_digits(article, "article")
        text = f"{cls.SCHEME}:{server}/{name}{'' if digits is None else f'/{digits}'}"
        expected = {**fields, "group": name, "digits": digits}
        return checked(cls, text, fragment, expected, own_scheme(cls, registry, NNTP))

    def as_dict(self) -> dict[str, object]:
        """Give the fields by name, as written, the article's number too."""
        return {"userinfo": self.userinfo, **super().as_dict()}

    def identity(self) -> tuple[object, ...]:
        """Give what equivalent URIs share."""
        digits = None if self.digits is None else significant(self.digits)
        return (login_octets(self.userinfo), *self._server(), self.group.octets, digits)


def _server(host: str | None, port: int | str | None, userinfo: Data | None) -> tuple[str, Fields]:
    """Write a server behind its "//", and tell the fields to find in it; nothing for none."""
    if host is None:
        for name, value in (("port", port), ("userinfo", userinfo)):
            if value is not None:
                raise ComponentError(f"{name}: given without a host", component=name, rule="server")
        return "", {"host": None}
    server, fields = server_parts(host, port, any_host=True)
    login = None if userinfo is None else written(userinfo, "userinfo", grammar="rfc3986")
    before = "" if login is None else f"{login}@"
    return f"//{before}{server}", {**fields, "userinfo": login}


class NewsTransformer(HostTransformer):
    """Trees of the rules `newsURL` and `nntpURL`."""

    newsurl = root
    nntpurl = root
    server = branch
    authority = branch
    userinfo = leaf("userinfo")
    article = leaf("article")
    newsgroups = leaf("newsgroups")
    group = leaf("group")
    article_number = leaf("digits")


NEWS: Final = described("news", NewsURI, NewsTransformer, "newsURL", "rfc5538")
NNTP: Final = described("nntp", NntpURI, NewsTransformer, "nntpURL", "rfc5538", host_after="//")
