"""The grammars that the ``abnf`` package bundles, each written out as one ABNF text.

The package takes rules from one module into another by value, each keeping the meaning that it has
at home. A text has one namespace, so a rule of another module is called ``module-rule`` in it.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache

import abnf.grammars

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

    def __init__(self, rule):
        name = rule.__module__.rpartition(".")[2]
        self.name = name if rule.__name__ == "Rule" else f"{name}-{rule.__name__.lower()}"
        self.rule = rule
        self.imports = {
            local.casefold(): (local, type(source), source.name)
            for local, source in getattr(rule, "_imported_rules", ())
        }
        self.texts = {}
        for text in _rules(rule.grammar):
            folded = HEAD.match(text)[1].casefold()
            if folded not in self.imports:  # the import replaces what stands here as prose
                self.texts.setdefault(folded, []).append(text)

    def defines(self, name):
        return name.casefold() in self.texts or name.casefold() in self.imports


def named(name):
    """Give the rules of a module by its name."""
    return of_class(importlib.import_module(f"abnf.grammars.{name}").Rule)


@cache
def of_class(rule):
    """Give the rules of a class; the core rules belong to the package's parser."""
    return named("rfc5234") if rule is abnf.Rule else Module(rule)


def _rules(grammar):
    """Give the text of each rule, its further lines indented."""
    texts = grammar if isinstance(grammar, list) else re.split(r"\n(?=[A-Za-z])", grammar)
    for text in texts:
        lines = [line.strip() for line in text.strip().splitlines()]
        if HEAD.match(lines[0] if lines else ""):
            yield "\n    ".join(lines)


class _Writer:
    def __init__(self, home):
        self.home = home
        self.lines = []
        self.done = set()
        self.pending = [(home, name) for name in (*home.texts, *home.imports)]

    def write(self):
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

    def head(self, place, name):
        return name if place is self.home else f"{place.name}-{name}"

    def spell(self, place, name):
        """Spell a reference that stands in a module, and see to it that its rule is written."""
        if not place.defines(name):  # a core rule; the home module may define it anew
            if place is self.home or not self.home.defines(name):
                return name
            place = named("rfc5234")
        self.pending.append((place, name.casefold()))
        return self.head(place, name)

    def copy(self, place, text):
        if place is self.home:
            return text
        head, rest = HEAD.match(text)[1], text[HEAD.match(text).end(1) :]
        named = WORD.sub(lambda word: self.spell(place, word[0]) if word["name"] else word[0], rest)
        return self.head(place, head) + named


def text(name):
    """Write a module as one ABNF text."""
    return _Writer(named(name)).write()


def verdict(name, rule, word):
    """Ask the package whether a word matches a rule of a module in full."""
    try:
        named(name).rule(rule).parse_all(word)
    except abnf.ParseError:
        return False
    return True
