"""The classes of an alphabet as bits, so that a set of characters is a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from abnf2lark.automata import Alphabet
    from abnf2lark.reading.ir import Chars


class Classes:
    """The classes of an alphabet as bits, those whose characters can be read best the lowest."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        samples = {label: alphabet.sample(label) for label in range(alphabet.size)}
        order = sorted(samples, key=lambda label: (_unreadable(samples[label]), samples[label]))
        self.bit = {label: 1 << number for number, label in enumerate(order)}
        self.samples = [samples[label] for label in order]
        self._sets: dict[Chars, int] = {}

    def bits_of_set(self, chars: Chars) -> int:
        """Return the classes of a set of characters."""
        found = self._sets.get(chars)
        if found is None:
            labels = self.alphabet.classes(chars)
            found = self._sets[chars] = sum(self.bit[label] for label in labels)
        return found

    def sample(self, bits: int) -> str:
        """Return the character of a set that can be read best."""
        return self.samples[(bits & -bits).bit_length() - 1]

    def bits_of(self, text: str) -> list[int]:
        """Return the class of each character of a text."""
        return [self.bit[self.alphabet.class_of(character)] for character in text]


def _unreadable(character: str) -> int:
    if not (character.isascii() and character.isprintable()):
        return 3
    return 0 if character.islower() else 1 if character.isalnum() else 2
