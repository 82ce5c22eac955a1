"""`uriparse url`: the fields of a URL by the rules of its scheme, or what a client would send."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from uriparse.cli.arguments import add_texts, declare
from uriparse.cli.console import Console, Span, UsageError, quoted
from uriparse.cli.per_line import each, for_each, members
from uriparse.errors import URIError
from uriparse.errors.excerpt import MASK, masked
from uriparse.records.chunks import component_texts

if TYPE_CHECKING:
    import argparse
    from types import ModuleType

    from uriparse.schemes import URL, Encoded, Registry
    from uriparse.schemes.plans import Command, Plan

NAME = "url"
HELP = "print the fields of URLs by the rules of their schemes"
GROUP = "read"
EXAMPLES = (
    "uriparse url 'mailto:joe@example.com?subject=hi'",
    "uriparse url --plan ftp://example.com/pub/a.txt",
)
EXITS = {0: "all valid", 1: "some invalid, or without a plan"}

PLANNED = (
    *("ftp", "gopher", "http", "https", "imap", "news", "nntp", "prospero", "telnet", "wais"),
    *("ws", "wss"),
)
"""The schemes that have plans."""

_ABSENT = "-"
_PASSWORD = "PASS"

REGISTRIES = ("current", "rfc1738", "rfc1738-relaxed")
"""The names of the registries that URLs are read by; the last one with the hosts of RFC 3986."""

_WIDTH = 14

OPTIONS = f"""
--json --show-passwords --jobs
--registry {{{",".join(REGISTRIES)}}}  read by the current RFC of each scheme (default), or by RFC
    1738; relaxed: also accept hosts of RFC 3986
what a client would send:
--plan  for {", ".join(PLANNED)}
--email EMAIL  with --plan: the password of the anonymous FTP user
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "url", "URL")
    declare(parser, OPTIONS, registry={"default": REGISTRIES[0]})
    parser.set_defaults(relaxed_host=f"--registry {REGISTRIES[-1]}")


def run(args: argparse.Namespace, console: Console) -> int:
    """Show each input; 1 if some were invalid, or have no plan."""
    from uriparse.schemes import CURRENT, RFC1738, parse_url

    if args.email is not None and not args.plan:
        raise UsageError("--email needs --plan")
    show = _planner(args) if args.plan else _object if args.json else _table
    is_current = args.registry == REGISTRIES[0]
    registry = CURRENT if is_current else RFC1738
    read = parse_url  # which is quicker by itself
    if not is_current:
        is_relaxed = args.registry == REGISTRIES[-1]
        read = partial(parse_url, relaxed_host=is_relaxed, registry=registry)

    def answer(text: str) -> str:
        return show(read(text), console, registry)

    def chunk(texts: Sequence[str]) -> list[str | None]:
        """Leave texts that are not URIs, and so not URLs of today: to say why takes long."""
        found = component_texts(texts, [], [], "rfc3986") if is_current else None
        if found is None:
            return single(texts)
        shown = iter(single([text for text, is_uri in zip(texts, found[0], strict=True) if is_uri]))
        return [next(shown) if is_uri else None for is_uri in found[0]]

    single = each(answer)
    return for_each(args.url, console, answer, chunk)


def shown_url(url: URL, console: Console, registry: Registry) -> URL:
    """Return a URL with *** for its password, or for what looks like one if nobody knows."""
    if console.secrets:
        return url
    text = str(url)
    password: Encoded | None = getattr(url, "password", None)
    if password:
        text = f"{text[: password.start]}{MASK}{text[password.end :]}"
    elif isinstance(url, (_schemes().OtherURL, _schemes().current.OtherURI)) and url.host is None:
        text = masked(text)
    else:
        return url
    from uriparse.schemes import RelaxedHost, parse_url

    relaxed = isinstance(getattr(url, "host", None), RelaxedHost)
    return parse_url(text, relaxed_host=relaxed, registry=registry)


def _table(url: URL, console: Console, registry: Registry) -> str:
    """Return the URL, then a line for each field: name, text as written, what that means."""
    url = shown_url(url, console, registry)
    rows: list[list[Span]] = [[(url.url, ""), (f"  {type(url).__name__}", "faint")]]
    for name, written, meaning in _rows(url):
        shown = f"  = {meaning}" if meaning else ""
        rows.append([(_label(name), "faint"), (written, "path"), (shown, "good")])
    return console.laid(rows)


@lru_cache(1 << 8)
def _label(name: str) -> str:
    return f"  {name:<{_WIDTH}}"


def _rows(url: URL) -> Iterator[tuple[str, str, str]]:
    """Return the rows of the table: a field that holds several has a row for each."""
    for name, value in url.as_dict().items():
        if isinstance(value, tuple) and value:
            for number, item in enumerate(value, 1):
                yield f"{name} {number}", *_cells(item)
        elif (name, value) == ("port", None) and url.default_port is not None:
            yield name, _ABSENT, f"{url.default_port} by default"
        else:
            yield name, *_cells(value or None if isinstance(value, tuple) else value)
    if url.fragment is not None:
        yield "fragment", *_cells(url.fragment)


def _cells(value: object) -> tuple[str, str]:
    """Return the text of a field as written, and what it means where that differs."""
    if value is None:
        return _ABSENT, ""
    if value == "":
        return '""', ""
    if isinstance(value, tuple):
        pairs = [_cells(part) for part in value if part is not None]
        meaning = "=".join(meaning or written for written, meaning in pairs)
        written = "=".join(written for written, _ in pairs)
        return written, meaning if meaning != written else ""
    text = meaning = str(value)
    if "%" in text and isinstance(value, _schemes().Encoded):
        meaning = value.octets.decode("utf-8", "backslashreplace")
    return text, "" if meaning == text else meaning


def _object(url: URL, console: Console, registry: Registry) -> str:
    """Return members of JSON: each field as written and decoded, null where it is absent."""
    url = shown_url(url, console, registry)
    try:
        effective = json.dumps(getattr(url, "effective_port", None))
    except URIError:  # a port that is not read at all: a text may have thousands of digits
        effective = "null"
    fields = [f"{quoted(name)}: {_json(value)}" for name, value in url.as_dict().items()]
    # Written out, as in `parse`: `json.dumps` takes as long as all the rest.
    return (
        f'"text": {quoted(str(url))}, "valid": true, "kind": "{url.__class__.__name__}",'
        f' "scheme": {quoted(url.scheme)}, "fields": {{{", ".join(fields)}}},'
        f' "effective_port": {effective}, "fragment": {_json(url.fragment)}'
    )


def _json(value: object) -> str:
    """Write a field in JSON; `decoded` is null where the octets are not UTF-8."""
    if value is None:
        return "null"
    if isinstance(value, _schemes().Encoded):
        written = str(value)
        octets = value.octets if "%" in written else written.encode()
        try:
            decoded = quoted(octets.decode())
        except UnicodeDecodeError:
            decoded = "null"
        return f'{{"written": {quoted(written)}, "decoded": {decoded}, "octets": "{octets.hex()}"}}'
    if isinstance(value, tuple):
        return f"[{', '.join(map(_json, value))}]"
    return quoted(value) if isinstance(value, str) else json.dumps(value)


@cache
def _schemes() -> ModuleType:
    """Return `uriparse.schemes`, loaded when the command runs, not for its help."""
    from uriparse import schemes

    return schemes


# Plans: what a client would send. Nothing is sent.


def _planner(args: argparse.Namespace) -> Callable[[URL, Console, Registry], str]:
    from uriparse.schemes import access_plan

    def show(url: URL, console: Console, registry: Registry) -> str:
        if url.scheme not in PLANNED:
            raise URIError(f"no plan for {url.scheme} URLs; there are for {', '.join(PLANNED)}")
        try:
            plan = access_plan(url, email=args.email)
        except URIError:
            raise
        except ValueError as error:
            raise UsageError(f"--email: {error}") from None
        rows, facts = _told(plan, console)
        shown = shown_url(url, console, registry)
        if args.json:
            place = {"scheme": shown.scheme, "host": plan.host, "port": plan.port}
            return members(str(shown), {**place, **facts})
        told: list[list[Span]] = [[(f"  {text}", ""), (note, "warning")] for text, note in rows]
        return console.laid([[(f"<{type(shown).__name__} {str(shown)!r}>", "faint")], *told])

    return show


def _told(plan: Plan, console: Console) -> tuple[list[tuple[str, str]], dict[str, object]]:
    """Return where to connect to and what to send: lines with notes, and members in JSON."""
    from uriparse.schemes import plans

    where = f"connect to {plan.host}, port {plan.port}"
    rows = [("connect to your own news server" if plan.host is None else where, "")]
    facts: dict[str, object] = {}
    match plan:
        case plans.HttpPlan():
            rows.append((f"send {_escaped(plan.request)}", ""))
            facts = {"tls": plan.is_secure, "request": plan.request.hex()}
        case plans.FtpPlan() | plans.NntpPlan() | plans.ImapPlan():
            if isinstance(plan, plans.FtpPlan):
                facts["operation"] = plan.operation
            sent = [(_line(one, console), one.is_guessed, one.prompt) for one in plan.commands]
            rows += [(line, "  (guessed)" if guessed else "") for line, guessed, _ in sent]
            names = ("line", "guessed", "prompt")
            facts["commands"] = [dict(zip(names, one, strict=True)) for one in sent]
        case plans.GopherPlan():
            sends = plan.request if plan.form is None else plan.form
            note = "  for the form that is to be filled in" if plan.form is not None else ""
            rows.append((f"send {_escaped(sends)}{note}", ""))
            facts = {"type": plan.type, "request": plan.request.hex()}
            facts["gopher_plus"] = None if plan.plus is None else plan.plus.kind
            facts |= {} if plan.form is None else {"form": plan.form.hex()}
        case plans.WaisPlan():
            found = {one: getattr(plan, one) for one in _OF_WAIS if getattr(plan, one) is not None}
            facts |= {n: _escaped(v) if isinstance(v, bytes) else v for n, v in found.items()}
            rows += [(f"{name} {value}", "") for name, value in facts.items()]
        case plans.ProsperoPlan():
            fields = [(_escaped(name), _escaped(value)) for name, value in plan.fields]
            facts = {"hsoname": _escaped(plan.hsoname), "fields": fields}
            rows.append((f"hsoname {facts['hsoname']}", ""))
            rows += [(f"field {name}={value}", "") for name, value in fields]
        case _:
            password = plan.password if console.secrets or plan.password is None else MASK
            facts = {"user": plan.user, "encoded": plan.is_encoded, "password": password}
            rows = [(str(plan), "")]
    return rows, facts


_OF_WAIS = ("kind", "database", "search", "wtype", "wpath")


def _line(command: Command, console: Console) -> str:
    if console.hides and command.verb == _PASSWORD and command.argument:
        return f"{command.verb} {MASK}"  # an e-mail address as well, which is otherwise shown
    if console.secrets and command.is_secret and command.argument is not None:
        return f"{command.verb} {_escaped(command.argument)}"
    return str(command)


def _escaped(octets: bytes) -> str:
    r"""Write octets as text, with escapes for those that are not printable ASCII."""
    return repr(octets)[2:-1]
