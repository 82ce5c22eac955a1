"""Check documents: extract their grammar, lint it, read it twice, and try their own examples."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from abnf2lark import ir
from abnf2lark.checks import last_line_problems, lint_source
from abnf2lark.config import bound
from abnf2lark.extraction import Block, Extract, blocks, extract_blocks
from abnf2lark.library.explanations import Explanation
from abnf2lark.library.grammar import Grammar
from abnf2lark.problems import Problem, Source, has_errors
from abnf2lark.second_reading import second_reading

_LINE_ENDS = frozenset("\r\n")
_FOLDED = re.compile(r"=* *NOTE: '\\' line wrapping per RFC 8792 *=*")


def check(
    source: Source, imports: tuple[ir.RuleSet, ...], starts: Sequence[str] = (), *, twice: bool
) -> list[Problem]:
    """Return the problems of a document, or of a grammar file, in its order.

    The core rules are the last of the ``imports``. Where the grammar has no errors it is read once
    more by the package abnf, unless not ``twice``, and the blocks of the document that have the
    name of a rule are checked to match it, those with "!" before the name not to match.
    """
    found = None
    if Path(source.name).suffix.lower() == ".abnf":
        made = Extract(source, source.text.split("\n"))
        made.origins = {number: (number, 0) for number in range(1, len(made.lines) + 1)}
        grammar = source
    else:
        found = blocks(source)
        made = extract_blocks(source, found, imports)
        grammar = replace(source, text=made.text)
    problems = list(made.problems)
    if made.origins:
        linted = lint_source(grammar, imports, starts)
        if twice and not has_errors(linted):
            different, refusal = second_reading(grammar)
            linted += different
            if refusal:
                text = f"this grammar is not read a second time: {refusal}"
                here = ir.Position(1, 1)
                linted.append(Problem(grammar, here, "read-once", text, "warning"))
        if grammar is source:
            linted += last_line_problems(source)
        problems += map(made.in_document, linted)
    if found is not None and not has_errors(problems):
        rules, _ = bound(grammar, imports)
        read = Grammar(rules, grammar, imports)
        problems += _examples(read, source, found)
    return sorted(problems, key=lambda one: (one.position.line, one.position.column))


def _examples(grammar: Grammar, document: Source, found: Sequence[Block]) -> Iterator[Problem]:
    """Check the blocks that name a rule: the whole block, or else each of its lines."""
    for block in found:
        rule = grammar.known.find(block.kind.removeprefix("!"))
        if rule is None:
            continue
        lines = list(_unfolded(block))
        while lines and not lines[-1][2]:
            lines.pop()
        texts = [(number, column, text) for number, column, text in lines if text.strip()]
        joined = _joined(grammar, rule.name, [text for _, _, text in lines])
        wholes = [grammar.explain(text, rule.name) for text in joined]
        each = [(*line[:2], grammar.explain(line[2], rule.name)) for line in texts]
        if block.kind.startswith("!"):
            for number, column, one in each:
                if one.matches:
                    text = f"{rule.name} matches this example of an invalid text"
                    yield Problem(document, ir.Position(number, column), "example", text)
        elif not any(whole.matches for whole in wholes):
            bad = [one for one in each if not one[2].matches]
            if wholes and len(bad) == len(each) > 1:
                whole = max(wholes, key=lambda one: one.offset)
                yield _example(document, _place(whole, lines), whole)
            else:
                for number, column, one in bad:
                    yield _example(document, ir.Position(number, column + one.offset), one)


def _example(document: Source, here: ir.Position, why: Explanation) -> Problem:
    return Problem(document, here, "example", str(why))


def _unfolded(block: Block) -> Iterator[tuple[int, int, str]]:
    """Yield the lines of a block with their places; those that RFC 8792 folds are one."""
    filled = [place for place, line in enumerate(block.lines) if line.text.strip()]
    block = replace(block, lines=block.lines[filled[0] :] if filled else ())
    lines = block.dedented()
    folded = bool(lines) and _FOLDED.fullmatch(lines[0].text.strip()) is not None
    kept: tuple[int, int, str] | None = None
    for line, original in zip(lines[folded:], block.lines[folded:], strict=True):
        shift = len(original.text) - len(line.text) + 1
        kept = (
            (*kept[:2], kept[2] + line.text.lstrip()) if kept else (line.number, shift, line.text)
        )
        if folded and kept[2].endswith("\\"):
            kept = (*kept[:2], kept[2][:-1])
            continue
        yield kept
        kept = None
    if kept is not None:
        yield kept


def _joined(grammar: Grammar, rule: str, lines: list[str]) -> list[str]:
    """Return a block as one text, with each kind of line end, if its rule has any."""
    rules = grammar.known.rules
    bodies = [rules[name].body for name in ir.reachable(grammar.known, [rule])]
    ends = {chr(low) for ranges in ir.char_sets(bodies) for low, high in ranges if low == high}
    if len(lines) < 2 or not ends & _LINE_ENDS:
        return []
    return [end.join(lines) + last for end in ("\r\n", "\n") for last in ("", end)]


def _place(why: Explanation, lines: list[tuple[int, int, str]]) -> ir.Position:
    """Return the place in the document of an offset in a block that is one text."""
    before = why.text[: why.offset]
    at = min(before.count("\n"), len(lines) - 1)
    number, column, text = lines[at]
    return ir.Position(number, column + min(len(before.rpartition("\n")[2]), len(text)))
