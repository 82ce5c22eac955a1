"""The files that commands write: complete, or untouched.

A file is written beside its place under a name of its own, brought to the disk, then put into its
place in one step. Until then whatever is there stays as it is: after an error, after a signal, and
when the process is killed.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import stat
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self, TextIO, TypeAlias

if TYPE_CHECKING:
    from types import FrameType, TracebackType

    from _typeshed import ReadableBuffer

PART = ".part"  # how the names of unfinished files end

THERE = "it is there already; --force replaces it"
READ = "it is what is read; give another name"
TWICE = "it is written twice; give another name"

_LONGEST = 40
"""Characters of a name that an unfinished file bears too, so that its own name is not too long."""

_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
"""What file systems without hard links answer."""

_NO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}


class Outputs:
    """Files that are written together: all are put into their places at the end, or none is.

    A context manager: at its end the files are put into their places; after an exception, or after
    `discard`, they are removed. All errors are OSErrors that hold the name as it was given.

    force: whether a file that is there is replaced; it keeps its permissions. Otherwise it is an
        error, also if the file has appeared in the meantime.
    read: the names of what is read meanwhile, "-" for standard input. To write to one of these
        files is an error, by whichever name.

    Devices, pipes and sockets are written to directly.
    """

    def __init__(self, *, force: bool = False, read: Iterable[str | None] = ()) -> None:
        self._force = force
        self._files: list[_Output] = []
        self._read = [found for found in map(_status, read) if found is not None]

    def binary(self, name: str) -> BinaryIO:
        """Begin a file; the error is raised now if it cannot be written."""
        with _named(name):
            file = self._begun(name)
        self._files.append(file)
        return file.stream

    def text(self, name: str, errors: str = "strict") -> TextIO:
        r"""Begin a file of text: UTF-8, lines end with "\n"."""
        self.binary(name)
        file = self._files[-1]
        wrapped = io.TextIOWrapper(file.stream, encoding="utf-8", errors=errors, newline="\n")
        file.text = wrapped
        return wrapped

    def finish(self) -> None:
        """Put the files into their places; what is begun afterwards is another set."""
        for file in self._files:
            with _named(file.name):
                _written_out(file)
        placed: list[_Output] = []
        with _unfinished.held():
            try:
                for file in self._files:
                    with _named(file.name):
                        if file.part and file.place:
                            put = Path.replace if self._force else _put_anew
                            put(file.part, file.place)
                            _unfinished.remove(file.part)
                    placed.append(file)
            except BaseException:
                for file in placed:
                    if file.place and not self._force:  # it was made here and did not exist before
                        file.place.unlink()
                raise
        for directory in {file.place.parent for file in placed if file.place}:
            _sync_directory(directory)
        self._files.clear()

    def discard(self) -> None:
        """Remove what was begun."""
        files, self._files = self._files, []
        for file in files:
            with suppress(OSError, ValueError):  # what could not be written, cannot be flushed
                file.top.close()
            with suppress(OSError):
                file.stream.close()
            if file.part:
                _unfinished.remove(file.part)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.finish()
        finally:
            self.discard()

    def _begun(self, name: str) -> _Output:
        there = _checked(name)
        if there is not None and not stat.S_ISREG(there.st_mode):
            return _Output(name, io.BufferedWriter(_Raw(Path(name), os.O_WRONLY, name)))
        place = Path(name).resolve()
        if any(file.place == place for file in self._files):
            raise OSError(errno.EINVAL, TWICE)
        if there is not None:
            if any(os.path.samestat(there, one) for one in self._read):
                raise OSError(errno.EINVAL, READ)
            if any(os.path.samestat(there, one) for one in _standard()):
                raise OSError(errno.EINVAL, "it is where standard output goes; - writes there")
            if not self._force:
                raise FileExistsError(errno.EEXIST, THERE)
        part = place.with_name(f"{place.name[:_LONGEST]}.{os.urandom(8).hex()}{PART}")
        _unfinished.add(part)
        try:
            raw = _Raw(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, name)
            if there is not None and hasattr(os, "fchmod"):
                os.fchmod(raw.fileno(), stat.S_IMODE(there.st_mode) & 0o777)
        except BaseException:
            _unfinished.remove(part)
            raise
        return _Output(name, io.BufferedWriter(raw), part, place)


def replace(path: Path, data: bytes) -> None:
    """Write a file that may be there."""
    with Outputs(force=True) as files:
        files.binary(str(path)).write(data)


@dataclass(slots=True)
class _Output:
    """A file that is begun; without a part it is written to directly."""

    name: str
    stream: io.BufferedWriter
    part: Path | None = None
    place: Path | None = None
    text: TextIO | None = None

    @property
    def top(self) -> TextIO | io.BufferedWriter:
        return self.stream if self.text is None else self.text


class _Raw(io.FileIO):
    """A file whose errors name it."""

    def __init__(self, path: Path, flags: int, shown: str) -> None:
        flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
        super().__init__(os.open(path, flags, 0o666), "wb")  # less what the umask says
        self._shown = shown

    def write(self, octets: ReadableBuffer) -> int:
        with _named(self._shown):
            return super().write(octets)


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Set the name that was given as the file name of errors."""
    try:
        yield
    except OSError as error:
        error.filename = name
        del error.filename2  # set to None, it would be printed
        raise
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name", name) from None


def _checked(name: str) -> os.stat_result | None:
    """Return what is there, None for nothing; OSError for what cannot be a file."""
    try:
        there = Path(name).stat()
    except FileNotFoundError:
        there = None
    if name.endswith((os.sep, os.altsep or os.sep)) or (there and stat.S_ISDIR(there.st_mode)):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return there


def _status(name: str | None) -> os.stat_result | None:
    """Return what is read: None for what is not a file, which nothing can be written over."""
    if name is None:
        return None
    with suppress(OSError, ValueError):  # the reader reports what is wrong with it
        there = os.fstat(0) if name == "-" else Path(name).stat()
        return there if stat.S_ISREG(there.st_mode) else None
    return None


def _standard() -> Iterator[os.stat_result]:
    for number in (1, 2):
        with suppress(OSError):
            there = os.fstat(number)
            if stat.S_ISREG(there.st_mode):
                yield there


def _written_out(file: _Output) -> None:
    """Bring a file to the disk, or through the pipe, and close it."""
    file.top.flush()
    if file.part:
        try:
            os.fsync(file.stream.fileno())
        except OSError as error:
            if error.errno not in _NO_SYNC:
                raise
    file.top.close()


def _put_anew(part: Path, place: Path) -> None:
    """Put a file where no file is; FileExistsError if there is one by now."""
    try:
        if os.name == "nt":  # there it fails if the place is taken
            part.rename(place)
        else:
            place.hardlink_to(part)
    except FileExistsError:
        raise FileExistsError(errno.EEXIST, THERE) from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _put_on_reserved(part, place)


def _put_on_reserved(part: Path, place: Path) -> None:
    """Put a file where no file is, in two steps: an empty file reserves the place."""
    try:
        place.touch(0o600, exist_ok=False)
    except FileExistsError:
        raise FileExistsError(errno.EEXIST, THERE) from None
    try:
        part.replace(place)
    except BaseException:
        place.unlink()
        raise


def _sync_directory(directory: Path) -> None:
    """Bring the new name to the disk, where that can be asked for."""
    with suppress(OSError):
        number = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


_Handler: TypeAlias = "Callable[[int, FrameType | None], object] | int | None"


class _Unfinished:
    """The names of unfinished files, which a signal that ends the process removes first."""

    def __init__(self) -> None:
        self._names: set[Path] = set()
        self._before: dict[int, _Handler] = {}
        self._owner = 0
        self._is_held = False
        self._waiting: int | None = None

    def add(self, name: Path) -> None:
        if not self._names and threading.current_thread() is threading.main_thread():
            self._owner = os.getpid()
            for number in _ENDING:
                before = signal.getsignal(number)
                if before not in {None, signal.SIG_IGN}:
                    self._before[number] = before
                    signal.signal(number, self._hear)
        self._names.add(name)

    def remove(self, name: Path) -> None:
        with suppress(OSError):
            name.unlink()
        self._names.discard(name)
        if not self._names:
            self._restore()

    @contextmanager
    def held(self) -> Iterator[None]:
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
            waiting, self._waiting = self._waiting, None
            if waiting is not None:
                signal.raise_signal(waiting)

    def _restore(self) -> None:
        before, self._before = self._before, {}
        for number, handler in before.items():
            if signal.getsignal(number) == self._hear:
                signal.signal(number, handler)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self._is_held:
            self._waiting = number
            return
        before = self._before.get(number, signal.SIG_DFL)
        if self._owner == os.getpid():  # and not a copy of the process that has begun the files
            for name in self._names:
                with suppress(OSError):
                    name.unlink()
        self._restore()
        if callable(before):
            before(number, frame)
        else:
            signal.raise_signal(number)


_ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
_unfinished = _Unfinished()
