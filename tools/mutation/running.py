"""Mutants and their tests → which are killed: in a copy of the repository, one forked process per mutant.

The parent has imported the libraries and nothing of the engine, so that a fork costs little and imports the mutant; as
the mutant also stands in the file, so does every process that a test starts. Home, cache and state are folders of the
copy.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

from tools.mutation.mutants import ROOT, Mutant

KILLED, SURVIVED, TIMEOUT, UNTESTED, NONE = "killed", "survived", "timeout", "untested", "none"
PATIENCE = 30.0  # seconds beside five times what the tests took
_LIBRARIES = ("pytest", "hypothesis", "lark", "click", "pydantic", "rich", "yaml", "watchdog.observers", "re2",
              "ahocorasick", "tree_sitter", "tree_sitter_bash", "jsonschema", "junitparser", "sqlite3")  # fmt: skip
_COPIED = ("policy_engine", "tests", "grammar", "rules", "docs", "examples", "bench", "tools", "pyproject.toml",
           "Makefile", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", ".importlinter")  # fmt: skip


class Workshop:
    """The copy in which mutants are tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scratch = folder / "scratch"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in _COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
            elif source.exists():
                shutil.copy2(source, folder / name)
        for library in _LIBRARIES:
            __import__(library)

    def tried(self, mutant: Mutant, tests: list[str], seconds: float) -> tuple[str, float]:
        """What became of a mutant, and in how many seconds."""
        began = time.monotonic()
        if not tests:
            return UNTESTED, 0.0
        source = mutant.source
        if not source:
            return NONE, 0.0
        file = self.folder / mutant.file
        kept = file.read_bytes()
        file.write_text(source, "utf-8")
        try:
            outcome = self._outcome(tests, PATIENCE + 5 * seconds)
        finally:
            file.write_bytes(kept)
            shutil.rmtree(self.scratch, ignore_errors=True)
        return outcome, round(time.monotonic() - began, 2)

    def _outcome(self, tests: list[str], patience: float) -> str:
        child = os.fork()
        if child == 0:
            os.setsid()
            self._run(tests)
        end = time.monotonic() + patience
        while time.monotonic() < end:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                _end_group(child)
                return SURVIVED if os.waitstatus_to_exitcode(status) == 0 else KILLED
            time.sleep(0.01)
        _end_group(child)
        os.waitpid(child, 0)
        return TIMEOUT

    def failing(self, tests: list[str]) -> list[str]:
        """Those of the tests that fail without a mutant, in the copy: they say nothing."""
        told = self.folder / "failing"
        told.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            os.setsid()
            self._run(tests, told)
        os.waitpid(child, 0)
        _end_group(child)
        shutil.rmtree(self.scratch, ignore_errors=True)
        return told.read_text("utf-8").split("\n")[:-1]

    def _run(self, tests: list[str], told: Path | None = None) -> None:
        """In the child: nothing is said, nothing is left behind, status 0 only if every test passes.

        With a file to be `told` the failing tests are written to it, and all are run.
        """
        try:
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            for name in ("HOME", "TMPDIR"):
                (self.scratch / name).mkdir(parents=True)
                os.environ[name] = str(self.scratch / name)
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
            os.chdir(self.folder)
            sys.dont_write_bytecode = True
            sys.path[:] = [str(self.folder), *(path for path in sys.path if path not in ("", str(ROOT)))]
            for name in [name for name in sys.modules if name.split(".")[0] in ("policy_engine", "tests", "tools")]:
                del sys.modules[name]
            import pytest

            options = ["-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=no", "--assert=plain"]
            if told is None:
                status = int(pytest.main(["-x", *options, *tests]))
            else:
                failed = _Failed()
                pytest.main([*options, *tests], [failed])
                told.write_text("".join(f"{test}\n" for test in sorted(failed.tests)), "utf-8")
                status = 0
        except BaseException:
            status = 3
        os._exit(status)


class _Failed:
    """A plugin of pytest that remembers what failed."""

    def __init__(self) -> None:
        self.tests: set[str] = set()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.tests.add(report.nodeid)


def _end_group(child: int) -> None:
    """End what a test of the child may have left running; the group is the child's own."""
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
