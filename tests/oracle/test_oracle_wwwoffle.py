"""WWWOFFLE's URLs: the program's own functions, compiled, make the same of them by version.

The sources are in build/wwwoffle: wwwoffle_program.py says which, and nothing of them is here.
"""

import json

import pytest
from oracle import wwwoffle_program as program

from uriparse.legacy import wwwoffle

VERSIONS = wwwoffle.VERSIONS[1:]
RECORDED = json.loads(program.TABLE.read_text("ascii"))
BY_VERSION = {
    "g": wwwoffle.decode, "f": wwwoffle.decode_form, "r": wwwoffle.recode_form_args,
    "p": wwwoffle.encode_path,
}  # fmt: skip
ALWAYS = {"a": wwwoffle.encode_form, "w": wwwoffle.encode_password}

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(
        not program.FOLDER.is_dir(), reason="build/wwwoffle has no sources: see wwwoffle_program.py"
    ),
]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_splits_as_it_does(version, seed, tally):
    driver = program.built(program.FOLDER / version)
    texts = list(program.hostile_texts(program.COUNT, seed))
    different, departures = [], 0
    for text, theirs in zip(texts, program.their_records(driver, texts), strict=True):
        ours = program.our_record(text, version)
        if theirs != ours and program.only_behind_the_end(theirs, ours):
            departures += 1
        elif theirs != ours:
            different.append((text, theirs, ours))
    tally(f"WWWOFFLE {version}", read=len(texts), departures=departures, different=len(different))
    assert different == []
    if not seed:
        assert departures == RECORDED["runs"][version]["departures"]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_encodes_and_decodes_as_it_does(version, seed):
    driver = program.built(program.FOLDER / version)
    texts = [*map(chr, range(1, 0x100)), *program.hostile_texts(program.COUNT // 5, seed)]
    for asked, codec in (BY_VERSION | ALWAYS).items():
        options = {"version": version} if asked in BY_VERSION else {}
        answers = [answer for (answer,) in program.answers(driver, asked, texts)]
        assert [program.octets_of(codec(t.encode("latin-1"), **options)) for t in texts] == answers


def test_the_table_of_the_page_is_what_the_programs_say():
    assert program.table() == RECORDED
