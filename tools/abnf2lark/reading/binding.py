"""Bind the references of a grammar: to its own rules, imported grammars and the core rules."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from abnf2lark import ir
from abnf2lark.problems import InputError, Problem, Source, meant
from abnf2lark.reading.reader import Outline, read_rules, stand_in


def read_definitions(texts: Iterable[str]) -> tuple[Source, dict[str, str]]:
    """Return rules that are given beside a file, ``NAME=elements``, as the text of another.

    Also return for each name or prose, as `key` gives it, the folded name of its rule. Raises
    :class:`InputError` for an invalid text.
    """
    keys: dict[str, str] = {}
    lines: list[str] = []
    for text in texts:
        left, equals, elements = text.partition("=")
        name = "-".join(re.findall("[A-Za-z0-9]+", left))
        if not (equals and elements.strip() and name[:1].isalpha()):
            raise InputError(f"--define {text}: write NAME=ELEMENTS, as in 'CTL=%x00-1F / %x7F'")
        keys[key(left)] = name.casefold()
        lines.append(f"{name} = {' '.join(elements.split())}\n")
    return Source("--define", "".join(lines)), keys


def key(text: str) -> str:
    """Return what prose, or a name, is known by: one case, single spaces, no brackets."""
    return " ".join(text.strip("<> ").casefold().split())


# Bind the references of a grammar: to its own rules, to imported grammars, to the core rules.
#
# A rule taken from another grammar keeps the meaning that it has there: its own references follow
# it, and where its name is taken here it is spelled ``origin.name``. A name is looked for in the
# grammars in their order, but first in the one that it is to be taken from.
#
# A prose-value represents the rule that it begins with. If it speaks of another document, rules
# of other grammars come first, then those of the document that it names; and it is never a rule
# that leads back to the one that it is in. <defined in RFC 5234> represents the rule of the same
# name there. <any CHAR except CTL> is computed, and a comment of the rule says what it is.

# A prose-value that begins with a rule name: <pchar>, <host, see [RFC3986], Section 3.2.2>.
_PROSE_NAME = re.compile(
    r"<\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:[,;:(]|>|(?:see|as|from|in|defined|specified)\b)"
)
# A citation in it: see [RFC3986], defined in [URI], in RFC 3986.
_CITATION = re.compile(r"\[\s*[^\]\s][^\]]*\]|\b(?:RFC|STD)[\s-]*[0-9]+", re.IGNORECASE)
# It names no rule, and so is the rule of its own name there: <as defined in [ABNF]>.
_SAME_NAME = re.compile(
    r"<\s*(?:as\s+)?(?:see|from|in|defined|specified|imported)\b", re.IGNORECASE
)

MAX_HINTS = 30


def load(
    source: Source,
    name: str,
    imports: tuple[ir.RuleSet, ...] = (),
    take: Sequence[tuple[ir.RuleSet, str]] = (),
    outline: Outline | None = None,
    *,
    cited: Mapping[str, ir.RuleSet] = MappingProxyType({}),
) -> tuple[ir.RuleSet, list[Problem]]:
    """Read a grammar and bind its references.

    ``take`` names imported rules wanted in any case, each with the grammar that it is taken from.
    An ``outline`` is filled and bound likewise. ``cited`` are grammars by what documents cite them
    as, for prose alone.
    """
    own, problems = read_rules(source, name, outline)
    definitions, keys = read_definitions(source.defines)
    given, wrong = read_rules(definitions, name) if keys else ([], [])
    problems += wrong
    known = {rule.name.casefold() for rule in own}
    added = [rule for rule in given if rule.name.casefold() not in known]
    rules = {rule.name.casefold(): rule for rule in [*own, *added]}
    wanted = {name.casefold(): grammar for grammar, name in take}
    binder = _Binder(source, imports, problems, rules, wanted, keys, cited)
    for rule in own:
        binder.bind(rule)
    binder.source = definitions
    for rule in added:
        binder.bind(rule)
    if outline is not None:
        binder.problems = []  # they have been found in the rules already
        outline.bind(binder.own, binder.rewrite)
    for grammar, name_there in take:
        target = grammar.find(name_there)
        if target is not None:
            binder.adopt(grammar, target)
    return ir.RuleSet(name, binder.rules, tuple(rule.name for rule in [*own, *added])), problems


@dataclass
class _Binder:
    source: Source
    imports: tuple[ir.RuleSet, ...]
    problems: list[Problem]
    own: dict[str, ir.Rule]  # by their folded names
    wanted: dict[str, ir.RuleSet]  # the grammar that a folded name is to be taken from
    defined: dict[str, str]  # prose -> the folded name of its rule
    cited: Mapping[str, ir.RuleSet]
    names: dict[tuple[str, str], str] = field(default_factory=dict)  # (origin, name) -> name here
    notes: dict[str, str] = field(default_factory=dict)  # of a rule: computed prose -> ABNF

    def __post_init__(self) -> None:
        self.rules = {rule.name: rule for rule in self.own.values()}
        self.taken = set(self.own)
        self.hints = MAX_HINTS

    def bind(self, rule: ir.Rule) -> None:
        self.notes = {}
        body = self.rewrite(rule.body, rule)
        notes = "".join(f"\n; {prose} is {abnf}" for prose, abnf in self.notes.items())
        self.rules[rule.name] = replace(rule, body=body, source=rule.source + notes)

    def rewrite(self, node: ir.Node, rule: ir.Rule) -> ir.Node:
        return ir.replaced(node, lambda ref: self.resolve(ref, rule))

    def resolve(self, ref: ir.Ref, rule: ir.Rule) -> ir.Node:
        if ref.name.startswith("<"):
            return self.prose(ref, rule)
        own = self.own.get(ref.name.casefold())
        if own is not None:
            return ir.Ref(own.name, ref.position)
        adopted = self.imported(ref.name)
        if adopted is not None:
            return ir.Ref(adopted, ref.position)
        self.hints -= 1  # looking for what is meant takes long
        known = [*(rule.name for rule in self.own.values())]
        if len(ref.name) > len("CR"):  # one letter is near to CR, LF and SP
            known += [name for grammar in self.imports for name in grammar.own]
        hint = meant(ref.name, known) if self.hints >= 0 else ""
        return self.unbound(ref, "undefined", f'"{ref.name}" is not defined{hint}')

    def prose(self, ref: ir.Ref, rule: ir.Rule) -> ir.Node:
        given = self.defined.get(key(ref.name))
        if given is not None:
            return ir.Ref(self.own[given].name, ref.position)
        shown = " ".join(ref.name.split())
        if (made := self.computed(ref, rule, shown)) is not None:
            return made
        found = _PROSE_NAME.match(ref.name)
        same = _SAME_NAME.match(ref.name) is not None and isinstance(rule.body, ir.Ref)
        if found is None and not same:
            text = f"{shown} is prose; no rule can be read in it; say what it is with --define"
            return self.unbound(ref, "prose", text)
        name = found[1] if found is not None and not same else rule.name
        cited = _CITATION.search(ref.name)
        adopted = None
        if cited is not None:
            adopted = self.imported(name, self.cited.get(citation(cited[0])))
        own = self.own.get(name.casefold())
        if adopted is None and own is not None and not self.leads(own, rule):
            return ir.Ref(own.name, ref.position)
        adopted = adopted or self.imported(name)
        if adopted is not None:
            return ir.Ref(adopted, ref.position)
        if own is None or own is rule:
            text = f"{shown} names no rule known here; give its grammar with --import"
        else:
            text = (
                f"{shown} cannot be {own.name} of this file, which leads back to {rule.name}; "
                f"give its grammar with --import"
            )
        return self.unbound(ref, "prose", text)

    def computed(self, ref: ir.Ref, rule: ir.Rule, shown: str) -> ir.Node | None:
        """Return the set of characters that prose describes; `None` if it describes none."""
        said = computed(ref.name)
        if said is None:
            return None
        try:
            found = Computing(self.body).of(said, (rule.name.casefold(),))
        except NotASetError as error:
            text = f"{shown} cannot be computed: {error}; say what it is with --define"
            return self.unbound(ref, "prose", text)
        node = found.node()
        self.notes[shown] = ir.spelled(node)
        if ref.position is not None:
            text = f"{shown} is read as {self.notes[shown]}"
            self.problems.append(Problem(self.source, ref.position, "computed", text, "warning"))
        return self.rewrite(node, rule)

    def body(self, name: str) -> ir.Node | None:
        """Return the expression of a rule: an own one's as written, an imported one's in full."""
        own = self.own.get(name.casefold())
        if own is not None:
            ref = own.body
            if not isinstance(ref, ir.Ref) or ref.name[0] != "<" or computed(ref.name):
                return ref
            kept = len(self.problems)
            ref = self.prose(ref, own)
            del self.problems[kept:]  # they are reported where the rule itself is bound
            return ref
        if name in self.rules:
            return self.rules[name].body
        for grammar in self.imports:
            target = grammar.find(name)
            if target is not None:
                return _in_full(grammar, target, ())
        return None

    def imported(self, name: str, cited: ir.RuleSet | None = None) -> str | None:
        """Adopt a rule of the grammars that are imported; return its name here, if there is one."""
        known = (self.wanted.get(name.casefold()), *self.imports, cited)
        for grammar in known:
            if grammar is not None and (target := grammar.find(name)) is not None:
                return self.adopt(grammar, target)
        return None

    def leads(self, source: ir.Rule, goal: ir.Rule) -> bool:
        """Return whether a rule of the file leads to another one, or is it."""

        def inside(name: str) -> Iterable[str]:
            body = self.own[name].body if name in self.own else ir.EMPTY
            return (ref.name.casefold() for ref in ir.references(body))

        return goal.name.casefold() in ir.reached([source.name.casefold()], inside)

    def unbound(self, ref: ir.Ref, code: str, text: str) -> ir.Node:
        if ref.position is not None:
            self.problems.append(Problem(self.source, ref.position, code, text))
        return stand_in(ref.name)

    def adopt(self, grammar: ir.RuleSet, target: ir.Rule) -> str:
        """Add an imported rule and all that it leads to; return its name here."""
        adopted: dict[str, ir.Rule] = {}
        pending = [target]
        while pending:
            rule = pending.pop()
            key = (rule.origin, rule.name)
            if key in self.names:
                continue
            name = rule.name
            if name.casefold() in self.taken:
                name = f"{rule.origin}.{rule.name}"
            self.taken.add(name.casefold())
            self.names[key] = name
            adopted[name] = rule
            inside = [grammar.rules[ref.name] for ref in ir.references(rule.body)]
            pending.extend(reversed(inside))

        def spelled(ref: ir.Ref) -> ir.Ref:
            there = grammar.rules[ref.name]
            return ir.Ref(self.names[there.origin, there.name], ref.position)

        for name, rule in adopted.items():
            self.rules[name] = replace(rule, name=name, body=ir.replaced(rule.body, spelled))
        return self.names[target.origin, target.name]


def citation(text: str) -> str:
    """Return what a citation is known by."""
    return re.sub(r"[\s-]+", "", text.strip("[] ")).casefold()


def citations(text: str) -> set[str]:
    """Return all that the prose-values of a grammar cite."""
    return {
        citation(cited[0])
        for prose in re.finditer("<[^<>]*>", text)
        for cited in _CITATION.finditer(prose[0])
    }


def _in_full(grammar: ir.RuleSet, rule: ir.Rule, inside: tuple[str, ...]) -> ir.Node:
    """Replace the references of a rule by bodies, except where they form a loop."""

    def bound(ref: ir.Ref) -> ir.Node:
        target = grammar.rules[ref.name]
        loops = ref.name in inside
        return stand_in(ref.name) if loops else _in_full(grammar, target, (*inside, ref.name))

    return ir.replaced(rule.body, bound)


@dataclass(frozen=True, slots=True)
class Computed:
    """What prose describes: a rule, without some characters, and with others; names or texts."""

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
    """Take prose apart that excludes some characters of a set."""
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
    """Return the items of a list with marks or words between them; `None` if it is not one."""
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


class NotASetError(Exception):
    """What is named is not a set of characters; the message names it."""


Find = Callable[[str], ir.Node | None]
"""Returns the expression of a rule by its name in any letter case; with references to bind."""


@dataclass(frozen=True, slots=True)
class Value:
    """Characters, and longer texts that a set may hold beside them (LWS in RFC 2616's TEXT)."""

    chars: ir.Chars
    rest: tuple[ir.Node, ...] = ()

    def node(self) -> ir.Node:
        """Return the value as one expression."""
        return ir.alt([*([self.chars] if self.chars.ranges else []), *self.rest])


class Computing:
    """Computes sets of characters by the rules that ``find`` finds."""

    def __init__(self, find: Find) -> None:
        self.find = find

    def of(self, prose: Computed, inside: tuple[str, ...] = ()) -> Value:
        """Return the set that prose describes; raises :class:`NotASetError`."""
        base = self.item(prose.base, inside)
        without = [self.item(name, inside) for name in prose.less]
        for value, name in zip(without, prose.less, strict=True):
            if value.rest:
                raise NotASetError(f"{name} is not a set of characters")
        less = ir.Chars.of(_ranges(without))
        more = [self.item(name, inside) for name in prose.more]
        for node in base.rest:  # whose texts must not hold the excluded characters
            if any(chars.common(less).ranges for chars in self.characters(node, frozenset())):
                raise NotASetError(f"{prose.base} holds texts with what is excluded")
        kept = ir.Chars.of([*base.chars.common(less.others()).ranges, *_ranges(more)])
        return Value(kept, (*base.rest, *(node for one in more for node in one.rest)))

    def item(self, name: str, inside: tuple[str, ...]) -> Value:
        """Return the value of a name, which may be a plural, or of a character."""
        if name[0] == '"' and len(name) == len('"x"'):
            return Value(
                ir.Chars.of([(ord(c), ord(c)) for c in {name[1].lower(), name[1].upper()}])
            )
        if name[0] == "%":
            base = {"x": 16, "d": 10, "b": 2}[name[1].lower()]
            ends = [int(part, base) for part in name[2:].split("-")]
            return Value(ir.Chars(((ends[0], ends[-1]),)))
        for spelling in (name, name.removesuffix("s")):
            if (node := self.find(spelling)) is not None:
                if spelling.casefold() in inside:
                    raise NotASetError(f"{spelling} leads back to itself")
                value = self.value(node, (*inside, spelling.casefold()))
                whole = value.rest and not value.chars.ranges
                return Value(value.chars, (ir.Ref(spelling),)) if whole else value
        raise NotASetError(f"{name} is not a rule or one character")

    def value(self, node: ir.Node, inside: tuple[str, ...]) -> Value:
        """Return the characters that an expression matches, and what else it matches."""
        if isinstance(node, ir.Chars):
            return Value(node)
        if isinstance(node, ir.Ref):
            prose = computed(node.name) if node.name.startswith("<") else None
            return self.of(prose, inside) if prose else self.item(node.name.strip("<> "), inside)
        if not isinstance(node, ir.Alt):
            return Value(ir.Chars(()), (node,))
        values = [self.value(part, inside) for part in node.items]
        return Value(ir.Chars.of(_ranges(values)), tuple(one for v in values for one in v.rest))

    def characters(self, node: ir.Node, seen: frozenset[str]) -> list[ir.Chars]:
        """Return all characters of the texts that an expression matches."""
        found = [ir.Chars(ranges) for ranges in ir.char_sets([node])]
        for ref in ir.references(node):
            key = ref.name.casefold()
            body = None if key in seen else self.find(ref.name)
            if body is not None:
                found += self.characters(body, seen | {key})
        return found


def _ranges(values: list[Value]) -> list[tuple[int, int]]:
    return [pair for value in values for pair in value.chars.ranges]
