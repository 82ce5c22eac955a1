"""Many threads can use a grammar at once, from the first call on."""

import sys
import threading

import pytest
from cases import documents, each_case
from command_runs import run_program
from oracle.generation import distinct, spoiled, words
from paths import ROOT

import abnf2lark
from uriparse import URISyntaxError, parse, parse_tree

pytestmark = pytest.mark.slow

THREADS = 8

FIRST_CALLS = documents(__file__)["FIRST_CALLS"]


def outcome(action, text, rule, grammar, **options):
    try:
        return action(text, rule, grammar=grammar, **options)
    except URISyntaxError as error:
        return str(error), error.offset


def in_threads(work):
    """Run work(number) in all threads at once; raise what any of them has raised."""
    barrier, failures = threading.Barrier(THREADS), []

    def run(number):
        barrier.wait()
        try:
            work(number)
        except BaseException as failure:  # noqa: BLE001 - raised again below
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    if failures:
        raise failures[0]


@each_case(("action", "options"), [(parse, {}), (parse_tree, {}), (parse_tree, {"detail": "full"})])
@each_case(("grammar", "rule"), [("rfc3986", "URI"), ("rfc3987", "IRI-reference")])
def test_threads_get_the_same_results_as_one_alone(action, options, grammar, rule):
    texts = distinct(words(grammar, rule), 15) + distinct(spoiled(grammar, rule), 15)
    alone = [outcome(action, text, rule, grammar, **options) for text in texts]

    def work(number):
        order = texts[number:] + texts[:number]
        expected = alone[number:] + alone[:number]
        for _ in range(2):
            for text, one in zip(order, expected, strict=True):
                assert outcome(action, text, rule, grammar, **options) == one, text

    in_threads(work)


def test_first_trees_of_a_grammar_of_ones_own():
    source = (ROOT / "grammar" / "rfc3986.abnf").read_text("ascii")
    texts = distinct(words("rfc3986", "URI"), 40)
    single, shared = abnf2lark.load(source), abnf2lark.load(source)
    alone = [single.tree(text, "URI") for text in texts]

    def work(number):
        for text, one in zip(texts[number:], alone[number:], strict=True):
            assert shared.tree(text, "URI") == one, text

    in_threads(work)


def test_first_calls_from_many_threads():
    program = FIRST_CALLS.format(threads=THREADS)
    run = run_program(sys.executable, "-W", "error", "-c", program, check=False)
    assert (run.stdout, run.stderr) == ("same\n", "")
