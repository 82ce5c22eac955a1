"""Stand-ins for the packages that uriparse has modules for, so that the pages need none of them.

They are there while the pages are built, also where the packages are installed: so the pages are
the same everywhere. A stand-in can be called, indexed, decorated with and inherited from. What
inherits from one is an ordinary class, so that its own signature is shown.
"""

from __future__ import annotations

import inspect
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGES = frozenset(
    {
        *(
            "click",
            "daft",
            "datafusion",
            "django",
            "duckdb",
            "fastapi",
            "jsonschema",
            "pandas",
            "polars",
            "pyarrow",
            "pydantic",
        ),
        *("publicsuffixlist", "pydantic_core", "pyspark", "rest_framework", "sqlalchemy"),
    }
)


class StandIn:
    """Whatever a module imports from one of the packages."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name

    def __repr__(self) -> str:
        return self.__name__

    def __getattr__(self, name: str) -> StandIn:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(f"{self.__name__}.{name}")

    def __getitem__(self, _: object) -> StandIn:
        return self

    def __call__(self, *given: object, **_: object) -> object:
        """Return what is decorated, or stand in for the result."""
        decorated = len(given) == 1 and (inspect.isclass(given[0]) or inspect.isfunction(given[0]))
        return given[0] if decorated else self

    def __mro_entries__(self, _: tuple[object, ...]) -> tuple[type, ...]:
        module, _, name = self.__name__.rpartition(".")
        return (type(name, (), {"__module__": module}),)


class StandInModule(ModuleType):
    """A module in which every name is there."""

    def __getattr__(self, name: str) -> StandIn:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(f"{self.__name__}.{name}")


class Finder(MetaPathFinder, Loader):
    """Finds the packages and all that is in them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module of one of the packages."""
        del path, target
        if fullname.partition(".")[0] not in PACKAGES:
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make the module."""
        return StandInModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module empty."""


def install() -> None:
    """Let the packages be found here."""
    sys.meta_path.insert(0, Finder())
