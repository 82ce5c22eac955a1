"""The two ways to a record, by matchers and by Lark trees: equal records or both refuse."""

import itertools
import os
from pathlib import Path

import pytest
from oracle.generation import spoiled, words
from oracle.judges import by_derivatives

from uriparse import URI, RelativeRef, URISyntaxError, parse_tree, transform, try_parse

RULES = [
    ("rfc3986", "URI"), ("rfc3986", "URI-reference"), ("rfc3986", "relative-ref"),
    ("rfc3986", "absolute-URI"), ("rfc3987", "IRI"), ("rfc3987", "IRI-reference"),
    ("rfc3987", "irelative-ref"), ("rfc3987", "absolute-IRI"),
]  # fmt: skip
# Words of other rules, which these may or may not derive.
STRANGERS = {
    "rfc3986": [("rfc1738", "url"), ("rfc3987", "IRI-reference"), ("rfc3986", "host")],
    "rfc3987": [("rfc1738", "url"), ("rfc3986", "URI-reference"), ("rfc3987", "ihost")],
}
FIELDS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
CORPORA = [Path(name) for name in os.environ.get("URIPARSE_CORPORA", "").split(os.pathsep) if name]

FEW = pytest.param(300, id="few")
MANY = pytest.param(30_000, id="many", marks=pytest.mark.oracle)


def by_tree(text, rule, grammar):
    try:
        tree = parse_tree(text, rule, grammar=grammar)
    except URISyntaxError:
        return None
    return transform(tree)


def facts(record):
    """Everything that can be asked of a record."""
    if record is None:
        return None
    found = [type(record), record.grammar, str(record), repr(record), hash(record)]
    found += [getattr(record, name) for name in FIELDS]
    found += [record.segments, record.authority, type(record.host), str(record.host)]
    if record.authority is not None:
        found += [record.authority.userinfo, record.authority.host, record.authority.port]
        found += [str(record.authority), record.host.address]
    return found


def texts(grammar, rule, seed):
    """Alternate words, spoiled words, and those of other rules, without end."""
    strangers = [words(*other, seed) for other in STRANGERS[grammar]]
    sources = [words(grammar, rule, seed), spoiled(grammar, rule, seed), *strangers]
    turns = (0, 1, 0, 1, 0, 1, 2, 0, 1, 3, 0, 1, 4)
    for turn in itertools.cycle(turns):
        yield next(sources[turn])


@pytest.mark.parametrize("count", [FEW, MANY])
@pytest.mark.parametrize(("grammar", "rule"), RULES)
def test_both_ways_agree(grammar, rule, count, seed, tally):
    found = set(itertools.islice(texts(grammar, rule, seed), count))
    accepted, differing = 0, []
    for text in found:
        record, other = try_parse(text, rule, grammar=grammar), by_tree(text, rule, grammar)
        accepted += record is not None
        if record != other or facts(record) != facts(other):
            differing.append(text)
        elif record is not None:
            assert str(record) == text
            assert type(record) is (RelativeRef if record.scheme is None else URI)
    tally(
        "records by matcher and by tree", different_strings=len(found), accepted=accepted,
        refused=len(found) - accepted, differences=len(differing),
    )  # fmt: skip
    assert not differing
    assert count / 5 < accepted < len(found)


@pytest.mark.oracle
@pytest.mark.parametrize("path", CORPORA, ids=[path.name for path in CORPORA])
@pytest.mark.parametrize(("grammar", "rule"), [("rfc3986", "URI-reference"), ("rfc3987", "IRI")])
def test_both_ways_agree_on_corpora(path, grammar, rule, tally):
    """On files of one reference a line that URIPARSE_CORPORA names, as PATH does its folders."""
    lines = path.read_bytes().decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
    accepted, differing = 0, []
    for line in lines:
        record, other = try_parse(line, rule, grammar=grammar), by_tree(line, rule, grammar)
        accepted += record is not None
        verdict = by_derivatives(grammar, rule, line)
        if facts(record) != facts(other) or verdict is (record is None):
            differing.append(line)
    tally(
        f"records of {path.name} as {rule}", lines=len(lines), accepted=accepted,
        differences=len(differing),
    )  # fmt: skip
    assert not differing
