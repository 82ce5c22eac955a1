"""The tables that lead from the functions of two programs to ours: every name of ours exists."""

import re

import pytest

from uriparse.legacy import sqlalchemy, wwwoffle

ROW = re.compile(r"\| (?P<theirs>[^|`]+?) +\| (?P<ours>`[^|]+?) +\|")
TABLES = {
    "wwwoffle": (wwwoffle, {"SplitURL", "URLDecodeGeneric", "URLEncodePassword", "URLEncodePath"}),
    "wwwoffle forms": (wwwoffle, {"URLRecodeFormArgs", "SplitFormArgs"}),
    "sqlalchemy": (sqlalchemy, {"_rfc_1738_quote", "_rfc_1738_unquote", "URL.render_as_string"}),
}


def rows(module):
    found = {row["theirs"]: re.findall("`([^`=]+)`", row["ours"]) for row in ROW.finditer(module)}
    assert len(found) >= 10
    return found


@pytest.mark.parametrize("name", TABLES)
def test_the_names_of_the_table_exist(name):
    module, needed = TABLES[name]
    found = rows(module.__doc__)
    assert needed <= set(found)
    for theirs, ours in found.items():
        assert ours, theirs
        for dotted in ours:
            value = module
            for part in dotted.split("."):
                value = getattr(value, part)
            public = dotted.partition(".")[0]
            assert public in getattr(module, "__all__", [public])
