"""Find tests that asserted something before, and that now assert nothing, or what always holds.

A test that calls what it did not call before may assert there, and is left alone. Not on the hook path: it is imported
when an edit touches a file of tests, or when a run of tests passed.
"""

from __future__ import annotations

import builtins
import re
from typing import Any, NamedTuple

from policy_engine.test_runs.dynamic_names import dotted
from policy_engine.test_runs.python_tree import below, children_of
from policy_engine.test_runs.stand_ins import asserts, asserts_in_test, python_asserts
from policy_engine.test_runs.swallowed import is_assertion
from policy_engine.test_runs.switch_words import language_of
from policy_engine.test_runs.switches import COMMENT, TEXT, Switch, cut, names_of_tests, tests_by_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FUNCTIONS = ("FunctionDef", "AsyncFunctionDef")
_LEAVES = ("Return", "Raise", "Continue", "Break")
_BUILT_IN = frozenset(dir(builtins))
_NOTHING, _ALWAYS = "which asserts nothing any more", "which asserts what always holds"


# ---- Python ----------------------------------------------------------------------------------------------------------


def emptied_in_python(path: str, before: Any, after: Any) -> Iterator[Switch]:
    """Yield the tests of before that assert nothing now, or what always holds in the place of something."""
    old, new = dict(_tests(before)), dict(_tests(after))
    helpers = {one.name: one for one in below(after) if type(one).__name__ in _FUNCTIONS}
    for name, test in new.items():
        if name not in old or not (had := [one for one in _assertions(old[name]) if not always_holds(one)]):
            continue
        now = [always_holds(one) for one in _assertions(test)]
        if sum(now) > sum(map(always_holds, _assertions(old[name]))) and now.count(False) < len(had):
            yield Switch(path, test.name, f"{test.name}, {_ALWAYS}", True)
        elif False not in now and not asserts_in_test(list(_reached(test.body))):
            called = _called(test) - _called(old[name]) - _BUILT_IN
            if all(one in helpers and not python_asserts(helpers[one]) for one in called):
                yield Switch(path, test.name, f"{test.name}, {_NOTHING}", True)


def _tests(tree: Any, owner: str = "") -> Iterator[tuple[str, Any]]:
    for node in getattr(tree, "body", ()):
        kind = type(node).__name__
        if kind == "ClassDef":
            yield from _tests(node, f"{owner}{node.name}.")
        elif kind in _FUNCTIONS and node.name.startswith("test"):
            yield f"{owner}{node.name}", node


def _reached(body: list[Any]) -> Iterator[Any]:
    """Yield statements up to the one that leaves, those of blocks among them without what leaves these, and no function
    that nothing beside it names.
    """
    for node in body:
        kind = type(node).__name__
        if kind in _FUNCTIONS and not node.decorator_list:
            others = (part for one in body if one is not node for part in below(one))
            if all(getattr(part, "id", "") != node.name for part in others):
                continue
        if kind in ("If", "While") and getattr(node.test, "value", True) in (False, 0, None, ""):
            yield from _reached(node.orelse)
            continue
        blocks = [getattr(node, field) for field in ("body", "orelse", "finalbody") if getattr(node, field, None)]
        if blocks and kind not in (*_FUNCTIONS, "ClassDef"):
            yield from (part for part in children_of(node) if not any(part in block for block in blocks))
            for block in blocks:
                yield from _reached(block)
        else:
            yield node
        if kind in _LEAVES:
            return


def _assertions(test: Any) -> list[Any]:
    return [part for node in _reached(test.body) for part in below(node) if is_assertion(part)]


def always_holds(node: Any) -> bool:
    """Return whether an assertion of Python holds whatever is tested: `assert x or True`, `assertTrue(True)`."""
    if type(node).__name__ == "Assert":
        return _is_true(node.test)
    name = dotted(node.func).rpartition(".")[2]
    if name in ("assertTrue", "assert_", "ok_"):
        return bool(node.args) and _is_true(node.args[0])
    equal = name in ("assertEqual", "assertEquals", "assertIs", "eq_", "assert_equal")
    return equal and len(node.args) > 1 and _is_same(node.args[0], node.args[1])


def _is_true(node: Any) -> bool:
    kind = type(node).__name__
    if kind == "BoolOp":
        return (any if type(node.op).__name__ == "Or" else all)(map(_is_true, node.values))
    if kind == "UnaryOp" and type(node.op).__name__ == "Not":
        return type(node.operand).__name__ == "Constant" and not node.operand.value
    if kind == "Compare":
        sides, signs = [node.left, *node.comparators], {type(one).__name__ for one in node.ops}
        return signs <= {"Eq", "Is", "GtE", "LtE"} and all(map(_is_same, sides, sides[1:]))
    return (kind == "Constant" and bool(node.value)) or (kind == "Tuple" and bool(node.elts))


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two expressions are one literal; calls and names may differ from themselves."""
    literal = type(one).__name__ == "Constant" == type(other).__name__
    return literal and type(one.value) is type(other.value) and one.value == other.value


def _called(test: Any) -> set[str]:
    return {dotted(part.func) for node in test.body for part in below(node) if type(part).__name__ == "Call"}


# ---- other languages -------------------------------------------------------------------------------------------------

_LITERAL = r"(?:true|false|null|nil|True|\d+|\s)?"
_HOLDS = re.compile(
    rf"\|\|\s*true\b|\bexpect\(\s*({_LITERAL})\s*\)\s*\.\s*(?:to(?:Be|Equal|StrictEqual|Eq)?|to\s*\.?\s*(?:be|eq\w*|equal))\s*"
    rf"\(?\s*\1\s*\)|\bexpect\(\s*(?:true|1)\s*\)\s*\.\s*(?:toBeTruthy|toBeDefined|to\.be\.(?:true|ok))"
    rf"|\bassert(?:_?[Tt]rue|\.(?:ok|isTrue|True)|Ok|That)?!?\s*\(?\s*(?:true|1\s*==\s*1)\s*(?:[,)]|$)"
    rf"|\b(?:assert_?(?:eq\w*|Equals?|\.(?:strictE|deepE|e)qual|\.AreEqual)|(?:ASSERT|EXPECT)_EQ)!?\s*\(\s*(\d+|true)\s*,\s*\2\s*[,)]",
    re.MULTILINE,
)
_MORE = re.compile(
    r"\b(?:assert|refute|must|wont)_\w+|\bexpect\b|\bshould\b|\bXCT\w+\s*\(|\.(?:must|wont)_\w+"
    r"|\b\w+\(\s*(?:t|tb|s\.T\(\))\s*[,)]"  # what a test of Go hands itself to
)
_CALL = re.compile(r"(?<![\w$])([A-Za-z_$][\w$.]*[!?]?)\s*\(")
_NO_CALL = frozenset("if for while switch catch function fn func return test it describe async await match".split())


class _Test(NamedTuple):
    """Count the lines of a test that assert something, and what always holds, beside what it calls."""

    asserts: int = 0
    holds: int = 0
    calls: frozenset[str] = frozenset()


def emptied_in_text(path: str, then: str, now: str) -> Iterator[Switch]:
    """Yield the same of a file of another language."""
    if language_of(path) in ("", "python"):
        return
    old, new = _tests_in(then, path), _tests_in(now, path)
    for name, test in new.items():
        before = old.get(name, _Test())
        if not name or before.asserts <= test.asserts:
            continue
        if test.holds > before.holds:
            yield Switch(path, name, f"{name}, {_ALWAYS}", True)
        elif not test.asserts and not test.calls - before.calls:
            yield Switch(path, name, f"{name}, {_NOTHING}", True)


def _tests_in(text: str, path: str) -> dict[str, _Test]:
    """Return the tests of a text by name, those of one name together."""
    result = {name: _Test() for name in names_of_tests(text, path)}
    for line, name in zip(cut(text), tests_by_line(text, path), strict=True):
        plain = TEXT.sub("''", line)
        if not name or COMMENT.match(line):
            continue
        one = result.get(name, _Test())
        holds = bool(_HOLDS.search(line))
        sure = not holds and bool(asserts(plain) or _MORE.search(plain))
        calls = {found[1] for found in _CALL.finditer(plain)} - _NO_CALL
        result[name] = _Test(one.asserts + sure, one.holds + holds, one.calls | calls)
    return result
