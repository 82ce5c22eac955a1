"""Find expressions that some releases of Python's `re` execute wrongly.

Up to 3.11.4 (CPython issue 106052), a possessive loop continues from the position that its last,
failing iteration has left: `(?:ab?c)*+` matches "a". In all of 3.11, up to 3.12.7 and in 3.13.0
(issue 101955), choices in such a loop may leave captures set.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from re import _parser
from typing import TypeAlias, cast

# What re._parser yields: (operator, argument) pairs, the argument's shape depending on both.
Operation: TypeAlias = tuple[object, object]


def is_misexecuted(text: str) -> bool:
    """Return whether a supported release may execute a pattern of any flavour wrongly."""
    return _any(inner(_parser.parse(in_python(text))), _is_misexecuted)


def in_python(text: str) -> str:
    """Spell the characters of a pattern of any flavour, its anchors left out, as Python does."""
    return _ESCAPE.sub(lambda found: f"\\U{int(found[1], 16):08x}" if found[1] else found[0], text)


_ESCAPE = re.compile(r"\\(?:[xu]\{([0-9a-f]+)\}|.)", re.DOTALL)


def inner(operations: object) -> list[Operation]:
    """Return the operations of a part; ``re`` wraps them in a sequence of its own."""
    return list(cast("Iterable[Operation]", operations))


def _parts(argument: object) -> Iterator[list[Operation]]:
    if isinstance(argument, _parser.SubPattern):
        yield inner(argument)
    elif isinstance(argument, tuple | list):
        for part in argument:
            yield from _parts(part)


def _any(operations: list[Operation], wanted: Callable[[str, object], bool]) -> bool:
    """Return whether an operation, at any depth, is one that is wanted."""
    return any(
        wanted(str(op), argument) or any(_any(part, wanted) for part in _parts(argument))
        for op, argument in operations
    )


_CHARACTERS = {"LITERAL", "NOT_LITERAL", "IN", "ANY"}
_CHOICES = {"BRANCH", "MAX_REPEAT", "MIN_REPEAT", "ASSERT_NOT"}


def _is_misexecuted(kind: str, argument: object) -> bool:
    if kind != "POSSESSIVE_REPEAT":
        return False
    (turn,) = _parts(argument)
    if _is_character(turn):
        return False  # an operation of its own, which has always been right
    captures = _any(turn, lambda kind, part: kind == "SUBPATTERN" and _group(part) is not None)
    return not _fails_in_place(turn) or (captures and _any(turn, lambda kind, _: kind in _CHOICES))


def _is_character(turn: list[Operation]) -> bool:
    return len(turn) == 1 and str(turn[0][0]) in _CHARACTERS


def _group(argument: object) -> object:
    return cast("tuple[object, ...]", argument)[0]


def _fails_in_place(turn: list[Operation]) -> bool:
    """Return whether a failing iteration leaves the engine's position where it began.

    All operations except single characters set the position to where they begin, then move it. So
    such an operation may only fail first, and nothing may fail after it. An atomic group that fails
    moves it back.
    """
    at_start = may_fail = True
    for op, argument in turn:
        parts = list(_parts(argument))
        match str(op):
            case kind if kind in _CHARACTERS and may_fail:
                at_start = False
            case "POSSESSIVE_REPEAT" if _is_character(parts[0]):
                if _group(argument) and not (at_start and may_fail):
                    return False
                may_fail = False
            case "ATOMIC_GROUP" if at_start and may_fail:
                may_fail = False
            case "BRANCH" if len(turn) == 1:
                return all(map(_fails_in_place, parts))
            case "SUBPATTERN" if len(turn) == 1 and _group(argument) is None:
                return _fails_in_place(parts[0])
            case _:
                return False
    return True
