"""The compiler as a library: one grammar, all that can be asked of it."""

from pathlib import Path

import lark
import pytest
from cases import each_case, tables
from command_runs import run_python

import abnf2lark

TABLES = tables(__file__)

JSON = (Path(__file__).parent / "json.abnf").read_text(encoding="utf-8")
TEXT = '{"a": [1, -2.5e3, {"b": null}], "\\u00e9": "x"}'


@pytest.fixture(scope="module")
def grammar():
    return abnf2lark.load(JSON, name="json.abnf")


def test_every_public_name_is_there():
    assert dir(abnf2lark) == sorted(abnf2lark.__all__)
    for name in abnf2lark.__all__:
        assert getattr(abnf2lark, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'lod'"):
        _ = abnf2lark.lod


@pytest.mark.slow
def test_importing_loads_nothing_else():
    code = "import sys, abnf2lark; print(*sys.modules)"
    done = run_python(code)
    loaded = {name for name in done.stdout.split() if name.startswith("abnf2lark")}
    assert loaded == {"abnf2lark"}
    code = "import sys, abnf2lark; abnf2lark.load('a = b\\nb = [ a ]').explain('x')"
    code += "; print(*sys.modules)"
    done = run_python(code)
    assert not {"lark", "abnf", "dataclasses_"} & set(done.stdout.split())


@pytest.mark.parametrize("way", ["text", "path", "name of a path", "two paths"])
def test_a_grammar_is_text_or_files(tmp_path, monkeypatch, way):
    (tmp_path / "one.abnf").write_text('a = "x" / b\nb = "y"\n')
    (tmp_path / "two.abnf").write_text('b =/ "z"\n')
    monkeypatch.chdir(tmp_path)
    found = {
        "text": lambda: abnf2lark.load('a = "x" / b\nb = "y" / "z"\n'),
        "path": lambda: abnf2lark.load(tmp_path / "one.abnf"),
        "name of a path": lambda: abnf2lark.load("one.abnf"),
        "two paths": lambda: abnf2lark.load("one.abnf", tmp_path / "two.abnf"),
    }[way]()
    assert found.rules == ("a", "b")
    assert [found.matches(text) for text in "xyz"] == [True, True, way in ("text", "two paths")]
    assert repr(found).startswith("<abnf2lark.Grammar ")


def test_text_never_names_a_file():
    with pytest.raises(abnf2lark.GrammarError, match="syntax") as caught:
        abnf2lark.load("/etc/passwd")
    assert "root" not in str(caught.value)
    with pytest.raises(abnf2lark.InputError, match=r"none\.abnf: No such file"):
        abnf2lark.load("none.abnf")
    with pytest.raises(TypeError, match="a path, or text"):
        abnf2lark.load()


def test_rules_come_from_imports_and_from_what_is_given():
    units = abnf2lark.load('unit = "m" / "s"', name="units.abnf")
    text = "a = 1*DIGIT unit mark host\nmark = <a mark>"
    found = abnf2lark.load(text, imports=[units, "rfc3986"], defines={"a mark": '"@"'})
    assert found.matches("12m@example.com")
    assert not found.matches("12k@example.com")
    assert abnf2lark.load("a = 'x' | b_c+\nb_c = [0-9]", lenient=True).matches("01")


def test_lint_is_that_of_the_command():
    found = abnf2lark.load('a = *( *"x" ) / "y" / "yz"\nb = "z"')
    codes = lambda **options: [one.code for one in found.lint(**options)]  # noqa: E731
    assert codes() == ["empty-repetition"]
    assert codes(starts=["A"]) == ["empty-repetition", "unreachable"]
    assert {*codes(first_match=True, ignore=["empty-repetition"])} == {"shadowed-alternative"}


def test_explanations_speak_of_rules_and_abnf_words(grammar):
    for text, message in TABLES["explained"].items():
        found = grammar.explain(text)
        assert str(found) == message
        assert not found.matches
    found = grammar.explain('[\n  1,\n  "\x07"]')
    assert (found.line, found.column, found.found) == (3, 4, "U+0007")
    assert str(found).endswith("at offset 10, line 3, column 4, found U+0007")
    assert str(grammar.explain(TEXT)) == "JSON-text matches"
    assert grammar.explain(TEXT).expected == ()


@pytest.mark.slow
def test_depth_is_bounded_by_memory_alone(grammar):
    deep = "[" * 3_000 + "]" * 3_000
    assert grammar.matches(deep)
    assert not grammar.matches(deep + "]")
    assert sum(1 for _ in grammar.tree(deep).iter_subtrees()) > 6_000
    assert str(grammar.records().parse(deep)) == deep


@pytest.mark.slow
def test_a_pattern_is_proved_and_lark_is_ready(grammar):
    assert grammar.pattern("int") == r"\A(?:0|[1-9][0-9]*+)\Z"
    assert grammar.pattern("int", flavour="re2") == r"\A(?:0|[1-9][0-9]*)\z"
    with pytest.raises(abnf2lark.NotRegularError, match="recursive"):
        grammar.pattern("value")
    with pytest.raises(abnf2lark.FlavourError, match="int has no expression for java: it gives"):
        grammar.pattern("int", flavour="java", capture=["int"])
    with pytest.raises(abnf2lark.InputError, match="flavour perl"):
        grammar.pattern("int", flavour="perl")
    parser = abnf2lark.load("rfc3986").lark("authority", leaves=["userinfo", "host", "port"])
    assert (parser.kind, parser.reason) == ("lalr", "")
    assert isinstance(parser, lark.Lark)
    assert [str(node.data) for node in parser.parse("u@h:80").children] == [
        "userinfo", "host", "port",
    ]  # fmt: skip
    assert lark.Lark(parser.grammar_text, start="authority", parser="lalr").parse("h")


def test_errors_of_parsers_speak_of_rules_too(grammar):
    parser = grammar.lark("array")
    assert bool(parser.reason) == (parser.kind == "earley")
    assert parser.parse("[1,[2]]")
    with pytest.raises(lark.UnexpectedInput) as caught:
        parser.parse("[1,[2}]")
    assert isinstance(caught.value, abnf2lark.UnexpectedTextError)
    assert isinstance(caught.value, abnf2lark.NoMatchError)
    assert (caught.value.line, caught.value.column, caught.value.pos_in_stream) == (1, 6, 5)
    assert 'found "}"' in str(caught.value)
    assert "_" not in str(caught.value)


@pytest.mark.slow
def test_types_hold_for_users_who_check_them(tmp_path):
    api = pytest.importorskip("mypy.api")
    (tmp_path / "user.py").write_text(
        "import abnf2lark\n"
        "grammar = abnf2lark.load('a = b', imports=['rfc3986'])\n"
        "reveal_type(grammar.matches('x'))\n"
        "reveal_type(grammar.explain('x').expected[0].words)\n"
        "reveal_type(grammar.lark().reason)\n"
        "reveal_type(grammar.records().parse('x').text)\n"
        "reveal_type(grammar.witness('a', 'b'))\n"
        "reveal_type(grammar.tree('x').children)\n"
        "grammar.match('x')\n"
    )
    out = api.run(["--strict", "--no-incremental", "--show-error-codes", str(tmp_path / "user.py")])
    found = out[0]
    for told in ("bool", "tuple[str, ...]", "str", "str | None", "Sequence[Token | Tree[Token]]"):
        assert f'Revealed type is "{told}"' in found.replace("builtins.", "").replace(
            "lark.tree.", ""
        ).replace("typing.", "").replace("lark.lexer.", ""), found
    assert '"Grammar" has no attribute "match"' in found
    assert "Any" not in found


@each_case(("call", "told"), [
    (lambda g: g.matches(None), "text must be a str, not NoneType"),
    (lambda g: g.matches(b"1"), "text must be a str, not bytes"),
    (lambda g: g.explain(1), "text must be a str, not int"),
    (lambda g: g.tree(None), "text must be a str, not NoneType"),
    (lambda g: g.records().parse(b"1"), "text must be a str, not bytes"),
    (lambda g: g.lark("number").parse(b"1"), "text must be a str, not bytes"),
    (lambda g: g.matches("1", 3), "a rule must be a str, not int"),
    (lambda g: g.equal("value", "value", "rfc3986"), "other is a Grammar or None, not str"),
    (lambda g: g.pattern("number", flavour=3), "flavour must be a str, not int"),
    (lambda g: g.pattern("number", capture="int"),
     "capture is an iterable of names of rules, such as a list, not str"),
    (lambda g: g.records(captured="int"),
     "captured is an iterable of names of rules, such as a list, not str"),
    (lambda g: g.lark("number", leaves=3),
     "leaves is an iterable of names of rules, such as a list, not int"),
    (lambda g: g.lint("number"),
     "starts is an iterable of names of rules, such as a list, not str"),
    (lambda _: abnf2lark.load(None), "a grammar must be a str or a path, not NoneType"),
    (lambda _: abnf2lark.load(b'a = "x"'), "a grammar must be a str or a path, not bytes"),
    (lambda _: abnf2lark.load("a = b", name=3), "name must be a str, not int"),
    (lambda _: abnf2lark.load("a = b", imports="rfc3986"),
     "imports is an iterable of grammars, such as a list, not str"),
    (lambda _: abnf2lark.load("a = b", imports=[3]), "an import must be a str or a path, not int"),
    (lambda _: abnf2lark.load("a = b", defines="b"),
     "defines is a mapping of names to elements, not str"),
    (lambda _: abnf2lark.load("a = b", defines={"b": 3}),
     "what it is defined as must be a str, not int"),
])  # fmt: skip
def test_what_is_of_another_type_is_told(grammar, call, told):
    with pytest.raises(TypeError) as caught:
        call(grammar)
    assert str(caught.value) == told


def test_a_name_in_place_of_a_grammar_is_told_how_to_come():
    for text in ("my_grammar.txt", "rfc9999"):
        with pytest.raises(abnf2lark.GrammarError) as caught:
            abnf2lark.load(text)
        assert caught.value.__notes__ == [
            "help: a str is ABNF unless it ends in .abnf; give the name of another file as a Path"
        ]
    with pytest.raises(abnf2lark.GrammarError) as caught:
        abnf2lark.load("a = b")
    assert not hasattr(caught.value, "__notes__")
    with pytest.raises(abnf2lark.InputError, match="import nope: neither a file nor a bundled"):
        abnf2lark.load("a = b", imports=["nope"])
