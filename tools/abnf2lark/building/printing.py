"""Print packed tables for people."""

import json
import textwrap
from collections.abc import Iterator
from struct import error as StructError  # noqa: N812 - it is a class

from abnf2lark.lark_grammars.component_grammar import lalr_content
from abnf2lark.mutants.witnesses import witness_part
from abnf2lark.tables.error_automaton import diagnosis_content
from abnf2lark.tables.packed import ABSENT, Section, contents
from abnf2lark.tagged import format as tagged_format
from abnf2lark.tagged.automaton import Act
from abnf2lark.tagged.tagged_proof import tagged_content

_GUIDES = {
    "diagnosis": diagnosis_content,
    "lalr": lalr_content,
    "tagged": tagged_content,
    "witnesses": witness_part,
}
"""What writes each section: its docstring explains the parts."""

_WIDTH = 96


def printed(data: bytes, place: str, wanted: str | None = None) -> Iterator[str]:
    """Yield the lines of a packed file or of a section; :class:`TablesError` if it is damaged."""
    found = contents(data, place)
    for name in found if wanted is None else [wanted]:
        yield f"== {name}"
        for paragraph in (_GUIDES[name].__doc__ or "").split("\n\n") if name in _GUIDES else ():
            text = " ".join(paragraph.split())
            if not text.startswith("Raises"):
                yield from textwrap.wrap(text, _WIDTH, initial_indent="# ", subsequent_indent="# ")
        section = Section(found[name], f"{place}, {name}")
        for part, (kind, _) in section.parts.items():
            yield from _part(section, part, kind)
        yield ""


def _part(section: Section, name: str, kind: bytes) -> Iterator[str]:
    if name[-1:] in {"=", "#"}:
        return  # shown with the strings that it belongs to
    yield f"{name}:"
    if f"{name}=" in section.parts:
        yield from (f"  {key!a}: {value}" for key, value in section.mapping(name).items())
    elif f"{name}#" in section.parts:
        yield from (f"  {one!a}" for one in section.word_lists(name))
    elif kind in {b"w", b"l"}:
        rows = map(ascii, section.words(name) if kind == b"w" else section.lists(name))
        yield from (f"  {number}: {one}" for number, one in enumerate(rows))
    elif kind == b"g":
        grid = section.grid(name)
        for number in range(len(grid)):
            cells = ("." if cell == ABSENT else str(cell) for cell in grid.row(number))
            yield f"  {number}: {' '.join(cells)}"
    elif kind == b"j":
        yield from _json(section.json(name), "  ")
    elif kind == b"o":
        octets = section.octets(name)
        try:  # the tables of a tagged automaton, the only part that is octets
            yield from list(_tagged(octets))
        except (ValueError, LookupError, ArithmeticError, StructError):  # they are something else
            yield f"  {octets.hex()}"
    else:
        numbers = " ".join(map(str, section.numbers(name)))
        yield from textwrap.wrap(numbers, _WIDTH, initial_indent="  ", subsequent_indent="  ")


def _json(value: object, indent: str) -> Iterator[str]:
    """Yield a value with one line for each entry, and for each entry of a list of lists in it."""
    if isinstance(value, dict):
        yield from (f"{indent}{key!a}: {json.dumps(entry)}" for key, entry in value.items())
    elif isinstance(value, list):
        for number, entry in enumerate(value):
            if isinstance(entry, list) and entry and isinstance(entry[0], list):
                yield from _json(entry, f"{indent}  ")
            else:
                yield f"{indent}{number}: {json.dumps(entry)}"
    else:
        yield f"{indent}{json.dumps(value)}"


def _tagged(data: bytes) -> Iterator[str]:
    tables = tagged_format.read(data)
    acts = {act: number for number, act in enumerate(tables.acts)}
    yield from (f"  act {number}: {_act(act)}" for act, number in acts.items())
    for state, (row, end) in enumerate(zip(tables.rows(), tables.ends, strict=True)):
        ending = "" if end == tagged_format.NONE else f", may end with act {end}"
        yield f"  state {state}{ending}"
        spans: list[list[int]] = []
        for octet, step in row.items():
            if spans and spans[-1][1:] == [octet - 1, step.target, acts[step.act]]:
                spans[-1][1] = octet
            else:
                spans.append([octet, octet, step.target, acts[step.act]])
        for first, last, target, act in spans:
            octets = f"{first:02X}" if first == last else f"{first:02X}-{last:02X}"
            yield f"    {octets} to {target}{f', act {act}' if act else ''}"


def _act(act: Act) -> str:
    told = [f"{act.back} back"] if act.back else []
    told += [f"places {act.notes.places:b}"] if act.notes.places else []
    told += [f"clear {act.cleared:b}"] if act.cleared else []
    told += [f"constant {constant} = {value}" for constant, value in act.notes.values]
    return ", ".join(told) or "nothing"
