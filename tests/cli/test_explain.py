"""`uriparse explain`: nothing is lost, however wide the terminal is, and in a pipe."""

import json
import sys

import pytest
from cli.terminals import Terminal

from uriparse.cli import main
from uriparse.cli.validation_sources import UNREADABLE
from uriparse.diagnosis import CAUSES
from uriparse.validation import CATALOGUE

WIDTHS = (20, 40, 80, 120, 300)


@pytest.fixture
def on_terminal(monkeypatch):
    """Give what a command writes on a terminal of so many columns, without colours."""

    def call(width, *argv):
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setattr(sys, "stdout", Terminal())
        assert main(list(argv)) == 0
        return sys.stdout.getvalue()

    return call


def squeezed(text):
    """The characters alone, which are the same however the lines are broken."""
    return "".join(text.split())


@pytest.mark.slow
def test_codes_are_explained(capsys):
    assert main(["explain"]) == 0
    listed = capsys.readouterr().out
    assert all(f"  {code} " in listed for code in [*CATALOGUE, *CAUSES, *UNREADABLE])
    assert main(["explain", "empty-host"]) == 0
    assert "http:///a" in capsys.readouterr().out
    assert main(["explain", "--json", "empty-host"]) == 0
    assert json.loads(capsys.readouterr().out)["code"] == "empty-host"
    for code in [*CATALOGUE, *CAUSES, *UNREADABLE]:
        assert main(["explain", code]) == 0
        said = capsys.readouterr().out
        assert said.startswith(f"{code}\n  ")
        assert "{" not in said or code in CATALOGUE
        assert main(["explain", "--json", code]) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert {row.get("code", row.get("cause")) for row in rows} == {code}
    assert main(["explain", "empty-hosts"]) == 2
    assert "did you mean empty-host?" in capsys.readouterr().err


def test_in_a_pipe_each_fact_is_a_line_and_whole(capsys):
    for code in CATALOGUE.values():
        assert main(["explain", code.code]) == 0
        told = capsys.readouterr().out.split("\n\n")[0]  # some are names of causes, too
        name, sentence, *facts = told.splitlines()
        assert (name, sentence[2:].lower()) == (code.code, f"{code.sentence.lower()}.")
        fields = ["layer", "severity", "source", "has it", "has it not", "under"]
        assert [fact[2:14].rstrip() for fact in facts] == fields
        assert facts[2].endswith(f"  {code.source}")
        if "\n" not in code.trigger:
            assert facts[3].endswith(f"  {code.trigger}")
            assert facts[4].endswith(f"  {code.clean}")


@pytest.mark.parametrize("width", WIDTHS)
def test_on_a_terminal_lines_fit_and_nothing_is_lost(on_terminal, width):
    told = on_terminal(width, "explain", *CATALOGUE)
    most = max(map(len, told.splitlines()))
    assert most <= min(max(width, 28), 120)
    whole = squeezed(told)
    for code in CATALOGUE.values():
        assert squeezed(code.source) in whole
        if len(code.trigger) < 1000:
            assert squeezed(code.trigger.replace("\n", "\\n")) in whole


def test_an_example_of_thousands_of_characters_fills_no_screen(on_terminal):
    told = on_terminal(80, "explain", "too-long")
    assert len(told.splitlines()) < 24
    assert "(8193 characters, all of them by --json)" in " ".join(told.split())


@pytest.mark.parametrize("width", [40, 100])
def test_the_list_fits_and_has_all(on_terminal, width):
    listed = on_terminal(width, "explain")
    assert max(map(len, listed.splitlines())) <= width
    for code in CATALOGUE.values():
        assert squeezed(f"{code.code}{code.severity}{code.sentence}") in squeezed(listed)


def test_line_ends_of_an_example_are_shown(capsys):
    assert main(["explain", "hyphen-line-break"]) == 0
    assert r"has it      <http://h/inter-\nnet>" in capsys.readouterr().out
