"""The package's front: its names are there, they are all that it shows, and wings are reached."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from places import ROOT
from public_names import PUBLIC

import uriparse

FILES = [path.relative_to(ROOT / "uriparse") for path in (ROOT / "uriparse").rglob("*.py")]
PACKAGES = {path.parent.parts[0] for path in FILES if path.match("?*/__init__.py")}


def test_every_public_name_is_there():
    assert len(set(uriparse.__all__)) == len(uriparse.__all__)
    for name in uriparse.__all__:
        assert getattr(uriparse, name) is not None
        assert name in dir(uriparse)
    assert set(uriparse._LAZY) <= set(uriparse.__all__)
    with pytest.raises(AttributeError, match=r"no attribute 'nonsense'$"):
        _ = uriparse.nonsense
    assert dir(uriparse) == sorted(uriparse.__all__)


def test_the_version_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert uriparse.__version__ == project["project"]["version"]


def run(code):
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.slow
def test_wings_are_there_when_they_are_asked_for():
    wings = [f"uriparse.{wing}" for wing in sorted(uriparse._WINGS)]
    for path in (*wings, *(f"uriparse.legacy.{name}" for name in uriparse.legacy.__all__)):
        assert run(f"import uriparse; print({path}.__name__)") == [path]


def test_every_wing_of_the_library_can_be_asked_for():
    public = {wing for wing in PACKAGES - {"cli"} if not wing.startswith("_")}
    single_files = {"errors", "expressions", "iri", "percent"}
    assert public | single_files == uriparse._WINGS
    dialects = [path.removeprefix("uriparse.legacy.") for path in PUBLIC if ".legacy." in path]
    assert sorted(dialects) == sorted(uriparse.legacy.__all__) == dir(uriparse.legacy)
    with pytest.raises(AttributeError, match="no attribute 'octets_'"):
        _ = uriparse.legacy.octets_


def test_what_is_in_no_list_is_private():
    shown = {name for name in run("import uriparse; print(*vars(uriparse))") if name[0] != "_"}
    modules = {Path(path.parts[0]).stem for path in FILES}
    assert shown - modules - {*uriparse.__all__} <= {"annotations", "TYPE_CHECKING"}


def test_no_module_bears_the_name_of_a_public_name():
    modules = {path.parent.name if path.stem == "__init__" else path.stem for path in FILES}
    assert not modules & set(uriparse.__all__)
