"""Write an expression as a regular expression, in the syntax of a given engine."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from abnf2lark.automata import END_OF_TEXT
from abnf2lark.ir import MAX_CODE_POINT, Alt, Capture, Chars, Node, Rep, Seq, Text, walk
from abnf2lark.patterns import passes
from abnf2lark.patterns.passes import NO_CHARS, deterministic, inside
from abnf2lark.patterns.releases import is_misexecuted
from abnf2lark.problems import InputError, meant

# How expressions are spelled in a regular expression engine, and what the engine can take.
#
# A flavour is data. Adding an engine means adding a :class:`Flavour`; nothing else in the
# compiler knows their names.


_END = ((END_OF_TEXT, END_OF_TEXT),)

_SPECIAL = frozenset(".^$*+?{}[]\\|()")
_SPECIAL_IN_CLASS = frozenset("^-]\\[")


def _python_code_point(code: int) -> str:
    return f"\\x{code:02x}" if code <= 0xFF else _of_fixed_length(code)


def _of_fixed_length(code: int) -> str:
    """Spell a character in so many digits that none which follows can be taken for one more."""
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _ecmascript_code_point(code: int) -> str:
    """Spell a character; an expression of ASCII alone needs no flag."""
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{{{code:x}}}"


def _portable_code_point(code: int) -> str:
    return _python_code_point(code) if code <= 0xFFFF else chr(code)


@dataclass(frozen=True, slots=True)
class Flavour:
    """A dialect of regular expressions, and what engines that speak it can do."""

    name: str
    engine: str  # as messages call it
    begin: str = r"\A"  # what matches where a text begins
    end: str = r"\z"  # and where it ends, not before a last line break
    code_point: Callable[[int], str] = "\\x{{{:x}}}".format  # of what needs escaping
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
            return self.code_point(code)
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
    code_point=_python_code_point,
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
# than these; the slash is so for the sake of literals.
ECMASCRIPT = Flavour(
    name="ecmascript",
    engine="ECMAScript",
    begin="^",
    end="$",
    code_point=_ecmascript_code_point,
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
    code_point=_portable_code_point,
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
# and after \x they take all digits.
POSTGRESQL = Flavour(
    name="postgresql",
    engine="PostgreSQL",
    end=r"\Z",
    code_point=_of_fixed_length,
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


# Write an expression as a regular expression of a flavour.


def pattern(node: Node, flavour: Flavour, follow: Chars = NO_CHARS) -> str:
    """Return the text of an expression that is followed by ``follow`` or the end."""
    return _Writer(flavour).write(node, follow)


def anchored(node: Node, flavour: Flavour) -> str:
    """Return the text of an expression that matches whole texts alone, however it is searched."""
    body = pattern(node, flavour)
    if isinstance(node, Alt):
        body = f"{flavour.group}{body})"
    prefix = "" if is_ascii(node) else flavour.beyond_ascii
    return f"{prefix}{flavour.begin}{body}{flavour.end}"


def is_ascii(node: Node) -> bool:
    """Return whether no word of an expression holds a character beyond ASCII."""
    return all(
        part.ranges[-1][1] <= _LAST_OF_ASCII
        if isinstance(part, Chars)
        else not isinstance(part, Text) or part.value.isascii()
        for part in walk(node)
    )


_LAST_OF_ASCII = 0x7F


class _Writer:
    def __init__(self, flavour: Flavour) -> None:
        self.flavour = flavour

    def write(self, node: Node, follow: Chars) -> str:
        match node:
            case Chars(ranges):
                return self.flavour.char_class(ranges)
            case Text(value):
                return "".join(self.flavour.literal(ord(char)) for char in value)
            case Seq():
                parts = passes.followed(node, follow)
                return "".join([self.item(part, after) for part, after in parts][::-1])
            case Alt(items):
                return "|".join(self.write(item, follow) for item in items)
            case Capture(rule, item):
                name = group_name(rule)
                opening = self.flavour.named_group
                body = self.write(item, follow)
                return f"{opening.format(name)}{body})" if opening else self.grouped(body, item)
            case Rep():
                return self.repetition(node, follow)
            case _:
                raise TypeError(node)

    def item(self, node: Node, follow: Chars) -> str:
        text = self.write(node, follow)
        return f"{self.flavour.group}{text})" if isinstance(node, Alt) else text

    def repetition(self, node: Rep, follow: Chars) -> str:
        text = self.write(node.item, inside(node, follow))
        body = self.grouped(text, node.item)
        quantifier = _QUANTIFIERS.get((node.low, node.high))
        if quantifier is None:
            high = "" if node.high is None else node.high
            exact = node.low == node.high
            quantifier = f"{{{node.low}}}" if exact else f"{{{node.low},{high}}}"
            if exact:
                return body + quantifier
        sure = self.flavour.possessive and deterministic(node, follow)
        loop = body + quantifier
        if not sure or (node.low, node.high) == (0, 1):
            return loop
        if isinstance(node.item, Chars):
            return f"{loop}+"
        ways = (f"{loop}+", f"(?>{text}){quantifier}+")  # the first is faster by up to a tenth
        return next(itertools.filterfalse(is_misexecuted, ways), loop)

    def grouped(self, text: str, node: Node) -> str:
        single = isinstance(node, Chars | Capture)
        return text if single else f"{self.flavour.group}{text})"


_QUANTIFIERS: dict[tuple[int, int | None], str] = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def group_name(rule: str) -> str:
    """Spell a rule name as a group name."""
    return rule.replace("-", "_").replace(".", "__")
