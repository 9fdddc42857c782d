"""Names of tests of the commit that lead to something else than the source, by language, and what costs nothing."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from typing import TYPE_CHECKING, cast

import pytest

from policy_engine.test_runs.led_elsewhere import led_elsewhere
from policy_engine.test_runs.replaced_modules import led_in_javascript
from policy_engine.test_runs.replaced_subjects import led_in_python
from policy_engine.test_runs.session_changes import Changes

if TYPE_CHECKING:
    from collections.abc import Iterable

Files = dict[str, str]
Edits = dict[str, str | tuple[str, str] | None]


class Changed:
    """The files of a commit and those of now, in the place of `Changes`."""

    def __init__(self, then: Files, now: Files) -> None:
        self._then, self._now = then, now

    def files(self, endings: tuple[str, ...]) -> list[str]:
        return [one for one in self.differing([f"*.{one}" for one in endings]) if one in self._now]

    def differing(self, names: Iterable[str]) -> list[str]:
        every = [*self.paths([*names]), *(one for one in self._then if one not in self._now)]
        return [one for one in every if self._now.get(one) != self._then.get(one)]

    def paths(self, names: list[str], folder: str | None = None) -> list[str]:
        return [one for one in sorted(self._now) if any(fnmatch(one.rpartition("/")[2], name) for name in names)]

    def now(self, path: str) -> str:
        return self._now.get(path, "")

    def then(self, path: str) -> str:
        return self._then.get(path, "")

    def is_there(self, path: str) -> bool:
        return path in self._now

    def before(self, path: str) -> tuple[str, str]:
        return Changes.before(cast("Changes", self), path)

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
    "javascript: a copy with another ending": (
        JS,
        {"src/calc.mjs": MUL_JS, S: ("'../src/calc.js'", "'../src/calc.mjs'")},
        "add",
        1,
    ),
    "javascript: an alias of the package": (
        JS,
        {
            "package.json": '{"imports": {"#calc": {"default": "./stub.js"}, "#x/*": "./x/*"}}',
            "stub.js": MUL_JS,
            S: ("'../src/calc.js'", "'#calc'"),
        },
        "add",
        1,
    ),
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
    "python: moved, with a copy": (
        PY,
        {T: None, "tests/u/test_c.py": PY[T].replace("calc import add", "impl import add")},
        "add",
        2,
    ),
    "python: beside it": (PY, {T: ("import calc\n", "from . import calc\n"), "tests/calc.py": MUL_PY}, "calc", 1),
    "python: all of a copy": (
        PY,
        {T: ("add, mul\n", "add, mul\nfrom impl import *\n"), "tests/impl.py": MUL_PY},
        "mul",
        3,
    ),
    "javascript: moved, with a copy": (
        JS,
        {S: None, "test/u/c.test.js": JS[S].replace("../src/calc.js", "./impl.js")},
        "add",
        1,
    ),
    "go: moved, with a package": (
        GO,
        {
            G: None,
            "calc/mul_test.go": GO[G].replace('"testing"', '(\n\t. "x/fake"\n\t"testing"\n)'),
            "fake/a.go": "package fake\n\nfunc Mul(a, b int) int { return 6 }\n",
        },
        "Mul",
        4,
    ),
    "go: another package of that name": (
        {**GO, G: GO[G].replace("package calc", 'package calc_test\n\nimport "x/calc"').replace("Mul(2", "calc.Mul(2")},
        {
            "calc/calc.go": ("a * b", "a - b"),
            G: ('"x/calc"', '"x/fake/calc"'),
            "fake/calc/calc.go": "package calc\n\nfunc Mul(a, b int) int { return 6 }\n",
        },
        "Mul",
        3,
    ),
    "c: a wrapped function": (C, {"tests/wrap.c": MUL_C.replace("mul", "__wrap_mul")}, "mul", 1),
    "dotnet: an alias for all": (NET, {"Calc.Tests/Usings.cs": "global using C = Calc.Tests.Good;\n"}, "C", 1),
    "dotnet: a namespace": (
        NET,
        {
            X: ("using Xunit;", "using Fakes;\nusing Xunit;"),
            "Calc.Tests/Good.cs": NET["Calc/C.cs"].replace("Calc;", "Fakes;"),
        },
        "C",
        1,
    ),
    "ruby: what is described": (
        RUBY,
        {R: ("  it 'mul", "  before { allow_any_instance_of(described_class).to receive(:mul) { 2 } }\n\n  it 'mul")},
        "Calc",
        4,
    ),
    "ruby: a module before it": (RUBY, {R: ("\n\nRSpec", "\n\nMy::Calc.prepend(Good)\n\nRSpec")}, "Calc", 3),
}


@pytest.mark.parametrize("what", LED)
def test_a_name_of_tests_that_leads_elsewhere_is_found(what: str) -> None:
    base, edits, name, line = LED[what]
    found = led(base, {**MADE.get(id(base), {}), **edits})
    told = [does for _, _, does in found if does.startswith(f"gives tests of before another `{name}` than that of `")]
    assert told and told[0].endswith(f"in line {line}"), found
