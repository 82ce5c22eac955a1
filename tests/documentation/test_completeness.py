"""Whatever is public has its place on some page, and the pages say what is there."""

import sys
import types
from argparse import _SubParsersAction
from contextlib import suppress
from inspect import isclass, isroutine

from cases import each_case, sentence
from command_runs import run_program, run_python
from documentation.pages import PAGES, SOURCES, documented, read
from grammar_files.test_added_grammar import SETTINGS
from paths import FRAMEWORKS, PACKAGES, ROOT
from public_names import PUBLIC

import uriparse
from abnf2lark.command import _parser
from tools.docs import stand_ins
from uriparse.cli import arguments, command_line, commands, main
from uriparse.cli.legacy_command import PARTS as LEGACY
from uriparse.conformance.commands import PARTS
from uriparse.errors import MissingPackageError

REFERENCE = SOURCES / "reference"
ALSO = ["uriparse.arrow", "uriparse.conformance", "uriparse.schemes.current", "abnf2lark"]
AMONG_WINGS = {"as_reference", "common_grammar", "dispatch", "expressions"}
"""What fronts export for other wings."""


DOCUMENTED = {f"{module}.{name}" for kind, module, name in documented() if kind != "currentmodule"}
assert len(DOCUMENTED) > 150


@each_case("path", [*PUBLIC, *ALSO])
def test_every_public_name_is_in_the_reference(path):
    module = sys.modules.get(path) or __import__(path, fromlist=["_"])
    names = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == path and not name.startswith("_")
    ]
    shown = {name.rpartition(".")[2] for name in DOCUMENTED}
    things = {name: getattr(module, name) for name in names if name not in AMONG_WINGS}
    assert {name for name, thing in things.items() if isroutine(thing) or isclass(thing)} <= shown


def test_what_is_documented_is_there():
    for path in DOCUMENTED:
        module, _, name = path.rpartition(".")
        with suppress(MissingPackageError):  # of a framework that is not installed
            assert hasattr(__import__(module, fromlist=["_"]), name), path


def shown_helps(page):
    return {
        block.kind.removeprefix("{command-help} ").partition(" ")[2]
        for block in read(REFERENCE / page).blocks
        if block.kind.startswith("{command-help}")
    }


def test_every_command_is_in_the_reference():
    parts = {f"conformance {part}" for part in PARTS} | {f"legacy {one.NAME}" for one in LEGACY}
    whole = {"conformance", "legacy"}
    assert shown_helps("command.md") - {""} == {*commands.COMMANDS, *parts} - whole
    (choice,) = (a for a in _parser()._actions if isinstance(a, _SubParsersAction))
    assert shown_helps("abnf2lark.md") - {""} == set(choice.choices)


def test_every_page_can_be_come_to():
    listed = set()
    for path in SOURCES.rglob("*.md"):
        for block in read(path).blocks:
            if block.kind == "{toctree}":
                names = [line for line in block.text.splitlines() if line]
                listed |= {(path.parent / f"{name}.md").resolve() for name in names}
    assert listed == {p for p in SOURCES.rglob("*.md") if p != SOURCES / "index.md"}


@each_case("path", [ROOT / "README.md", *PAGES])
def test_links_lead_somewhere(path):
    before, *ends = path.read_text(encoding="utf-8").split("](")
    for end in ends:
        link = end.partition(")")[0]
        assert not before.endswith("["), f"{link}: a link needs a text"
        target = uriparse.parse(link)
        assert target.scheme == "https" or (path.parent / target.path).exists(), link
        before = end


def test_the_grammar_of_the_page_is_the_one_that_is_tested():
    page = (SOURCES / "how-to/extend-grammars.md").read_text(encoding="utf-8")
    assert f"\n{SETTINGS.strip()}\n" in page


def test_the_command_of_the_page_works(monkeypatch, capsys):
    name = "uriparse/cli/segments_command.py"
    (block,) = (b for b in read(SOURCES / "how-to/extend.md").blocks if b.file == name)
    module = types.ModuleType("uriparse.cli.segments_command", block.text)
    exec(compile(block.text, block.file, "exec"), vars(module))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    more = (*commands.COMMANDS, module.NAME)
    for reader in (commands, arguments, command_line):
        monkeypatch.setattr(reader, "COMMANDS", more)
    assert main([module.NAME, "http://h/a/b", "a b"]) == 1
    out, err = capsys.readouterr()
    assert out == "2\n"
    assert err.startswith(f"argument 2: error: path: {sentence('space')}")


STANDING_IN = """
import inspect, sys
from importlib import import_module
from tools.docs import stand_ins

stand_ins.install()
for name in sys.argv[1:]:
    import_module(f"uriparse.extra.{name}")
print(*inspect.signature(sys.modules["uriparse.extra.sqlalchemy"].URIType).parameters)
print(sys.modules["uriparse.extra.polars"].URIExpr.is_valid.__doc__.partition(" ")[0])
"""


def test_the_reference_needs_no_package_of_another():
    """Their stand-ins are found where the packages are installed, and where they are not."""
    names = [name for name in FRAMEWORKS if name != "hypothesis"]
    assert {PACKAGES.get(name, name) for name in names} <= stand_ins.PACKAGES
    done = run_python(STANDING_IN, *names, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "rule grammar length\nReturn\n"


def commands_of_pages():
    listed = [sys.executable, ".ci/commands.py", "--list"]
    done = run_program(*listed, cwd=ROOT)
    return {line.removeprefix("== ") for line in done.stdout.splitlines() if line}


def test_ci_runs_the_commands_of_readme_and_contributing():
    found = commands_of_pages()
    assert "pip install -e . --group test; python -m pytest" in found
    assert "pip install -e . --group docs; python -m tools.docs" in found
    assert all(group.startswith("pip install ") for group in found)
    every = "; ".join(found)
    for page in (ROOT / "README.md", SOURCES / "contributing.md"):
        for line in page.read_text("utf-8").splitlines():
            for part in line.strip().partition("$ ")[2].split("&&"):
                assert part.partition("  #")[0].strip() in every
    assert ' .ci/commands.py "${pages[@]}"' in (ROOT / ".ci/run").read_text("utf-8")
