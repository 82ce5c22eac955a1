"""`uriparse conformance trial`: its forms, its exit code, and what it hides."""

import json
import re
import sys
from pathlib import Path

import pytest
from cases import documents, each_case, tables
from command_runs import running
from conformance.html_pages import Page

pytestmark = pytest.mark.slow

TABLES = tables(__file__)

PARSERS = documents(__file__)["PARSERS"]
SECRET = "S3cr]T"


run = running("conformance", "trial", files={"judging.py": PARSERS})


def test_text(run):
    code, out, err = run("judging:wrong", "judging:right", "--rule", "PORT")
    assert (code, err) == (1, "")
    head, legend, *lines = out.splitlines()
    assert re.fullmatch(r"port of rfc3986: \d+ texts, \d+ of them valid \(\d{4}-\d\d-\d\d\)", head)
    assert legend.startswith("▲ accepts wrongly")
    assert [" ".join(line.split()) for line in lines] == [
        "", "judging:wrong: 2 groups of wrong verdicts", "accepts when: returns what is true",
        "1 ▲ port accepts a line end 1, 1 of 2 refusals: 1\\n (3.2.3, sentence 1)",
        '2 ▼ port rejects the end 1, 1 of 4 transitions: "" (3.2.3, sentence 1)', "",
        "judging:right: no wrong verdict", "accepts when: returns what is true",
    ]  # fmt: skip
    more = run("judging:wrong", "--rule=port", "--verbose")[1].splitlines()
    assert [line.strip() for line in more if line.startswith("      ")] == [
        "a line end: 1: 1\\n",
        'the end: 1: ""',
    ]


def test_a_group_is_an_issue(run):
    code, out, err = run("judging:wrong", "judging:right", "--rule", "port", "--issue", "1")
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "# port accepts a line end: 1\\n", "",
        "judging:wrong, against the rule `port` of rfc3986 (RFC 3986, section 3.2.3, sentence 1):",
        "", "    port = *DIGIT", "", r'The shortest text that shows it: `"1\n"`', "",
        "- expected: invalid; at offset 1 the rule allows DIGIT or end",
        "- found: the parser accepts it", "", "Tests to add (returns what is true):", "",
        r'- `"1\n"` is invalid: a line end',
    ]  # fmt: skip
    code, out, err = run("judging:wrong", "--rule", "port", "--issue", "2")
    assert "- expected: valid\n- found: the parser rejects it\n" in out
    assert '- `""` is valid: ' in out
    assert run("judging:wrong", "--rule", "port", "--issue", "3")[::2] == (
        2,
        "uriparse conformance trial: --issue is one of the 2 groups of errors, not 3\n",
    )


def test_no_fault_is_exit_code_0(run):
    assert run("judging:right", "--rule", "port")[0] == 0


def test_json(run):
    code, out, err = run("judging:wrong", "judging:stopping", "--rule=port", "--format=json")
    assert (code, err) == (1, "")
    wrong, stopping = map(json.loads, out.splitlines())
    assert (wrong["parser"], wrong["rule"], wrong["grammar"]) == (
        "judging:wrong", "port", "rfc3986",
    )  # fmt: skip
    assert wrong["asked"] == wrong["texts"] > 100
    first, *_ = wrong["groups"]
    assert first == {
        "direction": "accepts", "component": "port", "title": "port accepts a line end",
        "section": "3.2.3", "sentence": 1, "number": 1, "steps": 1, "of": 2, "witness": "1\n",
        "parts": [{"what": "a line end", "number": 1, "witness": "1\n"}],
    }  # fmt: skip
    assert stopping["groups"] == []
    assert stopping["unanswered"] == [{"what": "crashed", "number": 1, "witness": "a"}]


def test_a_page_stands_alone(run):
    code, out, err = run("judging:wrong", "judging:anything", "--format=html")
    assert (code, err) == (1, "")
    assert out.isascii()
    assert "<script" not in out
    assert not re.search(r"(src|href)=.?(https?:|//)", out)
    page = Page(out)
    assert len(set(page.ids)) == len(page.ids)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    words = "".join(page.words)
    for said in (
        "judging:wrong",
        "query accepts anything",
        'IPvFuture = "v" 1*HEXDIG',
        "▲",
        "▼",
        "refusals",
    ):
        assert said in words
    assert re.search(r"\d{4}-\d\d-\d\d\. [0-9,]+ texts", words)
    for needed in ("prefers-color-scheme: dark", "color-scheme: light dark", "overflow-x: auto"):
        assert needed in out
    assert 'name="viewport"' in out
    assert out.count("<details ") == out.count("<summary>") > 10


def test_names_and_texts_are_escaped_on_a_page(run):
    Path("s.ndjson").write_text(json.dumps("a:<img src=x onerror=alert(1)>\u202e\x1b[31m"))
    program = f'{sys.executable} -u -c "import sys; [print(1<2) for _ in sys.stdin]" "<b>&amp;"'
    code, out, _ = run(program, "--suite=s.ndjson", "--format=html")
    assert code == 1
    page = Page(out)
    assert "<img" not in out
    assert "<b>" not in out
    words = "".join(page.words)
    assert r"a:<img src=x onerror=alert(1)>\u202e\x1b[31m" in words
    assert "<b>&amp;" in words


def test_out_writes_a_file(run):
    code, out, err = run("judging:wrong", "--rule=port", "--out=report.txt")
    assert (code, out, err) == (1, "", "")
    assert "▲ port accepts a line end" in Path("report.txt").read_text(encoding="utf-8")


@each_case(("argv", "message"), TABLES["misuse"])
def test_misuse(run, argv, message):
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    assert message in err


def test_one_that_does_not_start_is_told_beside_the_others(run):
    code, out, _ = run("none:f", "judging:right", "--rule=port")
    assert code == 2
    assert "judging:right: no wrong verdict" in out
    assert "none:f: did not start: ModuleNotFoundError: No module named 'none'" in out
    code, out, _ = run("none:f", "--rule=port", "--format=json")
    assert json.loads(out)["trouble"].startswith("did not start: ModuleNotFoundError")


def test_a_rule_of_a_file(run):
    Path("own.abnf").write_text("top = 1*2pair\r\npair = DIGIT\r\n")
    code, out, err = run("judging:right", "--grammar=own.abnf", "--format=json")
    assert (code, err) == (1, "")
    found = json.loads(out)
    assert (found["rule"], found["grammar"]) == ("top", "own")
    assert {group["title"] for group in found["groups"]} == {"top accepts DIGIT or the end"}


SUITES = {
    "strings": '"1"\n"a"\n',
    "objects": '{"text": "1", "valid": true}\n{"text": "a", "valid": false}\n{"text": ""}',
    "ndjson": '{"suite": {"rule": "port"}}\n{"text": "1"}\n',
    "txt": '# 3 texts\nvalid\t"1"\tend at offset 1\ninvalid\t"a"\t"a" at offset 0\n',
}


@each_case("name", SUITES)
def test_suites_of_any_form_are_read(run, name):
    Path("suite").write_text(SUITES[name])
    code, out, err = run("judging:right", "--rule=port", "--suite=suite", "--format=json")
    assert (code, err) == (0, "")
    assert json.loads(out)["texts"] == len(re.findall('"(1|a|)"[,}\n\t]', SUITES[name]))


@each_case(("suite", "message"), TABLES["what_is_no_suite_is_refused_by_line"])
def test_what_is_no_suite_is_refused_by_line(run, suite, message):
    Path("suite").write_text(suite)
    code, out, err = run("judging:right", "--rule=port", "--suite=suite")
    assert (code, out, err) == (2, "", f"uriparse conformance trial: {message}\n")


@each_case("form", ["text", "json", "html"])
def test_passwords_of_a_suite_are_masked(run, form):
    texts = [f"http://u:{SECRET}@h/", f"http://u:{SECRET[:4]}@h/?]", "a:b"]
    Path("suite").write_text("\n".join(map(json.dumps, texts)))
    argv = ["judging:anything", "judging:wrong", "--suite=suite", f"--format={form}"]
    code, out, _ = run(*argv)
    assert code == 1
    assert SECRET[:4] not in out
    assert "http://u:***@h/" in out
    assert '"]" or a masked' not in out
    assert SECRET in run(*argv, "--show-passwords")[1]
