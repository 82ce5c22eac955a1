"""Build: the same bytes every time, nothing half done, and every departure found."""

import os
import re
import struct
import subprocess
import sys
import time
import tomllib
import zlib
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest
from cases import documents, tables
from paths import ROOT

from abnf2lark.building.artifacts import gathered
from abnf2lark.building.project import BuildError, project_root
from abnf2lark.tables.packed import Section, contents
from abnf2lark.tables.packing import packed_file

COMPILED = ROOT / "uriparse" / "_compiled"

TABLES = tables(__file__)
SETTINGS = documents(__file__)["SETTINGS"]

MAIL = """\
mail = local "@" domain
local = 1*atext
domain = 1*( ALPHA / "." )
atext = ALPHA / DIGIT
"""
PLACES = ["--grammars", ROOT / "grammar", "--out", COMPILED]


@pytest.fixture
def project(tmp_path):
    """Make a project with a small grammar of its own."""
    grammars = tmp_path / "project" / "grammar"
    grammars.mkdir(parents=True)
    (grammars / "grammars.toml").write_text(SETTINGS)
    (grammars / "mail.abnf").write_text(MAIL)
    (grammars / "core.abnf").write_bytes((ROOT / "grammar" / "core.abnf").read_bytes())
    return tmp_path / "project"


@pytest.fixture
def build(abnf2lark, project):
    """Run the command on the project."""
    places = ["--grammars", project / "grammar", "--out", project / "out"]
    return lambda *arguments: abnf2lark("build", *places, *arguments)


@pytest.fixture
def built(build, project):
    """Give the project's generated files."""
    assert build().code == 0
    return project / "out"


def files(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


@pytest.mark.slow
def test_build_writes_and_check_agrees(build, project):
    done = build()
    assert done.code == 0
    assert done.out == ""
    names = files(project / "out").keys()
    assert {"__init__.py", "index.py", "names.py", "mail.lark", "mail_matchers.py"} <= names
    assert {"_packed.py", "mail.packed"} <= names
    assert done.err.splitlines() == [f"wrote {project / 'out' / name}" for name in sorted_as(done)]
    assert build("--check") == type(done)(0, "", "")
    assert build() == type(done)(0, "", "")


def sorted_as(done):
    return [Path(line.removeprefix("wrote ")).name for line in done.err.splitlines()]


def edit(path):
    path.write_text(path.read_text().replace("mail", "male", 1))


def strip(path):
    path.write_bytes(path.read_bytes().rstrip(b"\n"))


def carriage_returns(path):
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def spoil(path):
    path.write_bytes(b"\xff" + path.read_bytes())


DAMAGE = [edit, strip, carriage_returns, spoil, Path.unlink]


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_check_finds_what_was_done_to_a_file_and_build_undoes_it(build, built, damage):
    good = files(built)
    damage(built / "mail.lark")
    bad = files(built)
    done = build("--check")
    assert done.code == 1
    shown = built / "mail.lark"
    old = os.devnull if damage is Path.unlink else shown
    assert done.out.splitlines()[:2] == [f"--- {old}", f"+++ {shown} (generated)"]
    assert len(done.out.splitlines()) > 3
    assert "run: abnf2lark build" in done.err
    assert files(built) == bad
    assert build().code == 0
    assert files(built) == good


def recompressed(data):
    """Compress the sections of a packed file as another release of zlib might."""
    head, _, rest = data.partition(b"prints it.\n")
    assert rest
    made, streams, at = bytearray(rest[:1]), [], 1
    for _ in range(rest[0]):
        stop = at + 1 + rest[at]
        made += rest[at:stop]
        stored, length, checksum = struct.unpack_from("<3I", rest, stop)
        streams.append((len(made), stored))
        made += struct.pack("<3I", 0, length, checksum)
        at = stop + 12
    at += 4
    other = []
    for place, stored in streams:
        other.append(zlib.compress(zlib.decompress(rest[at : at + stored]), 1))
        made[place : place + 4] = struct.pack("<I", len(other[-1]))
        at += stored
    whole = head + b"prints it.\n" + made
    return whole + struct.pack("<I", zlib.crc32(whole)) + b"".join(other)


@pytest.mark.slow
def test_packed_files_are_compared_by_what_they_hold(build, built):
    path = built / "mail.packed"
    good = path.read_bytes()
    other = recompressed(good)
    assert other != good
    path.write_bytes(other)
    assert build("--check") == build("--check", "--full")
    assert build("--check").code == 0
    assert build("--full").err == ""
    assert path.read_bytes() == other


@pytest.mark.slow
@pytest.mark.parametrize("full", [[], ["--full"]], ids=["recorded", "full"])
def test_check_shows_what_was_done_to_a_packed_file_and_build_undoes_it(build, built, full):
    path = built / "mail.packed"
    good = path.read_bytes()
    found = contents(good, path.name)
    changed = found["lalr"].replace(b"DOMAIN", b"DEMAIN")
    assert changed != found["lalr"]
    bad = packed_file({**found, "lalr": changed}, "grammar/mail.abnf")
    for data, line in ((bad, "DEMAIN"), (good[:-1], "damaged"), (good + b"x", "damaged")):
        path.write_bytes(data)
        done = build("--check", *full)
        assert done.code == 1
        assert done.out.splitlines()[:2] == [f"--- {path}", f"+++ {path} (generated)"]
        assert any(one.startswith("-") and line in one for one in done.out.splitlines()[2:])
        assert path.read_bytes() == data
        assert build(*full).code == 0
        assert path.read_bytes() == good


def test_show_prints_all_that_a_packed_file_holds(abnf2lark, built):
    path = built / "mail.packed"
    done = abnf2lark("show", path)
    assert (done.code, done.err) == (0, "")
    sections = re.findall("^== (.*)", done.out, re.MULTILINE)
    assert sections == ["diagnosis", "lalr", "tagged"]
    for name in sections:
        one = abnf2lark("show", path, "--section", name)
        assert one.code == 0
        assert one.out.startswith(f"== {name}\n# ")
        assert one.out.strip() in done.out
        section = Section(contents(path.read_bytes(), "")[name], "")
        shown = {line[:-1] for line in one.out.splitlines() if re.fullmatch(r"\w+:", line)}
        assert shown == {part for part in section.parts if part[-1] not in "=#"}
    assert "  'mail': 0\n" in done.out
    assert '["DOMAIN' in done.out


@pytest.mark.slow
def test_check_finds_stale_files_when_a_grammar_changes(build, built, project):
    before = files(built)
    (project / "grammar" / "mail.abnf").write_text(MAIL.replace('"."', '"." / "-"'))
    done = build("--check")
    assert done.code == 1
    assert any(line.startswith("-DOMAIN") for line in done.out.splitlines())
    assert any(line.startswith("+DOMAIN") for line in done.out.splitlines())
    assert files(built) == before
    build()
    assert build("--check").code == 0


@pytest.mark.slow
def test_files_that_were_not_generated_are_left_alone(build, built):
    extra = built / "notes.txt"
    extra.write_text("mine")
    (built / "__pycache__").mkdir()
    (built / "index.pyc").write_bytes(b"")
    assert build("--check").code == 1
    done = build()
    assert (done.code, done.err) == (0, f"left {extra} alone: it was not generated\n")
    assert extra.read_text() == "mine"


FAULTS = TABLES["faults"]


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("check", [[], pytest.param(["--check"], marks=pytest.mark.slow)])
def test_nothing_is_written_when_anything_is_wrong(build, built, project, name, check):
    file, old, new, code, message = FAULTS[name]
    path, before = project / "grammar" / file, files(built)
    if old is None:
        path.write_bytes(new if isinstance(new, bytes) else new.encode())
    else:
        path.write_text(path.read_text().replace(old, new) if old else path.read_text() + new)
    done = build(*check)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert files(built) == before


def test_a_place_that_cannot_be_written_is_named(abnf2lark, project):
    (project / "out").write_text("a file")
    done = abnf2lark("build", "--grammars", project / "grammar", "--out", project / "out")
    assert (done.code, done.err) == (2, f"abnf2lark: {project / 'out'}: File exists\n")


def test_the_project_is_found_from_inside_of_it(project, tmp_path):
    inside = project / "some" / "where"
    inside.mkdir(parents=True)
    assert project_root(inside) == project
    assert project_root(tmp_path) == ROOT


def run(seed, *arguments):
    """Run the command in a process of its own, under a seed for Python's hashes."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-m", "abnf2lark", "build", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_every_seed_builds_the_same_bytes(project):
    outs = [project / "one", project / "two"]
    for seed, out in enumerate(outs, 1):
        done = run(seed, "--grammars", project / "grammar", "--out", out)
        assert done.returncode == 0, done.stderr
    assert files(outs[0]) == files(outs[1])


@pytest.mark.slow
def test_the_projects_own_files_are_what_its_grammars_compile_to():
    done = run(1, "--check", *PLACES)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.oracle  # minutes; by their record they are checked each time
def test_so_they_are_whatever_their_record_says():
    done = run(2, "--check", "--full", *PLACES)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_grammar_file_has_settings():
    settings = tomllib.loads((ROOT / "grammar" / "grammars.toml").read_text(encoding="utf-8"))
    assert {path.stem for path in (ROOT / "grammar").glob("*.abnf")} == settings.keys()


def doubled(number, say):
    say("twice", str(number))
    return 2 * number, os.getpid()


def failing(number, _):
    if number == 1:
        raise BuildError("no")
    time.sleep(600)


def tasks(function, count=5):
    return {("twice", str(number)): partial(function, number) for number in range(count)}


def test_more_jobs_do_the_same_elsewhere_and_tell_what_is_done():
    said = []
    done = gathered(tasks(doubled), lambda *what: said.append(what), 2)
    assert {key: found for key, (found, _) in done.items()} == {
        ("twice", str(n)): 2 * n for n in range(5)
    }
    assert os.getpid() not in {process for _, process in done.values()}
    assert [where for where, _ in said] == [f"{n} of 5" for n in range(1, 6)]
    assert sorted(what for _, what in said) == [f"twice {n}" for n in range(5)]


def test_the_first_that_fails_ends_the_others():
    with pytest.raises(BuildError, match=r"^no$"):
        gathered(tasks(failing, 3), lambda *_: None, 3)


def test_processes_of_others_are_not_ended():
    other = get_context("fork").Process(target=time.sleep, args=[600])
    other.start()
    try:
        with pytest.raises(BuildError, match=r"^no$"):
            gathered(tasks(failing, 3), lambda *_: None, 3)
        assert other.is_alive()
    finally:
        other.kill()
        other.join()
