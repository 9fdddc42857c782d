"""Answer an editor over the Language Server Protocol: read what it sends, ask the other files of this room, answer.

Nothing that a policy names is run here: tests play on virtual workspaces, hooks and verifications stay closed.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

import policy_engine
from policy_engine.language_server import actions, completion, highlighting, hints, lenses, names, pages
from policy_engine.language_server.positions import offset_of, range_of, whole
from policy_engine.language_server.project import Project, root_of
from policy_engine.loading.sources import SUFFIX
from policy_engine.model.errors import ConfigurationError, PolicyLoadError
from policy_engine.model.source import Source, Span
from policy_engine.reports.base import shown
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file
from policy_engine.syntax.reading import read_text

ADVICE_SECONDS = 0.15  # without a keystroke, before the lints are asked, in a thread: they look at the whole set


class Server(LanguageServer):
    """The sets that are open, what the editor was last told of each file, and what its tests came to."""

    def __init__(self) -> None:
        super().__init__("policy", policy_engine.__version__)
        self.projects: dict[str, Project] = {}
        self.told: dict[str, list[types.Diagnostic]] = {}
        self.played: dict[str, list[types.Diagnostic]] = {}
        self._waiting: dict[str, asyncio.TimerHandle] = {}

    def unsaved(self) -> dict[str, bytes]:
        """Return the texts that the editor holds, by path."""
        texts = {}
        for uri, document in self.workspace.text_documents.items():
            path = to_fs_path(uri)
            if path is not None and path.endswith(SUFFIX):
                texts[path] = document.source.encode("utf-8", "replace")
        return texts

    def project(self, path: str) -> Project:
        """Return the set that a file belongs to, checked at least once."""
        root = root_of(path)
        if root not in self.projects:
            self.projects[root] = Project(root)
            self.projects[root].check(self.unsaved())
        return self.projects[root]

    def text(self, uri: str) -> tuple[str, Source]:
        """Return the path and the text of a document of the editor."""
        path = to_fs_path(uri) or uri
        source, _ = read_text(path, self.workspace.get_text_document(uri).source.encode("utf-8", "replace"))
        return path, source if source is not None else Source(path, "")

    def refresh(self, uri: str, changed: bool = True) -> None:
        """Check the set of a file again and publish its errors now, what the lints say when nothing is typed."""
        path = to_fs_path(uri)
        if path is None:
            return
        project = self.project(path)
        if changed:
            self.played.pop(path, None)
        gc.disable()  # a look at all objects of the set takes longer than the check: when nothing is typed
        project.check(self.unsaved())
        self.publish(project)
        waiting = self._waiting.pop(project.root, None)
        if waiting is not None:
            waiting.cancel()
        loop = asyncio.get_running_loop()
        self._waiting[project.root] = loop.call_later(ADVICE_SECONDS, self._advise, project)

    def _advise(self, project: Project) -> None:
        self._waiting.pop(project.root, None)
        advised = asyncio.get_running_loop().run_in_executor(None, project.advise)
        advised.add_done_callback(lambda done: self._advised(project, done))

    def _advised(self, project: Project, done: asyncio.Future[None]) -> None:
        done.result()
        self.publish(project)
        gc.collect()
        gc.enable()
        text = self.client_capabilities.workspace
        if text is not None and text.inlay_hint is not None and text.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def publish(self, project: Project) -> None:
        """Send the findings of each file of the set whose findings changed."""
        by_file = {path: [actions.diagnostic(one) for one in some] for path, some in project.findings().items()}
        for path in [known for known in self.told if root_of(known) == project.root and known not in by_file]:
            by_file[path] = []
        for path, some in by_file.items():
            every = some + self.played.get(path, [])
            if self.told.get(path) == every or (not every and path not in self.told):
                continue
            self.told[path] = every
            uri = from_fs_path(path)
            assert uri is not None
            open_documents = self.workspace.text_documents
            version = open_documents[uri].version if uri in open_documents else None
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, every, version=version))


def build() -> Server:
    """Return the server with everything that it can do."""
    server = Server()
    _add_synchronisation(server)
    _add_words(server)
    _add_names(server)
    _add_layout(server)
    _add_repairs(server)
    return server


def _add_synchronisation(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        ls.refresh(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        ls.refresh(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        ls.refresh(params.text_document.uri, changed=False)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.refresh(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            ls.refresh(change.uri, changed=False)


def _add_words(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        path, source = ls.text(params.text_document.uri)
        page = pages.hover(ls.project(path), path, offset_of(source, params.position))
        if page is None:
            return None
        text, source, span = page
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), range_of(source, span))

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", '"', "(", " "]))
    def complete(ls: Server, params: types.CompletionParams) -> types.CompletionList:
        path, source = ls.text(params.text_document.uri)
        offset = offset_of(source, params.position)
        items = completion.complete(ls.project(path), path, source, offset, _takes_snippets(ls))
        return types.CompletionList(is_incomplete=False, items=items)

    legend = types.SemanticTokensLegend(token_types=list(highlighting.TYPES), token_modifiers=[])

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def colours(ls: Server, params: types.SemanticTokensParams) -> types.SemanticTokens:
        path, source = ls.text(params.text_document.uri)
        project = ls.project(path)
        tree = project.tree(path)
        mentioned = names.mentions_of(project, tree) if tree is not None and tree.source.text == source.text else []
        return types.SemanticTokens(highlighting.coloured(source, mentioned))


def _takes_snippets(ls: Server) -> bool:
    text = ls.client_capabilities.text_document
    item = text.completion.completion_item if text is not None and text.completion is not None else None
    return bool(item is not None and item.snippet_support)


def _add_names(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: Server, params: types.DefinitionParams) -> list[types.Location]:
        path, source = ls.text(params.text_document.uri)
        return names.definition(ls.project(path), path, offset_of(source, params.position))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(ls: Server, params: types.ReferenceParams) -> list[types.Location]:
        path, source = ls.text(params.text_document.uri)
        offset = offset_of(source, params.position)
        return names.references(ls.project(path), path, offset, params.context.include_declaration)

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: Server, params: types.PrepareRenameParams) -> types.Range:
        path, source = ls.text(params.text_document.uri)
        try:
            mention = names.renaming(ls.project(path), path, offset_of(source, params.position))
        except names.CannotRename as why:
            raise JsonRpcInvalidParams(str(why)) from None
        return range_of(source, mention.span)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit:
        path, source = ls.text(params.text_document.uri)
        offset = offset_of(source, params.position)
        try:
            return names.rename(ls.project(path), path, offset, params.new_name, ls.unsaved())
        except names.CannotRename as why:
            raise JsonRpcInvalidParams(str(why)) from None

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        return names.symbols(ls.text(params.text_document.uri)[1])

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folds(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        return names.folds(ls.text(params.text_document.uri)[1])


def _add_layout(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def layout(ls: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        _, source = ls.text(params.text_document.uri)
        tree, problems = parse(source)
        if any(one.severity == "error" for one in problems):
            return []
        text = format_file(tree)
        return [] if text == source.text else [types.TextEdit(whole(source), text)]


def _add_repairs(server: Server) -> None:
    kinds = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)
    def repairs(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        path, source = ls.text(params.text_document.uri)
        start, end = offset_of(source, params.range.start), offset_of(source, params.range.end)
        return actions.actions(ls.project(path), path, source, start, end, ls.unsaved())

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    def lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
        return lenses.lenses(*ls.text(params.text_document.uri))

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
        path, source = ls.text(params.text_document.uri)
        within = Span(offset_of(source, params.range.start), offset_of(source, params.range.end))
        return hints.hints(ls.project(path), path, source, within)

    @server.command(lenses.RUN_TESTS)
    def run_tests(ls: Server, uri: str, lines: list[Any]) -> str:
        return _played(ls, uri, lines, lenses.run_tests)

    @server.command(lenses.WHY)
    def why(ls: Server, uri: str, lines: list[Any]) -> str:
        return _played(ls, uri, lines, lenses.why)

    @server.command(actions.ADD_TESTS)
    def add_tests(ls: Server, uri: str, name: str) -> bool:
        path, _ = ls.text(uri)
        edit = actions.missing_tests(ls.project(path), path, name, ls.unsaved())
        return _written(ls, edit, f"no test was found that `{name}` lacks")

    @server.command(actions.ADD_WITNESSES)
    def add_witnesses(ls: Server, uri: str, name: str) -> bool:
        path, _ = ls.text(uri)
        try:
            edit = actions.witnesses(ls.project(path), path, name, ls.unsaved())
        except (ConfigurationError, PolicyLoadError) as error:
            return _written(ls, None, str(error))
        return _written(ls, edit, f"nothing was found that `{name}` decides otherwise since the last commit")


def _written(ls: Server, edit: types.WorkspaceEdit | None, otherwise: str) -> bool:
    """Have tests written, or say why there are none."""
    if edit is None:
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, shown(otherwise)))
        return False
    ls.workspace_apply_edit(types.ApplyWorkspaceEditParams(edit, label="write tests"))
    return True


def _played(ls: Server, uri: str, lines: list[Any], play: Callable[..., tuple[str, list[types.Diagnostic]]]) -> str:
    """Play tests, show what came of them at their places and in a sentence, and return the sentence."""
    path, _ = ls.text(uri)
    project = ls.project(path)
    message, found = play(project, path, [int(line) for line in lines], ls.unsaved())
    ls.played[path] = found
    ls.publish(project)
    failed = any(one.severity == types.DiagnosticSeverity.Error for one in found)
    kind = types.MessageType.Warning if failed else types.MessageType.Info
    ls.window_show_message(types.ShowMessageParams(kind, message))
    return message
