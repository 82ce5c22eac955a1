"""A column says of each row what the functions for single texts say, whatever its layout."""

import gc
import os
import sys
from array import array
from contextlib import suppress
from ctypes import c_void_p, cast
from importlib.util import find_spec
from itertools import pairwise

import pytest
from cases import each_case
from columns.cases import BROKEN, SIZELESS, parts
from columns.handmade import KEYS, WIDTHS, Handmade, column, listed, release_function
from command_runs import run_python
from hypothesis import given
from hypothesis import strategies as st

import uriparse
from uriparse import URISyntaxError, parse
from uriparse._native import kernel, native_rule
from uriparse.arrow import Column, ColumnError, is_valid, judging, normalize, resolve, split, stop
from uriparse.arrow import column as made
from uriparse.arrow.importing import import_column
from uriparse.arrow.reading import ByKernel, ByRows

pytestmark = [
    pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning"),
    pytest.mark.skipif(kernel is None and find_spec("pyarrow") is None,
                       reason="columns are exported by the kernel or by pyarrow"),
]  # fmt: skip
native = pytest.mark.skipif(kernel is None, reason="there is no C kernel here")

LAYOUTS = [*WIDTHS, "vu", "vz", *KEYS]
PIECES = [*"a:/?#[]@%. 1", "//", "[::1]", "é", "例え", "\ue000", "example", "http://", "%41", "\0"]
texts = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
TEXTS = [
    "http://user:pa%20ss@example.com:8042/over/there;p=1?name=ferret#nose", "",
    "//[2001:db8::7]:/a//b?", "http://h/a b", "http://h/é", "mailto:a@b", "//1.2.3.4#",
]  # fmt: skip
columns = st.lists(st.none() | texts | st.sampled_from(TEXTS), max_size=12)
RULES = [
    ("URI-reference", "rfc3986"), ("URI", "rfc3986"), ("IRI-reference", "rfc3987"),
    ("port", "rfc3986"),
]  # fmt: skip
ILL = [b"a:\xe3\x81", b"a:\xff", b"a:\xe0\x80", b"\xc3\xa9\xc3", b"a:\xe3\x81\x82\x81", b"\xf0\x90"]
DATA = b"http://h/ a:b mailto:x@y//\xff[::1]?q#f0"
numbers = st.integers(-2, len(DATA) + 2)
offsets = st.tuples(st.sampled_from("uU"), st.lists(numbers, min_size=1, max_size=12))
views = st.lists(st.tuples(numbers, st.integers(-1, 2), numbers), max_size=12)
CALLS = [is_valid, stop, split, normalize, lambda own: resolve("http://h/", own)]


def spelled(rows):
    return [None if text is None else text.encode() for text in rows]


def stopped(text, rule, grammar):
    try:
        parse(text, rule, grammar=grammar)
    except URISyntaxError as error:
        return error.offset
    return None


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("rule", "grammar"), RULES)
@given(rows=columns, skip=st.integers(0, 3))
def test_rows_are_judged_as_single_texts_are(layout, rule, grammar, rows, skip):
    own = column(spelled(rows), layout, skipped=skip)
    verdicts = [t if t is None else uriparse.is_valid(t, rule, grammar=grammar) for t in rows]
    assert listed(is_valid(own, rule, grammar=grammar)) == verdicts
    if rule != "port":
        stops = [t if t is None else stopped(t, rule, grammar) for t in rows]
        assert listed(stop(own, rule, grammar=grammar)) == stops
        split_rows = [t if t is None else parts(t, rule, grammar) for t in rows]
        assert listed(split(own, rule, grammar=grammar)) == split_rows


def outcome_of(call):
    try:
        return call()
    except ColumnError as error:
        return str(error)


def outcome(call):
    """What a call gives, in octets, or its error."""
    found = outcome_of(call)
    if isinstance(found, str):
        return found
    columns = found if isinstance(found[0], tuple) else (found,)
    return [[bytes(x) if x is not None and type(x) is not int else x for x in c] for c in columns]


def both(rows, rule, grammar):
    """What the kernel and Python make of rows."""
    ways = ByKernel(native_rule(rule, grammar, len), grammar), ByRows(rule, grammar)
    for name in ("verdicts", "stops"):
        yield [outcome(lambda way=way, name=name: getattr(way, name)(rows)) for way in ways]
    for width in (4, 8):
        found = [outcome(lambda way=way, width=width: way.split(rows, width)) for way in ways]
        if isinstance(found[0], list):  # nothing but its bits counts of the first
            found = [[[one[0][0], one[0][1]], *one[1:]] for one in found]
        yield found


@native
@pytest.mark.parametrize(("rule", "grammar"), RULES[:3])
@given(rows=st.lists(st.none() | texts.map(str.encode) | st.sampled_from(ILL), max_size=12))
def test_both_ways_give_the_same_octets(rule, grammar, rows):
    own = column(rows, "z")
    for by_kernel, by_rows in both(import_column(own).chunks[0], rule, grammar):
        assert by_kernel == by_rows


@each_case("octets", ILL)
def test_what_is_no_utf_8_stops_where_it_is_none(octets):
    before = octets.decode("utf-8", "ignore" if octets[-1:] != b"\x81" else "surrogateescape")
    before = "".join(c for c in before if not "\ud800" <= c <= "\udfff")
    own = column([octets], "z")
    assert listed(stop(own, "IRI-reference", grammar="rfc3987")) == [len(before)]
    assert listed(is_valid(own, "IRI-reference", grammar="rfc3987")) == [False]


def by_offsets(layout, places, validity):
    """A column with any offsets but the last, which says how long its data is, and its texts."""
    last = places[-1] = max(0, min(places[-1], len(DATA)))
    code = WIDTHS[layout]
    own = Handmade(layout, len(places) - 1, [validity, array(code, places).tobytes(), DATA[:last]])
    return own, [DATA[a:b] if 0 <= a <= b <= last else ... for a, b in pairwise(places)]


def by_views(given, validity):
    """A column of any views into two buffers, and its texts."""
    octets, texts = b"", []
    for size, part, begin in given:
        octets += array("i", [size, 0, part, begin]).tobytes()
        if 0 <= size <= 12:
            texts.append(octets[-12:][:size])
        else:
            fits = 0 <= part < 2 and 0 <= begin <= begin + size <= len(DATA) and size >= 0
            texts.append(DATA[begin : begin + size] if fits else ...)
    sizes = array("q", [len(DATA)] * 2).tobytes()
    return Handmade("vu", len(given), [validity, octets, DATA, DATA, sizes]), texts


def expected(texts):
    """The verdicts on texts, or the first row that is outside of the buffers."""
    if ... in texts:
        return f"column: row {texts.index(...)} lies outside of its buffers"
    return [t if t is None else uriparse.is_valid(t.decode("latin-1")) for t in texts]


@native
@given(
    st.tuples(st.just(by_offsets), offsets) | st.tuples(st.just(by_views), st.tuples(views)),
    st.binary(min_size=2, max_size=2),
)
def test_rows_outside_of_their_buffers_are_told_and_all_others_are_read(made, validity):
    make, facts = made
    own, texts = make(*facts, validity)
    texts = [t if validity[at >> 3] >> (at & 7) & 1 else None for at, t in enumerate(texts)]
    assert outcome_of(lambda: listed(is_valid(own))) == expected(texts)
    rows = import_column(own).chunks[0]
    assert [outcome_of(lambda at=at: rows.octets(at)) for at in range(len(rows))] == [
        expected([*[None] * at, text]) if text is ... else text for at, text in enumerate(texts)
    ]


@native
@each_case("message", BROKEN)
def test_columns_that_contradict_themselves_are_refused(message):
    for call in (is_valid, stop, split):
        with pytest.raises(ColumnError, match=f"^column: {message.strip()}"):
            call(BROKEN[message])


class Stream:
    """An object that gives the same capsule each time."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __arrow_c_stream__(self, requested_schema=None):
        return self.capsule


class Array:
    """An object that gives the same two capsules each time."""

    def __init__(self, *capsules):
        self.capsules = capsules

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


@each_case("call", CALLS)
def test_a_capsule_is_read_once_and_then_is_an_error(call):
    texts = normalize(column([b"http://h/", b"a b", None]))
    stream, own = Stream(texts.__arrow_c_stream__()), Array(*texts.__arrow_c_array__())
    for once in (stream, own):
        assert len(call(once)) == 3
        for again in CALLS:
            with pytest.raises(ColumnError, match=r"it has been released; .* read only once$"):
                again(once)
    schema, values = texts.__arrow_c_array__()
    for half_read in (Array(own.capsules[0], values), Array(schema, own.capsules[1])):
        with pytest.raises(ColumnError, match="it has been released"):
            call(half_read)
    assert len(call(texts)) == 3  # each time with capsules of its own


KINDS = {
    "texts": (column([b"a:"]), ["array", "schema"]),
    "views": (column([b"a:" * 20], "vu"), ["array", "schema"]),
    "a dictionary": (column([b"a:"], "c"), ["array", "schema"]),
    "a damaged column": (Handmade("u", 2, [None, b""], count=1), ["array", "schema"]),
    "no texts": (Handmade("l", 1, [None, bytes(8)]), ["schema"]),
}
"""Columns, and what is moved out of their capsules: of what holds no texts only the type is."""


@native
@pytest.mark.slow
@each_case("name", KINDS)
def test_what_is_moved_out_is_released_once(name):
    own, moved = KINDS[name]
    released = []
    functions = {
        kind: release_function(lambda _, kind=kind: released.append(kind))
        for kind in ("schema", "array")
    }
    for kind, function in functions.items():
        getattr(own, kind).release = cast(function, c_void_p).value
    with suppress(TypeError, ColumnError):
        is_valid(own)
    gc.collect()
    assert sorted(released) == moved
    left = dict(zip(functions, own.given, strict=True))
    assert sorted(kind for kind in left if not left[kind].release) == moved


NO_TEXTS = {
    "int64": Handmade("l", 1, [None, bytes(8)]),
    "struct; give one of its columns": Handmade("+s", 1, [None]),
    "a dictionary of int64": Handmade(
        "c", 1, [None, b"\0"], dictionary=Handmade("l", 1, [None, bytes(8)])
    ),
}
if kernel is not None:  # pyarrow does not import it
    NO_TEXTS["'[?]'"] = Handmade("?", 1, [None, bytes(8)])


@each_case("shown", NO_TEXTS)
def test_what_holds_no_texts_is_told(shown):
    with pytest.raises(TypeError, match=f"^column holds texts .*, not {shown}$"):
        is_valid(NO_TEXTS[shown])


def test_what_is_no_column_is_told():
    for value in (["a:"], "a:", None):
        with pytest.raises(TypeError, match=f"stream of strings, not {type(value).__name__}"):
            is_valid(value)


def test_rules_are_looked_for_before_columns():
    for call in (is_valid, stop, split):
        with pytest.raises(uriparse.UnknownRuleError, match="unknown rule of rfc3986: 'urx'"):
            call(None, "urx")
    with pytest.raises(uriparse.UnknownRuleError, match="port"):
        split(None, "port")


@each_case("call", [is_valid, stop, split])
def test_what_is_no_name_of_a_rule_is_named(call):
    for wrong in (5, ["URI"]):
        with pytest.raises(TypeError, match=f"^rule must be a str, not {type(wrong).__name__}$"):
            call(None, wrong)
        with pytest.raises(TypeError, match=f"^grammar must be a str, not {type(wrong).__name__}$"):
            call(None, grammar=wrong)


def test_a_column_without_texts_is_all_null():
    assert listed(is_valid(Handmade("n", 3))) == [None] * 3
    assert listed(split(Handmade("n", 1))) == [None]
    for layout in LAYOUTS:
        assert listed(is_valid(column([], layout))) == []
        assert listed(split(column([], layout))) == []


def test_results_tell_what_they_are():
    made = split(column([b"a:"]))
    assert type(made) is Column
    assert repr(made) == (
        "<Column of 1 rows: struct of scheme, authority, userinfo, host, port, path, query,"
        " fragment, host_kind>"
    )
    assert repr(is_valid(column([]))) == "<Column of 0 rows: bool>"


def test_lengths_beyond_their_offsets_are_told(monkeypatch):
    monkeypatch.setattr(made, "_MOST", 3)
    with pytest.raises(ColumnError, match="give it as large_string, or in smaller pieces"):
        made.texts([b"ab", b"cd"], 4)
    assert made.texts([b"ab", b"cd"], 8)[0] == 0


def test_there_is_one_warning_without_the_kernel():
    pytest.importorskip("pyarrow")  # which exports the result where there is no kernel
    code = "from columns.handmade import column, listed\nfrom uriparse.arrow import is_valid as v\n"
    code += "print([listed(v(column([b'a:', b'b']), r)) for r in ('URI', 'URI', 'port')])"
    done = run_python(code, more={"URIPARSE_PURE": "1", "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.stdout == "[[True, False], [True, False], [False, False]]\n"
    assert done.stderr.count("RuntimeWarning") == 1
    assert "uriparse has no C kernel here: columns are read row by row in Python" in done.stderr


def test_columns_that_contradict_themselves_are_refused_without_the_kernel():
    pytest.importorskip("pyarrow")
    code = (
        "from columns.cases import BROKEN, SIZELESS\n"
        "from columns.handmade import HandmadeStream, column\n"
        "from uriparse.arrow import ColumnError, is_valid\n"
        "for name in sorted(BROKEN):\n"
        "    try:\n        is_valid(BROKEN[name])\n"
        "    except ColumnError:\n        print(name)\n"
        "views = column([b'a:' * 20], 'vu')\n"
        "for chunks in ([views], [views, BROKEN[SIZELESS]]):\n"
        "    try:\n        print(len(is_valid(HandmadeStream(*chunks))))\n"
        "    except ColumnError as error:\n        print(error)\n"
    )
    more = {"URIPARSE_PURE": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = run_python(code, flags=("-W", "ignore"), more=more)
    assert done.stdout.split("\n")[:-1] == [*sorted(BROKEN), "1", f"column: {SIZELESS}"]


def test_columns_need_the_kernel_or_pyarrow():
    code = "import sys\nsys.modules['pyarrow'] = None\nfrom columns.handmade import column\n"
    code += "from uriparse import arrow\ntry:\n    arrow.normalize(column([b'a:']))\n"
    code += "except ImportError as error:\n    print(type(error).__name__, error)"
    done = run_python(code, more={"URIPARSE_PURE": "1", "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.stdout == (
        "MissingExtraError reading columns without the C kernel needs an extra:"
        ' pip install "uriparse[arrow]"\n'
    )


@native
def test_the_kernel_is_asked_where_it_can_be():
    assert type(judging.way_of("uri", "rfc3986")) is ByKernel
    assert type(judging.way_of("port", "rfc3986")) is ByRows


@pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning")
def test_names_of_other_columns_say_how_to_come_to_one():
    pa = pytest.importorskip("pyarrow")
    for given_column in (pa.array(["a:"]), pa.chunked_array([["a:"], ["b"]])):
        found = is_valid(given_column)
        with pytest.raises(AttributeError) as caught:
            found.to_pylist()
        words = str(caught.value).partition(": use ")[2].partition(", or ")[0]
        assert words == "pyarrow.chunked_array(column).to_pylist"
        assert pa.chunked_array(found).to_pylist()[0] is True
        assert "to_pylist" not in dir(found)
