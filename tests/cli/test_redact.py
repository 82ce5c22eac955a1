"""`uriparse redact`: secrets planted in log lines are gone, and all other text is as it was."""

import os
import random
import subprocess
import sys

import pytest
from cases import each_case, tables
from command_runs import here, run_program

TABLES = tables(__file__)

SECRET = object()
"""Stands in a line for what must not be seen."""

URLS = [
    ["https://", SECRET, ":", SECRET, "@h.example:8443/a/b?c=d#e"],
    ["https://h.example/a?id=7&sig=", SECRET], ["https://h.example/a?token=", SECRET, "&id=7#top"],
    ["http://h/cb#access_token=", SECRET, "&state=1"],
    ["https://b.s3.example/k?X-Amz-Credential=", SECRET, "&X-Amz-Signature=", SECRET],
    ["redis://", SECRET, ":", SECRET, "@[2001:db8::1]:6379/0"], ["http://", SECRET, "@h/?q=%20é"],
    ["http://h.example/a%20b?c=d;e&f"], ["urn:example:a@b"],
]  # fmt: skip
PIECES = [
    "\r", " \t", " é€", " 50%", " a=b", " c@d", " \udcfe", ' "e"', " [f]", " http:", " //", "",
]  # fmt: skip


COMMAND = [sys.executable, "-m", "uriparse", "redact"]


def planted(choose):
    """A line, and the same one after its secrets are masked."""
    line, wanted = "", ""
    for part in choose.choice(TABLES["frames"]):
        for piece in choose.choice(URLS) if part is None else [part]:
            secret = "".join(choose.choices("0123456789SECRT", k=16))
            line += secret if piece is SECRET else piece
            wanted += "REDACTED" if piece is SECRET else piece
    end = choose.choice(PIECES)
    return line + end, wanted + end


def octets(lines):
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def run(*argv, stdin=b""):
    done = here("redact", *argv, input=stdin)
    return done.returncode, done.stdout


@each_case("seed", range(20))
def test_secrets_are_masked_and_the_rest_is_as_it_was(seed):
    choose = random.Random(seed)
    lines, wanted = zip(*(planted(choose) for _ in range(200)), strict=True)
    assert run(stdin=octets(lines)) == (0, octets(wanted))


@each_case("seed", range(20))
def test_rubbish_keeps_its_lines(seed):
    data = random.Random(seed).randbytes(20_000) + b"\n"
    code, out = run(stdin=data)
    assert (code, out.count(b"\n")) == (0, data.count(b"\n"))
    heads = zip(data.split(b"\n"), out.split(b"\n"), strict=False)
    assert all(a == b for a, b in heads if not {*b"@="} & {*a} and b"//" not in a)


@each_case(("options", "line", "wanted"), TABLES["options_and_texts_that_are_not_urls"])
def test_options_and_texts_that_are_not_urls(options, line, wanted):
    assert run(*options, "--", line) == (0, octets([wanted]))
    assert run(*options, stdin=octets([line])) == (0, octets([wanted]))


def test_each_line_of_a_slow_pipe_is_answered_before_the_next():
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for line, wanted in ((b"a\r\n", b"a\r\n"), (b"//u:p@h\n", b"//REDACTED:REDACTED@h\n")):
            os.write(process.stdin.fileno(), line)
            assert process.stdout.readline() == wanted
        process.stdin.close()
        assert process.wait() == 0


def test_octets_go_through_whatever_the_encoding_of_the_streams(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(octets(["€ é \udcff http://h/?code=1"]))
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = run_program(*COMMAND, "--file", path, env=environment, text=False)
    assert done.stderr == b""
    assert done.stdout == octets(["€ é \udcff http://h/?code=REDACTED"])


@each_case("piece", [
    "http://u:p@h/", "?a=b&", '{"a":"b@c",', '\\"', "\\", "//u:p@h", "=@", "a=http://h/?b=", "#?=",
])  # fmt: skip
def test_work_is_linear_in_the_length_of_a_line(piece):
    def calls(size):
        counted = 0

        def count(_frame, _event, _argument):
            nonlocal counted
            counted += 1

        sys.setprofile(count)
        try:
            code, out = run(stdin=(piece * size).encode() + b"@=\n")
        finally:
            sys.setprofile(None)
        assert (code, b"u:p" in out) == (0, False)
        return counted

    calls(10)  # what is made once
    assert calls(4_000) < 5 * calls(1_000)


@pytest.mark.slow
def test_a_line_of_a_megabyte_is_answered():
    code, out = run(stdin=b"{" + b'"a":"http://u:p@h/?token=x",' * 35_000 + b"}\n")
    assert code == 0
    assert b"u:p" not in out
    assert len(out.splitlines()) == 1
