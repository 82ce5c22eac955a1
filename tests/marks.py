"""Which cases of a test are left to CI."""

from collections.abc import Iterable

import pytest


def some_slow(names: Iterable[str], *slow: str) -> list[object]:
    """Give the names of cases to parametrize a test with, some of them marked as slow."""
    names = list(names)
    assert set(slow) <= set(names)
    return [pytest.param(n, marks=pytest.mark.slow if n in slow else ()) for n in names]
