"""What refusals say: where, what was expected, why, and never a password."""

import json
import pickle
import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import VECTORS

from uriparse import URISyntaxError, is_valid, parse
from uriparse.diagnosis.causes import CAUSES
from uriparse.diagnosis.diagnosing import diagnose
from uriparse.grammar.automata import longest_prefix
from uriparse.grammar.matchers import grammars, rules

COMPONENTS = json.loads((VECTORS / "components.json").read_text(encoding="utf-8"))
IPV6 = json.loads((VECTORS / "ipv6.json").read_text(encoding="utf-8"))
MATRIX = json.loads((VECTORS / "dialect_matrix.json").read_text(encoding="utf-8"))
SEEDS = [row["text"] for row in COMPONENTS] + [row["string"] for row in MATRIX]
SEEDS += [f"http://u:p@[{row['address']}]:8/a?b#c" for row in IPV6]
EXAMPLES = [("URI-reference", *example, cause) for cause in CAUSES for example in cause.examples]
EXAMPLES += [(*example, cause) for cause in CAUSES for example in cause.others]
HOSTILE = "ahx0129:/?#[]@%.!é \n\\\ufeff\u202e\ud800\x85v"
TEXTS = st.text(alphabet=HOSTILE, max_size=24)
assert COMPONENTS
assert IPV6
assert SEEDS
assert all(cause.examples or cause.others for cause in CAUSES)

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


def names(value):
    return getattr(value, "name", None)


@pytest.mark.parametrize(("rule", "text", "offset", "cause"), EXAMPLES, ids=names)
def test_every_cause_is_given_by_its_examples(rule, text, offset, cause):
    grammar, _, rule = rule.rpartition(":")
    grammar = grammar or "rfc3986"
    assert not is_valid(text, rule, grammar=grammar)
    error = diagnose(text, rule, grammar)
    assert (error.offset, error.cause) == (offset, cause.name)
    assert cause.advice.partition("{")[0] in str(error)
    assert "{" not in str(error).partition(f" at offset {offset}, ")[2].replace('"{"', "")
    assert str(error).isprintable()


def test_names_of_causes_are_unique():
    causes = [cause.name for cause in CAUSES]
    assert len(set(causes)) == len(causes)


MESSAGES = [
    (
        "http://user@host.com:80x/",
        (
            'port: expected DIGIT, "/", "?", "#" or end at offset 23, found "x"; what '
            'follows the ":" at offset 20 is no port, which is DIGIT alone'
        ),
        "port",
        "port",
    ),
    (
        "http://h/%zz",
        (
            'path: expected HEXDIG at offset 10, found "z"; the "%" at offset 9 begins a '
            "triplet with two HEXDIG; by itself it is written %25"
        ),
        "path",
        "pct-encoded",
    ),
    (
        "http://h/%4",
        (
            'path: expected HEXDIG at offset 11, found the end; the "%" at offset 9 '
            "begins a triplet with two HEXDIG; by itself it is written %25"
        ),
        "path",
        "pct-encoded",
    ),
    (
        "http://h/?q=é",
        (
            'query: expected pchar, "/", "?", "#" or end at offset 12, found "é" '
            "(U+00E9); a URI is ASCII: write %C3%A9, or read it as an IRI with "
            'grammar="rfc3987"'
        ),
        "query",
        "query",
    ),
    (
        "http://[::1]:x",
        (
            'port: expected DIGIT, "/", "?", "#" or end at offset 13, found "x"; what '
            'follows the ":" at offset 12 is no port, which is DIGIT alone'
        ),
        "port",
        "authority",
    ),
    (
        "http://[::1",
        (
            'host: expected HEXDIG, ":", ".", DIGIT or "]" at offset 11, found the end; '
            "the bracket at offset 7 is not closed"
        ),
        "host",
        "h16",
    ),
    (
        "//u:pa ss@h",
        (
            'userinfo: expected unreserved, pct-encoded, sub-delims, ":" or "@" at offset'
            " 6, found a character of the password; all but unreserved and sub-delims is "
            "written as triplets there"
        ),
        "userinfo",
        "userinfo",
    ),
]
assert MESSAGES


@pytest.mark.parametrize(("text", "message", "component", "rule"), MESSAGES)
def test_messages(text, message, component, rule):
    error = refusal(text)
    assert str(error) == message
    assert (error.component, error.rule) == (component, rule)


@pytest.mark.parametrize(
    ("text", "component"),
    [
        ("http://h/a b", "path"),
        ("a b", "path"),
        ("a b:c", "scheme"),
        ("x:a b", "path"),
        ("/a b", "path"),
        ("http://h/?a b", "query"),
        ("http://h/? ", "query"),
        ("http://h/# ", "fragment"),
        ("http://h/#a ", "fragment"),
        ("http://a b@h", "userinfo"),
        ("http://a b", "host"),
        ("http://a@ ", "authority"),
        ("http:// ", "authority"),
        ("http://h: ", "port"),
        ("http://[::1]:8 ", "port"),
        ("http://[::1 ]", "host"),
        ("http://1.2.3.4 ", "host"),
        ("http: ", None),
        (" ", None),
    ],
)
def test_components(text, component):
    assert refusal(text).component == component


@pytest.mark.parametrize(
    ("text", "rule", "grammar", "component", "cause"),
    [
        ("http://h.d:/", "httpurl", "rfc1738", "hostport", None),
        ("ftp://a b@h.d/", "ftpurl", "rfc1738", "user", "space"),
        ("http://h.d/aé", "httpurl", "rfc1738", "hpath", "excluded"),
        ("http://é/\ue000", "IRI", "rfc3987", "path", None),
        ("http://h/\ufffe", "IRI", "rfc3987", "path", None),
    ],
)
def test_other_grammars(text, rule, grammar, component, cause):
    error = diagnose(text, rule, grammar)
    assert (error.component, error.cause) == (component, cause)


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
        assert len(error.pointer().split("\n")) == 2
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("grammar", grammars())
@given(data=st.data())
def test_any_rule_can_be_diagnosed(grammar, data):
    rule = data.draw(st.sampled_from(rules(grammar)))
    text = data.draw(TEXTS)
    stop = longest_prefix(text, rule, grammar)
    valid = is_valid(text, rule, grammar=grammar)
    assert valid == (stop.may_end and stop.offset == len(text))
    if valid:
        with pytest.raises(ValueError, match="nothing wrong"):
            diagnose(text, rule, grammar)
    else:
        error = diagnose(text, rule, grammar)
        assert error.offset == stop.offset
        assert str(error).isprintable()


@given(
    user=st.text(alphabet="abc", max_size=3),
    password=st.text(alphabet="PQ%é :\\", min_size=1),
    host=st.sampled_from(["h", "h]", "[::1", "h:x"]),
)
def test_no_password_shows(user, password, host):
    text = f"x://{user}:{password}@{host}"
    if is_valid(text):
        return
    error = refusal(text)
    shown = f"{error} {error!r} {error.args} {error.pointer()}"
    assert not set("PQé") & set(shown)


def test_long_texts_are_read_by_leaps_to_the_same_end():
    for piece in ("a", "a%41", "a/", "%41", "a" * 14 + "%41", "a:", "a=b&", "../", "1."):
        for head in ("", "x:", "http://h/", "//", "?", "#"):
            text = head + piece * 300
            stops = {longest_prefix(text + end, "URI-reference").offset for end in (" ", "\0")}
            short = longest_prefix(head + piece * 3, "URI-reference").offset
            whole = short == len(head + piece * 3)
            assert stops == {len(text) if whole else short}


def test_bytes_are_diagnosed_as_ascii():
    error = refusal(b"http://h/\xff")
    assert error.offset == 9
    assert error.text == "http://h/\ufffd"
