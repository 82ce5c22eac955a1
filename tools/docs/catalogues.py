"""The catalogues of the library as definition lists in Markdown, and the helps of its commands."""

from __future__ import annotations

import contextlib
import io
import json
import os
from inspect import Signature
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

from uriparse import URISyntaxError
from uriparse.arrow.functions import FUNCTIONS
from uriparse.diagnosis import CAUSES, diagnose
from uriparse.legacy.wwwoffle import canonicalize
from uriparse.schemes import CURRENT, RFC1738, access_plan, parse_url, registrations
from uriparse.validation import CATALOGUE, CLIENTS, Policy, validate
from uriparse.validation.policy import PRESETS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REQUIREMENTS = Path(__file__).parents[2] / "tests" / "requirements"

WIDTH = "88"

LONGEST = 40
"""Longer examples are cut."""

WWWOFFLE = Path(__file__).parents[2] / "tests/vectors/wwwoffle_versions.json"

REPORTED = Path(__file__).parents[2] / "tests/published/faults.json"

TRIAL = Path(__file__).parents[2] / "tests/wire/trial.json"


def help_of(program: str, *command: str) -> str:
    """Ask a program for its help."""
    out = io.StringIO()
    settings = mock.patch.dict(os.environ, {"COLUMNS": WIDTH, "NO_COLOR": "1"})
    with settings, contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        _main_of(program)([*command, "--help"])
    return out.getvalue()


def _main_of(program: str) -> Callable[[list[str]], int]:
    from abnf2lark.command import main as abnf2lark  # noqa: PLC0415 - only some pages need it
    from uriparse.cli import main as uriparse  # noqa: PLC0415 - same

    return {"uriparse": uriparse, "abnf2lark": abnf2lark}[program]


def plain(text: str) -> str:
    """Write prose so that Markdown shows it as it is."""
    return "".join(f"\\{c}" if c in r"\*_[]<>|`" else c for c in text)


def sentence(clause: str) -> str:
    """Write a clause as a sentence."""
    return plain(clause[:1].upper() + clause[1:] + ".")


def code(text: str) -> str:
    """Write a text as code; what a page could not show stands escaped."""
    shown = text if text.isprintable() else repr(text)[1:-1]
    if len(shown) > LONGEST:
        shown = shown[: LONGEST - 1] + "…"
    fence = "``" if "`" in shown else "`"
    pad = " " if "`" in shown or not shown.strip() else ""
    return f"{fence}{pad}{shown}{pad}{fence}".replace("|", "\\|")


class Named(dict[str, str]):
    """Fills the blanks of a sentence that is about no text with their names, as "explain" does."""

    def __missing__(self, name: str) -> str:
        return name.upper()


def code_entries(layer: str) -> Iterator[str]:
    """Give the codes of a layer, each with its severity, an example, and why it is there."""
    for known in CATALOGUE.values():
        if known.layer == layer:
            yield f"{code(known.code)}, {known.severity}, such as {code(known.trigger)}"
            yield f": {sentence(known.sentence)} {sentence(known.source)}"
            needed = [name for name, row in CLIENTS.items() if known.code in row.codes]
            if needed:
                yield f"  On the wire, needed by: {', '.join(needed)}."
            yield ""


def preset_entries() -> Iterator[str]:
    """Yield a table of the named policies: what each allows and refuses."""
    made = {name: Policy.from_dict({"preset": name, **_BASES.get(name, {})}) for name in PRESETS}
    yield f"| setting | {' | '.join(map(code, PRESETS))} |"
    yield f"|---|{'---|' * len(PRESETS)}"
    for title, tell in _PRESET_ROWS.items():
        cells = (tell(policy) for policy in made.values())
        yield f"| {title} | {' | '.join(cells)} |"


_BASES = {"redirect": {"base": "https://base.example/"}}


def _listed(policy: Policy, setting: str) -> str:
    """Name the entries of an allow-list."""
    found = getattr(policy, setting)
    if policy.base is not None:
        return f"that of the base{'' if setting == 'schemes' else ' alone'}"
    named = {"default": "the scheme's own"}
    return "any" if found == "*" else ", ".join(sorted(named.get(one, str(one)) for one in found))


def _flag(setting: str) -> Callable[[Policy], str]:
    return lambda policy: "allowed" if getattr(policy, setting) else "refused"


_PRESET_ROWS: dict[str, Callable[[Policy], str]] = {
    "schemes": lambda policy: _listed(policy, "schemes"),
    "hosts": lambda policy: _listed(policy, "hosts"),
    "ports": lambda policy: (
        _listed(policy, "ports") if policy.bad_ports or policy.ports != "*" else "any but bad ports"
    ),
    "addresses": lambda policy: "any" if policy.allowed_addresses == "*" else "global",
    "names of special use": lambda policy: "allowed" if policy.allowed_names == "*" else "refused",
    "userinfo": _flag("userinfo"),
    "fragment": _flag("fragment"),
    "relative references": _flag("relative"),
    "clients agree on": lambda policy: f"the {policy.agreement}" if policy.agreement else "nothing",
    "characters": lambda policy: "any" if policy.max_length is None else f"{policy.max_length:,}",
    "refused for": lambda policy: "errors" if policy.refuse == "error" else "errors and warnings",
}


def column_entries() -> Iterator[str]:
    """Yield a table of the functions of columns: their arguments, results and forms in SQL."""
    yield "| method of a column | in SQL | result | for one text |"
    yield "|---|---|---|---|"
    for name, one in FUNCTIONS.items():
        own = one.signature.parameters.values()
        plain = [part.replace(annotation=part.empty) for part in own]
        method = str(one.signature.replace(parameters=plain, return_annotation=Signature.empty))
        options = [part if part in one.needed else f"[{part}]" for part in one.inputs]
        sql = f"uri_{name}({', '.join(options)})"
        yield _row(
            f"`{name}{method}`", f"`{sql}`", _KINDS[one.kind], one.single and f"`{one.single}`"
        )


_KINDS = {
    "bool": "boolean", "int64": "integer", "text": "text", "texts": "list of texts",
    "parts": "struct of texts",
}  # fmt: skip


def client_entries() -> Iterator[str]:
    """Yield a table of the clients that were measured on the wire, and what each needs.

    How many texts each fetched is in the record that the trial writes.
    """
    trial = json.loads(TRIAL.read_text("utf-8"))
    yield "| client | version | destinations | requests | by a proxy | needs | triplets rewritten |"
    yield "|---|---|--:|--:|--:|---|---|"
    for name, row in CLIENTS.items():
        codes = ", ".join(map(code, row.codes))
        counts = [len(text) // 3 for text in (row.path_triplets, row.query_triplets)]
        triplets = f"{counts[0]} in a path, {counts[1]} in a query" if any(counts) else "none"
        run = trial.get(name, {})
        fetched = [_fetched(run.get(kind, {})) for kind in ("destination", "request", "proxy")]
        yield f"| {name} | {row.version} | {' | '.join(fetched)} | {codes} | {triplets} |"


def _fetched(counts: dict[str, int]) -> str:
    total = sum(counts.values())
    fetched = counts.get("same", 0) + counts.get("target", 0)
    if not total:
        return "not run"
    return f"{total:,}" if fetched == total else f"{fetched:,} of {total:,}"


def cause_entries() -> Iterator[str]:
    """Give the causes, each with an example that has it, and a near one that has not."""
    for cause in CAUSES.values():
        yield f"{code(cause.name)}, such as {code(cause.example.text)}"
        said = sentence(cause.sentence.format_map(Named()))
        yield f": {said} Not so: {code(cause.counterexample)}."
        yield ""


USAGE = """\
uriparse pars http://h/
uriparse get http://h/
uriparse get -f {hots} http://h/
uriparse set --hots h http://h/
uriparse set --port x http://h/
uriparse parse --rule URl http://h/
uriparse parse --grammar rfc3968 http://h/
uriparse validate --policy outbond http://h/
uriparse validate --parquet table.parquet
uriparse normalize --level simple http://h/
uriparse resolve a
uriparse explain excess-dots
uriparse parse --file missing.txt
uriparse conformance suite --rule URl
abnf2lark match rfc3986 URL http://h/
abnf2lark lint missing.abnf
abnf2lark diff rfc3986 rfc9999
""".splitlines()
"""Command lines with a mistake that is often made."""


def messages(kind: str) -> Iterator[tuple[str, str]]:
    """Yield the messages of "causes", "findings" or "usage", each after what it is about."""
    if kind == "causes":
        for cause in CAUSES.values():
            yield cause.example.text, _refusal(*cause.example)
    elif kind == "findings":
        for known in CATALOGUE.values():
            if not known.trigger.startswith("<"):  # not a document
                found = validate(known.trigger, Policy.from_toml(known.under)).findings
                told = [str(one) for one in found if one.code == known.code]
                if not told:
                    raise ValueError(
                        f"no check reports {known.code} for {known.trigger!r}, its text in "
                        "uriparse/validation/finding_catalogue.txt:"
                        " write the check, or another text"
                    )
                yield known.trigger, told[0]
    else:
        yield from ((line, _usage_error(line)) for line in USAGE)


def _refusal(text: str, _: int, by: str) -> str:
    parsers = {
        "parse_url": parse_url,
        "RFC 1738": lambda text: parse_url(text, registry=RFC1738),
        "access_plan": lambda text: access_plan(parse_url(text)),
    }
    if by not in parsers:
        grammar, _, rule = by.rpartition(":")
        return str(diagnose(text, rule, grammar or "rfc3986"))
    try:
        parsers[by](text)
    except URISyntaxError as error:
        return str(error)
    raise AssertionError(f"{text!r} is accepted")


def _usage_error(line: str) -> str:
    """Run a command line; return what its message says, without the lines on usage."""
    program, *arguments = line.split()
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.suppress(SystemExit):
        _main_of(program)(arguments)
    return said.getvalue()


def permanent_entries() -> Iterator[str]:
    """Yield a table of the permanent schemes, and how many of them are read in which way."""
    permanent = {n: row for n, row in registrations().items() if row.status == "permanent"}
    typed = [name for name in permanent if name in CURRENT]
    yield f"Of {len(permanent)} schemes, {len(typed)} are typed."
    yield ""
    yield "| scheme | reference | read |"
    yield "|---|---|---|"
    for name, row in permanent.items():
        yield f"| {name} | {plain(row.reference)} | {'typed' if name in CURRENT else 'generic'} |"


def fault_entries() -> Iterator[str]:
    """Yield a table of reported faults: section of RFC 3986, issues, and how many cases detect."""
    yield "| fault | section | reported as | cases |"
    yield "|---|---|---|--:|"
    for row in json.loads(REPORTED.read_text("ascii"))["cases"]:
        issues = ", ".join(f"`{issue}`" for issue in row["issues"])
        name = row["fault"].replace("|", "\\|")
        yield f"| {name} | {row['section']} | {issues} | {len(row['cases'])} |"


def wwwoffle_entries() -> Iterator[str]:
    """Yield a table of what each version of WWWOFFLE makes of a text, as its program said."""
    table = json.loads(WWWOFFLE.read_text("ascii"))
    yield f"| text | 2.6 | {' | '.join(table['runs'])} |"
    yield f"|---|---|{'---|' * len(table['runs'])}"
    for row in table["rows"]:
        texts = [row["text"], canonicalize(row["text"]), *(row[name] for name in table["runs"])]
        yield f"| {' | '.join(map(code, texts))} |"
    yield ""
    for version, run in table["runs"].items():
        yield f"- {version}: of {run['texts']:,} texts, {run['departures']:,} read otherwise."


def message_entries(kind: str) -> Iterator[str]:
    """Yield a table of messages; of the command's as they look at a terminal."""
    if kind == "usage":
        for line, message in messages(kind):
            yield f"```console\n$ {line}\n{message}```\n"
        return
    yield "| text | message |"
    yield "|---|---|"
    for text, message in messages(kind):
        yield f"| {code(text)} | {plain(message)} |"


def requirement_entries(kind: str) -> Iterator[str]:
    """Yield a table of the requirements whose number begins with a letter."""
    rows = json.loads((REQUIREMENTS / "requirements.json").read_text(encoding="utf-8"))
    yield "| number | requirement | in the library | tests |"
    yield "|---|---|---|---|"
    for number, row in rows.items():
        if number.startswith(kind):
            yield _row(number, row["sentence"], code(row["library"]), _names(row["tests"]))


def scheme_requirement_entries() -> Iterator[str]:
    """Yield a table of what the RFCs of schemes require of their URIs beside the grammar."""
    rows = json.loads((REQUIREMENTS / "schemes.json").read_text(encoding="utf-8"))
    yield "| scheme | stated in | level | requirement | tests, or why it is not checked |"
    yield "|---|---|---|---|---|"
    for row in rows:
        done = "; ".join(filter(None, (_names(row.get("tests", [])), row.get("reason", ""))))
        yield _row(row["scheme"], row["section"], row["level"], row["sentence"], done)


def _names(tests: list[str]) -> str:
    return ", ".join(f"`{test}`" for test in tests)


def _row(*cells: str) -> str:
    """Write a row of a table, in whose cells "|" and "<" are text."""
    shown = []
    for cell in cells:
        parts = cell.replace("\\|", "|").replace("|", "\\|").split("`")
        parts[::2] = [part.replace("<", "\\<").replace("*", "\\*") for part in parts[::2]]
        shown.append("`".join(parts))
    return f"| {' | '.join(shown)} |"


def field_entries(registry: str) -> Iterator[str]:
    """Yield a table of the fields that the records of a registry state; "current" or "rfc1738"."""
    yield "| scheme | rule | field | read from | value |"
    yield "|---|---|---|---|---|"
    for scheme in (CURRENT if registry == "current" else RFC1738).values():
        for name, field in scheme.record.FIELDS.items():
            rules = ", ".join(map(code, field.kinds)) or "computed"
            kinds = ", ".join(dict.fromkeys(code(kind.__name__) for kind in field.kinds.values()))
            grammar = f"{code(scheme.rule)} of {scheme.grammar}"
            yield f"| {scheme.name} | {grammar} | {code(name)} | {rules} | {kinds} |"
