"""Expressions of a grammar written as ABNF (RFC 5234, RFC 7405), for messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse import excerpt

if TYPE_CHECKING:
    from uriparse.conformance.automata import Spans
    from uriparse.conformance.subjects import Subject
    from uriparse.conformance.unfolding import Choice
    from uriparse.grammar.derivation import Expression

LONGEST = 60
"""Characters of an expression that are written; of a longer one the beginning."""


def abnf(subject: Subject, rule: str) -> str:
    """Write a rule of the subject's grammar as it may stand in a file; `""` if there is none.

    >>> from uriparse.conformance import subject
    >>> abnf(subject("URI"), "IPvFuture")
    'IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )'
    """
    expression = subject.source.expressions.get(rule)
    return "" if expression is None else f"{rule} = {written(expression)}"


def worded(choice: Choice) -> str:
    """Say what is chosen.

    >>> from uriparse.conformance.unfolding import Choice
    >>> place = ("rep", ("ref", "HEXDIG"), 1, 4)
    >>> worded(Choice("repetition", "IPv6address", "h16", place, 3))
    '3 of 1*4HEXDIG'
    """
    place, value = choice.place, choice.value
    match choice.kind, place:
        case "alternative", ("alt", tuple(items)):
            return f"alternative {value + 1} of {len(items)}: {_cut(written(items[value]))}"
        case "option", _:
            return f"{'with' if value else 'without'} {_cut(written(place))}"
        case "repetition", ("rep", _, int(low), int(high)):
            more = " or more" if high < 0 and value > low + 1 else ""
            return f"{value}{more} of {_cut(written(place))}"
        case "range", _:
            return f"{excerpt.named(chr(value))}, an end of {_cut(written(place))}"
        case _:
            return "the rule"


def written(expression: Expression) -> str:
    """Write an expression.

    >>> written(("rep", ("seq", (("ref", "h16"), ("chars", ((58, 58),)))), 0, -1))
    '*( h16 ":" )'
    """
    match expression:
        case ("chars", tuple(ranges)):
            return _characters(ranges)
        case ("text", str(value)):
            return f'%s"{value}"' if any(map(str.isalpha, value)) else f'"{value}"'
        case ("ref", str(rule)):
            return rule
        case ("seq", tuple(items)):
            return " ".join(_grouped(item) if item[0] == "alt" else written(item) for item in items)
        case ("alt", tuple(items)):
            return " / ".join(map(written, items))
        case ("rep", tuple(item), 0, 1):
            return f"[ {written(item)} ]"
        case ("rep", tuple(item), int(low), int(high)):
            least, most = str(low or ""), str(high) if high >= 0 else ""
            times = str(low) if low == high else f"{least}*{most}"
            return f"{times}{_grouped(item)}"
        case _:
            raise TypeError(expression)


def _grouped(expression: Expression) -> str:
    is_single = expression[0] in ("ref", "text") or " / " not in written(expression)
    if expression[0] in ("seq", "alt") or not is_single:
        return f"( {written(expression)} )"
    return written(expression)


def _characters(ranges: Spans) -> str:
    codes = [low for low, high in ranges if low == high]
    if len(codes) == len(ranges) == 2 and chr(codes[0]).lower() == chr(codes[1]):
        return f'"{chr(codes[1])}"'
    return " / ".join(_range(low, high) for low, high in ranges)


def _range(low: int, high: int) -> str:
    if low != high:
        return f"%x{low:02X}-{high:02X}"
    plain = 0x20 < low < 0x7F and low != 0x22 and not chr(low).isalpha()
    return f'"{chr(low)}"' if plain else f"%x{low:02X}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3].rstrip() + "..."
