"""Cut ABNF text into rules and tokens, and report the place where a rule is malformed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from abnf2lark.problems import Problem, Source, lines


@dataclass(frozen=True, slots=True)
class Token:
    """A token of ABNF (RFC 5234 section 4, RFC 7405) and its offset in the rule's text."""

    kind: str
    text: str
    offset: int


TOKEN = re.compile(
    r"""(?P<space>[ \t]+)
      | (?P<define>=/?)
      | (?P<slash>/)
      | (?P<open>[(\[])
      | (?P<close>[)\]])
      | (?P<repeat>[0-9]*\*[0-9]*|[0-9]+)
      | (?P<literal>(?:%[sSiI])?"[\x20\x21\x23-\x7e]*")
      | (?P<number>%(?:[xX][0-9A-Fa-f]+(?:-[0-9A-Fa-f]+|(?:\.[0-9A-Fa-f]+)+)?
                     |[dD][0-9]+(?:-[0-9]+|(?:\.[0-9]+)+)?
                     |[bB][01]+(?:-[01]+|(?:\.[01]+)+)?))
      | (?P<prose><[\x20-\x3d\x3f-\x7e]*>)
      | (?P<name>[A-Za-z][A-Za-z0-9-]*)
    """,
    re.VERBOSE,
)


# Read what is not ABNF as what it seems to mean: other dialects, and slips of many real files.

Said = tuple[int, str]

# What is read otherwise than ABNF would, or not at all by it; longest first.
_FOREIGN = re.compile(
    r"""(?P<bnf>::=|:=)
      | (?P<colon>:(?![:=]))
      | (?P<span>%(?:[xX][0-9A-Fa-f]+(?:-%[xX]|\.\.(?:%[xX])?)[0-9A-Fa-f]+
                    |[dD][0-9]+(?:-%[dD]|\.\.(?:%[dD])?)[0-9]+))
      | (?P<hex>0[xX][0-9A-Fa-f]+(?:(?:-|\.\.)0[xX][0-9A-Fa-f]+)?)
      | (?P<ends>"[!-@\[-`{-~]"\.\."[!-@\[-`{-~]")
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
LISTS = "lists"
"""The leniency that reads the lists of RFC 9110, section 5.6.1, as 1#x, and nothing else."""

MAX_LISTS = 4  # in each other: each is written twice
_SUFFIX = {"*": "*", "+": "1*", "?": "*1"}


class _Tokens:
    """Makes tokens of ABNF of a rule's text, and notes what was read as what.

    Where it is not known what is meant, the last token is of kind "none".
    """

    def __init__(self, text: str, source: Source) -> None:
        self.text = text
        lenient, self.lenient = source.lenient, source.lenient is True
        self.tokens: list[Token] = []
        self.said: list[Said] = []
        self.is_bnf = "::=" in text
        offset = 0
        while offset < len(text):
            foreign = _FOREIGN.match(text, offset) if lenient else None
            known = foreign and (self.lenient or foreign.lastgroup == "list")
            if foreign and known and self.foreign(foreign, offset):
                offset = foreign.end()
                continue
            if self.lenient and text[offset] in _SUFFIX and self.suffix(offset):
                offset += 1
                continue
            match = TOKEN.match(text, offset)
            if match is None or match.lastgroup is None:
                self.tokens.append(Token("none", text[offset], offset))
                return
            self.add(match.lastgroup, match.group(), offset)
            offset = match.end()

    def add(self, kind: str, text: str, offset: int) -> None:
        """Add a token, after a space where one is missing, and none between repeat and element."""
        last = self.tokens[-1].kind if self.tokens and self.lenient else ""
        if kind == "space" and last == "repeat":
            self.say(offset, "the repeat is read as that of the element after the space")
            return
        begins = kind not in ("space", "slash", "close", "define")
        if begins and last in ("name", "literal", "number", "prose", "close"):
            self.say(offset, "elements without a space between them are read as two")
            self.tokens.append(Token("space", " ", offset))
        self.tokens.append(Token(kind, text, offset))

    def say(self, offset: int, text: str) -> None:
        self.said.append((offset, text))

    def foreign(self, match: re.Match[str], offset: int) -> bool:
        """Read what is not ABNF; return whether it could be read."""
        kind, text = match.lastgroup, match.group()
        if kind == "bracketed" and not self.is_bnf:
            return False
        if kind == "colon" and "".join(one.text for one in self.tokens[1:]).strip():
            return False
        if kind == "list":
            self.say(offset, f"{text}x is read as a list of x, as in RFC 9110, section 5.6.1")
            self.add(kind, text, offset)
            return True
        read, said = self.reading(kind or "", text)
        self.say(offset, f"{text} is read as {said or read}")
        first, *rest = _written(read, offset)
        self.add(first.kind, first.text, offset)
        self.tokens += rest
        return True

    def reading(self, kind: str, text: str) -> tuple[str, str]:
        """Return what some text is read as: ABNF for it, and words for that where it needs any."""
        match kind:
            case "bnf" | "colon":
                return "=", ""
            case "span":
                return re.sub(r"(?:-|\.\.)(?:%.)?", "-", text), ""
            case "hex":
                return f"%x{re.sub(r'(?:-|[.]{2})0.', '-', text[2:])}", ""
            case "ends":
                return f"%x{ord(text[1]):X}-{ord(text[-2]):X}", ""
            case "bar":
                return "/", ""
            case "quoted":
                prefix, _, inside = text[:-1].partition("'")
                return "%x22" if inside == '"' else f'{prefix}"{inside}"', ""
            case "curly":
                return f'"{text[1:-1]}"', ""
            case "set":
                spans = (text[at : at + 3] for at in range(1, len(text) - 1, 3))
                ranges = (f"%x{ord(span[0]):X}-{ord(span[2]):X}" for span in spans)
                return f"( {' / '.join(ranges)} )", ""
            case "brace":
                return "*(" if text == "{" else ")", ""
            case "name":
                return re.sub("_+", "-", text).rstrip("-"), ""
            case "bracketed":
                return re.sub("[ _]+", "-", text[1:-1].strip()), "the name of a rule"
            case _:
                return " ", "a space"

    def suffix(self, offset: int) -> bool:
        """Put a repetition that is after its element before it; return whether it is one."""
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
        self.say(offset, f"{char} after an element is read as {read} before it")
        self.tokens.insert(start, Token("repeat", read, self.tokens[start].offset))
        return True


def _lists(tokens: list[Token], depth: int = 0) -> Iterator[Token]:
    """Write lists out: an element, and others after commas with white space around them."""
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
    """Return the place after the element, a group or one token, that begins at a place."""
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


MAX_TOKEN = 1_000
MAX_NESTING = 40
_BLANK = " \t\n\r\f\v"


@dataclass(frozen=True, slots=True)
class Chunk:
    """One rule on one logical line, with spaces for comments, so that offsets are the file's."""

    text: str
    offset: int
    said: tuple[Said, ...] = ()


# A line that can only begin a rule, and signs that cannot begin one.
_HEAD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*[ \t]*(?::{0,2}=)|<[A-Za-z][A-Za-z0-9 _-]*>[ \t]*::=")
_INSIDE = frozenset("/|\"'%*()[]0123456789")


_DEEPER = "a rule is read here, though it is indented more than the one before it"
_OUTSIDE = "the line is read as more of the rule before it"


def chunks(source: Source) -> Iterator[Chunk]:
    """Cut the text into rules; a rule includes the lines that are indented deeper than it.

    Read leniently, it also includes lines that begin with signs that cannot begin a rule, and
    ends before lines that can only begin one; tabs are eight columns wide.
    """
    for begin, text in source.parts():
        indent: tuple[int, int] | None = None
        start, parts, offset = begin, [""], begin
        said: list[Said] = []
        for line in lines(text):
            blank = _without_comment(line)
            stripped = blank.strip(_BLANK)
            if stripped:
                before = blank[: len(blank) - len(blank.lstrip(_BLANK))]
                depth, wide = len(before), len(before.expandtabs(8))
                ends, told = indent is None or depth <= indent[0], ""
                if source.lenient is True and indent is not None:
                    if _HEAD.match(stripped):
                        told = _DEEPER if wide > indent[1] else ""
                        ends = True
                    elif ends and (wide > indent[1] or stripped[0] in _INSIDE):
                        told = "" if wide > indent[1] or stripped[0] in "/|" else _OUTSIDE
                        ends = False
                if ends:
                    yield from _chunk(parts, start, said)
                    start, parts, said = offset, [], []
                    indent = indent if told else (depth, wide)
                if told:
                    said.append((offset + len(before), told))
            parts.append(blank)
            offset += len(line)
        yield from _chunk(parts, start, said)


def _chunk(parts: list[str], start: int, said: list[Said]) -> Iterator[Chunk]:
    """Yield what lines hold, if they hold anything, and what was said at offsets in the file."""
    text = "".join(parts).rstrip(_BLANK)
    stripped = text.lstrip(_BLANK)
    if stripped:
        first = start + len(text) - len(stripped)
        yield Chunk(stripped, first, tuple((offset - first, told) for offset, told in said))


def _without_comment(line: str) -> str:
    """Return the line with its comment and line end replaced by as many spaces."""
    body = line.rstrip("\n\r\f\v")
    closing = ""
    for index, char in enumerate(body):
        if closing:
            if char == closing:
                closing = ""
        elif char in '"<':
            closing = '"' if char == '"' else ">"
        elif char == ";":
            body = body[:index]
            break
    return body + " " * (len(line) - len(body))


def scanned(source: Source, chunk: Chunk) -> tuple[list[Token], list[Problem]]:
    """Cut a rule into tokens, none if it is malformed; also return the problems."""
    problems: list[Problem] = []
    made = _Tokens(chunk.text, source)
    tokens = [*_lists(made.tokens)]
    for offset, text in (*chunk.said, *made.said):
        here = source.position(chunk.offset + offset)
        problems.append(Problem(source, here, "lenient", text, "warning"))
    checker = _Checker()
    for token in tokens:
        offset = token.offset
        message = _bad_character(token.text) if token.kind == "none" else checker.feed(token)
        if message:
            break
    else:
        offset, message = checker.finish()
        if not message:
            return tokens, problems
    here = source.position(chunk.offset + offset)
    return [], [*problems, Problem(source, here, "syntax", message)]


# What must come after some tokens.
_AFTER = {"repeat": "repeated", **dict.fromkeys(("define", "slash", "open"), "element")}
_WANTED = {
    "name": "a rule name",
    "define": '"=" or "=/" after the rule name (a continued line is indented)',
    "element": "an element",
    "repeated": "an element to repeat",
}


class _Checker:
    """Takes tokens until one cannot follow."""

    def __init__(self) -> None:
        self.opened: list[Token] = []
        self.expecting = "name"
        self.last = ""
        self.end = 0

    def feed(self, token: Token) -> str:
        """Take a token; return why it is not allowed here, or an empty string."""
        fault = self._fault(token.kind, token.text)
        if fault:
            return fault
        if token.kind == "open":
            self.opened.append(token)
        elif token.kind == "close":
            self.opened.pop()
        if token.kind != "space":
            after = "define" if self.expecting == "name" else "more"
            self.expecting = _AFTER.get(token.kind, after)
        self.last = token.kind
        self.end = token.offset + len(token.text)
        return ""

    def finish(self) -> tuple[int, str]:
        """Return the place and the reason why the rule cannot end here, if so."""
        if self.opened:
            return self.opened[-1].offset, f'"{self.opened[-1].text}" is never closed'
        if self.expecting in ("name", "define"):
            return 0, 'expected a rule: a name, "=" and elements (a continued line is indented)'
        if self.expecting == "more":
            return 0, ""
        return self.end, f"expected {_WANTED[self.expecting]}, found the end of the rule"

    def _fault(self, kind: str, value: str) -> str:
        expecting = self.expecting
        if len(value) > MAX_TOKEN and kind != "space":
            return f"more than {MAX_TOKEN} characters without a break cannot be read"
        if kind == "space":
            return "a repeat stands directly before its element" if expecting == "repeated" else ""
        if expecting in ("name", "define"):
            return "" if kind == expecting else f'expected {_WANTED[expecting]}, found "{value}"'
        if kind == "define":
            return f'"{value}" inside a rule (is the next rule indented deeper than this one?)'
        if kind == "close":
            opener = self.opened[-1].text if self.opened else ""
            wanted = {"(": ")", "[": "]"}.get(opener)
            if wanted != value:
                return f'"{value}" closes nothing' if wanted is None else f'expected "{wanted}"'
        if expecting in ("element", "repeated") and kind in ("slash", "close"):
            return f'expected {_WANTED[expecting]}, found "{value}"'
        if expecting == "repeated" and kind == "repeat":
            return "an element has one repeat only"
        if expecting == "more" and kind not in ("slash", "close") and self.last != "space":
            return "elements are separated by a space"
        if kind == "open" and len(self.opened) >= MAX_NESTING:
            return f"groups nested more than {MAX_NESTING} deep cannot be read"
        return ""


def _bad_character(char: str) -> str:
    hints = {
        '"': "a string is closed on its own line and holds printable ASCII only",
        "|": 'alternatives are separated by "/" in ABNF, not "|"',
        "'": 'strings are in double quotes, "…"',
        "<": 'a prose-value is closed by ">" on its own line',
        "%": 'a number is %x, %d or %b with digits; a string %s"…" or %i"…"',
        "{": "repetition is written before the element: *x, 1*x, 2*4x",
        "#": '"#" is not ABNF: the list 1#x of RFC 822 and RFC 9110 is x *( OWS "," OWS x )',
        ",": '"," is EBNF (ISO 14977): in ABNF a space stands between elements',
        "_": 'a rule name holds letters, digits and "-"',
    }
    shown = f'"{char}"' if char.isprintable() else f"U+{ord(char):04X}"
    return hints.get(char) or f"{shown} has no meaning in ABNF"
