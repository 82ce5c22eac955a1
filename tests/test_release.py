"""A release is refused until its owner has filled in what only an owner knows."""

import re
import tomllib
from fnmatch import fnmatch

import pytest
from command_runs import run_program
from paths import ROOT

from tools import release

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
FILLED = {"home": "https://git.example/uriparse", "contact": "security@uriparse.example"}


def test_settings_that_are_not_filled_in_are_named():
    assert release.missing(FILLED | {"published": False}) == []
    for name in FILLED:
        (problem,) = release.missing(FILLED | {name: ""})
        assert f'{name} = ""' in problem
    assert set(release.settings()) == {*FILLED, "published"}


def test_a_workflow_that_publishes_asks_for_them_first():
    text = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    first, *others = re.split(r"\n  (?=\w+:\n    (?:needs|runs-on))", text.partition("jobs:")[2])
    assert not first.strip()
    version, *later = others
    assert "python3 -m tools.release --check" in version
    assert all(re.search(r"needs: .*(version|pure)", job) for job in later)
    assert "--require-hashes -r .github/release-tools.txt" in text


def test_pinned_tools_are_those_of_the_group_and_have_hashes():
    lines = (ROOT / ".github/release-tools.txt").read_text("utf-8").splitlines()
    pinned = {line.partition("==")[0] for line in lines if "==" in line}
    wanted = {re.match(r"[\w-]+", one)[0] for one in PROJECT["dependency-groups"]["release"]}
    assert wanted <= pinned
    assert "\n".join(lines).count("--hash=sha256:") >= len(pinned)


def test_actions_are_pinned_to_commits(tmp_path):
    assert release.unpinned() == []
    folder = tmp_path / ".github/workflows"
    folder.mkdir(parents=True)
    (folder / "a.yml").write_text(f"- uses: a/b@{'0' * 40} # v1\n- uses: a/c@v1\n", "utf-8")
    assert release.unpinned(tmp_path) == [
        ".github/workflows/a.yml: a/c@v1: name a commit, of 40 digits, instead"
    ]


def test_pages_say_how_to_install_what_is_there(monkeypatch):
    assert release.install_command("polars") == "pip install '.[polars]'"
    monkeypatch.setattr(release, "settings", lambda: {"published": True})
    assert release.install_command("polars") == "pip install 'uriparse[polars]'"
    assert release.install_command() == "pip install uriparse"
    pages = [ROOT / "README.md", *(ROOT / "tools/docs").rglob("*.md")]
    early = re.compile(r"pip install [^`\n&]*\buriparse\b(?!/)")
    assert [page.name for page in pages if early.search(page.read_text("utf-8"))] == []


def test_the_source_archive_has_every_file_of_the_repository():
    listed = run_program("git", "ls-files", cwd=ROOT, check=False)
    if listed.returncode or not listed.stdout:
        pytest.skip("this is not a clone")
    target = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]
    tops = {name.partition("/")[0] for name in listed.stdout.splitlines()} - {"pyproject.toml"}
    assert tops
    assert [t for t in tops if not any(fnmatch(t, one) for one in target["include"])] == []
    assert [t for t in tops if any(fnmatch(t, one) for one in target["exclude"])] == []


def test_the_citation_has_the_version():
    text = (ROOT / ".github/CITATION.cff").read_text("utf-8")
    assert f"version: {PROJECT['project']['version']}\n" in text
    assert f"license: {PROJECT['project']['license']}\n" in text


def test_seeds_of_the_fuzzer_are_texts_of_the_suite(tmp_path, monkeypatch):
    import runpy
    import zipfile

    monkeypatch.setattr("sys.argv", ["seeds.py", str(tmp_path / "seeds.zip")])
    runpy.run_path(str(ROOT / "tools/fuzz/seeds.py"))
    with zipfile.ZipFile(tmp_path / "seeds.zip") as seeds:
        assert len(seeds.namelist()) > 300
    for name in ("build.sh", "Dockerfile", "project.yaml"):
        assert (ROOT / "tools/fuzz" / name).is_file()
