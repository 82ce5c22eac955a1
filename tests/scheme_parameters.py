"""The parameters of `uriparse.schemes`; see `parameters`."""

from pkgutil import resolve_name

from cases import tables
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

from uriparse import parse_url, schemes
from uriparse.schemes import CURRENT, RFC1738, FtpURL, GopherPlus, ProsperoURL, Registry
from uriparse.schemes.current import CurrentURI
from uriparse.schemes.dialects import dialects
from uriparse.schemes.plans import ftp_plan, gopher_plan

TABLES = tables(__file__, "scheme_fields.json")
PLANS = {resolve_name(name): parse_url(text) for name, text in TABLES["plans"].items()}
FIELDS = {resolve_name(name): parts for name, parts in TABLES["fields"].items()}
"""Of each record: the parts that it is made of here, and further ones that are data."""
TEXTS = (schemes.Encoded, schemes.HostName, schemes.RelaxedHost)
FILE, WEB = schemes.FileURL.from_parts, schemes.HttpURL.from_parts
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
        yield parameter(
            make, "host", "h.d", TEXT, NONE if kind.__name__ == "OtherURL" else (), **fixed
        )
        yield parameter(make, "port", "8", OTHER, (int, *NONE), **fixed)
    registry = CURRENT if issubclass(kind, CurrentURI) else RFC1738
    yield parameter(make, "registry", registry, OTHER, (dict, *NONE), **fixed)


SCHEME_PARAMETERS = [
    *written(__file__),
    parameter(parse_url, "registry", RFC1738, OTHER, (dict, *NONE), text="http://h.d/"),
    *(parameter(plan, "url", url, OTHER) for plan, url in PLANS.items()),
    parameter(ftp_plan, "operation", "store", NAME, url=PLANS[ftp_plan]),
    parameter(ftp_plan, "email", "a@b", NAME, NONE, url=PLANS[ftp_plan]),
    parameter(gopher_plan, "empty_search", "omit", NAME, NONE, url=PLANS[gopher_plan]),
    Parameter(dialects, "text", HTTP, lambda v: [one.components for one in dialects(v).readings]),
    *(parameter(kind, "text", "h.d", NAME) for kind in TEXTS),
    parameter(Registry, "schemes", [RFC1738["ftp"]], OTHER, LISTS),
    Parameter(Registry.status, "name", "ftp", RFC1738.status, NAME),
    parameter(GopherPlus.of, "octets", b"+", OTHER),
    Parameter(GopherPlus.filled, "an answer", "a", inside(GopherPlus.filled, "answers"), NAME),
    *(one for kind in FIELDS for one in for_record(kind)),
    # What records are made of besides data:
    Parameter(FILE, "a segment", "a b", inside(FILE, "segments"), DATA),
    Parameter(FtpURL.from_parts, "a directory", "a b",
              inside(FtpURL.from_parts, "cwds", host="h.d", name="a"), DATA),
    Parameter(WEB, "a segment", "a b",
              inside(WEB, "segments", host="h.d"), DATA),
    parameter(ProsperoURL.from_parts, "fields", [("a", "b")], OTHER, LISTS, host="h.d",
              hsoname="a"),
    Parameter(ProsperoURL.from_parts, "a field", "a",
              lambda v: ProsperoURL.from_parts(host="h.d", hsoname="a", fields=[(v, "b")]), DATA),
    Parameter(ProsperoURL.from_parts, "its value", "a",
              lambda v: ProsperoURL.from_parts(host="h.d", hsoname="a", fields=[("b", v)]), DATA),
]  # fmt: skip
