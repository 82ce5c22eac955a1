"""`uriparse normalize`: the one way to write each reference, or its key."""

import argparse
from collections.abc import Sequence

from uriparse.cli.arguments import IN_RESULTS, add_texts, declare
from uriparse.cli.console import Console, UsageError, without_line_ends
from uriparse.cli.per_line import each, for_each, make_each, shown
from uriparse.cli.within import WITHIN, change_within, uris_edit
from uriparse.iri import iri_to_uri, uri_to_iri
from uriparse.normalization import compose_characters, normalize
from uriparse.parsing import Record, parse
from uriparse.records.chunks import normal_texts

NAME = "normalize"
HELP = "print normal forms (RFC 3986 section 6.2), or keys"
GROUP = "write"
EXAMPLES = (
    "uriparse normalize 'HTTP://Example.com/%7Eu/../v'",
    "uriparse normalize --key scheme+drop-tracking < urls.txt | sort -u",
)
OPTIONS = f"""
--file --null
--level {{syntax,scheme}}  syntax: keep default ports (default: scheme)
--nfc  compose the characters of IRIs
--to {{uri,iri}}  map IRIs to URIs, or the reverse, with DNS names in that form (RFC 3987 section 3)
--json --show-passwords --invalid --grammar --jobs
{WITHIN}
keys: one for all URIs that mean the same:
--key PROFILE  print keys by a profile: rfc3986 (normal forms without fragment), surt (as web
    archives), wwwoffle (any text), and others; then perhaps +drop-tracking or +sort-query, and
    others
| --file-name  print a file name for the key
| --explain  also print the key after each step
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_texts(parser, "uri", "URI", unless=("within",))
    declare(parser, OPTIONS, show_passwords=IN_RESULTS)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the normal form of each reference, or its key; 1 if some were invalid."""
    if args.key is not None:
        return _run_keys(args, console)
    if args.explain or args.file_name:
        raise UsageError(f"--{'explain' if args.explain else 'file-name'} needs --key PROFILE")
    passes = [compose_characters] if args.nfc else []

    def make(reference: Record) -> Record:
        normal = normalize(reference, args.level or "scheme", passes=passes)
        if args.to is None:
            return normal
        uri = iri_to_uri(normal, idna=True)
        return uri if args.to == "uri" else uri_to_iri(uri, idna=True)

    if args.within:
        return change_within(args, console, uris_edit(make, args, console))

    def chunk(texts: Sequence[str]) -> list[str | None] | None:
        is_plain = args.to is None and not args.nfc
        return normal_texts(texts, by_scheme=args.level != "syntax") if is_plain else None

    return make_each(args.uri, args, console, make, "normal", chunk, changes=True)


def _run_keys(args: argparse.Namespace, console: Console) -> int:
    from uriparse.keys import file_name, key, named_profile

    given = {"--level": args.level, "--nfc": args.nfc, "--to": args.to}
    given["--within"] = args.within
    given["--grammar"] = getattr(args, "grammar", "rfc3986") != "rfc3986"
    for name in (name for name, value in given.items() if value):
        raise UsageError(f"{name} goes without --key, whose profile says what is done")
    vars(args).pop("grammar", None)  # no remedy offers it
    try:
        profile = named_profile(args.key)
    except ValueError as error:
        raise UsageError(f"--key: {error}") from None
    is_plain = not (args.json or args.explain or args.file_name or console.hides)
    reads_any = args.key.startswith("wwwoffle")

    def echo(text: str) -> str:
        """Return a text as it may be shown; WWWOFFLE has passwords where RFC 3986 has none."""
        return console.shown(text) if reads_any else str(shown(parse(text), console))

    def plain(text: str) -> str:
        return without_line_ends(key(text, args.key))

    if is_plain:
        return for_each(args.uri, console, plain, each(plain))

    def answer(text: str) -> None:
        steps = list(profile.explain(text))  # which refuses texts as they came
        if console.hides:
            steps = list(profile.explain(echo(text)))
            if reads_any:  # and puts a host before some
                steps = [step._replace(key=console.made(step.key)) for step in steps]
        own = steps[-1].key
        facts: dict[str, object] = {"key": own}
        if args.file_name:
            facts["file_name"] = file_name(own)
        if args.explain:
            facts["steps"] = [{"name": step.name, "key": step.key} for step in steps]
        if args.json or not args.explain:
            console.answer(echo(text), facts, str(facts.get("file_name", own)))
            return
        width = max(len(step.name) for step in steps)
        for step in steps:
            console.styled([(f"{step.name:{width}}  ", "faint"), (step.key, "")])

    return for_each(args.uri, console, answer)
