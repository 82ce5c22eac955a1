"""URLs made of parts: each field is encoded by its own rule, and comes back (X-002)."""

import pytest
from cases import each_case, tables
from hypothesis import assume, given
from hypothesis import strategies as st
from rfc1738_urls import parse_url

from uriparse import normalize, resolve, schemes
from uriparse.errors import ComponentError, EncodingError
from uriparse.schemes import current
from uriparse.schemes.plans import ftp_plan

TABLES = tables(__file__, Encoded=schemes.Encoded, pair=tuple)

octets = st.binary(max_size=8)
maybe = st.none() | octets
DOTS = {b".", b".."}
names = octets.filter(lambda data: data not in DOTS)
hosts = st.sampled_from(["h.d", "1.2.3.4", "a-b.c1", "999.1.1.1", schemes.RelaxedHost("h_h."), "h"])
ports = st.none() | st.integers(0, 99999)
pairs = st.lists(st.tuples(octets, octets), max_size=3)
no_tab = octets.filter(lambda data: b"\t" not in data)
ATOMS = st.text("ab09!#$%&'*+-/=?^_`{|}~é", min_size=1, max_size=4)
ASCII_ATOMS = ATOMS.filter(str.isascii)
QUOTED = st.text("a @,:;()<>[].!~", max_size=4).map(lambda text: f'"{text.replace(" ", "")}"')
WORDS = st.text(max_size=4).map(lambda text: text.encode("utf-8", "replace"))


def either(*kinds):
    """Records by RFC 1738 and of today, which are made of the same parts by the same laws."""
    return pytest.mark.parametrize("kind", kinds)


def same(record):
    """Check that a record is what its text says."""
    if isinstance(record, current.CurrentURI):
        again = parse_url(str(record), registry=schemes.CURRENT)
        assert (type(again), again.as_dict()) == (type(record), record.as_dict())
        return record
    host = record.domain if isinstance(record, schemes.NewsURL) else getattr(record, "host", None)
    relaxed = isinstance(host, schemes.RelaxedHost)
    again = parse_url(str(record), relaxed_host=relaxed)
    assert again == record
    assert again.as_dict() == record.as_dict()
    return record


def data(field):
    return None if field is None else field.octets


@either(schemes.FtpURL, current.FtpURI)
@given(hosts, ports, maybe, maybe, st.lists(names, max_size=3), st.none() | names, st.data())
def test_ftp(kind, host, port, user, password, cwds, name, draw):
    password = None if user is None else password
    cwds = [] if name is None else cwds
    fragment = draw.draw(maybe)
    typecode = None if name is None else draw.draw(st.sampled_from([None, "a", "i", "d"]))
    url = same(
        kind.from_parts(
            host=host,
            port=port,
            user=user,
            password=password,
            cwds=cwds,
            name=name,
            typecode=typecode,
            fragment=fragment,
        )
    )
    assert (data(url.user), data(url.password), data(url.name)) == (user, password, name)
    assert [cwd.octets for cwd in url.cwds] == cwds
    assert (url.typecode, url.port_number, data(url.fragment)) == (typecode, port, fragment)


@given(
    st.sampled_from([schemes.HttpURL, schemes.HttpsURL]),
    hosts,
    ports,
    st.lists(names, max_size=3),
    maybe,
)
def test_http(kind, host, port, segments, search):
    search = search if segments else None
    url = same(kind.from_parts(host=host, port=port, segments=segments, search=search))
    assert [segment.octets for segment in url.segments] == segments
    assert data(url.search) == search
    assert url.effective_port == (url.default_port if port is None else port)


@pytest.mark.parametrize("kind", [current.HttpURI, current.HttpsURI, current.WsURI, current.WssURI])
@given(hosts, ports, st.lists(names, max_size=3), maybe, maybe, maybe)
def test_http_of_today(kind, host, port, segments, query, userinfo, fragment):
    more = {"userinfo": userinfo, "fragment": fragment}
    more = {} if issubclass(kind, current.WebSocketURI) else more
    url = same(kind.from_parts(host=host, port=port, segments=segments, query=query, **more))
    assert [segment.octets for segment in url.segments] == segments
    assert {name: data(getattr(url, name)) for name in more} == more
    assert (data(url.query), url.port_number, url.host) == (query, port, host)


@pytest.mark.parametrize("host", ["[::1]", "h_h.", "%C3%A9"])
def test_hosts_of_today_are_no_strangers(host):
    for kind in (
        current.HttpURI,
        current.WssURI,
        current.FtpURI,
        current.TelnetURI,
        current.GopherURI,
    ):
        assert same(kind.from_parts(host=host, port="")).host == host
    for kind, own in (
        (current.WaisURI, {"database": "a"}),
        (current.ProsperoURI, {"hsoname": "a"}),
    ):
        assert same(kind.from_parts(host=host, **own)).host == host
    with pytest.raises(ComponentError, match=r"does not fit the rule host of RFC 3986\Z"):
        current.HttpURI.from_parts(host="a b")


def test_characters_of_today_stay_raw():
    assert str(current.FtpURI.from_parts(host="h.d", user="~a", name="~b;")) == "ftp://~a@h.d/~b%3B"
    assert (
        str(current.HttpURI.from_parts(host="h.d", segments=["~;"], query="/?"))
        == "http://h.d/~;?/?"
    )
    assert (
        str(current.WaisURI.from_parts(host="h.d", database="~", search="~/")) == "wais://h.d/~?~/"
    )
    prospero = current.ProsperoURI.from_parts(host="h.d", hsoname="~=;", fields=[("~=", "?;")])
    assert str(prospero) == "prospero://h.d/~=%3B;~%3D=?%3B"
    gopher = current.GopherURI.from_parts(host="h.d", gtype="7", selector="~", search="~")
    assert str(gopher) == "gopher://h.d/7~%09~"


@either(schemes.GopherURL, current.GopherURI)
@given(hosts, st.sampled_from("019gIT+%/~ "), no_tab, st.none() | no_tab, maybe)
def test_gopher(kind, host, gtype, selector, search, plus):
    plus = None if search is None else plus
    url = same(
        kind.from_parts(host=host, gtype=gtype, selector=selector, search=search, gopher_plus=plus)
    )
    assert (url.type, url.selector.octets) == (gtype, selector)
    assert (data(url.search), data(url.gopher_plus)) == (search, plus)


@given(octets.filter(bool))
def test_mailto(address):
    assert same(schemes.MailtoURL.from_parts(address=address)).address.octets == address


@given(
    st.lists(st.tuples(ATOMS | QUOTED, ATOMS | st.just("[10.0.0.1]")), max_size=3),
    st.lists(st.tuples(WORDS.filter(lambda name: name.lower() != b"to"), WORDS), max_size=3),
)
def test_mailto_of_today(addresses, headers):
    addresses = ["@".join(parts) for parts in addresses]
    url = same(current.MailtoURI.from_parts(addresses=addresses, headers=headers))
    assert [address.decoded for address in url.addresses] == addresses
    assert [(name.octets, value.octets) for name, value in url.headers] == headers


def test_mailto_of_today_is_in_utf_8_and_lists_addresses_alone():
    with pytest.raises(ComponentError, match=r"^hfields: "):
        current.MailtoURI.from_parts(headers=[("subject", b"\x80")])
    with pytest.raises(ComponentError, match=r"^addresses: holds a delimiter"):
        current.MailtoURI.from_parts(addresses=[schemes.Encoded("a@b,c@d")])
    url = current.MailtoURI.from_parts(addresses=["a@b"], headers=[("to", "c@d")])
    assert url.addresses == ("a@b", "c@d")


@given(st.none() | hosts, ports, maybe, octets, st.none() | st.tuples(ASCII_ATOMS, ASCII_ATOMS))
def test_news_of_today(host, port, userinfo, newsgroups, article):
    server = {} if host is None else {"host": host, "port": port, "userinfo": userinfo}
    url = same(current.NewsURI.from_parts(newsgroups=newsgroups, **server))
    assert (url.article, url.newsgroups.octets) == (None, newsgroups)
    if host is not None:
        assert (url.host, url.port_number, data(url.userinfo)) == (host, port, userinfo)
    if article is not None:
        url = same(current.NewsURI.from_parts(article="@".join(article), **server))
        assert (url.article.decoded, url.newsgroups) == ("@".join(article), None)


@given(hosts, ports, maybe, octets.filter(bool), st.none() | st.integers(0, 10**16 - 1))
def test_nntp_of_today(host, port, userinfo, group, article):
    parts = {"host": host, "port": port, "userinfo": userinfo, "article": article}
    url = same(current.NntpURI.from_parts(group=group, **parts))
    assert (url.group.octets, data(url.userinfo)) == (group, userinfo)
    assert (url.host, url.port_number, url.article) == (host, port, article)


@given(octets.filter(bool), hosts)
def test_news(unique, domain):
    url = same(schemes.NewsURL.from_parts(unique=unique, domain=domain))
    assert (url.unique.octets, url.domain, url.kind) == (unique, domain, "article")


@given(hosts, ports, st.integers(0, 10**19))
def test_nntp(host, port, article):
    url = same(schemes.NntpURL.from_parts(host=host, port=port, group="a.b", article=article))
    assert (url.article, url.group, url.port_number) == (article, "a.b", port)


@either(schemes.TelnetURL, current.TelnetURI)
@given(hosts, maybe, maybe, st.booleans())
def test_telnet(kind, host, user, password, slash):
    password = None if user is None else password
    url = same(kind.from_parts(host=host, user=user, password=password, slash=slash))
    assert (data(url.user), data(url.password)) == (user, password)
    assert url.urlpath == ("" if slash else None)


@either(schemes.WaisURL, current.WaisURI)
@given(hosts, octets, maybe, st.none() | st.tuples(octets, octets))
def test_wais(kind, host, database, search, document):
    document = None if search is not None else document
    wtype, wpath = document or (None, None)
    url = same(
        kind.from_parts(host=host, database=database, search=search, wtype=wtype, wpath=wpath)
    )
    assert (url.database.octets, data(url.search)) == (database, search)
    assert (data(url.wtype), data(url.wpath)) == (wtype, wpath)


@either(schemes.FileURL, current.FileURI)
@given(st.none() | hosts, st.lists(names, min_size=1, max_size=3))
def test_file(kind, host, segments):
    assume(kind is schemes.FileURL or segments[0] or len(segments) == 1)
    url = same(kind.from_parts(host=host, segments=segments))
    assert url.host == host
    assert [segment.octets for segment in url.segments] == segments


@either(schemes.ProsperoURL, current.ProsperoURI)
@given(hosts, octets, pairs)
def test_prospero(kind, host, hsoname, fields):
    url = same(kind.from_parts(host=host, hsoname=hsoname, fields=fields))
    assert url.hsoname.octets == hsoname
    assert [(field.octets, value.octets) for field, value in url.fields] == fields


@given(octets, hosts, maybe, maybe, maybe)
def test_other(part, host, user, password, urlpath):
    assert (
        same(schemes.OtherURL.from_parts(scheme="foo", schemepart=part)).schemepart.octets == part
    )
    password = None if user is None else password
    url = same(
        schemes.OtherURL.from_parts(
            scheme="foo", host=host, user=user, password=password, urlpath=urlpath
        )
    )
    assert (data(url.user), data(url.password), data(url.urlpath)) == (user, password, urlpath)


@each_case(("kind", "given_parts", "component"), TABLES["parts_that_make_no_url"])
def test_parts_that_make_no_url(kind, given_parts, component):
    with pytest.raises(ComponentError) as caught:
        (vars(schemes) | vars(current))[kind].from_parts(**given_parts)
    if component is not None:
        assert caught.value.component == component


def test_a_relaxed_host_is_one_of_today():
    with pytest.raises(ComponentError, match=r"^host: "):
        schemes.RelaxedHost("a b")


def test_news_group_star_is_said_by_leaving_out_the_group():
    assert schemes.NewsURL.from_parts().kind == "all"
    assert schemes.NewsURL.from_parts(group="a.b").group_components == ("a", "b")


def test_encoded_parts_are_taken_as_written():
    url = schemes.FtpURL.from_parts(
        host="h", cwds=[schemes.Encoded("%2fetc")], name=schemes.Encoded("%41")
    )
    assert str(url) == "ftp://h/%2fetc/%41"
    again = schemes.FtpURL.from_parts(host=url.host, cwds=url.cwds, name=url.name, port=url.port)
    assert again == url


@given(
    st.lists(st.text(alphabet="ab ~é.", max_size=4).filter(lambda line: line != "."), max_size=3)
)
def test_filled_forms(answers):
    """L-042"""
    plus = schemes.GopherPlus.filled(answers)
    assert (plus.kind, list(plus.answers)) == ("filled-form", answers)
    url = schemes.GopherURL.from_parts(
        host="h.d", gtype="0", selector="s", search="", gopher_plus=plus
    )
    assert url.plus == plus


@pytest.mark.parametrize("answer", [".", "a\r\nb", "a\nb", "a\0"])
def test_answers_that_would_end_the_form(answer):
    with pytest.raises(EncodingError, match="one line"):
        schemes.GopherPlus.filled([answer])


@pytest.mark.parametrize(
    ("view", "language"), [("a b", None), ("a", "b\t"), (None, "b"), ("", None)]
)
def test_views_that_cannot_be(view, language):
    with pytest.raises(EncodingError, match=r"view or a language|belongs"):
        schemes.GopherPlus.filled([], view=view, language=language)


@given(octets)
def test_gopher_plus_never_fails(text):
    assert schemes.GopherPlus.of(text).octets == text


@either(schemes.FtpURL, current.FtpURI)
@given(st.lists(st.text("./%;a") | st.sampled_from([".", "..", "./..", "../"]), max_size=3))
def test_directories_are_sent_as_given_and_outlive_resolution(kind, cwds):
    url = kind.from_parts(host="h", cwds=cwds, name="c")
    registry = schemes.RFC1738 if kind is schemes.FtpURL else schemes.CURRENT
    # By hand: a raw dot segment would be removed by RFC 3986 section 5.2.4.
    assert not {".", ".."} & {*str(url)[8:].split("/")}
    texts = [str(url), *(resolve(base, str(url)) for base in ("ftp://x/y/", "http://z/"))]
    if not {".", ".."} & {*cwds}:  # section 6.2.2.2 decodes "%2E" and then removes the segment
        texts += [normalize(str(url)), normalize(str(url), "scheme")]
    for text in texts:
        again = schemes.parse_url(str(text), registry=registry)
        assert [cwd.octets.decode() for cwd in again.cwds] == cwds
        assert [c for c in map(str, ftp_plan(again).commands) if "CWD" in c] == [
            f"CWD {cwd}" for cwd in cwds
        ]


@each_case("dots", [".", "..", b".", b".."])
@each_case("make", [
    lambda dots: schemes.HttpsURL.from_parts(host="h", segments=["u", dots, "admin"]),
    lambda dots: schemes.HttpURL.from_parts(host="h", segments=[dots], search="q"),
    lambda dots: schemes.FileURL.from_parts(segments=["a", dots]),
    lambda dots: schemes.FtpURL.from_parts(host="h", name=dots, typecode="i"),
])  # fmt: skip
def test_dots_are_no_data(make, dots):
    with pytest.raises(ComponentError, match="does not name anything") as caught:
        make(dots)
    assert caught.value.component == "path"
    as_written = schemes.Encoded(dots if isinstance(dots, str) else dots.decode())
    assert f"/{as_written}" in str(make(as_written))
