"""Settings that hold for every test."""

import signal

import pytest
from hypothesis import HealthCheck, settings
from running import (
    pytest_collection,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_ignore_collect,
    pytest_pycollect_makeitem,
    pytest_xdist_auto_num_workers,
    pytest_xdist_make_scheduler,
)

__all__ = [
    "pytest_collection", "pytest_collection_modifyitems", "pytest_configure",
    "pytest_ignore_collect", "pytest_pycollect_makeitem", "pytest_xdist_auto_num_workers",
    "pytest_xdist_make_scheduler",
]  # fmt: skip

# No test is timed: the machines that run them are busy with other things.
settings.register_profile(
    "untimed", max_examples=10,  # a verdict within a minute; `.ci/run all` draws more
    deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True,
)  # fmt: skip
# A change is judged by the same examples each time: --hypothesis-profile=ci, or few
settings.register_profile("few", settings.get_profile("untimed"), derandomize=True, database=None)
settings.register_profile("ci", settings.get_profile("few"), max_examples=40)
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def cache_home(tmp_path_factory):
    """Leave the cache of whoever runs the tests alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def signals_as_in_a_terminal():
    """Undo what `nohup` and background jobs do: commands under test inherit ignored signals."""
    for name, handler in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
