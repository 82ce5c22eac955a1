"""The peers that are installed here, started once."""

import pytest
from other_parsers import DESTINATION_PEERS, Panel


@pytest.fixture(scope="session")
def panel():
    """Give the peers; they have all the time they need.

    All but the program curl, which is started anew for each text, and reads by its library.
    """
    peers = [each for each in DESTINATION_PEERS if each.name != "curl"]
    with Panel(peers, patience=120, start_up=120) as found:
        yield found
