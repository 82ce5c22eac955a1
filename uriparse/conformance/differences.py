"""How components that a parser tells differ from those of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.conformance.faults import Fault, parted
from uriparse.errors import EncodingError
from uriparse.percent import unquote_to_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from uriparse.conformance.answers import Answer
    from uriparse.conformance.docket import Docket


def differing(docket: Docket, answers: Sequence[Answer | None]) -> Iterator[Fault]:
    """Group the texts, valid and accepted, of which a parser tells other components."""
    found: dict[str, list[tuple[str, str]]] = {}
    for fact, said in zip(docket.facts, answers, strict=True):
        if said is None or not said.components or not fact.valid:
            continue
        record = docket.record(fact.text)
        if record is None:
            continue
        for name, theirs in said.components.items():
            ours = None if name == "text" else getattr(record, name)
            if name != "text" and (what := difference(None if ours is None else str(ours), theirs)):
                found.setdefault(name, []).append((what, fact.text))
    for name, cases in found.items():
        parts = parted(cases)
        title = f"{name} is told {_listed([part.what for part in parts])}"
        yield Fault("differs", name, title, parts, 0, 0)


def rewriting(docket: Docket, answers: Sequence[Answer | None]) -> Iterator[Fault]:
    """Put together the texts, valid and accepted, that a parser writes again otherwise.

    In parts by the component in which they begin to differ.
    """
    cases: list[tuple[str, str]] = []
    for fact, said in zip(docket.facts, answers, strict=True):
        again = (said.components or {}).get("text") if said and fact.valid else None
        if again is None or again == fact.text:
            continue
        pairs = zip(fact.text, again, strict=False)
        at = next((at for at, (one, other) in enumerate(pairs) if one != other), len(again))
        state = docket.subject.telling.read(fact.text[:at]).state
        spelled = _same_but_spelled(fact.text, again)
        what = difference(fact.text, again) if spelled else _length(fact.text, again)
        cases.append((f"{docket.places.component(state)} {what}", fact.text))
    if cases:
        title = "writes again otherwise than it was written"
        yield Fault("rewrites", docket.subject.rule, title, parted(cases), 0, 0)


def difference(ours: str | None, theirs: str | None) -> str:
    """Say how what a parser tells differs from what is written; `""` if it does not.

    >>> difference("", None), difference("[::1]", "::1"), difference("%41", "A")
    ('as absent where it is empty', 'without brackets', 'with other triplets')
    """
    if ours == theirs:
        return ""
    if ours is None:
        return "as empty where it is absent" if theirs == "" else "where it is absent"
    if theirs is None:
        return "as absent" if ours else "as absent where it is empty"
    if ours == f"[{theirs}]":
        return "without brackets"
    if _same_but_spelled(ours, theirs):
        return "in other case" if ours.lower() == theirs.lower() else "with other triplets"
    if ours.isdigit() and theirs.isdigit() and ours.lstrip("0") == theirs.lstrip("0"):
        return "without leading zeros"
    return "otherwise"


def _same_but_spelled(ours: str, theirs: str) -> bool:
    return ours.lower() == theirs.lower() or _decoded(ours) == _decoded(theirs)


def _decoded(text: str) -> bytes | str:
    try:
        return unquote_to_bytes(text).lower()
    except EncodingError:
        return text


def _length(ours: str, theirs: str) -> str:
    if len(theirs) == len(ours):
        return "otherwise"
    return "with something added" if len(theirs) > len(ours) else "with something left out"


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
