"""The basic URL parser (section 4.4 of the URL Standard), by the rules of grammar/whatwg.abnf."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uriparse._scheme_facts import PORTS, schemes_with
from uriparse.components.servers import tcp_port
from uriparse.grammar import charset, matcher
from uriparse.whatwg import percent_encode_sets as sets
from uriparse.whatwg.host_parser import DIGITS, EMPTY, ParsedHost, StopError, parse_host
from uriparse.whatwg.percent_encode_sets import encode

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    _Rule = Callable[[str, int], re.Match[str] | None]

SPECIAL = {name: PORTS[name] for name in schemes_with("special")}
"""The special schemes and their default ports (section 4.2)."""

_scheme_start = matcher("scheme-start", "whatwg").match
_special = matcher("special", "whatwg").fullmatch
_special_relative = matcher("special-relative", "whatwg").fullmatch
_file = matcher("file", "whatwg").fullmatch
_other = matcher("other", "whatwg").fullmatch
_host_port = matcher("host-port", "whatwg").fullmatch
_is_single_dot = matcher("single-dot", "whatwg").fullmatch
_is_double_dot = matcher("double-dot", "whatwg").fullmatch
_is_drive = matcher("drive-letter", "whatwg").fullmatch
_starts_with_drive = matcher("drive-start", "whatwg").fullmatch


_STRIPPED = "".join(charset("stripped", "whatwg"))
_REMOVED = charset("removed", "whatwg")
_WITHOUT_REMOVED = dict.fromkeys(map(ord, _REMOVED))
_SLASHES = charset("slash", "whatwg")


def cleaned(text: str) -> str:
    """Return what the basic URL parser reads of a text: steps 1 to 3, and lone surrogates."""
    found = text.strip(_STRIPPED)
    if any(map(found.__contains__, _REMOVED)):
        found = found.translate(_WITHOUT_REMOVED)
    if not found.isascii():
        try:
            found.encode()
        except UnicodeEncodeError:  # the standard reads scalar values alone
            found = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in found)
    return found


def offsets_of(text: str) -> list[int]:
    """Return the offsets in a text of the characters that `cleaned` leaves, and of their end."""
    begin, end = len(text) - len(text.lstrip(_STRIPPED)), len(text.rstrip(_STRIPPED))
    return [at for at in range(begin, end) if text[at] not in _REMOVED] + [max(begin, end)]


class URLParts(NamedTuple):
    """A URL record (section 4.1), as it is serialized; None for what is null, without marks."""

    scheme: str
    username: str
    password: str
    host: ParsedHost | None
    port: int | None
    path: str
    is_opaque: bool
    query: str | None
    fragment: str | None


class Spans(NamedTuple):
    """Where the parts are in the text, None if it has none; ``start``: in the base's path."""

    authority: tuple[int, int] | None
    path: tuple[int, int] | None
    query: tuple[int, int] | None
    fragment: tuple[int, int] | None
    start: str = ""


def take_apart(text: str, base: URLParts | None) -> tuple[URLParts, Spans]:
    """Run the basic URL parser on a text without what it removes first; StopError if it fails."""
    found = _scheme_start(text)
    if found is None:
        return _without_scheme(text, base)
    scheme, at = found[1].lower(), found.end()
    if scheme == "file":
        local = base if base is not None and base.scheme == "file" else None
        return _take_file(text, at, local)
    if scheme not in SPECIAL:
        return _take_other(text, at, scheme, None)
    # The special relative or authority state.
    if base is not None and base.scheme == scheme and not text.startswith("//", at):
        return _take_special_relative(text, at, base)
    return _take_special(text, at, scheme, _special)


def _without_scheme(text: str, base: URLParts | None) -> tuple[URLParts, Spans]:
    """Run the no scheme state."""
    if base is None:
        raise StopError("missing-scheme-non-relative-URL", 0, "scheme")
    if base.is_opaque:
        if not text.startswith("#"):
            raise StopError("missing-scheme-non-relative-URL", 0, "scheme")
        fragment = encode(text[1:], sets.FRAGMENT)
        return base._replace(fragment=fragment), Spans(None, None, None, (1, len(text)))
    if base.scheme == "file":
        return _take_file(text, 0, base)
    if base.scheme in SPECIAL:
        return _take_special_relative(text, 0, base)
    return _take_other(text, 0, base.scheme, base)


def _match(rule: _Rule, text: str, at: int) -> re.Match[str]:
    found = rule(text, at)
    if found is None:
        raise AssertionError(text)  # a rule takes every text that follows what it follows
    return found


def _take_special(text: str, at: int, scheme: str, rule: _Rule) -> tuple[URLParts, Spans]:
    """Run the special authority ignore slashes state, and what follows it."""
    found = _match(rule, text, at)
    begin, end = found.span("special_authority")
    if begin < 0:
        offset = next((n for n, c in enumerate(text[at:], at) if c not in _SLASHES), len(text))
        raise StopError("host-missing", offset)
    authority = _parse_authority(text, begin, end, scheme)
    path = _segments(found["special_path"] or "", "", scheme)
    return _parts(scheme, authority, path, found), _spans(found, (begin, end), "special_path")


def _take_special_relative(text: str, at: int, base: URLParts) -> tuple[URLParts, Spans]:
    """Run the relative state and the relative slash state, for a base of a special scheme."""
    if text[at : at + 1] in _SLASHES and text[at + 1 : at + 2] in _SLASHES:
        return _take_special(text, at, base.scheme, _special_relative)
    return _relative(_match(_special_relative, text, at), "local_path", base)


def _take_other(text: str, at: int, scheme: str, base: URLParts | None) -> tuple[URLParts, Spans]:
    """Run the path or authority state, the opaque path state, and the relative state."""
    found = _match(_other, text, at)
    if found["authority"] is not None:
        span = found.span("authority")
        authority = _parse_authority(text, *span, scheme)
        path = _segments(found["path"], "", scheme) if found["path"] else ""
        return _parts(scheme, authority, path, found), _spans(found, span, "path")
    if base is not None:
        return _relative(found, "other_path", base)
    rest = found["other_path"] or ""
    nothing = "", "", None, None
    if rest.startswith("/"):
        path = _segments(rest, "", scheme)
        return _parts(scheme, nothing, path, found), _spans(found, None, "other_path")
    path = encode(rest, sets.C0_CONTROL)
    if path.endswith(" ") and (found["query"] is not None or found["fragment"] is not None):
        path = f"{path[:-1]}%20"  # a last space before a query or a fragment is encoded
    made = _parts(scheme, nothing, path, found)._replace(is_opaque=True)
    return made, _spans(found, None, "other_path")


def _relative(found: re.Match[str], group: str, base: URLParts) -> tuple[URLParts, Spans]:
    """Run the relative state on a path, a query or a fragment."""
    rest = found[group] or ""
    spans = _spans(found, None, group)
    if not rest and found["query"] is None:
        fragment = found["fragment"]
        made = base._replace(fragment=None if fragment is None else encode(fragment, sets.FRAGMENT))
        return made, spans
    authority = base.username, base.password, base.host, base.port
    if not rest:
        return _parts(base.scheme, authority, base.path, found), spans
    slashes = _SLASHES if base.scheme in SPECIAL else "/"
    start = "" if rest[0] in slashes else _shortened(base.path, base.scheme)
    path = _segments(rest, start, base.scheme)
    return _parts(base.scheme, authority, path, found), spans._replace(start=start)


def _take_file(text: str, at: int, base: URLParts | None) -> tuple[URLParts, Spans]:
    """Run the file state, the file slash state and the file host state."""
    found = _match(_file, text, at)
    if found["file_host"] is not None:
        return _file_with_host(found)
    rest = found["local_path"] or ""
    spans = _spans(found, None, "local_path")
    if not rest and base is not None:
        return _relative(found, "local_path", base)
    start, host = "", EMPTY if base is None else base.host
    if base is not None and rest[0] in _SLASHES:
        if _starts_with_drive(rest[1:]) is None and _is_normal_drive(
            base.path[1:].partition("/")[0]
        ):
            start = base.path[:3]
    elif base is not None and _starts_with_drive(rest) is None:
        start = _shortened(base.path, "file")
    path = _segments(rest, start, "file")
    return _parts("file", ("", "", host, None), path, found), spans._replace(start=start)


def _file_with_host(found: re.Match[str]) -> tuple[URLParts, Spans]:
    """Run the file host state."""
    begin, end = found.span("file_host")
    text, path = found["file_host"], found["special_path"] or ""
    spans = _spans(found, (begin, end), "special_path")
    if _is_drive(text):  # file-invalid-Windows-drive-letter-host: it is where the path begins
        spans = spans._replace(authority=None, path=(begin, end + len(path)))
        whole = _segments(text + path, "", "file")
        return _parts("file", ("", "", EMPTY, None), whole, found), spans
    host = _host(text, begin, special=True) if text else EMPTY
    if host.text == "localhost":
        host = ParsedHost("", "empty", "file host state")
    return _parts("file", ("", "", host, None), _segments(path, "", "file"), found), spans


_Authority = tuple[str, str, ParsedHost | None, int | None]


def _parse_authority(text: str, begin: int, end: int, scheme: str) -> _Authority:
    """Run the authority state, the host state and the port state."""
    whole = text[begin:end]
    credentials, at, rest = whole.rpartition("@")
    username, _, password = credentials.partition(":")
    special = scheme in SPECIAL
    start = begin + len(credentials) + len(at)
    found = _match(_host_port, rest, 0)
    host, port = found["host"], found["port"]
    if host is None:
        raise StopError("IPv6-unclosed", end)
    if not host:
        # Without a host, a URL of another scheme has neither credentials nor a port.
        if special or at or port is not None:
            raise StopError("host-missing", start)
        return "", "", EMPTY, None
    number = None if not port else _port(port, start + found.start("port"), scheme)
    parsed = _host(host, start, special=special)
    if not credentials:
        return "", "", parsed, number
    return encode(username, sets.USERINFO), encode(password, sets.USERINFO), parsed, number


def _host(text: str, offset: int, *, special: bool) -> ParsedHost:
    try:
        return parse_host(text, special=special)
    except StopError as stop:
        stop.offset += offset
        raise


def _port(text: str, offset: int, scheme: str) -> int | None:
    """Run the port state."""
    wrong = next((n for n, char in enumerate(text) if char not in DIGITS), None)
    if wrong is not None:
        raise StopError("port-invalid", offset + wrong, "port")
    number = tcp_port(text)
    if number is None:
        raise StopError("port-out-of-range", offset, "port")
    return None if number == SPECIAL.get(scheme) else number


# Paths.


def _segments(text: str, path: str, scheme: str) -> str:
    """Run the path state (section 4.4) on a text after a path, and return the path."""
    if scheme in SPECIAL and "\\" in text:
        text = text.replace("\\", "/")
    text = encode(text, sets.PATH)
    if not text.startswith("/"):
        text = f"/{text}"
    if scheme != "file" and "/." not in text and "/%2" not in text:
        return path + text
    found = kept_segments(text[1:].split("/"), path, scheme)
    return f"/{'/'.join([segment for _, segment in found])}" if found else ""


_DOTS = {".", "%"}


def kept_segments(pieces: list[str], path: str, scheme: str) -> list[tuple[int, str]]:
    """Run the path state on segments after a path; return those that stay, numbered."""
    found = [(-1, segment) for segment in path.split("/")[1:]]
    last = len(pieces) - 1
    for number, piece in enumerate(pieces):
        # Few segments begin as those of dots do: two matches less for all others.
        dotted = piece[:1] in _DOTS
        if dotted and _is_double_dot(piece):
            if found and not (
                scheme == "file" and len(found) == 1 and _is_normal_drive(found[0][1])
            ):
                found.pop()
        elif not (dotted and _is_single_dot(piece)):
            is_drive = scheme == "file" and not found and _is_drive(piece)
            found.append((number, f"{piece[0]}:" if is_drive else piece))
            continue
        if number == last:
            found.append((-1, ""))
    return found


def _shortened(path: str, scheme: str) -> str:
    """Shorten a URL's path (section 4.1)."""
    if scheme == "file" and path.count("/") == 1 and _is_normal_drive(path[1:]):
        return path
    return path[: max(path.rfind("/"), 0)]


def _is_normal_drive(segment: str) -> bool:
    return segment.endswith(":") and _is_drive(segment) is not None


def _parts(scheme: str, authority: _Authority, path: str, found: re.Match[str]) -> URLParts:
    query, fragment = found["query"], found["fragment"]
    if query is not None:
        query = encode(query, sets.SPECIAL_QUERY if scheme in SPECIAL else sets.QUERY)
    if fragment is not None:
        fragment = encode(fragment, sets.FRAGMENT)
    return URLParts(scheme, *authority, path, False, query, fragment)


def _spans(found: re.Match[str], authority: tuple[int, int] | None, path: str) -> Spans:
    groups = (path, "query", "fragment")
    spans = [(None if found[one] is None else found.span(one)) for one in groups]
    return Spans(authority, spans[0], spans[1], spans[2])


# Serializing.


def serialize(parts: URLParts) -> str:
    """Run the URL serializer (section 4.5)."""
    path = parts.path
    if parts.host is None:
        # A path that begins with two slashes would be read as an authority.
        start = "/." if not parts.is_opaque and path.startswith("//") else ""
    else:
        password = f":{parts.password}" if parts.password else ""
        user = f"{parts.username}{password}@" if parts.username or password else ""
        port = "" if parts.port is None else f":{parts.port}"
        start = f"//{user}{parts.host.text}{port}"
    query = "" if parts.query is None else f"?{parts.query}"
    fragment = "" if parts.fragment is None else f"#{parts.fragment}"
    return f"{parts.scheme}:{start}{path}{query}{fragment}"


def scheme_end(text: str) -> int:
    """Return the offset after the ":" of a text's scheme; 0 if it has none."""
    found = _scheme_start(text)
    return 0 if found is None else found.end()


def split_host_port(text: str) -> tuple[str, str | None]:
    """Take a host and a port apart, which follow the credentials."""
    found = _match(_host_port, text, 0)
    return found["host"] or "", found["port"]
