"""The program curl as a peer: what it is asked, what it says, and that it goes nowhere."""

import json
import os
import socket
from shutil import which

import pytest
from cases import each_case
from command_runs import run_program

from uriparse.conformance.peers import curl
from uriparse.conformance.peers.asking import Panel
from uriparse.conformance.peers.catalogue import DESTINATION_PEERS
from uriparse.conformance.peers.coprocess import Silence
from uriparse.conformance.peers.destinations import Destination, Refusal
from uriparse.conformance.peers.tasks import RefusedError

CURL = next(each for each in DESTINATION_PEERS if each.name == "curl")
LIBCURL = next(each for each in DESTINATION_PEERS if each.name == "libcurl")

on_posix = pytest.mark.skipif(os.name != "posix", reason="a script in place of the program")

# As curl 8.14.1 wrote it, but for what is null.
WRITTEN = {
    "http://u:p@0x7f.1?": {"errormsg": 'Protocol "http" disabled', "exitcode": 1,
                           "url.host": "127.0.0.1", "url.path": "/", "url.port": "80",
                           "url.query": None, "url.scheme": "http"},
    "foo://a/b": {"errormsg": 'Protocol "foo" not supported', "exitcode": 1, "url.host": "a",
                  "url.path": "/b", "url.port": None, "url.query": None, "url.scheme": "foo"},
}  # fmt: skip
TEXTS = [
    *("http://h/", "http://h?", "http://a;b.com/x", "http://u:p@[::1]:8/%7e/../b?q#f"),
    *("http://0x7f.1/", "http://h/\"\\'", "h.com/a", "http://h/\u00e9", "HTTPS://H/{a,b}[1-2]"),
]


def outcomes(texts):
    with Panel([CURL], patience=60, start_up=60) as panel:
        return panel.members, panel.outcomes(texts)


def asked_newer(texts):
    """Ask the program that is here about texts, if it can be asked."""
    members, found = outcomes(texts)
    if not members or isinstance(found[0][0], Silence):
        pytest.skip("no curl that tells the parts of a URL")
    return [one for [one] in found]


def readable(outcome):
    """A reading, or None for a refusal, of which the program tells less than its library."""
    return outcome if isinstance(outcome, Destination) else None


@pytest.fixture
def instead(tmp_path, monkeypatch):
    """Put a script in the place of curl; it is given as the lines of a shell."""

    def put(script):
        program = tmp_path / "curl"
        program.write_text(f"#!/bin/sh\n{script}\n", "ascii")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    return put


@pytest.mark.slow
@on_posix
@pytest.mark.parametrize("version", ["7.88.1", "8.0.1", "7.9.8-DEV"])
def test_an_old_one_has_a_row_that_says_what_is_needed(instead, version):
    instead(f"echo 'curl {version} (x86_64) libcurl/{version}'")
    [(name, _)], found = outcomes(["http://h/"])
    reason = f"did not start: needs curl 8.1.0 or later, found {version.partition('-')[0]}"
    assert (name, found) == ("curl", [(Silence(reason),)])


@on_posix
def test_a_newer_one_is_given_no_url_among_its_arguments(instead, tmp_path):
    """Others see those; and it is told to use no protocol, no file of options and no proxy."""
    plain = {"url.host": "example.com", "url.path": "/a", "url.query": "b"}
    instead(f"""
        if [ "$2" = --version ]; then
            echo "curl 8.14.1 (x86_64) libcurl/8.14.1"
            echo "Protocols: ftp http"
            exit
        fi
        printf '%s\\n' "$@" > '{tmp_path}/arguments'
        cat > '{tmp_path}/input'
        echo '{json.dumps(WRITTEN["http://u:p@0x7f.1?"] | plain)}'
        exit 1
    """)
    members, found = outcomes(['http://u:S3cr3T@h/"\\\n'])
    assert [version for _, version in members] == ["8.14.1"]
    assert found == [(Destination("http", "example.com", 80, "/a?b"),)]
    arguments = (tmp_path / "arguments").read_text("ascii").splitlines()
    assert arguments[0] == "-q"
    assert arguments[arguments.index("--proto") + 1] == "-all"
    assert arguments[arguments.index("--noproxy") + 1] == "*"
    assert not any("S3cr3T" in argument for argument in arguments)
    assert (tmp_path / "input").read_text("ascii") == 'url = "http://u:S3cr3T@h/\\"\\\\\\n"\n'


@pytest.mark.slow
def test_none_has_no_row(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert outcomes(["http://h/"]) == ((), [()])


def test_what_it_writes_is_read():
    read = curl.answer(json.dumps(WRITTEN["http://u:p@0x7f.1?"]), {"http"})
    server = {"scheme": "http", "host": "127.0.0.1", "port": "80"}
    assert read == {**server, "path": "/", "query": None}
    with pytest.raises(RefusedError, match=r"^exit code 1$"):
        curl.answer(json.dumps(WRITTEN["foo://a/b"]), {"http"})


@pytest.mark.slow
def test_it_reads_as_its_library_does():
    found = asked_newer(TEXTS)
    said = run_program(which("curl"), "--version").stdout
    assert found[TEXTS.index("http://0x7f.1/")].host == "127.0.0.1"
    with Panel([LIBCURL], patience=60, start_up=60) as panel:
        for _, version in panel.members:
            if f"libcurl/{version}" in said.split():
                theirs = [one for [one] in panel.outcomes(TEXTS)]
                assert list(map(readable, theirs)) == list(map(readable, found))


@each_case("text", ["http:a", "http://a b/", "[x", "", "foo://h/", "http://h\0/"])
def test_what_it_refuses(text):
    assert isinstance(asked_newer(["http://h/", text])[1], Refusal)


def test_it_connects_to_nothing(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        here = f"127.0.0.1:{server.getsockname()[1]}"
        for name in ("http_proxy", "https_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://{here}")
        schemes = ("http", "https", "ftp", "dict", "telnet", "gopher")
        asked_newer([f"{scheme}://{here}/" for scheme in schemes])
        with pytest.raises(TimeoutError):
            server.accept()
