"""The console of the command: colours, and the one gate that all output passes."""

import codecs
import contextlib
import errno
import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BufferedIOBase
from time import monotonic
from typing import BinaryIO, NamedTuple, Self, TextIO, TypeAlias, cast

from abnf2lark.process import Painted, abandon, for_terminals, painted, wanted
from uriparse.cli import interrupts
from uriparse.errors import excerpt

# Colours of messages.

_HEADS = re.compile(r"(?m)^(error|help|expected):")
_STYLE_OF_HEADS = {"error": "error", "help": "help", "expected": "faint"}


def message(text: str) -> str:
    """Return a message with its heads in colour; what it quotes of untrusted text is indented."""
    return _HEADS.sub(lambda found: painted(found[0], _STYLE_OF_HEADS[found[1]]), text)


# The gate: all input that is read line by line, and all output, pass through this module.
#
# No other module of the command writes to standard output or standard error. Three policies are
# enforced here: passwords are masked as `--show-passwords` says; messages and drawings escape
# invisible characters; and no control character of the input reaches a terminal. Files and pipes
# get results byte for byte.

_NOT_PLAIN = re.compile(r"[^ -~\n]")

BLOCK = 1 << 17
"""Octets read at once."""

LONGEST_LINE = 1 << 20
"""Octets of a line at most, and of a file of settings or rules, in all that the command reads."""

TOO_LONG = f"a line of more than {LONGEST_LINE} octets is not read"

USAGE = 2
"""The exit code for arguments that cannot be used."""

FAULT = 70
"""The exit code for a bug of ours."""

Span = tuple[str, str]
"""Text and the name of its style in `colours.STYLES`; an empty name is not a style."""


def printable(text: str) -> str:
    r"""Return the text as it may be shown: all that is invisible or moves the cursor is escaped.

    Line feeds stay. Right-to-left letters are escaped too: they change the order around them.

    >>> print(printable("a\x1b[31mb\u202ec"))
    a\x1b[31mb\u202ec
    """
    if text.isascii() and text.isprintable():
        return text
    return _NOT_PLAIN.sub(lambda found: excerpt.shown(found[0]), text)


def on_one_line(text: str) -> str:
    r"""Return a text as it may be shown in a line: a line feed could begin one that reads as ours.

    >>> print(on_one_line("http://h/\nok"))
    http://h/\nok
    """
    return without_line_ends(printable(text))


def without_line_ends(text: str) -> str:
    """Return a text with its line ends escaped, otherwise unchanged."""
    return text if text.isprintable() else text.translate(_ENDS)


_ENDS = {ord("\n"): "\\n", ord("\r"): "\\r"}


class Gate:
    """A stream as the command writes to it: a terminal gets no control character from input."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self.is_terminal = stream is not None and stream.isatty()
        self._is_exact = False
        self._colours = wanted("auto", stream)
        self.held: list[str] | None = None
        """Messages that are written later, together; None where they are written at once."""
        self.write: Callable[[str], object] = self._nowhere
        self.flush: Callable[[], object] = self._nowhere
        if stream is not None:
            is_raw = isinstance(getattr(stream, "buffer", None), io.RawIOBase)  # PYTHONUNBUFFERED
            write = self._whole if is_raw and os.linesep == "\n" else stream.write
            self.write = self._escaped if self.is_terminal else write
            self.flush = stream.flush

    @property
    def is_open(self) -> bool:
        """Return whether there is a stream: it may have been closed before the command began."""
        return self._stream is not None

    @property
    def number(self) -> int:
        """The file's descriptor; AttributeError, OSError or ValueError if it has none."""
        return cast("TextIO", self._stream).fileno()

    def lenient(self) -> None:
        """Escape the characters that the stream cannot encode."""
        self._reconfigure(errors="backslashreplace")

    def exact(self) -> None:
        """Write texts to files and pipes unchanged: line ends, and octets that are not UTF-8."""
        if not (self.is_terminal or self._is_exact):
            self._is_exact = True
            self._reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")

    def _reconfigure(self, **settings: str) -> None:
        reconfigure = getattr(self._stream, "reconfigure", None)
        if reconfigure is not None:  # absent where a test put a stream of its own
            reconfigure(**settings)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write data piece by piece."""
        for line in lines:
            self.write(line)

    def painted(self, spans: Iterable[Span]) -> Painted:
        """Return spans as one line, escaped, and styled where there are colours."""
        if not self._colours:
            return Painted(on_one_line("".join([text for text, _ in spans])))
        return Painted("".join([painted(on_one_line(text), style) for text, style in spans]))

    def laid(self, rows: Iterable[Iterable[Span]]) -> Painted:
        """Return rows of spans, a line each: most have nothing that has to be escaped."""
        if not self._colours:
            lines = ["".join([text for text, _ in row]) for row in rows]
            if (whole := "".join(lines)).isascii() and whole.isprintable():
                return Painted("".join([f"{line}\n" for line in lines]))
            return Painted("".join([f"{on_one_line(line)}\n" for line in lines]))
        return Painted("".join([f"{self.painted(row)}\n" for row in rows]))

    def tell(self, text: str, *, where: str = "", usage: str = "", about: str = "") -> None:
        """Write a message; if that fails, the message is lost and the command continues.

        where, usage: what precedes it, trusted.
        about: the input that it quotes at its end; files and pipes get it unchanged.
        """
        shown = printable(text)
        quoted = printable(about) if self.is_terminal else about
        self.risk(f"{usage}{where}{message(shown) if self._colours else shown}{quoted}\n")

    def progress(self, text: str) -> None:
        """Overwrite the current line of the terminal with trusted text."""
        self.risk(f"\r\x1b[K{printable(text)}")

    def release(self) -> None:
        """Write the messages that are held, which take long one by one."""
        held, self.held = self.held, None
        if held:
            self.risk("".join(held))

    def is_apart(self, other: Self) -> bool:
        """Return whether this and another stream are different files, of which none is shown."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            is_same = os.path.sameopenfile(self.number, other.number)
            return not (self.is_terminal or other.is_terminal or is_same)
        return False

    @property
    def is_heard(self) -> bool:
        """Whether what is written may be read: the null device and a closed stream are not."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            return not os.path.samestat(os.fstat(self.number), os.stat(os.devnull))  # noqa: PTH116 - no path is made
        return self.is_open

    def abandon(self) -> None:
        """Discard what is left in a stream that cannot be written."""
        if self._stream is not None:
            abandon(self._stream)

    def risk(self, text: str) -> None:
        """Write a message; if that fails, drop it."""
        if self.held is not None:
            self.held.append(text)
            return
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self.abandon()

    def _escaped(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(text if isinstance(text, Painted) else for_terminals(text))

    def _whole(self, text: str) -> None:
        """Write to a stream without a buffer, which itself drops what a signal leaves over."""
        stream = cast("TextIO", self._stream)
        left = memoryview(text.encode(stream.encoding, stream.errors or "strict"))
        while left:
            written = stream.buffer.write(left)
            if written is None:
                raise BlockingIOError("standard output is not ready")
            left = left[written:]

    def _nowhere(self, text: str = "") -> None:
        """Write to a stream that does not exist."""


def standard_output() -> Gate:
    """Return standard output as it is now."""
    return Gate(sys.stdout)


def standard_error() -> Gate:
    """Return standard error as it is now."""
    return Gate(sys.stderr)


# What the command reads: standard input and files.

_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1\x15"


class FileSource(str):
    """The name of a file whose lines are texts; any other source is a text, or "-"."""

    __slots__ = ()


class RefusedOptionError(Exception):
    """The value of an option cannot be used, and this has been reported."""


class UsageError(Exception):
    """The command cannot be run with these arguments; the message, which may be shown, says why."""


class UnreadableFileError(Exception):
    """A file that cannot be read: its name as it was given, and why not."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


class MissingFileError(UnreadableFileError):
    """A file that does not exist."""


class UnwritableFileError(Exception):
    """A file that cannot be written, by its name and why."""


def refuse(faults: Iterable[tuple[str, object]]) -> None:
    """Raise a UsageError for the first of possible faults that is there."""
    for message, is_there in faults:
        if is_there:
            raise UsageError(message)


@contextlib.contextmanager
def opened(name: str, *, unpacked: bool = True) -> Iterator[BufferedIOBase]:
    """Open a file by its name, "-" for standard input; what is gzipped can be unpacked.

    UnreadableFileError if it cannot be opened or read, MissingFileError if it does not exist.
    """
    import zlib

    try:
        if name == "-":
            stream = _buffered(io.BytesIO() if sys.stdin is None else sys.stdin.buffer)
            yield _unpacked(stream) if unpacked else stream
        else:
            with open(name, "rb") as file:  # noqa: PTH123 - a name, as the user wrote it
                yield _unpacked(file) if unpacked else file
    except BrokenPipeError:
        raise
    # ValueError: the name holds a null character
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        kind = MissingFileError if isinstance(error, FileNotFoundError) else UnreadableFileError
        raise kind(name, "no file has such a name" if "\0" in name else reason) from None


def _buffered(file: BinaryIO) -> io.BufferedReader:
    """Return standard input as a buffered file; a test may have replaced it."""
    return file if isinstance(file, io.BufferedReader) else io.BufferedReader(file)  # type: ignore[arg-type]  # reads as a raw file does


def _unpacked(file: io.BufferedReader) -> BufferedIOBase:
    if file.peek(len(_PARQUET)).startswith(_PARQUET):
        raise ValueError(
            "it is Parquet, which `uriparse validate --parquet FILE` reads, with --column and --out"
        )
    if file.peek(2)[:2] != _GZIP:
        return file
    import gzip

    return gzip.GzipFile(fileobj=file)


_SOON = 0.05
"""Seconds for which rows are held at most while others are found."""

_NOWHERE: Mapping[str, str] = {}

quoted = json.encoder.encode_basestring_ascii
"""Writes a string of JSON in ASCII."""


Chunk: TypeAlias = Callable[[Sequence[str]], list[str | None]]
"""Returns rows for texts; None for one that is refused, which is then answered by itself."""

FEW = 16
"""Fewer texts at once mean that the source is slow or short: they are answered one by one."""


class Batch(NamedTuple):
    """Texts that are answered one after the other, and the arguments of `Console.locate`."""

    texts: Sequence[str]
    label: str
    unit: str
    number: int
    within: Mapping[str, str]
    is_cut: bool = False


class Taken(list[tuple[bool, str]]):
    """What a process writes for another: whether to standard error, and the text, in order."""

    def stream(self, like: TextIO | None, is_error: bool) -> TextIO:  # noqa: FBT001 - for each of two
        """Make a stream that keeps what is written; like: where it is written then."""
        kept = io.StringIO()
        kept.isatty = lambda: like is not None and like.isatty()  # type: ignore[method-assign]
        kept.write = lambda text: self.append((is_error, text)) or len(text)  # type: ignore[method-assign, func-returns-value]
        return kept


class Console:
    """The streams of one run of one command.

    is_argument: whether the current input is an argument.
    width: columns of the terminal; None if standard output is not a terminal.
    secrets: whether input that is shown again shows passwords.
    hides: whether passwords are masked in all output, also in results.
    is_heard: whether messages may be read; if not, those about texts need not be made.
    """

    def __init__(
        self,
        *,
        secrets: bool | None = None,
        options: Mapping[str, object] | None = None,
        given: Batch | None = None,
    ) -> None:
        """Begin.

        secrets: the value of `--show-passwords`; None if it was not given.
        given: the texts of another process; the output for them is kept in `taken`.
        """
        self.secrets = bool(secrets)
        self.hides = secrets is False
        self.options = options or {}
        self.locate()
        self.given, self.taken = given, Taken()
        self.output, self._errors = standard_output(), standard_error()
        self.is_heard = self._errors.is_heard
        if given is not None:
            self.output = Gate(self.taken.stream(sys.stdout, is_error=False))
            self._errors = Gate(self.taken.stream(sys.stderr, is_error=True))
        for gate in (self.output, self._errors):
            gate.lenient()
        self._are_apart = self._errors.is_apart(self.output)
        is_shown = self.output.is_terminal
        self.width = shutil.get_terminal_size().columns if is_shown else None
        self._nul = bool(self.options.get("nul_ends"))
        self._rows: list[str] = []
        self._holds = False

    def locate(
        self, label: str = "", unit: str = "", number: int = 0, within: Mapping[str, str] = _NOWHERE
    ) -> None:
        """Set the place of the current input, from which `where` and `place` are made."""
        self._label, self._unit, self._number, self._within = label, unit, number, within
        self.is_argument = unit == "argument"

    @property
    def where(self) -> str:
        """The input that `lines` gave last, for messages: `"urls.txt:3: "`, or empty."""
        return f"{self._label}{self._number}: " if self._number and self._label else self._label

    @property
    def place(self) -> dict[str, int | str]:
        """The same for JSON, counted from 1: `{"file": "urls.txt", "line": 3}`, or an option."""
        return {**self._within, self._unit: self._number} if self._number else {**self._within}

    @property
    def is_row(self) -> bool:
        """Whether it was one of the texts of standard input or of a file."""
        return self._number > 0 and self._unit != "argument"

    def lines(
        self, sources: Sequence[str], refuse: Callable[[str], None], chunk: Chunk | None = None
    ) -> Iterator[str]:
        """Yield each source, but for `-` and for a `FileSource` each of its lines, as it comes.

        Lines are read by `lines`: as `-0` says, or as a command that sets `keeps_cr` has them.

        refuse: is given the beginning of each line that is too long, in its turn.
        chunk: answers lines that are there together; those that it leaves are yielded.
        """
        for batch in self.batches(sources) if self.given is None else (self.given,):
            yield from self._each(batch, refuse, chunk)
        self.locate()

    def batches(self, sources: Sequence[str]) -> Iterator[Batch]:
        """Yield the same, as many texts at once as are there."""
        for position, source in enumerate(sources, 1):
            if isinstance(source, FileSource):
                with opened(source) as file:
                    yield from self._batches(file, source)
            elif source == "-":
                yield from self._batches(None if sys.stdin is None else sys.stdin.buffer)
            else:
                label = "argument " if len(sources) > 1 else ""
                yield Batch([source], label, "argument", position - 1, _NOWHERE)

    def _each(
        self, batch: Batch, refuse: Callable[[str], None], chunk: Chunk | None
    ) -> Iterator[str]:
        """Yield the texts of a batch; buffer rows for files and pipes meanwhile.

        They are written after the batch or after `_SOON`, since single writes take long.
        """
        self.locate(batch.label, batch.unit, batch.number, batch.within)
        self._holds = not (self.output.is_terminal or (self.is_argument and not self._nul))
        holds_errors = self._holds and self._are_apart
        self._errors.held = [] if holds_errors else None
        due, is_cut = 0.0, batch.is_cut
        rows: list[str | None] | None = None
        if chunk is not None and self._holds and not is_cut and len(batch.texts) >= FEW:
            rows = chunk(batch.texts)
        for text in batch.texts if rows is None else self._left(batch.texts, rows):
            self._number += 1
            if is_cut:
                refuse(text)
            else:
                yield text
            if self._nul and self._rows and not self.options.get("json"):
                self._rows[-1] = f"{self._rows[-1][:-1]}\0"  # ends the answer
            if (self._rows or self._errors.held) and (now := monotonic()) > due:
                self.release()
                self._errors.held = [] if holds_errors else None
                due = now + _SOON
        self._holds = False
        self.release()

    def _left(self, texts: Sequence[str], rows: list[str | None]) -> Iterator[str]:
        """Yield the texts without a row, and put the rows before each and after the last."""
        at, end = 0, len(rows)
        rows.append(None)
        while at < end:
            stop = rows.index(None, at)
            if at < stop:
                self._put_all(cast("list[str]", rows[at:stop]))
            self._number += stop - at
            if stop < end:
                yield texts[stop]
            at = stop + 1

    def _put_all(self, rows: list[str]) -> None:
        """Put the answers to the next texts: lines, or members of JSON."""
        end = "\0" if self._nul else "\n"
        if self.options.get("json"):
            begin, end = f"{{{json.dumps(self._within)[1:-1]}{', ' if self._within else ''}", "}\n"
            begin = f'{begin}"{self._unit}": '
            numbers = range(self._number + 1, self._number + 1 + len(rows))
            rows = [f"{begin}{number}, {row}" for number, row in zip(numbers, rows, strict=True)]
        text = end.join([*rows, ""])
        if not text.isascii():
            self.output.exact()
        self._put(text)

    def _batches(self, source: BinaryIO | BufferedIOBase | None, name: str = "") -> Iterator[Batch]:
        """Yield the lines of a file, or of standard input, which has no name."""
        shown = self.shown(name)
        label = f"{on_one_line(shown)}:" if name else "line "
        within = {"file": shown} if name else _NOWHERE
        number = 0
        ways = {"nul_ends": self._nul, "keeps_cr": bool(self.options.get("keeps_cr"))}
        for texts, is_cut in () if source is None else lines(source, **ways):
            yield Batch(texts, label, "line", number, within, is_cut)
            number += len(texts)
        if number == 0:
            self.locate()
            self.error(f"uriparse: {shown or 'standard input'} is empty")

    def release(self) -> None:
        """Write the buffered rows and messages."""
        if self._rows:
            rows, self._rows = self._rows, []
            with interrupts.Held():  # no part of a row
                self._write("".join(rows))
        self._errors.release()

    def _put(self, row: str) -> None:
        """Write a row at once, unless rows are buffered."""
        if self._holds:
            self._rows.append(row)
        else:
            self._write(row)

    def _write(self, text: str) -> None:
        self.output.write(text)
        self.output.flush()

    def out(self, text: str) -> None:
        """Write a result and a line end to standard output: a file or a pipe gets it as it came."""
        if not text.isascii():
            self.output.exact()
        if self._nul:
            text = text.replace("\0", "\\x00")
        row = f"{text}\n"
        self._put(Painted(row) if isinstance(text, Painted) else row)

    def styled(self, spans: Iterable[Span]) -> None:
        """Write spans, styled by `Gate.painted`, and a line end."""
        self._put(self.laid([spans]))

    def laid(self, rows: Iterable[Iterable[Span]]) -> Painted:
        """Return rows of spans, a line each, as they may be shown."""
        return self.output.laid(rows)

    def rows(self, rows: Iterable[Iterable[Span]]) -> None:
        """Write rows of spans, and a blank line."""
        self._put(Painted(f"{self.laid(rows)}\n"))

    def json(self, value: object) -> None:
        """Write one JSON value on one line, in ASCII, so that no reader can be misled by it."""
        self._put(f"{json.dumps(value)}\n")

    def answer(self, text: str, facts: Mapping[str, object], line: str = "") -> None:
        """Write a line or, with `--json`, the facts of a valid text, as it may be shown."""
        if self.options.get("json"):
            self.json({**self.place, "text": text, "valid": True, **facts})
        else:
            self.out(without_line_ends(line))

    def json_members(self, members: str) -> None:
        """Write a JSON object on one line: the place, and the text of its other members."""
        place = json.dumps(self.place)[1:-1] if self._within else f'"{self._unit}": {self._number}'
        self._put(f"{{{place}, {members}}}\n")

    def error(self, text: str, about: str = "") -> None:
        """Write text, and what it quotes, to standard error, after the input that it is about."""
        if self._errors.held is None:
            self.release()
        if not about.isascii():
            self._errors.exact()
        self._errors.tell(text, where=self.where, about=about)

    def shown(self, text: str) -> str:
        """Return an input text for output: possible passwords are masked."""
        return text if self.secrets else excerpt.masked(text)

    def made(self, text: str) -> str:
        """Return a result, masked with `--no-show-passwords`."""
        return excerpt.masked(text) if self.hides else text

    def tell_again(self, taken: Taken) -> None:
        """Write the output of another process."""
        for is_error, text in taken:
            if not text.isascii():
                (self._errors if is_error else self.output).exact()
            if is_error:
                self._errors.risk(text)
            else:
                self._write(Painted(text))  # which was escaped as the stream wants it


def lines(
    file: BinaryIO | BufferedIOBase, *, nul_ends: bool = False, keeps_cr: bool = False
) -> Iterator[tuple[list[str], bool]]:
    r"""Yield the lines of a file, as many at once as are there, and whether it is one that is cut.

    A line end is `"\n"` or `"\r\n"`, with keeps_cr `"\n"` alone, with nul_ends NUL. A byte order
    mark before the first line is taken off. Octets that are not UTF-8 become lone surrogates. A
    line of more than `LONGEST_LINE` octets comes by itself, cut to these. Linear in time; memory is
    bounded.
    """
    end = b"\0" if nul_ends else b"\n"
    drops_cr = not (nul_ends or keeps_cr)

    def decoded(octets: bytes) -> Iterator[tuple[list[str], bool]]:
        if len(octets) > LONGEST_LINE:  # the first line alone can be as long: a block is shorter
            first, found, octets = octets.partition(end)
            first = first.removesuffix(b"\r") if drops_cr else first
            yield (
                [first[:LONGEST_LINE].decode("utf-8", "surrogateescape")],
                len(first) > LONGEST_LINE,
            )
            if not found:
                return
        if drops_cr and b"\r" in octets:  # a search for two takes 47 ns a line
            octets = octets.replace(b"\r\n", b"\n").removesuffix(b"\r")
        yield octets.decode("utf-8", "surrogateescape").split(end.decode()), False

    begun: list[bytes] = []
    size, mark, skips = 0, codecs.BOM_UTF8, False
    most = LONGEST_LINE + len(codecs.BOM_UTF8 + b"\r")  # beyond, a line is too long in any case
    while block := file.read1(BLOCK):  # type: ignore[union-attr]  # it is buffered
        if skips:  # the rest of a line that was given, which may have no end
            _, found, block = block.partition(end)
            skips = not found
        whole, found, after = block.rpartition(end)
        if found:
            yield from decoded(b"".join([*begun, whole]).removeprefix(mark))
            begun, size, mark = [], 0, b""
        begun.append(after)
        size += len(after)
        if size > most:
            line = b"".join(begun).removeprefix(mark)
            yield [line[:LONGEST_LINE].decode("utf-8", "surrogateescape")], True
            begun, size, mark, skips = [], 0, b"", True
    if rest := b"".join(begun).removeprefix(mark):
        yield from decoded(rest)


def whole_text(name: str) -> str:
    """Return the text of a file of settings or rules, without a byte order mark.

    OSError if it cannot be read or has more than `LONGEST_LINE` octets; ValueError if not UTF-8.
    """
    with open(name, "rb") as file:  # noqa: PTH123 - a name, as the user wrote it
        octets = file.read(LONGEST_LINE + 1)
    if len(octets) > LONGEST_LINE:
        raise OSError(errno.EFBIG, f"it has more than {LONGEST_LINE} octets")
    return octets.decode("utf-8-sig")
