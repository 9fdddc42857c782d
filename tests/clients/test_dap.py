"""The debug adapter, driven by clients that are not of this project: VS Code's own test client, and nvim-dap."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.packages import Absent, install, node
from tests.end_to_end.action import ROOT
from tests.unit.debug_adapter.test_server import TEXT

CLIENT = ("@vscode/debugadapter-testsupport", "1.68.0")
LINE = 9  # of the policy, in a condition that spans several

VSCODE = """\
const { DebugClient } = require("@vscode/debugadapter-testsupport");
const [, , command, file, line] = process.argv;
(async () => {
  const client = new DebugClient(command, "-c", "policy");
  client.defaultTimeout = 120000;
  const [python, ...words] = JSON.parse(process.env.ADAPTER);
  const { spawn } = require("child_process");
  const adapter = spawn(python, words, { stdio: ["pipe", "pipe", "inherit"] });
  client.connect(adapter.stdout, adapter.stdin);
  const told = [];
  client.on("output", (event) => told.push(event.body.output));
  await client.hitBreakpoint({ program: file, line: "14" }, { path: file, line: Number(line) });
  const stack = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
  const scopes = (await client.scopesRequest({ frameId: stack[0].id })).body.scopes;
  const here = (await client.variablesRequest({ variablesReference: scopes[0].variablesReference })).body.variables;
  const asked = await client.evaluateRequest({ expression: "tool.name", frameId: stack[0].id, context: "watch" });
  await client.setBreakpointsRequest({ source: { path: file }, breakpoints: [] });
  await Promise.all([client.continueRequest({ threadId: 1 }), client.waitForEvent("terminated")]);
  await client.disconnectRequest({});
  console.log(JSON.stringify({ stack: stack.map((one) => one.name), here, asked: asked.body.result, told }));
})().catch((problem) => { console.error(problem); process.exit(1); });
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "work" / "main.policy"
    made.parent.mkdir()
    made.write_text(TEXT)
    return made


def _environment(folder: Path) -> dict[str, str]:
    homes = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    adapter = [sys.executable, "-m", "policy_engine", "dap"]
    return {
        **os.environ,
        **{name: str(folder / "home") for name in homes},
        "PYTHONPATH": str(ROOT),
        "ADAPTER": json.dumps(adapter),
    }


def test_the_client_of_vs_code_stops_at_a_breakpoint(file: Path, tmp_path: Path) -> None:
    try:
        modules = install(*CLIENT)
    except Absent as why:
        pytest.skip(str(why))
    script = tmp_path / "client.cjs"
    script.write_text(VSCODE)
    environment = {**_environment(tmp_path), "NODE_PATH": str(modules)}
    command = [str(node() / "node"), str(script), "node", str(file), str(LINE)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    seen = json.loads(done.stdout)
    assert seen["stack"][0].startswith("any p in c.paths") and seen["stack"][-1].startswith("before_tool")
    assert {one["name"]: one["value"] for one in seen["here"]}["is"] in ("true", "false")
    assert seen["asked"] == '"Bash"'
    assert any("no-rm: violated → deny" in one for one in seen["told"])


NVIM = """\
local dap = require('dap')
local function wait(what, is_it)
  if not vim.wait(120000, is_it, 20) then
    io.stdout:write('never came: ' .. what .. '\\n')
    vim.cmd('cquit 1')
  end
end
local adapter = vim.fn.json_decode(vim.env.ADAPTER)
dap.adapters.policy = { type = 'executable', command = table.remove(adapter, 1), args = adapter }
dap.configurations.policy = {
  { type = 'policy', request = 'launch', name = 'step', program = '${file}', line = '14' },
}
vim.cmd('edit ' .. vim.env.POLICY_FILE)
vim.bo.filetype = 'policy'
vim.api.nvim_win_set_cursor(0, { tonumber(vim.env.POLICY_LINE), 0 })
dap.toggle_breakpoint()
local told, ended = {}, false
dap.listeners.after.event_output.story = function(_, body) table.insert(told, body.output) end
dap.listeners.after.event_terminated.story = function() ended = true end
dap.continue()
local function frame() return dap.session() and dap.session().current_frame end
wait('the breakpoint', function() return frame() ~= nil and frame().scopes ~= nil end)
io.stdout:write(frame().line .. ': ' .. frame().name .. '\\n')
local before = frame().id
dap.step_into()
wait('the step', function() return frame() ~= nil and frame().id ~= before and frame().scopes ~= nil end)
io.stdout:write(frame().line .. ': ' .. frame().name .. '\\n')
io.stdout:write('cursor ' .. vim.api.nvim_win_get_cursor(0)[1] .. '\\n')
local answer
local asked = { expression = 'p', frameId = frame().id }
dap.session():request('evaluate', asked, function(_, body) answer = body.result end)
wait('the answer', function() return answer ~= nil end)
io.stdout:write('p = ' .. answer .. '\\n')
dap.clear_breakpoints()
dap.continue()
wait('the end', function() return ended end)
io.stdout:write(table.concat(told))
vim.cmd('quitall!')
"""


def _nvim_dap() -> Path | None:
    """Return where nvim-dap is, if anywhere."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    named = [Path(os.environ["POLICY_NVIM_DAP"])] if "POLICY_NVIM_DAP" in os.environ else []
    return next((one for one in [*named, *data.glob("nvim/**/nvim-dap")] if (one / "lua/dap.lua").is_file()), None)


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed: `apt-get install neovim`")
def test_nvim_dap_steps_through_a_rule(file: Path, tmp_path: Path) -> None:
    plugin = _nvim_dap()
    if plugin is None:
        pytest.skip("nvim-dap is not installed: POLICY_NVIM_DAP names its folder")
    story = tmp_path / "story.lua"
    story.write_text(NVIM)
    environment = {**_environment(tmp_path), "POLICY_FILE": str(file), "POLICY_LINE": str(LINE)}
    command = ["nvim", "--headless", "--clean", "-n", "--cmd", f"set runtimepath+={plugin}", "-S", str(story)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    shown = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr
    assert shown[:4] == [
        "9: any p in c.paths { p outside workspace }", "9: p outside workspace", "cursor 9", 'p = "."',
    ]  # fmt: skip
    assert "  no-rm: violated → deny" in shown
