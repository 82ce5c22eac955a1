"""What is known of parsers that may be installed here: the trial finds it."""

import shutil
from functools import cache

import pytest
from cases import each_case, tables
from other_parsers import PeerTask, ask, peer

from uriparse.conformance import TrialCorpus, judged, subject, trial_texts

pytestmark = pytest.mark.slow

TABLES = tables(__file__)

TASK = PeerTask("URI", "rfc3986")
FOUND = TABLES["found"]
RIGHT = ["uriparse", "abnf"]


def installed(name):
    each = peer(name)
    if each.command(TASK) is None:
        pytest.skip(f"{name} is not installed")
    if not each.is_python and shutil.which(each.needs) is None:
        pytest.skip(f"{each.needs} is not installed")
    return each


@cache
def corpus():
    return TrialCorpus(subject("URI"), trial_texts("URI"))


@cache
def tried(name):
    [found] = ask([installed(name)], TASK, corpus().texts, patience=60)
    assert found.trouble == ""
    assert found.version
    return judged(corpus(), [(name, found.version, found.answers)]).trials[0]


@each_case("name", FOUND)
def test_known_faults_are_found(name):
    found = tried(name)
    assert not found.unanswered
    assert set(FOUND[name]) <= {fault.title for fault in found.faults}
    groups = [fault for fault in found.faults if fault.direction in ("accepts", "rejects")]
    assert 2 <= len(groups) <= 21


@each_case(("name", "witness"), sorted(TABLES["witnesses"]))
def test_known_faults_have_their_witnesses(name, witness):
    parts = [part for fault in tried(name).faults for part in fault.parts]
    assert witness in {part.witness for part in parts}


@each_case("name", RIGHT)
def test_those_that_read_by_the_rules_have_no_wrong_verdict(name):
    assert not tried(name).errs
