"""Hostile database URLs, and what a real SQLAlchemy makes of them in a process of its own."""

import json
import random
import subprocess
import sys
from urllib.parse import parse_qsl

from cases import documents

READER = documents(__file__)["READER"]
"""Answers each line of JSON, ["read", text] or ["quote", text], with one."""

DRIVERS = ["d", "postgresql", "postgresql+psycopg2", "my_sql", "D1", "d+", "é", "a-b", "a.b", ""]
WORDS = ["u", "p", "h", "good.example", "evil.example", "127.0.0.1", "::1", "[::1]", "db", "x"]
NUMBERS = ["5432", "0", "007", "99999", "80_0", " 80", "80\n", "-1", "+5", "٥", "0x50", "1" * 30]
MARKS = [*":/@?[]#&=;,%+\\ \n\r\t\0", "://", "//", "@@", "]:", "[[", "]]", "??", "/?", "?/", "@["]
TRIPLETS = ["%40", "%3A", "%2F", "%2f", "%3F", "%0A", "%25", "%zz", "%", "%C3%A9", "%FF", "%5B"]
OTHERS = ["é", "例え", "\u2028", "\x85", "\x1c", "\ufeff", "ß", "a=1", "a=1&a=2", "host=evil", "b="]
PIECES = [*WORDS, *NUMBERS, *MARKS, *MARKS, *MARKS, *TRIPLETS, *OTHERS]


def hostile_texts(count, seed):
    """Make texts: half of pieces in any order, half of the parts of a URL, spoiled by pieces."""
    source = random.Random(seed)

    def pieces(most):
        return "".join(source.choices(PIECES, k=source.randint(0, most)))

    def part(before, after, words):
        if source.random() < 0.4:
            return ""
        word = pieces(3) if source.random() < 0.4 else source.choice(words)
        return f"{before}{word}{after}"

    for number in range(count):
        driver = source.choice(DRIVERS) if source.random() < 0.1 else "d"
        if number % 2:
            rest = pieces(9)
        else:
            user = source.choice(WORDS) + part(":", "", [*WORDS, *TRIPLETS])
            host = source.choice([*WORDS, pieces(2)])
            rest = part("", "", [user + "@"]) + host + part(":", "", NUMBERS)
            rest += part("/", "", WORDS) + part("?", "", OTHERS)
        yield f"{driver}://{rest}"


def answers(folder, asked, texts):
    """Ask the SQLAlchemy in a folder about each text: `asked` is "read" or "quote"."""
    lines = "".join(json.dumps([asked, text]) + "\n" for text in texts)
    done = subprocess.run(
        [sys.executable, "-I", "-c", READER, str(folder)], input=lines, capture_output=True,
        check=True, encoding="ascii",
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def as_program(url, version):
    """What SQLAlchemy's record would hold if it read as ours does."""
    query = {}
    for key, value in parse_qsl(url.query or ""):
        if key in query and version != "0.9":
            former = query[key]
            query[key] = [*(former if isinstance(former, list) else [former]), value]
        else:
            query[key] = value
    port = None if url.port is None else int(url.port)
    database = as_replaced(url.database) if version == "2.1" else url.database
    names = (as_replaced(url.username), as_replaced(url.password))
    return [url.drivername, *names, url.host, port, database, query]


def as_replaced(text):
    """Decoded data with U+FFFD for octets that are not UTF-8, as SQLAlchemy has them."""
    return text and text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
