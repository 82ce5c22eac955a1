"""Names in Lark grammars for the rules and texts of ABNF."""

from __future__ import annotations

from abnf2lark.reading.ir import Chars, Node, Seq, Text

MAX_SPELLED = 40


def lark_name(rule: str) -> str:
    """Spell an ABNF rule name as a Lark rule name.

    >>> lark_name("path-abempty")
    'path_abempty'
    """
    return rule.lower().replace("-", "_").replace(".", "__")


def fixed_text(node: Node) -> str | None:
    """Return the one text that an expression matches, letter case aside; else ``None``."""
    match node:
        case Text(value):
            return value
        case Chars(ranges):
            single = all(low == high for low, high in ranges)
            folded = {chr(low).lower() for low, _ in ranges}
            return folded.pop() if single and len(folded) == 1 else None
        case Seq(items):
            parts = [fixed_text(item) for item in items]
            return "".join(part or "" for part in parts) if None not in parts else None
        case _:
            return None


def abnf_text(text: str) -> str:
    """Write a text as ABNF does, so that nothing in it can be misread.

    >>> print(abnf_text("a b"), abnf_text(chr(13)), abnf_text(""))
    "a b" %x0D ""
    """
    if all(" " <= char <= "~" and char != '"' for char in text):
        return f'"{text}"'
    return "%x" + ".".join(f"{ord(char):02X}" for char in text)


def spelled_out(text: str) -> str:
    """Spell a text as a terminal's name; empty where it cannot be.

    >>> spelled_out("://")
    'COLON_SLASH_SLASH'
    >>> spelled_out("25")
    'TEXT_25'
    """
    if not (text.isascii() and text.isprintable() and 0 < len(text) <= MAX_SPELLED):
        return ""
    words = "".join(f" {_NAMES[c]} " if c in _NAMES else c.upper() for c in text)
    name = "_".join(words.split())
    return f"TEXT_{name}" if name[0].isdigit() else name


_NAMES = {
    ":": "COLON", "/": "SLASH", "?": "QUESTION", "#": "HASH", "[": "LBRACKET", "]": "RBRACKET",
    "@": "AT", "!": "BANG", "$": "DOLLAR", "&": "AMPERSAND", "'": "QUOTE", "(": "LPAREN",
    ")": "RPAREN", "*": "STAR", "+": "PLUS", ",": "COMMA", ";": "SEMICOLON", "=": "EQUALS",
    ".": "DOT", "-": "MINUS", "_": "UNDERSCORE", "~": "TILDE", "<": "LESS", ">": "GREATER",
    '"': "DQUOTE", " ": "SPACE", "{": "LBRACE", "}": "RBRACE", "|": "BAR", "\\": "BACKSLASH",
    "^": "CARET", "%": "PERCENT", "`": "BACKQUOTE",
}  # fmt: skip
