"""Registries are values: schemes are added to copies, and nothing is global."""

from collections import Counter
from dataclasses import replace

import pytest
from cases import each_case, tables
from rfc1738_urls import parse_url

from tools.docs.catalogues import permanent_entries
from tools.registrations import text
from uriparse import is_valid
from uriparse.errors import ComponentError, SchemeError
from uriparse.schemes import (
    CURRENT,
    RFC1738,
    URL,
    Encoded,
    HttpsURL,
    HttpURL,
    OtherURL,
    Registry,
    Scheme,
    WebURL,
    registrations,
)
from uriparse.schemes.fields import url_field
from uriparse.trees import tree_parser

TABLES = tables(__file__)

PORTS = {
    "http": 80, "https": 443, "file": None, "ftp": 21, "mailto": None, "gopher": 70, "news": None,
    "nntp": 119, "telnet": 23, "wais": 210, "prospero": 1525,
}  # fmt: skip


def test_the_eleven_schemes():
    """E-053, L-013, C-020"""
    assert {name: scheme.default_port for name, scheme in RFC1738.items()} == PORTS
    assert len(RFC1738) == 11


def test_hierarchical_schemes():
    """L-012"""
    assert {name for name in RFC1738 if RFC1738[name].hierarchical} == {
        "ftp", "http", "https", "file",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "has", "lacks"), TABLES["components"])
def test_components(name, has, lacks):
    components = RFC1738[name].components
    assert set(has) <= components
    assert not components.intersection(lacks)


@each_case(("name", "status"), TABLES["status"])
def test_status(name, status):
    """L-055, L-056"""
    assert RFC1738.status(name) == status


@each_case(("name", "status"), TABLES["status_of_today"])
def test_status_of_today(name, status):
    assert CURRENT.status(name) == status
    assert CURRENT.without("pop").status("pop") == "permanent"


def test_the_registry_of_iana_is_whole():
    """Names, statuses and counts as IANA's table had them on the day that the file says."""
    found = registrations()
    counts = Counter(row.status for row in found.values())
    assert counts == {"permanent": 97, "provisional": 251, "historical": 16}
    assert all(is_valid(name, "scheme") and name == name.lower() for name in found)
    assert all(row.reference for row in found.values())
    assert found["ni"] == ("permanent", "RFC 6920")
    table = "\n".join(permanent_entries())
    typed = table.count("| typed |")
    assert typed == len({n for n in CURRENT if n in found and found[n].status == "permanent"}) > 40
    assert table.startswith(f"Of 97 schemes, {typed} are typed.")


def test_the_registry_of_iana_can_be_renewed():
    """The tool reads IANA's table of today and writes what the package reads."""
    table = (
        "URI Scheme,Template,Description,Status,Well-Known URI Support,Reference,Notes\r\n"
        "coap,,coap,Permanent,[RFC7252],[RFC7252],\r\n"
        'a+b,prov/a,"x, y",Provisional,-,"[RFC9110, Section 4.2.1][Some_One]",\r\n'
        "shttp (OBSOLETE),,s,Historical,-,[RFC2660],\r\n"
    )
    head, _, *rows = text(table, "2030-01-02").splitlines()
    assert "2030-01-02" in head
    assert rows == [
        "coap permanent RFC 7252",
        "a+b provisional RFC 9110, Section 4.2.1; Some One",
        "shttp historical RFC 2660",
    ]


def test_every_scheme_says_what_it_is_from():
    for registry in (RFC1738, CURRENT):
        assert all(scheme.source for scheme in registry.values())
    assert (CURRENT["http"].source, CURRENT["pop"].source) == ("RFC 9110", "RFC 2384")


def test_status_of_what_is_no_name():
    with pytest.raises(ComponentError, match="scheme"):
        RFC1738.status("a_b")


class WsURL(WebURL):
    __slots__ = ()
    SCHEME = "ws"


def test_a_scheme_like_another():
    registry = RFC1738.with_scheme(RFC1738["http"].like("ws", WsURL, default_port=80))
    url = parse_url("WS://h.d/a?b#c", registry=registry)
    assert (type(url), url.scheme, url.effective_port) == (WsURL, "ws", 80)
    assert (url.path.start, url.search.start, url.fragment.start) == (9, 11, 13)
    assert str(url) == "WS://h.d/a?b#c"
    assert WsURL.from_parts(host="h.d", segments=["x"], registry=registry).path == "x"
    assert isinstance(parse_url("ws://h.d/"), OtherURL)  # the registry given is the one used
    with pytest.raises(ComponentError, match="scheme"):
        WsURL.from_parts(host="h.d")
    with pytest.raises(SchemeError) as caught:
        parse_url("ws://h.d/a b", registry=registry)
    assert (caught.value.offset, caught.value.scheme) == (10, "ws")


def test_registries_do_not_change():
    fewer = RFC1738.without("gopher")
    assert "gopher" in RFC1738
    assert "gopher" not in fewer
    assert isinstance(parse_url("gopher://h.d/~x".replace("~", ""), registry=fewer), OtherURL)
    with pytest.raises(KeyError):
        fewer.without("gopher")
    with pytest.raises(TypeError):
        fewer["x"] = RFC1738["ftp"]
    assert len(Registry()) == 0
    assert isinstance(parse_url("ftp://h.d/", registry=Registry()), OtherURL)


def test_a_scheme_can_have_no_fragment():
    bare = replace(RFC1738["mailto"], fragment=None)
    registry = RFC1738.with_scheme(bare)
    with pytest.raises(SchemeError) as caught:
        parse_url("mailto:a@b#c", registry=registry)
    assert caught.value.offset == 10
    assert parse_url("mailto:a@b", registry=registry).fragment is None


def test_a_scheme_can_have_fragments_of_another_grammar():
    registry = RFC1738.with_scheme(replace(RFC1738["mailto"], fragment=("fragment", "rfc3986")))
    assert parse_url("mailto:a@b#~", registry=registry).fragment == "~"
    with pytest.raises(SchemeError) as caught:
        parse_url("mailto:a@b#[", registry=registry)
    assert (caught.value.offset, caught.value.component) == (11, "fragment")
    with pytest.raises(SchemeError, match="fragment"):
        parse_url("mailto:a@b#~")


def test_a_registry_says_how_other_schemes_are_read():
    other = RFC1738["http"].like("x-other", HttpURL)
    registry = Registry(RFC1738.values(), other)
    for each in (registry, registry.without("ftp"), registry.with_scheme(RFC1738["ftp"])):
        assert each.other is other
        url = parse_url("foo://h.d/a", registry=each)
        assert (type(url), url.scheme, url.path) == (HttpURL, "foo", "a")
    assert RFC1738.other is None


GRAMMAR = r"""
db_url: "db://" database ("?" table)?
database: NAME
table: NAME?
NAME: /[a-z]+/
"""


class DbURL(URL):
    SCHEME = "db"

    database: Encoded = url_field("database")
    table: Encoded | None = url_field("table")


def db_registry(record=DbURL, grammar=GRAMMAR, **options):
    parser = tree_parser(grammar, "db-url", **options)
    return RFC1738.with_scheme(
        Scheme("db", record, "db-url", tree_parser=parser, default_port=5432)
    )


def test_a_scheme_with_a_grammar_of_its_own():
    """L-057"""
    url = parse_url("db://abc?x#y", registry=db_registry())
    assert (url.database, url.table, url.fragment, url.default_port) == ("abc", "x", "y", 5432)
    assert url.database.start == 5
    assert parse_url("db://abc?", registry=db_registry()).table == ""
    assert parse_url("db://abc", registry=db_registry()).table is None
    assert isinstance(parse_url("db://abc"), OtherURL)


def test_a_grammar_for_earley():
    registry = db_registry(parser="earley")
    assert parse_url("db://abc?x", registry=registry).table == "x"
    with pytest.raises(SchemeError) as caught:
        parse_url("db://abc!", registry=registry)
    assert caught.value.offset == 8


def test_variants_of_a_rule_are_the_rule():
    registry = db_registry(grammar=GRAMMAR.replace("table", "table___nonempty"))
    assert parse_url("db://abc?x", registry=registry).table == "x"


@pytest.mark.parametrize(("text", "offset"), [("db://abc!", 8), ("db:", 0), ("db://", 5)])
def test_errors_of_a_grammar_of_ones_own(text, offset):
    with pytest.raises(SchemeError) as caught:
        parse_url(text, registry=db_registry())
    assert (caught.value.offset, caught.value.scheme, caught.value.rule) == (offset, "db", "db-url")


class Forgetful(URL):
    database: Encoded = url_field("database")


class Misspelt(DbURL):
    COMPLETED = ("database",)
    database: Encoded = url_field()

    @classmethod
    def complete(cls, found, url):
        del url
        found["data_base"] = found["database"]


def test_an_unknown_node_is_an_error():
    with pytest.raises(TypeError, match="Forgetful has no field for the rule 'table'"):
        parse_url("db://abc?x", registry=db_registry(Forgetful))


def test_a_field_without_a_slot_is_an_error():
    with pytest.raises(TypeError, match="Misspelt has no field for data_base"):
        parse_url("db://abc", registry=db_registry(Misspelt))


@pytest.mark.parametrize("name", ["HTTP", "a b", ""])
def test_names_are_checked(name):
    with pytest.raises(ComponentError, match="lower case"):
        RFC1738["http"].like(name, HttpsURL)


def test_no_tree_is_shown_where_a_record_fails():
    """The message of Lark's own error would show the tree, with the password in it."""

    class Failing(DbURL):
        @classmethod
        def complete(cls, found, url):
            del url
            raise ValueError(f"no {len(found)}")

    with pytest.raises(ValueError, match=r"^no 5$"):
        parse_url("db://abc", registry=db_registry(Failing))


def test_records_know_their_own_scheme_and_no_other():
    """Parts need no registry, but one that is given is the one that is used."""
    assert HttpsURL.from_parts(host="h.d").effective_port == 443
    assert HttpsURL.from_parts(host="h.d", registry=RFC1738.without("ftp")).scheme == "https"
    with pytest.raises(ComponentError, match="scheme: no https URL is read as a HttpsURL"):
        HttpsURL.from_parts(host="h.d", registry=RFC1738.without("https"))
    other = RFC1738.with_scheme(RFC1738["http"].like("https", HttpURL))
    with pytest.raises(ComponentError, match="scheme: no https URL is read as a HttpsURL"):
        HttpsURL.from_parts(host="h.d", registry=other)


def test_other_urls_are_of_schemes_that_no_record_has():
    parts = {"scheme": "FTP", "host": "h.d"}
    with pytest.raises(ComponentError, match="the registry has it"):
        OtherURL.from_parts(**parts)
    assert OtherURL.from_parts(**parts, registry=RFC1738.without("ftp")).host == "h.d"
