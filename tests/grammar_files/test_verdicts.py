"""The grammar files, read by the abnf package, give every verdict of the vectors."""

import pytest
from cases import each_case, tables, vectors

pytestmark = pytest.mark.slow  # the package reads each text in tens of milliseconds

TABLES = tables(__file__)


@each_case("row", vectors("components"))
def test_components(accepts, row):
    assert accepts["rfc3986"](row["rule"], row["text"]) == row["valid"]


@each_case("row", vectors("ipv6"))
def test_ipv6(accepts, row):
    assert accepts["rfc3986"]("IPv6address", row["address"]) == row["valid"]


@each_case("row", vectors("derivations"))
def test_derivations(accepts, row):
    assert accepts[row["grammar"]](row["rule"], row["string"]) == (row["trees"] > 0)


@each_case("row", vectors("dialect_matrix"))
def test_dialect_matrix(accepts, row):
    assert accepts["rfc3986"]("URI-reference", row["string"]) == row["rfc3986"]
    rule = row["rfc1738_rule"]
    assert accepts["rfc1738"](rule, row["string"]) == row["rfc1738_scheme_rule"]
    assert accepts["rfc1738"]("url", row["string"]) == row["rfc1738_url_with_otherurl"]


@each_case(("rule", "text", "valid"), TABLES["iris"])
def test_iris(accepts, rule, text, valid):
    assert accepts["rfc3987"](rule, text) == valid
