"""Pipelines of the real command: results on standard output, the rest on standard error, bounded.

What is expected of lines is written out here, or made by `sort` and `uniq`: nothing of the command
is asked.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cases import each_case, tables
from command_runs import here, open_uriparse
from command_runs import run_uriparse as run
from marks import mostly_slow

TABLES = tables(__file__)

MIB = 1 << 20
TOO_LONG = b"a line of more than 1048576 octets is not read"

posix = pytest.mark.skipif(os.name != "posix", reason="shells and limits as POSIX has them")


def shell(line, **options):
    """Run a line of a shell in which `u` is the command."""
    begin = f'u() {{ "{sys.executable}" -m uriparse "$@"; }}; '
    words = ["bash", "-o", "pipefail", "-c", begin + line]
    return subprocess.run(words, capture_output=True, check=False, **options)


BAD = b"http://h/\xe9"
"""Octets that are not UTF-8."""
LINES = [b"HTTP://a/x", b"a b", BAD, b"HTTP://b/", b"HTTP://a/x", b"%", b"http://u:p@h/ ?q"]
STDIN = b"\n".join(LINES) + b"\n"

MAPS = TABLES["maps"]
"""Commands that write a line for each line, and what they make of those that are valid."""


RUNS = {True: run, False: here}


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", MAPS)
def test_only_results_are_on_standard_output(name, jobs):
    argv, made = MAPS[name]
    run = RUNS[name == "normalize" or jobs == 2]
    jobs = [f"--jobs={jobs}"] if name not in {"set", "resolve"} else []
    done = run(*argv, *jobs, input=STDIN)
    assert (done.returncode, done.stdout.splitlines()) == (1, made)
    told = done.stderr.splitlines()
    assert [line.partition(b": ")[0] for line in told] == [
        *(b"line 2", b"line 3", b"line 6", b"line 7")
    ]
    kept = [line.partition(b"; invalid: ")[2] for line in told]
    assert kept == [b"a b", BAD, b"%", b"http://u:***@h/ ?q"]
    one, two, three = made
    done = run(*argv, *jobs, "--invalid=keep", input=STDIN)
    whole = [one, b"a b", BAD, two, three, b"%", b"http://u:p@h/ ?q"]
    assert (done.returncode, done.stdout.splitlines()) == (1, whole)
    done = run(*argv, *jobs, "--invalid=keep", "--no-show-passwords", input=STDIN)
    assert done.stdout.splitlines()[-1] == b"http://u:***@h/ ?q"
    done = run(*argv, *jobs, "--invalid=fail", input=STDIN)
    assert (done.returncode, done.stdout.splitlines()) == (1, made[:1])
    assert done.stderr.count(b"\n") == 1


def test_a_kept_text_is_the_one_that_came():
    texts = [b"a\rb", b"\x1b[31m", b"\xff\xfe\x80", b" ", "\u202e\u0627".encode(), b"a\nb c"]
    done = here("normalize", "-0", "--invalid=keep", input=b"\0".join(texts) + b"\0")
    assert done.stdout == b"\0".join(texts) + b"\0"
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == len(texts)  # no text begins a line of its own
    done = here("set", "--invalid=keep", "--port=1", "a b\nc", "//h")
    assert done.stdout == b"a b\\nc\n//h:1\n"


@each_case("how", ["keep", "drop", "fail"])
def test_an_object_says_that_a_text_is_invalid(how):
    done = here("normalize", "--json", f"--invalid={how}", input=b"x:1\na b\nx:2\n")
    found = [(row["line"], row["valid"]) for row in map(json.loads, done.stdout.splitlines())]
    assert (
        found
        == {
            "keep": [(1, True), (2, False), (3, True)],
            "drop": [(1, True), (3, True)],
            "fail": [(1, True), (2, False)],
        }[how]
    )
    assert (done.stderr[:7] == b"line 2:") == (how == "drop")
    assert done.returncode == 1


@posix
def test_pipelines_of_every_day(tmp_path):
    (tmp_path / "urls").write_bytes(STDIN)
    done = shell("u normalize < urls 2> errors | sort -u", cwd=tmp_path)
    assert done.stdout == b"http://a/x\nhttp://b/\n"
    done = shell("u get -f '{host}' < urls 2> errors | sort | uniq -c", cwd=tmp_path)
    assert [line.split() for line in done.stdout.splitlines()] == [[b"2", b"a"], [b"1", b"b"]]
    shell("u get -f '{text}' < urls 2> errors > good", cwd=tmp_path)
    shell("u get --invalid=keep -f '{text}' < urls 2> errors > whole", cwd=tmp_path)
    assert (tmp_path / "whole").read_bytes() == STDIN
    done = shell("grep -vxFf good whole", cwd=tmp_path, env={**os.environ, "LC_ALL": "C"})
    assert done.stdout.splitlines() == [b"a b", BAD, b"%", b"http://u:p@h/ ?q"]


def test_get_gives_texts_back():
    texts = ["http://u:p@h:80/a?q#f", "mailto:a@b", "", "//u:p@h", "ftp://:p@h/%41"]
    stdin = "\n".join(texts).encode() + b"\n"
    done = here("get", "-f", "{text}", input=stdin)
    assert (done.returncode, done.stdout) == (0, stdin)
    done = here("get", "-f", "{text} {password}", "--no-show-passwords", texts[0])
    assert done.stdout == b"http://u:***@h:80/a?q#f ***\n"
    arabic = "http://h/\u0627\u202f?\u05d0"
    for argv in (["get", "-f", "{text}"], ["normalize"], ["set", "--scheme=http"]):
        done = here(*argv, "--grammar=rfc3987", input=arabic.encode())
        assert done.stdout == f"{arabic}\n".encode()


@pytest.mark.slow
@each_case(
    "text", ["host=x", "host:=x", "path=/a", "user=u", "password=hidden", "port=", "port?=1"]
)
def test_changes_as_trurl_writes_them_are_told(text):
    done = here("set", text, "http://h/")
    name = text.partition("=")[0].rstrip(":?")
    option = "--without port" if text == "port=" else f"--{name}"
    assert (done.returncode, done.stdout) == (2, b"")
    assert option.encode() in done.stderr
    assert b"hidden" not in done.stderr
    done = here("set", "--set", text, "http://h/")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--host" in done.stderr
    assert here("set", "--fragment=", f"./{text}").stdout == f"./{text}#\n".encode()


# Lines without an end.

ENDLESS = "(printf 'x:1\\n'; head -c 300000000 /dev/zero | tr '\\0' a; printf '\\nx:2\\n')"
MEMORY = 400_000
"""KiB of address space: the lines take more."""

LONG = TABLES["long"]


@posix
@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_slow(LONG, "normalize", "file", "jobs"))
def test_a_line_without_end_is_an_error_of_that_line(tmp_path, name):
    argv, made = LONG[name]
    begin, where = f"{ENDLESS} | ", b"line 2: "
    if name == "file":
        shell(f"{ENDLESS} | gzip -1 > lines.gz", cwd=tmp_path)
        begin, where = "", b"lines.gz:2: "
    words = " ".join(argv)
    done = shell(f"{begin}(ulimit -v {MEMORY}; u {words})", cwd=tmp_path, timeout=120)
    assert done.stdout == made
    assert done.stderr == where + b"error: " + TOO_LONG + b"\n"
    assert done.returncode == 1


@pytest.mark.slow
@each_case("more", [-1, 0, 1, 70_000])
@each_case("end", ["\n", "\r\n", ""])
def test_the_bound_is_one_and_exact(more, end):
    text = "x:" + "a" * (MIB - 2 + more)
    data = f"{text}{end}".encode()
    fits = more <= 0
    assert run("normalize", input=data).returncode == (0 if fits else 1)
    assert run("validate", "-q", "--policy=syntax", input=data).returncode == (0 if fits else 1)
    done = run("redact", input=data.replace(b"\r", b""))
    assert done.stdout == (f"{text}\n".encode() if fits else b"")
    assert run("normalize", input=b"\xef\xbb\xbf" + data).returncode == (0 if fits else 1)


def test_a_line_is_told_before_it_ends():
    """It may have no end: whoever waits for one would wait for ever."""
    with open_uriparse("normalize") as process:
        process.stdin.write(b"x:1\n" + b"a" * (MIB + 200_000))
        process.stdin.flush()
        assert process.stdout.readline() == b"x:1\n"
        assert process.stderr.readline() == b"line 2: error: " + TOO_LONG + b"\n"
        process.stdin.write(b"a" * MIB + b"\nx:3\n")
        process.stdin.close()
        assert process.stdout.read() == b"x:3\n"
        assert process.stderr.read() == b""
        assert process.wait() == 1
    if Path("/dev/zero").exists():
        with Path("/dev/zero").open("rb") as zeros:
            assert run("normalize", "--invalid=fail", stdin=zeros, timeout=60).returncode == 1


def test_a_line_that_is_too_long_is_one_of_many():
    long = b"y" * (MIB + 5)
    lines = [b"x:1", long, b"", long, long, b"x:2", long]
    done = here("normalize", input=b"\n".join(lines))
    assert done.stdout == b"x:1\n\nx:2\n"
    numbers = [int(row.split(b":")[0].split()[1]) for row in done.stderr.splitlines()]
    assert numbers == [2, 4, 5, 7]
    done = here("parse", "--json", input=b"\n".join(lines[:2]))
    assert json.loads(done.stdout.splitlines()[1])["error"]["message"] == TOO_LONG.decode()


@posix
@each_case("argv", TABLES["files_that_are_read_whole_are_bounded"])
def test_files_that_are_read_whole_are_bounded(argv):
    done = shell(f"ulimit -v {MEMORY}; u {' '.join(argv)}", timeout=60)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"/dev/zero: " in done.stderr
    assert b"it has more than " in done.stderr


def test_help_says_the_bound():
    for argv in (["--help"], ["help", "normalize"], ["help", "redact"], ["help", "validate"]):
        assert b"1 MiB" in here(*argv).stdout
