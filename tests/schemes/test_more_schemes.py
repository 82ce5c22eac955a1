"""The schemes that are loaded when a URL of one is read: fields, words, errors."""

import copy
import itertools
import pickle
from urllib.parse import unquote_to_bytes

import pytest
from cases import each_case, sentence, tables, vectors
from command_runs import run_python
from marks import one_in
from oracle.generation import distinct, spoiled, words
from oracle.judges import by_abnf
from schemes.test_current_uris import plain

import uriparse
from uriparse.errors import ComponentError, SchemeError
from uriparse.schemes import CURRENT, Encoded, equivalent, parse_url, scheme_from_abnf
from uriparse.schemes.from_abnf import GrammarURI
from uriparse.schemes.plans import access_plan

TABLES = tables(__file__)

ROWS = vectors("more_schemes")
NAMES = sorted({parse_url(row["text"], registry=CURRENT).scheme for row in ROWS})


MODULES = ("devices", "messages", "stores", "identifiers")


def parsed(text):
    return parse_url(text, registry=CURRENT)


@each_case("case", ROWS)
def test_fields(case):
    record = parsed(case["text"])
    assert type(record).__name__ == case["kind"]
    assert {name: plain(getattr(record, name)) for name in case["fields"]} == case["fields"]
    assert str(record) == case["text"]
    assert record == pickle.loads(pickle.dumps(record)) == copy.deepcopy(record)
    assert equivalent(record, case["text"], registry=CURRENT)
    for name in type(record).FIELDS:
        value = getattr(record, name)
        if isinstance(value, Encoded) and value.start is not None:
            assert case["text"][value.start : value.end] == value


def test_a_list_of_hosts_is_split_between_its_hosts():
    hosts = [
        ("[v1.,:]", "1"),
        ("[v1.,:]", None),
        ("[::1]", ""),
        ("h%2C", "5"),
        ("", "5"),
        ("h", None),
    ]
    for servers in itertools.product(hosts, repeat=3):
        written = (host if port is None else f"{host}:{port}" for host, port in servers)
        assert parsed(f"mongodb://u@{','.join(written)}/db").servers == servers


@each_case("case", [row for row in ROWS if not row["kind"].startswith("Ldap")])
def test_parts_make_the_same_uri(case):
    record = parsed(case["text"])
    assert isinstance(record, GrammarURI)
    stated = type(record).FIELDS
    parts = {name: getattr(record, name) for name in stated}
    made = type(record).from_parts(**parts, fragment=record.fragment, registry=None)
    same = record.scheme == type(record).SCHEME
    assert made.as_dict() == record.as_dict()
    assert not same or equivalent(made, record)


@each_case("name", NAMES)
def test_the_schemes_have_no_plan_yet_and_their_errors_name_them(name):
    text = next(row["text"] for row in ROWS if row["text"].startswith(f"{name}:"))
    if name != "imap":
        with pytest.raises(SchemeError, match="no plan"):
            access_plan(parsed(text))
    with pytest.raises(SchemeError) as caught:
        parsed(f"{text}\x00")
    assert (caught.value.offset, caught.value.scheme) == (len(text), name)


@pytest.mark.parametrize(("text", "shown"), TABLES["secrets_are_masked"])
def test_secrets_are_masked(text, shown):
    assert shown in repr(parsed(text))


@pytest.mark.parametrize(("a", "b", "same"), TABLES["equivalence"])
def test_equivalence(a, b, same):
    assert equivalent(a, b, registry=CURRENT) is same
    assert equivalent(b, a, registry=CURRENT) is same


def test_fields_of_a_scheme_of_ones_own_are_written():
    own = scheme_from_abnf(
        "zork", 'zork = "zork://" host [ ":" port ] *pair\npair = "/" *( ALPHA / pct-encoded )',
        rule="zork", imports=["rfc3986"],
        fields={"host": "host", "port": "port", "pairs": ["pair"]},
    )  # fmt: skip
    make = own.record.from_parts
    assert make(host="h", port=80, pairs=["/a", "/b"]) == "zork://h:80/a/b"
    assert make(host="h", pairs=[Encoded("/a%3Bb")]) == "zork://h/a%3Bb"
    with pytest.raises(ComponentError, match="does not fit the rule zork"):
        make(host="h", port=-1)
    for port in (True, 1.5):
        with pytest.raises(TypeError, match=r"^port must be an int, or digits as a str, or None"):
            make(host="h", port=port)
    with pytest.raises(ComponentError, match=r"^pairs: would be read as another text: it, or a f"):
        make(host="h", pairs=["/a", "/b/c"])
    with pytest.raises(TypeError, match="imports must be a list of the names of grammars, not str"):
        scheme_from_abnf("z", "z = ALPHA", rule="z", imports="rfc3986", fields={"a": "ALPHA"})


def test_a_scheme_of_ones_own_keeps_its_port_where_the_library_has_another():
    own = scheme_from_abnf(
        "ssh", 'ssh = "ssh://" host [ ":" port ]', rule="ssh", imports=["rfc3986"],
        fields={"host": "host", "port": "port"}, default_port=2222,
    )  # fmt: skip
    registry = CURRENT.with_scheme(own)
    for text, same in (("ssh://h:2222", True), ("ssh://h:22", False)):
        assert equivalent(text, "ssh://h", registry=registry) is same
        assert uriparse.equivalent(text, "ssh://h", schemes=registry.defaults) is same
        assert uriparse.equivalent(text, "ssh://h") is not same


def test_a_field_that_is_not_given_is_not_invented():
    own = scheme_from_abnf(
        "zork", 'zork = "zork:" kind ":" name\nkind = "~" / 1*DIGIT\nname = 1*ALPHA',
        rule="zork", fields={"kind": "kind", "name": "name"},
    )  # fmt: skip
    assert own.record.from_parts(kind="~", name="a") == "zork:~:a"
    with pytest.raises(ComponentError, match=r"^kind: missing, and zork URIs need it"):
        own.record.from_parts(name="a")


@each_case("text", TABLES["refusals"])
def test_refusals(text):
    with pytest.raises(SchemeError):
        parsed(text)


def test_parts_are_encoded_and_checked():
    coap, xmpp = CURRENT["coap"].record, CURRENT["xmpp"].record
    assert str(coap.from_parts(host="h", path="/a?#b%")) == "coap://h/a%3F%23b%25"
    assert (
        str(xmpp.from_parts(node="a@b", host="h", query=Encoded("x;k=v"))) == "xmpp:a%40b@h?x;k=v"
    )
    with pytest.raises(ComponentError, match="host: does not fit the rule host"):
        coap.from_parts(path="/x")
    with pytest.raises(ComponentError, match="method: missing, and did URIs need it"):
        CURRENT["did"].record.from_parts(identifier="x")
    with pytest.raises(ComponentError, match="no URI has these fields together"):
        CURRENT["imap"].record.from_parts(host="h", mailbox="m", search="x", uid="1")
    with pytest.raises(ComponentError, match="does not fit the rule"):
        coap.from_parts(host="h", port="80x")
    with pytest.raises(TypeError, match="no field 'segments'"):
        coap.from_parts(host="h", segments=["a"])
    with pytest.raises(TypeError, match="host must be a str"):
        coap.from_parts(host=1)


def test_nothing_is_loaded_before_it_is_needed():
    modules = [f"uriparse.schemes.{name}" for name in MODULES]
    program = (
        "import sys, uriparse.schemes as s\n"
        "s.parse_url('https://h.d/~a', registry=s.CURRENT); 'coap' in s.CURRENT\n"
        f"print([name for name in {modules} if name in sys.modules], 'abnf2lark' in sys.modules)\n"
        "s.parse_url('coap://h.d/', registry=s.CURRENT)\n"
        f"print([name for name in {modules} if name in sys.modules], 'abnf2lark' in sys.modules)\n"
    )
    done = run_python(program)
    assert done.stdout.splitlines() == ["[] False", "['uriparse.schemes.devices'] False"]


def is_utf8(text):
    try:
        unquote_to_bytes(text.encode("utf-8", "surrogatepass")).decode()
    except UnicodeDecodeError:
        return False
    return True


def judged(name, count, seed=0):
    """Read words of a scheme's rule and spoiled ones; return how many of each are valid."""
    scheme = CURRENT[name]
    source = {"postgres": "postgresql", "rediss": "redis"}.get(name, name)
    found, once = [], {"sms": ["body="], "dns": ["class=", "type="]}.get(name, ())
    for texts in (
        words(scheme.grammar, scheme.rule, seed),
        spoiled(scheme.grammar, scheme.rule, seed),
    ):
        valid = 0
        for text in distinct(texts, count):
            is_valid = by_abnf(scheme.grammar, scheme.rule, text)
            valid += is_valid
            if "#" in text or not text.lower().startswith(f"{source}:"):
                continue
            own = text if name == source else name + text[len(source) :]
            try:
                record = parse_url(own, registry=CURRENT)
            except SchemeError:
                no_host = scheme.record.needs_host and not host_of(text)
                twice = any(text.lower().count(one) > 1 for one in once)
                beside = twice or (name in {"sms", "imap"} and not is_utf8(text))
                beside = beside or (name == "otpauth" and lacks_parameter(text.lower()))
                assert not is_valid or no_host or beside, own
                continue
            assert is_valid, own
            assert str(record) == own
            if isinstance(record, GrammarURI):
                parts = {field: getattr(record, field) for field in type(record).FIELDS}
                assert type(record).from_parts(**parts).as_dict() == record.as_dict(), own
        found.append(valid)
    return found


def lacks_parameter(text):
    """Whether an otpauth URI lacks what the Key Uri Format requires."""
    names = {pair.partition("=")[0] for pair in text.partition("?")[2].split("&")}
    return not {"secret", *(["counter"] if "//hotp/" in text else [])} <= names


def host_of(text):
    """The host of a text with an authority, by splitting it."""
    authority = text.partition("//")[2].partition("/")[0].partition("?")[0]
    return authority.rpartition("@")[2].partition(":")[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", one_in(4, ([name] for name in NAMES)))
def test_generated_words_are_read_back_and_spoiled_ones_judged(name):
    valid, spoiled_valid = judged(name, 25)
    assert valid
    assert spoiled_valid < 25


@pytest.mark.oracle
@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_words_are_read_back_and_a_thousand_spoiled_ones_judged(name):
    valid, spoiled_valid = judged(name, 1000, 1)
    assert valid
    assert spoiled_valid < 1000


def room(**said):
    fields = {"host": "host", "path": "path-abempty"}
    abnf = 'room-URI = "room://" host path-abempty'
    return scheme_from_abnf(
        "room", abnf, rule="room-URI", imports=["rfc3986"], fields=fields, **said
    )


def test_what_no_grammar_says_is_an_argument():
    for needs_host in (False, True):
        registry = CURRENT.with_scheme(room(needs_host=needs_host))
        if needs_host:
            with pytest.raises(SchemeError, match=f"{sentence('no-host', 'room')}; at offset 7"):
                parse_url("room:///1", registry=registry)
        else:
            assert parse_url("room:///1", registry=registry).host == ""
    for is_slash in (False, True):
        known = CURRENT.with_scheme(room(empty_path_is_slash=is_slash)).defaults
        assert uriparse.equivalent("room://h", "room://h/", schemes=known) is is_slash


def test_a_class_of_ones_own_says_it_itself():
    class RoomURI(GrammarURI):
        SCHEME = "room"

    with pytest.raises(
        TypeError, match=r"^RoomURI says needs_host and EMPTY_PATH_IS_SLASH itself$"
    ):
        scheme_from_abnf("room", 'r = "room:"', rule="r", record=RoomURI, needs_host=True)


@pytest.mark.parametrize("port", ["5683", -1, 65536, True, 80.0])
def test_a_default_port_is_a_number_that_ports_have(port):
    with pytest.raises(ComponentError, match=r"^default_port: a number from 0 to 65535, or None$"):
        room(default_port=port)
