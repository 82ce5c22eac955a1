"""What releases of Python execute wrongly: it is refused, never written, and all else is right."""

import ast
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from brute.expressions import capturing
from brute.successes import COUNTS, TEXTS, drawn, has_empty_turns, numbered, spelled, ways
from cases import each_case
from hypothesis import given
from marks import some_slow
from paths import ROOT

import abnf2lark
import uriparse
from abnf2lark.patterns.emit_pattern import PYTHON, is_misexecuted, pattern
from abnf2lark.patterns.passes import NO_CHARS

REFUSED = [
    *("(?:ab?c)*+", "(?:ab*+c)*+", "(?:a(?:b|cc))*+", "(?:a|b(?!c))++", "(?:(?!a)b)*+"),
    *("(?:a{2}b)*+", "(?:a++b)*+", "(?:ab++)*+", "(?:a(?>bc))*+", "(?:(?<=a)b)?+",
      "(?:a|ab){1,3}+"),
    *("a(?:b|(?:ab?c)*+)*", "(?=(?:ab?c)*+)", "(?>(?:ab?c)*+)", "(?>(a)|b|c)*+", "(?>(a)b?)*+"),
]  # fmt: skip
TAKEN = [
    *("a*+", "[ab]{1,3}+", "(?:ab)*+", "(?:abc*+)*+", "(?:a++|bc)*+", "(?:a|bc*+)++", "(?>ab?c)*+"),
    *("(?>(?:ab?c)*)", "(?:ab?c)*", "(?:ab?c)+?", "(?:(?>ab?)c*+)*+", "(?>(a)b*+(c))*+",
      "(?:ab?c)?"),
]  # fmt: skip


@each_case("text", REFUSED)
def test_what_a_release_executes_wrongly_is_refused(text):
    assert is_misexecuted(text)


@each_case("text", TAKEN)
def test_what_all_releases_execute_rightly_is_taken(text):
    assert not is_misexecuted(text)


def of_re(matched, groups):
    """Give the end and the groups of what `re` found."""
    if matched is None:
        return None
    spans = {n: matched.span(n) for n in range(1, groups + 1) if matched.start(n) >= 0}
    return matched.start(), matched.end(), spans


@pytest.mark.parametrize("seed", some_slow(range(4), 1, 2, 3))
def test_the_python_that_runs_executes_rightly_what_is_taken(seed):
    source = random.Random(seed)
    taken = 0
    while taken < 300:
        turn = drawn(source, source.choice([1, 2, 2, 3]))
        loop = ("loop", [turn], source.choice(COUNTS), "+")
        node = ("sequence", [loop, drawn(source, source.choice([0, 0, 1, 2]))])
        groups, text = numbered(node), spelled(node)
        if turn[0] == "class" or has_empty_turns(node) or is_misexecuted(text):
            continue
        taken += 1
        compiled = re.compile(text)
        for word in source.sample(TEXTS, 40):
            at = [
                [(place, *way) for way in ways(node, word, place, {})]
                for place in range(len(word) + 1)
            ]
            whole = next((way for way in at[0] if way[1] == len(word)), None)
            first = next((found[0] for found in at if found), None)
            assert of_re(compiled.fullmatch(word), groups) == whole, (text, word)
            assert of_re(compiled.search(word), groups) == first, (text, word)


@given(capturing())
def test_the_writer_writes_only_what_all_releases_execute_rightly(node):
    assert not is_misexecuted(pattern(node, PYTHON, NO_CHARS))


COMPILED = ROOT / "uriparse/_compiled"
PACKAGES = [Path(package.__path__[0]) for package in (uriparse, abnf2lark)]
CALLS = {"compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
EMITTED = {"building/runtime.py", "tagged/tagged_proof.py"}
"""These compile what `abnf2lark` has written, which other tests judge."""


def tables():
    """Yield each expression of the generated modules and Lark files."""
    for path in sorted(COMPILED.glob("*_matchers.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.AnnAssign) and node.target.id == "PATTERNS":
                yield from ast.literal_eval(node.value).items()
    for path in sorted(COMPILED.glob("*.lark")):
        text = path.read_text("utf-8")
        yield from re.findall(r"^([A-Z_]\w*)\S*: /(.*)/$", text, re.MULTILINE)


@pytest.mark.slow
@each_case(("name", "text"), tables())
def test_all_releases_execute_what_is_generated(name, text):
    assert not is_misexecuted(text), name


@pytest.fixture(scope="module")
def compiled():
    """Give the expressions that our modules compile, by file and line."""
    run = subprocess.run(
        [sys.executable, ROOT / "tests/expressions_compiled.py"],
        env={**os.environ, "URIPARSE_PURE": "1"}, capture_output=True, check=True,
    )  # fmt: skip
    return json.loads(run.stdout)


@pytest.mark.long
def test_all_releases_execute_what_is_written_by_hand(compiled):
    ours = [row for row in compiled if any(Path(row[0]).is_relative_to(one) for one in PACKAGES)]
    assert len(ours) > 100
    assert [row for row in ours if is_misexecuted(row[2])] == []


def sites(path):
    """Yield the first and last line of each call that compiles more than a literal."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=name), args=[text, *_]
            ) if name in CALLS:
                if not isinstance(text, ast.Constant):
                    yield node.lineno, node.end_lineno
                elif is_misexecuted(
                    text.value if isinstance(text.value, str) else text.value.decode()
                ):
                    pytest.fail(f"{path}:{node.lineno}: {text.value!r}")


@pytest.mark.slow
def test_no_place_that_compiles_is_left_out(compiled):
    seen = {(file, line) for file, line, _ in compiled}
    for package in PACKAGES:
        for path in package.rglob("*.py"):
            if str(path.relative_to(package)) not in EMITTED and "_compiled" not in path.parts:
                for first, last in sites(path):
                    lines = {(str(path), line) for line in range(first, last + 1)}
                    assert lines & seen, f"{path}:{first} is not reached by expressions_compiled.py"
