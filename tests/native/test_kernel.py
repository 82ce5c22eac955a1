"""The kernel and Python agree on every text, and no input breaks the kernel."""

import copy
import functools
import gc
import pickle
import random
import struct
import sys
import weakref
from array import array
from contextlib import suppress
from itertools import islice, product
from multiprocessing import get_context

import pytest
from cases import each_case
from command_runs import run_python
from hypothesis import given
from hypothesis import strategies as st
from native import kernels
from native.kernels import facts
from str_subclasses import STR_SUBCLASSES

import uriparse
from uriparse import parse
from uriparse._native import kernel, native_rule, tagged
from uriparse.grammar.automata import longest_prefix, shipped_automaton
from uriparse.schemes import parse_url

pytestmark = pytest.mark.skipif(kernel is None, reason="there is no C kernel here")
BOTH = (
    {(rule, grammar): kernels.Implementations(rule, grammar) for rule, grammar in kernels.RULES}
    if kernel
    else {}
)
STRANGE = "\0\x1f\x7f\x80é\u07ff\u0800\ud800\udfff\ue000\ufdd0\uffff\U00010000\U000e1000\U0010ffff"
PIECES = [*":/?#[]@!$&'()*+,;=%-._~ 0aAvV|\"<>", *STRANGE, "%41", "%4", "//", "1.2.3.4", "[::1]"]
BASES = [
    "http://user:pa%20ss@example.com:8042/over/there;p=1?name=ferret#nose",
    "//[2001:db8::7]:80/a//b?", "//[v1f.a:b]#", "mailto:a@b?c", "é://ü.example/ä?ö#ï",
    "http://例え.jp/引き?\ue000", "a/b/../c", "",
]  # fmt: skip
texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
    st.builds(
        lambda base, at, piece, cut: base[: at % (len(base) + 1)] + piece + base[at % 97 + cut :],
        st.sampled_from(BASES),
        st.integers(0, 96),
        st.sampled_from(PIECES),
        st.integers(0, 2),
    ),
    st.text(max_size=12),
)
TIMES = [*range(3), *range(14, 18), *range(25, 37), *range(58, 66)]
ODD = ["", " ", ":", "/", "?", "#", "é", "%", "\0", "\x7f", "[", "@"]
HEADS = {
    4: "of another format", 6: "a number of them is out of range",
    8: "a number of them is out of range", 0: "do not begin with TAGS",
}  # fmt: skip


NO = 255


def spelled(text):
    return not any("\ud800" <= char <= "\udfff" for char in text)


@pytest.mark.parametrize(("rule", "grammar"), kernels.RULES)
@given(text=texts)
def test_both_implementations_agree(rule, grammar, text):
    found, wanted = BOTH[rule, grammar].outcomes(text)
    assert found == wanted
    assert (wanted[0] is not None) is wanted[1]


@pytest.mark.slow
@each_case(("rule", "grammar"), kernels.RULES)
def test_both_implementations_agree_on_every_edge_of_the_automaton(rule, grammar):
    both = BOTH[rule, grammar]
    for text in kernels.covering(rule, grammar):
        found, wanted = both.outcomes(text)
        assert found == wanted
        assert wanted[1]


@pytest.mark.parametrize(("rule", "grammar"), kernels.RULES)
@given(text=texts.filter(spelled))
def test_the_kernel_stops_where_the_automaton_for_errors_does(rule, grammar, text):
    rules = BOTH[rule, grammar].rule
    stop = longest_prefix(text, rule, grammar)
    if rules.fullmatch(text):
        assert kernels.stop_of(rules, text) is None
        assert (stop.offset, stop.may_end) == (len(text), True)
    else:
        assert kernels.stop_of(rules, text) == stop.offset


@each_case("grammar", ["rfc3986", "rfc3987", "rfc1738", "whatwg", "core"])
@given(text=texts, data=st.data())
def test_the_kernel_reads_the_automata_for_errors_as_python_does(grammar, text, data):
    automaton = shipped_automaton(grammar)
    state = data.draw(st.sampled_from(sorted(automaton.starts.values())))
    first = len(text) - len(text.lstrip("".join(map(chr, range(128)))))
    begin = text[:first] if spelled(text) else ""  # the rest is left to Python
    assert kernel.stopped(*automaton.packed(), text, state) == automaton.read(begin, state)


def test_the_kernel_stops_where_an_automaton_for_errors_is_damaged():
    rows, classes = b"\2\0\0\0" + b"\1\0\xff\xff\0\0\5\0", bytes(96) + b"\1" * 31 + b"\2"
    read = [
        kernel.stopped(rows, classes, text, 0) for text in ("!!!", "a", "!a", "!\x7f", "!é", "")
    ]
    assert read == [(3, 1), (0, 0), (1, 1), (1, 1), (1, 1), (0, 0)]
    for wrong in (
        *((rows, classes, "", 2), (rows, classes, "", -1), (rows[:5], classes, "", 0)),
        *((b"", classes, "", 0), (bytes(8), classes, "", 0), (rows, classes[1:], "", 0)),
    ):
        with pytest.raises(ValueError, match="no such state"):
            kernel.stopped(*wrong)
    for wrong in ((rows, classes, b"", 0), (rows, None, "", 0), (rows, classes, "")):
        with pytest.raises(TypeError):
            kernel.stopped(*wrong)


@pytest.mark.slow
@each_case(("rule", "grammar"), [(r, g) for r, g in kernels.RULES if r.endswith("reference")])
@each_case("stretch", ["a", "1", "%41", "/", "é", "a-"])
def test_both_implementations_agree_on_runs_of_any_length(rule, grammar, stretch):
    """The end of a run is anywhere in the octets that are read together, or after them."""
    both = BOTH[rule, grammar]
    for before, times, odd, tail in product(["", "http://", "x:?"], TIMES, ODD, ["", "b" * 33]):
        text = before + stretch * times + odd + tail
        found, wanted = both.outcomes(text)
        assert found == wanted
        if wanted[0] is None:
            assert kernels.stop_of(both.rule, text) == longest_prefix(text, rule, grammar).offset


def test_records_are_not_tracked_by_the_garbage_collector():
    """Keeping a million records must not slow down each collection."""
    record = parse("http://[::1]:80/a?b#c")
    assert not gc.is_tracked(record)
    assert not gc.is_tracked(record.host)


def test_texts_without_utf_8_form_are_read_by_the_fallback():
    rule = BOTH["IRI", "rfc3987"].rule
    assert rule.fullmatch("http://h/\ud800") is None
    seen = []
    own = kernel.Rule(kernel.Tables(kernels.tables("rfc3986")), 0, seen.append)
    assert own.fullmatch("\udfff") is None
    assert seen == ["\udfff"]


def test_the_kernel_accepts_only_str():
    both = BOTH["URI-reference", "rfc3986"]
    for call in (both.rule.fullmatch, both.native):
        for value in (None, b"a", 5):
            with pytest.raises(TypeError, match=r"\Atext is a str, not <class"):
                call(value)
    with pytest.raises(TypeError):
        both.native(STR_SUBCLASSES[0]("a"))


def test_a_fast_call_looks_like_its_function():
    from inspect import signature

    for name in ("parse", "try_parse", "is_valid"):
        function = getattr(uriparse, name)
        assert str(signature(function)) == "(text, rule=None, *, grammar='rfc3986')"
        assert (function.__name__, function.__module__) == (name, "uriparse.parsing.parser")
        assert function.__doc__.partition(".")[0].count("\n") == 0
        assert pickle.loads(pickle.dumps(function)) is function
        assert copy.copy(function) is copy.deepcopy(function) is function
    with get_context("spawn").Pool(1) as pool:
        assert pool.map(parse, ["http://h/a"]) == ["http://h/a"]


def test_other_calls_than_with_a_single_str_reach_the_python_function():
    for call in (uriparse.parse, uriparse.try_parse):
        assert call(text="a") == call("a", "URI-reference") == call(b"a") == "a"
        assert call("é", rule="IRI-reference", grammar="rfc3987").grammar == "rfc3987"
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'text'"):
            call()
        with pytest.raises(TypeError, match="unexpected keyword argument 'wrong'"):
            call("a", wrong=1)
        with pytest.raises(TypeError, match="takes from 1 to 2 positional arguments"):
            call("a", "URI", "rfc3986")
    assert uriparse.is_valid("a:", "URI", grammar="rfc3986") is True
    assert uriparse.is_valid(text=b"a") is False
    record = parse("http://h/")
    assert parse(record) is record


def damaged(data, seed):
    """Return tables with an error: numbers replaced, pieces removed or inserted."""
    chance = random.Random(seed)
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8, 64))):
        at = chance.randrange(len(made)) if chance.random() < 0.6 else chance.randrange(400)
        match chance.randrange(6):
            case 0:
                del made[at : at + chance.choice((1, 2, 300))]
            case 1:
                made[at:at] = chance.randbytes(chance.choice((1, 2, 300)))
            case _:
                made[at : at + 1] = bytes([chance.choice((0, 1, 0xFF, chance.randrange(256)))])
        if len(made) < 500:
            break
    return bytes(made)


def use(data, grammar):
    """Read texts by tables that may be damaged; return whether they were accepted."""
    from uriparse.records import URI, RelativeRef
    from uriparse.records._draft import Slots
    from uriparse.records.hosts import IPv4, IPv6, IPvFuture, RegName, _Host

    assert {"URI": URI, "RelativeRef": RelativeRef} == Slots.CLASSES
    try:
        loaded = kernel.Tables(data)
        rules = [kernel.Rule(loaded, start, len) for start in tagged(grammar).STARTS.values()]
        slots = vars(Slots)
        made = [
            kernel.Reader(
                rule,
                (URI, RelativeRef),
                slots["_text"],
                tuple(slots[name] for name in tagged(grammar).FIELDS),
                ((slots["_authority"], None), (slots["grammar"], grammar)),
                ((2, 1, (IPv6, IPvFuture, IPv4, RegName), vars(_Host)["_text"]),),
                (),
                len,
            )
            for rule in rules
        ]
    except ValueError:
        return False
    rows = kernels.rows_of([text.encode() for text in BASES])
    columns = (*(((n,),) for n in range(7)), ((1, 2, 3),), (1, (b"a", b"b", b"c", b"d")))
    for rule in rules:
        rule.verdicts(rows)
        rule.stops(rows)
        with suppress(SystemError):
            rule.split(rows, columns, 4)
        with suppress(SystemError, ValueError):
            words = dict.fromkeys(range(13), (b"a", b"http"))
            given = conditions(words, rules[0], fields=(0, 1, 2, 3, 4, 5))
            rule.sighted(rows, given)
    for own in made:
        check_rewriting(kernel.Rewriter(own, bytes(range(7)), bytes(256), ()), rows)
    for text in BASES:
        for rule, reader in zip(rules, made, strict=True):
            rule.fullmatch(text)
            if spelled(text):
                rule.stops(kernels.rows_of([text.encode()]))
            try:
                facts_of = reader.read(text)
            except (SystemError, UnicodeDecodeError):
                continue
            if facts_of is not None:
                assert str(facts_of) == text
    return True


def check_damage(numbers):
    refused = 0
    for number in numbers:
        grammar = kernels.RECORDED[number % len(kernels.RECORDED)]
        refused += not use(damaged(kernels.tables(grammar), number), grammar)
    assert use(kernels.tables("rfc3986"), "rfc3986")
    assert 0 < refused < len(numbers)


def check_rewriting(rewriter, rows):
    """Rewrite by tables that may be damaged: a result, or an error that says so."""
    for call, more in ((rewriter.normals, (True,)), (rewriter.targets, ("a://b/c", True))):
        with suppress(SystemError, ValueError):
            call(rows, *more, 4)
    for text in BASES:
        with suppress(SystemError, ValueError):
            rewriter.normal(text, True, None)
        with suppress(SystemError):
            rewriter.target("a://b:9/c?d#e", text, False, None)
        with suppress(SystemError):
            rewriter.made("", "a", None, "b", None, f"/{text}", text, text)
        with suppress(SystemError):
            rewriter.made(text, ..., text, ..., "80", ..., ..., "f")
        with suppress(SystemError):
            rewriter.built(bytes(256), bytes(256), "a", "b", "80", [text], [(text, text)])


def test_damaged_tables_are_refused_or_harmless():
    check_damage(range(60))


def test_a_reader_without_a_class_for_a_value_raises():
    from uriparse.records import URI, Host, RelativeRef
    from uriparse.records._draft import Slots
    from uriparse.records.hosts import KINDS

    facts, slots = tagged("rfc3986"), vars(Slots)
    rule = BOTH["URI-reference", "rfc3986"].rule
    fields = tuple(slots[field] for field in facts.FIELDS)
    [(field, number)] = facts.KINDS.items()
    first, *_ = types = [KINDS[kind] for kind in facts.CONSTANTS[number]]
    hosts = ("//[v1.a]", "//[::]", "//1.2.3.4", "//h")

    def read(text, records, types):
        kind = (facts.FIELDS.index(field), number, tuple(types), vars(Host)["_text"])
        return kernel.Reader(rule, records, slots["_text"], fields, (), (kind,), (), len).read(text)

    assert {type(read(text, (URI, RelativeRef), types).host) for text in hosts} == {*types}
    for text in hosts:
        if type(uriparse.parse(text, "URI-reference").host) is first:
            assert type(read(text, (URI, RelativeRef), [first]).host) is first
        else:
            with pytest.raises(SystemError, match="what no text can have"):
                read(text, (URI, RelativeRef), [first])
    last = {"URI": "a:", "RelativeRef": "a"}[facts.CONSTANTS[0][-1]]
    assert str(read(last, (URI, RelativeRef), types)) == last
    with pytest.raises(SystemError, match="what no text can have"):
        read(last, (URI,), types)
    path = facts.FIELDS.index("path"), number, tuple(types), vars(Host)["_text"]
    reader = kernel.Reader(rule, (URI, RelativeRef), slots["_text"], fields, (), (path,), (), len)
    assert type(reader.read("//h").path) is type(uriparse.parse("//h", "URI-reference").host)
    with pytest.raises(SystemError, match="what no text can have"):
        reader.read("a:b")  # no constant of this text sets the kind


def test_a_reader_owns_its_fixed_values():
    from uriparse.records import URI
    from uriparse.records._draft import Slots

    rule, slots, value = BOTH["URI", "rfc3986"].rule, vars(Slots), object()
    whole, fields = slots["_text"], (slots["path"],) * 7
    fixed = ((slots["host"], value), (slots["path"], value))
    before = sys.getrefcount(value)
    reader = kernel.Reader(rule, (URI,), whole, fields, fixed, (), (), len)
    del fixed, fields, whole, slots
    assert sys.getrefcount(value) == before
    found = reader.read("a:b")
    assert sys.getrefcount(value) == before + 1  # the path has replaced one of them
    assert (found.host, found.path) == (value, "b")
    del found
    del reader
    gc.collect()
    assert sys.getrefcount(value) == before - 2


def test_a_reader_in_a_cycle_is_collected():
    """Through its fallback, a function that changes later, and through what reads by it."""
    gone = cycle()
    gc.collect()
    assert gone() is None


def cycle():
    from uriparse.records import URI
    from uriparse.records._draft import Slots

    readers, slots, data = [], vars(Slots), tagged("rfc3986")

    def fallback(text):
        return readers, text

    rule = kernel.Rule(kernel.Tables(data.TABLES), data.STARTS["URI"], fallback)
    fields = tuple(slots[name] for name in data.FIELDS)
    reader = kernel.Reader(rule, (URI,), slots["_text"], fields, (), (), (), fallback)
    readers += [rule, reader, kernel.Rewriter(reader, bytes(range(7)), bytes(256), ())]
    return weakref.ref(fallback)


@pytest.mark.slow
def test_many_damaged_tables_are_refused_or_harmless():
    check_damage(range(3000))


@each_case(("at", "message"), HEADS.items())
def test_damaged_tables_are_refused_with_what_is_wrong(at, message):
    data = bytearray(kernels.tables("rfc3986"))
    data[at : at + 2] = b"\0\0"
    with pytest.raises(ValueError, match=f"^the tables are damaged: they are {message}|{message}$"):
        kernel.Tables(bytes(data))
    with pytest.raises(ValueError, match="they are too short or too long"):
        kernel.Tables(kernels.tables("rfc3986")[:-1])
    with pytest.raises(ValueError, match="no such state"):
        kernel.Rule(kernel.Tables(kernels.tables("rfc3986")), 60_000, len)


def test_selections_are_checked():
    rule, rows = BOTH["URI", "rfc3986"].rule, kernels.rows_of([b"a:", b"b"])
    assert [one[0] for one in rule.split(rows, (((0,),), (1, (b"a",))), 8)] == [1, 1, 2]
    for wanted in ((), ((),), ((7,),), ((0, -1),), ((0,) * 99,), (2, (b"a",)), (9, ()), None):
        with pytest.raises((TypeError, ValueError)):
            rule.split(rows, (wanted,), 4)
    with pytest.raises(ValueError, match="at most 16 columns"):
        rule.split(rows, (((0,),),) * 17, 4)
    with pytest.raises(ValueError, match="at most 16 columns"):
        rule.split(rows, (), 5)
    for call in (rule.verdicts, rule.stops, lambda rows: rule.split(rows, (), 4)):
        for wrong in (None, (1, (), None), [b"a"]):
            with pytest.raises(TypeError, match=r"^rows are an object that imported\(\) has made$"):
                call(wrong)
    for wrong in ((), (None,), (1, 2), (kernel.schema(("U", "", ())), None)):
        with pytest.raises((TypeError, ValueError)):
            kernel.imported(*wrong)
    assert [rows[0], rows[1], len(rows)] == [b"a:", b"b", 2]
    for outside in (2, 1 << 40, -3):
        with pytest.raises(IndexError):
            rows[outside]


def test_lists_of_suffixes_are_checked():
    rows = kernels.rows_of([b"a.com", b"com", b""])
    slot = struct.Struct("=IIHH")
    for suffixes in (b"", struct.pack("=II", 1, 0), struct.pack("=II", 30, 0), bytes(9)):
        with pytest.raises(ValueError, match="cannot be read"):
            kernel.domains(rows, suffixes, 4)
    number = functools.reduce(lambda n, o: (n ^ o) * 16777619 & 0xFFFFFFFF, b"moc", 2166136261)
    for begin, size in ((0, 3), (0xFFFFFFFF, 3), (1, 3), (0, 4)):
        table = slot.pack(number, begin, size, 1) * 2
        found, known = kernel.domains(rows, struct.pack("=II", 1, 3) + table + b"com", 4)
        assert (found[0], bytes(known)) == (2, b"\7")
        assert bytes(found[3]) == b"a.com"


def test_replacements_are_checked():
    rows = kernels.rows_of([b"a", b"b", b"c"])
    nulls, validity, begins, octets = kernel.patched(rows, b"\2", (b"xy", None), 4)
    assert (nulls, bytes(validity), bytes(octets)) == (1, b"\3", b"xyb")
    assert bytes(begins) == array("i", [0, 2, 3, 3]).tobytes()
    nulls, validity, _, octets = kernel.named(b"\1\0\2", 1, (None, b"xy", b""), 4)
    assert (nulls, bytes(validity), bytes(octets)) == (1, b"\5", b"xy")
    with pytest.raises(ValueError, match="4 or 8"):
        kernel.named(b"", 1, (), 5)
    with pytest.raises(ValueError, match="row 2 lies outside"):
        kernel.patched(rows, b"\2", (b"xy",), 8)
    with pytest.raises(ValueError, match="too small"):
        kernel.patched(rows, b"", (), 8)
    with pytest.raises(TypeError):
        kernel.patched(rows, b"\2", ("xy", None), 8)


def conditions(sets=(), rule=None, **changes):
    """Return the conditions of a policy, or what is given instead of some."""
    from uriparse.validation import first_sight

    codes = first_sight._HITS
    refused = ["userinfo", "long-name", "too-long", *codes[codes.index("userinfo-refused") : -3]]
    refused.remove("fragment-refused")
    refusing = bytes([0, 1, 1, 1, 1, 1, *(code in refused for code in codes)])
    flips = array("I", [8 << 24 | 8 << 16 | 8 << 8 | 8, 8 << 24 | 8 << 16 | 8 << 8 | 9]).tobytes()
    given = {
        "limits": (99, 99, 99), "longest": (99, 63), "fields": (0, NO, 1, 2, 4, NO),
        "words": tuple({6: (b"http", b"https"), **dict(sets)}.get(n) for n in range(13)),
        "addresses": (flips, b""),
        "own": (rule or native_rule("URI", "rfc3986", len), tuple(range(7)), 1, 3, 1), "local": -1,
        "flags": (True, True, False, False), "tables": (refusing, b"\1" * 256, bytes(256), b""),
    }  # fmt: skip
    return tuple({**given, **changes}.values())


SIGHTED = b"""https://w.A.com/abcdef http://b.org:8080/abc https://[2606:4700::1]/#f https://example.com/a
https://8.8.8.8:8080/abcde https://Xn--b.com/abcdefghi https://u@/% https://u@a.com ftp://a"""


@each_case(("words", "changes", "outcomes"), [
    ({}, {}, "aaOaAOIUO"), ({}, {"limits": (22, 9, 9)}, "aaoaAoIUO"),
    ({0: (b"http",)}, {}, "SaSSSSISs"), ({}, {"longest": (5, 63)}, "LaOLAOIUO"),
    ({1: (b".com", b"a.org")}, {}, "aHOaHOIUO"), ({1: (b".a.com", b"com")}, {}, "aHOHHOIUO"),
    ({2: (b"http:8080", b"https:")}, {}, "aaOaAOIUO"),
    ({2: (b"http:80", b"https:")}, {}, "aPOaAOIUO"), ({3: (b"8080",)}, {}, "aBOaAOIUO"),
    ({4: (b".org", b"org")}, {}, "aNOaAOIUO"), ({4: (b"a.com", b"b.org")}, {}, "aNOaAOIUO"),
    ({5: (b"localhost",)}, {}, "aaOaAOIUO"), ({8: (b"ftp://a",)}, {}, "RRRRRRIRo"),
    ({}, {"addresses": (b"", bytes(16) + b"\0")}, "aaaaaOIUO"),
    ({}, {"addresses": (b"", bytes(16) + b"\1")}, "aaAaaOIUO"),
    ({6: (b"ftp",)}, {"flags": (False, True, False, False)}, "aaOaOOIOO"),
])  # fmt: skip
def test_rows_are_looked_at_by_conditions(words, changes, outcomes):
    from uriparse.validation.first_sight import _HITS

    rule = native_rule("destination-URI", "agreed", len)
    found, _ = rule.sighted(kernels.rows_of(SIGHTED.split()), conditions(words, **changes))
    letters = dict(zip(_HITS[-12:-3], "-FRSHPBNA", strict=True)) | {
        "userinfo": "U", "long-name": "L", "too-long": "T"
    }  # fmt: skip
    names = "aI-oOs" + "".join(letters.get(code, "?") for code in _HITS)
    assert "".join(names[one] for one in bytes(found)) == outcomes


@each_case("changes", [
    None, {"words": (None,) * 12}, {"fields": (0, NO, 1, 99, 4, NO)}, {"longest": (1999, 9)},
    {"fields": (0, NO, 1, NO, 4, NO)}, {"words": ("a",) * 13}, {"words": ((None,),) * 13},
    {"words": ((b"a", "b"),) * 13}, {"own": (None, (0,) * 7, 0, 0, 0)}, {"own": ()},
    {"own": ("URI", (0, 1, 2, 3, 4, 5, 99), 0, 0, 0)}, {"own": ("URI", (0,) * 7, 99, 0, 0)},
    {"local": 1 << 40}, {"tables": (b"", bytes(256), bytes(256), b"")},
])  # fmt: skip
def test_conditions_are_checked(changes):
    rule = native_rule("destination-URI", "agreed", len)
    if changes and "URI" in changes.get("own", ()):
        changes = {"own": (rule, *changes["own"][1:])}
    given = changes and conditions(**changes)
    with pytest.raises((TypeError, ValueError)):
        rule.sighted(kernels.rows_of([b"https://a.com/"]), given)


def test_most_texts_are_judged_at_first_sight(monkeypatch):
    """Otherwise the fast way would not be one: Python is asked about no row."""
    from columns.handmade import column, listed

    from uriparse.arrow import verdict
    from uriparse.validation import Policy, first_sight
    from uriparse.validation.special import NAME_CLASSES

    monkeypatch.delattr(first_sight, "_judged_alone")
    hosts = [b"a.com", b"b.example.com", b"C.B.example.com", b"xn--bcher-kva.example.com"]
    texts = [b"https://" + host + port + b"/a?b=c" for host in hosts for port in (b"", b":443")]
    lists = Policy(schemes=["https"], hosts=["a.com", ".example.com"], ports=["default", 25])
    for policy in (Policy.outbound(), Policy.web(), lists, lists.replace(ports="*")):
        own = policy.replace(allowed_names=policy.allowed_names or NAME_CLASSES - {"localhost"})
        assert listed(verdict(column(texts), own)) == [None] * 8
    texts = [b"ftp://a.com/", b"HTTPS://a.com/", b"tel:1", b"https:/a", b"https://[::1]/"]
    found = ["scheme-other", "scheme-case", "host-refused", "host-refused", "ipv6-over-tls"]
    assert listed(verdict(column(texts), lists)) == found
    refused = {
        "syntax": b"https://a.com/ ", "userinfo": b"http://u@h%65/",
        "name-refused": b"https://x.Local", "address-refused": b"https://10.1.2.3:8080/a",
        "bad-port-refused": b"http://a.com:25/",
    }  # fmt: skip
    assert listed(verdict(column([*refused.values(), b"https://intranet/"]))) == (
        [*refused, "name-refused"]
    )


def test_exported_columns_are_checked():
    for call in (kernel.schema, kernel.array, lambda given: kernel.stream(given, ())):
        for wrong in (None, (), ("u",), ("u", "a", None), (1, 2, 3, 4), (1, 0, (5,), ())):
            with pytest.raises(TypeError):
                call(wrong)
    with pytest.raises(TypeError):
        kernel.stream(("u", "", ()), (None,))


def test_a_reader_refuses_records_that_do_not_fit():
    from uriparse.records import URI
    from uriparse.records._draft import Slots
    from uriparse.schemes import Encoded

    rule = BOTH["URI", "rfc3986"].rule
    slots = vars(Slots)
    whole, fields = slots["_text"], (slots["path"],) * 7
    start = vars(Encoded)["_start"]
    kind, located = (0, 0, (URI,), whole), (0, Encoded, start)
    beyond = len(tagged("rfc3986").CONSTANTS)
    for wrong, message in (
        ((rule, (str,), whole, fields, (), (), (), len), "a class defined in Python"),
        ((rule, (URI,), whole, fields[:-1], (), (), (), len), "do not fit the tables"),
        ((rule, (URI,), whole, fields, (), ((9, 1, (URI,), whole),), (), len), "do not fit"),
        ((rule, (URI,), whole, fields, (), (), ((9, Encoded, start),), len), "do not fit"),
        ((rule, (URI,), whole, fields, (), (), ((0, URI, start),), len), "an offset extends str"),
        ((rule, (URI,), whole, fields, (), (), (whole,), len), "of a field is a tuple"),
        ((rule, (URI,), "text", fields, (), (), (), len), "a slot of the class is not found"),
        ((rule, (URI,), whole, fields, ((whole,),), (), (), len), "a slot and the value"),
        ((rule, (URI,) * 17, whole, fields, (), (), (), len), "the records do not fit"),
        ((rule, (URI,), whole, fields, ((whole, 1),) * 17, (), (), len), "the records do not fit"),
        ((rule, (URI,), whole, fields, (), (kind, kind), (), len), "the kinds of a field"),
        (
            (rule, (URI,), whole, fields, (), ((0, beyond, (), whole),), (), len),
            "the kinds of a field",
        ),
        ((rule, (URI,), whole, fields, (), ((0, 0, (URI,) * 17, whole),), (), len), "kinds of"),
        ((rule, (URI,), whole, fields, (), (), (located, located), len), "the classes of fields"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            kernel.Reader(*wrong)


def test_reasons_are_found_once_for_a_host_and_what_follows_it(monkeypatch):
    from columns.handmade import column, listed

    from uriparse.arrow import verdict
    from uriparse.validation import first_sight

    asked = []
    judge = first_sight.first_reason
    monkeypatch.setattr(
        first_sight, "first_reason", lambda text, *a: asked.append(text) or judge(text, *a)
    )
    first_sight._look.cache_clear()
    refused = {
        "port-range": "http://good.com:65536/", "empty-port": "http://good.com:/",
        "query-without-path": "http://good.com?", "fragment-without-path": "http://good.com#",
        "empty-host": "http:///", "missing-authority": "https:a/", "host-dots": "http://good.com./",
        "encoded-host": "http://a%2ecom/", "scheme-case": "HTTPs://a.com/",
    }  # fmt: skip
    for code, begin in refused.items():
        texts = [f"{begin}{number}".encode() for number in range(50)]
        assert listed(verdict(column(texts))) == [code] * 50
    assert len(asked) <= 2 * len(refused)


@pytest.mark.slow
@each_case("call", [uriparse.try_parse, uriparse.is_valid, parse_url])
def test_memory_does_not_grow(call):
    given = [*BASES, "http://h/ ", "http://h:8x/", "\ud800"]
    if call is parse_url:
        given = [
            "http://h.d:80/a", "http://H/b?c", "ftp://u:p@h.d/x;type=i", "mailto:a@b", "news:*",
        ]  # fmt: skip

    assert kernels.is_steady(lambda: [call(text) for text in given * 100] and None)


def asked(code, **environment):
    done = run_python(code, more=environment)
    return done.stdout.split()


def test_a_kernel_of_another_format_is_not_used():
    code = "import sys, types; k = types.ModuleType('k'); k.FORMAT = 0; "
    code += "sys.modules['uriparse._native._kernel'] = k; import uriparse; "
    code += "print(uriparse.implementation, uriparse.is_valid('a:'))"
    assert asked(code) == ["python", "True"]


@pytest.mark.oracle
@each_case("grammar", kernels.RECORDED)
def test_both_implementations_agree_on_many_corruptions(grammar):
    """A large corpus of valid texts with some pieces replaced."""
    chance = random.Random(17)
    start = next(iter(tagged(grammar).STARTS))
    rules = tuple(tagged(grammar).STARTS)
    words = [text for rule in rules for text in islice(kernels.covering(rule, grammar), 2000)]
    for _ in range(150_000):
        text = chance.choice(words if chance.random() < 0.5 else BASES)
        for _ in range(chance.choice((1, 1, 2, 3))):
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(PIECES) + text[at + chance.randrange(3) :]
        rule = chance.choice(rules)
        found, wanted = BOTH[rule, grammar].outcomes(text)
        assert found == wanted
    assert facts(BOTH[start, grammar].native("a:")) is not None
