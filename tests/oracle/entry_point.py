"""A way into the library that one text can take, and all that can be asked of what comes out."""

import contextlib
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from uriparse import URIError, URISyntaxError

REFERENCE = ("rfc3986", "URI-reference")

ROWS = 100_000
"""How much of an iterator is taken."""


@dataclass(frozen=True)
class EntryPoint:
    """A call with one text.

    Attributes:
        of: the function or class, or the command's name.
        how: tells the ways of one function apart.
        call: takes the text.
        rule: grammar and rule of words that get far.
        scale: by which part of the usual sizes it is measured.
        share: how much of the measurements it gets.
        reads: whether what comes out is asked for all that it knows.

    """

    of: object
    how: str
    call: Callable[[str], object]
    rule: tuple[str, str] = REFERENCE
    scale: int = 1
    share: float = 1
    reads: bool = False

    @property
    def name(self):
        """Name function and way."""
        return f"{name_of(self.of)}: {self.how}"

    def __call__(self, text):
        """Go all the way; what is refused is asked why."""
        try:
            value = self.call(text)
            value = [*islice(value, ROWS)] if isinstance(value, Iterator) else value
            if self.reads:
                look(value)
        except UnicodeError:  # by accident
            raise
        except ValueError as error:
            look(error)

    def and_read(self):
        """Give the way, and the same with a look at what comes out."""
        return self, replace(self, how=f"{self.how}, read", share=self.share / 2, reads=True)


def name_of(thing):
    """Name a function or class by its module, a command as it is called."""
    return thing if isinstance(thing, str) else f"{thing.__module__}.{thing.__qualname__}"


def look(value):
    """Ask a value all that it can be asked."""
    if is_ours(value) or isinstance(value, list | tuple):
        assert [str(value), repr(value)]
        with contextlib.suppress(TypeError):  # not all can be hashed
            hash(value)
        with contextlib.suppress(TypeError, AttributeError):  # nor pickled
            _ = pickle.loads(pickle.dumps(value)) == value
    for answer in answers(value):
        for part in answer if isinstance(answer, list | tuple) else ():
            for _ in answers(part):
                pass


def answers(value):
    """Give each public attribute and property, and the items of what has some."""
    if isinstance(value, list | tuple):
        yield from value
    if not is_ours(value):
        return
    if isinstance(value, URISyntaxError):
        yield value.pointer()
    kind = type(value)
    for name in dir(kind):
        if not hasattr(kind, name):
            continue  # a foreign name, whose error names ours
        if not name.startswith("_") and not callable(getattr(kind, name)):
            with contextlib.suppress(URIError):
                yield getattr(value, name)


def is_ours(value):
    return type(value).__module__.startswith("uriparse")
