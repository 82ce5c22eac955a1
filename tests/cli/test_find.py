"""`uriparse find`: places, forms of output, files that are not there."""

import io
import json
import sys

import pytest
from cases import each_case, tables

from uriparse.cli import main

TABLES = tables(__file__)

TEXT = (
    "See <URL:http://h.d/inter-\r\n  net> and\n"
    "é http://u:pw@h.d/é, note:this www.h.d\n"
    '"http://h.d/a." FOO:bar\n'
)


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.txt"
    path.write_bytes(TEXT.encode() + b"\xff http://h.d/\xff")
    return str(path)


@pytest.fixture
def run(monkeypatch, capsys):
    def call(*argv, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(["find", *argv])
        out, err = capsys.readouterr()
        return code, out.splitlines(), err.splitlines()

    return call


PLACES = TABLES["places"]


def test_places(run, page):
    assert run(page) == (0, [f"{page}:{place}" for place in PLACES], [])


def test_standard_input(run):
    assert run("-", stdin=TEXT.encode())[:2] == (0, [f"-:{place}" for place in PLACES[:3]])
    assert run("-", stdin=b"") == (1, [], [])


def test_only(run, page):
    uris = ["http://h.d/inter-net", "http://u:***@h.d/", "http://h.d/a.", "http://h.d/"]
    assert run("--only", page) == (0, uris, [])
    uris[1] = "http://u:pw@h.d/"
    assert run("--only", "--show-passwords", page) == (0, uris, [])


def test_json(run, page):
    code, lines, _ = run("--json", page)
    assert code == 0
    assert json.loads(lines[0]) == {
        "file": page, "line": 1, "column": 10, "span": [9, 33], "whole": [4, 34],
        "uri": "http://h.d/inter-net", "how": "angle", "prefixed": True,
        "alternatives": ["http://h.d/internet"], "flags": ["hyphen-line-break", "line-break"],
    }  # fmt: skip
    assert len(lines) == len(PLACES)


@each_case(("options", "uris"), TABLES["options"])
def test_options(run, options, uris):
    assert run("--only", *options, "-", stdin=TEXT.encode())[1] == uris


def test_nothing_found(run):
    assert run("-", stdin=b"note: nothing") == (1, [], [])


def test_a_file_that_is_not_there(run, page, tmp_path):
    code, out, err = run(str(tmp_path / "none"), page, str(tmp_path))
    assert code == 2
    assert len(out) == len(PLACES)
    assert [line.rpartition(": ")[2] for line in err] == [
        "No such file or directory",
        "Is a directory; -r searches directories",
    ]


def test_directories_are_searched_in_their_order(run, tmp_path, monkeypatch):
    for name in ("b/c.txt", "a.txt", "b/a.txt", ".git/config", "b/.hidden"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"http://{name[-5]}.example/ ")
    code, lines, err = run("-r", str(tmp_path))
    assert (code, err) == (0, [])
    places = ["a.txt", "b/a.txt", "b/c.txt"]
    assert [line.split(":")[0] for line in lines] == [str(tmp_path / place) for place in places]
    monkeypatch.chdir(tmp_path)
    assert [line.split(":")[0] for line in run("-r")[1]] == places


def test_a_pipe_is_searched_and_a_terminal_is_not_waited_for(run, monkeypatch, capsys):
    assert run("--only", stdin=b"see http://h/ there") == (0, ["http://h/"], [])
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stdin", terminal)
    assert main(["find"]) == 2
    said = "error: there is nothing to read: no FILE, no -r, and no pipe\n"
    assert capsys.readouterr() == ("", said)
