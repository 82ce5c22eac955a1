"""Columns come from real engines, and real engines take what is made of them."""

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from cases import each_case

from uriparse import implementation
from uriparse.arrow import ChunkedColumn, Column, is_valid, split, stop

pytestmark = pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning")
pa = pytest.importorskip("pyarrow")

TEXTS = ["http://u@h:80/a?b#c", "a b", None, "//[::1]", "http://h/é", "", "mailto:" + "a" * 40]
VERDICTS = [True, False, None, False, False, False, True]
STOPS = [None, 1, None, 0, 9, 0, None]
HOSTS = ["h", None, None, "[::1]", None, None, None]
TYPES: dict[str, Callable[[], object]] = {
    "string": lambda: pa.array(TEXTS), "large_string": lambda: pa.array(TEXTS, pa.large_string()),
    "string_view": lambda: pa.array(TEXTS, pa.string_view()),
    "binary": lambda: pa.array(TEXTS).cast("binary"),
    "large_binary": lambda: pa.array(TEXTS).cast(pa.large_binary()),
    "binary_view": lambda: pa.array([t if t is None else t.encode() for t in TEXTS],
                                    pa.binary_view()),
    "dictionary": lambda: pa.array(TEXTS).dictionary_encode(),
    "large dictionary": lambda: pa.DictionaryArray.from_arrays(
        pa.array([0, 1, None, 3, 4, 5, 6], pa.uint64()), pa.array(TEXTS, pa.large_string())
    ),
}  # fmt: skip


NO_TEXTS = {
    "bool": pa.bool_(), "int8": pa.int8(), "uint64": pa.uint64(), "decimal": pa.decimal128(9),
    "date": pa.date32(), "time": pa.time64("us"), "timestamp": pa.timestamp("s", "UTC"),
    "duration": pa.duration("ms"), "fixed_size_binary": pa.binary(4), "list": pa.list_(pa.string()),
    "large_list": pa.large_list(pa.string()), "list_view": pa.list_view(pa.string()),
    "large_list_view": pa.large_list_view(pa.string()), "fixed_size_list": pa.list_(pa.string(), 2),
    "map": pa.map_(pa.string(), pa.string()),
    "run_end_encoded": pa.run_end_encoded(pa.int32(), pa.string()),
}  # fmt: skip


@each_case("name", TYPES)
def test_every_type_of_pyarrow_is_read(name):
    column = TYPES[name]()
    made = pa.array(is_valid(column)), pa.array(stop(column)), pa.array(split(column))
    for values in made:
        values.validate(full=True)
    assert made[0].to_pylist() == VERDICTS
    assert made[1].to_pylist() == STOPS
    assert [row and row["host"] for row in made[2].to_pylist()] == HOSTS
    for begin in range(len(TEXTS)):
        part = column.slice(begin, 3)
        assert pa.array(is_valid(part)).to_pylist() == VERDICTS[begin : begin + 3]
        parts = pa.array(split(part)).to_pylist()
        assert [row and row["host"] for row in parts] == HOSTS[begin : begin + 3]


@pytest.mark.skipif(implementation != "native", reason="pyarrow names some with their arguments")
@each_case("name", NO_TEXTS)
def test_types_are_called_as_pyarrow_calls_them(name):
    kind = NO_TEXTS[name]
    assert str(kind).startswith(name)
    with pytest.raises(TypeError, match=f", not {name}$"):
        is_valid(pa.array([], kind))


def test_a_type_stays_what_it_is_however_long_its_texts():
    kinds = {
        name: pa.array(split(column())).type.field("path").type for name, column in TYPES.items()
    }
    assert {name for name, kind in kinds.items() if kind == pa.string()} == {"string", "binary"}
    assert {kind for name, kind in kinds.items() if name not in {"string", "binary"}} == {
        pa.large_string()
    }


def test_streams_stay_streams():
    column = pa.chunked_array([TEXTS[:3], [], TEXTS[3:]])
    made = is_valid(column)
    assert (type(made), len(made)) == (ChunkedColumn, len(TEXTS))
    assert not hasattr(made, "__arrow_c_array__")
    taken = pa.chunked_array(made)
    assert taken.num_chunks == 3
    assert taken.to_pylist() == pa.chunked_array(made).to_pylist() == VERDICTS
    parts = pa.chunked_array(split(column))
    parts.validate(full=True)
    assert [row and row["host"] for row in parts.to_pylist()] == HOSTS
    table = pa.table({"valid": taken, "parts": parts})
    assert table.num_rows == len(TEXTS)


def test_results_outlive_their_columns_and_are_columns_themselves():
    made = split(pa.array(TEXTS))
    assert type(made) is Column
    parts, again = pa.array(made), pa.array(made)
    del made
    gc.collect()
    assert parts.to_pylist() == again.to_pylist()
    assert pa.array(is_valid(parts.field("path"), "path-absolute")).to_pylist()[0] is True
    with pytest.raises(TypeError, match=r"not struct; give one of its columns$"):
        is_valid(parts)


@pytest.mark.skipif(implementation != "native", reason="pyarrow reads a stream whole, and tells it")
def test_a_stream_that_fails_is_told():
    def batches():
        yield pa.array(["a:"])
        raise ValueError("no more of it")

    class Failing:
        def __arrow_c_stream__(self, requested_schema=None):
            field = pa.struct([pa.field("a", pa.string())])
            schema = pa.schema(list(field))
            made = (pa.record_batch([b], ["a"]) for b in batches())
            return pa.RecordBatchReader.from_batches(schema, made).__arrow_c_stream__()

    with pytest.raises(TypeError, match="give one of its columns"):
        is_valid(Failing())


def test_polars_and_pandas_give_and_take():
    pl = pytest.importorskip("polars")
    series = pl.Series("url", TEXTS)
    assert pl.Series(is_valid(series)).to_list() == VERDICTS
    assert pl.Series(split(series)).struct.field("host").to_list() == HOSTS
    assert pl.Series(is_valid(series.cast(pl.Categorical))).to_list() == VERDICTS
    pd = pytest.importorskip("pandas")
    column = pd.Series(TEXTS, dtype=pd.ArrowDtype(pa.string()))
    assert pa.chunked_array(is_valid(column)).to_pylist() == VERDICTS


def test_threads_may_read_at_once():
    column = pa.array(TEXTS * 2000)
    found = {}
    threads = [
        Thread(target=lambda n=n: found.update({n: pa.array(split(column))})) for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(made.equals(found[0]) for made in found.values())


@pytest.mark.slow
@each_case(("rows", "rounds"), [(1, 400), (500, 40)])
def test_memory_stays_as_it_is(rows, rounds):
    column = pa.array(TEXTS * rows)
    chunked = pa.chunked_array([TEXTS * rows, TEXTS * rows])
    refused = pa.array([1])

    def used():
        for _ in range(rounds):
            pa.array(split(column))
            pa.chunked_array(is_valid(chunked))
            stop(column).__arrow_c_stream__()
            with pytest.raises(TypeError):
                is_valid(refused)
        gc.collect()
        return sys.getallocatedblocks(), resident()

    used()
    before = used()
    after = used()
    assert after[0] - before[0] < 200  # a leak would be one a round
    assert after[1] - before[1] < 4_000_000  # a leak would be 200 kB a round of the long column


def resident():
    """Octets of memory that the process has."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096
