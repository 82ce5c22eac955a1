"""How a run of the tests is shared out and shown."""

import gc
import re
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import FRAMEWORKS, GUARDED, PACKAGES, ROOT

from uriparse import implementation

DOTS = 60
"""The most that are printed for tests that pass."""

ORACLES = ROOT / "tests/oracle"

SHOWN_BY = {"arrow": "pyarrow", **PACKAGES}
"""Modules whose examples need a package of another name."""

LEFT_OUT = "not oracle and not slow and not long"
"""What pyproject.toml selects."""

ALL_SLOW = re.compile(r"^pytestmark = pytest\.mark\.(slow|long|oracle)$", re.MULTILINE)


TOGETHER = {
    **dict.fromkeys(("test_clusters", "test_functions", "test_spark"), "Spark"),
    "test_playground": "the site",
}
"""Files whose tests share what takes long to start; pytest 9 hears no mark xdist_group."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object | None:
    """With --dist=loadgroup, begin with `TOGETHER`, and give each other test to who is free."""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return TOGETHER.get(Path(nodeid.partition("::")[0]).stem, nodeid)

    return Together(config, log) if config.getoption("dist") == "loadgroup" else None


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Share a run among all cores; single files are done before workers would have started."""
    named = [argument.partition("::")[0] for argument in config.getoption("file_or_dir")]
    return 0 if named and all(Path(name).is_file() for name in named) else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what holds nothing to be run.

    What helps the tests has no examples, and each file would be imported once more; of the oracles
    all is left to CI, as are files whose every test is slow.
    """
    is_helper = collection_path.suffix == ".py" and not collection_path.name.startswith("test_")
    if is_helper or config.getoption("markexpr") != LEFT_OUT:
        return True if is_helper else None
    is_test = collection_path.suffix == ".py" and collection_path.is_relative_to(ROOT / "tests")
    if is_test and ALL_SLOW.search(collection_path.read_text(encoding="utf-8")):
        return True
    return True if collection_path == ORACLES else None


def pytest_pycollect_makeitem(collector: pytest.Collector, obj: object) -> list[object] | None:
    """Make no tests of what would be left out then: two thirds of all, but for what is named."""
    is_named = any("::" in argument for argument in collector.config.getoption("file_or_dir"))
    if is_named or collector.config.getoption("markexpr") != LEFT_OUT:
        return None
    marks = {mark.name for mark in getattr(obj, "pytestmark", ())}
    return [] if marks & {"slow", "long", "oracle"} else None


class WithoutFrameworks:
    """What is for a framework that is not installed has no examples that could be run."""

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out the modules of frameworks that are not there."""
        name, folder = collection_path.stem, collection_path.parent
        is_guard = folder == ROOT / "uriparse/guard" and name in GUARDED
        if folder == ROOT / "uriparse/_pyinstaller":
            return True  # run by PyInstaller alone
        homes = {ROOT / "uriparse/extra", ROOT / "uriparse"}
        is_framework = folder in homes and name in {*FRAMEWORKS, *SHOWN_BY}
        if not is_guard and not is_framework:
            return None
        return True if find_spec(SHOWN_BY.get(name, name)) is None else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the garbage collector: what is made stays to the end, a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        # Hypothesis up to 6.135 looks for who holds its source of random numbers, which it makes
        # with the first example, and warns: gc.get_referrers passes over what is frozen.
        given(st.none())(lambda _: None)()
        gc.freeze()
        gc.enable()  # before, it would begin with looking at all of that


class Shown:
    """One line of dots for all that passes, however much it is; a letter for each that does not."""

    def __init__(self) -> None:
        self.session: pytest.Session | None = None
        self.passed = 0

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Remember who knows how many tests there are."""
        self.session = session

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Print a dot for the last of each so many; leave what did not pass to pytest."""
        if report.when != "call" or not report.passed or hasattr(report, "wasxfail"):
            return None
        self.passed += 1
        every = (self.session.testscollected if self.session else 0) // DOTS + 1
        return "passed", "" if self.passed % every else ".", "PASSED"

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> None:
        """Say what was not run, and how to run it."""
        if config.getoption("markexpr") == LEFT_OUT:
            terminalreporter.write_line(
                "left out: slow tests (-m slow, minutes, run by .ci/run too), longer ones (-m long)"
                " and oracles (-m oracle, an hour)"
            )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what is not of the engine that runs; a slow case of a slow test takes long."""
    for item in items:
        if len([*item.iter_markers("slow")]) > 1:
            item.add_marker(pytest.mark.long)
        mark = item.get_closest_marker("not_by_lark")
        if mark is not None and implementation == "lark":
            item.add_marker(pytest.mark.skip(reason=mark.args[0]))


def pytest_configure(config: pytest.Config) -> None:
    """Show this run that way."""
    config.pluginmanager.register(Shown())
    config.pluginmanager.register(WithoutFrameworks())
