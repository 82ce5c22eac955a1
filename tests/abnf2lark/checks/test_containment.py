"""Claims that a rule lies within another are proved, or refuted by a word."""

import pytest
from paths import GRAMMARS

from abnf2lark.building.project import BuildError, rendered
from abnf2lark.problems import InputError

CLAIM = """
[core]
title = "c"
source = "s"
[a]
title = "a"
source = "s"
[a.within]
%s
[b]
title = "b"
source = "s"
"""


@pytest.fixture
def build(tmp_path):
    def make(claim):
        (tmp_path / "core.abnf").write_text((GRAMMARS / "core.abnf").read_text())
        (tmp_path / "a.abnf").write_text('narrow = 2DIGIT\nwide = 1*DIGIT\nodd = wide / "x"\n')
        (tmp_path / "b.abnf").write_text("other = 1*HEXDIG\n")
        (tmp_path / "grammars.toml").write_text(CLAIM % claim)
        return rendered(tmp_path, tmp_path / "out", lambda *_: None)

    return make


@pytest.mark.parametrize("claim", ['narrow = "wide"', 'wide = "b:other"', 'narrow = "NARROW"'])
def test_what_holds_builds(build, claim):
    assert build(claim)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ('odd = "wide"', "a: odd derives 'x', which wide does not"),
        ('wide = "narrow"', "a: wide derives '0', which narrow does not"),
        ('odd = "b:other"', "a: odd derives 'x', which b:other does not"),
    ],
)
def test_what_does_not_hold_is_refuted_by_a_word(build, claim, message):
    with pytest.raises(BuildError) as caught:
        build(claim)
    assert str(caught.value).endswith(message)


@pytest.mark.parametrize("claim", ['none = "wide"', 'wide = "none"', 'wide = "c:wide"'])
def test_what_is_not_there_is_named(build, claim):
    with pytest.raises(InputError, match=r"^within of a: there is no rule "):
        build(claim)
