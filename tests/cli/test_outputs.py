"""The files that both commands write are complete or untouched, whatever happens meanwhile."""

import contextlib
import errno
import gzip
import os
import signal
import stat
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from command_runs import COMMAND as URIPARSE
from command_runs import open_uriparse, run_program, run_python
from marks import mostly_slow

from abnf2lark.command import main as abnf2lark_main
from abnf2lark.outputs import PART, Outputs, replace
from uriparse.cli import main as uriparse_main

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and links are POSIX's")

OLD = "what was there before\n"
ABNF2LARK = [sys.executable, "-m", "abnf2lark"]

FILES = {
    "lines": "urn:a\nb c\n" * 3000, "table.csv": "n,url\n" + "1,urn:a\n2,b c\n" * 3000,
    "g.abnf": "a = 1*b\nb = %x62 / a-b\na-b = DIGIT\n", "suite.ndjson": '"1"\n"a"\n',
}  # fmt: skip


LINES = (URIPARSE, "validate", "-q", "--file=lines", "--policy=syntax")
TABLE = (URIPARSE, "validate", "-q", "--column=url", "--file=table.csv")
WRITERS = {
    "validate --good": (*LINES, "--good"), "validate --bad": (*LINES, "--bad"),
    "validate --good, jobs": (*LINES, "--jobs=2", "--good"), "validate --out": (*TABLE, "--out"),
    "suite": (URIPARSE, "conformance", "suite", "--grammar=g.abnf", "--rule=a-b", "--out"),
    "coverage": (URIPARSE, "conformance", "coverage", "--rule=port", "lines", "--out"),
    "trial": (*(URIPARSE, "conformance", "trial", "uriparse", "--rule=port"),
              *("--suite=suite.ndjson", "--out")),
    "compile": (ABNF2LARK, "compile", "g.abnf", "--out"),
    "extract": (ABNF2LARK, "extract", "g.abnf", "--out"),
    "railroad": (ABNF2LARK, "railroad", "g.abnf", "--out"),
}  # fmt: skip
READ = {
    **dict.fromkeys(("validate --good", "validate --bad", "validate --good, jobs"), "lines"),
    "suite": "g.abnf", "coverage": "lines", "trial": "suite.ndjson", "validate --out": "table.csv",
}  # fmt: skip
NEEDED = {"validate --out": "pyarrow", "railroad": "railroad"}
writers = pytest.mark.parametrize(
    "writer", mostly_slow(WRITERS, "validate --good", "suite", "coverage", "compile")
)


@pytest.fixture
def place(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def run(place, monkeypatch, capfd):
    """Run a writer in this process: exit code, what is told on standard error."""
    monkeypatch.chdir(place)

    def call(writer, out, *more):
        if not find_spec(NEEDED.get(writer, "sys")):
            pytest.skip(f"{NEEDED[writer]} is not installed")
        command, *arguments = WRITERS[writer]
        main = uriparse_main if command is URIPARSE else abnf2lark_main
        code = main([*arguments, out, *more])
        return code, capfd.readouterr().err

    return call


@contextlib.contextmanager
def masked(bits):
    before = os.umask(bits)
    try:
        yield
    finally:
        os.umask(before)


@contextlib.contextmanager
def full_disk():
    """A file may not grow beyond a few octets; a semaphore takes 32."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def contents(place):
    """All that is in a directory; so also that there is nothing else."""
    return {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()}


@pytest.mark.slow
@writers
def test_a_file_that_is_there_is_replaced_by_force_alone(run, place, writer):
    (place / "out").write_text(OLD)
    before = contents(place)
    code, told = run(writer, "out")
    assert code == 2
    assert told.endswith("out: it is there already; --force replaces it\n")
    assert contents(place) == before
    (place / "out").chmod(0o640)
    with masked(0o027):
        code, told = run(writer, "new")
    assert code in {0, 1}, told
    assert run(writer, "out", "--force")[0] == code
    assert (place / "out").read_bytes() == (place / "new").read_bytes() != OLD.encode()
    assert set(contents(place)) == {*before, "new"}
    for name in ("new", "out"):
        assert stat.S_IMODE((place / name).stat().st_mode) == 0o640


@writers
@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
def test_what_is_read_is_not_written_over_by_any_name(run, place, writer, force):
    read = place / READ.get(writer, WRITERS[writer][2 if WRITERS[writer][0] is ABNF2LARK else 3])
    os.link(read, place / "hard")
    (place / "soft").symlink_to(read)
    before = contents(place)
    for name in (read.name, f"../{place.name}/{read.name}", "hard", "soft"):
        code, told = run(writer, name, *force)
        assert code == 2
        assert told.endswith(f"{name}: it is what is read; give another name\n")
        assert contents(place) == before
    assert (place / "soft").is_symlink()


@pytest.mark.parametrize(
    ("module", "writer"), [("uriparse.cli", "validate --good"), ("abnf2lark.command", "compile")]
)
def test_a_program_that_calls_a_command_keeps_its_output(place, module, writer):
    """What fails is a file, not standard output, which is the program's own."""
    code = f"import sys; from {module} import main; print(main(sys.argv[1:]), 'and goes on')"
    arguments = [*WRITERS[writer][1:], READ.get(writer, "g.abnf")]
    done = run_python(code, *arguments, cwd=place, text=False)
    assert done.stdout == b"2 and goes on\n"


STDIN = {
    "validate --good": (URIPARSE, "validate", "--policy=syntax", "-q", "--good"),
    "validate --bad": (URIPARSE, "validate", "--policy=syntax", "-q", "-", "--bad"),
    "validate --out": (URIPARSE, "validate", "--policy=syntax", "-q", "--column=url", "--out"),
    "coverage": (URIPARSE, "conformance", "coverage", "--rule=port", "--out"),
    "compile": (ABNF2LARK, "compile", "-", "--out"),
    "extract": (ABNF2LARK, "extract", "-", "--out"),
}
"""Commands that read standard input."""


@pytest.mark.slow
@pytest.mark.parametrize("writer", mostly_slow(STDIN, "validate --good", "compile"))
@pytest.mark.parametrize("name", ["in", "hard"])
def test_standard_input_is_not_written_over(place, writer, name):
    if not find_spec(NEEDED.get(writer, "sys")):
        pytest.skip("a package is not installed")
    text = FILES["table.csv" if writer.endswith("--out") else "g.abnf"]
    (place / "in").write_text(text)
    os.link(place / "in", place / "hard")
    command, *arguments = STDIN[writer]
    with (place / "in").open() as file:
        done = run_program(
            *command, *arguments, name, "--force", cwd=place, stdin=file, check=False, text=False
        )
    assert done.returncode == 2
    assert done.stderr.decode().endswith(f"{name}: it is what is read; give another name\n")
    assert (place / "in").read_text() == text


@writers
def test_what_cannot_be_a_file_is_told_before_all_work(run, place, writer):
    (place / "directory").mkdir()
    before = contents(place)
    directories = (("directory", "Is a directory"), ("none/", "Is a directory"))
    for name, told in (
        *(directories if writer != "validate --out" else ()),  # it writes a file there
        ("none/new", "No such file or directory"),
        ("lines/new", "Not a directory"),
        ("n" * 300, "File name too long"),
    ):
        for force in ([], ["--force"]):
            code, said = run(writer, name, *force)
            assert (code, said.rpartition(": ")[2]) == (2, f"{told}\n")
    assert contents(place) == before
    assert not [*(place / "directory").iterdir()]


@pytest.mark.slow
@writers
def test_devices_and_pipes_are_written_to_directly(run, place, writer):
    wanted, _ = run(writer, "new")
    assert run(writer, os.devnull)[0] == wanted
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
    if Path("/dev/full").exists():
        code, told = run(writer, "/dev/full")
        assert (code, told.rpartition(": ")[2]) == (2, "No space left on device\n")
    if writer != "validate --out":  # the footer of a table is written to what can tell its place
        os.mkfifo(place / "pipe")
        with subprocess.Popen(["cat", place / "pipe"], stdout=subprocess.PIPE) as reader:
            assert run(writer, "pipe")[0] == wanted
            assert reader.communicate()[0] == (place / "new").read_bytes()
        assert stat.S_ISFIFO((place / "pipe").stat().st_mode)
    assert not [*place.glob(f"*{PART}")]


@writers
def test_a_full_disk_leaves_what_was_there(run, place, writer):
    (place / "out").write_text(OLD)
    before = contents(place)
    for name in ("out", "new"):
        with full_disk():
            code, told = run(writer, name, "--force")
        assert code == 2
        assert told.endswith(f"{name}: File too large\n")
        assert contents(place) == before


@pytest.mark.slow
@writers
def test_a_symbolic_link_stays_one(run, place, writer):
    (place / "elsewhere").mkdir()
    link, target = place / "link", place / "elsewhere/target"
    link.symlink_to("elsewhere/target")
    code, told = run(writer, "link")
    assert code in {0, 1}, told
    made = target.read_bytes()
    assert run(writer, "link")[0] == 2
    target.write_text(OLD)
    assert run(writer, "link", "--force")[0] == code
    assert link.is_symlink()
    assert target.read_bytes() == made
    assert [path.name for path in (place / "elsewhere").iterdir()] == ["target"]


BEGUN = b"n,url\n1,urn:%s\n" % (b"a" * 4000)
"""What is read before more is waited for: of tables, which are read ahead, some megabytes."""

WAITING = {
    **STDIN,
    "validate, jobs": (URIPARSE, "validate", "--policy=syntax", "-q", "--jobs=2", "--good"),
}
del WAITING["compile"]  # it reads all before it begins; as extract does, after
waiting = pytest.mark.parametrize("writer", mostly_slow(WAITING, "validate --good"))


@contextlib.contextmanager
def begun(place, writer, name, *more):
    """A writer that has begun its file, and waits for more of its input."""
    if not find_spec(NEEDED.get(writer, "sys")):
        pytest.skip("a package is not installed")
    command, *arguments = WAITING[writer]
    before = set(place.glob(f"*{PART}"))
    streams = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "stdout": subprocess.DEVNULL}
    with subprocess.Popen([*command, *arguments, name, *more], cwd=place, **streams) as process:
        process.stdin.write(BEGUN * (3000 if writer == "validate --out" else 1))
        process.stdin.flush()
        while process.poll() is None and not set(place.glob(f"*{PART}")) - before:
            time.sleep(0.01)
        yield process


@pytest.mark.slow
@waiting
@pytest.mark.parametrize(
    ("name", "out"), [("SIGINT", "out"), ("SIGTERM", "out"), ("SIGTERM", "new"), ("SIGHUP", "out")]
)
def test_a_signal_midway_leaves_what_was_there(place, writer, name, out):
    (place / "out").write_text(OLD)
    before = contents(place)
    with begun(place, writer, out, "--force") as process:
        process.send_signal(getattr(signal, name))
        _, told = process.communicate()
    ended = 130 if name == "SIGINT" else -getattr(signal, name)
    assert (process.returncode, told) == (ended, b"")
    assert contents(place) == before


@pytest.mark.slow
def test_ignored_signals_stay_ignored(place):
    """As under nohup."""
    code = "import os, signal, sys; signal.signal(1, signal.SIG_IGN);"
    code += "os.execvp(sys.argv[1], sys.argv[1:])"
    argv = [*URIPARSE, "validate", "--policy=syntax", "-q", "--good=new"]
    with subprocess.Popen(
        [sys.executable, "-c", code, *argv], cwd=place, stdin=subprocess.PIPE
    ) as process:
        while process.poll() is None and not [*place.glob(f"*{PART}")]:
            time.sleep(0.01)
        process.send_signal(signal.SIGHUP)
        process.communicate(b"urn:a\n")
    assert process.returncode == 0
    assert (place / "new").read_bytes() == b"urn:a\n"


@pytest.mark.slow
@waiting
@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
def test_of_parallel_runs_one_wins_and_nothing_is_mixed(place, writer, force):
    """All have begun before any ends."""
    with contextlib.ExitStack() as stack:
        runs = [stack.enter_context(begun(place, writer, "new", *force)) for _ in range(3)]
        for number, process in enumerate(runs):
            process.stdin.write(f"a:{number},urn:{number}\n".encode())
            process.stdin.close()
            process.stdin = None
        told = [process.communicate()[1].decode() for process in runs]
    codes = [process.returncode for process in runs]
    if force:
        assert set(codes) <= {0, 1}
    else:
        assert sorted(code == 2 for code in codes) == [False, True, True]
        for code, said in zip(codes, told, strict=True):
            there = said.endswith("new: it is there already; --force replaces it\n")
            assert there == (code == 2)
    assert set(contents(place)) == {*FILES, "new"}
    assert (place / "new").read_bytes()


@pytest.mark.slow
def test_of_parallel_runs_the_winner_is_whole(place):
    """Each writes its own octets, so many that they are written in parts."""
    for number in range(4):
        (place / f"in{number}").write_text(f"urn:{str(number) * 2000}\n" * 500)
    argv = ["validate", "--policy=syntax", "-q", "--good=new"]
    for force in ([], ["--force"]):
        runs = [
            open_uriparse(*argv, f"--file=in{number}", *force, cwd=place) for number in range(4)
        ]
        for process in runs:
            process.communicate()
        codes = [process.returncode for process in runs]
        assert sorted(codes) == ([0] * 4 if force else [0, 2, 2, 2])
        made = (place / "new").read_bytes()
        if force:
            assert made in {(place / f"in{number}").read_bytes() for number in range(4)}
        else:
            assert made == (place / f"in{codes.index(0)}").read_bytes()


def cut(text):
    return gzip.compress(text.encode())[:-20]


@pytest.mark.slow
@pytest.mark.parametrize("out", ["out", "new"])
@pytest.mark.parametrize("option", ["--good", "--bad", "--out"])
@pytest.mark.parametrize("read", mostly_slow(["none", "directory", "cut.gz"], "cut.gz"))
def test_an_input_that_cannot_be_read_leaves_what_was_there(
    place, monkeypatch, capfd, read, option, out
):
    if option == "--out":
        pytest.importorskip("pyarrow")
    (place / "out").write_text(OLD)
    (place / "directory").mkdir()
    (place / "cut.gz").write_bytes(cut(FILES["table.csv"]))
    before = contents(place)
    more = ["--column=url"] if option == "--out" else ["--file=lines"]
    monkeypatch.chdir(place)
    command = ["validate", "--policy=syntax", "-q", option, out, "--force", *more]
    assert uriparse_main([*command, "--file", read]) == 2
    assert read in capfd.readouterr().err
    assert contents(place) == before


@pytest.mark.slow
def test_a_reader_that_goes_away_leaves_what_was_there(place):
    (place / "out").write_text(OLD)
    argv = ["validate", "--policy=syntax", "--good=out", "--force"]
    with open_uriparse(*argv, cwd=place) as process:
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(b"urn:a\n" * 100_000)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        assert process.wait() == 141
    assert (place / "out").read_text() == OLD
    assert not [*place.glob(f"*{PART}")]


@pytest.mark.slow
def test_where_standard_output_goes_no_other_writes(place):
    with (place / "out").open("w") as file:
        done = subprocess.run(
            [*URIPARSE, "validate", "--policy=syntax", "--good=out", "--force", "--file=lines"],
            cwd=place, stdout=file, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert b"out: it is where standard output goes; - writes there" in done.stderr


@pytest.mark.slow
def test_of_two_files_both_are_written_or_none(place):
    (place / "bad").write_text(OLD)
    command = [
        *URIPARSE, "validate", "--policy=syntax", "-q", "--good=good", "--bad=bad", "--file=lines",
    ]  # fmt: skip
    assert run_program(*command, cwd=place, check=False, text=False).returncode == 2
    assert set(contents(place)) == {*FILES, "bad"}
    (place / "bad").unlink()
    with begun(place, "validate --good", "good", "--bad=bad") as process:
        (place / "bad").write_text(OLD)  # another is faster
        assert b"bad: it is there already" in process.communicate()[1]
    assert process.returncode == 2
    assert set(contents(place)) == {*FILES, "bad"}
    assert (place / "bad").read_text() == OLD


def test_without_hard_links_a_name_is_taken_first(place, monkeypatch):
    def no_links(*_):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    new = str(place / "new")
    with Outputs() as files:
        files.text(new).write("made")
    assert (place / "new").read_text() == "made"
    (place / "new").unlink()
    late = Outputs()
    late.text(new).write("late")
    (place / "new").write_text(OLD)
    with pytest.raises(FileExistsError, match="it is there already") as caught, late:
        pass
    assert caught.value.filename == new
    assert (place / "new").read_text() == OLD
    assert set(contents(place)) == {*FILES, "new"}


def test_a_signal_waits_while_files_are_put_into_their_places(place, monkeypatch):
    heard = []
    link = Path.hardlink_to

    def linked(self, other):
        signal.raise_signal(signal.SIGTERM)
        assert not heard
        link(self, other)

    monkeypatch.setattr(Path, "hardlink_to", linked)
    before = signal.signal(signal.SIGTERM, lambda *_: heard.append(sorted(contents(place))))
    try:
        with Outputs() as files:
            for name in ("new1", "new2"):
                files.text(str(place / name)).write(name)
        assert heard == [sorted([*FILES, "new1", "new2"])]
        assert callable(signal.getsignal(signal.SIGTERM))
        signal.raise_signal(signal.SIGTERM)
        assert len(heard) == 2  # the handler that was there before is there again
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_copy_of_the_process_removes_nothing(place):
    code = """
import os, signal, sys
from abnf2lark.outputs import Outputs
with Outputs() as files:
    files.text("new").write("made")
    child = os.fork()
    if not child:
        signal.raise_signal(signal.SIGTERM)
    print(os.waitpid(child, 0)[1])
"""
    done = run_python(code, cwd=place)
    assert done.stdout == f"{int(signal.SIGTERM)}\n"
    assert (place / "new").read_text() == "made"


def test_generated_files_are_replaced_at_once(place):
    (place / "out").write_text(OLD)
    with (place / "out").open() as reader:  # whoever reads the old one goes on reading it
        replace(place / "out", b"made")
        assert reader.read() == OLD
    assert (place / "out").read_bytes() == b"made"
    with pytest.raises(OSError, match="Is a directory"):
        replace(place, b"made")
    assert set(contents(place)) == {*FILES, "out"}
