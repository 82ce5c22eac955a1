"""The command as a whole: what it loads and needs, and how it ends."""

import subprocess
import sys

import pytest
from cases import each_case, tables

TABLES = tables(__file__)

TEXT = "a = 1*DIGIT\n"


def imports_of(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split("loaded:")[1].split())


@pytest.mark.slow
@each_case("arguments", [["--help"], ["build", "--help"], ["compile", "--help"]])
def test_help_loads_neither_lark_nor_abnf(arguments):
    loaded = imports_of(
        "import sys, contextlib\n"
        "from abnf2lark.command import main\n"
        f"with contextlib.suppress(SystemExit): main({arguments})\n"
        "print('loaded:', *sys.modules)"
    )
    assert "abnf2lark.command" in loaded
    assert not {name for name in loaded if name.partition(".")[0] in {"lark", "abnf"}}


def test_a_missing_package_is_named(abnf2lark, monkeypatch):
    package = "lark"
    for name in list(sys.modules):
        if name.partition(".")[0] == package or name.startswith("abnf2lark.lark_grammars"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    done = abnf2lark("compile", "t.abnf", t=TEXT)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"abnf2lark: {package} is not installed, which is needed here: pip install {package}\n"
    )


@each_case(("arguments", "told"), TABLES["an_option_that_is_none_is_told_first"])
def test_an_option_that_is_none_is_told_first(abnf2lark, arguments, told):
    done = abnf2lark(*arguments, t=TEXT)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
