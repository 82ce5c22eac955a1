"""What URIs of each scheme mean, by its RFC: written from the documents, without the library.

`meaning(text)` of two URIs is equal exactly where RFC 3986 section 6.2 or the RFC of their scheme
says that they are equivalent.
"""

import base64
import re
from binascii import Error as Base64Error
from decimal import Decimal
from ipaddress import IPv6Address
from urllib.parse import unquote_to_bytes as octets

from conformance.program_mutants import remove_dot_segments

UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
PARTS = re.compile(r"([^:]+):(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
HIERARCHICAL = {
    *("http", "https", "ws", "wss", "ftp", "file", "coap", "coaps", "rtsp", "rtsps"),
    *("ssh", "sftp", "git", "git+ssh", "coap+tcp", "coaps+tcp", "coap+ws", "coaps+ws", "ipp"),
    *("ipps", "nfs"),
}
"""By the RFCs 9110, 6455, 1738, 8089, 7252, 8323, 7826, 3510 and 2224, and what documents git."""
WITH_SLASH = {*HIERARCHICAL, "telnet", "gopher", "imap", "ldap", "ldaps"} - {"file"}
"""Where an empty path after an authority means "/" (RFC 3986 section 6.2.3, RFC 4248 section 2, RFC
4266 section 2.1, RFC 4516 section 4)."""
PORTS = {
    "http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "gopher": 70, "nntp": 119,
    "news": 119, "telnet": 23, "wais": 210, "prospero": 1525, "ldap": 389, "ldaps": 636,
    "imap": 143, "pop": 110, "rtsp": 554, "rtsps": 322, "coap": 5683, "coaps": 5684,
    "coap+tcp": 5683, "coaps+tcp": 5684, "coap+ws": 80, "coaps+ws": 443, "ipp": 631, "ipps": 631,
    "dns": 53, "nfs": 2049,
    "ssh": 22, "sftp": 22, "git+ssh": 22, "git": 9418, "stun": 3478, "stuns": 5349, "turn": 3478,
    "turns": 5349, "postgresql": 5432, "postgres": 5432, "mysql": 3306, "mongodb": 27017,
    "redis": 6379, "rediss": 6379,
}  # fmt: skip


def fold(text):
    """Decode the triplets of unreserved characters, and write the others in upper case."""

    def one(triplet):
        char = chr(int(triplet[0][1:], 16))
        return char if char in UNRESERVED else triplet[0].upper()

    return None if text is None else re.sub("%..", one, text)


def host(text):
    folded = re.sub("[A-Z](?<!%.)(?<!%..)", lambda one: one[0].lower(), fold(text))
    if folded.startswith("[") and folded[1] != "v":
        return IPv6Address(folded[1:-1])
    return folded


def server(text, scheme=None):
    """Read host and port; a port that is the scheme's own may be left out."""
    name, port = re.fullmatch(r"(\[.*\]|[^:]*)(?::(\d*))?", text).groups()
    number = int(port) if port else PORTS.get(scheme)
    return host(name), number


def authority(text, scheme):
    if text is None:
        return None
    login, at, rest = text.rpartition("@")
    return fold(login) if at else None, *server(rest, scheme)


def generic(text):
    """Read a URI by RFC 3986 section 6.2 alone."""
    scheme, where, path, query, fragment = PARTS.fullmatch(text).groups()
    scheme, path = scheme.lower(), fold(path)
    if scheme in HIERARCHICAL:
        path = remove_dot_segments(path)
    where = authority(where, scheme)
    if scheme in WITH_SLASH and where is not None:
        path = path or "/"
    if scheme == "file" and (where is None or where == (None, "localhost", None)):
        where = (None, "", None)
    return where, path, fold(query), fold(fragment)


def ftp(text):
    return generic(re.sub(";type=([aid])$", lambda one: one[0].lower(), text, flags=re.IGNORECASE))


def gopher(text):
    where, path, query, fragment = generic(text)
    return where, "/1" if path == "/" and query is None else path, query, fragment


def subscriber(text):
    number, *parameters = text.split(";")
    found = set()
    for parameter in parameters:
        name, equals, value = parameter.partition("=")
        name, value = name.lower(), fold(value).lower()
        if name == "ext" or (name == "phone-context" and value.startswith("+")):
            value = re.sub("[-.()]", "", value)
        found.add((name, value if equals else None))
    return re.sub("[-.()]", "", number).lower(), frozenset(found)


def tel(text):
    return subscriber(text.partition(":")[2])


def sms(text):
    numbers, sign, fields = text.partition(":")[2].partition("?")
    pairs = [tuple(map(octets, field.split("=", 1))) for field in fields.split("&") if field]
    return frozenset(map(subscriber, numbers.split(","))), tuple(pairs), bool(sign and fields)


def geo(text):
    _, _, path, _, fragment = PARTS.fullmatch(text).groups()
    numbers, *parameters = path.split(";")
    place, named = list(map(Decimal, numbers.split(","))), {}
    for parameter in parameters:
        name, equals, value = parameter.partition("=")
        named.setdefault(name.lower(), set()).add(octets(value) if equals else None)
    crs = min(named.pop("crs", {b"wgs84"})).lower()
    if crs == b"wgs84":
        place[1] = Decimal(180) if place[1].copy_abs() == 180 else place[1]
        place[1] = Decimal(0) if place[0].copy_abs() == 90 else place[1]
    uncertainty = {Decimal(value.decode()) for value in named.pop("u", ())}
    further = frozenset((name, value) for name, values in named.items() for value in values)
    return tuple(place), crs, frozenset(uncertainty), further, fold(fragment)


def sip(text):
    text, _, fragment = text.partition(":")[2].partition("#")
    login, at, rest = text.rpartition("@")
    user, colon, password = login.partition(":")
    where, parameters, headers = re.fullmatch(r"([^;?]*)((?:;[^?]*)?)(?:\?(.*))?", rest).groups()
    pairs = (one.partition("=") for one in parameters.split(";")[1:])
    fields = (one.partition("=") for one in (headers or "").split("&") if one)
    return (
        octets(user) if at else None, octets(password) if colon else None, server(where),
        frozenset(
            (octets(name).lower(), octets(value).lower() if equals else None)
            for name, equals, value in pairs
        ),
        frozenset((octets(name).lower(), octets(value)) for name, _, value in fields),
        fold(fragment),
    )  # fmt: skip


def urn(text):
    nid, nss = re.match("[^:]*:([^:]*):([^?#]*)", text).groups()
    return nid.lower(), re.sub("%..", lambda triplet: triplet[0].upper(), nss)


def acct(text):
    user, _, where = text.partition(":")[2].rpartition("@")
    return octets(user), host(where)


def news(text):
    _, where, path, _, fragment = PARTS.fullmatch(text).groups()
    asked = path if where is None else path[1:]
    asked = octets("" if fold(asked) in {"*", "%2A"} else asked)
    if where is None:
        return None, asked, "@" in path, fold(fragment)
    login, at, rest = where.rpartition("@")
    who = tuple(map(octets, login.split(":"))) if at else None
    return (who, server(rest, "news")), asked, "@" in path, fold(fragment)


def nntp(text):
    _, where, path, _, fragment = PARTS.fullmatch(text).groups()
    login, at, rest = where.rpartition("@")
    _, group, *number = path.split("/")
    who = tuple(map(octets, login.split(":"))) if at else None
    return who, server(rest, "nntp"), octets(group), *map(int, number), fold(fragment)


def stun(text):
    scheme, _, rest = text.partition(":")
    where, _, transport = rest.partition("?")
    return server(where, scheme.lower()), transport.partition("=")[2].lower()


def imap(text):
    where, path, query, _ = generic(text)
    lower = re.sub("(?i);[a-z]+=", lambda name: name[0].lower(), path)
    login = None if where[0] is None else re.sub("(?i);auth=", ";auth=", where[0])
    asked = None if query is None else octets(query)
    is_any = (login or "").endswith("auth=*")
    return login and octets(login), is_any, where[1:], octets(lower), asked


def database(text):
    scheme, where, path, query, fragment = PARTS.fullmatch(text).groups()
    login, at, rest = where.rpartition("@")
    servers = tuple(server(one, scheme.lower()) for one in re.split(r",(?![^\[]*\])", rest))
    user, colon, password = login.partition(":")
    who = octets(user) if at else None, octets(password) if colon else None
    name = octets(path[1:]) if path else None
    return who, servers, name, fold(query or ""), fold(fragment)


def bucket(text):
    _, where, path, _, fragment = PARTS.fullmatch(text).groups()
    return where, octets(path[1:]) if path else None, fold(fragment)


def otpauth(text):
    _, kind, path, query, _ = PARTS.fullmatch(text).groups()
    label = re.split("(:|%3[Aa])", path[1:], maxsplit=1)
    issuer, account = (None, label[0]) if len(label) == 1 else (octets(label[0]), label[2])
    account = octets(re.sub("^(%20)*", "", account))
    pairs = (pair.partition("=") for pair in (query or "").split("&"))
    return kind.lower(), issuer, account, frozenset((octets(n), octets(v)) for n, _, v in pairs)


def ni(text):
    _, _, path, _, fragment = PARTS.fullmatch(text).groups()
    return path, fold(fragment)


def dns(text):
    _, where, path, query, fragment = PARTS.fullmatch(text).groups()
    name = octets(path if where is None else path[1:])
    asked = {"CLASS": "IN", "TYPE": "A"}
    asked |= dict(pair.upper().split("=") for pair in (query or "").split(";") if pair)
    place = None if where is None else server(where, "dns")
    return place, name.lower().removesuffix(b"."), asked, fold(fragment)


def xmpp(text):
    _, where, path, query, fragment = PARTS.fullmatch(text).groups()
    address, slash, resource = (path[1:] if where else path).partition("/")

    def addressed(who):
        user, at, domain = who.rpartition("@")
        return octets(user).lower() if at else None, re.sub(r"(?<=.)\.$", "", str(host(domain)))

    whom = [addressed(who) if who else None for who in (where, address)]
    return whom, octets(resource) if slash else None, fold(query), fold(fragment)


def pop(text):
    login, at, rest = PARTS.fullmatch(text)[2].rpartition("@")
    user, *how = re.split("(?i);auth=", login)
    kinds = ["*" if one == "*" else octets(one) for one in how]
    return octets(user) if at else None, kinds, server(rest, "pop")


def mailto(text):
    _, _, path, query, fragment = PARTS.fullmatch(text).groups()
    lists, others = [path] if path else [], []
    for field in (query or "").split("&") if query else ():
        name, _, value = field.partition("=")
        name = fold(name).lower()
        is_list = all(map(is_mailbox, value.split(",")))
        (lists.append(value) if name == "to" and is_list else others.append((name, fold(value))))
    boxes = [fold(box).rpartition("@") for one in lists for box in one.split(",")]
    return [(local, host(domain)) for local, _, domain in boxes], others, fold(fragment)


def is_mailbox(text):
    """Whether a text is an address of RFC 6068: dots between words, or a quoted string."""
    word = r"(?:[\w!$'*+~-]|%(?!2[028C]|29|22|2E|3[ABCE]|40|5[BCD]|[01]|7F))+"
    dotted = rf"{word}(?:(?:\.|%2E){word})*"
    literal = r"%5B(?:[^%]|%(?!5[BCD]|[01]|7F|20))*%5D"
    return re.fullmatch(f"(?i)(?:{dotted}|%22.*%22)@(?:{dotted}|{literal})", text) is not None


def ldap(text):
    where, path, query, fragment = generic(text)
    parts = [*(query or "").split("?"), "", "", "", ""][:4]
    names, scope, wanted, more = parts
    names = "" if names == "*" else names
    return (
        where and where[1:], path.removeprefix("/"), names, scope.lower() or "base",
        wanted or "(objectClass=*)", more, fragment,
    )  # fmt: skip


def data(text):
    head, _, rest = text.partition(":")[2].partition(",")
    body, sign, fragment = rest.partition("#")
    is_base64 = head.lower().endswith(";base64")
    kind, *parameters = (head[:-7] if is_base64 else head).split(";")
    try:
        packed = b"".join(octets(body).split())
        padded = packed + b"=" * (-len(packed) % 4)
        content = base64.b64decode(padded, validate=True) if is_base64 else octets(body)
    except Base64Error:
        return fold(text.partition(":")[2])
    pairs = {}
    for name, _, value in (one.partition("=") for one in parameters):
        pairs.setdefault(octets(name).lower(), octets(value))
    kind = tuple(octets(part).lower() for part in (kind or "text/plain").split("/"))
    if kind == (b"text", b"plain"):
        pairs.setdefault(b"charset", b"us-ascii")
    if b"charset" in pairs:
        pairs[b"charset"] = pairs[b"charset"].lower()
    return kind, frozenset(pairs.items()), content, fold(fragment) if sign else None


OWN = {
    "ftp": ftp, "gopher": gopher, "tel": tel, "sms": sms, "geo": geo, "sip": sip, "sips": sip,
    "urn": urn, "acct": acct, "news": news, "nntp": nntp, "imap": imap, "s3": bucket, "gs": bucket,
    "otpauth": otpauth, "mailto": mailto, "ldap": ldap, "ldaps": ldap, "data": data, "tag": str,
    "ni": ni, "pop": pop, "dns": dns, "xmpp": xmpp,
    **dict.fromkeys(("stun", "stuns", "turn", "turns"), stun),
    **dict.fromkeys(("postgresql", "postgres", "mysql", "redis", "rediss"), database),
    **dict.fromkeys(("mongodb", "mongodb+srv"), database),
}  # fmt: skip


def meaning(text):
    """Return what equivalent URIs have in common."""
    scheme = text.partition(":")[0].lower()
    return scheme, OWN.get(scheme, generic)(text)
