"""`uriparse conformance adapters`: each, in its language, is put on trial."""

import json
import re
import shutil
from pathlib import Path

import pytest
from command_runs import run_program
from marks import mostly_slow

from uriparse.cli import main

NEEDS = {
    "c": "cc", "erlang": "escript", "go": "go", "haskell": "ghc", "java": "javac", "lua": "lua",
    "javascript": "node", "perl": "perl", "php": "php", "python": "python", "ruby": "ruby",
    "rust": "rustc", "tcl": "tclsh",
}  # fmt: skip
"""The languages, and the program without which an adapter cannot run."""

MISSING = re.compile("uriparser/Uri.h|Network.URI|URI.pm|can't find package uri|Could not find mod")
"""What is said where the parser is missing that an adapter asks."""

TEXTS = {
    "http://a.b/c?d=e#f": True, "a:": None, "": False, "//a": False, "a b": False, "1:a": False,
    "http://\u00e9\U0001f600/": None, "a:\n": None, "a:\0": None, "http://a/" + "b" * 5000: True,
}  # fmt: skip
"""Verdicts that all these parsers agree about; None where they do not."""


def adapters(capsys, *argv):
    code = main(["conformance", "adapters", *argv])
    return code, *capsys.readouterr()


def test_each_is_listed_with_its_command(capsys):
    code, out, err = adapters(capsys, "list")
    assert (code, err) == (0, "")
    rows = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert set(rows) == set(NEEDS)
    assert all("uriparse conformance trial --hex " in row for row in rows.values())
    for language, row in rows.items():
        program = adapters(capsys, "write", language)[1]
        assert row in program
        assert 10 <= len(program.splitlines()) <= 32


def test_what_is_wrong_is_said(capsys):
    assert "write takes a language: c, erlang, go, " in adapters(capsys, "write", "cobol")[2]
    assert "write takes a language: " in adapters(capsys, "write")[2]
    assert "list takes no language" in adapters(capsys, "list", "go")[2]


@pytest.mark.slow
@pytest.mark.parametrize("language", mostly_slow(NEEDS, "python", "javascript", "c"))
def test_on_trial(language, capsys, tmp_path, monkeypatch):
    if shutil.which(NEEDS[language]) is None:
        pytest.skip(f"there is no {NEEDS[language]}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOCACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GO111MODULE", "off")
    program = adapters(capsys, "write", language)[1]
    rows = dict(line.split(maxsplit=1) for line in adapters(capsys, "list")[1].splitlines())
    build, _, run = rows[language].rpartition(" && ")
    command = run.removeprefix("uriparse conformance trial --hex ").strip('"')
    Path(re.search(r"[Jj]udge\.\w+", build or command)[0]).write_text(program)
    if build:
        done = run_program(*build.split(), check=False)
        if MISSING.search(done.stderr):
            pytest.skip(done.stderr.splitlines()[0])
        assert done.returncode == 0, done.stderr
    lines = "".join(f"{text.encode().hex()}\n" for text in TEXTS)
    done = run_program(*command.split(), input=lines, check=False, timeout=120)
    if MISSING.search(done.stderr):
        pytest.skip(done.stderr.splitlines()[0])
    answers = [{"1": True, "0": False}[line] for line in done.stdout.splitlines()]
    assert len(answers) == len(TEXTS), done.stderr
    for (text, valid), answer in zip(TEXTS.items(), answers, strict=True):
        assert valid is None or answer is valid or (language, text) in LENIENT, text
    Path("suite.txt").write_text("".join(f"{json.dumps(text)}\n" for text in TEXTS))
    argv = ["conformance", "trial", "--hex", "--suite", "suite.txt", "--format", "json", command]
    main(argv)
    [found] = map(json.loads, capsys.readouterr().out.splitlines())
    assert found["unanswered"] == []
    assert found["asked"] == len(TEXTS)


LENIENT = {("python", "1:a"), ("tcl", "a b"), ("tcl", "1:a"), ("go", "a b"), ("php", "1:a")}
"""Texts that one of them accepts all the same."""
