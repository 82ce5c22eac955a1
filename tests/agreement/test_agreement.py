"""What the readers of this machine make of texts inside and outside the agreement."""

import json
import os
from collections import Counter
from encodings.idna import nameprep
from pathlib import Path
from unicodedata import normalize

import pytest
from agreement.drawing import agreed, is_agreed
from cases import each_case, tables
from other_parsers import compare

from uriparse import is_valid, parse
from uriparse.iri import rewritten_label
from uriparse.validation import CATALOGUE, Policy, validate

TABLES = tables(__file__)

DATA = json.loads(Path(__file__).with_name("witnesses.json").read_text(encoding="ascii"))
READERS, WITNESSES = DATA["readers"], DATA["witnesses"]
EARLIER = DATA["earlier"]  # versions that err where those of READERS do no more
CODES = sorted({witness["code"] for witness in WITNESSES})
POLICIES = {False: Policy.outbound(), True: Policy.outbound().replace(agreement="request")}


def of(code):
    return [witness for witness in WITNESSES if witness["code"] == code]


def is_request(code):
    return code.startswith("request-")


def codes(text, code):
    """The codes of layer "agreement" that the validator finds."""
    found = validate(text, POLICIES[is_request(code)]).findings
    return {finding.code for finding in found if finding.layer == "agreement"}


def test_there_are_witnesses_enough():
    texts = [witness["text"] for witness in WITNESSES]
    assert len(set(texts)) == len(texts) >= 200


@each_case("code", CODES)
def test_witnesses_are_valid_and_outside_the_agreement(code):
    for witness in of(code):
        text = witness["text"]
        assert is_valid(text, "URI")
        destination = is_valid(text, "destination-URI", grammar="agreed") and is_agreed(text)
        assert destination is is_request(code), text
        assert not (destination and is_valid(text, "request-URI", grammar="agreed")), text
        assert code in codes(text, code), text
        assert code in CATALOGUE
        assert set(witness["errs"] + witness["refuses"]) <= set(READERS)
        assert set(witness.get("erred", ())) <= set(EARLIER) - set(witness["errs"])


@each_case("code", CODES)
def test_each_rule_is_necessary(code):
    """Some text breaks it alone, and of the readers one goes elsewhere or refuses, others read."""
    alone = [witness for witness in of(code) if codes(witness["text"], code) == {code}]
    assert alone
    parted = [one for one in alone if one["errs"] or one["refuses"] or "erred" in one]
    assert parted
    for witness in parted:
        assert len({*witness["errs"], *witness["refuses"]}) < len(READERS)


@each_case("code", CODES)
def test_a_source_names_who_erred(code):
    """Where only earlier versions go elsewhere, the catalogue names them."""
    for witness in of(code):
        for name in witness.get("erred", ()):
            major, minor, _ = EARLIER[name].split(".")
            assert f"{name} up to {major}.{minor}" in CATALOGUE[code].source


@pytest.mark.slow
def test_readers_err_as_recorded(panel):
    """Holds for the versions that were recorded; a later one may have learnt better."""
    rows = [panel.compare(witness["text"]).rows for witness in WITNESSES]
    known = 0
    for at, member in enumerate(panel.members):
        if READERS.get(member[0]) != member[1]:
            continue
        known += 1
        for witness, row in zip(WITNESSES, rows, strict=True):
            expected = "errs" if member[0] in witness["errs"] else "same"
            expected = "refuses" if member[0] in witness["refuses"] else expected
            verdict = {"elsewhere": "errs", "target": "errs"}.get(row[at].verdict, row[at].verdict)
            assert verdict == expected, (member, witness["text"], row[at].outcome)
    for at, member in enumerate(panel.members):
        if EARLIER.get(member[0]) != member[1]:
            continue
        known += 1
        for witness, row in zip(WITNESSES, rows, strict=True):
            if member[0] in witness.get("erred", ()):
                assert row[at].verdict in ("elsewhere", "target"), (member, witness["text"])
    if not known:
        pytest.skip("none of the readers here has the version that was recorded")


def ends_at_a_slash(text):
    """Read as Links, ELinks, Axel and LuaSocket do: up to "/", and the host after "@"."""
    scheme, _, rest = text.partition("://")
    authority = rest.partition("/")[0].rpartition("@")[2]
    return scheme, authority


def compares_letters(text):
    """Read as needle and superagent do: http where the text begins so, else its host is a word."""
    if not text.startswith("http"):
        return "http", text.partition(":")[0].lower()
    scheme, _, rest = text.partition("://")
    return scheme, rest.partition("/")[0].partition("?")[0].partition("#")[0]


@pytest.mark.slow
@pytest.mark.parametrize("reader", [ends_at_a_slash, compares_letters])
@pytest.mark.parametrize("rule", ["destination-URI", "request-URI"])
@pytest.mark.parametrize("count", [150, pytest.param(1500, marks=pytest.mark.slow)])
def test_naive_readers_agree(reader, rule, count):
    for text in agreed(rule, count, with_covering=count > 150):
        uri = parse(text, "URI")
        assert reader(text) == (uri.scheme, str(uri.authority)), text


@pytest.mark.parametrize(("reader", "text"), [
    (ends_at_a_slash, "http://good.com#@evil.com/"),
    (ends_at_a_slash, "http://good.com:80#@evil.com:81/"),
    (ends_at_a_slash, "http://good.com?@evil.com/"), (compares_letters, "HTTPS://8.8.8.8/x"),
    (compares_letters, "Http://9.9.9.9"),
])  # fmt: skip
def test_what_naive_readers_misread_is_refused(reader, text):
    uri = parse(text, "URI")
    assert reader(text) != (uri.scheme.lower(), str(uri.authority))
    for policy in (*POLICIES.values(), Policy.strict()):
        assert not validate(text, policy).accepted


# Recorded on the wire: what clients beyond the readers here fetch, each from another place.
ELSEWHERE = TABLES["elsewhere"]


@each_case("text", ELSEWHERE)
def test_what_clients_on_the_wire_misread_is_refused(text):
    code = ELSEWHERE[text]
    report = validate(text, POLICIES[is_request(code)])
    assert not report.accepted
    assert {found.code for found in report.reasons} == {code}


def cut_label(label):
    """Read a label as Qt 5.15 does, which keeps 16 bits of a code point."""
    name = label[4:].encode().decode("punycode")
    cut = "".join(chr(ord(char) & 0xFFFF) for char in name)
    try:
        is_name = normalize("NFKC", nameprep(cut)) == cut
        return f"xn--{cut.encode('punycode').decode()}" if is_name else label
    except UnicodeError:
        return label  # no name: it stays as it is


@pytest.mark.slow
@pytest.mark.parametrize("step", [97, pytest.param(17, marks=pytest.mark.slow)])
def test_no_label_is_another_name_in_16_bits(step):
    assert cut_label("xn--zv9k") == "xn--2v2a"
    kept = []
    for number in (*range(0x1F000, 0x1FB00, 3), *range(0x10000, 0x30000, step)):
        for name in (chr(number), f"a{chr(number)}b", f"{chr(number)}\U0001f600"):
            label = f"xn--{name.encode('punycode').decode()}"
            if rewritten_label(label) is None:
                kept.append(label)
    assert len(kept) > 1500  # most emoji are among them
    assert [label for label in kept if cut_label(label) != label] == []


def differences(panel, rule, number, seed=0):
    """Compare readings of drawn texts; give the counts of verdicts and those that must not be."""
    texts = agreed(rule, number, seed)
    assert len(set(texts)) == number
    wrong = {"elsewhere", "silent"} | ({"target"} if rule == "request-URI" else set())
    counts, found = Counter(), []
    for text, outcomes in zip(texts, panel.outcomes(texts), strict=True):
        for row in compare(text, panel.members, outcomes).rows:
            counts[row.verdict] += 1
            if row.verdict in wrong and row.version != "?":
                found.append((text, row))
    return counts, found


@pytest.mark.parametrize("rule", ["destination-URI", "request-URI"])
@pytest.mark.slow
@pytest.mark.parametrize("number", [2_000, pytest.param(20_000, marks=pytest.mark.long)])
def test_all_readers_agree(panel, rule, number):
    counts, found = differences(panel, rule, number)
    assert not found
    assert counts["same"] > counts["refuses"]


@pytest.mark.oracle
@pytest.mark.parametrize("rule", ["destination-URI", "request-URI"])
@pytest.mark.parametrize("part", range(10))
def test_all_readers_agree_at_length(panel, record_property, rule, part):
    seed = int(os.environ.get("URIPARSE_SEED", "0")) * 10 + part + 1
    counts, found = differences(panel, rule, 20_000, seed)
    record_property("tally", (f"agreement of {len(panel.members)} readers on {rule}", counts))
    assert not found
