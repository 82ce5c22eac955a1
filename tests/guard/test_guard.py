"""Guarded clients never reach a forbidden address; the same clients unguarded do.

On loopback, and names are looked up in a table (`clients`).
"""

import ast
import contextlib
import re
from urllib.parse import quote

import pytest
from cases import each_case, tables
from documentation.pages import PAGES
from guard.clients import CLIENTS, INSIDE, LIMITS, MAKERS, OTHER, OUTSIDE, POLICY, Outside, fetch
from paths import ROOT

from uriparse import guard
from uriparse.guard import GuardError, Limits
from uriparse.validation import Policy

pytestmark = pytest.mark.usefixtures("look_up")

TABLES = tables(__file__)

REDIRECTS = {
    "to a literal": f"http://{INSIDE}:PORT/", "to a hexadecimal literal": "http://0x7f.1:PORT/",
    "to an octal literal": "http://0177.0.0.1:PORT/", "to a number": "http://2130706433:PORT/",
    "to a mapped literal": "http://[::ffff:127.0.0.1]:PORT/",
    "to a name": "http://internal.site.com:PORT/",
    "to a name, without a scheme": "//internal.site.com:PORT/",
    "by backslashes": "\\\\internal.site.com:PORT/",
    "with a user and a password": "http://u:p@good.site.com:PORT/",
    "to a host in a user": "http://good.site.com@internal.site.com:PORT/",
    "to an encoded host": "http://internal%2esite.com:PORT/",
    "to a bad port": "http://good.site.com:25/", "to another scheme": "ftp://good.site.com/",
    "to a file": "file:///etc/passwd", "twice": "/to?url=http://internal.site.com:PORT/",
    "to nothing": "http://",
}  # fmt: skip
CASES = {
    "literal": f"http://{INSIDE}:PORT/", "octal": "http://0177.0.0.1:PORT/",
    "hexadecimal": "http://0x7f.1:PORT/", "internal name": "http://internal.site.com:PORT/",
    "rebinding": "http://rebind.site.com:PORT/", "proxy": "http://good.site.com:PORT/",
    **{f"redirect {kind}": f"http://good.site.com:PORT/to?url={quote(where)}" for kind,
       where in REDIRECTS.items()},
}  # fmt: skip
OWN_LISTS = re.compile(r"(?<!\w)Policy\([^()]*\)")
OPEN = {"schemes": ["http"], "hosts": "*", "ports": "*"}


def reached(client, case, world, look_up, monkeypatch, **options):
    """Fetch; return how often the forbidden address was reached, and the error."""
    before = world.hits[INSIDE]
    for name in ("http_proxy", "HTTP_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    if case == "proxy":
        monkeypatch.setenv("http_proxy", f"http://{INSIDE}:{world.port}")
    if case == "rebinding":  # whoever checks first and connects later has looked it up by now
        assert look_up("rebind.site.com", world.port)[0][4][0] == OUTSIDE
    caught = None
    try:
        fetch(client, CASES[case].replace("PORT", str(world.port)), **options)
    except Exception as error:  # noqa: BLE001 - a client's own errors are of many kinds
        caught = error
    return world.hits[INSIDE] - before, caught


OWN_WORDS = {
    f"redirect {kind}"
    for kind in (
        "by backslashes",
        "to nothing",
        "to a file",
        "to another scheme",
        "to an octal literal",
    )
}
"""Redirects that some clients read, or refuse, before their guard sees them."""


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("case", CASES)
def test_a_guarded_client_never_gets_there(client, case, world, look_up, monkeypatch):
    hits, error = reached(client, case, world, look_up, monkeypatch)
    assert hits == 0
    if case == "proxy":
        assert error is None  # that of the environment is not asked
    elif case in OWN_WORDS:
        assert error is not None
    else:
        assert type(error) is GuardError, error
        assert (error.report is not None) is (error.cause == "url")


# httpx and aiohttp refuse octal addresses themselves, urllib3 takes no proxy from the environment.
BITES = [(client, case) for client in CLIENTS for case in TABLES["bites"]]


@pytest.mark.parametrize(
    ("client", "case"), [*BITES, ("requests", "octal"), ("requests", "proxy"), ("httpx", "proxy")]
)
def test_an_unguarded_client_does(client, case, world, look_up, monkeypatch):
    assert reached(client, case, world, look_up, monkeypatch, policy=None)[0] > 0


def policies_of_pages():
    """Give the arguments of every policy that a page or a docstring makes of its own lists."""
    texts = [page.read_text(encoding="utf-8") for page in (*PAGES, ROOT / "README.md")]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "uriparse").rglob("*.py")]
    for call in sorted({found for text in texts for found in OWN_LISTS.findall(text)}):
        with contextlib.suppress(SyntaxError, ValueError):  # prose, or arguments that are names
            arguments = ast.parse(call, mode="eval").body.keywords
            yield {one.arg: ast.literal_eval(one.value) for one in arguments}


OWN = [made for made in policies_of_pages() if "schemes" in made]
assert {"schemes": ["https"], "hosts": [".example.com"]} in OWN
CLOSED = [made for made in OWN if "allowed_addresses" not in made]
OPENED = {str({**made, **OPEN}): {**made, **OPEN} for made in CLOSED}
"""The same, whose lists are opened for the names and ports here: what is not named protects."""


@each_case("made", CLOSED)
def test_nor_do_the_policies_of_pages_permit_it(made):
    assert not Policy(**made).permits(INSIDE)


@pytest.mark.slow
@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", [Policy, Outside])
@pytest.mark.parametrize("made", OPENED)
def test_nor_does_a_client_guarded_by_one(client, case, kind, made, world, look_up, monkeypatch):
    policy = kind(**OPENED[made])
    assert reached(client, case, world, look_up, monkeypatch, policy=policy)[0] == 0


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    "host", ["good.site.com", "both.site.com", "dead-first.site.com", "mixed.site.com"]
)
def test_a_guarded_client_gets_where_it_may(client, host, world):
    """By the addresses that are permitted, in turn: a dead first one does not end it."""
    before = world.hits[OUTSIDE]
    status, url, body = fetch(client, world.url(host))
    assert (status, body) == (200, b"ok")
    assert url in (world.url(host), "/")  # urllib3 has the target of the last hop
    assert world.hits[OUTSIDE] == before + 1
    assert world.seen[-1][0] == f"{host}:{world.port}"


REFUSED = TABLES["refused"]
"""Names that lead to one refused address: which, and of which class."""


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("name", REFUSED)
def test_what_a_name_leads_to_is_judged(client, name, world):
    address, kind = REFUSED[name]
    with pytest.raises(GuardError) as caught:
        fetch(client, world.url(name))
    error = caught.value
    assert (error.cause, error.report) == ("address", None)
    (found,) = error.addresses
    assert found.partition("%")[0] == address.partition("%")[0]  # a scope has a name and a number
    assert f'"{name}": the policy permits no address of it: {found} (' in str(error)
    assert kind in str(error)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_name_without_addresses_is_the_clients_own_error(client, world):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each has its own
        fetch(client, world.url("nowhere.site.com"))
    assert not isinstance(caught.value, GuardError)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_name_is_looked_up_once(client, world, look_up):
    fetch(client, world.url("good.site.com"))
    assert look_up.asked["good.site.com"] == 1


@pytest.mark.parametrize("client", CLIENTS)
def test_a_relative_redirect_is_read_against_the_name(client, world):
    """Not against the address that was connected to: TLS, cookies and virtual hosts need names."""
    assert fetch(client, world.url("good.site.com", "/to?url=/"))[0] == 200
    assert world.seen[-1][0] == f"good.site.com:{world.port}"


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_every_redirect_to_a_host_that_is_not_listed_is_refused(client, status, world):
    policy = POLICY.replace(hosts=["good.site.com"])
    before = world.hits[OTHER]
    url = world.url("good.site.com", f"/to?status={status}&url=http://other.site.com:PORT/")
    with pytest.raises(GuardError) as caught:
        fetch(client, url, policy=policy)
    assert [found.code for found in caught.value.report.reasons] == ["host-refused"]
    assert world.hits[OTHER] == before
    assert fetch(client, url)[0] == 200
    assert world.hits[OTHER] == before + 1


@pytest.mark.parametrize("client", CLIENTS)
def test_cookies_go_to_their_host_alone(client, world):
    """Two names with one address are two hosts, and a redirect carries no cookie from one on."""
    before = len(world.seen)
    assert fetch(client, world.url("good.site.com", "/cookie?url=http://twin.site.com:PORT/"))
    fetch(client, world.url("good.site.com", "/cookie?url=http://other.site.com:PORT/"))
    later = world.seen[before:]
    assert [host.partition(".")[0] for host, _, _ in later] == ["good", "twin", "good", "other"]
    assert not any("secret" in headers.get("Cookie", "") for _, headers, _ in later)


@pytest.mark.parametrize("client", CLIENTS)
def test_redirects_are_limited(client, world):
    before = world.hits[OUTSIDE]
    with pytest.raises(GuardError, match="more than 5 redirects") as caught:
        fetch(client, world.url("good.site.com", "/loop"))
    assert caught.value.cause == "redirects"
    assert world.hits[OUTSIDE] - before == 6


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("way", ["", "&chunked=1"])
def test_a_body_is_limited(client, way, world):
    path = "/body?octets={}" + way
    assert len(fetch(client, world.url("good.site.com", path.format(9_000)))[2]) == 9_000
    with pytest.raises(GuardError, match="more than 10000 octets received") as caught:
        fetch(client, world.url("good.site.com", path.format(10_001)))
    assert caught.value.cause == "size"
    opened = Limits(octets=None, seconds=None)
    url = world.url("good.site.com", path.format(300_000))
    assert len(fetch(client, url, limits=opened)[2]) == 300_000


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("part", ["headers", "body"])
def test_time_is_limited_though_something_always_comes(client, part, world):
    limits = Limits(seconds=0.5)
    with pytest.raises(GuardError, match=r"not done within 0\.5 seconds") as caught:
        fetch(client, world.url("good.site.com", f"/drip?part={part}"), limits=limits)
    assert caught.value.cause == "time"


@pytest.mark.parametrize("limit", ["redirects", "octets", "seconds"])
def test_a_limit_is_not_negative(limit):
    with pytest.raises(ValueError, match=f"{limit}: a limit is not negative, as -1 is"):
        Limits(**{limit: -1})


@pytest.mark.parametrize("make", MAKERS)
def test_a_guard_takes_a_policy_and_limits(make):
    with pytest.raises(TypeError, match=r"policy must be a Policy, such as Policy\.web\(\), not"):
        getattr(guard, make)("outbound")
    with pytest.raises(TypeError, match="limits must be a Limits, not int"):
        getattr(guard, make)(POLICY, limits=5)


@pytest.mark.parametrize("client", CLIENTS)
def test_an_error_shows_no_password(client, world):
    with pytest.raises(GuardError) as caught:
        fetch(client, f"http://user:hunter2@good.site.com:{world.port}/")
    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in repr(caught.value)
    assert {found.code for found in caught.value.report.reasons} == {"userinfo", "userinfo-refused"}


def by_proxy(client, url, world, limits=LIMITS):
    """Fetch through the server that is outside, as a proxy; return the body."""
    proxy = f"http://us%40er:pw@{OUTSIDE}:{world.port}"
    return fetch(client, url, limits=limits, proxy=proxy)[2]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_proxy_that_is_given_looks_names_up(client, world, look_up):
    before = len(world.seen)
    assert by_proxy(client, "http://known.to-the-proxy.com/", world) == b"ok"
    (at, headers, target), (host, _, path) = world.seen[before:]
    assert at == target == "known.to-the-proxy.com:80"
    assert headers["Proxy-Authorization"] == "Basic dXNAZXI6cHc="
    assert (host, path) == ("known.to-the-proxy.com", "/")
    assert not look_up.asked["known.to-the-proxy.com"]


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(("path", "cause"), TABLES["what_comes_through_a_proxy_is_guarded"])
def test_what_comes_through_a_proxy_is_guarded(client, path, cause, world):
    limits = Limits(redirects=5, octets=10_000, seconds=0.5 if cause == "time" else 20)
    with pytest.raises(GuardError) as caught:
        by_proxy(client, f"http://known.to-the-proxy.com{path}", world, limits=limits)
    assert caught.value.cause == cause


@pytest.mark.parametrize("client", CLIENTS)
def test_a_proxy_is_asked_for_an_ipv6_address_in_brackets(client, world):
    assert by_proxy(client, "http://[2606:4700::1111]/", world) == b"ok"
    assert world.seen[-2][2] == "[2606:4700::1111]:80"


@pytest.mark.parametrize("proxy", ["socks5://u:pw@h/", "https://u:pw@h/", "http:/h"])
def test_a_proxy_is_an_http_url(proxy):
    with pytest.raises(GuardError, match="a proxy is an http URL") as caught:
        guard.requests_session(proxy=proxy)
    assert "pw" not in str(caught.value)


# Faults: each guard is broken on purpose, and what a test above holds no longer does.


def unjudged(_, url):
    """Judge as a guard does that knows the first URL only."""
    from uriparse.validation import check

    return check(url, Policy.syntax())


@pytest.mark.parametrize("client", CLIENTS)
def test_a_guard_that_ignores_addresses_is_found(client, world, look_up, monkeypatch):
    monkeypatch.setattr(
        "uriparse.guard.guarding.Guard.permitted", lambda _guard, _host, found: [*found]
    )
    assert reached(client, "internal name", world, look_up, monkeypatch)[0] > 0
    assert reached(client, "rebinding", world, look_up, monkeypatch)[0] > 0


@pytest.mark.parametrize("client", CLIENTS)
def test_a_guard_that_does_not_judge_redirects_is_found(client, world, monkeypatch):
    policy = POLICY.replace(hosts=["good.site.com"])
    monkeypatch.setattr("uriparse.guard.guarding.Guard.judge", unjudged)
    before = world.hits[OTHER]
    fetch(client, world.url("good.site.com", "/to?url=http://other.site.com:PORT/"), policy=policy)
    assert world.hits[OTHER] == before + 1
