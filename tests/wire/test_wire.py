"""Clients fetch what a policy accepts, each in a namespace without a way out.

The names that they look up, the addresses, ports and server names that they connect to, and the
requests that they send are compared with the target that the library names.
"""

import os
from collections import Counter

import pytest

pytest.importorskip("trustme")

from wire.clients import known
from wire.namespace import NoNamespaceError, namespace, run_in
from wire.running import run
from wire.texts import accepted, spared
from wire.verdicts import ELSEWHERE, REFUSED, SAME, TARGET, verdict

from uriparse.validation import Policy, validate

SEED = int(os.environ.get("URIPARSE_SEED", "0"))


def fetched(texts, names, folder):
    """Run clients; NoNamespaceError is a skip, since then nothing has been run."""
    try:
        return run(texts, names, folder)
    except NoNamespaceError as error:
        pytest.skip(f"no namespace: {error}")


def judged(client, texts, folder):
    """Return how often a client did what, and the texts with which it went wrong.

    What it does late is noted with a later text: so those that went wrong are fetched once more.
    """
    found = verdicts(client, texts, folder)
    wrong = [text for text, (what, _) in found.items() if what in (ELSEWHERE, TARGET)]
    found |= verdicts(client, wrong, folder)
    return Counter(what for what, _ in found.values()), [(text, found[text]) for text in wrong]


def verdicts(client, texts, folder):
    rows = fetched(texts, [client], folder)[client]["rows"] if texts else []
    return {text: (verdict(text, *row[:2]), row) for text, row in zip(texts, rows, strict=True)}


def targets(texts):
    """Return what is to be handed to a client: the target's URL."""
    return [validate(text, Policy.web()).target.url for text in texts]


NUMBERS = [pytest.param(50, marks=pytest.mark.slow), pytest.param(2000, marks=pytest.mark.oracle)]


@pytest.mark.parametrize("client", known())
@pytest.mark.parametrize("number", NUMBERS)
def test_clients_go_to_the_same_place(client, number, tmp_path, record_property):
    texts = accepted("destination", number, SEED)
    counts, wrong = judged(client, texts, tmp_path)
    record_property("tally", (f"destinations of {client} on the wire", dict(counts)))
    assert counts[ELSEWHERE] == 0, wrong[:5]
    assert counts[SAME] + counts[TARGET] > counts.total() / 3, counts  # treq takes no IPv6


@pytest.mark.parametrize("client", known())
@pytest.mark.parametrize("number", NUMBERS)
def test_clients_send_the_same_request(client, number, tmp_path, record_property):
    texts = targets(accepted("request", number, SEED))
    counts, wrong = judged(client, texts, tmp_path)
    record_property("tally", (f"requests of {client} on the wire", dict(counts)))
    assert counts[ELSEWHERE] == counts[TARGET] == 0, wrong[:5]
    assert counts[SAME] > counts[REFUSED]


@pytest.mark.parametrize("client", known())
@pytest.mark.parametrize(
    "number",
    [pytest.param(25, marks=pytest.mark.slow), pytest.param(1000, marks=pytest.mark.oracle)],
)
def test_a_client_alone_does_as_said_where_others_would_not(client, number, tmp_path):
    """What `Policy(clients={client})` accepts beyond what all clients agree on."""
    texts = targets(spared(client, number, f"spared {SEED}"))
    assert texts
    counts, wrong = judged(client, texts, tmp_path)
    assert counts[ELSEWHERE] == counts[TARGET] == 0, wrong[:5]


@pytest.mark.slow
def test_what_is_refused_leads_elsewhere(tmp_path):
    texts = ["http://good.com#@evil.com/", "http://0x7f.1/", "http://a%2eb.com/"]
    clients = [name for name in ("links", "curl", "urllib", "requests") if name in known()]
    found = fetched(texts, clients, tmp_path)
    counts = Counter(
        verdict(text, *row[:2])
        for name in clients
        for text, row in zip(texts, found[name]["rows"], strict=True)
    )
    assert counts[ELSEWHERE] > 0
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
