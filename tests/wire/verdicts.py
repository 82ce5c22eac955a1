"""What a client did with a text, beside what the library says of it."""

from collections import Counter
from contextlib import suppress
from ipaddress import ip_address

from wire.recorder import address_of
from wire.running import run

from uriparse.validation import Policy, validate

SAME, REFUSED, UNSENT, ELSEWHERE, TARGET = "same", "refused", "unsent", "elsewhere", "target"
UNPROXIED, UNBRACKETED = "unproxied", "unbracketed"

LEAVES_BRACKETS_OUT = {"httpx", "httpx2"}
"""Clients that ask a proxy for `http://2001:db8::1/`, which has another host and port, if any.

Known to the makers of both. It is a fault of the URL that they write, not of what is accepted.
"""

IPV6 = 6

OPEN = Policy.syntax()


def verdict(text, names, connections):
    """Compare the names, the connections and the request with the target of a text.

    "refused": it connected to nothing and looked up nothing else. "unsent": it connected as it
    should, and sent no request. "elsewhere": another name, address, port, kind of connection,
    server name (SNI) or host in the Host header, however that is spelled. "target": another
    request target. "unproxied" is said of a client that was to take the proxy, and did the same
    without it; "unbracketed" of one that asked it for an IPv6 address without brackets, as it is
    known to do.
    """
    target = validate(text, OPEN).target
    host = target.host.rstrip(".")  # a trailing dot shows in nothing that is noted here
    is_name = target.address is None
    asked = {name.rstrip(".").lower() for name in names}
    if asked - ({host} if is_name else set()):
        return ELSEWHERE
    address = ip_address(address_of(host)) if is_name else as_connected(target.address)
    tls = target.scheme == "https"
    for one in connections:
        if (ip_address(one["address"]), one["port"], one["tls"]) != (address, target.port, tls):
            return ELSEWHERE
        if one["sni"] is not None and one["sni"].lower().rstrip(".").strip("[]") != host:
            return ELSEWHERE
        if one.get("host") is not None and not is_named(one["host"], host, target):
            return ELSEWHERE
    if not connections:
        return REFUSED
    wanted = target.url.partition("://")[2]
    wanted = wanted[wanted.index("/") :]
    lines = [one["line"].split(" ") for one in connections if one["line"]]
    if any(line[1:2] != [wanted] for line in lines):
        return TARGET
    return SAME if lines else UNSENT


def is_named(header, host, target):
    """Whether a Host header names the host of a target, or its address in any spelling."""
    if target.address is None:
        return header.lower().partition(":")[0].rstrip(".") == host
    bare = header.removesuffix(f":{target.port}").strip("[]")  # some clients leave the brackets out
    with suppress(ValueError):
        return ip_address(bare) == target.address
    return False


def as_connected(address):
    """Return an address as the system connects to it: a mapped one by IPv4."""
    return getattr(address, "ipv4_mapped", None) or address


def judged(client, texts, folder, bad=(ELSEWHERE, TARGET), *, is_proxied=False):
    """Return a client's version, how often it did what, and what went wrong, twice.

    What it does late is noted with a later text: so what went wrong is fetched once more.
    bad: the verdicts that go wrong.
    """
    version, found = verdicts(client, texts, folder, is_proxied)
    wrong = [text for text, (what, _) in found.items() if what in bad]
    found |= verdicts(client, wrong, folder, is_proxied)[1]
    counts = Counter(what for what, _ in found.values())
    return version, counts, [(text, found[text]) for text in wrong if found[text][0] in bad]


def verdicts(client, texts, folder, is_proxied):
    """Return a client's version, and its verdict and what was noted by text."""
    if not texts:
        return None, {}
    made = run(texts, [client], folder, is_proxied=is_proxied)[client]
    found = {}
    for text, row in zip(texts, made["rows"], strict=True):
        is_past = is_proxied and not all(one.get("proxied") for one in row[1])
        what = verdict(text, *row[:2])
        if is_past and what == SAME:
            what = UNPROXIED
        if is_proxied and client in LEAVES_BRACKETS_OUT and what == ELSEWHERE:
            target = validate(text, OPEN).target
            what = UNBRACKETED if getattr(target.address, "version", 4) == IPV6 else what
        found[text] = what, row
    return made["version"], found


def targets(texts):
    """Return what is to be handed to a client: the target's URL."""
    return [validate(text, Policy.web()).target.url for text in texts]
