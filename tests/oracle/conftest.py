"""Counts of what the oracles have judged, added up below the test report."""

import os
from collections import Counter
from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Leave the little that is not a long run to CI."""
    for item in items:
        if Path(__file__).parent in item.path.parents and not item.get_closest_marker("oracle"):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def seed():
    """Give the seed of all strings: another one with URIPARSE_SEED=N."""
    return int(os.environ.get("URIPARSE_SEED", "0"))


@pytest.fixture
def tally(record_property):
    """Count strings under a heading: tally("verdicts", generated=10, spoiled=5)."""

    def count(heading, **counts):
        record_property("tally", (heading, counts))

    return count


def pytest_terminal_summary(terminalreporter):
    totals: dict[str, Counter[str]] = {}
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, value in report.user_properties:
                if name == "tally":
                    heading, counts = value
                    totals.setdefault(heading, Counter()).update(counts)
    for heading, counts in totals.items():
        terms = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items())
        terminalreporter.write_line(f"{heading}: {terms}")
