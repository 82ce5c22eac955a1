"""Write an expression as a regular expression, in the syntax of a given engine."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from re import _parser
from typing import TypeAlias, cast

from abnf2lark.automata import END_OF_TEXT
from abnf2lark.ir import MAX_CODE_POINT, Alt, Capture, Chars, Node, Rep, Seq, Text, char_sets
from abnf2lark.patterns import passes
from abnf2lark.patterns.passes import NO_CHARS, deterministic, inside
from abnf2lark.problems import InputError, meant

# How expressions are spelled in a regular expression engine, and what the engine can take.
#
# A flavour is data. Adding an engine means adding a :class:`Flavour`; nothing else in the
# compiler knows their names.


_END = ((END_OF_TEXT, END_OF_TEXT),)

_SPECIAL = frozenset(".^$*+?{}[]\\|()")
_SPECIAL_IN_CLASS = frozenset("^-]\\[")


@dataclass(frozen=True, slots=True)
class Flavour:
    """A dialect of regular expressions, and what engines that speak it can do."""

    name: str
    engine: str  # as messages call it
    begin: str = r"\A"  # what matches where a text begins
    end: str = r"\z"  # and where it ends, not before a last line break
    code_points: tuple[str, str, str] = ("\\x{{{:x}}}",) * 3  # escapes up to FF, to FFFF, beyond
    special: frozenset[str] = _SPECIAL  # ASCII characters escaped outside of classes
    special_in_class: frozenset[str] = _SPECIAL_IN_CLASS  # and inside
    names_excluded: bool = False  # in a class that reaches the last character
    possessive: bool = False
    named_group: str | None = None  # a format for the opening of a named group; None: no captures
    group: str = "(?:"  # the opening of a group that captures nothing
    beyond_ascii: str = ""  # what an expression begins with that holds more than ASCII
    takes_stack: bool = False  # for each turn of a loop, but where it never gives back
    highest_count: int | None = None  # of a repetition; None: as high as any
    multiplies_counts: bool = False  # whether that bounds the product of nested ones
    otherwise: str = ""  # another flavour, where this one takes stack

    def literal(self, code: int, *, in_class: bool = False) -> str:
        """Spell one character."""
        char = chr(code)
        if not 0x20 < code < 0x7F:
            return self.code_points[(code > 0xFF) + (code > 0xFFFF)].format(code)
        special = self.special_in_class if in_class else self.special
        return "\\" + char if char in special else char

    def char_class(self, ranges: tuple[tuple[int, int], ...], *, negated: bool = False) -> str:
        """Spell a set of characters, or all the others."""
        if ranges == _END:
            return self.end
        if self.names_excluded and ranges and ranges[-1][1] == MAX_CODE_POINT and not negated:
            # re takes 3 ms to compile a class of all planes, and matches it more slowly.
            excluded = Chars(ranges).others().ranges
            if excluded:
                return self.char_class(excluded, negated=True)
        if len(ranges) == 1 and ranges[0][0] == ranges[0][1] and not negated:
            return self.literal(ranges[0][0])
        parts: list[str] = ["^"] if negated else []
        for low, high in ranges:
            parts.append(self.literal(low, in_class=True))
            if high > low + 1:
                parts.append("-")
            if high > low:
                parts.append(self.literal(high, in_class=True))
        return "[" + "".join(parts) + "]"


PYTHON = Flavour(
    name="python",
    engine="Python's re",
    end=r"\Z",
    code_points=("\\x{:02x}", "\\u{:04x}", "\\U{:08x}"),
    special_in_class=_SPECIAL_IN_CLASS | set("&~|"),
    names_excluded=True,
    possessive=True,
    named_group="(?P<{}>",
)

# Its $ matches before a last line break in some of the programs that embed it.
RE2 = Flavour(name="re2", engine="RE2", highest_count=1000, multiplies_counts=True)

# Two of && -- ~~ in a class are operations on sets.
RUST = Flavour(name="rust", engine="Rust's regex", special_in_class=_SPECIAL_IN_CLASS | set("&~"))

# A loop over a group calls itself for each turn, unless it is possessive.
JAVA = Flavour(
    name="java",
    engine="java.util.regex",
    special_in_class=_SPECIAL_IN_CLASS | set("&"),
    possessive=True,
    takes_stack=True,
    otherwise="re2, which com.google.re2j reads in Java",
)

# With the flag v, more is special in classes than with u, which in turn takes no other escapes
# than these; the slash is so for the sake of literals. ASCII alone needs no flag.
ECMASCRIPT = Flavour(
    name="ecmascript",
    engine="ECMAScript",
    begin="^",
    end="$",
    code_points=("\\x{:02x}", "\\u{{{:x}}}", "\\u{{{:x}}}"),
    special=_SPECIAL | set("/"),
    special_in_class=_SPECIAL_IN_CLASS | set("$(){}/|"),
)

# What Python from 3.8 on and ECMAScript with the flag u read alike: characters beyond U+FFFF are
# themselves, since the two have no escape in common for them.
PORTABLE = Flavour(
    name="portable",
    engine="Python 3.8 and ECMAScript",
    begin="^",
    end=r"(?![\s\S])",
    code_points=("\\x{:02x}", "\\u{:04x}", "{:c}"),
    special_in_class=_SPECIAL_IN_CLASS | {"|"},
    names_excluded=True,
)

# Octets are taken for characters unless a flag says otherwise, or the expression itself. A loop
# over a group remembers each turn, up to a limit, unless it is possessive.
PCRE2 = Flavour(
    name="pcre2",
    engine="PCRE2",
    possessive=True,
    beyond_ascii="(*UTF)",
    takes_stack=True,
    highest_count=65_535,
    otherwise="re2",
)

# Advanced regular expressions, as of the operator ~. They know no possessive loops and no names,
# and after \x they take all digits: so none is written that has no fixed length.
POSTGRESQL = Flavour(
    name="postgresql",
    engine="PostgreSQL",
    end=r"\Z",
    code_points=("\\u{:04x}", "\\u{:04x}", "\\U{:08x}"),
    highest_count=255,
)

FLAVOURS = {
    flavour.name: flavour for flavour in (PYTHON, RE2, RUST, JAVA, ECMASCRIPT, PCRE2, POSTGRESQL)
}


def flavour_named(name: str, asked: str) -> Flavour:
    """Return a flavour; raises :class:`InputError`, which begins with ``asked``, if unknown."""
    found = FLAVOURS.get(name)
    if found is None:
        known, hint = ", ".join(FLAVOURS), meant(name, FLAVOURS)
        raise InputError(f"{asked} {name}: one of {known} is known{hint}")
    return found


def anchored(node: Node, flavour: Flavour) -> str:
    """Return the text of an expression that matches whole texts alone, however it is searched."""
    is_ascii = all(high <= _LAST_OF_ASCII for ranges in char_sets([node]) for _, high in ranges)
    prefix = "" if is_ascii else flavour.beyond_ascii
    return f"{prefix}{flavour.begin}{_grouped(node, pattern(node, flavour), flavour)}{flavour.end}"


_LAST_OF_ASCII = 0x7F


def pattern(node: Node, flavour: Flavour, follow: Chars = NO_CHARS) -> str:
    """Return the text of an expression that is followed by ``follow`` or the end."""
    match node:
        case Chars(ranges):
            return flavour.char_class(ranges)
        case Text(value):
            return "".join(flavour.literal(ord(char)) for char in value)
        case Seq():
            parts = passes.followed(node, follow)
            texts = [
                _grouped(part, pattern(part, flavour, after), flavour) for part, after in parts
            ]
            return "".join(texts[::-1])
        case Alt(items):
            return "|".join(pattern(item, flavour, follow) for item in items)
        case Capture(rule, item):
            body, opening = pattern(item, flavour, follow), flavour.named_group
            if opening:
                return f"{opening.format(group_name(rule))}{body})"
            return body if isinstance(item, Chars | Capture) else f"{flavour.group}{body})"
        case Rep():
            return _repetition(node, flavour, follow)
        case _:
            raise TypeError(node)


def _grouped(node: Node, text: str, flavour: Flavour) -> str:
    return f"{flavour.group}{text})" if isinstance(node, Alt) else text


def _repetition(node: Rep, flavour: Flavour, follow: Chars) -> str:
    text = pattern(node.item, flavour, inside(node, follow))
    body = text if isinstance(node.item, Chars | Capture) else f"{flavour.group}{text})"
    low, high = node.low, node.high
    if low == high:
        return f"{body}{{{low}}}"
    quantifier = _QUANTIFIERS.get((low, high), f"{{{low},{'' if high is None else high}}}")
    loop = body + quantifier
    sure = flavour.possessive and deterministic(node, follow)
    if not sure or (low, high) == (0, 1):
        return loop
    if isinstance(node.item, Chars):
        return f"{loop}+"
    ways = (f"{loop}+", f"(?>{text}){quantifier}+")  # the first is faster by up to a tenth
    return next(itertools.filterfalse(is_misexecuted, ways), loop)


_QUANTIFIERS: dict[tuple[int, int | None], str] = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def group_name(rule: str) -> str:
    """Spell a rule name as a group name."""
    return rule.replace("-", "_").replace(".", "__")


# Find expressions that some releases of Python's `re` execute wrongly.
#
# Up to 3.11.4 (CPython issue 106052), a possessive loop continues from the position that its last,
# failing iteration has left: `(?:ab?c)*+` matches "a". In all of 3.11, up to 3.12.7 and in 3.13.0
# (issue 101955), choices in such a loop may leave captures set.

# What re._parser yields: (operator, argument) pairs, the argument's shape depending on both.
Operation: TypeAlias = tuple[object, object]


def is_misexecuted(text: str) -> bool:
    """Return whether a supported release may execute a pattern of any flavour wrongly."""
    return _any(inner(_parser.parse(in_python(text))), _is_misexecuted)


def in_python(text: str) -> str:
    """Spell the characters of a pattern of any flavour, its anchors left out, as Python does."""
    return _ESCAPE.sub(lambda found: f"\\U{int(found[1], 16):08x}" if found[1] else found[0], text)


_ESCAPE = re.compile(r"\\(?:[xu]\{([0-9a-f]+)\}|.)", re.DOTALL)


def inner(operations: object) -> list[Operation]:
    """Return the operations of a part; ``re`` wraps them in a sequence of its own."""
    return list(cast("Iterable[Operation]", operations))


def _parts(argument: object) -> Iterator[list[Operation]]:
    if isinstance(argument, _parser.SubPattern):
        yield inner(argument)
    elif isinstance(argument, tuple | list):
        for part in argument:
            yield from _parts(part)


def _any(operations: list[Operation], wanted: Callable[[str, object], bool]) -> bool:
    """Return whether an operation, at any depth, is one that is wanted."""
    return any(
        wanted(str(op), argument) or any(_any(part, wanted) for part in _parts(argument))
        for op, argument in operations
    )


_CHARACTERS = {"LITERAL", "NOT_LITERAL", "IN", "ANY"}
_CHOICES = {"BRANCH", "MAX_REPEAT", "MIN_REPEAT", "ASSERT_NOT"}


def _is_misexecuted(kind: str, argument: object) -> bool:
    if kind != "POSSESSIVE_REPEAT":
        return False
    (turn,) = _parts(argument)
    if _is_character(turn):
        return False  # an operation of its own, which has always been right
    captures = _any(turn, lambda kind, part: kind == "SUBPATTERN" and _group(part) is not None)
    return not _fails_in_place(turn) or (captures and _any(turn, lambda kind, _: kind in _CHOICES))


def _is_character(turn: list[Operation]) -> bool:
    return len(turn) == 1 and str(turn[0][0]) in _CHARACTERS


def _group(argument: object) -> object:
    return cast("tuple[object, ...]", argument)[0]


def _fails_in_place(turn: list[Operation]) -> bool:
    """Return whether a failing iteration leaves the engine's position where it began.

    All operations except single characters set the position to where they begin, then move it. So
    such an operation may only fail first, and nothing may fail after it. An atomic group that fails
    moves it back.
    """
    at_start = may_fail = True
    for op, argument in turn:
        parts = list(_parts(argument))
        match str(op):
            case kind if kind in _CHARACTERS and may_fail:
                at_start = False
            case "POSSESSIVE_REPEAT" if _is_character(parts[0]):
                if _group(argument) and not (at_start and may_fail):
                    return False
                may_fail = False
            case "ATOMIC_GROUP" if at_start and may_fail:
                may_fail = False
            case "BRANCH" if len(turn) == 1:
                return all(map(_fails_in_place, parts))
            case "SUBPATTERN" if len(turn) == 1 and _group(argument) is None:
                return _fails_in_place(parts[0])
            case _:
                return False
    return True
