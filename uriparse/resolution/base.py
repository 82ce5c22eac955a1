"""The base URI of a document or message part (RFC 3986 section 5.1), and where it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal, TypeAlias, final

from uriparse import excerpt
from uriparse.coerce import Text, Textual, as_items, as_text, refusal
from uriparse.errors import ResolutionError
from uriparse.parsing import Reference, as_reference
from uriparse.records import URI
from uriparse.resolution.resolving import Redirects, absolute, resolve, without_fragment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from email.message import Message


# The base URI of a document, a message part or whatever else holds references (RFC 3986 §5.1).

BaseSource: TypeAlias = Literal["embedded", "enclosing", "retrieval", "default"]


@final
@dataclass(frozen=True, slots=True)
class BaseURI:
    """A base and where it comes from.

    Bases may stand in each other as deep as they like.

    Attributes:
        uri: an absolute URI; its fragment is None.
        source: "embedded" in the content, stated by or found for an "enclosing" entity, the
            "retrieval" URI, or the application's "default".
        outer: the base that this one was resolved against or taken over from, with its own
            source; None where it stands by itself.

    """

    uri: URI
    source: BaseSource
    outer: BaseURI | None = None

    def __str__(self) -> str:
        return str(self.uri)

    def __repr__(self) -> str:
        opened = [
            f"BaseURI(uri={base.uri!r}, source={base.source!r}, outer=" for base in self._all()
        ]
        return "".join([*opened, "None", ")" * len(opened)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BaseURI):
            return NotImplemented
        for one, two in zip_longest(self._all(), other._all()):
            if one is two:
                return True  # and so are those around it
            if one is None or two is None or one.source != two.source or one.uri != two.uri:
                return False
        return True

    def __hash__(self) -> int:
        return hash(self._parts())

    def __reduce__(self) -> tuple[object, ...]:
        return _nested, (self._parts(),)

    def __copy__(self) -> BaseURI:
        return self

    def __deepcopy__(self, _: object) -> BaseURI:
        return self

    def _all(self) -> Iterator[BaseURI]:
        """Yield this one and those outside it, outwards."""
        base: BaseURI | None = self
        while base is not None:
            yield base
            base = base.outer

    def _parts(self) -> tuple[tuple[URI, BaseSource], ...]:
        return tuple((base.uri, base.source) for base in self._all())


def _nested(parts: tuple[tuple[URI, BaseSource], ...]) -> BaseURI:
    base: BaseURI | None = None
    for uri, source in reversed(parts):
        base = BaseURI(uri, source, base)
    assert base is not None  # noqa: S101 - there is one at least
    return base


def base_uri(
    *,
    embedded: Reference | None = None,
    enclosing: BaseURI | Reference | Sequence[BaseURI | Reference | None] | None = None,
    retrieval: Reference | Sequence[Reference] | None = None,
    default: Reference | None = None,
) -> BaseURI:
    """Establish a base URI from what is known, the innermost source first (RFC 3986 section 5.1).

    embedded: what the content itself states (`html_base`); may be relative (section 5.1.1).
    enclosing: the base of the entity around it, a result of this function, or what each of the
        entities around it states, innermost first, None for those that state nothing
        (`enclosing_bases`); may be relative (section 5.1.2).
    retrieval: the URI it was retrieved from, or the chain of redirects in order, of which the
        last counts (section 5.1.3). The first must be absolute; the others may be relative to
        the one before (RFC 9110 section 10.2.2).
    default: the application's choice where there is nothing else (section 5.1.4); absolute.

    A relative base is resolved against the next one outwards. Fragments are dropped.
    ResolutionError if nothing is known, or nothing absolute.

    >>> base = base_uri(embedded="sub/", retrieval=["http://r/", "http://r/a/b"])
    >>> str(base), base.source, base.outer.source
    ('http://r/a/sub/', 'embedded', 'retrieval')
    """
    base: BaseURI | None = None
    if default is not None:
        base = BaseURI(without_fragment(absolute(default, "default base")), "default")
    if retrieval is not None and (found := _last_of_chain(retrieval)) is not None:
        base = BaseURI(found, "retrieval")
    for stated in reversed(_entities(enclosing)):
        if isinstance(stated, BaseURI):
            base = BaseURI(stated.uri, "enclosing", stated)
        elif stated is not None:
            base = _stated(stated, "enclosing", base)
    if embedded is not None:
        base = _stated(embedded, "embedded", base)
    if base is None:
        raise ResolutionError(
            "no base URI: nothing embedded, no enclosing entity, no retrieval URI, no default"
        )
    return base


def _entities(
    enclosing: BaseURI | Reference | Sequence[BaseURI | Reference | None] | None,
) -> Sequence[BaseURI | Reference | None]:
    if enclosing is None:
        return ()
    if isinstance(enclosing, BaseURI | str | bytes | Textual):
        return (enclosing,)
    return tuple(as_items(enclosing, "enclosing", "a base, a reference or a sequence of them"))


def _stated(stated: Reference, source: BaseSource, outer: BaseURI | None) -> BaseURI:
    """Make a stated base absolute by the base around it, if it is relative."""
    reference = as_reference(stated, name=source)
    if isinstance(reference, URI):
        return BaseURI(without_fragment(reference), source)
    if outer is None:
        shown = excerpt.masked(repr(reference))
        raise ResolutionError(
            f"the {source} base {shown} is relative, and no base further out is known"
        )
    return BaseURI(without_fragment(resolve(outer.uri, reference)), source, outer)


def _last_of_chain(retrieval: Reference | Sequence[Reference]) -> URI | None:
    if isinstance(retrieval, str | bytes | Textual):
        return without_fragment(absolute(retrieval, "retrieval URI"))
    redirects: Redirects | None = None
    for step in as_items(retrieval, "retrieval", "a reference or a sequence of them"):
        if redirects is None:
            redirects = Redirects(absolute(step, "retrieval URI"))
        else:
            redirects.follow(step)
    return None if redirects is None else redirects.target()


# The tags of an HTML document, as many of them as tell what its base is.
#
# Expressions pass over what does not count in one match, whatever it is, and never look at it
# again: markup takes 10 to 100 ns a character.

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


def _base_href(markup: str) -> str | None:
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


# Where documents and messages write down the base of their references.
#
# What these functions return is text as it was written, for `base_uri` to make absolute. They
# read what they are given and fetch nothing.

THIS_MESSAGE = "thismessage:/"
"""The base of a MIME message that names none (RFC 2557 section 5): a default for `base_uri`."""

# Numeric character references that may be longer than what int() reads (HTML, no URI syntax).
_LONG_REFERENCE = re.compile("&#([0-9]{8,})")
_BEYOND_UNICODE = "1114112"
_FOLDING = dict.fromkeys(map(ord, " \t\r\n"))
_HTML_SPACE = " \t\n\f\r"


def html_base(markup: Text) -> str | None:
    """Return the base that an HTML document embeds: the `href` of its first `<base>` with one.

    Character references in it are decoded and white space around it is dropped, as HTML has it.
    None where there is no such element; "" where it is empty. Whatever else is wrong with the
    markup is no error. Linear in time.

    >>> html_base('<title>t</title><base target="_top"><base href=" ../b?x&amp;y ">')
    '../b?x&y'
    """
    written = _base_href(as_text(markup, "markup"))
    if written is None:
        return None
    return unescape(_LONG_REFERENCE.sub(_shortened, written)).strip(_HTML_SPACE)


def mime_base(heading: Message) -> str | None:
    """Return the base that the heading of a MIME entity states, None where it states none.

    That is its `Content-Location` (RFC 2557 section 4.2; may be relative), or `Content-Base`
    where there is one (RFC 2110 section 4.2, obsolete). White space in it is dropped, since it
    can only come from folding the header; characters that no URI has are left for `base_uri` to
    refuse.
    """
    if not hasattr(heading, "get"):
        raise refusal(heading, "heading", "a Message")
    for field in ("Content-Base", "Content-Location"):
        value = _stated_field(heading, field)
        if value is not None:
            return value.translate(_FOLDING)
    return None


def _stated_field(heading: Message, field: str) -> str | None:
    """Return what a field holds, None if it is not there."""
    try:
        value = heading.get(field)
        return None if value is None else str(value)
    except UnicodeEncodeError:  # of lone surrogates, which no octets of a message can have made
        fields = heading.raw_items()
        return next(str(value) for name, value in fields if name.lower() == field.lower())


def enclosing_bases(message: Message, part: Message) -> tuple[str | None, ...]:
    """Return what the headings around a part of a message state as base, innermost first.

    The first is that of the part's own heading, the last that of the whole message; each is as
    `mime_base` gives it. This is what `base_uri` takes as `enclosing` (RFC 3986 section 5.1.2).
    ValueError if the part is not in the message (compared by identity).
    """
    if not hasattr(message, "is_multipart"):
        raise refusal(message, "message", "a Message")
    way = [message]
    branches = [_parts(message)]
    while way[-1] is not part:
        below = next(branches[-1], None)
        if below is not None:
            way.append(below)
            branches.append(_parts(below))
            continue
        way.pop()
        branches.pop()
        if not way:
            raise ValueError("the part is not in the message")
    return tuple(mime_base(heading) for heading in reversed(way))


def _parts(message: Message) -> Iterator[Message]:
    if not message.is_multipart():
        return
    for part in message.get_payload():
        if not isinstance(part, str):
            yield part


def _shortened(reference: re.Match[str]) -> str:
    """Write a numeric character reference without its leading zeros, and in few digits."""
    digits = reference[1].lstrip("0") or "0"
    return f"&#{digits if len(digits) <= len(_BEYOND_UNICODE) else _BEYOND_UNICODE}"
