"""Read what is no ABNF as what it seems to mean: other dialects, and slips of many real files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from abnf2lark.reading.tokens import TOKEN, Token

if TYPE_CHECKING:
    from collections.abc import Iterator

Said = tuple[int, str]

# What is read otherwise than ABNF would, or not at all by it; longest first.
_FOREIGN = re.compile(
    r"""(?P<bnf>::=|:=)
      | (?P<bar>\|{1,2})
      | (?P<quoted>(?:%[sSiI])?'[\x20-\x26\x28-\x7e]*')
      | (?P<curly>[“”„][\x20\x21\x23-\x7e]*[“”])
      | (?P<set>\[(?:[A-Za-z0-9]-[A-Za-z0-9])+\])
      | (?P<list>[0-9]*\#[0-9]*)
      | (?P<brace>[{}])
      | (?P<name>[A-Za-z][A-Za-z0-9-]*_[A-Za-z0-9_-]*)
      | (?P<bracketed><[A-Za-z][A-Za-z0-9 _-]*>)
      | (?P<wide>[\u00a0\u2002\u2003\u2009\u200b\u3000\ufeff]+)
    """,
    re.VERBOSE,
)
_COMMA = '*( " " / %x09 ) "," *( " " / %x09 )'
MAX_LISTS = 4  # in each other: each is written twice
_SUFFIX = {"*": "*", "+": "1*", "?": "*1"}


class _Relaxed:
    """Makes tokens of ABNF of a rule's text, and notes what was read as what."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self.said: list[Said] = []
        self.is_bnf = "::=" in text

    def take(self) -> None:
        offset = 0
        while offset < len(self.text):
            foreign = _FOREIGN.match(self.text, offset)
            if foreign is not None and self.foreign(foreign, offset):
                offset = foreign.end()
                continue
            if self.text[offset] in _SUFFIX and self.suffix(offset):
                offset += 1
                continue
            match = TOKEN.match(self.text, offset)
            if match is None or match.lastgroup is None:
                self.tokens.append(Token("none", self.text[offset], offset))
                return
            self.add(match.lastgroup, match.group(), offset)
            offset = match.end()

    def add(self, kind: str, text: str, offset: int) -> None:
        """Add a token, behind a space where one is missing."""
        last = self.tokens[-1].kind if self.tokens else ""
        begins = kind not in ("space", "slash", "close", "define")
        if begins and last in ("name", "literal", "number", "prose", "close"):
            self.say(offset, "elements without a space between them are read as two")
            self.tokens.append(Token("space", " ", offset))
        self.tokens.append(Token(kind, text, offset))

    def say(self, offset: int, text: str) -> None:
        self.said.append((offset, text))

    def foreign(self, match: re.Match[str], offset: int) -> bool:
        """Read what is no ABNF; tell whether it could be."""
        kind, text = match.lastgroup, match.group()
        if kind == "bracketed" and not self.is_bnf:
            return False
        if kind == "list":
            self.say(offset, f"{text}x is read as a list of x with commas between")
            self.add(kind, text, offset)
            return True
        kind, read, said = self.reading(kind or "", text)
        self.say(offset, f"{text} is read as {said or read}")
        for number, one in enumerate(TOKEN.finditer(read)):
            if number == 0:
                self.add(one.lastgroup or kind, one.group(), offset)
            else:
                self.tokens.append(Token(one.lastgroup or kind, one.group(), offset))
        return True

    def reading(self, kind: str, text: str) -> tuple[str, str, str]:
        """Return what some text is read as: its kind, ABNF for it, and words for that."""
        match kind:
            case "bnf":
                return "define", "=", ""
            case "bar":
                return "slash", "/", ""
            case "quoted":
                prefix, _, inside = text[:-1].partition("'")
                return "literal", "%x22" if inside == '"' else f'{prefix}"{inside}"', ""
            case "curly":
                return "literal", f'"{text[1:-1]}"', ""
            case "set":
                spans = (text[at : at + 3] for at in range(1, len(text) - 1, 3))
                ranges = (f"%x{ord(span[0]):X}-{ord(span[2]):X}" for span in spans)
                return "open", f"( {' / '.join(ranges)} )", ""
            case "brace":
                return ("repeat", "*(", "") if text == "{" else ("close", ")", "")
            case "name":
                return "name", re.sub("_+", "-", text).rstrip("-"), ""
            case "bracketed":
                return "name", re.sub("[ _]+", "-", text[1:-1].strip()), "the name of a rule"
            case _:
                return "space", " ", "a space"

    def suffix(self, offset: int) -> bool:
        """Put a repetition that stands behind its element before it; tell whether it is one."""
        behind = self.text[offset + 1 : offset + 2]
        last = self.tokens[-1].kind if self.tokens else ""
        if last not in ("name", "literal", "number", "close") or behind not in "/|) ]\t":
            return False
        start = len(self.tokens) - 1
        depth = int(last == "close")
        while depth:
            start -= 1
            if start < 0:
                return False
            kind = self.tokens[start].kind
            depth += (kind == "close") - (kind == "open")
        char = self.text[offset]
        read = _SUFFIX[char]
        self.say(offset, f"{char} behind an element is read as {read} before it")
        self.tokens.insert(start, Token("repeat", read, self.tokens[start].offset))
        return True


def relaxed(text: str) -> tuple[list[Token], list[Said]]:
    r"""Cut a rule's text into tokens of ABNF; return also what was read as what, with offsets.

    Where even that does not know what is meant, the last token is of kind "none".

    >>> tokens, said = relaxed("a ::= 'x' | b_c*")
    >>> "".join(token.text for token in tokens)
    'a = "x" / *b-c'
    >>> said[1]
    (6, '\'x\' is read as "x"')
    """
    found = _Relaxed(text)
    found.take()
    return [*_lists(found.tokens)], found.said


def _lists(tokens: list[Token], depth: int = 0) -> Iterator[Token]:
    """Write lists out: an element, and others behind commas with white space around them."""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token.kind != "list" or depth > MAX_LISTS:
            yield token if token.kind != "list" else Token("none", "#", token.offset)
            continue
        end = _element_end(tokens, place)
        element = [*_lists(tokens[place:end], depth + 1)]
        place = end
        low, _, high = token.text.partition("#")
        least, most = int(low[:9] or 0), f"{int(high[:9]) - 1}" if high.strip("0") else ""
        opening, closing = ("( ", " )") if least else ("[ ", " ]")
        more = f"{max(least - 1, 0)}*{most}( {_COMMA} "
        yield from _written(opening, token.offset)
        yield from element
        yield from _written(f" {more}", token.offset)
        yield from element
        yield from _written(f" ){closing}", token.offset)


def _element_end(tokens: list[Token], place: int) -> int:
    """Return the place behind the element, a group or one token, that begins at a place."""
    depth = 0
    while place < len(tokens):
        kind = tokens[place].kind
        depth += (kind == "open") - (kind == "close")
        place += 1
        if depth <= 0 and kind not in ("repeat", "list"):
            break
    return place


def _written(text: str, offset: int) -> Iterator[Token]:
    for match in TOKEN.finditer(text):
        yield Token(match.lastgroup or "none", match.group(), offset)
