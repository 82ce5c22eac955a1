"""What the command says of itself, and what it says to those who mistype."""

import argparse
import json
import re
import shlex
import sys

import pytest
from cases import each_case, tables
from cli.terminals import Terminal
from command_runs import running
from command_tables import (
    COMMANDS,
    EXITS,
    GROUPS,
    examples,
    exits,
    grouped,
    load,
    parser_for,
    parsers_within,
)
from paths import ROOT

from uriparse.cli import main

TABLES = tables(__file__)

NEEDED = {"get": ["-f", "{host}"], "resolve": ["--base", "x:"], "compare": ["x:"]}


run = running(COLUMNS="80")


def leaves():
    """The words of every command, and of every part of one."""
    for name in COMMANDS:
        own = dict(parsers_within(parser_for([name])))[name]
        parts = [part for part, _ in parsers_within(own)]
        yield [name]
        yield from ([name, part] for part in parts)


LEAVES = list(leaves())
LISTED = set(COMMANDS) - {"help"}
"""The commands of the front page, which says how `help` is called below them."""


def module(words):
    """What stands behind a command, or a part of one."""
    own = dict(parsers_within(parser_for(words)))[words[0]]
    return dict(parsers_within(own))[words[1]].get_default("part") if words[1:] else load(words[0])


def test_the_bare_command_fits_a_small_screen_and_names_all(run):
    code, out, err = run()
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) <= 23  # and the prompt
    assert max(map(len, lines)) <= 80
    for name in LISTED:
        assert re.search(rf"(?m)^  .*\b{name}( |$)", out)
    assert "\n`uriparse help COMMAND` " in out


@pytest.mark.parametrize("columns", [80, 200])
def test_commands_stand_in_columns_under_their_groups(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    _, out, _ = run("--help")
    assert max(map(len, out.splitlines())) <= columns
    for options in ("COMMAND", "--man", "--completion"):
        assert f"`uriparse help {options}" in out.replace("\n", " ")
    rows = re.findall(r"(?m)^  (\S+(?: \(.*?\))?) {2,}(?=\S)", out)
    assert {row.split(" ")[0] for row in rows} >= LISTED
    starts = {m.end() - m.start() for m in re.finditer(r"(?m)^  \S+(?: \(.*?\))? {2,}(?=\S)", out)}
    assert len(starts) == 1
    assert [title for title in grouped() if f"\n{title}:\n" in out] == list(grouped())


@pytest.mark.slow
@pytest.mark.parametrize("columns", ["80", "200"])
@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_each_help_ends_with_two_examples_and_the_exit_codes(run, monkeypatch, words, columns):
    monkeypatch.setenv("COLUMNS", columns)
    code, out, err = run("help", *words)
    assert (code, err) == (0, "")
    assert run(*words, "--help") == (0, out, "")
    assert max(map(len, out.splitlines())) <= int(columns)
    _, _, tail = out.partition("\nexamples:\n")
    shown, _, exits = tail.partition("\n\n")
    assert [line[2:] for line in shown.splitlines()] == list(examples(module(words)))
    assert len(examples(module(words))) == 2
    said = " ".join(exits.split())
    assert re.fullmatch(r"Exit codes: 0 .*, 2 .*, 70 .*, 130 after Ctrl-C, 141 when .*\.", said)


def test_one_table_has_the_exit_codes_of_all_commands():
    page = (ROOT / "tools/docs/reference/command.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| (\d+) \| (.*) \| (.*) \|$", page)
    told = {(code, name, said) for code, names, said in rows for name in names.split(", ")}
    wanted = {(str(code), "all", said) for code, said in EXITS.items()}
    for words in LEAVES:
        if not any(words == other[:1] for other in LEAVES if len(other) > 1):
            own = exits(module(words)).items()
            wanted |= {(str(code), f"`{' '.join(words)}`", said) for code, said in own}
    assert told == wanted


def parser_of(words):
    own = dict(parsers_within(parser_for(words)))[words[0]]
    return dict(parsers_within(own)).get((words[1:] or [""])[0], own)


def test_most_commands_name_their_input_in_one_way():
    """Texts and "-"; see test_sources.py for what they do with these."""
    others = {" ".join(words) for words in LEAVES if words[0] != "conformance"}
    others -= {" ".join(words) for words in LEAVES if parser_of(words).get_default("sources")}
    assert others == {"find", "explain", "help", "legacy"}


def test_there_are_at_most_200_options():
    """A short and a long form are one option; each command and each part of one has its own."""
    count = 0
    for parser in [parser_for([]), *map(parser_of, LEAVES)]:
        named = [action for action in parser._actions if action.option_strings]
        count += sum("--help" not in action.option_strings for action in named)
    assert 150 < count <= 200


@each_case("path", LEAVES)
def test_examples_are_command_lines(path):
    for line in examples(module(path)):
        own = next(stage for stage in line.split(" | ") if stage.startswith("uriparse"))
        words = shlex.split(own.partition(" <")[0].partition(" >")[0])
        assert words[: 1 + len(path)] == ["uriparse", *path]
        try:
            parser_for(words[1:]).parse_args(words[1:])
        except BaseException as error:  # noqa: BLE001 - whatever refuses it
            pytest.fail(f"{line}: {error}")


def test_a_command_without_more_than_it_must_have_is_listed_and_helped(run, monkeypatch):
    """What a new command may leave out has a value."""
    from uriparse.cli import commands, parse_command

    for name in ("GROUP", "EXAMPLES", "EXITS"):
        monkeypatch.delattr(parse_command, name, raising=False)
    assert list(commands.grouped())[-1] == "more"
    assert "more" not in GROUPS
    assert re.search(r"(?m)^  more +parse$", run()[1])
    assert "Exit codes: 0 all valid, 1 some invalid, 2 " in run("help", "parse")[1]


@each_case("words", LEAVES)
def test_a_mistyped_option_is_met_with_the_usage_of_its_command(run, words):
    code, out, err = run(*words, "--hepl")
    assert (code, out) == (2, "")
    assert err.startswith(f"usage: uriparse {' '.join(words)} [OPTIONS]")
    lines = err.splitlines()
    if words == ["conformance"]:
        assert lines[-2] == "error: the following arguments are required: PART"
    elif "required" not in lines[-2]:
        assert lines[-2:] == ["error: there is no option --hepl", "help: did you mean --help?"]


@each_case(("argv", "error", "remedy"), TABLES["what_is_mistyped_is_guessed"])
def test_what_is_mistyped_is_guessed(run, argv, error, remedy):
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    assert err.startswith(("usage: uriparse ", "error: "))
    assert err.splitlines()[-2:] == [f"error: {error}", f"help: {remedy}"]


@each_case("text", ["http://h/", "a b", "-", "é/"])
def test_a_text_in_the_place_of_a_command_is_parsed(run, text):
    assert run(text, stdin=b"x:y\n") == run("parse", text, stdin=b"x:y\n")
    assert run("--json", text, stdin=b"x:\n") == run("parse", "--json", text, stdin=b"x:\n")


@each_case("text", ["a.b", "//h", "", "?q", "example.com/a:b"])
def test_there_it_needs_a_scheme(run, text):
    """Who wants a relative reference says so, by the command or by the rule."""
    code, out, err = run(text)
    assert (code, out) == (1, "")
    assert "the text has no scheme\n" in err
    assert ("--suffix https" in err) == (text[:1] not in ("", "/", "?"))
    for asked in (["parse", text], ["--rule=URI-reference", text]):
        assert run(*asked)[0] == 0
    code, out, _ = run("--json", stdin=text.encode() + b"\n")
    assert (code, json.loads(out)["error"]["cause"]) == (1, "no-scheme")
    if "." in text:
        assert run("--suffix=https", text) == run("parse", f"https://{text}")


def reading():
    """The commands that read lines."""
    for name in COMMANDS:
        own = dict(parsers_within(parser_for([name])))[name]
        if own.get_default("sources"):
            yield [name, *NEEDED.get(name, [])]


def test_the_commands_that_read_lines():
    readers = {argv[0] for argv in READING}
    assert readers > {"parse", "tree", "url", "resolve", "normalize", "compare", "validate"}


READING = list(reading())


@pytest.mark.long
@each_case("argv", READING)
def test_a_pipe_is_read_without_being_named(run, argv):
    given = run(*argv, "-", stdin=b"ftp://h.d/\nftp://i.d/\n")
    assert given[0] in {0, 1}
    assert given[1]
    assert run(*argv, stdin=b"ftp://h.d/\nftp://i.d/\n") == given


@pytest.mark.parametrize("argv", READING, ids=" ".join)
def test_a_terminal_is_not_waited_for(monkeypatch, capsys, argv):
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"usage: uriparse {argv[0]} ")
    assert "\nerror: there is nothing to read: no argument and no pipe\n" in err


@each_case("argv", [["x:", "--json", "y:"], ["x:", "y:", "--json"]])
def test_options_may_stand_anywhere(run, argv):
    whole = run("parse", "--json", "x:", "y:")
    assert whole[0] == 0
    assert run("parse", *argv) == whole


@pytest.mark.slow
@each_case("argv", TABLES["behind_two_hyphens_nothing_is_an_option"])
def test_behind_two_hyphens_nothing_is_an_option(run, argv):
    code, out, _ = run(*argv)
    texts = [json.loads(line)["text"] for line in out.splitlines()]
    assert (code, texts) == (0, ["-x", "--", "--y"])
    assert run("compare", "x:", "--json", "--", "y:")[0] == 1
    assert run("help", "--completion", "bash")[0] == 0


def test_help_of_parts(run):
    assert run("help", "conformance", "suite")[1].startswith("usage: uriparse conformance suite ")
    assert run("help") == run("--help")
    assert isinstance(parser_for([]), argparse.ArgumentParser)


@each_case(("argv", "error", "remedy"), TABLES["an_option_that_is_none_is_told_first"])
def test_an_option_that_is_none_is_told_first(capsys, argv, error, remedy):
    assert main(argv) == 2
    told = capsys.readouterr().err
    assert told.endswith(f"error: there is no option {error}\nhelp: {remedy}\n")


def test_a_word_that_is_a_choice_of_an_option_is_told_with_it(capsys):
    assert main(["conformance", "suite", "hsi"]) == 2
    told = "error: unexpected argument: hsi\nhelp: did you mean --method hsi?\n"
    assert capsys.readouterr().err.endswith(told)
    assert main(["conformance", "suite", "nonsense"]) == 2
    told = "help: `uriparse help conformance suite` says more\n"
    assert capsys.readouterr().err.endswith(told)


def test_beginnings_of_options_and_what_is_behind_two_hyphens_are_none_of_these(capsys):
    assert main(["normalize", "--lev", "scheme", "http://h:80/"]) == 0
    assert main(["normalize", "--", "--bogus"]) == 0
    assert capsys.readouterr().out == "http://h/\n--bogus\n"


def test_each_command_is_one_short_line():
    listed = [command for group in grouped().values() for command in group]
    assert {command.NAME for command in listed} == LISTED
    assert len(listed) <= 16
    assert [command.NAME for command in listed if len(command.HELP) >= 60] == []
