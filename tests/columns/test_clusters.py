"""Clusters of processes: partitioned Parquet judged whole, though a worker dies."""

import os
import re
import shutil
import signal
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from subprocess import STDOUT, Popen, run

import pytest
from columns.cases import SPARK
from paths import ROOT

from uriparse import URISyntaxError, parse, try_parse, validate

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # the engines' own

RECIPES = ROOT / "tests/recipes"
DAYS = "2026-01-01", "2026-01-02"
FILES = 4
TEXTS = [
    "https://example.com:8443/a?b#c", "http://127.1/", "https://u:p@example.com/",
    "http://example.com/a b", "http://é.example/", "//example.com/", "", None,
]  # fmt: skip
CODES = [None, "numeric-host", "userinfo", "syntax", "syntax", "syntax", "syntax", None]
STOPS = [None, None, None, 20, 7, 0, 0, None]
"""By hand, for the default policy, and for the rule URI."""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """Two days of four files of two row groups; the second group of each file is of status 404."""
    where = tmp_path_factory.mktemp("clusters") / "urls"
    for day in DAYS:
        folder = where / f"day={day}"
        folder.mkdir(parents=True)
        for file in range(FILES):
            count = len(TEXTS)
            first = file * count
            numbers = [*range(first, first + count), *range(1000 + first, 1000 + first + count)]
            table = pa.table(
                {
                    "id": numbers,
                    "url": TEXTS * 2,
                    "status": pa.array([200] * count + [404] * count, pa.int32()),
                    "page": ["unread"] * (2 * count),
                }
            )
            pq.write_table(table, folder / f"{file}.parquet", row_group_size=count)
    return str(where)


def held(target):
    """Check that the rows are all there, once each, and are what single texts say."""
    rows = sorted(pq.read_table(target).to_pylist(), key=lambda row: row["id"])
    assert [row["id"] for row in rows] == list(range(FILES * len(TEXTS)))
    assert [row["url"] for row in rows] == TEXTS * FILES
    assert [row["reason"] for row in rows] == CODES * FILES
    assert [row["stop"] for row in rows] == STOPS * FILES
    accepted = [code is None and text is not None for code, text in zip(CODES, TEXTS, strict=True)]
    assert [row["accepted"] in (True, "true", "True") for row in rows] == accepted * FILES
    for row in rows:
        record = None if row["url"] is None else try_parse(row["url"])
        for name in ("scheme", "userinfo", "host", "port", "path", "query", "fragment"):
            value = getattr(record, name, None)
            assert row[f"url_{name}"] == (None if value is None else str(value))


def test_what_was_written_by_hand_is_what_single_texts_say():
    for text, code, stop in zip(TEXTS, CODES, STOPS, strict=True):
        if text is None:
            continue
        report = validate(text)
        assert (report.reasons[0].code if not report else None) == code
        offset = None
        try:
            parse(text, "URI")
        except URISyntaxError as error:
            offset = error.offset
        assert offset == stop


@pytest.fixture(scope="module", autouse=True)
def recipes():
    """The jobs are imported by the names that they have on the page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(RECIPES))
        yield


@pytest.fixture(scope="module")
def master(tmp_path_factory):
    """A standalone cluster: a master and two workers, each a process that listens on 127.0.0.1."""
    pyspark = pytest.importorskip("pyspark")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("there is no Java here")
    home, place = Path(pyspark.__file__).parent, tmp_path_factory.mktemp("standalone")
    options = {
        "ui.enabled": "false",
        "driver.bindAddress": "127.0.0.1",
        "executor.memory": "512m",
        "executor.extraJavaOptions": SPARK["spark.driver.extraJavaOptions"],
        "scheduler.minRegisteredResourcesRatio": "1.0",  # both, before the first task
        "sql.files.openCostInBytes": str(1 << 30),  # a task for each file
    }
    lines = [f"spark.{name} {value}\n" for name, value in options.items()]
    lines += [f"{name} {value}\n" for name, value in SPARK.items()]
    (place / "spark-defaults.conf").write_text("".join(lines), "utf-8")
    with pytest.MonkeyPatch.context() as patch, ExitStack() as started:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_HOME", str(home))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("SPARK_DAEMON_JAVA_OPTS", options["executor.extraJavaOptions"])
        patch.setenv("SPARK_WORKER_DIR", str(place))
        patch.setenv("SPARK_CONF_DIR", str(place))

        def begun(name, ready, *options):
            """Start a daemon, and return what it says once it is ready."""
            log = place / f"{name}{len(list(place.iterdir()))}.log"
            argv = [home / "bin" / "spark-class", f"org.apache.spark.deploy.{name}", *options]
            where = "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"
            with log.open("wb") as output:
                daemon = Popen([*argv, *where], stdout=output, stderr=STDOUT, cwd=place)
            started.callback(daemon.wait)
            started.callback(daemon.kill)
            for _ in range(1200):
                if said := re.search(ready, log.read_text("utf-8")):
                    return said[0]
                assert daemon.poll() is None, log.read_text("utf-8")
                time.sleep(0.1)
            raise AssertionError(log.read_text("utf-8"))

        own = begun("master.Master", r"spark://127\.0\.0\.1:[1-9]\d*")
        for _ in range(2):
            worker = "-c", "1", "-m", "1g", own
            begun("worker.Worker", "Successfully registered with master", *worker)
        yield own


PAGE = (ROOT / "tools/docs/how-to/clusters.md").read_text("utf-8")
TOOLS = "spark-submit", "python"


def command(script, **given):
    """Return the command of the page that runs a script, with values for its words in capitals."""
    (line,) = (
        line.split("#")[0].split()
        for line in PAGE.splitlines()
        if line.startswith(TOOLS) and script in line
    )
    return [given.get(word, word) for word in line]


def as_the_page_says(place, script, **given):
    """Run the command of the page in a folder that has the two files of the page alone."""
    for name in ("judged_batches.py", script):
        shutil.copy(RECIPES / name, place)
    program, *rest = command(script, **given)
    found = {"spark-submit": Path(os.environ.get("SPARK_HOME", "")) / "bin/spark-submit"}
    done = run(
        [found.get(program, sys.executable), *rest], cwd=place, capture_output=True, check=False,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()[-4000:]


def test_the_job_of_spark_runs_as_the_page_says(master, source, tmp_path):
    target = str(tmp_path / "judged")
    given = {"SOURCE": source, "TARGET": target, "DAY": DAYS[0], "MASTER": master}
    as_the_page_says(tmp_path, "spark_judging.py", **given)
    held(target)


@pytest.fixture(scope="module")
def session(master):
    """A session on the cluster, to which the files of the job have been sent."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master)
    builder = builder.config("spark.executorEnv.PYTHONPATH", str(ROOT / "tests"))  # for this file
    made = builder.getOrCreate()
    for name in ("judged_batches.py", "spark_judging.py"):
        made.sparkContext.addPyFile(str(RECIPES / name))
    yield made
    made.stop()


def plan(frame):
    return frame._jdf.queryExecution().executedPlan().toString()


def parent(process):
    """Return the parent of a process, of /proc."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def test_spark_writes_each_row_once_though_a_worker_dies(session, source, tmp_path, monkeypatch):
    import spark_judging

    seen, whole = tmp_path / "died", spark_judging.judge_all

    def dying(batches):
        first = next(batches, None)
        if first is not None and first.num_rows:
            try:
                seen.touch(exist_ok=False)
            except FileExistsError:
                pass
            else:  # that which forked this process is the executor's, and that is the worker's
                executor = parent(os.getppid())
                seen.write_bytes(Path(f"/proc/{parent(executor)}/cmdline").read_bytes())
                for process in parent(executor), executor, os.getpid():
                    os.kill(process, signal.SIGKILL)
            yield from whole(iter([first]))
        yield from whole(batches)

    monkeypatch.setattr(spark_judging, "judge_all", dying)
    target = str(tmp_path / "judged")
    spark_judging.run(session, source, target, DAYS[0])
    assert b"deploy.worker.Worker" in seen.read_bytes()
    held(target)
    folders = {path.name for path in Path(target).iterdir() if path.is_dir()}
    assert folders == {"accepted=true", "accepted=false"}


def test_filters_and_columns_reach_the_scan_of_spark(session, source):
    from pyspark.sql.functions import col
    from spark_judging import SCHEMA, chosen, judge_all

    from uriparse.extra import spark

    rows = session.read.parquet(source)
    ways = {
        "before mapInArrow": chosen(session, source, DAYS[0]).mapInArrow(judge_all, SCHEMA),
        "after functions": rows.select("*", spark.uri("url").verdict().alias("reason"))
        .where((col("day") == DAYS[0]) & (col("status") == 200))
        .select("id", "reason"),
        "after extend": spark.extend(rows, "url", verdict="reason")
        .where((col("day") == DAYS[0]) & (col("status") == 200))
        .select("id", "reason"),
    }
    for name, frame in ways.items():
        told = plan(frame)
        assert "PushedFilters: [IsNotNull(status), EqualTo(status,200)]" in told, name
        assert "PartitionFilters: [isnotnull(day" in told, name
        assert "ReadSchema: struct<id:bigint,url:string,status:int>" in told, name
    everything = rows.mapInArrow(lambda batches: batches, rows.schema)
    late = plan(everything.where((col("day") == DAYS[0]) & (col("status") == 200)).select("id"))
    assert "PushedFilters: []" in late
    assert "PartitionFilters: []" in late
    assert "page:string" in late
    assert ways["after extend"].count() == FILES * len(TEXTS)


def test_dask_writes_each_row_once_though_a_worker_dies(source, tmp_path, monkeypatch):
    pytest.importorskip("dask.dataframe")
    distributed = pytest.importorskip("distributed")
    import dask_judging

    seen, judge_frame = tmp_path / "died", dask_judging.judge_frame

    def dying(frame):
        if os.environ.get("DASK_WORKER_OF_TESTS") and not frame.empty:
            try:
                seen.touch(exist_ok=False)
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return judge_frame(frame)

    monkeypatch.setattr(dask_judging, "judge_frame", dying)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(RECIPES), *sys.path]))
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
        env={"DASK_WORKER_OF_TESTS": "1"},
    )  # fmt: skip
    with cluster, distributed.Client(cluster):
        target = str(tmp_path / "judged")
        dask_judging.run(source, target, DAYS[0])
    assert seen.exists()
    held(target)


def test_the_job_of_dask_runs_as_the_page_says(source, tmp_path):
    pytest.importorskip("dask.dataframe")
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    )
    with cluster:
        target, where = str(tmp_path / "judged"), cluster.scheduler_address
        given = {"SOURCE": source, "TARGET": target, "DAY": DAYS[0], "SCHEDULER": where}
        as_the_page_says(tmp_path, "dask_judging.py", **given)
    held(target)


def test_the_job_of_ray_runs_as_the_page_says(source, tmp_path):
    pytest.importorskip("ray.data")
    target = str(tmp_path / "judged")
    given = {"SOURCE": source, "TARGET": target, "DAY": DAYS[0]}
    as_the_page_says(tmp_path, "ray_judging.py", **given)
    held(target)


def test_filters_and_columns_reach_the_scan_of_dask(source):
    pytest.importorskip("dask.dataframe")
    import dask_judging

    rows = dask_judging.chosen(source, DAYS[0])
    assert list(rows.columns) == ["id", "url"]
    judged = rows.map_partitions(dask_judging.judge_frame).compute(scheduler="synchronous")
    assert sorted(judged["id"]) == list(range(FILES * len(TEXTS)))
