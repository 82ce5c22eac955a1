"""Lark grammars that took long to compile are kept, and never trusted where they are damaged."""

import os
import pkgutil
import sys

import pytest
from command_runs import run_python

import abnf2lark
from abnf2lark import remembered

PARSERS = "abnf2lark.library.remembered_parsers"
ABNF = 'pair = key [ "=" value ]\nkey = 1*ALPHA\nvalue = *DIGIT\n'


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(remembered.VARIABLE, raising=False)
    monkeypatch.setattr(f"{PARSERS}.WORTH_KEEPING", 0)
    return tmp_path / "cache/uriparse"


@pytest.fixture
def compiled(monkeypatch):
    """The rules that were compiled."""
    found = []
    compile_grammar = pkgutil.resolve_name(f"{PARSERS}.compile_grammar")

    def spy(grammar, starts, **kinds):
        found.append(starts[0])
        return compile_grammar(grammar, starts, **kinds)

    monkeypatch.setattr(f"{PARSERS}.compile_grammar", spy)
    return found


def lark(text=ABNF, **options):
    return abnf2lark.load(text).lark(**options)


def entries(cache):
    return sorted(cache.iterdir()) if cache.is_dir() else []


def test_a_grammar_is_compiled_once(compiled, cache):
    first, second = lark(), lark()
    assert compiled == ["pair"]
    assert (first.grammar_text, first.kind, first.reason) == (
        second.grammar_text, second.kind, second.reason,
    )  # fmt: skip
    assert first.parse("a=1") == second.parse("a=1")
    assert len(entries(cache)) == 1


def test_whatever_may_matter_makes_another_entry(compiled, cache, monkeypatch):
    lark()
    lark(leaves=["pair"])
    lark(nodes=["pair"])
    lark(inlined=["key"])
    lark(ABNF.replace("*DIGIT", "*HEXDIG"))
    lark(ABNF.replace("pair =", "; of two\npair ="))  # comments are in the Lark grammar
    abnf2lark.load(ABNF, name="other.abnf").lark()
    monkeypatch.setattr(f"{PARSERS}.__version__", "of Lark")
    lark()
    monkeypatch.setattr(remembered, "_compiler", str)
    lark()
    assert len(compiled) == len(entries(cache)) == 9


def test_what_an_import_means_makes_another_entry(compiled):
    """Its text is the same; what the prose in it stands for is not."""
    for one in ("ALPHA", "DIGIT"):
        other = abnf2lark.load("b = <prose>", defines={"<prose>": one})
        parser = abnf2lark.load("a = 1*b", imports=[other]).lark()
        assert parser.parse("a" if one == "ALPHA" else "1")
    assert len(compiled) == 2


def test_it_can_be_switched_off(compiled, cache, monkeypatch):
    lark(remember=False)
    lark(remember=False)
    monkeypatch.setenv(remembered.VARIABLE, "")
    lark()
    lark()
    assert len(compiled) == 4
    assert not entries(cache)


@pytest.mark.parametrize("spoil", [
    lambda data: data[:0], lambda data: data[:-3], lambda data: data.replace(b"pair", b"peer"),
    lambda data: b"\xff" + data, lambda data: data.partition(b"\n")[2],
])  # fmt: skip
def test_what_is_damaged_is_made_again(compiled, cache, spoil):
    first = lark()
    [entry] = entries(cache)
    whole = entry.read_bytes()
    entry.write_bytes(spoil(whole))
    assert entry.read_bytes() != whole
    assert lark().grammar_text == first.grammar_text
    assert len(compiled) == 2
    assert entry.read_bytes() == whole


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner here")
def test_what_somebody_else_wrote_is_not_read(compiled, monkeypatch):
    lark()
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    lark()
    assert len(compiled) == 2


def test_the_oldest_entries_are_removed(cache, monkeypatch):
    monkeypatch.setattr(remembered, "MAX_ENTRIES", 2)
    for number in range(4):
        lark(f"a = {number + 1}DIGIT")
        os.utime(max(entries(cache), key=lambda one: one.stat().st_mtime_ns), (number, number))
    assert len(entries(cache)) == 2


@pytest.mark.parametrize(("platform", "variables", "place"), [
    ("linux", {"HOME": "/h"}, "/h/.cache/uriparse"),
    ("linux", {"HOME": "/h", "XDG_CACHE_HOME": "relative"}, "/h/.cache/uriparse"),
    ("darwin", {"HOME": "/h"}, "/h/Library/Caches/uriparse"),
    ("win32", {"HOME": "/h", "LOCALAPPDATA": "/l"}, "/l/uriparse/Cache"),
    ("win32", {"HOME": "/h", "XDG_CACHE_HOME": "/x"}, "/x/uriparse"),
])  # fmt: skip
@pytest.mark.skipif(sys.platform == "win32", reason="paths of the tests are POSIX's")
def test_it_is_where_the_platform_has_caches(platform, variables, place, monkeypatch):
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", remembered.VARIABLE):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert str(remembered.directory()) == place


@pytest.mark.slow
def test_another_process_takes_what_one_has_kept(tmp_path):
    """TOML takes two seconds; the first process keeps it."""
    code = (
        "import abnf2lark, time\n"
        "from abnf2lark.library import remembered_parsers\n"
        "toml = abnf2lark.load('toml')\n"
        "start = time.process_time()\n"
        "text = toml.lark().grammar_text\n"
        "print(time.process_time() - start, hash(text))\n"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "other"), "PYTHONHASHSEED": "0"}
    outcomes = [run_python(code, env=environment).stdout.split() for _ in range(2)]
    (first, text), (second, again) = outcomes
    assert text == again
    assert float(second) < float(first) / 4
