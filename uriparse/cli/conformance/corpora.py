"""The texts of corpora, one a line, and which lines hold none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse.cli.validation.sources import LONGEST_LINE, Unreadable, lines, opened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EMPTY: Final = "empty"
NOT_UTF8: Final = "not UTF-8"
TOO_LONG: Final = f"longer than {LONGEST_LINE:,} octets"


class Passed(NamedTuple):
    """Lines that were passed over for one reason.

    lines: how many.
    file, line: the first of them, by the name of its file, `"-"` for standard input, and its
        number from 1.
    """

    lines: int
    file: str
    line: int


class Corpora:
    """Reads the lines of files, by their names, plain or gzipped; `"-"` is standard input.

    Attributes:
        passed: by reason, the lines that were passed over.

    """

    def __init__(self, names: Sequence[str], *, has_empty: bool) -> None:
        """`has_empty` tells that an empty line is a text, too."""
        self._names = names
        self._has_empty = has_empty
        self.passed: dict[str, Passed] = {}

    def __iter__(self) -> Iterator[str]:
        """Give the texts; UnreadableFileError for a file that cannot be opened or read."""
        for name in self._names:
            number = 0
            with opened(name) as file:
                for chunk in lines(file):
                    for number, item in enumerate(chunk, number + 1):  # noqa: B020 - counts on
                        if isinstance(item, Unreadable):
                            self._pass(TOO_LONG, name, number)
                        elif not item and not self._has_empty:
                            self._pass(EMPTY, name, number)
                        elif not item.isascii() and not _is_utf8(item):
                            self._pass(NOT_UTF8, name, number)
                        else:
                            yield item

    def _pass(self, reason: str, name: str, number: int) -> None:
        found, file, line = self.passed.get(reason, Passed(0, name, number))
        self.passed[reason] = Passed(found + 1, file, line)


def _is_utf8(text: str) -> bool:
    """Tell whether a text was UTF-8; octets that were not have become lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
