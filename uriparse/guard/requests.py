"""A guarded session of requests, over guarded connections of urllib3."""

from typing import Any, NoReturn

from uriparse._base import needed
from uriparse.guard.guarding import Guard, GuardError

with needed("requests", __name__):
    from requests import PreparedRequest, Request, Response, Session
    from requests.adapters import HTTPAdapter

    from uriparse.guard.urllib3 import guarded_pools, with_exchange


class _Adapter(HTTPAdapter):
    def __init__(self, guard: Guard) -> None:
        super().__init__()
        self.poolmanager.pool_classes_by_scheme = guarded_pools(guard)

    def proxy_manager_for(self, proxy: str, **_: Any) -> NoReturn:
        """Refuse any proxy but that of the guard."""
        raise GuardError("option", proxy, "give the proxy to requests_session")


class GuardedRequestsSession(Session):
    """A session with a guard; see `uriparse.guard`."""

    def __init__(self, guard: Guard) -> None:
        self._adapter = _Adapter(guard)
        super().__init__()
        self.adapters["http"] = self._adapter  # for close()
        self.guard = guard
        self.trust_env = False  # no proxy and no password from the environment
        self.max_redirects = guard.limits.redirects + 1  # the guard counts them
        self.headers["Accept-Encoding"] = guard.accept_encoding

    def mount(self, prefix: str | bytes, _adapter: object) -> None:
        """Refuse another adapter, which would connect without the guard."""
        if hasattr(self, "guard"):
            raise GuardError("option", str(prefix), "a guarded session has its own adapter")

    def get_adapter(self, url: str) -> HTTPAdapter:  # noqa: ARG002 - the base's
        """Return the one adapter."""
        return self._adapter

    def prepare_request(self, request: Request) -> PreparedRequest:
        """Judge a URL before requests rewrites it."""
        if isinstance(request.url, str):
            self.guard.judge(request.url)
        return super().prepare_request(request)

    def send(self, request: PreparedRequest, **options: Any) -> Response:
        """Send a request; requests calls this for each redirect too."""
        exchange, timeout = with_exchange(self.guard, request.url or "", options.get("timeout"))
        request.url = exchange.judge(request.url or "").url
        return super().send(request, **{**options, "timeout": timeout})
