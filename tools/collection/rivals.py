"""Other tools that parse by ABNF, beside this compiler, on the suites of tests/vectors.

``python -m tools.collection.rivals`` prints a table: wrong verdicts on the suites' cases, then what
a tree of a JSON list costs, in microseconds and octets a character. Verdicts are held to those of
the suites, but for the cases that are listed as beyond any grammar. ``abnf`` is measured with its
own engine and with the one in Rust, where ``abnf[rust]`` is installed; apg-js where ``--apg`` names
its folder. Lark has a grammar by hand for JSON alone.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import abnf2lark
from abnf2lark.config import core_grammar

SUITES = ("json-test-suite", "jsonpath-cts", "structured-field-tests", "uri-template-tests")
VECTORS = Path(__file__).parents[2] / "tests/vectors"
LIST = "[" + ", ".join(f'{{"id": {number}, "name": "x{number}"}}' for number in range(70)) + "]"
LONGEST = 4000
"""Characters of texts that are asked; the suites have two that are longer."""

WRITTEN = r"""
?start: value
?value: object | array | STRING | NUMBER | "true" | "false" | "null"
object: "{" [pair ("," pair)*] "}"
pair: STRING ":" value
array: "[" [value ("," value)*] "]"
STRING: /"([^"\\\x00-\x1f]|\\(["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
NUMBER: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
%ignore /[ \t\n\r]+/
"""
"""JSON for Lark, as a person writes it."""

NODE = r"""
const [, , folder, file] = process.argv;
const Api = require(folder + "/src/apg-api/api.js");
const { parser: Parser, ast: Ast } = require(folder + "/src/apg-lib/node-exports.js");
const asked = JSON.parse(require("fs").readFileSync(file, "utf8"));
const made = asked.map(({ text, rules, cases }) => {
  const api = new Api(text);
  api.generate();
  if (api.errors.length) return { refused: api.errors[0].msg };
  const grammar = api.toObject();
  const parse = (rule, word, tree) => {
    const parser = new Parser();
    if (tree) {
      parser.ast = new Ast();
      for (const name of rules) parser.ast.callbacks[name.toLowerCase()] = true;
    }
    const found = parser.parse(grammar, rule, Array.from(word, (c) => c.codePointAt(0)));
    return [found.success, parser.ast];
  };
  const verdicts = cases.map(([rule, word]) => {
    try { return parse(rule, word)[0]; } catch { return null; }
  });
  return { verdicts, parse };
});
const { list, rule } = asked[0];
let best = Infinity;
for (let turn = 0; turn < 5; turn++) {
  const start = process.hrtime.bigint();
  made[0].parse(rule, list, true);
  best = Math.min(best, Number(process.hrtime.bigint() - start) / 1000);
}
global.gc();
const before = process.memoryUsage().heapUsed;
const kept = Array.from({ length: 10 }, () => made[0].parse(rule, list, true));
global.gc();
const octets = (process.memoryUsage().heapUsed - before) / kept.length;
const verdicts = made.map((one) => one.verdicts || one.refused);
console.log(JSON.stringify({ verdicts, best, octets }));
"""


def whole(grammar: abnf2lark.Grammar, text: str) -> str:
    """Return the text of a grammar with the rules that it imports, but for the core rules.

    The package abnf lets no grammar define a rule of a core rule's name, so those have another one.
    """
    core = core_grammar()
    rules = grammar.known.rules.items()
    others = [rule.source for name, rule in rules if name not in grammar.rules]
    found = [text.rstrip(), *(one for one in others if not core.find(one.split()[0]))]
    taken = "|".join(name for name in grammar.rules if core.find(name)) or "(?!)"
    return re.sub(rf"(?<![\w-])({taken})(?![\w-])", r"own-\1", "\n".join(found)) + "\n"


def suite(name: str) -> tuple[abnf2lark.Grammar, str, list[tuple[str, str, bool]]]:
    """Return the grammar of a suite, its text, and its cases as a grammar has to judge them."""
    read = json.loads((VECTORS / name / "cases.json").read_text(encoding="utf-8"))
    grammar = abnf2lark.load(read["grammar"])
    differs = {case for ids in read["differences"].values() for case in ids}
    cases = [
        (rule, text, verdict != (case in differs))
        for case, rule, text, verdict in read["cases"]
        if isinstance(text, str) and verdict is not None and len(text) <= LONGEST
    ]
    return grammar, whole(grammar, source(read["grammar"])), cases


def source(name: str) -> str:
    """Return the text of a bundled grammar."""
    from abnf2lark.config import bundled_source  # noqa: PLC0415 - for texts alone

    found = bundled_source(name)
    return found[0].text if found else ""


def cost(tree: Callable[[], object]) -> tuple[float, float]:
    """Return microseconds and kept octets a character of the list, the best of five."""
    best = min(_timed(tree) for _ in range(5))
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = tree()
    octets = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    del kept
    return best / len(LIST) * 1e6, octets / len(LIST)


def _timed(tree: Callable[[], object]) -> float:
    start = time.process_time()
    tree()
    return time.process_time() - start


def judged(judge: Callable[[str, str], bool], cases: Sequence[tuple[str, str, bool]]) -> int:
    """Count the cases that are judged wrongly; an error of another kind is one."""
    wrong = 0
    for rule, text, expected in cases:
        try:
            wrong += judge(rule, text) != expected
        except Exception:  # noqa: BLE001 - of whatever kind: it is not a verdict
            wrong += 1
    return wrong


def by_ours() -> tuple[list[object], list[object]]:
    """Measure this compiler: trees as they are, whose nodes are made when asked for, and walked."""
    wrong: list[object] = []
    for name in SUITES:
        grammar, _, cases = suite(name)
        wrong.append(judged(lambda rule, text, of=grammar: of.matches(text, rule), cases))  # type: ignore[misc]
    json_text = abnf2lark.load("rfc8259")
    json_text.tree(LIST)

    def walked() -> object:
        tree = json_text.tree(LIST)
        return tree, sum(1 for _ in tree.iter_subtrees())

    return [*wrong, *cost(lambda: json_text.tree(LIST))], [*wrong, *cost(walked)]


def by_abnf() -> Iterator[object]:
    """Measure the package abnf, with the engine that the environment asks for."""
    from abnf import ParseError, Rule  # noqa: PLC0415 - slow to load

    first: type[Rule] | None = None
    for name in SUITES:
        _, text, cases = suite(name)
        rules = type("Own", (Rule,), {})
        first = first or rules
        rules.load_grammar(text.replace("\n", "\r\n"))

        def judge(rule: str, word: str, of: type[Rule] = rules) -> bool:
            try:
                of(rule).parse_all(word)
            except ParseError:
                return False
            return True

        yield judged(judge, cases)
    assert first is not None  # noqa: S101 - there are suites
    parse = first("JSON-text").parse_all
    yield from cost(lambda: parse(LIST))


def by_lark() -> Iterator[object]:
    """Measure Lark with a grammar that is written by hand, of JSON alone."""
    from lark import Lark, LarkError  # noqa: PLC0415 - slow to load

    parser = Lark(WRITTEN, parser="lalr")

    def judge(_: str, text: str) -> bool:
        try:
            parser.parse(text)
        except LarkError:
            return False
        return True

    yield judged(judge, suite(SUITES[0])[2])
    yield from ["-"] * (len(SUITES) - 1)
    yield from cost(lambda: parser.parse(LIST))


def by_apg(folder: str) -> Iterator[object]:
    """Measure apg-js."""
    import tempfile  # noqa: PLC0415 - here alone

    read = [suite(name) for name in SUITES]
    known = core_grammar()
    core = "".join(f"{rule.source}\n" for rule in known.rules.values())  # which apg-js has not
    asked = [
        {
            "text": text + core,
            "rules": grammar.rules,
            "cases": cases,
            "list": LIST,
            "rule": "JSON-text",
        }
        for grammar, text, cases in read
    ]
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
        (Path(place) / "run.js").write_text(NODE, encoding="utf-8")
        command = ["node", "--expose-gc", f"{place}/run.js", str(Path(folder).resolve())]
        done = subprocess.run(  # noqa: S603 - our own script
            [*command, f"{place}/asked.json"], capture_output=True, check=True, text=True
        )
    found = json.loads(done.stdout)
    for (_, _, cases), verdicts in zip(read, found["verdicts"], strict=True):
        pairs = zip(cases, verdicts, strict=True) if isinstance(verdicts, list) else None
        yield sum(case[2] != one for case, one in pairs) if pairs else "refused"
    yield found["best"] / len(LIST)
    yield found["octets"] / len(LIST)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    made = argparse.ArgumentParser(prog="python -m tools.collection.rivals", description=__doc__)
    made.add_argument("--apg", metavar="FOLDER", help="where the npm package apg-js is")
    made.add_argument("--abnf", action="store_true", help="only the package abnf, as JSON")
    options = made.parse_args(arguments)
    if options.abnf:
        sys.stdout.write(json.dumps([*by_abnf()]))
        return 0
    made_when_asked, walked = by_ours()
    rows = {"abnf2lark": made_when_asked, "abnf2lark, every node asked for": walked}
    for name, no_rust in (("abnf", "1"), ("abnf[rust]", "")):
        if not no_rust and find_spec("abnf_rust") is None:
            continue
        environment = {key: value for key, value in os.environ.items() if key != "ABNF_NO_RUST"}
        done = subprocess.run(
            [sys.executable, "-m", "tools.collection.rivals", "--abnf"],
            env=environment | ({"ABNF_NO_RUST": "1"} if no_rust else {}),
            capture_output=True,
            check=True,
            text=True,
        )
        rows[name] = json.loads(done.stdout)
    if options.apg:
        rows["apg-js"] = [*by_apg(options.apg)]
    rows["Lark, by hand"] = [*by_lark()]
    head = ["tool", *(f"{name}, {len(suite(name)[2])}" for name in SUITES), "µs", "octets"]
    sys.stdout.write("| " + " | ".join(head) + " |\n|---|" + "--:|" * (len(head) - 1) + "\n")
    for name, row in rows.items():
        cells = [f"{one:.2f}" if isinstance(one, float) else str(one) for one in row]
        sys.stdout.write(f"| {name} | " + " | ".join(cells) + " |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
