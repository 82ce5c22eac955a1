"""The peers in Python: a function each, which makes the parser for a task.

Each imports its library itself, so that a missing one costs its own process alone. For a verdict
it answers with the components of the text; for a destination, with what the client would connect
to and ask for there, found without a connection.
"""

# ruff: noqa: PLC0415 - a missing library costs the process of its own parser alone

import platform
import re
import ssl
from collections.abc import Callable
from http.client import HTTPConnection, HTTPSConnection
from importlib import import_module
from importlib.metadata import version as package_version
from operator import attrgetter, methodcaller
from typing import Any, TypeAlias
from urllib.parse import urlsplit
from urllib.request import Request

from uriparse.conformance.peers.tasks import PeerParser, PeerTask, RefusedError, destination
from uriparse.errors import UnknownRuleError
from uriparse.parsing import is_valid, try_parse

_Getters: TypeAlias = "dict[str, Any]"
"""Components by name: an attribute of a parser's result, or a function of the result."""

_PATH: _Getters = {"path": lambda found: found.path or ""}
_SERVER: _Getters = {"scheme": "scheme", "host": "host", "port": "port"}
_TARGET: _Getters = {"path": "path", "query": "query"}
_AFTER_HOST: _Getters = {**_TARGET, "fragment": "fragment"}
_ALL: _Getters = {**_SERVER, "userinfo": "userinfo", **_AFTER_HOST}


def _by_attributes(
    parse: Callable[[str], Any], task: PeerTask, getters: _Getters, version: str = ""
) -> PeerParser:
    """Make a parser that answers with attributes or functions of a result."""
    absolute = task.kind == "absolute"
    functions = {
        name: attrgetter(getter) if isinstance(getter, str) else getter
        for name, getter in getters.items()
    }

    def read(text: str) -> object:
        found = parse(text)
        components = {name: function(found) for name, function in functions.items()}
        return components if components["scheme"] or not absolute else False

    return PeerParser(read, version)


# Parsers of RFC 3986 and RFC 3987.


def uriparse(task: PeerTask) -> PeerParser:
    """Parse with this package."""
    rule, grammar, _ = task
    is_valid("", rule, grammar=grammar)  # raises for a grammar that is not ours

    def read(text: str) -> object:
        if not is_valid(text, rule, grammar=grammar):
            return False
        try:
            found = try_parse(text, rule, grammar=grammar)
        except UnknownRuleError:
            return True
        names = ("scheme", "userinfo", "port", "path", "query", "fragment")
        return found is not None and {
            **{name: getattr(found, name) for name in names},
            "text": str(found),
            "host": None if found.host is None else str(found.host),
        }

    return PeerParser(read)


def uritools(task: PeerTask) -> PeerParser:
    """Parse with `urisplit`, whose host and port can be read."""
    from uritools import urisplit

    def parse(text: str) -> object:
        parts = urisplit(text)
        parts.gethost()
        parts.getport()
        return parts

    return _by_attributes(parse, task, {**_ALL, "text": methodcaller("geturi")})


def rfc3986(task: PeerTask) -> PeerParser:
    """Parse with `uri_reference`; for verdicts, `Validator` checks all components."""
    from rfc3986 import uri_reference as parse
    from rfc3986.validators import Validator

    validator = Validator()
    validator = validator.check_validity_of(*validator.COMPONENT_NAMES)
    if task.kind == "absolute":
        validator = validator.require_presence_of("scheme")

    def validated(text: str) -> object:
        found = parse(text)
        validator.validate(found)
        return found

    def connected(text: str) -> object:
        found = parse(text)
        if found.authority is not None:
            found.authority_info()  # raises; `found.host` is None where that cannot be read
        return found

    if task.kind == "destination":
        return _by_attributes(connected, task, {**_SERVER, **_TARGET})
    return _by_attributes(validated, task, {**_ALL, **_PATH, "text": methodcaller("unsplit")})


def rfc3986_validator(task: PeerTask) -> PeerParser:
    """Match with `validate_rfc3986`, which knows two rules."""
    from rfc3986_validator import validate_rfc3986 as validate

    rule = "URI" if task.kind == "absolute" else "URI_reference"
    return PeerParser(lambda text: validate(text, rule) is not None)


def rfc3987(task: PeerTask) -> PeerParser:
    """Match with the rule's own name, which the package writes with "_"."""
    from rfc3987 import match

    name = task.rule.replace("-", "_")
    return PeerParser(lambda text: match(text, name) is not None)


def rfc3987_syntax(task: PeerTask) -> PeerParser:
    """Match with the rule for IRIs; the package has none for URIs."""
    from rfc3987_syntax import is_valid_syntax

    name = "iri" if task.kind == "absolute" else "iri_reference"
    return PeerParser(lambda text: is_valid_syntax(name, text))


def abnf(task: PeerTask) -> PeerParser:
    """Parse with the rule of the package's own module of the grammar."""
    parse = import_module(f"abnf.grammars.{task.grammar}").Rule(task.rule).parse_all
    return PeerParser(lambda text: parse(text) is not None)


# The standard library.


def urllib(task: PeerTask) -> PeerParser:
    """Parse with `urllib.parse.urlsplit`, whose port can be read."""
    names = {**_SERVER, "host": "hostname", **_AFTER_HOST, "text": methodcaller("geturl")}
    return _by_attributes(urlsplit, task, names, platform.python_version())


def urllib_parse(task: PeerTask) -> PeerParser:
    """Parse with `urllib.parse.urlsplit`, for a destination."""
    names = {**_SERVER, "host": "hostname", "path": "path"}
    names["query"] = lambda found: found.query or None  # it has "" for an absent one as well
    return _by_attributes(urlsplit, task, names, platform.python_version())


def urllib_request(task: PeerTask) -> PeerParser:  # noqa: ARG001 - it has destinations alone
    """Prepare what `urllib.request.urlopen` passes to the connection that it opens."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # else each connection reads certificates

    def read(text: str) -> object:
        request = Request(text)  # noqa: S310 - is never opened
        host: str | None = request.host
        port = None
        if request.type in {"http", "https"}:
            if not host:
                raise RefusedError("no host given")
            is_tls = request.type == "https"
            made = HTTPSConnection(host, context=context) if is_tls else HTTPConnection(host)
            host, port = made.host, made.port
        target = request.selector or "/"
        return destination(request.type, host, port, target)

    return PeerParser(read, platform.python_version())


# HTTP clients and frameworks.


def _pooled(pool: Any, target: str) -> dict[str, object]:
    """Return the pool's scheme, and the host and port of a connection that it would make."""
    connection = pool.ConnectionCls(host=pool.host, port=pool.port)
    return destination(pool.scheme, connection.host, connection.port, target)


def urllib3(task: PeerTask) -> PeerParser:
    """Parse with `util.parse_url`; for a destination, as `PoolManager.request` does."""
    from urllib3 import PoolManager
    from urllib3.util import parse_url

    if task.kind != "destination":
        names = {**_ALL, **_PATH, "text": "url", "userinfo": "auth"}
        return _by_attributes(parse_url, task, names)
    manager = PoolManager()

    def read(text: str) -> object:
        url = parse_url(text)
        pool = manager.connection_from_host(url.host, port=url.port, scheme=url.scheme)
        return _pooled(pool, url.request_uri)

    return PeerParser(read)


def requests(task: PeerTask) -> PeerParser:  # noqa: ARG001 - it has destinations alone
    """Prepare what `requests.get` does before it connects."""
    from requests import Request, Session

    session = Session()

    def read(text: str) -> object:
        request = Request("GET", text).prepare()
        adapter: Any = session.get_adapter(str(request.url))
        pool = adapter.get_connection_with_tls_context(request, verify=True)
        return _pooled(pool, adapter.request_url(request, None))

    return PeerParser(read)


def httpx(task: PeerTask) -> PeerParser:
    """Parse with `URL`, components as they would be sent; for a destination, with a `Request`."""
    from httpx import URL, Request

    host = {**_SERVER, "host": lambda found: found.raw_host.decode()}
    if task.kind == "destination":

        def parse(text: str) -> object:
            return Request("GET", text).url

        host["target"] = lambda found: found.raw_path.decode("ascii")
        return _by_attributes(parse, task, host)
    names: _Getters = {
        "userinfo": lambda found: found.userinfo.decode(),
        "path": lambda found: found.raw_path.decode().partition("?")[0],
        "query": lambda found: found.query.decode(),
    }
    return _by_attributes(URL, task, {"text": str, **host, **names})


def yarl(task: PeerTask) -> PeerParser:
    """Parse with `URL`, components as they would be sent; aiohttp connects with their defaults."""
    from yarl import URL

    host: _Getters = {"scheme": "scheme", "host": "raw_host"}
    if task.kind == "destination":
        return _by_attributes(URL, task, {**host, "port": "port", "target": "raw_path_qs"})
    path: _Getters = {"path": "raw_path", "query": "raw_query_string", "fragment": "raw_fragment"}
    return _by_attributes(URL, task, {"text": str, **host, "port": "explicit_port", **path})


def hyperlink(task: PeerTask) -> PeerParser:
    """Parse with `URL.from_text`."""
    from hyperlink import URL

    names: _Getters = {name: name for name in ("scheme", "userinfo", "host", "fragment")}
    names["text"] = methodcaller("to_text", with_password=True)
    return _by_attributes(URL.from_text, task, names)


def tornado(task: PeerTask) -> PeerParser:  # noqa: ARG001 - it has destinations alone
    """Prepare what `simple_httpclient` makes of a request's URL before it connects."""
    from tornado.httpclient import HTTPRequest
    from tornado.httputil import split_host_and_port

    def read(text: str) -> object:
        parts = urlsplit(HTTPRequest(text).url)
        if parts.scheme not in {"http", "https"}:
            raise RefusedError("unsupported url scheme")
        host, port = split_host_and_port(parts.netloc.rpartition("@")[2])
        if port is None:
            port = 443 if parts.scheme == "https" else 80
        query = f"?{parts.query}" if parts.query else ""
        host = re.sub(r"\A\[(.*)\]\Z", r"\1", host)
        return destination(parts.scheme, host, port, f"{parts.path or '/'}{query}")

    return PeerParser(read)


def twisted(task: PeerTask) -> PeerParser:  # noqa: ARG001 - it has destinations alone
    """Parse with `twisted.web.client.URI.fromBytes`, with which `Agent` connects."""
    from twisted.web.client import URI

    parse: Callable[[bytes], Any] = URI.fromBytes

    def read(text: str) -> object:
        url = parse(text.encode("ascii"))
        scheme, host, target = (
            part.decode("ascii") for part in (url.scheme, url.host, url.originForm)
        )
        return destination(scheme, host, url.port, target)

    return PeerParser(read)


# The URL standard of browsers, which rejects a text without a scheme by itself.


def whatwg(task: PeerTask) -> PeerParser:
    """Parse with `uriparse.whatwg`."""
    from uriparse.whatwg import parse

    names: _Getters = {"text": "href", **_SERVER, **_AFTER_HOST}
    names["target"] = lambda url: url.path if url.query is None else f"{url.path}?{url.query}"
    return _by_attributes(parse, task, names, package_version("uriparse"))


def ada_url(task: PeerTask) -> PeerParser:
    """Parse with `ada_url.URL`."""
    from ada_url import URL

    names: _Getters = {
        "text": "href",
        "host": "hostname",
        "port": "port",
        "path": "pathname",
        "scheme": lambda found: found.protocol.removesuffix(":"),
        "query": lambda found: found.search.removeprefix("?"),
        "fragment": lambda found: found.hash.removeprefix("#"),
        "target": lambda found: f"{found.pathname}{found.search}",
    }
    return _by_attributes(URL, task, names)


def pydantic(task: PeerTask) -> PeerParser:
    """Parse with `pydantic.AnyUrl`, which has the default for an absent port."""
    from pydantic import AnyUrl

    if task.kind == "destination":
        return _by_attributes(AnyUrl, task, {**_SERVER, **_TARGET})
    names = {**_AFTER_HOST, **_PATH, "text": str, "scheme": "scheme", "host": "host"}
    return _by_attributes(AnyUrl, task, names)
