"""Columns are normalized and resolved as single texts are; what stays as it is, is proved to."""

import random
from functools import partial
from importlib.util import find_spec

import pytest
from cases import each_case, sentence
from columns.cases import parts
from columns.handmade import column, listed
from hypothesis import given
from hypothesis import strategies as st
from native.kernels import LEAVES, covering

import uriparse
from uriparse import ResolutionError, URISyntaxError, arrow, keys, parse, try_parse
from uriparse._native import kernel
from uriparse.records.references import REFERENCE_RULES

pytestmark = [
    pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning"),
    pytest.mark.skipif(kernel is None and find_spec("pyarrow") is None,
                       reason="columns are exported by the kernel or by pyarrow"),
]  # fmt: skip

JUDGED = [one for one in LEAVES if one[1] == "normal"]
assert JUDGED
SHORT = """
    a: HTTP: http: https:// file:///x file://localhost/ mailto:a@B // u@ EXAMPLE example.com :80 :
    :443 :080 / /. /.. /./ /../ . .. ... %2e %2E./ a b c %7e %7E %2f %2F %41 %61 %c3%a9 %C3%A9 %00
    %e2%80%8e ? # ?q=%7e #F é É 例え \ue000 [::1] [v1.A] [::ffff:1.2.3.4] 1.2.3.4 @
"""
PIECES = SHORT.split()
texts = st.lists(st.sampled_from([*PIECES, " "]), max_size=7).map("".join)
PAIRS = "?a & = token utm_x ; # @ %61 %3D ' b tel:1 - é"
pairs = st.lists(st.sampled_from(PAIRS.split()), max_size=9).map("".join)
columns = st.lists(st.none() | texts, max_size=8)
BASES = ["http://a/b/c/d;p?q", "a:b", "a://h", "file:///a/./b", "a:/b/../c?q#f"]
PLAIN = [
    "https://www.example.com/a/b.html?q=%20&r#s", "http://h/", "http://u:p@h/.a/..b/...?%2F",
    "../a/./b", "//h/a", "#s", "",
]  # fmt: skip


def spelled(rows):
    return [None if text is None else text.encode() for text in rows]


def rewritten(text, grammar, rewrite):
    record = None if text is None else try_parse(text, REFERENCE_RULES[grammar], grammar=grammar)
    return None if record is None else str(rewrite(record))


@given(rows=st.lists(st.none() | texts | st.sampled_from(PLAIN), max_size=8))
def test_browsers_read_rows_as_they_read_texts(rows):
    found = listed(arrow.whatwg(column(spelled(rows))))
    assert found == [read_by_browsers(text) for text in rows]


def read_by_browsers(text):
    if text is None or not uriparse.whatwg.can_parse(text):
        return None
    return uriparse.whatwg.parse(text).href


def test_octets_that_are_no_text_are_replaced_as_by_browsers():
    assert listed(arrow.whatwg(column([b"http://h/\xff"]))) == ["http://h/%EF%BF%BD"]


@pytest.mark.slow
@pytest.mark.parametrize("grammar", REFERENCE_RULES)
@pytest.mark.parametrize("level", ["syntax", "scheme"])
@pytest.mark.parametrize("layout", ["u", "vu", "s"])
@given(rows=columns)
def test_rows_are_normalized_as_single_texts_are(grammar, level, layout, rows):
    wanted = [rewritten(t, grammar, lambda r: uriparse.normalize(r, level)) for t in rows]
    own = column(spelled(rows), layout, skipped=2)
    assert listed(arrow.normalize(own, level, grammar=grammar)) == wanted


@pytest.mark.parametrize("strict", [True, False])
@given(rows=columns, base=st.sampled_from(BASES))
def test_rows_are_resolved_as_single_texts_are(strict, rows, base):
    for grammar, own in (("rfc3986", base), ("rfc3987", parse(base, "IRI", grammar="rfc3987"))):
        wanted = [
            rewritten(t, grammar, lambda r, own=own: uriparse.resolve(own, r, strict=strict))
            for t in rows
        ]
        assert listed(arrow.resolve(own, column(spelled(rows)), strict=strict)) == wanted


@each_case("seed", range(9))
def test_rows_are_resolved_against_their_own_bases(seed, monkeypatch):
    rng = random.Random(seed)
    bases, rows = rng.choices([*BASES, *PIECES, None], k=99), rng.choices([*PLAIN, "é", None], k=99)
    own = column(spelled(rows), rng.choice(["u", "vu", "U"]))
    for grammar, rule in (("rfc3987", "IRI"), ("rfc3986", "URI")):
        found = [None if one is None else try_parse(one, rule, grammar=grammar) for one in bases]
        wanted = [base and rewritten(row, grammar, partial(uriparse.resolve, base, strict=seed > 4))
                  for base, row in zip(found, rows, strict=True)]  # fmt: skip
        with monkeypatch.context() as patch:
            if kernel is not None and grammar == "rfc3986":
                patch.setattr("uriparse.arrow.distinct._paired", None)  # for rows by themselves
            made = arrow.resolve(column(spelled(bases)), own, strict=seed > 4, grammar=grammar)
        assert listed(made) == wanted


SYNTAX = partial(uriparse.normalize, level="syntax")
STAYS = {
    "normal-reference": [SYNTAX],
    "default-reference": [uriparse.normalize],
    "normal-IRI": [SYNTAX,
                   *(lambda record, base=base: uriparse.resolve(base, record) for base in BASES)],
}  # fmt: skip


@pytest.mark.parametrize("layout", ["u", "vu", "s"])
@given(rows=st.lists(st.none() | texts | pairs, max_size=8))
def test_rows_are_changed_as_single_texts_are(layout, rows):
    own = column(spelled(rows), layout)
    for made, change in [
        (arrow.strip_query, keys.drop_tracking().apply), (arrow.redact, uriparse.redact),
        (partial(arrow.strip_query, names=["a"]), keys.drop_query(["a"]).apply),
    ]:  # fmt: skip
        assert listed(made(own)) == [rewritten(text, "rfc3986", change) for text in rows]
    other, valid = (
        column(spelled(rows[::-1]), "u"),
        [try_parse(" " if text is None else text) for text in rows],
    )
    both = zip(valid, valid[::-1], strict=True)
    wanted = [None if None in pair else uriparse.equivalent(*pair) for pair in both]
    assert listed(arrow.equivalent(own, other)) == wanted


@each_case(("rule", "grammar"), JUDGED)
def test_what_is_said_to_stay_stays(rule, grammar):
    """Through every edge of the automaton that says so."""
    count = 0
    for text in covering(rule, grammar):
        for reader, widest in REFERENCE_RULES.items():
            if reader == "rfc3987" or text.isascii():
                record = parse(text, widest, grammar=reader)
                assert [str(rewrite(record)) for rewrite in STAYS[rule]] == [text] * len(
                    STAYS[rule]
                )
                count += 1
    assert count > 200


def test_rows_of_iris_that_stay_are_not_looked_at(monkeypatch):
    def never(*_, **__):
        raise AssertionError

    with monkeypatch.context() as patch:
        patch.setattr(arrow.judging, "try_parse", never)
        for level in ("syntax", "scheme"):
            own = column(spelled([*PLAIN, None]))
            assert listed(arrow.normalize(own, level, grammar="rfc3987")) == [*PLAIN, None]
        base = parse("a:b", "IRI", grammar="rfc3987")
        assert listed(arrow.resolve(base, column(spelled(PLAIN[:3])))) == PLAIN[:3]
    looked = []
    monkeypatch.setattr(arrow.judging, "try_parse", lambda text, *_, **__: looked.append(text))
    arrow.normalize(
        column(spelled(["http://h/%7e", "http://h/", " ", None, "http://H/", "http://h:80/"])),
        "syntax",
        grammar="rfc3987",
    )
    assert looked == ["http://h/%7e", " ", "http://H/"]


def test_what_is_asked_for_has_to_be_there():
    own = column([b"a:"])
    with pytest.raises(ValueError, match=r'^level must be "syntax" or "scheme", not "none"$'):
        arrow.normalize(own, "none")
    with pytest.raises(
        ValueError, match=r'^grammar must be "rfc3986" or "rfc3987", not "rfc1738"$'
    ):
        arrow.normalize(own, grammar="rfc1738")
    with pytest.raises(ResolutionError, match="the base <RelativeRef 'x'> is a relative reference"):
        arrow.resolve("x", own)
    with pytest.raises(URISyntaxError, match=sentence("space")):
        arrow.resolve("a: b", own)
    with pytest.raises(TypeError, match="base must be a str, ASCII bytes or a URI record, not N"):
        arrow.resolve(None, own)
    with pytest.raises(TypeError, match="column must be an Arrow array"):
        arrow.resolve("a:", ["a"])


@pytest.mark.oracle
@each_case("grammar", REFERENCE_RULES)
def test_many_corruptions_are_read_as_single_texts_are(grammar):
    """Texts through every edge of the automata, with some pieces exchanged."""
    chance, rule = random.Random(17), REFERENCE_RULES[grammar]
    words = [*covering(rule, grammar)]
    words += [word for one in JUDGED for word in covering(*one)]
    for _ in range(100):
        rows = []
        for _ in range(1500):
            text = chance.choice(words)
            for _ in range(chance.choice((0, 1, 1, 2, 3))):
                at = chance.randrange(len(text) + 1)
                piece = chance.choice((*PIECES, " ", ""))
                text = text[:at] + piece + text[at + chance.randrange(3) :]
            rows.append(text)
        own = column(spelled(rows), chance.choice(("u", "U", "vu")))
        records = [try_parse(text, rule, grammar=grammar) for text in rows]
        assert listed(arrow.is_valid(own, rule, grammar=grammar)) == [
            r is not None for r in records
        ]
        assert listed(arrow.split(own, rule, grammar=grammar)) == [
            parts(t, rule, grammar) for t in rows
        ]
        for level in ("syntax", "scheme"):
            wanted = [r if r is None else str(uriparse.normalize(r, level)) for r in records]
            assert listed(arrow.normalize(own, level, grammar=grammar)) == wanted
        base = parse("http://a/b/c?q", rule, grammar=grammar)
        wanted = [r if r is None else str(uriparse.resolve(base, r)) for r in records]
        assert listed(arrow.resolve(base, own)) == wanted
