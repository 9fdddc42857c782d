"""A real Neovim, headless: a wrong word is underlined, repaired by its action, and the file is laid out and saved."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.language_server.client import ROOT

pytestmark = pytest.mark.skipif(
    shutil.which("nvim") is None, reason="Neovim is not installed: `apt-get install neovim`"
)

WRONG = """\
language 1

rule no-rm "Nothing is removed" {
  on before_tol(shell)
  when any c in commands { c.program == "rm" }
  deny    "`{c.text}` removes files. Move them to the folder `old` instead."

  test {
    shell "rm a"  => deny
    shell "ls"    => allow
  }
}
"""
RIGHT = WRONG.replace("before_tol(", "before_tool(").replace("deny    ", "deny ")

SCRIPT = """\
local function wait(what, is_it)
  if not vim.wait(120000, is_it, 20) then
    io.stdout:write('never came: ' .. what .. '\\n')
    vim.cmd('cquit 1')
  end
end
local function said(text)
  for _, one in ipairs(vim.diagnostic.get(0)) do
    if one.message:find(text, 1, true) then return one end
  end
end

vim.cmd('edit ' .. vim.env.POLICY_FILE)
vim.bo.filetype = 'policy'
local command = { vim.env.PYTHON, '-m', 'policy_engine', 'lsp' }
local id = vim.lsp.start_client({ name = 'policy', cmd = command, root_dir = vim.env.POLICY_ROOT })
vim.lsp.buf_attach_client(0, id)
wait('the finding', function() return said('unknown lifecycle point') ~= nil end)
local found = said('unknown lifecycle point')
io.stdout:write(found.lnum .. ':' .. found.col .. ' ' .. found.code .. '\\n')

local range = { start = { line = found.lnum, character = found.col } }
range['end'] = range.start
local asked = { textDocument = vim.lsp.util.make_text_document_params(), range = range, context = { diagnostics = {} } }
local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', asked, 120000)
local action = answers[id].result[1]
io.stdout:write(action.title .. '\\n')
vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
wait('the repair', function() return said('unknown lifecycle point') == nil end)

if vim.lsp.buf.format then
  vim.lsp.buf.format({ timeout_ms = 120000 })
else
  vim.lsp.buf.formatting_sync(nil, 120000)
end
vim.cmd('write')
vim.cmd('quitall!')
"""


def test_a_wrong_word_is_underlined_repaired_and_saved(tmp_path: Path) -> None:
    pytest.importorskip("pygls", reason="the extra `lsp` is not installed")
    file = tmp_path / "work" / ".policy" / "main.policy"
    file.parent.mkdir(parents=True)
    file.write_text(WRONG)
    script = tmp_path / "story.lua"
    script.write_text(SCRIPT)
    homes = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    environment = {
        **os.environ,
        **{name: str(tmp_path / "home") for name in homes},
        "PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
        "POLICY_FILE": str(file),
        "POLICY_ROOT": str(tmp_path / "work"),
    }
    command = ["nvim", "--headless", "--clean", "-n", "-S", str(script)]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert (done.returncode, file.read_text()) == (0, RIGHT), done.stdout + done.stderr
    assert done.stdout.splitlines()[:2] == ["3:5 PE207", "replace by `before_tool`"]
