"""The texts of a suite that is read from a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from uriparse.errors import URIError

if TYPE_CHECKING:
    from uriparse.conformance import Subject

_VERDICTS: Final = {"valid": True, "invalid": False}


class SuiteFileError(URIError):
    """A line of a suite is none. The message says which, and nothing of what stands there."""


def suite_texts(path: str, of: Subject) -> list[str]:
    """Read the texts of a file, of either form in which `uriparse conformance suite` writes.

    A JSON value a line: a string, an object with `"text"`, or, with `"suite"`, one that is passed
    over; or verdict, text as a JSON string, and what it tests, with tabs between. A verdict that
    a line has must be the rule's. SuiteFileError for what is no suite, OSError for what cannot be
    read.
    """
    texts = []
    with Path(path).open(encoding="utf-8-sig", errors="surrogateescape") as lines:
        for number, line in enumerate(lines, 1):
            try:
                found = _row(line)
            except (ValueError, RecursionError):
                raise SuiteFileError(
                    f'{path}, line {number}: neither a JSON string nor an object with "text"'
                ) from None
            if found is None:
                continue
            text, claimed = found
            valid = of.telling.accepts(text)
            if claimed is not None and claimed is not valid:
                raise SuiteFileError(
                    f"{path}, line {number}: {_word(claimed)} by the suite, {_word(valid)} by "
                    f"{of.rule} of {of.source.name}"
                )
            texts.append(text)
    if not texts:
        raise SuiteFileError(f"{path}: no texts")
    return texts


def _row(line: str) -> tuple[str, bool | None] | None:
    """Read a line: its text and the verdict on it, if any; None for the head of a suite."""
    if line.startswith("#"):
        return None
    verdict, tab, rest = line.partition("\t")
    if tab and verdict in _VERDICTS:
        text = json.loads(rest.partition("\t")[0])
        if isinstance(text, str):
            return text, _VERDICTS[verdict]
    match json.loads(line):
        case str(text):
            return text, None
        case {"text": str(text), "valid": bool(valid)}:
            return text, valid
        case {"text": str(text)}:
            return text, None
        case {"suite": dict()}:
            return None
    raise ValueError


def _word(valid: bool) -> str:  # noqa: FBT001 - a verdict
    return "valid" if valid else "invalid"
