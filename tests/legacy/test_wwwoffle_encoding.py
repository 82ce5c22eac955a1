"""The encodings of WWWOFFLE, octet by octet, and the form arguments."""

import pytest
from cases import each_case, vectors
from hypothesis import given
from hypothesis import strategies as st

from uriparse.legacy import wwwoffle

RECODE = vectors("wwwoffle_recode")
assert RECODE

SAMPLE = "a/b:c@d?e f;g&h=i"
ALWAYS_ENCODED = [*range(0x20), ord("%"), *range(0x7F, 0x100)]
LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
ENCODERS = [wwwoffle.encode_path, wwwoffle.encode_password, wwwoffle.encode_form]
texts = st.text(st.characters(max_codepoint=0x10FFFF, exclude_categories=()))
pairs = st.lists(st.tuples(st.text(), st.none() | st.text()), min_size=1)


@each_case("row", RECODE)
def test_recoded_arguments(row):
    assert wwwoffle.recode_form_args(row["input"]) == row["recoded"]
    assert wwwoffle.recode_form_args(row["recoded"]) == row["recoded"]


@pytest.mark.parametrize(
    ("encode", "kept"),
    [
        (wwwoffle.encode_path, "!$()*+,-./:;=_~"),
        (wwwoffle.encode_password, "!$*+,-.=_~"),
        (wwwoffle.encode_form, "!$()*,-./:_|~"),
    ],
    ids=["W-044-path", "W-044-password", "W-044-form"],
)
def test_every_octet(encode, kept):
    for code in range(0x100):
        octet = bytes([code])
        if encode is wwwoffle.encode_form and octet == b" ":
            assert encode(octet) == "+"
        elif chr(code) in LETTERS_AND_DIGITS + kept:
            assert encode(octet) == chr(code)
        else:
            assert encode(octet) == f"%{code:02X}"


@pytest.mark.parametrize("encode", ENCODERS)
def test_controls_and_percent_signs_are_always_encoded(encode):
    for code in ALWAYS_ENCODED:
        assert encode(bytes([code])).startswith("%")


def test_each_part_has_its_own_set():  # W-006
    assert wwwoffle.encode_password(SAMPLE) == "a%2Fb%3Ac%40d%3Fe%20f%3Bg%26h=i"
    assert wwwoffle.encode_path(SAMPLE) == "a/b:c%40d%3Fe%20f;g%26h=i"
    assert wwwoffle.encode_form(SAMPLE) == "a/b:c%40d%3Fe+f%3Bg%26h%3Di"


@each_case(("text", "decoded"), [
    ("%3a", ":"), ("%3A", ":"), ("a%20b", "a b"), ("a+b", "a+b"), ("%zz", "%zz"), ("100%", "100%"),
    ("%4", "%4"), ("%%41", "%A"), ("%2541", "%41"), ("%0", "%0"), ("%+1", "%+1"), ("%1_", "%1_"),
    ("%\u0661\u0661", "%\u0661\u0661"), ("caf%c3%a9", "café"), (b"\xe9", "\udce9"),
])  # fmt: skip
def test_decoding_is_total_and_done_once(text, decoded):  # W-004, W-005, W-009
    assert wwwoffle.decode(text) == decoded


def test_twice_is_once_too_often():  # W-008, W-009
    assert wwwoffle.encode_path(wwwoffle.encode_path("a b")) == "a%2520b"
    assert wwwoffle.decode(wwwoffle.decode("%2541")) == "A"


@given(st.binary())
def test_decoding_undoes_every_encoding(data):
    for decoded in (
        wwwoffle.decode(wwwoffle.encode_path(data)),
        wwwoffle.decode(wwwoffle.encode_password(data)),
        wwwoffle.decode_form(wwwoffle.encode_form(data)),
    ):
        assert decoded.encode("utf-8", "surrogateescape") == data


@given(texts)
def test_every_text_can_be_encoded_and_recoded(text):
    for encode in ENCODERS:
        assert encode(text).isascii()
    recoded = wwwoffle.recode_form_args(text)
    assert recoded.isascii()
    assert wwwoffle.recode_form_args(recoded) == recoded
    wwwoffle.decode(text)


@given(st.text("ab%&=;+?/ 25fF3C"))
def test_recoding_changes_no_name_and_no_value(text):
    pairs = []
    for argument in text.replace(";", "&").split("&"):
        name, equals, value = argument.partition("=")
        pairs.append((wwwoffle.decode_form(name), wwwoffle.decode_form(value) if equals else None))
    assert wwwoffle.parse_form_args(text) == pairs


@pytest.mark.parametrize(("text", "arguments"), [
    ("a=1&b=2;c=3", ["a=1", "b=2", "c=3"]), ("a=%26&b=x+y", ["a=%26", "b=x+y"]),
    ("a&&b", ["a", "", "b"]), ("", [""]), (wwwoffle.recode_form_args("q=a%20b;r=%7e"), ["q=a+b",
     "r=~"]),
])  # fmt: skip
def test_split_form_arguments(text, arguments):  # W-039, W-040, W-042
    assert wwwoffle.split_form_args(text) == arguments


def test_names_and_values_are_decoded_after_the_split():  # W-041, W-043
    assert wwwoffle.parse_form_args("a=%26&b=x+y") == [("a", "&"), ("b", "x y")]
    assert wwwoffle.parse_form_args("a%3Db=1") == [("a=b", "1")]
    assert wwwoffle.parse_form_args("u=" + wwwoffle.encode_form("http://x/?a=1&b=2 c")) == [
        ("u", "http://x/?a=1&b=2 c")
    ]


@given(pairs)
def test_form_data_is_read_as_it_was_written(data):
    written = wwwoffle.write_form_args(data)
    assert wwwoffle.parse_form_args(written) == data
    assert wwwoffle.recode_form_args(written) == written


@pytest.mark.parametrize("wrong", [["ab"], [("a", "b", "c")], [5], [("a", 5)], "ab", None])
def test_what_is_no_pair_of_data_is_not_written(wrong):
    with pytest.raises(TypeError, match=r"must be an? \w+.*, not \w+"):
        wwwoffle.write_form_args(wrong)


def test_octets_of_text():
    assert wwwoffle.encode_path("\udcff\udc80").upper() == "%FF%80"
    assert wwwoffle.encode_path("\ud800").upper() == "%ED%A0%80"
    assert wwwoffle.decode("%ED%A0%80") == "\udced\udca0\udc80"
