"""Access plans: what a client would send, and what it refuses to (X-003, X-004)."""

import email.policy
from email.parser import BytesParser
from urllib.parse import urlsplit

import pytest
from cases import each_case, tables, vectors
from rfc1738_urls import parse_url

from uriparse.errors import SchemeError
from uriparse.schemes import CURRENT, RFC1738, plans
from uriparse.schemes import parse_url as parse_today

TABLES = tables(__file__)

PROXY = "http://Proxy.example:8001/"


@each_case("case", vectors("schemes_ftp_plans"))
def test_ftp_plans(case):
    plan = plans.ftp_plan(parse_url(case["text"]), email=case["email"])
    assert [str(c) for c in plan.commands if not c.is_guessed] == case["commands"]
    assert [str(c) for c in plan.commands if c.is_guessed] == (
        [case["guessed"]] if case["guessed"] else []
    )
    assert plan.is_guessed == (case["guessed"] is not None)
    assert plan.operation == case["operation"]
    assert plan.port == case["port"]
    assert plan.commands[0].verb == "USER"  # L-029: every plan begins with the login


@each_case("case", vectors("schemes_ftp_references"))
def test_ftp_references(case):
    url = parse_url(case["text"])
    plan = plans.ftp_plan(url, email="me@x.y")
    assert str(url) == case["text"]
    assert [c.argument.decode() for c in plan.commands if c.verb == "CWD"] == list(url.cwds)
    assert str(plan.commands[-1]) == f"RETR {url.name}"
    assert plan.is_guessed == (url.typecode is None)


def test_there_are_seventeen_ftp_references():
    assert len(vectors("schemes_ftp_references")) == 17


@each_case("case", vectors("schemes_gopher_requests"))
def test_gopher_requests(case):
    plan = plans.gopher_plan(parse_url(case["text"]), empty_search=case["empty_search"])
    assert plan.request.decode("latin-1") == case["request"]


@each_case("case", vectors("schemes_injections"))
def test_injections_are_refused(case):
    with pytest.raises(SchemeError) as caught:
        plans.access_plan(parse_url(case["text"]))
    assert caught.value.offset == case["offset"]
    assert caught.value.component == case["component"]
    assert f"offset {case['offset']}" in str(caught.value)


def test_relaxed_offsets_count_in_the_text_as_written():
    with pytest.raises(SchemeError) as caught:
        plans.ftp_plan(parse_url("ftp://a_long_host.d/x%0A", relaxed_host=True))
    assert caught.value.offset == 21


def test_lines_are_octets():
    plan = plans.ftp_plan(parse_url("ftp://u:p%20q@h.d//a%20b/%FF;type=i"))
    assert b"".join(command.octets for command in plan.commands) == (
        b"USER u\r\nPASS p q\r\nCWD \r\nCWD a b\r\nTYPE I\r\nRETR \xff\xff\r\n"
    )


def test_a_url_is_no_file_name():
    """L-028: the parts of a path stay parts; nothing offers them as a path of a file system."""
    url = parse_url("ftp://h.d/a%2F..%2Fb/c")
    assert not hasattr(url, "__fspath__")
    assert [c.argument for c in plans.ftp_plan(url).commands if c.verb == "CWD"] == [b"a/../b"]


def test_a_prompt_has_no_octets():
    with pytest.raises(ValueError, match="waits for the password"):
        _ = plans.Command("PASS", prompt="password").octets


@pytest.mark.parametrize("email", ["a@b\r\nDELE x", "a\0"])
def test_an_address_that_would_inject(email):
    with pytest.raises(ValueError, match="no CR, LF or NUL"):
        plans.ftp_plan(parse_url("ftp://h.d/x"), email=email)


def test_other_operations():
    """E-034: what RFC 1738 leaves open is not excluded."""
    plan = plans.ftp_plan(parse_url("ftp://h.d/x;type=a"), operation="store")
    assert (plan.operation, str(plan.commands[-1])) == ("store", "STOR x")


@pytest.mark.parametrize(
    ("name", "code"),
    [("x.txt", "a"), ("x.zip", "i"), ("X.HTML", "a"), ("README", "a"), ("vmunix", "i"), ("", "i")],
)
def test_guesses(name, code):
    """L-027"""
    assert plans.guess_type(name) == code
    assert plans.guess_type(name.encode()) == code


def test_telnet_advice():
    """L-049, L-061"""
    advice = plans.telnet_advice(parse_url("telnet://u%20v:p%20w@h.d:2323/"))
    assert (advice.host, advice.port, advice.user, advice.password) == ("h.d", 2323, "u v", "p w")
    assert str(advice).endswith('log in as "u v", with the password of the URL')
    advice = plans.telnet_advice(parse_url("telnet://u%0D%0Ax:p%20@h.d/"))
    assert (advice.user, advice.password, advice.is_encoded) == ("u%0D%0Ax", "p%20", True)
    assert "\r" not in str(advice)
    assert str(advice).endswith("(as written in the URL: it is not safe to decode)")
    assert plans.telnet_advice(parse_url("telnet://h.d")).user is None


def test_wais_plans():
    """L-050: the document's id is opaque, whatever octets it has."""
    plan = plans.wais_plan(parse_url("wais://h.d/db/t%20/%00%0A%2F"))
    assert (plan.kind, plan.wtype, plan.wpath, plan.port) == ("document", b"t ", b"\0\n/", 210)
    assert plans.wais_plan(parse_url("wais://h.d/db")).kind == "database"


def test_prospero_plans():
    """E-052, L-052: a directory server is asked for a name that it alone understands."""
    url = parse_url("prospero://host.dom//pros/a%3Bb;OBJECT-VERSION=3;w=%FF;w=")
    plan = plans.prospero_plan(url)
    assert (plan.host, plan.port, plan.hsoname) == ("host.dom", 1525, b"/pros/a;b")
    assert plan.fields == ((b"OBJECT-VERSION", b"3"), (b"w", b"\xff"), (b"w", b""))
    assert plans.access_plan(url) == plan
    assert plans.prospero_plan(parse_url("prospero://h.d:99/")).hsoname == b""


def test_nntp_plans():
    plan = plans.nntp_plan(parse_url("nntp://h.d:1190/g"))
    assert (plan.host, plan.port, [str(c) for c in plan.commands]) == ("h.d", 1190, ["GROUP g"])


@each_case(("text", "server", "line"), TABLES["news_of_today"])
def test_news_of_today(text, server, line):
    plan = plans.access_plan(parse_url(text, registry=CURRENT))
    assert [plan.host, plan.port] == server
    assert [str(command) for command in plan.commands] == [line]


@pytest.mark.parametrize("text", ["news:a%20b*", "news:a%0D%0Ab", "news:1%3E@h.d", "news://h:0/a"])
def test_news_of_today_inject_nothing(text):
    with pytest.raises(SchemeError):
        plans.access_plan(parse_url(text, registry=CURRENT))


@pytest.mark.parametrize("text", [
    *("ftp://u:p@h.d/~a;type=i", "gopher://h.d/0a~", "nntp://h.d/g/1", "telnet://h.d"),
    *("wais://h.d/d?s", "prospero://h.d/a;b=c"),
])  # fmt: skip
def test_urls_of_today_have_the_plans_of_their_schemes(text):
    strict = text.replace("~", "")
    assert type(plans.access_plan(parse_url(text, registry=CURRENT))) is type(
        plans.access_plan(parse_url(strict))
    )


def test_an_empty_port_is_the_default_one():
    for text in ("ftp://h.d:/x", "gopher://h.d:", "telnet://h.d:/", "news://h.d:/g"):
        url = parse_url(text, registry=CURRENT)
        assert (
            plans.access_plan(url).port
            == RFC1738["nntp" if url.scheme == "news" else url.scheme].default_port
        )


def test_gopher_plan_tells_what_comes():
    plan = plans.gopher_plan(parse_url("gopher://h.d/7s%09q%09?"))
    assert (plan.type, plan.plus.kind, plan.host, plan.port) == ("7", "ask-form", "h.d", 70)
    with pytest.raises(ValueError, match="empty_search"):
        plans.gopher_plan(parse_url("gopher://h.d/"), empty_search="drop")


@pytest.mark.parametrize(("text", "target", "host", "tls"), TABLES["requests_of_the_web"])
@pytest.mark.parametrize("registry", [CURRENT, RFC1738])
def test_requests_of_the_web(text, target, host, tls, registry):
    if registry is RFC1738 and ("[" in text or "@" in text or text.startswith("ws")):
        return
    plan = plans.access_plan(parse_today(text, registry=registry))
    method, headers = plan.request.decode().split("\r\n", 1)
    read = BytesParser(policy=email.policy.HTTP).parsebytes(headers.encode())
    assert method == f"GET {target} HTTP/1.1"
    assert (read["Host"], plan.is_secure) == (host, tls)
    assert (read["Upgrade"] == "websocket") is text.startswith("ws")


def test_a_key_of_a_handshake():
    """That of RFC 6455 section 1.3."""
    plan = plans.http_plan(parse_today("ws://h.d"), key=b"the sample nonce")
    assert dict(plan.headers)["Sec-WebSocket-Key"] == "dGhlIHNhbXBsZSBub25jZQ=="
    assert plans.access_plan(parse_today("ws://h.d")).headers[-1] == ("Sec-WebSocket-Version", "13")


@pytest.mark.parametrize(("text", "commands"), [
    ("imap://h.d", []), ("imap://h.d/INBOX", ['SELECT "INBOX"']),
    ("imap://h.d/~peter/%E5%8F%B0%E5%8C%97", ['SELECT "~peter/&U,BTFw-"']),  # RFC 3501 5.1.3
    ("imap://h.d/g?SUBJECT%20shadows", ['SELECT "g"', "UID SEARCH SUBJECT shadows"]),
    ("imap://h.d/g/;UID=20/;SECTION=1.2", ['SELECT "g"', "UID FETCH 20 BODY.PEEK[1.2]"]),
    ("imap://h.d/g/;UID=20;URLAUTH=anonymous:INTERNAL:" + 32 * "a", ["URLFETCH ***"]),
])  # fmt: skip
def test_what_imap_servers_are_asked(text, commands):
    plan = plans.access_plan(parse_today(text))
    assert [str(command) for command in plan.commands] == commands
    assert (plan.host, plan.port) == ("h.d", 143)


@pytest.mark.parametrize("text", ["imap://h.d/a%0D%0Ab", "imap://h.d/a?b%0Ac", "imap://a%00@h.d/"])
def test_imap_commands_are_one_line(text):
    with pytest.raises(SchemeError, match="is not sent"):
        plans.access_plan(parse_today(text))


@pytest.mark.parametrize("text", ["mailto:a@b", "file:///x", "foo://h.d/x", "coap://h.d/"])
def test_schemes_without_a_plan(text):
    with pytest.raises(SchemeError, match="no plan"):
        plans.access_plan(parse_today(text))


@each_case(("text", "asked"), TABLES["a_gateway_is_asked_for_the_whole_url"])
def test_a_gateway_is_asked_for_the_whole_url(text, asked):
    """L-057: by today's rules for proxies (RFC 9112 section 3.2.2), read by another parser."""
    url = parse_today(text)
    plan = plans.access_plan(url, gateways={url.scheme.upper(): PROXY})
    assert (plan.host, plan.port, plan.is_secure) == ("Proxy.example", 8001, False)
    line, _, rest = plan.request.partition(b"\r\n")
    assert line.split(b" ") == [b"GET", asked.encode(), b"HTTP/1.1"]
    headers = BytesParser(policy=email.policy.HTTP).parsebytes(rest)
    assert headers["Host"] == urlsplit(asked).netloc.rpartition("@")[2]
    assert "p%40q" not in repr(plan)
    assert type(plans.access_plan(url, gateways={"x": PROXY, "*": PROXY})) is (
        type(plan) if url.scheme in {"http", "mailto", "new"} else type(plans.access_plan(url))
    )


@pytest.mark.parametrize(
    "gateway", ["ftp://h.d/", "http://h.d/x", "http://u@h.d", "http://h.d?", "http://h.d:0/", "x"]
)
def test_a_gateway_is_a_server_alone(gateway):
    with pytest.raises(SchemeError):
        plans.access_plan(parse_today("wais://h.d/db"), gateways={"wais": gateway})


def test_gateways_are_a_mapping():
    with pytest.raises(TypeError, match="gateways must be a mapping of schemes to URLs or None"):
        plans.access_plan(parse_today("wais://h.d/db"), gateways=[PROXY])
