"""Policies: what they allow, that nothing is allowed by itself, and what is said of wrong ones."""

import contextlib
import dataclasses
import ipaddress
import pickle
import pydoc
import socket
from typing import get_args
from urllib.parse import unquote, urlsplit

import pytest
from cases import each_case, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from uriparse.validation import (
    CATALOGUE,
    Layer,
    Policy,
    PolicyDefinitionError,
    PolicyError,
    Severity,
    check,
    compiled_policy,
    is_local_redirect,
    report,
    validate,
)

TABLES = tables(__file__)

EXAMPLE = "https://www.example.net:8443/a?b#c"
UNPROTECTED = {"agreement": None, "allowed_addresses": "*", "allowed_names": "*"}
ALLOWED = {"schemes": ["https"], "hosts": [".example.net"], "ports": [8443]}
LAYERS = get_args(Layer)
OCTETS = [f"%{octet:02{digits}}" for octet in range(256) for digits in "xX"]


def codes(text, **settings):
    return {found.code for found in validate(text, Policy(**settings)).reasons}


def test_a_policy_is_outbound_but_for_what_is_named():
    assert Policy() == Policy.from_dict({}) == Policy.outbound()
    assert Policy(schemes=["https"]) == Policy.outbound().replace(schemes=["https"])
    assert not codes(EXAMPLE)
    assert codes("http://10.0.0.1/", hosts="*") == {"address-refused"}
    assert codes("https://localhost/", schemes=["https"]) == {"name-refused"}


@each_case("text", ["http://10.0.0.1/", "http://h/ ", "tel:1", "http://a.com/"])
def test_a_text_is_read_once(text, monkeypatch):
    read, policy = [], Policy()
    reader = compiled_policy.compiled(policy).read
    compiled_policy.compiled(policy).read = lambda text: read.append(text) or reader(text)
    monkeypatch.setattr(report, "is_valid", read.append)
    assert bool(validate(text, policy).reasons) is (text != "http://a.com/")
    assert len(read) <= 1


@pytest.mark.parametrize("name", ["outbound", "web", "strict", "syntax"])
def test_a_preset_takes_settings(name):
    made = getattr(Policy, name)
    assert made(hosts=["h"], max_length=9) == made().replace(hosts=["h"], max_length=9) != made()
    with pytest.raises(TypeError, match='unknown setting "allowed_hosts"; write hosts=, a list'):
        made(allowed_hosts=["h"])
    local = Policy.redirect("http://h/", max_length=9)
    assert local == Policy.redirect("http://h/").replace(max_length=9)


@pytest.mark.parametrize("setting", ["schemes", "hosts", "ports"])
def test_a_list_allows_its_entries_alone_and_an_empty_one_nothing(setting):
    assert not codes(EXAMPLE, **{setting: ALLOWED[setting]})
    others = {"schemes": ["http"], "hosts": ["www.example.net.", "net"], "ports": ["default"]}
    for listed in (others[setting], []):
        assert codes(EXAMPLE, **{setting: listed}) >= {f"{setting[:-1]}-refused"}


@pytest.mark.parametrize(("text", "settings", "code"), TABLES["what_is_missing_satisfies_no_list"])
def test_what_is_missing_satisfies_no_list(text, settings, code):
    assert code in codes(text, **settings)


@each_case(("host", "entry", "listed"), TABLES["hosts_are_compared_as_they_are_written"])
def test_hosts_are_compared_as_they_are_written(host, entry, listed):
    policy = Policy(hosts=[entry], schemes=["http"], **UNPROTECTED)
    assert validate(f"http://{host}/", policy).accepted is listed


@pytest.mark.parametrize(("port", "ports", "listed"), TABLES["ports_are_compared_as_numbers"])
def test_ports_are_compared_as_numbers(port, ports, listed):
    policy = Policy(schemes=["http"], hosts="*", ports=ports, **UNPROTECTED)
    assert validate(f"http://h{port}/", policy).accepted is listed


@each_case(("data", "message"), TABLES["what_is_wrong_is_named_by_its_place"])
def test_what_is_wrong_is_named_by_its_place(data, message):
    with pytest.raises(PolicyDefinitionError) as caught:
        Policy.from_dict(data, name="p.toml")
    assert str(caught.value).startswith(f"p.toml: {message}")


@pytest.mark.parametrize(("call", "message"), [
    (lambda: Policy.from_dict(5), "data must be a mapping of settings, not int"),
    (lambda: Policy.from_toml(b"a = 1"), "text must be a str, not bytes"),
    (lambda: Policy().admit("9.9.9.9"), "addresses must be an iterable of addresses, not str"),
    (lambda: Policy().admit(5), "addresses must be an iterable of addresses, not int"),
])  # fmt: skip
def test_what_is_of_another_type_is_named(call, message):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == message


def test_a_file_that_is_no_toml():
    with pytest.raises(PolicyDefinitionError, match=r"^p\.toml: "):
        Policy.from_toml("a = ", name="p.toml")


def test_policies_are_values():
    policy = Policy.outbound()
    assert policy == Policy.from_toml('preset = "outbound"')
    assert hash(policy) == hash(Policy.outbound())
    assert policy != policy.replace(userinfo=True)
    assert pickle.loads(pickle.dumps(policy)) == policy
    with pytest.raises(AttributeError):
        policy.userinfo = True


def test_reports_and_errors_can_be_pickled():
    for text in ("http://a.com/", "http://127.1/", "http://u@h/", "http://u:p@h /"):
        report = validate(text, Policy.outbound())
        assert bool(report.reasons) is (text != "http://a.com/")
        again = pickle.loads(pickle.dumps(report))
        assert (again.text, again.accepted, again.policy) == (text, report.accepted, report.policy)
        assert [one.code for one in again.findings] == [one.code for one in report.findings]
    with pytest.raises(PolicyError) as caught:
        check("http://127.1/")
    assert pickle.loads(pickle.dumps(caught.value)).report.text == "http://127.1/"


def test_severities_can_be_changed_by_code_and_by_scheme():
    weights = {"non-default-port": "error", "http:non-default-port": "off"}
    policy = Policy.syntax().replace(severity=weights)
    assert validate("http://h:81/", policy).accepted
    assert not validate("https://h:81/", policy).accepted
    assert not validate("http://h:81/", policy.replace(refuse="warning")).accepted


def test_all_codes_can_be_made_light_for_one_scheme():
    weights = {f"http:{code}": "info" for code in CATALOGUE}
    policy = Policy(schemes=[], hosts=[], severity=weights, **UNPROTECTED)
    report = validate("http://u@h:81/#f", policy)
    assert report.accepted
    assert report.reasons == ()
    assert check("http://u@h:81/#f", policy).host == "h"
    assert not validate("https://h/", policy).accepted


@pytest.mark.parametrize("scheme", ["http", "HTTP", "hTTp"])
def test_the_scheme_of_a_severity_is_in_any_letter_case(scheme):
    policy = Policy.syntax().replace(severity={f"{scheme}:non-default-port": "error"})
    for text in ("http://h:81/", "HTTP://h:81/"):
        assert not validate(text, policy).accepted
    assert validate("https://h:81/", policy).accepted


@each_case(("text", "local"), TABLES["redirects"])
def test_redirects(text, local):
    assert is_local_redirect(text, "https://h.com/a/b") is local


@pytest.mark.parametrize("reference", ["?@evil.com/", "#@evil.com/", "?", "#"])
def test_a_redirect_puts_a_path_after_the_authority(reference):
    assert is_local_redirect(reference, "https://h.com/")
    assert not is_local_redirect(reference, "https://h.com")
    assert is_local_redirect(f"/{reference}", "https://h.com")


def test_a_redirect_holds_labels_to_the_rule_of_destinations():
    assert is_local_redirect("https://xn--tda.com/", "https://xn--tda.com/")
    assert not is_local_redirect("https://xn--u-ccb.com/", "https://xn--u-ccb.com/")


def test_addresses_are_permitted_by_class():
    policy = Policy.outbound()
    for text in ("127.0.0.1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "::1", "fe80::1"):
        assert not policy.permits(ipaddress.ip_address(text))
    for text in ("::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::", "0.0.0.0", "::"):
        assert not policy.permits(text)
    assert policy.permits("9.9.9.9")
    assert [str(one) for one in policy.admit(["9.9.9.9", "::1", "2620:fe::fe"])] == [
        "9.9.9.9",
        "2620:fe::fe",
    ]
    with pytest.raises(TypeError, match="not int"):
        policy.permits(5)
    assert not Policy.syntax().permits("0.0.0.0")


def test_the_target_is_what_was_checked():
    target = check("HTTPS://Example.NET:8443/a?b#c", Policy.web())
    assert (target.scheme, target.host, target.port) == ("https", "example.net", 8443)
    assert target.url == "https://example.net:8443/a?b"
    assert target.origin == "https://example.net:8443"
    assert check("http://[2620:fe::fe]/", Policy.web()).origin == "http://[2620:fe::fe]"
    with pytest.raises(PolicyError, match=r"^scheme-refused: ") as caught:
        check("ftp://h/", Policy.web())
    assert caught.value.report.reasons[0].severity is Severity.ERROR
    with pytest.raises(ValueError, match="has no host"):
        check("urn:a:b", Policy.syntax())


@each_case(("text", "url"), TABLES["the_target_has_one_spelling"])
def test_the_target_has_one_spelling(text, url):
    target = check(text, Policy.syntax())
    assert target.url == url
    assert check(url, Policy.syntax()).url == url
    assert check(url, Policy.syntax()).origin == target.origin


@given(
    st.sampled_from(["http", "HTTP", "https", "HttpS"]),
    st.sampled_from(["h.COM", "A.b", "9.9.9.9", "[2620:fe::fe]"]),
    st.sampled_from(["", ":80", ":443", ":8080"]),
    st.sampled_from(["", "/", "/A%c3%A9/", "/?b", "?B", "/..#c", "#d"]),
)
def test_equivalent_texts_have_one_target(scheme, host, port, rest):
    policy = Policy.web().replace(allowed_addresses="*", allowed_names="*")
    target = check(f"{scheme}://{host}{port}{rest}", policy)
    plain = f"{scheme.lower()}://{host.lower()}{port}{rest.partition('#')[0]}"
    assert target == check(plain, policy)
    assert urlsplit(target.url).path.startswith("/")
    assert urlsplit(target.url).port in (None, 80, 443, 8080)
    # Over TLS a client has another name for an IPv6 address, in whatever spelling.
    assert validate(target.url).accepted is not target.url.startswith("https://[")


ANYTHING = st.one_of(
    st.text(),
    st.binary(),
    st.lists(st.sampled_from(["http://", "u:S3cr3T@", "h", "/", "%", ":", "[", " "])).map("".join),
    st.lists(st.sampled_from(["http://", "u@", "a_b", ".", "%2e", "/", ":", "0"])).map("".join),
)
POLICIES = st.sampled_from(
    [
        Policy(),
        Policy.syntax(),
        Policy.web(),
        Policy.outbound(),
        Policy.strict(),
        Policy.redirect("http://h/"),
        Policy.syntax().replace(grammar="rfc3987", relative=True),
        Policy.syntax().replace(rule="host"),
        Policy.outbound().replace(agreement="request"),
    ]
)


@given(ANYTHING, POLICIES)
def test_no_text_raises_and_the_verdict_is_that_of_the_findings(text, policy):
    report = validate(text, policy)
    assert bool(report) is report.accepted
    errors = [found for found in report.findings if found.severity is Severity.ERROR]
    if policy.refuse is Severity.ERROR:
        assert report.accepted is (not errors)
        assert list(report.reasons) == errors
    places = [(found.span, LAYERS.index(found.layer)) for found in report.findings]
    assert places == sorted(places)
    assert "u:S3cr3T@" not in f"{report}{report!r}{report.as_dict()}"
    assert (report.target is None) or report.accepted


ALLOW_LISTS = st.fixed_dictionaries(
    {
        "schemes": st.sampled_from(["*", ["HTTP"], ["https", "Ftp"], []]),
        "hosts": st.sampled_from(["*", "*", [".com"], ["9.9.9.9", "a.com"]]),
        "ports": st.sampled_from(["*", "*", ["default"], [80], ["default", 25]]),
        "userinfo": st.booleans(),
        "fragment": st.booleans(),
        "bad_ports": st.booleans(),
        "agreement": st.sampled_from([None, "destination", "request"]),
        "refused_addresses": st.sampled_from([[], ["mapped"], ["9.0.0.0/8", "::1"]]),
        "allowed_addresses": st.sampled_from([[], ["private"], ["10.0.0.0/8", "::1"], "*"]),
        "refused_names": st.sampled_from([[], ["example"], ["localhost"]]),
        "allowed_names": st.sampled_from([[], ["localhost", "example"], ["single-label"], "*"]),
        "max_length": st.sampled_from([None, 30]),
        "max_segments": st.sampled_from([None, 3]),
        "max_parameters": st.sampled_from([None, 2]),
        "refuse": st.sampled_from(["error", "error", "warning"]),
        "relative": st.sampled_from([False, False, True]),
    }
)
JUDGED = st.tuples(
    st.sampled_from(["http:", "HTTPS:", "ftp:", "x:", ""]),
    st.sampled_from(["//", "//", "//u@", ""]),
    st.sampled_from(["a.com", "b.c.example.com", "localhost", "10.0.0.1", "9.9.9.9", "[::1]", ""]),
    st.sampled_from(["", "", ":80", ":8", ":25", ":025"]),
    st.sampled_from(["", "/", "/a/b/c", "/a/b/c/d"]), st.sampled_from(["", "?a&b", "?a&b&c"]),
    st.sampled_from(["", "#f"]),
).map("".join)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=8 * settings.default.max_examples)
@given(JUDGED, ALLOW_LISTS)
def test_the_quick_way_to_yes_is_the_verdict_of_all_checks(text, lists):
    policy = Policy(**lists)
    report = validate(text, policy)
    refusing = ("error", "warning")[: 1 + (policy.refuse == "warning")]
    refused = any(found.severity in refusing for found in report.findings)
    assert report.accepted is not refused


def test_a_scheme_that_is_missing_is_called_none():
    (found,) = validate("//h", Policy.web().replace(relative=True)).reasons
    assert found.message.endswith(": none")


def test_an_encoded_name_is_the_name_that_it_encodes():
    policy = Policy.web().replace(refused_names=["localhost"])
    found = validate("http://%6cocalhost/", policy).reasons
    assert [one.code for one in found] == ["name-refused"]
    assert validate("http://%ff%6cocalhost/", policy).accepted


class Asked(frozenset):
    """A set that adds up the characters of what it is asked for."""

    characters = 0

    def __contains__(self, item):
        self.characters += len(item)
        return super().__contains__(item)


def test_a_host_of_many_labels_is_looked_up_by_short_suffixes_alone():
    policy = Policy(schemes=["http"], hosts=[".example.com"], max_length=None, agreement=None)
    asked = Asked(policy.hosts)
    object.__setattr__(policy, "hosts", asked)
    host = "a." * 5_000
    for name, accepted in {"example.com": True, "x": False}.items():
        asked.characters = 0
        assert validate(f"http://{host}{name}/", policy).accepted == accepted
        assert asked.characters < 5 * len(host)


HOSTILE = st.tuples(
    st.sampled_from(["http:", "https:", "HTTP:", "ftp:", "ws:", "com.example.app:", ""]),
    st.sampled_from(["//", "//", "//", "//u@", "/", ""]),
    st.lists(
        st.sampled_from(
            [
                *("a", "example", "com", "com", "localhost", "internal", "127", "0177", "0x7f"),
                *("1", "10", "0", "a_b", "-a", "xn--a", "a;b", "%2e", "%2F", "%40", "é", ""),
            ]
        ),
        min_size=1,
        max_size=4,
    ).map(".".join)
    | st.sampled_from(["[::1]", "[::ffff:10.0.0.1]", "[v1.a]", "169.254.169.254", "9.9.9.9", ""]),
    st.sampled_from(["", "", ":", ":80", ":443", ":25", ":6000", ":0", ":65616", ":8080"]),
    st.sampled_from(["", "/", "/a", "//b", "?q", "/?q", "/~u/%2e"]), st.sampled_from(["", "#f"]),
).map("".join)  # fmt: skip
BARE = st.fixed_dictionaries(
    {},
    optional={
        "grammar": st.sampled_from(["rfc3986", "rfc3987"]),
        "schemes": st.sampled_from(["*", ["http"], ["https", "com.example.app"], ["http", "ftp"]]),
        "hosts": st.sampled_from(["*", "*", [".com", "localhost"], ["127.0.0.1", "[::1]"]]),
        "ports": st.sampled_from(["*", ["default"], ["default", 8080]]),
        "userinfo": st.booleans(),
        "fragment": st.booleans(),
        "max_length": st.sampled_from([None, 30]),
    },
)


@pytest.mark.slow
@settings(max_examples=8 * settings.default.max_examples)
@given(HOSTILE, BARE)
def test_what_lists_alone_allow_a_server_may_fetch(text, lists):
    """A policy of allow-lists takes no http or https URI that `outbound` refuses."""
    report = validate(text, Policy(**lists))
    if report.accepted and report.record.scheme.lower() in ("http", "https"):
        assert validate(text).accepted


@pytest.mark.slow
@settings(max_examples=8 * settings.default.max_examples)
@given(HOSTILE.filter(lambda text: not text.lower().startswith("http")), BARE)
def test_no_scheme_leads_to_an_address_or_name_that_is_refused(text, lists):
    """Those without agreement as well, by what `inet_aton` and a decoder make of the host."""
    report = validate(text, Policy(**lists))
    if not report.accepted or report.record.host is None:
        return
    name = unquote(str(report.record.host)).lower().strip("[]").rstrip(".")
    assert name.rpartition(".")[2] not in ("localhost", "internal")
    with contextlib.suppress(OSError):
        name = socket.inet_ntoa(socket.inet_aton(name))
    with contextlib.suppress(ValueError):
        assert ipaddress.ip_address(name).is_global


def test_a_policy_of_lists_permits_no_address_inside():
    for policy in (Policy(), Policy(schemes=["https"], hosts=[".example.com"])):
        assert not policy.permits("127.0.0.1")
        assert not policy.admit(["::1", "10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1"])
        assert policy.permits("9.9.9.9")


@pytest.mark.parametrize("made", [Policy, Policy.from_dict], ids=["arguments", "data"])
@pytest.mark.parametrize(
    ("text", "setting", "value"), TABLES["what_protects_ends_where_it_is_named_and_nowhere_else"]
)
def test_what_protects_ends_where_it_is_named_and_nowhere_else(text, setting, value, made):
    lists = {"schemes": ["http"], "hosts": "*", "ports": "*"}
    policy = made(lists) if made == Policy.from_dict else made(**lists)
    assert len(validate(text, policy).reasons) == 1
    assert validate(text, policy.replace(**{setting: value})).accepted
    others = {**UNPROTECTED, "bad_ports": True}
    del others[setting]
    assert not validate(text, policy.replace(**others)).accepted


def test_agreement_is_about_http_and_https():
    policy = Policy(schemes=["https", "com.example.app", "ftp"], hosts="*")
    for text in (
        "com.example.app:/oauth",
        "COM.example.app:/oauth?code=1",
        "ftp://a;b.com/",
        "ftp://h_.com./x",
    ):
        assert validate(text, policy).accepted
        assert validate(text, policy.replace(agreement="request")).accepted
        assert "scheme-other" in codes(text, schemes=["https"], hosts="*")
    for text in ("https:/oauth", "https://a;b.com/", "HTTPS://h.com./x"):
        assert not validate(text, policy).accepted


def test_a_reference_is_judged_as_the_scheme_of_its_base_is():
    policy = Policy(schemes=["https", "ftp"], hosts="*", relative=True)
    assert validate("//a;b.com/", policy.replace(base="ftp://h.com/")).accepted
    assert not validate("//a.com/", policy.replace(base="https://h.com/")).accepted
    assert not validate("//a.com/", policy).accepted


@pytest.mark.parametrize("ports", [["default"], [443], []])
def test_a_uri_without_a_host_is_asked_for_no_port(ports):
    policy = Policy(schemes=["com.example.app", "file"], hosts="*", ports=ports)
    for text in ("com.example.app:/oauth", "com.example.app:oauth", "file:///x"):
        assert validate(text, policy).accepted
    assert codes("file://:25/x", schemes=["file"], hosts="*", ports=ports) == {"port-refused"}
    assert codes("com.example.app:/", schemes=["com.example.app"], hosts=["a"]) == {"host-refused"}


PARTERS = [*OCTETS, *"!$&'()*+,;="]
"""What ends a host for some client, and is part of it for others."""


@pytest.mark.parametrize("agreement", [None, "destination"])
def test_no_entry_matches_a_host_that_clients_may_cut(agreement):
    policy = Policy(schemes=["https"], hosts=[".example.com", "example.com"], agreement=agreement)
    assert validate("https://evil.com.example.com/", policy).accepted
    for parter in PARTERS:
        for host in (f"evil.com{parter}.example.com", f"a.{parter}example.com"):
            found = validate(f"https://{host}/", policy).reasons
            assert "host-refused" in {one.code for one in found}, host


def test_no_suffix_matches_a_character_that_is_made_a_delimiter():
    """As U+FF0F is by IDNA 2003, in an IRI whose clients are not asked to agree."""
    policy = Policy(schemes=["https"], hosts=[".example.com"], agreement=None, grammar="rfc3987")
    assert validate("https://b\u00fccher.example.com/", policy).accepted
    delimiters = [chr(0xFF00 + ord(char) - 0x20) for char in ":/?#[]@!$&'()*+,;="] + ["\u2100"]
    for char in delimiters:
        text = f"https://evil.com{char}.example.com/"
        found = {one.code for one in validate(text, policy).reasons}
        assert found == {"host-refused"}, text


# The list of the Web Platform Tests, fetch/api/request/request-bad-port.any.js, without 0.
BLOCKED_BY_BROWSERS = """
    1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113
    115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554
    556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665
    6666 6667 6668 6669 6679 6697 10080
"""


@pytest.mark.slow
def test_the_ports_that_browsers_block_are_refused():
    blocked = {*map(int, BLOCKED_BY_BROWSERS.split())}
    outbound, web = Policy.outbound(), Policy.web()
    refused = {n for n in range(1, 65536) if not validate(f"http://h.com:{n}/", outbound).accepted}
    assert refused == blocked
    for number in blocked:
        for text in (f"https://h.com:{number}", f"http://[2620:fe::fe]:{number}/a?b"):
            (found,) = validate(text, outbound).reasons
            assert (found.code, text[slice(*found.span)]) == ("bad-port-refused", str(number))
            assert validate(text, web).accepted


@each_case(
    ("text", "ports", "refused"), TABLES["bad_ports_are_those_of_the_web_that_no_list_names"]
)
def test_bad_ports_are_those_of_the_web_that_no_list_names(text, ports, refused):
    found = codes(text, schemes="*", hosts="*", ports=ports, agreement=None)
    assert ("bad-port-refused" in found) is refused


def test_what_is_refused_is_refused_besides_the_rest():
    policy = Policy(refused_addresses=["203.0.114.0/24"], refused_names=["example"])
    for text in ("203.0.114.7", "::ffff:203.0.114.7", "64:ff9b::cb00:7207", "127.0.0.1", "::1"):
        assert not policy.permits(text), text
    assert policy.permits("203.0.115.7")
    assert policy.refused_classes(ipaddress.ip_address("203.0.114.7")) == ("203.0.114.0/24",)
    assert policy.refused_classes(ipaddress.ip_address("10.0.0.1")) == ("private",)
    for text in ("http://a.example/", "http://localhost/", "http://203.0.114.7/"):
        assert not validate(text, policy).accepted
    web = Policy.web().replace(refused_addresses=["private"], allowed_addresses="*")
    assert web.permits("127.0.0.1")
    assert not web.permits("10.0.0.1")
    assert not Policy(refused_addresses=["cloud"], allowed_addresses=["cloud"]).permits(
        "168.63.129.16"
    )


NETWORKS = st.builds(
    lambda address, length: ipaddress.ip_network((address, length), strict=False),
    st.ip_addresses(v=4, network="10.0.0.0/14"),
    st.integers(8, 32),
)


@given(
    st.lists(NETWORKS, max_size=4),
    st.lists(NETWORKS, max_size=4),
    st.ip_addresses(v=4, network="10.0.0.0/14") | st.ip_addresses(v=4),
)
def test_the_narrowest_network_decides(refused, allowed, address):
    policy = Policy(refused_addresses=map(str, refused), allowed_addresses=allowed)
    listed = [(one.prefixlen, False) for one in refused if address in one]
    listed += [(one.prefixlen, True) for one in allowed if address in one]
    narrowest = [is_allowed for length, is_allowed in listed if length == max(listed)[0]]
    expected = all(narrowest) if narrowest else Policy().permits(address)
    assert policy.permits(address) is expected
    assert policy.permits(f"::ffff:{address}") is policy.permits(f"64:ff9b::{address}") is expected
    assert not policy.permits(ipaddress.IPv6Address(0x2002 << 112 | int(address) << 80))
    assert validate(f"http://{address}/", policy).accepted is expected


@each_case(("allowed", "opened", "closed"), [
    (["10.0.0.0/8"], "10.1.2.3", ["127.0.0.1", "169.254.169.254", "192.168.0.1", "::1"]),
    (["private"], "192.168.0.1", ["127.0.0.1", "169.254.169.254", "fd00::1"]),
    (["fd00::/8"], "fd12::1", ["fc00::1", "::1", "fd12::5efe:7f00:1"]),
    ([ipaddress.ip_address("127.0.0.1")], "127.0.0.1", ["127.0.0.2", "2002:7f00:1::"]),
    (["0.0.0.0/0", "::/0"], "169.254.169.254", ["0.0.0.0", "::", "::ffff:0.0.0.0"]),
    ("*", "::1", ["0.0.0.0", "::"]),
])  # fmt: skip
def test_what_is_allowed_opens_just_that(allowed, opened, closed):
    policy = Policy(schemes=["http"], hosts="*", allowed_addresses=allowed)
    for text, is_open in {opened: True, **dict.fromkeys(closed, False)}.items():
        assert policy.permits(text) is is_open, text
        host = f"[{text}]" if ":" in text else text
        assert validate(f"http://{host}/", policy).accepted is is_open, text
    assert policy == policy.replace(refused_addresses=[], refused_names=())
    again = Policy.from_dict({"allowed_addresses": allowed, "schemes": ["http"]})
    assert again == policy


@pytest.mark.parametrize("old", ["addresses", "names"])
def test_the_old_spellings_say_what_to_write(old):
    for made in (Policy, Policy.web().replace):
        with pytest.raises(TypeError, match=f"write refused_{old} for what is refused, allowed_"):
            made(**{old: ()})
    with pytest.raises(PolicyDefinitionError, match=f"write refused_{old} for what is refused"):
        Policy.from_toml(f"{old} = []")


@pytest.mark.parametrize("text", ["http://h.com/~u?~#~", "ftp://h.com/~u", "mailto:~@h.com"])
def test_what_only_rfc_1738_forbids_is_found_where_that_is_asked_for(text):
    for policy in (Policy.syntax(), Policy.web(), Policy.outbound(), Policy.strict()):
        assert "unsafe-character" not in {one.code for one in validate(text, policy).findings}
    allowed = Policy.syntax().replace(refuse="info", severity={"non-default-port": "off"})
    for policy in (allowed, allowed.replace(refuse="off")):
        assert validate(text, policy).accepted
    asked = Policy.syntax().replace(severity={"unsafe-character": "warning"})
    (found,) = validate(text, asked).findings
    assert (found.code, found.severity, found.times) == (
        "unsafe-character", "warning", text.count("~"),
    )  # fmt: skip
    assert not validate(text, asked.replace(refuse="warning")).accepted


@pytest.mark.parametrize(("policy", "shown"), [
    (Policy(), "Policy.outbound()"), (Policy.web(), "Policy.web()"),
    (Policy.strict(), "Policy.strict()"), (Policy.syntax(), "Policy.syntax()"),
    (Policy.redirect("https://h/a"), "Policy.redirect('https://h/a')"),
    (Policy.redirect_uris(["http://localhost/"], localhost_ports=True),
     "Policy.redirect_uris(['http://localhost/'], localhost_ports=True)"),
    (Policy(uris=["http://h/"]), "Policy(uris=['http://h/'])"),
    (Policy(schemes=["https"], userinfo=True), "Policy(schemes=['https'], userinfo=True)"),
    (Policy.strict().replace(ports=[8443, "default"], severity={"userinfo": "off"}),
     "Policy.strict().replace(ports=[8443, 'default'], severity={'userinfo': 'off'})"),
])  # fmt: skip
def test_a_policy_is_shown_by_what_differs_from_the_nearest_preset(policy, shown):
    assert repr(policy) == str(policy) == shown
    assert eval(shown, {"Policy": Policy}) == policy


def test_no_policy_shows_a_password_or_more_than_a_line():
    for policy in (
        Policy.redirect_uris(["http://u:S3cr3T@h/"]),
        Policy.redirect("https://u:S3cr3T@h/"),
        Policy(relative=True, base="ftp://u:S3cr3T@h/"),
    ):
        assert "S3cr3T" not in repr(policy)
        assert "u:***@h" in repr(policy)
    many = Policy(hosts=[f"h{number}.com" for number in range(9000)], refused_names=["example"])
    assert len(repr(many)) < 150
    assert "... 9000 entries" in repr(many)


def test_the_names_of_a_policy_are_its_settings_and_what_users_call():
    """What the checks alone ask is private, and the help of a function has a short signature."""
    settings = {field.name for field in dataclasses.fields(Policy)}
    made = {"outbound", "web", "redirect", "strict", "syntax", "redirect_uris"}
    called = {"from_dict", "from_toml", "replace", "permits", "refused_classes", "admit"}
    policy = Policy()
    assert validate("http://a.com/", policy).accepted
    assert {name for name in dir(policy) if name[0] != "_"} == settings | made | called
    for function in (check, validate):
        _, line, *_ = pydoc.plain(pydoc.render_doc(function)).split("\n\n")[0:2]
        assert len(line.split("\n")[0]) <= 110
        assert "policy: 'Policy' = Policy.outbound()" in line


@pytest.mark.parametrize("name", ["outbound", "web", "strict", "syntax", "redirect"])
def test_presets_have_the_same_names_in_python_and_toml(name):
    given = ["https://h.example/a"] * (name == "redirect")
    text = "".join([f'preset = "{name}"\n', *(f'base = "{one}"\n' for one in given)])
    assert Policy.from_toml(text) == getattr(Policy, name)(*given)
