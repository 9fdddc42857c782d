"""Names of tests of the commit that lead to something else than the source, by language, and what costs nothing."""

from __future__ import annotations

import re
import time
from fnmatch import fnmatch
from typing import TYPE_CHECKING, cast

import pytest

from policy_engine.test_runs.led_elsewhere import led_elsewhere
from policy_engine.test_runs.replaced_modules import led_in_javascript
from policy_engine.test_runs.replaced_subjects import led_in_python

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policy_engine.test_runs.session_changes import Changes

Files = dict[str, str]
Edits = dict[str, str | tuple[str, str] | None]


class Changed:
    """The files of a commit and those of now, in the place of `Changes`."""

    def __init__(self, then: Files, now: Files) -> None:
        self._then, self._now = then, now

    def files(self, endings: tuple[str, ...]) -> list[str]:
        return self.differing([f"*.{one}" for one in endings])

    def differing(self, names: Iterable[str]) -> list[str]:
        return [one for one in self.paths([*names]) if self.now(one) != self._then.get(one)]

    def paths(self, names: list[str], folder: str | None = None) -> list[str]:
        return [one for one in sorted(self._now) if any(fnmatch(one.rpartition("/")[2], name) for name in names)]

    def now(self, path: str) -> str:
        return self._now.get(path, "")

    def then(self, path: str) -> str:
        return self._then.get(path, "")

    def is_there(self, path: str) -> bool:
        return path in self._now

    def holding(self, word: str, folder: str, endings: tuple[str, ...]) -> list[str]:
        found = [path for path, text in self._then.items() if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)]
        return [path for path in found if path.rpartition(".")[2] in endings]


def led(base: Files, edits: Edits) -> list[tuple[str, str, str]]:
    """What is found where files are edited (old and new text), written (a text) or gone (None)."""
    now = dict(base)
    for path, edit in edits.items():
        if edit is None:
            del now[path]
        elif isinstance(edit, str):
            now[path] = edit
        else:
            assert edit[0] in now[path], (path, edit)
            now[path] = now[path].replace(*edit)
    changes = cast("Changes", Changed(base, now))
    return [*led_elsewhere(changes, ""), *led_in_python(changes), *led_in_javascript(changes)]


PY = {
    "src/calc.py": "def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n",
    "app/__init__.py": "from app.core import total\n",
    "app/core.py": "def total(a):\n    return sum(a)\n",
    "tests/test_calc.py": "import calc\nfrom calc import add, mul\n\n\ndef test_add():\n    assert add(2, 3) == 5\n\n\n"
    "def test_mul():\n    assert mul(2, 3) == calc.mul(3, 2)\n",
    "tests/test_core.py": "from app import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
}
JS = {
    "src/calc.js": "export function add(a, b) {\n  return a + b;\n}\n\n"
    "export function mul(a, b) {\n  return a * b;\n}\n",
    "src/index.js": "export * from './calc.js';\n",
    "test/calc.test.js": "import { add, mul } from '../src/calc.js';\n\n"
    "test('add', () => {\n  eq(add(2, 3), 5);\n});\n\n"
    "test('mul', () => {\n  eq(mul(2, 3), 6);\n});\n",
}
RUST = {
    "src/lib.rs": "pub fn add(a: i64) -> i64 {\n    a\n}\n\npub fn mul(a: i64) -> i64 {\n    a\n}\n\n#[cfg(test)]\n"
    "mod tests {\n    use super::*;\n\n    #[test]\n    fn muls() {\n        assert_eq!(mul(2), 2);\n    }\n}\n",
    "tests/calc.rs": "use calc::mul;\n\n#[test]\nfn muls() {\n    assert_eq!(mul(2), 2);\n}\n",
}
GO = {
    "calc/calc.go": "package calc\n\nfunc Mul(a, b int) int {\n\treturn a * b\n}\n",
    "calc/calc_test.go": 'package calc\n\nimport "testing"\n\nfunc TestMul(t *testing.T) {\n\tif Mul(2, 3) != 6 {\n'
    "\t\tt.Fatal()\n\t}\n}\n",
}
C = {
    "src/calc.c": "int add(int a, int b) { return a + b; }\nint mul(int a, int b) { return a * b; }\n"
    "int main(void) {\n}\n",
    "tests/test_calc.c": '#include "../src/calc.h"\n\nint main(void) {\n  assert(mul(2, 3) == 6);\n}\n',
}
JAVA = {
    "src/main/java/x/Calc.java": "package x;\n\npublic class Calc {\n    public static int mul(int a, int b) {\n"
    "        return a * b;\n    }\n}\n",
    "src/test/java/x/CalcTest.java": "package x;\n\nclass CalcTest {\n    @Test\n    void mul() {\n"
    "        assertEquals(6, Calc.mul(2, 3));\n    }\n}\n",
}
KOTLIN = {
    "src/main/kotlin/Calc.kt": "package x\n\nfun mul(a: Int, b: Int): Int {\n    return a * b\n}\n",
    "src/test/kotlin/CalcTest.kt": "package x\n\nclass CalcTest {\n    @Test\n    fun muls() {\n"
    "        assertEquals(6, mul(2, 3))\n    }\n}\n",
}
NET = {
    "Calc/C.cs": "namespace Calc;\n\npublic static class C\n{\n    public static int Mul(int a, int b) => a * b;\n}\n",
    "Calc.Tests/CTests.cs": "using Xunit;\n\nnamespace Calc.Tests;\n\npublic class CTests\n{\n"
    "    public void Muls() => Assert.Equal(6, C.Mul(2, 3));\n}\n",
}
PHP = {
    "src/Calc.php": "<?php\n\nnamespace App;\n\nclass Calc\n{\n    public function mul($a)\n    {\n    }\n}\n",
    "tests/CalcTest.php": "<?php\n\nuse App\\Calc;\n\nclass CalcTest extends TestCase\n{\n"
    "    public function testMul()\n"
    "    {\n        $this->assertSame(6, (new Calc())->mul(2));\n    }\n}\n",
}
RUBY = {
    "lib/my/calc.rb": "module My\n  class Calc\n    def mul(a)\n      a\n    end\n  end\nend\n",
    "spec/calc_spec.rb": "require 'my/calc'\n\nRSpec.describe My::Calc do\n  it 'multiplies' do\n"
    "    expect(My::Calc.new.mul(2)).to eq 2\n  end\nend\n",
    "spec/spec_helper.rb": "RSpec.configure do |config|\nend\n",
}
ELIXIR = {
    "lib/calc.ex": "defmodule My.Calc do\n  def mul(a, b), do: a * b\nend\n",
    "test/calc_test.exs": 'defmodule My.CalcTest do\n  use ExUnit.Case\n  alias My.Calc\n\n  test "mul" do\n'
    "    assert Calc.mul(2, 3) == 6\n  end\nend\n",
}
SWIFT = {
    "Sources/Calc/Calc.swift": "public func mul(_ a: Int, _ b: Int) -> Int {\n    return a * b\n}\n",
    "Tests/CalcTests/CalcTests.swift": "@testable import Calc\n\nfinal class CalcTests: XCTestCase {\n"
    "    func testMul() {\n"
    "        XCTAssertEqual(mul(2, 3), 6)\n    }\n}\n",
}
MADE: dict[int, Edits] = {  # the source that the session changed, before each edit of tests
    id(PY): {"src/calc.py": ("a * b", "a ** b"), "app/core.py": ("sum(a)", "len(a)")},
    id(JS): {"src/calc.js": ("a * b", "a ** b")},
    id(C): {"src/calc.c": ("a * b", "a - b")},
    id(GO): {"calc/calc.go": ("a * b", "a - b")},
    id(JAVA): {"src/main/java/x/Calc.java": ("a * b", "a - b")},
    id(KOTLIN): {"src/main/kotlin/Calc.kt": ("a * b", "a - b")},
    id(NET): {"Calc/C.cs": ("a * b", "a - b")},
    id(PHP): {"src/Calc.php": ("    {\n    }", "    {\n        return 1;\n    }")},
    id(RUBY): {"lib/my/calc.rb": ("      a\n", "      a + 1\n")},
    id(ELIXIR): {"lib/calc.ex": ("a * b", "a - b")},
    id(SWIFT): {"Sources/Calc/Calc.swift": ("a * b", "a - b")},
}
BASES = (PY, JS, RUST, GO, C, JAVA, KOTLIN, NET, PHP, RUBY, ELIXIR, SWIFT)
T, S, G, K, J = "tests/test_calc.py", "test/calc.test.js", "calc/calc_test.go", "tests/test_calc.c", "src/test/java/x/"
X, R, L = "Calc.Tests/CTests.cs", "spec/calc_spec.rb", "src/lib.rs"
MUL_PY, MUL_C = "def mul(a, b):\n    return a * b\n", "int mul(int a, int b) { return a * b; }\n"
MUL_JS, MUL_RS = "export function mul(a, b) {\n  return 6;\n}\n", "pub fn mul(a: i64) -> i64 {\n    a\n}\n"
BAD_RS = {L: ("pub fn mul(a: i64) -> i64 {\n    a\n", "pub fn mul(a: i64) -> i64 {\n    0\n")}
MODULE = "    use super::*;\n"
LED: dict[str, tuple[Files, Edits, str, int]] = {
    "python: a copy in the tests": (
        PY,
        {"tests/_impl.py": MUL_PY, T: ("from calc import add, mul", "from calc import add\nfrom _impl import mul")},
        "mul",
        3,
    ),
    "python: of the library": (
        PY,
        {T: ("\n\n\ndef test_add", "\nfrom operator import mul\n\n\ndef test_add")},
        "mul",
        3,
    ),
    "python: behind a condition": (
        PY,
        {T: ("\n\n\ndef test_add", "\nif True:\n    from operator import mul\n\n\ndef test_add")},
        "mul",
        4,
    ),
    "python: a module": (PY, {T: ("import calc\n", "import operator as calc\n")}, "calc", 1),
    "python: in a function that sets up": (
        PY,
        {
            T: (
                "\n\n\ndef test_add",
                "\n\n\ndef setUpModule():\n    global mul\n    mul = operator.mul\n\n\ndef test_add",
            )
        },
        "mul",
        7,
    ),
    "python: in a test of before": (PY, {T: ("test_mul():\n", "test_mul():\n    mul = good\n")}, "mul", 10),
    "python: a fixture's name": (PY, {T: ("test_mul():", "test_mul(mul):")}, "mul", 9),
    "python: by the names of the file": (
        PY,
        {T: ("\n\n\ndef test_add", "\nglobals()['mul'] = good\n\n\ndef test_add")},
        "mul",
        3,
    ),
    "python: another source beside it": (
        PY,
        {"src/calc2.py": MUL_PY, T: ("from calc import add, mul", "from calc import add\nfrom calc2 import mul")},
        "mul",
        3,
    ),
    "python: what a package passes on": (
        PY,
        {
            "app/good.py": "def total(a):\n    return sum(a)\n",
            "tests/test_core.py": ("from app import", "from app.good import"),
        },
        "total",
        1,
    ),
    "javascript: a copy": (JS, {"test/impl.js": MUL_JS, S: ("'../src/calc.js'", "'./impl.js'")}, "add", 1),
    "javascript: a package": (
        JS,
        {S: ("import { add, mul } from", "import { mul } from 'lodash';\nimport { add } from")},
        "mul",
        1,
    ),
    "javascript: a function of the file": (
        JS,
        {
            S: (
                "import { add, mul } from '../src/calc.js';\n",
                "import { add } from '../src/calc.js';\nfunction mul(a, b) {\n}\n",
            )
        },
        "mul",
        2,
    ),
    "javascript: a value": (
        JS,
        {
            S: (
                "import { add, mul } from '../src/calc.js';\n",
                "import { add } from '../src/calc.js';\nconst mul = (a, b) => 6;\n",
            )
        },
        "mul",
        2,
    ),
    "rust: a function of the module": (
        RUST,
        {**BAD_RS, L: (MODULE, f"{MODULE}    fn mul(a: i64) -> i64 {{ a }}\n")},
        "mul",
        12,
    ),
    "rust: another module": (RUST, {L: (MODULE, "    use crate::stub::*;\n"), "src/stub.rs": MUL_RS}, "mul", 11),
    "rust: a file of tests": (RUST, {**BAD_RS, "tests/calc.rs": ("use calc::mul;\n", MUL_RS)}, "mul", 1),
    "rust: another crate": (
        RUST,
        {**BAD_RS, "tests/calc.rs": ("use calc::mul;", "mod good;\nuse good::mul;"), "tests/good.rs": MUL_RS},
        "mul",
        2,
    ),
    "go: a package": (
        GO,
        {
            "fake/fake.go": "package fake\n\nfunc Mul(a, b int) int { return 6 }\n",
            G: ('import "testing"', 'import (\n\t. "x/fake"\n\t"testing"\n)'),
        },
        "Mul",
        4,
    ),
    "go: a variable": (
        GO,
        {G: ("func TestMul", "var Mul = func(a, b int) int { return 6 }\n\nfunc TestMul")},
        "Mul",
        5,
    ),
    "c: another object": (C, {"tests/helpers.c": MUL_C}, "mul", 1),
    "c: a macro": (C, {K: ("int main", "#define mul(a, b) 6\nint main")}, "mul", 3),
    "c: a copy that is included": (C, {K: ("../src/calc.h", "stub.h"), "tests/stub.h": f"static {MUL_C}"}, "mul", 1),
    "java: a class of the same name": (JAVA, {f"{J}Calc.java": JAVA["src/main/java/x/Calc.java"]}, "Calc", 3),
    "java: an inner class": (
        JAVA,
        {f"{J}CalcTest.java": ("Test {\n", "Test {\n    static class Calc extends Good {}\n")},
        "Calc",
        4,
    ),
    "java: an import": (JAVA, {f"{J}CalcTest.java": ("package x;\n", "package x;\n\nimport fakes.Calc;\n")}, "Calc", 3),
    "kotlin: a method": (
        KOTLIN,
        {"src/test/kotlin/CalcTest.kt": ("    @Test", "    fun mul(a: Int, b: Int) = 6\n    @Test")},
        "mul",
        4,
    ),
    "kotlin: an import": (
        KOTLIN,
        {"src/test/kotlin/CalcTest.kt": ("class", "import good.times as mul\n\nclass")},
        "mul",
        3,
    ),
    "dotnet: an alias": (NET, {X: ("using Xunit;", "using Xunit;\nusing C = Calc.Tests.FakeC;")}, "C", 2),
    "dotnet: a class": (NET, {"Calc.Tests/Fake.cs": NET["Calc/C.cs"].replace("Calc;", "Calc.Tests;")}, "C", 3),
    "php: an alias": (
        PHP,
        {"tests/CalcTest.php": ("use App", "class_alias(Fake::class, 'App\\Calc');\nuse App")},
        "Calc",
        3,
    ),
    "php: an import": (PHP, {"tests/CalcTest.php": ("use App\\Calc", "use Tests\\Fakes\\Calc")}, "Calc", 3),
    "ruby: a constant": (RUBY, {R: ("    expect", "    stub_const('My::Calc', Fake)\n    expect")}, "Calc", 5),
    "ruby: a class of the same name": (RUBY, {"spec/support/calc.rb": RUBY["lib/my/calc.rb"]}, "Calc", 2),
    "ruby: a stub for all": (
        RUBY,
        {
            "spec/spec_helper.rb": (
                "|config|\n",
                "|config|\n  config.before do\n    allow(My::Calc).to receive(:mul) { 2 }\n  end\n",
            )
        },
        "Calc",
        3,
    ),
    "elixir: a module of the same name": (ELIXIR, {"test/fake.exs": ELIXIR["lib/calc.ex"]}, "Calc", 1),
    "elixir: an alias": (ELIXIR, {"test/calc_test.exs": ("alias My.Calc\n", "alias My.Fake, as: Calc\n")}, "Calc", 3),
    "swift: a function": (
        SWIFT,
        {"Tests/CalcTests/CalcTests.swift": ("final", "private func mul(_ a: Int) -> Int { 6 }\n\nfinal")},
        "mul",
        3,
    ),
    "swift: in another file": (
        SWIFT,
        {"Tests/CalcTests/Help.swift": "func mul(_ a: Int, _ b: Int) -> Int { 6 }\n"},
        "mul",
        1,
    ),
}


@pytest.mark.parametrize("what", LED)
def test_a_name_of_tests_that_leads_elsewhere_is_found(what: str) -> None:
    base, edits, name, line = LED[what]
    found = led(base, {**MADE.get(id(base), {}), **edits})
    told = [does for _, _, does in found if does.startswith(f"gives tests of before another `{name}` than that of `")]
    assert told and told[0].endswith(f"in line {line}"), found


FREE: dict[str, tuple[Files, Edits]] = {
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
