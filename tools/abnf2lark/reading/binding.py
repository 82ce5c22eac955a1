"""Bind the references of a grammar: to its own rules, imported grammars and the core rules."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from abnf2lark.ir import EMPTY, Grammar, Node, Ref, Rule, reached, references, replaced, spelled
from abnf2lark.problems import InputError, Problem, Source, meant
from abnf2lark.reading.prose import Computing, NotASetError, computed
from abnf2lark.reading.reader import Outline, read_rules, stand_in

# Rules given beside a file, for names and for prose that it leaves open: ``NAME=elements``.


@dataclass(frozen=True, slots=True)
class Definitions:
    """Rules by their folded names, what each one represents, and where they are written."""

    source: Source
    rules: dict[str, Rule]
    keys: dict[str, str]  # a name or prose, as `key` gives it: the folded name of a rule
    problems: list[Problem]


def read_definitions(texts: Iterable[str], origin: str) -> Definitions:
    """Read definitions; raises :class:`InputError` for an invalid text."""
    keys: dict[str, str] = {}
    lines: list[str] = []
    for text in texts:
        left, equals, elements = text.partition("=")
        name = "-".join(re.findall("[A-Za-z0-9]+", left))
        if not (equals and elements.strip() and name[:1].isalpha()):
            raise InputError(f"--define {text}: write NAME=ELEMENTS, as in 'CTL=%x00-1F / %x7F'")
        keys[key(left)] = name.casefold()
        lines.append(f"{name} = {' '.join(elements.split())}\n")
    source = Source("--define", "".join(lines))
    rules, problems = read_rules(source, origin) if lines else ([], [])
    return Definitions(source, {rule.name.casefold(): rule for rule in rules}, keys, problems)


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
    imports: tuple[Grammar, ...] = (),
    take: Sequence[tuple[Grammar, str]] = (),
    outline: Outline | None = None,
    *,
    defines: Sequence[str] = (),
    lenient: bool = False,
    cited: Mapping[str, Grammar] = MappingProxyType({}),
) -> tuple[Grammar, list[Problem]]:
    """Read a grammar and bind its references.

    ``take`` names imported rules wanted in any case, each with the grammar that it is taken from.
    An ``outline`` is filled and bound likewise. ``defines`` give rules for names and prose that
    are no others, as ``NAME=elements``. With ``lenient`` dialects of ABNF are read as well.
    ``cited`` are grammars by what documents cite them as, for prose alone.
    """
    own, problems = read_rules(source, name, outline, lenient=lenient)
    given = read_definitions(defines, name)
    problems += given.problems
    known = {rule.name.casefold() for rule in own}
    added = [rule for folded, rule in given.rules.items() if folded not in known]
    binder = _Binder(source, [*own, *added], imports, take, problems)
    binder.defined = given.keys
    binder.cited = cited
    for rule in own:
        binder.bind(rule)
    binder.source = given.source
    for rule in added:
        binder.bind(rule)
    if outline is not None:
        binder.problems = []  # they have been found in the rules already
        outline.bind(binder.own, binder.rewrite)
    for grammar, wanted in take:
        binder.take(grammar, wanted)
    return Grammar(name, binder.rules, tuple(rule.name for rule in [*own, *added])), problems


class _Binder:
    def __init__(
        self,
        source: Source,
        own: list[Rule],
        imports: tuple[Grammar, ...],
        take: Iterable[tuple[Grammar, str]],
        problems: list[Problem],
    ) -> None:
        self.source = source
        self.imports = imports
        self.wanted = {wanted.casefold(): grammar for grammar, wanted in take}
        self.problems = problems
        self.own = {rule.name.casefold(): rule for rule in own}
        self.rules: dict[str, Rule] = {rule.name: rule for rule in own}
        self.names: dict[tuple[str, str], str] = {}  # (origin, name there) -> name here
        self.taken = set(self.own)
        self.hints = MAX_HINTS
        self.defined: dict[str, str] = {}  # prose -> the folded name of its rule
        self.cited: Mapping[str, Grammar] = {}
        self.notes: dict[str, str] = {}  # of the rule that is being bound: computed prose -> ABNF

    def bind(self, rule: Rule) -> None:
        """Replace the references of an own rule by bound ones."""
        self.notes = {}
        body = self.rewrite(rule.body, rule)
        notes = "".join(f"\n; {prose} is {abnf}" for prose, abnf in self.notes.items())
        self.rules[rule.name] = replace(rule, body=body, source=rule.source + notes)

    def rewrite(self, node: Node, rule: Rule) -> Node:
        return replaced(node, lambda ref: self.resolve(ref, rule))

    def resolve(self, ref: Ref, rule: Rule) -> Node:
        if ref.name.startswith("<"):
            return self.prose(ref, rule)
        own = self.own.get(ref.name.casefold())
        if own is not None:
            return Ref(own.name, ref.position)
        adopted = self.imported(ref.name)
        if adopted is not None:
            return Ref(adopted, ref.position)
        self.hints -= 1  # looking for what is meant takes long
        known = (rule.name for rule in self.own.values())
        hint = meant(ref.name, known) if self.hints >= 0 else ""
        return self.unbound(ref, "undefined", f'"{ref.name}" is not defined{hint}')

    def prose(self, ref: Ref, rule: Rule) -> Node:
        """Find the rule that prose represents."""
        given = self.defined.get(key(ref.name))
        if given is not None:
            return Ref(self.own[given].name, ref.position)
        shown = " ".join(ref.name.split())
        if (made := self.computed(ref, rule, shown)) is not None:
            return made
        found = _PROSE_NAME.match(ref.name)
        same = _SAME_NAME.match(ref.name) is not None and isinstance(rule.body, Ref)
        if found is None and not same:
            text = f"{shown} is prose; no rule can be read in it; say what it is with --define"
            return self.unbound(ref, "prose", text)
        name = found[1] if found is not None and not same else rule.name
        cited = _CITATION.search(ref.name)
        adopted = None
        if cited is not None:
            there = self.cited.get(citation(cited[0]))
            target = there.find(name) if there is not None else None
            adopted = self.imported(name)
            if adopted is None and there is not None and target is not None:
                adopted = self.adopt(there, target)
        own = self.own.get(name.casefold())
        if adopted is None and own is not None and not self.leads(own, rule):
            return Ref(own.name, ref.position)
        adopted = adopted or self.imported(name)
        if adopted is not None:
            return Ref(adopted, ref.position)
        if own is None or own is rule:
            text = f"{shown} names no rule known here; give its grammar with --import"
        else:
            text = (
                f"{shown} cannot be {own.name} of this file, which leads back to {rule.name}; "
                f"give its grammar with --import"
            )
        return self.unbound(ref, "prose", text)

    def computed(self, ref: Ref, rule: Rule, shown: str) -> Node | None:
        """Return the set of characters that prose describes; `None` where it describes none."""
        said = computed(ref.name)
        if said is None:
            return None
        try:
            found = Computing(self.body).of(said, (rule.name.casefold(),))
        except NotASetError as error:
            text = f"{shown} cannot be computed: {error}; say what it is with --define"
            return self.unbound(ref, "prose", text)
        node = found.node()
        self.notes[shown] = spelled(node)
        if ref.position is not None:
            text = f"{shown} is read as {self.notes[shown]}"
            self.problems.append(Problem(self.source, ref.position, "computed", text, "warning"))
        return self.rewrite(node, rule)

    def body(self, name: str) -> Node | None:
        """Return the expression of a rule: an own one's as written, an imported one's in full."""
        own = self.own.get(name.casefold())
        if own is not None:
            ref = own.body
            if not (isinstance(ref, Ref) and ref.name[0] == "<") or computed(ref.name) is not None:
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

    def imported(self, name: str) -> str | None:
        """Adopt a rule of the grammars that are imported; return its name here, if there is one."""
        wanted = self.wanted.get(name.casefold())
        for grammar in self.imports if wanted is None else (wanted, *self.imports):
            target = grammar.find(name)
            if target is not None:
                return self.adopt(grammar, target)
        return None

    def leads(self, source: Rule, goal: Rule) -> bool:
        """Return whether a rule of the file leads to another one, or is it."""

        def inside(name: str) -> Iterable[str]:
            body = self.own[name].body if name in self.own else EMPTY
            return (ref.name.casefold() for ref in references(body))

        return goal.name.casefold() in reached([source.name.casefold()], inside)

    def unbound(self, ref: Ref, code: str, text: str) -> Node:
        if ref.position is not None:
            self.problems.append(Problem(self.source, ref.position, code, text))
        return stand_in(ref.name)

    def take(self, grammar: Grammar, name: str) -> None:
        """Adopt an imported rule although nothing here refers to it."""
        target = grammar.find(name)
        if target is not None:
            self.adopt(grammar, target)

    def adopt(self, grammar: Grammar, target: Rule) -> str:
        """Add an imported rule and all that it leads to; return its name here."""
        adopted: dict[str, Rule] = {}
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
            inside = [grammar.rules[ref.name] for ref in references(rule.body)]
            pending.extend(reversed(inside))
        for name, rule in adopted.items():
            self.rules[name] = replace(rule, name=name, body=self.follow(grammar, rule.body))
        return self.names[target.origin, target.name]

    def follow(self, grammar: Grammar, node: Node) -> Node:
        """Spell the references of an adopted rule as here."""

        def bound(ref: Ref) -> Ref:
            target = grammar.rules[ref.name]
            return Ref(self.names[target.origin, target.name], ref.position)

        return replaced(node, bound)


def citation(text: str) -> str:
    """Return what a citation is known by.

    >>> citation("[RFC3986]"), citation("RFC 3986"), citation("[URI]")
    ('rfc3986', 'rfc3986', 'uri')
    """
    return re.sub(r"[\s-]+", "", text.strip("[] ")).casefold()


def citations(text: str) -> set[str]:
    """Return all that the prose-values of a grammar cite."""
    return {
        citation(cited[0])
        for prose in re.finditer("<[^<>]*>", text)
        for cited in _CITATION.finditer(prose[0])
    }


def _in_full(grammar: Grammar, rule: Rule, inside: tuple[str, ...]) -> Node:
    """Write the rules that a rule refers to into it, but for loops."""

    def bound(ref: Ref) -> Node:
        target = grammar.rules[ref.name]
        loops = ref.name in inside
        return stand_in(ref.name) if loops else _in_full(grammar, target, (*inside, ref.name))

    return replaced(rule.body, bound)
