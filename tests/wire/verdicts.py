"""What a client did with a text, beside what the library says of it."""

from ipaddress import ip_address

from wire.recorder import address_of

from uriparse.validation import Policy, validate

SAME, REFUSED, ELSEWHERE, TARGET = "same", "refused", "elsewhere", "target"

OPEN = Policy.syntax()


def verdict(text, names, connections):
    """Compare the names, the connections and the request with the target of a text.

    "refused": it connected to nothing and looked up nothing else. "elsewhere": another name,
    address, port, kind of connection or server name (SNI). "target": another request target.
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
        if one["sni"] is not None and one["sni"].lower().rstrip(".") != host:
            return ELSEWHERE
    if not connections:
        return REFUSED
    wanted = target.url.partition("://")[2]
    wanted = wanted[wanted.index("/") :]
    lines = [one["line"].split(" ") for one in connections if one["line"]]
    return TARGET if any(line[1:2] != [wanted] for line in lines) else SAME


def as_connected(address):
    """Return an address as the system connects to it: a mapped one by IPv4."""
    return getattr(address, "ipv4_mapped", None) or address
