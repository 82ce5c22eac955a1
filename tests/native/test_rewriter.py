"""The kernel's normal forms and targets are those of the functions in Python."""

import random
from typing import get_args
from urllib.parse import parse_qsl

import pytest
from cases import each_case
from native.kernels import covering, facts, kernel, reader, rewriter

from uriparse import (
    URI,
    ComponentError,
    EncodingError,
    RegName,
    make,
    normalize,
    parse,
    percent,
    resolve,
    try_parse,
)
from uriparse.normalization import SCHEME_DEFAULTS, SchemeDefaults

pytestmark = pytest.mark.skipif(kernel is None, reason="there is no C kernel here")

BEGINS = ["", "//", "a", *(f"{scheme}:" for scheme in (*SCHEME_DEFAULTS, "x", "HTTP", "FiLe"))]
SERVERS = ["", "//h", "//", "//LOCALHOST", "//u%41@H:80", "//h:", "//h:0080", "//[::A]:443"]
SERVERS += ["//%4c:70", "//localhost:", "//@localhost", "//%31.2.3.4", "//%c3%89"]
PIECES = [*"aB//,;=@:?#.", "..", "%2e", "%2E", "%2f", "%41", "%7e", "%c3%a9", "//", "80"]
PIECES += ["/.", "/..", "/./", "/.//", "x@H%2eD"]

HOSTS = [
    "h", "", "É.x", "[::1]", "::1", "1.2.3.4", "a%41", "a@b", "a:1", "a/b", b"h", None,
    RegName("h"),
]  # fmt: skip
TRIPLETS = ["%41", "%c3%a9", "%26", "%3D", "%2B", "é", "a", "b", "+", "=", "=", "&", "&", ";"]
ODD = ["é", " ", "#", "%4", "[", None, b"a"]


def word(chance):
    begin = chance.choice(BEGINS) + chance.choice(SERVERS)
    return begin + "".join(chance.choices(PIECES, k=chance.randrange(9)))


def iri(record):
    return parse(str(record), "IRI-reference", grammar="rfc3987")


def agree(record, base):
    """Compare both ways of rewriting: Python takes defaults that are given, and IRIs."""
    for level in ("syntax", "scheme"):
        wanted = normalize(record, level, schemes=SCHEME_DEFAULTS)
        found = normalize(record, level)
        assert facts(found) == facts(normalize(str(record), level)) == facts(wanted)
        assert (found is record) == (wanted is record)
    for strict in (True, False):
        target = resolve(iri(base), iri(record), strict=strict)
        wanted = facts(parse(str(target), "URI"))
        assert facts(resolve(base, record, strict=strict)) == wanted
        assert facts(resolve(str(base), str(record), strict=strict)) == wanted


def records(chance):
    while True:
        record = try_parse(word(chance))
        if record is not None:
            yield record


def compare(seed, count):
    chance = random.Random(seed)
    bases = [parse("http://a/b/c/d;p?q"), parse("x:"), parse("x://h"), parse("file:/.//a#f")]
    for _, record in zip(range(count), records(chance), strict=False):
        agree(record, chance.choice(bases))
        if isinstance(record, URI):
            bases[chance.randrange(len(bases))] = record


def test_both_ways_agree():
    compare(1, 1000)


@pytest.mark.oracle
def test_both_ways_agree_on_many_references():
    compare(2, 2_500_000)


@pytest.mark.slow
def test_both_ways_agree_on_every_edge_of_the_automaton():
    base = parse("http://a/b/c/d;p?q")
    for text in covering("URI-reference", "rfc3986"):
        agree(parse(text), base)


def test_what_is_a_normal_form_or_a_target_comes_back_itself():
    for text in ("http://h/a", "//h/a", "x:a", "../%2E."):
        record = parse(text)
        assert normalize(record) is record
    uri = parse("http://h/a/b?c")
    assert resolve("x:y", uri) is uri


@each_case("size", [500, 510, 520, 5000])
def test_results_of_any_size_are_written(size):
    """Short ones are written on the stack."""
    text = "HTTP://h/" + "a/../" * (size // 5)
    assert str(normalize(text)) == "http://h/"
    assert str(resolve(text, "b" * size)) == "HTTP://h/" + "b" * size
    assert str(normalize("file:/" + "%61" * size, "scheme")) == "file:///" + "a" * size


def test_other_defaults_and_passes_are_those_of_python():
    own = {"http": SchemeDefaults(port=81)}
    assert str(normalize("http://h:81", "scheme", schemes=own)) == "http://h"
    passed = normalize("http://H:80", "scheme", passes=[lambda record: record.replace(port=9)])
    assert str(passed) == "http://h:9/"


@each_case("component", get_args(percent.Component))
def test_octets_are_encoded_alike(component):
    texts = [chr(code) for code in (*range(0x200), 0x20AC, 0x10FFFF)]
    for text in (*texts, "".join(texts), "a" * 600, "é" * 200):
        kept = percent.charset(component.removesuffix("-value"))
        kept -= set("&;=+") if component == "query-value" else set()
        wanted = "".join(
            one if one in kept else "".join(f"%{octet:02X}" for octet in one.encode())
            for one in text
        )
        assert percent.quote(text, component) == percent.encoder(component)(text) == wanted


SEGMENTS = [
    (), ["a", ""], ["", ""], ["."], ["a", ".."], [".a"], ["a/b", "é" * 300], [b"a"], [["a", "b"]],
]  # fmt: skip
SEGMENTS += [("ab" * 400, "\ud800"), ["\ud800"]]
QUERIES = [
    (), [("a", "1&2")], [("", "")], (("é" * 400, "+"), ("b", None)), [["a", "b"]], ["ab"], [("a",)],
]  # fmt: skip
QUERIES += [{"a": "b"}, [("a", 1), ("b", "\ud800")], [("=", "b"), ("#", "c d")]]


def outcome(pieces):
    try:
        return facts(make(**pieces))
    except (ComponentError, EncodingError, TypeError) as error:
        return repr(error)


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_data_are_made_as_in_python(monkeypatch, step):
    pieces = [
        {"scheme": scheme, "host": host, "port": port, "segments": segments, "query": query}
        for scheme in ("http", None, "a:", b"a")
        for port in (None, 80, "", "8x", 10**6)
        for host in HOSTS
        for segments in SEGMENTS
        for query in QUERIES
    ][::step]
    found = [outcome(each) for each in pieces]
    monkeypatch.setattr("uriparse.building.making.kernel", None)
    assert found == [outcome(each) for each in pieces]


@pytest.mark.parametrize("separator", "&;")
def test_pairs_are_those_of_the_standard_library(separator):
    chance = random.Random(3)
    for _ in range(3000):
        query = "".join(chance.choices(TRIPLETS, k=chance.randrange(12)))
        wanted = parse_qsl(query, keep_blank_values=True, separator=separator, max_num_fields=None)
        found = percent.decoded_pairs(query, separator=separator)
        assert [(name, value or "") for name, value in found] == wanted
        alone = [piece for piece in query.split(separator) if piece and "=" not in piece]
        assert sum(value is None for _, value in found) == len(alone)
    for query in ("a=%", "%4", "a&b=%zz", "%ff=1", "a=\ud800%41"):
        with pytest.raises(EncodingError):
            percent.decoded_pairs(query)
        assert kernel.pairs(query, "&", True, tuple) is None
    with pytest.raises(TypeError):
        kernel.pairs("a", "&", True)
    with pytest.raises(ZeroDivisionError):
        kernel.pairs("b&a", "&", True, lambda _: 1 / 0)


def test_arguments_of_the_kernel_are_checked():
    own = rewriter()
    for wrong in ((), ("a",), ("a", True), ("a", True, None, 1)):
        with pytest.raises(TypeError):
            own.normal(*wrong)
    with pytest.raises(TypeError, match="a text is of type str"):
        own.normal(b"a", True, None)
    assert own.normal("a b", True, None) is own.normal("\ud800", True, None) is None
    with pytest.raises(TypeError, match="target takes a base"):
        own.target("a:")
    assert own.target("a", "b", True, None) is own.target("a:", " ", True, None) is None
    assert own.target("a:", "\ud800", True, None) is None
    assert own.made("a b", *[None] * 7) is own.made("\ud800", *[...] * 7) is None
    assert own.made("http://a:1/b?c", ..., ..., "d", None, ..., "", "e") == "http://d/b?#e"
    with pytest.raises(TypeError, match="made takes a text, and components"):
        own.made("a", None)
    kept = bytes(256)
    assert own.built(kept, kept, "a", "b", None, ["c"], ()) == "a://b/%63"
    with pytest.raises(TypeError, match="built takes the octets to keep, and data"):
        own.built(kept, kept, "a")
    for wrong in ((kept[1:], kept), (kept, kept[1:]), (kept, "")):
        with pytest.raises((TypeError, ValueError)):
            own.built(*wrong, "a", "b", None, (), ())
    fallback = len
    for wrong in ((bytes(256),), (bytes(256), fallback, b"a"), ("a", fallback, "a"), (None, "a")):
        with pytest.raises((TypeError, ValueError)):
            kernel.encoded(*wrong)
    with pytest.raises(ValueError, match="there is a flag for each of 256 octets"):
        kernel.encoded(bytes(255), fallback, "a")
    assert kernel.encoded(bytes(256), fallback, "\ud800") == 1
    read = reader("URI-reference", "rfc3986").__self__
    for arguments in (
        (read, bytes(6), bytes(256), ()),
        (read, bytes(7), bytes(255), ()),
        (read, b"\x07" * 7, bytes(256), ()),
    ):
        with pytest.raises(ValueError, match="the fields do not fit the tables"):
            kernel.Rewriter(*arguments)
    flags = (True,) * 4
    for defaults in ((1,), ((b"a", None),), (("a", None, None, None, *flags),)):
        with pytest.raises(TypeError):
            kernel.Rewriter(read, bytes(7), bytes(256), defaults)
    with pytest.raises(ValueError, match="triplets are those of 256 octets"):
        kernel.Rewriter(read, bytes(7), bytes(256), ((b"a", None, None, bytes(9), *flags),))


FITTING = {
    "scheme": ["a", "B+1"], "userinfo": ["", "a:b@"], "host": ["", "H", "1.2.3.4", "[::1]", "%41"],
    "port": ["", "80", 80], "path": ["", "/", "/a", "//a", "a:b", "/%41:"], "query": ["", "?"],
    "fragment": ["", "/%4f"],
}  # fmt: skip


def by_checks(parts):
    """Make a record by checking part by part, as IRIs are made: the kernel only reads URIs."""
    try:
        made = URI.from_parts(**parts, grammar="rfc3987")
    except (ComponentError, TypeError):
        return None
    return try_parse(str(made))


def test_parts_are_put_together_as_by_checks_of_each():
    chance = random.Random(5)
    made = 0
    for _ in range(3_000):
        parts = {name: chance.choice([*fit, *fit, None]) for name, fit in FITTING.items()}
        if chance.random() < 0.2:
            parts[chance.choice([*FITTING])] = chance.choice(ODD)
        wanted = by_checks(parts)
        try:
            found = URI.from_parts(**parts)
        except (ComponentError, TypeError):
            found = None
        assert (found is None) == (wanted is None), parts
        if found is not None:
            assert facts(found) == facts(wanted)
            assert facts(parse("//h?q").replace(**parts)) == facts(found)
            made += 1
    assert made > 200


def test_what_is_its_own_target_comes_back():
    uri = parse("http://h/a?b#c")
    assert resolve("x:y", uri) is uri
    assert resolve("x:y", parse("http://h/../a")) == "http://h/a"
