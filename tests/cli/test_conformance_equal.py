"""`uriparse conformance equal`: what `abnf2lark diff` says, with the exit codes of this command."""

import pytest

from uriparse.cli import main

pytestmark = pytest.mark.slow

CASES = [
    (
        ("rfc3986:query", "rfc3986:fragment"),
        0,
        "equal: rfc3986:query and rfc3986:fragment match the same texts\n",
    ),
    (
        ("own.abnf:s", "rfc3986:scheme"),
        1,
        """subset: all that own.abnf:s matches, rfc3986:scheme matches too
  only rfc3986:scheme matches "a+"
""",
    ),
]


@pytest.fixture(autouse=True)
def _own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.abnf").write_text('s = 1*ALPHA\nn = "(" [ n ] ")"\np = 1*pchar\n')


@pytest.mark.parametrize(("arguments", "code", "said"), CASES)
def test_it_says_what_tells_rules_apart(capsys, arguments, code, said):
    assert main(["conformance", "equal", *arguments, "--import", "rfc3986"]) == code
    assert capsys.readouterr() == (said, "")


REFUSED = {
    "rfc3986": "uriparse: rfc3986: name a grammar and a rule of it, as in rfc3986:URI\n",
    "own.abnf:n": "uriparse: n of own is recursive, n → n, so it has no automaton\n",
    "none.abnf:n": "uriparse: none.abnf: No such file or directory\n",
}


@pytest.mark.parametrize("operand", REFUSED)
def test_what_cannot_be_compared_is_told(capsys, operand):
    command = ["conformance", "equal", operand, "rfc3986:URI", "--import", "rfc3986"]
    assert main(command) == 2
    assert capsys.readouterr() == ("", REFUSED[operand])


def test_a_grammar_with_problems_is_told(capsys):
    command = ["conformance", "equal", "own.abnf:p", "rfc3986:segment-nz"]
    assert main(command) == 2
    assert 'own.abnf:3:7: undefined: "pchar" is not defined' in capsys.readouterr().err
    assert (
        main(["conformance", "equal", "own.abnf:p", "rfc3986:segment-nz", "--import=rfc3986"]) == 0
    )
