"""What the examples of docstrings know without an import."""

import pytest

from uriparse import parse_url


@pytest.fixture(autouse=True, scope="session")
def _names_of_examples(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace["parse_url"] = parse_url
