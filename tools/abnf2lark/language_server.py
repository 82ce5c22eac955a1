"""A language server for ABNF files (LSP): problems, definitions, references, hover, names, format.

An editor starts it and speaks with it by standard input and output. Places are lines and columns of
the file here, and become the editor's where they are sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from abnf2lark.checks import last_line_problems, lint_source
from abnf2lark.ebnf import spelled_set
from abnf2lark.formatting import formatted
from abnf2lark.lark_grammars.earley import single_characters
from abnf2lark.problems import AbnfError, Problem, Source, lines
from abnf2lark.reading import load
from abnf2lark.reading.scan import TOKEN, chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pygls.workspace import TextDocument

    from abnf2lark import ir


class Name(NamedTuple):
    """A name in a grammar file: where it is, and whether a rule is defined there."""

    name: str
    start: int
    defines: bool

    @property
    def end(self) -> int:
        """The offset behind it."""
        return self.start + len(self.name)


def names(text: str) -> Iterator[Name]:
    """Yield the names in a grammar, without those in comments, strings and prose."""
    for chunk in chunks(Source("", text)):
        for number, token in enumerate(TOKEN.finditer(chunk.text)):
            if token.lastgroup == "name":
                yield Name(token[0], chunk.offset + token.start(), number == 0)


@dataclass(frozen=True, slots=True)
class _Service:
    """Answers an editor; ``imports`` end with the core rules."""

    editor: LanguageServer
    imports: tuple[ir.RuleSet, ...]
    lenient: bool

    def document(self, uri: str) -> TextDocument:
        return self.editor.workspace.get_text_document(uri)

    def meant(self, uri: str, place: types.Position) -> tuple[TextDocument, list[Name]]:
        """Return a document, and all places of the name at one, that one first."""
        document = self.document(uri)
        offset = document.offset_at_position(place)
        known = [*names(document.source)]
        for here in known:
            if here.start <= offset <= here.end:
                name = here.name.casefold()
                others = [one for one in known if one.name.casefold() == name and one != here]
                return document, [here, *others]
        return document, []

    def publish(
        self, given: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams
    ) -> None:
        """Send what is wrong or doubtful in a file."""
        uri = given.text_document.uri
        document = self.document(uri)
        source = Source(uri, document.source, lenient=self.lenient)
        found = lint_source(source, self.imports)
        found += last_line_problems(source)
        shown = [_diagnostic(document, one) for one in found]
        self.editor.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown))

    def definition(self, given: types.DefinitionParams) -> list[types.Location]:
        document, found = self.meant(given.text_document.uri, given.position)
        return [_location(document, one) for one in found if one.defines]

    def references(self, given: types.ReferenceParams) -> list[types.Location]:
        document, found = self.meant(given.text_document.uri, given.position)
        kept = given.context.include_declaration
        return [_location(document, one) for one in found if kept or not one.defines]

    def hover(self, given: types.HoverParams) -> types.Hover | None:
        document, found = self.meant(given.text_document.uri, given.position)
        source = Source("", document.source, lenient=self.lenient)
        grammar, _ = load(source, "grammar", self.imports)
        rule = grammar.find(found[0].name) if found else None
        if rule is None:
            return None
        text = f"```abnf\n{rule.source.strip()}\n```\n"
        chars = single_characters(grammar).get(rule.name)
        text += f"\nOne character of `{spelled_set(chars)}`\n" if chars else ""
        content = types.MarkupContent(types.MarkupKind.Markdown, text)
        return types.Hover(content, _range(document, found[0].start, found[0].end))

    def rename(self, given: types.RenameParams) -> types.WorkspaceEdit | None:
        document, found = self.meant(given.text_document.uri, given.position)
        word = TOKEN.fullmatch(given.new_name)
        if word is None or word.lastgroup != "name":
            return None
        spans = sorted((one.start, one.end) for one in found)
        edits = [types.TextEdit(_range(document, *span), given.new_name) for span in spans]
        return types.WorkspaceEdit(changes={document.uri: edits}) if edits else None

    def style(self, given: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        document = self.document(given.text_document.uri)
        try:
            text = formatted(Source("", document.source))
        except AbnfError:
            return None
        return [types.TextEdit(_range(document, 0, len(document.source)), text)]

    def outline(self, given: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        document = self.document(given.text_document.uri)
        kind = types.SymbolKind.Function
        rules = [one for one in names(document.source) if one.defines]
        places = [_range(document, one.start, one.end) for one in rules]
        pairs = zip(rules, places, strict=True)
        return [types.DocumentSymbol(one.name, kind, here, here) for one, here in pairs]


def server(imports: tuple[ir.RuleSet, ...], *, lenient: bool = False) -> LanguageServer:
    """Make a server for files that may take rules from other grammars; the core rules come last."""
    made = LanguageServer("abnf2lark", "1")
    service = _Service(made, imports, lenient)
    # pygls marks what it calls, which a method does not allow.
    made.feature(types.TEXT_DOCUMENT_DID_OPEN)(partial(service.publish))
    made.feature(types.TEXT_DOCUMENT_DID_CHANGE)(partial(service.publish))
    made.feature(types.TEXT_DOCUMENT_DEFINITION)(partial(service.definition))
    made.feature(types.TEXT_DOCUMENT_REFERENCES)(partial(service.references))
    made.feature(types.TEXT_DOCUMENT_HOVER)(partial(service.hover))
    made.feature(types.TEXT_DOCUMENT_RENAME)(partial(service.rename))
    made.feature(types.TEXT_DOCUMENT_FORMATTING)(partial(service.style))
    made.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(partial(service.outline))
    return made


def _range(document: TextDocument, start: int, end: int) -> types.Range:
    """Return a range as the editor counts: its columns are units of UTF-16, or what was agreed."""
    places = document.client_position_at_offset(start), document.client_position_at_offset(end)
    return types.Range(*places)


def _location(document: TextDocument, name: Name) -> types.Location:
    return types.Location(document.uri, _range(document, name.start, name.end))


def _diagnostic(document: TextDocument, problem: Problem) -> types.Diagnostic:
    """Return a problem for the editor; it is as long as the name or element at its place."""
    text, place = document.source, problem.position
    before = islice(lines(text), place.line - 1)
    start = min(sum(map(len, before)) + place.column - 1, len(text))
    token = TOKEN.match(text, start)
    kind = types.DiagnosticSeverity
    return types.Diagnostic(
        _range(document, start, token.end() if token else start),
        problem.message,
        kind.Error if problem.severity == "error" else kind.Warning,
        problem.code,
        source="abnf2lark",
    )
