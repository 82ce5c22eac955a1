"""URIs in text: documents, examples, and what a find says of its place."""

import copy
import pickle
from collections import Counter

import pytest
from cases import each_case, vectors

from uriparse import find_uris, parse
from uriparse.text import Flag, Found, How

DOCUMENTS = vectors("text_documents")
EXAMPLES = vectors("text_examples")
assert DOCUMENTS
assert EXAMPLES


@pytest.mark.parametrize("document", DOCUMENTS, ids=[document["id"] for document in DOCUMENTS])
def test_documents(document):
    text = "\n".join(document["lines"])
    found = list(find_uris(text))
    assert [str(find.uri) for find in found] == document["uris"]
    assert Counter(find.how for find in found) == document["hows"]
    assert sum(find.prefixed for find in found) == document["prefixed"]
    assert sum(Flag.LINE_BREAK in find.flags for find in found) == document["broken"]
    both = list(find_uris(text, suffixes=True))
    assert [find for find in both if find.how is not How.SUFFIX] == found
    suffixes = [str(find.uri) for find in both if find.how is How.SUFFIX]
    assert suffixes == document["suffixes"]


@each_case("example", EXAMPLES)
def test_examples(example):
    found = list(find_uris(example["text"], **example["options"]))
    assert [str(find.uri) for find in found] == [known["uri"] for known in example["uris"]]
    for find, known in zip(found, example["uris"], strict=True):
        facts = {
            "uri": str(find.uri), "how": find.how, "prefixed": find.prefixed,
            "span": list(find.span), "whole": list(find.whole),
            "alternatives": [str(other) for other in find.alternatives],
            "flags": sorted(find.flags), "line": find.line, "column": find.column,
        }  # fmt: skip
        assert {name: facts[name] for name in known} == known


def test_a_find_is_a_value_and_hides_passwords():
    [find] = find_uris("<ftp://user:secret@example.com/>")
    assert "secret" not in repr(find)
    assert find.uri == parse("ftp://user:secret@example.com/", "URI")
    assert find.uri.userinfo == "user:secret"
    assert pickle.loads(pickle.dumps(find)) == copy.copy(find) == find
    assert hash(find) == hash(copy.deepcopy(find))
    with pytest.raises(AttributeError):
        find.uri = None
    match find:
        case Found(uri=uri, how=How.ANGLE):
            assert str(uri.host) == "example.com"
        case _:
            pytest.fail("does not match")


def test_iris_are_records_of_their_grammar():
    [find] = find_uris("http://h.d/é", grammar="rfc3987")
    assert find.uri.grammar == "rfc3987"
    assert find.uri == parse("http://h.d/é", "IRI", grammar="rfc3987")


def test_finds_come_as_the_text_is_read():
    read = []

    def pieces():
        for number in range(1000):
            read.append(number)
            yield f" http://h.d/{number} " + "x" * 1000

    finds = find_uris(pieces())
    assert str(next(finds).uri) == "http://h.d/0"
    assert len(read) < 100
    assert sum(1 for _ in finds) == 999


def test_a_word_that_is_no_choice_of_schemes():
    with pytest.raises(ValueError, match="collection of names, not 'http'"):
        find_uris("", schemes="http")


def test_a_grammar_that_has_no_uris_to_find():
    with pytest.raises(ValueError, match="rfc3986 or rfc3987, not 'rfc1738'"):
        find_uris("", grammar="rfc1738")
