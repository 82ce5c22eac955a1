"""libcurl's URL API, told to guess nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli.readers.python import curl

if TYPE_CHECKING:
    from uriparse.cli.adapters.python.judges import Judge, Wanted


def libcurl(wanted: Wanted) -> Judge:  # noqa: ARG001 - it reads but one kind of text
    """Judge by `curl_url_set` of the system's libcurl; schemes that it cannot fetch are allowed."""
    library = curl.SystemLibrary()

    def judge(text: str) -> object:
        with library.url(text, curl.NON_SUPPORT_SCHEME) as part:
            return {
                "scheme": part(curl.SCHEME),
                "host": part(curl.HOST),
                "port": part(curl.PORT),
                "path": part(curl.PATH),
                "query": part(curl.QUERY),
                "fragment": part(curl.FRAGMENT),
            }

    return judge
