"""`abnf2lark check`: grammars of documents, their examples, and every form of the findings."""

import json

from cases import documents, each_case, tables

TABLES = tables(__file__)

GRAMMAR = 'list = "[" [ item *( "," item ) ] "]"\nitem = list / 1*DIGIT\n'
MARKDOWN = f"# Lists\n\n~~~ abnf\n{GRAMMAR}~~~\n\nText.\n\n"
HTTP = "~~~ abnf2616\nAccept = #word\nAllow = 1#2word\nword = 1*ALPHA\n~~~\n~~~ Accept\n\n~~~\n"


def headlines(done):
    return [line for line in done.out.splitlines() if line.startswith("d.")]


def check(abnf2lark, tmp_path, text, suffix="md", *options):
    (tmp_path / f"d.{suffix}").write_text(text)
    return abnf2lark("check", f"d.{suffix}", "--once", *options)


@each_case(("example", "told"), TABLES["examples_of_a_document_are_held_to_its_grammar"])
def test_examples_of_a_document_are_held_to_its_grammar(example, told, abnf2lark, tmp_path):
    done = check(abnf2lark, tmp_path, f"{MARKDOWN}\n{example}")
    found = headlines(done)
    assert done.code == bool(told)
    assert len(found) == len(told)
    assert all(line.startswith(start) for line, start in zip(found, told, strict=True))


def test_an_example_of_several_lines_is_one_text(abnf2lark, tmp_path):
    text = "~~~abnf\nhead = 1*( 1*ALPHA CRLF ) CRLF\n~~~\n~~~head\nab\nc\n\n~~~\n"
    assert check(abnf2lark, tmp_path, text.replace("c\n\n", "c\n")).code == 1
    assert check(abnf2lark, tmp_path, text.replace(") CRLF", ")")).code == 0
    found = headlines(check(abnf2lark, tmp_path, text.replace("c\n", "1\n")))
    assert found[0].startswith("d.md:6:1: example: no head: expected ALPHA")


@each_case(
    ("example", "rule", "matches"),
    TABLES["lists_are_those_of_rfc_9110"],
)  # fmt: skip
def test_lists_are_those_of_rfc_9110(example, rule, matches, abnf2lark, tmp_path):
    done = check(abnf2lark, tmp_path, f"{HTTP}~~~ {rule}\n{example}\n~~~\n", "md", "--lists")
    told = [line.split(": ", 1)[1] for line in headlines(done)]
    read = "x is read as a list of x, as in RFC 9110, section 5.6.1"
    assert told[:2] == [f"lenient: #{read}", f"lenient: 1#2{read}"]
    assert (done.code == 0, len(told) == 2) == (matches, matches)
    assert check(abnf2lark, tmp_path, HTTP).code == 1


def test_a_reference_in_prose_keeps_its_text(abnf2lark, tmp_path):
    text = '<rfc><sourcecode type="abnf">a = &lt;host, see {}&gt;</sourcecode></rfc>'
    for own in (
        '<xref target="RFC3986"/>', '<xref target="RFC3986" section="3.2.2"></xref>',
        '<xref target="A">[RFC3986]</xref>',
    ):  # fmt: skip
        assert check(abnf2lark, tmp_path, text.format(own), "xml").code == 0, own
    found = headlines(
        check(abnf2lark, tmp_path, text.format('<xref target="B">[RFC0]</xref>'), "xml")
    )
    assert "[RFC0]>" in found[0]


XML = documents(__file__)["XML"]


@each_case(("changes", "told"), [
    ({}, ["d.xml:10:4: example: no list: "]), ({"[1,": "[1]"}, []),
    ({"list / 1": "list / / 1"}, ["d.xml:8:18: syntax: expected an element, found"]),
    ({"DIGIT": "DIGITS"}, ['d.xml:8:20: undefined: "DIGITS" is not defined']),
    ({"</figure>": ""}, ["d.xml:12:3: encoding: not XML: mismatched tag"]),
    ({' type="abnf"': "", "[1,": "[1]"}, []),  # what looks like rules is taken, then
])  # fmt: skip
def test_elements_of_xml_are_read_with_their_lines(changes, told, abnf2lark, tmp_path):
    text = XML
    for old, new in changes.items():
        text = text.replace(old, new)
    done = check(abnf2lark, tmp_path, text, "xml")
    found = headlines(done)
    assert bool(found) == bool(told)
    assert all(line.startswith(start) for line, start in zip(found, told, strict=False))


def test_the_findings_are_text_json_or_sarif(abnf2lark, tmp_path):
    text = f"{MARKDOWN}~~~ list\n[1,]\n~~~\n~~~ abnf\nCR = %x0D\n~~~\n"
    read = json.loads(check(abnf2lark, tmp_path, text, "md", "--format", "json").out)
    assert [(one["code"], one["line"], one["severity"]) for one in read] == [
        ("example", 11, "error"),
        ("core-rule", 14, "warning"),
    ]
    text = f"{MARKDOWN}~~~ list\n[1,]\n~~~\n"
    log = json.loads(check(abnf2lark, tmp_path, text, "md", "--format", "sarif").out)
    (run,) = log["runs"]
    (result,) = run["results"]
    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["name"] == "abnf2lark"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert (result["ruleId"], result["level"]) == ("example", "error")
    (place,) = result["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "d.md"},
        "region": {"startLine": 11, "startColumn": 4},
    }
    done = check(abnf2lark, tmp_path, text, "md", "--format", "sarif", "--out", "o.sarif")
    assert (done.code, done.out) == (1, "")
    assert json.loads((tmp_path / "o.sarif").read_text()) == log
    assert check(abnf2lark, tmp_path, text, "md", "--out", "d.md").code == 2
