"""From the match of a rule's expression to the fields of a record.

Where the fields of a record are the text of rules, the expression of the scheme's rule captures
them, and no tree has to be made: that takes a tenth of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uriparse.grammar import matcher
from uriparse.grammar.matchers import dispatch
from uriparse.schemes.trees import Leaf, URLTransformer, branch, method_name, passed, root

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from uriparse.schemes.encoding import Encoded
    from uriparse.schemes.source import Source
    from uriparse.schemes.trees import Found

_new = str.__new__


class Expression(NamedTuple):
    """An expression, and of its groups the number, the field and the kind of that."""

    fullmatch: Callable[[str], re.Match[str] | None]
    leaves: tuple[tuple[int, str, type[Encoded]], ...]


def expressions(
    transformer: type[URLTransformer], rule: str, grammar: str
) -> tuple[Expression, ...] | None:
    """Give the expressions to try in turn in place of a rule; None if trees are needed.

    They are for a transformer that does more than name fields, for a rule whose expression
    captures nothing, and where a group is no node that the transformer knows.
    """
    leaves = leaves_of(transformer, rule)
    if leaves is None:
        return None
    found = []
    for name in dispatch(rule, grammar):
        expression = matcher(name, grammar)
        methods = {method_name(group): number for group, number in expression.groupindex.items()}
        if not methods or not methods.keys() <= leaves.keys():
            return None
        groups = ((number, leaves[name]) for name, number in methods.items())
        kept = tuple((number, leaf.field, leaf.kind) for number, leaf in groups if leaf is not None)
        found.append(Expression(expression.fullmatch, kept))
    return tuple(found)


def captured(
    text: str, among: tuple[Expression, ...], source: Source | None = None, shift: int = 0
) -> Found | None:
    """Give the fields of a text; None if no expression matches it.

    source, shift: tell where the fields lie, if not where they lie in the text.
    """
    for fullmatch, leaves in among:
        match = fullmatch(text)
        if match is None:
            continue
        found: Found = {}
        places = match.regs
        for number, name, kind in leaves:
            start, end = places[number]
            if start >= 0:
                # As `_trusted_field` makes it: a call for each field is a tenth of all the time.
                field = _new(kind, text[start:end])
                at = start + shift if source is None else source.at(start)
                field._start = None if start == end else at  # noqa: SLF001 - see there
                found[name] = field
        return found
    return None


def leaves_of(transformer: type[URLTransformer], rule: str) -> dict[str, Leaf | None] | None:
    """Name the leaves of a transformer, None for those passed over; None if it has to be run."""
    if getattr(transformer, method_name(rule), None) is not root:
        return None
    names = {
        name
        for owner in transformer.__mro__
        if owner not in {URLTransformer, object}
        for name, value in vars(owner).items()
        if isinstance(value, Leaf) or callable(value)
    }
    found: dict[str, Leaf | None] = {}
    for name in {"hostname", "hostnumber", *names}:
        method = getattr(transformer, name)
        if isinstance(method, Leaf):
            found[name] = method
        elif method is passed:
            found[name] = None
        elif method not in {branch, root}:
            return None
    return found
