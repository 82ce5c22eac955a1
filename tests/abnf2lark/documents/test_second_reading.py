"""Two readers of ABNF: the package abnf reads what we read, and reads it alike."""

import dataclasses

import pytest
from cases import each_case
from paths import ROOT

from abnf2lark import second_reading as module
from abnf2lark.ir import Chars
from abnf2lark.problems import Source
from abnf2lark.second_reading import second_reading

TEXT = """\
a = "xY" %s"xY" %x61.62 %d10-13 b ; a comment
  / 2*3( b / [ "1" ] ) 0<b> 1*1b *b 3b
  / ( b ( "c" / "d" ) ) <some prose> "" %b1 %x0-10FFFF
b = DIGIT / "é"
b =/ %i"z"
""".replace('"é"', '"e"')


def test_both_read_alike():
    assert second_reading(Source("t", TEXT)) == ([], "")


@pytest.mark.parametrize(
    "name", ["rfc9110", "rfc4248", pytest.param("rfc3986", marks=pytest.mark.slow)]
)
def test_both_read_the_shipped_grammars_alike(name):
    path = ROOT / f"grammar/{name}.abnf"
    assert second_reading(Source(path.name, path.read_text(encoding="utf-8"))) == ([], "")


@each_case(("wrong", "told"), [
    (('"xY"', '"x"'), "a"), (("2*3", "2*4"), "a"), (("0<b>", "<b>"), "a"), (("%s", ""), "a"),
    (("10-13", "10-14"), "a"), (("<some prose>", "<other prose>"), "a"), (("b =/", "b1 ="), "b"),
    (("/ (", "("), "a"),
])  # fmt: skip
def test_a_reader_with_a_fault_is_noticed(wrong, told):
    """One of the two is given another text, as though it had read the first one wrongly."""
    ours = module.read_rules

    def faulty(source, origin):
        return ours(dataclasses.replace(source, text=source.text.replace(*wrong, 1)), origin)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "read_rules", faulty)
        found, _ = second_reading(Source("t", TEXT))
    assert found
    assert found[0].code == "second-reader"
    assert f"reads {told} as" in found[0].message


def test_check_reports_what_two_readers_make(abnf2lark, monkeypatch):
    done = abnf2lark("check", "t.abnf", t="; é\na = 1*DIGIT\n")
    assert done.code == 0
    assert done.out.startswith("t.abnf:1:1: read-once: this grammar is not read a second time: ")
    monkeypatch.setattr(module, "_literal", lambda _: Chars.single("y"))
    done = abnf2lark("check", "t.abnf", t='a = "x"\n')
    assert (done.code, done.out.splitlines()[0].partition("second-reader: ")[2][:24]) == (
        1,
        "the package abnf reads a",
    )
    assert abnf2lark("check", "t.abnf", "--once", t='a = "x"\n').out == ""
