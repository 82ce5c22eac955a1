"""`uriparse plan`: what a client would send to get at what a URL stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli.parsers import add_texts
from uriparse.cli.per_line import for_each
from uriparse.cli.url_command import add_registry, named_registry, shown_url
from uriparse.errors import URIError
from uriparse.excerpt import MASK

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console, Span
    from uriparse.schemes import URL
    from uriparse.schemes.plans import Command, Plan, ProsperoPlan

NAME = "plan"
HELP = "show what a client would send: ftp, gopher, news, nntp, prospero, telnet, wais"
GROUP = "read"
EXAMPLES = (
    "uriparse plan ftp://example.com/pub/a.txt",
    "uriparse plan --json gopher://example.com/0a",
)
EXITS = {0: "all have a plan", 1: "some invalid or without a plan"}

PLANNED = ("ftp", "gopher", "news", "nntp", "prospero", "telnet", "wais")
"""The schemes that have plans."""

_USAGE = 2
_PASSWORD = "PASS"


class _UsageError(Exception):
    """An option whose value cannot be used."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "url", "URL")
    parser.add_argument("--email", help="the password of the anonymous FTP user")
    parser.add_argument(
        "--empty-search",
        choices=("keep", "omit"),
        help="send or leave out an empty search before a Gopher+ string (default: as the RFC's"
        " section on that string says)",
    )
    add_registry(parser)
    parser.add_argument("--relaxed-host", action="store_true", help="as in `url`")


def run(args: argparse.Namespace, console: Console) -> int:
    """Plan each input; 1 if some were invalid or have no plan. Nothing is ever sent."""
    from uriparse.schemes import access_plan, parse_url

    show = _object if args.json else _lines
    registry = named_registry(args.registry)

    def answer(text: str) -> None:
        url = parse_url(text, relaxed_host=args.relaxed_host, registry=registry)
        if url.scheme not in PLANNED:
            raise URIError(f"no plan for {url.scheme} URLs; there are for {', '.join(PLANNED)}")
        try:
            plan = access_plan(url, email=args.email, empty_search=args.empty_search)
        except URIError:
            raise
        except ValueError as error:
            raise _UsageError(error) from None
        show(shown_url(url, console, registry), plan, console)

    try:
        return for_each(args.url, console, answer)
    except _UsageError as error:
        console.where = ""
        console.error(f"uriparse plan: --email: {error}")
        return _USAGE


def _lines(url: URL, plan: Plan, console: Console) -> None:
    """Write the URL, where to connect to, and what to send, a line each."""
    from uriparse.schemes.plans import FtpPlan, GopherPlan, NntpPlan, ProsperoPlan, WaisPlan

    where = f"connect to {plan.host}, port {plan.port}"
    if plan.host is None:
        where = "connect to your own news server"
    rows: list[tuple[str, str]] = [(where, "")]
    match plan:
        case FtpPlan() | NntpPlan():
            for command in plan.commands:
                note = "  (guessed)" if command.is_guessed else ""
                rows.append((f"{_line(command, console)}", note))
        case GopherPlan():
            if plan.form is not None:
                rows.append(
                    (f"send {_escaped(plan.form)}  for the form that is to be filled in", "")
                )
            else:
                rows.append((f"send {_escaped(plan.request)}", ""))
        case WaisPlan():
            rows += [(f"{name} {value}", "") for name, value in _wais(plan).items()]
        case ProsperoPlan():
            rows.append((f"hsoname {_escaped(plan.hsoname)}", ""))
            rows += [(f"field {name}={value}", "") for name, value in _fields(plan)]
        case _:
            rows = [(str(plan), "")]
    head = f"<{type(url).__name__} {str(url)!r}>"
    spans: list[Span] = [(head, "faint"), ("\n", "")]
    for text, note in rows:
        spans += [(f"  {text}", ""), (note, "warning"), ("\n", "")]
    console.styled(spans)


def _object(url: URL, plan: Plan, console: Console) -> None:
    """Write the plan as a JSON object."""
    from uriparse.schemes.plans import FtpPlan, GopherPlan, NntpPlan, ProsperoPlan, WaisPlan

    found: dict[str, object] = {
        **console.place,
        "text": str(url),
        "valid": True,
        "scheme": url.scheme,
        "host": plan.host,
        "port": plan.port,
    }
    match plan:
        case FtpPlan() | NntpPlan():
            if isinstance(plan, FtpPlan):
                found["operation"] = plan.operation
            found["commands"] = [
                {
                    "line": _line(command, console),
                    "guessed": command.is_guessed,
                    "prompt": command.prompt,
                }
                for command in plan.commands
            ]
        case GopherPlan():
            found |= {"type": plan.type, "request": plan.request.hex()}
            found["gopher_plus"] = None if plan.plus is None else plan.plus.kind
            if plan.form is not None:
                found["form"] = plan.form.hex()
        case WaisPlan():
            found |= _wais(plan)
        case ProsperoPlan():
            found |= {"hsoname": _escaped(plan.hsoname), "fields": _fields(plan)}
        case _:
            found |= {"user": plan.user, "encoded": plan.is_encoded}
            found["password"] = plan.password if console.secrets or plan.password is None else "***"
    console.json(found)


def _wais(plan: object) -> dict[str, str]:
    names = ("kind", "database", "search", "wtype", "wpath")
    values = {name: getattr(plan, name) for name in names}
    return {
        name: _escaped(value) if isinstance(value, bytes) else value
        for name, value in values.items()
        if value is not None
    }


def _fields(plan: ProsperoPlan) -> list[tuple[str, str]]:
    return [(_escaped(name), _escaped(value)) for name, value in plan.fields]


def _line(command: Command, console: Console) -> str:
    if console.hides and command.verb == _PASSWORD and command.argument:
        return f"{command.verb} {MASK}"  # an e-mail address as well, which is otherwise shown
    if console.secrets and command.is_secret and command.argument is not None:
        return f"{command.verb} {_escaped(command.argument)}"
    return str(command)


def _escaped(octets: bytes) -> str:
    r"""Write octets as text, with escapes for those that are no printable ASCII.

    >>> _escaped(b"s\t+\r\n")
    's\\t+\\r\\n'
    """
    return repr(octets)[2:-1]
