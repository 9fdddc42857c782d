"""Which tests run which lines: every test once, with coverage → the tests that could notice a mutant, quickest first.

Lines are known by their text, so that the map outlives most changes of the code. A line at the top of a module runs
before any test: the tests of the lines that use what it defines could notice its mutants.

The tests that start the hook as a process are not seen by coverage; they stand behind the others for what such a
process runs.
"""

from __future__ import annotations

import ast
import json
import re
import time
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import coverage
import pytest

from tools.mutation.mutants import ROOT, Mutant, files

TESTS = ("tests/unit/checker", "tests/unit/compiler", "tests/unit/evaluators", "tests/unit/runtime",
         "tests/unit/loading", "tests/unit/hook_process", "tests/unit/hosts", "tests/unit/testing",
         "tests/unit/lints", "tests/unit/adapters", "tests/unit/predicates",
         "tests/unit/history", "tests/unit/reports", "tests/unit/commands", "tests/docs", "tests/properties",
         "tests/fuzz", "tests/faults", "tests/end_to_end")  # fmt: skip
BUDGET = 20.0  # seconds of tests, measured under coverage, that a mutant is given the first time
PATIENT = 60.0  # and when it is tried again
FEW, MANY = 3, 60  # files and tests that are tried first
_PROCESS = ("policy_engine/hook.py", "policy_engine/hook_process/hook_entry.py",
            "policy_engine/hook_process/response_writer.py", "policy_engine/hook_process/native.py",
            "policy_engine/runtime/engine.py")  # fmt: skip
_STARTS = "tests/end_to_end/test_hook"


def _decision_path() -> set[str]:
    return {str(path.relative_to(ROOT)) for path in files()}


class Watching:
    """A plugin of pytest: each test is a context of its own, and its time is taken."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self.measured = measured
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:  # it says nothing about a mutant
            self.failed.add(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self.measured.switch_context(item.nodeid)
        began = time.monotonic()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = round(time.monotonic() - began, 3)
            self.measured.switch_context("")


def measure(file: Path) -> int:
    """Run the tests and write what was learnt; returns the exit status of pytest."""
    measured = coverage.Coverage(data_file=None, include=[str(ROOT / "policy_engine/*")], config_file=False)
    measured.start()
    watching = Watching(measured)
    folders = [folder for folder in TESTS if (ROOT / folder).exists()]
    wanted = _decision_path()
    status = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *folders], [watching])
    measured.stop()
    data = measured.get_data()
    lines: dict[str, dict[str, list[str]]] = {}
    for name in data.measured_files():
        path = str(Path(name).relative_to(ROOT))
        texts = Path(name).read_text("utf-8").splitlines()
        of_file: dict[str, set[str]] = defaultdict(set)
        for line, tests in data.contexts_by_lineno(name).items():
            of_file[texts[line - 1].strip()].update(test for test in tests if test and test not in watching.failed)
        if path in wanted:
            lines[path] = {text: sorted(found) for text, found in of_file.items()}
    file.write_text(json.dumps({"seconds": watching.seconds, "lines": lines}), "utf-8")
    return int(status)


class Selection:
    """What `measure` learnt."""

    def __init__(self, file: Path) -> None:
        found = json.loads(file.read_text("utf-8"))
        self.seconds: dict[str, float] = found["seconds"]
        self.lines: dict[str, dict[str, list[str]]] = found["lines"]
        self.kept = frozenset(self.seconds)
        self.processes = sorted(
            (test for test in self.seconds if test.startswith(_STARTS)), key=self.seconds.__getitem__
        )

    def first(self, tests: list[str]) -> list[str]:
        """Those of a few files, which are quickly imported; most mutants end there."""
        files = Counter(test.partition("::")[0] for test in tests)
        chosen = {file for file, _ in files.most_common(FEW)}
        return [test for test in tests if test.partition("::")[0] in chosen][:MANY]

    def keep(self, tests: list[str]) -> None:
        """Forget the other tests."""
        self.kept = frozenset(tests)

    def tests(self, mutant: Mutant, budget: float = BUDGET) -> list[str]:
        """The tests for a mutant, quickest first, as many as fit into the budget."""
        of_file = self.lines.get(mutant.file, {})
        found = set(of_file.get(mutant.text, ())) or self._users(mutant)
        if not found:  # a line that runs at import, or that only a process runs
            found = {test for tests in of_file.values() for test in tests}
        order = sorted(found, key=lambda test: (self.seconds[test], test))
        if mutant.file in _PROCESS:
            order = [*[test for test in order if not test.startswith(_STARTS)], *self.processes]
        chosen, total = [], 0.0
        for test in order:
            if test not in self.kept:
                continue
            total += self.seconds[test]
            if chosen and total > budget:
                break
            chosen.append(test)
        return chosen

    def _users(self, mutant: Mutant) -> set[str]:
        """The tests that run lines with a name that the mutant's line helps to define; `_name` is of its own file."""
        names = _names(mutant.file, mutant.line)
        named = re.compile(rf"\b(?:{'|'.join(names)})\b")
        private = all(name.startswith("_") for name in names)
        places = [self.lines.get(mutant.file, {})] if private else [*self.lines.values()]
        lines = [line for of_file in places for line in of_file.items()] if names else []
        return {test for text, tests in lines if named.search(text) for test in tests}


@cache
def _body(file: str) -> list[ast.stmt]:
    return ast.parse((ROOT / file).read_text("utf-8")).body


def _names(file: str, line: int) -> list[str]:
    """What the statement at the top of a module gives names to; nothing for a line within a function or class."""
    for statement in _body(file):
        if isinstance(statement, ast.Assign | ast.AnnAssign) and line in range(statement.lineno, _end(statement)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    return []


def _end(statement: ast.stmt) -> int:
    return (statement.end_lineno or statement.lineno) + 1
