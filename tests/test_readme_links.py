"""Links of the README: to files that are there, and absolute on a package index."""

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOME = "https://git.example/uriparse"
pytest.importorskip("hatchling")


def built(home):
    path = ROOT / "tools/build_metadata.py"
    spec = importlib.util.spec_from_file_location("build_metadata", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    metadata = {}
    module.ReadmeHook(str(ROOT), {"home": home}).update(metadata)
    return metadata


def test_without_an_address_the_readme_is_as_it_is():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert built("") == {"readme": {"content-type": "text/markdown", "text": readme}, "urls": {}}
    hooks = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["metadata"]
    assert hooks["hooks"]["custom"]["path"] == "tools/build_metadata.py"


def test_with_an_address_all_links_are_absolute():
    metadata = built(f"{HOME}/")
    targets = re.findall(r"\]\(([^)]*)\)", metadata["readme"]["text"])
    files = [target.removeprefix(f"{HOME}/blob/main/") for target in targets if HOME in target]
    assert len(files) > 20
    assert all((ROOT / file).exists() for file in files)
    assert all(target.startswith(("https://", "http://")) for target in targets)
    assert metadata["urls"]["Source"] == HOME
