"""Where a grammar file departs from its RFC and says that the texts are the same, they are."""

import json

import pytest
from cases import documents
from paths import ROOT

from abnf2lark.command import main

NAMESTRING = (ROOT / "tests/grammar_files/namestring.abnf").read_text(encoding="ascii")
NUMBERS = documents(__file__)["NUMBERS"]
PARAMETERS = documents(__file__)["PARAMETERS"]


@pytest.mark.parametrize(("grammar", "rule", "text"), [
    ("rfc8141", "namestring", NAMESTRING), ("rfc8141", "rq-components", NAMESTRING),
    ("rfc3966", "global-number-digits", NUMBERS), ("rfc3966", "local-number-digits", NUMBERS),
    ("rfc3261", "uri-parameter", PARAMETERS),
])  # fmt: skip
def test_departures_that_change_no_text(grammar, rule, text, tmp_path, capsys):
    path = tmp_path / "rfc.abnf"
    path.write_text(text, encoding="ascii")
    imports = ["--import", "rfc3986", "--import", "rfc2396"]
    ours = ROOT / f"grammar/{grammar}.abnf"  # by its path: documents are bundled by such names
    status = main(["diff", f"{ours}:{rule}", f"{path}:{rule}", *imports, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (status, found["relation"]) == (0, "equal"), found
