"""Readers: functions that make the record of a text by one rule, with the kernel or without it.

The two readers for the shapes of `URI` and `relative-ref` are written out for speed: a third of the
time is making the record, and a loop over the captures would double it. The generic reader handles
every other shape, and the tests compare the fast ones with it. With the kernel, its readers are
used instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from uriparse._base import engine as _engine
from uriparse._native import kernel, native_rule, tagged
from uriparse.errors import UnknownRuleError
from uriparse.grammar import dispatch, matcher, rule_name, rules
from uriparse.grammar.matchers import tables
from uriparse.records._draft import COMPONENTS, Slots, _Draft, _unchecked_parts
from uriparse.records.hosts import (
    KINDS,
    Host,
    IPv4,
    IPv6,
    IPvFuture,
    RegName,
    _unchecked_host,
    component_reader,
)

if TYPE_CHECKING:
    import re


Reader: TypeAlias = Callable[[str], Slots | None]
"""Returns the record of a text, or None if the rule does not match it."""


def native_reader(rule: str, grammar: str, otherwise: Callable[[], Reader]) -> Reader | None:
    """Return the kernel's reader of a rule for references; None if it has none.

    otherwise: returns the reader for texts with lone surrogates, which the kernel does not accept.
    """

    def unspelled(text: str) -> Slots | None:
        return otherwise()(text)

    own = native_rule(rule, grammar, unspelled)
    if own is None or kernel is None:
        return None
    tables = tagged(grammar)
    slots = vars(Slots)
    kinds = tuple(
        (
            tables.FIELDS.index(field),
            number,
            tuple(KINDS[kind] for kind in tables.CONSTANTS[number]),
            vars(Host)["_text"],
        )
        for field, number in tables.KINDS.items()
    )
    native = kernel.Reader(
        own,
        tuple(Slots.CLASSES[name] for name in tables.CONSTANTS[0]),
        slots["_text"],
        tuple(slots[field] for field in tables.FIELDS),
        ((slots["_authority"], None), (slots["grammar"], grammar)),
        kinds,
        (),
        unspelled,
    )
    return cast("Reader", native.read)


_AUTHORITY = ("userinfo", "IPv6", "IPvFuture", "IPv4", "RegName", "port")
_REST = ("path", "path", "path", "query", "fragment")

_ABSENT: dict[str, Any] = {**dict.fromkeys(COMPONENTS), "path": ""}
_new = object.__new__


@cache
def reader(rule: str, grammar: str) -> Reader:
    """Return the reader of a rule for references.

    UnknownRuleError for an unknown rule, or one whose texts are not references.
    """
    if not yields_records(rule, grammar):
        able = ", ".join(one for one in rules(grammar) if yields_records(one, grammar))
        raise UnknownRuleError(
            f"rule {rule_name(rule, grammar)} of {grammar} is not for references: parse() accepts"
            f" {able or 'other grammars'}; see parse_tree() and is_valid()"
        )
    if _engine.by_lark is not None:
        return generic_reader(component_reader(rule_name(rule, grammar), grammar), grammar, nothing)
    native = native_reader(rule, grammar, lambda: pure_reader(rule, grammar))
    return pure_reader(rule, grammar) if native is None else native


def pure_reader(rule: str, grammar: str) -> Reader:
    """Return the reader of a rule for references that does not use the kernel."""
    return _first_of(dispatch(rule, grammar), grammar)


def yields_records(rule: str, grammar: str) -> bool:
    """Whether the texts of a rule become records: it has a record, or is a choice of such rules."""
    return all(name in tables(grammar).RECORDS for name in dispatch(rule, grammar))


def _first_of(names: tuple[str, ...], grammar: str) -> Reader:
    """Return a reader that tries rules in order, each compiled when it is first needed."""
    name, *rest = names
    otherwise = _later(tuple(rest), grammar) if rest else nothing
    fullmatch = matcher(name, grammar).fullmatch
    shape = _shape(name, grammar)
    if shape in ((*_AUTHORITY, *_REST), ("scheme", *_AUTHORITY, *_REST)):
        return _plain_reader(fullmatch, grammar, otherwise, is_uri="scheme" in shape)
    return generic_reader(component_reader(name, grammar), grammar, otherwise)


def _later(names: tuple[str, ...], grammar: str) -> Reader:
    """Return a reader that compiles its rules when the first text arrives."""
    compiled: Reader | None = None

    def read(text: str) -> Slots | None:
        nonlocal compiled
        if compiled is None:
            compiled = _first_of(names, grammar)
        return compiled(text)

    return read


def generic_reader(
    components: Callable[[str], dict[str, Any] | None], grammar: str, otherwise: Reader
) -> Reader:
    """Return a reader of one rule, whatever finds the components of its texts."""

    def read(text: str) -> Slots | None:
        found = components(text)
        if found is None:
            return otherwise(text)
        parts = {**_ABSENT, **found}
        return _unchecked_parts(**parts, grammar=grammar, text=text)

    return read


def _plain_reader(
    fullmatch: Callable[[str], re.Match[str] | None],
    grammar: str,
    otherwise: Reader,
    *,
    is_uri: bool,
) -> Reader:
    """Return a reader of one rule with the captures of references, in their order."""
    kind = Slots.CLASSES["URI" if is_uri else "RelativeRef"]
    before: tuple[Any, ...] = () if is_uri else (None,)

    def read(text: str) -> Slots | None:
        match = fullmatch(text)
        if match is None:
            return otherwise(text)
        draft: Any = _Draft()
        draft._text = text  # noqa: SLF001 - a draft is filled from outside
        draft._authority = None  # noqa: SLF001 - same
        draft.grammar = grammar
        (
            draft.scheme,
            draft.userinfo,
            ipv6,
            future,
            ipv4,
            name,
            draft.port,
            after_authority,
            absolute,
            relative,
            draft.query,
            draft.fragment,
        ) = before + match.groups()
        if name is not None:
            draft.host = host = _new(RegName)
            host._text = name  # noqa: SLF001 - _unchecked_host, written out
            draft.path = after_authority
        elif after_authority is not None:
            draft.host = _address(ipv6, future, ipv4)
            draft.path = after_authority
        else:
            draft.host = None
            draft.path = absolute or relative or ""
        draft.__class__ = kind
        return draft  # type: ignore[no-any-return]  # a record now

    return read


def _address(ipv6: str | None, future: str | None, ipv4: str | None) -> Host:
    if ipv4 is not None:
        return _unchecked_host(IPv4, ipv4)
    if ipv6 is not None:
        return _unchecked_host(IPv6, f"[{ipv6}]")
    return _unchecked_host(IPvFuture, f"[{future}]")


def nothing(_: str) -> None:
    """Reject every text: the reader after the last choice."""


def _shape(name: str, grammar: str) -> tuple[str, ...]:
    """Return what the groups of a rule's expression capture, in their order."""
    fields, hosts = tables(grammar).FIELDS, tables(grammar).HOSTS
    index = matcher(name, grammar).groupindex
    return tuple(
        hosts.get(group) or fields[group] for group in sorted(index, key=index.__getitem__)
    )
