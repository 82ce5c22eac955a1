"""URIs within files: changed in their places and nowhere else, links of documents, broken URLs."""

import json
import random
import re
import time
import tracemalloc
from functools import partial
from html import unescape
from html.parser import HTMLParser
from itertools import count
from shutil import which

import pytest
from cases import each_case, tables
from command_runs import run_program, running
from paths import ROOT

from uriparse import find_uris, resolve
from uriparse.cli import main
from uriparse.resolution import find_links

TABLES = tables(__file__)

CONF = (
    b"# old\r\nurl=http://OLD.d:80/{id}?a=%7e\r\n\xff <http://old.d/a> http://other.d/ old.d\x1b\n"
    b'{"u": "http:\\/\\/u:pw@old.d\\/x"}'
)
PAGE = (
    '[a](../b.md "t") `[c](d)` <a href="e?x&amp;y=1">http://old.d/?p&amp;q</a> ![i](http://k/z)\n'
)


run = running(files={"a.conf": CONF, "page.md": PAGE}, capture="capfd")


def test_one_line_changes_a_host_in_all_files(run, tmp_path):
    code, out, err = run("set", "--host", "new.d", "--of-host", "old.d", "--within", ".")
    assert (code, out, err) == (0, "./a.conf\n./page.md\n", "")
    expected = CONF.replace(b"OLD.d", b"new.d").replace(b"<http://old.d/a", b"<http://new.d/a")
    assert (tmp_path / "a.conf").read_bytes() == expected
    assert (tmp_path / "page.md").read_text() == PAGE.replace("//old.d", "//new.d")
    assert run("set", "--host", "new.d", "--of-host", "old.d", "--within", ".") == (0, "", "")


def test_links_and_hidden_files_of_a_directory_are_left_out_and_told(run, tmp_path):
    for name in (".env", "inner/.git/config", "inner/b.conf"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("http://old.d/")
    (tmp_path / "link.conf").symlink_to("a.conf")
    change = "set", "--host", "new.d", "--of-host", "old.d", "--within"
    told = "uriparse: hidden, and left out: ./.env and 1 more\n"
    assert run(*change, ".") == (0, "./a.conf\n./page.md\n./inner/b.conf\n", told)
    assert (tmp_path / "link.conf").is_symlink()
    assert run(*change, ".env", "--within", "inner/.git") == (0, ".env\ninner/.git/config\n", "")


def test_attributes_of_html_keep_their_quotes(run, tmp_path):
    page = "<a href='http://old.d/a&#39;b?c&#38;d'>'</a><a href=\"http://old.d/it's?x&y\">"
    (tmp_path / "q.html").write_text(page)
    old = [link.text for link in find_links(page)]
    assert run("set", "--host", "n", "--within", "q.html")[0] == 0
    new = [link.text for link in find_links((tmp_path / "q.html").read_text())]
    assert new == [text.replace("old.d", "n") for text in old]


def test_json_is_read_by_its_name(run, tmp_path):
    (tmp_path / "a.json").write_bytes(b'["http:\\/\\/old.d\\/x", "http://h/"]')
    assert run("normalize", "--within", "a.json")[0] == 0
    assert (tmp_path / "a.json").read_bytes() == b'["http:\\/\\/old.d\\/x", "http://h/"]'
    assert run("set", "--host", "n", "--within", "a.json")[0] == 0
    assert json.loads((tmp_path / "a.json").read_text()) == ["http://n/x", "http://n/"]


@each_case("seed", range(60))
def test_every_other_octet_stays(seed, tmp_path):
    """Judged by the places of `find_uris` in the text before, and by what is between them."""
    chance = random.Random(seed)
    pieces = TABLES["pieces"]
    text = " ".join(chance.choices(pieces, k=12))
    octets = text.encode() + b"\xff\xfe tail"
    (tmp_path / "x.txt").write_bytes(octets)
    assert main(["set", "--fragment", "new", "--within", str(tmp_path / "x.txt")]) == 0
    whole, at, wanted = octets.decode("utf-8", "surrogateescape"), 0, []
    for found in find_uris(whole):
        start, end = found.span
        wanted += [whole[at:start], str(found.uri.replace(fragment="new"))]
        at = end
    wanted = "".join([*wanted, whole[at:]]).encode("utf-8", "surrogateescape")
    assert (tmp_path / "x.txt").read_bytes() == wanted


@pytest.mark.skipif(which("patch") is None, reason="patch is not installed")
@each_case("before", [
    CONF, b"http://H:80/", b"a\nhttp://H/\n\n", b"a\n<http://H/b\n c>\nd", b"<http://H/b\n c>\nd\n",
])  # fmt: skip
def test_a_difference_can_be_applied_and_writes_nothing(run, tmp_path, before):
    (tmp_path / "a.conf").write_bytes(before)
    _, out, _ = run("normalize", "--within", "a.conf", "--diff")
    assert (tmp_path / "a.conf").read_bytes() == before
    (tmp_path / "d.patch").write_text(out, errors="surrogateescape", newline="")
    run_program("patch", "--binary", "-p0", "-i", "d.patch", cwd=tmp_path, text=False)
    after = (tmp_path / "a.conf").read_bytes()
    (tmp_path / "a.conf").write_bytes(before)
    assert run("normalize", "--within", "a.conf")[:2] == (0, "a.conf\n")
    assert (tmp_path / "a.conf").read_bytes() == after != before


def test_differences_show_no_secrets_where_they_are_hidden(run):
    (code, out, _) = run("redact", "--within", "a.conf", "--diff")
    assert code == 0
    assert "REDACTED" in out
    assert "pw" not in out
    hidden = run("set", "--port", "1", "--within", "a.conf", "--diff", "--no-show-passwords")
    assert "u:pw" not in hidden[1]


def test_a_binary_file_stays(run, tmp_path):
    (tmp_path / "x.png").write_bytes(b"PNG\x00http://old.d/")
    code, out, err = run("set", "--host", "n", "--within", "x.png")
    assert (code, out) == (0, "")
    assert err == "uriparse: x.png: it is binary, and stays as it is\n"
    assert (tmp_path / "x.png").read_bytes() == b"PNG\x00http://old.d/"
    told = run("set", "--host", "n", "--json", "--within", "a.conf")[1]
    assert json.loads(told) == {"file": "a.conf", "changed": True}


def test_relative_links_become_absolute_and_back(run, tmp_path):
    assert run("resolve", "--base", "http://h/d/e", "--within", "page.md")[0] == 0
    text = (tmp_path / "page.md").read_text()
    changed = PAGE.replace("../b.md", "http://h/b.md").replace("e?x&amp;", "http://h/d/e?x&amp;")
    assert text == changed
    assert run("resolve", "--relative", "--base", "http://h/d/e", "--within", "page.md")[0] == 0
    assert '[a](/b.md "t")' in (tmp_path / "page.md").read_text()


def test_redact_within_files_is_the_function(run, tmp_path):
    assert run("redact", "--within", "a.conf")[0] == 0
    assert b"REDACTED:REDACTED@old.d" in (tmp_path / "a.conf").read_bytes()
    assert (
        run("redact", "--within", "-", stdin=b"http://u:p@h/")[1] == "http://REDACTED:REDACTED@h/"
    )


def test_several_processes_do_the_same(run, tmp_path):
    for number in range(5):
        (tmp_path / f"{number}.txt").write_text(f"http://old.d/{number}")
    options = ("set", "--host", "n", "--of-host", "old.d", "--within", ".", "--diff")
    assert run(*options, "--jobs", "2") == run(*options)


def test_what_cannot_be_changed_stays_and_is_told(run, tmp_path):
    (tmp_path / "m.txt").write_text("a\nmailto:a@b http://h/")
    code, out, err = run("set", "--port", "1", "--within", "m.txt", "--within", "missing")
    assert (code, out) == (2, "m.txt\n")
    assert "m.txt:2:1: error:" in err
    assert "missing: No such file" in err
    assert (tmp_path / "m.txt").read_text() == "a\nmailto:a@b http://h:1/"
    assert run("set", "--port", "1", "--within", "m.txt", "http://h")[0] == 2


class Links(HTMLParser):
    """What the parser of the standard library says about attributes."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, _, attrs):
        self.found += [v.strip() for n, v in attrs if n in {"href", "src", "poster"} and v]


@each_case("seed", range(200))
def test_links_of_html_are_those_of_another_parser(seed):
    chance = random.Random(seed)
    tags = ['<a href="x{}&amp;y">', "<IMG SRC=p{}.png>", "<!-- <a href=n> -->", "<p>",
            "<video poster = ' q{} ' src='r'>", "</a>", "<script>'<a href=s>'</script>",
            "<link\nhref=t{} rel=u>", "a < b", "<a data-x=1 href=''>"]  # fmt: skip
    page = " ".join(chance.choice(tags).format(n) for n in range(8))
    parser = Links()
    parser.feed(page)
    found = list(find_links(page))
    assert [link.text for link in found if link.text] == parser.found
    assert all(unescape(page[slice(*link.span)]) == link.text for link in found)


@each_case(("markup", "text", "expected"), [
    (markup, *row) for markup in ("html", "markdown") for row in TABLES[f"links_of_{markup}"]
])  # fmt: skip
def test_links(markup, text, expected):
    assert [link.text for link in find_links(text, markup)] == expected


@each_case("seed", range(100))
def test_links_of_markdown_are_those_of_another_parser(seed):
    commonmark = pytest.importorskip("markdown_it").MarkdownIt("commonmark")
    commonmark.normalizeLink, commonmark.validateLink = str, bool
    text = "\n\n".join(random.Random(seed).choices(TABLES["blocks_with_links"], k=3))
    definitions = {}
    tokens = commonmark.parse(text, definitions)
    tokens += [inner for one in tokens for inner in one.children or ()]
    wanted = {one.attrs.get("href") or one.attrs.get("src") for one in tokens}
    wanted |= {one["href"] for one in definitions.get("references", {}).values()}
    assert {link.text for link in find_links(text, "markdown")} == wanted - {None}


OF_MARKDOWN = partial(find_links, markup="markdown")


def seconds(work, piece, size):
    begun = time.process_time()
    list(work(piece * size))
    return time.process_time() - begun


@each_case("piece", ['<a href="', "<!--", "[a](b", "](a(", "`", "``a` ", "[a]: b 'c' ", "<a b='' ",
                     "](a\n", "[a]:\n ", '](a "b\\" ', "\\`", "> - ", "   \n"])  # fmt: skip
def test_links_take_linear_time(piece):
    many, few = ([seconds(OF_MARKDOWN, piece, n) for _ in range(3)] for n in (40_000, 10_000))
    assert min(many) < 8 * min(few) + 0.1


@pytest.mark.slow
def test_finding_is_linear_where_words_have_colons():
    many, few = ([seconds(find_uris, "urn:a: ", n) for _ in range(2)] for n in (16_000, 4_000))
    assert min(many) < 8 * min(few)


def test_links_are_found_with_a_base(run, tmp_path):
    page = '<base href="/d/"><a href="e"><img src="http://k/z">http://t/'
    (tmp_path / "p.html").write_text(page)
    code, out, _ = run("find", "--base", "http://h/x", "p.html", "page.md")
    found = [line.split(": ")[1] for line in out.splitlines()]
    told = [resolve("http://h/x", one) for one in ("/d/", "/d/e", "http://k/z", "http://t/")]
    assert found[:4] == ["http://h/d/d/" if at is None else str(at) for at in told]
    assert found[4:] == [
        "http://h/b.md",
        "http://h/e?x&y=1",
        "http://old.d/?p&q [escaped]",
        "http://k/z",
    ]
    assert code == 0
    shown = json.loads(run("find", "--base", "http://h/", "--json", "page.md")[1].splitlines()[0])
    assert (shown["how"], shown["line"], shown["column"], shown["span"]) == ("link", 1, 5, [4, 11])


@pytest.mark.parametrize("option", ["--broken", "--base=http://h/"])
def test_long_links_take_little_memory(run, tmp_path, option):
    (tmp_path / "l.html").write_text(f'<img src="data:,{"a" * 400_000}"> <a href=http://h:80x/>')
    tracemalloc.start()
    out = run("find", option, "l.html")[1]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(out.splitlines()) == 1
    assert peak < 15_000_000


BROKEN = (
    "see http://h:80x/ and http://{host}/x, http://ok/ http://[::1 , (http://h/%zz) http://...\n"
    'https://h/$ID http://h/%(v)s/ "http://u:pw@h:x/" <http://ok/\n  a>\n'
)


def test_what_is_broken_is_told_with_its_reason(run, tmp_path):
    (tmp_path / "b.txt").write_text(BROKEN)
    (tmp_path / "b.md").write_text("[x](http://ex ample.com/) [y](b.txt#z)\n`[x](a b)` [z](a%)")
    code, out, err = run("find", "--broken", "b.txt", "b.md")
    assert (code, err) == (1, "")
    rows = [re.fullmatch(r"(\S+?): (\w+): .*", line).groups() for line in out.splitlines()]
    assert rows == [
        ("b.txt:1:5", "port"), ("b.txt:1:51", "host"), ("b.txt:1:66", "path"),
        ("b.txt:2:32", "port"), ("b.md:1:5", "host"), ("b.md:2:16", "path"),
    ]  # fmt: skip
    assert "pw" not in out
    told = [json.loads(line) for line in run("find", "--broken", "--json", "b.md")[1].splitlines()]
    assert [(one["line"], one["column"], one["error"]["cause"]) for one in told] == [
        (1, 5, "space"), (2, 16, "bad-triplet"),
    ]  # fmt: skip
    (tmp_path / "b.bin").write_bytes(b"\0http://h:80x/")
    assert run("find", "--broken", "b.bin") == (0, "", "uriparse: b.bin: it is binary\n")
    (log,) = json.loads(run("find", "--broken", "--sarif", "b.md")[1])["runs"]
    places = [one["locations"][0]["physicalLocation"]["region"] for one in log["results"]]
    assert [(place["startLine"], place["startColumn"]) for place in places] == [(1, 5), (2, 16)]
    assert run("find", "--sarif", "page.md")[0] == 2


@pytest.mark.parametrize("dump", [json.dumps, lambda told: json.dumps(told).replace("/", "\\/")])
def test_what_is_broken_in_json_is_what_is_in_its_strings(run, tmp_path, dump):
    """Judged by the texts themselves, before they were written as JSON."""
    told, found = ["http://h:80x/", "see <http://h/é a>\n", 'http://h/%zz"', "http://h:1\n"], []
    for name, text in (("b.json", dump(told)), ("b.txt", "\n".join(told))):
        (tmp_path / name).write_text(text)
        rows = [*map(json.loads, run("find", "--broken", "--json", name)[1].splitlines())]
        begins = [text.split("\n")[one["line"] - 1][one["column"] - 1 :][:4] for one in rows]
        assert begins == ["http"] * 3
        found.append([(one["text"], one["error"]["cause"]) for one in rows])
    assert found[0] == found[1]


def test_links_to_files_that_are_not_there_are_broken(run, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a b.md").write_text(
        "[a](../a.conf) [b](a%20b.md?q#f) [c](.) [d](/x) [e](#f) [g](//h/x)"
    )
    assert run("find", "--broken", "-r", "in") == (0, "", "")
    (tmp_path / "in/p.md").write_text("[a](a.conf) ![b](../in/a%20B.md#f)")
    found = ["1:5: there is no such file: a.conf", "1:18: there is no such file: ../in/a%20B.md#f"]
    told = "".join(f"in/p.md:{one}\n" for one in found)
    assert run("find", "--broken", "-r", "in") == (1, told, "")
    (tmp_path / "in/q.html").write_text('<base href="../"><a href="a.conf"></a><img src="q.html">')
    assert run("find", "--broken", "in/q.html")[:2] == (
        1,
        "in/q.html:1:49: there is no such file: q.html\n",
    )
    (log,) = json.loads(run("find", "--broken", "--sarif", "in/q.html")[1])["runs"]
    assert [one["ruleId"] for one in log["results"]] == ["no-file"]
    told = json.loads(run("find", "--broken", "--json", "in/q.html")[1])
    assert told["error"]["cause"] == "no-file"
    (tmp_path / "in/q.html").write_text('<base href="http://h/"><a href="a"></a>')
    assert run("find", "--broken", "in/q.html") == (0, "", "")


AROUND = [
    "{}",
    "<{}>",
    "\u201c{}\u201d",
    "*{}*",
    "**{}**",
    "<b>{}</b>",
    "({})",
    '"{}"',
    "see <{}>, as said",
]
FAULTY = [("http://h:80x/", "port"), ("http://[::1/", "host"), ("http://h/%zz", "path")]
PLACED = [(around, *faulty) for around in AROUND for faulty in FAULTY]


@pytest.mark.parametrize("name", ["b.txt", "b.md"])
@pytest.mark.parametrize(("around", "url", "part"), [*PLACED, ("<{}>", "http://h/a b", "path")])
def test_what_is_broken_is_found_whatever_is_around_it(run, tmp_path, name, around, url, part):
    (tmp_path / name).write_text(around.format(url))
    code, out, _ = run("find", "--broken", name)
    assert (code, out.startswith(f"{name}:1:{around.index('{') + 1}: {part}: ")) == (1, True)
    (tmp_path / name).write_text(around.format("http://h/a"))
    assert run("find", "--broken", name) == (0, "", "")


CODE = {"fence", "code_block", "code_inline"}
BROKEN_URL = re.compile(r"http://h:\d+x/")


@each_case("seed", range(150))
def test_code_of_markdown_is_not_broken(run, tmp_path, seed):
    """What is code is asked of another parser of CommonMark."""
    commonmark = pytest.importorskip("markdown_it").MarkdownIt("commonmark")
    chance = random.Random(seed)
    numbers = count()
    text = "\n\n".join(chance.choices(TABLES["blocks_of_markdown"], k=4))
    text = re.sub(r"\{\}", lambda _: f"http://h:{next(numbers)}x/", text)
    (tmp_path / "b.md").write_text(text)
    tokens = commonmark.parse(text)
    tokens += [inner for one in tokens for inner in one.children or ()]
    code = [url for one in tokens if one.type in CODE for url in BROKEN_URL.findall(one.content)]
    out = run("find", "--broken", "b.md")[1]
    told = [BROKEN_URL.search(line)[0] for line in out.splitlines()]
    assert [*filter(lambda url: url not in code, BROKEN_URL.findall(text))] == told
    (tmp_path / "b.md").write_text(text.replace("x/", "/"))
    assert len(run("find", "b.md")[1].splitlines()) == len(BROKEN_URL.findall(text))


def test_the_hook_finds_what_is_broken(run, tmp_path):
    (entry,) = re.findall(r"entry: uriparse (.*)", (ROOT / ".pre-commit-hooks.yaml").read_text())
    (tmp_path / "b.txt").write_text(BROKEN)
    assert run(*entry.split(), "b.txt", "page.md")[0] == 1
    assert run(*entry.split(), "a.conf")[0] == 0
