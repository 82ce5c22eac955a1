"""pandas: the accessor keeps index, name and nulls of a series, whatever its dtype and index."""

import pytest
from cases import each_case

import uriparse
from uriparse.validation import Policy

pytestmark = pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning")
pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")

from uriparse.extra.pandas import URIAccessor  # noqa: E402 - needs the package

TEXTS = ["HTTP://u@h:80/%7ea?b#c", "a b", None, "//[::1]", "http://h/é", "", "urn:a:b", None]
DTYPES = [
    "object", "string", "string[python]", "string[pyarrow]", "str", "category",
    pd.ArrowDtype(pa.string()), pd.ArrowDtype(pa.large_string()),
    pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())),
]  # fmt: skip
INDEXES = {
    "default": range(8),
    "labels twice": [7, 7, 0, 1, 0, 7, 2, 2],
    "texts": list("abcdefgh"),
    "two levels": pd.MultiIndex.from_product([[1, 2], list("abcd")]),
    "days": pd.date_range("2026-01-01", periods=8),
}
SHAPES = {
    "as it is": lambda series: series,
    "sorted": lambda series: series.iloc[sorted(range(8), key=lambda n: str(series.iloc[n]))],
    "filtered": lambda series: series[series.notna()],
    "turned round": lambda series: series[::-1],
    "sliced": lambda series: series.iloc[2:7:2],
    "drawn": lambda series: series.sample(6, random_state=1),
    "joined": lambda series: pd.concat([series, series]),
    "no rows": lambda series: series[:0],
    "nulls alone": lambda series: series[series.isna()],
}


def series_of(dtype, index="default"):
    if dtype == "str" and pd.__version__ < "3":
        pytest.skip("str is object")
    made = pd.Series(TEXTS, INDEXES[index], dtype="object", name="url")
    return made.astype(dtype)


def plain(values):
    return [None if pd.isna(one) else one for one in values]


@each_case("shape", SHAPES)
@each_case("index", INDEXES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_each_row_has_its_own_answer(dtype, index, shape):
    series = SHAPES[shape](series_of(dtype, index))
    texts = plain(series)
    records = [None if text is None else uriparse.try_parse(text) for text in texts]
    made = {
        "valid": series.uri.is_valid(),
        "normal": series.uri.normalize("syntax"),
        "host": series.uri.host(),
    }
    for found in made.values():
        assert found.index.equals(series.index)
        assert found.name == "url"
    assert plain(made["valid"]) == [t if t is None else uriparse.is_valid(t) for t in texts]
    normal = [r if r is None else str(uriparse.normalize(r, "syntax")) for r in records]
    assert plain(made["normal"]) == normal
    hosts = [None if r is None or r.host is None else str(r.host) for r in records]
    assert plain(made["host"]) == hosts
    parts = series.uri.split()
    assert isinstance(parts, pd.DataFrame)
    assert parts.index.equals(series.index)
    assert plain(parts["host"]) == hosts
    assert plain(parts["path"]) == [None if r is None else r.path for r in records]
    frame = series.to_frame()
    frame["normal"] = made["normal"]  # pandas aligns by index, or takes an equal one
    assert plain(frame["normal"]) == normal
    assert plain(series) == texts


def test_arguments_and_results_are_those_of_arrow():
    series = series_of("object")
    assert str(series.uri.is_valid().dtype) == "bool[pyarrow]"
    assert str(series.uri.stop().dtype) == "int64[pyarrow]"
    assert series.uri.verdict(Policy.syntax()).dtype == pd.ArrowDtype(pa.string())
    assert plain(series.uri.resolve("http://b/", grammar="rfc3987"))[4:6] == [
        "http://h/é", "http://b/",
    ]  # fmt: skip
    assert isinstance(series.uri, URIAccessor)
    with pytest.raises(uriparse.UnknownRuleError):
        series.uri.is_valid("no-such-rule")
    with pytest.raises(TypeError, match="component"):
        series.uri.get()


def test_two_columns_are_of_one_index():
    frame = pd.DataFrame({"url": ["HTTP://h", "a", None], "page": ["http://h/", "x:y/z", "a:"]})
    assert plain(frame["url"].uri.equivalent(frame["page"])) == [True, False, None]
    assert plain(frame["url"].uri.resolve(frame["page"])) == ["HTTP://h", "x:y/a", None]
    turned = frame[::-1]
    assert plain(turned["url"].uri.equivalent(turned["page"])) == [None, False, True]
    with pytest.raises(ValueError, match="the same index"):
        frame["url"].uri.equivalent(turned["page"])


@each_case("values", [[1, 2], ["a", 3], [1.5, None], [True], [{}]])
def test_what_holds_no_texts_is_told(values):
    for series in (pd.Series(values), pd.Series(values, dtype=object)):
        with pytest.raises(TypeError, match=r"hold(s)? (strings|texts)"):
            series.uri.is_valid()


@each_case(("texts", "dtype"), [
    (["http://h/\ud800", "http://h/", None], "object"), ([b"http://h/", b"\xff", None], "object"),
    (["http://h/\ud800", "http://h/", None], "string[python]"),
    ([float("nan")] * 2, "float64"), ([None] * 2, "category"), ([], "float64"), ([], "category"),
    ([None] * 2, "datetime64[ns]"),
])  # fmt: skip
def test_one_row_that_is_not_unicode_or_no_text_at_all_spoils_no_column(texts, dtype):
    series = pd.Series(texts, dtype=dtype, index=[3] * len(texts))
    wanted = [None if pd.isna(text) else uriparse.is_valid(text) for text in texts]
    assert plain(series.uri.is_valid()) == wanted
    assert plain(series.uri.host()) == ["h" if valid else None for valid in wanted]
    assert len(series.uri.split()) == len(texts)
