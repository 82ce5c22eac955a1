"""The tools of the repository: the measures of the house, and the check of a change."""

import re
import subprocess
import sys

import pytest
from paths import ROOT

sys.path.insert(0, str(ROOT))
check = pytest.importorskip("tools.check")
house = pytest.importorskip("tools.house")
STEPS = [("good", "pass"), ("bad", "raise SystemExit(1)")]


@pytest.mark.slow
def test_the_picture_of_the_house_is_drawn_from_the_imports():
    page = (ROOT / "tools/docs/reference/layout.md").read_text(encoding="utf-8")
    assert house.picture() in page, "put in it what `python -m tools.house --picture` prints"


def test_wings_that_import_each_other_have_no_layers():
    with pytest.raises(ValueError, match="in a circle: a, b"):
        house.layers({"a": {"b"}, "b": {"a"}, "c": set()})


def test_lines_are_counted(tmp_path):
    (tmp_path / "tools/abnf2lark").mkdir(parents=True)
    (tmp_path / "uriparse/_compiled").mkdir(parents=True)
    (tmp_path / "uriparse/_compiled/x.py").write_text("x = 1\n" * 50)
    text = '"""Say.\n\n# not a comment\n"""\n\nfrom a import (\n    b,\n)\n\n# why\nb()  # noqa\n'
    (tmp_path / "uriparse/one.py").write_text(text)
    files = list(house.sources(tmp_path))
    assert house.counts(files) == (1, text.count("\n"), 3, 1)
    assert house.purpose(files, "uriparse", "one") == "Say"


def test_the_table_has_the_lines_that_git_knows():
    known = subprocess.run(
        ["git", "ls-files", "uriparse", "tools/abnf2lark"], cwd=ROOT, capture_output=True,
        text=True, check=False,
    ).stdout.splitlines()  # fmt: skip
    if not known:
        pytest.skip("not a clone")
    paths = [ROOT / name for name in known if re.fullmatch(r"(?!.*/_compiled/).*\.(py|c|h)", name)]
    lines = sum(path.read_bytes().count(b"\n") for path in paths if path.exists())
    assert sum(file.text.count("\n") for file in house.sources(ROOT)) >= lines


@pytest.mark.parametrize(("changed", "tests"), [
    ("uriparse/percent.py", ["tests/percent", "uriparse/percent.py"]),
    ("uriparse/_native/kernel.h", ["tests/native"]),
    ("tools/docs/contributing.md", ["tests/documentation/test_snippets.py"]),
    ("tests/test_tools.py", ["tests/test_tools.py"]), ("LICENSE", []),
])  # fmt: skip
def test_a_change_names_its_tests(changed, tests):
    assert check.tests_of([changed]) == tests


def test_a_step_that_fails_is_named_and_one_without_time_is_left_out(capfd):
    good, bad = (check.Step(word, [sys.executable, "-c", code], 1) for word, code in STEPS)
    assert check.run([good, bad], 30) == (["bad"], [])
    assert "good: passed" in capfd.readouterr().out
    assert check.run([good], 0) == ([], ["good"])
