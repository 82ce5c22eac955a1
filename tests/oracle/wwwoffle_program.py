"""The URL functions of a real WWWOFFLE, compiled, and hostile texts for them.

Nothing of the program is in this repository: build/wwwoffle/2.7, 2.8 and 2.9 have the folders `src`
of 2.7h, 2.8e (github.com/niitsuma/wwwoffle-par, 4cd65f2 and 9ee1a58) and 2.9h
(github.com/metux/wwwoffle, afad7a2). `python -m oracle.wwwoffle_program`, in tests/, writes the
table of the versions.
"""

import json
import random
import subprocess
from pathlib import Path

from cases import tables
from paths import ROOT

from uriparse.legacy.wwwoffle import VERSIONS, split_url

TABLES = tables(__file__)

FOLDER = ROOT / "build/wwwoffle"
COUNT = 50_000
DRIVER = Path(__file__).with_name("wwwoffle_driver.c")
SOURCES = ("miscurl.c", "miscencdec.c", "md5.c")
ZEROS = "#include <stdlib.h>\n#define malloc(size) calloc(1, (size) + 64)\n"
FIELDS = ["canonical", "name", "protocol", "username", "password"]
FIELDS += ["host", "path", "arguments", "cache_name", "params"]
"""Of a record, in the order of the driver's answer."""

WORDS = ["h", "www.a.example", "U", "p", "localhost", "localhost:8080", "my_host.d", "a", "x.y"]
HOSTS = ["[::1]", "::1", "1:2:3", "2130706433", "0x7f000001", "1.2.3.4", "1.2", "[1:2", "[1.2.3.4]"]
HOSTS += [
    "[1:2:3:4:5:6:7:8]", "[::ffff:1.2.3.4]", "[1::g:2]:81", "300.1.1.1", "-1", "[", "]", "g:h:i",
]  # fmt: skip
PORTS = [
    ":80", ":21", ":70", ":079", ":443", ":80x", ":", ":0x50", ":8080", ":99999", ": 80", ":+80",
]  # fmt: skip
STARTS = ["http://", "HTTP:", "ftp://", "ftp:/", "https://", "finger://", "gopher://", "http:///"]
STARTS += ["", "/", "//", "a@b://", ":", "://"]
TRIPLETS = [
    "%41", "%2f", "%2E", "%2e%2e", "%25", "%00", "%zz", "%4", "%", "%%", "%4x", "%C3%a9", "%3B",
]  # fmt: skip
TRIPLETS += ["%40", "%23", "%3f", "%20", "%2B", "%e", "%\xe9x"]
MARKS = [
    *"/:@?#;&=+. !'()|~\\\"<>[]{}^`$*,-_\t\n", "/./", "/../", "/.", "/..", "//", "&amp;", "&AMP;",
]  # fmt: skip
OTHERS = ["\xe9", "\xff", "\x01", "A", "z", "..", "."]
PIECES = [*WORDS, *HOSTS, *PORTS, *STARTS, *TRIPLETS, *MARKS, *MARKS, *OTHERS]


def built(folder):
    """Compile the functions in a version's folder, and return the program that answers."""
    made = folder / "made"
    made.mkdir(exist_ok=True)
    (made / "autoconfig.h").write_text(ZEROS)
    version = f"-DVERSION={folder.name.replace('.', '')}"
    sources = [folder / "src" / name for name in SOURCES]
    flags = [
        "-w", "-D_GNU_SOURCE", "-D__alpha", version,  # whose "long" has 64 bits, for md5.h
        f"-I{made}", f"-I{folder / 'src'}",
    ]  # fmt: skip
    program = made / "driver"
    subprocess.run(["cc", *flags, "-o", program, DRIVER, *sources], check=True)
    return program


def answers(program, asked, texts):
    """Ask the program about each text, octets as characters; a field of None is NULL."""
    lines = "".join(f"{asked}{text.encode('latin-1').hex()}\n" for text in texts)
    done = subprocess.run([program], input=lines, capture_output=True, check=True, text=True)
    for line in done.stdout.splitlines():
        yield [
            None if field == "-" else bytes.fromhex(field).decode("latin-1")
            for field in line.removesuffix(" ").split(" ")
        ]


def hostile_texts(count, seed):
    """Make texts: half of pieces in any order, half of the parts of a URL, spoiled by pieces."""
    source = random.Random(seed)

    def pieces(most):
        return "".join(source.choices(PIECES, k=source.randint(0, most)))

    def part(chance, before, words, after=""):
        if source.random() > chance:
            return ""
        word = pieces(2) if source.random() < 0.3 else source.choice(words)
        return f"{before}{word}{after}"

    for number in range(count):
        if number % 2:
            yield pieces(9)
            continue
        text = source.choice(STARTS) + part(0.3, "", [*WORDS, "u:p", "u@h:p"], "@")
        text += source.choice([*WORDS, *HOSTS]) + part(0.3, "", PORTS)
        for _ in range(source.randint(0, 3)):
            text += part(0.9, "/", [*WORDS, *TRIPLETS, ".", "..", ""])
        text += part(0.2, ";", WORDS) + part(0.3, "?", [*WORDS, *TRIPLETS, "a=b&amp;c"])
        yield text + part(0.1, "#", WORDS)


def only_behind_the_end(theirs, ours):
    """Whether records differ in this alone: the program read on behind an IPv6 address's end.

    Where a character that a host cannot have ends the address, 2.8 and 2.9 write a NUL over it, and
    then read what follows the NUL as more of the address.
    """
    differ = {name for name in FIELDS if theirs[name] != ours[name]}
    brackets = theirs["host"].startswith("[") and ours["host"].startswith("[")
    return brackets and differ <= {"canonical", "name", "host", "cache_name"}


def their_records(program, texts):
    """Read texts into records of octets; empty params and arguments are none in the string."""
    for fields in answers(program, "u", texts):
        record = dict(zip(FIELDS, fields, strict=True))
        yield record | {name: record[name] or None for name in ("arguments", "params")}


def octets_of(text):
    """Return the octets that a text stands for, as characters."""
    return None if text is None else text.encode("utf-8", "surrogateescape").decode("latin-1")


def our_record(text, version):
    """Read a text as the library does, as octets too."""
    url = split_url(text.encode("latin-1"), version=version)
    return {name: octets_of(getattr(url, name)) for name in FIELDS}


TABLE = Path(__file__).parents[1] / "vectors/wwwoffle_versions.json"
SHOWN = TABLES["shown"]
"""Texts of which the versions think differently, for the page."""


def table():
    """Return what each program makes of the texts, and on how many hostile ones we depart."""
    texts = list(hostile_texts(COUNT, 0))
    rows, runs = [{"text": text} for text in SHOWN], {}
    for version in VERSIONS[1:]:
        program = built(FOLDER / version)
        for row, record in zip(rows, their_records(program, SHOWN), strict=True):
            row[version] = record["canonical"]
        records = zip(texts, their_records(program, texts), strict=True)
        departures = sum(theirs != our_record(text, version) for text, theirs in records)
        runs[version] = {"texts": COUNT, "departures": departures}
    return {"runs": runs, "rows": rows}


if __name__ == "__main__":
    TABLE.write_text(json.dumps(table(), indent=1) + "\n", "ascii")
