"""One door to the access plans of all schemes."""

from __future__ import annotations

from typing import TypeAlias

from uriparse.schemes.plans.access import expect, no_plan
from uriparse.schemes.plans.ftp import FtpPlan, ftp_plan
from uriparse.schemes.plans.gopher import EmptySearch, GopherPlan, gopher_plan
from uriparse.schemes.plans.nntp import NntpPlan, _is_news, news_plan, nntp_plan
from uriparse.schemes.plans.prospero import ProsperoPlan, prospero_plan
from uriparse.schemes.plans.telnet import TelnetAdvice, telnet_advice
from uriparse.schemes.plans.wais import WaisPlan, wais_plan
from uriparse.schemes.records import (
    FtpURL,
    GopherURL,
    NntpURL,
    ProsperoURL,
    TelnetURL,
    WaisURL,
)
from uriparse.schemes.url import URL

Plan: TypeAlias = FtpPlan | GopherPlan | NntpPlan | ProsperoPlan | WaisPlan | TelnetAdvice


def access_plan(
    url: URL, *, email: str | None = None, empty_search: EmptySearch | None = None
) -> Plan:
    r"""Plan the access to what a URL stands for; options as in `ftp_plan` and `gopher_plan`.

    A pure function: it never opens a connection.

    SchemeError for schemes that RFC 1738 gives no way of access for (file, mailto, and unknown
    ones), or leaves to another document (http, https), and where the scheme's own plan says.

    >>> from uriparse.schemes import parse_url
    >>> access_plan(parse_url("gopher://h.d")).request
    b'\r\n'
    """
    match url:
        case FtpURL():
            return ftp_plan(url, email=email)
        case GopherURL():
            return gopher_plan(url, empty_search=empty_search)
        case NntpURL():
            return nntp_plan(url)
        case WaisURL():
            return wais_plan(url)
        case ProsperoURL():
            return prospero_plan(url)
        case TelnetURL():
            return telnet_advice(url)
        case _ if _is_news(url):
            return news_plan(url)
        case _:
            expect(url, URL)
            raise no_plan(url, "is of a scheme whose access RFC 1738 does not describe")
