"""`uriparse diff`: what it writes, how wide, what it hides, and its exit code."""

import io
import json
import re
import sys

import pytest
from cases import documents, tables
from conformance.peers.misbehaving import peer

from uriparse.cli import main
from uriparse.conformance.peers import asking
from uriparse.conformance.peers.catalogue import Peer

TABLES = tables(__file__)

CONSTANT = documents(__file__)["CONSTANT"]


def says(*values, name="other"):
    """Give a peer that says the same of every text."""
    what = values[0] if len(values) == 1 else values
    return Peer(name, sys.executable, ("-c", CONSTANT, json.dumps(what)))


@pytest.fixture
def diff(monkeypatch, capsys):
    def call(*argv, readers, stdin=b""):
        monkeypatch.setattr(asking, "DESTINATION_PEERS", readers)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(["diff", *argv])
        out, err = capsys.readouterr()
        assert not err
        return code, out

    return call


def test_a_table(diff):
    readers = [
        says("http", "h", 80, "/a", name="same"), says("http", "evil", 80, "/a", name="host"),
        says("http", "h", 81, "/a", name="port"), says("https", "h", 80, "/a", name="scheme"),
        says("http", "h", 80, "/b", name="target"), says("refuses", name="strict"), peer("crash"),
    ]  # fmt: skip
    code, out = diff("http://h/a", readers=readers)
    assert code == 1
    assert re.sub(r"\d+\.\d+\.\d+\S*", "0.1.0", out).splitlines() == [
        "http://h/a", "  uriparse  0.1.0  http   h     80  /a",
        "  same      2.0    http   h     80  /a", "≠ host      2.0    http   evil  80  /a",
        "≠ port      2.0    http   h     81  /a", "≠ scheme    2.0    https  h     80  /a",
        "~ target    2.0    http   h     80  /b", "  strict    2.0    refuses: InvalidURL",
        "! crash     1.0    crashed",
        "≠ another scheme, host or port   ~ another request-target   ! no answer",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("text", "values", "code"), TABLES["who_agrees"])
def test_who_agrees(diff, text, values, code):
    found, out = diff("--json", text, readers=[says(*values)])
    assert found == code
    assert json.loads(out)["agree"] is (code == 0)


def test_json(diff):
    readers = [says("http", "evil", 80, "/"), says("refuses", name="strict"), peer("crash")]
    code, out = diff("--json", "http://h/", "-", readers=readers, stdin=b"http://evil/\n")
    first, second = map(json.loads, out.splitlines())
    assert code == 1
    version = first["uriparse"].pop("version")
    assert re.fullmatch(r"\d+\.\d+.*", version)
    assert first == TABLES["json"]
    assert second["line"] == 1
    assert second["agree"] is True


@pytest.mark.slow
@pytest.mark.parametrize(("text", "values"), TABLES["passwords_are_hidden"])
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_passwords_are_hidden(diff, text, values, options):
    _, out = diff(*options, text, readers=[says(*values)])
    assert "hunter" not in out.lower().replace("%68", "h")
    assert "***" in out


def test_a_short_password_is_not_shown_by_what_it_blots_out(diff):
    _, out = diff("http://u:a@example.com/a", readers=[says("http", "example.com", 80, "/a")])
    assert out.splitlines()[0] == "http://u:***@example.com/a"
    assert out.count("***") == 1
    assert out.count("example.com") == 3


@pytest.mark.slow
def test_the_readers_that_are_always_there(capsys):
    """Not what is installed, but that it is run: Python's own."""
    main(["diff", "--json", "http://0x7f.1/"])
    found = json.loads(capsys.readouterr().out)
    readers = {each["name"]: each for each in found["readers"]}
    assert readers["urllib.parse"]["verdict"] == "same"
    assert readers["urllib.request"]["host"] == "0x7f.1"
