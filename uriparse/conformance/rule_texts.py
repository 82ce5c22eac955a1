"""A rule in the notation of ABNF (RFC 5234), for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uriparse.conformance.subjects import Subject
    from uriparse.grammar.derivation import Expression


def abnf(subject: Subject, rule: str) -> str:
    """Write a rule of the subject's grammar as it may stand in a file; `""` if there is none.

    >>> from uriparse.conformance import subject
    >>> abnf(subject("URI"), "IPvFuture")
    'IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )'
    """
    expression = subject.source.expressions.get(rule)
    return "" if expression is None else f"{rule} = {_written(expression)}"


def _written(expression: Expression) -> str:
    match expression:
        case ("ref", str(rule)):
            return rule
        case ("text", str(value)):
            return f'"{value}"'
        case ("chars", tuple(ranges)):
            return _characters(ranges)
        case ("seq", tuple(items)):
            return " ".join(map(_grouped, items))
        case ("alt", tuple(items)):
            return " / ".join(_written(item) for item in items)
        case ("rep", tuple(item), 0, 1):
            return f"[ {_written(item)} ]"
        case ("rep", tuple(item), int(low), int(high)):
            return f"{_times(low, high)}{_grouped(item)}"
        case _:
            raise TypeError(expression)


def _times(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"{low or ''}*{'' if high == -1 else high}"


def _grouped(expression: Expression) -> str:
    """Write an expression as one element."""
    text = _written(expression)
    kind = expression[0]
    repeated = kind == "rep" and not text.startswith("[")
    return f"( {text} )" if kind in ("alt", "seq") or (" / " in text and not repeated) else text


def _characters(ranges: tuple[tuple[int, int], ...]) -> str:
    """Write a set of characters; a letter in both cases is a literal in any case."""
    codes = [low for low, high in ranges if low == high]
    if len(ranges) == len(codes) == 2 and chr(codes[0]).lower() == chr(codes[1]):
        return f'"{chr(codes[1])}"'
    return " / ".join(_range(low, high) for low, high in ranges)


def _range(low: int, high: int) -> str:
    if low != high:
        return f"%x{low:02X}-{high:02X}"
    return f'"{chr(low)}"' if 0x20 < low < 0x7F and low != 0x22 else f"%x{low:02X}"
