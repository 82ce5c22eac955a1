"""For click: a parameter type for URIs, whose error has a caret under the fault.

>>> import click
>>> @click.command()
... @click.argument("url", type=URIParamType())
... def fetch(url):
...     print(url.host)
>>> fetch.main(["http://example.com/a"], standalone_mode=False)
example.com

Typer takes `URI` for the type of a parameter as it is; versions of it that are built on click take
`typer.Argument(click_type=URIParamType())`. For argparse see `uriparse.extra.argparse`.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from uriparse._base import needed
from uriparse.extra.argparse import uri_argument

with needed("click", __name__):
    import click

if TYPE_CHECKING:
    from uriparse._base.coerce import Text
    from uriparse.records import URI, RelativeRef
    from uriparse.validation import Policy

    _ParamType = click.ParamType[URI | RelativeRef]
else:
    _ParamType = click.ParamType  # takes no arguments before click 8.4

__all__ = ["URIParamType"]


class URIParamType(_ParamType):
    """The type of a parameter whose values are records.

    rule, grammar: as for `parse`.
    policy: by which values are also judged; None for no policy.

    What is refused is wrong usage: click shows the message of the error, without a password, and
    a pointer to the fault below.
    """

    name = "uri"

    def __init__(
        self, rule: str = "URI", *, grammar: str = "rfc3986", policy: Policy | None = None
    ) -> None:
        self._rule = rule
        self._grammar = grammar
        self._policy = policy

    def convert(
        self, value: Text, param: click.Parameter | None, ctx: click.Context | None
    ) -> URI | RelativeRef:
        """Parse an argument, or a default."""
        try:
            return uri_argument(value, self._rule, grammar=self._grammar, policy=self._policy)
        except ArgumentTypeError as error:
            self.fail(str(error), param, ctx)

    def __repr__(self) -> str:
        return "URI"
