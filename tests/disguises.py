"""Texts that print as something else than their characters."""

from enum import Enum, StrEnum


class Liar(str):
    """Every method tells something else, and is no text either where it can be avoided."""

    __slots__ = ()

    def _lie(self, *_, **__):
        return "lie"

    def _number(self, *_):
        return 3

    def _never(self, *_):
        return False

    __str__ = __format__ = __repr__ = __getitem__ = __add__ = __mod__ = __mul__ = _lie
    lower = upper = strip = lstrip = rstrip = translate = replace = join = casefold = title = _lie
    removeprefix = removesuffix = encode = expandtabs = swapcase = zfill = _lie
    split = rsplit = splitlines = partition = rpartition = _lie
    __len__ = find = rfind = index = rindex = count = _number
    __contains__ = startswith = endswith = isascii = isdigit = isprintable = _never

    def __iter__(self):
        return iter("lie")


def member(text):
    """A member of a `(str, Enum)`, whose `str` and `format` are `Disguise.TEXT`."""

    class Disguise(str, Enum):  # noqa: UP042 - a StrEnum would print as its text
        TEXT = text

    return Disguise.TEXT


def strict(text):
    """A member of a `StrEnum`."""
    return StrEnum("Strict", {"TEXT": text}).TEXT


DISGUISES = (Liar, member, strict)
"""Each makes of a text one that is equal to it and no `str` proper."""
