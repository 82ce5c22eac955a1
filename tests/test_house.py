"""The house: a class has its name alone, and comments name what there is."""

import re
from collections import Counter

import pytest

from tools.house import GENERATED, ROOT, sources

FILES = [one for one in sources(ROOT) if one.module]
NAMED = re.compile(r"(?<!`)(see )?(`{1,2})([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(\))?\2(?!`)")
CLASS = re.compile(r"^ *class (\w+)[(:\[]", re.MULTILINE)
QUOTED = r'("|\')(?:\\.|(?!\2)[^\n])*\2'
# A note, or a string, which is not one.
TOKEN = re.compile(rf'((?<!f)""".*?"""|#[^\n]*)|""".*?"""|{QUOTED}', re.DOTALL)
IMPORTED = re.compile(r"^\s*(?:from|import) (\w+)", re.MULTILINE)
FOREIGN = {top for one in FILES for top in IMPORTED.findall(one.text)} - {"abnf2lark", "uriparse"}
BUDGETS = {"abnf2lark.": 22_010, "uriparse.conformance": 7_400}


@pytest.mark.parametrize("package", ["abnf2lark", "uriparse"])
def test_a_class_name_is_used_once_in_a_package(package):
    texts = [one.text for one in FILES if one.package == package]
    names = Counter(name for text in texts for name in CLASS.findall(text))
    assert len(names) > 100
    assert not [name for name, count in names.items() if count > 1]


def words_and_notes(text):
    """The words of a file's code, and its comments and docstrings."""
    notes = [token[1] for token in TOKEN.finditer(text) if token[1]]
    code = TOKEN.sub(lambda token: " " if token[1] else token[0], text)
    return {GENERATED, *re.findall(r"\w+", code)}, notes


def test_comments_and_docstrings_name_what_there_is():
    """A module of ours has the name that `module.name` says, and what to "see" is somewhere."""
    read = {one.module: words_and_notes(one.text) for one in FILES}
    members = {}  # by the last word of a module's name
    for module, (own, _) in read.items():
        *above, last = module.split(".")
        members.setdefault(last, set()).update(own)
        members.setdefault("".join(above[-1:]), set()).add(last)
    members[""] = set().union(members, *members.values())
    found = []
    for module, (_, notes) in read.items():
        for see, _, path in NAMED.findall("\n".join(notes)):
            head, _, name = path.rpartition(".")
            known = members.get(head.rpartition(".")[2], {name})
            if (see or head) and path.partition(".")[0] not in FOREIGN and name not in known:
                found.append((module, path))
    assert not found


@pytest.mark.parametrize("house", BUDGETS)
def test_a_house_keeps_its_budget_of_lines(house):
    """A line more costs a line elsewhere; see `python -m tools.house`, which counts C too."""
    texts = [one.text for one in FILES if f"{one.package}.{one.wing}".startswith(house)]
    assert texts
    assert sum(text.count("\n") for text in texts) <= BUDGETS[house]


def test_the_tests_keep_theirs():
    texts = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")]
    assert sum(text.count("\n") for text in texts) <= 53_950
