"""The process of one reader in Python: `python -m uriparse.cli.readers.python.serving NAME`."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from uriparse.cli.readers.python.answers import RefusedError, UnfitError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from io import TextIOWrapper
    from types import ModuleType

    from uriparse.cli.readers.python.answers import PythonReader

FAMILIES: Mapping[str, tuple[str, str]] = {
    "urllib.parse": ("standard_library", "urllib_parse"),
    "urllib.request": ("standard_library", "urllib_request"),
    "urllib3": ("pooled", "urllib3"),
    "requests": ("pooled", "requests"),
    "httpx": ("asynchronous", "httpx"),
    "yarl (aiohttp)": ("asynchronous", "yarl"),
    "tornado": ("asynchronous", "tornado"),
    "twisted": ("asynchronous", "twisted"),
    "ada-url": ("browser_like", "ada_url"),
    "pydantic": ("browser_like", "pydantic"),
    "rfc3986": ("generic", "rfc3986"),
    "libcurl": ("curl", "libcurl"),
    "pycurl": ("curl", "pycurl"),
    "curl": ("curl_program", "curl"),
}
"""The module of each reader and the function there that makes it."""

_NO_NETWORK = (
    "socket.connect",
    "socket.getaddrinfo",
    "socket.gethostbyaddr",
    "socket.gethostbyname",
    "socket.sendmsg",
    "socket.sendto",
)


def serve(name: str) -> None:
    """Say the version of a reader, then answer a line for each line of standard input."""
    answers = own_output()
    sys.addaudithook(stay_here)
    family, function = FAMILIES[name]
    module: ModuleType = import_module(f"uriparse.cli.readers.python.{family}")
    try:
        reader: PythonReader = getattr(module, function)()
    except ModuleNotFoundError:
        _say(answers, {"version": None})
        return
    except UnfitError as error:
        _say(answers, {"version": None, "reason": str(error)})
        return
    _say(answers, {"version": reader.version})
    for line in sys.stdin:
        text = bytes.fromhex(line).decode("utf-8", "surrogateescape")
        _say(answers, _outcome(reader, text))


def _outcome(reader: PythonReader, text: str) -> Mapping[str, object]:
    try:
        return reader.read(text)
    except RefusedError as error:
        return {"refuses": str(error)}
    except Exception as error:  # noqa: BLE001 - any that a library raises is a refusal
        return {"refuses": type(error).__name__}


def _say(answers: TextIOWrapper, value: Mapping[str, object]) -> None:
    answers.write(f"{json.dumps(value)}\n")
    answers.flush()


def own_output() -> TextIOWrapper:
    """Keep standard output for answers: what a library writes there goes to standard error."""
    kept = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(kept, "w", encoding="ascii")


def stay_here(event: str, _: tuple[object, ...]) -> None:
    """Let no library look up a name or connect."""
    if event in _NO_NETWORK:
        raise PermissionError(event)


if __name__ == "__main__":
    serve(sys.argv[1])
