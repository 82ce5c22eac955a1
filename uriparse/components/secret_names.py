"""Which names of pairs have secret values.

A name is secret if a profile lists it, or, in the profiles "default" and "strict", if it ends in a
word that says so: `db_password`, `resetToken`, `user[password]`, `x-ms-access-key-2`.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from uriparse._data_files import text_beside

Profile: TypeAlias = Literal["default", "aws", "oauth", "otel", "strict"]

_ROWS = (block.partition("]") for block in text_beside(__name__, "secret_names.txt").split("\n\n"))
_LISTS = {title[1:]: tuple(rows.partition("\n")[2].split()) for title, _, rows in _ROWS}

SENSITIVE_NAMES: Final = tuple(
    dict.fromkeys(name for of in ("otel", "aws", "oauth", "common") for name in _LISTS[of])
)
"""Names of pairs whose values the profile "default" redacts."""

NAMES: Final[Mapping[Profile, tuple[str, ...]]] = MappingProxyType(
    {
        "default": SENSITIVE_NAMES,
        "aws": _LISTS["aws"],
        "oauth": _LISTS["oauth"],
        "otel": _LISTS["otel"],
        "strict": SENSITIVE_NAMES,
    }
)
"""The names of each profile."""

SECRET_WORDS: Final = _LISTS["words"]
"""A name that ends in one of these is secret, whatever is before it."""

SECRET_LAST_WORDS: Final = _LISTS["last words"]
"""The same for a last word alone, as in `db_pass` and `dbPass`: not `bypass`, not `compass`."""

PUBLIC_WORDS: Final = _LISTS["public words"]
"""A name that ends in one of these is kept, although it ends in a secret word: these are places in
a list of results, which grant nothing."""


def plain(name: str) -> str:
    """Return a name as names are compared: its ASCII letters and digits, in lower case."""
    return "".join(filter(str.isalnum, name.encode("ascii", "ignore").decode())).lower()


_SUFFIXES, _KEPT = tuple(map(plain, SECRET_WORDS)), tuple(map(plain, PUBLIC_WORDS))
_LAST_WORD = re.compile(r"(?:(?<![A-Za-z])[a-z]+|[A-Z][a-z]+|(?<![A-Za-z])[A-Z]+)[^A-Za-z]*\Z")
"""The last word of a name: the others end before a capital letter or something else."""


def ends_in_secret(name: str) -> bool:
    """Return whether a name, decoded, ends in a secret word; a number may follow it.

    >>> [ends_in_secret(name) for name in ("db_password", "dbPass2", "bypass", "page_token")]
    [True, True, False, False]
    """
    letters = plain(name).rstrip("0123456789")
    if letters.endswith(_SUFFIXES):
        return not letters.endswith(_KEPT)
    # The name of the longest word has 24 characters: of a longer one, its end is enough.
    last = _LAST_WORD.search(name[-_LONGEST:])
    return last is not None and plain(last[0]).rstrip("0123456789") in SECRET_LAST_WORDS


_LONGEST = 24
