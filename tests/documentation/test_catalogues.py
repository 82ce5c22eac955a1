"""What the pages list of the library's catalogues, and how it is written in Markdown."""

import re

from cases import each_case, tables
from paths import ROOT

from tools.docs import catalogues
from uriparse.diagnosis import CAUSES
from uriparse.schemes import CURRENT, RFC1738
from uriparse.validation import CATALOGUE, Policy, validate

TABLES = tables(__file__)


def test_every_code_is_listed_once():
    layers = {known.layer for known in CATALOGUE.values()}
    entries = [
        line for layer in layers for line in catalogues.code_entries(layer) if line[:1] == "`"
    ]
    assert sorted(line.split("`")[1] for line in entries) == sorted(CATALOGUE)


def test_every_cause_is_listed_without_blanks():
    lines = list(catalogues.cause_entries())
    assert [line.split("`")[1] for line in lines if line[:1] == "`"] == list(CAUSES)
    assert not any("{" in line for line in lines if line[:1] == ":")


def test_the_guide_has_the_table_of_presets():
    page = (ROOT / "tools/docs/how-to/guard-input.md").read_text(encoding="utf-8")
    table = "\n".join(catalogues.preset_entries())
    assert f"\n\n{table}\n\n" in page, f"the table of presets is now\n\n{table}"


PROBES = TABLES["probes"]
REFUSED_BY_OTHERS = {("redirect", row) for row in ("addresses", "names of special use")}


def test_each_row_of_the_presets_says_what_they_accept():
    (_, *names), _, *rows = (
        [c.strip(" `") for c in r.split("|")[1:-1]] for r in catalogues.preset_entries()
    )
    assert [title for title, *_ in rows] == list(PROBES)
    for title, *cells in rows:
        text, word = PROBES[title]
        for name, cell in zip(names, cells, strict=True):
            base = {"base": "https://base.example/"} if name == "redirect" else {}
            policy = Policy.from_dict({"preset": name, **base})
            if (name, title) not in REFUSED_BY_OTHERS:
                assert validate(text, policy).accepted is (cell == word), (name, title)


@each_case("kind", ["causes", "findings", "usage"])
def test_every_message_fits_two_lines_of_80_columns(kind):
    shown = [line for _, message in catalogues.messages(kind) for line in message.splitlines()]
    assert len(shown) >= 30
    assert [line for line in shown if len(line) > 2 * 80] == []


def test_every_requirement_is_in_a_table_with_all_its_cells():
    page = (ROOT / "tools/docs/reference/requirements.md").read_text(encoding="utf-8")
    kinds = re.findall(r"^```\{requirements\} (\w)$", page, re.MULTILINE)
    rows = [line for kind in kinds for line in [*catalogues.requirement_entries(kind)][2:]]
    assert len({row.split()[1] for row in rows}) == len(rows) == 460
    for row in rows:
        assert len(re.split(r"(?<!\\)\|", row)) == 6, row
    for row in catalogues.scheme_requirement_entries():
        assert len(re.split(r"(?<!\\)\|", row)) == 7, row


@each_case(("name", "registry"), [("current", CURRENT), ("rfc1738", RFC1738)])
def test_every_field_is_in_the_table(name, registry):
    _, _, *rows = (line.split(" | ") for line in catalogues.field_entries(name))
    shown = [(row[0].removeprefix("| "), row[2].strip("`")) for row in rows]
    assert shown == [(s.name, field) for s in registry.values() for field in s.record.FIELDS]


def test_messages_are_short():
    """A finding in two lines of a terminal, a mistake at the command line in three."""
    rows = {kind: [*catalogues.messages(kind)] for kind in ("causes", "findings", "usage")}
    assert sum(map(len, rows.values())) > 120
    assert len(rows["causes"]) == len(CAUSES)
    for _, message in rows["findings"]:
        assert len(message) <= 2 * 80 or "(RFC" in message
    for line, message in rows["usage"]:
        assert line.startswith(("uriparse ", "abnf2lark "))
        assert len(message.splitlines()) <= 3 or message.startswith("usage: uriparse URI ...\n")
        assert re.search(r"^(error|uriparse|abnf2lark|--port)\b", message, re.MULTILINE)
