"""click reads records and shows the caret."""

import pytest

from uriparse import URI, RelativeRef

pytest.importorskip("click")

import click
from click.testing import CliRunner

from uriparse.extra.click import URIParamType

POINTED = """\
http://u:***@h:8x/
                ^
"""


def answer(given, kind):
    @click.command()
    @click.argument("url", type=kind)
    def show(url):
        click.echo(repr(url))

    return CliRunner().invoke(show, [given])


def test_values_are_records():
    assert answer("http://h/", URIParamType()).output == "<URI 'http://h/'>\n"
    assert answer("?", URIParamType("URI-reference")).output == "<RelativeRef '?'>\n"
    assert answer("a:é", URIParamType("IRI", grammar="rfc3987")).output == "<URI 'a:é'>\n"


def test_a_fault_is_pointed_at_and_no_password_shown():
    told = answer("http://u:pa55word@h:8x/", URIParamType())
    assert told.exit_code == 2
    assert "Invalid value for 'URL': port: \"8x\" " in told.output
    assert told.output.endswith(POINTED)
    assert "pa55word" not in told.output


def test_defaults_are_records_or_read():
    @click.command()
    @click.option("--one", type=URIParamType(), default=URI("a:"))
    @click.option("--two", type=URIParamType("URI-reference"), default="b", show_default=True)
    def show(one, two):
        assert (type(one), type(two)) == (URI, RelativeRef)

    assert CliRunner().invoke(show, [], catch_exceptions=False).exit_code == 0
    assert "--one URI" in CliRunner().invoke(show, ["--help"]).output
