"""Tables of arbitrary automata: the kernel and the compiler read them alike."""

import struct

import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st
from native.kernels import rows_of, stop_of

from abnf2lark.tagged.format import FORMAT, NONE, NOWHERE, read
from uriparse._native import kernel

pytestmark = pytest.mark.skipif(kernel is None, reason="there is no C kernel here")

OCTETS = b"abc\x7f\xe9"
NAMES = tuple(b"name %d" % number for number in range(3))
IDLE = (0, 0, 0, ())
pieces = st.tuples(st.sampled_from(OCTETS), st.sampled_from([1, 1, 2, 35]))
texts = st.lists(pieces, max_size=6).map(lambda given: b"".join(bytes([o]) * n for o, n in given))
NUMBERS = "a number of them is out of range"


def written(
    *, labels=(0,), acts=(IDLE,), ends=(0,), targets=(0,), cells=(0,), places=2, constants=1, **head
):
    """Write tables, valid or not; `head` holds numbers that contradict the content."""
    classes = bytearray([NONE]) * 256
    for octet, label in zip(OCTETS, labels, strict=False):
        classes[octet] = label
    width = len(targets) // (len(ends) or 1)
    own = {"states": len(ends), "classes": width, "acts": len(acts), "places": places}
    numbers = {"format": FORMAT, **own, "constants": constants, **head}
    made = struct.pack("<4s6H", b"TAGS", *numbers.values()) + bytes(classes)
    for back, noted, cleared, values in acts:
        made += struct.pack("<BII", back, noted, cleared) + bytes(values).ljust(constants, b"\0")
    return made + bytes(ends) + struct.pack(f"<{len(targets)}H", *targets) + bytes(cells)


def several(count, each):
    return st.lists(each, min_size=count, max_size=count)


@st.composite
def tables(draw):
    states, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    places, constants = 2 * draw(st.integers(0, 3)), draw(st.integers(1, 2))
    some = st.integers(0, (1 << places) - 1)
    values = several(constants, st.sampled_from([0, 0, NONE, 1, 2, 3]))
    act = st.tuples(st.sampled_from([0, 0, 1, 3]), some, some, values)
    acts = (IDLE, *draw(st.lists(act, max_size=4)))
    target = st.sampled_from([*range(states), *range(states), NOWHERE])
    cells = states * width
    return written(
        labels=draw(several(len(OCTETS), st.integers(0, width - 1))), acts=acts,
        ends=draw(several(states, st.sampled_from([NONE, 0, len(acts) - 1]))),
        targets=draw(several(cells, target)),
        cells=draw(several(cells, st.sampled_from([0, *range(len(acts))]))), places=places,
        constants=constants,
    )  # fmt: skip


def asked(rule, text, wanted):
    """What the kernel tells of one text, None for null."""
    try:
        _, (nulls, _, _, octets) = rule.split(rows_of([text]), (wanted,), 4)
    except SystemError:
        return "what no text can have"
    return None if nulls else bytes(octets)


def field(text, begin, end):
    """What a field is that lies between two places."""
    begin, end = (-1 if place is None else place for place in (begin, end))
    if end < 0:
        return None
    return text[begin:end] if 0 <= begin <= end <= len(text) else "what no text can have"


@given(data=tables(), text=texts, start=st.integers(0, 3))
def test_the_kernel_tells_what_the_compiler_reads(data, text, start):
    reference = read(data)
    start %= len(reference.ends)
    rule = kernel.Rule(kernel.Tables(data), start, len)
    told = reference.run(start, text)
    assert bytes(rule.verdicts(rows_of([text]))[2]) == bytes([not isinstance(told, int)])
    for number in range(reference.places // 2):
        found = asked(rule, text, ((number,),))
        expected = None if isinstance(told, int) else field(text, *told.places[2 * number :][:2])
        assert found == expected
    for number in range(reference.constants):
        value = 0 if isinstance(told, int) else told.values[number]
        assert asked(rule, text, (number, NAMES)) == (NAMES[value - 1] if value else None)


ESCAPES = written(  # [ab]* with escapes: "c" and two of "a"
    labels=(0, 1, 2),
    ends=(0, NONE, NONE),
    targets=(0, 0, 1, 2, NOWHERE, NOWHERE, 0, NOWHERE, NOWHERE),
    cells=[0] * 9,
)


@each_case("escape", [b"caa", b"caab", b"cab", b"ca", b"cca", b"c", b"caacaa", b"\xe9", b"caaca"])
@pytest.mark.parametrize("size", [31, 32, 33, 64, 70])
def test_escapes_among_octets_that_loop_are_told_alike_wherever_they_stand(escape, size):
    reference, rule = read(ESCAPES), kernel.Rule(kernel.Tables(ESCAPES), 0, len)
    for at in range(size - len(escape) + 1):
        text = b"b" * at + escape + b"a" * (size - len(escape) - at)
        told = reference.run(0, text)
        assert stop_of(rule, text.decode("latin-1")) == (told if isinstance(told, int) else None)
        assert bytes(rule.verdicts(rows_of([text]))[2]) == bytes([not isinstance(told, int)])


def acts(count):
    return [IDLE] * count


def wide(count):
    return {"targets": [0] * count, "cells": [0] * count}


@each_case(("taken", "refused", "message"), [
    ({"constants": 8}, {"constants": 9}, NUMBERS), ({"constants": 1}, {"constants": 0}, NUMBERS),
    ({"places": 32}, {"places": 34}, NUMBERS), ({"places": 0}, {"places": 3}, NUMBERS),
    (wide(63), wide(64), NUMBERS), ({"acts": acts(255)}, {"acts": acts(256)}, NUMBERS),
    ({"acts": acts(1)}, {"acts": (), "ends": (NONE,)}, NUMBERS),
    ({}, {"ends": (), "targets": (), "cells": (), "classes": 1}, NUMBERS),
    ({}, {"states": NOWHERE}, NUMBERS), ({}, {"classes": 0}, NUMBERS),
    ({}, {"format": FORMAT + 1}, "they are of another format"),
    ({}, {"states": 2}, "they are too short or too long"),
    ({"labels": [1], **wide(2)}, {"labels": [2], **wide(2)},
     "the class of an octet does not exist"),
    ({"acts": [(3, 0, 0, ())]}, {"acts": [(4, 0, 0, ())]}, "an action reaches back too far"),
    *(({"acts": [(0, *ok, ())]}, {"acts": [(0, *bad, ())]}, "an action sets a position") for ok,
      bad in (((3, 0), (4, 0)), ((0, 3), (0, 4)), ((3, 3), (3, 7)))),
    ({"acts": acts(2), "ends": [1]}, {"acts": acts(2), "ends": [2]}, "an end has an action that"),
    ({"ends": [NONE]}, {"ends": [NONE - 1]}, "an end has an action that does not exist"),
    ({"targets": [0]}, {"targets": [1]}, "a step leads to a state that does not exist"),
    ({"targets": [NOWHERE]}, {"targets": [NOWHERE - 1]},
     "a step leads to a state that does not exist"),
    ({"acts": acts(2), "cells": [1]}, {"acts": acts(2), "cells": [2]}, "a step has an action that"),
])  # fmt: skip
def test_tables_are_refused_from_the_first_impossible_number_on(taken, refused, message):
    kernel.Tables(written(**taken))
    with pytest.raises(ValueError, match=f"^the tables are damaged: .*{message}"):
        kernel.Tables(written(**refused))


def test_a_rule_starts_in_an_existing_state():
    taken = kernel.Tables(written(ends=(0, 0), targets=(0, 1), cells=(0, 0)))
    assert kernel.Rule(taken, 1, len).fullmatch("aa")
    with pytest.raises(ValueError, match="no such state"):
        kernel.Rule(taken, 2, len)


@each_case("size", range(70))
def test_an_octet_outside_the_alphabet_is_found_anywhere(size):
    """The first and the last octets are tested for one before the text is read."""
    rule = kernel.Rule(kernel.Tables(written(labels=[0, 0, 0, 0, 0])), 0, len)
    assert rule.fullmatch("a" * size)
    for place in range(size):
        for outside in ("d", "\x80"):
            text = "a" * place + outside + "a" * (size - place - 1)
            assert rule.fullmatch(text) is None
            assert stop_of(rule, text) == place
