"""Where a parser would go with a text, in one form for all, and how that compares with ours."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from uriparse.components.servers import default_port, defaults_of
from uriparse.conformance.peers.coprocess import GarbledError, Silence, value
from uriparse.errors import URISyntaxError
from uriparse.parsing import is_valid, parse

_LONGEST_REASON = 80
_LARGEST = 10**20
"""Any larger port counts as this one."""
_DIGITS = 1000  # `int` of many digits takes quadratic time


class Destination(NamedTuple):
    """Where a parser would go, lower-case and without brackets, and what it would ask for there."""

    scheme: str | None
    host: str | None
    port: int | None
    target: str


class Refusal(NamedTuple):
    """The parser refused the text: the name of an error, or words that repeat nothing of it."""

    reason: str


Outcome: TypeAlias = Destination | Refusal | Silence


def plain(scheme: str | None, host: str | None, port: int | None, target: str) -> Destination:
    """Normalize the answer of a parser, so that destinations can be compared.

    Brackets stay around what is not an IPv6 address: without them it is a name to be looked up.
    """
    scheme = scheme.lower() if scheme else None
    if host is not None:
        host = host.lower()
        if host.startswith("[") and is_valid(host[1:-1], "IPv6address"):
            host = host[1:-1]
    if host and port is None:
        port = default_port(scheme)
    return Destination(scheme, host, port, target)


def target_of(scheme: str | None, host: str | None, path: str, query: str | None) -> str:
    """Join a path and a query to a target; of http, it begins with "/" (RFC 9112 section 3.2.1)."""
    if host and not path and defaults_of(scheme).empty_path_is_slash:
        path = "/"
    return path if query is None else f"{path}?{query}"


def our_destination(text: str) -> Destination | Refusal:
    """Read a text as RFC 3986 does; a refusal says what is wrong with it."""
    try:
        uri = parse(text, "URI")
    except URISyntaxError as error:
        return Refusal(str(error))
    host = None if uri.host is None else str(uri.host)
    target = target_of(uri.scheme, host, uri.path, uri.query)
    return plain(uri.scheme, host, _number(uri.port), target)


def destination(line: bytes) -> Outcome:
    """Read an answer line of a peer; GarbledError if it holds none of the outcomes.

    `target` is for peers that report what they would send, `path` and `query` for the others.
    """
    match value(line):
        case {"refuses": str(reason)}:
            return Refusal(reason[:_LONGEST_REASON])
        case {"fault": str(reason)}:
            return Silence(reason[:_LONGEST_REASON])
        case {
            "scheme": str() | None as scheme,
            "host": str() | None as host,
            "port": str() | int() | None as port,
            **others,
        }:
            match others:
                case {"target": str(target)}:
                    pass
                case {"path": str() | None as path, "query": str() | None as query}:
                    target = target_of(scheme, host, path or "", query)
                case _:
                    raise GarbledError
            return plain(scheme, host, _number(port), target)
    raise GarbledError


def _number(port: str | int | None) -> int | None:
    """Read a port: a number, or digits, which parsers that keep the text answer."""
    if isinstance(port, str) and port:
        if not (port.isascii() and port.isdigit()):
            raise GarbledError
        port = int(port) if len(port) < _DIGITS else _LARGEST
    if isinstance(port, bool):
        raise GarbledError
    return None if port is None or port == "" else min(int(port), _LARGEST)


Verdict: TypeAlias = Literal["same", "elsewhere", "target", "refuses", "silent"]
"""`elsewhere`: another scheme, host or port; `target`: only another path or query."""


class PanelRow(NamedTuple):
    """A peer, its outcome for a text, and how that compares with ours.

    version: "?" where it could not be started.
    """

    name: str
    version: str
    outcome: Outcome
    verdict: Verdict


class Comparison(NamedTuple):
    """The outcomes of all peers for one text: our own, and the others' in the panel's order."""

    text: str
    ours: Destination | Refusal
    rows: tuple[PanelRow, ...]

    @property
    def agree(self) -> bool:
        """Whether all that accept the text go where we go; one that refuses it goes nowhere."""
        return not any(row.verdict in {"elsewhere", "target"} for row in self.rows)


def compare(
    text: str, members: Iterable[tuple[str, str]], outcomes: Sequence[Outcome]
) -> Comparison:
    """Compare the outcomes of peers, by name and version, with our reading of a text."""
    ours = our_destination(text)
    pairs = zip(members, outcomes, strict=True)
    rows = tuple(PanelRow(*member, outcome, verdict(ours, outcome)) for member, outcome in pairs)
    return Comparison(text, ours, rows)


def verdict(ours: Destination | Refusal, theirs: Outcome) -> Verdict:
    """Compare where a peer goes with a text with where we go.

    What we refuse has no destination, so a peer that accepts it goes elsewhere. An empty host and
    an absent one are the same here, since many parsers do not distinguish them; and without a host
    a port means nothing.
    """
    if isinstance(theirs, Silence):
        return "silent"
    if isinstance(theirs, Refusal):
        return "refuses"
    if isinstance(ours, Refusal) or _server(theirs) != _server(ours):
        return "elsewhere"
    return "same" if theirs.target == ours.target else "target"


def _server(found: Destination) -> tuple[object, ...]:
    return (found.scheme, found.host, found.port) if found.host else (found.scheme,)
