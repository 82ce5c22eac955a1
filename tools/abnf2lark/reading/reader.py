"""Read ABNF text (RFC 5234, RFC 7405) into rules of the intermediate form."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import eq
from typing import Literal
from zlib import crc32

from abnf2lark import ir
from abnf2lark.problems import Problem, Source
from abnf2lark.reading.scan import Chunk, Token, chunks, scanned

# What the checks want to know of a file and the rules no longer say.
#
# Rules hold each alternative once and flat; the outline keeps every choice and every repetition
# as written, each with its place.


@dataclass(slots=True)
class Part:
    """An expression and where it begins."""

    position: ir.Position
    node: ir.Node


@dataclass(slots=True)
class Choice:
    """Alternatives of one rule, as written; or one element that may come more than once."""

    rule: str
    parts: list[Part] = field(default_factory=list)


@dataclass(slots=True)
class Outline:
    """The choices and repetitions of a file."""

    choices: list[Choice] = field(default_factory=list)
    repeats: list[Choice] = field(default_factory=list)

    def bind(
        self, rules: dict[str, ir.Rule], rewrite: Callable[[ir.Node, ir.Rule], ir.Node]
    ) -> None:
        """Bind the references, as those of the rules are; ``rules`` by their folded name."""
        for choice in (*self.choices, *self.repeats):
            rule = rules[choice.rule]
            choice.rule = rule.name
            for part in choice.parts:
                part.node = rewrite(part.node, rule)


MAX_REPEAT = 100_000
MAX_DIGITS = 40  # more than any base needs for a code point
_BASES = {"x": 16, "d": 10, "b": 2}


def stand_in(name: str) -> ir.Node:
    """Return a private-use character, to stand for an unknown rule in further checks."""
    return ir.Chars.single(chr(0xF0000 + crc32(name.casefold().encode()) % 0xFFFE))


@dataclass(slots=True)
class Elements:
    """Takes the tokens of a rule, from after its ``=`` on, and makes an expression of them.

    They are in order: `scan` has seen to that. Every choice and repetition goes to the outline of
    the file, what is wrong to its problems.
    """

    rule: str
    tokens: Sequence[Token]  # without spaces
    file: "_File"
    offset: int  # of the rule in its file
    next: int = 0

    def where(self, token: Token) -> ir.Position:
        """Return the place of a token."""
        return self.file.source.position(self.offset + token.offset)

    def problem(self, token: Token, code: str, text: str) -> None:
        """Report what is wrong at a token."""
        self.file.report(self.where(token), code, text)

    def alternatives(self) -> list[Part]:
        """Take all alternatives up to the end, or to what closes the group."""
        parts = [self.alternative()]
        while self.kind == "slash":
            self.next += 1
            parts.append(self.alternative())
        return parts

    @property
    def kind(self) -> str:
        """The kind of the next token; empty at the end."""
        return self.tokens[self.next].kind if self.next < len(self.tokens) else ""

    def taken(self) -> Token:
        """Take the next token."""
        self.next += 1
        return self.tokens[self.next - 1]

    def alternative(self) -> Part:
        """Take one alternative."""
        position = self.where(self.tokens[self.next])
        items: list[ir.Node] = []
        while self.kind not in ("", "slash", "close"):
            items.append(self.repetition())
        return Part(position, ir.seq(items))

    def repetition(self) -> ir.Node:
        """Take an element with its repeat."""
        token = self.tokens[self.next]
        if token.kind != "repeat":
            return self.element()
        self.next += 1
        low, high = self.counts(token)
        item = self.element()
        here = self.where(token)
        if high is None or high > 1:
            self.file.outline.repeats.append(Choice(self.rule, [Part(here, item)]))
        if (low, high) == (1, 1):
            return item
        return ir.EMPTY if high == 0 else ir.Rep(item, low, high, self.file.source.named(here))

    def counts(self, token: Token) -> tuple[int, int | None]:
        """Read a repeat."""
        low, star, high = token.text.partition("*")
        if any(_number(digits, 10) > MAX_REPEAT for digits in (low, high)):
            text = f"a repeat count above {MAX_REPEAT} cannot be compiled"
            self.problem(token, "repeat", text)
            return 0, None
        least = int(low) if low else 0
        most = (int(high) if high else None) if star else least
        if most is not None and most < least:
            self.problem(token, "repeat", f"{token.text}: at least {least} but at most {most}")
        return least, most

    def element(self) -> ir.Node:
        """Take one element."""
        token = self.taken()
        match token.kind:
            case "open":
                parts = self.alternatives()
                self.next += 1
                if len(parts) > 1:
                    self.file.outline.choices.append(Choice(self.rule, parts))
                body = ir.alt([part.node for part in parts])
                return body if token.text == "(" else ir.optional(body)
            case "literal":
                return _literal(token.text)
            case "number":
                return self.number(token)
            case _:
                return ir.Ref(token.text, self.where(token))

    def number(self, token: Token) -> ir.Node:
        """Read a character, several, or a range by their numbers."""
        base = _BASES[token.text[1].lower()]
        digits = token.text[2:]
        low, dash, high = digits.partition("-")
        values = [_number(part, base) for part in ((low, high) if dash else digits.split("."))]
        if any(value > ir.MAX_CODE_POINT for value in values):
            self.problem(token, "code-point", f"{token.text} is not a Unicode code point")
            return stand_in(token.text)
        if all(value in ir.SURROGATES for value in values):
            self.surrogates(token, values)
        if not dash:
            return ir.exactly("".join(map(chr, values)))
        if values[0] > values[1]:
            text = f"{token.text} is empty: its ends are in reverse order"
            self.problem(token, "range", text)
        chars = ir.Chars(((min(values), max(values)),))
        kept = chars.without_surrogates()
        return kept if kept.ranges else chars

    def surrogates(self, token: Token, values: list[int]) -> None:
        """Warn of surrogates, which are not characters and so are in no text."""
        units = b"".join(value.to_bytes(2, "big") for value in values)
        meant = units.decode("utf-16-be", "surrogatepass")
        hint = "; write code points, such as %x1F600"
        if "-" not in token.text and not any(ord(char) in ir.SURROGATES for char in meant):
            hint = f"; write %x{'.'.join(f'{ord(char):X}' for char in meant)}"
        text = f"{token.text} is made of halves of UTF-16, which no text can have{hint}"
        self.problem(token, "surrogate", text)


def _number(digits: str, base: int) -> int:
    """Return the value of digits; of many, zeros before them apart, one that is too large."""
    digits = digits.lstrip("0")
    return int(digits[:MAX_DIGITS] or "0", base)


def _literal(value: str) -> ir.Node:
    text = value[value.index('"') + 1 : -1]
    if value[:2].lower() == "%s" or text.lower() == text.upper():
        return ir.exactly(text)
    # Letters in both cases: ABNF literals are ASCII, so the cases are too.
    chars: list[ir.Node] = []
    for place, char in enumerate(text):
        codes = sorted({ord(char.lower()), ord(char.upper())})
        ranges = tuple((code, code) for code in codes)
        chars.append(ir.Chars(ranges, ir.Literal(text, place, exact=False)))
    return ir.seq(chars)


_HEAD = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*=")
WARNINGS = frozenset({"surrogate", "lenient", "repeated-rule"})


def read_rules(
    source: Source, origin: str, outline: Outline | None = None
) -> tuple[list[ir.Rule], list[Problem]]:
    """Read all rules of a text, with ``=/`` joined; each malformed one is reported."""
    file = _File(source, outline or Outline())
    for chunk in chunks(source):
        file.read(chunk)
    if not file.rules and not file.problems:
        here = source.position(0)
        file.problems.append(Problem(source, here, "empty", "no rule in this file"))
    return [rule.made(origin) for rule in file.rules.values()], file.problems


@dataclass(slots=True)
class _Definition:
    """A rule that is being read, in as many parts as there are."""

    name: str
    position: ir.Position
    place: str
    bodies: list[ir.Node]
    sources: list[str]
    choice: Choice = field(init=False)
    _compared: int = field(init=False, default=0)  # of the bodies, those that are in `_folded`
    _folded: dict[ir.Node, None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.choice = Choice(self.name.casefold())

    def made(self, origin: str) -> ir.Rule:
        source = "\n".join(self.sources)
        return ir.Rule(self.name, ir.alt(self.bodies), origin, self.position, source, self.place)

    def is_alike(self, body: ir.Node) -> bool:
        """Return whether an expression has the alternatives of the rule, its names in any case."""
        for one in self.bodies[self._compared :]:
            self._folded |= _alternatives(one)
        self._compared = len(self.bodies)
        others = _alternatives(body)
        return len(others) == len(self._folded) and all(map(eq, others, self._folded))


def _alternatives(node: ir.Node) -> dict[ir.Node, None]:
    """Return the alternatives of an expression, each once, with references in small letters."""
    folded = ir.replaced(node, lambda ref: ir.Ref(ref.name.casefold()))
    return dict.fromkeys(folded.items if isinstance(folded, ir.Alt) else (folded,))


class _File:
    """The rules of a text, by their folded names, and its problems so far."""

    def __init__(self, source: Source, outline: Outline) -> None:
        self.source = source
        self.outline = outline
        self.rules: dict[str, _Definition] = {}
        self.problems: list[Problem] = []

    def read(self, chunk: Chunk) -> None:
        """Read one rule, whole or in alternatives added to it."""
        tokens, problems = scanned(self.source, chunk)
        self.problems.extend(problems)
        if not tokens:  # it is defined, so that it is reported once and not as undefined
            if broken := _HEAD.match(chunk.text):
                self.begun(broken[1], chunk.offset, stand_in(broken[1]), chunk.text)
            return
        head = next(place for place, token in enumerate(tokens) if token.kind == "define")
        name, operator = tokens[0], tokens[head].text
        kept = len(self.outline.choices), len(self.outline.repeats)
        rest = [token for token in tokens[head + 1 :] if token.kind != "space"]
        parts = Elements(name.text.casefold(), rest, self, chunk.offset).alternatives()
        rule = self.define(chunk, name.text, operator, ir.alt([part.node for part in parts]))
        if rule is None:
            del self.outline.choices[kept[0] :], self.outline.repeats[kept[1] :]
            return
        if len(rule.choice.parts) <= 1 < len(rule.choice.parts) + len(parts):
            self.outline.choices.append(rule.choice)
        rule.choice.parts.extend(parts)

    def define(self, chunk: Chunk, name: str, operator: str, body: ir.Node) -> _Definition | None:
        """Add a rule, or alternatives to one; return it, if its text counts."""
        here = self.source.position(chunk.offset)
        written = self.source.text[chunk.offset : chunk.offset + len(chunk.text)]
        known = self.rules.get(name.casefold())
        if known is not None and operator == "=/":
            known.bodies.append(body)
            known.sources.append(written)
            return known
        if known is not None:
            self.defined_again(here, name, known, same=known.is_alike(body))
            return None
        if operator == "=/":
            text = f'"{name}" has no definition that "=/" could add to; write "="'
            self.report(here, "no-base", text)
        return self.begun(name, chunk.offset, body, written)

    def begun(self, name: str, offset: int, body: ir.Node, written: str) -> _Definition:
        """Begin the definition of a rule."""
        here = self.source.position(offset)
        made = _Definition(name, here, self.source.named(here), [body], [written])
        return self.rules.setdefault(name.casefold(), made)

    def defined_again(
        self, here: ir.Position, name: str, known: _Definition, *, same: bool
    ) -> None:
        """Report a second definition of a rule."""
        file, line = self.source.place(known.position.line)
        is_here = file == self.source.place(here.line)[0]
        place = f"line {line}" if is_here else f"{file}, line {line}"
        if same:
            text = f'"{name}" is defined alike in {place}; one of the two can go'
            self.report(here, "repeated-rule", text)
        else:
            text = f'"{name}" is defined already in {place}; write "=/" to add alternatives'
            self.report(here, "duplicate", text)

    def report(self, here: ir.Position, code: str, text: str) -> None:
        """Report something about a place."""
        severity: Literal["error", "warning"] = "warning" if code in WARNINGS else "error"
        self.problems.append(Problem(self.source, here, code, text, severity))
