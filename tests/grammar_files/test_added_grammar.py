"""A grammar added with a title, a source and imports works at every entry point."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

from abnf2lark.command import main

pytestmark = pytest.mark.slow  # the package is copied and built

HERE = Path(__file__).parent
GRAMMAR = "namestring"
SETTINGS = f"""
[{GRAMMAR}]
title = "Uniform Resource Names (URNs)"
source = "RFC 8141, section 2"

[{GRAMMAR}.imports]
rfc2396 = ["alphanum"]
rfc3986 = ["pchar", "fragment"]
"""
TEXTS = json.loads((HERE / f"{GRAMMAR}.json").read_text(encoding="utf-8"))
VALID, INVALID = TEXTS["valid"], [text for text, _ in TEXTS["invalid"]]
assert VALID
assert INVALID
OWN = [
    *("namestring", "assigned-name", "NID", "ldh", "NSS"),
    *("rq-components", "r-component", "q-component", "f-component"),
]
IMPORTED = {"alphanum", "pchar", "fragment"}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Build the package with the grammar in a place of its own, and use it there."""
    place = tmp_path_factory.mktemp("package")
    shutil.copytree(ROOT / "grammar", place / "grammar")
    shutil.copy(HERE / f"{GRAMMAR}.abnf", place / "grammar")
    with (place / "grammar" / "grammars.toml").open("a", encoding="utf-8") as settings:
        settings.write(SETTINGS)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "uriparse", place / "uriparse", ignore=ignored)
    out = place / "uriparse" / "_compiled"
    assert main(["build", "--grammars", str(place / "grammar"), "--out", str(out)]) == 0
    done = subprocess.run(
        [sys.executable, HERE / "added_grammar.py"],
        input=json.dumps({"grammar": GRAMMAR, "texts": [*VALID, *INVALID]}), cwd=place,
        env={**os.environ, "PYTHONPATH": str(place)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def by_start(found):
    return dict(zip([*VALID, *INVALID], found["texts"][OWN[0]], strict=True))


def test_the_grammar_and_its_rules_are_offered(found):
    assert found["grammars"][-2:] == [GRAMMAR, "core"]
    assert found["rules"][: len(OWN)] == OWN
    assert set(found["rules"][len(OWN) :]) == IMPORTED
    assert found["start"] == "namestring"


def test_verdicts(found):
    verdicts = {text: about["is_valid"] for text, about in by_start(found).items()}
    assert verdicts == {**dict.fromkeys(VALID, True), **dict.fromkeys(INVALID, False)}


@pytest.mark.parametrize("detail", ["tree", "full"])
def test_trees(found, detail):
    for text in VALID:
        tree = by_start(found)[text][detail]
        assert tree[0] == "namestring"
        if detail == "full":
            assert spelled(tree) == text


def spelled(tree):
    return "".join(child if isinstance(child, str) else spelled(child) for child in tree[1:])


@pytest.mark.parametrize("detail", ["tree", "full"])
def test_errors_tell_the_offset(found, detail):
    errors = {text: by_start(found)[text][detail] for text in INVALID}
    assert {text: error["error"] for text, error in errors.items()} == dict.fromkeys(
        INVALID, "URISyntaxError"
    )
    assert {text: error["offset"] for text, error in errors.items()} == dict(TEXTS["invalid"])


def test_every_rule_gives_a_verdict_and_a_tree_or_an_error(found):
    for rule, texts in found["texts"].items():
        for about in texts:
            assert isinstance(about["is_valid"], bool)
            for detail in ("tree", "full"):
                if about["is_valid"]:
                    assert about[detail][0] == rule
                else:
                    assert about[detail]["error"] == "URISyntaxError"


def test_what_the_settings_do_not_offer_is_a_typed_error(found):
    message = "rule {} of namestring is not for references: parse() accepts other grammars"
    for rule, texts in found["texts"].items():
        for about in texts:
            for way in ("parse", "try_parse"):
                assert about[way]["error"] == "UnknownRuleError"
                assert about[way]["message"].startswith(message.format(rule))
    assert found["charset"] == {
        "error": "UnknownRuleError",
        "message": "unknown character set of namestring: 'pchar'",
        "offset": None,
    }
    assert found["octets"] == [0] * len(found["rules"])
