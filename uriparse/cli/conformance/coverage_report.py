"""What `uriparse conformance coverage` found, before it is written in a form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse.conformance import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uriparse.cli.conformance.corpora import Passed
    from uriparse.conformance import Coverage, Item
    from uriparse.conformance.suites import Kind

NAMES: Final = dict(
    zip(
        KINDS,
        (
            *("rules", "alternatives", "options", "repetitions", "range ends"),
            *("transitions", "refusals", "endings"),
        ),
        strict=True,
    )
)
"""What the kinds are called in the heads of tables."""

_TABLES: Final = {
    "Of the grammar, by the first derivation of each accepted text": KINDS[:5],
    "Of the smallest automaton, in which components that go on alike share states": KINDS[5:],
}


class Report(NamedTuple):
    """A coverage, and how much of it is shown.

    passed: the lines of the corpora that hold no text, by reason.
    most: how many missing items of a component are shown, None for all.
    """

    coverage: Coverage
    passed: Mapping[str, Passed]
    most: int | None

    @property
    def components(self) -> tuple[str, ...]:
        """The components, in the order of the grammar."""
        return tuple(dict.fromkeys(tally.component for tally in self.coverage.tallies))

    @property
    def tables(self) -> dict[str, tuple[Kind, ...]]:
        """The kinds that there are, those that stand side by side under a heading each."""
        there = {tally.kind for tally in self.coverage.tallies}
        return {
            heading: tuple(kind for kind in kinds if kind in there)
            for heading, kinds in _TABLES.items()
        }

    @property
    def headline(self) -> str:
        """What was read, in one sentence."""
        found = self.coverage
        rule, source = found.subject.rule, found.subject.source
        texts = found.accepted + found.refused
        return (
            f"{rule} of {source.name} by {texts:,} {'text' if texts == 1 else 'texts'}: "
            f"{found.accepted:,} accepted, {found.refused:,} refused"
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else there is to say: lines passed over, and choices that no text comes to."""
        passed = [
            f"{count:,} {'line' if count == 1 else 'lines'} passed over as {reason} "
            f"({'it is' if count == 1 else 'the first is'} line {line:,} of "
            f"{'standard input' if file == '-' else file})"
            for reason, (count, file, line) in self.passed.items()
        ]
        if count := len(self.coverage.unreachable):
            rules = ", ".join(dict.fromkeys(one.rule for one in self.coverage.unreachable))
            passed.append(f"{count:,} choices not counted, since no text comes to them: in {rules}")
        return tuple(passed)

    def missing(self) -> dict[str, tuple[Item, ...]]:
        """Give by component all that is missing."""
        found: dict[str, list[Item]] = {component: [] for component in self.components}
        for item in self.coverage.missing:
            found[item.component].append(item)
        return {component: tuple(items) for component, items in found.items() if items}
