r"""What a Gopher client sends for a gopher URL (RFC 1738 section 3.4, RFC 1436)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from uriparse.coerce import as_choice
from uriparse.schemes.plans.access import ENDS_A_LINE, expect, fit_to_send, server_of
from uriparse.schemes.records.gopher import GopherURL

if TYPE_CHECKING:
    from uriparse.schemes.records.gopher_plus import GopherPlus

EmptySearch: TypeAlias = Literal["keep", "omit"]
"""What becomes of an empty search before a Gopher+ string.

`"keep"`: it is sent, between two tabs (section 3.4.3). `"omit"`: one tab is sent (section 3.4.9).
"""

EMPTY_SEARCHES: tuple[EmptySearch, ...] = get_args(EmptySearch)

ENDS_A_FIELD: Final = ENDS_A_LINE | frozenset(b"\t")
"""Octets that no selector and no search holds."""

_TAB, _LINE_END = b"\t", b"\r\n"

_FORM = b"!+ASK"
"""The attribute that is a form to be filled in."""


@dataclass(frozen=True, slots=True)
class GopherPlan:
    """What to send on a new connection.

    Attributes:
        host, port: the server.
        request: the octets to send, the end of the line included.
        type: of the item that will come, one character.
        plus: what the Gopher+ string asks for; None without one.
        form: the octets to send instead for the form of an `"ask-form"`, which is the item's
            attribute +ASK; None for all others. A person fills it in, and a URL whose Gopher+
            string is that of `GopherPlus.filled` brings the answers back (section 3.4.5).

    """

    host: str
    port: int
    request: bytes
    type: str
    plus: GopherPlus | None
    form: bytes | None = None


def gopher_plan(url: GopherURL, *, empty_search: EmptySearch | None = None) -> GopherPlan:
    r"""Plan the request for an item, a search, or a Gopher+ item.

    empty_search: what to do with a search that is present and empty; None keeps it, as
        section 3.4.3 says, but for filled forms, where section 3.4.9 omits it.

    SchemeError, with the offset, where the decoded selector or search holds TAB, CR, LF or NUL,
    where the Gopher+ string does outside the block of a filled form, or the port cannot be.

    >>> from uriparse.schemes import parse_url
    >>> gopher_plan(parse_url("gopher://h.d/7s%20x%09a%20b")).request
    b's x\ta b\r\n'
    >>> gopher_plan(parse_url("gopher://h.d/0s%09%09+"), empty_search="omit").request
    b's\t+\r\n'
    """
    expect(url, GopherURL)
    if empty_search is not None:
        empty_search = as_choice(empty_search, "empty_search", EMPTY_SEARCHES)
    host, port = server_of(url)
    request = fit_to_send(url, url.selector, "selector", refused=ENDS_A_FIELD)
    plus = url.plus
    is_form = plus is not None and plus.kind == "filled-form"
    reading = empty_search or ("omit" if is_form else "keep")
    if url.search is not None and (url.search or plus is None or reading == "keep"):
        request += _TAB + fit_to_send(url, url.search, "search", refused=ENDS_A_FIELD)
    if plus is not None and url.gopher_plus is not None:
        if is_form:
            return GopherPlan(host, port, request + _TAB + plus.octets, url.type, plus)
        form = request + _TAB + _FORM + _LINE_END if plus.kind == "ask-form" else None
        request += _TAB + fit_to_send(url, url.gopher_plus, "gopher_plus", refused=ENDS_A_FIELD)
        return GopherPlan(host, port, request + _LINE_END, url.type, plus, form)
    return GopherPlan(host, port, request + _LINE_END, url.type, plus)
