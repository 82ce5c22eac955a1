"""Errors hold their facts, survive pickling, and never show a password."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriparse import errors, excerpt

ERRORS = [
    errors.URIError("message"),
    errors.URISyntaxError(
        "message", text="a b", offset=1, component="path", rule="pchar", expected=("pchar", "end")
    ),
    errors.SchemeError("message", scheme="http", text="http:", offset=5, rule="httpurl"),
    errors.ComponentError("message", component="path", rule="path-abempty", value="x", offset=0),
    errors.ResolutionError("message"),
    errors.EncodingError("message", text="%", offset=0),
    errors.UnknownRuleError("message"),
    errors.MissingExtraError("idna", "mapping host names"),
]
assert ERRORS


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_survives_pickling_and_copying(error):
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(other) is type(error)
        assert vars(other) == vars(error)
        assert other.args == error.args
        assert str(other) == str(error)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_is_a_value_error_of_the_family(error):
    assert isinstance(error, errors.URIError)
    assert isinstance(error, ValueError)


def test_joins_the_families_of_python():
    assert issubclass(errors.UnknownRuleError, LookupError)
    assert issubclass(errors.MissingExtraError, ImportError)
    assert issubclass(errors.SchemeError, errors.URISyntaxError)


def test_found_is_the_character_or_none_at_the_end():
    assert errors.URISyntaxError("m", text="ab", offset=1).found == "b"
    assert errors.URISyntaxError("m", text="ab", offset=2).found is None


def test_args_hold_the_message_alone():
    error = errors.URISyntaxError("message", text="http://u:secret@h x", offset=17)
    assert error.args == ("message",)
    assert "secret" not in repr(error)


SECRETS = {
    "http://u:secret@h/ x": "u:******@h",
    "http://u:secret@h": "u:******@h",
    "//u:secret@h": "u:******@h",
    "http://u:se/ret@h/": "u:******@h",
    "http://u:se#ret@h/": "u:******@h",
    "http://u:se?ret@h/": "u:******@h",
    "http://u:se@ret@h/": "u:******@h",
    "http:\\\\u:secret@h\\": "u:******@h",
    "http:///u:secret@h/": "u:******@h",
    "ht tp://u:secret@h": "u:******@h",
}
OPEN = [
    "http://host:80/a@b",
    "http://host:/a@b",
    "http://host/a:b@c",
    "http://user@host:8x/",
    "mailto:joe@example.com x",
    "http://host:8x/",
    "",
    "//",
    "http://[::1]:80/@",
]
assert SECRETS
assert OPEN


@pytest.mark.parametrize(("text", "masked"), SECRETS.items())
def test_pointer_masks_a_password_at_its_width(text, masked):
    line = errors.URISyntaxError("m", text=text, offset=0).pointer().split("\n")[0]
    assert masked in line
    assert len(line) == len(text)
    assert "secret" not in excerpt.masked(text)
    assert "***" in excerpt.masked(text)


@pytest.mark.parametrize("text", OPEN)
def test_text_without_a_password_is_shown(text):
    assert excerpt.secret_span(text) is None
    assert excerpt.masked(text) == text


def test_pointer_windows_long_text():
    text = "http://h/" + "a" * 1000 + " " + "b" * 1000
    line, caret = excerpt.pointer(text, 1009).split("\n")
    assert len(line) <= excerpt.WINDOW + 2 * len(excerpt.MARK)
    assert line[caret.index("^")] == " "
    assert line.startswith(excerpt.MARK)
    assert line.endswith(excerpt.MARK)


@pytest.mark.parametrize(
    ("text", "offset", "line", "column"),
    [
        ("a\nb", 1, "a\\nb", 1),
        ("a\n\tb", 2, "a\\n\\tb", 3),
        ("a\u202eb", 2, "a\\u202eb", 7),
        ("\u05d0\u05d1 x", 2, "\\u05d0\\u05d1 x", 12),
        ("e\u0301x", 2, "e\\u0301x", 7),
        ("\x1b[31mx", 0, "\\x1b[31mx", 0),
        ("\ud800x", 1, "\\ud800x", 6),
        ("é x", 1, "é x", 1),
        ("例 x", 1, "例 x", 2),
        ("a", 1, "a", 1),
        ("", 0, "", 0),
        ("\\x", 1, "\\x", 1),
    ],
)
def test_pointer_shows_any_text_in_place(text, offset, line, column):
    assert excerpt.pointer(text, offset) == f"{line}\n{' ' * column}^"


@given(st.text(), st.data())
def test_pointer_is_two_printable_lines(text, data):
    offset = data.draw(st.integers(0, len(text)))
    line, caret = excerpt.pointer(text, offset).split("\n")
    assert all(character.isprintable() for character in line)
    assert set(caret) <= {" ", "^"}
    assert caret.endswith("^")


@given(
    user=st.text(alphabet="abc", max_size=3),
    password=st.text(alphabet="PQ%é /?#:\\", min_size=1),
    host=st.sampled_from(["h", "", "[::1]"]),
)
def test_no_password_shows(user, password, host):
    text = f"x://{user}:{password}@{host}"
    span = excerpt.secret_span(text)
    if span is None:  # a port, even an empty one, ends at the delimiter: this is a path
        assert password[0] in "/?#"
    else:
        assert text[slice(*span)] == password
        assert not set(excerpt.masked(text) + excerpt.pointer(text, 0)) & set("PQé")


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("x", '"x"'),
        (" ", '" "'),
        ('"', "'\"'"),
        ("\n", "U+000A"),
        ("é", '"é" (U+00E9)'),
        ("\ufeff", "U+FEFF"),
        ("\u05d0", "U+05D0"),
        ("\U0001f600", '"\U0001f600" (U+1F600)'),
    ],
)
def test_a_character_is_named_so_that_it_can_be_read(character, name):
    assert excerpt.named(character) == name
