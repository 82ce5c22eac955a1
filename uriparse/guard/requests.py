"""A guarded session of requests, over guarded connections of urllib3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from uriparse.errors import MissingPackageError
from uriparse.guard.guarding import Guard, GuardError

try:
    from requests import PreparedRequest, Request, Response, Session, TooManyRedirects
    from requests.adapters import HTTPAdapter
except ImportError:
    raise MissingPackageError("requests", __name__) from None

from uriparse.guard.urllib3 import guarded_pools

if TYPE_CHECKING:
    from urllib3 import ProxyManager


class _Adapter(HTTPAdapter):
    """Judges each hop, for requests sends redirects through an adapter too."""

    def __init__(self, guard: Guard, proxy: str | None) -> None:
        self._guard = guard
        self._proxy = proxy
        super().__init__()
        if proxy is None:
            self.poolmanager.pool_classes_by_scheme = guarded_pools(guard)

    def proxy_manager_for(self, proxy: str, **options: Any) -> ProxyManager:
        """Return connections to the proxy, with the limits of the guard."""
        manager: ProxyManager = super().proxy_manager_for(proxy, **options)
        manager.pool_classes_by_scheme = guarded_pools(self._guard, is_to_proxy=True)
        return manager

    def send(
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: object = None,
        verify: bool | str = True,
        cert: object = None,
        proxies: Mapping[str, str] | None = None,
    ) -> Response:
        """Send one hop, to the URL that was judged and in its canonical form."""
        url = request.url or ""
        request.url = self._guard.judge(url).url
        if proxies and (self._proxy is None or {*proxies.values()} != {self._proxy}):
            why = "nobody has checked what a proxy connects to; give it to requests_session"
            raise GuardError("proxy", url, why)
        return super().send(request, stream, timeout, verify, cert, proxies)  # type: ignore[arg-type]


class GuardedSession(Session):
    """A session whose requests and redirects a guard judges; see `uriparse.guard`."""

    def __init__(self, guard: Guard, proxy: str | None) -> None:
        super().__init__()
        self.guard = guard
        self.trust_env = False  # no proxy and no password that the environment names
        self.max_redirects = guard.limits.redirects
        if proxy is not None:
            self.proxies = {"http": proxy, "https": proxy}
        for scheme in ("http://", "https://"):
            self.mount(scheme, _Adapter(guard, proxy))

    def prepare_request(self, request: Request) -> PreparedRequest:
        """Judge the text of a request before requests rewrites any of it."""
        if isinstance(request.url, str):
            self.guard.judge(request.url)
        return super().prepare_request(request)

    def send(self, request: PreparedRequest, **options: Any) -> Response:
        """Send a request and follow its redirects, which come here again, by one deadline."""
        with self.guard.running(request.url or "", TooManyRedirects):
            return super().send(request, **options)
