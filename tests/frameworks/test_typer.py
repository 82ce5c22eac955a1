"""Typer takes records as the types of parameters; a mark needs a parser."""

from typing import Annotated

import pytest
from cases import each_case

from uriparse import URI, Policy

pytest.importorskip("typer")
pytest.importorskip("pydantic")

import typer
from pydantic import TypeAdapter
from typer.testing import CliRunner

# Typer reads the type alone, and leaves out what else is annotated.
PUBLIC_URI = TypeAdapter(Annotated[URI, Policy.outbound()]).validate_python
APP = typer.Typer()


@APP.command()
def plain(url: URI) -> None:
    """Take any URI."""
    typer.echo(repr(url))


@APP.command()
def judged(url: Annotated[URI, typer.Argument(parser=PUBLIC_URI)]) -> None:
    """Take what the policy accepts."""
    typer.echo(repr(url))


def answer(*given):
    told = CliRunner().invoke(APP, given)
    assert "pa55word" not in told.output
    # Rich draws a box around what is wrong, and breaks its lines.
    return told.exit_code, " ".join(told.output.replace("│", " ").split())


@each_case("command", ["plain", "judged"])
def test_parameters_are_records(command):
    assert answer(command, "http://example.com/") == (0, "<URI 'http://example.com/'>")
    status, told = answer(command, "http://u:pa55word@h:8x/")
    assert status == 2
    assert "Invalid value for 'url': port: \"8x\" " in told
