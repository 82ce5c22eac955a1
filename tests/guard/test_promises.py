"""What guarded clients promise, each by an attack on each client.

Run with the newest versions of the clients, and with the oldest that pyproject declares.
"""

import asyncio
import contextlib
import gc
import io
import os
import socket
import sys
import time
import traceback
import zlib

import pytest
from guard.clients import CLIENTS, INSIDE, LIMITS, NAMES, OUTSIDE, POLICY, Outside

from uriparse import guard
from uriparse.guard import GuardError, Limits

pytestmark = pytest.mark.usefixtures("look_up")

SHORT = Limits(seconds=0.5)
every = pytest.mark.parametrize("client", CLIENTS)
BOMBS = ["gzip", "deflate", "raw-deflate", "mixed-deflate", "trailed-gzip"]


class Client:
    """A guarded client of any library, whose one method sends and returns the body."""

    def __init__(self, name, **options):
        self.name = name
        self.options = {"policy": POLICY, "limits": LIMITS, **options}

    def __call__(self, *urls, method="GET", **given):
        """Send to each URL in turn with one client; return what each gave, a body or an error."""
        if self.name in ("aiohttp", "httpx async"):
            return asyncio.run(self.later(urls, method, given))
        made = {
            "requests": guard.requests_session,
            "urllib3": guard.urllib3_manager,
            "httpx": guard.httpx_client,
        }[self.name](**self.options)
        if self.name == "urllib3" and "data" in given:
            given["body"] = given.pop("data")
        if self.name == "httpx" and "data" in given:
            given["content"] = given.pop("data")
        with made as client:
            found = []
            for url in urls:
                try:
                    answer = client.request(method, url, **given)
                    found.append(answer.data if self.name == "urllib3" else answer.content)
                except Exception as error:  # noqa: BLE001 - of many kinds
                    found.append(error)
            return found

    async def later(self, urls, method, given):
        found = []
        if self.name == "httpx async" and "data" in given:
            given["content"] = given.pop("data")
        make = guard.aiohttp_session if self.name == "aiohttp" else guard.httpx_async_client
        async with make(**self.options) as client:
            for url in urls:
                try:
                    answer = await client.request(method, url, **given)
                    is_httpx = self.name == "httpx async"
                    found.append(await (answer.aread() if is_httpx else answer.read()))
                except Exception as error:  # noqa: BLE001 - of many kinds
                    found.append(error)
        return found


def causes(found):
    return [one.cause if isinstance(one, GuardError) else one for one in found]


@every
@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip, gzip", "compress"])
def test_a_compressed_body_is_refused(client, coding, world):
    """Whatever it may grow to: nothing of it is decompressed."""
    path = f"/coded?as={coding.replace(' ', '%20')}"
    url = world.url("good.site.com", path)
    assert causes(Client(client)(url)) == ["encoding"]
    fields = {name.lower(): value for name, value in world.seen[-1][1].items()}
    assert fields["accept-encoding"] == "identity"


@every
@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_is_refused(client, kind, world):
    """50 MB of zeros in 50 kB."""
    url = world.url("good.site.com", f"/bomb?kind={kind}")
    assert causes(Client(client, limits=Limits())(url)) == ["encoding"]


@every
@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_decompression_has_its_bound(client, coding, world):
    if client == "aiohttp":
        with pytest.raises(TypeError, match="decompress"):
            Client(client, decompress=True)(world.url("good.site.com"))
        return
    asked = Client(client, decompress=True)
    assert asked(world.url("good.site.com", f"/small?kind={coding}")) == [b"ok" * 1000]
    for kind in [kind for kind in BOMBS if kind.endswith(coding)]:
        url = world.url("good.site.com", f"/bomb?kind={kind}")
        assert causes(asked(url)) == ["size"], kind  # 50 kB, of which 10 kB may come
    for other in ("br", "gzip,%20gzip"):
        assert causes(asked(world.url("good.site.com", f"/coded?as={other}"))) == ["encoding"]


def test_deflate_has_a_greatest_ratio():
    """That the documentation states."""
    body = zlib.compress(bytes(50_000_000), 9)
    assert 1000 < 50_000_000 / len(body) < 1032


@every
def test_an_upload_ends_in_time(client, world):
    start = time.monotonic()
    url = world.url("good.site.com")
    body = bytes(30_000_000)
    sent = body if client == "httpx async" else io.BytesIO(body)
    found = Client(client, limits=SHORT)(url, method="POST", data=sent)
    assert causes(found) == ["time"]
    assert time.monotonic() - start < 2


@every
def test_errors_name_their_own_request(client, world):
    """By one client, of which the first request ends at its deadline."""
    late, good = world.url("good.site.com", "/drip?part=body"), world.url("good.site.com")
    large = world.url("good.site.com", "/body?octets=20000")
    found = Client(client, limits=Limits(seconds=0.5, octets=10_000))(late, good, large, late)
    assert causes(found) == ["time", b"ok", "size", "time"]
    assert [one.url for one in found if one != b"ok"] == [late, large, late]


@every
def test_a_second_request_has_its_own_limits(client, world):
    urls = [world.url("good.site.com", "/body?octets=9000")] * 3
    assert [len(one) for one in Client(client)(*urls)] == [9_000] * 3


def test_a_session_leaves_nothing_in_the_context_of_a_task(world):
    async def both():
        first = guard.aiohttp_session(POLICY, limits=Limits(seconds=0.2))
        second = guard.httpx_async_client(POLICY, limits=LIMITS)
        async with first, second:
            await (await first.get(world.url("good.site.com"))).read()
            await asyncio.sleep(0.3)
            return (await second.get(world.url("other.site.com"))).content

    assert asyncio.run(both()) == b"ok"


@every
@pytest.mark.parametrize("redirects", [0, 1, 10, 20])
def test_redirects_are_counted_alike(client, redirects, world):
    before = world.hits[OUTSIDE]
    found = Client(client, limits=Limits(redirects=redirects))(world.url("good.site.com", "/loop"))
    assert causes(found) == ["redirects"]
    assert f"more than {redirects} redirects" in str(found[0])
    assert world.hits[OUTSIDE] - before == redirects + 1


@every
def test_a_traceback_shows_no_password(client, world):
    policy = POLICY.replace(userinfo=True, severity={"userinfo": "off"})
    at = f"http://user:hunter2@good.site.com:{world.port}"
    for path in ("/loop", "/body?octets=20000", "/drip?part=body", "/coded?as=br"):
        (error,) = Client(client, policy=policy, limits=Limits(seconds=0.5, octets=10_000))(
            at + path
        )
        assert isinstance(error, GuardError)
        assert "hunter2" not in "".join(traceback.format_exception(error))


@every
def test_an_address_of_this_machine_is_refused_though_it_is_global(client, world):
    class Global(Outside):
        def refused_classes(self, _):
            return ()

    policy = Global(**POLICY.__getstate__())
    found = Client(client, policy=policy)(
        world.url("internal.site.com"), world.url("good.site.com")
    )
    assert causes(found) == ["address", b"ok"]
    assert "of this machine" in str(found[0])
    listed = policy.replace(allowed_addresses=[f"{INSIDE}/32"])
    assert Client(client, policy=listed)(world.url("internal.site.com")) == [b"ok"]


@every
def test_networks_of_the_policy_decide(client, world):
    refusing = POLICY.replace(refused_addresses=["203.0.113.0/24", "198.51.100.7"])
    assert Client(client, policy=refusing)(world.url("good.site.com")) == [b"ok"]
    assert causes(Client(client, policy=refusing)("http://203.0.113.5/")) == ["url"]
    from uriparse.validation import Policy

    opened = Policy(allowed_addresses=[f"{OUTSIDE}/32"])
    found = Client(client, policy=opened)(world.url("good.site.com"), world.url("other.site.com"))
    assert causes(found) == [b"ok", "address"]


def test_a_session_of_requests_has_one_way(world):
    """What would lead around the guard is refused, with a proxy and without."""
    inside = world.url("internal.site.com")
    for proxy in (None, world.url(OUTSIDE)):
        with guard.requests_session(POLICY, proxy=proxy) as session:
            before = world.hits[INSIDE], world.hits[OUTSIDE]
            with contextlib.suppress(GuardError):
                session.get(inside, proxies={"http": None})
            session.proxies.clear()
            with contextlib.suppress(GuardError):
                session.get(inside)
            assert world.hits[INSIDE] == before[0]
            assert world.hits[OUTSIDE] == before[1] + (2 if proxy else 0)  # by the proxy
            with pytest.raises(GuardError, match="give the proxy to requests_session"):
                session.get(world.url("good.site.com"), proxies={"http": world.url(INSIDE)})
            with pytest.raises(GuardError, match="has its own adapter"):
                session.mount("http://", object())
            manager = session.get_adapter("http://").poolmanager
            with pytest.raises(GuardError, match="not sent by a method"):
                manager.connection_from_url(world.url("good.site.com")).urlopen("GET", "/")


def test_pools_of_urllib3_send_nothing_on_their_own(world):
    policy = POLICY.replace(hosts=["good.site.com"])
    with guard.urllib3_manager(policy) as manager:
        assert manager.request("GET", world.url("good.site.com")).data == b"ok"
        before = world.hits.copy()
        for name in ("other.site.com", "good.site.com"):  # one new, one with a connection
            with pytest.raises(GuardError, match="not sent by a method"):
                manager.connection_from_url(world.url(name)).request("GET", "/")
        assert world.hits == before


def test_a_session_of_aiohttp_has_one_way(world):
    async def get(**options):
        made = guard.aiohttp_session(POLICY, proxy=world.url(OUTSIDE))
        async with made as session, session.get(world.url("good.site.com"), **options) as answer:
            return await answer.read()

    assert asyncio.run(get()) == b"ok"
    for options in ({"proxy": world.url(INSIDE)}, {"auto_decompress": True}):
        with pytest.raises(GuardError) as caught:
            asyncio.run(get(**options))
        assert caught.value.cause == "option"

    async def chat():
        async with guard.aiohttp_session(POLICY) as session:
            await session.ws_connect(world.url("good.site.com"))

    with pytest.raises(GuardError, match="no WebSocket"):
        asyncio.run(chat())


@pytest.mark.parametrize("client", ["requests", "urllib3", "httpx", "httpx async", "aiohttp"])
def test_a_longer_timeout_of_a_request_changes_no_deadline(client, world):
    start = time.monotonic()
    url = world.url("good.site.com", "/drip?part=body")
    given = 60
    if client == "aiohttp":
        import aiohttp

        given = aiohttp.ClientTimeout(total=60)
    assert causes(Client(client, limits=SHORT)(url, timeout=given)) == ["time"]
    assert time.monotonic() - start < 2


@every
def test_the_shorter_timeout_of_a_program_is_its_own(client, world):
    given = 0.3
    if client == "aiohttp":
        import aiohttp

        given = aiohttp.ClientTimeout(total=0.3)
    options = {"retries": False} if client == "urllib3" else {}
    url = world.url("good.site.com", "/silence")
    (error,) = Client(client)(url, timeout=given, **options)
    assert not isinstance(error, GuardError)
    assert isinstance(error, Exception)


@every
def test_what_is_dead_takes_its_share_of_the_time_alone(client, world, monkeypatch):
    """A connection to the first of two addresses is never answered."""
    deaf = socket.socket()
    deaf.bind(("127.0.0.12", world.port))
    deaf.listen(0)
    held = [socket.socket() for _ in range(4)]
    for one in held:
        one.setblocking(False)
        one.connect_ex(("127.0.0.12", world.port))
    monkeypatch.setitem(NAMES, "deaf.site.com", ["127.0.0.12", OUTSIDE])
    monkeypatch.setattr("guard.clients.DEAD", "127.0.0.12")
    policy = POLICY.replace(allowed_addresses=["127.0.0.12"])
    with contextlib.closing(deaf):
        found = Client(client, policy=policy, limits=Limits(seconds=3))(world.url("deaf.site.com"))
    for one in held:
        one.close()
    assert found == [b"ok"]


@pytest.mark.filterwarnings("error")
@every
def test_no_socket_is_left_open(client, world):
    url = world.url("good.site.com")
    late = world.url("good.site.com", "/drip?part=headers")
    assert causes(Client(client, limits=SHORT)(url, late, url)) == [b"ok", "time", b"ok"]
    gc.collect()


@pytest.mark.skipif(sys.platform == "win32", reason="resource is of other systems")
@every
def test_many_open_files_are_no_limit(client, world):
    """A kept connection is looked at though its number is larger than select() takes."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 4096), hard))
    held = [os.dup(0) for _ in range(1100)]
    try:
        assert Client(client)(*[world.url("good.site.com")] * 2) == [b"ok"] * 2
    finally:
        for one in held:
            os.close(one)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
