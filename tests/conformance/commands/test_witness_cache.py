"""What took long to find is found once, by the same grammar, and never trusted when damaged."""

import pytest

from abnf2lark.mutants import witnesses as search
from uriparse.cli import main
from uriparse.conformance import suite
from uriparse.grammar import rule_sources

ABNF = 'greeting = "hi" SP name\r\nname = 1*ALPHA\r\n'


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    path = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(path))
    return path / "uriparse"


@pytest.fixture
def searched(monkeypatch):
    """The rules whose mutants are looked into."""
    found = []
    real = search.witnesses

    def spy(grammar, rule):
        found.append(rule)
        return real(grammar, rule)

    monkeypatch.setattr(search, "witnesses", spy)
    return found


@pytest.fixture
def make(tmp_path, capsys):
    def run(text=ABNF, *arguments):
        path = tmp_path / "own.abnf"
        path.write_text(text, encoding="ascii")
        code = main(["conformance", "suite", "--grammar", str(path), *arguments])
        out, err = capsys.readouterr()
        assert (code, err) == (0, "")
        return out

    return run


def test_mutants_are_looked_into_once(make, searched, cache):
    first = make()
    assert make() == first
    assert make(ABNF, "--method=mutants").count("\n") > 1
    assert searched == ["greeting"]
    assert len(list(cache.iterdir())) == 1


def test_another_compiler_may_find_others(make, searched, monkeypatch):
    from uriparse.conformance.commands import suite_command

    make()
    monkeypatch.setattr(suite_command, "_MAKERS", ("automata",))
    make()
    assert len(searched) == 2


def test_what_is_damaged_is_found_again(make, searched, cache):
    first = make()
    [entry] = cache.iterdir()
    whole = entry.read_bytes()
    entry.write_bytes(whole.replace(b"hi", b"ho"))
    assert entry.read_bytes() != whole
    assert make() == first
    assert len(searched) == 2
    assert entry.read_bytes() == whole


def test_an_entry_that_is_a_directory_is_left(make, cache):
    first = make()
    [entry] = cache.iterdir()
    entry.unlink()
    entry.mkdir()
    assert make() == first
    assert [path.name for path in cache.iterdir()] == [entry.name]


def test_shipped_rules_are_kept_too(capsys, searched, cache):
    """But those that were looked into when their grammar was compiled."""
    for rule, count in (("h16", 1), ("URI", 1)):
        for _ in range(2):
            for known in (rule_sources._shipped, rule_sources.compiled_anew):
                known.cache_clear()  # as in another process
            assert main(["conformance", "suite", "--rule", rule, "--method=mutants"]) == 0
        assert searched == ["h16"]
        assert len(list(cache.iterdir())) == count
    capsys.readouterr()


def test_the_library_keeps_nothing(cache):
    from uriparse.conformance import read_abnf

    assert len(suite("greeting", grammar=read_abnf(ABNF)))
    assert not cache.exists()
