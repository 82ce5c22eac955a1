"""Paths of file systems as `file` URIs, and back (RFC 8089), without asking any file system."""

from collections.abc import Iterable
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import Literal, overload

from uriparse import percent
from uriparse._base.coerce import as_items, as_text, is_unicode, refusal
from uriparse.building.making import written_host
from uriparse.components.component_data import is_dots, written_segments
from uriparse.errors import ComponentError, SchemeError, excerpt
from uriparse.grammar import charset
from uriparse.parsing import Record, Reference, as_reference
from uriparse.percent import unquote_to_bytes
from uriparse.records import URI
from uriparse.records.spans import component_spans

_LOCAL = "localhost"
_POSIX = {"/": "a separator", "\0": "NUL"}
_WINDOWS = {**_POSIX, "\\": "a separator", ":": "the mark of drives and streams"}
"""What no name of a file holds, since it would be more than a name, or end it."""

_NO_SERVERS = {"", ".", "?"}
"""What Windows writes in the place of a server before the names of devices."""


_NOT_IN_A_PATH = {
    "query": ("?", "a file URI has no query"),
    "fragment": ("#", "the fragment is not part of a path: take it off"),
    "userinfo": ("", "a file URI has no userinfo"),
    "port": (":", "a file URI has no port"),
}
"""Components with the mark before them, and why they are refused."""


def from_path(path: str | PurePath) -> URI:
    r"""Write an absolute path as a `file` URI (RFC 8089 section 2, appendices D and E).

    path: of `pathlib`, pure or not, POSIX or Windows; a text is a POSIX path. A Windows path
        begins with a drive, or with the name of a server, which becomes the host.

    Names that are not UTF-8 keep their octets, as `os.fsdecode` returns them.

    ComponentError for a path that is relative, that holds "..", NUL or a name with ":" on Windows,
    or of another form (`\\?\`); TypeError for another type.

    >>> from_path("/a b/é"), from_path(PureWindowsPath("c:/x"))
    (<URI 'file:///a%20b/%C3%A9'>, <URI 'file:///c:/x'>)
    """
    if isinstance(path, str):
        path = PurePosixPath(as_text(path))
    if not isinstance(path, PurePosixPath | PureWindowsPath):
        raise refusal(path, "path", "a str or a path of pathlib")
    if not path.is_absolute():
        raise _no_path(path, "is relative; a Windows path is given as a PureWindowsPath")
    host = ""
    names: list[str] = [*path.parts[1:]] or [""]
    drive: list[str] = []
    if isinstance(path, PurePosixPath):
        if path.root != "/":
            raise _no_path(path, "begins with two slashes, which systems read each in their way")
    elif _is_drive(path.drive):
        drive = [path.drive]
    else:
        host, share = _server(path)
        names.insert(0, share)
    for name in names:
        if (found := _found(name, windows=isinstance(path, PureWindowsPath))) is not None:
            raise _no_path(path, f"has a name that holds {found}")
    segments = written_segments(map(_octets, names), "rfc3986")
    return URI(scheme="file", host=host, path="/" + "/".join([*drive, *segments]))


@overload
def to_path(
    uri: Reference, *, windows: Literal[False] = False, hosts: Iterable[str] = ()
) -> PurePosixPath: ...
@overload
def to_path(
    uri: Reference, *, windows: Literal[True], hosts: Iterable[str] = ()
) -> PureWindowsPath: ...
def to_path(uri: Reference, *, windows: bool = False, hosts: Iterable[str] = ()) -> PurePath:
    r"""Read a `file` URI as the path that it names, strictly (RFC 8089 section 2).

    windows: whether to read `/c:/x` as a path on a drive.
    hosts: hosts that may be named beside "localhost" and none, in any letter case: names of this
        machine; on Windows servers, and the path is theirs.

    Segments are names: none that decodes to ".", to ".." or to what holds "/" or NUL (on Windows
    "\" or ":") becomes part of a path, and none is empty but the last.

    SchemeError, with its offset, for any other URI than that of such a path: another scheme,
    another host, a query or a fragment. URISyntaxError for an invalid text.

    >>> to_path("file:///a%20b/c"), to_path("file:/c:/x", windows=True)
    (PurePosixPath('/a b/c'), PureWindowsPath('c:/x'))
    """
    record = as_reference(uri, name="uri")
    given = as_items(hosts, "hosts", "an iterable of names")
    server = _host(record, {as_text(one, "a host").lower() for one in given})
    start = component_spans(record).path[0]
    if not record.path.startswith("/"):
        raise _refused(record, "path", start, "the path does not begin with a slash")
    names: list[str] = []
    offset = start
    for segment in record.segments:
        offset += len("/")
        if names and not names[-1]:
            raise _refused(record, "path", offset - len("/"), "an empty segment names nothing")
        is_drive = windows and not names and not server
        names.append(_name(record, segment, offset, windows=windows, is_drive=is_drive))
        offset += len(segment)
    if not windows:
        return PurePosixPath("/" + "/".join(names))
    if server:
        if not names[0]:
            raise _refused(record, "path", offset, "the path names no share of the server")
        return PureWindowsPath("\\\\" + "\\".join([server, *names]))
    if len(names) == 1:
        raise _refused(record, "path", offset, "a drive alone is not an absolute path: add a slash")
    return PureWindowsPath("\\".join(names))


def _name(record: Record, segment: str, offset: int, *, windows: bool, is_drive: bool) -> str:
    """Read a segment as a name, or as a drive."""
    if is_dots(segment):
        reason = "a dot segment names nothing; resolve or normalize the URI first"
        raise _refused(record, "path", offset, reason)
    octets = unquote_to_bytes(segment)
    name = octets.decode("utf-8", "surrogateescape")
    if windows and not is_unicode(name):
        raise _refused(record, "path", offset, "the segment is not UTF-8, as Windows wants names")
    if is_drive:
        if not _is_drive(name):
            raise _refused(record, "path", offset, 'a Windows path begins with a drive, as "c:"')
    elif (found := _found(name, windows=windows)) is not None:
        raise _refused(record, "path", offset, f"the decoded segment contains {found}")
    return name


def _host(record: Record, allowed: set[str]) -> str:
    """Return the name of the server; `""` for this machine."""
    if (record.scheme or "").lower() != "file":
        raise _refused(record, "scheme", 0, "the scheme is not file")
    spans = component_spans(record)._asdict()
    for component, (mark, reason) in _NOT_IN_A_PATH.items():
        if (span := spans[component]) is not None:
            raise _refused(record, component, span[0] - len(mark), reason)
    host = "" if record.host is None else percent.lower_around_triplets(record.host.text)
    if host in {"", _LOCAL}:
        return ""
    if host not in allowed:
        shown = excerpt.quoted(host)
        reason = f"the host {shown} is another machine; name it in hosts if it may be asked for"
        raise _refused(record, "host", len("file://"), reason)
    return host


def _server(path: PureWindowsPath) -> tuple[str, str]:
    """Return host and share of a path that begins with a server."""
    name, _, share = path.drive.removeprefix("\\\\").partition("\\")
    if name in _NO_SERVERS or name.lower() == _LOCAL or not share:
        raise _no_path(path, "names neither a drive nor a share of another server")
    return written_host(name, "rfc3986").text, share


def _is_drive(name: str) -> bool:
    return len(name) == len("c:") and name[0] in charset("ALPHA") and name[1] == ":"


def _octets(name: str) -> str | bytes:
    """Return the octets of a name; lone surrogates stay, and are refused when they are encoded."""
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return name


def _found(name: str, *, windows: bool) -> str | None:
    """Name a character that no file name can contain; None if there is none."""
    known = _WINDOWS if windows else _POSIX
    return next((known[character] for character in name if character in known), None)


def _no_path(path: PurePath, reason: str) -> ComponentError:
    text = str(path)
    message = f"path: {excerpt.quoted(text)} {reason}"
    return ComponentError(message, component="path", rule="path-absolute", value=text)


def _refused(record: Record, component: str, offset: int, reason: str) -> SchemeError:
    return SchemeError(
        f"{component}: {reason} (offset {offset})",
        text=str(record),
        offset=offset,
        component=component,
        scheme=None if record.scheme is None else record.scheme.lower(),
    )
