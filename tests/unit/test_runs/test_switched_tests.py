"""Lines that switch off tests of before, always or where something holds, and such as came with their tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from policy_engine.test_runs.switches import changes_of, switched_off

PYTHON = (
    "from app import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\n"
    "def test_zero():\n    assert add(0, 0) == 0\n"
)
SCRIPT = (
    "describe('app', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3)\n  })\n"
    "  it('zero', () => {\n    expect(add(0, 0)).toBe(0)\n  })\n})\n"
)
GO = (
    "package app\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal()\n\t}\n}\n\n"
    "func TestZero(t *testing.T) {\n\tt.Log()\n}\n"
)
RUST = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert!(true);\n    }\n}\n"
PHP = "<?php\nclass ATest {\n    public function testAdds(): void\n    {\n        x();\n    }\n}\n"
NET = "public class A {\n    [Test]\n    public void Adds() { X(); }\n}\n"
JAVA = "class AppTest {\n    @Test\n    void adds() {\n        x();\n    }\n}\n"
ALWAYS = {
    "java qualified": ("AppTest.java", JAVA, JAVA.replace("@Test\n", "@Test\n    @org.junit.jupiter.api.Disabled\n")),
    "net qualified": ("ATests.cs", NET, NET.replace("[Test]\n", '[Test]\n    [NUnit.Framework.Ignore("x")]\n')),
    "py skip": ("a.py", PYTHON, PYTHON.replace("def test_zero", "@pytest.mark.skip\ndef test_zero")),
    "py pytestmark": ("a.py", PYTHON, PYTHON.replace("add\n", "add\npytestmark = pytest.mark.skip\n", 1)),
    "py del": ("a.py", PYTHON, PYTHON + "\n\ndel test_zero\n"),
    "py __test__": ("a.py", PYTHON, PYTHON + "\n\ntest_zero.__test__ = False\n"),
    "py empty param": (
        "a.py",
        PYTHON,
        PYTHON.replace("def test_zero()", "@pytest.mark.parametrize('x', [])\ndef test_zero(x)"),
    ),
    "py empty param lines": (
        "a.py",
        PYTHON,
        PYTHON.replace("def test_zero()", "@pytest.mark.parametrize(\n    'x',\n    [],\n)\ndef test_zero(x)"),
    ),
    "py in test": ("a.py", PYTHON, PYTHON.replace("    assert add(0", "    pytest.skip('x')\n    assert add(0")),
    "py xfail strict": (
        "a.py",
        PYTHON,
        PYTHON.replace("def test_zero", "@pytest.mark.xfail(\n    reason='x', strict=True)\ndef test_zero"),
    ),
    "js skip": ("a.test.ts", SCRIPT, SCRIPT.replace("it('zero'", "it.skip('zero'")),
    "js xit": ("a.test.ts", SCRIPT, SCRIPT.replace("it('zero'", "xit('zero'")),
    "js only": ("a.test.ts", SCRIPT, SCRIPT.replace("it('zero'", "it.only('zero'")),
    "js describe.skip": ("a.test.ts", SCRIPT, SCRIPT.replace("describe('app'", "describe.skip('app'")),
    "node skip": ("a.test.js", SCRIPT, SCRIPT.replace("it('zero', ", "it('zero', { skip: true }, ")),
    "node t.skip": (
        "a.test.js",
        SCRIPT,
        SCRIPT.replace("it('zero', () => {", "it('zero', (t) => {\n    t.skip('later')"),
    ),
    "go skip": ("a_test.go", GO, GO.replace("\tt.Log()", '\tt.Skip("x")\n\tt.Log()')),
    "rust ignore": ("a_test.rs", RUST, RUST.replace("#[test]", "#[test]\n    #[ignore]")),
    "java disabled": ("AppTest.java", JAVA, JAVA.replace("@Test\n", "@Test\n    @Disabled\n")),
    "unittest cls": (
        "a.py",
        "class T(TestCase):\n    def test_a(self):\n        pass\n",
        "@unittest.skip('x')\nclass T(TestCase):\n    def test_a(self):\n        pass\n",
    ),
}
SOMETIMES = {
    **{
        f"java {one}": ("AppTest.java", JAVA, JAVA.replace("@Test\n", f"@Test\n    @{one}\n"))
        for one in (
            "org.junit.jupiter.api.condition.EnabledOnOs(OS.WINDOWS)",
            "EnabledForJreRange(max = JRE.JAVA_8)",
            "DisabledInNativeImage()",
            'EnabledIfSystemProperty(named = "a", matches = "b")',
            "DisableIfTestFails()",
            "Testcontainers(disabledWithoutDocker = true)",
            "SdkSuppress(minSdkVersion = 99)",
            "spock.lang.IgnoreIf({ true })",
        )
    },
    **{
        f"php {one}": ("ATest.php", PHP, PHP.replace("    public f", f"    #[{one}]\n    public f"))
        for one in (
            "\\PHPUnit\\Framework\\Attributes\\RequiresOperatingSystemFamily('Windows')",
            "RequiresPhp('< 5')",
            "Attributes\\RequiresPhpExtension('none')",
            "Small, RequiresSetting('a', 'b')",
        )
    },
    **{
        f"net {one}": ("ATests.cs", NET, NET.replace("[Test]\n", f"[Test]\n    [{one}]\n"))
        for one in (
            'NUnit.Framework.Platform("Win")',
            "OSCondition(OperatingSystems.OSX)",
            "RunOn(OS.Windows)",
        )
    },
    "py fixture some": (
        "a.py",
        PYTHON,
        PYTHON.replace(
            "\n\ndef test_z", "@pytest.fixture(autouse=True)\ndef s():\n    pytest.skip('x')\n\n\ndef test_z"
        ),
    ),
    "py importorskip some": ("a.py", PYTHON, "import pytest\npytest.importorskip('nothing')\n" + PYTHON),
    "skipif": (
        "a.py",
        PYTHON,
        PYTHON.replace("def test_zero", "@pytest.mark.skipif(sys.platform == 'win32', reason='x')\ndef test_zero"),
    ),
    "if skip": (
        "a.py",
        PYTHON,
        PYTHON.replace("    assert add(0", "    if X:\n        pytest.skip('x')\n    assert add(0"),
    ),
    "param skip row": (
        "a.py",
        PYTHON,
        PYTHON.replace(
            "def test_zero()",
            "@pytest.mark.parametrize('x', [1, pytest.param(2, marks=pytest.mark.skip)])\ndef test_zero(x)",
        ),
    ),
    "js cond": ("a.test.ts", SCRIPT, SCRIPT.replace("it('zero'", "(win ? it.skip : it)('zero'")),
    "js runIf": ("a.test.ts", SCRIPT, SCRIPT.replace("it('zero'", "it.skipIf(win)('zero'")),
    "go short": ("a_test.go", GO, GO.replace("\tt.Log()", '\tif testing.Short() {\n\t\tt.Skip("x")\n\t}\n\tt.Log()')),
    "rust cfg": ("a_test.rs", RUST, RUST.replace("#[test]", "#[test]\n    #[cfg_attr(windows, ignore)]")),
}
NONE = {
    "new": ("a.py", PYTHON, PYTHON + "\n\n@pytest.mark.skip\ndef test_l():\n    pass\n"),
    "string": (
        "a.py",
        PYTHON,
        PYTHON + '\n\ndef test_l():\n    a = """\n@pytest.mark.skip\n"""\n    b = "pytest.skip(1)"\n',
    ),
    "js new skip": (
        "a.test.ts",
        SCRIPT,
        SCRIPT.replace("  it('zero'", "  it.skip('later', () => {\n    x()\n  })\n  it('zero'"),
    ),
    "js new todo": ("a.test.ts", SCRIPT, SCRIPT.replace("  it('zero'", "  it.todo('later')\n  it('zero'")),
    "js new long": (
        "a.test.ts",
        SCRIPT,
        SCRIPT.replace("  it('zero'", "  it.skip(\n    'later',\n    () => {\n    x()\n  })\n  it('zero'"),
    ),
    "js new describe": ("a.test.ts", SCRIPT, SCRIPT + "\ndescribe.skip('more', () => {\n  it('x', () => {})\n})\n"),
    "js in new describe": ("a.test.ts", SCRIPT, SCRIPT + "\ndescribe('more', () => {\n  it.skip('x', () => {})\n})\n"),
    "go new": ("a_test.go", GO, GO + "\nfunc TestNew(t *testing.PYTHON) {\n\tt.Skip()\n}\n"),
    "go subtest": (
        "a_test.go",
        GO,
        GO.replace("\tt.Log()", '\tt.Log()\n\tt.Run("sub", func(t *testing.PYTHON) {\n\t\tt.Skip()\n\t})'),
    ),
    "rust new": (
        "a_test.rs",
        RUST,
        RUST.replace(
            "    }\n}\n",
            '    }\n\n    #[test]\n    #[ignore = "slow"]\n    fn more() {\n        assert!(true);\n    }\n}\n',
        ),
    ),
    "java new": (
        "AppTest.java",
        JAVA,
        JAVA.replace(
            "    }\n}\n", '    }\n\n    @Disabled("x")\n    @Test\n    void more() {\n        x();\n    }\n}\n'
        ),
    ),
    "go moved cond gone": (
        "a_test.go",
        GO.replace("\tt.Log()", '\tt.Skip("a")\n\tt.Log()'),
        GO.replace("\tt.Log()", '\tt.Skip("b")\n\tt.Log()'),
    ),
}


def found(folder: Path, name: str, before: str, after: str) -> list[bool]:
    """Whether each line found switches off always."""
    (folder / "b").mkdir()
    (folder / "a").write_text(before)
    (folder / "b" / name).write_text(after)
    told = subprocess.run(
        ["git", "diff", "--no-index", "-U0", "a", f"b/{name}"], cwd=folder, check=False, capture_output=True, text=True
    )
    difference = told.stdout.replace(f"b/b/{name}", f"b/{name}")
    off, _ = switched_off(changes_of(difference, f"{folder}/b"), lambda path: Path(path).read_text())
    return [one.always for one in off]


@pytest.mark.parametrize("what", ALWAYS)
def test_lines_that_switch_off_tests_of_before_are_found(tmp_path: Path, what: str) -> None:
    assert found(tmp_path, *ALWAYS[what]) == [True]


@pytest.mark.parametrize("what", SOMETIMES)
def test_lines_that_switch_off_where_something_holds_are_told_apart(tmp_path: Path, what: str) -> None:
    assert found(tmp_path, *SOMETIMES[what]) == [False]


@pytest.mark.parametrize("what", NONE)
def test_lines_that_came_with_their_tests_or_are_texts_are_none(tmp_path: Path, what: str) -> None:
    assert found(tmp_path, *NONE[what]) == []
