"""From an empty home to a rule that is repaired in Neovim, within five minutes: each step as its page says it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.clients.packages import offline
from tests.clients.test_distribution import Words, _run, _uv_tool, built
from tests.docs.blocks import blocks
from tests.end_to_end.action import own_home

__all__ = ["built"]  # a fixture

MINUTES = 5
LUA = [
    block.text for block in blocks(Path("docs/how-to/editors.md")) if block.kind == "lua" and "vim.lsp" in block.text
]
STORY = """\
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

vim.cmd('edit .policy/no-rm.policy')
wait('the server', function() return #vim.lsp.buf_get_clients(0) > 0 end)
vim.cmd([[%s/before_tool(/before_tol(/]])
wait('the finding', function() return said('unknown lifecycle point') ~= nil end)
local found = said('unknown lifecycle point')
io.stdout:write(found.severity .. ' ' .. found.lnum .. ':' .. found.col .. '-' .. found.end_col .. '\\n')
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
local underlines = vim.diagnostic.get_namespace(found.namespace).user_data.underline_ns
local shown = #vim.api.nvim_buf_get_extmarks(0, underlines, 0, -1, {})
io.stdout:write(shown .. ' underlined\\n')
vim.ui.select = function(items, _, choose) choose(items[1]) end
vim.lsp.buf.code_action()
wait('the repair', function() return said('unknown lifecycle point') == nil end)
vim.cmd([[silent! %s/^ *shadow.*\\n//]])
vim.cmd('write')
vim.cmd('quitall!')
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed: `apt-get install neovim`")
@pytest.mark.skipif(offline(), reason="the engine's dependencies cannot be fetched: POLICY_OFFLINE is set")
def test_a_new_user_repairs_a_rule_in_the_editor_within_five_minutes(built: dict[str, Path], tmp_path: Path) -> None:
    home, work = tmp_path / "home", tmp_path / "work"
    (home / ".config" / "nvim").mkdir(parents=True)
    (work / "vendor").mkdir(parents=True)
    (work / "vendor" / "library.js").touch()  # what the rule is about
    path = os.pathsep.join([str(home / ".local/bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    kept = {name: value for name, value in own_home(home).items() if not name.startswith(("VIRTUAL_ENV", "PYTHON"))}
    environment = {**kept, "PATH": path}
    start = time.monotonic()

    policy: Words = _uv_tool(home, environment, Path(f"{built['whl']}[lsp]"))
    _run(work, environment, ["git", "init", "-q"])
    _run(work, environment, [*policy, "init"])
    assert "wrote .policy/no-rm.policy" in _run(work, environment, [*policy, "new", "rule", "no-rm"])
    is_old = "NVIM v0.1" not in _run(work, environment, ["nvim", "--version"])  # before 0.10
    (home / ".config" / "nvim" / "init.lua").write_text(LUA[1] if is_old else LUA[0])
    (tmp_path / "story.lua").write_text(STORY)
    command = ["nvim", "--headless", "-n", "-S", str(tmp_path / "story.lua")]
    done = subprocess.run(
        command, cwd=work, env=environment, capture_output=True, text=True, check=False, timeout=MINUTES * 60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[:2] == ["1 5:5-15", "1 underlined"]
    assert _run(work, environment, [*policy, "check"]) == "no findings in 2 files\n"
    assert "no-rm  1 test" in _run(work, environment, [*policy, "test"])
    assert time.monotonic() - start < MINUTES * 60
