"""Every public function takes text as a `str` proper, and names what it was given instead."""

import dataclasses
import inspect
import re
from collections.abc import Iterator, Mapping
from enum import Enum

import pytest
from cases import each_case
from parameters import DATA, NAME, OTHER, READERS, TEXT
from parameters import PARAMETERS as COMMON
from public_names import PUBLIC, public, stands_among
from scheme_parameters import SCHEME_PARAMETERS
from str_subclasses import STR_SUBCLASSES

from uriparse import URI, UnknownRuleError, URIError, URISyntaxError
from uriparse._base.coerce import Textual
from uriparse.schemes import Encoded

WRONG = [None, 5, 10**7, 2.5, [1], object(), {"a": 1}, ("a",), bytearray(b"a"), Exception]
PARAMETERS = [*COMMON, *SCHEME_PARAMETERS]
assert PARAMETERS


class Record(Textual):
    """A record of any text."""

    __slots__ = ("_text",)

    def __init__(self, text):
        self._text = text


def parameters(*kinds):
    chosen = [one for one in PARAMETERS if one.kind in kinds and isinstance(one.good, str)]
    assert chosen
    return each_case("parameter", chosen)


def outcome(parameter, value):
    """What comes of a call, all of it: a value, or a refusal."""
    try:
        result = parameter.call(value)
        return [*result] if isinstance(result, Iterator) else result
    except (TypeError, ValueError) as error:
        return type(error), str(error)


def texts(value):
    """Every text that a result holds."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Textual):
        yield str(value)
        yield from texts([*getattr(value, "as_dict", dict)().values()])
    elif isinstance(value, list | tuple | frozenset):
        for one in value:
            yield from texts(one)
    elif dataclasses.is_dataclass(value):
        yield from texts([getattr(value, field.name) for field in dataclasses.fields(value)])


@each_case("parameter", PARAMETERS)
def test_a_value_of_another_type_is_named(parameter):
    for wrong in WRONG:
        found = outcome(parameter, wrong)
        if isinstance(wrong, parameter.takes) or (
            parameter.kind == DATA and isinstance(wrong, bytearray)
        ):
            assert not isinstance(found, tuple) or not is_accident(found)
            continue
        kind, message = found
        assert kind is TypeError
        expected = rf"{parameter.name} must be .+, not {type(wrong).__name__}"
        assert re.fullmatch(expected, message), message


def is_accident(found):
    """Whether it is an error that Python raises by itself."""
    kind, message = (*found, None)[:2]
    accidents = r"object |attribute|argument|unhashable|iterable$|descriptor|sequence item"
    return kind in {TypeError, ValueError} and bool(re.search(accidents, message))


@parameters(TEXT, DATA, NAME, OTHER)
def test_what_is_good_is_taken(parameter):
    found = outcome(parameter, parameter.good)
    assert not (isinstance(found, tuple) and found and isinstance(found[0], type)), found


@parameters(TEXT, DATA, NAME, OTHER)
def test_every_kind_of_str_is_its_characters(parameter):
    plain = outcome(parameter, parameter.good)
    for subclass in STR_SUBCLASSES:
        found = outcome(parameter, subclass(parameter.good))
        assert found == plain
        assert repr(found) == repr(plain)
        for text in texts(found):
            assert type(text) is str or isinstance(text, Enum | Encoded)


@parameters(TEXT)
def test_ascii_may_come_as_bytes(parameter):
    assert outcome(parameter, parameter.good.encode()) == outcome(parameter, parameter.good)


@parameters(TEXT, DATA)
def test_a_record_stands_for_its_text(parameter):
    assert outcome(parameter, Record(parameter.good)) == outcome(parameter, parameter.good)


@parameters(TEXT)
def test_octets_that_are_not_ascii_are_no_text(parameter):
    try:
        result = parameter.call(b"\xff")
        [*result] if isinstance(result, Iterator) else result
    except URIError as error:
        message = str(error)
        assert message.isprintable()
        assert "0xFF" in message or "U+FFFD" in message or "not utf-8" in message
    else:
        assert result is None or result is False or "0xFF" in result


@parameters(NAME)
def test_a_name_is_a_str_alone(parameter):
    for wrong in (b"a", Record("a")):
        kind, message = outcome(parameter, wrong)
        assert kind is TypeError
        assert message.startswith(f"{parameter.name} must be a str")
        assert message.endswith(f", not {type(wrong).__name__}")


@each_case("path", PUBLIC)
def test_every_public_function_is_tried(path):
    behind = [parameter.function for parameter in PARAMETERS]
    for name, value in public(path):
        assert stands_among(value, behind), name


BY_NAME = {"iri_to_uri", "uri_to_iri", "compose_characters", "to_path", "is_local_redirect"}
"""Functions that read by one grammar: that of their names, or of what a program fetches."""


@each_case("path", [path for path in PUBLIC if ".legacy" not in path])
def test_whoever_reads_a_reference_lets_choose_the_grammar(path):
    for name, value in public(path):
        if inspect.isfunction(value) and name not in BY_NAME:
            parameters = inspect.signature(value).parameters
            if any(re.search(r"\bReference\b", str(p.annotation)) for p in parameters.values()):
                assert "grammar" in parameters, name


@each_case(("names", "function"), [(n, one) for n, several in READERS.items() for one in several])
def test_texts_are_read_by_the_grammar_that_is_given(names, function):
    texts = dict.fromkeys(names.split(), "http://h/é")
    with pytest.raises(URISyntaxError):
        function(**texts)
    function(**texts, grammar="rfc3987")
    function(**texts | {names.split()[-1]: URI("http://h/é", grammar="rfc3987")}, grammar="rfc3987")
    for record in (texts, dict.fromkeys(texts, URI("http://h/"))):
        with pytest.raises(UnknownRuleError):
            function(**record, grammar="rfc1738")


@each_case("path", PUBLIC)
def test_no_signature_shows_a_table(path):
    """`help` prints a signature with its defaults: the words before those are what is read."""
    for name, value in public(path):
        try:
            parameters = inspect.signature(value).parameters.values()
        except (TypeError, ValueError):
            continue  # as some classes, whose signature is that of object
        for parameter in parameters:
            assert not isinstance(parameter.default, Mapping), f"{name}({parameter.name})"
