"""Three engines, each in a process of its own, say the same of every text: records and errors."""

import itertools
import json
import os
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from marks import one_in
from oracle.generation import spoiled, words

from uriparse.schemes import CURRENT, RFC1738

READER = Path(__file__).with_name("engine_reader.py")
ENGINES = ["lark", "python", *(["native"] if find_spec("uriparse._native._kernel") else [])]
SIZES = [
    pytest.param(1, id="few"),
    pytest.param(500, id="many", marks=pytest.mark.oracle),  # of references 200,000
]
"""How many times as many texts as the fewest."""

REGISTRIES = {"CURRENT": CURRENT, "RFC1738": RFC1738}
SCHEMES = [(registry, name) for registry, known in REGISTRIES.items() for name in known]


def answers(engine, asked, texts, *options):
    """What the reader says of each text: a verdict and a digest."""
    done = subprocess.run(
        [sys.executable, READER, asked, *options], input=json.dumps(texts).encode(),
        env={**os.environ, "URIPARSE_ENGINE": engine, "URIPARSE_PURE": "0"}, stdout=subprocess.PIPE,
        check=True,
    )  # fmt: skip
    name, *lines = done.stdout.decode(errors="surrogateescape").splitlines()
    assert name == engine
    assert len(lines) == len(texts)
    return lines


def compared(asked, texts, tally, heading):
    said = [answers(engine, asked, texts) for engine in ENGINES]
    rows = zip(texts, zip(*said, strict=True), strict=True)
    differing = [text for text, row in rows if len({*row}) > 1]
    accepted = sum(line.startswith("+") for line in said[0])
    tally(heading, texts=len(texts), accepted=accepted, differences=len(differing))
    assert not differing, [answers(e, asked, differing[:3], "all") for e in ENGINES]
    return accepted


def halves(name, rule, seed, count):
    """Words of a rule, and words spoiled by one edit, by turns."""
    both = zip(words(name, rule, seed), spoiled(name, rule, seed), strict=True)
    return list(itertools.islice(itertools.chain.from_iterable(both), count))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("grammar", "rule"),
    [("rfc3986", "URI-reference"), ("rfc3987", "IRI-reference"), ("rfc2396", "URI-reference")],
)
def test_engines_read_references_alike(grammar, rule, size, seed, tally):
    texts = halves(grammar, rule, seed, 200 * size)
    accepted = compared(grammar, texts, tally, "references by three engines")
    assert grammar == "rfc2396" or len(texts) / 3 < accepted < len(texts)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("registry", "name"), one_in(10, SCHEMES))
def test_engines_read_urls_alike(registry, name, size, seed, tally):
    scheme, chance = REGISTRIES[registry][name], random.Random(seed)
    texts = []
    for text in halves(scheme.grammar, scheme.rule, seed, 40 * size):
        word, _, rest = text.partition(":")
        own = name.upper() if chance.random() < 0.1 else name
        tail = f"#{chance.choice(('', 'a', 'b%20', 'é', '#'))}" if chance.random() < 0.1 else ""
        texts.append(f"{own if word.lower() == scheme.word else word}:{rest}{tail}")
    compared(registry, texts, tally, f"URLs of {registry} by three engines")
