"""Columns are judged by a policy as single texts are; what is accepted at first sight, is right."""

import json
import random
from collections import Counter
from importlib.util import find_spec
from ipaddress import IPv4Address, IPv4Network
from pkgutil import resolve_name

import pytest
from cases import each_case
from columns.cases import BROKEN
from columns.handmade import column, listed
from paths import VECTORS

from uriparse import implementation
from uriparse.arrow import ColumnError, findings, verdict
from uriparse.arrow.policies import codes_and_hosts, codes_and_hosts_of_texts
from uriparse.validation import CATALOGUE, Policy, Severity, validate
from uriparse.validation.compiled_policy import compiled
from uriparse.validation.report import evaluate
from uriparse.validation.special import IPV4_RANGES

pytestmark = [
    pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning"),
    pytest.mark.skipif(implementation != "native" and find_spec("pyarrow") is None,
                       reason="columns are exported by the kernel or by pyarrow"),
]  # fmt: skip

OUTBOUND = Policy.outbound()
LISTS = Policy(
    schemes=["https"], hosts=["a.com", ".example.com"], ports=["default", 8080], fragment=True
)
POLICIES = {
    "outbound": OUTBOUND, "web": Policy.web(), "syntax": Policy.syntax(), "strict": Policy.strict(),
    "lists": LISTS, "port 443": LISTS.replace(schemes="*", ports=[443, 25], hosts="*"),
    "other schemes": Policy(schemes=["ftp", "http"], hosts="*", ports="*"),
    "no names": OUTBOUND.replace(allowed_names="*"),
    "some names": OUTBOUND.replace(allowed_names=["local", "test"], allowed_addresses="*"),
    "web ports": Policy(ports=["web"]),
    "more names": Policy(schemes=["https"], refused_names=["example"], allowed_names=["onion"]),
    "networks": Policy(refused_addresses=["8.8.0.0/16", "2606:4700::/32"],
                       allowed_addresses=["1.0.0.0/8", "::1"]),
    "a network": Policy(allowed_addresses=["1.2.3.4", "loopback"], allowed_names="*"),
    "all addresses": Policy(hosts=["1.2.3.4", "[::1]"], allowed_addresses="*"),
    "bad ports": OUTBOUND.replace(bad_ports=True, userinfo=True),
    "short": OUTBOUND.replace(max_length=25),
    "no limits": OUTBOUND.replace(max_length=None, max_segments=None, max_parameters=None),
    "severity": OUTBOUND.replace(severity={"non-default-port": "error"}),
    "a scheme's": Policy.syntax().replace(severity={"ftp:scheme-requirement": "error"}),
    "warnings": OUTBOUND.replace(refuse="warning"),
    "IRIs": Policy.syntax().replace(grammar="rfc3987"),
    "IRIs out": OUTBOUND.replace(grammar="rfc3987"), "clients": OUTBOUND.replace(clients={"curl"}),
    "redirect": Policy.redirect("https://a.com/b"),
    "uris": Policy.redirect_uris(["https://a.com/", "http://127.0.0.1/"]),
    "a rule": Policy.syntax().replace(rule="port"),
    "strict ports": Policy.strict(ports=[8443, "default"], hosts=["a.com", "1.2.3.4"]),
    "no agreement": Policy(agreement=None, refuse="warning", userinfo=True, hosts=[".com"]),
    "names": Policy(agreement=None, refused_names=["local", "localhost", "single-label"]),
    "requests": Policy(agreement="request", schemes="*", fragment=False),
    "bases": Policy.strict(base="ftp://a.com/", schemes=["http"], allowed_names="*"),
}  # fmt: skip
NAMES = [
    *("a.com", "A.cOm", "b.example.com", "example.com", "xexample.com", ".example.com", "a.com."),
    *("com", "localhost", "x.localhost", "a.LOCAL", "1.2.3.4", "8.8.8.8", "127.1", "0x7f.1"),
    *("[::1]", "[2606:4700::1]", "[2606:4700::0:1]", "[::ffff:8.8.8.8]", "[64:ff9b::7f00:1]"),
    *("[2600::5efe:7f00:1]", "[2002:a00::]", "a--b.com", "xn--bcher-kva.com", "xn--a.com"),
    *("a-.com", "-a.com", "a_b.com", "a..com", "%61.com", "u@a.com", "&lt;u@a.com", "é.com"),
    *("%6cocalhost", "a.loc%61l", "a%2Elocal", "www%2e", "www%2e.", "b%2ea"),
    *("a.test", "b.INVALID", "home.arpa", "x.Home.Arpa", "kubernetes.default.svc",
      "10.in-addr.arpa"),
    *("example.net", "w.example.org", "arpa", "x.arpa", "metadata.google.internal", "a.onion.com"),
    *("a" * count + ".com" for count in (62, 63, 64)),
    *(".".join(["a" * 63] * 3 + ["b" * count]) for count in (60, 61, 62)), "", "1" + "." * 300,
    *(f"{first}{'.a' * 140}{last}" for first in ("b", "-b", "b-", "1", "_", "%41", "b" * 64)
      for last in ("", "-", ".." * 9, "a" * 64, "é", "_.1", ".localhost")),
]  # fmt: skip
PORTS = ["", "", "", ":", ":80", ":443", ":8080", ":25", ":6667", ":0", ":080", ":65535", ":65536"]
RESTS = ["", "/", "/a/b?c=d", "?a", "#f", "/#f", "/a#", "/%2e%2E/x", "/é", "/a b",
         *("/" + piece * 9000 for piece in ("x", "x/", "x?y&")),
         "/" + "x" * 9000 + " "]  # fmt: skip


def drawn(count, seed):
    """Yield texts of which most are whole, and some have a character more, less or changed."""
    rng = random.Random(seed)
    for _ in range(count):
        scheme = rng.choice(["https", "http", "https", "http", "HTTP", "ftp", "ws", "X-y", ""])
        name, port, rest = rng.choice(NAMES), rng.choice(PORTS), rng.choice(RESTS)
        text = f"{scheme}://{name}{port}{rest}" if scheme else name + rest
        if rng.random() < 0.05:
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(" \\%@:/?#.-a\x00é") + text[at + rng.randrange(2) :]
        yield text


def by_all_checks(policy):
    """Return an equal policy that has no fast path, and keeps nothing that was found."""
    found = policy.replace()
    compiled(found).fast_rule = None
    compiled(found).keeps_beginnings = False
    return found


HEADS = [f"http://{name}{port}" for name in NAMES for port in ("", ":25")]
TAILS = """
/ /a /a/ // /a//b /. /LPT9.a /com0 /nulx /prn /col1 /.. /a/../b /.a /..a /a.b /%2e ?a/b /aux
/a/CON.txt /com1/ /console /lpt /nul? /prn%20 /auto /c /co.n /a? /a?b /a?b=/c /a?b=/../c /a?/./
/a?. /a?b& /a?&b /a?=b /a?b=c=d /a;b /a; /a?b;c /&amp; /&amp?; /it's /~u /a?~ /a#~ /a#b/c?d /a#%41
/%00 /%0A /a?%0d /%25%32%30 /%2541 /%c3%A9 /%E2%80%AE /%C0%AF /..%2f /%20 /%22%23%2B /%3C%3E
/%5B%5C%5D%5E /%60 /%7B /a?%26 /a?%3D /a?%2B /é /:@!$()*+, /&= /a?:@!$()*+, /a?b@c /a#b#c #f ?q
/a%62/../c /a?b@c/.. /a.con /a.b.c#/.. /a?u=http://b/c.d&e=
"""
TAILS = ["", "/a b", "/" + "a/" * 600, *TAILS.split()]


def random_policy(rng):
    """Return a policy whose settings are drawn, some of the severities and lists too."""
    codes = rng.sample([*CATALOGUE, "http:syntax", "https:uncommon-port", "ftp:no-server"], 6)
    return rng.choice(list(POLICIES.values())).replace(
        severity={code: rng.choice(list(Severity)) for code in codes},
        refuse=rng.choice(["info", "warning", "error", "error"]), fragment=rng.random() < 0.7,
        userinfo=rng.random() < 0.3, agreement=rng.choice([None, "destination", "request"]),
    )  # fmt: skip


@each_case("seed", range(12))
def test_what_was_found_in_texts_that_begin_alike_is_kept(seed):
    rng = random.Random(seed)
    policy = random_policy(rng) if seed else OUTBOUND
    texts = [rng.choice(HEADS) + rng.choice(TAILS) for _ in range(200)]
    texts += [f"http://{name}{tail}" for name in ("a.com", "u@a%2ecom") for tail in TAILS]
    judge = by_all_checks(policy)
    for text in texts:
        found, expected = evaluate(text, policy), evaluate(text, judge)
        assert (found.codes, found.reason) == (expected.codes, expected.reason), text
        told, wanted = ([one[:8] for one in report.findings] for report in (found, expected))
        assert told == wanted, text
    assert len(compiled(policy).beginnings) > 9 or policy.uris != "*" or policy.rule
    assert not compiled(judge).beginnings


@each_case("seed", range(12))
def test_counts_are_of_the_findings_and_hosts_of_each_row(seed):
    rng = random.Random(f"counts {seed}")
    policy = random_policy(rng) if seed else OUTBOUND
    texts = [rng.choice(HEADS) + rng.choice(TAILS) for _ in range(200)]
    texts += [text.encode("utf-8", "replace").decode() for text in drawn(60, f"counts {seed}")]
    reports = [validate(text, by_all_checks(policy)) for text in texts]
    hosts = [one.record.host for one in reports if getattr(one.record, "host", None) is not None]
    wanted = (
        Counter(code for one in reports for code in {found.code for found in one.findings}),
        Counter(str(host).lower() for host in hosts),
    )
    assert codes_and_hosts(column([*map(str.encode, texts), None]), policy) == wanted
    assert codes_and_hosts_of_texts(texts, policy) == wanted


@pytest.mark.skipif(implementation != "native", reason="the kernel finds codes")
def test_no_text_of_the_web_is_judged_by_itself_for_counts(monkeypatch):
    texts = [f"{scheme}://{name}{tail}" for scheme in ("http", "HTTPS") for tail in TAILS
             for name in NAMES if name.isascii() and "[" not in name and "xn--" not in name
             and tail.isascii() and "%c" not in tail]  # fmt: skip
    monkeypatch.setattr("uriparse.arrow.policies.evaluate", None)
    assert codes_and_hosts_of_texts(texts, OUTBOUND)[0]["lower-case-hex"] > 100


@pytest.mark.skipif(implementation != "native", reason="the kernel decides")
@each_case(
    "name", ["outbound", "web", "strict", "syntax", "redirect", "uris", "requests", "warnings"]
)
def test_no_row_is_judged_by_itself(name, monkeypatch):
    """Refused rows cost as little as accepted ones, whatever the reason."""
    from uriparse.validation import first_sight

    policy = POLICIES[name].replace()
    names = [one for one in NAMES if one.isascii() and "[" not in one and "xn--" not in one]
    heads = [f"{scheme}://{one}{port}" for scheme in ("https", "http", "HTTP") for one in names
             for port in ("", *PORTS)]  # fmt: skip
    rng = random.Random(name)
    tails = [tail for tail in (*TAILS, *RESTS) if tail.isascii()]
    texts = [rng.choice(heads) + rng.choice(tails) for _ in range(900)]
    texts += [f"https://a.com{tail}" for tail in tails] + ["https:/a", "http:"]
    check_columns(policy, ["https://a.com/"])  # what is asked once for a policy
    monkeypatch.setattr(first_sight, "_judged_alone", None)
    check_columns(policy, texts)


def first_reason(text, policy):
    return next((one.code for one in validate(text, by_all_checks(policy)).reasons), None)


def hostile():
    found = json.loads((VECTORS / "hostile_urls.json").read_text("utf-8"))
    texts = (text for group in found.values() for text in group)
    # Arrow's texts are UTF-8, which has no lone surrogates.
    return [text.encode("utf-8", "replace").decode() for text in texts]


@each_case("name", POLICIES)
def test_columns_say_what_single_texts_say(name):
    check(name, list(drawn(15, name)))


@pytest.mark.slow
@each_case("name", POLICIES)
def test_many_rows_are_judged_alike(name):
    check(name, [*hostile(), *drawn(200, f"{name}, slow")])


@each_case("name", ["outbound", "networks", "a network", "all addresses"])
def test_the_ends_of_address_ranges_are_judged_alike(name):
    policy = POLICIES[name]
    listed_ones = [*map(str, policy.refused_addresses), *map(str, policy.allowed_addresses)]
    ranges = [row.network for row in IPV4_RANGES] + [one for one in listed_ones if "." in one]
    ends = [end for one in ranges for end in (IPv4Network(one)[0], IPv4Network(one)[-1])]
    beside = {(int(end) + step) % 2**32 for end in ends for step in (-1, 0, 1)}
    texts = [f"http://{IPv4Address(number)}/" for number in sorted(beside)]
    found = listed(verdict(column([text.encode() for text in texts]), policy))
    assert found == [first_reason(text, policy) for text in texts]
    assert any(found)


@each_case("text", ["https://a.com/", "node:fs"])
def test_few_rows_of_another_kind_are_judged_alike(text):
    check("outbound", [*[text] * 300, "file:///a", "http://127.1/", "http://a b/", text])


@pytest.mark.oracle
@each_case("name", POLICIES)
def test_a_million_rows_are_judged_alike(name):
    check(name, list(drawn(1_000_000 // len(POLICIES), f"{name}, oracle")))


@each_case("seed", range(20))
def test_columns_say_the_same_by_policies_that_are_drawn(seed):
    rng = random.Random(seed)
    heads = [head.replace("http", scheme) for head in HEADS for scheme in ("http", "https")]
    texts = [rng.choice(heads) + rng.choice(TAILS) for _ in range(250)] + list(drawn(100, seed))
    check_columns(random_policy(rng), texts)


@pytest.mark.slow
@each_case("seed", range(20, 120))
def test_columns_say_the_same_by_many_policies(seed):
    rng = random.Random(seed)
    schemes = ("http", "https", "HTTPS", "ftp", "file", "nntp", "gopher", "telnet", "geo", "x")
    heads = [head.replace("http", scheme) for head in HEADS for scheme in schemes]
    texts = [rng.choice(heads) + rng.choice(TAILS) for _ in range(900)] + hostile()
    check_columns(random_policy(rng), texts)


def check_columns(policy, texts):
    """Compare columns with what all checks say of each text."""
    found = listed(verdict(column([text.encode() for text in texts]), policy))
    judge = by_all_checks(policy)
    for text, code in zip(texts, found, strict=True):
        assert code == next((one.code for one in validate(text, judge).reasons), None), text


def check(name, texts):
    policy = POLICIES[name]
    texts = [*texts, "mailto:a@b", "x:", "ftp:/a", "http:", "https:/a", "FTP://localhost/%"]
    found = listed(verdict(column([text.encode() for text in texts]), policy))
    assert found == [first_reason(text, policy) for text in texts]
    assert [code is None for code in found] == [validate(text, policy).accepted for text in texts]
    told = listed(
        resolve_name("uriparse.arrow.policies:reasons")(
            column([text.encode() for text in texts]), policy
        )
    )
    assert told == [full_reason(text, policy) for text in texts]
    judging = resolve_name("uriparse.cli.validation_judging")
    lines = judging.judge(([*texts, "\ud800"], 1), judging.Job(policy)).output.split("\n")
    assert [line.startswith("ok\t") for line in lines] == [
        *(one is None for one in found), False, False,
    ]  # fmt: skip


@each_case("name", ["outbound", "strict", "syntax", "severity", "short", "IRIs", "a rule"])
def test_lines_of_json_say_what_all_checks_say(name):
    policy, judge = POLICIES[name], by_all_checks(POLICIES[name])
    rng = random.Random(name)
    texts = [rng.choice(HEADS) + rng.choice(TAILS) for _ in range(100)] + list(drawn(60, name))
    judging = resolve_name("uriparse.cli.validation_judging")
    lines = judging.judge((texts, 1), judging.Job(policy, "ndjson")).output.splitlines()
    for text, line in zip(texts, map(json.loads, lines), strict=True):
        report = validate(text, judge)
        first = next(iter(report.reasons), None)
        refused = dict.fromkeys(one.code for one in report.reasons)
        every = {**refused, **dict.fromkeys(one.code for one in report.findings)}
        assert line["codes"] == (list(every) if first else [])
        assert line["accepted"] is report.accepted
        for fact in ("code", "offset", "component", "message"):
            assert line[fact] == (first and getattr(first, fact)), (text, fact)
        assert line["cause"] == (first and first.error and first.error.cause)


def full_reason(text, policy):
    """Return the fields of the first reason, from all findings."""
    for one in validate(text, by_all_checks(policy)).reasons:
        cause = None if one.error is None else one.error.cause
        return {"code": one.code, "cause": cause, "offset": one.offset}
    return {"code": None, "cause": None, "offset": None}


def test_nulls_and_octets_that_are_no_text():
    given = column([None, b"https://a.com/", b"https://a.com/\xff", "https://é".encode(), b""])
    assert listed(verdict(given)) == [None, None, "syntax", "syntax", "syntax"]


def test_findings_are_those_of_a_report():
    pa = pytest.importorskip("pyarrow")
    texts = ["https://a.com/", "http://u:p@127.1:25/%7e", None, "", "a b"]
    found = pa.array(findings(pa.array(texts)))
    assert found.type == pa.list_(pa.field("item", pa.string()))
    assert found.to_pylist() == [
        None if text is None else [one.code for one in validate(text).findings] for text in texts
    ]
    chunked = pa.chunked_array(findings(pa.chunked_array([texts[:2], texts[2:]])))
    assert chunked.to_pylist() == found.to_pylist()
    assert repr(findings(pa.array(texts))) == "<Column of 5 rows: list>"


@each_case("function", [verdict, findings])
def test_what_is_not_a_policy_is_refused(function):
    with pytest.raises(TypeError, match=r"^policy must be a Policy, such as Policy\.web\("):
        function(column([]), "outbound")


@each_case("message", BROKEN)
def test_columns_that_contradict_themselves_are_refused(message):
    told = message.strip() if implementation == "native" else "^column: "  # pyarrow's own words
    for function in verdict, findings:
        with pytest.raises(ColumnError, match=told):
            function(BROKEN[message])
