"""Assertions of a test that was there whose failure goes no further, and handlers that drop nothing."""

from __future__ import annotations

import textwrap

import pytest

from policy_engine.test_runs.lost_tests import Texts, lost_in
from policy_engine.test_runs.outcome_changes import why_changes

PYTHON = "def test_a():\n    assert add(2, 3) == 5\n"


def lost(path: str, before: str, after: str) -> list[str]:
    return [one.line for one in lost_in(Texts(path, before, after, lambda _: ""))]


def python(body: str, more: str = "") -> str:
    return f"{more}def test_a():\n{textwrap.indent(body, '    ')}"


TRIED = "try:\n    assert add(2, 3) == 5\n"
SWALLOWED = {
    "its own": TRIED + "except AssertionError:\n    pass\n",
    "every": TRIED + "except:\n    pass\n",
    "an exception": TRIED + "except Exception as e:\n    print(e)\n",
    "one of two": TRIED + "except (AssertionError, TypeError):\n    return\n",
    "kept for nothing": TRIED + "except AssertionError as e:\n    failed = e\n",
    "suppressed": "with contextlib.suppress(AssertionError):\n    assert add(2, 3) == 5\n",
    "suppressed by a name": "with suppress(Exception):\n    check_sum(2, 3)\n",
    "a method": "try:\n    self.assertEqual(add(2, 3), 5)\nexcept self.failureException:\n    pass\n",
    "once": "for _ in range(1):\n    try:\n        assert add(2, 3) == 5\n    except AssertionError:\n        pass\n",
}
TOLD = {
    "another error": 'try:\n    add("a", 3)\nexcept TypeError:\n    pass\nassert add(2, 3) == 5\n',
    "what must raise": 'try:\n    add("a", 3)\n    assert False\nexcept TypeError:\n    pass\n',
    "no assertion": "try:\n    import numpy\nexcept Exception:\n    numpy = None\nassert add(2, 3) == 5\n",
    "raised again": TRIED + "except:\n    print(1)\n    raise\n",
    "raised otherwise": TRIED + "except AssertionError as e:\n    raise SystemExit from e\n",
    "failed": TRIED + "except AssertionError:\n    pytest.fail('x')\n",
    "at the end": TRIED + "finally:\n    print('x')\n",
    "collected": "bad = []\n" + TRIED + "except AssertionError as e:\n    bad.append(e)\nassert not bad\n",
    "noted": "ok = True\n" + TRIED + "except AssertionError:\n    ok = False\nif not ok:\n    raise E\n",
    "tried again": "for _ in range(9):\n"
    "    try:\n        assert add(2, 3) == 5\n        return\n    except AssertionError:\n"
    "        sleep(1)\nassert add(2, 3) == 5\n",
    "else": "for _ in range(9):\n    try:\n        assert add(2, 3) == 5\n        break\n    except AssertionError:\n"
    "        sleep(1)\nelse:\n    raise Slow\n",
    "another suppressed": "with suppress(FileNotFoundError):\n    os.unlink('x')\nassert add(2, 3) == 5\n",
}  # fmt: skip


def test_a_test_of_python_goes_on_after_a_failed_assertion() -> None:
    found = {what: lost("tests/test_a.py", PYTHON, python(body)) for what, body in SWALLOWED.items()}
    assert [what for what, lines in found.items() if "goes on when" not in str(lines)] == []


def test_handlers_of_python_that_tell_a_failure_or_catch_none() -> None:
    found = {what: lost("tests/test_a.py", PYTHON, python(body)) for what, body in TOLD.items()}
    assert {what: lines for what, lines in found.items() if lines} == {}


def test_what_a_test_of_python_calls() -> None:
    helper = "def check(x):\n    try:\n        assert x\n    except AssertionError:\n        pass\n\n\n"
    assert lost("tests/test_a.py", PYTHON, python("check(add(2, 3) == 5)\n", helper))
    assert lost("tests/test_a.py", PYTHON, helper + PYTHON) == []
    swallowed = python(SWALLOWED["its own"])
    assert lost("tests/test_a.py", swallowed, swallowed.replace("pass", "...")) == []
    assert lost("tests/test_a.py", PYTHON, PYTHON + swallowed.replace("test_a", "test_b")) == []


CASES = {
    "src/a.test.js": ("test('adds', async () => {\n  %s\n});\n", "expect(add(1)).toBe(2);"),
    "src/ATest.java": ("class ATest {\n  @Test\n  void adds() {\n    %s\n  }\n}\n", "assertEquals(2, add(1));"),
    "src/ATest.kt": ("class ATest {\n  @Test\n  fun adds() {\n    %s\n  }\n}\n", "assertEquals(2, add(1))"),
    "src/ATests.cs": ("class ATests {\n  [Fact]\n  public void Adds() {\n    %s\n  }\n}\n", "Assert.Equal(2, add(1));"),
    "tests/ATest.php": ("<?php\nclass ATest {\n  function testAdds() {\n    %s\n  }\n}\n", "$this->assertSame(2, $x);"),
    "tests/a.rs": ("#[test]\nfn adds() {\n    %s\n}\n", "assert_eq!(2, add(1));"),
    "test/a_test.rb": ("class ATest\n  def test_adds\n%s\n  end\nend\n", "    assert_equal 2, add(1)"),
}  # fmt: skip
DROPPED = {
    "src/a.test.js": ("try { expect(add(1)).toBe(2); } catch {}",
                      "try { expect(add(1)).toBe(2) } catch (e) { console.log(e) }",
                      "await expect(add(1)).resolves.toBe(2).catch(() => {});"),
    "src/ATest.java": ("try { assertEquals(2, add(1)); } catch (AssertionError e) { }",
                       "try { assertEquals(2, add(1)); } catch (Throwable e) { e.printStackTrace(); }"),
    "src/ATest.kt": ("try { assertEquals(2, add(1)) } catch (e: Throwable) { println(e) }",),
    "src/ATests.cs": ("try { Assert.Equal(2, add(1)); } catch { }",
                       "try { Assert.Equal(2, add(1)); } catch (Exception) { }"),
    "tests/ATest.php": ("try { $this->assertSame(2, $x); } catch (\\Throwable $e) { }",),
    "tests/a.rs": ("let _ = std::panic::catch_unwind(|| assert_eq!(2, add(1)));",
                   "std::panic::catch_unwind(|| { assert_eq!(2, add(1)); }).ok();",
                   "let _unused = panic::catch_unwind(AssertUnwindSafe(|| assert_eq!(2, add(1))));",
                   "let _ = std::thread::spawn(|| assert_eq!(2, add(1))).join();"),
    "test/a_test.rb": ("    begin\n      assert_equal 2, add(1)\n    rescue Exception\n    end",
                       "    assert_equal(2, add(1)) rescue nil"),
}  # fmt: skip
KEPT = {
    "src/a.test.js": ("try { add('a') } catch (e) { }\n  expect(add(1)).toBe(2);",
                      "try { expect(add(1)).toBe(2) } catch (e) { throw e }",
                      "try { expect(add(1)).toBe(2) } finally { close() }",
                      "try { await add(); expect.fail() } catch (e) { expect(e.code).toBe(1) }",
                      "for (let i = 0; i < 9; i++) { try { expect(add(1)).toBe(2); return } catch { await nap() } }\n"
                      "  throw new Error('late')",
                      "await add().catch(() => {});\n  expect(add(1)).toBe(2);"),
    "src/ATest.java": ("try { assertEquals(2, add(1)); } catch (IOException e) { }",
                       "try { add(null); fail(); } catch (NullPointerException e) { }",
                       "try { assertEquals(2, add(1)); } catch (AssertionError e) { throw e; }",
                       "try (var in = open()) { assertEquals(2, add(1)); }"),
    "src/ATest.kt": ("try { assertEquals(2, add(1)) } catch (e: IOException) { }",),
    "src/ATests.cs": ("try { Assert.Equal(2, add(1)); } catch (IOException) { }",),
    "tests/ATest.php": ("try { f(); $this->fail(); } catch (InvalidArgumentException $e) { }",),
    "tests/a.rs": ("let result = std::panic::catch_unwind(|| assert_eq!(2, add(1)));\n    assert!(result.is_err());",
                   "assert!(std::panic::catch_unwind(|| assert_eq!(2, add(1))).is_err());",
                   "std::panic::catch_unwind(|| assert_eq!(2, add(1))).unwrap();",
                   "let _ = std::panic::catch_unwind(|| parse(b\"x\"));",
                   "std::thread::spawn(|| { assert_eq!(2, add(1)); }).join().unwrap();"),
    "test/a_test.rb": ("    begin\n      add(nil)\n    rescue Exception\n    end\n    assert_equal 2, add(1)",
                       "    begin\n      assert_equal 2, add(1)\n    rescue ArgumentError\n    end",
                       "    begin\n      assert_equal 2, add(1)\n    rescue Exception\n      raise\n    end"),
}  # fmt: skip


@pytest.mark.parametrize("path", CASES)
def test_other_languages(path: str) -> None:
    text, plain = CASES[path]
    before = text % plain
    assert {body: len(lost(path, before, text % body)) for body in DROPPED[path]} == dict.fromkeys(DROPPED[path], 1)
    assert {body: lost(path, before, text % body) for body in KEPT[path]} == {body: [] for body in KEPT[path]}
    dropped = text % DROPPED[path][0]
    assert lost(path, dropped, dropped.replace("2", "3")) == []


@pytest.mark.parametrize(
    "line", ["del a.obj", "del collect_ignore", "for a.obj in ():\n    pass", "collect_ignore: list"]
)
def test_a_target_without_a_value_is_read(line: str) -> None:
    assert why_changes("tests/conftest.py", f"{line}\n") == ("python", "")
