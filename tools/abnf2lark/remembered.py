"""What took long to make, kept between runs in the user's cache directory.

An entry is named by a digest of all that it was made of, so none is ever out of date. What cannot
be read, is damaged, is somebody else's or cannot be written costs time and nothing else.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from abnf2lark.outputs import replace

Made = TypeVar("Made")

VARIABLE = "URIPARSE_CACHE"  # names the directory; empty: nothing is kept

MAX_ENTRIES = 500


def directory() -> Path | None:
    """Return the directory; None if nothing is to be kept, or without a home directory."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    above = Path(os.environ.get("XDG_CACHE_HOME", ""))
    local = Path(os.environ.get("LOCALAPPDATA", ""))
    if above.is_absolute():
        return above / "uriparse"
    if sys.platform == "win32" and local.is_absolute():
        return local / "uriparse/Cache"
    with suppress(RuntimeError):
        below = "Library/Caches" if sys.platform == "darwin" else ".cache"
        return Path.home() / below / "uriparse"
    return None


def entry(kind: str, made_of: object, makers: Iterable[str] = ("",)) -> Path | None:
    """Name the file for what is made of something with this ``repr``, by parts of the compiler."""
    above = directory()
    if above is None:
        return None
    with suppress(RecursionError):
        found = sha256(repr(made_of).encode("utf-8", "backslashreplace"))
        found.update("".join(map(_compiler, makers)).encode())
        return above / f"{kind}-{found.hexdigest()}.json"
    return None


@cache
def _compiler(part: str) -> str:
    found = sha256()
    for path, data in _modules(files("abnf2lark") / part if part else files("abnf2lark")):
        found.update(f"{path}:{len(data)}:".encode() + data)
    return found.hexdigest()


def _modules(place: Traversable) -> Iterator[tuple[str, bytes]]:
    for one in sorted(place.iterdir(), key=lambda one: one.name):
        if one.name.endswith(".py"):
            yield one.name, one.read_bytes()
        elif one.is_dir():
            yield from _modules(one)


def read(place: Path, made: Callable[[object], Made]) -> Made | None:
    """Return what is made of a whole entry of the user's own, else None; ``made`` may refuse it."""
    with suppress(OSError, ValueError, TypeError, RecursionError):
        own = getattr(os, "getuid", lambda: None)()
        if own is None or place.stat().st_uid == own:
            seal, _, written = place.read_bytes().partition(b"\n")
            if seal == _seal(place, written):
                return made(json.loads(written))
    return None


def write(place: Path, value: object) -> None:
    """Keep a value of JSON, whole or not at all; of many entries the oldest are removed."""
    written = json.dumps(value).encode()
    with suppress(OSError):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace(place, _seal(place, written) + b"\n" + written)
        entries = sorted(place.parent.glob("*-*.json"), key=lambda one: one.stat().st_mtime)
        for old in entries[:-MAX_ENTRIES]:
            old.unlink()


def _seal(place: Path, written: bytes) -> bytes:
    return sha256(place.name.encode() + b"\n" + written).hexdigest().encode()
