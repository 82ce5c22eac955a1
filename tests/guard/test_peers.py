"""How many hostile URLs lead guards to a forbidden address; the guard's page has the table."""

import json
import os
import sys

import pytest
from cases import tables
from command_runs import run_program
from guard.clients import MAKERS
from guard.peers import GOOD, HOSTILE
from marks import one_in
from paths import ROOT

# In a network namespace without a route: no packet leaves the machine.
ALONE = ["unshare", "-rn", sys.executable, ROOT / "tests/guard/peers.py"]
CAN = sys.platform == "linux" and not os.system("unshare -rn ip -V >/dev/null 2>&1")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CAN, reason="unshare or ip fails here")]

TABLES = tables(__file__)
PAGE = (ROOT / "tools/docs/how-to/fetch.md").read_text("utf-8")
PEERS = TABLES["peers"]
"""Guards of others, each with the libraries on which its result may depend."""


def measured(client, folder, title):
    """Return what a client reached, and its row of the table; all fetch what is harmless."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = run_program(*ALONE, client, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["good"] == GOOD, found["errors"]
    reached = [*found["connections"]], [*found["requests"]]
    return reached, "| {} | {} | {} |".format(title, *map(len, reached))


@pytest.mark.parametrize("client", [*MAKERS, "requests"])
def test_ours_get_nowhere_and_who_has_no_guard_gets_everywhere(client):
    title, expected = "`uriparse.guard`, each of its clients", []
    if client == "requests":
        title, expected = "requests, without a guard", HOSTILE
    reached, row = measured(client, ROOT, title)
    assert reached == (expected, expected)
    assert row in PAGE


@pytest.mark.parametrize("peer", one_in(len(PEERS), zip(sorted(PEERS, reverse=True))))
def test_the_page_says_where_others_get(peer, tmp_path):
    install = [sys.executable, "-m", "pip", "install", "-q", "--target", tmp_path, peer]
    done = run_program(*install, *PEERS[peer], check=False)
    if done.returncode:
        pytest.skip(f"{peer} cannot be installed: {done.stderr.strip()[-200:]}")
    name, _, version = peer.partition("==")
    _, row = measured(name, tmp_path, f"{name} {version}")
    if f"Python {sys.version.split()[0]}" in PAGE:  # some ask its ipaddress
        assert row in PAGE
