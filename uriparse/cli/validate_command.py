"""`uriparse validate`: judge texts by a policy, also millions of them."""

import argparse
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from uriparse import __version__
from uriparse.cli import console as streams
from uriparse.cli import interrupts
from uriparse.cli import validation_judging as judging
from uriparse.cli import validation_sources as sources
from uriparse.cli.arguments import declare, passwords
from uriparse.cli.console import Console, FileSource, Gate, UnreadableFileError
from uriparse.cli.help_text import did_you_mean
from uriparse.cli.per_line import report_file
from uriparse.cli.validation_judging import FORMS, Counts, Job, summary
from uriparse.errors import excerpt
from uriparse.parsing import is_valid
from uriparse.records.readers import yields_records
from uriparse.validation import Policy, PolicyDefinitionError
from uriparse.validation.compiled_policy import compiled
from uriparse.validation.policy import PRESETS

NAME = "validate"
HELP = "check URIs against a policy, and say why one is refused"
GROUP = "check"
EXAMPLES = (
    "uriparse validate http://localhost/ https://example.com/",
    "uriparse validate --policy web --column url --bad bad.txt --file log.csv",
)
EXITS = {0: "all accepted", 1: "some refused"}

DEFAULT_POLICY = "outbound"
"""The default of `uriparse.validate` and `check` as well."""

SOME_REFUSED = 1

OPTIONS = rf"""
--file
--policy NAME|FILE.toml  one of {", ".join(PRESETS)}, or a file of settings (default:
    {DEFAULT_POLICY}, for URLs that a server fetches for others; syntax checks only the rule)
--base URI  the base of relative references: for --policy redirect, a page of the site
--rule RULE  the rule to match (default: URI)
--grammar {{rfc3986,rfc3987}}  rfc3987 accepts IRIs, with --policy syntax or web
--whatwg  judge and write the URLs that browsers make of the texts
--jobs
input:
| -0, --null  texts end with NUL, not lines
| --field NAME  input is NDJSON, the text is this field
| --column NAME|N  input is CSV, the text is in this column: a name in the first row, or a number
    from 1 if no row has names
--parquet FILE...  input is Parquet, the text is in --column; a directory or a pattern such as
    'a/*.parquet' gives all its files, here and for --file with --column or --field; repeatable
output:
--format {{{",".join(FORMS)}}}  default: text, with tabs, and \n for a line end in a text; brief:
    only the first code
--csv-safe  with CSV: quote cells that a spreadsheet would compute, by an apostrophe before them
--invalid-only  omit accepted texts
--warnings  also report findings of accepted texts
--show-passwords
--good FILE  write accepted texts to this file, one per line; - is standard output
--bad FILE  write refused texts to this file, likewise
--out FILE  write the table to this file, with extra columns for verdict and components: CSV if the
    name ends in .csv, NDJSON for --field, otherwise Parquet; - writes CSV or NDJSON to standard
    output; or, for several inputs, a file for each into this directory
--force
--resume  with --out: keep complete files that are there already; those made by other arguments,
    policies, versions or inputs are errors
--summary  count codes and hosts at the end
-c, --count  print only the counts
-q, --quiet  print nothing, only set the exit code
--progress  report progress on standard error, also to a file or pipe
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    text = 'a text; "-" or nothing reads standard input, one per line; a line of more than 1 MiB'
    parser.add_argument("uri", nargs="*", metavar="URI", help=f"{text} is refused unread")
    parser.set_defaults(sources="uri", unless=("parquet",))
    shown = passwords("texts stay whole, messages show none")
    declare(parser, OPTIONS, format={"default": "text"}, show_passwords=shown, grammar={})


def run(args: argparse.Namespace, console: Console) -> int:
    """Judge all texts."""
    is_table = args.out is not None or args.parquet
    streams.refuse(_faults(args))
    try:
        job = _job(args)
        total, is_whole = (_judge_tables if is_table else _judge_lines)(args, job, console)
    except (PolicyDefinitionError, UnreadableFileError, streams.UnwritableFileError) as error:
        told = console.shown(str(error))
        if isinstance(error, streams.MissingFileError):
            scheme, colon, _ = error.name.partition(":")
            if colon and is_valid(scheme, "scheme") and not Path(error.name).drive:
                told += "; to judge the URI itself: uriparse validate URI"
        raise streams.UsageError(told) from None
    if args.count:
        console.out(f"accepted {total.accepted}\nrefused {total.refused}")
    if args.summary:
        console.out(summary(total))
    if not (is_table or args.quiet or args.count or args.format != "text"):
        for position, text in enumerate(args.uri, 1):
            if not (isinstance(text, FileSource) or text == "-" or is_valid(text, "URI")):
                console.locate(unit="argument", number=position)
                report_file(text, console)
    return streams.USAGE if not is_whole else SOME_REFUSED if total.refused else 0


def _judge_lines(args: argparse.Namespace, job: Job, console: Console) -> tuple[Counts, bool]:
    """Judge texts one by one, and show the verdicts."""
    if args.column is not None or args.field is not None:
        from uriparse.cli.validation_parts import files_of

        args.uri = [FileSource(name) for name, _ in files_of(_read(args), _form(args))]
    console.output.exact()
    total = judging.Outcome()
    with ExitStack() as stack:
        good, bad = _sinks(args, stack, console)
        progress = stack.enter_context(judging.Progress(console))
        if job.form in judging.HEADS:
            console.output.write(judging.HEADS[job.form])
        for outcome in judging.outcomes(_chunks(args), job, args.jobs):
            with interrupts.Held():  # what is done is out, whole
                pieces = [outcome.output], outcome.good, outcome.bad
                for sink, texts in zip((console.output, good, bad), pieces, strict=True):
                    if sink is not None:
                        sink.write("".join(texts))
                        sink.flush()  # a reader of a pipe wants each answer as it is found
            total.add(outcome)
            progress.show(total.accepted + total.refused)
    return total, True


def _faults(args: argparse.Namespace) -> Iterator[tuple[str, object]]:
    """Yield what may be wrong with options that are given together, and whether it is."""
    out, number = (args.out or "").lower(), args.column or ""
    to_table, parquet = args.out is not None, args.parquet
    to_standard = args.out in sources.STANDARD
    yield "--good and --bad are both -", args.good == args.bad == "-"
    for text in [one for one in args.uri if not isinstance(one, FileSource) and one != "-"][:1]:
        for option in ("column", "field", "parquet", "out"):
            told = (
                f"--{option} is for files and standard input, and {excerpt.masked(text)} is a text;"
                f" name a file by --{'parquet' if parquet else 'file'} FILE"
            )
            yield told, getattr(args, option) not in (None, [])
    keeps_csv = out and args.column is not None and not parquet and out[-8:] != ".parquet"
    is_csv = args.format == "csv" or keeps_csv or out.endswith(".csv")
    yield "--csv-safe is for CSV: --format csv, or --out FILE.csv", args.csv_safe and not is_csv
    yield "--resume needs --out, the files that are kept", args.resume and not to_table
    counts = args.count or args.quiet or args.summary
    told = "--parquet needs --out FILE, the table to write, or -c to count"
    yield told, parquet and not (to_table or counts)
    if not (to_table or parquet):
        told = f"--column {number}: the first column is 1"
        yield told, sources.is_number(number) and not number.strip("0")
        return
    option = "--out" if to_table else "--parquet"
    is_unnamed = args.column is None and (parquet or args.field is None)
    yield f"{option} needs --column NAME, the texts of the table", is_unnamed
    files = " and ".join([*args.uri, *parquet])
    told = f"{option} takes tables of one kind, not Parquet and another: {files}"
    yield told, parquet and args.uri
    told = "--out writes NDJSON for --field; give a name that ends in .ndjson"
    yield told, args.field is not None and out.endswith((".csv", ".parquet"))
    told = "--out writes NDJSON for --field alone; give a name that ends in .csv or .parquet"
    yield told, args.field is None and out.endswith((".ndjson", ".jsonl", ".json"))
    form = "ndjson" if args.field is not None and not parquet else "csv"
    told = f"--out {args.out} does not write Parquet: add --format csv"
    yield told, to_standard and parquet and args.format == "text"
    told = f"--out {args.out} writes {form.upper()} here: add --format {form}, or none"
    yield told, to_standard and args.format not in {"text", form}
    told = f"--out {args.out} goes without -c, --summary and --resume"
    yield told, to_standard and (args.count or args.summary or args.resume)
    told = "--summary goes without --resume, which does not read what it keeps"
    yield told, args.summary and args.resume
    for name, is_given in {
        "--format": args.format != "text" and not to_standard,
        "--invalid-only": args.invalid_only,
        "--warnings": args.warnings,
        "--no-show-passwords": args.show_passwords is False,
        "--good": args.good,
        "--bad": args.bad,
        "--whatwg": args.whatwg,
    }.items():
        yield f"{name} is for lines, and {option} is for a table; leave one out", is_given


def _form(args: argparse.Namespace) -> sources.Form:
    return "parquet" if args.parquet else "csv" if args.field is None else "ndjson"


def _judge_tables(args: argparse.Namespace, job: Job, console: Console) -> tuple[Counts, bool]:
    from concurrent.futures import BrokenExecutor

    from uriparse.cli.validation_parts import files_of, judge_tables
    from uriparse.cli.validation_written import TableTask

    form, errors = _form(args), streams.standard_error()
    column = args.field if form == "ndjson" else args.column
    named = args.policy or DEFAULT_POLICY
    facts: dict[str, object] = {
        "version": __version__,
        "policy": named if named in PRESETS else args.policy_text,
        "arguments": [args.column, args.field, args.rule, args.grammar, args.base, args.csv_safe],
    }
    pairs = files_of(args.parquet or args.uri, form, args.out)
    task = TableTask(
        *(column, form, job.policy, facts),
        force=args.force,
        resume=args.resume,
        is_safe=args.csv_safe,
        counts=args.summary,
        is_marked=args.resume or form == "parquet" or pairs[0][1] != args.out,
    )
    try:
        with judging.Progress(console, alone=True) as progress:
            return judge_tables(
                *(pairs, task, args.jobs),
                show=progress.show,
                tell=lambda why: errors.tell(f"uriparse {NAME}: {console.shown(why)}"),
            )
    except BrokenExecutor:
        raise streams.UsageError(
            "a process of --jobs has been ended, perhaps for lack of memory; give fewer"
        ) from None


def _job(args: argparse.Namespace) -> Job:
    silent = args.quiet or args.count or (args.summary and args.format == "text")
    return Job(
        policy=_policy(args),
        form=None if silent else judging.SAFE_CSV if args.csv_safe else args.format,
        refused_only=args.invalid_only,
        warnings=args.warnings,
        mask=args.show_passwords is False,
        sort=bool(args.good or args.bad),
        counts=args.summary,
        whatwg=args.whatwg,
    )


def _policy(args: argparse.Namespace) -> Policy:
    name = DEFAULT_POLICY if args.policy is None else args.policy
    base = {} if args.base is None else {"base": args.base}
    if name in PRESETS:
        if name == "redirect" and not base:
            raise PolicyDefinitionError("--policy redirect needs --base URI, a page of the site")
        policy = Policy.from_dict({"preset": name, **base}, name=f"--policy {name}")
    else:
        try:
            text = args.policy_text = streams.whole_text(name)  # once: it may be a pipe
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8"
            near = did_you_mean(name, PRESETS)
            hint = near or f"neither one of {', '.join(PRESETS)} nor a file: {reason}"
            raise PolicyDefinitionError(f"--policy {name}: {hint}") from None
        policy = Policy.from_toml(text, name=name).replace(**base)
    changes = {"grammar": args.grammar, "rule": args.rule}
    changes = {name: value for name, value in changes.items() if value is not None}
    if changes:
        policy = policy.replace(**changes)
    if args.policy is None and not yields_records(compiled(policy).start, policy.grammar):
        raise PolicyDefinitionError(
            f"--rule {args.rule}: its texts have no scheme and no host, which the policy"
            f" {DEFAULT_POLICY} asks for; add --policy syntax, which asks for the rule alone"
        )
    return policy


def _read(args: argparse.Namespace) -> list[str]:
    return [one for one in args.uri if isinstance(one, FileSource) or one == "-"]


def _chunks(args: argparse.Namespace) -> Iterator[list[sources.Item]]:
    arguments: list[sources.Item] = []
    for source in args.uri:
        if isinstance(source, FileSource) or source == "-":
            if arguments:
                yield arguments
                arguments = []
            with streams.opened(source) as file:
                if args.field is not None:
                    yield from sources.ndjson(file, args.field)
                elif args.column is not None:
                    yield from sources.columns(file, args.column, source)
                else:
                    yield from sources.lines(file, nul_ends=args.null)
        else:
            arguments.append(source)
    for first in range(0, len(arguments), sources.MOST):
        yield arguments[first : first + sources.MOST]


def _sinks(args: argparse.Namespace, stack: ExitStack, console: Console) -> list[Gate | None]:
    if args.good is None and args.bad is None:
        return [None, None]
    from abnf2lark.outputs import Outputs

    policy = None if args.policy in PRESETS else args.policy
    files = stack.enter_context(Outputs(force=args.force, read=[*_read(args), policy]))
    sinks: list[Gate | None] = []
    for name in (args.good, args.bad):
        if name in {None, "-"}:
            sinks.append(None if name is None else console.output)
        else:
            sinks.append(Gate(files.text(name, "surrogateescape")))
    return sinks
