"""`policy serve` becomes the script beside the hook's, isolated as a hook is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from policy_engine import cli


def test_it_becomes_an_isolated_process_beside_the_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    became: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _path, argv: became.append(argv))
    assert cli.main(["serve"]) == 0
    ((interpreter, isolated, bare, script, *libraries),) = became
    assert os.path.isabs(interpreter) and (isolated, bare) == ("-I", "-S")
    assert Path(script).name == "serve.py" and Path(script).with_name("hook.py").is_file()
    assert all(word.startswith("--libraries=/") for word in libraries)
