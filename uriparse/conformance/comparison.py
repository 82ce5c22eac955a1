"""Whether two rules of any grammars match the same texts, by way of the compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.errors import URIError

if TYPE_CHECKING:
    from collections.abc import Sequence


def compared_rules(left: str, right: str, imports: Sequence[str] = ()) -> tuple[bool, list[str]]:
    """Tell whether two rules are equal, and what tells them apart, in lines.

    Args:
        left: a grammar, shipped or a file, and its rule: `rfc3986:URI` or `my.abnf:uri`.
        right: likewise.
        imports: shipped grammars from which rules that are not defined are taken.

    URIError if one cannot be read, is recursive, or is too large.

    >>> compared_rules("rfc3986:query", "rfc3986:port")[1][0]
    'superset: all that rfc3986:port matches, rfc3986:query matches too'
    """
    from abnf2lark.reading.problems import GrammarError, InputError  # noqa: PLC0415 - seldom used
    from abnf2lark.subcommands.diff import compared, told  # noqa: PLC0415 - same

    try:
        found = compared(left, right, imports)
    except (GrammarError, InputError) as error:
        raise URIError(str(error)) from None
    return found.relation == "equal", told(found, left, right)
