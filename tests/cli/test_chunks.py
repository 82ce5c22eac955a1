"""Lines of a file are answered in chunks, with the octets that each gets by itself."""

import contextlib
import io
import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random

import pytest
from cases import each_case, tables, vectors
from command_runs import COMMAND, Arriving, here

import uriparse
from uriparse.cli import main, per_line
from uriparse.cli.console import Console

TEXTS = tables(__file__)["texts"]

OPTIONS = [[], ["--json"], ["--show-passwords"], ["--no-show-passwords"]]
EDITS = [
    *OPTIONS, ["--grammar=rfc3987"], ["--json", "--show-passwords"], ["--json", "--invalid=drop"],
    ["-0"], ["--invalid=keep"], ["--invalid=fail"],
]  # fmt: skip
TEMPLATES = [
    r"{scheme}\t{host}:{port|none}{path}", "{text}", "{authority|-} {userinfo} {query|?}{fragment}",
    "{query[q]|none}", "{origin}|{effective_port}", "{segments[0]}", "{port:required}", "constant",
]  # fmt: skip
GIVEN = [
    *product([["get", "-f", TEMPLATES[0]]], EDITS),
    *product([["get", "-f", one] for one in TEMPLATES[1:]], [[], ["--json"]]),
    (["get", "-f", "{host}"], ["--suffix=https"]), (["get", "-f", "{host}"], ["--whatwg"]),
    *product([["set", "--port=1"], ["set", "--scheme=x", "--remove-query=q"]], EDITS),
    *product([["normalize"], ["resolve", "--base=http://a/b/c"]], EDITS),
    *product([["normalize", "--level=syntax"], ["normalize", "--to=iri"], ["normalize", "--nfc"],
              ["normalize", "--key=scheme"], ["normalize", "--key=surt"],
              ["resolve", "--base=http://h/b", "--non-strict"],
              ["resolve", "--base=http://h/b", "--relative"]], OPTIONS),
    *product([["compare", "http://EXAMPLE.com"], ["compare", "mailto:Joe@example.com"],
              ["compare", "--base=http://h/", "http://h/"],
              ["compare", "--ignore-fragment", "http://h"]], OPTIONS),
    *product([["url"], ["url", "--plan"], ["parse"]], OPTIONS),
    (["redact"], []), (["redact"], ["-0"]), (["parse"], ["--whatwg"]), (["match"], []),
]  # fmt: skip


def slowly(*argv, input):  # noqa: A002 - as of subprocess.run
    """Run the command on lines of which each comes by itself."""
    end = b"\0" if "-0" in argv else b"\n"
    lines = (line + end for line in input.split(end) if line)
    return here(*argv, input=io.BufferedReader(Arriving(lines)))


@pytest.mark.parametrize("argv", [[*a, *b] for a, b in GIVEN], ids=" ".join)
def test_a_line_of_many_gets_the_answer_that_it_gets_alone(argv):
    random = Random(1)
    data = "\n".join(["http://h/"] * 2 + random.choices(TEXTS, k=150)).encode() + b"\n"
    data = data.replace(b"%\n", b"\xff\n", 3)
    if "-0" in argv:
        data = data.replace(b"\n", b"\0")
    many, single = here(*argv, input=data), slowly(*argv, input=data)
    assert (many.returncode, many.stdout, many.stderr) == (
        single.returncode,
        single.stdout,
        single.stderr,
    )
    assert many.stdout


@pytest.mark.skipif(uriparse.implementation != "native", reason="without the kernel, none are")
@each_case("argv", [
    ["get", "-f", "{host}"], ["normalize"],
    ["resolve", "--base=http://a/"], ["compare", "http://h/"],
])  # fmt: skip
def test_lines_that_are_in_order_are_not_looked_at_one_by_one(monkeypatch, capsys, argv):
    seen = []
    read = per_line.text_reader

    def reader(*given):
        own = read(*given)
        return lambda text: seen.append(text) or own(text)

    for name, module in list(sys.modules.items()):
        if name.startswith("uriparse.cli.") and hasattr(module, "text_reader"):
            monkeypatch.setattr(module, "text_reader", reader)
    lines = [f"http://h{n}/" if n % 100 else "http://h/ x" for n in range(1000)]
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join([*lines, ""]).encode()))
    )
    assert main(argv) == 1
    assert (len(seen), set(seen)) == (10, {"http://h/ x"})
    out, err = capsys.readouterr()
    assert out.count("\n") + err.count("\n") == 1000


def test_messages_that_nobody_reads_are_not_made(tmp_path):
    source = tmp_path / "in"
    source.write_text("\n".join(["a b", "http://h/", "%"] * 50))
    for option in ([], ["--invalid=drop"], ["--invalid=keep"], ["--json"]):
        argv = [*COMMAND, "normalize", *option, "--file", source]
        heard = subprocess.run(argv, capture_output=True, check=False)
        deaf = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        assert (deaf.returncode, deaf.stdout) == (heard.returncode, heard.stdout) != (0, b"")


@pytest.mark.skipif(os.name != "posix", reason="the null device by its name")
def test_the_null_device_is_known(monkeypatch):
    with Path(os.devnull).open("w") as null:
        monkeypatch.setattr(sys, "stderr", null)
        assert not Console().is_heard
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert Console().is_heard


def test_a_url_of_today_is_a_uri():
    """So `url` need not ask for the scheme of a text that is none."""
    texts = {case["text"] for case in vectors("schemes_urls")}
    read = 0
    for text in sorted(texts | {f"{text}{odd}" for text in texts for odd in "|^%{é #"}):
        with contextlib.suppress(uriparse.URIError):
            uriparse.parse_url(text)
            read += 1
            assert uriparse.is_valid(text), text
    assert read > 100


def test_names_and_values_of_json_are_escaped():
    done = here("get", "--json", "-f", '{query["é]}', input=b"/?%22%C3%A9=%22\n")
    assert json.loads(done.stdout)["fields"] == {'query["é]': '"'}
