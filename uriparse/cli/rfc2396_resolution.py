"""The part of `uriparse resolve` that follows RFC 2396."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.cli.console import on_one_line
from uriparse.cli.per_line import for_each, made_text, marker
from uriparse.cli.rejection import report_option
from uriparse.errors import ResolutionError

if TYPE_CHECKING:
    import argparse

    from uriparse.cli.console import Console

DIALECTS = ("rfc3986", "rfc2396")
_USAGE = 2
_OPTIONS = {"excess": None, "loophole": None, "literal": False}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the choice of a dialect, and what RFC 2396 leaves to the program."""
    parser.add_argument(
        "--dialect", choices=DIALECTS, default="rfc3986", help="the rules of resolution"
    )
    group = parser.add_argument_group("with --dialect rfc2396")
    group.add_argument(
        "--excess",
        choices=("retain", "remove", "avoid"),
        help='".." beyond the root stays, goes, or is an error (default: retain)',
    )
    group.add_argument(
        "--loophole",
        choices=("strict", "compatible", "validating"),
        help="http:g is absolute, relative, or an error (default: strict)",
    )
    group.add_argument(
        "--literal", action="store_true", help="to the letter: http://a and g give http://ag"
    )


def concerns(args: argparse.Namespace) -> bool:
    """Whether an option of this module was given."""
    given = any(getattr(args, name) != default for name, default in _OPTIONS.items())
    return given or args.dialect == "rfc2396"


def _misuse(args: argparse.Namespace) -> str | None:
    """Say what is wrong with the options that were given together, or None."""
    if args.dialect == "rfc2396":
        if args.non_strict:
            return "--non-strict is of RFC 3986; --dialect rfc2396 has --loophole"
        if args.grammar != "rfc3986":
            return "--dialect rfc2396 knows no IRIs"
        return None
    for name, default in _OPTIONS.items():
        if getattr(args, name) != default:
            return f"--{name} needs --dialect rfc2396"
    return None


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the target of each reference; 1 if some have none."""
    from uriparse.legacy.rfc2396 import CurrentDocument, resolve

    problem = _misuse(args)
    if problem is not None:
        console.error(f"uriparse resolve: {problem}")
        return _USAGE
    try:
        resolve(args.base, "")
    except ResolutionError as error:
        raise report_option(error, "--base", args.base, console) from None

    def answer(text: str) -> None:
        try:
            target = resolve(
                args.base,
                text,
                excess=args.excess or "retain",
                loophole=args.loophole or "strict",
                literal=args.literal,
            )
        except ResolutionError as error:
            said = str(error).replace('excess="avoid"', "--excess avoid")
            raise ResolutionError(said) from None
        if not args.json:
            console.out(on_one_line(made_text(str(target), console)))
            return
        current = isinstance(target, CurrentDocument)
        console.json(
            {
                **console.place,
                "text": console.shown(text),
                "valid": True,
                "target": None if current else made_text(str(target), console),
                "current_document": current,
                "fragment": target.fragment,
                "notes": [] if isinstance(target, CurrentDocument) else [*target.notes],
            }
        )

    return for_each(args.ref, console, answer, refused=marker(console))
