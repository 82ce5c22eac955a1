"""What has not changed is not compiled again, and nothing that has changed is missed."""

import json
import shutil

import pytest
from marks import mostly_slow, some_slow
from paths import ROOT

from abnf2lark.building import project as digests
from abnf2lark.building.artifacts import SHARED, file_names
from abnf2lark.building.project import rendered, write
from abnf2lark.tables.packed import contents
from abnf2lark.tables.packing import packed_file

TITLES = 'title = "x"\nsource = "y"\n'

SETTINGS = f"""\
[core]
{TITLES}
[word]
{TITLES}
[mail]
{TITLES}
imports = {{word = ["word"]}}
nodes = ["mail"]

[list]
{TITLES}
"""

GRAMMARS = {
    "grammars.toml": SETTINGS,
    "core.abnf": (ROOT / "grammar" / "core.abnf").read_text(encoding="utf-8"),
    "word.abnf": "words = word\nword = 1*ALPHA\n",
    "mail.abnf": 'mail = word "@" word\n',
    "list.abnf": 'list = DIGIT *( "," DIGIT )\n',
}

ALL = ["core", "word", "mail", "list"]
LOOKING = ("list", "mutants of list")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    place = tmp_path_factory.mktemp("built")
    (place / "grammar").mkdir()
    for name, text in GRAMMARS.items():
        (place / "grammar" / name).write_text(text)
    write(rendered(place / "grammar", place / "out", lambda *_: None), place / "out")
    return place


@pytest.fixture
def project(built, tmp_path):
    shutil.copytree(built, tmp_path / "project")
    return tmp_path / "project" / "grammar", tmp_path / "project" / "out"


def compiled(project, **options):
    """Tell which grammars are compiled, and hold what comes of it to what a full build gives."""
    found = {}
    made = rendered(*project, lambda grammar, _: found.setdefault(grammar), **options)
    full = rendered(*project, lambda *_: None, full=True)
    assert made == full
    return [name for name in found if name != "all grammars"]


def change(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.slow
def test_what_is_unchanged_is_not_compiled(project):
    assert compiled(project) == []
    assert compiled(project, full=True) == ALL


CHANGES = {
    "a grammar": ("list.abnf", '","', '";"', ["list"]),
    "a comment in a grammar": ("list.abnf", "\n", " ; a comment\n", ["list"]),
    "a grammar that another imports": ("word.abnf", "1*ALPHA", "2*ALPHA", ["word", "mail"]),
    "a grammar that no other imports": ("mail.abnf", '"@"', '"%"', ["mail"]),
    "the core rules": ("core.abnf", "; A-Z / a-z", "", ALL),
    "settings": ("grammars.toml", 'nodes = ["mail"]', "", ["mail"]),
    "imports": ("grammars.toml", '["word"]', '["words", "word"]', ["mail"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(CHANGES, *CHANGES.keys() - {"imports", "settings"}))
def test_what_was_made_of_something_that_changed_is_compiled(project, name):
    file, old, new, expected = CHANGES[name]
    change(project[0] / file, old, new)
    assert compiled(project) == expected
    write(rendered(*project, lambda *_: None), project[1])
    assert compiled(project) == []


@pytest.mark.slow
def test_all_is_compiled_when_the_compiler_or_lark_changes(project, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(digests, "_sources", lambda: {"command.py": b"1"})
        assert compiled(project) == ALL
    with monkeypatch.context() as patch:
        patch.setattr(digests, "version", lambda _: "0.0")
        assert compiled(project) == ALL
    assert compiled(project) == []


def test_the_digest_covers_every_module_of_the_compiler():
    package = ROOT / "tools" / "abnf2lark"
    assert digests._sources() == {
        path.relative_to(package).as_posix(): path.read_bytes() for path in package.rglob("*.py")
    }


OUTPUTS = {
    file.partition("/")[0]: None if name == SHARED else name
    for name in (SHARED, *ALL)
    for file in file_names(name)
}


@pytest.mark.slow
@pytest.mark.parametrize("file", mostly_slow(OUTPUTS, *(f for f in OUTPUTS if "list" in f)))
def test_a_file_that_was_edited_or_lost_is_made_again(project, file):
    owner = [OUTPUTS[file]] if OUTPUTS[file] else []
    path = project[1] / file
    good = path.read_bytes()
    path.write_bytes(good + b"\n")
    assert compiled(project) == owner
    path.unlink()
    assert compiled(project) == owner
    path.mkdir()
    assert compiled(project) == owner


def damaged(project, value):
    record = project[1] / digests.RECORD
    record.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())


def entries(project):
    return json.loads((project[1] / digests.RECORD).read_bytes())["grammars"]


@pytest.mark.slow
def test_a_record_vouches_for_all_files_of_a_grammar_or_for_none(project):
    for lost in file_names("list"):
        found = entries(project)
        del found["list"]["files"][lost]
        damaged(project, {"grammars": found})
        assert compiled(project) == ["list"]
        write(rendered(*project, lambda *_: None), project[1])
    found = entries(project)
    found["list"]["files"] = 5
    damaged(project, {"grammars": found})
    assert compiled(project) == ["list"]


def test_a_stale_record_is_told_and_no_fault(project, abnf2lark):
    grammars, out = project
    change(grammars / "list.abnf", "\n", "\n; a comment\n")
    places = ["--grammars", grammars, "--out", out]
    before = (out / digests.RECORD).read_bytes()
    done = abnf2lark("build", "--check", *places)
    assert (done.code, done.out) == (0, "")
    assert done.err == f"abnf2lark: {out} is right, but not its record: abnf2lark build renews it\n"
    assert (out / digests.RECORD).read_bytes() == before
    assert abnf2lark("build", *places).err == f"wrote {out / digests.RECORD}\n"
    assert abnf2lark("build", "--check", *places).err == ""


SETTINGS_WITH_SUITES = f"""\
[core]
{TITLES}
[word]
{TITLES}
[list]
{TITLES}
suites = ["LIST"]
imports = {{word = ["word"]}}
"""

GRAMMARS_WITH_SUITES = {
    "grammars.toml": SETTINGS_WITH_SUITES,
    "core.abnf": (ROOT / "grammar" / "core.abnf").read_text(encoding="utf-8"),
    "word.abnf": "word = 1*ALPHA\n",
    "list.abnf": 'list = word *( "," word )\n',
}


@pytest.fixture
def witnessed(tmp_path):
    (tmp_path / "grammar").mkdir()
    for name, text in GRAMMARS_WITH_SUITES.items():
        (tmp_path / "grammar" / name).write_text(text)
    places = tmp_path / "grammar", tmp_path / "out"
    write(rendered(*places, lambda *_: None), places[1])
    return places


def stages(witnessed):
    found = []
    made = rendered(*witnessed, lambda *stage: found.append(stage))
    write(made, witnessed[1])
    return found


def test_a_file_that_was_edited_or_lost_is_made_again_alone(witnessed):
    path = witnessed[1] / "list.packed"
    good = path.read_bytes()
    found = contents(good, path.name)
    path.write_bytes(packed_file({**found, "witnesses": found["witnesses"] + b"\0"}, "list"))
    assert stages(witnessed) == [("all grammars", "reading"), LOOKING]
    assert path.read_bytes() == good
    path.unlink()
    assert LOOKING in stages(witnessed)
    assert path.read_bytes() == good
