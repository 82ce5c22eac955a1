"""URIs changed within files: every other octet stays, and a file is replaced whole or not at all.

`set`, `normalize`, `resolve` and `redact` make an edit of a whole text; here it is read, shown as a
difference or written back.
"""

import argparse
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from abnf2lark.outputs import replace
from uriparse.cli import console as streams
from uriparse.cli.console import Console, opened
from uriparse.cli.per_line import answer_part, report
from uriparse.errors import URIError, excerpt
from uriparse.parsing import Record
from uriparse.records.references import REFERENCE_RULES, reader
from uriparse.resolution import Link, find_links
from uriparse.resolution.links import Markup
from uriparse.text import find_uris
from uriparse.text.layers import REFERENCE, Lines

Edit = Callable[[str, str], str]
"""Returns the new text of a file, by its name and its text."""

_MARKUPS: Mapping[Markup, tuple[str, ...]] = {
    "html": (".html", ".htm", ".xhtml"),
    "markdown": (".md", ".markdown"),
}
_JSON = (".json", ".jsonl", ".ndjson", ".jsonld", ".geojson", ".har", ".ipynb", ".sarif")


def markup_of(name: str) -> Markup | None:
    """Return the markup that the name of a file says; None if there are no links to find."""
    names = (one for one, ends in _MARKUPS.items() if name.lower().endswith(ends))
    return next(names, None)


def layers_of(name: str) -> Mapping[str, Any]:
    """Return the options of `find_uris` that the name of a file says."""
    return {"html": markup_of(name) is not None, "escapes": name.lower().endswith(_JSON)}


def links_of(name: str, text: str) -> list[Link]:
    """Return the links of a file of HTML or Markdown; none of another."""
    markup = markup_of(name)
    return [] if markup is None else list(find_links(text, markup))


WITHIN = """
within files:
--within FILE...  change the URIs in a file of any kind, and nothing else in it; repeatable; a
    directory gives its files
--diff  with --within: show the changes, and write nothing
"""
"""Options of commands that read texts otherwise; `unless` of these has "within"."""


def uris_edit(
    change: Callable[[Record], Record], args: argparse.Namespace, console: Console
) -> Edit:
    """Return the edit that changes each URI; one that cannot be changed is reported and stays."""

    def edit(name: str, text: str) -> str:
        found = find_uris(text, grammar=args.grammar, **layers_of(name))
        return _rewritten(name, text, ((one.uri, one.span) for one in found), change, console)

    return edit


def links_edit(
    change: Callable[[Record], Record], args: argparse.Namespace, console: Console
) -> Edit:
    """Return the edit that changes the destination of each link of HTML and Markdown."""
    read = reader(REFERENCE_RULES[args.grammar], args.grammar)

    def edit(name: str, text: str) -> str:
        links = ((read(link.text), link.span) for link in links_of(name, text))
        places = ((record, span) for record, span in links if record is not None)
        return _rewritten(name, text, places, change, console)

    return edit


def _rewritten(
    name: str,
    text: str,
    places: Iterable[tuple[Record, tuple[int, int]]],
    change: Callable[[Record], Record],
    console: Console,
) -> str:
    parts, at, lines = list[str](), 0, Lines()
    for reference, (start, end) in places:
        try:
            new = change(reference)
        except URIError as error:
            lines.count(text, 0, start)
            console.locate(f"{name}:{lines.line}:{lines.column(start)}: ", within={"file": name})
            report(error, str(reference), console)
            continue
        if new != reference:
            written = str(new)
            if layers_of(name)["html"] and REFERENCE.search(text, start, end):
                written = written.replace("&", "&amp;")
                if "'" not in text[start:end]:  # it may end the attribute
                    written = written.replace("'", "&#39;")
            parts += text[at:start], written
            at = end
    return "".join([*parts, text[at:]])


def change_within(
    args: argparse.Namespace,
    console: Console,
    edit: Edit,
    hide: Callable[[str], str] | None = None,
) -> int:
    """Change each file, and print its name; 2 if one could not be read or written.

    hide: what is done to the lines of a difference; None masks passwords as in results.
    """
    if texts := getattr(args, args.sources):
        told = f"--within FILE is instead of texts; leave out {excerpt.masked(texts[0])}"
        raise streams.UsageError(told)
    hidden: list[str] = []
    names, code = list(files_in(args.within, hidden=hidden)), 0
    if hidden:
        also = f" and {len(hidden) - 1} more" * (len(hidden) > 1)
        console.error(f"uriparse: hidden, and left out: {console.shown(hidden[0])}{also}")
    if getattr(args, "jobs", 1) != 1 and console.given is None:
        from uriparse.cli.processes import in_order

        work = partial(_part, dict(console.options))
        for own, taken in in_order(work, names, args.jobs):
            code = max(code, own)
            console.tell_again(taken)
        return code
    for name in names:
        try:
            with opened(name, unpacked=False) as file:
                text = file.read().decode("utf-8", "surrogateescape")
            if "\0" in text:  # lengths that are written elsewhere in it would become wrong
                console.error(f"uriparse: {console.shown(name)}: it is binary, and stays as it is")
                continue
            new = edit(name, text)
            console.locate()
            console.output.exact()  # in a file or a pipe, so that all octets stay
            if args.diff:
                for row in _difference(name, text, new):
                    console.out(console.made(row) if hide is None else hide(row))
            elif name == "-":
                console.output.write(new)
            elif new != text:
                replace(Path(name), new.encode("utf-8", "surrogateescape"))
                if getattr(args, "json", False):
                    console.json({"file": name, "changed": True})
                else:
                    console.out(name)
        except (streams.UnreadableFileError, OSError) as error:
            reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
            console.locate()
            console.error(f"uriparse: {console.shown(name)}: {reason}")
            code = streams.USAGE
    return code


def _part(options: dict[str, Any], name: str) -> tuple[int, streams.Taken]:
    return answer_part({**options, "within": [name]}, streams.Batch([], "", "", 0, {}))


def _difference(name: str, old: str, new: str) -> Iterator[str]:
    """Yield a unified difference without context; in linear time, which `difflib` does not keep."""
    if old == new:
        return
    before, after = _lines(old), _lines(new)
    yield from (f"--- {name}", f"+++ {name}")
    if len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True), 1)
        hunks = [(at, [one], [other]) for at, (one, other) in pairs if one != other]
    else:  # line breaks within a URI went
        pairs = enumerate(zip(before, after, strict=False))
        at = next((at for at, (one, other) in pairs if one != other), len(before))
        hunks = [(at + 1, before[at:], after[at:])]
    for at, gone, come in hunks:
        yield f"@@ -{at},{len(gone)} +{at},{len(come)} @@"
        for line in (*(f"-{line}" for line in gone), *(f"+{line}" for line in come)):
            yield line.removesuffix("\n")
            if line.endswith("\n"):
                yield "\\ No newline at end of file"


def _lines(text: str) -> list[str]:
    """Return the lines of a text; a last one that no line feed ends is marked by one."""
    *lines, last = text.split("\n")
    return [*lines, f"{last}\n"] if last else lines


def files_in(
    names: Sequence[str], *, hidden_root: str = "", hidden: list[str] | None = None
) -> Iterator[str]:
    """Yield files, those of a directory in their order, without links and hidden ones.

    hidden_root: what is left out at the beginning of each name.
    hidden: gets the files and directories that are hidden.
    """
    for name in names:
        if name == "-" or not os.path.isdir(name):  # noqa: PTH112 - a name is as the user gave it
            yield name
            continue
        for folder, folders, files in os.walk(name):
            paths = {one: os.path.join(folder, one) for one in sorted(folders + files)}  # noqa: PTH118 - as above
            if hidden is not None:
                hidden += (path for one, path in paths.items() if one.startswith("."))
            folders[:] = sorted(inner for inner in folders if not inner.startswith("."))
            for file, path in paths.items():
                is_file = os.path.isfile(path) and not os.path.islink(path)  # noqa: PTH113, PTH114 - as above
                if is_file and not file.startswith("."):
                    yield path.removeprefix(hidden_root)
