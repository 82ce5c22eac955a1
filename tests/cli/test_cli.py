"""Command lines: arguments and input on one side, output, messages and exit code on the other."""

import io
import json
import re
import sys
from importlib import metadata
from pathlib import Path

import pytest
from cases import tables
from cli.terminals import Terminal
from command_runs import run_program

import uriparse
from uriparse import URISyntaxError, implementation, parse
from uriparse.cli import main

CASES = tables(__file__, "cases.json")
assert CASES


@pytest.fixture
def terminal(monkeypatch):
    """Run a command line as on a terminal and give what it wrote there."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")

    def call(*argv):
        screen = Terminal()
        monkeypatch.setattr(sys, "stdout", screen)
        assert main(argv) == 0
        return screen.getvalue()

    return call


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_command_lines(run, monkeypatch, case):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = run(*case["argv"], stdin=case["stdin"].encode())
    assert out == "".join(f"{line}\n" for line in case["stdout"])
    lines = re.sub(r"\n {7,}", " ", err).splitlines() if "usage: " in err else err.splitlines()
    assert len(lines) == len(case["stderr"]), err
    for line, pattern in zip(lines, case["stderr"], strict=True):
        assert re.fullmatch(pattern, line), line
    assert code == case["exit"]


def test_json_of_invalid_input(run):
    code, out, err = run("parse", "--json", "-", stdin=b"a b\nhttp://h:8x/\n")
    assert (code, err) == (1, "")
    first, second = map(json.loads, out.splitlines())
    assert (first["line"], second["line"]) == (1, 2)
    assert (second["text"], second["valid"]) == ("http://h:8x/", False)
    with pytest.raises(URISyntaxError) as caught:
        parse("http://h:8x/")
    error = caught.value
    assert second["error"] == {
        "message": error.reason, "cause": "bad-port", "offset": 11, "component": "port",
        "rule": error.rule, "expected": list(error.expected), "found": "/", "help": error.remedy,
    }  # fmt: skip


def test_bytes_that_are_not_utf8():
    texts = b"http://h/\xff\xfe", b"http://h/\xc3\xa9"
    command = [sys.executable, "-m", "uriparse", "parse"]
    done = run_program(*command, input=b"\n".join([*texts, b"x:"]), check=False, text=False)
    assert done.returncode == 1
    assert done.stdout.startswith(b"x:\n")
    first, second = done.stderr.splitlines()
    told = b"line 1: error: byte 0xFF at offset 9 is not UTF-8; help: give the text in UTF-8"
    assert first == told + b"; invalid: " + texts[0]
    assert second.startswith(b"line 2: error: ")
    assert second.endswith(b"; invalid: " + texts[1])
    assert b"0x" not in second


def test_more_input_after_an_argument_and_a_second_dash(run):
    _, out, err = run("parse", "--json", "a", "-", "-", stdin=b"b\n")
    assert [json.loads(line)["text"] for line in out.splitlines()] == ["a", "b"]
    assert err == "uriparse: standard input is empty\n"


def test_colour_on_a_terminal(terminal):
    screen = terminal("parse", "http://h/p")
    assert "\x1b[36mhttp\x1b[0m" in screen
    assert re.sub(r"\x1b\[[\d;]*m", "", screen).splitlines()[0] == "http://h/p"


@pytest.mark.parametrize(("environment", "terminal", "expected"), [
    ({}, True, True), ({}, False, False), ({"FORCE_COLOR": "1"}, False, True),
    ({"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
    ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ({"NO_COLOR": "", "FORCE_COLOR": ""}, True, True), ({"TERM": "dumb"}, True, False),
])  # fmt: skip
def test_who_decides_on_colour(monkeypatch, environment, terminal, expected):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"TERM": "xterm"} | environment).items():
        monkeypatch.setenv(name, value)
    out, err = ((Terminal if terminal else io.StringIO)() for _ in range(2))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert main(["parse", "x:", "a b"]) == 1
    assert ("\x1b[36mx\x1b[0m" in out.getvalue()) == expected
    assert ("argument 2: \x1b[1;31merror:\x1b[0m path: a space" in err.getvalue()) == expected
    assert ("\n\x1b[1;36mhelp:\x1b[0m write %20\n" in err.getvalue()) == expected
    assert ("\x1b" in out.getvalue() + err.getvalue()) == expected


def test_every_style_that_is_used_has_its_colour():
    from abnf2lark.process import STYLES
    from uriparse.cli import console

    folder = Path(console.__file__).parent
    text = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    used = set(re.findall(r', "([a-z]+)"\)', text)) & {"faint", "rule", "error", "good", "warning"}
    assert used
    assert used <= set(STYLES)
    for text, style in STYLES.items():
        assert re.fullmatch(r"[\d;]+", style), text


def test_what_is_quoted_has_no_colour_of_a_message(run, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    _, _, err = run("parse", "error: x")
    assert err.count("\x1b[1;31m") == 1


def test_a_file_that_is_named_for_a_text_is_told(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "urls.txt").write_text("x:")
    hint = "help: this is also the name of a file; to read its lines: uriparse {} --file FILE\n"
    code, out, err = run("normalize", "urls.txt")
    assert (code, out, err) == (0, "urls.txt\n", hint.format("normalize"))
    code, out, err = run("resolve", "--relative", "--base", "x:", "urls.txt")
    assert (code, out) == (1, "")
    assert err.endswith(hint.format("resolve"))
    for argv in (["parse", "--json", "urls.txt"], ["parse", "-"]):
        assert run(*argv, stdin=b"urls.txt\n")[2] == ""


def test_a_text_wider_than_the_terminal_becomes_a_list(terminal, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    long = "/" + "x" * 60
    assert terminal("parse", f"http://u@h:1{long}?q#").splitlines() == [
        f"http://u@h:1{long}?q#", "  scheme        http", "  authority     u@h:1",
        f"  path          {long}", "  query         q", "  userinfo      u", "  host          h",
        "  port          1", "empty: fragment", "",
    ]  # fmt: skip


def test_a_text_too_wide_to_draw_under_becomes_a_list(run):
    text = "x:" + "y" * 300
    assert run("parse", text)[1].splitlines()[1:3] == [
        "  scheme        x",
        f"  path          {'y' * 300}",
    ]


def test_tree(run):
    code, out, err = run("tree", "http://h/?q")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "URI-reference"
    assert [line.strip() for line in lines if '"h"' in line] == ['reg-name "h"']
    assert [line.strip() for line in lines[-2:]] == ['query "q"', ""]
    json_code, json_out, _ = run("tree", "--json", "http://h/?q")
    assert json_code == 0
    assert json.loads(json_out)["tree"]["rule"] == "URI-reference"


def test_full_tree(run):
    code, out, _ = run("tree", "--full", "--rule", "dec-octet", "25")
    assert code == 0
    assert out.splitlines()[0] == "dec-octet"
    assert 'DIGIT "5"' in out


def test_full_tree_of_a_long_text(run):
    code, out, err = run("tree", "--full", "-", stdin=b"x" * 4_000 + b"\nx\n")
    assert (code, err) == (0, "")
    assert out.count('ALPHA "x"') == 4_001


def test_tree_shows_what_was_matched_and_no_codes(run):
    _, out, _ = run("tree", "--grammar", "rfc3987", "x:\u202e")
    assert 'ipath-rootless "\\u202e"' in out


def test_tree_by_an_unknown_rule(run):
    code, out, err = run("tree", "--rule", "schema", "x")
    assert (code, out) == (2, "")
    assert err.startswith("uriparse: ")
    assert "scheme" in err


def test_rules(run):
    _, out, _ = run("tree", "--rules")
    assert out.splitlines()[:3] == ["URI", "hier-part", "URI-reference"]
    _, out, _ = run("tree", "--rules", "--grammar", "rfc1738", "--json")
    assert json.loads(out)[:2] == ["genericurl", "url"]


def test_version(run):
    code, out, _ = run("--version")
    assert code == 0
    assert out == f"uriparse {uriparse.__version__} ({implementation})\n"


@pytest.mark.parametrize("command", [["--version"], ["diff", "http://h/"]])
def test_the_version_is_told_of_what_is_not_installed(run, monkeypatch, command):
    def version(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.setattr("uriparse.conformance.peers.asking.DESTINATION_PEERS", ())
    code, out, _ = run(*command)
    assert code == 0
    assert f"uriparse {uriparse.__version__}" in " ".join(out.split())


def test_interrupted(run, monkeypatch):
    from uriparse.cli.console import Console

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Console, "lines", stop)
    code, out, err = run("parse", "x")
    assert (code, out, err) == (130, "", "")


def test_rejections_and_answers_share_one_stream_of_json(run):
    code, out, err = run("resolve", "--json", "--base", "http://a/b", "-", stdin=b"%zz\ng\n")
    rejected, answered = map(json.loads, out.splitlines())
    assert (rejected["line"], rejected["valid"], rejected["text"]) == (1, False, "%zz")
    assert answered == {"line": 2, "text": "g", "valid": True, "target": "http://a/g"}
    assert (code, err) == (1, "")
