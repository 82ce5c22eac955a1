"""Imports point to the left only, `import uriparse` stays light, and only the CLI talks."""

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

import uriparse

ROOT = Path(uriparse.__file__).parent
COMPILER = ROOT.parent / "tools/abnf2lark"
# A wing imports from itself and from those before it.
WINGS = [
    *("_compiled", "_data_files", "_scheme_facts", "errors", "_base", "grammar", "_native"),
    *("percent", "components"),
    *("diagnosis", "records", "text", "parsing", "resolution", "iri", "whatwg", "trees"),
    *("normalization", "building", "schemes", "legacy", "keys", "validation", "arrow", "guard"),
    *("cli", "conformance", "extra", "_pyinstaller", "__main__"),
]  # fmt: skip
STAGES = [
    *("outputs", "remembered", "ir", "problems", "hints", "reading", "config", "extraction"),
    *("_native", "charts", "automata"),
    *("tables", "mutants", "patterns", "tagged", "lark_grammars", "pages", "diagrams"),
    *("ebnf", "checks", "second_reading", "formatting"),
    *("building", "library", "checking", "language_server", "process"),
    *("commands", "command", "__main__"),
]  # fmt: skip
ORDERS = {ROOT: WINGS, COMPILER: STAGES}
SHARED = {"abnf2lark.process", "abnf2lark.outputs"}
"""What both commands use: it is part of the one that must not import the other."""
COMPILING = {
    *("uriparse.grammar.rule_sources", "uriparse.grammar.expressions"),
    "uriparse.trees.lark_parser",
}
"""What uses the compiler, beside `conformance`, when it is first needed."""
LARK = {"trees"}
SILENT = {"print", "open", "input", "exec", "eval"}
"""What only the command calls."""
CALLED = re.compile(rf"\b({'|'.join(SILENT)}|import_module)\(")
SELDOM = ["percent", "components.servers", "components.path_edits", "diagnosis", "errors.excerpt"]
HEAVY = {"lark", "abnf", "dataclasses", "inspect", "ipaddress", "difflib", "unicodedata"}


class Module(NamedTuple):
    """A file of ours.

    wing: the part of its package that it is in; "" for the package's front. loaded: what it
    imports when it runs, at any depth. imported: that, and what type checkers alone read. called:
    those of `SILENT` that it calls. exported: its `__all__`.
    """

    name: str
    wing: str
    loaded: set[str]
    imported: set[str]
    called: set[str]
    exported: set[str]


@cache
def modules(root):
    """Every module of a package by its dotted name; a package goes by its own name."""
    found = [read(path, root) for path in sorted(root.rglob("*.py"))]
    assert len(found) > 50
    return {module.name: module for module in found}


def read(path, root):
    parts = [root.name, *path.relative_to(root).with_suffix("").parts]
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    module = Module(name, name.partition(".")[2].partition(".")[0], set(), set(), set(), set())
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            module.exported.update(ast.literal_eval(node.value))
    collect(tree.body, module)
    for node in ast.walk(tree) if CALLED.search(text) else ():
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", "")
            module.called.update({called} & SILENT)
            if called == "import_module" or getattr(node.func, "attr", "") == "import_module":
                names = {one.value for one in node.args[:1] if isinstance(one, ast.Constant)}
                module.imported.update(names)
                module.loaded.update(names)
    return module


def collect(body, module, *, for_types=False):
    """Note the imports of statements, but for what is guarded, as for types alone."""
    for node in body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name):
            guarded = node.test.id == "TYPE_CHECKING"
            collect(node.body, module, for_types=for_types or guarded)
            collect(node.orelse, module, for_types=for_types)
            continue
        names = set()
        if isinstance(node, ast.Import):
            names = {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module.name}: imports are absolute"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
        module.imported.update(names)
        module.loaded.update(() if for_types else names)
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            collect(getattr(node, part, ()), module, for_types=for_types)


def to_the_right(root, order):
    """Breaches: imports of a wing that comes later."""
    for module in modules(root).values():
        for target in module.imported if module.wing else ():
            package, _, rest = target.partition(".")
            there = rest.partition(".")[0]
            if package == root.name and order.index(module.wing) < place(there, order):
                yield f"{module.name} imports {target}, which is on its right"


def place(wing, order):
    """The place of a wing; what is none is before all: a name of the package's front."""
    return order.index(wing) if wing in order else -1


def in_a_circle(root):
    """Breaches: a circle of imports, for types too."""
    known = modules(root)
    edges = {}
    for module in known.values():
        edges[module.name] = set()
        for full in module.imported:
            target = full
            while target and target not in known:
                target = target.rpartition(".")[0]
            if target and target != module.name:
                edges[module.name].add(target)
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        yield "a circle: " + " -> ".join(reversed(error.args[1]))


def past_a_front(root):
    """Breaches: what a wing's front exports is taken from there by the other wings."""
    known = modules(root)
    for module in known.values():
        for target in module.imported:
            source, _, name = target.rpartition(".")
            wing = ".".join(source.split(".")[:2])
            outside = not f"{module.name}.".startswith(f"{wing}.")
            if outside and source != wing and wing in known and name in known[wing].exported:
                yield f"{module.name} takes {name} from {source}, not from {wing}"


def out_of_place():
    """Breaches: Lark, the compiler and the net, where none of them is to be used."""
    for module in modules(ROOT).values():
        shared = SHARED if module.wing == "cli" else set()
        loaded = {n for n in module.loaded if not {n, n.rpartition(".")[0]} & shared}
        packages = {name.partition(".")[0] for name in loaded}
        banned = {"abnf", "socket", "urllib", "http", "requests"}
        if module.wing not in LARK:
            banned.add("lark")
        if module.wing != "conformance" and module.name not in COMPILING:
            banned.add("abnf2lark")
        if module.name.startswith("uriparse.conformance.peers."):
            banned -= {"urllib", "http", "requests"}  # asked in processes that cannot connect
        if module.wing == "guard":
            banned -= {"socket", "http", "requests"}  # it alone opens connections
        yield from (f"{module.name} loads {name}" for name in packages & banned)
    for module in modules(COMPILER).values():
        packages = {name.partition(".")[0] for name in module.imported}
        if "uriparse" in packages:
            yield f"{module.name} imports the library"
        if module.name in SHARED and packages & {"uriparse", "abnf2lark"}:
            yield f"{module.name} is used by both commands, and imports one"


def test_imports_follow_the_order_of_the_wings():
    breaches = [*out_of_place()]
    for root, order in ORDERS.items():
        assert {module.wing for module in modules(root).values()} - {""} == set(order)
        assert len(order) == len(set(order))
        breaches += [*to_the_right(root, order), *in_a_circle(root), *past_a_front(root)]
    assert not breaches, "\n".join(breaches)


def test_only_the_cli_reads_and_writes():
    for module in modules(ROOT).values():
        if module.wing != "cli":
            assert not module.called & SILENT, module.name


def loaded_by(code):
    """The modules that are loaded when this code has run in a process of its own."""
    command = [sys.executable, "-c", f"import sys, uriparse; {code}print(*sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.not_by_lark("Lark is loaded at once")
def test_imports_load_little():
    loaded = loaded_by("")
    assert "uriparse" in loaded
    assert not loaded & {*HEAVY, *(f"uriparse.{name}" for name in SELDOM)}
    assert not any("_matchers" in name or "_packed" in name for name in loaded)
    parsing = loaded_by("uriparse.parse('http://h/'); uriparse.is_valid('x'); ")
    assert not {"lark", "uriparse.diagnosis"} & parsing
    components = loaded_by("uriparse.parse_tree('http://h/'); ")
    assert not any(name.startswith("abnf2lark.") for name in components)
    suites = "from uriparse.conformance import suite; list(suite('port', method='transition')); "
    packages = {name.partition(".")[0] for name in loaded_by(suites)}
    assert not {"abnf2lark", "abnf", "lark", "hypothesis"} & packages


def test_breaches_are_found(tmp_path):
    """The reading of imports would see what it is to see."""
    package = tmp_path / "uriparse"
    package.mkdir()
    (package / "cli.py").write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    import lark\nelse:\n    import abnf\n"
        "def f():\n    from uriparse.errors import URIError\n    print(1)\n"
        "    importlib.import_module('uriparse.cli')\n"
    )
    module = read(package / "cli.py", package)
    assert module.wing == "cli"
    assert module.called == {"print"}
    seen = {"typing.TYPE_CHECKING", "abnf", "uriparse.errors.URIError", "uriparse.cli"}
    assert module.loaded == seen
    assert module.imported == {*module.loaded, "lark"}
