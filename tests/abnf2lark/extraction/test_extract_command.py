"""`abnf2lark extract`: rules on standard output, what is told about them on standard error."""

from pathlib import Path

import pytest
from cases import documents

EXCERPTS = Path(__file__).parent / "excerpts"
TEXT = documents(__file__)["TEXT"]
LIST = '"#" is not ABNF: the list 1#x of RFC 822 and RFC 9110 is x *( OWS "," OWS x )'
RULES = documents(__file__)["RULES"]


@pytest.fixture(autouse=True)
def _rfc1(tmp_path):
    (tmp_path / "rfc1.txt").write_text(TEXT)


def test_the_rules_go_out_and_the_findings_have_the_lines_of_the_text(abnf2lark):
    done = abnf2lark("extract", "rfc1.txt")
    assert (done.code, done.out) == (0, RULES)
    assert done.err == (
        'rfc1.txt:6:7: core-rule: "DIGIT" repeats the core rule DIGIT\n'
        "        DIGIT   = %x30-39\n"
        "        ^\n"
        "rfc1.txt:9:4: left-out: it reads like prose: "
        'none of "the name of a thing" is a rule\n'
        "     number = the name of a thing\n"
        "     ^\n"
    )


def test_errors_of_the_text_end_it_with_1_but_the_rest_is_written(abnf2lark, tmp_path):
    (tmp_path / "t.txt").write_text('  a = 1#b\n  c = undefined-one "x"\n')
    done = abnf2lark("extract", "t.txt", "-o", "t.abnf")
    assert done.code == 1
    assert [line for line in done.err.splitlines() if line.startswith("t.txt")] == [
        f"t.txt:1:8: left-out: {LIST}",
        't.txt:2:7: undefined: "undefined-one" is not defined',
    ]
    assert (tmp_path / "t.abnf").read_text().endswith('; line 2\nc = undefined-one "x"\n')
