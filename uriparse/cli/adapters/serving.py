"""The process of a parser in Python: `python -m uriparse.cli.adapters.serving NAME RULE GRAMMAR`.

NAME is that of a built-in adapter, or `module:function`.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from platform import python_version
from typing import TYPE_CHECKING, Final

from uriparse.cli.adapters.python.judges import Wanted
from uriparse.cli.readers.python.serving import own_output, stay_here

if TYPE_CHECKING:
    from collections.abc import Mapping
    from io import TextIOWrapper

    from uriparse.cli.adapters.python.judges import Judge

FAMILIES: Final[Mapping[str, tuple[str, str]]] = {
    "uriparse": ("generic", "uriparse"),
    "uritools": ("generic", "uritools"),
    "rfc3986": ("generic", "rfc3986"),
    "rfc3986-validator": ("generic", "rfc3986_validator"),
    "rfc3987": ("generic", "rfc3987"),
    "rfc3987-syntax": ("generic", "rfc3987_syntax"),
    "abnf": ("generic", "abnf"),
    "urllib": ("clients", "urllib"),
    "urllib3": ("clients", "urllib3"),
    "yarl": ("clients", "yarl"),
    "httpx": ("clients", "httpx"),
    "hyperlink": ("clients", "hyperlink"),
    "ada-url": ("clients", "ada_url"),
    "pydantic": ("clients", "pydantic"),
    "libcurl": ("curl", "libcurl"),
}
"""The module of each built-in adapter, and the function there that makes it."""


def serve(name: str, wanted: Wanted) -> None:
    """Say the version of a parser, then answer each line of standard input."""
    answers = own_output()
    sys.addaudithook(stay_here)
    try:
        judge, number = _made(name, wanted)
    except Exception as error:  # noqa: BLE001 - whatever it is, it cannot be asked
        absent = name in FAMILIES and isinstance(error, ModuleNotFoundError)
        _say(answers, {"version": None} | ({} if absent else {"reason": _reason(error)}))
        return
    _say(answers, {"version": number})
    for line in sys.stdin:
        _say(answers, _answer(judge, json.loads(line)))


def _made(name: str, wanted: Wanted) -> tuple[Judge, str]:
    """Give what judges, and its version: that of its package, or else `""`."""
    if name in FAMILIES:
        family, function = FAMILIES[name]
        module = import_module(f"uriparse.cli.adapters.python.{family}")
        return getattr(module, function)(wanted), _version(name)
    path, _, attributes = name.partition(":")
    found = import_module(path)
    for attribute in attributes.split("."):
        found = getattr(found, attribute)
    if not callable(found):
        raise TypeError(f"{name} is no function")
    top = path.partition(".")[0]
    return found, _version(packages_distributions().get(top, [top])[0])


def _version(package: str) -> str:
    if package == "libcurl":
        from uriparse.cli.readers.python.curl import SystemLibrary

        return SystemLibrary().version
    if package == "urllib":
        return python_version()
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _reason(error: Exception) -> str:
    """Say what an error is; one of an import says what is missing."""
    said = f": {error}" if isinstance(error, ImportError | AttributeError | TypeError) else ""
    return f"{type(error).__name__}{said}"


def _answer(judge: Judge, text: str) -> object:
    """Give whether a text is accepted, or what it consists of, as JSON can tell it."""
    try:
        found = judge(text)
        if not found or not hasattr(found, "items"):
            return bool(found)
        return {
            str(name): value
            for name, value in found.items()
            if value is None or isinstance(value, str | int)
        }
    except Exception:  # noqa: BLE001 - any that a parser raises is a rejection
        return False


def _say(answers: TextIOWrapper, value: object) -> None:
    answers.write(f"{json.dumps(value)}\n")
    answers.flush()


if __name__ == "__main__":
    serve(sys.argv[1], Wanted(*sys.argv[2:]))
