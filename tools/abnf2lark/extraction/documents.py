"""Blocks of documents in Markdown and XML that say what they hold: ABNF, or texts of a rule."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.parsers import expat

from abnf2lark.extraction.extracting import Extract, extract
from abnf2lark.extraction.layout import Line
from abnf2lark.ir import RuleSet
from abnf2lark.problems import GrammarError, Problem, Source

ABNF = frozenset({"abnf", "abnf2616"})
"""What says that a block is a grammar: the word after a fence, or the type of sourcecode."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a document; ``kind``: what it says that it holds, empty where it says nothing."""

    kind: str
    lines: tuple[Line, ...]

    def dedented(self) -> tuple[Line, ...]:
        """Return its lines without the indentation that they share."""
        shift = min((line.depth for line in self.lines if line.text.strip()), default=0)
        return tuple(replace(line, text=line.text[shift:]) for line in self.lines)


def blocks(source: Source) -> list[Block] | None:
    """Return the blocks of a document, by the end of its name; `None` for plain text."""
    match Path(source.name).suffix.lower():
        case ".md" | ".markdown" | ".mkd":
            return list(_fenced(source.text))
        case ".xml":
            return _elements(source)
        case _:
            return None


_FENCE = re.compile(r" *(?P<fence>`{3,}|~{3,}) *(?P<info>[^`]*)")
_KIND = re.compile(r"[{. ]*(!?[\w-]+)")
_ATTRIBUTES = re.compile(r"""\{:.*?(?:\btype=["']?(!?[\w-]+)|\.([\w-]+))""")  # of kramdown


def _fenced(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of Markdown, with the word after the fence or kramdown's."""
    lines = [line.expandtabs().rstrip() for line in text.split("\n")]
    fence, kind, inside = "", "", list[Line]()
    for number, line in enumerate(lines, 1):
        found = _FENCE.fullmatch(line)
        if not fence and found is not None:
            named = _KIND.match(found["info"])
            before = _ATTRIBUTES.match(lines[number - 2]) if number > 1 else None
            fence, inside = found["fence"], []
            kind = named[1] if named else (before[1] or before[2]) if before else ""
        elif fence and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            after = _ATTRIBUTES.match(lines[number]) if number < len(lines) else None
            fence, kind = "", kind or ((after[1] or after[2]) if after else "")
            yield Block(kind.casefold(), tuple(inside))
        elif fence:
            inside.append(Line(number, line))


def _elements(source: Source) -> list[Block]:
    """Return the elements sourcecode and artwork of an RFC's XML, with their types."""
    found: list[Block] = []
    pieces: dict[int, str] = {}
    kinds: list[str] = []
    cited: list[str] = []  # by a reference whose end has not come and that has no text of its own
    parser = expat.ParserCreate()
    parser.UseForeignDTD()  # entities that only a DTD defines are passed over, not refused
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def start(name: str, attributes: dict[str, str]) -> None:
        if name in ("sourcecode", "artwork"):
            kinds.append(attributes.get("type", "").casefold())
            pieces.clear()
        elif name == "xref":
            part = f"Section {attributes['section']} of " if "section" in attributes else ""
            cited.append(f"{part}[{attributes.get('target', '')}]")

    def end(name: str) -> None:
        if name in ("sourcecode", "artwork"):
            lines = tuple(Line(at, text.rstrip()) for at, text in sorted(pieces.items()))
            found.append(Block(kinds.pop(), lines))
        elif name == "xref" and cited:
            data(cited[0])

    def data(text: str) -> None:
        cited.clear()
        if kinds:
            for offset, part in enumerate(text.split("\n")):
                at = parser.CurrentLineNumber + offset
                pieces[at] = pieces.get(at, "") + part.expandtabs()

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = data
    try:
        parser.Parse(source.text, True)
    except expat.ExpatError as error:
        here = source.position(0)
        here = replace(here, line=error.lineno, column=error.offset + 1)
        text = f"not XML: {expat.errors.messages[error.code]}"
        raise GrammarError([Problem(source, here, "encoding", text)]) from None
    return found


def extract_blocks(
    source: Source, found: Sequence[Block] | None, imports: Sequence[RuleSet]
) -> Extract:
    """Return the blocks of ABNF of a document as they are, else what is found in its plain text."""
    grammars = [block for block in found or () if block.kind in ABNF]
    if not grammars:
        text = source.text
        if found and Path(source.name).suffix.lower() == ".xml":
            texts = {line.number: line.text for block in found for line in block.lines}
            text = "\n".join(
                texts.get(number, "") for number in range(1, max(texts, default=0) + 1)
            )
        return extract(replace(source, text=text), imports)
    made = Extract(source)
    for block in grammars:
        for line, kept in zip(block.lines, block.dedented(), strict=True):
            made.lines.append(kept.text)
            made.origins[len(made.lines)] = (line.number, kept.depth - line.depth)
        made.lines.append("")
    return made
