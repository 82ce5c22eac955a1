"""Portable Lark files: other engines read each terminal as Python 3.11 reads the proved one."""

import json
import re
import shutil
import subprocess
import sys
from itertools import islice
from re import _parser

import lark
import pytest
from cases import documents, tables
from command_runs import run_program
from documentation.pages import SOURCES, read
from marks import mostly_slow, some_slow

import abnf2lark as compiler

TABLES = tables(__file__)

GRAMMARS = TABLES["grammars"]
SIGNS = [
    "", "a", "\n", "\0", "~", "&&", "--", "||", "[]", "^", "\\", "\u00e9", "\uffff", "\U0001f600",
]  # fmt: skip


QUICK = some_slow(GRAMMARS, "json")


def compiled(abnf2lark, name, *options):
    """Give the Lark file of a grammar, and a parser made of it as its header says."""
    done = abnf2lark("compile", "t.abnf", *options, t=GRAMMARS[name])
    assert done.code == 0
    start = compiler.load(GRAMMARS[name]).rules[0]
    kind = {"lexer": "contextual"} if 'parser="lalr"' in done.out else {}
    parser = "lalr" if kind else "earley"
    return done.out, lark.Lark(done.out, parser=parser, start=start, **kind)


def expressions(abnf2lark, name, *options):
    """Give the Lark file, and the expression of each terminal as Lark has it."""
    text, parser = compiled(abnf2lark, name, "--blanks", *options)
    return text, {one.name: one.pattern.to_regexp() for one in parser.terminals}


def pieces(name):
    """Give texts to lex: of the grammar and of its rules, invalid ones, and what follows."""
    grammar = compiler.load(GRAMMARS[name])
    found = {*SIGNS}
    for rule in grammar.rules:
        for invalid in (False, True):
            found |= {*islice(grammar.generate(1, 20, rule, invalid=invalid), 20)}
    found |= {text[cut:] for text in found for cut in (1, 2)}
    found |= {text + sign for text in sorted(found)[::9] for sign in SIGNS}
    return sorted(found)


def ends(expression, texts):
    found = (re.compile(expression).match(text) for text in texts)
    return [match and match.end() for match in found]


@pytest.mark.parametrize("name", QUICK)
def test_python_before_3_11_reads_each_terminal_alike(abnf2lark, name):
    made, proved = expressions(abnf2lark, name)
    _, written = expressions(abnf2lark, name, "--portable")
    texts = pieces(name)
    assert proved.keys() == written.keys()
    for terminal, expression in written.items():
        operations = repr(_parser.parse(expression))
        assert "POSSESSIVE" not in operations
        assert "ATOMIC" not in operations
        assert ends(expression, texts) == ends(proved[terminal], texts), terminal
    kinds = {"POSSESSIVE" in repr(_parser.parse(one)) for one in proved.values()}
    needed = "// Python 3.11 or later, for possessive quantifiers; --portable does without"
    assert (needed in made.splitlines()) == any(kinds)
    assert ("// Python 3.8 or later" in made.splitlines()) != any(kinds)


SCRIPT = documents(__file__)["SCRIPT"]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("name", mostly_slow(GRAMMARS, "sums", "signs"))
def test_javascript_reads_each_terminal_alike(abnf2lark, name):
    _, proved = expressions(abnf2lark, name)
    _, written = expressions(abnf2lark, name, "--portable")
    texts = pieces(name)
    asked = json.dumps([written, texts])
    done = run_program("node", "-e", SCRIPT, input=asked)
    told = json.loads(done.stdout)
    for terminal, expression in proved.items():
        assert told[terminal] == ends(expression, texts), terminal


PARSE = documents(__file__)["PARSE"]


def shown(node):
    return str(node) if isinstance(node, str) else [node.data, *map(shown, node.children)]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("name", ["json", "signs", "a last one"])
def test_the_script_of_the_page_writes_parsers_in_javascript(abnf2lark, name, tmp_path):
    pytest.importorskip("larkjs", reason="lark-js is not installed")
    blocks = read(SOURCES / "how-to/own-grammar.md").blocks
    (script,) = (one.text for one in blocks if one.file == "to_javascript.py")
    written, parser = compiled(abnf2lark, name, "--portable")
    (tmp_path / "t.lark").write_text(written, encoding="utf-8")
    start = parser.options.start[0]
    command = [sys.executable, "-c", script, "t.lark", start, "t.js"]
    subprocess.run(command, cwd=tmp_path, check=True)
    texts = pieces(name)
    expected = []
    for text in texts:
        try:
            expected.append(shown(parser.parse(text)))
        except lark.UnexpectedInput:
            expected.append(None)
    assert 30 < expected.count(None) < len(texts) - 30
    done = run_program("node", "-e", PARSE, str(tmp_path / "t.js"), input=json.dumps(texts))
    assert json.loads(done.stdout) == expected


# Without white space in trees, as a person would write it.


def value_of(tree):
    """Give what a tree of JSON stands for."""
    (inner,) = tree.children
    if not hasattr(inner, "data"):
        return {"true": True, "false": False, "null": None}[inner]
    parts = inner.children
    match inner.data:
        case "array":
            return [value_of(part) for part in parts]
        case "object":
            return {text_of(member.children[0]): value_of(member.children[1]) for member in parts}
        case "string":
            return text_of(inner)
        case _:
            return json.loads("".join(inner.scan_values(lambda _: True)))


def text_of(tree):
    return json.loads('"' + "".join(tree.scan_values(lambda _: True)) + '"')


@pytest.mark.parametrize("options", [(), ("--portable",)])
def test_a_tree_without_blanks_is_the_value(abnf2lark, options):
    grammar = compiler.load(GRAMMARS["json"])
    _, parser = compiled(abnf2lark, "json", *options)
    assert parser.options.parser == "lalr"
    for text in islice(grammar.generate(1, 60), 150):
        tree = parser.parse(text)
        assert value_of(tree) == json.loads(text), text
        tokens = [*tree.scan_values(lambda _: True)]
        assert not [one for one in tokens if one.type in {"WS", "_WS", "_COMMA", "_COLON"}]
    for text in islice(grammar.generate(1, 60, invalid=True), 150):
        with pytest.raises(lark.UnexpectedInput):
            parser.parse(text)
