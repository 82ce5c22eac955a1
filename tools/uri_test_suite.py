"""Writes tests/published: uri-test-suite, data for testers of other parsers.

    python -m tools.uri_test_suite [--check] [--full FOLDER]

The files in the repository hold the tier "tiny", small ones both tiers; `full.sha256` has the
digests of all cases. `--full FOLDER` writes these files into a new folder instead; `--check` writes
nothing, and reports whether the files and the digests are up to date.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from tools.suite_cover import cover
from tools.suite_families import FAULTS, character_cases, fault_cases, fault_texts
from uriparse import normalize, parse, resolve
from uriparse.conformance import OperationCase, SuiteRow, operation_suite, subject, suite
from uriparse.conformance.operations import taken_apart
from uriparse.conformance.resolution_programs import run, split
from uriparse.conformance.suites import Case, RowMaker
from uriparse.conformance.trial_corpus import PASSAGES

HOME = Path(__file__).parents[1] / "tests/published"
VERSION = "1.6.0"

SYNTAX = {
    "URI": ("URI", "rfc3986"),
    "URI-reference": ("URI-reference", "rfc3986"),
    "IRI": ("IRI", "rfc3987"),
    "IPv6address": ("IPv6address", "rfc3986"),
    "IPv4address": ("IPv4address", "rfc3986"),
    "host": ("host", "rfc3986"),
}
"""The files of syntax, each for a rule of a grammar."""

OPERATIONS = ("components", "limits", "resolution", "normalization", "equivalence")


SMALL = {"resolution.json", "normalization.json", "equivalence.json", "syntax/beyond-unicode.json"}
"""The files of which the repository holds both tiers."""

DIGESTS = "full.sha256"


class File(NamedTuple):
    """A file of the suite: with all cases, and as the repository has it."""

    name: str
    full: str
    tiny: str


def files() -> Iterator[File]:
    """Yield every file that is made."""
    yield from syntax_files()
    yield from family_files()
    for operation in OPERATIONS:
        yield file(f"{operation}.json", operation, operation_cases(operation))
    yield File("VERSION", f"{VERSION}\n", f"{VERSION}\n")


def syntax_files() -> Iterator[File]:
    """Yield the files of syntax: what detects the mutants of rules."""
    beyond: list[dict[str, object]] = []
    with ProcessPoolExecutor() as pool:
        made = list(pool.map(syntax_cases, SYNTAX))
    for (name, (rule, _)), cases in zip(SYNTAX.items(), made, strict=True):
        beyond += [case for case in cases if not is_unicode(str(case["text"]))]
        known = [case for case in cases if is_unicode(str(case["text"]))]
        yield from verdicts("syntax", name, known, rule)
    yield file("syntax/beyond-unicode.json", "beyond-unicode", map(in_hex, beyond))


def family_files() -> Iterator[File]:
    """Yield the files of the families, and what is known of faults that were reported."""
    for name, (rule, grammar) in SYNTAX.items():
        of = subject(rule, grammar)
        cases = [
            {**syntax_case(name, RowMaker(of).row(case, "characters")), "tier": tier}
            for case, tier in character_cases(of)
        ]
        yield from verdicts("characters", name, cases, rule)
        cases = [
            {**syntax_case(name, RowMaker(of).row(Case(text, len(text)), "faults")), "fault": fault}
            for text, fault in fault_texts(name).items()
        ]
        yield from verdicts("faults", name, cases, rule)
    yield file("faults.json", "faults", fault_classes())


def verdicts(folder: str, name: str, cases: list[dict[str, object]], rule: str) -> Iterator[File]:
    """Yield a file of verdicts, and its tier "tiny" for languages without JSON."""
    yield file(f"{folder}/{name}.json", "syntax", cases, rule=rule)
    lines = "".join(line(case) for case in cases if case["tier"] == "tiny")
    yield File(f"tsv/{'' if folder == 'syntax' else folder + '-'}{name}.tsv", lines, lines)


def syntax_cases(name: str) -> list[dict[str, object]]:
    """Return the cases of a rule: a few that detect all its mutants are the tier "tiny"."""
    rule, grammar = SYNTAX[name]
    of = subject(rule, grammar)
    few = cover(rule, grammar, [text for text, _ in of.source.witnesses(rule).texts])
    rows: dict[str, SuiteRow] = {}
    for method in ("mutants", "transition"):
        for row in suite(rule, grammar=grammar, method=method):
            rows.setdefault(row.text, row)
    for text, edits in few.items():
        rows.setdefault(text, RowMaker(of).row(Case(text, len(text), edits), "mutants"))
    return [syntax_case(name, row, "tiny" if row.text in few else "full") for row in rows.values()]


def syntax_case(name: str, row: SuiteRow, tier: str = "tiny") -> dict[str, object]:
    """Return a case of a rule."""
    case: dict[str, object] = {
        "id": identifier(name, row.text),
        "tier": tier,
        "text": row.text,
        "valid": row.valid,
    }
    if row.components is not None and name != "IRI":
        case["components"] = row.components
    passage = PASSAGES.get(row.component) or PASSAGES.get(row.rule) or PASSAGES["URI"]
    return {**case, "section": passage.section, "tells": row.tests}


def operation_cases(operation: str) -> Iterator[dict[str, object]]:
    """Yield the cases of an operation; resolution with what non-strict resolvers give."""
    sizes = [operation_suite(operation, size=size) for size in ("tiny", "full")]
    few = {key(case) for case in sizes[0]}
    not_strict = run(strict=False)
    every = {key(case): case for case in (*sizes[0], *sizes[1])}
    for known, case in every.items():
        made: dict[str, object] = {
            "id": identifier(operation, known),
            "tier": "tiny" if known in few else "full",
            **case.given,
            "expected": case.expected,
            "section": case.section,
            "tells": case.tells,
        }
        if operation == "resolution":
            base, reference = (split(str(text)) for text in case.given.values())
            # Whether "A" is the same scheme as "a" section 5.2.2 leaves open.
            loose = not_strict(base, reference) if base.scheme != "A" else case.expected
            if loose != case.expected:
                made["expected if not strict"] = loose
        yield made
    for given, section, fault in fault_cases(operation):
        known = json.dumps(given)
        if known not in every:
            head = {"id": identifier(operation, known), "tier": "tiny", **given}
            result = {"expected": RESULTS[operation](*given.values()), "section": section}
            yield {**head, **result, "tells": fault, "fault": fault}


RESULTS: Final[dict[str, Callable[..., object]]] = {
    "components": lambda text: taken_apart(parse(text, "URI")),
    "resolution": lambda base, reference: str(resolve(base, reference)),
    "normalization": lambda text: str(normalize(text, "scheme")),
}
"""What operations give. A path never becomes an authority: "/." goes before it (section 3.3)."""


def fault_classes() -> Iterator[dict[str, object]]:
    """Yield the classes of reported faults, with the ids of the cases that detect them."""
    for row in FAULTS:
        cases = []
        for case in row["cases"]:
            given = {name: text for name, text in case.items() if name != "operation"}
            where = case.get("rule") or case["operation"]
            cases.append(identifier(where, case["text"] if "rule" in case else json.dumps(given)))
        told = {name: row[name] for name in ("fault", "issues", "section", "says")}
        yield {"id": identifier("faults", row["fault"]), "tier": "tiny", **told, "cases": cases}


def key(case: OperationCase) -> str:
    """Return what a case is known by: what is given."""
    return json.dumps(case.given)


def identifier(name: str, text: str) -> str:
    """Return an id that stays as long as the text does."""
    octets = text.encode("utf-8", "surrogatepass")
    return f"{name}/{sha256(octets).hexdigest()[:10]}"


def is_unicode(text: str) -> bool:
    """Whether a text has no lone surrogates, which few languages can read from JSON."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def in_hex(case: dict[str, object]) -> dict[str, object]:
    """Write a text with lone surrogates as its UTF-16 code units."""
    units = str(case["text"]).encode("utf-16-be", "surrogatepass").hex()
    return {"id": case["id"], "tier": case["tier"], "utf16": units, "valid": case["valid"]}


def line(case: dict[str, object]) -> str:
    """Write a case for languages without JSON."""
    text = str(case["text"]).encode().hex()
    return f"{case['id']}\t{int(bool(case['valid']))}\t{text}\n"


def file(name: str, kind: str, cases: Iterable[dict[str, object]], **facts: str) -> File:
    """Write a file of cases."""
    every = list(cases)
    few = [case for case in every if name in SMALL or case["tier"] == "tiny"]
    return File(name, written(kind, every, **facts), written(kind, few, **facts))


def written(kind: str, cases: Iterable[dict[str, object]], **facts: str) -> str:
    """Write cases as JSON of ASCII, one a line."""
    head = {"suite": "uri-test-suite", "version": VERSION, "kind": kind, **facts}
    start = json.dumps(head)[:-1]
    lines = ",\n".join(json.dumps(case) for case in cases)
    return f'{start}, "cases": [\n{lines}\n]}}\n'


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; compare")
    parser.add_argument("--full", type=Path, metavar="FOLDER", help="write all cases here")
    args = parser.parse_args()
    if args.full and not args.check:
        ignored = shutil.ignore_patterns(DIGESTS)
        shutil.copytree(HOME, args.full, ignore=ignored)  # README, licence, schema, runners
    made = list(files())
    texts = {one.name: one.full if args.full else one.tiny for one in made}
    if not args.full:
        texts[DIGESTS] = "".join(
            f"{sha256(one.full.encode('ascii')).hexdigest()}  {one.name}\n" for one in made
        )
    stale = []
    for name, text in texts.items():
        path = (args.full or HOME) / name
        if args.check:
            if not path.is_file() or path.read_text("ascii") != text:
                stale.append(name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "ascii")
    if stale:
        names = ", ".join(stale)
        sys.stderr.write(f"not as made: {names}; run python -m tools.uri_test_suite\n")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
