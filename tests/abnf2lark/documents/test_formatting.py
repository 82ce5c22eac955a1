"""`abnf2lark format`: the style of RFCs, the same meaning, every comment."""

import pytest
from cases import check_all, documents
from paths import ROOT

from abnf2lark.formatting import WIDTH, formatted
from abnf2lark.problems import Source
from abnf2lark.reading import load

GRAMMARS = [*sorted((ROOT / "grammar").glob("*.abnf"))]
GRAMMARS += [*sorted((ROOT / "tools/collection/grammars").glob("*.abnf"))]
assert len(GRAMMARS) > 60

MESSY = documents(__file__)["MESSY"]
WRITTEN = documents(__file__)["WRITTEN"]


def test_the_style():
    text = MESSY.replace("\n", "\r\n")
    assert formatted(Source("t", text)) == WRITTEN


def meaning(text):
    grammar, _ = load(Source("t", text, lenient=True), "t")
    return [(name, grammar.rules[name].body) for name in grammar.own]


@pytest.mark.slow
def test_every_grammar_keeps_its_meaning_and_its_comments():
    def judge(path):
        text = path.read_text(encoding="utf-8")
        done = formatted(Source(path.name, text))
        assert meaning(done) == meaning(text)
        assert formatted(Source(path.name, done)) == done
        assert "".join(done.split()).replace("0<", "<") == "".join(text.split()).replace("0<", "<")
        long = [line for line in done.splitlines() if len(line) > WIDTH and ";" not in line]
        assert not [line for line in long if len(line.split(" = ")[-1].split()) > 2]

    broken = {"content-security-policy.abnf", "jmespath.abnf"}  # which are no ABNF
    check_all([path for path in GRAMMARS if path.name not in broken], judge)


def test_the_command_prints_checks_or_writes(abnf2lark, tmp_path):
    done = abnf2lark("format", "t.abnf", t="a=b\nb  =  DIGIT\n")
    assert (done.code, done.out) == (0, "a = b\nb = DIGIT\n")
    done = abnf2lark("format", "--check", "t.abnf")
    assert (done.code, done.out.splitlines()[-4:]) == (
        1,
        ["-a=b", "-b  =  DIGIT", "+a = b", "+b = DIGIT"],
    )
    assert (tmp_path / "t.abnf").read_text() == "a=b\nb  =  DIGIT\n"
    done = abnf2lark("format", "--write", "t.abnf")
    assert (done.code, done.out, done.err) == (1, "", "t.abnf: written anew\n")
    assert (tmp_path / "t.abnf").read_text() == "a = b\nb = DIGIT\n"
    assert abnf2lark("format", "--write", "t.abnf").code == 0
    done = abnf2lark("format", "--write", "t.abnf", "u.abnf", t="a=b\n", u="c = (\n")
    assert (done.code, (tmp_path / "t.abnf").read_text()) == (1, "a=b\n")
    assert done.err.startswith('u.abnf:1:5: syntax: "(" is never closed')
