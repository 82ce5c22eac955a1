"""Read URLs by the captures of an expression, without a parse tree: a tenth of the time."""

from __future__ import annotations

from collections.abc import Callable
from types import MemberDescriptorType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from uriparse._native import kernel, native_rule, tagged
from uriparse.grammar import dispatch, matcher
from uriparse.grammar.matchers import node_name
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.url import URL, _draft, _unchecked_url

if TYPE_CHECKING:
    import re

    from uriparse._native import _kernel
    from uriparse.schemes.fields import Captures, Found


class Expression(NamedTuple):
    """An expression, and the groups that are fields: number, field, class of the value."""

    fullmatch: Callable[[str], re.Match[str] | None]
    fields: tuple[tuple[int, str, type[Encoded]], ...]


def expressions(captures: Captures, rule: str, grammar: str) -> tuple[Expression, ...] | None:
    """Return the expressions to try in turn for a rule; None if only a tree has the fields."""
    found = []
    for name in dispatch(rule, grammar):
        expression = matcher(name, grammar)
        groups = {node_name(group): number for group, number in expression.groupindex.items()}
        if not groups or not groups.keys() <= captures.keys():
            return None
        pairs = ((number, captures[name]) for name, number in groups.items())
        kept = tuple((number, *capture) for number, capture in pairs if capture is not None)
        found.append(Expression(expression.fullmatch, kept))
    return tuple(found)


def captured(text: str, among: tuple[Expression, ...], shift: int = 0) -> Found | None:
    """Return the fields of a text, their offsets shifted; None if no expression matches it."""
    for fullmatch, fields in among:
        match = fullmatch(text)
        if match is None:
            continue
        found: Found = {}
        places = match.regs
        for number, name, kind in fields:
            start, end = places[number]
            if start >= 0:
                # As `_trusted_field` makes it: a call for each field is a tenth of the time.
                field = _new_text(kind, text[start:end])
                field._start = None if start == end else start + shift  # noqa: SLF001 - see there
                found[name] = field
        return found
    return None


Reader: TypeAlias = "Callable[[str, str, str, Encoded | None], URL | None]"
"""Returns the record of a text; None if it is not a URL of the scheme.

Parameters: the text, its URL, the name of the scheme in lower case, and the fragment.
"""

SHARED = frozenset(URL.__slots__)
"""The slots of every record, which are not the text of a rule."""

_new_record, _new_text = object.__new__, str.__new__


class Named(NamedTuple):
    """The `name` of a scheme, its `word` within the rule, and its default port."""

    name: str
    word: str | None
    port: int | None


def is_direct(kind: type[URL]) -> bool:
    """Return whether a record is made of what is captured, and nothing else."""
    own: bool = kind.complete.__func__ is URL.complete.__func__  # type: ignore[attr-defined]
    return own


def reader_of(kind: type[URL], expressions: tuple[Expression, ...], named: Named) -> Reader:
    """Return the reader of a scheme that has expressions."""
    if not is_direct(kind):
        return completing(kind, lambda url, shift: captured(url, expressions, shift), named)
    # What the rest of the function does again, without a mapping: two thirds of the time.
    draft, (_, word, port) = _draft(kind), named
    among = []
    for fullmatch, fields in expressions:
        names = [name for _, name, _ in fields]
        blank = {name for name in kind.SLOTS.keys() - SHARED if names.count(name) != 1}
        among.append((fullmatch, fields, blank))

    def read(text: str, url: str, name: str, fragment: Encoded | None) -> URL | None:
        shift = 0
        if word is not None and word != name:
            url, shift = word + url[len(name) :], len(name) - len(word)
        for fullmatch, fields, blank in among:
            match = fullmatch(url)
            if match is None:
                continue
            record: URL = _new_record(draft)
            record._text = text  # noqa: SLF001 - a draft is filled from outside
            record.scheme, record.default_port, record.fragment = name, port, fragment
            for slot in blank:
                setattr(record, slot, None)
            places = match.regs
            for number, slot, field in fields:
                start, end = places[number]
                if start >= 0:
                    value = _new_text(field, url[start:end])
                    value._start = None if start == end else start + shift  # noqa: SLF001 - same
                    setattr(record, slot, value)
                elif slot not in blank:
                    setattr(record, slot, None)
            record.__class__ = kind
            return record
        return None

    return read


def completing(
    kind: type[URL], capture: Callable[[str, int], Found | None], named: Named
) -> Reader:
    """Return the reader for records that add to what is captured; None is an invalid URL."""
    _, word, port = named

    def read(text: str, url: str, name: str, fragment: Encoded | None) -> URL | None:
        own, shift = url, 0
        if word is not None and word != name:
            own, shift = word + url[len(name) :], len(name) - len(word)
        found = capture(own, shift)
        if found is None:
            return None
        found["_text"], found["scheme"], found["default_port"] = text, name, port
        found["fragment"] = fragment
        kind.complete(found, url)
        return _unchecked_url(kind, found)

    return read


_MOST = 8
"""How many slots the kernel can fill with values that are the same for all texts."""


def native_reader(
    kind: type[URL],
    rule: tuple[str, str],
    named: Named,
    pure: Reader,
    following: _kernel.SchemeReader | None = None,
) -> _kernel.SchemeReader | None:
    """Return the kernel's reader of a rule and grammar; ``following`` reads other schemes.

    It makes records of what is captured, and nothing else: None for those that `complete` adds to.
    """
    name, word, port = named
    if kernel is None or word is None or not is_direct(kind):
        return None
    own = native_rule(*rule, pure)  # type: ignore[arg-type]  # it is never called
    if own is None:
        return None
    slots = {slot: getattr(kind, slot) for slot in kind.SLOTS}
    found = [kind.CAPTURES.get(node_name(field)) for field in tagged(rule[1]).FIELDS]
    fields = [leaf if leaf is not None and leaf.field in slots else None for leaf in found]
    filled = {leaf.field for leaf in fields if leaf is not None} | SHARED
    empty = {slot: None for slot in slots if slot not in filled}
    fixed = {"scheme": name, "default_port": port, **empty}
    if len(fixed) > _MOST or not all(type(s) is MemberDescriptorType for s in slots.values()):
        return None
    made = kernel.Reader(
        own,
        (kind,),
        slots["_text"],
        tuple(None if leaf is None else slots[leaf.field] for leaf in fields),
        tuple((slots[slot], value) for slot, value in fixed.items()),
        (),
        tuple(
            (number, leaf.kind, vars(Encoded)["_start"])
            for number, leaf in enumerate(fields)
            if leaf is not None
        ),
        pure,
    )
    needed = slots[kind.HOST_FIELD] if kind.needs_host else None
    reader: _kernel.SchemeReader = kernel.SchemeReader(
        made, word, name, slots["fragment"], pure, needed, following
    )
    return reader
