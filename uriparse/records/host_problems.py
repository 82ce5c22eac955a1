"""What keeps the text of a host from being a name of the DNS, though a grammar derives it.

RFC 3986 leaves it to schemes what a registered name is (section 3.2.2). Most look it up in the DNS,
which has labels of letters, digits and hyphens between dots (RFC 1034 section 3.5, RFC 1123
section 2.1), the last of which does not begin with a digit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.grammar import charset

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_NAME = 255
_LONGEST_LABEL = 63


def name_problems(name: str) -> Iterator[str]:
    """Tell what is wrong with a name; see the property `problems` of hosts.

    >>> [*name_problems("my_host.example.")], [*name_problems("")], [*name_problems("1.2.3")]
    (['trailing dot', 'underscore'], ['empty'], ['numeric top label'])
    """
    if not name:
        yield "empty"
        return
    if len(name) > _LONGEST_NAME:
        yield "too long"
    if "%" in name:
        yield "triplet"
    if name.endswith("."):
        yield "trailing dot"
    bare = name.removesuffix(".")
    labels = bare.split(".")
    between_dots = f".{bare}."
    if "" in labels:
        yield "empty label"
    if max(map(len, labels)) > _LONGEST_LABEL:
        yield "long label"
    if ".-" in between_dots or "-." in between_dots:
        yield "hyphen at an end"
    if "_" in name:
        yield "underscore"
    if not frozenset(name) <= charset("ALPHA") | charset("DIGIT") | frozenset(".-_%"):
        yield "character"
    if labels[-1][:1] in charset("DIGIT"):
        yield "numeric top label"
