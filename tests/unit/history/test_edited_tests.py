"""switched_off: what a call keeps from running that ran before, and what it leaves as it is, by language."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.history.edited_tests import switched_off_by
from policy_engine.model.event import Event
from policy_engine.model.undecided import ABSENT

PY = (
    "import pytest\nfrom app import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\n"
    "def test_zero():\n    assert add(0, 0) == 0\n"
)
UNIT = (
    "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(add(1, 1), 2)\n"
)
CLASS = "class TestApp:\n    def test_a(self):\n        assert add(1, 1) == 2\n"
JS = (
    "import { test } from 'node:test'\n\ntest('adds', () => {\n  assert.equal(add(1, 2), 3)\n})\n\n"
    "test('zero', (t) => {\n  assert.equal(add(0, 0), 0)\n})\n"
)
GO = (
    "package app\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal()\n\t}\n}\n\n"
    "func TestZero(t *testing.T) {\n\tcheck(t, Add(0, 0), 0)\n}\n"
)
RUST = (
    "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n"
    "    #[test]\n    fn zero() {\n        assert_eq!(add(0, 0), 0);\n    }\n}\n"
)
JAVA = (
    "class AppTest {\n    @Test\n    void adds() {\n        assertEquals(3, add(1, 2));\n    }\n\n"
    "    @Test\n    void zero() {\n        assertEquals(0, add(0, 0));\n    }\n}\n"
)
KOTLIN = "class AppTest {\n    @Test\n    fun `adds two`() {\n        assertEquals(3, add(1, 2))\n    }\n}\n"
CS = "public class AppTests {\n    [Fact]\n    public void Adds() {\n        Assert.Equal(3, Add(1, 2));\n    }\n}\n"
CS_BODY = CS[CS.index("    [Fact]") : -2]
RUBY = "describe App do\n  it 'adds' do\n    expect(add(1, 2)).to eq 3\n  end\nend\n"
MINI = "class AppTest < Minitest::Test\n  def test_adds\n    assert_equal 3, add(1, 2)\n  end\nend\n"
ELIXIR = 'defmodule AppTest do\n  test "adds" do\n    assert add(1, 2) == 3\n  end\nend\n'
PHP = (
    "class AppTest extends T {\n    public function testAdds() {\n        $this->assertSame(3, add(1, 2));\n    }\n}\n"
)
SWIFT = "class AppTests: XCTestCase {\n    func testAdds() throws {\n        XCTAssertEqual(add(1, 2), 3)\n    }\n}\n"
CPP = "TEST(App, Adds) {\n  EXPECT_EQ(add(1, 2), 3);\n}\n"
DART = "void main() {\n  test('adds', () {\n    expect(add(1, 2), 3);\n  });\n}\n"
ZERO_PY, ZERO_JS, ZERO_GO = PY[PY.index("def test_z") :], JS[JS.index("test('zero'") :], GO[GO.index("func TestZero") :]
IN_PY, IN_JS, IN_GO = "    assert add(0", "  assert.equal(add(0", "\tcheck("
IN_RUST, IN_JAVA = "        assert_eq!(add(0", "        assertEquals(0"
MORE_JAVA = "    @Test\n    void one() {\n        x();\n    }\n\n    @Test\n    void zero"
MORE_RUST = "    #[test]\n    fn one() {\n        x();\n    }\n\n    #[test]\n    fn zero"
AUTO = {"pyproject.toml": '[tool.pytest.ini_options]\nasyncio_mode = "auto"\n'}

OFF = {
    "py async": ("test_a.py", PY, "def test_zero", "async def test_zero"),
    "py async in a case": ("test_a.py", UNIT, "def test_a", "async def test_a"),
    "py importorskip": ("test_a.py", PY, IN_PY, f"    pytest.importorskip('x')\n{IN_PY}"),
    "py skip by its name": ("test_a.py", PY, IN_PY, f"    skip('x')\n{IN_PY}"),
    "py return": ("test_a.py", PY, IN_PY, f"    return\n{IN_PY}"),
    "py return a value": ("test_a.py", PY, IN_PY, f"    x = 1\n    return True\n{IN_PY}"),
    "py return where": ("test_a.py", PY, IN_PY, f"    if os.environ.get('CI'):\n        return\n{IN_PY}"),
    "py if False": ("test_a.py", PY, "def test_zero():\n", "if False:\n  def test_zero():\n"),
    "py if False within": ("test_a.py", PY, IN_PY, f"    if False:\n    {IN_PY}"),
    "py type checking": (
        "test_a.py",
        PY,
        ZERO_PY,
        "if TYPE_CHECKING:\n    def test_zero():\n        assert add(0, 0) == 0\n",
    ),
    "py in a function": ("test_a.py", PY, ZERO_PY, "def off():\n    def test_zero():\n        assert add(0, 0) == 0\n"),
    "py a second one": ("test_a.py", PY, "== 0\n", "== 0\n\n\ndef test_zero():\n    pass\n"),
    "py none": ("test_a.py", PY, "== 0\n", "== 0\n\n\ntest_zero = None\n"),
    "py fixture": ("test_a.py", PY, "def test_zero", "@pytest.fixture\ndef test_zero"),
    "py lambda": ("test_a.py", PY, "def test_zero", "@(lambda f: None)\ndef test_zero"),
    "py generator": ("test_a.py", PY, IN_PY, f"    yield\n{IN_PY}"),
    "py no parameters": ("test_a.py", PY, "def test_zero()", "@pytest.mark.parametrize('x', [])\ndef test_zero(x)"),
    "py no phases": ("test_a.py", PY, "def test_zero", "@settings(phases=[])\n@given(st.just(1))\ndef test_zero"),
    "py phases that run nothing": (
        "test_a.py",
        PY,
        "def test_zero",
        "@settings(phases=(Phase.shrink,))\ndef test_zero",
    ),
    "py repeated never": ("test_a.py", PY, "def test_zero", "@pytest.mark.repeat(0)\ndef test_zero"),
    "js no cases": ("a.test.ts", JS, IN_JS, f"  fc.assert(p, {{ numRuns: 0 }})\n{IN_JS}"),
    "rust no cases": ("a.rs", RUST, IN_RUST, f"        run(Config::with_cases(0));\n{IN_RUST}"),
    "java no cases": ("AppTest.java", JAVA, "@Test\n    void zero", "@Test\n    @Property(tries = 0)\n    void zero"),
    "elixir no cases": (
        "app_test.exs",
        ELIXIR,
        "    assert",
        "    check all(x <- int(), max_runs: 0), do: x\n    assert",
    ),
    "py constructor": ("test_a.py", CLASS, "    def test_a", "    def __init__(self):\n        pass\n\n    def test_a"),
    "py class": ("test_a.py", CLASS, "class TestApp", "class AppChecks"),
    "py text": (
        "test_a.py",
        PY,
        "def test_zero():\n    assert add(0, 0) == 0\n",
        '"""\ndef test_zero():\n    assert add(0, 0) == 0\n"""\n',
    ),
    "py renamed": ("test_a.py", CLASS, "def test_a", "def check_a"),
    "js skip option": ("a.test.js", JS, "'zero', (t)", "'zero', { skip: true }, (t)"),
    "js skip option with a reason": ("a.test.js", JS, "'zero', (t)", "'zero', { timeout: 1, skip: 'later' }, (t)"),
    "js skip option of lines": ("a.test.js", JS, "'zero', (t)", "'zero', {\n  skip: true,\n}, (t)"),
    "js todo option": ("a.test.mjs", JS, "'zero', (t)", "'zero', { todo: true }, (t)"),
    "js ctx.skip": ("a.test.ts", JS, IN_JS, f"  ctx.skip()\n{IN_JS}"),
    "js t.skip": ("a.test.ts", JS, IN_JS, f"  t.skip('x')\n{IN_JS}"),
    "js context.skip": ("a.test.ts", JS, IN_JS, f"  context.skip()\n{IN_JS}"),
    "js skip()": ("a.test.ts", JS, "(t) => {\n", "({ skip }) => {\n  skip()\n"),
    "js todo": ("a.test.ts", JS, "test('zero'", "test.todo('zero'"),
    "js failing": ("a.test.ts", JS, "test('zero'", "test.failing('zero'"),
    "js fixme": ("a.spec.ts", JS, IN_JS, f"  test.fixme()\n{IN_JS}"),
    "js pending": ("a.spec.js", JS, IN_JS, f"  pending('x')\n{IN_JS}"),
    "js skipIf": ("a.test.ts", JS, "test('zero'", "test.skipIf(true)('zero'"),
    "js runIf": ("a.test.ts", JS, "test('zero'", "test.runIf(process.env.SLOW)('zero'"),
    "js if false": ("a.test.ts", JS, ZERO_JS, f"if (false) {{\n{ZERO_JS}}}\n"),
    "js if 0": ("a.test.ts", JS, IN_JS, f"  if (0)\n  {IN_JS}"),
    "js false &&": ("a.test.ts", JS, "test('zero'", "false && test('zero'"),
    "js true ||": ("a.test.ts", JS, "test('zero'", "true || test('zero'"),
    "js return": ("a.test.ts", JS, IN_JS, f"  return\n{IN_JS}"),
    "js return where": ("a.test.ts", JS, IN_JS, f"  if (process.env.CI) return;\n{IN_JS}"),
    "js function": ("a.test.ts", JS, ZERO_JS, f"function later() {{\n{ZERO_JS}}}\n"),
    "js comment": ("a.test.ts", JS, ZERO_JS, f"/*\n{ZERO_JS}*/\n"),
    "js all commented": (
        "a.test.ts",
        "test('a', () => {\n  x()\n})\n",
        "test('a', () => {\n  x()\n})\n",
        "// test('a')\n",
    ),
    "js own test": ("a.test.ts", JS, "import { test } from 'node:test'", "const test = () => {}"),
    "js only": ("a.test.ts", JS, "test('adds'", "test.only('adds'"),
    "go skip": ("a_test.go", GO, IN_GO, f'\tt.Skip("x")\n{IN_GO}'),
    "go skip of a suite": ("a_test.go", GO, IN_GO, f"\ts.T().SkipNow()\n{IN_GO}"),
    "go return": ("a_test.go", GO, IN_GO, f"\treturn\n{IN_GO}"),
    "go if false": ("a_test.go", GO, f"{IN_GO}t, Add(0, 0), 0)", "\tif false {\n\t\tcheck(t, Add(0, 0), 0)\n\t}"),
    "go small": ("a_test.go", GO[: GO.index("func TestZero")], "func TestAdd", "func Testadd"),
    "go comment": ("a_test.go", GO, ZERO_GO, f"/*\n{ZERO_GO}*/\n"),
    "go where": ("a_test.go", GO, IN_GO, f"\tif testing.Short() {{\n\t\tt.Skip()\n\t}}\n{IN_GO}"),
    "go build": ("a_test.go", GO, "package app", "//go:build never\n\npackage app"),
    "rust ignore": ("a.rs", RUST, "    #[test]\n    fn zero", "    #[test]\n    #[ignore]\n    fn zero"),
    "rust cfg": ("a.rs", RUST, "    #[test]\n    fn zero", "    #[cfg(any())]\n    #[test]\n    fn zero"),
    "rust no mark": ("a.rs", RUST, "    #[test]\n    fn zero", "    fn zero"),
    "rust return": ("a.rs", RUST, IN_RUST, f"        return;\n{IN_RUST}"),
    "rust if false": ("a.rs", RUST, f"{IN_RUST}, 0), 0);", f"        if false {{\n    {IN_RUST}, 0), 0);\n        }}"),
    "rust panic": ("a.rs", RUST, "    #[test]\n    fn zero", "    #[test]\n    #[should_panic]\n    fn zero"),
    "java disabled": ("AppTest.java", JAVA, "@Test\n    void zero", "@Disabled @Test\n    void zero"),
    "java disabled above": ("AppTest.java", JAVA, "@Test\n    void zero", '@Test\n    @Disabled("x")\n    void zero'),
    "java ignored class": ("AppTest.java", JAVA, "class AppTest", "@Ignore\nclass AppTest"),
    "java assume": ("AppTest.java", JAVA, IN_JAVA, f"        Assumptions.assumeTrue(false);\n{IN_JAVA}"),
    "java assume where": ("AppTest.java", JAVA, IN_JAVA, f"        assumeTrue(isLinux());\n{IN_JAVA}"),
    "java no mark": ("AppTest.java", JAVA, "    @Test\n    void zero", "    void zero"),
    "java private": ("AppTest.java", JAVA, "void zero", "private void zero"),
    "java not enabled": ("AppTest.java", JAVA, "@Test\n    void zero", "@Test(enabled = false)\n    void zero"),
    "java return": ("AppTest.java", JAVA, IN_JAVA, f"        return;\n{IN_JAVA}"),
    "java if false": (
        "AppTest.java",
        JAVA,
        f"{IN_JAVA}, add(0, 0));",
        "        if (false) {\n            x();\n        }",
    ),
    "kotlin disabled": ("AppTest.kt", KOTLIN, "    @Test\n", "    @Test\n    @Disabled\n"),
    "kotlin no mark": ("AppTest.kt", KOTLIN, "    @Test\n", ""),
    "cs skip": ("AppTests.cs", CS, "[Fact]", '[Fact(Skip = "x")]'),
    "cs ignore": ("AppTests.cs", CS, "[Fact]", "[Fact, Ignore]"),
    "cs private": ("AppTests.cs", CS, "public void Adds", "private void Adds"),
    "cs #if": ("AppTests.cs", CS, CS_BODY, f"#if false\n{CS_BODY}#endif\n"),
    "ruby skip": ("app_spec.rb", RUBY, "    expect", "    skip 'x'\n    expect"),
    "ruby pending": ("app_spec.rb", RUBY, "    expect", "    pending\n    expect"),
    "ruby xit": ("app_spec.rb", RUBY, "  it 'adds'", "  xit 'adds'"),
    "ruby tag": ("app_spec.rb", RUBY, "'adds' do", "'adds', :skip do"),
    "ruby metadata": ("app_spec.rb", RUBY, "'adds' do", "'adds', skip: 'later' do"),
    "ruby return": ("app_test.rb", MINI, "    assert_equal", "    return\n    assert_equal"),
    "ruby skip in minitest": ("app_test.rb", MINI, "    assert_equal", "    skip\n    assert_equal"),
    "ruby a second one": ("app_test.rb", MINI, "  end\nend", "  end\n\n  def test_adds\n  end\nend"),
    "elixir tag": ("app_test.exs", ELIXIR, "  test", "  @tag :skip\n  test"),
    "php skipped": ("AppTest.php", PHP, "        $this", "        $this->markTestSkipped('x');\n        $this"),
    "php private": ("AppTest.php", PHP, "public function", "private function"),
    "swift skip": ("AppTests.swift", SWIFT, "        XCTA", '        throw XCTSkip("x")\n        XCTA'),
    "swift skip if": ("AppTests.swift", SWIFT, "        XCTA", "        try XCTSkipIf(isCI)\n        XCTA"),
    "swift private": ("AppTests.swift", SWIFT, "func testAdds", "private func testAdds"),
    "c++ disabled": ("app_test.cc", CPP, "App, Adds", "App, DISABLED_Adds"),
    "c++ skip": ("app_test.cc", CPP, "  EXPECT", "  GTEST_SKIP() << 1;\n  EXPECT"),
    "c++ #if": ("app_test.cc", CPP, CPP, f"#if 0\n{CPP}#endif\n"),
    "dart skip": ("app_test.dart", DART, "3);\n  });", "3);\n  }, skip: true);"),
    "py no parameters by a slice": (
        "test_a.py",
        PY,
        "def test_zero()",
        "@pytest.mark.parametrize('x', CASES[:0])\ndef test_zero(x)",
    ),
    "py load_tests": (
        "test_a.py",
        UNIT,
        "import unittest\n",
        "import unittest\n\n\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n",
    ),
    "js each of none": ("a.test.ts", JS, "test('zero'", "test.each([])('zero'"),
    "js no body": ("a.test.ts", JS, ZERO_JS, "test('zero')\n"),
    "ruby no body": ("app_spec.rb", RUBY, "'adds' do\n    expect(add(1, 2)).to eq 3\n  end\n", "'adds'\n"),
    "java abstract": ("AppTest.java", JAVA, "class AppTest", "abstract class AppTest"),
    "rust feature": ("a.rs", RUST, "#[cfg(test)]", '#[cfg(all(test, feature = "slow"))]'),
    "a new test that is skipped": (
        "test_a.py",
        PY,
        "== 0\n",
        "== 0\n\n\n@pytest.mark.skip\ndef test_more():\n    pass\n",
    ),
}
ON = {
    "py a new test": ("test_a.py", PY, "== 0\n", "== 0\n\n\ndef test_more():\n    assert add(1, 1) == 2\n"),
    "py another name": ("test_a.py", PY, "def test_zero", "def test_of_zero"),
    "py parameters": ("test_a.py", PY, "def test_zero()", "@pytest.mark.parametrize('x', [0, 1])\ndef test_zero(x)"),
    "py a new test here only": (
        "test_a.py",
        PY,
        "== 0\n",
        "== 0\n\n\n@pytest.mark.skipif(sys.platform == 'win32', reason='x')\ndef test_more():\n    pass\n",
    ),
    "py a new test that asks": (
        "test_a.py",
        PY,
        "== 0\n",
        "== 0\n\n\ndef test_more():\n    if not LINUX:\n        pytest.skip('x')\n    assert add(1, 1)\n",
    ),
    "py a new import": (
        "test_a.py",
        PY,
        "import pytest\n",
        "import pytest\n\nif TYPE_CHECKING:\n    from app import A\n",
    ),
    "py a helper": ("test_a.py", PY, "def test_add", "def helper():\n    return None\n\n\ndef test_add"),
    "py an inner function": ("test_a.py", PY, IN_PY, f"    def one():\n        return\n        x = 1\n\n{IN_PY}"),
    "py a last return": ("test_a.py", PY, "== 0\n", "== 0\n    return\n"),
    "py a new class": (
        "test_a.py",
        PY,
        ZERO_PY,
        "class TestZero:\n    def test_zero(self):\n        assert add(0, 0) == 0\n",
    ),
    "py a mixin": (
        "test_a.py",
        CLASS,
        CLASS,
        f"{CLASS.replace('TestApp', 'Checks')}\n\nclass TestB(Checks):\n    pass\n",
    ),
    "py async with a mark": ("test_a.py", PY, "def test_zero", "@pytest.mark.asyncio\nasync def test_zero"),
    "py async in a case of its kind": (
        "test_a.py",
        UNIT,
        UNIT[UNIT.index("class") :],
        UNIT[UNIT.index("class") :]
        .replace("unittest.TestCase", "unittest.IsolatedAsyncioTestCase")
        .replace("def test", "async def test"),
    ),
    "py a fixture": ("test_a.py", PY, "def test_add", "@pytest.fixture\ndef db():\n    yield 1\n\n\ndef test_add"),
    "py a text": ("test_a.py", PY, "== 0\n", '== 0\n\n\nTEXT = """\n@pytest.mark.skip\ndef test_b():\n    pass\n"""\n'),
    "py a loop": ("test_a.py", PY, IN_PY, f"    for x in (1, 2):\n        if not x:\n            continue\n{IN_PY}"),
    "py a skip goes": (
        "test_a.py",
        PY.replace("def test_zero", "@pytest.mark.skip\ndef test_zero"),
        "@pytest.mark.skip\n",
        "",
    ),
    "py another reason": (
        "test_a.py",
        PY.replace("def test_zero", "@pytest.mark.skip('a')\ndef test_zero"),
        "'a'",
        "'b'",
    ),
    "js a new test": ("a.test.ts", JS, "test('zero'", "test('one', () => {\n  assert.ok(1)\n})\n\ntest('zero'"),
    "js a promise": (
        "a.test.ts",
        JS,
        "  assert.equal(add(0, 0), 0)",
        "  return load().then((x) => assert.equal(x, 0))",
    ),
    "js a return within": ("a.test.ts", JS, IN_JS, f"  const f = () => {{\n    return\n    x()\n  }}\n{IN_JS}"),
    "js async": ("a.test.ts", JS, "(t) => {\n", "async (t) => {\n  await setup()\n"),
    "js describe": (
        "a.test.ts",
        JS,
        ZERO_JS,
        "describe('more', () => {\n  test('zero', () => {\n    assert.equal(add(0, 0), 0)\n  })\n})\n",
    ),
    "js each": ("a.test.ts", JS, "test('zero', (t)", "test.each([1, 2])('zero', (t)"),
    "js a helper": (
        "a.test.ts",
        JS,
        "test('adds'",
        "function cases() {\n  test('more', () => {})\n}\ncases()\n\ntest('adds'",
    ),
    "js shared": ("a.test.ts", JS, ZERO_JS, f"const shared = (x) => {{\n{ZERO_JS}}}\nshared(1)\n"),
    "js a comment": ("a.test.ts", JS, "test('adds'", "/**\n * test('adds', …) asks the sum.\n */\ntest('adds'"),
    "js a word": ("a.test.ts", JS, "add(0, 0), 0", "parse({ skip: true }), 0"),
    "js a new test here only": ("a.test.ts", JS, "test('zero'", "test.skipIf(win)('more', () => {})\n\ntest('zero'"),
    "go a new test": (
        "a_test.go",
        GO,
        "func TestZero",
        "func TestMore(t *testing.T) {\n\tcheck(t, 1, 1)\n}\n\nfunc TestZero",
    ),
    "go a new test that asks": (
        "a_test.go",
        GO,
        "func TestZero",
        "func TestMore(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\tx()\n}\n\nfunc TestZero",
    ),
    "go a check": ("a_test.go", GO, IN_GO, f"\tif err != nil {{\n\t\tt.Fatal(err)\n\t\treturn\n\t}}\n{IN_GO}"),
    "go another name": ("a_test.go", GO, "func TestZero", "func TestOfZero"),
    "rust a new test": ("a.rs", RUST, "    #[test]\n    fn zero", MORE_RUST),
    "rust source": (
        "a.rs",
        "fn add() -> i32 {\n    x();\n    1\n}\n",
        "    x();\n",
        "    if a { return 0; }\n    x();\n",
    ),
    "java a new test": ("AppTest.java", JAVA, "    @Test\n    void zero", MORE_JAVA),
    "java a new test here only": (
        "AppTest.java",
        JAVA,
        "    @Test\n    void zero",
        MORE_JAVA.replace("    void one", "    @EnabledOnOs(LINUX)\n    void one"),
    ),
    "java public": ("AppTest.java", JAVA, "void zero", "public void zero"),
    "java a name": ("AppTest.java", JAVA, "@Test\n    void zero", '@Test\n    @DisplayName("skip")\n    void zero'),
    "java more": (
        "AppTest.java",
        JAVA,
        "@Test\n    void zero()",
        "@ParameterizedTest\n    @ValueSource(ints = 1)\n    void zero(int x)",
    ),
    "ruby a new test": (
        "app_spec.rb",
        RUBY,
        "  it 'adds'",
        "  it 'skips blanks' do\n    skipped\n  end\n\n  it 'adds'",
    ),
    "elixir another tag": ("app_test.exs", ELIXIR, "  test", "  @tag skip: false\n  test"),
    "swift another": ("AppTests.swift", SWIFT, "func testAdds", "func testAddsTwo"),
    "c++ #if": ("app_test.cc", CPP, CPP, f"#if 1\n{CPP}#endif\n"),
}


def told(
    name: str, before: str, old: str, new: str, files: dict[str, str] | None = None, whole: bool = False
) -> object:
    filesystem = Virtual()
    path = f"tests/{name}"
    for file, text in {path: before, **(files or {})}.items():
        filesystem.write(filesystem.resolve(file, "/workspace"), text.encode())
    assert old in before
    args: dict[str, object] = {"file_path": path, "old_string": old, "new_string": new}
    if whole:
        args = {"file_path": path, "content": before.replace(old, new, 1)}
    tool = {"name": "T", "kind": "write" if whole else "edit", "args": args}
    event = Event.from_dict({"hook": "before_tool", "session": "s", "cwd": "/workspace", "tool": tool})
    return switched_off_by(event, filesystem)


@pytest.mark.parametrize("whole", [False, True], ids=["edited", "written"])
@pytest.mark.parametrize("what", OFF)
def test_what_keeps_a_test_from_running_is_told(what: str, whole: bool) -> None:
    assert told(*OFF[what], whole=whole) is not ABSENT


@pytest.mark.parametrize("whole", [False, True], ids=["edited", "written"])
@pytest.mark.parametrize("what", ON)
def test_what_leaves_tests_running_is_not(what: str, whole: bool) -> None:
    assert told(*ON[what], whole=whole) is ABSENT


def test_a_plugin_runs_tests_that_are_asynchronous() -> None:
    assert told(*OFF["py async"], files=AUTO) is ABSENT
    assert told(*OFF["py async in a case"], files=AUTO) is not ABSENT


def test_a_large_file_is_read_and_a_part_of_an_unknown_one_too() -> None:
    many = PY + "".join(f"\n\ndef test_{number}():\n    assert add({number}, 1) == 1\n" for number in range(4_000))
    assert told("test_a.py", many, "def test_3999", "async def test_3999") is not ABSENT
    assert told("test_a.py", many, "add(7, 1)", "add(8, 1)") is ABSENT
    patch = "*** Begin Patch\n*** Update File: tests/test_b.py\n@@\n-def test_a():\n+async def test_a():\n*** End Patch"
    tool = {"name": "apply_patch", "kind": "edit", "args": {"patch": patch}}
    event = Event.from_dict({"hook": "before_tool", "session": "s", "cwd": "/workspace", "tool": tool})
    assert switched_off_by(event, Virtual()) == "async def test_a():"


def test_a_line_too_long_to_be_read_may_switch_a_test_off() -> None:
    assert told("a.test.js", JS, "'zero', (t)", f"'zero', /*{'x' * 2_000}*/ {{ skip: true }}, (t)") is not ABSENT
    assert told("a.test.js", JS, "add(0, 0)", f"add('{'x' * 2_000}', 0)") is ABSENT
