"""`uriparse conformance trial --operation`: the results of parsers, case by case."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from uriparse.cli.console import on_one_line
from uriparse.conformance import OperationCase, operation_suite
from uriparse.conformance.peers.asking import ask
from uriparse.conformance.peers.tasks import PeerTask
from uriparse.errors import URIError
from uriparse.parsing import parse
from uriparse.resolution import resolve
from uriparse.schemes import equivalent

if TYPE_CHECKING:
    from uriparse.conformance import Answer, Operation
    from uriparse.conformance.peers.catalogue import Peer


class WrongResult(NamedTuple):
    """A case, and the result of a parser; None if it refuses the case."""

    case: OperationCase
    found: str | bool | None


class OperationTrial(NamedTuple):
    """The results of a parser for all cases.

    unanswered: why cases have no answer: what happened, and how many.
    trouble: why it could not be asked, or empty.
    """

    name: str
    version: str
    asked: int
    differences: tuple[WrongResult, ...]
    unanswered: dict[str, int]
    trouble: str


def tried(
    peers: Sequence[Peer], operation: Operation, *, whole: bool, patience: float
) -> list[OperationTrial]:
    """Ask peers about all or few cases of an operation, and compare their answers with the RFC."""
    cases = operation_suite(operation, size="full" if whole else "tiny")
    texts = [" ".join(str(text) for text in case.given.values()) for case in cases]
    return [
        OperationTrial(
            each.peer.name,
            each.version,
            len(cases),
            tuple(_differences(cases, each.answers, operation)),
            Counter(said.silence for said in each.answers if said and said.silence),
            each.trouble,
        )
        for each in ask(peers, PeerTask(operation=operation), texts, patience=patience)
    ]


def _differences(
    cases: Sequence[OperationCase], answers: Sequence[Answer | None], operation: Operation
) -> Iterator[WrongResult]:
    for case, answer in zip(cases, answers, strict=False):
        if answer is None or answer.silence:
            continue
        found: str | bool | None = answer.accepts
        if operation != "equivalence":
            found = (answer.components or {}).get("text") if found else None
        if not _is_right(case, found, operation):
            yield WrongResult(case, found)


def _is_right(case: OperationCase, found: str | bool | None, operation: Operation) -> bool:  # noqa: FBT001
    if operation != "relativization" or not isinstance(found, str):
        return found == case.expected
    try:  # any reference is right that leads there
        return str(resolve(parse(str(case.given["base"])), found)) == case.expected
    except URIError:
        return False


def _is_alike(each: WrongResult) -> bool:
    """Return whether a result is equivalent to the expected one: it differs in spelling only."""
    expected = str(each.case.expected)
    try:
        return isinstance(each.found, str) and equivalent(each.found, expected)
    except URIError:
        return False


def _said(found: object) -> str:
    if isinstance(found, bool):
        return "equivalent" if found else "different"
    return "refused" if found is None else on_one_line(str(found)) or '""'


def text_lines(trials: Sequence[OperationTrial], operation: Operation) -> Iterator[str]:
    """Return the lines for people: a head, then each parser with a line a difference."""
    yield f"{operation}: {max((each.asked for each in trials), default=0)} cases of RFC 3986"
    for each in trials:
        yield ""
        if each.trouble:
            yield f"{each.name}: {each.trouble}"
            continue
        alike = sum(map(_is_alike, each.differences)) if operation == "resolution" else 0
        yield (
            f"{f'{each.name} {each.version}'.rstrip()}: {len(each.differences)} differ"
            f"{f', {alike} in spelling alone' if alike else ''}"
        )
        for case, found in each.differences:
            given = ", ".join(f"{name} {_said(text)}" for name, text in case.given.items())
            yield f"  {case.section}  {given}: {_said(found)}, not {_said(case.expected)}"
        yield from (f"  ! {what}: {number}" for what, number in each.unanswered.items())


def objects(trials: Sequence[OperationTrial], operation: Operation) -> Iterator[dict[str, object]]:
    """Return an object a parser."""
    for each in trials:
        head: dict[str, object] = {"parser": each.name, "operation": operation}
        if each.trouble:
            yield head | {"trouble": each.trouble}
            continue
        rows = [{**case._asdict(), "found": found} for case, found in each.differences]
        yield head | {"version": each.version, "asked": each.asked, "differences": rows,
                      "unanswered": each.unanswered}  # fmt: skip


def written(trials: Sequence[OperationTrial], operation: Operation, form: str) -> str:
    """Write the outcome in one of the forms "text" and "json"."""
    if form == "json":
        return "\n".join(map(json.dumps, objects(trials, operation)))
    return "\n".join(text_lines(trials, operation))
