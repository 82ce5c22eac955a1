"""One gate: no module but one writes, and no control character of the input reaches a terminal."""

import ast
import codecs
import contextlib
import io
import os
import re
import sys
import threading
import unicodedata
from pathlib import Path
from urllib.parse import quote

import pytest
from cases import each_case, tables
from command_tables import COMMANDS, CONFORMANCE, LEGACY
from conformance.peers.misbehaving import peer

import uriparse
from abnf2lark import command as abnf2lark
from uriparse.cli import main

TABLES = tables(__file__)

pty = pytest.importorskip("pty")

ROOT = Path(uriparse.__file__).parent
COMPILER = Path(abnf2lark.__file__).parent
GATES = {ROOT / "cli/console.py", COMPILER / "process.py"}
SERVANTS = {
    # Processes of their own, whose standard output is a pipe to the command.
    ROOT / "conformance/peers/serving.py"
}
SOURCES = [*ROOT.rglob("*.py"), *COMPILER.rglob("*.py")]
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}
WRITERS = {("os", "write"), ("os", "writev"), ("os", "system")}


def writings(tree):
    """What in a module writes to standard output or error, or could."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name("sys"), attr=name) if name in STREAMS:
                yield node
            case ast.ImportFrom(module="sys", names=names):
                yield from (one for one in names if one.name in STREAMS)
            case ast.Call(func=ast.Name("print" | "input")):
                yield node
            case ast.Call(func=ast.Attribute(value=ast.Name(module), attr=name)) if (
                module,
                name,
            ) in WRITERS:
                yield node
            case ast.Call(
                func=ast.Name("open") | ast.Attribute(attr="open" | "fdopen" | "dup" | "dup2"),
                args=[ast.Constant(1 | 2 | "/dev/tty" | "/dev/stdout" | "/dev/stderr"), *_],
            ):
                yield node
            case ast.Attribute(attr="print_usage" | "_print_message" | "print_exc"):
                yield node


@pytest.mark.slow
def test_no_module_but_the_gate_writes():
    assert SOURCES
    found = {
        path: [node.lineno for node in writings(ast.parse(path.read_text(encoding="utf-8")))]
        for path in SOURCES
        if path not in GATES | SERVANTS and b"_compiled" not in os.fsencode(path)
    }
    assert {path: lines for path, lines in found.items() if lines} == {}


@each_case("path", sorted(GATES))
def test_the_gate_does_write(path):
    """So that the test above looks for what there is."""
    assert list(writings(ast.parse(path.read_text(encoding="utf-8"))))


TURNS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
LINES = "\u2028\u2029"
C0 = "".join(map(chr, [*range(0x20), 0x7F]))
C1 = "".join(map(chr, range(0x80, 0xA0)))
OURS = "\x1b[97;44m"
"""Colours that are not among the command's."""
MIX = f"{OURS}a{C0.translate({10: None, 0: None})}{C1}\udc9b{TURNS}{LINES}z"
HELD = MIX.replace("\r", "").replace("\udc9b", "")
CODED = quote(HELD)
EMBEDDING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
TEXTS = [
    MIX, f"http://h/{MIX}", f"http://u{MIX}:p{MIX}@h/{MIX}?{MIX}#{MIX}", f"http://{MIX}/",
    f"{MIX}://h/", f"http://h:{MIX}/",
    f"http://u{CODED}:{CODED}@h.d/{CODED};a={CODED}?q={CODED}#{CODED}", f"http://h{CODED}/",
    f"ftp://u{CODED}@h.d/{CODED};type=a", f"gopher://h.d/0{CODED}", f"telnet://u:{CODED}@h.d/",
    f"wais://h.d/d?{CODED}", f"prospero://h.d/a;b={CODED}",
    f"postgresql://u{CODED}:p@h{CODED}/d{CODED}?o={CODED}", f"a={CODED}&{CODED}=c",
    f"http://h/{TURNS}{LINES}?q={TURNS}{LINES}#{TURNS}", f"http://h{TURNS}/",
]  # fmt: skip
STDIN = "\n".join([*TEXTS, "http://h/"]).encode("utf-8", "surrogateescape") + b"\n"
CLEARED = b"\r\x1b[K"
"""By which progress writes over its line."""
X = "<>"
"""Stands for a hostile text among the arguments."""
TTY = "<tty>"
"""Stands for the name of the terminal."""
MARKS = re.compile("<(tty|coded)?>")

CASES = TABLES["cases"]
FIRST = {argv[0]: argv for argv in reversed(CASES)}
"""For every command its own ways to say what was given to it."""


def test_every_command_has_cases():
    assert set(FIRST) == set(COMMANDS)
    assert {argv[1] for argv in CASES if argv[0] == "conformance"} >= set(CONFORMANCE)
    assert {argv[1] for argv in CASES if argv[0] == "legacy"} == {part.NAME for part in LEGACY}


def of_each(name):
    """What holds for any command: hostile arguments, options and values."""
    yield from ([name, X], [name, f"--{X}"], [name, f"-{X}"])
    yield from ([name, X, X, f"--no-{X}"], [name, "--help"])


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A directory with what the cases read."""
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(HELD.replace("/", "")[:60].encode())
    (tmp_path / name).write_bytes(STDIN)
    (tmp_path / "own.abnf").write_text("a = *b\nb = OCTET / %x80-D7FF\n")
    (tmp_path / "bad.abnf").write_bytes(f"a = b{MIX} ; {MIX}\n".encode("utf-8", "surrogateescape"))
    (tmp_path / "doubtful.abnf").write_text(
        f"a = <{HELD}> ; {HELD}\n", encoding="utf-8", newline=""
    )
    (tmp_path / "grammars").mkdir()
    (tmp_path / "grammars/grammars.toml").write_text("[own\x1b[2J]\n")
    (tmp_path / "page.html").write_text(f'<base href="http://h/{MIX[:5]}">')
    (tmp_path / "mail.eml").write_text(
        f"Content-Location: http://h/{CODED}\nContent-Type: text/html\n\n"
        f'<base href="{quote(HELD)}\x1b[2J">\n'
    )
    (tmp_path / "policy.toml").write_text(f'"{quote(HELD)}" = "{OURS}"\nx = 1\n')
    (tmp_path / "suite.txt").write_bytes(STDIN)
    return tmp_path


def on_terminal(run, argv, stdin=STDIN):
    """What a command writes when standard output and error are a terminal."""
    leader, follower = pty.openpty()
    name = os.ttyname(follower)
    seen = []

    def listen():
        with contextlib.suppress(OSError):
            while block := os.read(leader, 1 << 16):
                seen.append(block)

    listener = threading.Thread(target=listen)
    listener.start()
    kept = sys.stdin, sys.stdout, sys.stderr
    if "-0" in argv:
        stdin = stdin.replace(b"\n", b"\0")
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with (
            os.fdopen(os.dup(follower), "w", encoding="utf-8", newline="\n") as sys.stdout,
            os.fdopen(follower, "w", encoding="utf-8", newline="\n") as sys.stderr,
        ):
            stands_for = {X: TEXTS[1], TTY: name, "<coded>": CODED}
            code = run([MARKS.sub(lambda found: stands_for[found[0]], each) for each in argv])
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept
        listener.join()
        os.close(leader)
    return code, re.sub(rb"\r+\n", b"\n", b"".join(seen))


def offences(said):
    """The characters in what a terminal got that it obeys rather than shows."""
    text = said.decode("utf-8")
    for char in text:
        obeyed = unicodedata.category(char) in {"Cc", "Zl", "Zp", "Cs"} and char not in "\n\t"
        if obeyed or unicodedata.bidirectional(char) in EMBEDDING or char in TURNS:
            yield char


def check(run, argv, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    code, said = on_terminal(run, argv)
    assert code in {0, 1, 2}, said
    assert said
    assert [*offences(said.replace(CLEARED, b""))] == [], argv
    monkeypatch.delenv("NO_COLOR")
    _, said = on_terminal(run, argv)
    assert OURS.encode() not in said
    assert [*offences(re.sub(rb"\x1b\[[0-9;]+m", b"", said.replace(CLEARED, b"")))] == [], argv


def test_what_is_looked_for_is_seen():
    """A program that echoes shows that the terminal passes on what it is given."""

    def echo(_):
        sys.stdout.write(MIX.replace("\udc9b", ""))
        return 0

    _, said = on_terminal(echo, [])
    assert {*offences(said)} == {*C0, *C1, *TURNS, *LINES} - {*"\0\t\n"}


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    "argv",
    [
        # One way of each command at every run, the others in CI.
        pytest.param(argv, marks=() if argv is FIRST[argv[0]] else pytest.mark.slow)
        for argv in CASES
    ],
    ids=" ".join,
)
def test_a_terminal_gets_no_control_character(monkeypatch, argv):
    monkeypatch.setattr("uriparse.conformance.peers.asking.DESTINATION_PEERS", (peer("echo"),))
    check(main, argv, monkeypatch)


@pytest.mark.slow
@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("name", COMMANDS)
def test_nor_from_arguments_of_any_kind(monkeypatch, name):
    monkeypatch.setattr("uriparse.conformance.peers.asking.DESTINATION_PEERS", (peer("echo"),))
    for argv in of_each(name):
        check(main, argv, monkeypatch)


COMPILER_CASES = TABLES["compiler_cases"]


def test_every_command_of_the_compiler_has_cases():
    (commands,) = (a for a in abnf2lark._parser()._actions if hasattr(a, "add_parser"))
    assert {argv[0] for argv in COMPILER_CASES} >= set(commands.choices)


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("argv", COMPILER_CASES, ids=" ".join)
def test_a_terminal_gets_none_from_the_compiler(monkeypatch, argv):
    check(abnf2lark.main, argv, monkeypatch)


@each_case("form", ["text", "csv", "ndjson"])
def test_a_pipe_gets_texts_byte_for_byte(form):
    data = MIX.replace("\r", "").encode("utf-8", "surrogateescape")
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    kept = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = io.TextIOWrapper(io.BytesIO(data)), out
    try:
        main(["validate", "--format", form, "--bad", "-"])
    finally:
        sys.stdin, sys.stdout = kept
    out.flush()
    written = out.buffer.getvalue()
    assert written.count(data) == (1 if form == "ndjson" else 2)
    assert codecs.BOM_UTF8 not in written
