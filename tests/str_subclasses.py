"""Texts that print as something else than their characters."""

from enum import Enum, StrEnum


class Liar(str):
    """A text whose methods all return something else than those of `str`, often not a text."""

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
    """A member of a `(str, Enum)`, whose `str` and `format` are `Member.TEXT`."""

    class Member(str, Enum):  # noqa: UP042 - a StrEnum would print as its text
        TEXT = text

    return Member.TEXT


def strict(text):
    """A member of a `StrEnum`."""
    return StrEnum("Strict", {"TEXT": text}).TEXT


STR_SUBCLASSES = (Liar, member, strict)
"""Each makes of a text one that is equal to it and no `str` proper."""
