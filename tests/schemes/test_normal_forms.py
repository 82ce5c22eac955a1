"""Normal forms of all schemes: valid, of the same meaning, and alike wherever they are made."""

import random
import re
from collections import Counter

import pytest
from agreement.drawing import Drawing
from marks import one_in
from schemes.meanings import HIERARCHICAL, meaning

import uriparse
from uriparse import arrow, equivalent, normalize, parse_url, resolve
from uriparse.errors import URIError
from uriparse.normalization import SCHEME_DEFAULTS
from uriparse.schemes import CURRENT
from uriparse.schemes.equivalence import lowest_rung

pytestmark = pytest.mark.filterwarnings("ignore:uriparse has no C kernel here:RuntimeWarning")

LEVELS = ("simple", "syntax", "scheme")
DOTS = ("/.", "/..", "/./", "/../", "../", "./", "a/../", "/%2e", "/%2E%2e/", "/a/..", "/..//")
PIECES = ("%7E", "%2D", "%2e", "%5f", "%41", "%61", "%30", "~", "%3a", "%C3%A9", "%2F")
FURTHER = {"otpauth": "?secret=AAAA"}
"""What a scheme requires that a walk through its rule seldom comes by."""


def spoiled(text, chance):
    """Put dot segments and triplets into a URI, and change the letter case of characters."""
    scheme, _, rest = text.partition(":")
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(rest) + 1)
        match chance.randrange(5):
            case 0:
                slashes = [place for place, char in enumerate(rest) if char == "/"]
                at = chance.choice(slashes) if slashes and chance.random() < 0.7 else at
                rest = rest[:at] + chance.choice(DOTS) + rest[at:]
            case 1 if at < len(rest) and "%" not in rest[max(at - 2, 0) : at + 1]:
                form = chance.choice(("%{:02X}", "%{:02x}"))
                rest = rest[:at] + form.format(ord(rest[at])) + rest[at + 1 :]
            case 2:
                rest = rest[:at] + rest[at:][:1].swapcase() + rest[at + 1 :]
            case 3:
                scheme = chance.choice((scheme.upper(), scheme.capitalize()))
            case _:
                rest = rest[:at] + chance.choice(PIECES) + rest[at:]
    return f"{scheme}:{rest}"


def is_one_of(text, name):
    """Whether a text is a URI of RFC 3986, and one of a scheme."""
    try:
        return uriparse.is_valid(text) and parse_url(text).scheme == name
    except URIError:
        return False


def pairs(name, count, seed=0):
    """Draw pairs of URIs of a scheme, each twice spoiled of one word of its rule."""
    scheme, chance = CURRENT[name], random.Random(f"{name} {seed}")
    drawing = Drawing(scheme.rule, seed, scheme.grammar)
    found = 0
    while found < count:
        word = drawing.word(chance.choice((4, 8, 16, 32, 64)))
        word = name + word[word.index(":") :] + FURTHER.get(name, "")
        one, other = spoiled(word, chance), spoiled(word, chance)
        if is_one_of(one, name) and is_one_of(other, name):
            yield one, other
            found += 1


def faults(name, count, seed=0):
    """Yield what is wrong with normal forms and comparisons of drawn URIs of a scheme."""
    drawn = list(pairs(name, count, seed))
    columns = {level: in_columns([one for one, _ in drawn], level) for level in LEVELS[1:]}
    for row, (one, other) in enumerate(drawn):
        for level in LEVELS[1:]:
            normal = str(normalize(one, level))
            if not is_one_of(normal, name):
                yield f"refused by its scheme at {level}", one, normal
            elif meaning(normal) != meaning(one):
                yield f"means something else at {level}", one, normal
            if str(normalize(normal, level)) != normal:
                yield f"not a normal form at {level}", one, normal
            by_hand = str(normalize(one, level, schemes=SCHEME_DEFAULTS))
            if not normal == by_hand == columns[level][row]:
                yield f"not alike in Python, kernel and columns at {level}", one, normal
            if not equivalent(one, normal, level):
                yield f"not equivalent to its normal form at {level}", one, normal
        steps = [equivalent(one, other, level) for level in LEVELS]
        if steps != sorted(steps):
            yield "levels are not nested", one, other
        if steps[-1] is not (meaning(one) == meaning(other)):
            yield f"taken for {'the same' if steps[-1] else 'different'}", one, other
        rung = lowest_rung(one, other)
        if rung != next((each for each, same in zip(LEVELS, steps, strict=True) if same), None):
            yield "another rung", one, other
        has_code = name in HIERARCHICAL and re.search("%2e", one, re.IGNORECASE)
        if not has_code and normalize(resolve("x://h/a/b", one)) != normalize(one):
            yield "resolving changes the normal form", one, str(resolve("x://h/a/b", one))


def in_columns(texts, level):
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.chunked_array(arrow.normalize(pyarrow.array(texts), level)).to_pylist()


@pytest.mark.parametrize("name", [*CURRENT])
def test_every_scheme_keeps_its_meanings(name):
    assert not [*faults(name, 10)]


@pytest.mark.slow
@pytest.mark.parametrize("name", one_in(4, ([name] for name in CURRENT)))
def test_every_scheme_keeps_its_meanings_in_many_uris(name):
    found = Counter(kind for kind, *_ in faults(name, 500, seed=1))
    assert not found


@pytest.mark.parametrize(("one", "other"), [
    ("data:,/a/../b", "data:,/b"), ("urn:example:a%2Db", "urn:example:a-b"),
    ("tag:a.example,2001:%61", "tag:a.example,2001:a"), ("s3://bucket/a/./b", "s3://bucket/a/b"),
])  # fmt: skip
def test_the_faults_would_be_seen(one, other):
    assert meaning(one) != meaning(other)
    assert not equivalent(one, other)
