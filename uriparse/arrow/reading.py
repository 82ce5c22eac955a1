"""Rules that read columns: by the kernel, or row by row in Python."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from uriparse._base.coerce import as_str
from uriparse._native import tagged
from uriparse.arrow.column import Outcome, flags, numbers, texts
from uriparse.arrow.importing import Rows, asked
from uriparse.grammar import rule_name
from uriparse.grammar.automata import longest_prefix
from uriparse.grammar.matchers import fullmatch
from uriparse.records._draft import NAMES
from uriparse.records.chunks import selections
from uriparse.records.references import URI_RULES, reader, reference_rule

if TYPE_CHECKING:
    from uriparse._native._kernel import Rule


# Columns read row by row in Python, by the matchers and automata that single texts are read by.
#
# For rules without tables for the kernel, and without the kernel.

COMPONENTS = [*NAMES]
COLUMNS = (*COMPONENTS, "host_kind")
"""The columns of a split."""

_parts = attrgetter(*COMPONENTS)


def chosen(rule: str | None, grammar: str, *, splits: bool) -> str:
    """Return the name of a rule; for None the default one of `uriparse.is_valid` or `parse`.

    splits: whether it is to yield references; UnknownRuleError for one that does not.
    """
    name = as_str(grammar, "grammar")
    if rule is None:
        rule = reference_rule(name) if splits else URI_RULES.get(name, "URI")
    if splits:
        reader(as_str(rule, "rule"), name)
    return rule_name(as_str(rule, "rule"), name)


class ByRows:
    """A rule that reads columns."""

    def __init__(self, rule: str, grammar: str) -> None:
        self._rule = rule
        self._grammar = grammar

    def verdicts(self, rows: Rows) -> Outcome:
        """Return whether each row is a text of the rule."""
        matches = fullmatch(self._rule, self._grammar)
        return flags([o if o is None else matches(text_of(o)) is not None for o in rows])

    def stops(self, rows: Rows) -> Outcome:
        """Return the offset at which each row fails."""
        return numbers([o if o is None else self._stop(text_of(o)) for o in rows])

    def split(
        self, rows: Rows, width: int, names: tuple[str, ...] = COLUMNS
    ) -> tuple[Outcome, ...]:
        """Return which rows are references, their components, and the kinds of their hosts."""
        read = reader(self._rule, self._grammar)
        found: list[tuple[bytes | None, ...]] = []
        for octets in rows:
            record = None if octets is None else read(text_of(octets))
            if record is None:
                found.append(_NOTHING)
                continue
            parts = [None if part is None else str(part).encode() for part in _parts(record)]
            kind = None if record.host is None else type(record.host).__name__.encode()
            found.append((b"", *parts, kind))
        whole, *columns = zip(*found, strict=True) if found else [()] * len(_NOTHING)
        return flags(whole), *(texts(columns[COLUMNS.index(name)], width) for name in names)

    def _stop(self, text: str) -> int | None:
        stop = longest_prefix(text, self._rule, self._grammar)
        return None if stop.may_end and stop.offset == len(text) else stop.offset


_NOTHING = (None,) * (len(COMPONENTS) + 2)


def text_of(octets: bytes) -> str:
    """Decode octets as UTF-8; others become lone surrogates, which no rule derives."""
    return octets.decode("utf-8", "surrogateescape")


# Columns read by the kernel, without Python's lock.


_NO_FIELD = 0xFF


class ByKernel:
    """A rule that reads columns."""

    def __init__(self, rule: Rule, grammar: str) -> None:
        self._rule = rule
        self._grammar = grammar

    def verdicts(self, rows: Rows) -> Outcome:
        """Return whether each row is a text of the rule."""
        return asked(self._rule.verdicts, rows.facts)

    def stops(self, rows: Rows) -> Outcome:
        """Return the offset at which each row fails."""
        return asked(self._rule.stops, rows.facts)

    def split(
        self, rows: Rows, width: int, names: tuple[str, ...] = COLUMNS
    ) -> tuple[Outcome, ...]:
        """Return which rows are references, their components, and the kinds of their hosts."""
        every = selections(self._grammar)
        chosen = tuple(every[COLUMNS.index(name)] for name in names)
        return asked(self._rule.split, rows.facts, chosen, width)

    def changed(self, rows: Rows, part: str | None, *how: object) -> Outcome:
        """Return the texts of the rule; how some of them change is told to the kernel.

        part: the component that is looked at; None for the whole text.
        """
        field = _NO_FIELD if part is None else tagged(self._grammar).FIELDS.index(part)
        return asked(self._rule.changed, rows.facts, field, *how)

    def before_fragments(self, rows: Rows, width: int) -> Outcome:
        """Return each row without its fragment, null where the rule does not derive it."""
        return self.spans(rows, width, [one for one in NAMES if one != "fragment"])[1]

    def spans(self, rows: Rows, width: int, *spans: Sequence[str]) -> tuple[Outcome, ...]:
        """Return which rows are references, and what is from the first to the last of components.

        Null without any of these, and where the rule does not derive the text.
        """
        every = tagged(self._grammar).FIELDS
        chosen = ([every.index(one) for one in span if one != "authority"] for span in spans)
        return asked(self._rule.split, rows.facts, tuple((tuple(one),) for one in chosen), width)
