"""Every encoding that Python has is one for percent-encoding, done right, or refused."""

import codecs
import encodings
from encodings.aliases import aliases
from functools import cache
from pkgutil import iter_modules

import pytest
from cases import each_case

from uriparse import EncodingError, quote, unquote, unquote_to_bytes
from uriparse.percent import checked_encoding

NAMES = sorted({found.name for found in iter_modules(encodings.__path__)} | {*aliases})
UNFIT = "utf-16 utf-16-le utf-32-be utf-7 utf-8-sig cp037 cp864 hz iso2022-jp iso2022-kr punycode"
UNFIT += " idna unicode_escape raw_unicode_escape shift_jis_2004 mac-arabic undefined"
NO_TEXT = "rot13 base64 hex zlib bz2 uu quopri"
UNKNOWN = ["", "utf-9", "aliases", "utf\0008", "\ud800", "é", "x" * 10_000, "../codecs", "utf 8 x"]
SAMPLE = "aA0~%/é\xa0€\u0416\u05d0\u0627\u3042\u4e00\uac00\U00020000"
assert len(NAMES) > 300


FIT = "utf-8 ascii latin-1 cp1252 iso8859-15 koi8-r mac-roman big5 euc-jp gb18030 shift_jis johab"


def refusals(encoding):
    """The errors of all that takes an encoding, for texts with triplets and without."""
    for text in ("ab%41", "ab", ""):
        for function in (unquote, unquote_to_bytes, lambda t, **k: quote(t, "segment", **k)):
            try:
                function(text, encoding=encoding)
            except EncodingError as error:
                yield str(error)
            else:
                yield None


def codec(name):
    """Return the name of the codec that an alias is for; its own where Python knows none."""
    try:
        return codecs.lookup(name).name
    except LookupError:
        return name


@cache
def fault(name):
    """Return why an encoding is refused; None if it is not."""
    try:
        assert checked_encoding(name) == name
    except EncodingError as error:
        return str(error).removeprefix(f"encoding {name!r}: ")
    return None


@pytest.mark.slow
@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_an_alias_is_judged_as_its_codec(step):
    for alias in NAMES[::step]:
        assert fault(alias) == fault(codec(alias)), alias


@pytest.mark.slow
@each_case("encoding", sorted({*map(codec, NAMES)}))
def test_an_encoding_is_done_right_or_refused(encoding):
    found = {*refusals(encoding)}
    assert len(found) == 1
    assert (found == {None}) is (fault(encoding) is None)
    if found != {None}:
        return
    assert unquote("ab%41%25+", encoding=encoding) == "abA%+"
    assert quote(bytes(range(256)).decode("ascii", "ignore"), "unreserved", encoding=encoding)
    kept = "".join(c for c in SAMPLE if c.encode(encoding, "ignore"))
    for data in (*kept, kept):
        for component in ("segment", "unreserved"):
            quoted = quote(data, component, encoding=encoding)
            assert quoted.isascii()
            assert unquote_to_bytes(quoted) == data.encode(encoding)
            assert unquote(quoted, encoding=encoding) == data
    assert unquote_to_bytes(kept.replace("%", "%25"), encoding=encoding) == kept.encode(encoding)


@each_case("encoding", FIT.split())
def test_an_encoding_that_holds_ascii_is_fit(encoding):
    assert {*refusals(encoding)} == {None}


@pytest.mark.slow
@each_case("encoding", UNFIT.split())
def test_an_encoding_in_which_ascii_is_something_else_is_refused(encoding):
    expected = (
        f"encoding {encoding!r}: not a superset of ASCII;"
        " use bytes with quote() and unquote_to_bytes()"
    )
    assert {*refusals(encoding)} == {expected}


@pytest.mark.parametrize("encoding", NO_TEXT.split())
def test_what_is_no_encoding_of_text_is_refused(encoding):
    assert {*refusals(encoding)} == {f"encoding {encoding!r}: not an encoding of text"}


@each_case("encoding", UNKNOWN)
def test_an_unknown_encoding_is_refused(encoding):
    expected = f"encoding {encoding[:64]!r}: unknown to Python"
    assert {*refusals(encoding)} == {expected}


def test_an_encoding_that_is_registered_later_is_found():
    def search(name):
        return codecs.lookup("latin-1") if name == "of_ones_own" else None

    with pytest.raises(EncodingError):
        unquote("%E9", encoding="of-ones-own")
    codecs.register(search)
    try:
        assert unquote("%E9", encoding="of-ones-own") == "é"
    finally:
        codecs.unregister(search)


def test_octets_are_quoted_in_no_encoding_but_a_fit_one():
    assert quote(b"\xe9", "segment", encoding="latin-1") == "%E9"
    with pytest.raises(EncodingError):
        quote(b"\xe9", "segment", encoding="utf-16")


def test_offsets_are_those_of_characters_in_encodings_of_several_octets():
    with pytest.raises(EncodingError, match="%FF at offset 4 is not valid") as caught:
        unquote("\u3042%41%FF", encoding="euc-jp")
    assert caught.value.offset == 4
