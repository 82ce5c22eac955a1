"""The language server, asked by a client of its protocol in another process."""

import asyncio
import sys
from functools import partial

import pytest
from cases import documents

types = pytest.importorskip("lsprotocol.types", reason="pygls is not installed")
client = pytest.importorskip("pygls.lsp.client", reason="pygls is not installed")

FILE = "file:///t.abnf"
TEXT = documents(__file__)["TEXT"]


class Editor(client.BaseLanguageClient):
    """Keeps what the server publishes."""

    def __init__(self):
        super().__init__("editor", "1")
        self.published = asyncio.Queue()
        self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self.published.put_nowait))


async def talk(work, text=TEXT):
    editor = Editor()
    await editor.start_io(sys.executable, "-m", "abnf2lark", "lsp")
    capabilities = types.ClientCapabilities()
    await editor.initialize_async(types.InitializeParams(capabilities, process_id=None))
    editor.initialized(types.InitializedParams())
    document = types.TextDocumentItem(FILE, "abnf", 1, text)
    editor.text_document_did_open(types.DidOpenTextDocumentParams(document))
    try:
        return await work(editor, types.TextDocumentIdentifier(FILE))
    finally:
        await editor.shutdown_async(None)
        editor.exit(None)
        await editor.stop()


def asked(work, text=TEXT):
    return asyncio.run(asyncio.wait_for(talk(work, text), 60))


def place(here):
    start, end = here.start, here.end
    assert start.line == end.line
    return start.line, start.character, end.character


KEY = types.Position(1, 8)


def test_an_editor_is_served():
    async def work(editor, file):
        told = (await editor.published.get()).diagnostics
        wrong = next(one for one in told if one.code == "undefined")
        assert (place(wrong.range), wrong.severity) == ((4, 25, 32), types.DiagnosticSeverity.Error)
        assert wrong.message.startswith('"missing" is not defined')

        (found,) = await editor.text_document_definition_async(types.DefinitionParams(file, KEY))
        assert (found.uri, place(found.range)) == (FILE, (2, 0, 3))

        both = types.ReferenceContext(include_declaration=True)
        found = await editor.text_document_references_async(types.ReferenceParams(both, file, KEY))
        assert sorted(place(one.range) for one in found) == [(1, 7, 10), (2, 0, 3)]

        letter = types.Position(3, 11)
        found = await editor.text_document_hover_async(types.HoverParams(file, letter))
        assert 'LETTER = %x41-5A / "_" / missing' in found.contents.value

        renamed = types.RenameParams(file, KEY, "name")
        found = await editor.text_document_rename_async(renamed)
        edits = found.changes[FILE]
        assert [(place(one.range), one.new_text) for one in edits] == [
            ((1, 7, 10), "name"), ((2, 0, 3), "name"),
        ]  # fmt: skip
        slip = types.RenameParams(file, KEY, "not a name")
        assert await editor.text_document_rename_async(slip) is None

        changed = types.TextDocumentContentChangeWholeDocument(TEXT.replace(" / missing", ""))
        version = types.VersionedTextDocumentIdentifier(2, FILE)
        editor.text_document_did_change(types.DidChangeTextDocumentParams(version, [changed]))
        assert not (await editor.published.get()).diagnostics
        found = await editor.text_document_hover_async(types.HoverParams(file, letter))
        assert found.contents.value.endswith("One character of `[A-Z#x5F]`\n")
        options = types.FormattingOptions(tab_size=4, insert_spaces=True)
        asked_for = types.DocumentFormattingParams(file, options)
        (edit,) = await editor.text_document_formatting_async(asked_for)
        assert "pair   = key" in edit.new_text
        outline = types.DocumentSymbolParams(file)
        found = await editor.text_document_document_symbol_async(outline)
        assert [one.name for one in found] == ["pair", "key", "value", "LETTER"]

    asked(work)
