"""A record made of any text is refused with an error of ours, or tells all that it has."""

import inspect
import pickle
from collections.abc import Mapping
from enum import Enum
from importlib import import_module

import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st
from public_names import PUBLIC

from uriparse import ComponentError, URIError, is_valid
from uriparse._base.migration_hints import ForeignName
from uriparse.schemes import HostName, HostNumber, RelaxedHost

MARKS = (
    *("", "a", "h.d", "h_h.", "1.2.3.4", "999.0.0.1", "[::1]", "[v1.a]", "::1", "localhost", "é"),
    *("%", "%4", "%41", "%FF", "%00", ":", "@", "/", "//", "?", "#", ";", "=", "&", ".", "-"),
    *("http", "x:", "http://h/", "10", "0", "+", " ", "\n", "\0", "\ud800", "\u3002", "i", "c"),
)
TEXTS = st.one_of(
    st.sampled_from(MARKS),
    st.lists(st.sampled_from(MARKS), max_size=4).map("".join),
    st.text(st.characters(exclude_categories=()), max_size=6),
)
VALUES = {
    "str": TEXTS, "Text": TEXTS, "Data": TEXTS | st.binary(max_size=4),
    "bytes": st.binary(max_size=4), "bool": st.booleans(), "int": st.integers(-2, 100_000),
    "None": st.none(),
}  # fmt: skip
"""By the words of annotations; what has others is left to its default."""

NOT_READ = classmethod | staticmethod | ForeignName


def ways():
    """Give each way to make a record of text: the constructors, and the class methods."""
    seen = set()
    for path in PUBLIC:
        front = import_module(path)
        for name, kind in vars(front).items():
            if name in getattr(front, "__all__", ()) or is_defined(kind, path):
                for way in (kind, getattr(kind, "from_parts", None), getattr(kind, "of", None)):
                    if is_record(kind) and way and way not in seen and drawn(way) is not None:
                        seen.add(way)
                        yield way


def is_defined(kind, path):
    return isinstance(kind, type) and kind.__module__ == path and not kind.__name__.startswith("_")


def is_record(kind):
    return inspect.isclass(kind) and not issubclass(kind, BaseException | Enum | Mapping)


def drawn(way):
    """Draw arguments for a way to make a record; None if it takes no text, or needs more."""
    fixed, optional = {}, {}
    for name, parameter in inspect.signature(way).parameters.items():
        words = str(parameter.annotation).replace("|", " ").split()
        known = [VALUES[word] for word in words if word in VALUES]
        if parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}:
            continue
        if not known and parameter.default is parameter.empty:
            return None
        if known:
            least = fixed if parameter.default is parameter.empty else optional
            least[name] = st.one_of(known)
    return st.fixed_dictionaries(fixed, optional=optional) if fixed or optional else None


WAYS = [*ways()]


@pytest.mark.slow
@each_case("way", WAYS)
@given(data=st.data())
def test_a_record_of_any_text_is_refused_or_whole(way, data):
    arguments = data.draw(drawn(way))
    try:
        record = way(**arguments)
    except (URIError, TypeError):
        return
    look(record)


def look(record):
    """Ask for all that a record tells; it may say no only in words of ours."""
    assert isinstance(str(record), str)
    assert isinstance(repr(record), str)
    assert hash(record) == hash(pickle.loads(pickle.dumps(record)))
    assert pickle.loads(pickle.dumps(record)) == record
    for name, value in inspect.getmembers_static(type(record)):
        if name.startswith("_") or callable(value) or isinstance(value, NOT_READ):
            continue
        try:
            getattr(record, name)
        except URIError:  # octets that are no UTF-8, for instance
            continue


HOSTS = {
    HostName: ("hostname", "rfc1738"),
    HostNumber: ("hostnumber", "rfc1738"),
    RelaxedHost: ("host", "rfc3986"),
}


@pytest.mark.parametrize("kind", HOSTS)
@given(text=TEXTS)
def test_a_host_is_of_its_rule(kind, text):
    rule, grammar = HOSTS[kind]
    if text and is_valid(text, rule, grammar=grammar):
        assert kind(text, 7) == text
        assert kind(text, 7).start == 7
        return
    with pytest.raises(
        ComponentError, match=f"^host: the text is not a {kind.__name__}, by"
    ) as caught:
        kind(text)
    assert (caught.value.component, caught.value.rule) == ("host", rule)
    assert caught.value.value == text
