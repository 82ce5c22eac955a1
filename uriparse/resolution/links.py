"""The links of a document in HTML or Markdown: where each destination is, and what it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from html import unescape
from itertools import chain
from typing import Literal, NamedTuple, cast

from uriparse._base.coerce import Text, as_choice, as_text

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
    plain = without_code(text)
    return iter(sorted([*_of_markdown(plain), *_of_html(plain)], key=lambda link: link.span))


# HTML. One match takes a tag with all its attributes, and no character is read twice.

RAW = frozenset(["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"])
"""Elements whose only tag inside is their own end tag."""

_BETWEEN = r"(?>\s|/(?!>))*+"
_VALUE = r"""\s*=+\s*(?:'[^']*+'|"[^"]*+"|(?!['"])[^>\s]*+)"""
_ATTRIBUTES = rf"""{_BETWEEN}(?>(?<=['"\s/])[^\s/>][^\s/=>]*+(?:{_VALUE})?{_BETWEEN})*+"""
# Groups are not in `_ATTRIBUTES`: 3.11.0 forgets those in a possessive repeat.
_GROUPED = _VALUE.replace("[^", "([^").replace("*+", "*+)")
_ATTRIBUTE = re.compile(rf"([^\s/>][^\s/>=]*+)(?:{_GROUPED}|())")
_URLS = frozenset(("action", "background", "cite", "data", "formaction", "href", "longdesc"))
_URLS |= {"poster", "src", "xlink:href"}
_LISTS = frozenset(("srcset", "imagesrcset"))
_IN_LIST = re.compile(r"[\s,]*+(?:([^\s,]\S*+)(?<=,)|([^\s,]\S*+)(?:\s[^,]*+)?)")


@cache
def _next_tag(wanted: str) -> re.Pattern[str]:
    """Return what skips all but wanted tags and finds the next one."""
    comment = r"!--(?s:.*?)(?:-->|\Z)|[!?][^>]*+>?|/(?![a-zA-Z])[^>]*+>?"
    other = rf"(?!(?i:{wanted})[\s/>])/?[a-zA-Z][^\s/>]*+{_ATTRIBUTES}/?>"
    passed = f"(?>[^<]++|<(?:(?![a-zA-Z/!?])|{other}|{comment}))*+"
    return re.compile(rf"{passed}<(?P<name>(?i:{wanted}))(?=[\s/>]){_ATTRIBUTES}(?P<closes>/?>)?")


def tags(
    text: str, wanted: str = r"[a-z][^\s/>]*+", raw: frozenset[str] = RAW
) -> Iterator[re.Match[str]]:
    """Yield the wanted tags outside comments and raw elements, up to an unfinished other tag.

    wanted: an expression of their names, with "/" before that of an end tag.
    raw: elements whose content is text. The groups of a match are `name` and `closes`.
    """
    at: int | None = 0
    while at is not None and (tag := _next_tag(wanted).match(text, at)):
        yield tag
        at = tag.end()
        if tag["closes"] == ">" and (name := tag["name"].lower()) in raw:
            end = re.compile(rf"(?i:</{name})(?=[\s/>])").search(text, at)
            at = None if end is None else end.start()


def attributes(tag: re.Match[str]) -> Iterator[tuple[str, str, int]]:
    """Yield name, value and where that begins of each attribute of a tag, as written."""
    for one in _ATTRIBUTE.finditer(tag.string, tag.end("name"), tag.end()):
        value = one.lastindex or 0
        yield one[1].lower(), one[value], one.start(value)


def _of_html(text: str) -> Iterator[Link]:
    for name, value, begin in chain.from_iterable(map(_first, tags(text))):
        if name in _URLS:
            yield _link(value, begin)
        elif name in _LISTS:
            for item in _IN_LIST.finditer(value):
                url = item[1].rstrip(",") if item[1] else item[2]
                yield _link(url, begin + (item.start(1) if item[1] else item.start(2)))


def _first(tag: re.Match[str]) -> Iterable[tuple[str, str, int]]:
    """Return the attributes of a tag, of those of one name the first, as in HTML."""
    found: dict[str, tuple[str, str, int]] = {}
    for one in attributes(tag):
        found.setdefault(one[0], one)
    return found.values()


def _link(written: str, start: int) -> Link:
    inner = written.strip(" \t\n\f\r")
    start += written.index(inner)
    return Link(unescape(inner), (start, start + len(inner)))


# Markdown (CommonMark 0.31).

_INLINE = re.compile(
    r"\](?:\(((?:[^()\n\\]|\n(?![ \t]*\n)|\\.|\((?:[^()\n\\]|\\.)*\))*)\))?|\\.|\[|\n[ \t\r]*+\n"
)
"""Brackets, the last with a destination; what is escaped; and the end of a paragraph."""
_DEFINED = re.compile(r"^ {0,3}\[[^\[\]\n]++\]:[ \t]*+(?:\n[ \t]*+)?([^\s\[][^\n]*+)", re.MULTILINE)
_ANGLES = re.compile(r"<((?:[^<>\\\n]|\\.)*+)>")
_TITLE = re.compile(
    r"""(?<!\s)\s++(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\))\s*\Z"""
)
_TICKS = re.compile(r"(\\*+)(`++)")
_BEGUN = re.compile(
    r"(?P<before>[ \t]*+(?:(?:>|(?:[-+*]|\d{1,9}[.)])(?=\s|\Z))[ \t]*+)*)"
    r"(?:(?P<fence>`{3,}+(?!.*`)|~{3,}+)|(?P<block>[#=<]))?"
)
"""The beginning of a line: quotes and items of lists, and what ends a paragraph."""
_CODE = 4
"""By how much code is indented."""
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def _inline(text: str) -> Iterator[re.Match[str]]:
    opened = 0
    for found in _INLINE.finditer(text):
        if opened and found[1]:
            yield found
        step = {"[": 1, "]": -1, "\n": -opened}.get(found[0][0], 0)
        opened = max(opened + step, 0)


def _of_markdown(text: str) -> Iterator[Link]:
    for found in (*_inline(text), *_DEFINED.finditer(text)):
        written, start = found[1].rstrip(), found.start(1)
        start += len(written) - len(written.lstrip())
        written = written.lstrip()
        if angles := _ANGLES.match(written):
            written, start = angles[1], start + 1
        elif title := _TITLE.search(written):
            written = written[: title.start()]
        is_prose = found.re is _DEFINED and not angles and len(written.split()) > 1
        if written and not is_prose:
            text_ = unescape(_ESCAPED.sub(r"\1", written))
            yield Link(text_, (start, start + len(written)))


def without_code(text: str) -> str:
    """Put blanks in place of the code of Markdown, fenced, indented or in spans; offsets stay."""
    done, block, fence, quotes, inner = list[str](), list[str](), "", 0, 0
    for line in text.split("\n"):
        begun = cast("re.Match[str]", _BEGUN.match(line))
        before, mark = begun["before"], begun["fence"] or ""
        is_blank, depth, has_item = not line.strip(), before.count(">"), before.strip(" \t>") != ""
        if fence and depth >= quotes:
            done.append(_blank(line))
            if mark.startswith(fence) and not (has_item or line[begun.end() :].strip()):
                fence = ""
            continue
        fence, quotes = mark, depth
        if mark or is_blank or begun["block"] or depth or has_item:
            done += [_without_spans("\n".join(block))] if block else []
            block = []
        margin = len(before.expandtabs(4)) - len(before.lstrip(" \t"))
        if has_item or not (block or is_blank):  # where the text of an item begins
            inner = len(before) if has_item else min(inner, margin)
        if mark or (margin >= inner + _CODE and not (block or is_blank)):
            done.append(_blank(line))
        elif is_blank:
            done.append(line)
        else:
            block.append(line)
    return "\n".join([*done, _without_spans("\n".join(block))] if block else done)


def _without_spans(text: str) -> str:
    runs = [(*found.span(2), len(found[1]) % 2) for found in _TICKS.finditer(text)]
    later: dict[int, list[int]] = {}
    for start, end, _ in reversed(runs):
        later.setdefault(end - start, []).append(end)
    parts, at = list[str](), 0
    for start, end, escaped in runs:
        if start < at:
            continue
        ends = later.get(end - start - escaped, [])
        while ends and ends[-1] <= end:
            ends.pop()
        if ends:
            parts += text[at:start], _blank(text[start : ends[-1]])
            at = ends[-1]
    return "".join([*parts, text[at:]])


def _blank(text: str) -> str:
    return "".join("\n" if character == "\n" else " " for character in text)
