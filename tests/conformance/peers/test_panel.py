"""Whatever a peer does, we have an outcome for each text, in time, and nothing is left behind."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest
from cases import documents, each_case, tables
from conformance.peers.misbehaving import peer
from marks import some_slow

from uriparse.conformance.peers.asking import Panel
from uriparse.conformance.peers.catalogue import DESTINATION_PEERS, Peer, environment
from uriparse.conformance.peers.coprocess import MAX_DEATHS, Silence
from uriparse.conformance.peers.destinations import Destination, Refusal

TABLES = tables(__file__)
PROGRAMS = documents(__file__)

HOST = Destination("http", "h", 80, "/")


def panel(*modes, **options):
    return Panel(map(peer, modes), **{"patience": 60, "start_up": 60, **options})


def asked(texts, mode="plain", **options):
    with panel(mode, **options) as found:
        return [outcome for [outcome] in found.outcomes(texts)]


def test_a_text_of_many_lines_is_one():
    assert asked(["http://a\nb/", "http://h/"]) == [Destination("http", "a\nb", 80, "/"), HOST]


def test_long_texts_do_not_block():
    long = "a" * 1_000_000
    outcomes = asked([f"http://{long}/"] * 3)
    assert [outcome.host for outcome in outcomes] == [long] * 3


def test_a_crash_costs_one_text():
    outcomes = asked(["http://h/", "http://crash/", "http://h/"])
    assert outcomes == [HOST, Silence("crashed"), HOST]


@pytest.mark.slow
def test_a_hang_costs_one_text():
    outcomes = asked(["http://h/", "http://hang/", "http://h/"], patience=1)
    assert outcomes == [HOST, Silence("no answer within 1 s"), HOST]


def test_a_line_without_end_costs_one_text():
    outcomes = asked(["http://babble/", "http://h/"])
    assert outcomes == [Silence("does not stop"), HOST]


def test_lines_without_end_fill_no_memory():
    """Only as many lines are read as there are texts: one for this, one for the text after it."""
    first, second = asked(["http://lines/", "http://h/"])
    assert first == Silence("its answer is garbled")
    assert second == HOST


@pytest.mark.slow
@each_case("line", TABLES["what_is_no_answer_costs_one_text"])
def test_what_is_no_answer_costs_one_text(line):
    outcomes = asked([f"http://says/{line}", "http://h/"])
    assert outcomes == [Silence("its answer is garbled"), HOST]


@each_case(
    ("port", "number"),
    [('"00080"', 80), ("null", 80), ('""', 80), ("0", 0), ('"' + "9" * 5000 + '"', 10**20)],
)
def test_ports(port, number):
    line = f'{{"scheme": "http", "host": "h", "port": {port}, "target": "/"}}'
    assert asked([f"http://says/{line}"]) == [Destination("http", "h", number, "/")]


def test_one_that_always_fails_is_given_up():
    outcomes = asked(["http://h/"] * 50, "crash")
    assert outcomes[:MAX_DEATHS] == [Silence("crashed")] * MAX_DEATHS
    assert outcomes[MAX_DEATHS:] == [Silence("gave up on it")] * (50 - MAX_DEATHS)


def test_a_refusal_keeps_a_short_reason():
    line = '{"refuses": "' + "x" * 1000 + '"}'
    [outcome] = asked([f"http://says/{line}"])
    assert isinstance(outcome, Refusal)
    assert len(outcome.reason) == 80


@each_case(("mode", "reason"), TABLES["one_that_does_not_start_has_a_row_that_says_so"])
def test_one_that_does_not_start_has_a_row_that_says_so(mode, reason):
    with panel(mode, "plain", start_up=60 if mode != "dumb" else 1) as found:
        assert [name for name, _ in found.members] == [mode, "plain"]
        [outcomes] = found.outcomes(["http://h/"])
    assert outcomes == (Silence(reason), HOST)


def test_one_that_cannot_be_run_has_a_row_that_says_so(tmp_path):
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF no program")
    program.chmod(0o755)
    with Panel([Peer("broken", str(program), ())]) as found:
        [[outcome]] = found.outcomes(["http://h/"])
    assert isinstance(outcome, Silence)
    assert outcome.reason.startswith("did not start: ")


def test_what_is_not_installed_has_no_row():
    absent = [
        Peer("no program", "no-such-program", ()),
        Peer("no module", "no_such_module", (), is_python=True),
    ]
    with Panel([*absent, peer("missing")]) as found:
        assert found.members == ()
        assert found.outcomes(["http://h/", "http://i/"]) == [(), ()]


@pytest.mark.parametrize("mode", some_slow(["plain", "hang"], "hang"))
def test_no_process_or_thread_is_left(mode):
    before = threading.active_count()
    found = panel(mode, patience=1)
    processes = [process._process for process in found._processes]
    found.outcomes(["http://h/"])
    processes += [process._process for process in found._processes if process._process]
    found.close()
    assert all(process.poll() is not None for process in processes)
    assert threading.active_count() == before


def test_closing_from_another_thread_ends_the_waiting():
    found = panel("hang")
    outcomes = []
    waiting = threading.Thread(target=lambda: outcomes.extend(found.outcomes(["http://h/"] * 9)))
    waiting.start()
    found.close()
    waiting.join(30)
    assert not waiting.is_alive()


@pytest.mark.slow
def test_python_peers_cannot_connect():
    code = PROGRAMS["CONNECTING"]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 5


@pytest.mark.slow
def test_what_a_library_prints_is_no_answer(tmp_path):
    (tmp_path / "yarl.py").write_text(PROGRAMS["PRINTING"])
    (tmp_path / "yarl-7.dist-info").mkdir()
    (tmp_path / "yarl-7.dist-info/METADATA").write_text("Name: yarl\nVersion: 7\n")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "uriparse.conformance.peers.serving", "yarl (aiohttp)"],
        env=environment() | {"PYTHONPATH": os.pathsep.join(map(str, [tmp_path, *sys.path]))},
        input='"http://h/"\n', capture_output=True, text=True, check=True,
    )  # fmt: skip
    version, answer = map(json.loads, done.stdout.splitlines())
    assert (version, answer["host"]) == ({"version": "7"}, "h")


def test_each_peer_has_its_own_name():
    names = [each.name for each in DESTINATION_PEERS]
    assert len(set(names)) == len(names) >= 20


INTERRUPTED = f"""
import sys
from uriparse.cli import interrupts
from uriparse.conformance.peers.asking import Panel
from uriparse.conformance.peers.catalogue import Peer
interrupts.end_at_once()
Panel([Peer("hangs", sys.executable, ("-c", {PROGRAMS["HANGS"]!r}, sys.argv[1]))], patience=60)
"""


@pytest.mark.skipif(os.name != "posix", reason="a signal to one thread")
def test_an_interrupt_that_another_thread_is_given_is_heard():
    assert (
        subprocess.run([sys.executable, "-c", PROGRAMS["GIVEN_TO_ANOTHER"]], check=False).returncode
        == 130
    )


@pytest.mark.skipif(os.name != "posix", reason="a named pipe, which ends with whoever writes to it")
def test_an_interrupt_leaves_no_peer_that_hangs(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(fifo)], stderr=subprocess.PIPE
    ) as process:
        with fifo.open("rb") as pipe:
            assert pipe.readline() == b"here\n"
            process.send_signal(signal.SIGINT)
            assert pipe.read() == b""
        assert (process.wait(), process.stderr.read()) == (130, b"")
