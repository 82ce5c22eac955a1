"""Read URLs by the captures of an expression, without a parse tree: a tenth of the time."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from types import MemberDescriptorType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from uriparse._native import kernel, native_rule, tagged
from uriparse.errors import URISyntaxError
from uriparse.grammar import dispatch, matcher
from uriparse.grammar.matchers import node_name
from uriparse.grammar.rule_sources import NoTextOfRuleError, OwnGrammar
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.url import URL, _draft, _unchecked_url
from uriparse.schemes.written_by_rule import Occurrences

if TYPE_CHECKING:
    from uriparse._native import _kernel
    from uriparse.grammar import Expression as RuleExpression
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


class OwnReader:
    """Read fields by a rule of a user's grammar: by an expression, or in the derivation."""

    def __init__(self, grammar: OwnGrammar, rule: str, record: type[URL]) -> None:
        self._grammar = grammar
        self._rule = rule
        self._captures: Captures = record.CAPTURES
        self._lists = record.LISTS
        self._fields = [rule for stated in record.FIELDS.values() for rule in stated.kinds]
        known = grammar.expressions
        self._inner = frozenset(
            node_name(field)
            for field in self._fields
            if field in known and not Occurrences(known, field, self._fields, within=False).of(rule)
        )

    @property
    def rules(self) -> Mapping[str, RuleExpression]:
        """The rules of the grammar, as nested tuples."""
        return self._grammar.expressions

    @cached_property
    def _expression(self) -> Expression | None:
        known = [field for field in self._fields if field in self._grammar.expressions]
        pattern = None if self._lists else self._grammar.pattern(self._rule, known)
        if pattern is None:
            return None
        found = re.compile(pattern)
        groups = {node_name(group): number for group, number in found.groupindex.items()}
        if groups.keys() != {node_name(field) for field in known}:
            return None  # a rule that occurs in two places is not captured
        captures = ((number, self._captures[name]) for name, number in groups.items())
        kept = tuple((number, *one) for number, one in captures if one is not None)
        return Expression(found.fullmatch, kept)

    def capture(self, text: str, shift: int) -> Found | None:
        """Return the fields of a text; None if it does not belong to the rule."""
        if self._expression is not None:
            return captured(text, (self._expression,), shift=shift)
        try:
            tree = self._grammar.tree(text, self._rule, full=True)
        except NoTextOfRuleError:
            return None
        found: Found = dict.fromkeys(self._lists, ())
        at = shift
        ahead: list[tuple[object, bool]] = [(tree, False)]
        # Nodes in the order of the text; "end" marks are pairs of a field and where it begins.
        while ahead:
            node, is_within = ahead.pop()
            if isinstance(node, str):
                at += len(node)
                continue
            if isinstance(node, _Open):
                value = node.kind(text[node.start - shift : at - shift], node.start)
                is_list = node.field in self._lists
                found[node.field] = (*found[node.field], value) if is_list else value  # type: ignore[misc]
                continue
            name = node_name(str(node.data))  # type: ignore[attr-defined]  # a tree
            capture = self._captures.get(name)
            if capture is not None and (not is_within or name in self._inner):
                ahead.append((_Open(capture.field, capture.kind, at), is_within))
                is_within = True
            ahead.extend((child, is_within) for child in reversed(node.children))  # type: ignore[attr-defined]
        return found

    def error(self, text: str) -> URISyntaxError:
        """Say why a text does not belong to the rule."""
        found = self._grammar.explain(text, self._rule)
        words = dict.fromkeys(word for each in found.expected for word in each.words)
        if found.may_end:
            words["end"] = None
        rule = found.expected[0].rule if len(found.expected) == 1 else self._rule
        return URISyntaxError("", text=text, offset=found.offset, rule=rule, expected=tuple(words))


class _Open(NamedTuple):
    """A field whose node has been entered."""

    field: str
    kind: type[Encoded]
    start: int
