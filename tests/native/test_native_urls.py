"""The kernel and Python accept the same URLs and return the same records."""

import copy
import inspect
import os
import pickle
import random

import pytest
from cases import each_case
from command_runs import run_python
from hypothesis import given
from native.kernels import LEAVES, covering, is_steady, tables
from schemes.corruption import IN_FORCE, TEXTS, corrupted
from str_subclasses import STR_SUBCLASSES

from uriparse._compiled.index import TAGGED
from uriparse._native import FORMAT, kernel, native_rule, tagged
from uriparse.errors import SchemeError
from uriparse.grammar import matcher
from uriparse.schemes import CURRENT, RFC1738, URL, Encoded, HttpURL, Scheme, parse_url
from uriparse.schemes.captures import Named, reader_of
from uriparse.schemes.read_by_scheme import native_web_reader

native = pytest.mark.skipif(kernel is None, reason="there is no C kernel here")

SCHEMES = {"rfc1738": RFC1738, "current": CURRENT}
READ = [
    *(("rfc1738", name) for name in ("http", "https", "ftp", "mailto")),
    *(("current", name) for name in ("http", "https", "ws", "wss", "ftp", "mailto", "nntp")),
    *(("current", name) for name in ("prospero", "telnet", "wais")),
]
"""The schemes that the kernel reads: those whose records only store captures."""


def pure_reader(scheme):
    named = Named(scheme.name, scheme.word, scheme.default_port)
    return reader_of(scheme.record, scheme.expressions, named)


def facts(url):
    """Return all facts of a record, and check that it behaves like one."""
    if url is None:
        return None
    assert not hasattr(url, "__dict__")
    with pytest.raises(AttributeError, match="is immutable"):
        url.scheme = "x"
    assert pickle.loads(pickle.dumps(url)) == url == copy.copy(url)
    slots = {name: shown(getattr(url, name)) for name in type(url).SLOTS}
    return type(url), str(url), hash(url), repr(url), slots


def shown(value):
    if isinstance(value, Encoded):
        return type(value), str(value), hash(value), value.start, value.end
    return type(value), value


def outcomes(scheme, text):
    """Return what both implementations make of a text that begins with the scheme's name."""
    name, url = text.partition(":")[0].lower(), text.partition("#")[0]
    fragment = Encoded("x", 1) if "#" in text else None
    readers = scheme.reader, pure_reader(scheme)
    return [facts(reader(text, url, name, fragment)) for reader in readers]


@native
@each_case(("registry", "name"), READ)
def test_the_kernel_reads_them(registry, name):
    assert isinstance(SCHEMES[registry][name].reader.__self__, kernel.SchemeReader)


@pytest.mark.slow
@native
@pytest.mark.parametrize(("registry", "name"), READ)
@given(text=corrupted([*TEXTS, *IN_FORCE]))
def test_both_implementations_agree(registry, name, text):
    for given_text in (text, name.upper() + text[max(text.find(":"), 0) :]):
        found, wanted = outcomes(SCHEMES[registry][name], given_text)
        assert found == wanted


@pytest.mark.slow
@native
@each_case(("registry", "name"), READ)
def test_both_implementations_agree_on_every_edge_of_the_automaton(registry, name):
    scheme = SCHEMES[registry][name]
    assert (scheme.rule, scheme.grammar) in LEAVES
    texts = [*covering(scheme.rule, scheme.grammar)]
    for text in texts:
        found, wanted = outcomes(scheme, name + text[text.index(":") :])
        assert found == wanted is not None
    assert texts


@pytest.mark.slow
@native
@pytest.mark.parametrize(("rule", "grammar"), LEAVES)
@given(text=corrupted([*TEXTS, *IN_FORCE]))
def test_verdicts_agree(rule, grammar, text):
    fullmatch = matcher(rule, grammar).fullmatch
    own = native_rule(rule, grammar, fullmatch)
    assert (own.fullmatch(text) is None) is (fullmatch(text) is None)


@native
def test_other_names_and_texts_without_utf_8_form_are_read_without_the_kernel():
    http = RFC1738["http"]
    seen = []
    start = tagged("rfc1738").STARTS["httpurl"]
    rule = kernel.Rule(kernel.Tables(tables("rfc1738")), start, len)
    slots = {name: getattr(HttpURL, name) for name in HttpURL.SLOTS}
    fields = (None,) * len(tagged("rfc1738").FIELDS)
    reader = kernel.Reader(rule, (HttpURL,), slots["_text"], fields, (), (), (), len)
    own = kernel.SchemeReader(
        reader, "http", "http", slots["fragment"], lambda *given: seen.append(given)
    )
    for given_ in (("\ud800", "\ud800", "http", 1), ("a", "a", "ftp", 2), ("h", "h", "http", 3)):
        assert own.read(*given_) is None
        assert seen.pop() == given_
    assert own.read("http://h.d/", "http://h.d/", "http", None).fragment is None
    assert own.read("http:", "http:", "http", None) is None
    assert not seen
    assert outcomes(http, "http://h.d/\ud800") == [None, None]


@native
def test_whole_urls_of_several_schemes_are_read_or_left_to_others():
    """`whole` returns what `read` does for its names, and None for all that needs a closer look."""
    readers = {name: CURRENT[name].reader for name in ("http", "https")}
    whole = native_web_reader(CURRENT)
    assert isinstance(whole.__self__, kernel.SchemeReader)
    left = ["HTTP://h/", "http://h/#", "https://h/#f", "http:///a", "https://", "http://u@:1/"]
    left += ["http:", "http", "", ":", "ftp://h/", "httpx://h/", "https//h", "http://h/\ud800"]
    left += ["https://h/é", "http://h/ ", Encoded("http://h/"), b"http://h/", None]
    assert [text for text in left if whole(text) is not None] == []
    for text in (*TEXTS, *IN_FORCE, "http://u:p@h:8/a?b", "https://[::1]", "https://h?q"):
        name = text.partition(":")[0]
        found = whole(text)
        if name not in readers or "#" in text:
            assert found is None
        else:
            wanted = readers[name](text, text, name, None)
            assert facts(found) == facts(wanted if wanted is None or wanted.host else None)


def test_parse_url_is_one_function_however_it_is_called():
    text = "https://u@h.d:8/a?b"
    first = parse_url(text)
    calls = [parse_url(text=text), parse_url(text, registry=None), parse_url(text.encode())]
    calls += [parse_url(text, registry=CURRENT), parse_url(STR_SUBCLASSES[0](text))]
    assert [facts(found) for found in calls] == [facts(first)] * len(calls)
    assert type(parse_url("http://h/", registry=RFC1738)) is HttpURL
    assert [*inspect.signature(parse_url).parameters] == ["text", "relaxed_host", "registry"]
    assert pickle.loads(pickle.dumps(parse_url)) is parse_url
    for wrong in ((), (text, CURRENT), (None,)):
        with pytest.raises(TypeError):
            parse_url(*wrong)
    for refused in ("http:///", "https://h:x/", "http", "http://\ud800/"):
        with pytest.raises(SchemeError):
            parse_url(refused)


@native
def test_a_scheme_reader_refuses_arguments_that_do_not_fit():
    slots = {name: getattr(HttpURL, name) for name in HttpURL.SLOTS}
    rule = kernel.Rule(kernel.Tables(tables("rfc1738")), tagged("rfc1738").STARTS["httpurl"], len)
    fields = (None,) * len(tagged("rfc1738").FIELDS)
    reader = kernel.Reader(rule, (HttpURL,), slots["_text"], fields, (), (), (), len)
    rest = slots["fragment"]
    for wrong, message in (
        ((reader, "ftp", "http", rest, len), "no text of the rule begins with the word"),
        ((reader, "http://h.d", "http", rest, len), "no text of the rule begins with the word"),
        ((reader, "\ud800", "http", rest, len), "no UTF-8 form"),
        ((reader, "http", "http", "fragment", len), "a slot of the class is not found"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            kernel.SchemeReader(*wrong)
    both = kernel.Reader(rule, (HttpURL,) * 2, slots["_text"], fields, (), (), (), len)
    with pytest.raises(ValueError, match="of several classes"):
        kernel.SchemeReader(both, "http", "http", rest, len)
    read = kernel.SchemeReader(reader, "http", "http", rest, len).read
    for wrong in ((), ("a",) * 3, (b"a", "a", "a", None), ("a", "a", None, None)):
        with pytest.raises(TypeError, match=r"type str|its part, its name and the rest"):
            read(*wrong)


class Wide(HttpURL):
    """A record with more slots than the kernel fills."""

    __slots__ = ("a", "b", "c", "d", "e", "f", "g", "h")


class Derived(HttpURL):
    """A record with a field that is not a slot."""

    __slots__ = ("kept",)
    search = property(
        lambda self: self.kept, lambda self, value: object.__setattr__(self, "kept", value)
    )


class Adding(HttpURL):
    """A record that adds something to what is captured."""

    __slots__ = ("size",)

    @classmethod
    def complete(cls, found, url):
        found["size"] = len(url)


@each_case("record", [Wide, Derived, Adding])
def test_custom_records_are_made_in_python(record):
    registry = RFC1738.with_scheme(Scheme("web", record, "httpurl", word="http"))
    url = parse_url("WEB://h.d:1/a?b#c", registry=registry)
    assert url.as_dict() == {"host": "h.d", "port": "1", "path": "a", "search": "b"}
    assert (url.scheme, url.fragment, url.default_port) == ("web", "c", None)
    assert getattr(url, "size", len("web://h.d:1/a?b")) == len("web://h.d:1/a?b")
    assert getattr(url, "a", None) is None


def test_the_name_in_the_text_is_that_of_the_record():
    url = parse_url("web://h.d/", registry={"web": RFC1738["http"]})
    assert (url.scheme, url.host.start, type(url)) == ("web", 6, HttpURL)


@each_case(("registry", "name"), READ)
def test_the_host_is_required_and_the_fragment_is_checked(registry, name):
    if name == "mailto":
        return
    for text in (f"{name}://", f"{name}://:80/", f"{name}://h.d/#\x7f"):
        with pytest.raises(SchemeError):
            parse_url(text, registry=SCHEMES[registry])


@native
@pytest.mark.slow
def test_memory_does_not_grow():
    texts = [f"{name}://h.d:8{rest}" for name in ("http", "https", "ftp") for rest in ("", "/a#b")]
    texts += ["mailto:a@h.d", "http://h.d/" + "a" * 300, "https:///", "ftp://u:p@1.2.3.4/x;type=a"]
    reads = [scheme.reader for scheme in map(RFC1738.get, ("http", "https", "ftp", "mailto"))]

    def run():
        for text in texts * 3_000:
            for read in reads:
                read(text, text, text.partition(":")[0], None)

    assert is_steady(run)


@native
@pytest.mark.slow
def test_both_implementations_agree_on_many_corruptions():
    chance = random.Random(17)
    pieces = [*"@:/?#[];=&%~. ", "%41", "\ud800", "é", "//", ";type=a", "", ""]
    for registry, name in READ:
        scheme = SCHEMES[registry][name]
        words = [name + word[word.index(":") :] for word in covering(scheme.rule, scheme.grammar)]
        for _ in range(5_000):
            text = chance.choice(words)
            for _ in range(chance.choice((1, 1, 2, 3))):
                at = chance.randrange(len(name) + 1, len(text) + 1)
                text = text[:at] + chance.choice(pieces) + text[at + chance.randrange(3) :]
            found, wanted = outcomes(scheme, text)
            assert found == wanted
    assert issubclass(type(parse_url("http://h.d/")), URL)


def test_without_docstrings_a_public_function_has_none():
    """`python -OO` removes them."""
    program = "import uriparse; print([f.__doc__ for f in (uriparse.parse, uriparse.is_valid)])"
    done = run_python(program, flags=("-OO", "-W", "error"))
    assert done.stdout in {"[None, None]\n", "['', '']\n"}


@pytest.mark.not_by_lark("of the kernel itself")
def test_the_kernel_can_be_disabled():
    code = "import uriparse; uriparse.parse('a'); print(uriparse.implementation, uriparse.parse)"
    own = ["native", "<built-in"] if kernel else ["python", "<function"]
    for pure, wanted in (
        ("1", ["python", "<function"]),
        (os.environ.get("URIPARSE_PURE", "0"), own),
    ):
        assert run_python(code, more={"URIPARSE_PURE": pure}).stdout.split()[:2] == wanted


def test_tables_are_of_the_format_that_is_read():
    assert {tagged(grammar).FORMAT for grammar in TAGGED} == {FORMAT}
    assert kernel is None or kernel.FORMAT == FORMAT
