"""What the playground answers, as JSON: the page runs this by Pyodide, and tests by CPython."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

import uriparse
from uriparse import whatwg

if TYPE_CHECKING:
    from lark import Token, Tree

Drawn: TypeAlias = list[tuple[str, str]]
"""The text in pieces, each with what to write under it: a rule, a caret or nothing."""

MOST_ROWS = 500


def answer(text: str, abnf: str = "", rule: str = "") -> str:
    """Return as JSON: the verdict, the text in pieces, and sections of a title and a text.

    abnf: a grammar that says what is valid, or the name of a bundled one; "" for RFC 3986.
    rule: a rule of that grammar; "" for its first.
    """
    verdict, drawn, sections = _by_abnf(text, abnf, rule) if abnf.strip() else _by_rfc3986(text)
    shown = {
        "verdict": verdict,
        "drawn": [(_shown(piece), label) for piece, label in drawn],
        "sections": [
            (title, "\n".join(map(_shown, lines.split("\n")))) for title, lines in sections.items()
        ],
    }
    return json.dumps(shown)


def _by_rfc3986(text: str) -> tuple[str, Drawn, dict[str, str]]:
    try:
        url = whatwg.parse(text)
        browser = {"What a browser reads": "\n".join([url.href, *map(str, url.changes)])}
    except whatwg.URLError as error:
        browser = {"What a browser reads": f"nothing: {error}"}
    try:
        record = uriparse.parse(text)
    except uriparse.URISyntaxError as error:
        return "Not valid", _caret(text, error.offset), {"Reason": str(error), **browser}
    kind = "URI" if isinstance(record, uriparse.URI) else "relative reference"
    drawn, tree = _read(text, uriparse.parse_tree(text))
    findings = {"Findings of the default policy": str(uriparse.validate(text))}
    normal = {"Normal form": str(uriparse.normalize(record, level="scheme"))}
    return f"A valid {kind}", drawn, {"Tree": tree, **findings, **browser, **normal}


def _by_abnf(text: str, abnf: str, rule: str) -> tuple[str, Drawn, dict[str, str]]:
    import abnf2lark  # noqa: PLC0415 - takes long in a browser, and most answers do not need it

    try:
        grammar = abnf2lark.load(abnf)
        found = grammar.explain(text, rule.strip() or None)
        if not found.matches:
            return "Not valid", _caret(text, found.offset), {"Reason": str(found)}
        drawn, tree = _read(text, grammar.tree(text, found.rule))
    except (abnf2lark.GrammarError, abnf2lark.InputError, abnf2lark.LimitError) as error:
        return "No answer", [], {"Reason": str(error)}
    return f"Valid: matches {found.rule}", drawn, {"Tree": tree}


def _caret(text: str, offset: int) -> Drawn:
    return [(text[:offset], ""), (text[offset : offset + 1], "^"), (text[offset + 1 :], "")]


def _read(text: str, tree: Tree[Token]) -> tuple[Drawn, str]:
    """Return the text in pieces by the innermost rules, and the rows of the tree."""
    drawn: Drawn = []
    rows: list[str] = []
    stack = [(0, tree)]
    done = 0
    while stack:
        depth, node = stack.pop()
        tokens = [child for child in node.children if isinstance(child, str)]
        inner = [(depth + 1, child) for child in node.children if not isinstance(child, str)]
        stack.extend(reversed(inner))
        piece = "".join(tokens)
        if tokens and not inner:
            begin = tokens[0].start_pos or 0
            drawn += [(text[done:begin], ""), (piece, node.data)]
            done = begin + len(piece)
        if len(rows) <= MOST_ROWS:
            rows.append(f"{'  ' * depth}{node.data}" + ("" if inner else f' "{piece}"'))
    if len(rows) > MOST_ROWS:
        rows[-1] = "..."
    return [*drawn, (text[done:], "")], "\n".join(rows)


def _shown(text: str) -> str:
    """Escape what a page would hide or reorder."""
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):X}}}" for char in text)
