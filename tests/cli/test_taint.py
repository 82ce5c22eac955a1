"""A password goes through every command and comes out nowhere that it is not asked for."""

import re
from urllib.parse import quote

import pytest
from cases import each_case, tables
from command_runs import told_here
from command_tables import COMMANDS, LEGACY
from conformance.peers.misbehaving import peer

TABLES = tables(__file__)

CANARY = "Kanari3nv0gel"
X = "<>"
"""Stands for a text with the canary."""

VALID = [
    f"http://user:{CANARY}@h.d/p?q#f", f"HTTP://user:{CANARY}@h.d:80/%7ep",
    f"ftp://user:{CANARY}@h.d/a;type=i", f"telnet://user:{CANARY}@h.d/",
    f"postgresql://user:{CANARY}@h.d:5432/db", f"sip://:{CANARY}@h.d", f"//user:{CANARY}@h.d/p",
    f"http://user:a:{CANARY}@h.d/",
]  # fmt: skip
INVALID = [
    f"http://user:{CANARY}@h.d/a b", f"http://user:{CANARY} @h.d/",
    f"http://user:12/{CANARY} @h.d/", f"http://user:#{CANARY}#@h.d:x/",
    f"http://user:{CANARY}%zz@h.d/", f"http://user:{CANARY}@h.d:port/",
    f"http://[user:{CANARY}@h.d/", f"http://user:{CANARY}[@h.d/", f"u ser:{CANARY}@h",
    f"http://h/ ?u=http://user:{CANARY}@h.d/",
    f"http://h/ ?u={quote(f'http://user:{CANARY}@h.d/', safe='')}", f"http:\\\\user:{CANARY}@h.d\\",
    f"ftp://user:{CANARY}@h.d/a;type=z", f"telnet://user:{CANARY}@h.d/x?y",
    f"\ufeff http://user:{CANARY}@h.d/", f"http://user:{CANARY}\x00@h.d/\x1b",
    f"http://user:{CANARY}@h.d/\udcff",
]  # fmt: skip
TEXTS = [*VALID, *INVALID]
STDINS = {
    # `find` and SQLAlchemy read what is no URI, each in its own way.
    "find": [text for text in VALID if text[0] != "/"],
    "legacy database": VALID,
    # A log line has no password without "//", nor across spaces.
    "redact": [text for text in TEXTS if re.search(rf"(//|\\\\)\S*{CANARY}\S*@", text)],
}

CASES = [
    (name, [option.replace("<canary>", CANARY) for option in options])
    for name, options in TABLES["cases"]
]
NAMES = {name for name, _ in CASES}

WHOLE = {
    *("set", "resolve", "normalize", "legacy form"),  # what they make
    "get",  # what its template names
    "validate",  # what it sorts
}
"""The commands whose help says that results show passwords unless --no-show-passwords is given."""

SWITCHED = NAMES - {"redact", "explain", "help", "legacy"}


def test_every_command_has_cases():
    assert {*COMMANDS, *(f"legacy {part.NAME}" for part in LEGACY)} == NAMES


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """A directory with what the cases read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("uriparse.conformance.peers.asking.DESTINATION_PEERS", (peer("echo"),))
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "own.abnf").write_text("a = *b\nb = OCTET / %x80-10FFFF\n")
    (tmp_path / "told.abnf").write_text(
        'a = "http://user:" password "@" *VCHAR\npassword = *(ALPHA / DIGIT)\n'
    )
    (tmp_path / "page.html").write_text(f"<base href='{VALID[0]}'>")
    (tmp_path / "policy.toml").write_text(f'hosts = ["{VALID[0]}"]\n')
    (tmp_path / "suite.txt").write_text("".join(f'"{text}"\n' for text in VALID))


def texts_of(argv):
    """The texts of a command, which its first words name."""
    words = " ".join(argv[:2])
    return STDINS.get(words, STDINS.get(argv[0], TEXTS))


def run(argv):
    """Exit code, standard output and standard error."""
    end = "\0" if "-0" in argv else "\n"
    texts = ["x", *(text for text in texts_of(argv) if end not in text)]
    stdin = end.join(texts).encode("utf-8", "surrogateescape")
    return told_here(*argv, stdin=stdin, errors="surrogateescape")


def lines_of(name, options):
    """The command lines of a case: one for each text that is an argument."""
    if not any(X in option for option in options):
        yield [*name.split(), *options]
        return
    for text in STDINS.get(name, TEXTS):
        if "\0" not in text:  # no argument can hold one
            yield [*name.split(), *(option.replace(X, text) for option in options)]


def forms(text):
    """A text as it stands, and encoded as in file names and dumps of octets."""
    return text, text.encode().hex(), text.casefold()


def taints(said):
    return [line for line in said.splitlines() if any(form in line for form in forms(CANARY))]


@pytest.mark.slow
@each_case(("name", "options"), CASES)
def test_no_password_is_said_by_default(name, options):
    for argv in lines_of(name, options):
        code, out, err = run(argv)
        assert code in {0, 1, 2}, err
        assert taints(err) == [], argv
        assert name in WHOLE or taints(out) == [], argv


@pytest.mark.slow
@each_case(("name", "options"), [each for each in CASES if each[0] in SWITCHED - {"conformance"}])
def test_none_is_said_at_all_where_that_is_asked_for(name, options):
    for argv in lines_of(name, [*options, "--no-show-passwords"]):
        code, out, err = run(argv)
        assert code in {0, 1, 2}, err
        assert taints(err) == [], argv
        assert taints(out) == [], argv


@each_case("name", sorted(WHOLE - {"legacy form"}))
def test_results_are_whole_by_default(name):
    """So that the tests above look for what there is."""
    options = {"resolve": ["--base", "x:"], "set": ["--port", "1"], "get": ["-f", "{text}"]}
    _, out, _ = run([*name.split(), *options.get(name, [])])
    assert taints(out)


@pytest.mark.slow
@each_case("name", sorted(SWITCHED - {"conformance", "explain", "match"}))
def test_passwords_are_shown_where_that_is_asked_for(name):
    options = {
        "resolve": ["--base", "x:"], "set": ["--port", "1"], "get": ["-f", "{password}"],
        "compare": ["x:"],
    }  # fmt: skip
    _, out, _ = run([*name.split(), *options.get(name, []), "--show-passwords"])
    assert taints(out)
