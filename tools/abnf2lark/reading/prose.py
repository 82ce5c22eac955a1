"""Prose-values that say how a set of characters is computed: <any CHAR except CTL>."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from abnf2lark.ir import Alt, Chars, Node, Ref, alt, char_sets, references

# From prose to what it names. Whatever it holds that is not understood makes it no set at all.


@dataclass(frozen=True, slots=True)
class Computed:
    """A rule, without some characters, and with others; names, or texts in quotes."""

    base: str
    less: tuple[str, ...]
    more: tuple[str, ...]


_WORD = re.compile(
    r"""(?P<item>"[^"]+"|%[xdbXDB][0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)?|[A-Za-z][A-Za-z0-9-]*)
    | (?P<mark>[,/|&]) | \([^()]*\) | [ ]+""",
    re.VERBOSE,
)
_LESS = re.compile(
    r"(?i)\b(?:except(?: for|ing)?|excluding|other than|but not|not including|without)\b"
)
_MORE = re.compile(r"(?i)[, ]+(?:but |and |& )*including\b")
_JOINING = frozenset({"and", "or"})


def computed(prose: str) -> Computed | None:
    """Take prose apart that excludes some characters of a set.

    >>> computed('<any CHAR except CTLs or ")">')
    Computed(base='CHAR', less=('CTLs', '")"'), more=())
    >>> computed("<any octet of the data except the last>") is None
    True
    """
    text = " ".join(prose.strip("<> ").split())
    first, *rest = _LESS.split(text)
    if len(rest) != 1:
        return None
    less, *more = _MORE.split(rest[0])
    lists = [_items(part) for part in (less, *more)]
    named = _items(re.sub("(?i)^(?:any|an|a|all|one) ", "", first))
    if named is None or len(named) != 1 or len(lists) > 2 or not all(lists):
        return None
    return Computed(named[0], *(tuple(one or ()) for one in [*lists, ()][:2]))


def _items(text: str) -> list[str] | None:
    """Return the items of a list with marks or words between them; `None` where it is none."""
    found: list[str] = []
    joined, place = True, 0
    while place < len(text):
        word = _WORD.match(text, place)
        if word is None:
            return None
        place = word.end()
        item = word["item"]
        if word["mark"] or (item and item.casefold() in _JOINING):
            joined = True
        elif item:
            if not joined:
                return None
            found.append(item)
            joined = False
    return found


# Compute: the characters of the rules that are named, less those of others.


class NotASetError(Exception):
    """What is named is not a set of characters; the message names it."""


Find = Callable[[str], Node | None]
"""Returns the expression of a rule by its name in any letter case; with references to bind."""


@dataclass(frozen=True, slots=True)
class Value:
    """Characters, and longer texts that a set may hold beside them (LWS in RFC 2616's TEXT)."""

    chars: Chars
    rest: tuple[Node, ...] = ()

    def node(self) -> Node:
        """Return the value as one expression."""
        return alt([*([self.chars] if self.chars.ranges else []), *self.rest])


class Computing:
    """Computes sets of characters by the rules that ``find`` finds."""

    def __init__(self, find: Find) -> None:
        self.find = find

    def of(self, prose: Computed, inside: tuple[str, ...] = ()) -> Value:
        """Return the set that prose describes; raises :class:`NotASetError`."""
        base = self.item(prose.base, inside)
        less = self.union([self.item(name, inside) for name in prose.less], prose.less)
        more = [self.item(name, inside) for name in prose.more]
        for node in base.rest:  # none of these texts may be one of the excluded characters
            if any(_without(chars, less) != chars for chars in self.characters(node, frozenset())):
                raise NotASetError(f"{prose.base} holds texts with what is excluded")
        kept = Chars.of([*_without(base.chars, less).ranges, *_ranges(more)])
        return Value(kept, (*base.rest, *(node for one in more for node in one.rest)))

    def item(self, name: str, inside: tuple[str, ...]) -> Value:
        """Return the value of a name, which may be a plural, or of a character."""
        if name[0] == '"' and len(name) == len('"x"'):
            return Value(Chars.of([(ord(c), ord(c)) for c in {name[1].lower(), name[1].upper()}]))
        if name[0] == "%":
            base = {"x": 16, "d": 10, "b": 2}[name[1].lower()]
            ends = [int(part, base) for part in name[2:].split("-")]
            return Value(Chars(((ends[0], ends[-1]),)))
        for spelled in (name, name.removesuffix("s")):
            if (node := self.find(spelled)) is not None:
                if spelled.casefold() in inside:
                    raise NotASetError(f"{spelled} leads back to itself")
                value = self.value(node, (*inside, spelled.casefold()))
                whole = value.rest and not value.chars.ranges
                return Value(value.chars, (Ref(spelled),)) if whole else value
        raise NotASetError(f"{name} is not a rule or one character")

    def value(self, node: Node, inside: tuple[str, ...]) -> Value:
        """Return the characters that an expression matches, and what else it matches."""
        if isinstance(node, Chars):
            return Value(node)
        if isinstance(node, Ref):
            prose = computed(node.name) if node.name.startswith("<") else None
            return self.of(prose, inside) if prose else self.item(node.name.strip("<> "), inside)
        if not isinstance(node, Alt):
            return Value(Chars(()), (node,))
        values = [self.value(part, inside) for part in node.items]
        return Value(Chars.of(_ranges(values)), tuple(one for v in values for one in v.rest))

    def union(self, values: list[Value], names: tuple[str, ...]) -> Chars:
        """Return the characters of all values, none of which holds longer texts."""
        for value, name in zip(values, names, strict=True):
            if value.rest:
                raise NotASetError(f"{name} is not a set of characters")
        return Chars.of(_ranges(values))

    def characters(self, node: Node, seen: frozenset[str]) -> list[Chars]:
        """Return all characters of the texts that an expression matches."""
        found = [Chars(ranges) for ranges in char_sets([node])]
        for ref in references(node):
            key = ref.name.casefold()
            body = None if key in seen else self.find(ref.name)
            if body is not None:
                found += self.characters(body, seen | {key})
        return found


def _ranges(values: list[Value]) -> list[tuple[int, int]]:
    return [pair for value in values for pair in value.chars.ranges]


def _without(chars: Chars, less: Chars) -> Chars:
    """Return the characters of one set that another one lacks."""
    others = less.others()
    pairs = [
        (max(low, start), min(high, end))
        for low, high in chars.ranges
        for start, end in others.ranges
    ]
    return Chars(tuple((low, high) for low, high in pairs if low <= high))
