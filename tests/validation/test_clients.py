"""Agreement among the clients that are named: the rules that one of them needs, and no others."""

import json

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st
from paths import ROOT
from wire.witnesses import MEASURED, TABLE, written

from uriparse.validation import CLIENTS, Policy, PolicyDefinitionError, validate

TABLES = tables(__file__)

REQUEST = Policy.outbound().replace(agreement="request")
TRIAL = ROOT / "tests/wire/trial.json"
USUAL = ["requests", "httpx", "urllib3", "urllib"]

SERVICES = TABLES["services"]
PIECES = [
    "/", "?", "#", "@", "%2F", "%41", "%e2", ":80", ":0", "..", "//", "a", ".", "=", "&", ";", "'",
]  # fmt: skip
NAMES = st.sets(st.sampled_from(sorted(CLIENTS)), min_size=1, max_size=3)


@each_case("name", SERVICES)
def test_urls_of_services_are_accepted_for_the_usual_clients(name):
    text = SERVICES[name]
    report = validate(text, REQUEST.replace(clients=USUAL))
    assert report.accepted, report.reasons


def test_they_are_refused_where_a_client_rewrites_them():
    text = SERVICES["Google, authorize"]
    for clients in ("*", [*USUAL, "aiohttp"]):
        (found,) = validate(text, REQUEST.replace(clients=clients)).reasons
        assert found.code == "request-triplet"


@each_case(("text", "clients"), TABLES["what_a_client_misreads_stays_refused"])
def test_what_a_client_misreads_stays_refused(text, clients):
    policy = Policy.outbound() if clients == ["*"] else Policy.outbound().replace(clients=clients)
    assert not validate(text, policy).accepted


def test_a_rule_that_none_needs_does_not_refuse():
    text = "http://a.com#b"
    assert not validate(text).accepted
    assert validate(text, Policy.outbound().replace(clients=["requests", "curl"])).accepted
    assert not validate(text, Policy.outbound().replace(clients=["requests", "elinks"])).accepted


def test_an_ipv6_address_over_tls_is_for_clients_that_ask_for_it():
    text = "https://[2620:fe::fe]/"
    for clients, is_accepted in ("*", False), (["needle"], False), (["requests", "curl"], True):
        assert validate(text, Policy.outbound().replace(clients=clients)).accepted is is_accepted


def test_lists_and_addresses_hold_for_any_client():
    policy = Policy.outbound().replace(clients=["curl"])
    for text in ("http://127.0.0.1/", "http://localhost/", "http://h.com:25/", "ftp://h.com/"):
        assert not validate(text, policy).accepted


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), NAMES, NAMES)
def test_two_sets_of_clients_agree_where_each_does(tail, one, other):
    text = f"http://h.com{tail}"

    def accepts(clients):
        return validate(text, REQUEST.replace(clients=clients)).accepted

    assert accepts(one | other) is (accepts(one) and accepts(other))
    assert accepts(one) or not accepts("*")


def test_an_unknown_client_is_an_error():
    told = r'clients\[1\]: must be one of .*curl.*requests.*, not "mosaic"'
    with pytest.raises(PolicyDefinitionError, match=told):
        Policy(clients=["requests", "mosaic"])
    with pytest.raises(PolicyDefinitionError, match='clients: must be a list, or "\\*" for all'):
        Policy(clients="curl")


def test_a_policy_file_can_name_them():
    policy = Policy.from_toml('preset = "outbound"\nclients = ["curl"]\n')
    assert policy.clients == frozenset({"curl"})


def test_the_table_says_what_was_measured():
    assert TABLE.read_text("utf-8") == written(MEASURED, CLIENTS)
    assert {"curl", "requests", "httpx", "aiohttp", "urllib3", "urllib"} <= CLIENTS.keys()
    assert all(row.version[0].isdigit() or row.version.startswith("go") for row in CLIENTS.values())


@each_case("client", CLIENTS)
def test_the_promise_is_of_the_versions_that_were_run(client):
    """agreement.md shows the texts that a trial has run, beside the version of the table."""
    row = json.loads(TRIAL.read_text("utf-8"))[client]
    assert row["version"] == CLIENTS[client].version
    assert sum(row["request"].values()) >= 2000
    assert row["request"].keys() <= {"same", "refused", "unsent"}
    assert row.get("destination", {}).keys() <= {"same", "target", "refused", "unsent"}
