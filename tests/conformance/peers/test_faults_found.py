"""The page of faults: each witness is judged by `abnf`, and wrongly by the parser that it names."""

import re
import shutil

import pytest
from abnf import ParseError
from abnf.grammars import rfc3986
from other_parsers import PeerTask, ask, peer
from paths import ROOT

PAGE = (ROOT / "tools/docs/explanation/other-parsers.md").read_text("utf-8")
TASK = PeerTask("URI", "rfc3986")
ROWS = re.findall(r"^\| \d+ \| (.+?) \| (.+?) \| `(.+?)` \| [\d.]+ \| .+ \|$", PAGE, re.MULTILINE)
PEERS = {
    "rfc3987": "rfc3987", "rfc3986": "rfc3986", "uritools": "uritools", "urllib3": "urllib3",
    "Ruby URI": "ruby URI", "Go net/url": "go net/url",
}  # fmt: skip


def is_valid(text):
    try:
        return rfc3986.Rule("URI").parse_all(text) is not None
    except ParseError:
        return False


@pytest.mark.parametrize(("what", "witness"), [row[1:] for row in ROWS if row[2] != "//?"])
def test_verdicts(what, witness):
    assert is_valid(witness) is ("reject" in what)


@pytest.mark.slow
@pytest.mark.parametrize(("parser", "what", "witness"), ROWS)
def test_parsers_of_this_machine_are_wrong(parser, what, witness):
    names = [name for name in PEERS if parser.startswith(f"{name} ")]
    if not names or witness == "//?":
        pytest.skip("not asked here")
    each = peer(PEERS[names[0]])
    if each.command(TASK) is None or (not each.is_python and shutil.which(each.needs) is None):
        pytest.skip("not installed")
    [found] = ask([each], TASK, [witness], patience=60, whole=True)
    if found.version not in parser and found.version != "3.1.7":  # Ruby tells its own
        pytest.skip(f"another version: {found.version}")
    assert found.answers[0].accepts is ("accept" in what)
