"""The tags of an HTML document, as many of them as tell what its base is.

Expressions pass over what does not count in one match, whatever it is, and never look at it again:
markup takes 10 to 100 ns a character.
"""

from __future__ import annotations

import re
from functools import cache

_NESTS = "template"
_INERT = ("iframe", "noembed", "noframes", "noscript", _NESTS, "textarea", "title", "xmp")
"""Elements whose content is text, or no part of the document, so that a <base> there counts not."""
_RAW = ("script", "style")
"""Elements that hold no tags but their own end."""

_NAME = r"[a-zA-Z][^\t\n\r\f />\x00]*+"
_NAMED = r"(?=[\t\n\r\f />])"
"""Follows the whole name of a tag."""

_BETWEEN = r"(?:\s|/(?!>))*+"
_VALUE = r"""\s*=+\s*(?:'[^']*+'|"[^"]*+"|(?!['"])[^>\s]*+)"""
_ATTRIBUTE = rf"""(?>(?<=['"\s/])[^\s/>][^\s/=>]*+(?:{_VALUE})?{_BETWEEN})"""
_ATTRIBUTES = f"{_BETWEEN}{_ATTRIBUTE}*+"
_CLOSES = "/?>"
_OPENS = ">"

_HREF = r"""(?<=['"\s/])(?ai:href)(?=[\s/=>])"""
_BASE = f"(?ai:base){_NAMED}{_BETWEEN}(?:(?!{_HREF}){_ATTRIBUTE})*+{_HREF}"
"""The name of a `<base>` with an `href`, up to its value."""

_UP_TO_VALUE = re.compile(rf"""<{_BASE}(?:\s*=+\s*(?:'([^']*+)'|"([^"]*+)"|(?!['"])([^>\s]*+)))?""")

_COMMENT = r"!--(?:[^-]++|-(?!-\s*+>))*+--\s*+>"
_DECLARATION = "!(?!--)[^>]*+>"
_INSTRUCTION = r"\?[^>]*+>"
_NO_MARKUP = r"(?=[^a-zA-Z/!?])"


def base_href(markup: str) -> str | None:
    """Return the `href` of the first `<base>` that counts and has one, as it is written.

    "" where it has no value. An unfinished tag or comment hides what follows it.
    """
    at = 0
    while True:
        tag = _passed_outside().match(markup, at)
        if tag is None or tag["name"] is None:
            return None
        name = tag["name"].lower()
        if name == "base":
            href = _UP_TO_VALUE.match(markup, tag.start("name") - 1)
            return "" if href is None or href.lastindex is None else href[href.lastindex]
        at = tag.end()
        if tag["closes"] == _OPENS:
            end = _end(name, markup, at)
            if end is None:
                return None
            at = end


def _end(name: str, markup: str, at: int) -> int | None:
    """Return where an inert element ends whose content begins there; None if it does not."""
    depth = 1
    while depth:
        tag = _passed_inside(name).match(markup, at)
        if tag is None or tag.lastgroup is None:
            return None
        if tag.lastgroup == "end":
            depth -= 1
        elif tag["closes"] == _OPENS:
            depth += 1
        at = tag.end()
    return at


@cache
def _passed_outside() -> re.Pattern[str]:
    """Pass over markup up to a `<base>` with an `href`, or an inert element, and its first tag."""
    names = "|".join(_INERT)
    passed = _passed(f"{_BASE}|(?ai:{names}){_NAMED}", "(?!)")
    tag = f"<(?P<name>(?ai:base|{names})){_NAMED}{_ATTRIBUTES}(?P<closes>{_CLOSES})"
    return re.compile(f"{passed}(?:{tag})?")


@cache
def _passed_inside(name: str) -> re.Pattern[str]:
    """Pass over markup up to the end tag of an element, or if it nests, another start tag."""
    end = rf"\s*+(?ai:{name})\s*+>|(?ai:{name})[\t\n\r\f />\x00]"
    start = f"(?ai:{name}){_NAMED}" if name == _NESTS else "(?!)"
    passed = _passed(start, end)
    ended = f"(?P<end></(?={end})[^>]*+>)"
    return re.compile(f"{passed}(?:{ended}|<{start}{_ATTRIBUTES}(?P<closes>{_CLOSES}))?")


def _passed(start: str, end: str) -> str:
    """Put together what passes over all but these start tags and end tags."""
    others = "|".join(_RAW)
    plain = f"(?!{start}|(?ai:{others}){_NAMED}){_NAME}{_ATTRIBUTES}(?:{_CLOSES}|(?=[^=>/a-zA-Z]))"
    raw = "|".join(map(_raw, _RAW))
    rest = f"{_COMMENT}|{_DECLARATION}|{_INSTRUCTION}"
    return f"(?:[^<]++|<(?:{_NO_MARKUP}|{plain}|/(?!{end})[^>]*+>|{raw}|{rest}))*+"


def _raw(name: str) -> str:
    end = rf"/\s*+(?ai:{name})\s*+>"
    content = f"(?:[^<]++|<(?!{end}))*+<{end}"
    return f"(?ai:{name}){_NAMED}{_ATTRIBUTES}(?:/>|>{content})"
