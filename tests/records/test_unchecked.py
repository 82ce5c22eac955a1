"""What makes records without checking can be told from its name, and is nowhere under another."""

import inspect
import pkgutil
from contextlib import suppress
from importlib import import_module

import uriparse
from uriparse.errors import MissingPackageError
from uriparse.records import _unchecked
from uriparse.records._draft import _Draft


def modules():
    """Every module of the package but the command's, which runs when it is imported."""
    for found in pkgutil.walk_packages(uriparse.__path__, "uriparse."):
        if not found.name.startswith(("uriparse.cli", "uriparse.__main__", "uriparse._compiled")):
            with suppress(MissingPackageError):  # of a framework that is not installed
                yield found.name, import_module(found.name)


def is_unchecked(value):
    documented = inspect.isroutine(value) and "without checking" in (value.__doc__ or "").lower()
    return documented or value is _Draft


def test_nothing_unchecked_has_a_public_name():
    found = []
    for path, module in modules():
        for name, value in vars(module).items():
            if is_unchecked(value):
                found.append(value)
                public = not any(part.startswith("_") for part in [*path.split("."), name])
                assert not public, f"{path}.{name}"
    assert {getattr(_unchecked, name) for name in _unchecked.__all__} <= set(found)
    assert _Draft in found
