"""Prove that an emitted pattern has the language of its rule.

The emitted *text* is parsed by Python's own parser of regular expressions and read back as an
expression, so that the proof covers the passes and the spelling alike. Other flavours spell a
character beyond ASCII in another way, and are the same else. Loops that never give
back are accepted only where one character of lookahead decides them (see ``determinism``).
"""

from __future__ import annotations

import re
from re import _constants, _parser
from typing import TYPE_CHECKING, TypeAlias, cast

from abnf2lark.automata import END_OF_TEXT, Alphabet, Language, Nfa
from abnf2lark.patterns.determinism import NO_CHARS, before, deterministic, inside
from abnf2lark.reading.ir import (
    EMPTY,
    MAX_CODE_POINT,
    Alt,
    Chars,
    Node,
    Rep,
    Seq,
    alt,
    children,
    rebuild,
    seq,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

# What re._parser yields: (operator, argument) pairs, the argument's shape depending on both.
Operation: TypeAlias = tuple[object, object]


class ProofError(Exception):
    """An emitted form does not have the language that it should have."""


class _AtomicError(ProofError):
    pass


def in_python(text: str) -> str:
    r"""Spell the characters of a pattern of any flavour, its anchors left out, as Python does.

    >>> in_python(r"[\x{e9}-\u{10ffff}]\\x{2}")
    '[\\U000000e9-\\U0010ffff]\\\\x{2}'
    """
    return _ESCAPE.sub(lambda found: f"\\U{int(found[1], 16):08x}" if found[1] else found[0], text)


_ESCAPE = re.compile(r"\\(?:[xu]\{([0-9a-f]+)\}|.)", re.DOTALL)


def read_back(text: str) -> tuple[Node, list[Rep]]:
    """Parse a pattern; return its expression and the loops in it that never give back."""
    atomic: list[Rep] = []
    return _sequence(_inner(_parser.parse(text)), atomic), atomic


def _sequence(operations: list[Operation], atomic: list[Rep]) -> Node:
    return seq([_operation(op, argument, atomic) for op, argument in operations])


def _operation(op: object, argument: object, atomic: list[Rep]) -> Node:
    match str(op), argument:
        case "LITERAL", int(code):
            return Chars(((code, code),))
        case "NOT_LITERAL", int(code):
            return complement(Chars(((code, code),)))
        case "IN", list(members):
            return _members(members)
        case "FAILURE", _:
            return NO_CHARS  # so Python spells "(?!)" from 3.14 on
        case "AT", place if place is _constants.AT_END_STRING:
            return _END
        case "SUBPATTERN", (_, 0, 0, inner):
            return _sequence(_inner(inner), atomic)
        case "BRANCH", (None, branches):
            ways = cast("Iterable[object]", branches)
            return alt([_sequence(_inner(branch), atomic) for branch in ways])
        case ("MAX_REPEAT" | "POSSESSIVE_REPEAT") as kind, (int(low), int(high), inner):
            most = None if high is _constants.MAXREPEAT else high
            loop = Rep(_sequence(_inner(inner), atomic), low, most)
            if kind == "POSSESSIVE_REPEAT":
                atomic.append(loop)
            return loop
        case kind, _:
            raise ProofError(f"{kind} is not expected in an emitted pattern")


def _inner(operations: object) -> list[Operation]:
    """Return the operations of a part; ``re`` wraps them in a sequence of its own."""
    return list(cast("Iterable[Operation]", operations))


def _members(members: list[Operation]) -> Node:
    spans: list[tuple[int, int]] = []
    negated = False
    for op, value in members:
        match str(op), value:
            case "LITERAL", int(code):
                spans.append((code, code))
            case "RANGE", (int(low), int(high)):
                spans.append((low, high))
            case "NEGATE", _:
                negated = True
            case kind, _:
                raise ProofError(f"{kind} is not expected in a character class")
    found = Chars.of(spans)
    return complement(found) if negated else found


def complement(chars: Chars) -> Chars:
    """Return all other characters."""
    spans: list[tuple[int, int]] = []
    start = 0
    for low, high in chars.ranges:
        if low > start:
            spans.append((start, low - 1))
        start = high + 1
    if start <= MAX_CODE_POINT:
        spans.append((start, MAX_CODE_POINT))
    return Chars(tuple(spans))


def language_of(text: str, alphabet: Alphabet, follow: Chars = NO_CHARS) -> Language:
    """Return the language that a pattern matches in full, its loops checked."""
    node, atomic = read_back(text)
    if atomic:
        _check_atomic(node, atomic, follow)
    nfa = Nfa()
    start = nfa.state()
    end = _add(nfa, node, start, alphabet)
    return nfa.language(start, {end}, alphabet.size)


def guard_language(text: str, alphabet: Alphabet) -> Language:
    """Return the continuations that an emitted lookahead lets pass."""
    size = alphabet.size
    if not text:
        return Language.everything(size)
    node, atomic, negative = _ahead(text)
    _check_atomic(node, atomic, NO_CHARS)
    # The end of the text is one more symbol, of class `size`, behind every text.
    nfa = Nfa()
    start, end = nfa.state(), nfa.state()
    nfa.jump(_add(nfa, node, start, alphabet), end)
    nfa.step(end, frozenset(range(size + 1)), end)
    marked = nfa.language(start, {end}, size + 1)
    edges = [{a: t for a, t in row.items() if a != size} for row in marked.edges]
    final = {state for state, row in enumerate(marked.edges) if row.get(size) in marked.final}
    found = Language(edges, final, size)
    return ~found if negative else found


def guard_expression(text: str) -> Node:
    """Return what an emitted lookahead reads, the end of the text aside."""

    def without_end(node: Node) -> Node:
        parts = children(node)
        if node == _END:
            return EMPTY
        return rebuild(node, [without_end(part) for part in parts]) if parts else node

    return without_end(_ahead(text)[0]) if text else EMPTY


def _ahead(text: str) -> tuple[Node, list[Rep], bool]:
    """Read a lookahead back: what it reads, its possessive loops, and whether it forbids that."""
    operations = _inner(_parser.parse(text))
    negative = False
    if len(operations) == 1 and str(operations[0][0]) in ("ASSERT", "ASSERT_NOT"):
        negative = str(operations[0][0]) == "ASSERT_NOT"
        _direction, ahead = cast("tuple[int, object]", operations[0][1])
        operations = _inner(ahead)
    atomic: list[Rep] = []
    return _sequence(operations, atomic), atomic, negative


def _add(nfa: Nfa, node: Node, start: int, alphabet: Alphabet) -> int:
    """Add an expression that was read back; its sets must be ones that the grammar can tell."""
    try:
        return nfa.add(node, start, {}, alphabet)
    except ValueError as error:
        raise ProofError(f"an emitted set is not one of the grammar: {error}") from None


_END = Chars(((END_OF_TEXT, END_OF_TEXT),))


def _check_atomic(node: Node, atomic: list[Rep], follow: Chars) -> None:
    """Raise unless every loop that never gives back is decided by the next character."""
    wanted = set(map(id, atomic))

    def visit(node: Node, follow: Chars) -> None:
        match node:
            case Seq(items):
                for item in reversed(items):
                    visit(item, follow)
                    follow = before(item, follow)
            case Alt(items):
                for item in items:
                    visit(item, follow)
            case Rep(item):
                if id(node) in wanted and not deterministic(node, follow):
                    raise _AtomicError("a possessive loop could have to give back")
                visit(item, inside(node, follow))
            case _:
                pass

    visit(node, follow)


def prove(name: str, text: str, wanted: Language, alphabet: Alphabet) -> None:
    """Raise :class:`ProofError` with an example unless the pattern has the wanted language."""
    found = language_of(text, alphabet)
    for difference, verb in ((wanted - found, "rejects"), (found - wanted, "accepts")):
        example = difference.witness(alphabet)
        if example is not None:
            raise ProofError(f"the pattern for {name} {verb} {example!r}")
