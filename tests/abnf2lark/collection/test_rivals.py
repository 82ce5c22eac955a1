"""The table of other tools is measured on the suites, and of ours no verdict is wrong."""

import pytest

from tools.collection import rivals

pytestmark = pytest.mark.slow


def test_no_verdict_of_ours_is_wrong():
    assert [*rivals.by_ours()] == [0] * len(rivals.SUITES)
    assert [len(rivals.suite(name)[2]) for name in rivals.SUITES] == [269, 703, 1574, 270]


@pytest.mark.long
def test_each_tool_reads_its_text():
    tools = {}
    for name, tool, parse in rivals.parsers():
        assert parse(rivals.TEXTS[name][1])
        tools.setdefault(tool, set()).add(name)
    for tool in ("abnf2lark, records", "Lark, a grammar by hand"):
        assert tools[tool] == {*rivals.TEXTS}
    assert tools["Lark, a grammar by abnf2lark"] == {"rfc8259", "toml"}
