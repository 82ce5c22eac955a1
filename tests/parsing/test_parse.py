"""Parsing by the matchers: the vectors, the laws, every kind of argument, threads."""

import threading
from pathlib import Path

import pytest
from cases import each_case, vectors
from hypothesis import given
from hypothesis import strategies as st

import uriparse
from uriparse import URI, RelativeRef, UnknownRuleError, URISyntaxError, is_valid, parse, try_parse
from uriparse.grammar import matcher
from uriparse.grammar.matchers import dispatch, tables
from uriparse.parsing import readers

COMPONENTS = vectors("components")
MATRIX = vectors("dialect_matrix")
IPV6 = vectors("ipv6")
SPLIT = [row for row in COMPONENTS if "path" in row]
assert COMPONENTS
assert MATRIX
assert IPV6
assert SPLIT
REFERENCE_RULES = [
    ("URI-reference", "rfc3986"),
    ("URI", "rfc3986"),
    ("absolute-URI", "rfc3986"),
    ("relative-ref", "rfc3986"),
    ("IRI-reference", "rfc3987"),
    ("IRI", "rfc3987"),
    ("absolute-IRI", "rfc3987"),
    ("irelative-ref", "rfc3987"),
]
FIELDS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
HOSTILE_TEXTS = st.text(alphabet="ahx0129:/?#[]@%.!é \n\\", max_size=16)


def texts(name, grammar):
    """Valid texts of a rule. Those with letters beyond ASCII are put together from pieces."""
    if grammar == "rfc3986":
        return st.from_regex(matcher(name, grammar), fullmatch=True)
    heads = ["", "x:", "//é", "X+1://", "//u:é@[::1]:8", "x://例.é:", "//@1.2.3.4", "x://[v1.a]"]
    pieces = ["a", "Z", "0", "%C3%A9", "é", "例", "\U00010000", "!", ":", "@", "/", "?", "#"]
    tails = st.lists(st.sampled_from([*pieces, "\ue000"]), max_size=8).map("".join)
    joined = st.builds("{}{}{}".format, st.sampled_from(heads), st.sampled_from(["", "/"]), tails)
    return joined.filter(matcher(name, grammar).fullmatch)


def components(record):
    return tuple(getattr(record, name) for name in FIELDS)


@each_case("row", COMPONENTS)
def test_verdicts(row):
    assert is_valid(row["text"], row["rule"]) is row["valid"]


@each_case("row", SPLIT)
def test_components(row):
    record = parse(row["text"])
    for name in (*FIELDS, "authority"):
        if name in row:
            value = getattr(record, name)
            assert (value if value is None else str(value)) == row[name], name
    if row.get("host_kind"):
        assert type(record.host).__name__ == row["host_kind"]


@each_case("row", MATRIX)
def test_matrix(row):
    assert is_valid(row["string"], "URI-reference") is row["rfc3986"]
    assert (try_parse(row["string"]) is not None) is row["rfc3986"]


@each_case("row", IPV6)
def test_ipv6(row):
    assert is_valid(row["address"], "IPv6address") is row["valid"]
    record = try_parse(f"//[{row['address']}]")
    assert (record is not None) is row["valid"]
    if record is not None:
        assert record.host.address is not None


@pytest.mark.parametrize(("rule", "grammar"), REFERENCE_RULES)
@given(data=st.data())
def test_parsing_keeps_every_character(rule, grammar, data):
    rules = dispatch(rule, grammar)
    name = data.draw(st.sampled_from(rules))
    text = data.draw(texts(name, grammar))
    record = parse(text, rule, grammar=grammar)
    assert str(record) == text
    assert record.grammar == grammar
    assert isinstance(record, URI if record.scheme is not None else RelativeRef)
    assert parse(str(record), rule, grammar=grammar) == record
    assert try_parse(text, rule, grammar=grammar) == record
    assert is_valid(text, rule, grammar=grammar)


@pytest.mark.parametrize(("rule", "grammar"), REFERENCE_RULES)
@given(text=HOSTILE_TEXTS)
def test_the_three_functions_agree(rule, grammar, text):
    record = try_parse(text, rule, grammar=grammar)
    assert is_valid(text, rule, grammar=grammar) is (record is not None)
    if record is None:
        with pytest.raises(URISyntaxError):
            parse(text, rule, grammar=grammar)
    else:
        assert parse(text, rule, grammar=grammar) == record


def only_generic(rule, grammar):
    read = readers._nothing
    for name in reversed(dispatch(rule, grammar)):
        read = readers.generic_reader(name, grammar, read)
    return read


@pytest.mark.parametrize(("rule", "grammar"), REFERENCE_RULES)
@given(data=st.data())
def test_fast_readers_read_what_the_generic_one_reads(rule, grammar, data):
    name = data.draw(st.sampled_from(dispatch(rule, grammar)))
    valid = texts(name, grammar)
    text = data.draw(st.one_of(valid, HOSTILE_TEXTS))
    fast = readers.reader(rule, grammar)(text)
    slow = only_generic(rule, grammar)(text)
    assert fast == slow
    if fast is not None:
        assert components(fast) == components(slow)


@pytest.mark.parametrize("grammar", ["rfc3986", "rfc3987"])
def test_common_rules_have_fast_readers(grammar):
    kinds = {
        readers._first_of((rule,), grammar).__qualname__.partition(".")[0]
        for rule in tables(grammar).RECORDS
        if not rule.startswith("absolute")
    }
    assert kinds == {"_uri_reader", "_relative_reader"}


@given(HOSTILE_TEXTS)
def test_bytes_are_read_as_ascii(text):
    data = text.encode()
    assert is_valid(data) is is_valid(text)
    assert try_parse(data) == try_parse(text)


@pytest.mark.parametrize(
    ("data", "offset"), [(b"http://h/\xff", 9), (b"\xef\xbb\xbfa", 0), (b"a b\xff", 1)]
)
def test_bytes_that_are_not_ascii_are_refused(data, offset):
    assert is_valid(data) is False
    assert try_parse(data) is None
    for rule, grammar in REFERENCE_RULES:
        assert try_parse(data, rule, grammar=grammar) is None
        assert not is_valid(data, rule, grammar=grammar)
        with pytest.raises(URISyntaxError):
            parse(data, rule, grammar=grammar)
    with pytest.raises(URISyntaxError) as caught:
        parse(data)
    assert caught.value.offset == offset


@pytest.mark.parametrize("text", [None, 3, ["a"], bytearray(b"a"), Path("a")])
def test_other_types_are_refused(text):
    for function in (parse, try_parse, is_valid):
        with pytest.raises(TypeError, match=rf"not {type(text).__name__}\Z"):
            function(text)
        with pytest.raises(TypeError, match=rf"not {type(text).__name__}\Z"):
            function(text, "URI", grammar="rfc3986")


def test_a_record_stands_for_its_text():
    for text in ("http://u@h:80/a?b#c", "a"):
        record = parse(text)
        assert parse(record) == try_parse(record) == record
        assert is_valid(record) is is_valid(text)
    assert is_valid(parse("//u@h:80").authority, "authority")
    assert is_valid(parse("//[::1]").host, "IP-literal")


@pytest.mark.parametrize(
    ("rule", "grammar", "message"),
    [
        ("host", "rfc3986", "is not for references: parse() accepts URI, URI-reference"),
        ("httpurl", "rfc1738", "parse() accepts other grammars; see parse_tree() and is_valid()"),
        ("URI-reference", "rfc3987", "did you mean IRI-reference"),
        ("URI-refrence", "rfc3986", "did you mean URI-reference"),
        ("URI", "rfc9999", "unknown grammar"),
    ],
)
def test_rules_that_yield_no_reference(rule, grammar, message):
    for function in (parse, try_parse):
        with pytest.raises(UnknownRuleError) as caught:
            function("a:b", rule, grammar=grammar)
        assert message in str(caught.value)


@pytest.mark.parametrize(("rule", "grammar"), REFERENCE_RULES)
def test_rule_names_in_any_letter_case(rule, grammar):
    text = "a" if "ref" in rule else "a:b"
    for name in (rule.upper(), rule.lower(), rule.title()):
        assert parse(text, name, grammar=grammar) == parse(text, rule, grammar=grammar)
        assert is_valid(text, name, grammar=grammar)


@each_case("grammar", uriparse.grammars())
def test_any_rule_of_any_grammar_can_be_asked(grammar):
    for rule in uriparse.rules(grammar):
        assert is_valid("\uffff", rule, grammar=grammar) is False
        assert is_valid("", rule, grammar=grammar) in {True, False}


@pytest.mark.parametrize("text", ["http://h/\n", "http://h\n", "a\n", "\na", "http://h/\0", "a\r"])
def test_a_line_end_is_no_part_of_a_uri(text):
    assert try_parse(text) is None
    assert not is_valid(text, "URI-reference")


def test_threads_share_everything():
    """Start from nothing compiled, in eight threads at once, and read every component."""
    texts = [row["text"] for row in SPLIT] * 20
    expected = [components(parse(text)) for text in texts]
    readers.reader.cache_clear()
    uriparse.grammar.matchers._compiled.cache_clear()
    shared = [readers.reader("URI-reference", "rfc3986")(text) for text in texts]
    readers.reader.cache_clear()
    with pytest.raises(URISyntaxError) as caught:
        parse("http://h/%zz")
    refusal = str(caught.value)
    start = threading.Barrier(8)
    wrong = []

    def work():
        start.wait()
        read = readers.reader("URI-reference", "rfc3986")
        for text, record, want in zip(texts, shared, expected, strict=True):
            own = read(text)
            if components(own) != want or own.authority != record.authority or own != record:
                wrong.append(text)
            if try_parse("http://h:8x/") is not None:
                wrong.append("http://h:8x/")
            try:
                parse("http://h/%zz")
            except URISyntaxError as error:
                if str(error) != refusal:
                    wrong.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@each_case("read", [parse, try_parse])
@each_case("text", ["http://u:p@h/a?b#c", "x:", "a", "//h", ""])
def test_a_record_comes_back_itself(read, text):
    record = parse(text)
    assert read(record) is record
    assert read(record, "URI" if record.scheme else "relative-ref") is record
    assert read(read(record)) is record
    iri = parse(text, "IRI-reference", grammar="rfc3987")
    assert read(iri, "IRI-reference", grammar="rfc3987") is iri
    # By another grammar it is read anew: what comes is what was asked for.
    assert read(iri).grammar == "rfc3986"
    assert read(record, "IRI-reference", grammar="rfc3987").grammar == "rfc3987"


def test_a_record_is_judged_by_the_rule_that_was_asked_for():
    for record, rule in [("x:a#f", "absolute-URI"), ("a", "URI"), ("x:", "relative-ref")]:
        assert try_parse(parse(record), rule) is None
        with pytest.raises(URISyntaxError):
            parse(parse(record), rule)
    iri = parse("http://é/", "IRI", grammar="rfc3987")
    with pytest.raises(URISyntaxError, match='grammar="rfc3987"'):
        parse(iri)
