"""`uriparse conformance coverage`: its forms, its corpora, and what it never shows."""

import gzip
import json
import re

import pytest
from cases import documents, each_case, tables
from command_runs import running
from conformance.html_pages import Page

from uriparse.cli.validation_sources import BLOCK, LONGEST_LINE

TABLES = tables(__file__)

pytestmark = pytest.mark.slow

FORMS = ["text", "json", "html"]
LINES = b"http://u:secret@www.example.com/a/b?c\nhttps://h:80/\nhttp://u:secret@h:x/\n"

PORT = documents(__file__)["PORT"]


run = running("conformance", "coverage")


@pytest.fixture
def corpus(tmp_path):
    def write(data, name="corpus.txt"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


@pytest.fixture
def facts(run, corpus):
    def call(data, *argv, name="corpus.txt"):
        code, out, err = run(corpus(data, name), "--format=json", *argv)
        assert (code, err, out.count("\n")) == (0, "", 1)
        return json.loads(out)

    return call


def test_text(run, corpus):
    code, out, err = run("--rule=PORT", corpus(b"8443\n"), "--missing=2")
    assert (code, out, err) == (0, PORT, "")


@pytest.mark.parametrize("form", FORMS)
def test_lines_of_the_corpus_are_not_shown(run, corpus, form):
    lines = [LINES, b"secret\n", b"\xffsecret\n", b"secret" * LONGEST_LINE, b"\n<b>secret</b>\n"]
    code, out, err = run(corpus(b"".join(lines)), f"--format={form}")
    assert code == 0
    assert "secret" not in out + err
    assert "<b>" not in out


@pytest.mark.parametrize("form", FORMS)
def test_nor_are_passwords_in_the_names_of_files(run, corpus, monkeypatch, form):
    path = corpus(b"\xff\n", "u:secret@h")
    monkeypatch.chdir(path.parent)
    code, out, err = run(path.name, f"--format={form}")
    assert (code, err) == (0, "")
    assert "u:***@h" in out
    code, out, err = run("http:secret@h", f"--format={form}")
    assert (code, out) == (2, "")
    assert err == "uriparse conformance coverage: http:***@h: No such file or directory\n"


def test_lines_that_hold_no_text_are_counted_and_named(run, corpus):
    long = b"a" * (LONGEST_LINE + 2 * BLOCK)
    path = corpus(b"\nx:\n\xff\xfe\n" + long + b"\n\nx:\xc3\xa9\n")
    code, out, err = run(path, "--missing=0")
    assert (code, err) == (0, "")
    head = " ".join(out.partition("\n\n")[0].split())
    assert head == (
        "URI of rfc3986 by 2 texts: 1 accepted, 1 refused "
        f"2 lines passed over as empty (the first is line 1 of {path}) "
        f"1 line passed over as not UTF-8 (it is line 3 of {path}) "
        f"1 line passed over as longer than 1,048,576 octets (it is line 4 of {path})"
    )


def test_a_byte_order_mark_and_returns_are_no_part_of_a_text(facts):
    assert facts(b"\xef\xbb\xbfx:\r\ny:\r\n")["accepted"] == 2
    assert facts(b"x:\n\xef\xbb\xbfy:\n")["refused"] == 1


def test_what_is_gzipped_or_comes_by_a_pipe_is_read(facts, run):
    assert facts(gzip.compress(LINES), name="corpus.gz")["accepted"] == 2
    for argv in ((), ("-",)):
        code, out, _ = run("--missing=0", *argv, stdin=LINES + b"\n")
        assert code == 0
        assert "2 accepted, 1 refused" in out
        assert "line 4 of standard input" in out


@pytest.mark.parametrize("form", FORMS)
def test_names_and_texts_of_any_kind_are_escaped(run, corpus, form):
    abnf = corpus(
        b'r = %x3C.62.3E / %x26 / %xA0 / %x202E / %xD800 / %x1B / "x" / %x0A\n', "own.abnf"
    )
    path = corpus(b"\xff\n", "<i>&\x1b\u202e.txt")
    code, out, err = run(path, "--grammar", abnf, f"--format={form}")
    assert (code, err) == (0, "")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\xa0\u202e\ud800-\udfff]", out)
    if form == "html":
        page = Page(out)
        assert not {"b", "i"} & set(page.tags)
        assert "<b>" in page.words
    if form == "json":
        texts = {item["text"] for item in json.loads(out)["missing"]}
        assert {"<b>", "&", "\xa0", "\u202e", "\ud800", "\x1b", "\n"} <= texts


@each_case(("argv", "message"), TABLES["wrong_usage"])
def test_wrong_usage(run, argv, message):
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_rule_that_is_not_regular_is_said_to_be_so(run, corpus):
    code, out, err = run(corpus(b"a\n"), "--grammar", corpus(b'r = "(" [ r ] ")"\n', "own.abnf"))
    assert (code, out) == (2, "")
    assert err.startswith("uriparse: r is not regular")
