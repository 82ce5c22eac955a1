"""All grammars by name: those of the folder, and those of the ``abnf`` package."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import abnf2lark

from . import published

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Entry:
    """A grammar of the folder.

    Attributes:
        name: of its file.
        source: the document that its rules are from.
        imports: the grammars that it takes rules from; of the collection, or bundled.
        defines: rules for prose that it leaves open.
        lenient: whether it is not strict ABNF.

    """

    name: str
    source: str
    imports: tuple[str, ...] = ()
    defines: Mapping[str, str] = field(default_factory=dict)
    lenient: bool = False

    def load(self) -> abnf2lark.Grammar:
        """Read it with the grammars that it imports."""
        return abnf2lark.load(
            FOLDER / "grammars" / f"{self.name}.abnf",
            imports=[COLLECTED[one].load() if one in COLLECTED else one for one in self.imports],
            defines=self.defines,
            lenient=self.lenient,
        )


@dataclass(frozen=True)
class Published:
    """A grammar of the ``abnf`` package."""

    name: str

    @property
    def source(self) -> str:
        """Where it is from."""
        return f"abnf.grammars.{self.name}"

    def load(self) -> abnf2lark.Grammar:
        """Read it as one text."""
        return abnf2lark.load(published.text(self.name), name=f"{self.name}.abnf")


def _collected() -> dict[str, Entry]:
    found = tomllib.loads((FOLDER / "sources.toml").read_text(encoding="utf-8"))
    return {
        name: Entry(name, **{**given, "imports": tuple(given.get("imports", ()))})
        for name, given in found.items()
    }


COLLECTED: dict[str, Entry] = _collected()
"""The grammars of the folder."""

GRAMMARS: dict[str, Entry | Published] = {
    **{name: Published(name) for name in published.NAMES},
    **COLLECTED,
}
"""All of them."""
