"""Rules given beside a file, for names and for prose that it leaves open: ``NAME=elements``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from abnf2lark.reading.problems import InputError, Source
from abnf2lark.reading.reader import read_rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abnf2lark.reading.ir import Rule
    from abnf2lark.reading.problems import Problem


@dataclass(frozen=True, slots=True)
class Definitions:
    """Rules by their folded names, what each one stands for, and where they are written."""

    source: Source
    rules: dict[str, Rule]
    keys: dict[str, str]  # a name or prose, as `key` gives it: the folded name of a rule
    problems: list[Problem]


def read_definitions(texts: Iterable[str], origin: str) -> Definitions:
    """Read definitions; raises :class:`InputError` for a text that is none."""
    keys: dict[str, str] = {}
    lines: list[str] = []
    for text in texts:
        left, equals, elements = text.partition("=")
        name = "-".join(re.findall("[A-Za-z0-9]+", left))
        if not (equals and elements.strip() and name[:1].isalpha()):
            raise InputError(f"--define {text}: write NAME=ELEMENTS, as in 'CTL=%x00-1F / %x7F'")
        keys[key(left)] = name.casefold()
        lines.append(f"{name} = {' '.join(elements.split())}\n")
    source = Source("--define", "".join(lines))
    rules, problems = read_rules(source, origin) if lines else ([], [])
    return Definitions(source, {rule.name.casefold(): rule for rule in rules}, keys, problems)


def key(text: str) -> str:
    """Return what prose, or a name, is known by.

    >>> key("<any CHAR  except CTLs>")
    'any char except ctls'
    """
    return " ".join(text.strip("<> ").casefold().split())
