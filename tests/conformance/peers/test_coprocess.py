"""Processes that are spoken to: what becomes of them when the command ends."""

import subprocess
import sys
import threading

import pytest

from uriparse.conformance.peers import coprocess
from uriparse.conformance.peers.coprocess import Coprocess

HANGS = [sys.executable, "-c", "import time; time.sleep(600)"]
SPEECH = (str.encode, bytes, False)


@pytest.fixture
def births(monkeypatch):
    """Processes as they begin, in the midst of being started: that goes on once they are taken."""
    begun, going_on = [], threading.Event()
    there = threading.Event()

    def slow(*args, **options):
        begun.append(popen(*args, **options))
        there.set()
        going_on.wait(10)
        return begun[-1]

    popen = subprocess.Popen
    monkeypatch.setattr(coprocess.subprocess, "Popen", slow)
    return begun, there, going_on


def test_what_is_just_being_started_is_ended_too(tmp_path, births):
    begun, there, going_on = births
    asked = Coprocess(HANGS, {}, tmp_path, *SPEECH)
    threading.Thread(target=asked.start, daemon=True).start()
    there.wait(10)
    threading.Timer(0.05, going_on.set).start()
    asked.kill()
    assert begun[0].wait(10) < 0
    asked.stop()


def test_none_is_started_once_all_are_ended(tmp_path, births):
    begun, there, going_on = births
    going_on.set()
    asked = Coprocess(HANGS, {}, tmp_path, *SPEECH)
    asked.kill()
    threading.Thread(target=asked.start, daemon=True).start()
    assert not there.wait(0.1)
    assert begun == []
