"""How many mutants of a rule are told by the suites that promise something else.

It takes minutes to find out, so the figures are kept here. The oracle tests measure them again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse.conformance.sources import Shipped
from uriparse.grammar.automata import kept_witnesses

if TYPE_CHECKING:
    from uriparse.conformance.subjects import Subject


class Share(NamedTuple):
    """What was counted of the mutants of a rule.

    mutants: how many edits there are.
    equal: how many of them change nothing.
    transition, hsi: how many are told by the suite of this name, of one character a class.
    """

    mutants: int
    equal: int
    transition: int
    hsi: int


SHARES: Final = {
    ("rfc3986", "URI"): Share(934, 149, 445, 652),
    ("rfc3986", "URI-reference"): Share(1054, 171, 509, 746),
    ("rfc3987", "IRI"): Share(1077, 176, 462, 667),
    ("rfc1738", "ftpurl"): Share(799, 368, 267, 300),
    ("rfc1738", "httpurl"): Share(689, 350, 198, 225),
    ("rfc1738", "fileurl"): Share(683, 390, 159, 182),
    ("rfc1738", "gopherurl"): Share(806, 386, 224, 251),
    ("rfc1738", "mailtourl"): Share(504, 323, 66, 71),
    ("rfc1738", "newsurl"): Share(641, 337, 175, 187),
    ("rfc1738", "nntpurl"): Share(523, 252, 151, 187),
    ("rfc1738", "telneturl"): Share(690, 336, 213, 235),
    ("rfc1738", "waisurl"): Share(792, 344, 263, 299),
    ("rfc1738", "prosperourl"): Share(737, 361, 221, 256),
    ("rfc2396", "URI-reference"): Share(1015, 665, 159, 177),
}


def share(of: Subject) -> Share | None:
    """Give what is known of a rule; None if nothing is, or if its mutants are others by now."""
    if not isinstance(of.source, Shipped):
        return None
    found = SHARES.get((of.source.name, of.rule))
    kept = kept_witnesses(of.rule, of.source.name)
    if found is None or kept is None or (found.mutants, found.equal) != (kept.mutants, kept.equal):
        return None
    return found
