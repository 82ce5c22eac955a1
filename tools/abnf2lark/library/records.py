"""Records of derivations: a frozen dataclass for each captured rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field, fields, make_dataclass
from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING, ClassVar, Final, Literal, NamedTuple, Self, TypeAlias, cast
from weakref import WeakValueDictionary

from abnf2lark import ir
from abnf2lark._native import kernel
from abnf2lark.ir import RuleSet, reachable
from abnf2lark.library.explanations import NoMatchError, as_text
from abnf2lark.library.printing import Printer
from abnf2lark.problems import InputError, meant
from abnf2lark.reading.large_parts import Times, lengths, occurrences

if TYPE_CHECKING:
    from lark import Token, Tree

    from abnf2lark.charts import Derivation


class _Immutable:
    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self


class Leaf(_Immutable, str):
    """The text of a rule without captured rules in it, and its place.

    It equals its text. Each rule has a class of its own, so that `match` distinguishes them.

    rule: the rule, as its grammar spells it.
    start: the offset at which it begins in the text that was read, in characters.
    """

    __slots__ = ("start",)
    rule: ClassVar[str]
    children: ClassVar[tuple[Node, ...]] = ()
    _classes: ClassVar[RecordClasses]
    start: int

    def __new__(cls, text: str, start: int = 0) -> Self:
        """Make a leaf of its text and its offset."""
        made = super().__new__(cls, text)
        made.start = start
        return made

    @property
    def text(self) -> str:
        """The text itself."""
        return str(self)

    @property
    def end(self) -> int:
        """The offset at which it ends."""
        return self.start + len(self)

    def __reduce__(self) -> tuple[Callable[..., Node], tuple[object, ...]]:
        return _leaf_again, (self._classes.key, self.rule, str(self), self.start)


@dataclass(frozen=True, eq=False, repr=False)
class Record(_Immutable):
    """The derivation of a rule; the fields of its subclasses are the rules captured in it.

    Records nest as deeply as texts do. They are immutable, so a copy is the record itself. They are
    equal if their rules, texts and children are, at any offset.

    rule: the rule, as its grammar spells it.
    children: what is captured in it, in the order of the text: records, and leaves. The fields
        have the same, by rule.
    source: the whole text that was read.
    start: the offset at which the record begins in it, in characters.
    end: the offset at which it ends.
    """

    rule: ClassVar[str]
    _classes: ClassVar[RecordClasses]
    children: tuple[Node, ...] = field(kw_only=True, repr=False)
    source: str = field(kw_only=True, repr=False)
    start: int = field(kw_only=True, repr=False)
    end: int = field(kw_only=True, repr=False)

    @property
    def text(self) -> str:
        """The record's own text, which `str` returns, too."""
        return self.source[self.start : self.end]

    @property
    def parts(self) -> tuple[Node | str, ...]:
        """The children and the texts between them: together they are the record's text."""
        found: list[Node | str] = []
        offset = self.start
        for child in self.children:
            if offset < child.start:
                found.append(self.source[offset : child.start])
            found.append(child)
            offset = child.end
        if offset < self.end:
            found.append(self.source[offset : self.end])
        return tuple(found)

    def walk(self) -> Iterator[Node]:
        """Yield the record and all nodes in it, in preorder."""
        pending: list[Node] = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return "".join(_shown(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record) or type(other) is not type(self):
            return NotImplemented
        return self is other or (self.text == other.text and _shape(self) == _shape(other))

    def __hash__(self) -> int:
        return hash((self.rule, self.text))

    def __reduce__(self) -> tuple[Callable[..., Node], tuple[object, ...]]:
        # Flat, since records nest as deeply as texts do, and pickle goes no deeper than Python.
        return _record_again, (self._classes.key, self.source, self.start, _shape(self))


Node: TypeAlias = Record | Leaf
Shape: TypeAlias = "list[tuple[str, int, int, int]]"
"""Of each node in preorder: its rule, where it begins and ends, and its number of children."""


def _shape(record: Record) -> Shape:
    """Return the nodes of a record, with offsets from its own beginning."""
    start, nodes = record.start, record.walk()
    return [(one.rule, one.start - start, one.end - start, len(one.children)) for one in nodes]


def _leaf_again(key: Key, rule: str, text: str, start: int) -> Node:
    made: Callable[..., Node] = _classes(key)[rule]
    return made(text, start)


def _record_again(key: Key, source: str, start: int, shape: Shape) -> Node:
    """Make a record of its pickled form."""
    known = _classes(key)
    made: list[Node] = []
    for rule, begin, end, inside in reversed(shape):
        children = [made.pop() for _ in range(inside)]
        made.append(known.node(rule, source, start + begin, start + end, children))
    (record,) = made
    return record


class _Written(str):
    """A literal part of a `repr`."""

    __slots__ = ()


def _shown(value: object) -> Iterator[str]:
    """Return the parts of a record's `repr`, without recursion."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, Record) and not part.children:
            yield f"{type(part).__qualname__}({part.text!r})"
        elif isinstance(part, Record):
            pending.append(_Written(")"))
            inside = [one.name for one in fields(part) if one.repr]
            for at, name in reversed(list(enumerate(inside))):
                pending += [getattr(part, name), _Written(f"{', ' if at else ''}{name}=")]
            yield f"{type(part).__qualname__}("
        elif isinstance(part, tuple):
            pending.append(_Written(",)" if len(part) == 1 else ")"))
            for at, one in reversed(list(enumerate(part))):
                pending += [one, _Written(", " if at else "")]
            yield "("
        else:
            yield part if isinstance(part, _Written) else repr(part)


class Slot(NamedTuple):
    """A field of a record: name, rule, and whether it is one value, optional, or a tuple."""

    name: str
    rule: str
    shape: Literal["one", "optional", "many"]


Key: TypeAlias = "tuple[str, tuple[tuple[str, tuple[Slot, ...]], ...]] | str"
"""The rule at the top and the fields of each, or the module that holds the classes."""

_KNOWN: WeakValueDictionary[Key, RecordClasses] = WeakValueDictionary()
"""One for each key, so that equal records of two parsers, or unpickled ones, share a class."""


def _classes(key: Key) -> RecordClasses:
    if isinstance(key, str):
        records: object = getattr(import_module(key), "RECORDS", None)
        if not isinstance(records, Records):
            raise TypeError(f"{key} has no RECORDS, as modules have that emit_types writes")
        return records.classes
    found = _KNOWN.get(key)
    if found is None:
        found = _KNOWN[key] = RecordClasses(key[0], dict(key[1]), key)
    return found


_Plan: TypeAlias = (
    "tuple[Callable[..., Node], dict[type[Node], tuple[str, bool]] | None, Mapping[str, object]]"
)
"""A class; by class of a child the field, and whether it holds several; and empty fields."""


class RecordClasses(Mapping[str, type[Node]]):
    """By rule, the class of its nodes: records if other rules are captured in it, else leaves.

    top: the rule whose texts are parsed; its nodes are always records.
    slots: by rule, the fields of its records.
    key: identifies the classes, for pickle.
    """

    def __init__(
        self,
        top: str,
        slots: Mapping[str, tuple[Slot, ...]],
        key: Key,
        given: Mapping[str, type[Node]] | None = None,
    ) -> None:
        self.top = top
        self.slots = slots
        self.key = key
        self.names = dict(_class_names(slots))
        self._made: dict[str, type[Node]] = {}
        self._plans: dict[str, _Plan] = {}
        # Classes of others' modules may have constructors of their own.
        self._make: Callable[[Callable[..., Node], dict[str, object]], Node]
        self._make = kernel.made if kernel and not given else lambda made, own: made(**own)
        for rule, made in (given or {}).items():
            made._classes = self  # noqa: SLF001 - of the same module
            self._made[rule] = made

    def is_record(self, rule: str) -> bool:
        """Return whether nodes of a rule are records."""
        return rule == self.top or bool(self.slots[rule])

    def __len__(self) -> int:
        return len(self.slots)

    def __iter__(self) -> Iterator[str]:
        return iter(self.slots)

    def __getitem__(self, rule: str) -> type[Node]:
        if rule not in self._made:
            # The names are letters, digits and "_" alone, by the syntax of ABNF; `make_dataclass`
            # refuses all that is not an identifier.
            name = self.names[rule]
            inside: dict[str, object] = {"rule": rule, "_classes": self, "__module__": __name__}
            if self.is_record(rule):
                self._made[rule] = make_dataclass(
                    name,
                    [(slot.name, annotation(slot, self.names)) for slot in self.slots[rule]],
                    bases=(Record,),
                    namespace=inside,
                    frozen=True,
                    eq=False,
                    repr=False,
                )
            else:
                self._made[rule] = type(name, (Leaf,), {**inside, "__slots__": ()})
        return self._made[rule]

    def node(self, rule: str, source: str, start: int, end: int, children: list[Node]) -> Node:
        """Make a record or a leaf of its children."""
        plan = self._plans.get(rule)
        if plan is None:
            slots = self.slots[rule]
            where = {self[slot.rule]: (slot.name, slot.shape == "many") for slot in slots}
            empty = {name: () if several else None for name, several in where.values()}
            plan = self[rule], where if self.is_record(rule) else None, empty
            self._plans[rule] = plan
        made, fields, absent = plan
        if fields is None:
            return made(source[start:end], start)
        inside = tuple(children)
        values: dict[str, object] = {**absent, "source": source, "start": start, "end": end}
        values["children"] = inside
        found: dict[str, list[Node]] = {}
        for child in children:  # not by `grouped`: of each node of a text
            name, several = fields[type(child)]
            if not several:
                values[name] = child
            elif name in found:
                found[name].append(child)
            else:
                found[name] = [child]
        for name, many in found.items():
            values[name] = inside if len(many) == len(inside) else tuple(many)
        return self._make(made, values)


_TAKEN: Final = ("text", "rule", "children", "source", "start", "end", "parts", "walk")
"""Names of attributes of each record, which no field can have."""


def _slots(times: Mapping[str, Times]) -> Iterator[Slot]:
    taken = {*_TAKEN}
    for rule, (low, high) in times.items():
        name = _free(rule.lower().replace("-", "_").replace(".", "__"), taken)
        shape: Literal["one", "optional", "many"] = "one" if low else "optional"
        yield Slot(name, rule, shape if high == 1 else "many")


_NOT_FREE: Final = frozenset({"Leaf", "Record", "Node", "Visitor", "ClassVar"})
"""Names that modules of classes need, which no class can have."""


def _class_names(rules: Iterable[str]) -> Iterator[tuple[str, str]]:
    taken = {*_NOT_FREE}
    for rule in rules:
        words = rule.replace(".", "-").replace("_", "-").split("-")
        yield rule, _free("".join(f"{word[:1].upper()}{word[1:]}" for word in words), taken)


def _free(name: str, taken: set[str]) -> str:
    while name in taken or iskeyword(name):
        name += "_"
    taken.add(name)
    return name


def annotation(slot: Slot, names: Mapping[str, str]) -> str:
    """Return the type of a field, as Python writes it."""
    one = names[slot.rule]
    return {"one": one, "optional": f"{one} | None", "many": f"tuple[{one}, ...]"}[slot.shape]


class Records:
    """The records of a rule and of the rules captured in it; `Grammar.records` makes them.

    A field is `None` for a rule that is absent, and a tuple for one that can come more than once.

    Attributes:
        rule: the rule whose texts are read.
        classes: by rule, the class of its nodes.
        slots: by rule, the fields of its records, in the rule's order.

    """

    def __init__(
        self,
        grammar: RuleSet,
        rule: str,
        captured: AbstractSet[str],
        derive: Callable[[str, str, frozenset[str]], Derivation],
        classes: Mapping[str, type[Node]] | None = None,
        omitted: frozenset[str] = frozenset(),
    ) -> None:
        self.rule = rule
        self._derive = derive
        self._omitted = omitted
        bare = grammar
        if omitted:
            rules = grammar.rules.items()
            bodies = {name: ir.EMPTY if name in omitted else one.body for name, one in rules}
            bare = ir.with_bodies(grammar, bodies)
        inside = occurrences(bare, {rule, *captured - omitted} & {*reachable(bare, [rule])})
        slots = {name: tuple(_slots(times)) for name, times in inside.items()}
        if classes is None:
            self.classes = _classes((rule, tuple(slots.items())))
        else:
            module = next(iter(classes.values())).__module__
            self.classes = RecordClasses(rule, slots, module, classes)
        self.slots = self.classes.slots
        self._kept = omitted.union(slots)
        self._printer = Printer(grammar, frozenset(slots))

    def parse(self, text: str) -> Record:
        """Parse a text; `NoMatchError` if it does not match the rule."""
        return self._parsed(text, self.rule)

    def transform(self, tree: Tree[Token]) -> Record:
        """Make the records of a tree that `Grammar.tree` has made of the rule.

        ValueError for other trees: of another rule, without some of the text, or changed.
        """
        text, nodes = self._nodes(tree)
        with suppress(NoMatchError):  # some of the text may not be in the tree
            made = self.parse(text)
            if nodes == [[node.rule, node.start, node.end] for node in made.walk()]:
                return made
        raise ValueError(f"the tree is not one that Grammar.tree makes of {self.rule}: {text!r}")

    def _nodes(self, tree: Tree[Token]) -> tuple[str, list[list[str | int]]]:
        """Return the text of a tree, and what is captured in it: the rule, begin and end."""
        found: list[list[str | int]] = []
        texts: list[str] = []
        offset = 0
        pending: list[tuple[Tree[Token] | Token | int, bool]] = [(tree, True)]
        while pending:
            node, is_shown = pending.pop()
            if isinstance(node, int):  # a node ends
                found[node].append(offset)
            elif isinstance(node, str):
                texts.append(node)
                offset += len(node)
            else:
                rule = str(node.data)
                is_shown = is_shown and rule not in self._omitted
                if is_shown and rule in self.slots:
                    pending.append((len(found), True))
                    found.append([rule, offset])
                pending.extend((child, is_shown) for child in reversed(node.children))
        return "".join(texts), found

    def make(self, rule: str | None = None, /, **values: Value) -> Record:
        """Make a record from the values of its fields: of the shortest text with these values.

        Args:
            rule: which one; by default that whose texts are read.
            values: for each field a text or a node, several of them, or `None`; a field that is
                not named has what the shortest text has.

        `NoMatchError` for a value that is not of its rule; ValueError where no text of the rule
        has these values, or where it would be read as others.
        """
        name = self.rule if rule is None else rule
        if name not in self.slots:
            hint = meant(name, self.slots)
            raise InputError(f"{name} is not a rule of these records{hint}")
        own = self._own(name, values)
        slots = self.slots[name]
        wanted = {slot.rule: own[slot.name] for slot in slots if slot.name in own}
        text = self._printer.text(name, wanted)
        return self._checked(name, text, own)

    def replace(self, record: Record, /, **values: Value) -> Record:
        """Return a record with other values for some fields, and the rest of its text as it is.

        Where there are as many values as before, each takes the place of the old one; else the
        text is made anew, as `make` does. Raises what `make` raises.
        """
        if not isinstance(record, Record) or record.rule not in self.slots:
            raise TypeError(f"a record of {self.rule} is to be changed, not {record!r}")
        name, slots = record.rule, self.slots[record.rule]
        old = {slot.name: _texts(getattr(record, slot.name), slot.name) for slot in slots}
        new = {**old, **self._own(name, values)}
        if any(len(old[field]) != len(new[field]) for field in old):
            wanted = {slot.rule: new[slot.name] for slot in slots}
            return self._checked(name, self._printer.text(name, wanted), new)
        fresh = {slot.rule: iter(new[slot.name]) for slot in slots}
        parts = (
            next(fresh[part.rule]) if isinstance(part, Record | Leaf) else part
            for part in record.parts
        )
        return self._checked(name, "".join(map(str, parts)), new)

    def _own(self, rule: str, values: Mapping[str, Value]) -> dict[str, tuple[str, ...]]:
        """Return the texts of fields; `NoMatchError` if one does not match its rule."""
        slots = {slot.name: slot for slot in self.slots.get(rule, ())}
        found: dict[str, tuple[str, ...]] = {}
        for name, value in values.items():
            if name not in slots:
                raise TypeError(f"{rule} has no field {name}; it has {', '.join(slots) or 'none'}")
            found[name] = _texts(value, name)
            for text in found[name]:
                self._derive(text, slots[name].rule, frozenset())  # or NoMatchError
        return found

    def _checked(self, rule: str, text: str, wanted: Mapping[str, tuple[str, ...]]) -> Record:
        """Parse a text that was made from values; ValueError if it has others."""
        try:
            made = self._parsed(text, rule)
        except NoMatchError as error:
            raise ValueError(f"{rule} has no such text: {error}") from error
        for slot in self.slots[rule]:
            told = _texts(getattr(made, slot.name), slot.name)
            if slot.name in wanted and told != wanted[slot.name]:
                raise ValueError(
                    f"{rule} cannot have these values: its text would be {text!r}, where "
                    f"{slot.name} is read as {', '.join(map(repr, told)) or 'absent'}"
                )
        return made

    def _parsed(self, text: str, rule: str) -> Record:
        """Make the records of a text, innermost ones first."""
        derived = self._derive(text, rule, self._kept)
        names, numbers = derived.names, derived.nodes.tolist()
        made: list[Node] = []
        places: list[int] = []  # of those that are in no record yet: the next one in the text last
        node, omitted, place = self.classes.node, self._omitted, len(numbers) // 4
        rows = zip(*(numbers[at::-4] for at in (-4, -3, -2, -1)), strict=True)
        for number, start, end, after in rows:
            place -= 1
            children: list[Node] = []
            while places and places[-1] < after:
                places.pop()
                children.append(made.pop())
            if (name := names[number]) not in omitted:
                made.append(node(name, text, start, end, children))
                places.append(place)
        return cast("Record", made[0])


Value: TypeAlias = "str | Record | Iterable[str | Record] | None"


def _texts(value: Value, name: str) -> tuple[str, ...]:
    """Return the texts of a field: of one value, several or none."""
    if value is None or isinstance(value, str | Record):
        value = () if value is None else (value,)
    return tuple(
        one.text if isinstance(one, Record | Leaf) else as_text(one, name) for one in value
    )


def captured_rules(grammar: ir.RuleSet, nodes: AbstractSet[str]) -> frozenset[str]:
    """Return the rules that are nodes of trees, with operators and kinds, without punctuation.

    An operator is a choice of signs within a sequence; a kind is a rule of one character that
    stands beside such nodes at one place of the grammar; punctuation always has the same signs,
    except for blanks.
    """
    fixed = _fixed(grammar)
    punctuation = {name for name, text in fixed.items() if text and _are_signs(text)}
    found = frozenset(nodes - punctuation)
    return found | _operators(grammar) | _kinds(grammar, found).difference(fixed)


def _kinds(grammar: ir.RuleSet, nodes: frozenset[str]) -> set[str]:
    places = Counter(
        ref.name for rule in grammar.rules.values() for ref in ir.references(rule.body)
    )
    beside: set[str] = set()
    for name in nodes:
        inside = {*_once(grammar.rules[name].body)}
        beside |= set() if inside.isdisjoint(nodes) else inside - nodes
    alone = {name for name in beside if places[name] == 1 and name in grammar.own}
    known = lengths(grammar) if alone else {}
    return {name for name in alone if name in known and known[name][0] == 1}


def _once(node: ir.Node) -> Iterator[str]:
    """Yield the rules in sequences of an expression that are not repeated."""
    if not isinstance(node, ir.Rep) or node.high == 1:
        for part in ir.children(node):
            if isinstance(part, ir.Ref) and isinstance(node, ir.Seq):
                yield part.name
            yield from _once(part)


def _operators(grammar: ir.RuleSet) -> set[str]:
    parts = (part for rule in grammar.rules.values() for part in ir.walk(rule.body))
    items = (item for part in parts if isinstance(part, ir.Seq) for item in part.items)
    in_sequence = {item.name for item in items if isinstance(item, ir.Ref)}
    return {name for name in in_sequence if _is_one_of_signs(grammar.rules[name].body)}


def _is_one_of_signs(node: ir.Node) -> bool:
    ways = ir.children(node) if isinstance(node, ir.Alt) else (node,)
    sets = [one for one in ways if isinstance(one, ir.Chars)]
    spans = [span for one in sets for span in one.ranges]
    single = len(sets) == len(ways) and all(low == high for low, high in spans)
    return single and len(spans) > 1 and _are_signs(chr(low) for low, _ in spans)


def _are_signs(chars: Iterable[str]) -> bool:
    return all(char.isprintable() and not char.isalnum() for char in chars)


def _fixed(grammar: ir.RuleSet) -> dict[str, str]:
    """Return the rules with only one text, except for blanks, and this text."""
    blank = ir.blank_rules(grammar)
    found = dict.fromkeys(blank, "")
    grown = True
    while grown:
        grown = False
        for name, rule in grammar.rules.items():
            if name not in found and (text := _text(rule.body, found)) is not None:
                found[name] = text
                grown = True
    return found


def _text(node: ir.Node, known: dict[str, str]) -> str | None:
    match node:
        case ir.Chars(((low, high),)) if low == high:
            return chr(low).strip()
        case ir.Text(value):
            return value.strip()
        case ir.Ref(name):
            return known.get(name)
        case ir.Seq(items):
            parts = [_text(item, known) for item in items]
            return "".join(filter(None, parts)) if None not in parts else None
        case ir.Rep(item):
            return "" if _text(item, known) == "" else None
        case _:
            return None
