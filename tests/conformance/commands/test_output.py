"""Where the parts write: a file is replaced when there is something to write, and not before."""

import os

import pytest
from command_runs import running

PARTS = {
    "suite": ["suite", "--rule=port"],
    "coverage": ["coverage", "--rule=port", os.devnull],
    "trial": ["trial", "uriparse", "--rule=port"],
}


run = running("conformance")


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("option", ["-o", "--out"])
def test_what_goes_to_a_file_is_what_goes_to_the_terminal(run, tmp_path, part, option):
    code, shown, _ = run(*PARTS[part])
    path = tmp_path / "out"
    path.write_text("what was there before, and is longer than what comes\n" * 9999)
    there = path.read_text()
    said = f"uriparse: {path}: it is there already; --force replaces it\n"
    assert run(*PARTS[part], option, str(path)) == (2, "", said)
    assert path.read_text() == there
    assert run(*PARTS[part], option, str(path), "--force") == (code, "", "")
    assert path.read_text(encoding="utf-8") == shown


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(("name", "said"), [
    ("no/such/file", "uriparse: no/such/file: No such file or directory\n"),
    (".", "uriparse: .: Is a directory\n"),
    ("", "error: argument -o/--out: the name of the file is empty\n"),
])  # fmt: skip
def test_where_nothing_can_be_written_is_said_before_all_work(
    run, monkeypatch, tmp_path, part, name, said
):
    def work(*_):
        raise AssertionError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("uriparse.conformance.peers.asking.ask", work)
    monkeypatch.setattr("uriparse.conformance.suite", work)
    monkeypatch.setattr("uriparse.conformance.coverage", work)
    code, out, err = run(*PARTS[part], f"--out={name}")
    assert (code, out) == (2, "")
    assert said in err
