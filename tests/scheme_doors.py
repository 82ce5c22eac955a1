"""The doors of `uriparse.schemes`, as in `doors`."""

from doors import DATA, HTTP, LISTS, NAME, NONE, OTHER, TEXT, Door, door, inside

from uriparse import parse_url
from uriparse.schemes import (
    CURRENT,
    REGISTRY,
    Encoded,
    FileURL,
    FtpURL,
    GopherPlus,
    GopherURL,
    HostName,
    HostNumber,
    HttpsURL,
    HttpURL,
    MailtoURL,
    NewsURL,
    NntpURL,
    OtherURL,
    ProsperoURL,
    Registry,
    RelaxedHost,
    TelnetURL,
    WaisURL,
    access_plan,
)
from uriparse.schemes.current import CurrentURI, FtpURI, HttpURI, ProsperoURI, WsURI
from uriparse.schemes.dialects import dialects
from uriparse.schemes.plans import (
    ftp_plan,
    gopher_plan,
    guess_type,
    news_plan,
    nntp_plan,
    prospero_plan,
    telnet_advice,
    wais_plan,
)
from uriparse.schemes.url_parsing import equivalent

PLANS = {
    access_plan: "ftp://h.d/a",
    ftp_plan: "ftp://h.d/a",
    gopher_plan: "gopher://h.d/0a%09%09+",
    news_plan: "news:a.b",
    nntp_plan: "nntp://h.d/a.b",
    prospero_plan: "prospero://h.d/a",
    telnet_advice: "telnet://h.d",
    wais_plan: "wais://h.d/a",
}
FIELDS = {
    FileURL: ({"segments": ["a"]}, "fragment"),
    FtpURL: ({"host": "h.d", "user": "u", "name": "n"}, "password fragment"),
    FtpURI: ({"host": "h.d", "user": "u", "name": "n"}, "password fragment"),
    GopherURL: ({"host": "h.d", "gtype": "0", "search": ""}, "selector gopher_plus fragment"),
    HttpURL: ({"host": "h.d", "segments": ["a"]}, "search fragment"),
    HttpsURL: ({"host": "h.d", "segments": ["a"]}, "search fragment"),
    HttpURI: ({"host": "h.d", "segments": ["a"]}, "userinfo query fragment"),
    WsURI: ({"host": "h.d", "segments": ["a"]}, "query"),
    MailtoURL: ({"address": "a@b"}, "fragment"),
    NewsURL: ({"domain": "h.d", "unique": "a"}, "unique fragment"),
    NntpURL: ({"host": "h.d", "group": "a.b"}, "fragment"),
    OtherURL: ({"scheme": "x", "host": "h.d", "user": "u"}, "password urlpath fragment"),
    ProsperoURL: ({"host": "h.d", "hsoname": "a"}, "fragment"),
    ProsperoURI: ({"host": "h.d", "hsoname": "a"}, "fragment"),
    TelnetURL: ({"host": "h.d", "user": "u"}, "password fragment"),
    WaisURL: ({"host": "h.d", "database": "a"}, "search fragment"),
}
"""Of each record: the parts that it is made of here, and further ones that are data."""
ALWAYS_DATA = {"user", "name", "address", "hsoname", "database", "gtype"}
NEEDED = {"address", "hsoname", "database", "selector"}
"""What cannot be None."""


def for_record(kind):
    fixed, data = FIELDS[kind]
    make = kind.from_parts
    for name in (*data.split(), *(part for part in fixed if part in ALWAYS_DATA)):
        optional = () if name in NEEDED else NONE
        good = "0" if name == "gtype" else "a b"
        yield door(make, name, good, DATA, optional, **fixed)
    if "host" in fixed:
        yield door(make, "host", "h.d", TEXT, NONE if kind is OtherURL else (), **fixed)
        yield door(make, "port", "8", OTHER, (int, *NONE), **fixed)
    registry = CURRENT if issubclass(kind, CurrentURI) else REGISTRY
    yield door(make, "registry", registry, OTHER, (dict, *NONE), **fixed)


SCHEME_DOORS = [
    door(parse_url, "text", "http://h.d/a?b#c"),
    door(parse_url, "registry", REGISTRY, OTHER, (dict, *NONE), text="http://h.d/"),
    *(door(plan, "url", parse_url(text), OTHER) for plan, text in PLANS.items()),
    door(ftp_plan, "operation", "store", NAME, url=parse_url("ftp://h.d/a")),
    door(ftp_plan, "email", "a@b", NAME, NONE, url=parse_url("ftp://h.d/a")),
    door(gopher_plan, "empty_search", "omit", NAME, NONE, url=parse_url(PLANS[gopher_plan])),
    door(guess_type, "name", "a.txt", DATA),
    Door(dialects, "text", HTTP, lambda v: [one.components for one in dialects(v).readings]),
    door(equivalent, "a", "x:a", b="x:a"),
    door(equivalent, "b", "x:a", a="x:a"),
    *(door(kind, "text", "h.d", NAME) for kind in (Encoded, HostName, RelaxedHost)),
    door(HostNumber, "text", "1.2.3.4", NAME),
    door(Registry, "schemes", [REGISTRY["ftp"]], OTHER, LISTS),
    Door(Registry.status, "name", "ftp", REGISTRY.status, NAME),
    door(GopherPlus.of, "octets", b"+", OTHER),
    door(GopherPlus.filled, "answers", ["a"], OTHER, LISTS),
    Door(GopherPlus.filled, "an answer", "a", inside(GopherPlus.filled, "answers"), NAME),
    door(GopherPlus.filled, "view", "a", NAME, NONE, answers=["a"]),
    door(GopherPlus.filled, "language", "a", NAME, NONE, answers=["a"], view="b"),
    *(one for kind in FIELDS for one in for_record(kind)),
    # What records are made of besides data:
    Door(FileURL.from_parts, "a segment", "a b", inside(FileURL.from_parts, "segments"), DATA),
    door(FileURL.from_parts, "segments", ["a"], OTHER, LISTS),
    door(FileURL.from_parts, "host", "h.d", TEXT, NONE, segments=["a"]),
    door(FtpURL.from_parts, "cwds", ["a"], OTHER, LISTS, host="h.d", name="a"),
    Door(
        FtpURL.from_parts,
        "a directory",
        "a b",
        inside(FtpURL.from_parts, "cwds", host="h.d", name="a"),
        DATA,
    ),
    door(FtpURL.from_parts, "typecode", "a", NAME, NONE, host="h.d", name="a"),
    door(HttpURL.from_parts, "segments", ["a"], OTHER, LISTS, host="h.d"),
    Door(
        HttpURL.from_parts,
        "a segment",
        "a b",
        inside(HttpURL.from_parts, "segments", host="h.d"),
        DATA,
    ),
    door(NewsURL.from_parts, "group", "a.b", NAME, NONE),
    door(NewsURL.from_parts, "domain", "h.d", TEXT, NONE, unique="a"),
    door(NntpURL.from_parts, "group", "a.b", NAME, host="h.d"),
    door(NntpURL.from_parts, "article", 7, OTHER, (int, *NONE), host="h.d", group="a"),
    door(OtherURL.from_parts, "scheme", "x", NAME, schemepart="a"),
    door(OtherURL.from_parts, "schemepart", "a b", DATA, NONE, scheme="x"),
    door(ProsperoURL.from_parts, "fields", [("a", "b")], OTHER, LISTS, host="h.d", hsoname="a"),
    Door(
        ProsperoURL.from_parts,
        "a field",
        "a",
        lambda v: ProsperoURL.from_parts(host="h.d", hsoname="a", fields=[(v, "b")]),
        DATA,
    ),
    Door(
        ProsperoURL.from_parts,
        "its value",
        "a",
        lambda v: ProsperoURL.from_parts(host="h.d", hsoname="a", fields=[("b", v)]),
        DATA,
    ),
    door(WaisURL.from_parts, "wtype", "a b", DATA, NONE, host="h.d", database="d", wpath="p"),
    door(WaisURL.from_parts, "wpath", "a b", DATA, NONE, host="h.d", database="d", wtype="t"),
]
