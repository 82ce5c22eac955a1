"""Records of what rules derive: a frozen dataclass for each rule that is captured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields, make_dataclass
from keyword import iskeyword
from typing import TYPE_CHECKING, ClassVar, Final, Literal, NamedTuple, Never, Self, TypeAlias

from abnf2lark.charts import Event, LimitError
from abnf2lark.ir import Grammar, reachable
from abnf2lark.reading.large_parts import Times, occurrences

if TYPE_CHECKING:
    from lark import Token, Tree


MAX_TEXT: Final = 100_000_000
"""Characters of the texts of all records of a text: each holds its own, and they nest."""


@dataclass(frozen=True, eq=False, repr=False)
class Record:
    """What a rule derives; the fields of the classes made of it are the rules captured in it.

    Records may nest as deeply as texts do. They never change, so a copy is the record itself. They
    are not pickled, since their classes are made at run time: keep the text, and read it again.

    Attributes:
        text: the text itself, which `str` gives as well.
        rule: the rule, as its grammar spells it.

    """

    rule: ClassVar[str]
    text: str = field(kw_only=True, repr=False)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return "".join(_shown(self))

    def __eq__(self, other: object) -> bool:
        return _alike(self, other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.rule, self.text))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __reduce__(self) -> Never:
        name = type(self).__name__
        raise TypeError(f"{name} is not pickled: keep its text, and read it again")


Value: TypeAlias = Record | str


def _alike(left: object, right: object) -> bool:
    """Return whether two values are equal; without recursion, since records nest as texts do."""
    pending = [(left, right)]
    while pending:
        a, b = pending.pop()
        if a is b:
            continue
        if isinstance(a, Record) and isinstance(b, Record):
            if type(a) is not type(b) or a.text != b.text:
                return False
            pending.extend((getattr(a, one.name), getattr(b, one.name)) for one in fields(a))
        elif isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
            pending.extend(zip(a, b, strict=True))
        elif a != b:
            return False
    return True


class _Written(str):
    """A part of what is shown that stands as it is."""

    __slots__ = ()


def _shown(value: object) -> Iterator[str]:
    """Return the parts of what `repr` says, as dataclasses say it; without recursion."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, Record):
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
    """A field of a record.

    Attributes:
        name: the rule's, in small letters, with "_" for "-".
        rule: the rule.
        shape: one value, one or `None`, or a tuple of them.

    """

    name: str
    rule: str
    shape: Literal["one", "optional", "many"]


class Records:
    """The records of a rule, and of all that are captured in it; `Grammar.records` makes them.

    A rule in which none is captured has no class: its text is the value. A field is `None` for a
    rule that is absent, and a tuple for one that can come more than once.

    Attributes:
        rule: the rule whose texts are read.
        classes: by rule, the class of its records.
        slots: by rule, the fields of its records but for ``text``, in the rule's order.

    """

    def __init__(
        self,
        grammar: Grammar,
        rule: str,
        captured: AbstractSet[str],
        derive: Callable[[str, str], Iterator[Event]],
    ) -> None:
        self.rule = rule
        self._derive = derive
        inside = occurrences(grammar, {rule, *captured} & {*reachable(grammar, [rule])})
        self.slots: Mapping[str, tuple[Slot, ...]] = {
            name: tuple(_slots(times)) for name, times in inside.items()
        }
        self.classes: Mapping[str, type[Record]] = _Classes(self.slots, rule)

    def parse(self, text: str) -> Record:
        """Read a text; `NoMatchError` for one that is not the rule's.

        `LimitError` where records nest so deeply that their texts are longer than ``MAX_TEXT``
        characters.
        """
        return self._filled(self._derive(text, self.rule))

    def transform(self, tree: Tree[Token]) -> Record:
        """Make the records of a tree that `Grammar.tree` has made of the rule."""
        return self._filled(_events(tree))

    def _filled(self, events: Iterator[Event]) -> Record:
        room = MAX_TEXT
        whole: list[str] = []
        length = 0
        top: list[tuple[str, Value]] = []
        above: list[tuple[str, int, int, list[tuple[str, Value]]]] = []
        for kind, value, _ in events:
            if kind == "text":
                whole.append(value)
                length += len(value)
            elif value not in self.slots:
                continue
            elif kind == "enter":
                above.append((value, len(whole), length, []))
            else:
                rule, first, begin, found = above.pop()
                room -= length - begin
                if room < 0:
                    raise LimitError(f"{rule} nests too deeply to keep the text of each record")
                text = "".join(whole[first:])
                whole[first:] = [text]
                made = self._record(rule, text, found)
                (above[-1][3] if above else top).append((rule, made))
        ((_, record),) = top
        if not isinstance(record, Record):
            raise TypeError("the rule itself is a record")
        return record

    def _record(self, rule: str, text: str, found: list[tuple[str, Value]]) -> Value:
        made = self.classes.get(rule)
        if made is None:
            return text
        values: dict[str, Value | tuple[Value, ...] | None] = {}
        for slot in self.slots[rule]:
            own = tuple(value for name, value in found if name == slot.rule)
            values[slot.name] = own if slot.shape == "many" else next(iter(own), None)
        return made(**values, text=text)


def _slots(times: Mapping[str, Times]) -> Iterator[Slot]:
    taken = {"text", "rule"}
    for rule, (low, high) in times.items():
        name = rule.lower().replace("-", "_").replace(".", "__")
        while name in taken or iskeyword(name):
            name += "_"
        taken.add(name)
        shape: Literal["one", "optional", "many"] = "one" if low else "optional"
        yield Slot(name, rule, shape if high == 1 else "many")


class _Classes(Mapping[str, type[Record]]):
    """A class for each rule that has fields, and for the one at the top; made when asked for."""

    def __init__(self, slots: Mapping[str, tuple[Slot, ...]], top: str) -> None:
        self._slots = slots
        self._names: dict[str, str] = {}
        self._made: dict[str, type[Record]] = {}
        taken: set[str] = set()
        for rule, own in slots.items():
            if own or rule == top:
                name = "".join(f"{word[:1].upper()}{word[1:]}" for word in _words(rule))
                while name in taken:
                    name += "_"
                taken.add(name)
                self._names[rule] = name

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __getitem__(self, rule: str) -> type[Record]:
        if rule not in self._made:
            # The names are letters, digits and "_" alone, by the syntax of ABNF; `make_dataclass`
            # refuses all that is not an identifier.
            name = self._names[rule]
            own = [(slot.name, _annotation(slot, self._names)) for slot in self._slots[rule]]
            self._made[rule] = make_dataclass(
                *(name, own),
                bases=(Record,),
                namespace={"rule": rule, "__module__": __name__},
                frozen=True,
                eq=False,
                repr=False,
            )
        return self._made[rule]


def _words(rule: str) -> list[str]:
    return rule.replace(".", "-").replace("_", "-").split("-")


def _annotation(slot: Slot, names: Mapping[str, str]) -> str:
    one = names.get(slot.rule, "str")
    return {"one": one, "optional": f"{one} | None", "many": f"tuple[{one}, ...]"}[slot.shape]


def _events(tree: Tree[Token]) -> Iterator[Event]:
    """Walk a tree as it was derived."""
    pending: list[tuple[Literal["enter", "leave", "text"], Tree[Token] | Token | str]] = []
    pending.append(("enter", tree))
    while pending:
        kind, node = pending.pop()
        if isinstance(node, str):
            yield Event("leave" if kind == "leave" else "text", str(node), 0)
            continue
        name = str(node.data)
        yield Event("enter", name, 0)
        pending.append(("leave", name))
        pending.extend(("enter", child) for child in reversed(node.children))
