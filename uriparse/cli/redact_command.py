"""`uriparse redact`: log lines, with the secrets of the URLs in them masked."""

import argparse

from uriparse.building import NAMES
from uriparse.cli.arguments import add_texts, declare
from uriparse.cli.console import Console
from uriparse.cli.per_line import each, for_each
from uriparse.cli.within import WITHIN, change_within
from uriparse.text import redact_text

NAME = "redact"
HELP = "mask secrets in the URLs of log lines"
GROUP = "write"
EXAMPLES = (
    "uriparse redact --file app.log > shared.log",
    "tail -f access.log | uriparse redact --profile strict",
)
EXITS = {0: "written", 1: "some lines too long"}
OPTIONS = f"""
--file --null
--profile {{{",".join(NAMES)}}}  which parameters are secret: all known names (default), those of
    signed URLs (aws), of OAuth (oauth), or of OpenTelemetry (otel); strict keeps only scheme, host
    and path
--query NAME...  a secret parameter; repeatable; these names replace those of the profile
--jobs
{WITHIN}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "text", "TEXT", unless=("within",))
    declare(parser, OPTIONS, profile={"default": "default"})
    parser.set_defaults(keeps_cr=True)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write each line with its secrets masked, and everything else as it came."""
    console.output.exact()

    def redacted(text: str) -> str:
        return redact_text(text, profile=args.profile, names=args.query or None)

    if args.within:
        return change_within(args, console, lambda _, text: redacted(text), hide=redacted)
    return for_each(args.text, console, redacted, each(redacted))
