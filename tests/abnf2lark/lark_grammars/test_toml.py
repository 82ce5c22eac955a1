"""TOML 1.0, whose grammar is recursive and white space optional: LALR, by proof."""

import random
import tomllib

import lark
import pytest
from paths import ROOT
from published.samples import Sampler

import abnf2lark
from abnf2lark.lark_grammars.compiling import compile_grammar
from tools.collection.grammars import FOLDER

GRAMMAR = FOLDER / "grammars" / "toml.abnf"
DOCUMENT = """
# all kinds of values
title = "TOML \\u00e9 \\"x\\""  # with a comment
'literal key'."quoted" . bare-key_1 = 'C:\\temp'
text = \"\"\"
one ""two"" \\
   three\"\"\"\"
raw = '''it's''''
numbers = [ +1_000, -0, 0xdead_BEEF, 0o755, 0b1101,
            3.14e+2, 1e06, -nan, inf, # special
          ]
dates = [[1979-05-27T07:32:00Z, 1979-05-27 07:32:00.5-07:00], [1979-05-27, 07:32:00,],]
point = { x = 1 , y.z = [ { } , {a=true} ], w = 2 }
empty = [
]

[ table . "sub" ]
x=false
[[ array ]]
"""


@pytest.fixture(scope="module")
def toml():
    return abnf2lark.load(GRAMMAR.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def made(toml):
    return compile_grammar(toml.known, ("toml",))


@pytest.fixture(scope="module")
def parser(made):
    assert made.parser == "lalr", made.reason
    return lark.Lark(made.text, parser="lalr", lexer="contextual", start="toml")


@pytest.mark.slow
def test_what_could_be_no_node_is_named(made):
    assert {"array-values", "time-second"} < set(made.flattened)
    assert not any(tree_name in made.flattened for tree_name in ("keyval", "array", "comment"))
    line = f"// No nodes, since it would not be LALR(1) with them: {', '.join(made.flattened)}"
    assert line in made.text.splitlines()


def accepts(parser, text):
    try:
        parser.parse(text)
    except lark.UnexpectedInput:
        return False
    return True


@pytest.mark.slow
def test_documents_are_read(parser):
    tomllib.loads(DOCUMENT)
    assert accepts(parser, DOCUMENT)
    for path in ("pyproject.toml", "grammar/grammars.toml"):
        assert accepts(parser, (ROOT / path).read_text(encoding="utf-8")), path


@pytest.mark.slow
def test_trees_hold_keys_and_values(parser):
    tree = parser.parse("a.b = [1, {c = 'd'}]\n[t]\n")
    keys = ["".join(key.scan_values(str)) for key in tree.find_data("key")]
    assert sorted(keys) == ["a.b", "c", "t"]
    assert [node.data for node in next(tree.find_data("array")).iter_subtrees()].count("val") == 3


@pytest.mark.slow
def test_words_and_documents_with_a_character_wrong_are_judged_as_by_the_chart(toml, parser):
    draw = random.Random(8)
    sampler = Sampler(toml.known, draw)
    texts = [sampler.word("toml", 40) for _ in range(150)]
    texts += [DOCUMENT[place : place + 60] for place in range(0, len(DOCUMENT), 20)]
    judged = {True: 0, False: 0}
    for text in texts:
        for one in [text, *sampler.spoiled(text)]:
            found = toml.matches(one)
            judged[found] += 1
            assert accepts(parser, one) == found, one
    assert min(judged.values()) > 100, judged
