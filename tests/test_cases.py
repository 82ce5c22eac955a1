"""A test of many cases fails where one of them does, and names each that fails."""

import pytest
from cases import check_all, each_case


def is_even(number):
    assert number % 2 == 0, f"{number} is odd"


def raises_nothing(number):
    with pytest.raises(KeyError):
        int(number)


def failure(call, *arguments):
    with pytest.raises(pytest.fail.Exception) as caught:
        call(*arguments)
    return str(caught.value)


def test_every_case_that_fails_is_named_with_its_reason():
    check_all([0, 2], is_even)
    message = failure(check_all, [0, 1, 2, 3], is_even)
    assert message.startswith("2 of 4 cases fail:\ncase 1: 1\n")
    assert "AssertionError: 1 is odd" in message
    assert "case 3: 3\n" in message


def test_other_errors_and_missing_ones_are_failures_too():
    assert "ZeroDivisionError" in failure(check_all, [0], lambda number: 1 / number)
    assert "DID NOT RAISE" in failure(check_all, [1], raises_nothing)


def test_no_case_is_a_failure():
    with pytest.raises(AssertionError, match="there is no case"):
        check_all([], is_even)


@pytest.fixture
def shared():
    return "shared"


@each_case("number", [1, 2])
def test_other_parameters_are_fixtures(number, shared):
    assert (number, shared) in [(1, "shared"), (2, "shared")]


def test_every_case_of_one_table_meets_every_case_of_the_other():
    @each_case("first", ["a", "b"])
    @each_case(("second", "third"), [(1, 2), (3, 4)])
    def see(first, second, third, seen):
        seen.append((first, second, third))

    seen = []
    see(seen=seen)
    assert seen == [("a", 1, 2), ("a", 3, 4), ("b", 1, 2), ("b", 3, 4)]


def test_a_case_of_two_tables_is_named_by_both():
    @each_case("first", [1])
    @each_case("second", [2])
    def both(first, second):
        assert first == second

    assert "case 0: 1\n    1 of 1 cases fail:\n    case 0: 2\n" in failure(both)
