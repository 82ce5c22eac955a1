"""Errors hold their facts, survive pickling, and never show a password."""

import copy
import logging
import pickle
import traceback

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

import uriparse
from uriparse import errors
from uriparse.diagnosis import diagnose
from uriparse.errors import excerpt

TABLES = tables(__file__)

ERRORS = [
    errors.URIError("message"),
    errors.URISyntaxError("message", text="a b", offset=1, component="path", rule="pchar",
                          expected=("pchar", "end")),
    errors.SchemeError("message", scheme="http", text="http:", offset=5, rule="httpurl"),
    errors.ComponentError("message", component="path", rule="path-abempty", value="x", offset=0),
    errors.ResolutionError("message"), errors.EncodingError("message", text="%", offset=0),
    errors.UnknownRuleError("message"), errors.MissingExtraError("test", "drawing examples"),
    errors.PatternError("message", rule="URI", flavour="java", reason="why", remedy="what to do"),
]  # fmt: skip
assert ERRORS

OPEN = [
    "http://user@host:8x/", "http://host:8x/", "http://u:@h/", "http://[::1]:80/", "mailto:a@b;c@d",
    "sip:a@b;c@d", "gopher://h/0a:b@c", "a@b:c", "%40%3A@:", "x://y@z", "", "//",
]  # fmt: skip
DELIMITERS = ":/?#@[]%\\ aé"
JUNK = st.text(alphabet=DELIMITERS + "40253Aa", max_size=12)


@each_case("error", ERRORS)
def test_survives_pickling_and_copying(error):
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(other) is type(error)
        assert vars(other) == vars(error)
        assert other.args == error.args
        assert str(other) == str(error)


@each_case("error", ERRORS)
def test_is_a_value_error_of_the_family(error):
    assert isinstance(error, errors.URIError)
    assert isinstance(error, ValueError)


def test_joins_the_families_of_python():
    assert issubclass(errors.UnknownRuleError, LookupError)
    assert issubclass(errors.MissingExtraError, ImportError)
    assert issubclass(errors.SchemeError, errors.URISyntaxError)


LOOKS = {
    "str": str, "repr": repr, "args": lambda error: error.args,
    "offset": lambda error: error.offset, "text": lambda error: error.text,
    "expected": lambda error: error.expected, "argument": lambda error: error.argument,
    "pointer": lambda error: error.pointer(),
    "pickle": lambda error: vars(pickle.loads(pickle.dumps(error))),
    "copy": lambda error: vars(copy.copy(error)), "traceback": traceback.format_exception_only,
    "log": lambda error: logging.getLogger().makeRecord("", 0, "", 0, error, (), None).getMessage(),
}  # fmt: skip
REFUSED = [
    ("http://u:secret@h x", {}), ("http://h:80x/", {"rule": "URI"}),
    ("http://ex ample/", {"grammar": "rfc3987", "rule": "IRI"}), (b"http://h/\xff", {}),
    ("http://h/\ud800", {}), ("//h/[", {"rule": "relative-ref"}),
]  # fmt: skip


def refused(text, **how):
    with pytest.raises(errors.URISyntaxError) as caught:
        uriparse.parse(text, **how)
    return caught.value


@each_case("name", LOOKS)
def test_the_reason_is_the_same_whenever_it_is_looked_at(name):
    look = LOOKS[name]
    for text, how in REFUSED:
        assert look(refused(text, **how)) == look(diagnose(text, **how)), text


def test_the_reason_is_worked_out_once_and_when_it_is_looked_at():
    asked = []

    def explain(word):
        asked.append(word)
        return errors.URISyntaxError(word, text="ab", offset=1)

    error = errors.unexplained(explain, "why")
    error.add_note("seen")
    assert asked == []
    assert (str(error), error.found, error.args, error.offset) == ("why", "b", ("why",), 1)
    assert (asked, error.__notes__) == (["why"], ["seen"])
    error.offset, error.args = 0, ("new",)
    assert (error.offset, str(error)) == (0, "new")
    with pytest.raises(AttributeError, match="'URISyntaxError' object has no attribute 'offzet'"):
        _ = error.offzet
    first = errors.unexplained(explain, "why")
    first.args = ("mine",)
    assert (str(first), first.found) == ("mine", "b")


def test_found_is_the_character_or_none_at_the_end():
    assert errors.URISyntaxError("m", text="ab", offset=1).found == "b"
    assert errors.URISyntaxError("m", text="ab", offset=2).found is None


def test_args_hold_the_message_alone():
    error = errors.URISyntaxError("message", text="http://u:secret@h x", offset=17)
    assert error.args == ("message",)
    assert "secret" not in repr(error)


MASKED = TABLES["masked"]
assert MASKED
assert OPEN


@each_case(("text", "masked"), MASKED.items())
def test_what_may_be_a_password_is_masked_in_any_text(text, masked):
    assert excerpt.masked(text) == masked
    for offset in (0, len(text)):
        assert excerpt.pointer(text, offset).split("\n")[0] == masked


@each_case("text", OPEN)
def test_text_without_a_password_is_shown(text):
    assert excerpt.secret_span(text) is None
    assert excerpt.masked(text) == text


@given(before=JUNK, after=JUNK, user=st.text(alphabet="xyz", max_size=2), data=st.data())
def test_a_password_amid_anything_is_masked(before, after, user, data):
    secret = "S3" + data.draw(st.text(alphabet=DELIMITERS)) + "cr3T"
    text = f"{before}{user}:{secret}@host{after}"
    start, end = excerpt.secret_span(text)
    first = len(before) + len(user) + 1
    assert start <= first < first + len(secret) <= end
    assert excerpt.masked(text) == f"{text[:start]}***{text[end:]}"
    for offset in range(len(text) + 1):
        line, caret = excerpt.pointer(text, offset).split("\n")
        assert secret not in line + excerpt.quoted(text, offset) + excerpt.found_at(text, offset)
        assert (excerpt.found_at(text, offset) == "a masked character") == (start <= offset < end)
        if excerpt.MARK in line:
            continue
        if offset < end:
            assert line[: caret.index("^")] == as_shown(text[: min(offset, start)])
        else:
            assert line[caret.index("^") :] == as_shown(text[offset:])


def as_shown(text):
    return "".join(map(excerpt.shown, text))


def test_pointer_windows_long_text():
    text = "http://h/" + "a" * 1000 + " " + "b" * 1000
    line, caret = excerpt.pointer(text, 1009).split("\n")
    assert len(line) <= excerpt.WINDOW + 2 * len(excerpt.MARK)
    assert line[caret.index("^")] == " "
    assert line.startswith(excerpt.MARK)
    assert line.endswith(excerpt.MARK)


@each_case(("text", "offset", "line", "column"), TABLES["pointer_shows_any_text_in_place"])
def test_pointer_shows_any_text_in_place(text, offset, line, column):
    assert excerpt.pointer(text, offset) == f"{line}\n{' ' * column}^"


@given(st.text(), st.data())
def test_pointer_is_two_printable_lines(text, data):
    offset = data.draw(st.integers(0, len(text)))
    line, caret = excerpt.pointer(text, offset).split("\n")
    assert all(character.isprintable() for character in line)
    assert set(caret) <= {" ", "^"}
    assert caret.endswith("^")


@pytest.mark.parametrize(("text", "span", "shown"), TABLES["a_quotation_is_masked_escaped_and_cut"])
def test_a_quotation_is_masked_escaped_and_cut(text, span, shown):
    assert excerpt.quoted(text, *span) == shown


@pytest.mark.parametrize(
    ("character", "name"), TABLES["a_character_is_named_so_that_it_can_be_read"]
)
def test_a_character_is_named_so_that_it_can_be_read(character, name):
    assert excerpt.named(character) == name
