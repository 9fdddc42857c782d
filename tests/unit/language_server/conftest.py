"""An editor with a repository open, for every test of the language server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.language_server.client import Editor


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with an empty folder of policies."""
    made = tmp_path / "work"
    (made / ".policy").mkdir(parents=True)
    return made


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """One process for the tests of a file: each has a repository of its own."""
    with Editor(tmp_path_factory.mktemp("editor")) as editor:
        yield editor


@pytest.fixture
def editor(started: Editor, folder: Path) -> Editor:
    """An editor that has the repository open, and has heard nothing of it yet."""
    started.folder = folder
    started.heard.clear()
    started.edits.clear()
    return started
