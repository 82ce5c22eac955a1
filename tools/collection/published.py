"""The grammars that the ``abnf`` package bundles, each written out as one ABNF text.

The package takes rules from one module into another by value, each keeping the meaning that it has
at home. A text has one namespace, so a rule of another module is called ``module-rule`` in it.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache
from typing import TYPE_CHECKING

import abnf
import abnf.grammars

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = sorted(
    module.name for module in pkgutil.iter_modules(abnf.grammars.__path__) if module.name != "misc"
)
HEAD = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*=/?")
# A rule name, or something else that may hold letters.
WORD = re.compile(
    r'(?:%[si])?"[^"\n]*"|<[^>\n]*>|;[^\n]*|%[xdb][0-9a-f.-]+|(?P<name>[a-z][a-z0-9-]*)',
    re.IGNORECASE,
)


class Module:
    """The rules of a class: ``texts`` by folded name, and what it imports."""

    def __init__(self, rule: type[abnf.Rule]) -> None:
        name = rule.__module__.rpartition(".")[2]
        self.name = name if rule.__name__ == "Rule" else f"{name}-{rule.__name__.lower()}"
        self.rule = rule
        self.imports: dict[str, tuple[str, type[abnf.Rule], str]] = {
            local.casefold(): (local, type(source), source.name)
            for local, source in getattr(rule, "_imported_rules", ())
        }
        self.texts: dict[str, list[str]] = {}
        for text in _rules(rule.grammar):
            folded = _head(text)[1].casefold()
            if folded not in self.imports:  # the import replaces what stands here as prose
                self.texts.setdefault(folded, []).append(text)

    def defines(self, name: str) -> bool:
        """Tell whether there is such a rule."""
        return name.casefold() in self.texts or name.casefold() in self.imports


def named(name: str) -> Module:
    """Give the rules of a module by its name."""
    return of_class(importlib.import_module(f"abnf.grammars.{name}").Rule)


@cache
def of_class(rule: type[abnf.Rule]) -> Module:
    """Give the rules of a class; the core rules belong to the package's parser."""
    return named("rfc5234") if rule is abnf.Rule else Module(rule)


def _rules(grammar: str | list[str]) -> Iterator[str]:
    """Give the text of each rule, its further lines indented."""
    texts = grammar if isinstance(grammar, list) else re.split(r"\n(?=[A-Za-z])", grammar)
    for text in texts:
        lines = [line.strip() for line in text.strip().splitlines()]
        if HEAD.match(lines[0] if lines else ""):
            yield "\n    ".join(lines)


def _head(text: str) -> re.Match[str]:
    found = HEAD.match(text)
    if found is None:
        raise ValueError(text)
    return found


class _Writer:
    def __init__(self, home: Module) -> None:
        self.home = home
        self.lines: list[str] = []
        self.done: set[tuple[str, str]] = set()
        self.pending = [(home, name) for name in (*home.texts, *home.imports)]

    def write(self) -> str:
        while self.pending:
            place, folded = self.pending.pop(0)
            if (place.name, folded) in self.done:
                continue
            self.done.add((place.name, folded))
            if folded in place.imports:
                local, source, name = place.imports[folded]
                target = self.spell(of_class(source), name)
                self.lines.append(f"{self.head(place, local)} = {target}")
            else:
                self.lines += [self.copy(place, text) for text in place.texts[folded]]
        return "\n".join(self.lines) + "\n"

    def head(self, place: Module, name: str) -> str:
        return name if place is self.home else f"{place.name}-{name}"

    def spell(self, place: Module, name: str) -> str:
        """Spell a reference that stands in a module, and see to it that its rule is written."""
        if not place.defines(name):  # a core rule; the home module may define it anew
            if place is self.home or not self.home.defines(name):
                return name
            place = named("rfc5234")
        self.pending.append((place, name.casefold()))
        return self.head(place, name)

    def copy(self, place: Module, text: str) -> str:
        if place is self.home:
            return text
        head = _head(text)
        spelled = WORD.sub(
            lambda word: self.spell(place, word[0]) if word["name"] else word[0],
            text[head.end(1) :],
        )
        return self.head(place, head[1]) + spelled


def text(name: str) -> str:
    """Write a module as one ABNF text."""
    return _Writer(named(name)).write()


def verdict(name: str, rule: str, word: str) -> bool:
    """Ask the package whether a word matches a rule of a module in full."""
    try:
        named(name).rule(rule).parse_all(word)
    except abnf.ParseError:
        return False
    return True
