"""The language server, asked by pytest-lsp, a client that is not of this project."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

pytest_lsp = pytest.importorskip("pytest_lsp", reason="the extra `clients` is not installed")
types = pytest.importorskip("lsprotocol.types")

TEXT = """\
language 1

rule no-rm "Nothing is removed" {
  on before_tol(shell)
  when any c in commands { c.program == "rm" }
  deny "`{c.text}` removes files. Move them to the folder `old` instead."
}
"""


@pytest_lsp.fixture(config=pytest_lsp.ClientServerConfig(server_command=[sys.executable, "-m", "policy_engine", "lsp"]))
async def editor(lsp_client: pytest_lsp.LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    """Begin and end as an editor does."""
    folder = tmp_path / ".policy"
    folder.mkdir()
    (folder / "main.policy").write_text(TEXT)

    @lsp_client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)  # Neovim, whose capabilities these are, answers it
    def refreshed(_: None) -> None:
        """Ask for no hints."""

    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=pytest_lsp.client_capabilities("neovim"),
            workspace_folders=[types.WorkspaceFolder(uri=tmp_path.as_uri(), name="work")],
        )
    )
    lsp_client.uri = (folder / "main.policy").as_uri()
    yield
    await lsp_client.shutdown_session()


def _document(uri: str) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(uri)


@pytest.mark.asyncio
async def test_a_file_is_opened_found_wrong_and_repaired(editor: pytest_lsp.LanguageClient) -> None:
    uri = editor.uri
    editor.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "policy", 1, TEXT)))
    await editor.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    [found] = editor.diagnostics[uri]
    assert (found.code, found.source, found.range.start.line) == ("PE207", "policy", 3)

    context = types.CodeActionContext(diagnostics=[found])
    [action] = await editor.text_document_code_action_async(
        types.CodeActionParams(_document(uri), found.range, context)
    )
    [edit] = action.edit.changes[uri]
    assert (action.title, edit.new_text) == ("replace by `before_tool`", "before_tool")

    right = TEXT.replace("before_tol(", "before_tool(")
    change = types.TextDocumentContentChangeWholeDocument(right)
    document = types.VersionedTextDocumentIdentifier(version=2, uri=uri)
    editor.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
    while any(one.severity == types.DiagnosticSeverity.Error for one in editor.diagnostics[uri]):
        await editor.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)

    place = types.Position(4, 8)
    hover = await editor.text_document_hover_async(types.HoverParams(_document(uri), place))
    assert "at least one" in hover.contents.value
    offered = await editor.text_document_completion_async(types.CompletionParams(_document(uri), types.Position(4, 29)))
    items = offered if isinstance(offered, list) else offered.items
    assert "program" in {one.label for one in items}
    folds = await editor.text_document_folding_range_async(types.FoldingRangeParams(_document(uri)))
    assert (folds[0].start_line, folds[0].end_line) == (2, 6)
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    assert not await editor.text_document_formatting_async(types.DocumentFormattingParams(_document(uri), options))
