"""Text becomes a `str` proper where it comes in; another type is refused by name."""

import pytest
from cases import each_case
from str_subclasses import STR_SUBCLASSES

from uriparse import Authority, EncodingError, IPv6, RegName, parse
from uriparse._base.coerce import as_data, as_optional_str, as_str, as_text, refusal
from uriparse.schemes import parse_url

RECORDS = [
    (parse("http://u:p@h/"), "http://u:p@h/"), (parse("a?b"), "a?b"),
    (parse("http://u:p@h:/").authority, "u:p@h:"), (RegName("h"), "h"), (IPv6("[::1]"), "[::1]"),
    (parse_url("ftp://h.d/a#b"), "ftp://h.d/a#b"),
]  # fmt: skip


@each_case("subclass", [str, *STR_SUBCLASSES])
@each_case(
    "coerce", [as_text, as_data, lambda v: as_str(v, "x"), lambda v: as_optional_str(v, "x")]
)
def test_every_str_becomes_a_str_proper(coerce, subclass):
    text = coerce(subclass("http"))
    assert type(text) is str
    assert text == "http"


@pytest.mark.parametrize(("record", "text"), RECORDS, ids=[text for _, text in RECORDS])
def test_a_record_stands_for_its_text(record, text):
    assert as_text(record) == as_data(record) == text
    assert type(as_text(record)) is str
    assert f"{record:>20}" == f"{text:>20}"


def test_octets():
    class Octets(bytes):
        def decode(self, *_):
            return "lie"

    assert as_text(b"a") == as_text(Octets(b"a")) == "a"
    for kind in (bytes, bytearray, memoryview, Octets):
        assert as_data(kind(b"a\xff")) == b"a\xff"
        assert type(as_data(kind(b"a"))) is bytes


def test_octets_that_are_not_ascii_are_no_text():
    with pytest.raises(EncodingError) as caught:
        as_text(b"ab\xe9", "base")
    message = "base: octet 0xE9 at offset 2 is not ASCII: decode the bytes first"
    assert str(caught.value) == message
    assert (caught.value.offset, caught.value.text) == (2, "ab\ufffd")


@each_case("value", [None, 5, 10**7, [1], object(), str, {"a": 1}])
@each_case(("coerce", "expected"), [
    (as_text, "a str, ASCII bytes or a URI record"),
    (as_data, "a str, octets as bytes or a record"),
    (as_str, "a str"), (as_optional_str, "a str or None"),
])  # fmt: skip
def test_what_is_no_text_is_refused_by_name(coerce, expected, value):
    if value is None and coerce is as_optional_str:
        assert coerce(value, "base") is None
        return
    with pytest.raises(TypeError) as caught:
        coerce(value, "base")
    assert str(caught.value) == f"base must be {expected}, not {type(value).__name__}"
    assert str(refusal(value, "base", expected)) == str(caught.value)


@pytest.mark.parametrize("value", [b"a", RegName("a"), bytearray(b"a")])
def test_a_name_is_a_str_alone(value):
    with pytest.raises(TypeError, match=rf"level must be a str, not {type(value).__name__}\Z"):
        as_str(value, "level")


def test_the_records_that_stand_for_text_are_told_by_their_class():
    assert isinstance(parse("//h").authority, Authority)
    with pytest.raises(
        TypeError, match="text must be a str, ASCII bytes or a URI record, not tuple"
    ):
        as_text(("a",))
