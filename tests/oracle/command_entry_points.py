"""Ways into the command: each subcommand run in this process, a text as argument, input or option.

`uriparse diff` is not among them: it runs whatever other readers are installed, some of which are
not linear.
"""

import contextlib
import io
import sys

from oracle.entry_point import REFERENCE, EntryPoint
from parameters import HTTP

from uriparse.cli import main

BASE = f"--base={HTTP}"
LINES = {
    "parse": ("", "--json", "--grammar=rfc3987", "--rule=host", "--show-passwords"),
    "tree": ("", "--json", "--grammar=rfc1738", "--rule=host"),
    "resolve": (*(BASE, f"{BASE} --json --dialect=rfc2396", f"{BASE} --non-strict"),
                *(f"{BASE} --relative", f"{BASE} --relative --json")),
    "normalize": ("--nfc", "--json --level=scheme --grammar=rfc3987",
                  "--key=surt+drop-tracking --explain"),
    "redact": ("", "--profile=strict", "--query=q"),
    "compare": (f"{BASE} x", f"{BASE} --json x", "x:y"),
    "url": ("", "--json", "--registry rfc1738-relaxed", "--plan",
            "--plan --json --empty-search=keep"),
    "legacy dialects": ("", "--json"),
    "legacy form": ("", "--json", "--to recoded", "--to encoded", "--to decoded"),
    "legacy database": ("", "--json", "--to lossless", "--to unquoted"), "explain": ("", "--json"),
    "match": ("", "--json --rule=host"), "get": ("-f {host}{query[q]}", "--json -f {segments[-1]}"),
    "set": ("--fragment f --without query", "--json --add-query a=b"),
}  # fmt: skip
"""Command lines that lack a text: as argument or, but for `explain`, on standard input."""

INPUTS = {
    "find": ("", "--json --suffixes", "--only --schemes=any --grammar=rfc3987", "--prefixed",
             "--decode html --decode json --decode mail"),
    "validate": (*("", "--format=ndjson --warnings", "--policy=outbound --summary",
                   "--null --no-show-passwords"),
                 *("--column=1", "--field=a", "--policy=strict", "--grammar=rfc3987 --format=csv")),
}  # fmt: skip
"""Command lines that read standard input alone."""

OPTIONS = {
    "parse": ("rule", "grammar"), "tree": ("rule", "grammar"),
    "resolve": ("base", "dialect", "base-of", "embedded", "enclosing", "retrieval", "default"),
    "normalize": ("level", "key"), "redact": ("query",), "compare": ("base",),
    "url --plan": ("email",),
    "find": ("schemes", "limit"),
    "validate": ("rule", "policy", "column", "jobs", "file"), "match": ("rule", "grammar", "abnf"),
    "get": ("format",), "set": ("host", "path", "child", "set-query"),
}  # fmt: skip
"""Options that take a text."""


class CommandWay(EntryPoint):
    """A command line with one text in it."""

    def __call__(self, text):
        """Run it; whatever it says, it is not a fault of the command itself."""
        assert self.call(text) in {0, 1, 2}


def run(arguments, given=""):
    """Run the command in this process."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogatepass") for _ in range(2)]
    before, sys.stdin = (
        sys.stdin,
        io.TextIOWrapper(io.BytesIO(given.encode(errors="surrogatepass"))),
    )
    try:
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            return main(arguments)
    finally:
        sys.stdin = before


def ways():
    for command, lines in LINES.items():
        rule = ("rfc1738", "url") if command == "url" else REFERENCE
        for line in lines:
            words = [*command.split(), *line.split()]
            yield CommandWay(f"uriparse {command}", f"{line} TEXT", by_argument(words), rule)
            if command != "explain":
                yield CommandWay(f"uriparse {command}", f"{line} -", by_input([*words, "-"]), rule)
    for command, lines in INPUTS.items():
        for line in lines:
            words = [command, *line.split(), *(["-"] if command == "find" else [])]
            yield CommandWay(f"uriparse {command}", f"{line} -", by_input(words), share=2)
    for command, options in OPTIONS.items():
        for option in options:
            yield CommandWay(f"uriparse {command}", f"--{option}=TEXT", by_option(command, option))
    yield CommandWay("uriparse tree", "--full TEXT", by_argument(["tree", "--full"]), scale=6)
    yield CommandWay("uriparse compare", "TEXT TEXT", lambda text: compare(text, text + "x"))
    yield CommandWay("uriparse tree", "--rules TEXT", by_argument(["tree", "--rules"]))
    yield CommandWay("uriparse", "TEXT", lambda text: run([text]))


def compare(*texts):
    return run(["compare", "--", *texts])


def by_argument(words):
    return lambda text: run([*words, "--", text])


def by_input(words):
    return lambda text: run(words, text)


def by_option(command, option):
    argument = [] if command in {"validate", "resolve"} else ["x:y"]
    return lambda text: run([*command.split(), f"--{option}={text}", *argument])


COMMAND_ENTRY_POINTS = [*ways()]
