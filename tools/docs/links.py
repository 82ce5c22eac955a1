"""The links of built pages: those between them are followed, the others listed."""

from __future__ import annotations

import urllib.request
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError

from uriparse import parse, resolve, unquote
from uriparse.building import to_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from uriparse import URI

LINKS = {"a": "href", "link": "href", "img": "src", "script": "src"}
SECONDS = 20


class Page(HTMLParser):
    """What a page links to, and what it can be linked to by."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of one tag."""
        found = dict(attrs)
        if place := found.get("id"):
            self.anchors.add(place)
        if link := found.get(LINKS.get(tag, "")):
            self.links.append(link)


def targets(pages: Iterable[Path]) -> Iterator[tuple[str, str, URI]]:
    """Yield each link, with its page and its target."""
    for path in pages:
        base = path.resolve().as_uri()
        for link in Page(path).links:
            yield str(path), link, resolve(base, link)


def broken(pages: Iterable[Path]) -> list[str]:
    """Return the links whose file or anchor does not exist."""
    faults = []
    anchors = cache(lambda path: Page(path).anchors)
    for page, link, target in targets(pages):
        if target.scheme != "file":
            continue
        file = Path(to_path(target.replace(query=None, fragment=None)))
        if not file.is_file():
            faults.append(f"{page}: {link}: the file does not exist")
        elif target.fragment and unquote(target.fragment) not in anchors(file):
            faults.append(f"{page}: {link}: the page has no such anchor")
    return faults


def external(pages: Iterable[Path]) -> set[str]:
    """Return the links to other sites."""
    found = (target for *_, target in targets(pages))
    return {str(target.replace(fragment=None)) for target in found if target.scheme != "file"}


def unreachable(urls: Iterable[str]) -> list[str]:
    """Return which of these pages cannot be loaded, and why."""
    faults = []
    for url in urls:
        if parse(url).scheme not in ("http", "https"):
            continue
        request = urllib.request.Request(url, method="HEAD", headers={"User-Agent": "link check"})  # noqa: S310 - the scheme has been looked at
        try:
            urllib.request.urlopen(request, timeout=SECONDS).close()  # noqa: S310 - same
        except (URLError, TimeoutError) as error:
            faults.append(f"{url}: {error}")
    return faults
