"""Calls that only make one known value of others are worked out; what harms in them is seen."""

from __future__ import annotations

import base64

import pytest

from policy_engine.inline.pure_calls import worked_out
from policy_engine.inline.values import UNKNOWN, Items, Number, Table, Text
from tests.unit.effects.test_scripts import decide

LINE = "sudo ls"
CODES = [ord(char) for char in LINE]
URL = "".join(f"%{code:02x}" for code in CODES)
PYTHON = (
    f"os.system({LINE[::-1]!r}[::-1])",
    f"os.system(''.join(reversed({LINE[::-1]!r})))",
    f"os.system(''.join(map(chr, {CODES})))",
    f"os.system(''.join(chr(c) for c in {CODES}))",
    f"os.system(bytes({CODES}).decode())",
    "os.system(json.loads('{\"c\": \"sudo ls\"}')['c'])",
    "os.system(re.sub('X', 'd', 'suXo ls'))",
    "os.system(textwrap.dedent('  sudo ls'))",
    f"os.system(urllib.parse.unquote({URL!r}))",
    f"os.system(base64.b64decode({base64.b64encode(LINE.encode()).decode()!r}).decode())",
    "os.system(ast.literal_eval('[\"sudo ls\"]')[0])",
    "os.system(['ls', 'sudo ls'][-1])",
)
JAVASCRIPT = (
    f"x([...{LINE[::-1]!r}].reverse().join(''))",
    f"x({LINE[::-1]!r}.split('').reverse().join(''))",
    f"x(String.fromCharCode({', '.join(map(str, CODES))}))",
    f"x({CODES}.map(c => String.fromCharCode(c)).join(''))",
    'x(JSON.parse(\'{"c": "sudo ls"}\').c)',
    f"x(decodeURIComponent({URL!r}))",
    "Promise.resolve('sudo ls').then(c => x(c))",
)


@pytest.mark.parametrize("text", PYTHON)
def test_a_line_that_python_puts_together_is_seen(text: str) -> None:
    text = f"import ast, base64, json, os, re, textwrap, urllib.parse\n{text}\n"
    assert decide("python3 a.py", {"a.py": text})[0] == "deny"


@pytest.mark.parametrize("text", JAVASCRIPT)
def test_a_line_that_javascript_puts_together_is_seen(text: str) -> None:
    text = f"const {{execSync: x}} = require('child_process');\n{text}\n"
    assert decide("node a.js", {"a.js": text})[0] == "deny"


def test_what_is_worked_out() -> None:
    made = worked_out("json.loads", [Text('{"a": [1, null, "b"]}')])
    assert isinstance(made, Table) and isinstance(made.entries["a"], Items)
    assert [type(one).__name__ for one in made.entries["a"].items] == ["Number", "Number", "Text"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("json.loads", [Text("{")]),
        ("chr", [Number(-1)]),
        ("chr", [UNKNOWN]),
        ("chr", []),
        ("print", [Text("a")]),
        ("re.sub", [Text("(a+)+$"), Text("b"), Text("a" * 64)]),
        ("bytes", [Items([Number(1000)])]),
        ("json.loads", [Text("[" * 100_000)]),
        ("ast.literal_eval", [Text("(" * 5_000)]),
    ],
)
def test_what_is_not_worked_out(name: str, arguments: list[object]) -> None:
    assert worked_out(name, arguments) is None
