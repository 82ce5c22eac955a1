"""The functions of the kernel that Polars calls, as they are called: without Python's lock, with
arrays that become theirs, and with arguments that anyone may have written.
"""

import pickle
import random
from pathlib import Path
from threading import Thread

import pytest
from cases import each_case
from columns.cases import BROKEN, COLUMNS, order, parts
from columns.handmade import KEYS, Handmade, column
from columns.polars_host import LIBRARY, Refused, arguments, called, called_for_type, tried, version
from columns.test_arrow import LAYOUTS, RULES, TEXTS, columns, spelled, stopped
from hypothesis import given
from hypothesis import strategies as st

import uriparse

pytestmark = pytest.mark.skipif(LIBRARY is None, reason="there is no C kernel here")
ALL = [
    *(("is_valid", ()), ("stop", ()), ("split", COLUMNS)),
    *(("component", (name,)) for name in COLUMNS),
]
ORDER = order("URI", "rfc3986")


def judged(function, rule, grammar, columns=()):
    """A function with its arguments."""
    return function, arguments(order(rule, grammar, columns))


def wanted(function, columns, text, rule, grammar):
    """What a function is to make of a text."""
    if text is None:
        return None
    if function == "is_valid":
        return uriparse.is_valid(text, rule, grammar=grammar)
    if function == "stop":
        return stopped(text, rule, grammar)
    found = parts(text, rule, grammar)
    return found if function == "split" or found is None else found[columns[0]]


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("rule", "grammar"), RULES[:3])
@given(chunks=st.lists(columns, max_size=3), skip=st.integers(0, 3))
def test_functions_say_what_single_texts_say(layout, rule, grammar, chunks, skip):
    for function, names in ALL:
        own = [column(spelled(rows), layout, skipped=skip) for rows in chunks]
        asked = judged(function, rule, grammar, names)
        found = called(*asked, *own, like=column([], layout))
        rows = [[wanted(function, names, t, rule, grammar) for t in rows] for rows in chunks]
        assert found[2] == (rows or [[]])


def test_types_are_told_before_and_kept():
    texts = {"b": "is_valid", "l": "stop", "vu": "component", "+s": "split"}
    for layout, function in texts.items():
        names = {"component": ("path",), "split": COLUMNS}.get(function, ())
        asked = judged(function, "URI-reference", "rfc3986", names)
        own = column([b"a:"], "vu")
        name, kind, _ = called(*asked, own)
        assert (name, kind) == called_for_type(*asked, own.schema)
        children = [(name, ("vu", [])) for name in COLUMNS] if function == "split" else []
        assert (name, kind) == ("url", (layout, children))


def test_null_is_a_type_of_texts_too():
    own = Handmade("n", 3, [])
    assert called(*judged("is_valid", "URI", "rfc3986"), own)[2] == [[None] * 3]
    parted = judged("split", "URI-reference", "rfc3986", COLUMNS)
    assert called(*parted, Handmade("n", 3, []))[2] == [[None] * 3]


def test_long_columns_take_several_blocks():
    texts = [f"http://example.com/{'a' * (n % 50)}?{n}" for n in range(5000)]
    asked = judged("split", "URI-reference", "rfc3986", COLUMNS)
    [found] = called(*asked, column(spelled([*texts, "a:" + "b" * 100_000]), "vu"))[2]
    assert [row["path"] for row in found[:-1]] == [text.split("?")[0][18:] for text in texts]
    assert found[-1]["path"] == "b" * 100_000


@each_case("said", BROKEN)
@each_case("function", ["is_valid", "split"])
def test_columns_that_contradict_themselves_are_refused(said, function):
    broken = BROKEN[said]
    place = broken.array.release
    asked = judged(function, "URI-reference", "rfc3986", COLUMNS if function == "split" else ())
    with pytest.raises(Refused, match=r"^column: .*[a-z]$"):
        called(*asked, broken)
    broken.array.release = place


def test_a_type_that_has_been_released_is_refused():
    released = Handmade("u", 1, [None, bytes(8), b""])
    released.schema.release = None
    for own in (released, Handmade("c", 1, [None, b"\0"], dictionary=released)):
        with pytest.raises(Refused, match=r"it has been released$|not Int8$"):
            called(*judged("is_valid", "URI", "rfc3986"), own)


NAMES = {
    "": "", "b": "Boolean", "c": "Int8", "C": "UInt8", "s": "Int16", "S": "UInt16", "i": "Int32",
    "I": "UInt32", "l": "Int64", "L": "UInt64", "e": "Float16", "f": "Float32", "g": "Float64",
    "d:38,0": "Decimal", "tdD": "Date", "ttn": "Time", "tsu:": "Datetime", "tDu": "Duration",
    "+l": "List", "+L": "List", "+w:2": "Array", "+s": "Struct", "w:8": "Object",
    "_pli128": "Int128", "_plu128": "UInt128", "vx": "vx",
}  # fmt: skip
"""What Polars calls types that Arrow writes so; a type that it has not is written as Arrow does."""


@each_case("layout", NAMES)
def test_what_holds_no_texts_is_called_by_its_name(layout):
    asked = judged("is_valid", "URI", "rfc3986")
    said = rf"^column holds texts \(String, .*\), not {NAMES[layout]}$"
    with pytest.raises(Refused, match=said):
        called_for_type(*asked, Handmade(layout, 0).schema)
    with pytest.raises(Refused, match=said):
        called(*asked, Handmade(layout, 0))


def test_a_dictionary_is_one_of_texts():
    asked = judged("is_valid", "URI", "rfc3986")
    numbers = Handmade("l", 0)
    for layout in (*KEYS, "u"):
        with pytest.raises(Refused, match="column holds texts"):
            called(*asked, Handmade(layout, 0, dictionary=numbers))
    with pytest.raises(Refused, match="column holds texts"):
        called(*asked, Handmade("f", 0, dictionary=column([])))


def test_a_function_takes_one_column():
    asked = judged("is_valid", "URI", "rfc3986")
    for count in (0, 2):
        with pytest.raises(Refused, match=f"^{count} columns are given to a function of one$"):
            called(*asked, column([b"a:"]), count=count)
        with pytest.raises(Refused, match=f"^{count} columns are given to a function of one$"):
            called_for_type(*asked, column([]).schema, count=count)


FOREIGN = {
    "nothing": b"", "no pickle": b"order",
    "another name": pickle.dumps({"orders": ORDER}, protocol=5),
    "text": pickle.dumps({"order": "a"}, protocol=5),
    "two entries": pickle.dumps({"order": ORDER, "more": 1}, protocol=5),
    "an old protocol": pickle.dumps({"order": ORDER}, protocol=2),
    "something behind": pickle.dumps({"order": ORDER}, protocol=5) + b".",
}  # fmt: skip


@each_case("which", FOREIGN)
def test_arguments_of_others_are_refused(which):
    for function in ("is_valid", "component", "split"):
        said = "^the arguments are not those that uriparse.extra.polars passes$"
        with pytest.raises(Refused, match=said):
            called(function, FOREIGN[which], column([b"a:"]))
        with pytest.raises(Refused, match=said):
            called_for_type(function, FOREIGN[which], column([]).schema)


def test_arguments_are_held_to_the_function():
    for function, names in [("is_valid", ("path",)), ("component", ()), ("component", COLUMNS)]:
        asked = judged(function, "URI", "rfc3986", names)
        with pytest.raises(Refused, match=r"^the arguments are those of another function$"):
            called(*asked, column([b"a:"]))
    newer = order("URI", "rfc3986")
    newer = newer[:4] + b"\xff" + newer[5:]
    with pytest.raises(Refused, match=r"^the arguments are those of another version of uriparse$"):
        called("is_valid", arguments(newer), column([b"a:"]))


def test_large_arguments_are_read_as_small_ones_are():
    """Pickle writes octets of up to 255, up to 64 KiB, and more in three ways."""
    asked = order("URI", "rfc3986")
    for size in (10, 255, 256, 65_535, 65_536, 200_000):
        with pytest.raises(Refused, match=r"^the arguments are damaged: "):
            called("is_valid", arguments((asked + bytes(size))[:size]), column([b"a:"]))


def outcome(function, given, texts):
    try:
        return called(function, given, column(texts))[2]
    except Refused as error:
        return str(error)


@pytest.mark.slow
def test_damaged_arguments_are_refused_or_read():
    """Whatever octets are there: no more is read than there is, and each failure says why."""
    chance = random.Random(0)
    texts = spelled(TEXTS)
    seen = set()
    for function, names in ALL[:4]:
        whole = arguments(order("URI-reference", "rfc3986", names))
        head = whole.index(b"TAGS")
        for size in [*range(head + 40), len(whole) - 1]:
            assert isinstance(outcome(function, whole[:size], texts), str)
        places = [*range(head + 16), *chance.choices(range(head + 16, len(whole)), k=50)]
        for place in places:
            for octet in {0, 0xFF, whole[place] ^ 1, whole[place] + 8 & 0xFF} - {whole[place]}:
                found = outcome(
                    function, whole[:place] + bytes([octet]) + whole[place + 1 :], texts
                )
                assert found
                seen.add(found if isinstance(found, str) else "read")
    said = "the arguments are damaged"
    assert {"read", said, f"{said}: the tables do not have the requested component"} <= seen


SPARE = 8 << 20
"""Octets that Python itself may still take."""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
def test_where_memory_runs_out_nothing_is_kept_and_it_is_told():
    import resource

    rows = 1_000_000
    limits = resource.getrlimit(resource.RLIMIT_AS)
    seen = set()
    for function, names in [ALL[0], ALL[2]]:
        given = arguments(order("URI-reference", "rfc3986", names))
        for more in (0, 5, 10, 20, 40, 80, 120, 160, 400):
            texts = column([b"//example.com/" + b"a" * 80])
            keys = Handmade("c", rows, [None, bytes(rows)], dictionary=texts)
            used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * 4096
            resource.setrlimit(resource.RLIMIT_AS, (used + SPARE + (more << 20), limits[1]))
            try:
                said = refused(function, given, keys)
            finally:
                resource.setrlimit(resource.RLIMIT_AS, limits)
            seen.add((function, said))
    told = "out of memory"
    assert {("is_valid", None), ("split", None), ("split", told)} == seen


def refused(function, given, texts):
    """Why nothing is made of texts; None where something is, which is not looked at."""
    try:
        tried(function, given, texts)
    except Refused as error:
        return str(error)
    return None


def test_each_thread_has_its_own_outcome():
    right, wrong = order("URI", "rfc3986"), b"?"
    found = {}

    def run(number):
        own = right if number % 2 else wrong
        made = [outcome("is_valid", arguments(own), [b"a:"] * 50) for _ in range(50)]
        found[number] = {str(one) for one in made}

    threads = [Thread(target=run, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    said = "the arguments are those of another version of uriparse"
    assert found == {n: {str([[True] * 50]) if n % 2 else said} for n in range(6)}


def test_the_version_is_one_that_hands_arguments_on():
    assert version() == (0, 1)
