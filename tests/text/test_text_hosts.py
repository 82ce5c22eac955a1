"""No find names another host than its text does, as browsers and IDNA read it.

The judges are others' programs: ada (the parser of Node.js), and the package `idna`. Browsers allow
any punctuation in a host, `”`, `）` and `，` too: IDNA says what of that belongs to one.
"""

import unicodedata
from itertools import product

import pytest
from cases import each_case, vectors
from hypothesis import given
from hypothesis import strategies as st

from uriparse.text import Flag, find_uris

ada_url = pytest.importorskip("ada_url")
idna = pytest.importorskip("idna")

HOST = "h.example"
BASIC = [chr(code) for code in range(0x80, 0x10000) if not 0xD800 <= code < 0xE000]
FURTHER = [chr(code) for code in (*range(0x10000, 0x20000), *range(0xE0000, 0xE0200))]
FORMS = ["http://{}/\n", "http://u@{}\n", "mailto:u@{}\n", "blob:http://{}/\n"]
INNER = ["http://h.d/?u=http://{}/\n", "http://h.d/https://{}\n", "http://h.d/#a=//u@{}?\n"]
RESTS = ["", "x", "x.test", ".x", "例", "א", " x", "\u00ad", "。x"]
WAYS = [*product(FORMS + INNER, RESTS)]
PARTS = "http:// https:// mailto: a@ h.d www. x . .. : :80 / ? ( ) ' - , ß İ é 例 😀 。"
INVISIBLE = ["\u200d", "\u00ad", "\ufe0f", "\u0301", "\ufeff", " ", "\u3000"]
WORDS = st.lists(
    st.sampled_from([*PARTS.split(" "), *"．，：８）“”’—…א<>", *INVISIBLE]), max_size=12
)
EXAMPLES = [(row["id"], row["uri"]) for row in vectors("text_hosts")]


def browsers_host(word):
    """The host that browsers read in a word; None if they refuse it."""
    try:
        return ada_url.URL(word).hostname.rstrip(".")
    except ValueError:
        return None


def idna_host(name):
    try:
        return idna.encode(name, uts46=True, std3_rules=True).decode().rstrip(".")
    except UnicodeError:
        return None


def is_punctuation(character):
    return unicodedata.category(character)[0] == "P"


def judge(characters, form, rest):
    """Search a line for each character after a host, with a rest of it after that."""
    text = "".join(form.format(f"{HOST}{one}{rest}") for one in characters)
    flagged = set()
    for find in find_uris(text):
        if form in INNER and Flag.CUT in find.flags:
            flagged.add(characters[find.line - 1])
            continue
        name = f"{HOST}{characters[find.line - 1]}{rest}".partition(" ")[0]
        read = (
            idna_host(name) if is_punctuation(name[len(HOST)]) else browsers_host(f"http://{name}")
        )
        assert read in {None, HOST}, (find, name)
    assert flagged.isdisjoint("，）「")
    assert bool(flagged) == (form in INNER)


@each_case("form, rest", [(FORMS[0], "x.test"), (INNER[0], "。x")])
def test_no_character_that_belongs_to_its_host_follows_a_find(form, rest):
    judge(BASIC[::8], form, rest)


@pytest.mark.slow
@pytest.mark.parametrize("step", [len(WAYS), pytest.param(1, marks=pytest.mark.long)])
def test_no_character_of_any_plane_follows(step):
    """Each character in one way after a host, and with the longer test in all ways."""
    for number, (form, rest) in enumerate(WAYS):
        judge((BASIC + FURTHER)[number % step :: step], form, rest)


@given(WORDS.map("".join))
def test_hosts_are_those_that_browsers_read(text):
    text = f"http://{text}"
    for find in find_uris(text, schemes=("http", "https")):
        left = text[find.span[1] :].split()
        rest = left[0] if left and text.startswith(left[0], find.span[1]) else ""
        tail = find.uri.path or find.uri.query or find.uri.fragment
        if rest and not tail and not rest[0].isascii() and not is_punctuation(rest[0]):
            assert browsers_host(find.written + rest) in {None, browsers_host(find.written)}


@each_case("text, uri", EXAMPLES)
def test_examples(text, uri):
    for given_text in (text, list(text)):
        found = [str(find.uri) for find in find_uris(given_text, suffixes=True)]
        assert found == ([] if uri is None else [uri])
    for find in find_uris(text, grammar="rfc3987"):
        assert str(find.uri) == uri or not find.written.isascii()
