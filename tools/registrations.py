"""IANA's registry of URI schemes, as the package has it.

`python -m tools.registrations uri-schemes-1.csv YYYY-MM-DD` writes it anew: the table as CSV is at
https://www.iana.org/assignments/uri-schemes, with the day on which it was last updated.
"""

import csv
import re
import sys
from pathlib import Path

PLACE = Path(__file__).parents[1] / "uriparse/schemes/registrations.txt"
HEAD = """\
# IANA, Uniform Resource Identifier (URI) Schemes, last updated {date}: name, status, reference.
# Written by tools/registrations.py, which says how to renew it.
"""
REFERENCE = re.compile(r"\[([^\[\]]*)\]")


def row(cells: dict[str, str]) -> str:
    """Write a line: "RFC7252" becomes "RFC 7252", and several references are parted by ";"."""
    given = REFERENCE.findall(cells["Reference"]) or [cells["Reference"]]
    shown = (re.sub(r"^RFC(?=\d)", "RFC ", one).replace("_", " ") for one in given)
    name = cells["URI Scheme"].partition(" ")[0].lower()
    return f"{name} {cells['Status'].lower()} {'; '.join(shown)}"


def text(table: str, date: str) -> str:
    """Return the file's text for the registry's."""
    return HEAD.format(date=date) + "".join(
        f"{row(c)}\n" for c in csv.DictReader(table.splitlines())
    )


if __name__ == "__main__":
    PLACE.write_text(text(Path(sys.argv[1]).read_text("utf-8"), sys.argv[2]), "utf-8")
