"""What makes records without checking can be told from its name, and is nowhere under another."""

import pkgutil
from contextlib import suppress
from importlib import import_module

import pytest
from building_data import references
from hypothesis import given
from hypothesis import strategies as st

import uriparse
from uriparse import parse
from uriparse.errors import MissingPackageError
from uriparse.grammar import matcher
from uriparse.records._draft import _Draft, _unchecked_parts
from uriparse.records.authority import _unchecked_authority
from uriparse.records.hosts import _unchecked_host, read_host
from uriparse.records.references import COMPONENTS, NAMES, Parts

READ = st.from_regex(matcher("URI-reference"), fullmatch=True).map(parse)


def modules():
    """Every module of the package but those that run when they are imported."""
    run = ("uriparse.cli", "uriparse.__main__", "uriparse._compiled", "uriparse._pyinstaller.hook")
    for found in pkgutil.walk_packages(uriparse.__path__, "uriparse."):
        if not found.name.startswith(run):
            with suppress(MissingPackageError):  # of a framework that is not installed
                yield found.name, import_module(found.name)


def is_unchecked(value):
    # Nothing is asked of what is not called: Django's settings are loaded by any question.
    documented = callable(value) and "without checking" in str(value.__doc__).lower()
    return documented or value is _Draft


def test_nothing_unchecked_has_a_public_name():
    found = []
    for path, module in modules():
        for name, value in vars(module).items():
            if is_unchecked(value):
                found.append(value)
                public = not any(part.startswith("_") for part in [*path.split("."), name])
                assert not public, f"{path}.{name}"
    assert {_Draft, _unchecked_parts, _unchecked_host, _unchecked_authority} <= set(found)


@pytest.mark.slow
@given(READ | references())
def test_building_of_parsed_parts_is_what_parsing_gives(record):
    made = _unchecked_parts(*(getattr(record, name) for name in COMPONENTS), record.grammar)
    assert made == record
    assert [getattr(made, name) for name in NAMES] == [getattr(record, name) for name in NAMES]


@pytest.mark.slow
@given(st.from_regex(matcher("host"), fullmatch=True))
def test_a_host_is_read_as_that_of_a_reference(text):
    host, read = parse(f"//{text}").host, read_host(text)
    assert (type(read), read, read.address) == (type(host), host, host.address)


def test_the_components_are_those_that_checkers_know():
    assert sorted(NAMES) == sorted(Parts.__annotations__)
