"""What a parser says of a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

Components: TypeAlias = "Mapping[str, str | None]"

NAMES: Final = (
    *("text", "scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"),
)
"""What a mapping of components may hold; `text` is what the parser writes for all of it."""


class Answer(NamedTuple):
    """What a parser says of one text.

    accepts: None where there is no answer.
    components: those of `NAMES` that it tells, None for one that is absent; None if it tells none.
    silence: why there is no answer, as "crashed"; `""` where there is one.
    """

    accepts: bool | None
    components: Components | None = None
    silence: str = ""


def answer(value: object) -> Answer:
    """Read what a parser returns: what is true accepts, what is false, None or empty rejects.

    A mapping that is not empty accepts and tells components; those that are no text, number or
    None are passed over.

    >>> answer({"host": "h", "port": 80, "query": None, "username": "u"})
    Answer(accepts=True, components={'host': 'h', 'port': '80', 'query': None}, silence='')
    >>> answer(None).accepts, answer(object()).accepts
    (False, True)
    """
    if not isinstance(value, Mapping):
        return REJECTS if not value else ACCEPTS
    if not value:
        return REJECTS
    told = {
        name: None if found is None else str(found)
        for name in NAMES
        if name in value and isinstance(found := value[name], str | int | None)
    }
    return Answer(True, told)


def silent(reason: str) -> Answer:
    """Stand for an answer that there is not: the parser crashed, hung or babbled."""
    return Answer(None, silence=reason)


ACCEPTS: Final = Answer(True)
REJECTS: Final = Answer(False)
