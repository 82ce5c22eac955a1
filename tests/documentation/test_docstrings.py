"""Docstrings as they are written here become what Sphinx can show."""

import pytest
from cases import each_case

pytest.importorskip("sphinx")

from tools.docs.docstrings import rewritten


def function(text, rule="r", *, a=None, b=None):
    """Stand for what a docstring is of."""


class Record:
    """Stand for a class with fields that its annotations and slots name."""

    __slots__ = ("path",)
    query: str


def shown(docstring, thing=function):
    return list(rewritten(docstring.splitlines(), thing))


def test_parameters_are_a_list():
    assert shown("text: what\n    it is.\nrule: how.") == [
        *(":Parameters:", "    ``text``", "        what", "        it is.", ""),
        *("    ``rule``", "        how.", ""),
    ]


def test_several_names_share_what_is_said():
    assert shown("a, b: both.") == [":Parameters:", "    ``a``, ``b``", "        both.", ""]


def test_attributes_of_a_class_are_a_list():
    assert shown("path, query: text.", Record)[:2] == [":Attributes:", "    ``path``, ``query``"]


@each_case(("heading", "title"), [("Attributes:", ":Attributes:"), ("Args:", ":Parameters:")])
def test_sections_are_lists_of_any_names(heading, title):
    found = shown(f"{heading}\n    other: one.\n        And more.\n    more: two.")
    assert found == [
        *(title, "    ``other``", "        one.", "        And more.", ""),
        *("    ``more``", "        two.", ""),
    ]


@each_case(
    "prose", ["nothing: is a name.", "text: is one,\nand this goes on.", "text:", "- text: listed"]
)
def test_prose_stays(prose):
    assert shown(prose) == prose.splitlines()


def test_names_may_be_linked_and_all_else_is_code():
    assert shown('`parse` gives `""`, `a.b` and `\\\\?\\`') == [
        '`parse` gives ``""``, `a.b` and ``\\\\?\\``'
    ]


def test_two_backticks_are_as_good_as_one():
    assert shown("``parse`` and ``*``") == ["`parse` and ``*``"]


def test_prose_is_no_markup():
    assert shown("a * and *** for http://h") == [r"a \* and \*\*\* for http\://h"]
    assert shown("URIError if so; `URIError` too") == ["`URIError` if so; `URIError` too"]


def test_examples_stay():
    example = ">>> \"*\", \"`\"\n('*', '`')"
    assert shown(example) == example.splitlines()
