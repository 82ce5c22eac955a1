"""The peers in Python: a function each, which makes the parser for a task.

Each imports its library itself, so that a missing one costs its own process alone. For a verdict
it answers with the components of the text; for a destination, with what the client would connect
to and ask for there, found without a connection.
"""

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

from uriparse.conformance.peers.tasks import Parser, RefusedError, Task, destination
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
    parse: Callable[[str], Any], task: Task, getters: _Getters, version: str = ""
) -> Parser:
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

    return Parser(read, version)


# Parsers of RFC 3986 and RFC 3987.


def uriparse(task: Task) -> Parser:
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

    return Parser(read)


def uritools(task: Task) -> Parser:
    """Parse with `urisplit`, whose host and port can be read."""
    split = import_module("uritools").urisplit

    def parse(text: str) -> object:
        parts = split(text)
        parts.gethost()
        parts.getport()
        return parts

    return _by_attributes(parse, task, {**_ALL, "text": methodcaller("geturi")})


def rfc3986(task: Task) -> Parser:
    """Parse with `uri_reference`; for verdicts, `Validator` checks all components."""
    parse = import_module("rfc3986").uri_reference
    validator = import_module("rfc3986.validators").Validator()
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


def rfc3986_validator(task: Task) -> Parser:
    """Match with `validate_rfc3986`, which knows two rules."""
    validate = import_module("rfc3986_validator").validate_rfc3986
    rule = "URI" if task.kind == "absolute" else "URI_reference"
    return Parser(lambda text: validate(text, rule) is not None)


def rfc3987(task: Task) -> Parser:
    """Match with the rule's own name, which the package writes with "_"."""
    match = import_module("rfc3987").match
    name = task.rule.replace("-", "_")
    return Parser(lambda text: match(text, name) is not None)


def rfc3987_syntax(task: Task) -> Parser:
    """Match with the rule for IRIs; the package has none for URIs."""
    is_valid_syntax = import_module("rfc3987_syntax").is_valid_syntax
    name = "iri" if task.kind == "absolute" else "iri_reference"
    return Parser(lambda text: is_valid_syntax(name, text))


def abnf(task: Task) -> Parser:
    """Parse with the rule of the package's own module of the grammar."""
    parse = import_module(f"abnf.grammars.{task.grammar}").Rule(task.rule).parse_all
    return Parser(lambda text: parse(text) is not None)


# The standard library.


def urllib(task: Task) -> Parser:
    """Parse with `urllib.parse.urlsplit`, whose port can be read."""
    names = {**_SERVER, "host": "hostname", **_AFTER_HOST, "text": methodcaller("geturl")}
    return _by_attributes(urlsplit, task, names, platform.python_version())


def urllib_parse(task: Task) -> Parser:
    """Parse with `urllib.parse.urlsplit`, for a destination."""
    names = {**_SERVER, "host": "hostname", "path": "path"}
    names["query"] = lambda found: found.query or None  # it has "" for an absent one as well
    return _by_attributes(urlsplit, task, names, platform.python_version())


def urllib_request(task: Task) -> Parser:  # noqa: ARG001 - it has destinations alone
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

    return Parser(read, platform.python_version())


# HTTP clients and frameworks.


def _pooled(pool: Any, target: str) -> dict[str, object]:
    """Return the pool's scheme, and the host and port of a connection that it would make."""
    connection = pool.ConnectionCls(host=pool.host, port=pool.port)
    return destination(pool.scheme, connection.host, connection.port, target)


def urllib3(task: Task) -> Parser:
    """Parse with `util.parse_url`; for a destination, as `PoolManager.request` does."""
    parse_url = import_module("urllib3.util").parse_url
    if task.kind != "destination":
        names = {**_ALL, **_PATH, "text": "url", "userinfo": "auth"}
        return _by_attributes(parse_url, task, names)
    manager = import_module("urllib3").PoolManager()

    def read(text: str) -> object:
        url = parse_url(text)
        pool = manager.connection_from_host(url.host, port=url.port, scheme=url.scheme)
        return _pooled(pool, url.request_uri)

    return Parser(read)


def requests(task: Task) -> Parser:  # noqa: ARG001 - it has destinations alone
    """Prepare what `requests.get` does before it connects."""
    library = import_module("requests")
    session = library.Session()

    def read(text: str) -> object:
        request = library.Request("GET", text).prepare()
        adapter = session.get_adapter(request.url)
        pool = adapter.get_connection_with_tls_context(request, verify=True)
        return _pooled(pool, adapter.request_url(request, None))

    return Parser(read)


def httpx(task: Task) -> Parser:
    """Parse with `URL`, components as they would be sent; for a destination, with a `Request`."""
    library = import_module("httpx")
    host = {**_SERVER, "host": lambda found: found.raw_host.decode()}
    if task.kind == "destination":

        def parse(text: str) -> object:
            return library.Request("GET", text).url

        host["target"] = lambda found: found.raw_path.decode("ascii")
        return _by_attributes(parse, task, host)
    names: _Getters = {
        "userinfo": lambda found: found.userinfo.decode(),
        "path": lambda found: found.raw_path.decode().partition("?")[0],
        "query": lambda found: found.query.decode(),
    }
    return _by_attributes(library.URL, task, {"text": str, **host, **names})


def yarl(task: Task) -> Parser:
    """Parse with `URL`, components as they would be sent; aiohttp connects with their defaults."""
    parse = import_module("yarl").URL
    host: _Getters = {"scheme": "scheme", "host": "raw_host"}
    if task.kind == "destination":
        return _by_attributes(parse, task, {**host, "port": "port", "target": "raw_path_qs"})
    path: _Getters = {"path": "raw_path", "query": "raw_query_string", "fragment": "raw_fragment"}
    return _by_attributes(parse, task, {"text": str, **host, "port": "explicit_port", **path})


def hyperlink(task: Task) -> Parser:
    """Parse with `URL.from_text`."""
    names: _Getters = {name: name for name in ("scheme", "userinfo", "host", "fragment")}
    names["text"] = methodcaller("to_text", with_password=True)
    return _by_attributes(import_module("hyperlink").URL.from_text, task, names)


def tornado(task: Task) -> Parser:  # noqa: ARG001 - it has destinations alone
    """Prepare what `simple_httpclient` makes of a request's URL before it connects."""
    requested = import_module("tornado.httpclient").HTTPRequest
    split = import_module("tornado.httputil").split_host_and_port

    def read(text: str) -> object:
        parts = urlsplit(requested(text).url)
        if parts.scheme not in {"http", "https"}:
            raise RefusedError("unsupported url scheme")
        host, port = split(parts.netloc.rpartition("@")[2])
        if port is None:
            port = 443 if parts.scheme == "https" else 80
        query = f"?{parts.query}" if parts.query else ""
        host = re.sub(r"\A\[(.*)\]\Z", r"\1", host)
        return destination(parts.scheme, host, port, f"{parts.path or '/'}{query}")

    return Parser(read)


def twisted(task: Task) -> Parser:  # noqa: ARG001 - it has destinations alone
    """Parse with `twisted.web.client.URI.fromBytes`, with which `Agent` connects."""
    parse = import_module("twisted.web.client").URI.fromBytes

    def read(text: str) -> object:
        url = parse(text.encode("ascii"))
        scheme, host, target = (
            part.decode("ascii") for part in (url.scheme, url.host, url.originForm)
        )
        return destination(scheme, host, url.port, target)

    return Parser(read)


# The URL standard of browsers, which rejects a text without a scheme by itself.


def whatwg(task: Task) -> Parser:
    """Parse with `uriparse.whatwg`."""
    names: _Getters = {"text": "href", **_SERVER, **_AFTER_HOST}
    names["target"] = lambda url: url.path if url.query is None else f"{url.path}?{url.query}"
    parse = import_module("uriparse.whatwg").parse
    return _by_attributes(parse, task, names, package_version("uriparse"))


def ada_url(task: Task) -> Parser:
    """Parse with `ada_url.URL`."""
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
    return _by_attributes(import_module("ada_url").URL, task, names)


def pydantic(task: Task) -> Parser:
    """Parse with `pydantic.AnyUrl`, which has the default for an absent port."""
    parse = import_module("pydantic").AnyUrl
    if task.kind == "destination":
        return _by_attributes(parse, task, {**_SERVER, **_TARGET})
    names = {**_AFTER_HOST, **_PATH, "text": str, "scheme": "scheme", "host": "host"}
    return _by_attributes(parse, task, names)
