"""Which cases of a test are left to CI."""

from collections.abc import Iterable

import pytest

from uriparse.schemes import CURRENT


def some_slow(names: Iterable[str], *slow: str) -> list[object]:
    """Give the names of cases to parametrize a test with, some of them marked as slow."""
    names = list(names)
    assert set(slow) <= set(names)
    return [pytest.param(n, marks=pytest.mark.slow if n in slow else ()) for n in names]


def mostly_slow(names: Iterable[str], *quick: str) -> list[object]:
    """Return the names of cases to parametrize a test with, all but some marked as slow.

    For laws that each case needs a process of its own for: a few stand for the others.
    """
    names = list(names)
    assert set(quick) <= set(names)
    return some_slow(names, *(name for name in names if name not in quick))


SELDOM = {scheme.grammar for scheme in CURRENT.values()} - {"rfc9110"} | {"normal"}
"""The grammars of single schemes, but for one that stands for them; and one that only judges."""


def by_grammar(cases: Iterable[str | tuple[str, ...]]) -> list[object]:
    """Give cases that are grammars, or hold one; those that are seldom used are marked as slow."""
    return [
        pytest.param(*values, marks=pytest.mark.slow if SELDOM.intersection(values) else ())
        for case in cases
        for values in [(case,) if isinstance(case, str) else case]
    ]


def one_in(count: int, cases: Iterable[object]) -> list[object]:
    """Leave all cases but one of so many to `.ci/run all`, where each takes long for one more."""
    rows = [case if hasattr(case, "marks") else pytest.param(*case) for case in cases]
    return [
        pytest.param(*row.values, marks=[*row.marks, *[pytest.mark.long][: number % count]])
        for number, row in enumerate(rows)
    ]
