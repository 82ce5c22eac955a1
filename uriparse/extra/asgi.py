"""For Starlette, FastAPI and other ASGI applications: redirects that stay on the site.

    app.add_middleware(LocalRedirects, hosts=["example.com", "www.example.com"])

A handler that redirects to a parameter of the request, as `?next=//evil.example`, would send the
user anywhere. What a redirect may name is checked when it is answered, so no handler is forgotten.
"""

from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Protocol

from uriparse.parsing import try_parse
from uriparse.validation import Policy, PolicyDefinitionError, is_local_redirect, validate

Message = MutableMapping[str, object]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

__all__ = ["LocalRedirects", "site_of", "stays"]

REFUSED = b"The redirect leads to another site."
LOWEST, HIGHEST = 300, 399


class Application(Protocol):
    """An ASGI application."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""


def site_of(scheme: str, host: str, hosts: Collection[str] | None = None) -> Policy | None:
    """Return the policy of the redirects that stay on a site; None if the Host is invalid.

    scheme, host: of the request; host is the value of its header, with the port if there is one.
    hosts: the names of the site, as in `Policy.hosts`; None takes that of the request.

    The site has its names, with the port of the request or the scheme's own, by https or by the
    scheme of the request: from http to https, and never back.

    >>> site = site_of("http", "h:8000")
    >>> [stays(text, site) for text in ("/a", "https://h:8000/", "https://h/", "https://h:81/")]
    [True, True, True, False]
    """
    page = try_parse(f"{scheme}://{host}/")
    if page is None or page.userinfo is not None or str(page.authority) != host:
        return None
    try:
        own = Policy.redirect(page)
    except PolicyDefinitionError:
        return None
    names = own.hosts if hosts is None else hosts
    ports, schemes = {*own.ports, "default"}, {*own.schemes, "https"}
    return own.replace(hosts=names, schemes=schemes, ports=ports)


_ANY_SITE = "https://site.invalid/"


def stays(location: str | bytes, site: Policy | None, allow: Policy | None = None) -> bool:
    """Whether a redirect stays on its site for all clients, or goes where it may.

    location: of the header. site: as `site_of` returns it; None lets nothing pass.
    allow: the policy for redirects to other sites; None allows none.

    >>> stays("/a", site_of("https", "h")), stays("//evil.example", site_of("https", "h"))
    (True, False)
    """
    if site is None:
        return False
    # A relative reference stays wherever the page is, also if a Host is not a name of the site.
    if is_local_redirect(location, _ANY_SITE) or validate(location, site).accepted:
        return True
    return allow is not None and validate(location, allow).accepted


class LocalRedirects:
    """Middleware that answers 400 instead of a redirect which leads to another site.

    app: the application. hosts: the names of the site, as `["example.com", ".example.com"]`; None
        takes the name that each request has in its Host, which a client can choose.
    allow: the policy for redirects to other sites, as `Policy(hosts=["login.example"])`; None
        allows none.

    The port is that of the request or the scheme's own, and a site may redirect from http to
    https. `is_local_redirect` judges, by RFC 9110 section 10.2.2 and by what clients make of odd
    spellings. PolicyDefinitionError for invalid names.
    """

    def __init__(
        self,
        app: Application,
        *,
        hosts: Collection[str] | None = None,
        allow: Policy | None = None,
    ) -> None:
        if hosts == "*":
            raise PolicyDefinitionError('hosts: must be a list of names; "*" is every site')
        self._app = app
        self._hosts = None if hosts is None else Policy(hosts=hosts).hosts
        self._allow = allow

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on, and check the redirect that answers it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_refused = False

        async def checked(message: Message) -> None:
            nonlocal is_refused
            if message["type"] == "http.response.start":
                is_refused = self._leaves(scope, message)
                if is_refused:
                    size = str(len(REFUSED)).encode()
                    headers = [(b"content-type", b"text/plain"), (b"content-length", size)]
                    await send({"type": message["type"], "status": 400, "headers": headers})
                    await send({"type": "http.response.body", "body": REFUSED})
                    return
            if not is_refused:
                await send(message)

        await self._app(scope, receive, checked)

    def _leaves(self, scope: Message, message: Message) -> bool:
        status = message["status"]
        if not isinstance(status, int) or not LOWEST <= status <= HIGHEST:
            return False
        found = _headers(scope, b"host")
        # Of two lines clients and proxies may take either (RFC 9112 section 3.2).
        host = found[0].decode("latin-1") if len(found) == 1 else ""
        site = site_of(str(scope.get("scheme", "http")), host, self._hosts)
        locations = _headers(message, b"location")
        return not all(stays(location, site, self._allow) for location in locations)


def _headers(message: Message, name: bytes) -> list[bytes]:
    pairs = message.get("headers", ())
    assert isinstance(pairs, list | tuple)  # noqa: S101 - as ASGI has it
    return [value for key, value in pairs if key.lower() == name]
