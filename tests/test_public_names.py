"""The package's front: its names are there, they are all that it shows, and wings are reached."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from paths import ROOT
from public_names import PUBLIC
from statements import statements

import uriparse

FILES = [path.relative_to(ROOT / "uriparse") for path in (ROOT / "uriparse").rglob("*.py")]
PACKAGES = {path.parent.parts[0] for path in FILES if path.match("?*/__init__.py")}
NAMED = (
    re.compile(r"^\.\. currentmodule:: (\S+)", re.MULTILINE),
    re.compile(r"^(?:>>> )?from (\S+) import", re.MULTILINE),
)


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
    single_files = {"iri", "percent"}
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


MOST_WITH_INTERNALS = 102
"""The most files of the tests that may import a module which is not public. It only falls."""

OURS = {
    ".".join([package, *path.relative_to(ROOT / place).with_suffix("").parts]).removesuffix(
        ".__init__"
    )
    for package, place in (("uriparse", "uriparse"), ("abnf2lark", "tools/abnf2lark"))
    for path in (ROOT / place).rglob("*.py")
}
"""Every module of ours."""

FRONTS = {name for name in OURS if any(other.startswith(f"{name}.") for other in OURS)}


def documented():
    """The modules whose names a page describes, by its directives, or imports for its readers.

    The page for those who work on the code itself does not count.
    """
    pages = [*(ROOT / "tools/docs").rglob("*.md"), ROOT / "README.md"]
    texts = [page.read_text(encoding="utf-8") for page in pages if page.stem != "contributing"]
    return {name for text in texts for line in NAMED for name in line.findall(text)}


def internals(source, public):
    """Yield each module that a file imports although users do not.

    Public are the packages' fronts, single modules of a package's top, and those that are named.
    """
    for node in statements(source):
        full = []
        if isinstance(node, ast.Import):
            full = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            full = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in full:
            module = name if name in OURS else name.rpartition(".")[0]
            is_front = (module.count(".") <= 1 or module in FRONTS) and "._" not in module
            if module in OURS and not is_front and module not in public:
                yield module


def test_tests_speak_through_public_names():
    public = {*PUBLIC, *documented()}
    sources = {path: path.read_text("utf-8") for path in sorted((ROOT / "tests").rglob("*.py"))}
    found = {path: {*internals(source, public)} for path, source in sources.items()}
    assert len(sources) > 200
    files = [str(path.relative_to(ROOT)) for path, modules in found.items() if modules]
    assert len(files) <= MOST_WITH_INTERNALS, "\n".join(files)
