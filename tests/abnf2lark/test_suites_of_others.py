"""Test suites that others publish for their formats, by the formats' own grammars.

Each is under tests/vectors with its licence: the rule, the text and the suite's verdict, which is
null where the suite leaves it open. A text of bytes that are not UTF-8 is not accepted as text.
"""

import json

import pytest
from paths import VECTORS

import abnf2lark
from tools.collection.grammars import COLLECTED

SUITES = {
    "json-test-suite": (318, 0), "toml-test": (709, 102), "jsonpath-cts": (703, 38),
    "message-format": (461, 0), "structured-field-tests": (1580, 12),
    "uri-template-tests": (270, 5),
}  # fmt: skip
"""How many cases each has, and of how many the grammar says otherwise."""


def read(name):
    suite = json.loads((VECTORS / name / "cases.json").read_text(encoding="utf-8"))
    assert (VECTORS / name / "LICENSE").is_file()
    assert len(suite["commit"]) == 40
    grammar = suite["grammar"]
    loaded = COLLECTED[grammar].load() if grammar in COLLECTED else abnf2lark.load(grammar)
    return suite, loaded


def verdict(grammar, rule, text):
    """Judge a text, which may be bytes in hexadecimal or one that repeats itself."""
    if isinstance(text, str):
        return grammar.matches(text, rule)
    if "hex" in text:
        with pytest.raises(UnicodeDecodeError):
            bytes.fromhex(text["hex"]).decode()
        return False
    return grammar.matches(text["repeat"] * text["times"] + text["end"], rule)


@pytest.mark.parametrize("name", SUITES)
def test_a_suite(name):
    suite, grammar = read(name)
    reasons = {case: reason for reason, ids in suite["differences"].items() for case in ids}
    assert (len(suite["cases"]), len(reasons)) == SUITES[name]
    told = {True: 0, False: 0}
    for case, rule, text, expected in suite["cases"]:
        found = verdict(grammar, rule, text)
        if expected is None:
            continue
        differs = reasons.pop(case, None) is not None
        told[expected] += 1
        assert found == (expected != differs), (case, text, "listed" if differs else "not listed")
    assert not reasons, "no such cases"
    assert all(told.values())
