"""What a cache key is made by: named steps, which can be looked at one by one and changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from uriparse import excerpt
from uriparse.door import as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from uriparse.door import Text

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Step(Generic[_T]):
    """One step of a profile.

    Attributes:
        name: unique in its profile.
        says: what it does, in a few words.
        apply: takes the value of the step before it and gives the next.

    """

    name: str
    says: str
    apply: Callable[[_T], _T]


class Shown(NamedTuple):
    """A step, and the key as it would be if the profile ended there."""

    name: str
    says: str
    key: str

    def __repr__(self) -> str:
        """Show name and key, a password masked."""
        return f"<{type(self).__name__} {self.name}: {excerpt.masked(self.key)!r}>"


@dataclass(frozen=True, slots=True)
class Profile(Generic[_T]):
    """How a text becomes a cache key: read it, take the steps in order, write the result.

    Attributes:
        name: what messages call it.
        read: makes a value of the text; may raise URIError for a text that has no key.
        steps: in order.
        write: makes the key of the value.

    """

    name: str
    read: Callable[[str], _T]
    steps: tuple[Step[_T], ...]
    write: Callable[[_T], str]

    def __post_init__(self) -> None:
        """Refuse two steps of the same name."""
        names = [step.name for step in self.steps]
        if len(set(names)) != len(names):
            raise ValueError(f"profile {self.name!r} has two steps of the same name: {names}")

    def key(self, text: Text) -> str:
        """Give the key of a text. URIError if the profile has none for it."""
        value = self.read(as_text(text))
        for step in self.steps:
            value = step.apply(value)
        return self.write(value)

    def explain(self, text: Text) -> Iterator[Shown]:
        """Give the key after each step, and before the first as step "read"."""
        return self._explained(as_text(text))

    def _explained(self, text: str) -> Iterator[Shown]:
        value = self.read(text)
        yield Shown("read", "the text as the profile reads it", self.write(value))
        for step in self.steps:
            value = step.apply(value)
            yield Shown(step.name, step.says, self.write(value))

    def extended(self, name: str, *steps: Step[_T]) -> Profile[_T]:
        """Make a profile that takes these steps after those of this one."""
        return replace(self, name=name, steps=(*self.steps, *steps))

    def without(self, name: str, *steps: str) -> Profile[_T]:
        """Make a profile that leaves out the steps so named.

        ValueError if this one has no such step.
        """
        missing = set(steps) - {step.name for step in self.steps}
        if missing:
            raise ValueError(f"profile {self.name!r} has no step {sorted(missing)}")
        kept = tuple(step for step in self.steps if step.name not in steps)
        return replace(self, name=name, steps=kept)
