"""Whatever a peer does, there is an answer or a silence for each text, and no more is lost."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cases import documents, each_case

from uriparse.conformance.commands.trial_command import trouble_code
from uriparse.conformance.peers.asking import ABSENT, ask
from uriparse.conformance.peers.catalogue import Peer, peer, peers_of
from uriparse.conformance.peers.tasks import PeerTask

pytestmark = pytest.mark.slow

PORT = PeerTask("port", "rfc3986")
TEXTS = ["1", "a", "22", "", "\ud800", "x\ny"]
RIGHT = [True, False, True, False, False, False]

COMMAND = documents(__file__)["COMMAND"]
OPERATIONS = ["", "resolution", "normalization", "equivalence", "relativization"]
PEERS_OF = [(peer.name, each) for each in OPERATIONS for peer in peers_of(each)]


@pytest.fixture(autouse=True)
def here(monkeypatch):
    """Peers are looked for in the working directory."""
    monkeypatch.chdir(Path(__file__).parent)


def asked(named, texts=TEXTS, task=PORT, **options):
    each = peer(named) if isinstance(named, str) else named
    [found] = ask([each], task, texts, **{"patience": 60, **options})
    return found


def verdicts(found):
    return [None if each is None else each.silence or each.accepts for each in found.answers]


def command(does, name="own"):
    return Peer(name, sys.executable, ("-c", COMMAND, does), greets=False)


def test_what_fails_to_ask_gives_no_verdict():
    fault = "AttributeError: 'str' object has no attribute 'no_such_method'"
    assert verdicts(asked("misjudging:failing")) == [fault, False, fault, *RIGHT[3:]]


@each_case(("name", "operation"), PEERS_OF)
def test_built_in_peers_answer_what_they_are_known_to(name, operation):
    """A plain text in its components; a fault at a hostile one would be of its adapter."""
    task = PeerTask(operation=operation) if operation else PeerTask("URI", "rfc3986")
    plain = "http://a.b/c?d=e#f"
    mixed = [plain, "http://[::1]:8/?#", "\n", "http://h:x", "http://[v1.a]/", "http://\ud800/"]
    texts = [" ".join(["http://h/"] * (1 + (operation != "normalization")))]
    found = asked(peer(name, operation=operation), texts if operation else mixed, task, whole=True)
    assert found.trouble in ("", ABSENT)
    assert not any(said and said.silence for said in found.answers)
    if found.trouble or operation:
        return
    assert found.answers[0].accepts
    told = found.answers[0].components or {}
    for component, value in {"scheme": "http", "host": "a.b", "query": "d=e"}.items():
        assert told.get(component, value) == value
    assert told.get("text", plain) == plain


@each_case("operation", OPERATIONS)
def test_a_built_in_peer_that_answers_otherwise_is_not_asked(operation, monkeypatch):
    """A library of another interface: its adapter raises AttributeError, or all is refused."""
    broken = peer("uriparse", operation=operation)
    changed = replace(broken, arguments=(*broken.arguments[:-1], "misjudging:failing"))
    monkeypatch.setattr("uriparse.conformance.peers.asking.PEERS", (changed,))
    task = PeerTask(operation=operation) if operation else PeerTask("URI", "rfc3986")
    found = asked(changed, ["http://h/"], task)
    assert found.answers == ()
    assert found.trouble.startswith("this is a bug: its adapter reads it: ")
    assert trouble_code(["", found.trouble, ABSENT]) == 70


def test_a_crash_of_a_function_costs_one_text():
    assert verdicts(asked("misjudging:crashing")) == [True, "crashed", *RIGHT[2:]]


def test_a_hang_of_a_function_costs_one_text():
    found = asked("misjudging:hanging", patience=1)
    assert verdicts(found) == [True, "no answer within 1 s", *RIGHT[2:]]


def test_one_that_always_crashes_is_given_up(monkeypatch):
    monkeypatch.setattr("uriparse.conformance.peers.asking.MAX_CRASHES", 3)  # each is a start
    found = verdicts(asked("misjudging:dying", ["1"] * 8))
    assert found == ["crashed"] * 3 + ["gave up on it"] * 5


def test_a_function_cannot_connect():
    assert verdicts(asked("misjudging:connecting", ["1"])) == [False]


@each_case(("named", "trouble"), [
    ("no_such_module:f", "ModuleNotFoundError: No module named 'no_such_module'"),
    ("misjudging:f", "AttributeError: module 'misjudging' has no attribute 'f'"),
    ("misjudging:value", "TypeError: misjudging:value is not a function"),
])  # fmt: skip
def test_a_function_that_cannot_be_found_is_told(named, trouble):
    found = asked(named)
    assert found.answers == ()
    assert found.trouble == f"did not start: {trouble}"


@each_case(("does", "silence"), [
    ("sys.exit(1)", "crashed"), ("time.sleep(600)", "no answer within 1 s"),
    ("print('no', flush=True)", "its answer is garbled"),
    ("print('[' * 100000, flush=True)", "its answer is garbled"),
])  # fmt: skip
def test_a_command_that_fails_loses_one_text(does, silence):
    found = asked(command(does), ["1", "a", "22"], patience=1 if "sleep" in does else 60)
    assert verdicts(found) == [True, silence, True]


SLOW = documents(__file__)["SLOW"]


def test_a_slow_start_is_no_silence():
    """A command that does not greet may take its time before its first answer, also again."""
    slow = Peer("slow", sys.executable, ("-c", SLOW), greets=False)
    assert verdicts(asked(slow, ["1", "a", "22"], patience=1)) == [True, "crashed", True]


def test_one_that_never_answers_is_waited_for_once(monkeypatch):
    monkeypatch.setattr(
        "uriparse.conformance.peers.coprocess.Coprocess.__init__.__defaults__",
        (False, 1, 2, 3, None),
    )
    mute = Peer("mute", sys.executable, ("-c", "import time; time.sleep(600)"), greets=False)
    found = verdicts(asked(mute, ["1", "2", "3"], patience=1))
    assert found == ["no answer within 2 s", "no answer within 1 s", "no answer within 1 s"]


def test_commands_are_not_given_what_is_no_unicode():
    assert verdicts(asked(command("pass"))) == [*RIGHT[:4], None, False]


@each_case("answer", ["false", "null", "0", '""', "{}", "[]"])
def test_any_value_that_is_not_rejects(answer):
    [said] = asked(command(f"print({answer!r}, flush=True)"), ["a"]).answers
    assert said.accepts is False


@each_case("jobs", [1, 3])
def test_slow_ones_are_asked_a_part_in_several_processes(jobs):
    slow = Peer("slow", sys.executable, ("-c", COMMAND, ""), greets=False, stride=4)
    texts = [str(number) for number in range(21)]
    found = asked(slow, texts, jobs=jobs)
    assert verdicts(found) == [None if number % 4 else True for number in range(21)]
    assert verdicts(asked(slow, texts, jobs=jobs, whole=True)) == [True] * 21


@each_case("absent", [
    Peer("no program", "no-such-program", ()),
    Peer("no module", "no_such_module", (), is_python=True),
])  # fmt: skip
def test_what_is_not_installed_is_said_to_be(absent):
    assert asked(absent).trouble == ABSENT
