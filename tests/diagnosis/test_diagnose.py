"""What refusals say: where, what was expected, why, and never a password."""

import pickle
import random
from itertools import product

import pytest
from cases import each_case, sentence, tables, vectors
from hypothesis import given
from hypothesis import strategies as st

from uriparse import URISyntaxError, is_valid, parse
from uriparse.diagnosis import diagnose, diagnosing
from uriparse.grammar import grammars, rules

TABLES = tables(__file__)

COMPONENTS = vectors("components")
IPV6 = vectors("ipv6")
MATRIX = vectors("dialect_matrix")
SEEDS = [row["text"] for row in COMPONENTS] + [row["string"] for row in MATRIX]
SEEDS += [f"http://u:p@[{row['address']}]:8/a?b#c" for row in IPV6]
HOSTILE = "ahx0129:/?#[]@%.!é \n\\\ufeff\u202e\ud800\x85v"
TEXTS = st.text(alphabet=HOSTILE, max_size=24)
assert COMPONENTS
assert IPV6
assert SEEDS

# Whatever can still become a URI reference does so with one of these.
GROUPS = [":0" * count for count in range(9)] + ["0" + ":0" * count for count in range(8)]
ENDS = ["", "]", "0]", ":]", "::]", ":0]", ".a]", "0.a]", "1.a]"]
ENDS += [group + end for group in GROUPS for end in ("]", ":0]", "::]")]
ENDS += [digit + ".0" * count + "]" for digit in ("", "0") for count in range(4)]
ENDS = sorted({before + end for before, end in product(["", "0", "00"], ["@", *ENDS])})


def can_go_on(prefix):
    return any(is_valid(prefix + end, "URI-reference") for end in ENDS)


def refusal(text, rule="URI-reference", grammar="rfc3986"):
    with pytest.raises(URISyntaxError) as caught:
        parse(text, rule, grammar=grammar)
    return caught.value


MESSAGES = TABLES["MESSAGES"]
assert MESSAGES


@pytest.mark.parametrize(("text", "message", "component", "rule"), MESSAGES)
def test_messages(text, message, component, rule):
    error = refusal(text)
    assert str(error) == message
    assert (error.component, error.rule) == (component, rule)


@each_case(("text", "component"), TABLES["components"])
def test_components(text, component):
    assert refusal(text).component == component


@each_case(("text", "rule", "grammar", "component", "cause"), TABLES["any_rule_of_any_grammar"])
def test_any_rule_of_any_grammar(text, rule, grammar, component, cause):
    error = diagnose(text, rule, grammar)
    assert (error.component, error.cause) == (component, cause)
    assert str(error).startswith(f"{component or rule}: ")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_offsets_are_those_of_a_search_for_the_longest_prefix(seed):
    """Corrupt texts by one character; what stands before the offset can go on, no more can."""
    rng = random.Random(seed)
    refused = 0
    while refused < 1300:
        text = rng.choice(SEEDS)
        at = rng.randint(0, len(text))
        cut = rng.randint(0, 1)
        text = text[:at] + rng.choice([*HOSTILE, ""]) + text[at + cut :]
        if is_valid(text, "URI-reference"):
            continue
        refused += 1
        offset = diagnose(text).offset
        assert can_go_on(text[:offset]), text
        assert offset == len(text) or not can_go_on(text[: offset + 1]), text


@given(TEXTS)
def test_any_refusal_can_be_said(text):
    for rule, grammar in (("URI-reference", "rfc3986"), ("URI", "rfc3986"), ("IRI", "rfc3987")):
        if is_valid(text, rule, grammar=grammar):
            continue
        error = refusal(text, rule, grammar)
        assert str(error).isprintable()
        assert error.text == text
        assert error.found == (text[error.offset] if error.offset < len(text) else None)
        assert error.expected
        assert f" at offset {error.offset}, found " in str(error)
        assert str(error).startswith(error.reason) or error.cause is None
        assert error.remedy is None or f"; help: {error.remedy}" in str(error)
        assert not {"{", "}"} & set(f"{error.reason}{error.remedy}") - set(text)
        assert len(error.pointer().split("\n")) == 2
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


@given(TEXTS, TEXTS)
def test_no_refusal_depends_on_those_before_it(first, text):
    for each in (first, text, text):
        if not is_valid(each):
            said = vars(diagnose(each, "URI")), str(diagnose(each, "URI"))
    if not is_valid(text):
        diagnosing._KNOWN.clear()
        assert (vars(diagnose(text, "URI")), str(diagnose(text, "URI"))) == said


def test_a_refusal_is_worded_once_for_texts_that_differ_elsewhere(monkeypatch):
    worded, word = [], diagnosing._wording
    monkeypatch.setattr(diagnosing, "_wording", lambda *a, **b: worded.append(a) or word(*a, **b))
    diagnosing._KNOWN.clear()
    forms = ["http://h{}/a b", "http://h{}/%zz", "//h{}:8x/{}", "http://h:99a{}/", "//h{}/?#{}#"]
    assert len({str(diagnose(form.format(n, n))) for form in forms for n in range(50)}) > 50
    assert len(worded) == len(forms)


def test_no_wording_is_kept_of_what_may_be_a_password():
    diagnosing._KNOWN.clear()
    for text in (
        "//u:a^b@h/",
        "//u:%zz@h/",
        "x:?u:%4^@",
        "http://u:8x/%40",
        "//u:\ud800@",
        "x:%:^@",
    ):
        assert diagnose(text).text == text
    assert not diagnosing._KNOWN
    diagnose("//u:a@h/^")
    assert len(diagnosing._KNOWN) == 1
    for code in range(1 << 13):
        diagnose(f"x:{chr(0xE000 + code)}")
        assert len(diagnosing._KNOWN) <= diagnosing._MOST_KNOWN


@pytest.mark.slow
@each_case("grammar", grammars())
@given(data=st.data())
def test_any_rule_can_be_diagnosed(grammar, data):
    rule = data.draw(st.sampled_from(rules(grammar)))
    text = data.draw(TEXTS)
    if is_valid(text, rule, grammar=grammar):
        with pytest.raises(ValueError, match="nothing wrong"):
            diagnose(text, rule, grammar)
    else:
        error = diagnose(text, rule, grammar)
        assert 0 <= error.offset <= len(text)
        # No rule takes a noncharacter, but those of browsers; NUL is an OCTET of RFC 5234.
        if grammar != "whatwg":
            assert diagnose(text + "\uffff", rule, grammar).offset == error.offset
        assert str(error).isprintable()


def test_long_texts_are_read_by_leaps_to_the_same_end():
    for piece in ("a", "a%41", "a/", "%41", "a" * 14 + "%41", "a:", "a=b&", "../", "1."):
        for head in ("", "x:", "http://h/", "//", "?", "#"):
            text = head + piece * 300
            stops = {diagnose(text + end).offset for end in (" ", "\0")}
            short = diagnose(head + piece * 3 + "\0").offset
            whole = short == len(head + piece * 3)
            assert stops == {len(text) if whole else short}


@pytest.mark.parametrize(("text", "said", "cause"), [
    (b"http://h/\xc3\xa9", "path: bytes must be ASCII, which octet 0xC3 is not; exp", None),
    (b"http://u:\xff@h", "userinfo: bytes must be ASCII, which a masked octet is not", None),
    (b"http://h/%\xff", "expected HEXDIG at offset 10, found octet 0xFF; help: ", "bad-triplet"),
    (b"http://h:\xff", "; at offset 9, found octet 0xFF", "bad-port"),
    (b"http://h/\xff ", "; help: decode the bytes first, with their actual encoding", None),
    (b"http://h/ \xff", f'path: {sentence("space")}; expected pchar, "/', "space"),
])  # fmt: skip
def test_an_octet_is_no_character(text, said, cause):
    for grammar, rule in (("rfc3986", "URI"), ("rfc3987", "IRI")):
        error = diagnose(text, rule, grammar)
        assert said.replace("pchar", "ipchar" if rule == "IRI" else "pchar") in str(error)
        assert (error.cause, error.offset) == (
            cause,
            error.text.index("\ufffd") - (cause == "space"),
        )
        assert "U+FFFD" not in str(error)
        if cause is None:
            assert error.reason == str(error).partition("; ")[0]
            assert error.remedy == str(error).partition("; help: ")[2]
