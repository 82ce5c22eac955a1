"""argparse shows our message, and no password."""

from argparse import ArgumentParser, ArgumentTypeError
from functools import partial

import pytest
from cases import sentence

from uriparse import URI, Policy, RelativeRef
from uriparse.extra.argparse import uri_argument


def answer(capsys, given, kind=uri_argument):
    """What a program says to an argument that it refuses."""
    parser = ArgumentParser(prog="fetch", usage="fetch URL")
    parser.add_argument("url", type=kind)
    with pytest.raises(SystemExit) as caught:
        parser.parse_args([given])
    assert caught.value.code == 2
    return capsys.readouterr().err


SAID = '"8x"'


def test_the_message_is_ours(capsys):
    assert answer(capsys, "http://u:pa55word@h:8x/") == (
        "usage: fetch URL\n"
        f"fetch: error: argument url: port: {sentence('bad-port', SAID)},"
        ' at offset 21: write digits after the ":" at offset 19, or remove it\n'
        "http://u:***@h:8x/\n"
        "                ^\n"
    )


def test_a_policy_judges(capsys):
    said = answer(capsys, "http://u:pa55word@h/", partial(uri_argument, policy=Policy.web()))
    assert said.endswith("argument url: userinfo-refused: the policy refuses userinfo\n")


def test_rule_and_grammar_are_those_of_parse():
    assert uri_argument("a:") == URI("a:")
    assert uri_argument("../é", "irelative-ref", grammar="rfc3987").grammar == "rfc3987"
    assert (
        type(uri_argument("a", "URI-reference", policy=Policy.syntax().replace(relative=True)))
        is RelativeRef
    )


def test_nothing_hangs_behind_the_error():
    with pytest.raises(ArgumentTypeError) as caught:
        uri_argument("a b")
    assert caught.value.__context__ is None
