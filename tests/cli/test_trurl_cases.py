"""trurl's own test list, each case run as the pipeline of our commands that does the same.

tests/vectors/trurl has the list as trurl publishes it, with its licence, and the cases in which we
differ, by reason. The translation goes option by option and knows nothing of single cases. A case
holds if standard output is the same, and if both commands fail or neither does; messages are each
one's own. A case that is listed as a difference must still be one.
"""

import contextlib
import io
import json
import re
import shlex
import sys

import pytest
from paths import ROOT, VECTORS

from uriparse.cli import main

SUITE = json.loads((VECTORS / "trurl" / "cases.json").read_text(encoding="utf-8"))
CASES = {
    number: case
    for number, case in enumerate(SUITE["cases"], 1)
    if "uppercase-hex" not in case.get("excludes", ())  # the same cases with an older libcurl
}
REASONS = {number: reason for reason, those in SUITE["differences"].items() for number in those}
PAGE = ROOT / "tools/docs/how-to/from-trurl.md"


# From trurl's command line to ours: set | set ... | resolve | normalize | get.


class NotOfferedError(Exception):
    """An option or a component for which there is no command of ours."""


def set_words(value):
    """Translate `--set NAME=DATA`, `:=` for what is encoded, `?=` for what may be there."""
    name, how, data = re.fullmatch(r"(\w+)([?:]*)=(.*)", value).groups()
    if name not in PARTS:
        raise NotOfferedError(name)
    if not data:
        return ["--without", {"user": "userinfo"}.get(name, name)]
    if name == "path":
        data = f"/{data.removeprefix('/')}"
    if "?" in how:
        raise NotOfferedError("?=")
    return [*(["--encode"] if ":" not in how else []), f"--{name}", data]


def append_words(value):
    name, _, data = value.partition("=")
    return [{"path": "--child", "query": "--add-query"}[name], data]


SHORT = {"-a": "--append", "-g": "--get", "-s": "--set", "-f": "--url-file"}
OF_DATA = {"--path", "--query", "--fragment"}
PARTS = ("scheme", "user", "password", "host", "port", "path", "query", "fragment")
SET = {
    "--append": append_words, "--qtrim": lambda value: ["--remove-query", value],
    "--query-separator": lambda value: ["--separator", value],
    "--replace": lambda value: ["--set-query", value],
    "--replace-append": lambda value: ["--set-query", value],
    "--force-replace": lambda value: ["--set-query", value], "--set": set_words,
    "--trim": lambda value: ["--remove-query", value.removeprefix("query=")],
    "--url": lambda value: [value], "--url-file": lambda value: ["--file", value],
}  # fmt: skip
"""What the options with a value are for `uriparse set`."""

LACKING = {
    "--append": ["--child"], "--replace": ["--set-query"], "--replace-append": ["--set-query"],
    "--set": ["--path"],
}  # fmt: skip
"""What they are where the value is missing."""

FLAGS = {
    "--accept-space": None,  # a stage of its own
    "--as-idn": ["--to=iri"], "--keep-port": None,  # not scheme-based
    "--no-guess-scheme": None,  # we guess nothing unless asked
    "--punycode": ["--to=uri"], "--quiet": None,  # messages are not compared
    "--verify": None,  # an invalid text is an error anyway
    **dict.fromkeys(("--default-port", "--json", "--urlencode")),  # see `template_of`
}  # fmt: skip
"""What the options without a value are for `uriparse normalize`."""


def options_of(arguments):
    """Split trurl's command line into options, each with its value or None."""
    words = [*arguments]
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if word[:2] in SHORT:
            name, equals, value = SHORT[word[:2]], word[2:], word[2:]
        if not word.startswith("-"):
            yield "--url", word
        elif name in FLAGS or equals:
            yield name, value
        else:
            yield name, words.pop(0) if words else None


def pipeline_of(arguments):
    """Translate trurl's command line into a pipeline of our commands."""
    given = [*options_of(arguments)]
    names = {name for name, _ in given}
    sets, rest, normalize, get = [["set"]], [], ["normalize"], []
    normalize += ["--level=syntax"] if "--keep-port" in names else []
    if "--accept-space" in names:
        sets.insert(0, ["get", "--whatwg", "-f", "{text}"])
    for name, value in given:
        if name == "--get":
            template = [] if value is None else [template_of(value, names, normalize)]
            get += [*(["-f"] if get else ["get", "--show-passwords", "-f"]), *template]
        elif name == "--redirect":
            rest += [["resolve", "--base", given[0][1], *([] if value is None else [value])]]
        elif name in FLAGS:
            normalize += FLAGS[name] or []
        elif name not in SET:
            raise NotOfferedError(name)
        else:
            words = LACKING.get(name, []) if value is None else SET[name](value)
            if "--encode" in sets[-1] and words[0] in OF_DATA:  # which is encoded already
                sets.append(["set"])
            (sets[0] if name.startswith("--url") else sets[-1]).extend(words)
    if names & {"--url", "--url-file"}:
        sets[0] += [] if "--no-guess-scheme" in names else ["--suffix=http"]
    elif "--set" in names:
        sets[0] += [""]  # the empty reference
    if "--json" in names:
        get += ["get", "--show-passwords"] if not get else []
        get += ["--json", "-f", json_fields(names)]
    iri = ["--grammar=rfc3987"] if any(word.startswith("--to=") for word in normalize) else []
    stages = [*(rest or sets), normalize, *([get] if get else [])]
    return [[*stage, *iri] for stage in stages]


TOKEN = re.compile(r"[{]([^{}]*)[}]|\[([^\[\]]*)\]|\\(.)|(.)", re.DOTALL)
QUALIFIER = re.compile(r"(url|strict|must|default|puny|idn|):(.*)", re.DOTALL)


def template_of(text, names, normalize):
    """Translate a format; the form of a host is for `uriparse normalize`."""
    parts = []
    for braces, brackets, escaped, plain in TOKEN.findall(text):
        if braces or brackets:
            parts.append(field_of(braces or brackets, names, normalize))
        elif escaped:
            parts.append({"{": "{{", "[": "["}.get(escaped, f"\\{escaped}"))
        else:
            parts.append(plain * 2 if plain in "{}\\" else plain)
    return "".join(parts)


def field_of(name, names, normalize):
    """Translate what is in braces, with its qualifiers."""
    views = {"url"} if "--urlencode" in names else set()
    while found := QUALIFIER.fullmatch(name):
        views.add(found[1] or "url")
        name = found[2]
    normalize += ["--to=uri"] * ("puny" in views) + ["--to=iri"] * ("idn" in views)
    required = ":required" if "must" in views else ""
    name, _, key = name.partition(":")
    if name in {"query", "query-all"} and _:
        how = (":all" if name == "query-all" else "") + (":written" if "url" in views else "")
        return f"{{query[{key}]{how}{required}}}"
    if name == "url":
        if "default" in views:
            raise NotOfferedError("default:url")
        return "{text}"
    if name == "port" and ("default" in views or "--default-port" in names):
        return "{effective_port}"
    if name not in PARTS:
        raise NotOfferedError(name)
    decoded = "" if "url" in views else ":decoded"
    return f"{{{name}{decoded}{required}}}"


# JSON in our form, in trurl's; what is absent is not in it, and a pair without "=" has "".


def json_fields(names):
    decoded = "" if "--urlencode" in names else ":decoded"
    return "{text}{query_pairs}" + "".join(f"{{{name}{decoded}}}" for name in PARTS)


def in_form_of_trurl(line):
    fields = json.loads(line)["fields"]
    parts = {name.partition(":")[0]: value for name, value in fields.items() if value is not None}
    url, pairs = parts.pop("text"), parts.pop("query_pairs")
    params = [{"key": name, "value": value or ""} for name, value in pairs]
    return {"url": url, "parts": parts, **({"params": params} if "query" in parts else {})}


# The runs.


def run(stages, monkeypatch):
    """Run a pipeline; give its output, and whether a stage failed."""
    data, failed = b"", False
    for stage in stages:
        out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(stage)
        out.flush()
        data = out.buffer.getvalue()
        assert code in {0, 1, 2}, err.getvalue()
        assert (code == 0) <= (not err.getvalue()) or "is empty" in err.getvalue()
        failed = failed or code != 0
    return data.decode(), failed


def holds(case, monkeypatch):
    """Judge a case; None where its command line cannot be translated."""
    expected = case["expected"]
    arguments = case["input"]["arguments"]
    try:
        stages = pipeline_of(arguments)
    except NotOfferedError:
        return None
    output, failed = run(stages, monkeypatch)
    wanted = expected["stdout"]
    if "--json" in arguments:
        wanted = json.loads(wanted) if wanted == "[]\n" else wanted
        output = [in_form_of_trurl(line) for line in output.splitlines()]
    return output == wanted and failed == (expected["returncode"] != 0)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Be where the files are that some cases read."""
    (tmp_path / "testfiles").mkdir()
    for name, text in SUITE["files"].items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("files")
def test_the_cases(monkeypatch):
    found = {number: holds(case, monkeypatch) for number, case in CASES.items()}
    differs = {number: CASES[number]["input"] for number, held in found.items() if not held}
    assert {n: case for n, case in differs.items() if n not in REASONS} == {}, "not listed"
    assert [n for n in REASONS if found[n]] == [], "listed, and they hold"


@pytest.mark.usefixtures("files")
def test_what_the_page_says(monkeypatch):
    """Both numbers, and for each reason how often it occurs and an example that is one."""
    page = PAGE.read_text(encoding="utf-8")
    assert f"{len(CASES) - len(REASONS)} of the {len(CASES)} cases" in page
    rows = re.findall(r"(?m)^\| ([^|]+) \| (\d+) \| `(.*)` \| `(.*)` \| `(.*)` \|$", page)
    assert {row[0]: int(row[1]) for row in rows} == {
        reason: len(those) for reason, those in SUITE["differences"].items()
    }
    for reason, _, *cells in rows:
        those = SUITE["differences"][reason]
        assert cells in [[*example(CASES[number], monkeypatch)] for number in those], cells


def example(case, monkeypatch):
    """Yield a command line, and what trurl and our commands make of it."""
    arguments, expected = case["input"]["arguments"], case["expected"]
    yield " ".join(["trurl", shlex.join(arguments)]).strip()
    yield shown(expected["stdout"], expected["returncode"] != 0)
    try:
        yield shown(*run(pipeline_of(arguments), monkeypatch))
    except NotOfferedError:
        yield "error"


def shown(output, failed):
    """Return what a cell of the table says of an output, the first 60 characters at most."""
    words = " ".join(output.split()) if isinstance(output, str) else json.dumps(output)
    words = words.replace("\0", r"\x00")
    return (words if len(words) <= 60 else f"{words[:60]}...") or ("error" if failed else "nothing")
