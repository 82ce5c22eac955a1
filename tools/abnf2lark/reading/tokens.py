"""The tokens of RFC 5234 section 4 and RFC 7405; they describe ABNF itself."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """A token of ABNF and its offset in the rule's text."""

    kind: str
    text: str
    offset: int


TOKEN = re.compile(
    r"""(?P<space>[ \t]+)
      | (?P<define>=/?)
      | (?P<slash>/)
      | (?P<open>[(\[])
      | (?P<close>[)\]])
      | (?P<repeat>[0-9]*\*[0-9]*|[0-9]+)
      | (?P<literal>(?:%[sSiI])?"[\x20\x21\x23-\x7e]*")
      | (?P<number>%(?:[xX][0-9A-Fa-f]+(?:-[0-9A-Fa-f]+|(?:\.[0-9A-Fa-f]+)+)?
                     |[dD][0-9]+(?:-[0-9]+|(?:\.[0-9]+)+)?
                     |[bB][01]+(?:-[01]+|(?:\.[01]+)+)?))
      | (?P<prose><[\x20-\x3d\x3f-\x7e]*>)
      | (?P<name>[A-Za-z][A-Za-z0-9-]*)
    """,
    re.VERBOSE,
)
