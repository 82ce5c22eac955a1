"""The parts of a message. Apart from the errors, which most programs import and few look into."""

from typing import NamedTuple

__all__ = ["Advice", "Argument"]


class Argument(NamedTuple):
    """An argument with which a function accepts a text that it has rejected.

    effect: what the argument does, one clause: `"read it as an IRI"`.
    name: the parameter: `"grammar"`.
    value: the value to pass: `"rfc3987"`.
    """

    effect: str
    name: str
    value: str | bool


class Advice(NamedTuple):
    """The parts of a message: what is wrong with a text and what to do about it.

    reason: what is wrong: the component or rule, then one clause.
    remedy: what to do about it, one clause; None if unknown.
    argument: an argument with which the function accepts the text; None if there is none.
    """

    reason: str
    remedy: str | None = None
    argument: Argument | None = None
