"""`uriparse resolve --base-of`: the base of a document, its source, and why there is none."""

import json

import pytest
from cases import documents, each_case, sentence
from command_runs import running

MAIL = documents(__file__)["MAIL"]


run = running("resolve")


PAGE = '<title>t</title><base target=x><base href=" sub/?a&amp;b ">'


def test_the_innermost_source_wins(run):
    sources = ["-e", "http://p/", "-r", "http://r/"]
    for expected in ("http://p/", "http://r/"):
        assert run(*sources) == (0, f"{expected}\n", "")
        del sources[:2]
    code, out, err = run("--base-of", "-")
    assert (code, out) == (1, "")
    assert err.startswith("error: no base URI: nothing embedded, no enclosing")


def test_a_page(run, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    where = ["-r", "http://r/", "--retrieval", "a/b"]
    assert run("--base-of", str(path), *where) == (0, "http://r/a/sub/?a&b\n", "")
    assert run("--base-of", "-", *where, stdin=PAGE)[1] == "http://r/a/sub/?a&b\n"
    assert run("--base-of", "-", *where, stdin="<p>none</p>")[1] == "http://r/a/b\n"


@each_case("charset", ["utf-8", "nobody-knows", "latin-1"])
def test_a_message(run, charset):
    given = MAIL.format(href="img/", charset=charset)
    code, out, err = run("--mail", "--base-of", "-", "--json", stdin=given)
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "valid": True, "uri": "http://e/base/part/img/", "source": "embedded",
        "outer": [{"uri": "http://e/base/part/page.html", "source": "enclosing"},
                  {"uri": "http://e/base/", "source": "enclosing"}],
    }  # fmt: skip


def test_a_message_without_a_page(run):
    given = "Content-Location: http://h/a\n\ntext"
    assert run("--mail", "--base-of", "-", stdin=given) == (0, "http://h/a\n", "")


@each_case(("argv", "said"), [
    (["-e", "a b"], f"error: path: {sentence('space')}\n  a b\n   ^\n"),
    (["-e", "a"], "error: the enclosing base"),
    (["-r", "//h/a"], "is a relative reference: resolve it first"),
])  # fmt: skip
def test_what_makes_no_base_is_told(run, argv, said):
    code, out, err = run(*argv)
    assert (code, out) == (1, "")
    assert said in err
    code, out, err = run(*argv, "--json")
    assert (code, err) == (1, "")
    assert json.loads(out)["error"]["message"]


def test_a_base_is_data_and_what_is_none_is_masked(run):
    assert run("-r", "http://u:sesame@h/a", "-e", "b")[1] == "http://u:sesame@h/b\n"
    given = ["-r", "http://u:sesame@h/ a"]
    assert "sesame" not in "".join(map(str, [*run(*given), *run(*given, "--json")]))
    assert "sesame" in run(*given, "--show-passwords")[2]


@pytest.mark.parametrize("options", [["--base-of"], ["--mail", "--base-of"]])
def test_a_file_that_cannot_be_read(run, tmp_path, options):
    path = str(tmp_path / "none")
    assert run(*options, path) == (2, "", f"uriparse: {path}: No such file or directory\n")
    assert run(*options, "a\0b")[0] == 2
