"""Pictures are read again as XML: what they show is what the library and the figures say."""

import re
from operator import attrgetter
from typing import get_args, get_type_hints
from xml.etree import ElementTree as ET

import pytest
from cases import each_case
from documentation.pages import PAGES, SOURCES, read
from paths import ROOT

pytest.importorskip("sphinx")
pytest.importorskip("railroad")

import uriparse
from tools.docs.figures import FIGURES, duration
from tools.docs.pictures import PICTURES, QUESTIONS, STEPS
from uriparse.guard import GuardError

SVG = "{http://www.w3.org/2000/svg}"
ARGUMENTS = {"speed": ["parse"]}
SIZES = {"small": 10.5, "tiny": 9, "large": 13, "code": 11}
LEAST = 9 * 288 / 300
"""Pixels of the smallest text at 320, where a picture has 288."""


def drawn(name):
    svg = PICTURES[name](*ARGUMENTS.get(name, []))
    return ET.fromstring(svg.replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" ', 1))


@each_case("name", list(PICTURES))
def test_a_picture_has_words_for_who_does_not_see_it_and_keeps_to_its_width(name):
    svg = drawn(name)
    title, desc = svg.find(f"{SVG}title"), svg.find(f"{SVG}desc")
    assert (svg.get("aria-labelledby"), svg.get("aria-describedby")) == (
        title.get("id"), desc.get("id"),
    )  # fmt: skip
    assert title.text
    assert len(desc.text) > 40
    _, _, width, height = map(float, svg.get("viewBox").split())
    assert width == 300
    for rect in svg.iter(f"{SVG}rect"):
        x, y, wide, high = (float(rect.get(key)) for key in ("x", "y", "width", "height"))
        assert min(x, y) >= 0, rect.attrib
        assert (x + wide <= width, y + high <= height) == (True, True), rect.attrib
    css = (SOURCES / "_static/pages.css").read_text("utf-8")
    for text in svg.iter(f"{SVG}text"):
        size = min((SIZES[kind] for kind in text.get("class").split() if kind in SIZES), default=12)
        assert size * 288 / 300 >= LEAST
        assert size == 12 or f"{size}px" in css
    kept = {"fill", "stroke", "style"}  # colours are the style's: light and dark
    assert not any(kept & set(part.attrib) for part in svg.iter())


def test_every_picture_is_on_a_page():
    shown = {b.kind.split()[1] for p in PAGES for b in read(p).blocks if b.kind[:9] == "{picture}"}
    assert shown == set(PICTURES)


def test_the_chart_names_functions_that_there_are_and_pages_about_them():
    targets = [link.get("href") for link in drawn("functions").iter(f"{SVG}a")]
    assert len(targets) == len(QUESTIONS)
    for (_, name, _), target in zip(QUESTIONS, targets, strict=True):
        assert attrgetter(name)(uriparse)
        page = SOURCES / target.partition("#")[0].replace(".html", ".md")
        assert name.rpartition(".")[2] in page.read_text("utf-8")


def test_a_request_ends_for_each_cause_that_the_guard_has():
    causes = get_type_hints(GuardError.__init__)["cause"]
    assert {c for _, ends in STEPS for c in ends.split(", ") if c} == {*get_args(causes)}


def test_the_readme_has_the_figures():
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = [r.split("|")[1:-1] for r in readme.splitlines() if r.count("|") == 6 and " µs" in r]
    assert len(rows) > 5
    for row in rows:
        name, *cells = (cell.strip(" *") for cell in row)
        name = re.sub(r"\*\*|, C\+\+|, Rust|, pure Python|, with its C kernel", "", name)
        end = {"with": ", with its kernel", "pure": ", pure"}
        name += next((end[word] for word in end if word in row[0]), "")
        for kind, (time, wrong) in zip(("validate", "parse"), (cells[:2], cells[2:]), strict=True):
            known = {key.partition(" (")[0]: value for key, value in FIGURES[kind].items()}
            if time:
                assert (time, int(wrong)) == (duration(known[name]["µs"]), known[name]["wrong"])
    assert f"`import uriparse` takes {FIGURES['import']['uriparse']} ms" in readme


def test_no_page_repeats_a_figure_in_digits():
    numbers = {f"{value:,}" for value in FIGURES["suite"].values()}
    numbers |= {f"takes {FIGURES['import']['uriparse']} ms"}
    found = {n: p.name for p in PAGES for n in numbers if n in p.read_text("utf-8")}
    assert found == {}
