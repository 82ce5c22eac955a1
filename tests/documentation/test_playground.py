"""The playground answers as the library does; in Chromium, everyone can use all pages."""

import json
import shutil
import subprocess
import sys

import pytest
from cases import each_case
from paths import ROOT

from tools.docs.playground import MOST_ROWS, answer

URI = "http://user@[2001:db8::7]:8042/over/there?name=ferret#nose"
SUM = 'sum = term *( "+" term )\nterm = 1*DIGIT / "(" sum ")"'
HOSTILE = "x:<img src=x onerror=alert(1)>\u202e\n"
VIOLATIONS = """
axe.run({ preload: false, resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))
"""


@each_case(("question", "verdict"), [
    ((URI,), "A valid URI"), (("../a%20b",), "A valid relative reference"),
    ((f"{HOSTILE}\ud800",), "Not valid"), (("1+(2+3)", SUM), "Valid: matches sum"),
    (("1+(2+)", SUM), "Not valid"),
    (("::1", "rfc3986", "IPV6address"), "Valid: matches IPv6address"),
    (("1", SUM, "none"), "No answer"), (("1", "a = b"), "No answer"),
    (("1", "none.abnf"), "No answer"),
])  # fmt: skip
def test_verdicts(question, verdict):
    assert json.loads(answer(*question))["verdict"] == verdict


def test_a_uri_is_drawn_and_explained():
    found = json.loads(answer("http://h:80?"))
    named = [["http", "scheme"], ["h", "reg-name"], ["80", "port"]]
    assert [piece for piece in found["drawn"] if piece[1]] == named
    assert "".join(text for text, _ in found["drawn"]) == "http://h:80?"
    sections = dict(found["sections"])
    assert {'      port "80"', '    query ""'} < {*sections["Tree"].split("\n")}
    assert "name-refused" in sections["Findings of the default policy"]
    assert sections["What a browser reads"].startswith("http://h/?")
    assert sections["Normal form"] == "http://h/?"


def test_nothing_is_hidden_or_reordered_and_long_trees_are_cut():
    assert r"\u{202E}\u{A}" in json.loads(answer(HOSTILE))["drawn"][2][0]
    deep = "(" * 3000 + "1" + ")" * 3000
    assert dict(json.loads(answer(deep, SUM))["sections"])["Tree"].count("\n") == MOST_ROWS


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build all pages with the playground; return their folder, axe-core's program and Chromium."""
    pytest.importorskip("sphinx")
    pytest.importorskip("playwright")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not (chromium and shutil.which("npm")):
        pytest.skip("Chromium or npm is not there")
    folder = tmp_path_factory.mktemp("playground")
    npm = ["npm", "install", "--silent", "--no-save", "pyodide", "axe-core"]
    subprocess.run(npm, cwd=folder, check=True)
    modules = folder / "node_modules"
    build = [sys.executable, "-m", "tools.docs", "--playground", modules / "pyodide"]
    subprocess.run([*build, "--out", folder / "site"], cwd=ROOT, check=True)
    return folder / "site", (modules / "axe-core/axe.min.js").read_text("utf-8"), chromium


@pytest.fixture
def page(site):
    """Return a page of Chromium as wide as a phone, which must neither say nor ask anything."""
    from playwright.sync_api import sync_playwright

    said = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=site[2])
        page = browser.new_page(viewport={"width": 320, "height": 640})
        page.set_default_timeout(60_000)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda asked: asked.url[:5] in ("file:", "blob:") or said.append(asked))
        yield page
        browser.close()
    assert said == []


def shows(page, *question):
    """Wait until the page shows an answer, in all its parts."""
    found = json.loads(answer(*question))
    pieces = [*found["drawn"], *found["sections"]]
    wanted = [found["verdict"], "".join(one + other for one, other in pieces)]
    parts = "[...document.querySelectorAll('.playground-status, .playground-result')]"
    check = f"(wanted) => {parts}.every((part, at) => part.textContent === wanted[at])"
    page.wait_for_function(check, arg=wanted)
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.slow
def test_typing_sharing_and_going_back(site, page):
    address = (site[0] / "playground.html").as_uri()
    page.goto(address)
    shows(page, URI)
    text = page.get_by_label("Text")
    text.press("Control+End")
    text.press_sequentially("!")
    shows(page, f"{URI}!")
    text.fill(HOSTILE)
    shows(page, HOSTILE)
    text.blur()
    text.fill("1+(2+)")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # opens what is folded
    page.get_by_label("ABNF").fill(SUM)
    page.get_by_label("Rule").fill("term")
    shows(page, "1+(2+)", SUM, "term")
    shared = page.url
    while page.url != address:
        page.go_back()
    shows(page, URI)
    page.go_forward()
    shows(page, HOSTILE)
    page.goto("about:blank")
    page.goto(shared)
    shows(page, "1+(2+)", SUM, "term")
    page.goto(f"{address}#uri=%E0%A4%A&length=1&rule")  # from a hostile link
    shows(page, "\ufffd%A")


@pytest.mark.slow
def test_search_works_without_a_server(site, page):
    page.goto((site[0] / "index.html").as_uri())
    page.get_by_placeholder("Search").fill("wwwoffle")
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "which", "judged"), [
    ("light", "**/*.html", "*.html"), ("dark", "*.html", "*.html"),
    pytest.param("light", "*/**/*.html", "*/**/*.html", marks=pytest.mark.long),
])  # fmt: skip
def test_pages_fit_a_phone_and_axe_finds_nothing(site, page, scheme, which, judged):
    page.emulate_media(color_scheme=scheme)
    faults, by_axe = {}, {*site[0].glob(judged)}
    for path in site[0].glob(which):
        page.goto(path.as_uri())
        found = []
        if path in by_axe:
            page.evaluate(site[1])
            found = page.evaluate(VIOLATIONS)
        wide = page.evaluate("document.documentElement.scrollWidth") - 320
        if found or wide:
            faults[path.name] = (wide, found)
    assert faults == {}
