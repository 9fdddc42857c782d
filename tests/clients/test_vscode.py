"""The extension for VS Code, built by its own scripts from packages of npm: what it holds, and that it starts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

import policy_engine
from tests.clients.packages import Absent, node, offline
from tests.house.sources import ROOT

SOURCES = ROOT / "editors" / "vscode"
PROGRAMS = ["policy.command", "policy.debugger"]
# a window of VS Code, as far as the program asks for one before and while it starts
WINDOW = """\
const Module = require("node:module");
const any = () => new Proxy(function () {}, { get: (_, name) => (name === Symbol.toPrimitive ? () => "" : any()),
  apply: () => any(), construct: () => ({}) });
const told = [], made = {};
const asked = (section, key) => {
  told.push(`${section}.${key}`);
  if (key === "command") throw new Error("asked");
  return ["policy", "dap"];
};
const window = {
  workspace: { getConfiguration: (section) => ({ get: (key) => asked(section, key) }) },
  debug: {
    registerDebugAdapterDescriptorFactory: (type, factory) => (made.factory = factory),
    registerDebugConfigurationProvider: (type, provider) => (made.provider = provider),
  },
  DebugAdapterExecutable: class { constructor(command, args) { Object.assign(this, { command, args }); } },
};
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode"
  ? new Proxy({}, { get: (_, part) => window[part] ?? any() }) : load(name, ...rest);
const extension = require(process.argv[2]);
const ended = (problem) => console.log(JSON.stringify({
  adapter: made.factory.createDebugAdapterDescriptor(),
  wanted: made.provider.resolveDebugConfiguration(undefined, {}),
  told, problem: problem.message, ends: typeof extension.deactivate,
}));
extension.activate({ subscriptions: [] }).catch(ended);
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build it in a copy; the folder of what it holds."""
    if offline():
        pytest.skip("what the extension is built with cannot be fetched: POLICY_OFFLINE is set")
    folder = tmp_path_factory.mktemp("vscode")
    shutil.copytree(SOURCES, folder / "src", ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix"))
    _npm(folder / "src", "install", "--no-fund", "--no-audit", "--ignore-scripts", "--loglevel=error")
    _npm(folder / "src", "run", "build")
    _npm(folder / "src", "run", "package")
    with zipfile.ZipFile(folder / "src" / "policy.vsix") as package:
        package.extractall(folder / "held")
    return folder / "held"


def _npm(folder: Path, *words: str) -> None:
    try:
        place = node()
    except Absent as why:
        pytest.fail(str(why))
    path = f"{place}{os.pathsep}{os.environ['PATH']}"
    environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path}
    npm = [str(place / "node"), str(place.parent / "lib/node_modules/npm/bin/npm-cli.js")]
    done = subprocess.run([*npm, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_holds_what_its_manifest_names_and_nothing_else(built: Path) -> None:
    manifest = json.loads((built / "extension" / "package.json").read_text("utf-8"))
    contributed = manifest["contributes"]
    named = {
        manifest["main"],
        contributed["languages"][0]["configuration"],
        contributed["grammars"][0]["path"],
    }
    held = {str(path.relative_to(built / "extension")) for path in built.glob("extension/**/*") if path.is_file()}
    assert held == {*(name.removeprefix("./") for name in named), "package.json", "readme.md"}
    assert manifest["version"] == policy_engine.__version__
    grammar = json.loads((built / "extension" / contributed["grammars"][0]["path"]).read_text("utf-8"))
    assert grammar["scopeName"] == contributed["grammars"][0]["scopeName"]


def test_a_workspace_cannot_choose_the_programs(built: Path) -> None:
    manifest = json.loads((built / "extension" / "package.json").read_text("utf-8"))
    settings = manifest["contributes"]["configuration"]["properties"]
    assert {name: one["scope"] for name, one in settings.items()} == dict.fromkeys(PROGRAMS, "machine")
    assert manifest["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] == PROGRAMS


def test_what_it_launches_is_what_the_adapter_reads(built: Path) -> None:
    manifest = json.loads((built / "extension" / "package.json").read_text("utf-8"))
    [debugger] = manifest["contributes"]["debuggers"]
    known = set(debugger["configurationAttributes"]["launch"]["properties"])
    read = (ROOT / "policy_engine" / "debug_adapter").glob("*.py")
    text = "".join(path.read_text("utf-8") for path in read)
    assert [name for name in known if f'"{name}"' not in text] == []
    begun = [*debugger["initialConfigurations"], *(one["body"] for one in debugger["configurationSnippets"])]
    assert [set(one) - known - {"type", "request", "name"} for one in begun] == [set(), set()]


def test_its_program_loads_and_asks_for_the_servers(built: Path, tmp_path: Path) -> None:
    window = tmp_path / "window.cjs"
    window.write_text(WINDOW)
    command = [str(node() / "node"), str(window), str(built / "extension" / "dist" / "extension.js")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seen = json.loads(done.stdout or "{}")
    assert (seen["problem"], seen["ends"]) == ("asked", "function"), done.stderr
    assert seen["adapter"] == {"command": "policy", "args": ["dap"]}
    assert seen["wanted"]["program"] == "${file}"
    assert seen["told"] == ["policy.command", "policy.debugger"]
