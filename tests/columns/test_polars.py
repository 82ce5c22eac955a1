"""Polars: expressions and series say of each row what the functions for single texts say."""

import pickle
import pydoc
from concurrent.futures import ThreadPoolExecutor

import pytest
from cases import each_case
from columns.cases import COLUMNS, COMPONENTS
from columns.cases import parts as parts_of
from columns.test_arrow import stopped
from columns.test_engines import resident
from engines import texts

import uriparse
from uriparse import UnknownRuleError, try_parse
from uriparse.validation import Policy

pytestmark = pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning")
pl = pytest.importorskip("polars")


from uriparse.extra.polars import URIExpr, URISeries  # noqa: E402 - same

TEXTS = ["HTTP://u@h:80/%7ea?b#c", "a b", None, "//[::1]", "http://h/é", "", "urn:a:b"]
RECORDS = [t if t is None else try_parse(t) for t in TEXTS]
FRAME = pl.DataFrame({"url": TEXTS})
COLUMN = pl.col("url")
NAMES = ["is_valid", "stop", "split", *COLUMNS]


def made(uri, name, *rule, **grammar):
    """What a function makes, or `get` for a component."""
    if name in COLUMNS:
        return uri.get(name, *rule, **grammar)
    return getattr(uri, name)(*rule, **grammar)


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


def test_rules_without_tables_go_through_python():
    assert FRAME.select(COLUMN.uri.is_valid("host"))["url"].to_list() == [
        None if text is None else uriparse.is_valid(text, "host") for text in TEXTS
    ]


def test_rules_are_looked_up_when_they_are_named():
    for name in ("is_valid", "stop", "split", "host"):
        with pytest.raises(UnknownRuleError, match="no-such-rule"):
            getattr(COLUMN.uri, name)("no-such-rule")
    with pytest.raises(UnknownRuleError, match="port"):
        COLUMN.uri.host("port")
    with pytest.raises(TypeError, match="rule must be a str"):
        COLUMN.uri.is_valid(3)


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


@each_case("name", ["page", "page url"])
def test_the_name_of_a_column_is_no_base(name):
    for uri, advice in ((COLUMN.uri, f'pl.col("{name}")'), (FRAME["url"].uri, f'frame["{name}"]')):
        with pytest.raises(ValueError, match=r"base|space") as caught:
            uri.resolve(name)
        assert caught.value.__notes__ == [f"for the column of this name, give {advice}"]


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "grammar"), [("URI-reference", "rfc3986"), ("IRI", "rfc3987")])
def test_texts_and_corruptions_are_told_alike_by_every_way(rule, grammar):
    verdicts = texts.texts(rule, grammar, corruptions=20_000)
    known = [text for text in verdicts if not any("\ud800" <= c <= "\udfff" for c in text)]
    frame, uri = pl.DataFrame({"url": known}), COLUMN.uri
    asked = lambda: frame.lazy().select(  # noqa: E731 - asked for once a way
        valid=uri.is_valid(rule, grammar=grammar),
        stop=uri.stop(rule, grammar=grammar),
        split=uri.split(rule, grammar=grammar),
        **{name: uri.get(name, rule, grammar=grammar) for name in COLUMNS},
    )
    found = asked().collect()
    assert asked().collect(engine="streaming").equals(found)
    assert found["valid"].to_list() == [verdicts[text] for text in known]
    assert found["stop"].to_list() == [stopped(text, rule, grammar) for text in known]
    rows = [parts_of(text, rule, grammar) for text in known]
    assert found["split"].to_list() == rows
    assert found.select(COLUMNS).equals(found["split"].struct.unnest())


def test_lazy_frames_know_the_types_and_push_filters_past():
    lazy = FRAME.lazy().with_columns(
        valid=COLUMN.uri.is_valid(), parts=COLUMN.uri.split(), at=COLUMN.uri.stop()
    )
    schema = lazy.collect_schema()
    assert (schema["valid"], schema["at"]) == (pl.Boolean, pl.Int64)
    assert [field.name for field in schema["parts"].fields] == list(COLUMNS)
    filtered = lazy.filter(pl.col("url") == "urn:a:b")
    written = filtered.explain()
    assert written.index("WITH_COLUMNS") < written.index("FILTER")
    found = filtered.collect()
    assert found.schema == schema
    assert found["valid"].to_list() == [True]
    assert lazy.collect(engine="streaming").schema == schema
    assert lazy.filter("valid").collect()["url"].to_list() == [TEXTS[0], "urn:a:b"]


def test_frames_of_many_pieces_stream():
    frame = pl.concat([FRAME] * 500, rechunk=False)
    lazy = frame.lazy().select(
        "url", valid=COLUMN.uri.is_valid(), host=COLUMN.uri.host(), parts=COLUMN.uri.split()
    )
    found = lazy.collect(engine="streaming")
    assert found["valid"].to_list() == WANTED["is_valid"] * 500
    assert found["host"].to_list() == WANTED["host"] * 500
    assert found.equals(lazy.collect())
    assert found["parts"].struct.field("path").to_list() == WANTED["path"] * 500


def test_groups_windows_and_pieces_are_read():
    frame = pl.concat([FRAME, FRAME], rechunk=False)
    assert frame.select(COLUMN.uri.host())["host"].to_list() == WANTED["host"] * 2
    counted = frame.group_by(COLUMN.uri.get("host_kind")).len()
    assert dict(counted.iter_rows()) == {None: 10, "RegName": 2, "IPv6": 2}
    grouped = frame.group_by("url", maintain_order=True).agg(COLUMN.uri.get("scheme").first())
    assert grouped["scheme"].to_list() == WANTED["scheme"]
    window = frame.select(COLUMN.uri.is_valid().sum().over(COLUMN.uri.get("scheme")))
    assert window["url"].to_list() == [2, 0, 0, 0, 0, 0, 2] * 2
    assert FRAME.clear().select(COLUMN.uri.split())["url"].to_list() == []
    lists = pl.DataFrame({"url": [TEXTS, [], None]})
    each = lists.select(COLUMN.list.eval(pl.element().uri.is_valid()))
    assert each["url"].to_list() == [WANTED["is_valid"], [], None]


@pytest.mark.parametrize("name", ["is_valid", "stop", "path", "split"])
def test_slices_and_nulls_are_read(name):
    frame = pl.concat([FRAME, FRAME.with_columns(url=COLUMN.reverse())], rechunk=False)
    whole = frame.select(made(COLUMN.uri, name)).to_series().to_list()
    for begin in range(len(frame)):
        for length in (0, 1, 5):
            part = frame.slice(begin, length).select(made(COLUMN.uri, name))
            assert part.to_series().to_list() == whole[begin : begin + length]
    for kind in (pl.Null, pl.String, pl.Binary):
        nulls = pl.DataFrame({"url": pl.Series([None] * 9, dtype=kind)})
        found = nulls.lazy().select(made(COLUMN.uri, name))
        assert found.collect().schema == found.collect_schema()
        assert found.collect().to_series().to_list() == [None] * 9


def test_threads_may_ask_at_once():
    frame = pl.concat([FRAME] * 100, rechunk=False)
    lazy = frame.lazy().select(COLUMN.uri.split(), valid=COLUMN.uri.is_valid())
    wanted = lazy.collect()
    with ThreadPoolExecutor(4) as pool:
        engines = ["in-memory", "streaming"] * 4
        for found in pool.map(lambda engine: lazy.collect(engine=engine), engines):
            assert found.equals(wanted)


def test_what_is_made_outlives_what_it_was_made_of():
    texts = [f"http://{'h' * 20}/{'p' * 30}?{n}" for n in range(100)]
    parted = pl.DataFrame({"url": texts}).select(COLUMN.uri.split()).unnest("url")
    path = parted["path"]
    del parted
    assert path.to_list() == ["/" + "p" * 30] * 100
    assert path.str.len_bytes().to_list() == [31] * 100


def test_expressions_travel():
    pytest.importorskip("cloudpickle")
    expression = pickle.loads(pickle.dumps(COLUMN.uri.is_valid()))
    assert FRAME.select(expression)["url"].to_list() == WANTED["is_valid"]
    assert isinstance(COLUMN.uri, URIExpr)
    assert isinstance(FRAME["url"].uri, URISeries)


@each_case("way", ["is_valid", "stop", "split", "normalize"])
def test_a_series_keeps_its_name(way):
    assert getattr(FRAME["url"].uri, way)().name == "url"


@pytest.mark.parametrize("name", [*NAMES, "normalize"])
def test_what_holds_no_texts_is_told(name):
    for kind in NO_TEXTS:
        frame = pl.DataFrame({"url": pl.Series([], dtype=kind)})
        said = rf"column holds texts \(String, .*\), not {kind.base_type()}($|\n)"
        for engine in ("in-memory", "streaming"):
            with pytest.raises(pl.exceptions.ComputeError, match=said):
                frame.lazy().select(made(COLUMN.uri, name)).collect(engine=engine)


def test_what_is_no_series_of_texts_is_told():
    with pytest.raises(TypeError, match=r"column holds texts .*, not int64$"):
        _ = pl.Series([1]).uri.is_valid()


NO_TEXTS = [
    *(pl.Boolean, pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.Int128, pl.UInt8, pl.UInt16),
    *(pl.UInt32, pl.UInt64, pl.Float32, pl.Float64, pl.Decimal(10, 2), pl.Date, pl.Time),
    *(pl.Datetime("us", "UTC"), pl.Duration("ms"), pl.List(pl.String), pl.Array(pl.String, 2)),
    *(pl.Struct({"a": pl.String}), pl.Object),
]


@pytest.mark.slow
def test_memory_stays_as_it_is():
    frame = pl.concat([FRAME] * 200, rechunk=False)
    lazy = frame.lazy().select(
        COLUMN.uri.split(), a=COLUMN.uri.get("path"), b=COLUMN.uri.is_valid()
    )
    wrong = pl.DataFrame({"url": [1]}).lazy().select(COLUMN.uri.is_valid())

    def used():
        for _ in range(100):
            lazy.collect()
            with pytest.raises(pl.exceptions.ComputeError):
                wrong.collect()
        return resident()

    used()
    before = used()
    assert used() - before < 8_000_000  # a leak would be 200 kB a round


def test_rows_are_judged_by_a_policy():
    urls = pl.Series("url", ["https://a.com/", "http://127.1/", None, "a b", "http://u@a.com/"])
    frame = (
        urls.to_frame()
        .lazy()
        .with_columns(
            verdict=COLUMN.uri.verdict(),
            syntax=COLUMN.uri.verdict(Policy.syntax()),
            findings=COLUMN.uri.findings(),
        )
    )
    found = frame.collect()
    assert found.schema == frame.collect_schema()
    assert found["verdict"].to_list() == [None, "numeric-host", None, "syntax", "userinfo"]
    assert found["syntax"].to_list() == [None, None, None, "syntax", None]
    assert found["findings"].to_list() == [
        url if url is None else [one.code for one in uriparse.validate(url).findings]
        for url in urls.to_list()
    ]
    assert urls.uri.verdict().to_list() == found["verdict"].to_list()


@pytest.mark.parametrize("uri", [COLUMN.uri, FRAME["url"].uri])
def test_help_lists_what_is_there_and_names_of_others_are_answered(uri):
    for shown in (pydoc.render_doc(type(uri)), "\n".join(dir(uri))):
        assert "registered_domain" in shown
        assert "hostname" not in shown
    with pytest.raises(AttributeError, match=r"has no attribute 'hostname': use column\.uri\.host"):
        getattr(uri, "host" + "name")
