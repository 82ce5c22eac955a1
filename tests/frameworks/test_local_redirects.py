"""Redirects of ASGI applications: those that Starlette makes itself pass, and none that leaves."""

import asyncio
from functools import partial

import pytest

from uriparse import Policy
from uriparse.extra.asgi import LocalRedirects
from uriparse.validation import PolicyDefinitionError

pytest.importorskip("starlette")

from cases import tables
from starlette.applications import Starlette
from starlette.middleware.httpsredirect import HTTPSRedirectMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import Response
from starlette.routing import Route

TABLES = tables(__file__)


def redirecting(location):
    """An application that redirects to a place, byte for byte."""

    async def handler(_):
        answer = Response(status_code=302)
        answer.raw_headers.append((b"location", location.encode()))
        return answer

    return Starlette(routes=[Route("/", handler)])


def answered(app, *hosts, scheme="http", path="/", **options):
    """The status and Location of the answer to a request with these Host lines."""
    sent = []

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message)

    names = [(b"host", host.encode()) for host in hosts]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": names}
    asyncio.run(LocalRedirects(app, **options)({**scope, "scheme": scheme}, receive, send))
    (location,) = [value for name, value in sent[0]["headers"] if name == b"location"] or [b""]
    return sent[0]["status"], location.decode()


@pytest.mark.parametrize(
    "host", ["site.example", "site.example:8000", "127.0.0.1:8000", "SITE.example"]
)
@pytest.mark.parametrize("hosts", [None, ["site.example", "127.0.0.1"]])
def test_starlette_may_redirect_to_https(host, hosts):
    app = HTTPSRedirectMiddleware(redirecting("/"))
    assert answered(app, host, hosts=hosts) == (307, f"https://{host}/")


def test_starlette_may_redirect_to_www_where_that_is_a_name_of_the_site():
    app = TrustedHostMiddleware(redirecting("/"), allowed_hosts=["www.site.example"])
    names = ["site.example", "www.site.example"]
    assert answered(app, "site.example", hosts=names) == (307, "http://www.site.example/")
    assert answered(app, "site.example")[0] == 400


def test_starlette_may_redirect_slashes():
    app = Starlette(routes=[Route("/a/", Response())])
    assert answered(app, "site.example:8000", path="/a") == (307, "http://site.example:8000/a/")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_absolute_redirect_behind_a_proxy_for_tls_passes(scheme):
    to = partial(answered, redirecting("https://site.example/a"), scheme=scheme)
    assert to("site.example")[0] == to("localhost:8000", hosts=["site.example"])[0] == 302
    assert answered(redirecting("http://site.example/"), "site.example", scheme="https")[0] == 400


@pytest.mark.parametrize("location", TABLES["nothing_else_leaves"])
@pytest.mark.parametrize("hosts", [None, ["site.example"]])
def test_nothing_else_leaves(location, hosts):
    app = redirecting(location)
    assert answered(app, "site.example", hosts=hosts) == (400, "")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "site.example.evil.example", "evil.example:443"]
)
def test_a_forged_host_is_no_name_of_the_site(host):
    to = partial(answered, hosts=["site.example"])
    for scheme in ("http", "https"):
        assert to(redirecting(f"{scheme}://{host}/"), host, scheme=scheme)[0] == 400
    assert to(HTTPSRedirectMiddleware(redirecting("/")), host)[0] == 400
    assert to(redirecting("/a"), host) == (302, "/a")
    assert to(redirecting("https://site.example/"), host)[0] == 302


@pytest.mark.parametrize("hosts", TABLES["an_invalid_host_lets_nothing_pass"])
def test_an_invalid_host_lets_nothing_pass(hosts):
    for location in ("/", "https://evil.example/", "https://site.example/"):
        assert answered(redirecting(location), *hosts)[0] == 400


def test_names_are_hosts_and_suffixes_and_not_all():
    app = redirecting("https://a.site.example/")
    assert answered(app, "site.example", hosts=[".site.example"])[0] == 302
    assert answered(app, "site.example", hosts=["site.example"])[0] == 400
    assert answered(app, "h", allow=Policy(hosts=["a.site.example"]))[0] == 302
    for wrong in ("*", "site.example", ["site.example:80"], ["https://site.example"]):
        with pytest.raises(PolicyDefinitionError, match=r"^hosts"):
            LocalRedirects(app, hosts=wrong)
