"""Other parsers beside this compiler: their verdicts, and what their trees cost.

``python -m tools.collection.rivals`` prints two tables. The first counts wrong verdicts of tools
for ABNF on the suites of tests/vectors, but for the cases that are listed as beyond any grammar.
The second has microseconds and octets a character of trees of four texts; other tools than those
for ABNF have grammars by hand. ``abnf`` uses its engine in Rust where ``abnf[rust]`` is installed;
apg-js is asked where ``--apg`` names its folder; tools that are not installed are left out.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import abnf2lark
from abnf2lark.config import core_grammar

if TYPE_CHECKING:
    from lark import Token, Tree

SUITES = ("json-test-suite", "jsonpath-cts", "structured-field-tests", "uri-template-tests")
VECTORS = Path(__file__).parents[2] / "tests/vectors"
BY_HAND = Path(__file__).parent / "by_hand"
LONGEST = 4000
"""Characters of texts that are asked; the suites have two that are longer."""

LIST = "[" + ", ".join(f'{{"id": {number}, "name": "x{number}"}}' for number in range(70)) + "]"
TABLE = """[server.s{0}]
host = "10.0.0.{0}"  # a comment
ports = [8000, 80{0}]
enabled = true
ratio = 0.{0}5
since = 1979-05-27T07:32:00Z

"""
MAILBOXES = '"Doe, John" <john.doe{0}@mail.example.com>, Mary Smith (home) <mary@x.test>, j@x.org'
SEGMENTS = (
    """.store['book{0}'][?@.price < {0}.50 && (@.isbn || @.kind == "fiction")][0:{0}, -1]..x"""
)
TEXTS = {
    "rfc8259": ("JSON-text", LIST),
    "toml": ("toml", "".join(map(TABLE.format, range(10, 26)))),
    "rfc5322": ("address-list", ", ".join(map(MAILBOXES.format, range(18)))),
    "rfc9535": ("jsonpath-query", "$" + "".join(map(SEGMENTS.format, range(18)))),
}
"""By grammar, a rule and a text of nearly two thousand characters, of which trees are made."""

STRING = r'"([^"\\\x00-\x1f]|\\(["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
NUMBER = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?"
PARSIMONIOUS = rf"""
value = ws (object / array / string / number / word) ws
object = "{{" ws (pair ("," pair)*)? "}}"
pair = ws string ws ":" value
array = "[" ws (value ("," value)*)? "]"
string = ~r'{STRING}'
number = ~r"{NUMBER}"
word = "true" / "false" / "null"
ws = ~r"[ \t\n\r]*"
"""
PE = r"""
Start <- WS Value !.
Value <- (Object / Array / String / Number / ~Word) WS
Object <- "{" WS (Pair ("," WS Pair)*)? "}"
Pair <- String WS ":" WS Value
Array <- "[" WS (Value ("," WS Value)*)? "]"
String <- ~(["] (!["\\\x00-\x1f] . / "\\" (["\\/bfnrt] / "u" X X X X))* ["])
X <- [0-9a-fA-F]
Number <- ~("-"? ("0" / [1-9] [0-9]*) ("." [0-9]+)? ([eE] [-+]? [0-9]+)?)
Word <- "true" / "false" / "null"
WS <- [ \t\n\r]*
"""
TATSU = rf"""
@@whitespace :: /[ \t\n\r]*/
start = value $ ;
value = object | array | string | number | 'true' | 'false' | 'null' ;
object = '{{' ','.{{pair}} '}}' ;
pair = string ':' value ;
array = '[' ','.{{value}} ']' ;
string = /{STRING}/ ;
number = /{NUMBER}/ ;
"""

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


def cost(tree: Callable[[], object], text: str) -> tuple[float, float]:
    """Return microseconds and kept octets a character, the best of nine."""
    best = min(_timed(tree) for _ in range(9))
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = tree()
    octets = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    del kept
    return best / len(text) * 1e6, octets / len(text)


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


def by_ours() -> Iterator[int]:
    """Count the wrong verdicts of this compiler, by suite."""
    for name in SUITES:
        grammar, _, cases = suite(name)
        yield judged(lambda rule, text, of=grammar: of.matches(text, rule), cases)  # type: ignore[misc]


def _abnf(text: str) -> Callable[[str, str], object]:
    """Read a grammar with the package abnf; return its parser, of a rule and a text."""
    from abnf import Rule  # noqa: PLC0415 - slow to load

    rules = type("Own", (Rule,), {})
    rules.load_grammar(text.replace("\n", "\r\n"))
    return lambda rule, word: rules(rule).parse_all(word)


def by_abnf() -> Iterator[int]:
    """Count the wrong verdicts of the package abnf."""
    from abnf import ParseError  # noqa: PLC0415 - slow to load

    for name in SUITES:
        _, text, cases = suite(name)
        parse = _abnf(text)

        def judge(rule: str, word: str, parse: Callable[[str, str], object] = parse) -> bool:
            try:
                parse(rule, word)
            except ParseError:
                return False
            return True

        yield judged(judge, cases)


def _walked(tree: Tree[Token]) -> tuple[object, int]:
    return tree, sum(1 for _ in tree.iter_subtrees())


Parse: TypeAlias = Callable[[str], object]


def _ours(name: str, rule: str) -> dict[str, Parse]:
    grammar = abnf2lark.load(name)
    found: dict[str, Parse] = {
        "abnf2lark, a tree": lambda text: grammar.tree(text, rule),
        "abnf2lark, with every node looked at": lambda text: _walked(grammar.tree(text, rule)),
        "abnf2lark, records": grammar.records(rule).parse,
    }
    made = grammar.lark(rule)
    if made.kind == "lalr":
        found["Lark, a grammar by abnf2lark"] = _lark(made.grammar_text, made.options.start)
    return found


def _lark(grammar: str, start: Sequence[str] = ("start",)) -> Parse:
    from lark import Lark  # noqa: PLC0415 - slow to load

    return Lark(grammar, parser="lalr", start=[*start]).parse


def _parsimonious() -> Parse:
    from parsimonious import Grammar  # noqa: PLC0415 - it may not be installed

    parse: Parse = Grammar(PARSIMONIOUS).parse
    return parse


def _pe() -> Parse:
    from pe import OPTIMIZE, compile  # noqa: A004, PLC0415 - it may not be installed
    from pe.actions import Pack  # noqa: PLC0415 - same

    actions = {name: Pack(list) for name in ("Object", "Pair", "Array")}
    made = compile(PE, actions=actions, flags=OPTIMIZE)
    return lambda text: made.match(text).value()


def _tatsu() -> Parse:
    from tatsu import compile  # noqa: A004, PLC0415 - it may not be installed

    parse: Parse = compile(TATSU).parse
    return parse


def _pyparsing() -> Parse:
    import pyparsing as pp  # noqa: PLC0415 - it may not be installed

    def several(begin: str, item: pp.ParserElement, end: str) -> pp.ParserElement:
        items = pp.Optional(pp.DelimitedList(item))
        return pp.Group(pp.Suppress(begin) + items + pp.Suppress(end))

    value, string = pp.Forward(), pp.Regex(STRING)
    pairs = several("{", pp.Group(string + pp.Suppress(":") + value), "}")
    words = pp.one_of("true false null")
    value <<= pairs | several("[", value, "]") | string | pp.Regex(NUMBER) | words
    return lambda text: value.parse_string(text, parse_all=True)


OTHERS = {
    "parsimonious": _parsimonious,
    "pe": _pe,
    "tatsu": _tatsu,
    "pyparsing": _pyparsing,
}
"""Tools that have a grammar of JSON by hand."""


def parsers() -> Iterator[tuple[str, str, Parse]]:
    """Yield a name of a grammar, that of a tool, and what makes a tree of a text."""
    for name, (rule, _) in TEXTS.items():
        for tool, parse in _ours(name, rule).items():
            yield name, tool, parse
        yield name, "Lark, a grammar by hand", _lark((BY_HAND / f"{name}.lark").read_text("utf-8"))
        abnf = _abnf(whole(abnf2lark.load(name), source(name)))
        engine = "abnf" if find_spec("abnf_rust") is None else "abnf[rust]"
        yield name, engine, partial(abnf, rule)
    for tool, make in OTHERS.items():
        if find_spec(tool) is not None:
            yield "rfc8259", tool, make()


def costs() -> dict[str, dict[str, tuple[float, float]]]:
    """Return by tool and grammar microseconds and octets a character."""
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for name, tool, parse in parsers():
        text = TEXTS[name][1]
        parse(text)  # what is made once is not counted
        found.setdefault(tool, {})[name] = cost(partial(parse, text), text)
    return found


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


def _table(head: Sequence[str], rows: Mapping[str, Sequence[object]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 1)]
    for name, row in rows.items():
        cells = [f"{one:.2f}" if isinstance(one, float) else str(one) for one in row]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    made = argparse.ArgumentParser(prog="python -m tools.collection.rivals", description=__doc__)
    made.add_argument("--apg", metavar="FOLDER", help="where the npm package apg-js is")
    options = made.parse_args(arguments)
    verdicts: dict[str, Sequence[object]] = {"abnf2lark": [*by_ours()], "abnf": [*by_abnf()]}
    trees: dict[str, Sequence[object]] = {
        tool: [
            f"{found[name][0]:.2f}, {found[name][1]:.0f}" if name in found else "" for name in TEXTS
        ]
        for tool, found in costs().items()
    }
    if options.apg:
        *verdicts["apg-js"], microseconds, octets = by_apg(options.apg)
        trees["apg-js"] = [f"{microseconds:.2f}, {octets:.0f}", *[""] * (len(TEXTS) - 1)]
    head = ["tool", *(f"{name}, {len(suite(name)[2])}" for name in SUITES)]
    sys.stdout.write(_table(head, verdicts) + "\n")
    sys.stdout.write(_table(["tool", *TEXTS], trees))
    absent = [name for name in OTHERS if find_spec(name) is None]
    sys.stdout.write(f"\nnot installed: {', '.join(absent)}\n" if absent else "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
