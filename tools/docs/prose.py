"""Lint README, pages, helps, messages and docstrings: proselint, our own style, readability.

`python -m tools.docs.prose` prints each problem, then the Flesch-Kincaid grade of each group: the
years of school that a reader needs, counting groups of vowels as syllables.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from proselint.checks import __register__
from proselint.config import DEFAULT
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

from .catalogues import cause_entries, code_entries, help_of

ROOT = Path(__file__).parents[2]
HIGHEST_GRADE = 8.0
CODE = re.compile(r"(?ms)\A---\n.*?^---$|^ *(`{3,}|:::).*?^ *\1$|^(?: {4,}\S|#|\|).*?$|<!--.*?-->")
SPAN = re.compile(r"(`+)[^`].*?\1|https?:\S+", re.DOTALL)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
OPTION = re.compile(r"(?s)usage:.*?\n\n|^examples:.*?\n\n|\n {2,4}\S.*?(?: {2,}|\n)")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
CHECKS = DEFAULT["checks"] | {"typography": False, "hedging": False}
"""Not: straight quotes and three dots are ours; "may" and "would" are words of specifications."""
STYLE = {
    r"(?<!there )\b(?:is|are|was|were) no (?!longer|more|less|such|default)\w+": "is not a",
    r"\bwhat (?:is|are) (?:no(?! longer)|none)\b|\bthat (?:is|are) none\b": "an invalid text",
    r"\bstands? in\b(?! for)|\b(?:lie|lies|lay) (?:at|in)\b": "is in",
    r"\bcomes? out\b|\bcome to\b|\bhardly longer\b|\b(?:cannot|could) stand\b": "plain words",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r"(?<!cannot )\btells?\b(?! apart)": "says, reports",
    r"\bpart (?:from|where|on)\b": "differ",
    r"\bof (?:yours|ours)\b": "your, our",
}
EXCEPTIONS = {  # words that stay, and why
    "colour": "our English is British, that of NO_COLOR is not",
    **dict.fromkeys(("rule RULE", "host HOST", "drive DRIVE"), "a word and its placeholder"),
    "code code": "two pieces of code, one after the other",
    "SHOULD of": "a word of RFC 2119",
    "exit Exit": "two paragraphs",
}


def prose(markdown: str) -> str:
    """Return the sentences of a page: without blocks, tables and headings; code is one word."""
    return LINK.sub(r"\1", SPAN.sub("code", CODE.sub("\n", markdown)))


def texts() -> Iterator[tuple[str, str, str]]:
    """Yield all texts, each after its group and its name."""
    for path in [ROOT / "README.md", *sorted(ROOT.glob("tools/docs/**/*.md"))]:
        page = path.read_text("utf-8")
        yield "pages" if path.parent != ROOT else "README", str(path.relative_to(ROOT)), prose(page)
        for words in re.findall(r"\{command-help\} (.+)", page):
            told = SPAN.sub("code", help_of(*words.split()))
            yield "helps", words, OPTION.sub("\n\n*\n\n", told)
    yield "messages", "causes", prose("\n".join(cause_entries()))
    for layer in ("syntax", "agreement", "scheme", "policy"):
        yield "messages", f"codes {layer}", prose("\n".join(code_entries(layer)))
    for path in sorted([*ROOT.glob("uriparse/**/*.py"), *ROOT.glob("tools/abnf2lark/**/*.py")]):
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        found = [ast.get_docstring(node) or "" for node in nodes if isinstance(node, DOCUMENTED)]
        firsts = "\n\n".join(text.partition("\n\n")[0] for text in found)
        yield "docstrings", str(path.relative_to(ROOT)), SPAN.sub("code", firsts)


def problems(name: str, text: str) -> Iterator[str]:
    """Yield what is wrong with a text, except the exceptions."""
    found = [(m[0], f"write: {to}") for p, to in STYLE.items() for m in re.finditer(p, text)]
    if text.strip():
        results = LintFile(name, text).lint({"checks": CHECKS, "max_errors": 1000})
        checked = [result.check_result for result in results]
        found += [(f"\n{text}\n"[slice(*one.span)], one.message) for one in checked]
    for words, message in found:
        if (said := " ".join(words.split())) not in EXCEPTIONS:
            yield f"{name}: {said!r}: {message.splitlines()[0]}"


def grade(text: str) -> float:
    """Return the Flesch-Kincaid grade."""
    sentences = [one for one in re.split(r"[.!?]\s|\n\s*\n|\n[-*\d]", text) if one.strip(" \n*")]
    words = re.findall(r"[a-z]+(?:['-][a-z]+)*", text.lower())
    syllables = sum(max(1, len(re.findall("[aeiouy]+", word.removesuffix("e")))) for word in words)
    return 0.39 * len(words) / len(sentences) + 11.8 * syllables / len(words) - 15.59


def main() -> int:
    """Print problems and grades; return 1 if a text has a problem or a group is hard to read."""
    CheckRegistry().register_many(__register__)
    groups: dict[str, str] = {}
    found = []
    for group, name, text in texts():
        groups[group] = f"{groups.get(group, '')}\n\n{text}"
        found += problems(name, text)
    grades = {group: grade(text) for group, text in groups.items()}
    print(
        *found,
        ", ".join(f"{group}: grade {value:.1f}" for group, value in grades.items()),
        sep="\n",
    )
    return 1 if found or max(grades.values()) > HIGHEST_GRADE else 0


if __name__ == "__main__":
    sys.exit(main())
