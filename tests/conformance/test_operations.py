"""Suites for operations: judged by programs of other make, and what edits of those make of them."""

from itertools import product

import pytest
from conformance import program_mutants
from conformance.program_mutants import mutants, run
from marks import some_slow

import uriparse
from uriparse import URIError
from uriparse.conformance import operation_suite, suite, trial_texts

NAMES = {"resolution": "resolve", "normalization": "normalize"}


def given(operation, size, *, strict=True):
    cases = operation_suite(operation, size=size, strict=strict)
    return [(tuple(case.given.values()), case.expected) for case in cases]


def pool(operation):
    """Return many more inputs: every base with every reference, and every URI of the suites."""
    if operation == "normalization":
        texts = [case.given["text"] for case in operation_suite("components")]
        return [
            *dict.fromkeys((text,) for text in texts),
            *(one for one, _ in given(operation, "full")),
        ]
    pairs = [one for one, _ in given(operation, "full")]
    return [*product(*(dict.fromkeys(side) for side in zip(*pairs, strict=True)))]


@pytest.mark.slow
@pytest.mark.parametrize("size", ["tiny", "full"])
@pytest.mark.parametrize("operation", NAMES)
def test_every_program_with_one_edit_is_told(operation, size, record_property):
    name, others = NAMES[operation], pool(operation)
    own, cases = run(name), given(operation, size)
    assert all(own(*one) == expected for one, expected in cases)
    told = 0
    for what, program in mutants(name):
        if any(program(*one) != expected for one, expected in cases):
            told += 1
        else:
            assert all(program(*one) == own(*one) for one in others), what
    record_property("tally", (f"programs for {operation} told by {size}", {"told": told}))
    assert told > 80


@pytest.mark.slow
def test_a_resolver_without_dot_segments_is_told(monkeypatch):
    monkeypatch.setattr(program_mutants, "remove_dot_segments", str)
    wrong = [
        one
        for one, expected in given("resolution", "tiny")
        if program_mutants.resolve(*one) != expected
    ]
    assert len(wrong) > 5


@pytest.mark.slow
@pytest.mark.parametrize("strict", [True, False])
def test_resolution_by_another_program(strict):
    cases, resolve = given("resolution", "full", strict=strict), run("resolve")
    assert len(cases) > 50
    for (base, reference), expected in cases:
        assert resolve(base, reference, strict=strict) == expected
        assert str(uriparse.resolve(base, reference, strict=strict)) == expected


def test_normalization_and_equivalence_by_another_program():
    normalize = run("normalize")
    for (text,), expected in given("normalization", "full"):
        assert normalize(text) == str(uriparse.normalize(text, "scheme")) == expected
    cases = given("equivalence", "full")
    assert {expected for _, expected in cases} == {True, False}
    for (one, other), expected in cases:
        assert (normalize(one) == normalize(other)) is expected, (one, other)
        assert uriparse.equivalent(one, other, "scheme") is expected, (one, other)


def altered(change, *places):
    """Make a splitter that changes some of the components that it finds."""

    def take_apart(text):
        found = [*program_mutants.take_apart(text)]
        for place in places:
            if found[place] is not None:
                found[place] = change(found[place])
        return tuple(found)

    return take_apart


SCHEME, USERINFO, HOST, PORT, PATH, QUERY, FRAGMENT = range(7)
SPLITTERS = {
    "lower scheme": altered(str.lower, SCHEME), "lower host": altered(str.lower, HOST),
    "upper triplets of the path": altered(lambda text: text.replace("%2f", "%2F"), PATH),
    "/./ collapsed": altered(lambda text: text.replace("/./", "/"), PATH),
    "// collapsed": altered(lambda text: text.replace("//", "/"), PATH),
    "/../ removed": altered(lambda text: text.replace("/../", "/"), PATH),
    "the first slash left out": altered(lambda text: text.removeprefix("/"), PATH),
    "the last slash left out": altered(lambda text: text.removesuffix("/"), PATH),
    "brackets left out": altered(lambda text: text.strip("[]"), HOST),
    "a number as the port": altered(lambda text: str(int(text or "0")), PORT),
    **{
        f"{triplet} decoded in component {place}": altered(
            lambda text, triplet=triplet, plain=plain: text.replace(triplet, plain), place
        )
        for triplet, plain in (("%41", "A"), ("%2F", "/"), ("%25", "%"), ("%40", "@"))
        for place in (USERINFO, HOST, PATH, QUERY, FRAGMENT)
    },
    **{
        f"empty as absent in component {place}": altered(lambda text: text or None, place)
        for place in (USERINFO, HOST, PORT, QUERY, FRAGMENT)
    },
    **{
        f"absent as empty in component {place}": lambda text, place=place: tuple(
            one or "" if number == place else one
            for number, one in enumerate(program_mutants.take_apart(text))
        )
        for place in (USERINFO, HOST, PORT, QUERY, FRAGMENT)
    },
    **{
        f"{char} ends component {place}": altered(
            lambda text, char=char: text.partition(char)[0], place
        )
        for char in "!$&'()*+,;=:@"
        for place in (USERINFO, HOST, PATH, QUERY, FRAGMENT)
        if (char, place) not in {(":", HOST), ("@", HOST), ("@", USERINFO)}
    },
    **{
        f"{char} ends component {place}": altered(
            lambda text, char=char: text.partition(char)[0], place
        )
        for char in "/?"
        for place in (QUERY, FRAGMENT)
    },
}  # fmt: skip


def taken_apart(size):
    """Return texts with their components: of the operation, of rows of a suite, or of a trial."""
    match size:
        case "suite":
            rows = [row for row in suite("URI") if row.valid]
            return [(row.text, tuple(row.components.values())) for row in rows]
        case "trial":
            valid = filter(uriparse.is_valid, trial_texts("URI"))
            return [(text, program_mutants.take_apart(text)) for text in valid]
    cases = operation_suite("components", size=size)
    return [(case.given["text"], tuple(case.expected.values())) for case in cases]


@pytest.mark.parametrize("size", some_slow(["tiny", "full", "suite", "trial"], "suite", "trial"))
def test_wrong_splitters_are_told(size):
    pairs = taken_apart(size)
    for text, expected in pairs:
        assert program_mutants.take_apart(text) == expected
    programs = {
        **SPLITTERS,
        **{f"{n} {what}": own for n, (what, own) in enumerate(mutants("take_apart"))},
    }
    missed = [
        what
        for what, program in programs.items()
        if all(program(text) == expected for text, expected in pairs)
    ]
    assert len(programs) > 140
    assert not missed


def test_long_texts_are_uris():
    cases = operation_suite("limits")
    assert max(len(case.given["text"]) for case in cases) > 65_536
    for case in cases:
        text = case.given["text"]
        assert uriparse.is_valid(text)
        assert str(uriparse.parse(text)) == text
    paths = {case.given["text"] for case in cases}
    assert {f"a:{'/p' * count}" for count in (1, 2, 100)} <= paths
    assert {f"a:?{'k=v&' * count}" for count in (1, 2, 100)} <= paths


@pytest.mark.parametrize("rule", ["URI-reference", "relative-ref", "absolute-URI"])
def test_rows_of_references_have_components(rule):
    rows = list(suite(rule, method="transition"))
    for row in rows:
        if row.valid:
            scheme, authority, path, query, fragment = program_mutants.split(row.text)
            found = row.components
            assert (found["scheme"], found["path"]) == (scheme, path)
            assert (found["query"], found["fragment"]) == (query, fragment)
            assert (found["host"] is None) is (authority is None)
        else:
            assert row.components is None
    assert {row.components for row in suite("host", method="transition")} == {None}


def test_components_are_recomposed():
    for (scheme, authority, path, query, fragment), expected in given("recomposition", "full"):
        assert program_mutants.recompose(scheme, authority, path, query, fragment) == expected
        assert program_mutants.split(expected) == (scheme, authority, path, query, fragment)
        found = uriparse.parse(expected, "URI-reference")
        own = (found.scheme, found.authority, found.path, found.query, found.fragment)
        assert tuple(None if one is None else str(one) for one in own) == (
            *(scheme, authority, path, query, fragment),
        )


def test_data_are_encoded():
    from urllib.parse import unquote

    for (data, component), expected in given("encoding", "full"):
        assert unquote(expected) == data
        assert expected.isascii()
        form = {"userinfo": "a://{}@h", "host": "a://{}", "segment": "a:/{}"}
        text = form.get(component, {"query": "a:?{}", "fragment": "a:#{}"}.get(component))
        assert uriparse.is_valid(text.format(expected))
        # Not more than has to be: each triplet stands for what could not stand there itself.
        for char in data:
            plain = uriparse.try_parse(text.format(char))
            alone = plain is not None and program_mutants.split(text.format(char)) == (
                program_mutants.split(text.format("x"))[:1]
                + tuple(
                    part and part.replace("x", char)
                    for part in program_mutants.split(text.format("x"))[1:]
                )
            )
            if alone and char not in "@:%/":
                assert char in expected, (component, char)


@pytest.mark.slow
def test_targets_are_reached_from_bases():
    reached = 0
    for (base, target), expected in given("relativization", "full"):
        assert target == expected
        try:
            reference = uriparse.relativize(base, target)
        except URIError:  # there is none for some
            continue
        reached += 1
        assert program_mutants.resolve(base, str(reference)) == target, (base, target)
    assert reached > 500


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("sorting",), "operation must be "), ((5,), "operation must be a str, not int")],
)
def test_what_is_asked_is_checked(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        operation_suite(*arguments)
    with pytest.raises(ValueError, match='size must be "tiny" or "full", not "huge"'):
        operation_suite("resolution", size="huge")
