"""Base URIs (RFC 3986 section 5.1): choosing one, and reading it from HTML and MIME documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast, final

from uriparse._base.coerce import Text, Textual, as_items, as_text, is_other_url, refusal
from uriparse.components.component_text import grammar_of_records
from uriparse.errors import ResolutionError, excerpt
from uriparse.parsing import Reference, as_reference, common_grammar
from uriparse.records import URI
from uriparse.records.references import absolute
from uriparse.resolution.links import RAW, attributes, tags
from uriparse.resolution.resolving import Redirects, resolve, without_fragment

if TYPE_CHECKING:
    from email.message import Message

    from uriparse._compiled.names import RecordGrammar

__all__ = ["enclosing_bases", "html_base", "mime_base"]

BaseSource: TypeAlias = Literal["embedded", "enclosing", "retrieval", "default"]


@final
@dataclass(frozen=True, slots=True)
class BaseURI:
    """A base URI and its source. Bases may be nested to any depth.

    uri: an absolute URI; its fragment is None.
    source: "embedded" in the content, from an "enclosing" entity, the "retrieval" URI, or the
        application's "default".
    outer: the base that this one was resolved against or taken from, with its own source; None
        if there is none.
    """

    uri: URI
    source: BaseSource
    outer: BaseURI | None = None

    def __str__(self) -> str:
        return str(self.uri)

    def __repr__(self) -> str:
        opened = [
            f"BaseURI(uri={base.uri!r}, source={base.source!r}, outer=" for base in self._chain()
        ]
        return "".join([*opened, "None", ")" * len(opened)])

    def __eq__(self, other: object) -> bool:
        return self._parts() == other._parts() if isinstance(other, BaseURI) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._parts())

    def __reduce__(self) -> tuple[object, ...]:
        return _nest_bases, (self._parts(),)

    def __copy__(self) -> BaseURI:
        return self

    def __deepcopy__(self, _: object) -> BaseURI:
        return self

    def _chain(self) -> Iterator[BaseURI]:
        """Yield this base, then the outer ones from inside out."""
        base: BaseURI | None = self
        while base is not None:
            yield base
            base = base.outer

    def _parts(self) -> tuple[tuple[URI, BaseSource], ...]:
        return tuple((base.uri, base.source) for base in self._chain())


def _nest_bases(parts: tuple[tuple[URI, BaseSource], ...]) -> BaseURI:
    base: BaseURI | None = None
    for uri, source in reversed(parts):
        base = BaseURI(uri, source, base)
    assert base is not None  # noqa: S101 - there is at least one part
    return base


def base_uri(
    *,
    embedded: Reference | None = None,
    enclosing: BaseURI | Reference | Sequence[BaseURI | Reference | None] | None = None,
    retrieval: Reference | Sequence[Reference] | None = None,
    default: Reference | None = None,
    grammar: RecordGrammar | str = "rfc3986",
) -> BaseURI:
    """Return the base URI from the known sources, the innermost first (RFC 3986 section 5.1).

    embedded: the base in the content itself (`html_base`); may be relative (section 5.1.1).
    enclosing: the base of the enclosing entity, a result of this function, or the bases of all
        enclosing entities, innermost first, with None for those without one (`enclosing_bases`);
        may be relative (section 5.1.2).
    retrieval: the URI that the content was retrieved from, or the chain of redirects in order
        (section 5.1.3). The first must be absolute; the others may be relative to the one before
        (RFC 9110 section 10.2.2). The last one counts.
    default: the application's base if there is no other (section 5.1.4); absolute.
    grammar: as in `resolve`.

    A relative base is resolved against the next outer one. Fragments are dropped.
    ResolutionError if there is no base, or no absolute one.

    >>> base = base_uri(embedded="sub/", retrieval=["http://r/", "http://r/a/b"])
    >>> str(base), base.source, base.outer.source
    ('http://r/a/sub/', 'embedded', 'retrieval')
    """
    base: BaseURI | None = None
    name = grammar_of_records(grammar)
    if default is not None:
        base = BaseURI(without_fragment(absolute(default, "default base", name)), "default")
    if retrieval is not None and (found := _follow_redirects(retrieval, name)) is not None:
        base = BaseURI(found, "retrieval")
    around = () if enclosing is None else _several(enclosing, "enclosing", "a base, a reference")
    for stated in reversed(around):
        if isinstance(stated, BaseURI):
            base = BaseURI(stated.uri, "enclosing", stated)
        elif stated is not None:
            base = _resolve_stated(stated, "enclosing", base, name)
    if embedded is not None:
        base = _resolve_stated(embedded, "embedded", base, name)
    if base is None:
        raise ResolutionError(
            "no base URI: nothing embedded, no enclosing entity, no retrieval URI, no default"
        )
    return base


def _several(given: object, name: str, one: str) -> Sequence[Any]:
    if isinstance(given, BaseURI | str | bytes | Textual) or is_other_url(given):
        return (given,)
    return tuple(as_items(cast("Sequence[Any]", given), name, f"{one} or a sequence of them"))


def _resolve_stated(
    stated: Reference, source: BaseSource, outer: BaseURI | None, grammar: str
) -> BaseURI:
    known = None if outer is None else outer.uri
    reference = as_reference(stated, common_grammar(known, grammar=grammar), source)
    if isinstance(reference, URI):
        return BaseURI(without_fragment(reference), source)
    if outer is None:
        shown = excerpt.masked(repr(reference))
        raise ResolutionError(f"the {source} base {shown} is relative, and no outer base is known")
    return BaseURI(without_fragment(resolve(outer.uri, reference)), source, outer)


def _follow_redirects(retrieval: Reference | Sequence[Reference], grammar: str) -> URI | None:
    if not (steps := _several(retrieval, "retrieval", "a reference")):
        return None
    redirects = Redirects(absolute(steps[0], "retrieval URI", grammar))
    for step in steps[1:]:
        redirects.follow(step)
    return redirects.target()


# The base in a document or message: text as written, which `base_uri` makes absolute.

# Numeric character references of HTML, which may have more digits than int() accepts.
_ZEROS, _BEYOND_UNICODE = re.compile("&#0+(?=[0-9])"), re.compile("&#[0-9]{8,}")
_FOLDING = dict.fromkeys(map(ord, " \t\r\n"))
_HTML_SPACE = " \t\n\f\r"
_NESTS = {"template": 1, "/template": -1}
_INERT = RAW | {"noscript"}
"""Elements whose content is text or not part of the document, so that a <base> there is ignored."""


def html_base(markup: Text) -> str | None:
    """Return the embedded base of an HTML document: the `href` of the first `<base>` with one.

    Character references are decoded and surrounding white space is dropped, as in HTML. None if
    there is no such element; "" if it is empty. Invalid markup is not an error. Linear in time.

    >>> html_base('<title>t</title><base target="_top"><base href=" ../b?x&amp;y ">')
    '../b?x&y'
    """
    text, depth = as_text(markup, "markup"), 0
    for tag in tags(text, "|".join(["base", "/?template", *_INERT]), _INERT):
        name = tag["name"].lower()
        if tag["closes"] is None:  # an unfinished tag hides the rest of the document
            return None
        if name in _NESTS:
            depth = max(0, depth + (_NESTS[name] if tag["closes"] == ">" else 0))
        elif name == "base" and not depth:
            for attribute, written, _ in attributes(tag):
                if attribute == "href":
                    plain = _BEYOND_UNICODE.sub("&#1114112", _ZEROS.sub("&#", written))
                    return unescape(plain).strip(_HTML_SPACE)
    return None


def mime_base(heading: Message) -> str | None:
    """Return the base in the header of a MIME entity; None if there is none.

    That is `Content-Base` if present (RFC 2110 section 4.2, obsolete), else `Content-Location`
    (RFC 2557 section 4.2; may be relative). White space is dropped, since it can only come from
    header folding; `base_uri` rejects other invalid characters.
    """
    if not hasattr(heading, "get"):
        raise refusal(heading, "heading", "a Message")
    for field in ("Content-Base", "Content-Location"):
        value = _stated_field(heading, field)
        if value is not None:
            return value.translate(_FOLDING)
    return None


def _stated_field(heading: Message, field: str) -> str | None:
    try:
        value = heading.get(field)
        return None if value is None else str(value)
    except UnicodeEncodeError:  # lone surrogates, in a message that was not parsed from bytes
        fields = heading.raw_items()
        return next(str(value) for name, value in fields if name.lower() == field.lower())


def enclosing_bases(message: Message, part: Message) -> tuple[str | None, ...]:
    """Return the bases in the headers around a part of a message, innermost first.

    The first is from the part's own header, the last from the whole message; each is a result of
    `mime_base`. Pass them to `base_uri` as `enclosing` (RFC 3986 section 5.1.2). ValueError if the
    part is not in the message (compared by identity).
    """
    if not hasattr(message, "is_multipart"):
        raise refusal(message, "message", "a Message")
    ancestors = [message]
    branches = [_parts(message)]
    while ancestors[-1] is not part:
        below = next(branches[-1], None)
        if below is not None:
            ancestors.append(below)
            branches.append(_parts(below))
            continue
        ancestors.pop()
        branches.pop()
        if not ancestors:
            raise ValueError("the part is not in the message")
    return tuple(mime_base(heading) for heading in reversed(ancestors))


def _parts(message: Message) -> Iterator[Message]:
    if not message.is_multipart():
        return
    for part in message.get_payload():
        if not isinstance(part, str):
            yield part
