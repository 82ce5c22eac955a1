"""Records keep what was written, refuse to change, and are made of checked parts only."""

import copy
import ipaddress
import json
import pickle

import pytest
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from uriparse import (
    URI,
    Authority,
    ComponentError,
    Host,
    IPv4,
    IPv6,
    IPvFuture,
    RegName,
    RelativeRef,
    URIReference,
    parse,
    try_parse,
)
from uriparse.grammar import matcher

TABLES = tables(__file__, ip_address=ipaddress.ip_address)

URIS = st.from_regex(matcher("URI"), fullmatch=True)
RELATIVE = st.from_regex(matcher("relative-ref"), fullmatch=True)
IRI_HEADS = st.sampled_from(["x:", "x://é", "x://u:é@[::1]:8", "x://例.é:", "x://@1.2.3.4/"])
IRI_TAILS = st.lists(st.sampled_from(["a", "%C3%A9", "é", "\U00010000", "/", "?", "#"])).map(
    "".join
)
IRIS = st.builds("{}/{}".format, IRI_HEADS, IRI_TAILS).filter(matcher("IRI", "rfc3987").fullmatch)
REFERENCES = st.one_of(URIS, RELATIVE).map(parse) | IRIS.map(
    lambda text: parse(text, "IRI", grammar="rfc3987")
)
NAMES = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")
FULL = "http://user:secret@example.com:8042/over/there?name=ferret#nose"
TEXTS = st.text(alphabet="a1:/?#@[]%. é", max_size=6)


def parts(record):
    return {name: getattr(record, name) for name in NAMES}


def test_components_are_typed():
    uri = parse(FULL)
    assert parts(uri) == {
        "scheme": "http", "authority": Authority("user:secret", "example.com", "8042"),
        "userinfo": "user:secret", "host": RegName("example.com"), "port": "8042",
        "path": "/over/there", "query": "name=ferret", "fragment": "nose",
    }  # fmt: skip
    assert uri.grammar == "rfc3986"


def test_match_statement_reads_records():
    match parse(FULL):
        case URI("http", Authority(_, RegName(name), port), path, query, fragment):
            assert (name, port, path, query, fragment) == (
                "example.com", "8042", "/over/there", "name=ferret", "nose",
            )  # fmt: skip
        case other:
            pytest.fail(repr(other))
    match parse("//[::1]"):
        case RelativeRef(scheme=None, host=IPv6(address=address)):
            assert address == ipaddress.IPv6Address("::1")
        case other:
            pytest.fail(repr(other))


@each_case("name", [*NAMES, "grammar", "_text", "_authority", "other"])
@each_case("text", [FULL, "a"])
def test_records_refuse_to_change(text, name):
    record = parse(text)
    with pytest.raises(AttributeError, match="immutable"):
        setattr(record, name, "x")
    with pytest.raises(AttributeError, match="immutable"):
        delattr(record, name)
    assert str(record) == text


@pytest.mark.parametrize("value", [Authority("u", "h", "1"), RegName("h"), IPv6("[::1]")])
def test_parts_refuse_to_change(value):
    for name in ("text", "host", "port", "userinfo", "address", "other"):
        with pytest.raises(AttributeError):
            setattr(value, name, "x")


def test_no_dictionary_and_no_tuple():
    record = parse(FULL)
    assert not hasattr(record, "__dict__")
    assert not isinstance(record, tuple | str)
    with pytest.raises(TypeError):
        list(record)
    assert record != tuple(parts(record).values())
    assert f"{record}" == "%s" % record == FULL  # noqa: UP031 - tuples would break it
    assert f"{parse('a'):>3}" == "  a"


def test_equality_is_that_of_text():
    assert parse("HTTP://h") != parse("http://h")
    assert parse("http://h") == parse("http://h", "IRI", grammar="rfc3987")
    assert parse("a") != parse("a:")
    assert len({parse("http://h"), parse("http://h"), parse("http://H")}) == 2
    assert RegName("h") != IPv6("[::1]")
    assert Authority(None, "h", "") != Authority(None, "h", None)
    assert Authority("", "h") != Authority(None, "h")
    assert len({Authority("", "h"), Authority("", "h"), Authority(None, "h")}) == 2
    assert len({RegName("h"), RegName("h")}) == 1


@pytest.mark.parametrize(("text", "shown"), TABLES["repr_masks_the_password"])
def test_repr_masks_the_password(text, shown):
    record = parse(text)
    assert repr(record) == shown
    assert "secret" not in repr(record.authority)


@each_case(("text", "segments"), TABLES["segments"])
def test_segments(text, segments):
    assert parse(text).segments == tuple(segments)


@pytest.mark.parametrize(("text", "kind", "address"), [
    ("1.2.3.4", IPv4, ipaddress.IPv4Address("1.2.3.4")), ("1.2.3.256", RegName, None),
    ("01.2.3.4", RegName, None), ("", RegName, None),
    ("[::ffff:1.2.3.4]", IPv6, ipaddress.IPv6Address("::ffff:1.2.3.4")),
    ("[2001:DB8::7]", IPv6, ipaddress.IPv6Address("2001:db8::7")), ("[v1F.a:b]", IPvFuture, None),
])  # fmt: skip
def test_hosts_know_their_kind_and_address(text, kind, address):
    host = parse(f"//{text}").host
    assert type(host) is kind
    assert host.address == address
    assert str(host) == host.text == text
    assert host == kind(text)
    assert repr(host) == f"{kind.__name__}({text!r})"
    assert pickle.loads(pickle.dumps(host)) == host
    assert copy.deepcopy(host) is host


@pytest.mark.parametrize(("kind", "text", "message"), [
    (RegName, "1.2.3.4", "that of IPv4, not of RegName"), (IPv6, "::1", "must be in brackets"),
    (IPv6, "h", "that of RegName, not of IPv6"),
    (RegName, "a/b", '"/" at offset 1 does not fit the rule host'),
    (RegName, "bücher", "does not fit the rule host"),
])  # fmt: skip
def test_hosts_are_checked(kind, text, message):
    with pytest.raises(ComponentError) as caught:
        kind(text)
    assert message in str(caught.value)
    assert caught.value.component == "host"


def test_hosts_of_iris():
    assert RegName("bücher", "rfc3987").text == "bücher"
    assert isinstance(Host("bücher", "rfc3987"), RegName)


@pytest.mark.parametrize(("port", "number"), [
    (None, None), ("", None), ("0", 0), ("00", 0), ("0080", 80), ("99999", 99999),
    ("0" * 5000 + "1", 1), ("9" * 20, 99999999999999999999),
])  # fmt: skip
def test_port_number(port, number):
    assert Authority(None, "h", port).port_number == number


def test_port_number_refuses_what_is_too_long():
    authority = parse("//h:" + "9" * 10_000).authority
    with pytest.raises(ComponentError, match="10000 digits"):
        _ = authority.port_number


@pytest.mark.parametrize("port", ["8_0", "٣", " 80", "80\n", "+80", "-1", "8x", "²"])
def test_ports_are_ascii_digits(port):
    with pytest.raises(ComponentError):
        Authority(None, "h", port)


FROM_PARTS = [
    ({}, ""), ({"scheme": "http", "host": "a", "path": "/", "query": ""}, "http://a/?"),
    ({"scheme": "http", "host": "a", "path": "/"}, "http://a/"),
    ({"scheme": "http", "host": "a", "path": "/", "fragment": ""}, "http://a/#"),
    ({"scheme": "file", "host": "", "path": "/x"}, "file:///x"), ({"path": "g"}, "g"),
    ({"scheme": "urn"}, "urn:"), ({"scheme": "a", "authority": "", "path": "//x"}, "a:////x"),
    ({"authority": "u@h:"}, "//u@h:"), ({"userinfo": "", "host": "h", "port": ""}, "//@h:"),
    ({"host": IPv6("[::1]"), "port": "80"}, "//[::1]:80"),
    ({"authority": Authority("u", "h")}, "//u@h"), ({"scheme": "a", "path": "b:c"}, "a:b:c"),
    ({"path": "./b:c"}, "./b:c"), ({"path": "a/b:c"}, "a/b:c"),
    ({"scheme": "x", "path": "/.//y"}, "x:/.//y"),
]  # fmt: skip
assert FROM_PARTS


@each_case(("given_parts", "text"), FROM_PARTS)
def test_from_parts_writes_the_parts_as_they_are(given_parts, text):
    record = URIReference.from_parts(**given_parts)
    assert str(record) == text
    assert parts(record) == parts(parse(text))
    assert type(record) is type(parse(text))


# parts, component, rule, offset, text that the message holds
IMPOSSIBLE = TABLES["impossible"]
assert IMPOSSIBLE


@each_case(("given_parts", "component", "rule", "offset", "message"), IMPOSSIBLE)
def test_from_parts_refuses_what_would_not_be_read_back(
    given_parts, component, rule, offset, message
):
    with pytest.raises(ComponentError) as caught:
        URIReference.from_parts(**given_parts)
    error = caught.value
    assert (error.component, error.rule, error.offset) == (component, rule, offset)
    assert message in str(error)
    assert "\n" not in str(error)


def test_parts_of_iris():
    record = URIReference.from_parts(
        scheme="http", host="bücher", path="/ü", query="\ue000", grammar="rfc3987"
    )
    assert record == parse("http://bücher/ü?\ue000", "IRI", grammar="rfc3987")
    assert record.replace(query=None).grammar == "rfc3987"
    with pytest.raises(ComponentError) as caught:
        record.replace(fragment="\ue000")
    assert caught.value.rule == "ifragment"


@each_case(("text", "changes", "result"), TABLES["replace"])
def test_replace(text, changes, result):
    for replace in (parse(text).replace, parse(text).__replace__):
        assert replace(**changes) == parse(result)


@pytest.mark.parametrize(("text", "changes", "error"), [
    ("http://h//a", {"authority": None}, ComponentError),
    ("x:a:b", {"scheme": None}, ComponentError), ("http://h:80", {"host": None}, ComponentError),
    ("http://h", {"path": "a"}, ComponentError), ("http://h", {"netloc": "a"}, TypeError),
    ("http://h", {"authority": "a", "host": "b"}, TypeError),
])  # fmt: skip
def test_replace_refuses(text, changes, error):
    with pytest.raises(error):
        parse(text).replace(**changes)


@given(REFERENCES)
def test_records_survive_pickling_and_copying(record):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        other = pickle.loads(pickle.dumps(record, protocol))
        assert other == record
        assert parts(other) == parts(record)
        assert other.grammar == record.grammar
        assert hash(other) == hash(record)
    assert copy.copy(record) is copy.deepcopy(record) is record


@given(REFERENCES)
def test_replacing_by_the_same_changes_nothing(record):
    assert record.replace() == record
    for name, value in parts(record).items():
        assert record.replace(**{name: value}) == record
    whole = {name: value for name, value in parts(record).items() if name != "authority"}
    assert URIReference.from_parts(**whole, grammar=record.grammar) == record


@given(REFERENCES)
def test_authority_is_made_of_its_parts(record):
    authority = record.authority
    assert authority is record.authority
    if authority is None:
        assert (record.userinfo, record.host, record.port) == (None, None, None)
    else:
        made = (authority.userinfo, authority.host, authority.port)
        assert made == (record.userinfo, record.host, record.port)
        assert f"//{authority}" in str(record)


@given(
    st.fixed_dictionaries(
        {},
        optional={name: TEXTS for name in NAMES if name not in {"authority", "host"}}
        | {"host": st.one_of(TEXTS, st.just("[::1]"))},
    )
)
def test_what_parts_make_is_read_back_as_those_parts(given_parts):
    try:
        record = URIReference.from_parts(**given_parts)
    except ComponentError as error:
        assert 0 <= error.offset <= len(error.value or "")  # noqa: PT017 - a law, both ways
        return
    again = try_parse(str(record))
    assert again == record
    assert parts(again) == parts(record)
    for name, value in given_parts.items():
        assert str(getattr(again, name)) == value


def test_json_needs_no_help_but_str():
    assert json.dumps({"uri": str(parse(FULL))}) == json.dumps({"uri": FULL})
