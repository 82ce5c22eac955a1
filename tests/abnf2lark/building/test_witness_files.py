"""What mutants are told by takes long to find: it is found again only when it may have changed."""

import pytest
from paths import ROOT

from abnf2lark.building import project as digests
from abnf2lark.building.project import rendered, write
from abnf2lark.tables.packed import Section, contents
from abnf2lark.tables.packing import packed_file

TITLES = 'title = "x"\nsource = "y"\n'
SETTINGS = f"""\
[core]
{TITLES}
[word]
{TITLES}
[list]
{TITLES}
suites = ["LIST"]
imports = {{word = ["word"]}}
"""
GRAMMARS = {
    "grammars.toml": SETTINGS,
    "core.abnf": (ROOT / "grammar" / "core.abnf").read_text(encoding="utf-8"),
    "word.abnf": "word = 1*ALPHA\n",
    "list.abnf": 'list = word *( "," word )\n',
}
LOOKING = ("list", "mutants of list")


@pytest.fixture
def project(tmp_path):
    (tmp_path / "grammar").mkdir()
    for name, text in GRAMMARS.items():
        (tmp_path / "grammar" / name).write_text(text)
    places = tmp_path / "grammar", tmp_path / "out"
    write(rendered(*places, lambda *_: None), places[1])
    return places


def stages(project):
    found = []
    made = rendered(*project, lambda *stage: found.append(stage))
    write(made, project[1])
    return found


def test_the_file_holds_what_was_found(project):
    found = contents((project[1] / "list.packed").read_bytes(), "list.packed")
    texts, mutants, equal, undecided = Section(found["witnesses"], "").json("list")
    assert undecided == 0
    assert len(texts) > 5
    assert mutants > equal > 0
    assert "witnesses" not in contents((project[1] / "word.packed").read_bytes(), "word.packed")
    space = {}
    exec((project[1] / "index.py").read_text(), space)
    assert space["WITNESSED"] == {"core": (), "word": (), "list": ("list",)}


def test_what_is_unchanged_is_not_looked_into_again(project):
    assert stages(project) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "looks"),
    [
        ("list.abnf", '","', '";"', True),
        pytest.param("word.abnf", "1*", "2*", True, marks=pytest.mark.slow),
        pytest.param("core.abnf", "; A-Z / a-z", "", True, marks=pytest.mark.slow),
        pytest.param("grammars.toml", '"LIST"', '"list"', True, marks=pytest.mark.slow),
        ("grammars.toml", "imports =", "nodes = []\nimports =", False),
        ("grammars.toml", 'title = "x"', 'title = "z"', False),
    ],
)
def test_it_depends_on_the_rules_and_on_which_are_named(project, file, old, new, looks):
    path = project[0] / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert (LOOKING in stages(project)) is looks


@pytest.mark.parametrize(
    ("part", "looks"),
    [
        ("mutants/edits.py", True),
        pytest.param("automata/nfa.py", True, marks=pytest.mark.slow),
        pytest.param("reading/reader.py", True, marks=pytest.mark.slow),
        pytest.param("patterns/passes.py", False, marks=pytest.mark.slow),
        pytest.param("lark_grammars/guards.py", False, marks=pytest.mark.slow),
        ("command.py", False),
    ],
)
def test_it_depends_on_few_parts_of_the_compiler(project, part, looks, monkeypatch):
    sources = list(digests._sources())
    number = sources.index(part.encode())
    sources[number + 1] += b"#"
    monkeypatch.setattr(digests, "_sources", lambda: sources)
    found = stages(project)
    assert ("word", "regular expressions") in found
    assert (LOOKING in found) is looks


def test_a_file_that_was_edited_or_lost_is_made_again(project):
    path = project[1] / "list.packed"
    good = path.read_bytes()
    found = contents(good, path.name)
    path.write_bytes(packed_file({**found, "witnesses": found["witnesses"] + b"\0"}, "list"))
    assert stages(project) == [("all grammars", "reading"), LOOKING]
    assert path.read_bytes() == good
    path.unlink()
    assert LOOKING in stages(project)
    assert path.read_bytes() == good
