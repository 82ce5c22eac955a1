"""Structs that were released, and those that are released last: no process dies of either.

In processes of their own, since what is tested is how they end; with the kernel and without it.
"""

import pytest
from cases import documents
from command_runs import run_python
from marks import mostly_slow

pytest.importorskip("pyarrow")

PROGRAMS = documents(__file__)
# A pair of libraries at each run, the others in CI: each case is a process that loads them.
pures = pytest.mark.parametrize("pure", [False, True], ids=["native", "pure"])


def run(code, *, pure):
    return run_python(PROGRAMS["BEGIN"] + code, more={"URIPARSE_PURE": str(int(pure))}, check=False)


SOURCES = {
    "pyarrow": "pa.chunked_array([texts]).__arrow_c_stream__()",
    "uriparse": "arrow.normalize(texts).__arrow_c_stream__()",
    "polars": "__import__('polars').Series(texts).__arrow_c_stream__()",
}
READERS = {
    "pyarrow": "pa.chunked_array(once)",
    "uriparse": "arrow.is_valid(once)",
    "polars": "__import__('polars').Series(once)",
}


@pures
@pytest.mark.parametrize("reader", mostly_slow(READERS, "pyarrow"))
@pytest.mark.parametrize("source", mostly_slow(SOURCES, "uriparse"))
def test_a_stream_that_another_has_consumed_is_an_error(source, reader, pure):
    if "polars" in {source, reader}:
        pytest.importorskip("polars")
    done = run(
        f"""
once = Once({SOURCES[source]})
{READERS[reader]}
for call in arrow.is_valid, arrow.stop, arrow.split, arrow.normalize:
    try:
        print(len(call(once)))
    except arrow.ColumnError as error:
        print(error)
""",
        pure=pure,
    )
    said = "column: it has been released; a capsule of Arrow can be read only once\n"
    assert (done.returncode, done.stderr, done.stdout) == (0, "", said * 4)


@pures
@pytest.mark.parametrize("reader", mostly_slow(["pyarrow", "polars"], "pyarrow"))
def test_another_cannot_read_a_stream_that_was_consumed_here(reader, pure):
    pytest.importorskip(reader)
    code = f"once = Once({SOURCES['pyarrow']})\narrow.split(once)\n{READERS[reader]}"
    done = run(code, pure=pure)
    assert done.returncode == 1, done.stderr  # its own exception, and no crash
    assert done.stderr.count("Traceback") == 1


KEPT = {
    "by sys": "sys.kept = made",
    "by another module": "pa.kept = made",
    "by a module of ours": "from uriparse.arrow import column; column.kept = column.A = made",
    "by the main module": "kept = made",
    "by a thread": """
def keep(local, made):
    local.made = made
    time.sleep(60)
threading.Thread(target=keep, args=(threading.local(), made), daemon=True).start()
""",
    "in a cycle": "made.append(made); sys.kept = made",
}


@pures
@pytest.mark.parametrize("where", mostly_slow(KEPT, "by sys", "in a cycle"))
def test_what_is_kept_to_the_end_is_released_without_a_word(where, pure):
    done = run(PROGRAMS["MADE"] + KEPT[where], pure=pure)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
