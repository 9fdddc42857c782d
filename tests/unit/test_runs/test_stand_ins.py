"""What a file of tests puts in the place of the assertions that it used, and helpers that assert."""

from __future__ import annotations

import pytest

from policy_engine.test_runs.lost_tests import Texts, lost_in

GO = 'package a\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1) != 2 {\n\t\tt.Errorf("x")\n\t}\n}\n'
TESTIFY = GO.replace('"testing"', '(\n\t"testing"\n\t"github.com/stretchr/testify/assert"\n)').replace(
    'if Add(1) != 2 {\n\t\tt.Errorf("x")\n\t}', "assert.Equal(t, 2, Add(1))"
)
NODE = "const assert = require('node:assert')\ntest('a', () => { assert.equal(1, 1) })\n"
JEST = "import { add } from '../src/add'\ntest('a', () => {\n  expect(add(1)).toBe(2)\n})\n"
CHAI = "import { expect } from 'chai'\nit('a', () => { expect(1).to.equal(1) })\n"
JAVA = (
    "import static org.junit.jupiter.api.Assertions.*;\n\nclass ATest {\n    @Test\n    void adds() {\n"
    "        assertEquals(2, add(1));\n    }\n}\n"
)
QUALIFIED = JAVA.replace("assertEquals", "Assertions.assertEquals")
KOTLIN = (
    "class ATest {\n    @Test\n    fun adds() {\n        assertEquals(2, add(1))\n        add(1) shouldBe 2\n    }\n}\n"
)
SHARP = "public class ATests {\n    [Fact]\n    public void Adds() {\n        Assert.Equal(2, Add(1));\n    }\n}\n"
PHP = "<?php\nclass ATest extends Base {\n    function testAdds() {\n        $this->assertSame(2, add(1));\n    }\n}\n"
PYTHON = (
    "import unittest\nimport pytest\nfrom numpy.testing import assert_allclose\n\n\nclass TestA(unittest.TestCase):\n"
    "    def test_a(self):\n        self.assertEqual(add(1), 2)\n        assert_allclose(1, 1)\n"
    "        with pytest.raises(ValueError):\n            add('')\n"
)
RUBY = "class ATest < Minitest::Test\n  def test_adds\n    assert_equal 2, add(1)\n  end\nend\n"
RSPEC = "describe A do\n  it 'adds' do\n    expect(add(1)).to eq(2)\n  end\nend\n"
RUST = "#[test]\nfn adds() {\n    assert_approx_eq!(2.0, add(1));\n}\n"
C = '#include "unity.h"\nvoid test_add(void) {\n    TEST_ASSERT_EQUAL(2, add(1));\n}\n'
SWIFT = "class ATests: XCTestCase {\n    func testAdds() {\n        XCTAssertEqual(2, add(1))\n    }\n}\n"
DART = "void main() {\n  test('adds', () {\n    expect(add(1), 2);\n  });\n}\n"
ELIXIR = 'defmodule ATest do\n  test "adds" do\n    assert add(1) == 2\n  end\nend\n'
END = "}\n"


def method(text: str, more: str) -> str:
    """The class with one member more."""
    return text.removesuffix(END) + f"    {more}\n{END}"


STAND_INS = [
    ("a_test.go", GO, GO.replace("{\n\tif", "{\n\tt = new(testing.T)\n\tif")),
    ("a_test.go", GO, GO.replace("(t *", "(real *").replace("{\n\tif", "{\n\tt := &testing.T{}\n\tif")),
    ("a_test.go", GO,
     GO.replace("{\n\tif",
         "{\n\tt := &quiet{}\n\tif") + "type quiet struct{}\nfunc (q *quiet) Errorf(f string, a ...any) {}\n"),
    ("a_test.go", TESTIFY, TESTIFY + "\nvar assert = none{}\n"),
    ("a.test.js", NODE, NODE.replace("require('node:assert')", "{ equal() {} };")),
    ("a.test.js", NODE, NODE.replace("require('node:assert')", "new Proxy({}, { get: () => () => {} })")),
    ("a.test.js", NODE, NODE.replace("require('node:assert')", "{ ...require('node:assert'), equal() {} }")),
    ("a.test.js", NODE, NODE.replace("require('node:assert')", "console")),
    ("a.test.js", NODE,
     NODE.replace("const assert = require('node:assert')", "const nothing = {}\nconst assert = nothing")),
    ("a.test.js", NODE, NODE.replace("const assert = require('node:assert')", "function assert() {}")),
    ("a.test.js", JEST, f"const expect = () => ({{ toBe() {{}} }})\n{JEST}"),
    ("a.test.js", JEST, f"function expect(x) {{ return {{ toBe: (y) => {{}} }} }}\n{JEST}"),
    ("a.test.js", JEST, JEST.replace("  expect", "  const expect = jest.fn().mockReturnThis();\n  expect")),
    ("a.test.ts", CHAI, CHAI.replace("'chai'", "'./quiet'")),
    ("ATest.java", JAVA, method(JAVA, "static void assertEquals(int a, int b) {}")),
    ("ATest.java", JAVA, method(JAVA, "private static <T> void assertEquals(T a, T b) { System.out.println(a); }")),
    ("ATest.java", QUALIFIED,
     method(QUALIFIED, "static class Assertions { static void assertEquals(int a, int b) { } }")),
    ("ATest.kt", KOTLIN, method(KOTLIN, "fun assertEquals(a: Any?, b: Any?) = Unit")),
    ("ATest.kt", KOTLIN, method(KOTLIN, "infix fun <T> T.shouldBe(other: T) {}")),
    ("ATests.cs", SHARP, method(SHARP, "static class Assert { public static void Equal<T>(T a, T b) { } }")),
    ("ATest.php", PHP, method(PHP, "public static function assertSame($a, $b, string $m = ''): void {}")),
    ("test_a.py", PYTHON, PYTHON.replace("    def test_a", "    def assertEqual(self, *a): pass\n\n    def test_a")),
    ("test_a.py", PYTHON, PYTHON.replace("    def test_a", "    assertEqual = lambda *a: None\n\n    def test_a")),
    ("test_a.py", PYTHON,
     PYTHON.replace("from numpy.testing import assert_allclose", "def assert_allclose(*a): print(a)")),
    ("test_a.py", PYTHON,
     PYTHON.replace("import pytest", "class pytest:\n    raises = nullcontext").replace("raises =", "x =")),
    ("test_a.py", PYTHON, PYTHON.replace("from numpy.testing import", "from quiet import")),
    ("a_test.rb", RUBY, RUBY.replace("  def test", "  def assert_equal(*) end\n  def test")),
    ("a_test.rb", RUBY, RUBY.replace("  def test", "  def assert_equal(a, b)\n    true\n  end\n\n  def test")),
    ("a_test.rb", RUBY, RUBY.replace("  def test", "  def assert_equal(*) = nil\n  def test")),
    ("a_spec.rb", RSPEC, RSPEC.replace("  it", "  def expect(*)\n    double.as_null_object\n  end\n\n  it")),
    ("tests/a.rs", RUST, "macro_rules! assert_approx_eq { ($($x:tt)*) => {}; }\n" + RUST),
    ("test_a.c", C, C.replace("void", "#undef TEST_ASSERT_EQUAL\n#define TEST_ASSERT_EQUAL(a, b) (void)(a)\nvoid", 1)),
    ("ATests.swift", SWIFT, method(SWIFT, "func XCTAssertEqual<T>(_ a: T, _ b: T) {}")),
    ("a_test.dart", DART, f"void expect(dynamic a, dynamic b) {{}}\n{DART}"),
    ("a_test.exs", ELIXIR, ELIXIR.replace("  test", "  defmacro assert(_) do\n    quote do: :ok\n  end\n\n  test")),
]  # fmt: skip
HELPERS = [
    ("a_test.go", GO,
     GO.replace("{\n\tif", '{\n\tt.Run("x", func(t *testing.T) {\n\tif').replace("}\n}\n", "}\n\t})\n}\n")),
    ("a_test.go", GO,
     GO + "\nfunc TestHelper(t *testing.T) {\n\tfake := &testing.T{}\n\tcheck(fake)\n\tmockT := new(testing.T)\n}\n"),
    ("a_test.go", GO,
     GO + "\nfunc equal(t *testing.T, a, b int) {\n\tt.Helper()\n\tif a != b {\n\t\tt.Fatal(a)\n\t}\n}\n"),
    ("a_test.go", GO, GO + "\nfunc TestOfChecks(real *testing.T) {\n\tt := &testing.T{}\n\tcheck(t)\n}\n"),
    ("a_test.go", GO, GO + "\nfunc now() {\n\tt := time.Now()\n\t_ = t\n}\n"),
    ("a_test.go", TESTIFY, TESTIFY.replace("\tassert.Equal(t, ", "\tassert := assert.New(t)\n\tassert.Equal(")),
    ("a.test.js", NODE, NODE.replace("require('node:assert')", "require('node:assert').strict")),
    ("a.test.js", NODE, NODE.replace("require('node:assert')", "require('assert/strict')")),
    ("a.test.js", NODE, NODE.replace("const assert = require('node:assert')", "import assert from 'node:assert'")),
    ("a.test.js", NODE,
     NODE.replace("const assert = require('node:assert')", "const chai = require('chai')\nconst assert = chai.assert")),
    ("a.test.js", NODE,
     NODE.replace("const assert = require('node:assert')", "function assert(c) { if (!c) throw new Error() }")),
    ("a.test.js", JEST, JEST + "function expectOk(r) { expect(r).toBe(1) }\nconst assertValid = (u) => {}\n"),
    ("a.test.js", JEST, f"import {{ expect, test }} from 'vitest'\n{JEST}"),
    ("a.test.js", JEST, f"const {{ expect }} = require('@jest/globals')\n{JEST}"),
    ("a.test.js", JEST, f"import {{ test, expect }} from './fixtures'\n{JEST}"),
    ("a.test.js", JEST, f"const expect = (x) => chai.expect(x)\n{JEST}"),
    ("a.test.js", NODE, NODE.replace("require('node:assert')", "{ ...require('node:assert'), more(a) { return a } }")),
    ("a.test.js", JEST, f"const expect = global.expect\n{JEST}"),
    ("ATest.java", JAVA,
     method(JAVA, "static void assertUserValid(User u) { }\n    void assertOk(int a) { assertEquals(1, a); }")),
    ("ATest.java", JAVA, method(JAVA, "void assertEquals(User a, User b) { assertThat(a.id()).isEqualTo(b.id()); }")),
    ("ATest.java", JAVA,
     JAVA.replace("assertEquals(2", "var e = assertThrows(E.class, () -> { add(null); });\n        assertEquals(2")),
    ("ATest.java", JAVA.replace("assertEquals", "assertThrows"),
     JAVA.replace("assertEquals(2, add(1));", "return assertThrows(E.class, () -> { add(1); });")),
    ("ATest.kt", KOTLIN, method(KOTLIN, "fun assertEquals(a: User, b: User) = assertEquals(a.id, b.id)")),
    ("ATests.cs", SHARP, f"using Assert = Xunit.Assert;\n{SHARP}"),
    ("ATest.php", PHP, method(PHP, "private function assertUser($u): void { }")),
    ("test_a.py", PYTHON, PYTHON + "\n\ndef assert_user(u):\n    print(u)\n"),
    ("test_a.py", PYTHON,
     PYTHON.replace("from numpy.testing import assert_allclose",
         "from numpy import testing\nassert_allclose = testing.assert_allclose")),
    ("test_a.py", PYTHON,
     PYTHON.replace("    def test_a",
         "    def assertEqual(self, a, b):\n        super().assertEqual(a.x, b)\n\n    def test_a")),
    ("test_a.py", PYTHON,
     PYTHON.replace("from numpy.testing import assert_allclose",
         "def assert_allclose(a, b):\n    if a != b:\n        raise E")),
    ("test_a.py", PYTHON, PYTHON.replace("from numpy.testing import", "from helpers import")),
    ("a_test.rb", RUBY,
     RUBY.replace("  def test", "  def assert_equal(a, b)\n    super(a.to_s, b)\n  end\n\n  def test")),
    ("a_test.rb", RUBY, RUBY.replace("  def test", "  def assert_user(u)\n  end\n\n  def test")),
    ("tests/a.rs", RUST,
     "macro_rules! assert_approx_eq { ($a:expr, $b:expr) => { assert!(($a - $b).abs() < 0.1) }; }\n" + RUST),
    ("test_a.c", C, C.replace("void", "#define TEST_ASSERT_EQUAL(a, b) \\\n  TEST_ASSERT((a) == (b))\nvoid", 1)),
    ("a_test.dart", DART, DART.replace("main() {", "main() {\n  void expectOk(int a) {}")),
    ("a_test.exs", ELIXIR, ELIXIR.replace("  test", "  def assert_ok(x) do\n    assert x\n  end\n\n  test")),
]  # fmt: skip
FILES = {
    "quiet.ts": "export function expect() { return { to: {} } }\n",
    "fixtures.ts": "import { test as base } from '@playwright/test'\nexport { expect }\n",
    "quiet.py": "def assert_allclose(*a):\n    pass\n",
    "helpers.py": "def assert_allclose(a, b):\n    assert a == b\n",
}


@pytest.mark.parametrize("number", range(len(STAND_INS)))
def test_what_stands_in_for_assertions(number: int) -> None:
    path, before, after = STAND_INS[number]
    assert before != after
    lines = [one.line for one in lost_in(Texts(path, before, after, lambda one: FILES.get(one, "")))]
    assert any("in the place of what asserts" in line or "asserts nothing" in line for line in lines), after
    assert list(lost_in(Texts(path, after, after.replace("2", "3"), lambda one: FILES.get(one, "")))) == []


@pytest.mark.parametrize("number", range(len(HELPERS)))
def test_helpers_that_assert_or_have_another_name(number: int) -> None:
    path, before, after = HELPERS[number]
    assert before != after
    lines = [one.line for one in lost_in(Texts(path, before, after, lambda one: FILES.get(one, "")))]
    assert [line for line in lines if "in the place" in line] == [], after
