"""For Starlette, FastAPI and other ASGI applications: redirects that stay on the site.

    app.add_middleware(LocalRedirects)

A handler that redirects to a parameter of the request, as `?next=//evil.example`, would send the
user anywhere. What a redirect may name is checked when it is answered, so no handler is forgotten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from uriparse.validation import Policy, PolicyDefinitionError, is_local_redirect, validate

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Message = MutableMapping[str, object]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

__all__ = ["LocalRedirects", "stays"]

REFUSED = b"The redirect leads to another site."
LOWEST, HIGHEST = 300, 399


class Application(Protocol):
    """An ASGI application."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""


def stays(location: str | bytes, base: str, allow: Policy | None = None) -> bool:
    """Whether a redirect of a page stays on its site for all clients, or goes where it may.

    location: of the header. base: the URL of the page; an invalid base lets nothing pass.
    allow: the policy for redirects to other sites; None allows none.

    >>> stays("/a", "https://h/"), stays("//evil.example", "https://h/")
    (True, False)
    """
    try:
        if is_local_redirect(location, base):
            return True
    except PolicyDefinitionError:
        return False
    return allow is not None and validate(location, allow).accepted


class LocalRedirects:
    """Middleware that answers 400 instead of a redirect which leads to another site.

    app: the application. allow: the policy for redirects to other sites, as
        `Policy(hosts=["login.example"])`; None allows none.

    The site is what the request names: scheme and Host. `is_local_redirect` judges, by RFC 9110
    section 10.2.2 and by what clients make of odd spellings.
    """

    def __init__(self, app: Application, *, allow: Policy | None = None) -> None:
        self._app = app
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
        locations = _headers(message, b"location")
        host = b"".join(_headers(scope, b"host")[:1]).decode("latin-1")
        base = f"{scope.get('scheme', 'http')}://{host}/"
        return not all(stays(location, base, self._allow) for location in locations)


def _headers(message: Message, name: bytes) -> list[bytes]:
    pairs = message.get("headers", ())
    assert isinstance(pairs, list | tuple)  # noqa: S101 - as ASGI has it
    return [value for key, value in pairs if key.lower() == name]
