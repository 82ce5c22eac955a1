"""Problems as SARIF 2.1.0, the format in which code hosts take the findings of tools."""

from collections.abc import Sequence
from pathlib import PurePath
from urllib.parse import quote

from abnf2lark.problems import Problem

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(problems: Sequence[Problem]) -> dict[str, object]:
    """Return a log with one run: a rule for each code, a result for each problem."""
    codes = sorted({problem.code for problem in problems})
    driver = {"name": "abnf2lark", "rules": [{"id": code} for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(problem, codes.index(problem.code)) for problem in problems],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(problem: Problem, number: int) -> dict[str, object]:
    name, line = problem.source.place(problem.position.line)
    place = {
        "artifactLocation": {"uri": quote(PurePath(name).as_posix())},
        "region": {"startLine": line, "startColumn": problem.position.column},
    }
    return {
        "ruleId": problem.code,
        "ruleIndex": number,
        "level": problem.severity,
        "message": {"text": problem.message},
        "locations": [{"physicalLocation": place}],
    }
