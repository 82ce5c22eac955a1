"""Polars: expressions and series say of each row what the functions for single texts say."""

import pickle

import pytest

import uriparse
from uriparse import try_parse
from uriparse.arrow.by_rows import COMPONENTS

pytestmark = pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning")
pl = pytest.importorskip("polars")

from uriparse.polars import URIExpr, URISeries  # noqa: E402 - needs the package

TEXTS = ["HTTP://u@h:80/%7ea?b#c", "a b", None, "//[::1]", "http://h/é", "", "urn:a:b"]
RECORDS = [t if t is None else try_parse(t) for t in TEXTS]
FRAME = pl.DataFrame({"url": TEXTS})
COLUMN = pl.col("url")


def parts(name):
    found = [r if r is None else getattr(r, name) for r in RECORDS]
    return [part if part is None else str(part) for part in found]


WANTED = {
    "is_valid": [t if t is None else uriparse.is_valid(t) for t in TEXTS],
    "stop": [None, 1, None, 0, 9, 0, None],
    "normalize": [r if r is None else str(uriparse.normalize(r)) for r in RECORDS],
    **{name: parts(name) for name in COMPONENTS},
    "host_kind": ["RegName", None, None, "IPv6", None, None, None],
}


@pytest.mark.parametrize("name", WANTED)
@pytest.mark.parametrize("layout", ["String", "Binary", "Categorical"])
def test_columns_say_what_single_texts_say(name, layout):
    frame = FRAME.select(COLUMN.cast(getattr(pl, layout)))
    made = frame.select(getattr(COLUMN.uri, name)())
    assert made.columns == [name if name in {*COMPONENTS, "host_kind"} else "url"]
    assert made.to_series().to_list() == WANTED[name]
    series = getattr(frame["url"].uri, name)()
    assert series.to_list() == WANTED[name]
    assert series.dtype == made.to_series().dtype


def test_rules_and_bases_are_arguments():
    made = FRAME.select(
        iri=COLUMN.uri.is_valid("IRI", grammar="rfc3987"),
        host=COLUMN.uri.host("IRI-reference", grammar="rfc3987"),
        scheme=COLUMN.uri.normalize("scheme"),
        target=COLUMN.uri.resolve("http://a/b/c"),
    )
    assert made["iri"].to_list() == [True, False, None, False, True, False, True]
    assert made["host"].to_list() == ["h", None, None, "[::1]", "h", None, None]
    assert made["scheme"][0] == "http://u@h/~a?b#c"
    assert made["target"][5] == "http://a/b/c"


def test_lazy_frames_know_the_types_and_push_filters_past():
    lazy = FRAME.lazy().with_columns(
        valid=COLUMN.uri.is_valid(), parts=COLUMN.uri.split(), at=COLUMN.uri.stop()
    )
    schema = lazy.collect_schema()
    assert (schema["valid"], schema["at"]) == (pl.Boolean, pl.Int64)
    assert [field.name for field in schema["parts"].fields] == [*COMPONENTS, "host_kind"]
    found = lazy.filter(pl.col("url") == "urn:a:b").collect()
    assert found.schema == schema
    assert found["valid"].to_list() == [True]
    streamed = lazy.collect(engine="streaming")
    assert streamed["valid"].to_list() == WANTED["is_valid"]


def test_groups_and_pieces_are_read():
    frame = pl.concat([FRAME, FRAME], rechunk=False)
    assert frame.select(COLUMN.uri.host())["host"].to_list() == WANTED["host"] * 2
    counted = frame.group_by(COLUMN.uri.host_kind()).len()
    assert dict(counted.iter_rows()) == {None: 10, "RegName": 2, "IPv6": 2}
    assert FRAME.clear().select(COLUMN.uri.split())["url"].to_list() == []


def test_expressions_travel():
    pytest.importorskip("cloudpickle")
    expression = pickle.loads(pickle.dumps(COLUMN.uri.is_valid()))
    assert FRAME.select(expression)["url"].to_list() == WANTED["is_valid"]
    assert isinstance(COLUMN.uri, URIExpr)
    assert isinstance(FRAME["url"].uri, URISeries)


def test_what_holds_no_texts_is_told():
    with pytest.raises(TypeError, match="column holds texts"):
        pl.DataFrame({"url": [1]}).select(COLUMN.uri.is_valid())
    with pytest.raises(TypeError, match=r"column holds texts .*, not what Arrow calls 'l'"):
        _ = pl.Series([1]).uri.is_valid()
