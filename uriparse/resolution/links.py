"""The links of a document in HTML or Markdown: where each destination is, and what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Literal, NamedTuple

from uriparse._base.coerce import Text, as_choice, as_text
from uriparse.resolution.base import ATTRIBUTES, BETWEEN, NAME, VALUE

Markup = Literal["html", "markdown"]
MARKUPS: tuple[Markup, ...] = ("html", "markdown")


class Link(NamedTuple):
    """The destination of a link.

    text: the reference, decoded, without white space around it; it may be invalid.
    span: where it is in the document, as it is written there.
    """

    text: str
    span: tuple[int, int]


def find_links(document: Text, markup: Markup = "html") -> Iterator[Link]:
    """Find the destinations of the links of a document, in their order.

    markup: "html": the values of attributes that are URLs, such as `href`, `src` and each URL of
        `srcset`, outside comments and scripts; "markdown": inline links, images and definitions
        outside code (CommonMark), and HTML among them.

    A destination that is not a reference is found as well, such as one with a space. `base_uri`
    and `html_base` find the base to resolve them. Linear in time.

    >>> [link.text for link in find_links('<a href="../b?x&amp;y"><img srcset="a.png 1x, b.png">')]
    ['../b?x&y', 'a.png', 'b.png']
    >>> [link.text for link in find_links('[b](../b.md "title") `[c](d)` ![e](<f g>)', "markdown")]
    ['../b.md', 'f g']
    """
    text = as_text(document, "document")
    if as_choice(markup, "markup", MARKUPS) == "html":
        return _of_html(text)
    plain = _without_code(text)
    return iter(sorted([*_of_markdown(plain), *_of_html(plain)], key=lambda link: link.span))


# HTML. Patterns and their linearity are those of the `<base>` in `uriparse.resolution.base`.

_TAG = re.compile(f"<({NAME}){ATTRIBUTES}")
_ATTRIBUTE = re.compile(rf"([^\s/>=][^\s/>=]*+)(?:{VALUE})?{BETWEEN}")
_URLS = frozenset(("action", "background", "cite", "data", "formaction", "href", "longdesc"))
_URLS |= {"poster", "src", "xlink:href"}
_LISTS = frozenset(("srcset", "imagesrcset"))
_IN_LIST = re.compile(r"[\s,]*+(?:([^\s,]\S*+)(?<=,)|([^\s,]\S*+)(?:\s[^,]*+)?)")
_RAW_ENDS = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style")}


def _of_html(text: str) -> Iterator[Link]:
    at = text.find("<")
    while at >= 0:
        if text.startswith("<!--", at):
            at = text.find("-->", at + len("<!--"))
            end: re.Match[str] | None
        elif tag := _TAG.match(text, at):
            yield from _of_tag(text, tag.end(1), tag.end())
            at = tag.end()
            if raw := _RAW_ENDS.get(tag[1].lower()):
                end = raw.search(text, at)
                at = -1 if end is None else end.start()
        at = -1 if at < 0 else text.find("<", at + 1 if text.startswith("<", at) else at)


def _of_tag(text: str, start: int, end: int) -> Iterator[Link]:
    for one in _ATTRIBUTE.finditer(text, start, end):
        name = one[1].lower()
        if name not in _URLS | _LISTS:
            continue
        first = one.start() + one[0].index("=") if "=" in one[0] else one.end()
        value = one[0][first - one.start() :].lstrip("= \t\n\f\r").rstrip()
        begin = one.start() + one[0].rindex(value) if value else one.end()
        if value[:1] in {"'", '"'}:
            value, begin = value[1:].rpartition(value[0])[0], begin + 1
        if name in _URLS:
            yield _link(value, begin)
        else:
            for item in _IN_LIST.finditer(value):
                url = item[1].rstrip(",") if item[1] else item[2]
                yield _link(url, begin + (item.start(1) if item[1] else item.start(2)))


def _link(written: str, start: int) -> Link:
    inner = written.strip(" \t\n\f\r")
    start += written.index(inner)
    return Link(unescape(inner), (start, start + len(inner)))


# Markdown (CommonMark 0.31).

_INLINE = re.compile(r"\]\(((?:[^()\n\\]|\\.|\((?:[^()\n\\]|\\.)*\))*)\)")
_DEFINED = re.compile(r"^ {0,3}\[[^\[\]\n]++\]:[ \t]*+([^\n]*+)", re.MULTILINE)
_TITLE = re.compile(r"""(?<!\s)\s++(?:"[^"\n]*+"|'[^'\n]*+'|\([^()\n]*+\))\s*\Z""")
_TICKS = re.compile("`++")
_FENCE = re.compile(" {0,3}(`{3,}|~{3,})")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def _of_markdown(text: str) -> Iterator[Link]:
    for found in (*_INLINE.finditer(text), *_DEFINED.finditer(text)):
        written, start = found[1].rstrip(), found.start(1)
        start += len(written) - len(written.lstrip())
        written = written.lstrip()
        if written.startswith("<") and ">" in written:
            written, start = written[1 : written.index(">")], start + 1
        elif title := _TITLE.search(written):
            written = written[: title.start()]
        if written and not written.startswith("^"):
            text_ = unescape(_ESCAPED.sub(r"\1", written))
            yield Link(text_, (start, start + len(written)))


def _without_code(text: str) -> str:
    """Put blanks in place of fenced code and code spans, so that offsets stay."""
    lines, fence = [], ""
    for line in text.splitlines(keepends=True):
        begun = _FENCE.match(line)
        if fence:
            is_end = begun and begun[1].startswith(fence) and not line[begun.end() :].strip()
            lines.append(_blank(line))
            fence = "" if is_end else fence
        elif begun:
            fence = begun[1]
            lines.append(_blank(line))
        else:
            lines.append(_without_spans(line) if "`" in line else line)
    return "".join(lines)


def _without_spans(line: str) -> str:
    runs = [(found.start(), found.end()) for found in _TICKS.finditer(line)]
    later: dict[int, list[int]] = {}
    for start, end in reversed(runs):
        later.setdefault(end - start, []).append(end)
    parts, at = list[str](), 0
    for start, end in runs:
        ends = later[end - start]
        while ends and ends[-1] <= max(end, at):
            ends.pop()
        if start >= at and ends:
            parts += line[at:start], _blank(line[start : ends[-1]])
            at = ends[-1]
    return "".join([*parts, line[at:]])


def _blank(text: str) -> str:
    return "".join("\n" if character == "\n" else " " for character in text)
