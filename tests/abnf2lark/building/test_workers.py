"""Tasks side by side give what they give one after another, and fail as they do."""

import os
import time
from functools import partial
from multiprocessing import get_context

import pytest
from cases import each_case

from abnf2lark.building.artifacts import gathered, processors
from abnf2lark.building.project import BuildError


def doubled(number, say):
    say("twice", str(number))
    return 2 * number, os.getpid()


def failing(number, _):
    if number == 1:
        raise BuildError("no")
    time.sleep(600)


def tasks(function, count=5):
    return {("twice", str(number)): partial(function, number) for number in range(count)}


def test_one_job_does_all_here_and_tells_what_it_does():
    said = []
    done = gathered(tasks(doubled), lambda *what: said.append(what), 1)
    assert done == {("twice", str(n)): (2 * n, os.getpid()) for n in range(5)}
    assert said == list(done)


def test_more_jobs_do_the_same_elsewhere_and_tell_what_is_done():
    said = []
    done = gathered(tasks(doubled), lambda *what: said.append(what), 2)
    assert {key: found for key, (found, _) in done.items()} == {
        ("twice", str(n)): 2 * n for n in range(5)
    }
    assert os.getpid() not in {process for _, process in done.values()}
    assert [where for where, _ in said] == [f"{n} of 5" for n in range(1, 6)]
    assert sorted(what for _, what in said) == [f"twice {n}" for n in range(5)]


def test_one_task_needs_no_process():
    assert gathered(tasks(doubled, 1), lambda *_: None, 8)["twice", "0"][1] == os.getpid()


def test_the_first_that_fails_ends_the_others():
    with pytest.raises(BuildError, match=r"^no$"):
        gathered(tasks(failing, 3), lambda *_: None, 3)


def test_processes_of_others_are_not_ended():
    other = get_context("fork").Process(target=time.sleep, args=[600])
    other.start()
    try:
        with pytest.raises(BuildError, match=r"^no$"):
            gathered(tasks(failing, 3), lambda *_: None, 3)
        assert other.is_alive()
    finally:
        other.kill()
        other.join()


def test_there_is_a_processor():
    assert 1 <= processors() <= (os.cpu_count() or 1)


@each_case("number", ["0", "-1", "x", "1.5", "١", "1001", "10000", "00010000", "9" * 5000])
def test_a_number_of_processes_is_told_from_rubbish(number, abnf2lark):
    done = abnf2lark("build", f"--jobs={number}")
    assert done.code == 2
    assert f"argument --jobs: a number of processes, from 1 to 1000, not '{number}'" in done.err
