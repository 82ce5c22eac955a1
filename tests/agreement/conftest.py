"""The readers that are installed here, started once."""

import pytest

from uriparse.cli.readers import Panel


@pytest.fixture(scope="session")
def panel():
    """Give the readers; they have all the time they need."""
    with Panel(patience=120, start_up=120) as found:
        yield found
