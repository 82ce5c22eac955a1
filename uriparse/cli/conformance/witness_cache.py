"""Witnesses that took long to find, kept between runs in the user's cache directory.

An entry is named by a digest of all that it was made of, so none is ever out of date. What cannot
be read, is damaged or cannot be written costs time and nothing else.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from uriparse.conformance.sources import Searching, source_of
from uriparse.grammar.automata import Witnesses

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from uriparse.conformance import Source

_MAKERS = ("automata", "mutants", "reading")
"""The parts of the compiler that witnesses come from."""


@contextmanager
def remembered(rule: str, grammar: str | Source) -> Iterator[None]:
    """Let witnesses be known inside that were found in an earlier run, and keep new ones.

    UnknownRuleError if there is no such rule.
    """
    source = source_of(grammar)
    rule = source.rule_name(rule)
    if not isinstance(source, Searching) or source.knows(rule):
        yield
        return
    entry = _entry(source, rule)
    known = entry and _read(entry)
    if known:
        source.learn(rule, known)
    yield
    if entry and not known and source.knows(rule):
        _write(entry, source.witnesses(rule))


def directory() -> Path | None:
    """Give the cache directory: below XDG_CACHE_HOME, or ~/.cache; None without a home."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if named.is_absolute():
        return named / "uriparse"
    with suppress(RuntimeError):
        return Path.home() / ".cache/uriparse"
    return None


def _entry(source: Source, rule: str) -> Path | None:
    """Name the file for a rule, by all rules of the grammar and what looks for witnesses."""
    above = directory()
    if above is None:
        return None
    found = sha256(repr((rule, *source.expressions.items())).encode("ascii", "backslashreplace"))
    for part in _MAKERS:
        for module in sorted(files(f"abnf2lark.{part}").iterdir(), key=_name):
            if module.name.endswith(".py"):
                found.update(module.read_bytes())
    return above / f"witnesses-{found.hexdigest()}.json"


def _name(module: Traversable) -> str:
    return module.name


def _read(entry: Path) -> Witnesses | None:
    """Give what an entry holds; None if there is none, or it is not as it was written."""
    with suppress(OSError, ValueError, RecursionError):
        seal, _, written = entry.read_bytes().partition(b"\n")
        if seal == _seal(written):
            texts, *numbers = json.loads(written)
            return Witnesses(tuple((text, edit) for text, edit in texts), *numbers)
    return None


def _write(entry: Path, found: Witnesses) -> None:
    """Keep witnesses, whole or not at all."""
    from abnf2lark.outputs import replace

    written = json.dumps(found).encode()
    with suppress(OSError):
        entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace(entry, _seal(written) + b"\n" + written)


def _seal(written: bytes) -> bytes:
    return sha256(written).hexdigest().encode()
