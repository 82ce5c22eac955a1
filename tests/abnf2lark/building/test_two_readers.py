"""`abnf2lark build` reads each grammar a second time, by the package abnf."""

import pytest

from abnf2lark import second_reading
from abnf2lark.ir import Chars

TOML = '[core]\ntitle = "Core"\nsource = "RFC 5234"\n\n[own]\ntitle = "Own"\nsource = "here"\n'


@pytest.fixture
def build(abnf2lark, tmp_path):
    (tmp_path / "grammars.toml").write_text(TOML)
    (tmp_path / "core.abnf").write_text("DIGIT = %x30-39\n")

    def run(text):
        (tmp_path / "own.abnf").write_text(text)
        return abnf2lark("build", "--grammars", ".", "--out", "made", "--jobs", "1")

    return run


def test_a_grammar_that_only_one_can_read_is_named(build):
    done = build("; é\na = DIGIT\n")
    assert done.code == 0
    told = "abnf2lark: own: read once only: the package abnf cannot read on from line 1"
    assert told in done.err.splitlines()
    assert "read once" not in build("a = DIGIT\n").err


def test_nothing_is_built_where_the_two_differ(build, monkeypatch, tmp_path):
    monkeypatch.setattr(second_reading, "_literal", lambda _: Chars.single("y"))
    done = build('a = "b"\n')
    assert (done.code, (tmp_path / "made").exists()) == (1, False)
    assert "second-reader: the package abnf reads " in done.err
