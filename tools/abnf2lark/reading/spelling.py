"""Write expressions as ABNF does, in one line."""

from __future__ import annotations

from abnf2lark.reading.ir import Alt, Capture, Chars, Node, Ref, Rep, Seq, Text


def spelled(node: Node) -> str:
    """Write an expression.

    >>> spelled(Rep(Seq((Chars.of([(65, 65), (97, 97)]), Ref("HEXDIG"))), 1, None))
    '1*( "a" HEXDIG )'
    """
    match node:
        case Chars(ranges):
            return _chars(ranges)
        case Text(value):
            return _quoted(value)
        case Ref(name):
            return name
        case Capture(_, item):
            return spelled(item)
        case Seq(()):
            return '""'
        case Seq(items):
            return " ".join(
                f"( {spelled(i)} )" if isinstance(i, Alt) else spelled(i) for i in items
            )
        case Alt(items):
            return " / ".join(spelled(item) for item in items)
        case Rep(item, 0, 1):
            return f"[ {spelled(item)} ]"
        case Rep(item, low, high):
            inner = spelled(item)
            if isinstance(item, (Seq, Alt, Rep)):
                inner = f"( {inner} )"
            if low == high:
                return f"{low}{inner}"
            return f"{low or ''}*{'' if high is None else high}{inner}"


def _chars(ranges: tuple[tuple[int, int], ...]) -> str:
    letters = {chr(low).lower() for low, high in ranges if low == high}
    if len(ranges) == 2 and len(letters) == 1 and all(low == high for low, high in ranges):
        return _quoted(letters.pop())
    return " / ".join(
        _single(low) if low == high else f"%x{low:02X}-{high:02X}" for low, high in ranges
    )


def _single(code: int) -> str:
    character = chr(code)
    if not (character.isascii() and character.isprintable()) or character == '"':
        return f"%x{code:02X}"
    return f'%s"{character}"' if character.isalpha() else f'"{character}"'


def _quoted(value: str) -> str:
    if all(
        character.isascii() and character.isprintable() and character != '"' for character in value
    ):
        return f'"{value}"'
    return "%x" + ".".join(f"{ord(character):02X}" for character in value)
