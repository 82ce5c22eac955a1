"""What a peer is started for, and what a peer in Python is to the process that serves it."""

from collections.abc import Callable
from typing import Final, NamedTuple

_ABSOLUTE: Final = frozenset({"uri", "iri", "absolute-uri", "absolute-iri"})


class RefusedError(Exception):
    """A parser refused a text; the message says why and repeats nothing of the text."""


class UnfitError(Exception):
    """A library is installed and cannot be used; the message says what is needed."""


class PeerTask(NamedTuple):
    """What a process is asked: verdicts by a rule and grammar, or an operation's results."""

    rule: str = ""
    grammar: str = ""
    operation: str = ""

    @property
    def kind(self) -> str:
        """The task as an argument of a program, which knows neither rules nor grammars.

        `"absolute"` where each text of the rule has a scheme, as those of some parsers need not.
        """
        if not self.rule:
            return self.operation or "destination"
        return "absolute" if self.rule.lower() in _ABSOLUTE else "any"


class PeerParser(NamedTuple):
    """A parser in Python, ready for its task.

    parse: returns a value that is true for a text that it accepts, a mapping of components if
        it has them; returns a false value, or raises anything, for a text that it rejects.
    version: its version; `""` for that of its package.
    """

    parse: Callable[[str], object]
    version: str = ""


def destination(scheme: object, host: object, port: object, target: str) -> dict[str, object]:
    """Return the answer of a parser that says where it would go."""
    return {"scheme": scheme, "host": host, "port": port, "target": target}
