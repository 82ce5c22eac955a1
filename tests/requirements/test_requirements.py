"""The table from requirements to tests: none is missing, and every test and row that it names is.

W is of WWWOFFLE's URLs, E of a page on URLs, U of RFC 3986, S of SQLAlchemy, L of RFC 1738, R of
RFC 2396, D of what sets these apart, B of ambiguities of their grammars, C of what copies of these
documents have got wrong, X of all together. A test is named by its node, with the rows of its table
that are of the requirement in brackets. The documentation shows the table.
"""

import ast
import json
import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from cases import each_case
from paths import ROOT

from uriparse.schemes import CURRENT

COUNTS = {"W": 44, "E": 55, "U": 82, "S": 6, "L": 70, "R": 29, "D": 51, "B": 25, "C": 75, "X": 23}
NUMBERS = [f"{kind}-{n:03}" for kind, count in COUNTS.items() for n in range(1, count + 1)]
TABLE = json.loads(Path(__file__).with_name("requirements.json").read_text(encoding="utf-8"))
NODE = re.compile(r"(?P<path>tests/[\w/]+\.py)::(?P<name>test_\w+)(?:\[(?P<row>.+)\])?")
SCHEMES = json.loads(Path(__file__).with_name("schemes.json").read_text(encoding="utf-8"))
assert SCHEMES
DATA = [path for path in (ROOT / "tests").rglob("*.json") if path.parent.name != "requirements"]


def test_the_table_has_every_requirement():
    assert list(TABLE) == NUMBERS
    assert len(NUMBERS) == 460


@cache
def functions(path):
    """The tests of a module by name: whether each has a table of its own."""
    found = ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
    return {
        node.name: any(
            re.search("parametrize|each_case", ast.dump(one)) for one in node.decorator_list
        )
        or any("vectors" in ast.dump(one) for one in node.decorator_list)
        for node in found
        if isinstance(node, ast.FunctionDef)
    }


def strings(value):
    """Yield the strings of a document, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


@cache
def rows(path):
    """The names of rows that a module has: its own words, and the rows of the data it reads."""
    found = ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
    words = {one.value for one in found if isinstance(one, ast.Constant) if type(one.value) is str}
    beside = (ROOT / path).with_suffix(".json")  # which `tables` reads
    if beside.is_file():
        words |= {*strings(json.loads(beside.read_text(encoding="utf-8")))}
    names = {word.removesuffix(".json") for word in words}
    read = [one for one in DATA if {one.stem, one.stem.removeprefix("schemes_")} & names]
    data = [row for one in read for row in json.loads(one.read_text(encoding="utf-8"))]
    keys = {row for row in data if isinstance(row, str)}  # of a table by requirement
    return words | keys | {row["id"] for row in data if isinstance(row, dict) and "id" in row}


@each_case("row", SCHEMES)
def test_what_a_scheme_requires_is_done_or_has_its_reason(row):
    assert row["scheme"] in CURRENT
    assert row["sentence"].endswith(".")
    assert row.get("tests") or row["reason"].endswith(".")
    check_nodes(row.get("tests", []))


def test_every_section_of_a_constraint_has_a_row():
    stated = {
        (scheme.name.replace("sips", "sip"), row.section)
        for scheme in CURRENT.values()
        for row in scheme.record.CONSTRAINTS
    }
    assert stated <= {(row["scheme"], row["section"]) for row in SCHEMES}


@each_case("number", NUMBERS)
def test_the_tests_of_a_requirement_exist(number):
    assert TABLE[number]["tests"]
    check_nodes(TABLE[number]["tests"])


def check_nodes(nodes):
    assert len(set(nodes)) == len(nodes)
    for node in nodes:
        found = NODE.fullmatch(node)
        assert found, node
        known = functions(found["path"])
        assert found["name"] in known, node
        if found["row"] is not None:
            assert known[found["name"]], node
            wanted = found["row"]
            assert any(row == wanted or fnmatchcase(row, wanted) for row in rows(found["path"])), (
                node
            )
