"""Links of the README: to files that are there, and absolute once the repository has an address."""

import re
import tomllib

import pytest
from paths import ROOT

core = pytest.importorskip("hatchling.metadata.core")
manager = pytest.importorskip("hatchling.plugin.manager")
pytest.importorskip("hatch_fancy_pypi_readme")
HOME = "https://git.example/uriparse/blob/main/"


def shown(configuration):
    """Return the README as a package index shows it."""
    return core.ProjectMetadata(str(ROOT), manager.PluginManager(), configuration).core.readme


def configured():
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_without_an_address_the_readme_is_as_it_is():
    assert shown(configured()) == (ROOT / "README.md").read_text("utf-8")


def test_with_an_address_all_links_are_absolute():
    configuration = configured()
    hook = configuration["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    (links,) = hook["substitutions"]
    links["replacement"] = links["replacement"].replace(r"\1", rf"{HOME}\1")
    targets = re.findall(r"\]\(([^)]*)\)", shown(configuration))
    files = [target.removeprefix(HOME) for target in targets if HOME in target]
    assert len(files) > 20
    assert all((ROOT / file.partition("#")[0]).exists() for file in files)
    assert all(target.startswith(("https://", "http://")) for target in targets)
