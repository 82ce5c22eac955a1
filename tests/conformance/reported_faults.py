"""Parsers with faults that people reported of parsers: written from the reports, and from the RFC.

Nothing of the conformance kit is used. A right parser is an expression made of named pieces; a
faulty one has other pieces, other flags, or something done to the text before. Each row of
`VALIDITY` is a fault, where it was reported, the rule, a text that shows it, and a faulty reader.
"""

import re

from cases import tables

TABLES = tables(__file__)
PIECES = TABLES["pieces"]


def written(pieces, name):
    return re.sub("<([^<>=!]+)>", lambda found: written(pieces, found[1]), pieces.get(name, ""))


def reads(rule, before=("(?!)", ""), how="fullmatch", around="{}", **changes):
    """Return what says whether a text belongs to a rule, by pieces with some changes.

    before: an expression of what the parser changes before it reads, and what it writes there.
    """
    pattern = around.format(f"(?:{written(PIECES | changes, rule)})")
    found = getattr(re.compile(pattern), how)
    return lambda text: found(re.sub(*before, text)) is not None


URI, REFERENCE, V4, V6 = "URI", "URI-reference", "IPv4address", "IPv6address"


def number(text):
    """Whether int() reads a port, which it does of more than digits."""
    try:
        int(text or "0")
    except ValueError:
        return False
    return True


PORTS = {
    "int": number,
    "isdigit": lambda text: not text or text.isdigit(),
    "isdecimal": lambda text: not text or text.isdecimal(),
    "small": lambda text: re.fullmatch("[0-9]*", text) is not None and int(text or 0) < 65536,
}


def port_by(check):
    """Read a URI whose port is checked apart."""
    whole = re.compile(written(PIECES | {"port": "([^/?#@\\[\\]]*)"}, URI))

    def read(text):
        found = whole.fullmatch(text)
        return found is not None and check(found[1] or "")

    return read


def faulty(rule, *, none_with=None, any_with=None, ports=None, by=None, **changes):
    """Return a faulty reader of a rule.

    none_with, any_with: an expression of what it refuses, or accepts, besides. ports: a name of
    `PORTS`. by: the rule that it takes for this one.
    """
    right = reads(by or rule, **changes)
    if none_with is not None:
        return lambda text: right(text) and re.search(none_with, text) is None
    if any_with is not None:
        return lambda text: right(text) or re.search(any_with, text) is not None
    return right if ports is None else port_by(PORTS[ports])


VALIDITY = [(*row, faulty(row[2], **how)) for *row, how in TABLES["validity"]]
