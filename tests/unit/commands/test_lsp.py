"""`policy lsp`: what it says without its extra, and that it ends when the editor is gone."""

from __future__ import annotations

import importlib.util

import pytest

from tests.unit.commands.running import Shell


def test_without_the_extra_it_says_what_to_install(policy: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    done = policy("lsp")
    assert done.status == 2 and "policy_engine[lsp]" in done.err


def test_it_ends_when_its_input_ends(policy: Shell) -> None:
    pytest.importorskip("pygls", reason="the extra `lsp` is not installed")
    done = policy.process("lsp")
    assert (done.status, done.out) == (0, "")
