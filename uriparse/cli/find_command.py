"""`uriparse find`: the URIs in files, with their places."""

import argparse
import codecs
import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import cast

from uriparse.cli.arguments import add_form, flag
from uriparse.cli.console import BLOCK, Console, UnreadableFileError, opened
from uriparse.cli.per_line import shown
from uriparse.parsing import is_valid
from uriparse.text import Flag, Found, Schemes, find_uris

NAME = "find"
HELP = "find the URIs in files, as grep finds lines"
GROUP = "read"
EXAMPLES = (
    "uriparse find README.md",
    "uriparse find -r --only docs",
)
EXITS = {0: "some found", 1: "none found"}

NONE_FOUND = 1
UNREADABLE = 2

TAGS = {
    Flag.CUT: "the text continues with a character that is invalid here",
    Flag.ESCAPED: "it has an escape; see --html, --escapes, --mail",
    Flag.HYPHEN_LINE_BREAK: "the hyphen before a line break may be part of it",
    Flag.LINE_BREAK: "line breaks in it were removed",
    Flag.PUNCTUATION: "punctuation after it may be part of it",
    Flag.SPACE: "spaces in it were removed",
}
"""What each tag says; other readings follow "or"."""

_TAG_WIDTH = 24


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    text = '"-" or nothing reads standard input'
    parser.add_argument("file", nargs="*", metavar="FILE", help=text)
    text = "search directories, except hidden files; without FILE, the current one"
    flag(parser, "-r", "--recursive", help=text)
    flag(parser, "--only", help="print only the URIs, without their places")
    add_form(parser)
    parser.add_argument(
        "--grammar", choices=("rfc3986", "rfc3987"), default="rfc3986", help="rfc3987 finds IRIs"
    )
    text = (
        '"plausible" (well-known ones, and any before "//"), "known", "any", '
        "or names separated by commas"
    )
    parser.add_argument("--schemes", type=_schemes, default="plausible", metavar="WHICH", help=text)
    flag(parser, "--suffixes", help='also "www.example.com", with http:// before it')
    flag(parser, "--html", help="the files are HTML: decode &amp; and other references")
    flag(parser, "--escapes", help="the files are JSON, code or shell: decode \\/, \\u0026, \\?")
    flag(parser, "--mail", help="the files are mail messages: decode quoted-printable")
    rows = [f"  [{flag}]".ljust(_TAG_WIDTH) + about for flag, about in TAGS.items()]
    parser.epilog = "\n".join(["tags after a URI that may not be what the author meant:", *rows])


def run(args: argparse.Namespace, console: Console) -> int:
    """Write what each file holds; 1 if nothing was found, 2 if a file could not be read."""
    show = _object if args.json else _place
    options = ("grammar", "schemes", "suffixes", "html", "escapes", "mail")
    how = {option: getattr(args, option) for option in options}
    if not (args.file or args.recursive or sys.stdin is None) and sys.stdin.isatty():
        console.error("error: there is nothing to read: no FILE, no -r, and no pipe")
        return UNREADABLE
    any_found = unreadable = False
    for name in _names(args):
        try:
            with opened(name, unpacked=False) as file:
                octets = iter(partial(file.read1, BLOCK), b"")
                # Octets that are not UTF-8 become lone surrogates, never in a URI.
                pieces = codecs.iterdecode(octets, "utf-8", "surrogateescape")
                for found in find_uris(pieces, **how):
                    any_found = True
                    if args.only and not args.json:
                        console.out(str(shown(found.uri, console)))
                    else:
                        show(name, found, console)
        except UnreadableFileError as error:
            unreadable = True
            title = console.shown(name)
            if args.json:
                console.json({"file": title, "error": {"message": error.reason}})
            else:
                hint = "; -r searches directories" if os.path.isdir(name) else ""  # noqa: PTH112 - as below
                console.error(f"uriparse: {title}: {error.reason}{hint}")
    return UNREADABLE if unreadable else 0 if any_found else NONE_FOUND


def _names(args: argparse.Namespace) -> Iterator[str]:
    """Return the names of the files to search, those of a directory in their order."""
    if not args.recursive:
        yield from args.file or ["-"]
        return
    for name in args.file or ["."]:
        if name == "-" or not os.path.isdir(name):  # noqa: PTH112 - a name is as the user gave it
            yield name
            continue
        for folder, folders, files in os.walk(name):
            folders[:] = sorted(inner for inner in folders if not inner.startswith("."))
            for file in sorted(files):
                path = os.path.join(folder, file)  # noqa: PTH118 - as above
                if not file.startswith(".") and os.path.isfile(path):  # noqa: PTH113 - as above
                    yield path.removeprefix("./") if not args.file else path


def _schemes(given: str) -> Schemes:
    if given in ("plausible", "known", "any"):
        return cast("Schemes", given)
    names = frozenset(name.strip() for name in given.split(","))
    for name in sorted(names):
        if not is_valid(name, "scheme"):
            raise argparse.ArgumentTypeError(f"{name!r} is not the name of a scheme")
    return names


def _place(name: str, found: Found, console: Console) -> None:
    uri, *others = (str(shown(one, console)) for one in (found.uri, *found.alternatives))
    console.styled(
        [(f"{name}:{found.line}:{found.column}: ", "faint"), (uri, "good")]
        + [(f" [{flag}]", "warning") for flag in sorted(found.flags)]
        + [(f" or {other}", "faint") for other in others]
    )


def _object(name: str, found: Found, console: Console) -> None:
    console.json(
        {
            "file": name,
            "line": found.line,
            "column": found.column,
            "span": found.span,
            "whole": found.whole,
            "uri": str(shown(found.uri, console)),
            "how": found.how,
            "prefixed": found.prefixed,
            "alternatives": [str(shown(other, console)) for other in found.alternatives],
            "flags": sorted(found.flags),
        }
    )
