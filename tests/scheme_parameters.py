"""The parameters of `uriparse.schemes`; see `parameters`."""

from parameters import (
    DATA,
    HTTP,
    LISTS,
    NAME,
    NONE,
    OTHER,
    TEXT,
    Parameter,
    inside,
    parameter,
    written,
)

from uriparse import parse_url
from uriparse.schemes import (
    CURRENT,
    RFC1738,
    Encoded,
    FileURL,
    FtpURL,
    GopherPlus,
    GopherURL,
    HostName,
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
    http_plan,
    imap_plan,
    news_plan,
    nntp_plan,
    prospero_plan,
    telnet_advice,
    wais_plan,
)

PLANS = {
    access_plan: "ftp://h.d/a", ftp_plan: "ftp://h.d/a", gopher_plan: "gopher://h.d/0a%09%09+",
    http_plan: "ws://h.d", imap_plan: "imap://h.d/a", news_plan: "news:a.b",
    nntp_plan: "nntp://h.d/a.b", prospero_plan: "prospero://h.d/a", telnet_advice: "telnet://h.d",
    wais_plan: "wais://h.d/a",
}  # fmt: skip
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
        yield parameter(make, name, good, DATA, optional, **fixed)
    if "host" in fixed:
        yield parameter(make, "host", "h.d", TEXT, NONE if kind is OtherURL else (), **fixed)
        yield parameter(make, "port", "8", OTHER, (int, *NONE), **fixed)
    registry = CURRENT if issubclass(kind, CurrentURI) else RFC1738
    yield parameter(make, "registry", registry, OTHER, (dict, *NONE), **fixed)


SCHEME_PARAMETERS = [
    *written(__file__),
    parameter(parse_url, "registry", RFC1738, OTHER, (dict, *NONE), text="http://h.d/"),
    *(parameter(plan, "url", parse_url(text), OTHER) for plan, text in PLANS.items()),
    parameter(ftp_plan, "operation", "store", NAME, url=parse_url("ftp://h.d/a")),
    parameter(ftp_plan, "email", "a@b", NAME, NONE, url=parse_url("ftp://h.d/a")),
    parameter(gopher_plan, "empty_search", "omit", NAME, NONE, url=parse_url(PLANS[gopher_plan])),
    Parameter(dialects, "text", HTTP, lambda v: [one.components for one in dialects(v).readings]),
    *(parameter(kind, "text", "h.d", NAME) for kind in (Encoded, HostName, RelaxedHost)),
    parameter(Registry, "schemes", [RFC1738["ftp"]], OTHER, LISTS),
    Parameter(Registry.status, "name", "ftp", RFC1738.status, NAME),
    parameter(GopherPlus.of, "octets", b"+", OTHER),
    Parameter(GopherPlus.filled, "an answer", "a", inside(GopherPlus.filled, "answers"), NAME),
    *(one for kind in FIELDS for one in for_record(kind)),
    # What records are made of besides data:
    Parameter(FileURL.from_parts, "a segment", "a b", inside(FileURL.from_parts, "segments"), DATA),
    Parameter(FtpURL.from_parts, "a directory", "a b",
              inside(FtpURL.from_parts, "cwds", host="h.d", name="a"), DATA),
    Parameter(HttpURL.from_parts, "a segment", "a b",
              inside(HttpURL.from_parts, "segments", host="h.d"), DATA),
    parameter(ProsperoURL.from_parts, "fields", [("a", "b")], OTHER, LISTS, host="h.d",
              hsoname="a"),
    Parameter(ProsperoURL.from_parts, "a field", "a",
              lambda v: ProsperoURL.from_parts(host="h.d", hsoname="a", fields=[(v, "b")]), DATA),
    Parameter(ProsperoURL.from_parts, "its value", "a",
              lambda v: ProsperoURL.from_parts(host="h.d", hsoname="a", fields=[("b", v)]), DATA),
]  # fmt: skip
