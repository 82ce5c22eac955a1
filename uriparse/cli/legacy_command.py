"""`uriparse legacy PART`: what programs and RFCs of earlier years make of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from uriparse.cli.arguments import add_texts, declare
from uriparse.cli.per_line import described, for_each, reason
from uriparse.errors import excerpt
from uriparse.legacy.sqlalchemy import VERSIONS, quote, split_engine_url, unquote

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console, Span
    from uriparse.schemes.dialects import Dialects, Reading

NAME = "legacy"
HELP = "read URLs by RFC 1738, RFC 2396, WWWOFFLE or SQLAlchemy"
GROUP = "read"
EXAMPLES = (
    "uriparse legacy dialects 'http://a@b@c/'",
    "uriparse legacy form --to decoded 'a%20b+c'",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the parts, each with its arguments."""
    parts = parser.add_subparsers(metavar="PART", required=True)
    for part in PARTS:
        own = parts.add_parser(part.NAME, help=part.HELP, description=part.HELP)
        add_texts(own, part.DEST, part.DEST.upper())
        declare(own, part.OPTIONS)
        own.set_defaults(part=part, command=f"{NAME} {part.NAME}")


def run(args: argparse.Namespace, console: Console) -> int:
    """Run the part that is named."""
    part: LegacyPart = args.part
    return part.run(args, console)


class LegacyPart(NamedTuple):
    """A part of the command, as `uriparse.cli.commands.CommandModule` has it.

    DEST, OPTIONS: the name of its texts, and the table of its options.
    """

    NAME: str
    HELP: str
    EXAMPLES: tuple[str, ...]
    EXITS: Mapping[int, str]
    DEST: str
    OPTIONS: str
    run: Callable[[argparse.Namespace, Console], int]


def _written(value: str | None) -> str:
    return "-" if value is None else value or '""'


# Form arguments, as WWWOFFLE reads and writes them.


_OF_FORM = """
--json
--[no-]show-passwords  show passwords, or *** instead (default: shown in results, and nowhere else)
--to {recoded,encoded,decoded}  write all arguments in the one encoding that WWWOFFLE gives them
    (recoded); or each text, one name or value such as a URL that is an argument, encoded or decoded
"""


def _run_form(args: argparse.Namespace, console: Console) -> int:
    from uriparse.legacy.wwwoffle import decode_form, encode_form, parse_form_args, recode_form_args

    codings = {"recoded": recode_form_args, "encoded": encode_form, "decoded": decode_form}

    def answer(text: str) -> None:
        data = console.made(text)  # before it is split, since a password may hold what splits pairs
        if args.to is not None:
            result = console.made(codings[args.to](data))
            console.answer(console.shown(text), {"result": result}, result)
            return
        pairs = [
            (console.made(name), None if value is None else console.made(value))
            for name, value in parse_form_args(data)
        ]
        if args.json:
            facts = {"pairs": pairs, "recoded": recode_form_args(data)}
            console.answer(console.shown(text), facts)
            return
        shown = [(f"{_written(name)}  ", _written(value)) for name, value in pairs]
        console.rows([(name, ""), (value, "good")] for name, value in shown)

    return for_each(args.arguments, console, answer)


# Database URLs, as SQLAlchemy reads them and quotes what is in them.

_WIDTH_OF_PARTS = 12


_OF_DATABASE = f"""
--json --show-passwords
--to {{quoted,lossless,unquoted}}  write each text, a user name or a password, as it is in a URL
    (quoted, by default as 1.4 does; lossless: also "%%", so that it can be undone), or read it
    there (unquoted)
--version {{{",".join(VERSIONS)}}}  of SQLAlchemy; 2.0 means 2.0.24 and later (default: the newest;
    a URL that another version reads with another host is refused)
"""


def _run_database(args: argparse.Namespace, console: Console) -> int:
    hides = not console.secrets
    options = {"lossless": args.to == "lossless"}
    if args.version is not None:
        options["version"] = args.version

    def code(text: str) -> None:
        result = unquote(text) if args.to == "unquoted" else quote(text, **options)
        console.answer(excerpt.MASK if hides else text, {"result": result}, result)

    def split(text: str) -> None:
        url = split_engine_url(text, version=args.version)
        again, parts = url.render(hide_password=hides), url.parts(hide_password=hides)
        if args.json:
            console.answer(again, {"parts": parts})
            return
        shown = [(f"  {name:<{_WIDTH_OF_PARTS}}", _written(part)) for name, part in parts.items()]
        rows = [[(name, "faint"), (written, "path")] for name, written in shown]
        console.rows([[(again, "")], *rows])

    return for_each(args.url, console, code if args.to else split)


# Three generations of rules side by side: RFC 1738, RFC 2396, RFC 3986.

_WIDTH_OF_DIALECTS = 14
_AFTER_A_DELIMITER = frozenset({"port", "query", "fragment"})


def _run_dialects(args: argparse.Namespace, console: Console) -> int:
    from uriparse.schemes.dialects import dialects

    def answer(text: str) -> bool:
        view = dialects(text)
        hidden = _Hidden(view, console)
        visible = {str(reading.dialect): hidden.shown(reading) for reading in view.readings}
        if args.json:
            facts = _dialects_facts(view, visible, console)
            console.json({**console.place, "text": hidden.shown_text(), **facts})
        else:
            console.rows([[(hidden.shown_text(), "")], *_dialects_rows(view, visible, console)])
        return not view.hosts_differ and any(reading.accepts for reading in view.readings)

    return for_each(args.url, console, answer)


class _Hidden:
    """The passwords in a text that is read in three ways.

    If all three accept it, the password of each; otherwise the part that may be a password.
    """

    def __init__(self, view: Dialects, console: Console) -> None:
        self.text = view.text
        self.spans: list[tuple[int, int]] = []
        if console.secrets:
            return
        if all(reading.accepts for reading in view.readings):
            self.spans = [span for reading in view.readings for span in self._passwords(reading)]
        elif (span := excerpt.secret_span(view.text)) is not None:
            self.spans = [span]

    def shown(self, reading: Reading) -> dict[str, str | None]:
        """Return the components as they may be shown."""
        found: dict[str, str | None] = dict(reading.components)
        for name, value, start in self._placed(reading):
            found[name] = self._masked(value, start)
        return found

    def shown_text(self) -> str:
        """Return the text as it may be shown."""
        return self._masked(self.text, 0)

    def _masked(self, part: str, offset: int) -> str:
        """Mask what is hidden in a part that begins at an offset of the text."""
        within = [
            (max(first - offset, 0), min(last - offset, len(part)))
            for first, last in sorted(set(self.spans))
            if first < offset + len(part) and last > offset
        ]
        for first, last in reversed(within):
            part = f"{part[:first]}{excerpt.MASK}{part[last:]}"
        return part

    def _passwords(self, reading: Reading) -> Iterator[tuple[int, int]]:
        for name, value, start in self._placed(reading):
            colon = value.find(":")
            if name == "userinfo" and 0 <= colon < len(value) - 1:
                yield start + colon + 1, start + len(value)

    def _placed(self, reading: Reading) -> Iterator[tuple[str, str, int]]:
        """Return each component that is there with its offset; they are in order."""
        at = 0
        for name, value in reading.components.items():
            if value and name != "host_kind":
                at = self.text.find(value, at + (name in _AFTER_A_DELIMITER))
                yield name, value, at
                at += len(value)


_Visible: TypeAlias = dict[str, dict[str, str | None]]
"""The components as they may be shown, by dialects."""


def _dialects_rows(view: Dialects, visible: _Visible, console: Console) -> list[list[Span]]:
    rows: list[list[Span]] = []
    for reading in view.readings:
        rows.append([(f"  {reading.dialect:<{_WIDTH_OF_DIALECTS}}", "faint")])
        if reading.error is None:
            host = visible[reading.dialect]["host"]
            quoted = "-" if host is None else f'"{host}"'
            rows[-1] += [("accepts", "good"), (f", host {quoted}", "")]
        else:
            rows[-1] += [("refuses", "error"), (f": {reason(reading.error, console)}", "")]
    for difference in view.differences:
        name = difference.component
        values = [(dialect, visible[dialect][name]) for dialect in difference.values]
        seen = ", ".join(f"{d} {'-' if value is None else repr(value)}" for d, value in values)
        rows.append([(f"  {name:<{_WIDTH_OF_DIALECTS}}", "warning"), (seen, "")])
        rows.append([(f"  {'':<{_WIDTH_OF_DIALECTS}}{difference.reason}", "faint")])
    if view.hosts_differ:
        rows.append([("  they see different hosts", "error")])
    return rows


def _dialects_facts(view: Dialects, visible: _Visible, console: Console) -> dict[str, object]:
    facts: dict[str, object] = {"valid": any(reading.accepts for reading in view.readings)}
    facts |= {"agree": view.agree, "hosts_differ": view.hosts_differ}
    readings: dict[str, object] = {}
    for one in view.readings:
        error = None if one.error is None else described(one.error, view.text, console)["error"]
        found = {"accepts": one.accepts, "components": visible[one.dialect], "error": error}
        readings[str(one.dialect)] = found
    differences = []
    for other in view.differences:
        name = other.component
        values = {str(dialect): visible[dialect][name] for dialect in other.values}
        differences.append({"component": name, "values": values, "reason": other.reason})
    return {**facts, "readings": readings, "differences": differences}


PARTS = (
    LegacyPart("dialects", "show side by side how RFC 1738, RFC 2396 and RFC 3986 read each text",
               ("uriparse legacy dialects 'http://a@b@c/'",
                "uriparse legacy dialects --json < urls.txt"),
               {0: "all valid", 1: "some invalid, or dialects see two hosts in one"},
               "url", "--json --show-passwords", _run_dialects),
    LegacyPart("form",
               "read form arguments and bodies of forms as WWWOFFLE does: any text has some",
               ("uriparse legacy form 'q=a%20b&u=http%3A%2F%2Fexample.com%2F'",
                "uriparse legacy form --to encoded 'http://example.com/?a=b&c=d e'"),
               {0: "always, of a text"}, "arguments", _OF_FORM, _run_form),
    LegacyPart("database",
               "read database URLs as SQLAlchemy does, and quote user names and passwords for them",
               ("uriparse legacy database --version 1.3 'postgresql://user:p@ss@example.com/db'",
                "uriparse legacy database --to quoted 'user@example.com'"),
               {0: "all valid", 1: "some invalid"}, "url", _OF_DATABASE, _run_database),
)  # fmt: skip
"""In the order of the help text."""
