"""Where texts come from: arguments, standard input and files."""

import gzip
import json

import pytest
from command_runs import running
from command_tables import COMMANDS, parser_for, parsers_within

NEEDED = {
    "get": ["-f", "{text}"], "set": ["--fragment", "f"], "resolve": ["--base", "http://a/"],
    "compare": ["http://a/"],
}  # fmt: skip


def reading():
    """The commands, and parts of commands, that answer texts."""
    for name in COMMANDS:
        own = dict(parsers_within(parser_for([name])))[name]
        parts = [([name, part], parser) for part, parser in parsers_within(own)]
        for words, parser in parts or [([name], own)]:
            if "--file" in parser._option_string_actions:
                yield [*words, *NEEDED.get(name, [])]


READING = list(reading())
assert READING


run = running(empty=True)


@pytest.mark.slow
@pytest.mark.parametrize("argv", READING, ids=" ".join)
def test_arguments_files_and_standard_input_get_the_same_answers(run, tmp_path, argv):
    texts = ["http://a/b", "x:y", "ftp://h.d/"]
    data = "".join(f"{text}\n" for text in texts).encode()
    (tmp_path / "plain").write_bytes(data)
    (tmp_path / "packed").write_bytes(gzip.compress(data))
    code, out, _ = run(*argv, *texts)
    assert out
    assert run(*argv, stdin=data)[:2] == (code, out)
    assert run(*argv, "--file", "plain")[:2] == (code, out)
    assert run(*argv, "--file=packed")[:2] == (code, out)
    both = run(*argv, "-", "--file", "plain", "--file", "packed", stdin=data)
    if argv[0] != "validate":
        assert both[:2] == (code, out * 3)
    (tmp_path / "nul").write_bytes(data.replace(b"\n", b"\0"))
    assert (
        run(*argv, "-0", "--file", "nul")[:2]
        == run(*argv, "-0", stdin=data.replace(b"\n", b"\0"))[:2]
    )


@pytest.mark.parametrize("argv", READING, ids=" ".join)
def test_a_file_that_cannot_be_read_is_named(run, tmp_path, argv):
    for name in ("none", str(tmp_path), "http://u:S3cr3T@h/", "a\0b"):
        code, out, err = run(*argv, "--file", name)
        assert (code, out) == (2, "")
        assert err.startswith("uriparse")
        assert "S3cr3T" not in err
        assert len(err.splitlines()) == 1


def test_messages_and_rows_name_the_file_and_the_line(run, tmp_path):
    (tmp_path / "a\x1bb").write_bytes(b"x:\na b\n")
    code, _, err = run("parse", "--file", "a\x1bb")
    assert code == 1
    assert err.startswith("a\\x1bb:2: error: path: ")
    rows = [json.loads(row) for row in run("parse", "--json", "--file", "a\x1bb")[1].splitlines()]
    assert [(row["file"], row["line"]) for row in rows] == [("a\x1bb", 1), ("a\x1bb", 2)]
    (tmp_path / "empty").touch()
    assert run("parse", "--file", "empty") == (0, "", "uriparse: empty is empty\n")


def test_texts_are_judged_by_the_default_policy(run):
    code, out, err = run("validate", "http://localhost/", "https://example.com/", "a b")
    verdicts = [line.split("\t")[0] for line in out.splitlines()]
    assert (code, verdicts, err) == (1, ["refused", "ok", "refused"], "")
    rows = run("validate", "--format=ndjson", "a:b", "-", stdin=b"c:d\n")[1].splitlines()
    assert [(json.loads(row)["line"], json.loads(row)["text"]) for row in rows] == [
        (1, "a:b"),
        (2, "c:d"),
    ]


def test_who_names_a_file_without_its_option_is_told_of_it(run, tmp_path):
    (tmp_path / "urls.txt").write_text("http://example.com/\n")
    code, out, err = run("validate", "urls.txt")
    assert (code, out) == (1, "refused\tsyntax,malformed\turls.txt\n")
    assert err.endswith("to read its lines: uriparse validate --file FILE\n")
    assert run("validate", "-q", "urls.txt") == (1, "", "")
    for option in ("--column=1", "--field=u", "--parquet=t", "--out=o"):
        code, out, err = run("validate", option, "urls.txt")
        assert (code, out) == (2, "")
        name = "--parquet" if option == "--parquet=t" else "--file"
        assert f"urls.txt is a text; name a file by {name} FILE\n" in err
