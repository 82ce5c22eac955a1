"""What the pages show is what happens: every snippet is run, in the order of its page."""

import ast
import doctest
import sys

import pytest
from documentation.command_lines import run, sessions
from documentation.pages import PAGES, RUN, SHOWN, SOURCES, WRITTEN, read
from marks import some_slow

assert PAGES
READ = {str(path.relative_to(SOURCES)): read(path) for path in PAGES}
WITH_SNIPPETS = [
    name for name, page in READ.items() if any(b.kind in RUN or b.file for b in page.blocks)
]
LENGTHY = ["how-to/test-operations.md", "how-to/test-a-parser.md", "how-to/check-grammars.md"]
CHECKER = doctest.OutputChecker()
OPTIONS = doctest.ELLIPSIS


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Stand in an empty directory, from which modules can be imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if (tmp_path / f"{name}.py").exists():
            del sys.modules[name]


@pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning")
@pytest.mark.parametrize("name", some_slow(WITH_SNIPPETS, *LENGTHY))
def test_snippets(name, place):
    page = READ[name]
    for package in page.needs:
        pytest.importorskip(package)
    names = {"__name__": "__page__"}
    for block in page.blocks:
        if block.file:
            assert block.kind in WRITTEN
            (place / block.file).parent.mkdir(parents=True, exist_ok=True)
            (place / block.file).write_text(block.text, encoding="utf-8")
        elif block.kind == "console":
            for command, output in sessions(block.text):
                expected, got = "\n".join(output).rstrip(), run(command).rstrip()
                assert CHECKER.check_output(expected, got, OPTIONS), f"$ {command}\n{got}"
        elif ">>> " in block.text and block.kind == "python":
            interact(block, names, name)
        elif block.kind == "python":
            exec(compile(block.text, name, "exec"), names)


def interact(block, names, name):
    """Run the examples of a block."""
    test = doctest.DocTestParser().get_doctest(block.text, names, name, name, block.line - 1)
    said = []
    runner = doctest.DocTestRunner(CHECKER, verbose=False, optionflags=OPTIONS)
    runner.run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, "".join(said)


FOR_ENGINES = {"how-to/columns.md": "datafusion", "how-to/clusters.md": "pyspark"}
"""Pages with pieces of code for an engine that other examples of the page do without."""


def is_code(block):
    """Whether a block is Python that does something, whatever the page calls it."""
    try:
        tree = ast.parse(block.text)
    except SyntaxError:
        return False
    return any(isinstance(node, ast.Call | ast.Import | ast.ImportFrom) for node in ast.walk(tree))


def test_code_is_run_unless_it_needs_an_engine():
    looked_at = [
        (name, block.line) for name, page in READ.items() for block in page.blocks
        if block.kind == "text" and not block.file and is_code(block) and name not in FOR_ENGINES
    ]  # fmt: skip
    assert looked_at == []
    assert is_code(next(b for b in READ["how-to/columns.md"].blocks if b.kind == "text"))


def test_every_block_is_run_or_meant_to_be_looked_at():
    for name, page in READ.items():
        for block in page.blocks:
            known = {*RUN, *SHOWN} | (WRITTEN if block.file else set())
            directive = block.kind.startswith("{")
            assert directive or block.kind in known, f"{name}:{block.line}: {block.kind or 'none'}"


def test_only_what_changes_the_machine_is_not_run():
    for name, page in READ.items():
        for block in page.blocks:
            if block.kind == "sh":
                for line in block.text.splitlines():
                    words = line.split()
                    harmless = words[:2] in (["pip", "install"], ["git", "clone"]) or (
                        words[0] in ("python", "cd", "pytest", ".ci/run")
                        or (words[0] == "for" and "; do pip install -q --no-deps --target" in line)
                    )
                    assert harmless, f"{name}:{block.line}: {line}"
