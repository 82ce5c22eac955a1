"""Every component of every example, exactly, by each of the ways to a record."""

import copy
import json
import pickle

from cases import each_case
from paths import VECTORS

import uriparse
from uriparse import URI, RelativeRef, parse, parse_tree, transform, try_parse

ROWS = [
    row
    for row in json.loads((VECTORS / "components.json").read_text(encoding="utf-8"))
    if "path" in row
]
assert len(ROWS) >= 100
FIELDS = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")

WAYS = {
    "parse": lambda text, _: parse(text),
    "parse bytes": lambda text, _: parse(text.encode("ascii")), "parse as its own rule": parse,
    "try_parse": try_parse, "tree": lambda text, _: transform(parse_tree(text)),
    "tree of its own rule": lambda text, rule: transform(parse_tree(text, rule)),
    "IRI": lambda text, _: parse(text, "IRI-reference", grammar="rfc3987"),
    "pickle": lambda text, _: pickle.loads(pickle.dumps(parse(text))),
    "copy": lambda text, _: copy.deepcopy(parse(text)),
}  # fmt: skip


def components(record):
    found = {name: getattr(record, name) for name in FIELDS}
    return {name: value if value is None else str(value) for name, value in found.items()}


@each_case("way", WAYS)
@each_case("row", ROWS)
def test_components(row, way):
    record = WAYS[way](row["text"], row["rule"])
    assert components(record) == {name: row[name] for name in FIELDS}
    kind = None if record.host is None else type(record.host).__name__
    assert kind == row["host_kind"]
    assert str(record) == row["text"]
    assert type(record) is (RelativeRef if row["scheme"] is None else URI)


@each_case("row", ROWS)
def test_components_put_together_give_the_text(row):
    """RFC 3986 section 5.3, with what is absent left out and what is empty written."""
    text = "" if row["scheme"] is None else row["scheme"] + ":"
    if row["authority"] is not None:
        assert row["authority"] == "".join(
            [
                "" if row["userinfo"] is None else row["userinfo"] + "@",
                row["host"],
                "" if row["port"] is None else ":" + row["port"],
            ]
        )
        text += "//" + row["authority"]
    text += row["path"]
    text += "" if row["query"] is None else "?" + row["query"]
    text += "" if row["fragment"] is None else "#" + row["fragment"]
    assert text == row["text"]
    parts = {name: row[name] for name in FIELDS if name not in {"userinfo", "host", "port"}}
    assert uriparse.URIReference.from_parts(**parts) == parse(row["text"])
