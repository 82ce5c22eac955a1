"""Every function of columns in every engine: it returns what the function for one text returns.

What single texts are is asked of the public functions alone.
"""

import os
import random
import shutil
import sys
from functools import cache
from inspect import signature
from itertools import pairwise

import pytest
from cases import each_case
from columns.cases import SPARK
from marks import one_in

import uriparse
from uriparse import URIError, arrow, keys, parse, try_parse
from uriparse.validation import Policy

pytestmark = pytest.mark.filterwarnings("ignore")  # the engines' own
pa = pytest.importorskip("pyarrow")

NAMES = {name for name in arrow.__all__ if name.islower()}


def inputs(name):
    """What SQL passes to a function: arguments by position, but for those that are objects."""
    given = signature(getattr(arrow, name)).parameters.values()
    plain = [one for one in given if one.kind is one.POSITIONAL_OR_KEYWORD]
    return [one.name for one in plain if one.name not in {"policy", "domain_of"}]


def needed(name):
    """What has no default."""
    given = signature(getattr(arrow, name)).parameters
    return [one for one in inputs(name) if given[one].default is given[one].empty]


def first(name):
    """The argument that is the column of a method."""
    return "a" if name == "equivalent" else "column"


SYNTAX = Policy.syntax()
BASE = "http://a.example/b/c?d"
LIST = {"com", "example", "net"}


def domain_of(name):
    """Return the label before a suffix, and that."""
    labels = name.split(".")
    return ".".join(labels[-2:]) if len(labels) > 1 and labels[-1] in LIST else None


def of_record(function, grammar="rfc3986"):
    """Return what a function makes of a record; None for a refused text and an error of ours."""

    def found(text, *others):
        record = try_parse(text, grammar=grammar)
        try:
            return None if record is None else function(record, *others)
        except URIError:
            return None

    return found


def text_of(value):
    return None if value is None else str(value)


def kind_of(record):
    return None if record.host is None else type(record.host).__name__


def parts(record):
    names = "scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"
    return {name: text_of(getattr(record, name)) for name in names} | {"host_kind": kind_of(record)}


def stop(text, grammar="rfc3986"):
    try:
        parse(text, "URI" if grammar == "rfc3986" else "IRI", grammar=grammar)
    except uriparse.URISyntaxError as error:
        return error.offset
    return None


def reason(text, policy=None):
    report = uriparse.validate(text, *[policy] * (policy is not None))
    return None if report else report.reasons[0].code


def domain(record):
    name = record.host
    if not isinstance(name, uriparse.RegName) or "%" in str(name) or not str(name):
        return None
    if any(is_number(label) for label in str(name).removesuffix(".").split(".")[-1:]):
        return None
    return domain_of(str(name).lower().removesuffix("."))


def is_number(label):
    digits = set("0123456789abcdefABCDEF") if label[:2] in {"0x", "0X"} else set("0123456789")
    rest = label[2:] if label[:2] in {"0x", "0X"} else label
    return set(rest) <= digits and bool(label)


def keyed(profile):
    def found(text):
        try:
            return keys.key(text, profile)
        except URIError:
            return None

    return found


def href(text):
    try:
        return uriparse.whatwg.parse(text).href
    except URIError:
        return None


def resolved(base):
    own = try_parse(base, "URI")
    return of_record(lambda record: own and str(uriparse.resolve(own, record)))


def to_iri(record):
    return str(uriparse.uri_to_iri(record))


CASES = [  # the function, its arguments, and the function for one text
    ("is_valid", {}, uriparse.is_valid),
    ("is_valid", {"rule": "URI-reference"}, lambda t: uriparse.is_valid(t, "URI-reference")),
    ("is_valid", {"grammar": "rfc3987"}, lambda t: uriparse.is_valid(t, grammar="rfc3987")),
    ("stop", {}, stop),
    ("stop", {"grammar": "rfc3987"}, lambda t: stop(t, "rfc3987")),
    ("verdict", {}, reason),
    ("verdict", {"policy": SYNTAX}, lambda t: reason(t, SYNTAX)),
    ("findings", {}, lambda t: [one.code for one in uriparse.validate(t).findings]),
    ("split", {}, of_record(parts)),
    ("split", {"grammar": "rfc3987"}, of_record(parts, "rfc3987")),
    ("get", {"component": "port"}, of_record(lambda r: r.port)),
    ("get", {"component": "host_kind"}, of_record(kind_of)),
    ("get", {"component": "path", "rule": "URI"},
     lambda t: getattr(try_parse(t, "URI"), "path", None)),
    ("host", {}, of_record(lambda r: text_of(r.host))),
    ("registered_domain", {"domain_of": domain_of}, of_record(domain)),
    ("query_value", {"name": "q"}, of_record(lambda r: r.query_value("q"))),
    ("query_value", {"name": "q", "plus": False, "errors": "replace"},
     of_record(lambda r: r.query_value("q", plus=False, errors="replace"))),
    ("normalize", {}, of_record(lambda r: str(uriparse.normalize(r)))),
    ("normalize", {"level": "syntax"}, of_record(lambda r: str(uriparse.normalize(r, "syntax")))),
    ("normalize", {"grammar": "rfc3987"},
     of_record(lambda r: str(uriparse.normalize(r)), "rfc3987")),
    ("resolve", {"base": BASE}, resolved(BASE)),
    ("resolve", {"base": BASE, "strict": False},
     of_record(lambda r: str(uriparse.resolve(BASE, r, strict=False)))),
    ("equivalent", {"b": BASE}, of_record(lambda r: uriparse.equivalent(r, BASE))),
    ("equivalent", {"b": BASE, "level": "syntax", "ignore_fragment": True},
     of_record(lambda r: uriparse.equivalent(r, BASE, "syntax", ignore_fragment=True))),
    ("key", {}, keyed("scheme")),
    ("key", {"profile": "rfc3986"}, keyed("rfc3986")),
    ("key", {"profile": "surt"}, keyed("surt")),
    ("key", {"profile": "rfc3986+drop-tracking+sort-query"},
     keyed("rfc3986+drop-tracking+sort-query")),
    ("key", {"profile": "scheme+drop-default-index+drop-query"},
     keyed("scheme+drop-default-index+drop-query")),
    ("strip_query", {}, of_record(lambda r: str(keys.drop_tracking().apply(r)))),
    ("strip_query", {"names": ["q", "b"]},
     of_record(lambda r: str(keys.drop_query(["q", "b"]).apply(r)))),
    ("strip_query", {"prefixes": ["utm_"]},
     of_record(lambda r: str(keys.drop_query(prefixes=["utm_"]).apply(r)))),
    ("strip_query", {"names": ["", "a b", "q?"], "prefixes": ["é", "%2"]},
     of_record(lambda r: str(keys.drop_query(["", "a b", "q?"], ["é", "%2"]).apply(r)))),
    ("strip_query", {"names": []}, of_record(lambda r: str(keys.drop_query().apply(r)))),
    ("strip_query", {"grammar": "rfc3987"},
     of_record(lambda r: str(keys.drop_tracking().apply(r)), "rfc3987")),
    ("redact", {}, of_record(lambda r: str(uriparse.redact(r)))),
    ("redact", {"profile": "strict"},
     of_record(lambda r: str(uriparse.redact(r, profile="strict")))),
    ("redact", {"profile": "oauth", "userinfo": False},
     of_record(lambda r: str(uriparse.redact(r, profile="oauth", userinfo=False)))),
    ("redact", {"names": ["q"], "grammar": "rfc3987"},
     of_record(lambda r: str(uriparse.redact(r, names=["q"])), "rfc3987")),
    ("to_iri", {}, of_record(to_iri)),
    ("to_uri", {}, of_record(lambda r: str(uriparse.iri_to_uri(r)), "rfc3987")),
    ("whatwg", {}, href),
]  # fmt: skip
PAIRED = [  # with a second column
    ("resolve", "base", lambda a, b: resolved(b)(a)),
    ("equivalent", "b", lambda a, b: of_record(
        lambda one: of_record(lambda other: uriparse.equivalent(one, other))(b))(a)),
]  # fmt: skip
PARTLY = {"strip_query", "redact", "equivalent", "key", "to_iri", "to_uri"}
"""Functions of which the kernel does some rows, and Python the others."""


def test_every_function_has_cases():
    assert {name for name, *_ in CASES} == NAMES


def test_the_page_has_every_function_with_its_arguments():
    from tools.docs.catalogues import column_entries

    found = {line.split("`")[1].partition("(")[0]: line for line in column_entries() if "`" in line}
    assert set(found) == NAMES
    for name, line in found.items():
        given = [f"[{one}]" if one not in needed(name) else one for one in inputs(name)]
        assert f"`uri_{name}({', '.join(given)})`" in line
        rest = [one for one in signature(getattr(arrow, name)).parameters if one != first(name)]
        written = line.split("`")[1]
        assert all(one in written for one in rest), (name, rest)


# Rows: a few urls, made from parts, some corrupted, some null.

SCHEMES = "http", "https", "HTTP", "ftp", "mailto", "urn", "x", ""
HOSTS = (
    "a.example", "www.A.example.", "h", "127.0.0.1", "0x7f.1", "[::1]", "[v1.a]", "a%41.com",
    "é.net",    "", "1.2.3.4.", "x.net:80", "a.example:443", "u:p@a.com", "xn--9ca.net",
)  # fmt: skip
PATHS = "", "/", "/a/../b", "/%7ea", "/a b", "b/./c", "/é%C3%A9", "//x", "/%zz", "/a;token=b"
QUERIES = "", "?", "?q=a+b", "?q", "?q=%FF&q=1", "?a=1&%71=%2B", "?token=x&utm_x=1#code=y", "?é"


def rows_of(count, seed):
    chance = random.Random(seed)

    def one():
        scheme, host = chance.choice(SCHEMES), chance.choice(HOSTS)
        text = f"{scheme}:" * bool(scheme) + f"//{host}" * (chance.random() < 0.8)
        text += chance.choice(PATHS) + chance.choice(QUERIES)
        if chance.random() < 0.05:
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(" \\^|\t\n[]%é\x00:/@") + text[at + 1 :]
        return None if chance.random() < 0.05 else text

    return [one() for _ in range(count)]


HEADS = "http://h/", "HTTP://H:80", "//u:p@h", "mailto:", "tel:+1-", "sip:a", "x:/", "", "/a;b"
MEANT = """
    & & & = = ? # ; , ' @ : / // % %3d %3D %26 %40 %25 %2525 %2F %20 %C3%A9 %61 + a b q index.html
    token api_key db_pass next_token utm_source utm_ fbclid %75tm_id http://u:p@i sig code= &q=1 é
    1
"""
WORDS = [*MEANT.split(), "\xa0"]


def words_of(count, seed):
    """Texts of words that a function may look for, in any order, some of them corrupted."""
    chance = random.Random(seed)
    for _ in range(count):
        text = chance.choice(HEADS) + "".join(chance.choices(WORDS, k=chance.randrange(9)))
        yield text.replace("=", chance.choice(("=", "=", "==", " ")), 1)


@cache
def rows(count):
    return rows_of(count, 1), rows_of(count, 2)


# Engines: what they make of columns, by the name of a function and its arguments.


def by_arrow(texts, others):
    """Chunks of uneven length, one of them a slice."""

    def chunked(values):
        cuts = [0, 1, len(values) // 3, len(values)]
        chunks = [pa.array([None, *values[a:b]], pa.string())[1:] for a, b in pairwise(cuts)]
        return pa.chunked_array(chunks)

    url, other = chunked(texts), chunked(others)

    def ask(name, arguments, second):
        given = {first(name): url, **arguments, **({second: other} if second else {})}
        return pa.chunked_array(getattr(arrow, name)(**given)).to_pylist()

    return ask


def by_method(column_of, taken):
    """Make what asks by the methods of a column."""

    def ask(name, arguments, second):
        column, other = column_of()
        given = {**arguments, **({second: other} if second else {})}
        return taken(getattr(column, name)(**given))

    return ask


def by_polars(texts, others):
    pl = pytest.importorskip("polars")
    from uriparse.extra.polars import URIExpr

    frame = pl.concat([pl.DataFrame({"url": texts, "other": others})[a:b]
                       for a, b in ((0, 7), (7, len(texts)))], rechunk=False)  # fmt: skip
    url = URIExpr(pl.col("url"))

    def taken(made):
        return frame.lazy().select(made.alias("v")).collect(engine="streaming")["v"].to_list()

    return by_method(lambda: (url, pl.col("other")), taken)


def by_series(texts, others):
    pl = pytest.importorskip("polars")
    from uriparse.extra.polars import URISeries

    frame = pl.DataFrame({"url": texts, "other": others})
    return by_method(lambda: (URISeries(frame["url"]), frame["other"]), lambda made: made.to_list())


def by_pandas(texts, others):
    pd = pytest.importorskip("pandas")
    from uriparse.extra.pandas import URIAccessor

    index = [n // 2 for n in range(len(texts))]
    url, other = pd.Series(texts, index, object), pd.Series(others, index, object)

    def taken(made):
        assert made.index.equals(url.index)
        if isinstance(made, pd.DataFrame):
            return made.astype(object).where(made.notna(), None).to_dict("records")
        return [None if one is pd.NA else one for one in made.tolist()]

    return by_method(lambda: (URIAccessor(url), other), taken)


def table(texts, others):
    columns = {"n": range(len(texts)), "url": texts, "other": pa.array(others, pa.string())}
    return pa.table({**columns, "url": pa.array(texts, pa.string())})


def sql(name, arguments, second, prefix="uri_", column="url"):
    """Write a call in SQL; None for arguments that SQL cannot write."""
    values = {first(name): column, **({second: "other"} if second else {})}
    for key, value in arguments.items():
        values[key] = f"'{value}'" if isinstance(value, str) else None
    if any(value is None or key not in inputs(name) for key, value in values.items()):
        return None
    given = [values[key] for key in inputs(name) if key in values]
    is_dense = list(inputs(name)[: len(given)]) == [key for key in inputs(name) if key in values]
    return f"{prefix}{name}({', '.join(given)})" if is_dense else None


def by_sql(run, register):
    """Make what asks in SQL; arguments that SQL cannot write are given to `register`."""
    numbers = iter(range(1000))

    def ask(name, arguments, second):
        least = {key: value for key, value in arguments.items() if key in needed(name)}
        written, prefix = sql(name, arguments, second), "uri_"
        if written is None or (not ask.takes_all and len(least) < len(arguments)):
            prefix = f"own{next(numbers)}_"
            rest = {key: value for key, value in arguments.items() if key not in least}
            register(prefix, {name: rest})
            written = sql(name, least, second, prefix)
        return run(written)

    ask.takes_all = True
    return ask


def by_duckdb(texts, others):
    duckdb = pytest.importorskip("duckdb")
    from uriparse.extra.duckdb import register

    connection = register(duckdb.connect(config={"threads": 2}))
    connection.register("given", table(texts, others))
    connection.execute("CREATE TABLE rows AS SELECT * FROM given")

    def run(expression):
        found = connection.execute(f"SELECT {expression} FROM rows ORDER BY n").fetchall()
        return [value for (value,) in found]

    return by_sql(run, lambda prefix, own: register(connection, prefix, arguments=own))


def by_datafusion(texts, others):
    datafusion = pytest.importorskip("datafusion")
    from uriparse.extra.datafusion import register

    context = register(datafusion.SessionContext())
    context.from_arrow(table(texts, others), name="rows")

    def run(expression):
        return context.sql(f"SELECT {expression} AS v FROM rows ORDER BY n").to_pydict()["v"]

    ask = by_sql(run, lambda prefix, own: register(context, prefix, arguments=own))
    ask.takes_all = False
    return ask


def by_datafusion_methods(texts, others):
    datafusion = pytest.importorskip("datafusion")
    from uriparse.extra.datafusion import uri

    frame = datafusion.SessionContext().from_arrow(table(texts, others))
    url, other = datafusion.col("url"), datafusion.col("other")

    def taken(made):
        found = frame.select(datafusion.col("n"), made.alias("v")).sort(datafusion.col("n"))
        return found.to_pydict()["v"]

    return by_method(lambda: (uri(url), other), taken)


def by_daft(texts, others):
    daft = pytest.importorskip("daft")
    from uriparse.extra.daft import register

    frame = daft.from_arrow(table(texts, others))
    register()

    def run(expression):
        return daft.sql(f"SELECT {expression} AS v FROM frame", frame=frame).to_pydict()["v"]

    return by_sql(run, lambda prefix, own: register(prefix, arguments=own))


def by_daft_methods(texts, others):
    daft = pytest.importorskip("daft")
    from uriparse.extra.daft import uri

    frame = daft.from_arrow(table(texts, others))
    return by_method(
        lambda: (uri(frame["url"]), frame["other"]),
        lambda made: frame.select(made.alias("v")).to_pydict()["v"],
    )


@cache
def spark_session():
    pytest.importorskip("pyspark")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("there is no Java here")
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": os.pathsep.join(sys.path)}
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    for name, value in SPARK.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def spark_frame(texts, others):
    own = zip(range(len(texts)), texts, others, strict=True)
    return spark_session().createDataFrame([*own], "n int, url string, other string").coalesce(1)


def taken_from_spark(frame):
    found = [row.v for row in sorted(frame.collect(), key=lambda row: row.n)]
    return [one.asDict() if hasattr(one, "asDict") else one for one in found]


def by_spark(texts, others):
    session = spark_session()
    from uriparse.extra.spark import register

    spark_frame(texts, others).createOrReplaceTempView("rows")
    register(session)

    def run(expression):
        return taken_from_spark(session.sql(f"SELECT n, {expression} AS v FROM rows"))

    return by_sql(run, lambda prefix, own: register(session, prefix, arguments=own))


def by_spark_methods(texts, others):
    frame = spark_frame(texts, others)
    from uriparse.extra.spark import uri

    return by_method(
        lambda: (uri("url"), frame.other),
        lambda made: taken_from_spark(frame.select("n", made.alias("v"))),
    )


QUICK = [
    *(by_arrow, by_polars, by_series, by_pandas, by_duckdb, by_datafusion, by_datafusion_methods),
    *(by_daft, by_daft_methods),
]
SLOW = [by_spark, by_spark_methods]


@cache  # for all engines
def singly(single, texts, others):
    """What a function for one text says of each, or of pairs."""
    if others:
        return [None if None in pair else single(*pair) for pair in zip(texts, others, strict=True)]
    known = {text: single(text) for text in {*texts} - {None}}
    return [known.get(text) for text in texts]


def check(engine, texts, others, names=NAMES):
    count = len(texts)
    ask, compared = engine(texts, others), 0
    asked = [(name, arguments, None, single) for name, arguments, single in CASES]
    asked += [(name, {}, second, single) for name, second, single in PAIRED]
    for name, arguments, second, single in asked:
        if name not in names:
            continue
        found = ask(name, arguments, second)
        wanted = singly(single, (*texts,), (*others,) if second else ())
        if name == "split":  # an engine may have a struct of nulls for null
            found = [None if row is None or row["path"] is None else row for row in found]
        differing = [n for n in range(count) if found[n] != wanted[n]]
        shown = [(texts[n], others[n], found[n], wanted[n]) for n in differing[:3]]
        assert not shown, (name, arguments, second, len(differing), shown)
        compared += any(one is not None for one in wanted)
    assert compared == len([one for one in asked if one[0] in names])


@each_case("engine", QUICK)
def test_every_engine_says_what_single_texts_say(engine):
    check(engine, *rows(600))


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "count"), [
    *((engine, 20_000) for engine in QUICK), *((engine, 2_500) for engine in SLOW),
    *(pytest.param(engine, 20_000, marks=pytest.mark.long) for engine in SLOW),
])  # fmt: skip
def test_every_engine_says_what_single_texts_say_of_many(engine, count):
    check(engine, *rows(count))


@pytest.mark.parametrize("count", one_in(2, [(2_000,), (100_000,)]))
def test_rows_that_the_kernel_leaves_to_python_are_all_that_change(count):
    texts, others = [*words_of(count, 3)], [*words_of(count, 4)]
    others[::2] = texts[::2]
    others[::3] = [uriparse.normalize(t, "syntax") if try_parse(t) else t for t in others[::3]]
    check(by_arrow, texts, [str(one) for one in others], PARTLY)
