"""One module for each library of others, which that module imports and nothing else does."""

from typing import TYPE_CHECKING

from uriparse._base import migration_hints as hints

if not TYPE_CHECKING:
    __getattr__ = hints.answers(__name__)
