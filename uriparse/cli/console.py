"""Where commands read lines and write text: streams, colours, and what may reach a terminal."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

from uriparse import excerpt
from uriparse.cli import colours
from uriparse.cli.streams import tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_NOT_PLAIN = re.compile(r"[^ -~\n]")

Span = tuple[str, str]
"""Text and the name of its style in `colours.STYLES`; an empty name is no style."""


def printable(text: str) -> str:
    r"""Give the text as it may be shown: all that is invisible or moves the cursor is escaped.

    Line feeds stay, since they are ours; a text of others goes `on_one_line`. Right-to-left letters
    are escaped too, because they would change the order of what stands around them.

    >>> print(printable("a\x1b[31mb\u202ec"))
    a\x1b[31mb\u202ec
    """
    return _NOT_PLAIN.sub(lambda found: excerpt.shown(found[0]), text)


def on_one_line(text: str) -> str:
    r"""Give a text that may hold line feeds as it may be shown within a line.

    One that is shown as it is could end the line, and begin one of its own that reads as ours.

    >>> print(on_one_line("http://h/\nok"))
    http://h/\nok
    """
    return printable(text).replace("\n", "\\n")


class Console:
    """The streams of one run of one command.

    Attributes:
        where: the input that `lines` gave last, as a prefix for messages: `"line 3: "`,
            `"argument 2: "`, or empty where there is no doubt.
        place: the same for JSON: `{"line": 3}` or `{"argument": 2}`, counted from 1, or
            `{"option": "--base"}`.
        width: columns of the terminal, or None when standard output is none.
        secrets: whether passwords are shown.
        told: "count" or "nothing" where that is all that is told of texts, None where all is.
        options: the arguments of the command by name, so that messages name no others.

    """

    def __init__(
        self, *, secrets: bool = False, options: Mapping[str, object] | None = None
    ) -> None:
        self.secrets = secrets
        self.options = options or {}
        self.where = ""
        self.place: dict[str, int | str] = {}
        for stream in (sys.stdout, sys.stderr):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:  # absent where a test put a stream of its own
                reconfigure(errors="backslashreplace")
        self.width = _columns() if sys.stdout.isatty() else None
        self.told: str | None = self.options.get("told")  # type: ignore[assignment]  # as declared
        choice = str(self.options.get("color", "auto"))
        self._colours = colours.wanted(choice, sys.stdout)
        self._error_colours = colours.wanted(choice, sys.stderr)

    def lines(self, sources: Sequence[str]) -> Iterator[str]:
        r"""Give each source, and for `-` each line of standard input, as it comes.

        One line end, `"\n"` or `"\r\n"`, is taken off; nothing else is. Bytes that are not UTF-8
        become lone surrogates (U+DC80 to U+DCFF), which no grammar accepts. Standard input is
        read line by line, so memory is that of the longest line.
        """
        for position, source in enumerate(sources, 1):
            if source == "-":
                yield from self._input()
            else:
                self.place = {"argument": position}
                self.where = f"argument {position}: " if len(sources) > 1 else ""
                yield source
        self.where, self.place = "", {}

    def _input(self) -> Iterator[str]:
        number = 0
        source = () if sys.stdin is None else sys.stdin.buffer
        for number, line in enumerate(source, 1):
            self.place = {"line": number}
            self.where = f"line {number}: "
            line = line.removesuffix(b"\n").removesuffix(b"\r")  # noqa: PLW2901 - the same line
            yield line.decode("utf-8", "surrogateescape")
        if number == 0:
            self.where, self.place = "", {}
            self.error("uriparse: standard input is empty")

    def out(self, text: str) -> None:
        """Write text and a line end to standard output."""
        self._write(printable(text))

    def raw(self, text: str) -> None:
        """Write text of our own as it is."""
        sys.stdout.write(text)

    def line(self, text: str) -> None:
        """Write text that is fit to be shown, and a line end."""
        self._write(text)

    def styled(self, spans: Iterable[Span]) -> None:
        r"""Write spans one after the other and a line end; styles show on a terminal only.

        A span ends no line but where it is `"\n"` and nothing else.
        """
        self._write("".join(self._styled(text, style) for text, style in spans))

    def json(self, value: object) -> None:
        """Write one JSON value on one line, in ASCII, so that no reader can be misled by it."""
        self._write(json.dumps(value))

    def error(self, text: str) -> None:
        """Write text to standard error, behind the input that it is about."""
        shown = printable(text)
        tell(
            sys.stderr, f"{self.where}{colours.message(shown) if self._error_colours else shown}\n"
        )

    def shown(self, text: str) -> str:
        """Give a text as it may be shown again: what may be a password in it is masked."""
        return text if self.secrets else excerpt.masked(text)

    def count(self, numbers: Mapping[str, int]) -> None:
        """Write how many texts there were of each kind, if that is what is to be told."""
        if self.told != "count":
            return
        if self.options.get("json"):
            self._hand_over(json.dumps(numbers))
        else:
            self._hand_over("\n".join(f"{kind} {number}" for kind, number in numbers.items()))

    def flush(self) -> None:
        """Hand over what was written."""
        sys.stdout.flush()

    def _styled(self, text: str, style: str) -> str:
        shown = on_one_line(text) if text.strip("\n") else text
        return colours.painted(shown, style) if self._colours else shown

    def _write(self, line: str) -> None:
        if self.told is None:
            self._hand_over(line)

    def _hand_over(self, line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()  # whoever reads a pipe wants each answer as it is found


def _columns() -> int:
    import shutil

    return shutil.get_terminal_size().columns
