"""Policies judge what browsers make of a text, where they are asked to."""

import pytest
from cases import each_case

from uriparse import whatwg
from uriparse.validation import Policy, validate


@each_case(("text", "codes"), [
    ("https://example.com/", []), ("HTTPS:\\\\EXAMPLE.com\\a b", []), ("https:example.com", []),
    ("http:\\\\good.com\\@evil.com", []),  # it is good.com, and so is the target
    ("http://good.com\\@127.0.0.1", []), ("http://0x7f.1/", ["address-refused"]),
    ("http://u:p@h.com/", ["userinfo"]), ("file:///etc/passwd", ["scheme-other"]),
    ("javascript:alert(1)", ["scheme-other"]), ("https://example.com/a|b", ["syntax"]),
    ("//example.com", ["syntax"]), ("http://h:x", ["syntax"]), ("http://h:99999", ["syntax"]),
    (b"http://h/\xff", ["syntax"]),
])  # fmt: skip
def test_the_url_is_judged(text, codes):
    report = validate(text, reading="whatwg")
    assert report.accepted == (not codes)
    assert [found.code for found in report.reasons][: len(codes)] == codes
    if report.accepted:
        assert report.text == whatwg.parse(text).href
        assert report.target.url == report.text.partition("#")[0]


def test_what_browsers_refuse_is_a_finding_of_syntax():
    report = validate("http://h.com:99999/a", reading="whatwg")
    found, malformed = report.reasons
    assert malformed.code == "malformed"
    assert (found.code, found.layer, found.span, found.component) == (
        "syntax", "syntax", (13, 14), "port",
    )  # fmt: skip
    assert found.message == "port-out-of-range: the port is above 65535 (offset 13)"
    assert report.record is None
    assert report.as_dict()["accepted"] is False
    assert found.remedy is None
    # That is what refuses it where a policy has syntax off.
    assert not validate(
        "http://h:x", Policy(hosts="*", severity={"syntax": "off"}), reading="whatwg"
    )


def test_targets_are_those_of_browsers():
    """The reading by the RFC may be another: both hosts are good ones, each by its own."""
    text = "http://good.com\\@evil.com/"
    assert not validate(text).accepted
    assert validate(text, reading="whatwg").target.host == "good.com"


def test_other_readings_are_refused():
    for wrong in ("WHATWG", "browser", ""):
        with pytest.raises(ValueError, match="reading"):
            validate("http://h/", reading=wrong)
    with pytest.raises(TypeError, match="reading"):
        validate("http://h/", reading=None)
    assert validate("https://example.com/", reading="rfc").accepted
