"""What a cause is: why a text is refused, told for certain, with what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from uriparse.errors import Argument


class Example(NamedTuple):
    """A smallest text that has a cause: with any character less it has it no more.

    text: the text.
    offset: where it stops, in characters from 0.
    by: what reads it: a rule of RFC 3986, `grammar:rule`, or a function of `uriparse.schemes`.
    """

    text: str
    offset: int
    by: str = "URI-reference"


class Cause(NamedTuple):
    """Why a text is refused.

    name: what `URISyntaxError.cause` holds.
    sentence: what is wrong, one clause.
    remedy: what to do about the text, one clause.
    example: a smallest text that has it.
    counterexample: a text near to it that has it not.
    argument: the argument that would do instead, of the function that has refused it; or None.

    Sentence, remedy and argument have blanks, such as `{found}`, which the errors
    fill; `uriparse.diagnosis.blanks` says with what.
    """

    name: str
    sentence: str
    remedy: str
    example: Example
    counterexample: str
    argument: Argument | None = None
