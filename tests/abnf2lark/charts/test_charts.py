"""Charts: what any grammar matches, how far a text goes, and by which rules it is derived."""

import re
from contextlib import suppress
from itertools import product

import pytest
from brute.judge import ours
from brute.words import all_words, rule_words
from cases import each_case, tables
from hypothesis import given
from hypothesis import strategies as st

from abnf2lark._native import native
from abnf2lark.charts import LimitError, States, chart, network, read
from abnf2lark.charts.engine import Engine, Room
from abnf2lark.charts.tables import RefusalError, Tables

TABLES = tables(__file__)

LIMIT = 4
LETTERS = "ab"

# Rules of all kinds of recursion: left, right, in the middle, hidden, mutual, without end, cyclic.
GRAMMARS = TABLES["grammars"]


@each_case("name", GRAMMARS)
def test_verdicts_and_offsets_are_those_of_the_words(name):
    grammar = ours(GRAMMARS[name])
    longer = rule_words(grammar.rules, LETTERS, 2 * LIMIT + 1)
    states = States(grammar)
    begins = {word[:end] for word in longer["s"] for end in range(len(word) + 1)}
    for text in all_words(LETTERS, LIMIT):
        for kept in (None, states.names):
            found = read(states, "s", text, kept=kept)
            assert found.matches == (text in longer["s"]), text
            stop = max(end for end in range(len(text) + 1) if text[:end] in begins or not end)
            assert found.offset == stop, text
            assert found.may_end == (text[:stop] in longer["s"])


def derived(states, rule, text):
    """Give for each rule the parts of the text that it derives."""
    found = read(states, rule, text, kept=states.names).derivation
    numbers, begins, ends = (found.nodes[at::4] for at in range(3))
    parts = [text[begin:end] for begin, end in zip(begins, ends, strict=True)]
    return [*zip([found.names[one] for one in numbers], parts, strict=True)]


def test_halves_of_utf_16_are_in_no_text():
    states = States(ours("s = *%x00-10FFFF"))
    assert read(states, "s", "a\ud83d\ude00").offset == 1
    assert read(states, "s", "a\U0001f600").matches


def enough(monkeypatch, states, text, name, kept):
    """Return whether a text can be read with so much room."""

    def fits(room):
        monkeypatch.setattr(chart, name, room)
        try:
            return read(states, "s", text, kept=kept).matches
        except LimitError:
            return False

    return fits


def least(fits):
    """Return the least number that fits."""
    low, high = 0, 1
    while not fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


@pytest.mark.parametrize(("abnf", "text"), TABLES["items_work_and_steps_grow_with_the_text"])
@pytest.mark.parametrize("name", ["MAX_ITEMS", "MAX_WORK", "MAX_STEPS"])
def test_items_work_and_steps_grow_with_the_text(monkeypatch, abnf, text, name):
    more = "!" if "!" in abnf else ""
    monkeypatch.setattr(chart, "A_CHARACTER", Room(0, 0, 0))
    states = States(ours(abnf))
    kept = None if name == "MAX_ITEMS" else states.names
    short, long = (
        least(enough(monkeypatch, states, text * n + more, name, kept)) for n in (20, 160)
    )
    assert long <= 8.5 * short + 100


def test_what_is_too_large_is_refused_with_a_word_on_why(monkeypatch):
    monkeypatch.setattr(chart, "MAX_WORK", 1_000_000)
    cubic = States(ours('s = a / b\na = *"x" "x"\nb = "x" *"x" [ s ]'))
    with pytest.raises(
        LimitError,
        match=r"^s can be read in too many ways: the first 105 characters take more than 3,000,000 "
        r"steps; give a shorter text, or make the grammar unambiguous$",
    ):
        read(cubic, "s", "x" * 1_000)
    monkeypatch.setattr(chart, "MAX_ITEMS", 2_000)
    monkeypatch.setattr(chart, "A_CHARACTER", Room(items=1, work=0, steps=1))
    states = States(ours('s = s s / "a" / s s s'))
    with pytest.raises(
        LimitError,
        match=r"^s can be read in too many ways: the first [0-9]+ characters take more than "
        r"2,200 items; give a shorter text, or make the grammar unambiguous$",
    ):
        read(states, "s", "a" * 200)
    monkeypatch.setattr(network, "MAX_POSITIONS", 1_000)
    with pytest.raises(
        LimitError,
        match=r"^t has more places for characters than can be kept in mind, 1,000: what makes it "
        r'large is 9999\( "a" / "b" s \) in t \(test.abnf:2\); write smaller numbers, or \*',
    ):
        read(States(ours('s = "x" [ t ]\nt = 9999( "a" / "b" s )')), "s", "xab")
    monkeypatch.setattr(chart, "MAX_STEPS", 10)
    empty = "".join(f"r{n} = r{n + 1} r{n + 1} [ s ]\n" for n in range(20))
    states = States(ours(f's = "a" r0\n{empty}r20 = [ s ]\n'))
    with pytest.raises(LimitError, match="too many steps to find how s derives the text"):
        read(states, "s", "a", kept=states.names)


def test_states_are_forgotten_when_they_are_many(monkeypatch):
    monkeypatch.setattr("abnf2lark.charts.network.MAX_KEPT", 100)
    engines = set()
    states = States(ours('s = *( "a" / "b" ) "a" 6( "a" / "b" )'))
    rule = re.compile("[ab]*a[ab]{6}")
    for text in ("abbabaabbabb", "b" * 10, "aaaaaaa"):
        assert read(states, "s", text).matches == bool(rule.fullmatch(text))
        engines.add(states.reader.engine)
    assert len(states._known) < 100
    assert len(engines) > 1


def readings(abnf, texts):
    """Give what each engine finds in each text; twice, the second time with what it knows."""
    for made in filter(None, (Engine, native)):
        states = States(ours(abnf))
        tables = Tables(states)
        engine = made(tables, tuple(states.cuts), RefusalError)
        kept = bytes([1] * len(states.grammar.rules))
        found = [engine.read(0, text, kept, Room(10**6, 10**6, 10**6)) for text in [*texts, *texts]]
        yield [(*one[:3], [(tables.state(a).items, b) for a, b in one[3]], one[4]) for one in found]


@each_case("name", GRAMMARS)
def test_engines_find_the_same(name):
    first, *others = readings(GRAMMARS[name], [*all_words(LETTERS, LIMIT + 1), "aéa", "\ud800"])
    assert others == [first] * len(others)


def test_engines_find_the_same_where_many_wait_at_one_place():
    rules = 220
    chain = "".join(f'r{one} = r{one + 1} / "b" r{one + 1}\n' for one in range(rules))
    first, *others = readings(
        f'{chain}r{rules} = "a" [ "c" r{rules} ]', ["a", "bba", "bac", "baca"]
    )
    assert others == [first] * len(others)
    assert [one[0] for one in first[:4]] == [True, True, False, True]


@pytest.mark.skipif(native is None, reason="there is no C engine")
def test_a_false_number_is_an_error_and_harms_nothing():
    states = States(ours('s = t "b"\nt = "a" t / "" / s'))

    class Bent(Tables):
        left = bent = 0

        def ask(self, *question):
            self.left -= 1
            return self.bent if self.left == 0 else super().ask(*question)

    for bent, left in product((0, 1, 2, 3, 5, 1_000, 2**29, 2**31, 2**40, -1), range(1, 40)):
        tables = Bent(states)
        tables.bent, tables.left = bent, left
        engine = native(tables, tuple(states.cuts), RefusalError)
        with suppress(AssertionError, LookupError, OverflowError, RefusalError, SystemError):
            engine.read(0, "aaab", bytes(2), Room(1_000, 1_000, 1_000))


ELEMENTS = st.recursive(
    st.sampled_from(['"a"', '"b"', '"ab"', "s", "t", '""']),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda items: f"( {' '.join(items)} )"),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: f"( {' / '.join(items)} )"),
        inner.map(lambda item: f"[ {item} ]"),
        inner.map(lambda item: f"*( {item} )"),
        inner.map(lambda item: f"1*2( {item} )"),
    ),
    max_leaves=6,
)


@given(ELEMENTS, ELEMENTS)
def test_any_grammar_matches_its_words_and_derives_them(first, second):
    abnf = f"s = {first}\nt = {second}\n"
    pure, *others = readings(abnf, all_words(LETTERS, LIMIT))
    assert others == [pure] * len(others)
    grammar = ours(abnf)
    known = rule_words(grammar.rules, LETTERS, LIMIT)
    states = States(grammar)
    for text in all_words(LETTERS, LIMIT):
        assert read(states, "s", text).matches == (text in known["s"]), text
        if text in known["s"]:
            parts = derived(states, "s", text)
            assert all(part in known[rule] for rule, part in parts)
