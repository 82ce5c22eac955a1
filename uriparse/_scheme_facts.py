"""What is known of schemes by their names: one table, which every other part asks.

The table is scheme_facts.txt. What an RFC says of the syntax of a scheme is in its grammar and its
record class. Every scheme that the library describes says there what may be changed in its URIs
without a change of meaning: all that RFC 3986 section 6.2.2 changes, if it is hierarchical; else
dot segments stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from uriparse._data_files import text_beside

Fact: TypeAlias = Literal[
    "hierarchical", "slash", "local", "mailboxes", "tilde", "undecoded", "verbatim",
    "special", "fetched", "prose", "no-user", "no-password", "opaque-login",
    "no-object", "anywhere", "private", "advisory", "needs-host", "//host", "@host",
    "no-fragment", "in-use",
]  # fmt: skip
"""What can be true of a scheme; the table explains each."""


class SchemeRow(NamedTuple):
    """A row of the table: a scheme, and the RFC that describes it.

    port: None if it has none. record: the class of its records, below `uriparse.schemes`.
    facts: those in `Fact`, and options such as "word=http". source: "" where it is the RFC of the
    grammar's name.
    """

    name: str
    port: int | None
    record: str
    grammar: str
    rule: str
    facts: frozenset[str]
    source: str

    def option(self, name: str) -> str | None:
        """Return what is said after a name and "="; None if nothing is."""
        found = (fact.partition("=") for fact in self.facts)
        return next((value for option, _, value in found if option == name), None)


def _row(line: str) -> SchemeRow:
    told, _, source = line.partition(" | ")
    name, port, record, rule, *facts = told.split()
    grammar, _, rule = rule.partition(":")
    number = None if port == "-" else int(port)
    return SchemeRow(name, number, record, grammar, rule, frozenset(facts), source)


_TODAY, _OF_1994, _PROSE = (
    block.splitlines()[1:] for block in text_beside(__name__, "scheme_facts.txt").split("\n\n")[1:]
)

CURRENT_ROWS: Final[Mapping[str, SchemeRow]] = {row.name: row for row in map(_row, _TODAY)}
"""Today's schemes, each by the RFC that is in force for it."""

RFC1738_ROWS: Final[Mapping[str, SchemeRow]] = {row.name: row for row in map(_row, _OF_1994)}
"""The schemes of RFC 1738, and https."""

BY_RECORD: Final[Mapping[str, SchemeRow]] = {
    f"uriparse.schemes.{row.record}": row
    for row in sorted(
        [*CURRENT_ROWS.values(), *RFC1738_ROWS.values()], key=lambda row: row.option("word") or ""
    )[::-1]
}
"""The row of each record class, by its module and name: of several, that of the rule's name."""

PORTS: Final[Mapping[str, int | None]] = MappingProxyType(
    {name: row.port for name, row in CURRENT_ROWS.items()}
)
"""The default port of each scheme that the library describes; None if the scheme has none."""


def schemes_with(fact: Fact) -> frozenset[str]:
    """Return the names of the schemes, in lower case, of which something is true today."""
    found = {name for name, row in CURRENT_ROWS.items() if fact in row.facts}
    return frozenset(found.union(*map(str.split, _PROSE)) if fact == "prose" else found)
