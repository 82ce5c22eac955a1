"""DuckDB: the functions of SQL say what the functions for single texts say."""

import pytest

import uriparse
from uriparse.validation import Policy

pytestmark = pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning")
duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

from uriparse.extra.duckdb import register  # noqa: E402 - needs the package

TEXTS = ["HTTP://u@h:80/%7ea?b#c", "a b", None, "//[::1]", "http://h/é", "", "urn:a:b"]


@pytest.fixture
def connection():
    with duckdb.connect(config={"threads": 2}) as made:
        yield register(made)


def asked(connection, expression, texts=TEXTS):
    connection.execute("CREATE OR REPLACE TEMP TABLE t (n INTEGER, url VARCHAR)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", list(enumerate(texts)))
    found = connection.execute(f"SELECT {expression} FROM t ORDER BY n").fetchall()
    return [value for (value,) in found]


def test_many_rows_are_read(connection):
    query = "SELECT count(*) FILTER (uri_is_valid('http://h/' || i)), count(uri_split(' ' || i))"
    assert connection.sql(f"{query} FROM range(10000) r(i)").fetchall() == [(10000, 0)]
    nothing = connection.sql("SELECT uri_is_valid(NULL), uri_split(NULL)").fetchall()
    assert nothing == [(None, None)]


def test_both_grammars_can_be_had(connection):
    assert register(connection, grammar="rfc3987", prefix="iri_") is connection
    row = connection.sql("SELECT uri_is_valid('a:é'), iri_is_valid('a:é'), iri_split('é').path")
    assert row.fetchall() == [(False, True, "é")]


def test_arguments_follow_the_columns(connection):
    one = asked(connection, "uri_normalize(url, 'syntax')", ["HTTP://h:80", None])
    assert one == ["http://h:80", None]
    levels = "CASE n WHEN 0 THEN 'syntax' WHEN 1 THEN 'scheme' END"
    assert asked(connection, f"uri_normalize(url, {levels})", ["http://h:80"] * 3) == [
        "http://h:80", "http://h/", None,
    ]  # fmt: skip
    queries = ["http://h/?a=1&b=2&c=3", "a b"]
    assert asked(connection, "uri_strip_query(url, ['a', 'b'])", queries) == ["http://h/?c=3", None]
    assert asked(connection, "uri_get(url, NULL)", queries) == [None, None]
    nothing = "SELECT uri_get(url, 'port') FROM (SELECT '' AS url) WHERE url <> ''"
    assert connection.sql(nothing).fetchall() == []
    with pytest.raises(duckdb.Error, match='component must be "scheme"'):
        asked(connection, "uri_get(url, 'prot')", queries)
    with pytest.raises(duckdb.Error, match="get takes column, component, rule, 2 of them at least"):
        asked(connection, "uri_get(url)", queries)
    hint = r"its policy is that of register\(\.\.\., policy=Policy\.web\(\)\)"
    with pytest.raises(duckdb.Error, match=f"verdict takes column, 1 of them at least; {hint}"):
        asked(connection, "uri_verdict(url, 'web')", queries)
    with pytest.raises(TypeError, match="there is no function 'norm'; there are is_valid"):
        register(connection, "x_", arguments={"norm": {}})
    with pytest.raises(TypeError, match="unexpected keyword argument 'lvl'"):
        register(connection, "x_", arguments={"normalize": {"lvl": "scheme"}})
    with pytest.raises(TypeError, match="there is no option 'level'; there are grammar, policy"):
        register(connection, "x_", level="scheme")


def test_what_is_no_connection_is_told(connection):
    with pytest.raises(
        TypeError, match=r"connection must be a connection, such as duckdb.connect\(\), no"
    ):
        register("db")
    with pytest.raises(ValueError, match=r'grammar must be "rfc3986" or "rfc3987", not "rfc1738"'):
        register(connection, grammar="rfc1738")
    with pytest.raises(duckdb.Error, match="uri_is_valid"):
        register(connection)


def test_rows_are_judged_by_a_policy(connection):
    urls = ["https://a.com/", "http://127.1/", None, "a b", "http://u@a.com/"]
    assert asked(connection, "uri_verdict(url)", urls) == [
        None, "numeric-host", None, "syntax", "userinfo",
    ]  # fmt: skip
    assert asked(connection, "uri_findings(url)", urls) == [
        url if url is None else [one.code for one in uriparse.validate(url).findings]
        for url in urls
    ]
    register(connection, policy=Policy.syntax(), prefix="any_")
    assert asked(connection, "any_verdict(url)", urls) == [None, None, None, "syntax", None]
    with pytest.raises(TypeError, match=r"^policy must be a Policy, such as Policy\.web\("):
        register(connection, policy="outbound")
