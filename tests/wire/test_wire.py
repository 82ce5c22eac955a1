"""Clients fetch what a policy accepts, each in a namespace without a way out.

The names that they look up, the addresses, ports and server names that they connect to, and the
requests that they send are compared with the target that the library names.
"""

from collections import Counter

import pytest

pytest.importorskip("trustme")

from wire import verdicts
from wire.clients import known
from wire.namespace import NoNamespaceError, namespace, run_in
from wire.running import run
from wire.trial import tried

from uriparse.validation import Policy, validate

NUMBERS = [pytest.param(50, marks=pytest.mark.slow), pytest.param(2000, marks=pytest.mark.oracle)]


def fetched(kind, client, number, folder):
    """Run a client; NoNamespaceError is a skip, since then nothing has been run."""
    try:
        return tried(kind, client, number, folder)[1:]
    except NoNamespaceError as error:
        pytest.skip(f"no namespace: {error}")


@pytest.mark.parametrize("client", known())
@pytest.mark.parametrize("number", NUMBERS)
def test_clients_go_to_the_same_place(client, number, tmp_path, record_property):
    counts, wrong = fetched("destination", client, number, tmp_path)
    record_property("tally", (f"destinations of {client} on the wire", dict(counts)))
    assert wrong == []
    assert counts[verdicts.SAME] + counts[verdicts.TARGET] > counts.total() / 3, (
        counts
    )  # treq takes no IPv6


@pytest.mark.parametrize("client", known())
@pytest.mark.parametrize("number", NUMBERS)
def test_clients_send_the_same_request(client, number, tmp_path, record_property):
    counts, wrong = fetched("request", client, number, tmp_path)
    record_property("tally", (f"requests of {client} on the wire", dict(counts)))
    assert wrong == []
    assert counts[verdicts.SAME] > counts[verdicts.REFUSED]


@pytest.mark.parametrize("client", known())
@pytest.mark.parametrize(
    "number",
    [pytest.param(25, marks=pytest.mark.slow), pytest.param(1000, marks=pytest.mark.oracle)],
)
def test_a_client_alone_does_as_said_where_others_would_not(client, number, tmp_path):
    """What `Policy(clients={client})` accepts beyond what all clients agree on."""
    counts, wrong = fetched("alone", client, number, tmp_path)
    assert counts.total() > 0
    assert wrong == []


@pytest.mark.parametrize("client", known())
@pytest.mark.parametrize(
    "number",
    [pytest.param(15, marks=pytest.mark.slow), pytest.param(2000, marks=pytest.mark.oracle)],
)
def test_clients_ask_a_proxy_for_the_same(client, number, tmp_path, record_property):
    counts, wrong = fetched("proxy", client, number, tmp_path)
    record_property("tally", (f"requests of {client} by a proxy", dict(counts)))
    assert wrong == []
    if number > 100:  # few texts may have no IPv6 address
        assert bool(counts[verdicts.UNBRACKETED]) == (client in verdicts.LEAVES_BRACKETS_OUT)
    if counts[verdicts.UNPROXIED] > counts[verdicts.SAME]:
        pytest.skip("it takes no proxy from its environment")
    assert counts[verdicts.SAME] > counts[verdicts.REFUSED]


@pytest.mark.slow
@pytest.mark.parametrize("is_proxied", [False, True])
def test_what_is_refused_leads_elsewhere(tmp_path, is_proxied):
    texts = ["http://good.com#@evil.com/", "http://0x7f.1/", "http://a%2eb.com/"]
    clients = [name for name in ("links", "curl", "urllib", "requests") if name in known()]
    try:
        found = run(texts, clients, tmp_path, is_proxied=is_proxied)
    except NoNamespaceError as error:
        pytest.skip(f"no namespace: {error}")
    counts = Counter(
        verdicts.verdict(text, *row[:2])
        for name in clients
        for text, row in zip(texts, found[name]["rows"], strict=True)
    )
    assert counts[verdicts.ELSEWHERE] > 0
    for text in texts:
        assert not validate(text, Policy.outbound()).accepted


@pytest.mark.slow
def test_nothing_leaves_the_namespace():
    try:
        with namespace(b"") as name:
            done = run_in(name, ["ip", "-o", "link"], capture_output=True, text=True, check=True)
            assert len(done.stdout.splitlines()) == 1
            assert ": lo:" in done.stdout
    except NoNamespaceError as error:
        pytest.skip(f"no namespace: {error}")
