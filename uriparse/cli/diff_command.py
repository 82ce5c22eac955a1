"""`uriparse diff`: what each reader on this machine makes of a URL, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse import __version__
from uriparse.cli.parsers import add_texts
from uriparse.cli.per_line import masked_beginning, report
from uriparse.cli.validation_sources import LONGEST_LINE, TOO_LONG
from uriparse.errors import URIError

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console
    from uriparse.cli.readers import Comparison, Outcome
    from uriparse.cli.readers.passwords import Passwords

NAME = "diff"
HELP = "show where each installed URL reader would go with a URL; 1 if some go elsewhere"
GROUP = "judge"
EXAMPLES = (
    "uriparse diff 'http://a\\\\@b/'",
    "uriparse diff --json < urls.txt",
)
EXITS = {0: "all readers agree", 1: "some go elsewhere, or a text was too long to be asked about"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "url", "URL")


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the readings of each input; 1 if not all that read one read it as we do.

    Nobody is asked about a line of more than `LONGEST_LINE` octets: each of some twenty readers
    would be given its digits, and hold it several times.
    """
    from uriparse.cli.readers import Panel
    from uriparse.cli.readers.table import LEGEND

    show = _object if args.json else _table
    with_gaps = not (args.json or args.nul_ends)
    counts = {"agree": 0, "differ": 0}
    number, is_short = 0, True
    with Panel() as panel:
        for number, text in enumerate(console.lines(args.url, most=LONGEST_LINE), 1):
            if number > 1 and with_gaps:
                console.out("")
            if console.is_cut:
                is_short = False
                kept = text if console.secrets else masked_beginning(text)
                report(URIError(TOO_LONG), kept, console)
                continue
            found = panel.compare(text)
            show(found, __version__, console)
            counts["agree" if found.agree else "differ"] += 1
    if number and with_gaps:
        console.styled([(LEGEND, "faint")])
    console.count(counts)
    return 0 if is_short and not counts["differ"] else 1


def _table(found: Comparison, version: str, console: Console) -> None:
    """Write the text and a row a reader."""
    from uriparse.cli.readers.passwords import Passwords
    from uriparse.cli.readers.table import table

    console.styled([(console.shown(found.text), "")])
    for spans in table(found, version, Passwords("" if console.secrets else found.text)):
        console.styled(spans)


def _object(found: Comparison, version: str, console: Console) -> None:
    """Write the same as a JSON object; `agree` is what the exit code tells."""
    from uriparse.cli.readers.passwords import Passwords

    passwords = Passwords("" if console.secrets else found.text)
    console.json(
        {
            **console.place,
            "text": console.shown(found.text),
            "agree": found.agree,
            "uriparse": {"version": version, **_facts(found.ours, found.ours, passwords)},
            "readers": [
                {
                    "name": row.member.name,
                    "version": row.member.version,
                    "verdict": row.verdict,
                    **_facts(row.outcome, found.ours, passwords),
                }
                for row in found.rows
            ],
        }
    )


def _facts(outcome: Outcome, ours: Outcome, passwords: Passwords) -> dict[str, object]:
    """Give the fields of an outcome, as far as they may be shown."""
    known = ours._asdict()
    values = outcome._asdict().items()
    return {name: passwords.hidden(value, known.get(name)) for name, value in values}
