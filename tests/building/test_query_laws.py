"""Queries of pairs against `urllib.parse.parse_qsl`: read alike, and written back as they were."""

import os
import random
from collections import Counter
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriparse import EncodingError, parse, query_pairs, try_parse
from uriparse.building import query_string

FEW = pytest.param(300, id="few")
MANY = pytest.param(100_000, id="many", marks=pytest.mark.oracle)

# What RFC 3986 lets stand in a query, with the delimiters of pairs more often than letters.
PIECES = [
    *("&", "&", "=", "=", ";", "+", "+", "a", "b", "~", "/", "?", ":", "@", "!", "$", "'", "(",
      ","),
    *("%26", "%3D", "%3d", "%3B", "%2B", "%2b", "%20", "%61", "%7E", "%25", "%00", "%C3%A9"),
    *("&a=", "&%61=", "&b+b=", "&b%20b=", "&b%2Bb="),
]  # fmt: skip
QUERY = "abcXYZ019-._~!$&'()*+,;=:@/?"
"""All kinds of characters that stand for themselves."""

NO_UTF8 = ["%FF", "%C3", "%A9", "%ED%A0%80"]
WAYS = [(plus, separator) for plus in (True, False) for separator in ("&", ";", "&;")]


CORPORA = [Path(name) for name in os.environ.get("URIPARSE_CORPORA", "").split(os.pathsep) if name]


def queries(count, seed, pieces=PIECES):
    """Valid queries, of a few pieces each."""
    chance = random.Random(seed)
    for _ in range(count):
        yield "".join(chance.choices(pieces, k=chance.randrange(12)))


def judged(query, plus=True, separator="&"):  # noqa: FBT002 - as the function it judges
    """Read a query by urllib, which reads "+" as a space and knows one separator."""
    if not plus:
        query = query.replace("+", "%2B")
    if separator == "&;":
        query, separator = query.replace(";", "&"), "&"
    return parse_qsl(query, keep_blank_values=True, errors="strict", separator=separator)


def filled(pairs):
    """Pairs as urllib reads them, which reads no value as an empty one."""
    return [(name, value or "") for name, value in pairs]


def pieces_of(query, separator):
    """The texts of pairs, none of them empty."""
    for character in separator[1:]:
        query = query.replace(character, separator[0])
    return [text for text in query.split(separator[0]) if text]


@pytest.mark.parametrize("count", [FEW, MANY])
def test_pairs_are_read_as_urllib_reads_them(count):
    for number, query in enumerate(queries(count, "read")):
        for plus, separator in WAYS if number % 4 == 0 else WAYS[:1]:
            pairs = query_pairs(query=query, plus=plus, separator=separator)
            assert filled(pairs) == judged(query, plus, separator), query
            values = [value for _, value in pairs]
            written = ["=" in text for text in pieces_of(query, separator)]
            assert [value is not None for value in values] == written, query


@pytest.mark.parametrize("count", [FEW, MANY])
def test_what_is_no_utf8_is_refused_where_urllib_refuses_it(count):
    refused = 0
    for query in queries(count // 10, "octets", PIECES + NO_UTF8):
        try:
            expected = judged(query)
        except UnicodeDecodeError:
            refused += 1
            with pytest.raises(EncodingError):
                query_pairs(query=query)
        else:
            assert filled(query_pairs(query=query)) == expected
    assert refused


def write_back(query, plus, separator):
    """Hold that pairs written back change no octet, and written anew no meaning."""
    way = {"plus": plus, "separator": separator}
    uri = parse(f"http://h/p?{query}#f")
    pairs = query_pairs(uri, **way)
    made = uri.with_query(pairs, **way)
    assert made.query == (query if pairs else None)
    assert query_pairs(made, **way) == pairs
    new = query_string(pairs, separator=separator)
    for either in (True, False):  # nobody reads it as other pairs, whatever "+" is to them
        assert query_pairs(query=new, plus=either, separator=separator) == pairs
        assert judged(new, either, separator) == judged(query, plus, separator)


@given(st.text(QUERY) | st.lists(st.sampled_from(PIECES)).map("".join), st.sampled_from(WAYS))
def test_every_query_is_read_and_written_back(query, way):
    assert filled(query_pairs(query=query, plus=way[0], separator=way[1])) == judged(query, *way)
    write_back(query, *way)


@pytest.mark.parametrize("count", [FEW, MANY])
def test_pairs_written_back_change_no_octet(count):
    for number, query in enumerate(queries(count, "write")):
        for way in WAYS if number % 4 == 0 else WAYS[:1]:
            write_back(query, *way)


@pytest.mark.parametrize("count", [FEW, MANY])
def test_changed_pairs_leave_the_others_as_they_are(count):
    chance = random.Random("change")
    for query in queries(count // 2, "change"):
        plus, separator = chance.choice(WAYS)
        way = {"plus": plus, "separator": separator}
        uri = parse(f"//h?{query}")
        old = judged(query, plus, separator)
        texts = pieces_of(query, separator)
        name, value = chance.choice([*old, ("new", ""), ("a", "1"), ("b b", "+ &;=")])

        some = [pair for pair in query_pairs(uri, **way) if chance.random() < 0.7]
        chance.shuffle(some)
        made = uri.with_query([*some, (name, value + "x")], **way)
        assert judged(made.query, plus, separator) == [*filled(some), (name, value + "x")]
        kept = Counter(pieces_of(made.query, separator)[:-1])
        assert kept <= Counter(texts)

        made = uri.without_query(name, **way)
        left = [text for text in texts if judged(text, plus, separator)[0][0] != name]
        assert pieces_of(made.query or "", separator) == left

        made = uri.set_query({name: value}, **way)
        found = judged(made.query, plus, separator)
        assert [pair for pair in found if pair[0] == name] == [(name, value)]
        assert [pair for pair in found if pair[0] != name] == [
            pair for pair in old if pair[0] != name
        ]
        assert Counter(left) <= Counter(pieces_of(made.query, separator))

        made = uri.add_query({name: value}, separator=separator)
        assert judged(made.query, plus, separator) == [*old, (name, value)]
        assert made.query.startswith(query)


@pytest.mark.skipif(not CORPORA, reason="set URIPARSE_CORPORA to files of URIs, a line each")
@pytest.mark.oracle
def test_real_queries_are_read_and_written_back():
    read = 0
    for path in CORPORA:
        for line in path.read_text("utf-8", "replace").splitlines():
            uri = try_parse(line.strip())
            if uri is None or uri.query is None:
                continue
            read += 1
            pairs = query_pairs(uri)
            assert filled(pairs) == judged(uri.query), line
            assert judged(query_string(pairs)) == judged(uri.query), line
            assert uri.with_query(pairs) == (uri if pairs else uri.replace(query=None)), line
    assert read
