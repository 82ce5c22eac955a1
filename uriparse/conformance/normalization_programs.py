"""Normalization (RFC 3986, sections 6.2.2 and 6.2.3) as a program in data, and edits of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Final

from uriparse.conformance.resolution_programs import remove_dot_segments, the_program
from uriparse.grammar import charset, matcher
from uriparse.parsing import parse

_PARTS = ("userinfo", "host", "path", "query", "fragment")
_RESOLUTION: Final = the_program()
_TRIPLET: Final = matcher("pct-encoded")
_UNRESERVED: Final = charset("unreserved")
_SUB_DELIMS: Final = charset("sub-delims")
_GEN_DELIMS: Final = charset("gen-delims")

_PORTS: Final = {"http": "80", "https": "443", "ftp": "21"}
_WITH_SLASH: Final = ("http", "https", "ftp")


_DECISIONS: Final[dict[str, tuple[str, ...]]] = {
    # What the RFC says comes first.
    "letters of scheme": ("small", "as they are", "large"),
    "letters of host": ("small", "as they are", "large", "small in triplets too"),
    **{f"letters of {part}": ("as they are", "small") for part in ("userinfo", "path")},
    **{f"letters of {part}": ("as they are", "small") for part in ("query", "fragment")},
    **{f"triplets of {part}": ("large", "as they are", "small") for part in _PARTS},
    **{
        f"decoded of {part}": (
            *("unreserved", "nothing", "letters and digits", "letters", "all but ~"),
            *("sub-delims too", "gen-delims too", "% too", "spaces too", "twice"),
        )
        for part in _PARTS
    },
    **{f"decoded letters of {part}": ("as others", "large", "small") for part in _PARTS},
    "a triplet that stays": ("three characters", "four characters", "two characters"),
    "a triplet that is decoded": ("three characters", "four characters", "two characters"),
    "dot segments": ("removed", "kept", "removed before triplets are decoded"),
    "an empty query": ("kept", "left out"),
    "an empty fragment": ("kept", "left out"),
    "a fragment": ("kept", "left out"),
    "an empty userinfo": ("kept", "left out"),
    **{f"the default port of {scheme}": ("left out", "kept") for scheme in _PORTS},
    "a default port of another scheme": ("kept", "left out"),
    "a port": ("kept", "left out"),
    "an empty port": ("left out", "kept", "left out for http alone"),
    **{f"an empty path of {scheme}": ("becomes a slash", "kept") for scheme in _WITH_SLASH},
    "an empty path of others": ("kept", "becomes a slash"),
    "an empty path without authority": ("kept", "becomes a slash"),
    "a last slash": ("kept", "left out", "added"),
    "empty segments": ("kept", "joined"),
    "an order of parameters": ("kept", "sorted"),
    "www": ("kept", "left out"),
    "a last dot of the host": ("kept", "left out"),
    "index files": ("kept", "left out"),
    "a plus sign": ("kept", "read as a space"),
}


_LETTERS: Final[dict[str, Callable[[str], str]]] = {
    "small": str.lower,
    "large": str.upper,
    "as they are": str,
    "small in triplets too": str.lower,
}


def edits() -> Iterator[tuple[str, str]]:
    """Yield every single edit: a decision, and what it becomes instead of what the RFC says."""
    for name, words in _DECISIONS.items():
        yield from ((name, word) for word in words[1:])


def run(edit: tuple[str, str] | None = None) -> Callable[[str], str]:
    """Return what normalizes as the RFC says, or with one edit."""
    program = {name: words[0] for name, words in _DECISIONS.items()}
    if edit is not None:
        program[edit[0]] = edit[1]
    return lambda text: _normalized(program, text)


def _normalized(program: Mapping[str, str], text: str) -> str:
    uri = parse(text, "URI")
    scheme = _LETTERS[program["letters of scheme"]](uri.scheme or "")
    known = scheme.lower()
    start = f"{scheme}:"
    if uri.authority is not None:
        start += f"//{_authority(program, uri.userinfo, str(uri.host), uri.port, known)}"
    path = _path(program, uri.path, has_authority=uri.authority is not None, scheme=known)
    found = start + path
    for sign, part, value in (("?", "query", uri.query), ("#", "fragment", uri.fragment)):
        if value is None or (not value and program[f"an empty {part}"] == "left out"):
            continue
        if part == "fragment" and program["a fragment"] == "left out":
            continue
        written = _written(program, part, value)
        if part == "query" and program["an order of parameters"] == "sorted":
            written = "&".join(sorted(written.split("&")))
        if part == "query" and program["a plus sign"] == "read as a space":
            written = written.replace("+", "%20")
        found += sign + written
    return found


def _authority(
    program: Mapping[str, str], userinfo: str | None, host: str, port: str | None, scheme: str
) -> str:
    name = _written(program, "host", host)
    if program["www"] == "left out":
        name = name.removeprefix("www.")
    if program["a last dot of the host"] == "left out":
        name = name.removesuffix(".")
    found = "" if userinfo is None else f"{_written(program, 'userinfo', userinfo)}@"
    if found == "@" and program["an empty userinfo"] == "left out":
        found = ""
    found += name
    empty = program["an empty port"]
    is_left_out = empty == "left out" or (empty == "left out for http alone" and scheme == "http")
    if port is None or (not port and is_left_out):
        return found
    is_default = port == _PORTS.get(scheme)
    rule = program[f"the default port of {scheme}" if is_default else "a port"]
    if port in _PORTS.values() and not is_default:
        rule = program["a default port of another scheme"]
    if port and "left out" in (rule, program["a port"]):
        return found
    return f"{found}:{port}"


def _path(program: Mapping[str, str], path: str, *, has_authority: bool, scheme: str) -> str:
    dots = program["dot segments"]
    if dots == "removed before triplets are decoded":
        path = remove_dot_segments(_RESOLUTION, path)
    path = _written(program, "path", path)
    if dots == "removed":
        path = remove_dot_segments(_RESOLUTION, path)
    kind = "without authority" if not has_authority else "of others"
    if has_authority and scheme in _WITH_SLASH:
        kind = f"of {scheme}"
    if not path and program[f"an empty path {kind}"] == "becomes a slash":
        path = "/"
    if program["empty segments"] == "joined":
        path = re.sub("/+", "/", path)
    if program["index files"] == "left out":
        path = path.removesuffix("index.html")
    last = program["a last slash"]
    if last == "left out" and len(path) > 1:
        path = path.removesuffix("/")
    if last == "added" and path and not path.endswith("/"):
        path += "/"
    return path


def _written(program: Mapping[str, str], part: str, text: str) -> str:
    """Write a component: triplets, and the letters around them."""
    rule, word = program[f"decoded of {part}"], program[f"letters of {part}"]
    letters = _LETTERS[word]

    lengths = {"three": 3, "four": 4, "two": 2}
    decoded_letters = _LETTERS.get(program[f"decoded letters of {part}"], letters)

    def once(text: str) -> str:
        found, end = "", 0
        for one in _TRIPLET.finditer(text):
            char = chr(int(one[0][1:], 16))
            triplet = _LETTERS[program[f"triplets of {part}"]](one[0])
            found += letters(text[end : one.start()])
            decoded = _is_decoded(rule, char)
            found += decoded_letters(char) if decoded else triplet
            said = program[f"a triplet that {'is decoded' if decoded else 'stays'}"]
            end = one.start() + lengths[said.partition(" ")[0]]
        return found + letters(text[end:])

    found = once(text)
    if rule == "twice":
        found = once(found)
    return found.lower() if word == "small in triplets too" else found


def _is_decoded(rule: str, char: str) -> bool:
    if char in _UNRESERVED:
        return {
            "nothing": False,
            "letters and digits": char.isalnum(),
            "letters": char.isalpha(),
            "all but ~": char != "~",
        }.get(rule, True)
    others = {"sub-delims too": _SUB_DELIMS, "gen-delims too": _GEN_DELIMS}
    return char in others.get(rule, {"% too": "%", "spaces too": " ", "twice": "%"}.get(rule, ""))


# Texts from which a suite is chosen.

_PIECES = (
    *("A", "%3a", "%41", "%2D", "%7e", "%5F", "%2E"),
    *("%21", "%2f", "%25", "%2541", "%20", "%c3%A9", "%4ab"),
)
_PATHS = ("/./a", "/a/..", "/%2e/a", "/a/%2E%2e/b", "/a/./", "/../a", "//a", "/a/..b", "/...")


def pool() -> Iterator[str]:
    """Yield many URIs, the simplest first."""
    for scheme, piece in product(("http", "a", "FTP"), ("", *_PIECES)):
        for form in ("{}://u{}@h/", "{}://h{}/", "{}://h/p{}", "{}://h/?q{}", "{}://h/#f{}"):
            yield form.format(scheme, piece)
        yield f"{scheme}:p{piece}"
    ports = ("", ":", ":80", ":443", ":21", ":8080")
    for scheme, port in product(("http", "HTTPS", "ftp", "a"), ports):
        for tail in ("", "/", "?", "#", "?q", "/p/", "/p//q", "/index.html"):
            yield f"{scheme}://h{port}{tail}"
    for path in _PATHS:
        yield from (f"http://h{path}", f"a://h{path}")
        if not path.startswith("//"):
            yield f"a:{path}"
    yield from ("a:b/../c", "a:./b", "a://@h/", "a://:@h/", "http://@h/", "a://[::A]/")
    yield from ("a://[vA.B]/", "a://h/?b&a", "a://h/?a+b", "http://www.h/", "http://h./")
    yield from ("a://h/?#", "a://", "a:///b")
    yield from ("a://[::ffff:1.2.3.4]:/", "a://h/p?Q#F", "A+B:c", "a://U@H/P", "http:", "http:?")
