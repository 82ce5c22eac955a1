"""The house: names of the product say one thing each."""

import ast
from collections import Counter

import pytest

from tools.house import ROOT, sources


@pytest.mark.parametrize("package", ["abnf2lark"])
def test_a_class_name_is_used_once_in_a_package(package):
    texts = [one.text for one in sources(ROOT) if one.package == package and one.module]
    nodes = [node for text in texts for node in ast.walk(ast.parse(text))]
    names = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert len(names) > 100
    assert not [name for name, count in names.items() if count > 1]
