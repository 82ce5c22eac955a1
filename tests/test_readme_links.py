"""Links of the README: to files that are there, and absolute once the repository has an address."""

import re

import pytest
from paths import ROOT

core = pytest.importorskip("hatchling.metadata.core")
manager = pytest.importorskip("hatchling.plugin.manager")
HOME = "https://git.example/uriparse/blob/main/"


def shown(home, tmp_path):
    """Return the metadata of a copy of the project that has an address."""
    (tmp_path / "tools").mkdir()
    for name in ("README.md", "LICENSE", "tools/build_metadata.py", "pyproject.toml"):
        (tmp_path / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
    place = tmp_path / "pyproject.toml"
    written = place.read_text("utf-8")
    assert 'home = ""' in written
    place.write_text(written.replace('home = ""', f'home = "{home}"'), "utf-8")
    return core.ProjectMetadata(str(tmp_path), manager.PluginManager()).core


def test_without_an_address_the_readme_is_as_it_is(tmp_path):
    found = shown("", tmp_path)
    assert found.readme == (ROOT / "README.md").read_text("utf-8")
    assert found.urls == {}


def test_with_an_address_all_links_are_absolute(tmp_path):
    found = shown("https://git.example/uriparse/", tmp_path)
    assert found.urls["Source"] == "https://git.example/uriparse"
    targets = re.findall(r"\]\(([^)]*)\)", found.readme)
    files = [target.removeprefix(HOME) for target in targets if HOME in target]
    assert len(files) > 20
    assert all((ROOT / file.partition("#")[0]).exists() for file in files)
    assert all(target.startswith(("https://", "http://")) for target in targets)
