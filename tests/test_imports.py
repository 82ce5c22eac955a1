"""Imports point to the left only, `import uriparse` stays light, and only the CLI talks."""

import ast
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from cases import each_case
from places import FRAMEWORKS
from public_names import PUBLIC

import uriparse

ROOT = Path(uriparse.__file__).parent
COMPILER = ROOT.parent / "tools/abnf2lark"
# A wing imports from itself and from those before it.
WINGS = [
    *("excerpt", "errors", "migration_hints", "coerce", "pydantic_schema"),
    *("_compiled", "grammar", "_native"),
    *("percent", "records", "diagnosis", "parsing", "resolution", "iri", "normalization", "text"),
    *("building", "schemes", "legacy", "validation", "rule_sources", "expressions"),
    *("operations", "argparse", "logs"),
    *("arrow", *(name for name in FRAMEWORKS if name != "hypothesis")),
    *("cli", "conformance", "hypothesis", "__main__"),
]
STAGES = [
    *("outputs", "reading", "extraction", "charts", "automata", "tables", "mutants", "patterns"),
    *("tagged", "lark_grammars", "pages", "diagrams", "checks", "building", "library", "process"),
    *("subcommands", "command", "__main__"),
]
SHARED = {"abnf2lark.process", "abnf2lark.outputs"}
"""What both commands use: it is part of the one that must not import the other."""
LARK = {"grammar", "parsing", "schemes"}
MODULES = sorted(ROOT.rglob("*.py"))
SOURCES = sorted(COMPILER.rglob("*.py"))
assert MODULES
assert SOURCES


def name_of(path, root):
    """The dotted name of a module; a package goes by its own name."""
    parts = [root.name, *path.relative_to(root).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part(path, root=ROOT):
    """The wing that a file stands in, or its own name; "" for the package's front."""
    return name_of(path, root).partition(".")[2].partition(".")[0]


@cache
def syntax(path):
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path, *, for_types=False):
    """Every module that a file imports, at any depth; those for type checkers if asked for."""
    return tuple(_imported(path, for_types=for_types))


def _imported(path, *, for_types):
    if b"import" not in path.read_bytes():
        return  # the tables of the grammars, which are large
    tree = syntax(path)
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
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def graph(root):
    """Module → the modules of its package that it imports, for types too; fronts are its parts."""
    paths = {name_of(path, root): path for path in sorted(root.rglob("*.py"))}
    edges = {}
    for name, path in paths.items():
        edges[name] = set()
        for full in imported(path, for_types=True):
            target = full
            while target and target not in paths:
                target = target.rpartition(".")[0]
            if target and target != name:
                edges[name].add(target)
    return edges


@pytest.mark.parametrize(("root", "order"), [(ROOT, WINGS), (COMPILER, STAGES)])
def test_imports_point_to_the_left(root, order):
    for path in sorted(root.rglob("*.py")):
        here = part(path, root)
        if not here:
            continue
        for target in imported(path, for_types=True):
            package, _, rest = target.partition(".")
            there = rest.partition(".")[0]
            if package == root.name and there in order:
                assert order.index(there) <= order.index(here), f"{path} imports {target}"


@pytest.mark.parametrize(("root", "order"), [(ROOT, WINGS), (COMPILER, STAGES)])
def test_every_wing_has_its_place(root, order):
    assert {part(path, root) for path in root.rglob("*.py")} - {""} == set(order)
    assert len(order) == len(set(order))


@pytest.mark.parametrize("root", [ROOT, COMPILER], ids=["uriparse", "abnf2lark"])
def test_no_imports_run_in_a_circle(root):
    try:
        TopologicalSorter(graph(root)).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))


@pytest.mark.parametrize("root", [ROOT, COMPILER], ids=["uriparse", "abnf2lark"])
def test_fronts_are_used(root):
    """What a wing's front exports is taken from there by the other wings."""
    exported = {}
    for path in root.rglob("__init__.py"):
        names = [
            ast.literal_eval(node.value)
            for node in syntax(path).body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        ]
        exported[name_of(path, root)] = set(names[0]) if names else set()
    for path in sorted(root.rglob("*.py")):
        here = name_of(path, root)
        for target in imported(path, for_types=True):
            module, _, name = target.rpartition(".")
            wing = ".".join(module.split(".")[:2])
            outside = not f"{here}.".startswith(f"{wing}.")
            if outside and module != wing and name in exported.get(wing, ()):
                pytest.fail(f"{here} takes {name} from {module}, not from {wing}")


@each_case("path", MODULES)
def test_lark_and_the_compiler_have_their_places(path):
    shared = SHARED if part(path) == "cli" else set()
    modules = {name for name in imported(path) if not {name, name.rpartition(".")[0]} & shared}
    packages = {name.partition(".")[0] for name in modules}
    if part(path) not in LARK:
        assert "lark" not in packages
    if part(path) not in {"conformance", "rule_sources", "expressions"}:
        assert "abnf2lark" not in packages
    assert not packages & ({"abnf", "socket", "urllib", "http", "requests"} - allowed(path))


def test_the_library_loads_the_compiler_only_when_it_is_asked_to():
    code = "import sys; from uriparse.conformance import suite; "
    code += "list(suite('port', method='transition')); print(*sys.modules)"
    loaded = {name.partition(".")[0] for name in run(code)}
    assert not {"abnf2lark", "abnf", "lark", "hypothesis"} & loaded


def test_what_both_commands_use_imports_nothing_of_the_compiler():
    for name in SHARED:
        path = COMPILER / f"{name.partition('.')[2]}.py"
        assert not [one for one in imported(path) if one.startswith(("abnf2lark", "uriparse"))]


def allowed(path):
    """Other parsers are asked about URLs, in processes that cannot connect."""
    return {"urllib", "http"} if path == ROOT / "conformance/peers/python_parsers.py" else set()


def test_the_compiler_does_not_import_the_library():
    for path in SOURCES:
        packages = {name.partition(".")[0] for name in imported(path, for_types=True)}
        assert "uriparse" not in packages


@each_case("path", MODULES)
def test_only_the_cli_reads_and_writes(path):
    if part(path) == "cli":
        return
    called = {
        node.func.id
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"print", "open", "input", "exec", "eval"}


def run(code):
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.split()


SELDOM = ["percent", "records.servers", "records.scheme_defaults", "diagnosis", "excerpt"]


def test_importing_loads_neither_lark_nor_what_is_seldom_needed():
    loaded = set(run("import sys, uriparse; print(*sys.modules)"))
    assert "uriparse" in loaded
    heavy = {"lark", "abnf", "dataclasses", "inspect", "ipaddress", "difflib", "unicodedata"}
    assert not loaded & heavy
    assert not any("_matchers" in name or "_packed" in name for name in loaded)
    assert not loaded & {f"uriparse.{name}" for name in SELDOM}


def test_parsing_does_not_load_lark():
    code = "import sys, uriparse; uriparse.parse('http://h/'); uriparse.is_valid('x');"
    assert not {"lark", "uriparse.diagnosis"} & set(run(code + "print(*sys.modules)"))


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
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    assert uriparse.__version__ == project["project"]["version"]


@pytest.mark.slow
@each_case(
    "path",
    [
        *(f"uriparse.{wing}" for wing in sorted(uriparse._WINGS)),
        *(f"uriparse.legacy.{name}" for name in uriparse.legacy.__all__),
    ],
)
def test_wings_are_there_when_they_are_asked_for(path):
    assert run(f"import uriparse; print({path}.__name__)") == [path]


def test_every_wing_of_the_library_can_be_asked_for():
    wings = {part(path) for path in MODULES if path.name == "__init__.py"} - {"", "cli"}
    public = {wing for wing in wings if not wing.startswith("_")}
    single_files = {"errors", "expressions", "iri", "percent"}
    assert public | single_files == uriparse._WINGS
    dialects = [path.removeprefix("uriparse.legacy.") for path in PUBLIC if ".legacy." in path]
    assert sorted(dialects) == sorted(uriparse.legacy.__all__) == dir(uriparse.legacy)
    with pytest.raises(AttributeError, match="no attribute 'octets_'"):
        _ = uriparse.legacy.octets_


def test_what_is_in_no_list_is_private():
    shown = {name for name in run("import uriparse; print(*vars(uriparse))") if name[0] != "_"}
    modules = {part(path) for path in MODULES}
    assert shown - modules - {*uriparse.__all__} <= {"annotations", "TYPE_CHECKING"}


def test_no_module_bears_the_name_of_a_public_name():
    modules = {name_of(path, ROOT).rpartition(".")[2] for path in MODULES}
    assert not modules & set(uriparse.__all__)
