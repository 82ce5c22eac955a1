"""Parameters behind a ";", as tel, geo, sip and sips URIs have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from uriparse.schemes.encoding import Encoded

if TYPE_CHECKING:
    from collections.abc import Iterator

Parameters: TypeAlias = "tuple[tuple[Encoded, Encoded | None], ...]"
"""Pairs of name and value as written, in their order; the value is None without "="."""


def parameters_of(written: Encoded) -> Parameters:
    """Read text such as `;a=b;c`, each parameter with the ";" before it.

    >>> parameters_of(Encoded(";a=b;c"))
    (('a', 'b'), ('c', None))
    """
    return tuple(_parameters(written))


def _parameters(written: Encoded) -> Iterator[tuple[Encoded, Encoded | None]]:
    at = written.start or 0
    for parameter in written.split(";")[1:]:
        name, equals, value = parameter.partition("=")
        begin = at + 1 + len(name) + 1
        yield Encoded(name, at + 1), Encoded(value, begin) if equals else None
        at += 1 + len(parameter)
