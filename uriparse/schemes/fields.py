"""State each field of a record once: the rules that it is read from, and how it is written.

The body of a record class lists its fields by `url_field`. From that list come the slots of the
class, its `__match_args__`, and what both readers need: the one that takes the captures of an
expression, and the transformer that takes the nodes of a parse tree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias, TypedDict, TypeVar, Unpack, overload

from uriparse._scheme_facts import BY_RECORD
from uriparse.grammar.matchers import node_name
from uriparse.schemes.encoding import Encoded, _trusted_field

__all__ = ["url_field"]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Field:
    """A field as a record class states it; see `url_field`."""

    kinds: Mapping[str, type]
    characters: str
    reserved: str = ""
    shown: tuple[str, ...] | None = None
    first: bool = False
    derived: Callable[[Any], object] | None = None


class FieldOptions(TypedDict, total=False):
    """What a field may have beside its rules; see `url_field`."""

    characters: str
    reserved: str
    shown: tuple[str, ...] | None
    first: bool
    derived: Callable[[Any], object] | None


@overload
def url_field(*rules: str, **options: Unpack[FieldOptions]) -> Encoded: ...
@overload
def url_field(
    *rules: str, kind: type[_T] | Mapping[str, type[_T]], **options: Unpack[FieldOptions]
) -> _T: ...
def url_field(
    *rules: str, kind: type | Mapping[str, type] = Encoded, **options: Unpack[FieldOptions]
) -> object:
    """State a field of a record, in the body of its class.

    A subclass that states a field again changes how it is read and written, and keeps its slot.

    rules: the ABNF rules whose text is the field; none for a field that `complete` computes.
    kind: the class of the value; or one for each rule, in place of `rules`.
    options: `characters`, the rule whose characters are written raw in the field, by default the
        first of `rules`; `reserved`, characters of that rule which have a role in the field, and so
        become triplets where they are data; `shown`, the properties that stand for the field in
        `__match_args__`, None for itself; `first`, whether it comes before the fields of the base
        classes there; `derived`, a function of the record that computes the field each time it is
        asked for.
    """
    kinds = kind if isinstance(kind, Mapping) else dict.fromkeys(rules, kind)
    return Field(kinds, **{"characters": next(iter(kinds), ""), **options})  # type: ignore[arg-type]  # they fit


Found: TypeAlias = "dict[str, object]"
"""Fields by name."""


class Capture(NamedTuple):
    """The field that the text of a rule becomes, and the class of its value."""

    field: str
    kind: type[Encoded]

    def value(self, text: str, start: int | None) -> Encoded:
        """Return the value of the field; start: the offset of the text, None if it is empty."""
        return _trusted_field(self.kind, text, start)


Captures: TypeAlias = Mapping[str, Capture | None]
"""By the name of a rule's node: the field that its text becomes; None if it is not read."""


_SAID: Final[dict[str, tuple[str, bool]]] = {
    "no-object": ("is_retrievable", False),
    "anywhere": ("is_location_independent", True),
    "private": ("is_globally_accessible", False),
    "advisory": ("credentials_advisory", True),
    "needs-host": ("needs_host", True),
}
"""By a fact in the table of schemes: the attribute of the record class, and its value."""


class RecordClass(type):
    """The class of record classes: it makes slots and `__match_args__` of the fields stated."""

    FIELDS: Mapping[str, Field]
    """The fields by name, those of the base classes included."""
    CAPTURES: Captures
    SLOTS: dict[str, None]
    """All slots, those of the base classes included, without values."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], body: dict[str, object], **options: object
    ) -> RecordClass:
        """Make a class whose instances have the fields of its bases and those of its body."""
        own = {key: value for key, value in body.items() if isinstance(value, Field)}
        inherited: dict[str, Field] = {}
        for base in reversed(bases):  # as attributes are found: the leftmost base decides
            inherited |= getattr(base, "FIELDS", {})
        fields = {key: each for key, each in own.items() if each.first} | inherited | own
        slots = body.get("__slots__", ())
        assert isinstance(slots, tuple)  # noqa: S101 - as every record class writes them
        shown = (
            name
            for key, each in fields.items()
            for name in ((key,) if each.shown is None else each.shown)
        )
        # A value in the body would hide the slot of the same name, so the statements go out of it.
        rest = {key: value for key, value in body.items() if key not in own}
        derived = {key: property(each.derived) for key, each in own.items() if each.derived}
        kept = (key for key in own if key not in inherited and key not in derived)
        rest |= {"__slots__": (*slots, *kept), **derived}
        rest.setdefault("__match_args__", tuple(shown))
        row = BY_RECORD.get(f"{body.get('__module__')}.{name}")
        if row is not None:
            said = {name: value for fact, (name, value) in _SAID.items() if fact in row.facts}
            rest |= {"SCHEME": row.name, "OWN_SCHEME": row, **said}
        made = super().__new__(cls, name, bases, rest, **options)
        made.FIELDS = fields
        made.SLOTS = dict.fromkeys(_stated(made, "__slots__"))
        made.CAPTURES = {
            **dict.fromkeys(map(node_name, _stated(made, "UNREAD"))),
            **{name: Capture(name, Encoded) for name in map(node_name, _stated(made, "COMPLETED"))},
            **{
                node_name(rule): Capture(key, kind)
                for key, each in fields.items()
                for rule, kind in each.kinds.items()
            },
        }
        return made


def _stated(kind: type, name: str) -> list[str]:
    """Return what a class and its bases list under a name."""
    return [rule for base in kind.__mro__ for rule in vars(base).get(name, ())]
