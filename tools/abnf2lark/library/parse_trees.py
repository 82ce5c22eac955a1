"""Parse trees, explanations and parsers of texts by a rule."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from lark import Lark, ParseTree, Token, Tree
from lark.exceptions import UnexpectedInput

if TYPE_CHECKING:
    from abnf2lark.charts import Event, Expected, Reading
    from abnf2lark.lark_grammars.compiling import LarkGrammar


# Trees and parsers of a loaded grammar, and explanations of mismatches.

# Values as they come in: another type than was asked for is reported at once.

T = TypeVar("T")


def as_text(value: object, what: str) -> str:
    """Return a text; TypeError for anything else.

    >>> as_text(b"a", "text")
    Traceback (most recent call last):
    ...
    TypeError: text is a str, not bytes
    """
    if not isinstance(value, str):
        raise TypeError(f"{what} is a str, not {type(value).__name__}")
    return value


def as_several(values: Iterable[T], what: str, of: str) -> tuple[T, ...]:
    """Give several values; TypeError for one text, whose letters would be taken for them.

    >>> as_several("rfc3986", "imports", "grammars")
    Traceback (most recent call last):
    ...
    TypeError: imports is an iterable of grammars, such as a list, not str
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        told = f"{what} is an iterable of {of}, such as a list"
        raise TypeError(f"{told}, not {type(values).__name__}")
    return tuple(values)


# Why a text is none of a rule's: where it stops, and what could have followed, in ABNF words.

MAX_WORDS: Final = 12
"""Words of a message; who wants all of them reads `expected`."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a rule says to a text.

    Attributes:
        rule: the rule, as its grammar spells it.
        text: what was read.
        matches: whether the whole text is one of the rule's.
        offset: how many characters some text of the rule begins with; from 0.
        may_end: whether the characters before the offset are a text of the rule.
        expected: what could have followed them, by the rules that are begun there.

    """

    rule: str
    text: str
    matches: bool
    offset: int
    may_end: bool
    expected: tuple[Expected, ...]

    @property
    def line(self) -> int:
        """The line of the offset, from 1."""
        return self.text.count("\n", 0, self.offset) + 1

    @property
    def column(self) -> int:
        """The column of the offset in its line, from 1."""
        return self.offset - (self.text.rfind("\n", 0, self.offset) + 1) + 1

    @property
    def words(self) -> tuple[str, ...]:
        """What could have followed, each word once."""
        return tuple(dict.fromkeys(word for one in self.expected for word in one.words))

    def __str__(self) -> str:
        if self.matches:
            return f"{self.rule} matches"
        words = [*self.words]
        if len(words) > MAX_WORDS:
            words = [*words[: MAX_WORDS - 1], f"{len(words) - MAX_WORDS + 1} others"]
        if self.may_end:
            words.append("the end")
        *before, last = words or ["nothing"]
        wanted = f"{', '.join(before)} or {last}" if before else last
        inner = max(self.expected, key=lambda one: len(one.words)).rule if self.expected else ""
        inside = f" in {inner}" if inner not in ("", self.rule) and not self.may_end else ""
        place = f"offset {self.offset}"
        if "\n" in self.text:
            place += f", line {self.line}, column {self.column}"
        return f"no {self.rule}: expected {wanted}{inside} at {place}, found {self.found}"

    @property
    def found(self) -> str:
        """What is at the offset, for people: a character, or the end."""
        if self.offset == len(self.text):
            return "the end"
        char = self.text[self.offset]
        return f'"{char}"' if char.isprintable() and char != '"' else f"U+{ord(char):04X}"


class NoMatchError(ValueError):
    """A text is none of the rule's.

    Attributes:
        explanation: where it stops, and what could have followed.

    """

    def __init__(self, explanation: Explanation) -> None:
        super().__init__(str(explanation))
        self.explanation = explanation


def explanation(rule: str, text: str, reading: Reading) -> Explanation:
    """Put in words how far a rule goes with a text."""
    expected = () if reading.matches else reading.expected()
    return Explanation(rule, text, reading.matches, reading.offset, reading.may_end, expected)


# Trees of rules, as Lark's: every character is in them.


def grown(events: Iterable[Event], kept: Container[str]) -> Tree[Token]:
    """Make a tree of a derivation; rules that are not ``kept`` do not become nodes.

    Text that stands together in one node is one token, whose type is ``TEXT``.
    """
    from lark import Token, Tree  # noqa: PLC0415 - slow to load

    top: Tree[Token] | None = None
    above: list[Tree[Token]] = []
    for kind, value, offset in events:
        if kind == "text":
            children = above[-1].children
            last = children[-1] if children else None
            if isinstance(last, Token):
                start = last.start_pos or 0
                children[-1] = _token(Token, f"{last}{value}", start)
            else:
                children.append(_token(Token, value, offset))
        elif not above or value in kept:
            if kind == "leave":
                above.pop()
                continue
            node: Tree[Token] = Tree(value, [])
            if above:
                above[-1].children.append(node)
            top = top or node
            above.append(node)
    if top is None:
        raise AssertionError("the first event enters the rule itself")
    return top


def _token(make: type[Token], text: str, start: int) -> Token:
    return make("TEXT", text, start_pos=start, end_pos=start + len(text))


# Lark parsers whose errors speak of rules and ABNF words.


class UnexpectedTextError(NoMatchError, UnexpectedInput):
    """A text that a parser refuses; Lark's ``UnexpectedInput`` as well.

    Attributes:
        explanation: where it stops, and what could have followed.
        pos_in_stream: the offset, in characters from 0.
        line: of the offset, from 1.
        column: of the offset, from 1.

    """

    def __init__(self, explanation: Explanation) -> None:
        super().__init__(explanation)
        self.line = explanation.line
        self.column = explanation.column
        self.pos_in_stream = explanation.offset  # type: ignore[assignment]  # Lark has None alone


class Parser(Lark):
    """A ``lark.Lark`` that is made of a grammar; made by `Grammar.lark`.

    Attributes:
        grammar_text: Lark's grammar, which can be kept in a file.
        kind: ``"lalr"`` or ``"earley"``.
        reason: why it is Earley's; empty where it is LALR.

    """

    grammar_text: str
    kind: str
    reason: str
    _explain: Callable[[str], Explanation]

    def parse(  # type: ignore[override]  # Lark's is not typed on
        self,
        text: str,
        start: str | None = None,
        on_error: Callable[[UnexpectedInput], bool] | None = None,
    ) -> ParseTree:
        """Parse a text; :class:`UnexpectedTextError` says in ABNF words why it is refused."""
        as_text(text, "text")
        try:
            return super().parse(text, start, on_error)
        except UnexpectedInput:
            explanation = self._explain(text)
            if explanation.matches:  # the fault is the parser's, and Lark says where
                raise
        raise UnexpectedTextError(explanation)


def parser(made: LarkGrammar, explain: Callable[[str], Explanation]) -> Parser:
    """Load a Lark grammar that was made for one rule."""
    if made.parser == "lalr":
        found = Parser(made.text, parser="lalr", lexer="contextual", start=made.starts[0])
    else:
        found = Parser(made.text, parser="earley", start=made.starts[0])
    found.grammar_text = made.text
    found.kind = made.parser
    found.reason = made.reason
    found._explain = explain  # noqa: SLF001 - Lark's own arguments are all that it can be made with
    return found
