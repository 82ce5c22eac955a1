"""Plumbing that every part of the library uses: the engine, coercion of arguments, hints."""

from collections.abc import Iterator
from contextlib import contextmanager

from uriparse.errors import MissingPackageError


@contextmanager
def needed(package: str, module: str, distribution: str | None = None) -> Iterator[None]:
    """Name a package that is missing, in a context that imports it; see `MissingPackageError`."""
    try:
        yield
    except MissingPackageError:
        raise
    except ImportError:
        raise MissingPackageError(package, module, distribution) from None
