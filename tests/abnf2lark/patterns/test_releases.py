"""What releases of Python execute wrongly: it is refused, never written, and all else is right."""

import random
import re

import pytest
from brute.expressions import capturing
from brute.successes import COUNTS, TEXTS, drawn, has_empty_turns, numbered, spelled, ways
from cases import each_case
from hypothesis import given

from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.passes import NO_CHARS
from abnf2lark.patterns.releases import is_misexecuted

REFUSED = [
    *("(?:ab?c)*+", "(?:ab*+c)*+", "(?:a(?:b|cc))*+", "(?:a|b(?!c))++", "(?:(?!a)b)*+"),
    *(
        "(?:a{2}b)*+",
        "(?:a++b)*+",
        "(?:ab++)*+",
        "(?:a(?>bc))*+",
        "(?:(?<=a)b)?+",
        "(?:a|ab){1,3}+",
    ),
    *("a(?:b|(?:ab?c)*+)*", "(?=(?:ab?c)*+)", "(?>(?:ab?c)*+)", "(?>(a)|b|c)*+", "(?>(a)b?)*+"),
]
TAKEN = [
    *("a*+", "[ab]{1,3}+", "(?:ab)*+", "(?:abc*+)*+", "(?:a++|bc)*+", "(?:a|bc*+)++", "(?>ab?c)*+"),
    *(
        "(?>(?:ab?c)*)",
        "(?:ab?c)*",
        "(?:ab?c)+?",
        "(?:(?>ab?)c*+)*+",
        "(?>(a)b*+(c))*+",
        "(?:ab?c)?",
    ),
]


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


@pytest.mark.parametrize("seed", range(4))
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
