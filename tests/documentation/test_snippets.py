"""What the pages show is what happens: every snippet is run, in the order of its page."""

import doctest
import sys

import pytest
from documentation.command_lines import run, sessions
from documentation.pages import PAGES, RUN, SHOWN, SOURCES, WRITTEN, read

assert PAGES
READ = {str(path.relative_to(SOURCES)): read(path) for path in PAGES}
WITH_SNIPPETS = [
    name for name, page in READ.items() if any(b.kind in RUN or b.file for b in page.blocks)
]
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


@pytest.mark.parametrize("name", WITH_SNIPPETS)
def test_snippets(name, place):
    page = READ[name]
    for package in page.needs:
        pytest.importorskip(package)
    names = {"__name__": "__page__"}
    for block in page.blocks:
        if block.file:
            assert block.kind in WRITTEN
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
                    )
                    assert harmless, f"{name}:{block.line}: {line}"
