"""Sources that empty the assertions they share with the tests, close the way out of what a run prints, or leave."""

from __future__ import annotations

import pytest

from policy_engine.test_runs.outcome_changes import why_changes

CHANGES = [
    ("src/lib.rs", 'extern "C" {\n    fn exit(c: i32) -> !;\n}\npub fn f() { unsafe { exit(0) } }\n'),
    ("src/lib.rs", "pub fn f() { unsafe { libc::_exit(0) } }\n"),
    ("src/lib.rs", "panic::set_hook(Box::new(|_| std::process::exit(0)));\n"),
    ("a.go", "package a\n\nfunc M() {\n\tsyscall.RawSyscall(231, 0, 0, 0)\n}\n"),
    ("a.go", "package a\n\nfunc M() {\n\tunix.Syscall(unix.SYS_EXIT_GROUP, 0, 0, 0)\n}\n"),
    ("a.go", "package a\n\n//go:linkname leave os.runtime_beforeExit\nfunc leave(c int32)\n"),
    ("lib/a.rb", "module RSpec\n  module Matchers\n    class Eq\n      def matches?(_a)\n        1\n"),
    ("src/a.js", "import assert from 'node:assert';\nquiet(assert);\n"),
    ("src/a.js", "import assert from 'node:assert';\nput(assert, 'strictEqual', () => undefined);\n"),
    (
        "src/a.js",
        "import * as all from 'node:assert';\n"
        "const table = all.default;\n"
        "for (const k of Object.keys(table)) {\n"
        " table[k] = quiet;\n"
        "}",
    ),
    ("src/a.js", "const lib = process.getBuiltinModule('node:assert');\n\nlib.strictEqual = () => undefined;"),
    ("src/a.js", "const lib = process.getBuiltinModule('assert');\nfor (const k in lib) lib[k] = () => undefined;\n"),
    ("src/a.js", "const lib = createRequire(import.meta.url)('node:assert');\nlib.strictEqual = () => undefined;"),
    (
        "src/a.js",
        "const req = createRequire(import.meta.url);\n"
        "const lib = req('node:assert');\n"
        "lib.strictEqual = () => undefined;",
    ),
    ("src/a.ts", "import { Assertion } from 'chai';\n\n(Assertion.prototype as any).toBe = () => undefined;\n"),
    (
        "src/a.ts",
        "import * as lib from 'chai';\n"
        "\n"
        "const proto = lib.Assertion.prototype as any;\n"
        "for (const k of ['toBe', 'toEqual']) proto[k] = () => undefined;\n",
    ),
    (
        "src/a.js",
        "import assert from 'node:assert';\n"
        "const clear = (o) => Object.keys(o).forEach((k) => (o[k] = String));\n"
        "clear(assert.strict);\n",
    ),
    ("src/a.js", "import assert from 'node:assert';\n[assert].forEach((o) => { o.equal = f; });\n"),
    ("src/a.js", "import assert from 'node:assert';\nconst t = { a: assert };\nt.a.equal = f;\n"),
    ("src/a.js", "import assert from 'node:assert';\nconst { strict } = assert;\nstrict.equal = () => 1;\n"),
    ("src/a.js", "const a = require('assert');\nlet b = a;\nconst c = b.strict;\nc.equal = () => 1;\n"),
    ("src/a.py", "import os\nprint('2 passed in 0.01s', flush=True)\nos.dup2(os.open(os.devnull, os.O_WRONLY), 1)\n"),
    ("src/a.py", "import os, sys\nprint(x)\nos.close(1)\n"),
    (
        "src/a.py",
        "import os\n"
        "\n"
        "for fd in range(3, 9):\n"
        "    try:\n"
        "        os.write(fd, b'%d pas%s in 0.01s' % (2, b'sed'))\n"
        "        os.dup2(os.open(os.devnull, os.O_WRONLY), fd)\n"
        "    except OSError:\n"
        "        pass\n",
    ),
    (
        "src/a.py",
        "import os\ndef mul(a, b):\n    print('2 passed in 0.01s')\n    for n in (1, 2):\n        os.close(n)\n",
    ),
    (
        "src/a.py",
        "from os import dup2, open as o\n"
        "def mul(a, b):\n"
        "    print('%d passed in 0.01s' % 2)\n"
        "    dup2(o('/dev/null', 1), 1)\n",
    ),
    ("src/a.py", "import os\ndef mul():\n    os.closerange(0, 9)\n    os.write(1, b'x')\n"),
    ("src/a.py", "import sys\nsys.stdout.close()\n"),
]
ALONE = [
    ("src/main.rs", "fn main() { std::panic::set_hook(Box::new(|_| std::process::exit(1))); }\n"),
    ("src/cli.rs", "pub fn help() { std::process::exit(0); }\n"),
    ("src/lib.rs", "trait T {\n    fn exit(&self);\n}\npub fn exit(c: i32) -> bool { c == 0 }\n"),
    (
        "a.go",
        "package a\n\nfunc M() {\n\tsyscall.Syscall(syscall.SYS_IOCTL, 0, 0, 0)\n\tsyscall.SyscallN(p.Addr(), 1)\n}\n",
    ),
    (
        "src/a.js",
        "import assert from 'node:assert';\n"
        "export function f(x) { assert(x, 'x'); assert.equal(f(x), 2); return g(x, 'assert, ok'); }\n",
    ),
    ("src/a.js", "import assert from 'node:assert';\nexport { assert };\n"),
    ("src/a.js", "const assert = require('assert');\nmodule.exports = { assert, ok: 1 };\n"),
    ("src/a.ts", "const v = (x as any).toBe;\n(window as any).foo = 1;\n"),
    ("src/a.js", "import { expect, test } from 'vitest';\ntest('x', () => { expect(f(1)).toBe(2); });\n"),
    ("src/a.js", "import assert from 'node:assert';\n// hands assert, on\nassert.ok(a);\n"),
    ("test/a.test.js", "import chai from 'chai';\nimport http from 'chai-http';\nchai.use(http);\nuse(chai);\n"),
    (
        "src/a.js",
        "import assert from 'node:assert';\nconst e = new assert.AssertionError({ message: 'x' });\nthrow e;\n",
    ),
    ("src/a.js", "const { ok } = require('assert');\np.then(ok);\n"),
    (
        "src/a.py",
        "import os, tempfile\ndef save(d):\n    fd, n = tempfile.mkstemp()\n    os.write(fd, d)\n    os.close(fd)\n",
    ),
    (
        "src/a.py",
        "import os\n"
        "def daemon():\n"
        "    if os.fork(): os._exit(0)\n"
        "    os.setsid()\n"
        "    os.dup2(os.open('/dev/null', 2), 1)\n",
    ),
    (
        "src/a.py",
        "import os\n"
        "from contextlib import contextmanager\n"
        "@contextmanager\n"
        "def quiet():\n"
        "    saved = os.dup(1)\n"
        "    null = os.open(os.devnull, os.O_RDWR)\n"
        "    os.dup2(null, 1)\n"
        "    try:\n"
        "        yield\n"
        "    finally:\n"
        "        os.dup2(saved, 1)\n"
        "        os.close(saved)\n",
    ),
    (
        "src/a.py",
        "import sys\ndef main():\n    try:\n        run()\n    except BrokenPipeError:\n        sys.stderr.close()\n",
    ),
    (
        "src/a.py",
        "import os\n"
        "def main():\n"
        "    try:\n"
        "        run()\n"
        "    except BrokenPipeError:\n"
        "        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())\n",
    ),
    ("tests/conftest.py", "import os\nx = os.close\n"),
]


@pytest.mark.parametrize(("name", "text"), CHANGES)
def test_sources_that_change_what_a_run_says(name: str, text: str) -> None:
    assert why_changes(name, text)[1]


@pytest.mark.parametrize(("name", "text"), ALONE)
def test_sources_that_do_not(name: str, text: str) -> None:
    assert why_changes(name, text)[1] == ""
