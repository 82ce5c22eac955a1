"""What a parser in Python is to a trial."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Judge: TypeAlias = "Callable[[str], object]"
"""Gives what is truthy for a text that it accepts, a mapping of its components if it has them;
what is falsy, or any exception, for a text that it rejects."""

_ABSOLUTE: Final = frozenset({"uri", "iri", "absolute-uri", "absolute-iri"})


class Wanted(NamedTuple):
    """The rule that a parser is held to, for those that know more than one.

    Attributes:
        rule: its name, in its grammar's spelling.
        grammar: the grammar's name.

    """

    rule: str
    grammar: str

    @property
    def has_scheme(self) -> bool:
        """Whether its texts have a scheme, as those that some parsers read need not.

        >>> Wanted("URI", "rfc3986").has_scheme, Wanted("URI-reference", "rfc3986").has_scheme
        (True, False)
        """
        return self.rule.lower() in _ABSOLUTE
