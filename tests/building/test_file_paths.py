"""Paths as file URIs and back: every name comes back, and what is not a name is refused."""

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from building_data import same
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from uriparse import ComponentError, EncodingError, SchemeError, parse
from uriparse.building import from_path, to_path

TABLES = tables(__file__, PureWindowsPath=PureWindowsPath)

DOTS = {"", ".", ".."}
OCTETS = st.binary(min_size=1, max_size=6).map(lambda data: data.decode("utf-8", "surrogateescape"))
POSIX_NAMES = OCTETS.filter(lambda name: name not in DOTS and not set(name) & {"/", "\0"})
WINDOWS_NAMES = st.text("ab .%é例#?~'&+;", min_size=1, max_size=6).filter(
    lambda name: name not in DOTS
)
DRIVES = st.sampled_from(["c:\\", "Z:\\", "\\\\server\\share\\", "\\\\1.2.3.4\\a b$\\"])


@given(st.lists(POSIX_NAMES, max_size=4))
def test_posix_paths_come_back(names):
    path = PurePosixPath("/" + "/".join(names))
    uri = same(from_path(path))
    assert str(uri).startswith("file:///")
    assert to_path(uri) == path == to_path(from_path(str(path)))


@given(DRIVES, st.lists(WINDOWS_NAMES, max_size=4))
def test_windows_paths_come_back(drive, names):
    path = PureWindowsPath(drive + "\\".join(names))
    uri = same(from_path(path))
    assert str(to_path(uri, windows=True, hosts=["SERVER", "1.2.3.4"])) == str(path)


@pytest.mark.parametrize(("path", "uri"), [
    ("/", "file:///"), ("/a b/%41#?", "file:///a%20b/%2541%23%3F"), ("/c:/x", "file:///c:/x"),
    ("/\udcff", "file:///%FF"), (PureWindowsPath("c:/"), "file:///c:/"),
    (PureWindowsPath("c:\\a\\é"), "file:///c:/a/%C3%A9"),
    (PureWindowsPath(r"\\srv\share\x"), "file://srv/share/x"),
    (PureWindowsPath(r"\\srv\share"), "file://srv/share/"),
])  # fmt: skip
def test_uris_of_paths(path, uri):
    assert str(from_path(path)) == uri


@each_case(("path", "words"), TABLES["no_uris_of_paths"])
def test_no_uris_of_paths(path, words):
    with pytest.raises(ComponentError, match=words) as caught:
        from_path(path)
    assert caught.value.component == "path"


def test_a_name_without_octets():
    for path in ("/\ud800", PureWindowsPath("c:/\ud800")):
        with pytest.raises(EncodingError, match=r"U\+D800"):
            from_path(path)


@pytest.mark.parametrize(("uri", "options", "path"), [
    ("file:///a%20b", {}, PurePosixPath("/a b")), ("file:/a/", {}, PurePosixPath("/a")),
    ("FILE://LocalHost/", {}, PurePosixPath("/")),
    ("file://h/a", {"hosts": ["H"]}, PurePosixPath("/a")),
    ("file:///%5C%C3%A9", {}, PurePosixPath("/\\é")),
    ("file:///c%3A/x", {"windows": True}, PureWindowsPath("c:/x")),
    ("file://h/s/x", {"windows": True, "hosts": ["h"]}, PureWindowsPath(r"\\h\s\x")),
])  # fmt: skip
def test_paths_of_uris(uri, options, path):
    found = to_path(uri, **options)
    assert (found, type(found)) == (path, type(path))


@each_case(("uri", "options", "component", "offset", "words"), TABLES["no_paths_of_uris"])
def test_no_paths_of_uris(uri, options, component, offset, words):
    with pytest.raises(SchemeError, match=words) as caught:
        to_path(uri, **options)
    error = caught.value
    assert (error.text, error.component, error.offset) == (uri, component, offset)
    assert error.scheme == (parse(uri).scheme)
    assert "secret" not in str(error)
