"""Every command with rubbish: a row for each line with `--json`, or else a message."""

import argparse
import json
import re

import pytest
from cases import each_case, tables
from command_runs import told_here as run
from command_tables import COMMANDS, LEGACY, load
from marks import some_slow

from uriparse.diagnosis import CAUSES
from uriparse.errors.excerpt import masked

TABLES = tables(__file__)

COMMAND_LINES = TABLES["command_lines"]
LINES = TABLES["lines"]
STDIN = b"\n".join(LINES) + b"\n"
assert len(set(LINES)) == len(LINES)
ERROR = ["message", "cause", "offset", "component", "rule", "expected", "found", "help"]


BLOCK = r"""line \d+: error: [^\n]+
(  [^\n]*
 *\^
(expected: [^\n]+
)?(help: [^\n]+
)?)?"""


def options(name):
    parser = argparse.ArgumentParser()
    load(name).add_arguments(parser)
    return {option for action in parser._actions for option in action.option_strings}


def test_the_table_has_every_command_that_answers_texts():
    named = {argv[0] for argv in COMMAND_LINES}
    # which read none, or have files or readers, or judge by any rule and say no cause
    others = {"explain", "find", "diff", "match"}
    answering = {name for name in COMMANDS if "--json" in options(name)} - others
    assert named == {*answering, "legacy"}
    assert {argv[1] for argv in COMMAND_LINES if argv[0] == "legacy"} == {p.NAME for p in LEGACY}


@each_case("argv", COMMAND_LINES)
def test_each_line_has_a_row_or_a_message_in_its_order(argv):
    code, out, err = run(*argv, "--json", "-", stdin=STDIN)
    rows = [json.loads(line) for line in out.splitlines()]
    assert err == ""
    check_rows(argv, code, rows)
    check_messages(argv, rows, *run(*argv, "-", stdin=STDIN))


def check_rows(argv, code, rows):
    assert [row["line"] for row in rows] == [*range(1, len(LINES) + 1)]
    assert code == 1 or (code == 0 and all(row["valid"] for row in rows))
    for row, line in zip(rows, LINES, strict=True):
        assert isinstance(row["text"], str)
        assert row["valid"] in {True, False, None}
        if row["valid"] or argv[-1] == "dialects":
            assert "error" not in row
            continue
        error = row["error"]
        assert list(error) == ERROR
        assert error["message"].isprintable()
        assert error["cause"] in {None, *CAUSES}
        assert (error["expected"] is None) == (row["valid"] is None)
        if error["found"] not in {None, "***"}:
            assert line.decode("utf-8", "surrogateescape")[error["offset"]] == error["found"]


def check_messages(argv, rows, code, out, err):
    assert code in {0, 1}
    lines = {line.decode("utf-8", "surrogateescape").removesuffix("\r") for line in LINES}
    kept, others = [], []
    for said in err.splitlines():
        before, mark, line = said.partition("; invalid: ")
        others.append(before)
        kept += [line] * bool(mark)
    drawn = out if argv[0] in {"parse", "tree", "url"} else ""  # results are as they are
    for text in (drawn, "\n".join(others)):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
    mask = str if "--show-passwords" in argv else masked
    shown = {mask(line) for line in lines}
    assert {*kept} <= shown  # each as it came, but for what could end a line
    refused = [row["line"] for row in rows if "error" in row]
    blocks = re.split(r"(?m)^(?=line \d+: )", err)[1:]
    assert len(kept) == len(blocks)
    assert [int(re.match(r"line (\d+): error: ", block)[1]) for block in blocks] == refused
    for block in blocks:
        assert re.fullmatch(BLOCK, block)


@each_case("argv", [[*argv, "-"] for argv in COMMAND_LINES])
def test_empty_input_is_told_and_fine(argv):
    assert run(*argv) == (0, "", "uriparse: standard input is empty\n")


@pytest.mark.parametrize("name", some_slow(COMMANDS, "diff"))
def test_no_arguments(name):
    code, out, err = run(name)
    if name in {"explain", "help"}:
        assert (code, err) == (0, "")
    elif name == "validate":
        assert (code, out, err) == (0, "", "")
    elif name == "resolve":
        assert (code, out) == (2, "")
        assert err.startswith("uriparse resolve: --base URI is needed; or --base-of FILE")
    elif name in {argv[0] for argv in COMMAND_LINES} - {"get", "compare", "legacy"}:
        assert (code, out, err) == (0, "", "uriparse: standard input is empty\n")
    else:
        assert (code, out) == (1 if name == "find" else code, "")
        if code == 2:
            assert err.startswith(f"usage: uriparse {name} ")
            assert "\nerror: the following arguments are required: " in err
            assert "\nhelp: " in err


@each_case(("argv", "name"), TABLES["the_base_is_named_where_it_is_at_fault"])
@each_case("base", ["g", "//h/"])
def test_the_base_is_named_where_it_is_at_fault(argv, name, base):
    arguments = [part.replace("{}", base) for part in argv]
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"{name}: error: ")
    assert "scheme" in err.splitlines()[0]
    code, out, err = run(*arguments, "--json")
    assert (code, err) == (2, "")
    row = json.loads(out)
    assert (row["option"], row["text"]) == (name, base)
    assert row["error"]["message"]


@each_case(("argv", "said"), TABLES["help_speaks_of_options"])
def test_help_speaks_of_options(argv, said):
    code, _, err = run(*argv)
    assert code in {1, 2}
    assert said in err
    assert not re.search(r"\w=[\"'T]", err)


def test_what_is_masked_is_shown_where_it_is_asked_for():
    text = "ftp://u:p w@h.d/"
    _, _, err = run("parse", text)
    assert err.splitlines()[1:3] == ["  ftp://u:***@h.d/", "          ^"]
    _, _, err = run("parse", "--show-passwords", text)
    assert err.splitlines()[1:3] == [f"  {text}", "           ^"]
    assert "--show-passwords" not in err
    _, out, _ = run("parse", "--json", text)
    row = json.loads(out)
    assert (row["text"], row["error"]["found"]) == ("ftp://u:***@h.d/", "***")
    _, out, _ = run("parse", "--json", "--show-passwords", text)
    row = json.loads(out)
    assert (row["text"], row["error"]["found"]) == (text, " ")


SHOWN = TABLES["shown"]
MADE = {"fields", "normal", "result", "target", "reference", "key", "pairs", "recoded"}
"""What a command has made: data, which stays whole."""


@each_case("argv", SHOWN)
@each_case("scheme", ["ftp", "telnet", "foo"])
def test_passwords_of_valid_texts_are_masked_where_they_are_shown_again(argv, scheme):
    text = f"{scheme}://user:s3cr3t@host.d/"
    arguments = [part.replace("{}", text) for part in argv]
    code, out, _ = run(*arguments, "--json")
    if code == 1 and "--plan" in argv:  # of a scheme that has none
        return
    row = json.loads(out)
    assert row["text"] == f"{scheme}://user:***@host.d/"
    made = MADE - ({"fields"} if argv[0] == "url" else set())
    kept = {name: value for name, value in row.items() if name not in made}
    assert "s3cr3t" not in json.dumps(kept)
    whole = json.loads(run(*arguments, "--json", "--show-passwords")[1])
    assert whole["text"] == text
    assert all("s3cr3t" in json.dumps(row[name]) for name in made & row.keys())
    if argv[0] in {"parse", "tree", "url"} or argv[1] == "database":
        _, out, _ = run(*arguments)
        assert "s3cr3t" not in re.sub(r"\s", "", out)
        assert "".join(f'sub-delims"{c}"' for c in "s3cr3t") not in re.sub(r"\s", "", out)


def test_a_file_that_cannot_be_read_has_a_row_of_json(tmp_path):
    code, out, err = run("find", "--json", str(tmp_path / "none"), str(tmp_path))
    assert (code, err) == (2, "")
    assert [json.loads(line) for line in out.splitlines()] == [
        {"file": str(tmp_path / "none"), "error": {"message": "No such file or directory"}},
        {"file": str(tmp_path), "error": {"message": "Is a directory"}},
    ]


def test_binary_files_are_searched(tmp_path):
    path = tmp_path / "binary"
    path.write_bytes(bytes(range(256)) * 4 + b"http://h.d/\x00" + b"\xff" * 9)
    code, out, err = run("find", "--only", str(path))
    assert (code, out, err) == (0, "http://h.d/\n", "")


FORGED = TABLES["forged"]


@pytest.mark.parametrize(
    "argv",
    [
        *COMMAND_LINES,
        ["normalize", "--key", "wwwoffle"],
        ["match", "--rule", "port"],
        ["get", "-f", "{text} {query[a]} {segments[0]}"],
        pytest.param(["diff"], marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_no_text_ends_a_line_and_begins_another(argv):
    _, out, err = run(*argv, *FORGED)
    lines = (out + err).splitlines()
    assert lines
    assert not [line for line in lines if line.startswith("FORGED")]


@each_case("argv", TABLES["answers_of_a_line_stand_beside_their_questions"])
def test_answers_of_a_line_stand_beside_their_questions(argv):
    questions = [
        "http://h/1", "a b", "http://h/%zz", "http://h:x/", "%", "\udcff", "http://h/2", "",
    ]  # fmt: skip
    data = "\n".join(questions).encode("utf-8", "surrogateescape") + b"\n"
    _, out, _ = run(*argv, "--invalid=keep", stdin=data)
    answers = out.removesuffix("\n").split("\n")
    assert len(answers) == len(questions)
