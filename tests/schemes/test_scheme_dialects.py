"""Three readings of one text."""

from cases import each_case, vectors
from hypothesis import given
from hypothesis import strategies as st

from uriparse import Policy, is_valid, validate
from uriparse.grammar import charset
from uriparse.schemes.dialects import COMPONENTS, dialects

NAMES = ("rfc1738", "rfc2396", "rfc3986")


@each_case("case", vectors("schemes_dialects"))
def test_dialects(case):
    view = dialects(case["text"])
    assert {reading.dialect: reading.accepts for reading in view.readings} == case["accepts"]
    assert [difference.component for difference in view.differences] == case["differences"]
    for dialect, host in case["hosts"].items():
        assert getattr(view, dialect).host == host
    assert all(difference.reason for difference in view.differences)
    for reading in view.readings:
        assert (reading.error is None) == reading.accepts
        assert set(reading.components) == (set(COMPONENTS) if reading.accepts else set())


@each_case("case", vectors("dialect_matrix"))
def test_the_matrix(case):
    """RFC 1738 has no fragment in its rules; `dialects` splits it off, as it prescribes."""
    view = dialects(case["string"])
    assert view.rfc2396.accepts is case["rfc2396"]
    assert view.rfc3986.accepts is case["rfc3986"]
    if "#" not in case["string"]:
        assert view.rfc1738.accepts is case["rfc1738_scheme_rule"]


def test_sets_that_differ():
    """D-001, D-002, D-003"""
    unreserved = {name: charset("unreserved", name) for name in NAMES}
    letters = frozenset.intersection(*unreserved.values()) - frozenset("-._")
    assert len(letters) == 62
    assert {name: "".join(sorted(found - letters)) for name, found in unreserved.items()} == {
        "rfc1738": "!$'()*+,-._", "rfc2396": "!'()*-._~", "rfc3986": "-._~",
    }  # fmt: skip
    reserved = {name: charset("reserved", name) for name in NAMES}
    assert reserved["rfc1738"] == frozenset(";/?:@&=")
    assert reserved["rfc2396"] - reserved["rfc1738"] == frozenset("+$,")
    assert reserved["rfc3986"] - reserved["rfc2396"] == frozenset("#[]!'()*")


def test_hosts_that_differ():
    """X-022"""
    assert dialects("ftp://host?x@evil.d/").hosts_differ
    assert not dialects("ftp://host.d/x@evil.d/").hosts_differ
    assert not dialects("http://a\\@b/").hosts_differ
    assert dialects("http://h.d/").agree
    assert dialects("http://h.d/|").agree
    assert not dialects("http://h.d/~").agree
    assert not dialects("ftp://host?x@evil.d/").agree


@each_case("scheme", ["http", "HTTPS", "ftp", "Telnet", "gopher", "wais", "nntp", "file", "x"])
def test_only_rfc_1738_sees_another_host_in_a_query(scheme):
    for host in ("h", "H.d", "u@h", "h_h", "1.2.3.4", "[::1]", "h:21", "%41", ""):
        for query in ("@", "x@e.d", "x:y@h", "x@E.d:1", "x@1.2.3.4", "x@e.d/a", "x;y@e_d", "@@"):
            text = f"{scheme}://{host}?{query}"
            codes = [found.code for found in validate(text, Policy.web(schemes="*")).findings]
            is_told = "dialect-host-mismatch" in codes
            assert is_told is (dialects(text).hosts_differ and is_valid(text)), text


def test_components_of_rfc_2396():
    view = dialects("http://u:p@h.d:80/a;b?c#d").rfc2396
    assert dict(view.components) == {
        "scheme": "http", "userinfo": "u:p", "host": "h.d", "host_kind": "name", "port": "80",
        "path": "/a;b", "query": "c", "fragment": "d",
    }  # fmt: skip
    assert dialects("http://1.2.3.4").rfc2396.components["host_kind"] == "IPv4"
    assert dialects("").rfc2396.components["path"] == ""


@given(st.text(alphabet="ahtpf:/?#@[]%41.;_~-", max_size=24))
def test_any_text_has_three_verdicts(text):
    view = dialects(text)
    for reading in view.readings:
        assert reading.accepts or 0 <= reading.error.offset <= len(text)
    if view.rfc1738.accepts and view.rfc1738.record is not None:
        assert str(view.rfc1738.record) == text
