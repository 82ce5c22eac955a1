"""The published suite detects the faults of `reported_faults` and `reported_results`."""

import json
import re

import pytest
from conformance.reported_faults import REFERENCE, URI, V4, V6, VALIDITY, reads
from conformance.reported_results import (
    COMPONENTS,
    NORMALIZATION,
    RESOLUTION,
    apart,
    normalized,
    normalizer,
    resolved,
    resolver,
)
from paths import ROOT

HOME = ROOT / "tests/published"
FOLDERS = ("syntax", "characters", "faults")
RIGHT = {rule: reads(rule) for rule in (URI, REFERENCE, V4, V6)}


def cases(name):
    return json.loads((HOME / f"{name}.json").read_text("ascii"))["cases"]


def verdicts(rule):
    return [case for folder in FOLDERS for case in cases(f"{folder}/{rule}")]


def missed(faults, detects):
    return [fault for fault, *rest in faults if not detects(*rest)]


def test_every_fault_shows():
    for fault, _, rule, text, read in VALIDITY:
        assert bool(read(text)) is not RIGHT[rule](text), fault
    for fault, _, text, read in COMPONENTS:
        assert read(text) != apart(text), fault
    for fault, _, (base, reference), changes in RESOLUTION:
        right = resolved(base, reference)
        assert resolver(changes)(base, reference) != right, fault
    for fault, _, text, changes in NORMALIZATION:
        assert normalizer(changes)(text) != normalized(text), fault
    rows = [*VALIDITY, *COMPONENTS, *RESOLUTION, *NORMALIZATION]
    assert len(rows) == len({(row[0], str(row[-2])) for row in rows}) > 250
    assert all(re.fullmatch(r"[^/ ]+/[^/# ]+#\d+", row[1]) for row in rows)


@pytest.mark.parametrize("rule", RIGHT)
def test_the_right_parser_passes(rule):
    assert not [case for case in verdicts(rule) if RIGHT[rule](case["text"]) != case["valid"]]


@pytest.mark.parametrize("rule", RIGHT)
def test_verdicts_detect_every_fault(rule):
    texts = [(case["text"], case["valid"]) for case in verdicts(rule)]
    rows = [(fault, read) for fault, _, of, _, read in VALIDITY if of == rule]
    assert rows
    assert not missed(rows, lambda read: any(bool(read(t)) is not v for t, v in texts))


def test_components_detect_every_fault():
    found = [(case["text"], case["components"]) for case in verdicts("URI") if case["valid"]]
    found += [(case["text"], case["expected"]) for case in cases("components")]
    assert all(apart(text) == parts for text, parts in found)
    assert not missed(COMPONENTS, lambda _, __, read: any(read(t) != p for t, p in found))


def test_targets_detect_every_fault():
    found = [(case["base"], case["reference"], case["expected"]) for case in cases("resolution")]
    assert all(resolved(base, reference) == target for base, reference, target in found)
    every = [(fault, resolver(changes)) for fault, _, _, changes in RESOLUTION]
    assert not missed(every, lambda run: any(run(b, r) != target for b, r, target in found))


def test_normal_forms_detect_every_fault():
    found = [(case["text"], case["expected"]) for case in cases("normalization")]
    found = [(text, normal) for text, normal in found if normalized(text) == normal]
    every = [(fault, normalizer(changes)) for fault, _, _, changes in NORMALIZATION]
    assert not missed(every, lambda run: any(run(text) != normal for text, normal in found))
