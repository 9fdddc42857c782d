"""Helpers, moves, and doubles of other things in tests, by language, by which no name leads elsewhere."""

from __future__ import annotations

import time

import pytest

from tests.unit.test_runs.test_led_elsewhere import (
    BAD_RS,
    BASES,
    ELIXIR,
    GO,
    JAVA,
    JS,
    KOTLIN,
    MADE,
    MODULE,
    MUL_JS,
    MUL_PY,
    NET,
    PHP,
    PY,
    RUBY,
    RUST,
    SWIFT,
    C,
    Edits,
    Files,
    G,
    J,
    K,
    L,
    R,
    S,
    T,
    X,
    led,
)

FREE: dict[str, tuple[Files, Edits]] = {
    "javascript: an alias of the source": (
        JS,
        {
            "package.json": '{"imports": {"#calc": "./src/calc.js", "#other": ["./a.js"]}}',
            S: ("'../src/calc.js'", "'#calc'"),
        },
    ),
    "python: helpers of its own": (
        PY,
        {"tests/test_new.py": "def add(a):\n    pass\n\n\ndef test_new():\n    add(1)\n"},
    ),
    "python: a method": (
        PY,
        {T: ("\n\n\ndef test_add", "\n\n\nclass Fake:\n    def mul(self):\n        pass\n\n\ndef test_add")},
    ),
    "python: a new test": (
        PY,
        {T: ("\n\n\ndef test_add", "\n\n\ndef test_more():\n    add = calc.add\n    add(1, 2)\n\n\ndef test_add")},
    ),
    "python: a renamed module": (
        PY,
        {
            "src/calc.py": None,
            "src/arith.py": PY["src/calc.py"],
            T: PY[T].replace("calc import", "arith import").replace("import calc", "import os"),
        },
    ),
    "python: a function that moved": (
        PY,
        {
            "src/calc.py": "from arith import mul\n\n\ndef add(a, b):\n    return a + b\n",
            "src/arith.py": MUL_PY,
            T: ("from calc import add, mul", "from arith import mul\nfrom calc import add"),
        },
    ),
    "python: another way to the same": (PY, {"tests/test_core.py": ("from app import", "from app.core import")}),
    "python: a longer way": (PY, {T: ("from calc import add, mul", "from src.calc import add, mul")}),
    "python: parametrised": (
        PY,
        {
            T: (
                "def test_mul():\n    assert mul(2, 3)",
                "@pytest.mark.parametrize('a', [2])\ndef test_mul(a):\n    assert mul(a, 3)",
            )
        },
    ),
    "python: a fake of something else": (
        PY,
        {
            "tests/fakes.py": "class FakeClock:\n    def now(self):\n        pass\n",
            T: ("import calc\n", "import calc\nfrom fakes import FakeClock\n"),
        },
    ),
    "python: moved tests": (PY, {T: None, "tests/unit/test_calc.py": PY[T]}),
    "python: common names": (PY, {"tests/helper.py": "def setup():\n    pass\n\n\ndef main():\n    pass\n"}),
    "javascript: a renamed module": (
        JS,
        {
            "src/calc.js": None,
            "src/arith.js": JS["src/calc.js"],
            "src/index.js": ("calc", "arith"),
            S: ("src/calc", "src/arith"),
        },
    ),
    "javascript: another ending that passes it on": (
        JS,
        {"src/calc.mjs": "export { add, mul } from './calc.js';\n", S: ("../src/calc.js", "../src/calc.mjs")},
    ),
    "javascript: through the index": (JS, {S: ("../src/calc.js", "../src/index.js")}),
    "javascript: a function that moved": (
        JS,
        {
            "src/arith.js": MUL_JS,
            "src/calc.js": "export { mul } from './arith.js';\nexport function add(a, b) {\n  return b + a;\n}\n",
            S: ("import { add, mul } from", "import { mul } from '../src/arith.js';\nimport { add } from"),
        },
    ),
    "javascript: a new test": (
        JS,
        {S: ("test('mul'", "test('more', () => {\n  const mul = (a) => a;\n});\n\ntest('mul'")},
    ),
    "javascript: helpers": (
        JS,
        {
            "test/helpers.js": "export const clock = () => 0;\nexport function mul(a) {\n}\n",
            S: ("\n\ntest('add'", "\nimport { clock } from './helpers.js';\n\ntest('add'"),
        },
    ),
    "rust: a helper": (RUST, {**BAD_RS, "tests/calc.rs": ("#[test]", "fn helper() -> i64 { 2 }\n\n#[test]")}),
    "rust: another import": (
        RUST,
        {L: (MODULE, "    use super::*;\n    use std::collections::HashMap;\n"), "src/sub.rs": "pub fn sub() {}\n"},
    ),
    "rust: names one by one": (RUST, {L: (MODULE, "    use super::{add, mul};\n")}),
    "rust: a method": (
        RUST,
        {L: (MODULE, f"{MODULE}    struct Fake;\n    impl Fake {{\n        fn mul(a: i64) {{}}\n    }}\n")},
    ),
    "rust: new tests beside it": (
        RUST,
        {L: ("    #[test]", "    #[test]\n    fn adds() {\n        assert_eq!(add(1), 1);\n    }\n\n    #[test]")},
    ),
    "go: a package of tests": (
        GO,
        {
            "calc/more_test.go": 'package calc_test\n\nimport (\n\t"testing"\n\n\t"x/calc"\n)\n\n'
            "func TestMore(t *testing.T) {\n\tcalc.Mul(1, 2)\n}\n"
        },
    ),
    "go: a fake": (
        GO,
        {G: ("func TestMul", "type fakeClock struct{}\n\nfunc (f fakeClock) Mul() int { return 1 }\n\nfunc TestMul")},
    ),
    "go: a result": (GO, {G: ("\tif Mul(2, 3)", "\tgot := Mul(2, 3)\n\tif got")}),
    "c: a new file of tests": (C, {"tests/test_more.c": "static int setup(void) { return 0; }\nint main(void) {\n}\n"}),
    "c: helpers": (
        C,
        {
            "tests/helpers.c": "int make_clock(int a) { return a; }\n",
            "tests/helpers.h": "int make_clock(int);\n",
            K: ('../src/calc.h"', '../src/calc.h"\n#include "helpers.h"'),
        },
    ),
    "java: a test called so": (
        JAVA,
        {f"{J}CalcTest.java": ("    @Test", "    @Test\n    void add() {\n    }\n\n    @Test")},
    ),
    "java: fakes": (
        JAVA,
        {
            f"{J}FakeClock.java": "package x;\n\nclass FakeClock {\n    int now(int a) {\n    }\n}\n",
            f"{J}CalcTest.java": ("package x;\n", "package x;\n\nimport java.util.List;\nimport x.Calc;\n"),
        },
    ),
    "java: another package": (
        JAVA,
        {"src/test/java/y/Calc.java": "package y;\n\nclass Calc {\n    int mul(int a) {\n    }\n}\n"},
    ),
    "kotlin: a test called so": (
        KOTLIN,
        {
            "src/test/kotlin/CalcTest.kt": (
                "    @Test",
                "    @Test\n    fun mul() {\n        assertEquals(0, mul(0, 3))\n    }\n\n    @Test",
            )
        },
    ),
    "dotnet: its own namespace": (NET, {X: ("using Xunit;", "using Calc;\nusing System.Linq;\nusing Xunit;")}),
    "dotnet: fakes": (
        NET,
        {"Calc.Tests/Fakes.cs": "namespace Calc.Tests;\n\nclass FakeHttp\n{\n    int Get(int a) => a;\n}\n"},
    ),
    "php: a double of something else": (PHP, {"tests/CalcTest.php": ("use App", "use Tests\\FakeClock;\nuse App")}),
    "ruby: helpers in the module": (
        RUBY,
        {
            "spec/support/help.rb": "module My\n  module Help\n    def setup(a)\n    end\n  end\nend\n",
            R: ("require 'my/calc'", "require 'my/calc'\nrequire 'support/help'"),
        },
    ),
    "ruby: a stub in a new test": (
        RUBY,
        {R: ("  it 'mult", "  it 'fails' do\n    allow(My::Calc).to receive(:mul) { 1 }\n  end\n\n  it 'mult")},
    ),
    "ruby: a stub of something else": (RUBY, {R: ("    expect", "    allow(Time).to receive(:now) { 0 }\n    expect")}),
    "ruby: a fake of its own": (
        RUBY,
        {"spec/support/fakes.rb": "module Fakes\n  class Calc\n    def mul(a)\n    end\n  end\nend\n"},
    ),
    "elixir: a module of tests": (
        ELIXIR,
        {
            "test/more_test.exs": "defmodule My.MoreTest do\n  alias My.Calc\n\n"
            "  defmodule Fake do\n    def mul(a, b), do: a\n  end\nend\n"
        },
    ),
    "swift: a test": (
        SWIFT,
        {
            "Tests/CalcTests/CalcTests.swift": (
                "    func testMul",
                "    func testMore() {\n        XCTAssertEqual(mul(0, 1), 0)\n    }\n\n    func testMul",
            )
        },
    ),
}


@pytest.mark.parametrize("what", FREE)
def test_helpers_moves_and_doubles_of_other_things_cost_nothing(what: str) -> None:
    base, edits = FREE[what]
    assert led(base, {**MADE.get(id(base), {}), **edits}) == []


ODD = {
    "go": "\tx := (((((\n" * 20_000,
    "rs": "#[cfg(test)]\nmod x {\n" * 10_000,
    "cs": "public\nstatic\n" * 20_000,
    "c": "a b c d e f g(\n" * 20_000,
    "java": "static a b c d e f (" * 10_000,
    "rb": "allow ( x " * 30_000,
    "js": "const mul: ((((((((( = \n" * 20_000,
    "kt": " " * 100_000 + "fun",
    "ex": "def a\n" * 20_000,
    "php": "class_alias(" * 20_000,
    "swift": "class\n" * 40_000,
}


@pytest.mark.parametrize("ending", ODD)
def test_the_time_grows_with_the_text(ending: str) -> None:
    base = next(one for one in BASES if any(path.endswith(f".{ending}") for path in one))
    start = time.monotonic()
    led(base, {path: f"{text}\n{ODD[ending]}" for path, text in base.items()})
    assert time.monotonic() - start < 5
