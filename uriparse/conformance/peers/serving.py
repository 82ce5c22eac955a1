"""The process of a peer in Python.

Start it as `python -m uriparse.conformance.peers.serving NAME [RULE GRAMMAR OPERATION]`. NAME is a
built-in peer's, or `module:function`. Without a rule and an operation it answers destinations.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import TYPE_CHECKING, Final

from uriparse.conformance.peers import curl, python_parsers
from uriparse.conformance.peers.operation_parsers import FUNCTIONS
from uriparse.conformance.peers.tasks import PeerParser, PeerTask, RefusedError, UnfitError
from uriparse.conformance.trials import FAULTS, reason_of

if TYPE_CHECKING:
    from io import TextIOWrapper

_NETWORK: Final = (
    *("socket.getaddrinfo", "socket.gethostbyaddr", "socket.gethostbyname"),
    *("socket.connect", "socket.sendmsg", "socket.sendto"),
)


def serve(name: str, task: PeerTask) -> None:
    """Write the version of a parser, then an answer for each line of standard input."""
    answers = own_output()
    sys.addaudithook(stay_here)
    is_built_in = ":" not in name
    try:
        parser = _own_parser(name, task) if is_built_in else _user_parser(name, task)
    except Exception as error:  # noqa: BLE001 - whatever it is, the parser cannot be asked
        absent = is_built_in and isinstance(error, ModuleNotFoundError)
        reason = str(error) if isinstance(error, UnfitError) else reason_of(error)
        _write(answers, {"version": None} | ({} if absent else {"reason": reason}))
        return
    _write(answers, {"version": parser.version or _version(_package(name))})
    for line in sys.stdin:
        _write(answers, _answer(parser, json.loads(line)))


def maker_of(name: str) -> Callable[[PeerTask], PeerParser]:
    """Find the function that makes a built-in parser: that of its name, in `[a-z0-9_]`."""
    function = re.sub("[-.]", "_", name.partition(" ")[0])
    module = curl if hasattr(curl, function) else python_parsers
    found: Callable[[PeerTask], PeerParser] = getattr(module, function)
    return found


def _own_parser(name: str, task: PeerTask) -> PeerParser:
    if task.operation:
        return _of_cases(FUNCTIONS[name][task.operation])
    return maker_of(name)(task)


def _of_cases(function: Callable[..., object]) -> PeerParser:
    """Make a parser of a function that takes the texts of a case; what it returns is in `text`."""

    def read(line: str) -> object:
        found = function(*line.split(" "))
        return {"text": found} if isinstance(found, str) else found

    return PeerParser(read)


def _user_parser(name: str, task: PeerTask) -> PeerParser:
    path, _, attributes = name.partition(":")
    found = import_module(path)
    for attribute in attributes.split("."):
        found = getattr(found, attribute)
    if not callable(found):
        raise TypeError(f"{name} is not a function")
    return _of_cases(found) if task.operation else PeerParser(found)


def _package(name: str) -> str:
    """Name the package of a peer: the first word of its name, or what the user's module is from."""
    module, colon, _ = name.partition(":")
    top = module.partition(".")[0]
    return packages_distributions().get(top, [top])[0] if colon else name.partition(" ")[0]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _answer(parser: PeerParser, text: str) -> object:
    """Ask a parser; the answer holds what JSON can: verdict, reason of a refusal, components."""
    try:
        found = parser.parse(text)
        if not found or not hasattr(found, "items"):
            return bool(found)
        return {
            str(name): value
            for name, value in found.items()
            if value is None or isinstance(value, str | int)
        }
    except RefusedError as error:
        return {"refuses": str(error)}
    except FAULTS as error:
        return {"fault": reason_of(error)}
    except Exception as error:  # noqa: BLE001 - any other that a parser raises is a rejection
        return {"refuses": type(error).__name__}


def _write(answers: TextIOWrapper, value: object) -> None:
    answers.write(f"{json.dumps(value)}\n")
    answers.flush()


def own_output() -> TextIOWrapper:
    """Keep standard output for answers: what a library writes there goes to standard error."""
    kept = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(kept, "w", encoding="ascii")


def stay_here(event: str, _: tuple[object, ...]) -> None:
    """Let no library look up a name or connect."""
    if event in _NETWORK:
        raise PermissionError(event)


if __name__ == "__main__":
    serve(sys.argv[1], PeerTask(*sys.argv[2:]))
