"""Texts of many kinds are read as by others: Ada, can_ada, and the URL of Node."""

import json
import random
import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from contextlib import suppress
from urllib.parse import unquote

import pytest
from whatwg.test_whatwg import BASES, PIECES
from whatwg.test_wpt import rows

from uriparse._base.coerce import is_unicode
from uriparse.whatwg import URLError, parse

ada_url = pytest.importorskip("ada_url")

BLANK = [" ", "\t", "\n", "\x00", "\u3002"]
PARTS = [*(piece for piece in PIECES.split() if piece != "\ud800"), *BLANK]
INPUTS = [(row["input"], row["base"]) for row in rows("urltestdata")]
DOMAINS = [row["input"] for name in ("toascii", "IdnaTestV2") for row in rows(name)]
SPECIAL = ("http:", "https:", "ws:", "wss:", "ftp:", "file:")


def drawn(count, seed):
    """Yield texts with their bases: words, mutants of the platform tests' inputs, domains."""
    rng = random.Random(seed)
    for _ in range(count):
        kind = rng.random()
        if kind < 0.4:
            yield "".join(rng.choices(PARTS, k=rng.randrange(1, 9))), rng.choice(BASES)
        elif kind < 0.8:
            text, base = rng.choice(INPUTS)
            for _ in range(rng.randrange(1, 4)):
                text = mutated(text, rng)
            yield text, base
        elif kind < 0.93:
            yield f"https://{mutated(rng.choice(DOMAINS), rng)}/x", None
        else:
            ranges = ((0x21, 0x7F), (0x80, 0x900), (0x900, 0xD800), (0x10000, 0x11000))
            chars = (chr(rng.randrange(*rng.choice(ranges))) for _ in range(rng.randrange(1, 6)))
            yield f"http://{''.join(chars)}/", None


def mutated(text, rng):
    at = rng.randrange(len(text) + 1)
    piece = rng.choice(PARTS) if rng.random() < 0.7 else ""
    return text[:at] + piece + text[at + rng.randrange(2) :]


def ours(text, base):
    try:
        return str(parse(text, base))
    except URLError:
        return None


def adas(text, base):
    try:
        return ada_url.URL(text, base).href if base else ada_url.URL(text).href
    except ValueError:
        return None


def explained(text, found, other):
    """Name why Ada 4.0 reads a text otherwise; None for no reason. Chromium 150 reads it as we do.

    By UTS 46 every label of a domain with letters of right-to-left scripts has to keep the rule of
    RFC 5893: Ada looks at labels with such letters alone, and knows the directions, marks and
    joining types of older characters. What it refuses and we accept has newer characters.
    """
    if text.isascii() and "xn--" not in text.lower():
        return None
    whole = unquote(text) + "".join(decoded(strip_ignored(text)))
    if {unicodedata.bidirectional(char) for char in whole} & {"R", "AL", "AN"}:
        return "right to left"
    if found is None and any(char in "\u200c\u200d" for char in whole):
        return "joiners"
    if any(unicodedata.category(char).startswith("M") for char in whole):
        return "marks"
    if found is None and "xn--" in strip_ignored(text):
        return "Punycode that another text would have"
    return "newer characters" if other is None and any(map(is_new, whole)) else None


def strip_ignored(text):
    """Leave out characters that UTS 46 ignores."""
    return re.sub("[\u00ad\ufeff\u200b\u2060]", "", text).lower()


def decoded(text):
    """Yield what the A-labels of a text stand for."""
    for label in re.findall(r"(?i)xn--([a-z0-9-]+)", text):
        with suppress(UnicodeError):
            yield label.encode().decode("punycode")


def is_new(char):
    """Whether a character may be newer than the tables of a parser of 2025 (Unicode 16)."""
    return unicodedata.category(char) == "Cn" or char > "\uffff"


@pytest.mark.parametrize("count", [
    pytest.param(8_000, marks=pytest.mark.slow), pytest.param(1_000_000, marks=pytest.mark.oracle),
])  # fmt: skip
def test_texts_are_read_as_by_ada(count, record_property):
    reasons, wrong = Counter(), []
    for text, base in drawn(count, f"ada {count}"):
        if not is_unicode(text):  # Ada takes no lone surrogates
            continue
        found, other = ours(text, base), adas(text, base)
        if found != other:
            reason = explained(text, found, other)
            reasons[reason] += 1
            if reason is None:
                wrong.append((text, base, found, other))
    record_property("tally", ("differences with Ada", dict(reasons)))
    assert wrong == []
    assert reasons.total() < count / 200


NODE = """
const pairs = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(pairs.map(([text, base]) => {
  try { return (base === null ? new URL(text) : new URL(text, base)).href; } catch { return null; }
})));
"""


def is_of_old(text, found):
    """Whether Node 20, of the standard of 2023, may read a text otherwise.

    A-labels were checked then, "^" was not encoded, and spaces of opaque paths stayed; and its Ada
    leaves ".." after a segment such as ".a", or one of a file that begins as a drive letter does.
    """
    plain = re.sub(r"[\t\n\r]", "", text)
    return (
        "xn--" in plain.lower()
        or "^" in text
        or "%" in text
        or re.search(r"[/\\]\.\.?[^./\\?#]", plain) is not None
        or re.search(r"[A-Za-z]:[^/\\]+[/\\]\.\.", plain) is not None
        or not (found or "http:").startswith(SPECIAL)
    )


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")


def of_node(program, given):
    """Return what a program for Node prints as JSON for what it reads as JSON."""
    told = subprocess.run(
        ["node", "-e", program], input=json.dumps(given), stdout=subprocess.PIPE, encoding="utf-8",
        check=True,
    )  # fmt: skip
    return json.loads(told.stdout)


@pytest.mark.oracle
@needs_node
def test_texts_of_ascii_are_read_as_by_node():
    bases = [base for base in BASES if base is None or base.startswith(SPECIAL)]
    rng = random.Random("node")
    texts = [text for text, _ in drawn(400_000, "node") if text.isascii()]
    pairs = [(text, rng.choice(bases)) for text in texts]
    judged, wrong = 0, []
    for (text, base), other in zip(pairs, of_node(NODE, pairs), strict=True):
        found = ours(text, base)
        if not is_of_old(text, found):
            judged += 1
            if found != other:
                wrong.append((text, base, found, other))
    assert judged > len(pairs) / 3
    assert wrong == []


PARAMS = """
const queries = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(queries.map(query => {
  const params = new URL("http://h/?" + query).searchParams;
  return [[...params], params.get("a"), params.getAll("a"), params.get("a b\u00e9")];
})));
"""


@needs_node
def test_queries_are_read_as_by_node():
    pieces = ["a", "a", "=", "=", "&", "&", "+", "%20", "%c3%a9", "é", "%FF", "%", "%4", "%00", "b",
              "a+b%C3%A9=", ";", "\ufeff", "\t", "|", "\\", "%26", "%3d", "\U0001f600"]  # fmt: skip
    rng = random.Random("queries")
    queries = ["", *("".join(rng.choices(pieces, k=rng.randrange(1, 12))) for _ in range(3_000))]
    for query, (pairs, first, every, other) in zip(queries, of_node(PARAMS, queries), strict=True):
        url = parse(f"http://h/?{query}")
        assert [list(pair) for pair in url.query_pairs] == pairs, query
        assert (url.query_value("a"), [*url.query_values("a")]) == (first, every), query
        assert url.query_value("a bé") == other, query
