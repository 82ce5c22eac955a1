"""`uriparse find`: the URIs in files, with their places."""

import argparse
import codecs
import os
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, cast

from abnf2lark.process import Row, sarif
from uriparse.building import from_path, to_path
from uriparse.cli import console as streams
from uriparse.cli.arguments import declare
from uriparse.cli.console import Console, opened, without_line_ends
from uriparse.cli.per_line import described, read_option, shown
from uriparse.cli.within import files_in, layers_of, links_of, markup_of
from uriparse.components.redaction import Replaced, replaced
from uriparse.errors import URIError, URISyntaxError
from uriparse.parsing import Record, is_valid, parse
from uriparse.records.references import REFERENCE_RULES, URI_RULES, reader
from uriparse.resolution import Link, base_uri, resolve
from uriparse.resolution.base import html_base
from uriparse.resolution.links import without_code
from uriparse.text import Flag, Found, How, Schemes, find_uris
from uriparse.text.layers import ESCAPE, Lines, of_escape
from uriparse.text.patterns import HOST, KNOWN

NAME = "find"
HELP = "find the URIs in files, as grep finds lines"
GROUP = "read"
EXAMPLES = (
    "uriparse find README.md",
    "uriparse find -r --only docs",
)
EXITS = {0: "some found, or none broken", 1: "none found, or some broken"}

NONE_FOUND = 1

TAGS = {
    Flag.CUT: "the text continues with a character that is invalid here",
    Flag.ESCAPED: "it has an escape; see --decode",
    Flag.HYPHEN_LINE_BREAK: "the hyphen before a line break may be part of it",
    Flag.LINE_BREAK: "line breaks in it were removed",
    Flag.PUNCTUATION: "punctuation after it may be part of it",
    Flag.SPACE: "spaces in it were removed",
}
"""What each tag says; other readings follow "or"."""

_TAG_WIDTH = 24

_LAYERS = {"html": "html", "json": "escapes", "mail": "mail"}
"""By values of `--decode`: the option of `find_uris`."""

OPTIONS = rf"""
-r, --recursive  search directories, except hidden files; without FILE, the current one
--only  print only the URIs, without their places
--json --show-passwords --grammar
--schemes WHICH  "plausible" (well-known ones, and any before "//"), "known", "any", or names
    separated by commas
--suffixes  also "www.example.com", with http:// before it
--base URI  also the links of HTML and Markdown files, resolved against this base and <base>
--broken  instead, what stands where a URL is meant and is not one, and relative links to files that
    are not there, with the reason; exit 1 if any
--sarif  with --broken: write a log of SARIF 2.1.0
--decode {{{",".join(_LAYERS)}}}...  decode all files as html (&amp; and other references, as in
    .html), as json (\/ and \u0026, as in .json, or code) or as mail (quoted-printable); repeatable
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    text = '"-" or nothing reads standard input'
    parser.add_argument("file", nargs="*", metavar="FILE", help=text)
    schemes = {"type": _schemes, "default": "plausible"}
    declare(parser, OPTIONS, schemes=schemes)
    rows = [f"  [{flag}]".ljust(_TAG_WIDTH) + about for flag, about in TAGS.items()]
    parser.epilog = "\n".join(["tags after a URI that may not be what the author meant:", *rows])


def run(args: argparse.Namespace, console: Console) -> int:
    """Write what each file holds; 1 if nothing was found, or broken; 2 if one was unreadable."""
    if not (args.file or args.recursive or sys.stdin is None) and sys.stdin.isatty():
        console.error("error: there is nothing to read: no FILE, no -r, and no pipe")
        return streams.USAGE
    if args.sarif and not args.broken:
        raise streams.UsageError("--sarif needs --broken")
    base = None if args.base is None else read_option("--base", args.base, args, console)
    any_found = unreadable = False
    told: list[Row] = []
    for name in _names(args):
        try:
            with opened(name, unpacked=False) as file:
                octets = iter(partial(file.read1, streams.BLOCK), b"")
                # Octets that are not UTF-8 become lone surrogates, never in a URI.
                pieces = codecs.iterdecode(octets, "utf-8", "surrogateescape")
                if args.broken:
                    text = "".join(pieces)
                    if "\0" in text:
                        if not args.recursive:
                            console.error(f"uriparse: {console.shown(name)}: it is binary")
                        continue
                    rows = _broken(name, text, args, console)
                    any_found = bool(rows) or any_found
                    told += rows
                    continue
                for found in _finds(name, pieces, args, base):
                    any_found = True
                    if args.only and not args.json:
                        console.out(str(shown(found.uri, console)))
                    else:
                        (_object if args.json else _place)(name, found, console)
        except streams.UnreadableFileError as error:
            unreadable = True
            title = console.shown(name)
            if args.json:
                console.json({"file": title, "error": {"message": error.reason}})
            else:
                hint = "; -r searches directories" if os.path.isdir(name) else ""  # noqa: PTH112 - a name is as the user gave it
                hint = hint or "; to search a text, give it by a pipe" * ("://" in name)
                console.error(f"uriparse: {title}: {error.reason}{hint}")
    if args.sarif:
        console.json(sarif("uriparse", told))
    return streams.USAGE if unreadable else 0 if any_found != args.broken else NONE_FOUND


def _options(name: str, args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `find_uris`: those that are given, and those of the file's name."""
    given = {o: getattr(args, o) for o in ("grammar", "schemes", "suffixes")}
    return {**given, **layers_of(name)} | {_LAYERS[one]: True for one in args.decode}


def _finds(
    name: str, pieces: Iterable[str], args: argparse.Namespace, base: Record | None
) -> Iterator[Found]:
    """Yield what is found; with a base, also the targets of links, in their order."""
    if base is None:
        return find_uris(pieces, **_options(name, args))
    text = "".join(pieces)
    read, links = reader(REFERENCE_RULES[args.grammar], args.grammar), links_of(name, text)
    own = _base(name, text, base, args)
    lines, made = Lines(), list[Found]()
    for link in links:
        if (record := read(link.text)) is not None:
            lines.count(text, 0, link.span[0])
            place = (lines.line, lines.column(link.span[0]), text[slice(*link.span)])
            target = resolve(own, record)
            made.append(Found(target, link.span, link.span, How.LINK, False, (), _NONE, *place))
    is_taken = _within(links)
    others = find_uris(text, **_options(name, args))
    rest = [found for found in others if not is_taken(found.span[0])]
    return iter(sorted([*made, *rest], key=lambda found: found.span))


def _within(links: Iterable[Link]) -> Callable[[int], bool]:
    """Return what says whether an offset is within a link."""
    spans = sorted(link.span for link in links)
    starts, ends = [start for start, _ in spans], [0, *accumulate((end for _, end in spans), max)]
    return lambda at: at < ends[bisect_right(starts, at)]


def _base(name: str, text: str, retrieval: Record, args: argparse.Namespace) -> Record:
    stated = html_base(text) if markup_of(name) == "html" else None
    return base_uri(embedded=stated, retrieval=retrieval, grammar=args.grammar).uri


_NONE: frozenset[Flag] = frozenset()


# What stands where a URL is meant, and is not one.

_SCHEMES = "|".join(re.escape(name) for name, shape in KNOWN.items() if shape is HOST)
_QUOTES = "\u2018-\u201f\xab\xbb\u2039\u203a"
_MEANT = re.compile(
    rf"""(?<=<)(?:{_SCHEMES})://[^<>\r\n]*+(?=>)"""
    rf"""|(?<![\w+.-])(?:{_SCHEMES})://[^\s<>"'`{{}}$*|\\\u2026{_QUOTES}]++""",
    re.IGNORECASE,
)
"""What looks like a URL of a well-known scheme, valid or not, in angle brackets all that they hold
(RFC 3986 appendix C); a template or the quotes of a sentence end it elsewhere.
"""
_TEMPLATE = re.compile(r"[{}>$*\u2026]|<(?!/)|%\(|%[sd]\b|\.\.\.")
_AFTER = ".,:;!?)]'*_~"


def _broken(name: str, text: str, args: argparse.Namespace, console: Console) -> list[Row]:
    """Report what is broken in a text, and return it for SARIF."""
    links = links_of(name, text)
    meant = [(link.text, link.span[0], REFERENCE_RULES) for link in links]
    is_taken = _within(links)
    text = without_code(text) if markup_of(name) == "markdown" else text
    options = _options(name, args)
    plain = replaced(text, ESCAPE, of_escape) if options["escapes"] else Replaced(text, [], [])
    for one in _MEANT.finditer(plain.text):
        begin, end = one.span()
        before, after = plain.text[begin - 1 : begin], plain.text[end : end + 1]
        at = plain.place(begin, end=False)
        if is_taken(at):
            continue
        if (before, after) == ("<", ">"):
            meant.append((one[0], at, REFERENCE_RULES))
        elif before == after == "*" or not _TEMPLATE.match(plain.text, end):  # as emphasis has it
            meant.append((one[0].rstrip(_AFTER), at, URI_RULES))
    finds = {found.span[0]: found for found in find_uris(text, **options)}
    own = None
    if links and name != "-":
        own = _base(name, text, from_path(Path(os.path.abspath(name))), args)  # noqa: PTH100 - without ".."
    lines, rows = Lines(), list[Row]()
    for written, at, rules in sorted(meant, key=lambda one: one[1]):
        found = finds.get(at)
        is_whole = found is not None and Flag.CUT not in found.flags
        if _TEMPLATE.search(written) or (is_whole and rules is URI_RULES):
            continue
        try:
            reference = parse(written, rules[args.grammar], grammar=args.grammar)
            if rules is REFERENCE_RULES and own is not None:
                _look_for(reference, own)
        except URIError as error:
            code, told = "no-file", str(error)
            if isinstance(error, URISyntaxError):
                code, told = error.cause or "syntax", error.reason
            lines.count(text, 0, at)
            place = lines.line, lines.column(at)
            rows.append((code, told, name, *place))
            if not args.sarif:
                console.locate(f"{name}:{place[0]}:{place[1]}: ", within={"file": name})
                if args.json:
                    where = {"file": name, "line": place[0], "column": place[1]}
                    console.json({**where, **described(error, written, console, code)})
                else:
                    console.out(
                        f"{console.where}{told}: {without_line_ends(console.shown(written))}"
                    )
    console.locate()
    return rows


def _look_for(reference: Record, base: Record) -> None:
    """Raise URIError if a link to a place relative to its file leads to no file."""
    if (
        reference.scheme is not None
        or reference.host is not None
        or reference.path[:1] in {"", "/"}
    ):
        return
    try:
        target = resolve(base, reference).replace(query=None, fragment=None)
        path = to_path(target, windows=True) if os.name == "nt" else to_path(target)
    except URIError:  # of another base
        return
    if not os.path.exists(path):  # noqa: PTH110 - no error of the system: then it is not there
        raise URIError("there is no such file")


def _names(args: argparse.Namespace) -> Iterator[str]:
    """Return the names of the files to search, those of a directory in their order."""
    if not args.recursive:
        return iter(args.file or ["-"])
    return files_in(args.file or ["."], hidden_root="" if args.file else "./")


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
    names = ("line", "column", "span", "whole", "uri", "how", "prefixed", "alternatives", "flags")
    facts = {one: getattr(found, one) for one in names}
    facts["alternatives"] = [str(shown(other, console)) for other in found.alternatives]
    facts |= {"uri": str(shown(found.uri, console)), "flags": sorted(found.flags)}
    console.json({"file": name, **facts})
