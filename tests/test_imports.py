"""Imports point to the left only, `import uriparse` stays light, and only the CLI talks."""

import ast
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

import uriparse

ROOT = Path(uriparse.__file__).parent
# Modules may import from their own layer and from those before it.
LAYERS = [
    "_compiled textual draft excerpt scheme_defaults",
    "errors",
    "matchers automata",
    "components",
    "hosts authority records percent *triplets",
    "readers lark_parser derivation characters grammar transform parse situation signs cause* dia*",
    "inputs dot_segments resolve normalize relativize equivalence references base* iri idna* text*",
    "schemes legacy",
    "validation",
    "conformance",
    "cli",
]
FRONT = {"__init__", "__main__"}
LARK = {"grammar", "transform", "lark_parser", "schemes", "conformance"}
MODULES = sorted(path for path in ROOT.rglob("*.py"))
assert MODULES


def part(path):
    """The layered name of a file: its top package or module."""
    return path.relative_to(ROOT).with_suffix("").parts[0]


def layer(name):
    for number, patterns in enumerate(LAYERS):
        if any(fnmatch(name, pattern) for pattern in patterns.split()):
            return number
    pytest.fail(f"give {name} its place among the layers")


def imported(path, *, for_types=False):
    """Every module that a file imports, at any depth; those for type checkers if asked for."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = set()
    for node in ast.walk(tree):
        guard = isinstance(node, ast.If) and isinstance(node.test, ast.Name)
        if guard and node.test.id == "TYPE_CHECKING" and not for_types:
            skipped.update(id(inner) for child in node.body for inner in ast.walk(child))
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_to_the_left(path):
    here = part(path)
    if here in FRONT:
        return
    for name in imported(path):
        package, _, rest = name.partition(".")
        if package == "uriparse":
            assert layer(rest.partition(".")[0]) <= layer(here), f"{here} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_lark_and_the_compiler_have_their_places(path):
    packages = {name.partition(".")[0] for name in imported(path)}
    if part(path) not in LARK:
        assert "lark" not in packages
    if part(path) != "conformance":
        assert "abnf2lark" not in packages
    assert not packages & {"abnf", "socket", "urllib", "http", "requests"}


def test_the_compiler_does_not_import_the_library():
    sources = sorted((ROOT.parent / "tools/abnf2lark").rglob("*.py"))
    assert sources
    for path in sources:
        packages = {name.partition(".")[0] for name in imported(path, for_types=True)}
        assert "uriparse" not in packages


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_cli_reads_and_writes(path):
    if part(path) in {"cli", "__main__"}:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"print", "open", "input", "exec", "eval"}


def run(code):
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_importing_loads_neither_lark_nor_what_is_seldom_needed():
    loaded = set(run("import sys, uriparse; print(*sys.modules)"))
    assert "uriparse" in loaded
    heavy = {"lark", "abnf", "dataclasses", "inspect", "ipaddress", "difflib", "unicodedata"}
    assert not loaded & heavy
    assert not any("_matchers" in name or "_tables" in name for name in loaded)


def test_parsing_does_not_load_lark():
    code = "import sys, uriparse; uriparse.parsing.parser('http://h/'); uriparse.is_valid('x');"
    assert not {"lark", "uriparse.diagnosis.diagnosing"} & set(run(code + "print(*sys.modules)"))


def test_every_public_name_is_there():
    assert len(set(uriparse.__all__)) == len(uriparse.__all__)
    for name in uriparse.__all__:
        assert getattr(uriparse, name) is not None
        assert name in dir(uriparse)
    assert set(uriparse._LAZY) <= set(uriparse.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = uriparse.nonsense


def test_functions_are_not_hidden_by_the_modules_they_live_in():
    for name in uriparse.__all__:
        __import__(f"uriparse.{name}") if (ROOT / f"{name}.py").exists() else None
        assert not isinstance(getattr(uriparse, name), type(sys)), name


def test_layers_are_named_once():
    names = " ".join(LAYERS).split()
    assert len(names) == len(set(names))
