"""JavaScript on a command line: values are followed, the unknown stays unknown, bindings decide what a call does."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.inline.code import analyse
from policy_engine.inline.effect_analysis import EffectAnalysis
from policy_engine.inline.javascript import read_javascript


def _new_scene() -> EffectAnalysis:
    filesystem = Virtual()
    return EffectAnalysis(filesystem.resolve("/workspace", None), filesystem, "node")


def _analysis(code: str) -> EffectAnalysis:
    assert read_javascript(code, _new_scene()), "not understood"
    analysis = _new_scene()
    analyse(code, analysis)
    return analysis


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("require('fs').rmSync('/o', {recursive: true})", [("delete", "/o", True)]),
        ("const fs = require('node:fs'); fs.unlinkSync('/o')", [("delete", "/o", False)]),
        ("import { rm } from 'fs/promises'; await rm(`/o/${x}`)", [("delete", "?", False)]),
        ("import { rm as r } from 'node:fs/promises'; await r('/o')", [("delete", "/o", False)]),
        ("require('fs')['rm' + 'Sync']('/o')", [("delete", "/o", False)]),
        ("import fs from 'fs'; import path from 'path'; import os from 'os'\n"
         "for (const f of ['a', 'b']) { fs.unlinkSync(path.join(os.homedir(), f)) }",
         [("delete", "/home/user/a", False), ("delete", "/home/user/b", False)]),
        ("const {unlinkSync: u} = require('fs'); ['/a', '/b'].forEach(u)",
         [("delete", "/a", False), ("delete", "/b", False)]),
        ("const d = c ? '/a' : '/b'; require('fs').unlinkSync(d)", [("delete", "/a", False), ("delete", "/b", False)]),
        ("let d = '/a'; if (c) d = '/b'; require('fs').unlinkSync(d)",
         [("delete", "/b", False), ("delete", "/a", False)]),
        ("function f(p) { require('fs').unlinkSync(p) } f('/a')", [("delete", "/a", False)]),
        ("function unused() { require('fs').unlinkSync('/a') }", []),
        ("server.on('x', () => { require('fs').unlinkSync('/a') })", [("delete", "/a", False)]),
        ("const m = new Map(); m.delete('x'); buffer.copy(other, 0); items.remove('y'); run('z')", []),
        ("process.chdir('/o'); require('fs').writeFileSync('x', '')", [("write", "/o/x", False)]),
        ("require('fs').linkSync('/a', '/b')", [("write", "/a", False), ("write", "/b", False)]),
        ("const x: string = '/a'; interface I { a: string }\nrequire('fs').unlinkSync(x!)", [("delete", "/a", False)]),
        ("class A extends B { #x = 1; m() { require('fs').unlinkSync('/a') } }", [("delete", "/a", False)]),
        ("const r = /[/]x'/g; const q = a / b / c; require('fs').unlinkSync('/a')", [("delete", "/a", False)]),
        ("Deno.removeSync('/a', {recursive: true})", [("delete", "/a", True)]),
        ("await Bun.write('/a', 'x')", [("write", "/a", False)]),
    ],
)  # fmt: skip
def test_paths_are_followed(code: str, expected: list[tuple[str, str, bool]]) -> None:
    found = [(path.access, path.real if path.known else "?", path.recursive) for path in _analysis(code).paths]
    assert found == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("require('child_process').execSync('ls')", ["ls"]),
        ("const c = require('child_process'); const p = '/o'; c.execSync(`rm -rf ${p}`)", ["rm -rf /o"]),
        ("require('child_process').spawnSync('rm', ['-rf', x])", ["'rm' '-rf' ''\"${unknown}\"''"]),
        ("require('child_process').spawn('rm -rf', ['x'], {shell: true})", ["rm -rf x"]),
        ("require('child_process').execSync('rm -rf x', {cwd: '/o'})", ["cd '/o' && rm -rf x"]),
        ("process.env.A = '0'; require('child_process').execSync('b')", ["export A='0'; b"]),
        ("require('child_process').spawnSync('b', [], {env: {...process.env, A: '1'}})", ["export A='1'; 'b'"]),
        ("import('child_process').then(c => c.execSync('ls'))", ["ls"]),
        ("new Function('r', \"r('child_process').execSync('ls')\")(require)", ["ls"]),
        ("eval(\"require('child_process').execSync('ls')\")", ["ls"]),
        ("require('child_process').execSync.call(null, 'ls')", ["ls"]),
        ("const run = require('util').promisify(require('child_process').exec); await run('ls')", ["ls"]),
        ("import {$} from 'zx'; await $`rm -rf ${d}`", ["rm -rf ${unknown}"]),
        ("Bun.spawnSync(['rm', '-rf', 'x'])", ["'rm' '-rf' 'x'"]),
        ("module.require('child_process').execSync('ls')", ["ls"]),
        ("globalThis.process.getBuiltinModule('child_process').execSync('ls')", ["ls"]),
        ("function run(args) { return args } run(['rm', '-rf', '/'])", []),
    ],
)
def test_started_commands_are_followed(code: str, expected: list[str]) -> None:
    assert _analysis(code).lines == expected


@pytest.mark.parametrize(
    "code",
    [
        "require('child_process').execSync(x)",
        "require('child_process')[x]('ls')",
        "require(x).execSync('ls')",
        "eval(x)",
        "new Function(x)()",
        "process.binding('spawn_sync')",
        "fetch('https://x.example').then(r => r.text()).then(eval)",
        "for (;;) {" + "a = b + c;" * 20_000 + "}",
    ],
)
def test_what_is_put_together_at_run_time_may_do_everything(code: str) -> None:
    assert "*" in _analysis(code).doubts


@pytest.mark.parametrize(
    ("code", "discloses"),
    [
        ("require('child_process').spawnSync('b', {env: process.env})", False),
        ("const port = process.env.PORT || 3000", False),
        ("console.log(process.env)", True),
        ("console.log(JSON.stringify({...process.env}))", True),
        ("for (const [k, v] of Object.entries(process.env)) console.log(k, v)", True),
        ("console.log(process.env.API_TOKEN)", True),
    ],
)
def test_a_shown_environment_is_told(code: str, discloses: bool) -> None:
    assert ("discloses" in _analysis(code).words) is discloses


@pytest.mark.parametrize("code", ["const = ;", "if (", "`${", "'a\nb'", "a)b", "/re"])
def test_what_is_not_understood_is_read_as_text(code: str) -> None:
    assert not read_javascript(code, _new_scene())
    analysis = _new_scene()
    analyse(f"{code}\nrequire('child_process').execSync('sudo ls')", analysis)
    assert analysis.lines == ["sudo ls"]
