"""Database URLs: the real SQLAlchemy of each version reads the same and quotes the same.

The packages are in build/sqlalchemy, each in a folder of its version: contributing.md has
the commands for that, which `.ci/run` runs.
"""

import pytest
from oracle.engine_urls import answers, as_program, hostile_texts
from paths import ROOT

from uriparse.errors import URISyntaxError
from uriparse.grammar import charset
from uriparse.legacy.sqlalchemy import VERSIONS, quote, split_engine_url

PACKAGES = {
    "0.9": "0.9.10", "1.3": "1.3.24", "1.4": "1.4.54", "2.0.23": "2.0.23", "2.0": "2.0.44",
    "2.1": "2.1.9",
}  # fmt: skip
assert tuple(PACKAGES) == VERSIONS
COUNT = 30_000
FOLDER = ROOT / "build/sqlalchemy"

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(
        not FOLDER.is_dir(), reason="build/sqlalchemy is made by commands of contributing.md"
    ),
]


def ours(text, version=None):
    try:
        return split_engine_url(text, version=version)
    except URISyntaxError as error:
        return error


def is_stricter(read, error):
    """Whether ours refuses what it says it refuses: other digits, letters beyond ASCII."""
    if error.component == "drivername":
        return not read[0].isascii()
    return error.component == "port" and error.found not in charset("DIGIT")


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_reads_as_it_does(version, seed, tally):
    texts = list(hostile_texts(COUNT, seed))
    different, refused, read = [], 0, 0
    for text, theirs in zip(texts, answers(FOLDER / PACKAGES[version], "read", texts), strict=True):
        url = ours(text, version)
        if isinstance(url, URISyntaxError):
            refused += 1
            agree = theirs is None or is_stricter(theirs, url)
        else:
            read += 1
            agree = as_program(url, version) == theirs
            assert split_engine_url(url.render(hide_password=False), version=version) == url
        if not agree:
            different.append((text, theirs, url))
    tally(f"database URLs, {version}", read=read, refused=refused, different=len(different))
    assert read > COUNT / 3
    assert refused > COUNT / 10
    assert different == []


def test_what_is_read_without_a_version_leads_to_one_host(seed, tally):
    texts = list(hostile_texts(COUNT, seed))
    everywhere = [answers(FOLDER / package, "read", texts) for package in PACKAGES.values()]
    parted = 0
    for text, *readings in zip(texts, *everywhere, strict=True):
        places = {(read[3], read[4]) for read in readings if read}
        url = ours(text)
        if not isinstance(url, URISyntaxError):
            assert places == {(url.host, url.port and int(url.port))}, text
        elif url.component == "host":
            parted += 1
            assert len(places) == 2, text
    tally("database URLs, no version", parted=parted)
    assert parted > COUNT / 100


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_quotes_as_it_does(version, seed):
    texts = [*map(chr, range(0x180)), *hostile_texts(2_000, seed)]
    quoted = answers(FOLDER / PACKAGES[version], "quote", texts)
    assert [quote(text, version=version) for text in texts] == quoted
