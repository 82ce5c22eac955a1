"""news and nntp URLs (RFC 1738 sections 3.6 and 3.7): newsgroups and their articles."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias

from uriparse.coerce import as_optional_str, as_str
from uriparse.errors import ComponentError
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.schemes.encoding import Encoded, canonical
from uriparse.schemes.parts import (
    Data,
    as_host,
    checked,
    number_or_digits,
    own_scheme,
    server_parts,
    written,
)
from uriparse.schemes.scheme import Scheme
from uriparse.schemes.trees import ServerTransformer, URLTransformer, branch, leaf, passed, root
from uriparse.schemes.url import URL, ServerURL, number, significant

if TYPE_CHECKING:
    from uriparse.schemes.encoding import Host
    from uriparse.schemes.scheme import Schemes
    from uriparse.schemes.trees import Found

Kind: TypeAlias = Literal["all", "group", "article"]

ALL = "*"
"""Stands for all newsgroups that are there."""


class NewsURL(URL):
    """`news:group`, `news:message-id` or `news:*`; names news wherever a reader gets them.

    grouppart: what follows ":", as written.
    domain: the host after the "@" of a message id; None if there is none.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("news:4234@h.dom")
    >>> url.kind, url.unique, url.domain, url.group
    ('article', '4234', 'h.dom', None)
    >>> parse_url("news:comp.infosystems.www.misc").group_components
    ('comp', 'infosystems', 'www', 'misc')
    """

    __slots__ = ("domain", "grouppart")
    __match_args__: ClassVar[tuple[str, ...]] = ("kind", "group", "unique", "domain")
    SCHEME: ClassVar[str | None] = "news"
    is_location_independent: ClassVar[bool] = True
    grouppart: Encoded
    domain: Host | None

    @property
    def kind(self) -> Kind:
        """What the URL names; the "@" tells an article from a group."""
        if self.domain is not None:
            return "article"
        return "all" if self.grouppart == ALL else "group"

    @property
    def group(self) -> Encoded | None:
        """The name of a newsgroup; None if the URL names none."""
        return self.grouppart if self.kind == "group" else None

    @property
    def group_components(self) -> tuple[Encoded, ...]:
        """The levels of the newsgroup's name; none if the URL names none."""
        return self.grouppart.parts(".") if self.kind == "group" else ()

    @property
    def unique(self) -> Encoded | None:
        """The message id before its "@", as written; None if the URL names no article."""
        if self.domain is None:
            return None
        size = len(self.grouppart) - len(self.domain) - len("@")
        return Encoded(self.grouppart[:size], self.grouppart.start)

    @property
    def message_id(self) -> bytes | None:
        """The message id of an article as octets, without angle brackets; None if there is none."""
        return self.grouppart.octets if self.domain is not None else None

    @property
    def is_message_id(self) -> bool:
        """Whether the URL names an article by an id that RFC 1036 allows too, and none it lacks.

        The rule of RFC 1738 is stricter about domains and looser about the rest.

        >>> from uriparse.schemes import parse_url
        >>> [parse_url("news:" + text).is_message_id for text in ("1@h.d", "a%20b@h.d", "a.b")]
        [True, False, False]
        """
        from uriparse.schemes.records.mail import is_message_id  # noqa: PLC0415 - for those who ask

        return self.message_id is not None and is_message_id(self.message_id)

    @classmethod
    def from_parts(
        cls,
        *,
        group: str | None = None,
        unique: Data | None = None,
        domain: str | None = None,
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> NewsURL:
        """Make a URL of a group's name, of the parts of a message id, or of neither for all.

        The unique part is encoded, or taken as written if it is `Encoded`; a group's name has no
        encoding. ComponentError for parts that make no URL.

        >>> NewsURL.from_parts(unique="a/b<c>", domain="h.d"), NewsURL.from_parts()
        (<NewsURL 'news:a/b%3Cc%3E@h.d'>, <NewsURL 'news:*'>)
        """
        group = as_optional_str(group, "group")
        if (unique is None) != (domain is None) or (group is not None and unique is not None):
            raise ComponentError(
                "unique: a message id has a unique part and a domain, and no group",
                component="unique",
                rule="grouppart",
            )
        if unique is None or domain is None:
            text = ALL if group is None else group
            return checked(
                cls,
                f"{cls.SCHEME}:{text}",
                fragment,
                {"group": group},
                own_scheme(cls, registry, NEWS),
            )
        domain = as_host(domain, "domain")
        server, _ = server_parts(domain, None)
        first = written(unique, "xchar", "unique", reserved="@")
        expected = {"unique": first, "domain": domain}
        return checked(
            cls,
            f"{cls.SCHEME}:{first}@{server}",
            fragment,
            expected,
            own_scheme(cls, registry, NEWS),
        )

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Add what follows ":", and call the host the domain that it is here."""
        start = url.index(":") + 1
        found["grouppart"] = Encoded(url[start:], start)
        found["domain"] = found.pop("host", None)

    def identity(self) -> tuple[object, ...]:
        """Give what equivalent URLs share; the domain of a message id ignores letter case."""
        if self.domain is None:
            return (str(self.grouppart), None)
        return canonical(self.unique or "", "xchar", reserved="@"), self.domain.lower()


class NntpURL(ServerURL):
    """`nntp://host:port/group/article`, port 119 by default.

    group: the newsgroup's name.
    digits: the article's number as written; None where none is.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("nntp://h.d/g.r/12")
    >>> url.group, url.article, url.effective_port
    ('g.r', 12, 119)
    """

    __slots__ = ("digits", "group")
    __match_args__: ClassVar[tuple[str, ...]] = ("host", "port", "group", "article")
    SCHEME: ClassVar[str | None] = "nntp"
    is_globally_accessible: ClassVar[bool] = False
    group: Encoded
    digits: Encoded | None

    @property
    def article(self) -> int | None:
        """The article's number; None where none is written; ComponentError over 20 digits."""
        return None if self.digits is None else number(self.digits, "article")

    @classmethod
    def from_parts(
        cls,
        *,
        host: str,
        port: int | str | None = None,
        group: str,
        article: int | str | None = None,
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> NntpURL:
        """Make a URL of a group's name, and an article's number or its digits perhaps.

        ComponentError for parts that make no URL: a group's name has no encoding.

        >>> NntpURL.from_parts(host="h.d", group="comp.lang.c", article=7)
        <NntpURL 'nntp://h.d/comp.lang.c/7'>
        """
        server, fields = server_parts(host, port)
        name = as_str(group, "group")
        text = f"{cls.SCHEME}://{server}/{name}"
        digits = None if article is None else number_or_digits(article, "article")
        if digits is not None:
            text += f"/{digits}"
        expected = {**fields, "group": name, "digits": digits}
        return checked(cls, text, fragment, expected, own_scheme(cls, registry, NNTP))

    def as_dict(self) -> dict[str, object]:
        """Give the fields by name, as written, the article's number too."""
        return {"host": self.host, "port": self.port, "group": self.group, "article": self.digits}

    def identity(self) -> tuple[object, ...]:
        """Give what equivalent URLs share."""
        digits = None if self.digits is None else significant(self.digits)
        return (*self._server(), str(self.group), digits)


class NewsTransformer(URLTransformer):
    """Trees of the rule `newsurl`."""

    newsurl = root
    grouppart = branch
    article = branch
    group = passed


class NntpTransformer(ServerTransformer):
    """Trees of the rule `nntpurl`."""

    nntpurl = root
    group = leaf("group")
    digits = leaf("digits")


NEWS: Final = Scheme("news", NewsURL, NewsTransformer, "newsurl", word="news", host_after="@")

NNTP: Final = Scheme(
    "nntp",
    NntpURL,
    NntpTransformer,
    "nntpurl",
    word="nntp",
    default_port=SCHEME_DEFAULTS["nntp"].port,
)
