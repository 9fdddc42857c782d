"""Tests that were there and assert nothing any more, or what always holds, and tests that assert otherwise."""

from __future__ import annotations

import textwrap

import pytest

from tests.unit.test_runs.test_swallowed import lost

BEFORE = "def test_a():\n    assert add(2, 3) == 5\n"
EMPTIED = {
    "pass": "pass\n",
    "a text": '"""It adds."""\n',
    "a return before it": "return\nassert add(2, 3) == 5\n",
    "only called": "add(2, 3)\n",
    "shown": "print(add(2, 3))\n",
    "a condition that never holds": "if False:\n    assert add(2, 3) == 5\n",
    "a helper that asserts nothing": "nothing(add(2, 3))\n",
    "a function that nothing calls": "def check():\n    assert add(2, 3) == 5\n",
    "a lambda": "lambda: add(2, 3) == 5\n",
    "a value that is called expected": "expected = 5\nadd(2, 3)\nadd(2, 3) == expected\n",
    "a constant that is called expected": "add(2, 3) == EXPECTED\n",
    "or true": "assert add(2, 3) == 5 or True\n",
    "true or": "assert True or add(2, 3) == 5\n",
    "one": "assert 1\n",
    "equal literals": "assert 1 == 1\n",
    "a tuple": "assert (add(2, 3) == 5, 'no')\n",
    "a method": "self.assertTrue(True)\n",
}
ASSERTS = {
    "another value": "assert add(2, 3) == 6\n",
    "in a helper": "check_sum(2, 3, 5)\n",
    "in what it calls": "compare(add(2, 3), 5)\n",
    "what must raise": "with pytest.raises(TypeError):\n    add(2, 'a')\n",
    "in a loop": "for a, b in CASES:\n    assert add(a, b)\n",
    "a method": "self.assertEqual(add(2, 3), 5)\n",
    "raised": "if add(2, 3) != 5:\n    raise ValueError\n",
    "determined": "assert add(2, 3) == add(2, 3)\n",
    "in a function of its own": "def check(a):\n    assert add(a, 3) == 5\ncheck(2)\n",
    "in a function that is handed on": "def check(a):\n    assert add(a, 3)\nfor one in map(check, [1]):\n    pass\n",
    "or something": "assert add(2, 3) == 5 or sys.platform == 'win32'\n",
}
HELPERS = "\n\ndef nothing(value):\n    return value\n\n\ndef compare(a, b):\n    assert a == b\n"


def python(body: str) -> str:
    return f"def test_a():\n{textwrap.indent(body, '    ')}{HELPERS}"


@pytest.mark.parametrize("body", EMPTIED.values(), ids=EMPTIED)
def test_a_test_that_asserts_nothing_any_more_is_lost(body: str) -> None:
    assert [line.partition(",")[0] for line in lost("tests/test_a.py", BEFORE + HELPERS, python(body))] == ["test_a"]


@pytest.mark.parametrize("body", ASSERTS.values(), ids=ASSERTS)
def test_a_test_that_asserts_otherwise_is_not(body: str) -> None:
    assert lost("tests/test_a.py", BEFORE + HELPERS, python(body)) == []


def test_one_of_two_assertions_that_always_holds() -> None:
    before = "def test_a():\n    assert add(2, 3) == 5\n    assert add(0, 0) == 0\n"
    after = before.replace("== 5", "== 5 or True")
    assert lost("tests/test_a.py", before, after) == ["test_a, which asserts what always holds"]
    assert lost("tests/test_a.py", before, before.replace("    assert add(0, 0) == 0\n", "")) == []


def test_a_test_that_asserted_nothing_may_go_on_so() -> None:
    assert lost("tests/test_a.py", "def test_a():\n    add(2, 3)\n", "def test_a():\n    add(3, 3)\n") == []


OTHERS = {
    "a.test.js": ("test('adds', () => {{\n  {}\n}});\n", "expect(add(2, 3)).toBe(5);", (
        "", "add(2, 3);", "expect(true).toBe(true);", "expect(add(2, 3) === 5 || true).toBe(true);", "// expect(1)",
    ), ("expect(add(2, 3)).toEqual(5);", "checkSum(2, 3);", "await expectSum();", "assert.equal(add(2, 3), 5);")),
    "a_test.go": ("func TestAdds(t *testing.T) {{\n\t{}\n}}\n", "if add(2, 3) != 5 {\n\t\tt.Fatal(1)\n\t}", (
        "", "add(2, 3)", "_ = add(2, 3)",
    ), ("require.Equal(t, 5, add(2, 3))", "check(t, 2, 3)", "t.Run(\"a\", func(t *testing.T) { compare(t) })")),
    "src/ATest.java": ("class ATest {{\n  @Test\n  void adds() {{\n    {}\n  }}\n}}\n", "assertEquals(5, add(2, 3));", (
        "", "add(2, 3);", "assertTrue(true);", "assertEquals(1, 1);",
    ), ("assertThat(add(2, 3)).isEqualTo(5);", "verifySum(2, 3);", "assertEquals(6, add(2, 3));")),
    "test/a_test.rb": ("class A < Test\n  def test_adds\n    {}\n  end\nend\n", "assert_equal 5, add(2, 3)", (
        "", "add(2, 3)", "assert true",
    ), ("refute_nil add(2, 3)", "check_sum(2, 3)", "assert_equal 6, add(2, 3)")),
    "tests/a.rs": ("#[test]\nfn adds() {{\n    {}\n}}\n", "assert_eq!(add(2, 3), 5);", (
        "", "add(2, 3);", "assert!(true);", "assert_eq!(1, 1);",
    ), ("assert!(add(2, 3) == 5);", "check(2, 3);", "add(2, 3).expect(\"a\");")),
}  # fmt: skip


@pytest.mark.parametrize("path", OTHERS)
def test_tests_of_other_languages(path: str) -> None:
    form, asserted, emptied, asserts = OTHERS[path]
    before = form.format(asserted)
    assert [body for body in emptied if not lost(path, before, form.format(body))] == []
    assert [body for body in (asserted, *asserts) if lost(path, before, form.format(body))] == []
