"""The readers that are installed here, started once."""

import pytest

from uriparse.cli.readers import READERS, Panel


@pytest.fixture(scope="session")
def panel():
    """Give the readers; they have all the time they need.

    All but the program curl, which is started anew for each text, and reads by its library.
    """
    readers = [each for each in READERS if each.name != "curl"]
    with Panel(readers, patience=120, start_up=120) as found:
        yield found
