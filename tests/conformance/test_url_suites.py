"""Suites of RFC 1738's rules judge readers of FTP and gopher URLs: parts, and what is sent."""

from urllib.parse import unquote_to_bytes, urlsplit

import pytest

from uriparse.conformance import suite


def rows(rule):
    found = [row for row in suite(rule, grammar="rfc1738") if row.valid]
    assert len(found) > 150
    return found


def gopher_request(text):
    """Read a gopher URL as curl does: all after the type is decoded and sent as it is."""
    path = "".join(text.split("/", 3)[3:])
    return (unquote_to_bytes(path)[1:] + b"\r\n").decode("latin-1")


def ftp_lines(text):
    """Read an FTP URL as urllib does: user, password and directories between the slashes."""
    split = urlsplit(text.replace("?", "%3F"))
    path, _, code = split.path.removeprefix("/").partition(";")
    login, at, _ = split.netloc.rpartition("@")
    user, colon, password = login.partition(":")
    lines = [b"USER " + (unquote_to_bytes(user) if at else b"anonymous")]
    if at:
        lines.append(b"PASS " + unquote_to_bytes(password) if colon else b"PASS <password>")
    else:
        lines.append(b"PASS <e-mail address>")
    *directories, name = path.split("/")
    lines += [b"CWD " + unquote_to_bytes(directory) for directory in directories]
    if code[-1:].lower() == "d" or not (code or name):
        lines.append(b" ".join([b"NLST", *([unquote_to_bytes(name)] if name else [])]))
    else:
        lines.append(b"RETR " + unquote_to_bytes(name))
    return [line.replace(b"\xff", b"\xff\xff") for line in lines]


def test_another_reader_of_gopher_urls_sends_the_same():
    judged = 0
    for row in rows("gopherurl"):
        if row.components is not None and row.components.get("plan") is not None:
            assert row.components["plan"] == gopher_request(row.text), row.text
            assert row.components["host"].lower() == urlsplit(row.text).hostname
            judged += 1
    assert judged > 400


def test_another_reader_of_ftp_urls_sends_the_same():
    judged = 0
    for row in rows("ftpurl"):
        parts = row.components
        if parts.get("plan") is not None:
            lines = parts["plan"].encode("latin-1").split(b"\r\n")
            assert [one for one in lines if one[:5] != b"TYPE "] == [*ftp_lines(row.text), b""], row
            judged += 1
        assert parts["host"].lower() == urlsplit(row.text.replace("?", "%3F")).hostname
    assert judged > 800


@pytest.mark.parametrize(("rule", "fields"), [
    ("prosperourl", {"host", "port", "hsoname", "fields"}), ("fileurl", {"host", "path"}),
    ("telneturl", {"user", "password", "host", "port", "urlpath"}), ("mailtourl", {"address"}),
    ("newsurl", {"kind", "group", "unique", "domain"}),
])  # fmt: skip
def test_every_valid_row_has_the_fields_of_its_scheme(rule, fields):
    found = [row for row in suite(rule, grammar="rfc1738", method="transition") if row.valid]
    assert len(found) > 20
    assert all(row.components.keys() - {"plan"} == fields for row in found)


def test_a_rule_of_a_part_has_no_components():
    assert {row.components for row in suite("port", grammar="rfc1738") if row.valid} == {None}


def test_two_pairs_are_as_in_the_url():
    suites = [row for row in rows("prosperourl") if row.components["fields"].count(";") == 2]
    assert suites
    assert all(row.text.endswith(row.components["fields"]) for row in suites)
