"""What a news reader does with a news or an nntp URL (RFC 1738 sections 3.6 and 3.7, RFC 977)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from uriparse.schemes.plans.access import ENDS_A_LINE, Command, expect, fit_to_send, server_of
from uriparse.schemes.records.news import NewsURL, NntpURL
from uriparse.schemes.url import significant

NOT_IN_IDS: Final = ENDS_A_LINE | frozenset(b"\t <>")
"""Octets that no message id holds (RFC 1036 section 2.1.5)."""


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
    commands = [Command("GROUP", fit_to_send(url, url.group, "group"))]
    if url.digits is not None:
        commands.append(Command("ARTICLE", significant(url.digits).encode()))
    return NntpPlan(host, port, tuple(commands))


def news_plan(url: NewsURL) -> NntpPlan:
    """Plan the access to newsgroups or to an article by its id, on whatever server one has.

    SchemeError, with the offset, where a decoded id holds what no id can.

    >>> from uriparse.schemes import parse_url
    >>> [news_plan(parse_url(url)).commands[0] for url in ("news:*", "news:a.b", "news:1@h.d")]
    [<Command 'LIST'>, <Command 'GROUP a.b'>, <Command 'ARTICLE <1@h.d>'>]
    """
    expect(url, NewsURL)
    if url.kind == "all":
        return NntpPlan(None, None, (Command("LIST"),))
    if url.kind == "group":
        return NntpPlan(None, None, (Command("GROUP", fit_to_send(url, url.grouppart, "group")),))
    message_id = fit_to_send(url, url.grouppart, "article", refused=NOT_IN_IDS)
    return NntpPlan(None, None, (Command("ARTICLE", b"<" + message_id + b">"),))
