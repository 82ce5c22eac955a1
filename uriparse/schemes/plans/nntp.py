"""What a news reader does with a news or an nntp URL (RFC 1738 sections 3.6 and 3.7, RFC 977)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeGuard

from uriparse.schemes.plans.access import ENDS_A_LINE, Command, expect, fit_to_send, server_of
from uriparse.schemes.records.news import NewsURL, NntpURL
from uriparse.schemes.url import significant

if TYPE_CHECKING:
    from uriparse.schemes.current.news import NewsURI

NOT_IN_IDS: Final = ENDS_A_LINE | frozenset(b"\t <>")
"""Octets that no message id holds (RFC 1036 section 2.1.5)."""

_NOT_IN_GROUPS: Final = ENDS_A_LINE | frozenset(b"\t ")
"""Octets that no newsgroup's name or pattern holds (RFC 3977 section 4.1): they end an argument."""


@dataclass(frozen=True, slots=True)
class NntpPlan:
    """What to ask a news server.

    Attributes:
        host, port: the server; both None for a news URL, which leaves it to the reader's own.
        commands: the lines in their order.

    """

    host: str | None
    port: int | None
    commands: tuple[Command, ...]


def nntp_plan(url: NntpURL) -> NntpPlan:
    """Plan the access to a newsgroup, or to an article of it by number.

    SchemeError where the port cannot be. Of an article's number the server is the judge.

    >>> from uriparse.schemes import parse_url
    >>> nntp_plan(parse_url("nntp://h.d/g.r/012")).commands
    (<Command 'GROUP g.r'>, <Command 'ARTICLE 12'>)
    """
    expect(url, NntpURL)
    host, port = server_of(url)
    group = fit_to_send(url, url.group, "group", refused=_NOT_IN_GROUPS)
    commands = [Command("GROUP", group)]
    if url.digits is not None:
        commands.append(Command("ARTICLE", significant(url.digits).encode()))
    return NntpPlan(host, port, tuple(commands))


def news_plan(url: NewsURL | NewsURI) -> NntpPlan:
    """Plan the access to newsgroups or to an article by its id, on whatever server one has.

    A URL of today (RFC 5538) may name the server, and many groups by a pattern (RFC 3977
    section 7.6.3). SchemeError, with the offset, where a decoded id or pattern holds what none
    can, or the port cannot be.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> [news_plan(parse_url(url)).commands[0] for url in ("news:*", "news:a.b", "news:1@h.d")]
    [<Command 'LIST'>, <Command 'GROUP a.b'>, <Command 'ARTICLE <1@h.d>'>]
    >>> news_plan(parse_url("news://h.d/a.*", registry=CURRENT)).commands
    (<Command 'LIST ACTIVE a.*'>,)
    """
    if not _is_news(url):
        expect(url, NewsURL, _of_today())
    return NntpPlan(*_server(url), (_asked(url),))


def _is_news(url: object) -> TypeGuard[NewsURL | NewsURI]:
    """Whether it is the record of a news URL, by RFC 1738 or of today."""
    if isinstance(url, NewsURL):
        return True
    return isinstance(url, _of_today())


def _of_today() -> type[NewsURI]:
    """Load the records of today's schemes, which takes as long as all the plans together."""
    from uriparse.schemes.current.news import NewsURI  # noqa: PLC0415 - as said

    return NewsURI


def _server(url: NewsURL | NewsURI) -> tuple[str | None, int | None]:
    """Give the server that a URL names, if it does."""
    return (None, None) if isinstance(url, NewsURL) or not url.host else server_of(url)


def _asked(url: NewsURL | NewsURI) -> Command:
    """Give the command for what a URL names."""
    groups, article = (
        (url.grouppart, url.grouppart)
        if isinstance(url, NewsURL)
        else (url.newsgroups, url.article)
    )
    match url.kind:
        case "all":
            return Command("LIST")
        case "group" if groups is not None:
            name = fit_to_send(url, groups, "group", refused=_NOT_IN_GROUPS)
            return Command("GROUP", name)
        case "groups" if groups is not None:
            pattern = fit_to_send(url, groups, "newsgroups", refused=_NOT_IN_GROUPS)
            return Command("LIST", b"ACTIVE " + pattern)
    assert article is not None  # noqa: S101 - of what names no newsgroups
    return Command(
        "ARTICLE", b"<" + fit_to_send(url, article, "article", refused=NOT_IN_IDS) + b">"
    )
