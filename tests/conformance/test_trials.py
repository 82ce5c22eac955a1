"""Trials: every wrong verdict is in one group, and groups say what is wrong."""

import re
from functools import cache

import pytest
from cases import each_case, tables
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import by_grammar

import uriparse
from uriparse.conformance import TrialCorpus, answer, judged, silent, subject, trial, trial_texts
from uriparse.conformance.suites import abnf
from uriparse.conformance.trial_corpus import ComponentMap, kind
from uriparse.conformance.trials import ACCEPTS, REJECTS, difference, shortest

pytestmark = pytest.mark.slow

TABLES = tables(__file__)

VERDICTS = ("accepts", "rejects")
RULES = [
    ("rfc3986", "URI"), ("rfc3986", "path-empty"), ("rfc3986", "dec-octet"),
    ("rfc3987", "IRI-reference"), ("rfc1738", "ftpurl"), ("rfc2396", "relativeURI"),
]  # fmt: skip


@cache
def uri_corpus():
    return TrialCorpus(subject("URI"), trial_texts("URI"))


def valid(text):
    return uriparse.is_valid(text, "URI")


def faults(judge, corpus=None):
    corpus = corpus or uri_corpus()
    said = [answer(judge(text)) for text in corpus.texts]
    return judged(corpus, [("it", "1", said)]).trials[0].faults


def titles(judge):
    return [fault.title for fault in faults(judge)]


@each_case(("grammar", "rule"), RULES)
def test_our_own_parser_has_no_fault(grammar, rule):
    found = trial(
        {"own": lambda text: uriparse.is_valid(text, rule, grammar=grammar)}, rule, grammar=grammar
    )
    assert found.trials[0].faults == ()
    assert not found.trials[0].errs
    assert found.texts > found.valid > 0


WRONG = {
    'query accepts "]"': lambda text: valid(re.sub(r"(\?[^#]*)\]", r"\1x", text)),
    "rejects IPvFuture": lambda text: valid(text) and "[v" not in text.lower(),
    'IPvFuture rejects "V"': lambda text: valid(text) and "[V" not in text,
    "path-rootless rejects the end": lambda text: valid(text) and not re.fullmatch("[^:]*:", text),
    "port accepts a line end": lambda text: valid(re.sub(r"(@:[0-9]*)\n$", r"\1", text)),
    'IPv6address accepts "%"': lambda text: valid(re.sub("%0(?=])", "", text)),
    "rejects port": lambda text: valid(text) and not uriparse.parse(text).port,
    'scheme rejects "."': lambda text: valid(text) and not re.match(r"[^:/]*\.", text),
    "fragment accepts anything": lambda text: valid(re.sub("(?s)#.*", "#", text)),
}


@each_case("title", WRONG)
def test_a_fault_is_told_by_component_and_kind(title):
    assert title in titles(WRONG[title])


@each_case("title", sorted(WRONG))
def test_a_mistake_of_one_kind_makes_few_groups(title):
    assert 1 <= len(titles(WRONG[title])) <= 5


def takes_a_last(*characters, rule="URI", grammar="rfc3986", wrong=lambda _: False):
    def judge(text):
        known = uriparse.is_valid(text, rule, grammar=grammar)
        cut = text.endswith(characters) and uriparse.is_valid(text[:-1], rule, grammar=grammar)
        return known or cut or wrong(text)

    return judge


@each_case(
    ("rule", "grammar", "witness"),
    [("URI-reference", "rfc3986", "\n"), ("ftpurl", "rfc1738", "ftp://u\n")],
)
def test_a_dollar_for_the_end_is_one_fault(rule, grammar, witness):
    r"""As of re.match(r"(?:...)$"), which takes one "\n" more, whatever component is the last."""
    corpus = TrialCorpus(subject(rule, grammar), trial_texts(rule, grammar))
    [found] = faults(takes_a_last("\n", rule=rule, grammar=grammar), corpus)
    assert (found.title, found.witness) == (
        f"{rule} accepts a line end after the last character",
        witness,
    )
    assert len(found.parts) > 1
    assert all(part.what.startswith("after ") for part in found.parts)
    assert 0 < found.steps <= found.of


@settings(max_examples=20)
@given(st.sets(st.integers(0, 1 << 16), max_size=60))
def test_each_wrong_verdict_is_in_one_group(drawn):
    facts = uri_corpus().facts
    wrong = {number % len(facts) for number in drawn}
    said = [answer(fact.valid is not (number in wrong)) for number, fact in enumerate(facts)]
    [found] = judged(uri_corpus(), [("it", "", said)]).trials
    for direction, verdict in (("accepts", False), ("rejects", True)):
        groups = [fault for fault in found.faults if fault.direction == direction]
        mistaken = {facts[number].text for number in wrong if facts[number].valid is verdict}
        assert sum(fault.number for fault in groups) == len(mistaken)
        for fault in groups:
            assert fault.number == sum(part.number for part in fault.parts)
            assert {part.witness for part in fault.parts} <= mistaken
            assert fault.witness == shortest(part.witness for part in fault.parts)
            combined = {part.what for part in fault.parts} == {"a combination"}
            assert (fault.steps > 0) is not combined
            assert fault.steps <= fault.of
        assert len({fault.component for fault in groups}) == len(groups)


def test_silence_is_told_apart_from_verdicts():
    corpus = TrialCorpus(subject("port"), ["", "1", "a", "b"])
    said = [ACCEPTS, silent("crashed"), silent("crashed"), REJECTS]
    [found] = judged(corpus, [("it", "", said)]).trials
    assert found.faults == ()
    assert [tuple(part) for part in found.unanswered] == [("crashed", 2, "1")]
    assert found.errs


@each_case(("value", "accepts"),
    [
        (True, True), (1, True), ("x", True), (object(), True), ({"host": None}, True),
        (False, False), (None, False), ("", False), (0, False), ({}, False), ((), False),
    ])  # fmt: skip
def test_verdicts_by_what_is_returned(value, accepts):
    assert answer(value).accepts is accepts


def test_a_fault_of_the_adapter_is_not_a_verdict():
    faults = [AttributeError, ImportError, KeyError, NameError, TypeError]
    for fault in faults:

        def judge(text, fault=fault):
            raise fault(text)

        [found] = trial({"it": judge}, "port", suite=["1", "a"]).trials
        assert found.faults == ()
        assert {part.what.partition(":")[0] for part in found.unanswered} == {fault.__name__}


def test_any_other_exception_rejects():
    def judge(text):
        if text != "1":
            raise ZeroDivisionError
        return True

    [found] = trial({"it": judge}, "port", suite=["1", "a", "2"]).trials
    assert [fault.title for fault in found.faults] == ['port rejects "2"']


@each_case(("ours", "theirs", "said"), TABLES["how_components_differ"])
def test_how_components_differ(ours, theirs, said):
    assert difference(ours, theirs) == said


def test_components_that_differ_are_told():
    def judge(text):
        record = uriparse.try_parse(text, "URI")
        return record and {"scheme": record.scheme.lower(), "query": record.query or ""}

    found = {fault.component: fault for fault in faults(judge)}
    assert found.keys() == {"scheme", "query"}
    assert found["query"].title == "query is reported as empty where it is absent"
    assert found["query"].witness == "a:"
    assert found["scheme"].title == "scheme is reported in other case"
    assert {fault.direction for fault in found.values()} == {"differs"}


@each_case(("grammar", "rule"), RULES)
def test_each_step_belongs_to_one_component(grammar, rule):
    found = subject(rule, grammar)
    places = ComponentMap(found)
    taken = sum(map(len, found.labelled.edges)) + len(found.labelled.final)
    classes = len(found.labelled.classes) + 1
    assert places.taken.total() == taken
    assert places.taken.total() + places.refused.total() == classes * len(found.labelled)


@given(st.characters())
def test_each_character_is_of_a_kind_that_can_be_printed(character):
    assert kind(character).isprintable()


def test_no_character_of_a_password_is_named():
    text = "http://u:s]cret@h/"
    for masks, named in ((False, '"]"'), (True, "a masked character")):
        corpus = TrialCorpus(subject("URI"), [text, "http://u:s~cret@h/"], masks=masks)
        assert corpus.facts[0].kind == named
        [accepting] = judged(corpus, [("it", "", [ACCEPTS, ACCEPTS])]).trials[0].faults
        assert (named in accepting.title) or accepting.title.endswith("anything")
        [rejecting] = judged(corpus, [("it", "", [REJECTS, REJECTS])]).trials[0].faults
        assert masks is ("~" not in str([each.what for each in corpus.features(corpus.facts[1])]))
        assert rejecting.number == 1


@pytest.mark.parametrize("grammar", by_grammar(uriparse.grammars()))
def test_every_rule_can_be_written(grammar):
    for rule in uriparse.rules(grammar):
        of = subject(rule, grammar)
        assert abnf(of, of.rule).startswith(f"{of.rule} = ")


def test_what_is_accepted_at_the_end_of_every_component_is_one_fault():
    (judged,) = trial({"dollar": lambda text: uriparse.is_valid(text.removesuffix("\n"))}).trials
    (fault,) = judged.faults
    assert fault.title == "URI accepts a line end after the last character"
    assert fault.witness == "a:\n"
    assert len(fault.parts) > 5
    assert {part.what for part in fault.parts} >= {"after query", "after fragment", "after host"}
