"""Railroad diagrams: the page is read again by a parser of HTML that knows nothing of ours."""

import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from bundles import BUNDLES
from cases import each_case, tables
from marks import by_grammar

from abnf2lark import diagrams, load
from abnf2lark.charts import LimitError
from abnf2lark.command import main
from abnf2lark.diagrams import MAX_LABEL, MAX_WIDTH, railroad_page
from abnf2lark.ir import reachable, references

pytest.importorskip("railroad", reason="railroad-diagrams is not installed")

TABLES = tables(__file__)
VOID = {"meta"}


@dataclass
class Section:
    """What a rule's part of the page holds."""

    drawn: list = field(default_factory=list)  # targets of the links in the diagram
    abnf: str = ""
    abnf_links: list = field(default_factory=list)
    labels: list = field(default_factory=list)
    titles: list = field(default_factory=list)
    width: float = 0


class Page(HTMLParser):
    """Reads a page; a tag that is not closed where it should be is an error."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.hrefs, self.tags, self.sections = [], [], [], set(), {}
        self.attributes = set()
        self.section = Section()
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.add(tag)
        self.attributes |= attrs.keys()
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "section":
            self.section = self.sections[attrs["id"].removeprefix("rule-")] = Section()
        if tag == "svg":
            self.section.width = float(attrs["width"])
        if "href" in attrs:
            assert tag == "a"
            self.hrefs.append(attrs["href"])
            target = attrs["href"].removeprefix("#rule-")
            if "svg" in self.open:
                self.section.drawn.append(target)
            elif "pre" in self.open:
                self.section.abnf_links.append(target)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "pre" in self.open:
            self.section.abnf += data
        elif self.open[-1:] == ["text"]:
            self.section.labels.append(data)
        elif "svg" in self.open and self.open[-1] == "title":
            self.section.titles.append(data)


def read(grammar, *wanted):
    """Read the page of a grammar; hold what holds for all pages."""
    diagrams = Page(railroad_page(grammar, wanted))
    assert len(set(diagrams.ids)) == len(diagrams.ids)
    assert {href.removeprefix("#") for href in diagrams.hrefs} <= set(diagrams.ids)
    assert "script" not in diagrams.tags
    assert "iframe" not in diagrams.tags
    assert "src" not in diagrams.attributes
    assert not [name for name in diagrams.attributes if name.startswith("on")]
    for name, section in diagrams.sections.items():
        referred = {ref.name for ref in references(grammar.rules[name].body)}
        assert set(section.drawn) == referred
        assert set(section.abnf_links) <= referred
    return diagrams


def labels(grammar, rule="r"):
    return read(grammar).sections[rule].labels


@pytest.mark.slow
@pytest.mark.parametrize("name", by_grammar(BUNDLES))
def test_every_rule_is_drawn_and_linked(name):
    grammar = BUNDLES[name].grammar
    diagrams = read(grammar)
    assert list(diagrams.sections) == list(grammar.rules)
    for rule in grammar.rules.values():
        section = diagrams.sections[rule.name]
        assert section.abnf.split() == rule.source.split()
        prose = "<" in rule.source  # a repetition of none leaves no reference
        assert prose or set(section.abnf_links) == {ref.name for ref in references(rule.body)}


def test_a_wanted_rule_brings_what_it_leads_to():
    grammar = BUNDLES["rfc3986"].grammar
    diagrams = read(grammar, "host")
    assert tuple(diagrams.sections) == reachable(grammar, ["host"])
    assert "scheme" not in diagrams.sections


def test_rules_that_are_too_large_to_be_drawn_are_named(monkeypatch, grammar):
    made = grammar('s = a b\na = "x" / "y" / b\nb = "z"')
    monkeypatch.setattr(diagrams, "MAX_ELEMENTS", 5)
    assert list(read(made, "a").sections) == ["a", "b"]
    told = r"t is too large to be drawn: the rules have 8 elements, 4 of them in a \(.*:2\); "
    with pytest.raises(LimitError, match=told + "5 can be drawn: draw a rule that .* with --rule"):
        read(made)


CASES = TABLES["cases"]


@each_case("text", CASES)
def test_boxes_hold_what_the_rule_says(grammar, text):
    assert labels(grammar(text)) == CASES[text]


def test_a_range_tells_its_characters():
    diagrams = read(BUNDLES["core"].grammar)
    assert diagrams.sections["ALPHA"].titles == ["A to Z", "a to z"]
    assert diagrams.sections["CTL"].titles == []


def test_long_rules_stay_on_the_page(grammar):
    long = read(grammar("r = " + " ".join(['"abcdefgh"'] * 100))).sections["r"]
    assert len(long.labels) == 100
    assert long.width < MAX_WIDTH + 100
    wide = read(grammar(f'r = "{"x" * 900}"')).sections["r"]
    assert len(wide.labels[0]) == MAX_LABEL
    assert wide.abnf.endswith('x"')


@pytest.mark.slow
def test_large_and_deep_rules_are_drawn(grammar):
    assert len(labels(grammar("r = " + " / ".join(f'"{n}"' for n in range(2000))))) == 2000
    assert labels(grammar("r = " + "*(" * 39 + "DIGIT" + " )" * 39)) == ["DIGIT"]


def test_what_scrolls_can_be_reached_by_the_keyboard(grammar):
    text = railroad_page(grammar("r = DIGIT"))
    assert "prefers-color-scheme: dark" in text
    assert text.count('<figure tabindex="0" ') == text.count('<pre tabindex="0" ') == 2


def test_the_command_writes_the_page(abnf2lark, tmp_path):
    done = abnf2lark("railroad", "t.abnf", "--rule", "R", "--out", "t.html", t="r = s\ns = DIGIT\n")
    assert (done.code, done.out, done.err) == (0, "", "")
    diagrams = Page((tmp_path / "t.html").read_text())
    assert list(diagrams.sections) == ["r", "s", "DIGIT"]


def test_the_missing_package_is_named(abnf2lark, monkeypatch):
    monkeypatch.setitem(sys.modules, "railroad", None)
    done = abnf2lark("railroad", "t.abnf", "-o", "t.html", t="r = DIGIT\n")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "abnf2lark: railroad diagrams need a package: pip install 'uriparse[diagrams]'\n"
    )


def test_files_of_svg_one_a_rule_that_link_to_each_other(tmp_path, capsys):
    folder = tmp_path / "made"
    command = ["railroad", "rfc3986", "--rule", "authority", "--svg", "-o", str(folder)]
    assert main(command) == 0
    drawn = {path.name: ET.parse(path).getroot() for path in folder.iterdir()}
    assert {*drawn} == {f"{name}.svg" for name in reachable(load("rfc3986").known, ["authority"])}
    space = "{http://www.w3.org/2000/svg}"
    for root in drawn.values():
        assert root.tag == f"{space}svg"
        assert {link.get("href") for link in root.iter(f"{space}a")} <= {*drawn}
        assert "prefers-color-scheme: dark" in root.find(f"{space}style").text
    assert main(command) == 2  # they are there already
    assert main(command[:-2]) == 2
    assert "name their folder with -o" in capsys.readouterr().err
