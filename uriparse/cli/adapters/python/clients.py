"""The URLs of HTTP clients and frameworks."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uriparse.cli.adapters.python.judges import Judge, Wanted


def urllib(wanted: Wanted) -> Judge:
    """Judge by `urllib.parse.urlsplit`, whose port can be read."""
    library = import_module("urllib.parse")
    absolute = wanted.has_scheme

    def judge(text: str) -> object:
        parts = library.urlsplit(text)
        return (not absolute or parts.scheme) and {
            "text": parts.geturl(),
            "scheme": parts.scheme,
            "host": parts.hostname,
            "port": parts.port,
            "path": parts.path,
            "query": parts.query,
            "fragment": parts.fragment,
        }

    return judge


def urllib3(wanted: Wanted) -> Judge:
    """Judge by `urllib3.util.parse_url`."""
    library = import_module("urllib3.util")
    absolute = wanted.has_scheme

    def judge(text: str) -> object:
        found = library.parse_url(text)
        return (not absolute or found.scheme) and {
            "text": found.url,
            "scheme": found.scheme,
            "userinfo": found.auth,
            "host": found.host,
            "port": found.port,
            "path": found.path or "",
            "query": found.query,
            "fragment": found.fragment,
        }

    return judge


def yarl(wanted: Wanted) -> Judge:
    """Judge by `yarl.URL`, whose port can be read; components as they would be sent."""
    library = import_module("yarl")
    absolute = wanted.has_scheme

    def judge(text: str) -> object:
        found = library.URL(text)
        return (not absolute or found.scheme) and {
            "text": str(found),
            "scheme": found.scheme,
            "host": found.raw_host,
            "port": found.explicit_port,
            "path": found.raw_path,
            "query": found.raw_query_string,
            "fragment": found.raw_fragment,
        }

    return judge


def httpx(wanted: Wanted) -> Judge:
    """Judge by `httpx.URL`; components as they would be sent."""
    library = import_module("httpx")
    absolute = wanted.has_scheme

    def judge(text: str) -> object:
        found = library.URL(text)
        return (not absolute or found.scheme) and {
            "text": str(found),
            "scheme": found.scheme,
            "userinfo": found.userinfo.decode(),
            "host": found.raw_host.decode(),
            "port": found.port,
            "path": found.raw_path.decode().partition("?")[0],
            "query": found.query.decode(),
        }

    return judge


def hyperlink(wanted: Wanted) -> Judge:
    """Judge by `hyperlink.URL.from_text`."""
    library = import_module("hyperlink")
    absolute = wanted.has_scheme

    def judge(text: str) -> object:
        found = library.URL.from_text(text)
        return (not absolute or found.scheme) and {
            "text": found.to_text(with_password=True),
            "scheme": found.scheme,
            "userinfo": found.userinfo,
            "host": found.host,
            "fragment": found.fragment,
        }

    return judge


def ada_url(wanted: Wanted) -> Judge:  # noqa: ARG001 - it reads but one kind of text
    """Judge by `ada_url.URL`, which reads as browsers do."""
    library = import_module("ada_url")

    def judge(text: str) -> object:
        found = library.URL(text)
        return {
            "text": found.href,
            "scheme": found.protocol.removesuffix(":"),
            "host": found.hostname,
            "port": found.port,
            "path": found.pathname,
            "query": found.search.removeprefix("?"),
            "fragment": found.hash.removeprefix("#"),
        }

    return judge


def pydantic(wanted: Wanted) -> Judge:  # noqa: ARG001 - it reads but one kind of text
    """Judge by `pydantic.AnyUrl`, which reads as browsers do."""
    library = import_module("pydantic")

    def judge(text: str) -> object:
        found = library.AnyUrl(text)
        return {
            "text": str(found),
            "scheme": found.scheme,
            "host": found.host,
            "path": found.path or "",
            "query": found.query,
            "fragment": found.fragment,
        }

    return judge
