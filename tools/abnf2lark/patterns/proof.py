"""Proofs about emitted patterns: language, backtracking, longest match."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from re import _constants, _parser
from typing import TypeAlias, cast

from abnf2lark import ir
from abnf2lark.automata import END_OF_TEXT, Alphabet, Language, Nfa, TooLargeError, labels_to, spend
from abnf2lark.patterns.emit_pattern import Operation, inner, is_misexecuted
from abnf2lark.patterns.passes import NO_CHARS, deterministic, followed
from abnf2lark.reading.positions import Unfolding

# Prove that an emitted pattern has the language of its rule.
#
# The emitted *text* is parsed by Python's own parser of regular expressions and converted back to
# an expression, so the proof covers both passes and spelling. Other flavours only spell characters
# beyond ASCII differently. Possessive loops are accepted only where one character of lookahead
# decides them (see `deterministic`).


class ProofError(Exception):
    """An emitted form does not have the language that it should have."""


def read_back(text: str) -> tuple[ir.Node, list[ir.Rep]]:
    """Parse a pattern; return its expression and its possessive loops."""
    atomic: list[ir.Rep] = []
    return _sequence(_parsed(text), atomic), atomic


def _parsed(text: str) -> list[Operation]:
    if is_misexecuted(text):
        raise ProofError(f"some releases of Python execute {text} wrongly")
    return inner(_parser.parse(text))


def _sequence(operations: list[Operation], atomic: list[ir.Rep]) -> ir.Node:
    return ir.seq([_operation(op, argument, atomic) for op, argument in operations])


def _operation(op: object, argument: object, atomic: list[ir.Rep]) -> ir.Node:
    match str(op), argument:
        case "LITERAL", int(code):
            return ir.Chars(((code, code),))
        case "NOT_LITERAL", int(code):
            return ir.Chars(((code, code),)).others()
        case "IN", list(members):
            return _members(members)
        case "FAILURE", _:
            return NO_CHARS  # so Python spells "(?!)" from 3.14 on
        case "AT", place if place is _constants.AT_END_STRING:
            return _END
        case "ASSERT_NOT", _ if repr((op, argument)) == _NOTHING_MORE:
            return _END
        case "SUBPATTERN", (_, 0, 0, part):
            return _sequence(inner(part), atomic)
        case "BRANCH", (None, branches):
            ways = cast("Iterable[object]", branches)
            return ir.alt([_sequence(inner(branch), atomic) for branch in ways])
        case ("MAX_REPEAT" | "POSSESSIVE_REPEAT") as kind, (int(low), int(high), part):
            most = None if high is _constants.MAXREPEAT else high
            turn = inner(part)
            if kind == "POSSESSIVE_REPEAT" and [str(op) for op, _ in turn] == ["ATOMIC_GROUP"]:
                turn = inner(turn[0][1])  # a possessive loop is atomic anyway
            loop = ir.Rep(_sequence(turn, atomic), low, most)
            if kind == "POSSESSIVE_REPEAT":
                atomic.append(loop)
            return loop
        case kind, _:
            raise ProofError(f"{kind} is not expected in an emitted pattern")


_NOTHING_MORE = repr(_parser.parse(r"(?![\s\S])")[0])  # the end of a text, to any engine


def _members(members: list[Operation]) -> ir.Node:
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
    found = ir.Chars.of(spans)
    return found.others() if negated else found


def language_of(text: str, alphabet: Alphabet, follow: ir.Chars = NO_CHARS) -> Language:
    """Return the language that a pattern matches in full, its loops checked."""
    node, atomic = read_back(text)
    if atomic:
        _check_atomic(node, atomic, follow)
    nfa = Nfa()
    start = nfa.state()
    end = _add(nfa, node, start, alphabet)
    return nfa.language(start, {end}, alphabet.size)


def guard_language(text: str, alphabet: Alphabet) -> Language:
    """Return the continuations that satisfy an emitted lookahead."""
    size = alphabet.size
    if not text:
        return Language.everything(size)
    node, atomic, negative = ahead(text)
    _check_atomic(node, atomic, NO_CHARS)
    # The end of the text is one more symbol, of class `size`, after every text.
    nfa = Nfa()
    start, end = nfa.state(), nfa.state()
    nfa.jump(_add(nfa, node, start, alphabet), end)
    nfa.step(end, frozenset(range(size + 1)), end)
    marked = nfa.language(start, {end}, size + 1)
    edges = [{a: t for a, t in row.items() if a != size} for row in marked.edges]
    final = {state for state, row in enumerate(marked.edges) if row.get(size) in marked.final}
    found = Language(edges, final, size)
    return ~found if negative else found


def guard_expression(text: str) -> ir.Node:
    """Return the expression of an emitted lookahead, without the end of the text."""

    def without_end(node: ir.Node) -> ir.Node:
        return ir.EMPTY if node == _END else ir.changed(node, without_end)

    return without_end(ahead(text)[0]) if text else ir.EMPTY


def ahead(text: str) -> tuple[ir.Node, list[ir.Rep], bool]:
    """Parse a lookahead: its expression, its possessive loops, and whether it is negative."""
    operations = _parsed(text)
    negative = False
    if len(operations) == 1 and str(operations[0][0]) in ("ASSERT", "ASSERT_NOT"):
        negative = str(operations[0][0]) == "ASSERT_NOT"
        _direction, ahead = cast("tuple[int, object]", operations[0][1])
        operations = inner(ahead)
    atomic: list[ir.Rep] = []
    return _sequence(operations, atomic), atomic, negative


def _add(nfa: Nfa, node: ir.Node, start: int, alphabet: Alphabet) -> int:
    """Add a parsed expression; the grammar's alphabet must distinguish its sets."""
    try:
        return nfa.add(node, start, {}, alphabet)
    except ValueError as error:
        raise ProofError(f"an emitted set is not one of the grammar: {error}") from None


_END = ir.Chars(((END_OF_TEXT, END_OF_TEXT),))


def _check_atomic(node: ir.Node, atomic: list[ir.Rep], follow: ir.Chars) -> None:
    """Raise unless the next character decides every possessive loop."""
    wanted = set(map(id, atomic))

    def visit(node: ir.Node, follow: ir.Chars) -> None:
        if id(node) in wanted and not deterministic(node, follow):
            raise ProofError("a possessive loop could have to backtrack")
        for part, after in followed(node, follow):
            visit(part, after)

    visit(node, follow)


def prove(name: str, text: str, wanted: Language, alphabet: Alphabet) -> None:
    """Raise :class:`ProofError` with an example unless the pattern has the wanted language."""
    found = language_of(text, alphabet)
    for difference, verb in ((wanted - found, "rejects"), (found - wanted, "accepts")):
        example = difference.witness(alphabet)
        if example is not None:
            raise ProofError(f"the pattern for {name} {verb} {example!r}")


# How many paths through an expression a backtracking matcher may have to try.
#
# Its time is bounded by the number of paths that read the text so far: the degree of ambiguity
# (Weber and Seidl 1991). It is counted exactly, for all texts at once: the position automaton
# (Glushkov 1961) is made deterministic, with the number of paths to each position. If the numbers
# are bounded, time is linear. Possessive loops only save paths, and are ignored.

MAX_WAYS = 100  # at one character of any text
MAX_PLACES = 3_000  # of characters in the expression, counted repetitions written out
MAX_STEPS = 200_000  # between sets of places

Ways: TypeAlias = "tuple[tuple[int, int], ...]"  # positions, each with the number of paths to it


class NotLinearError(Exception):
    """An expression is not known to be linear; ``text``: after it there are too many paths."""

    def __init__(self, text: str) -> None:
        why = f"it backtracks without bound, as after {text!r}"
        super().__init__(why if text else "it is too large to find out how far it backtracks")
        self.text = text


def backtracking(node: ir.Node) -> NotLinearError | None:
    """Return why an expression is not known to be linear; ``None`` if its time is."""
    if deterministic(node, NO_CHARS):
        return None
    try:
        places = _Places(node)
    except (TooLargeError, RecursionError):
        return NotLinearError("")
    return places.explored()


@dataclass(slots=True)
class _Part:
    """A part of an expression: its first and last positions, and how often it is empty."""

    first: dict[int, int] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    empty: int = 0


class _Places:
    """The position automaton of an expression."""

    def __init__(self, node: ir.Node) -> None:
        self.alphabet = Alphabet([node])
        self.labels: list[frozenset[int]] = [frozenset()]  # place 0 is the beginning
        self.after: list[dict[int, int]] = [{}]
        whole = self.part(node)
        self.after[0] = whole.first

    def place(self, chars: ir.Chars) -> _Part:
        if len(self.labels) > MAX_PLACES:
            raise TooLargeError
        self.labels.append(self.alphabet.classes(chars))
        self.after.append({})
        number = len(self.labels) - 1
        return _Part({number: 1}, {number: 1}, 0)

    def part(self, node: ir.Node) -> _Part:
        match node:
            case ir.Chars():
                return self.place(node)
            case ir.Text(value):
                return self.sequence(self.place(ir.Chars.single(char)) for char in value)
            case ir.Seq(items):
                return self.sequence(map(self.part, items))
            case ir.Capture(_, item):
                return self.part(item)
            case ir.Alt(items):
                found = _Part()
                for part in map(self.part, items):
                    _more(found.first, part.first, 1)
                    _more(found.last, part.last, 1)
                    found.empty = min(found.empty + part.empty, MAX_WAYS + 1)
                return found
            case ir.Rep(item, low, None):
                *turns, last = [self.part(item) for _ in range(max(low, 1))]
                self.join(last, last)
                # After each end of a loop there may be an empty iteration.
                empty = last.empty + (low == 0 or last.empty > 0)
                ends = _more({}, last.last, 1 + last.empty)
                return self.sequence([*turns, _Part(last.first, ends, empty)])
            case ir.Rep(item, low, high):
                found = _Part(empty=1)
                for _ in range((high or 0) - low):
                    found = self.sequence([self.part(item), found])
                    found.empty += 1
                return self.sequence([*(self.part(item) for _ in range(low)), found])
            case _:
                raise TypeError(node)

    def sequence(self, parts: Iterable[_Part]) -> _Part:
        found = _Part(empty=1)
        for part in parts:
            self.join(found, part)
            first = _more({**found.first}, part.first, found.empty)
            last = _more({**part.last}, found.last, part.empty)
            found = _Part(first, last, min(found.empty * part.empty, MAX_WAYS + 1))
        return found

    def join(self, left: _Part, right: _Part) -> None:
        for place, ways in left.last.items():
            _more(self.after[place], right.first, ways)

    def explored(self) -> NotLinearError | None:
        """Walk all texts, those with the most paths first."""
        start: Ways = ((0, 1),)
        texts: dict[Ways, tuple[Ways, int] | None] = {start: None}
        pending: list[tuple[int, int, Ways]] = [(0, 0, start)]
        steps = spent = 0
        while pending:
            _, _, here = heapq.heappop(pending)
            moves: dict[int, dict[int, int]] = {}
            for place, ways in here:
                for target, times in self.after[place].items():
                    for label in self.labels[target]:
                        row = moves.setdefault(label, {})
                        row[target] = row.get(target, 0) + ways * times
                        steps += 1
            spend(steps - spent)
            spent = steps
            if steps > MAX_STEPS:
                return NotLinearError("")
            for label, row in moves.items():
                there = tuple(sorted(row.items()))
                if there in texts:
                    continue
                texts[there] = (here, label)
                total = sum(row.values())
                if total > MAX_WAYS:
                    labels = labels_to(there, texts)
                    return NotLinearError("".join(map(self.alphabet.sample, labels)))
                heapq.heappush(pending, (-total, len(texts), there))
        return None


def _more(found: dict[int, int], other: dict[int, int], times: int) -> dict[int, int]:
    """Add paths to positions, so many times; above the limit the number does not matter."""
    for place, ways in other.items() if times else ():
        found[place] = min(found.get(place, 0) + ways * times, MAX_WAYS + 1)
    return found


# Whether a backtracking matcher finds the longest match of an expression.
#
# It takes the first path that matches. That is found without backtracking by ordered threads, as in
# Pike's virtual machine: a thread that ends cuts off those after it. The match is the longest if no
# word ends only in threads that have been cut off.

MAX_STATES = 5_000

Places: TypeAlias = tuple[int, ...]


def takes_longest(node: ir.Node, words: Language, alphabet: Alphabet) -> bool:
    """Return whether the first match is the longest of ``words``, the node's language."""
    try:
        return _Ways(node, alphabet).longest(words)
    except TooLargeError:
        return False


class _Ways(Unfolding[None]):
    """The positions of an expression, with their successors in the order of the matcher."""

    def __init__(self, node: ir.Node, alphabet: Alphabet) -> None:
        super().__init__()
        self.alphabet = alphabet
        self.start = self.unfold(node, self.position([], None), None)  # place 0 is the end

    def position(self, ways: list[int], around: None, chars: ir.Chars | None = None) -> int:
        if len(self.following) > MAX_STATES:
            raise TooLargeError
        return super().position(ways, around, chars)

    def repeat(self, node: ir.Rep, after: int, around: None) -> int:
        if ir.is_nullable(node.item):  # matchers differ in what they do then
            raise TooLargeError
        return super().repeat(node, after, around)

    def places(self, starts: Iterable[int]) -> Places:
        """Follow the steps that read nothing, depth first."""
        found = self.closed(((place, None) for place in starts), lambda _, __: None)
        return tuple(place for place, _ in found)

    def longest(self, words: Language) -> bool:
        """Return whether each word ends in a thread that has not been cut off."""
        pending = [(self.places([self.start]), 0)]
        seen = set(pending)
        while pending:
            ways, state = pending.pop()
            spend(len(ways) + 1)
            if state in words.final and 0 not in ways:
                return False
            # What follows decides whether this match counts.
            cut = ways[: ways.index(0)] if 0 in ways else ways
            for kept in {ways, cut}:
                for label, target in words.edges[state].items():
                    # All but the end, which is in neither, read a set.
                    sets = ((one, self.characters[one] or NO_CHARS) for one in kept)
                    reading = [one for one, chars in sets if label in self.alphabet.classes(chars)]
                    after = [self.following[one][0] for one in reading]
                    there = (self.places(after), target)
                    if there not in seen:
                        seen.add(there)
                        if len(seen) > MAX_STATES:
                            raise TooLargeError
                        pending.append(there)
        return True
