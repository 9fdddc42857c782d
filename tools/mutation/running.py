"""Mutants and their tests → which are killed: in a copy of the repository, one forked process per mutant.

The parent has imported the libraries and nothing of the engine, so that a fork costs little and imports the mutant; as
the mutant also stands in the file, so does every process that a test starts. Home, cache and state are folders of the
copy.
"""

from __future__ import annotations

import compileall
import gc
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any

from tools.mutation.mutants import ROOT, Mutant

KILLED, SURVIVED, TIMEOUT, UNTESTED, NONE = "killed", "survived", "timeout", "untested", "none"
PATIENCE = 30.0  # seconds beside five times what the tests took
_LIBRARIES = ("pytest", "hypothesis", "lark", "click", "pydantic", "rich", "yaml", "watchdog.observers", "re2",
              "ahocorasick", "jsonschema", "junitparser", "sqlite3")  # fmt: skip
_COPIED = ("policy_engine", "policy_engine_compat", "tests", "grammar", "rules", "docs", "examples", "bench", "tools",
           "pyproject.toml",
           "Makefile", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", ".importlinter")  # fmt: skip


class Workshop:
    """The copy in which mutants are tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scratch = folder / "scratch"
        self.told = folder / "failing"  # the tests that failed last
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in _COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
            elif source.exists():
                shutil.copy2(source, folder / name)
        # compiled once, and by content: a file that holds a mutant is compiled anew, and nothing of it is kept
        compileall.compile_dir(folder, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
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
            gc.freeze()  # what is here already is not looked at again, nor copied for it, in the child
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
                # a mutant with which the tests cannot even be imported is killed as well
                return SURVIVED if os.waitstatus_to_exitcode(status) in (0, 5) else KILLED
            time.sleep(0.01)
        _end_group(child)
        os.waitpid(child, 0)
        return TIMEOUT

    def passing(self, tests: list[str]) -> set[str]:
        """Those of the tests that there are, and that pass in the copy without a mutant: only they say anything."""
        there = self._told(["tests"], "--collect-only") & set(tests)
        return there - self._told(sorted(there))

    def _told(self, tests: list[str], *options: str) -> set[str]:
        child = os.fork()
        if child == 0:
            os.setsid()
            self._run(tests, *(options or ("--maxfail=1000000",)))
        os.waitpid(child, 0)
        _end_group(child)
        shutil.rmtree(self.scratch, ignore_errors=True)
        return set(self.told.read_text("utf-8").splitlines())

    def _run(self, tests: list[str], *options: str) -> None:
        """In the child: nothing is said, nothing is left behind, status 1 only if a test fails.

        The failing tests are told, or all that there are if they are only collected.
        """
        try:
            gc.disable()
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

            usual = ["-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=no", "--assert=plain"]
            seen = _Seen()
            status = int(pytest.main([*usual, *(options or ("-x",)), *tests], [seen]))
            if status == pytest.ExitCode.USAGE_ERROR:  # a test of the map that is not there any more: by its function
                functions = dict.fromkeys(test.partition("[")[0] for test in tests)
                status = int(pytest.main([*usual, *(options or ("-x",)), *functions], [seen]))
            self.told.write_text("".join(f"{test}\n" for test in sorted(seen.tests)), "utf-8")
        except BaseException:
            status = 3
        os._exit(status)


class _Seen:
    """A plugin of pytest that remembers what failed, or what was only collected."""

    def __init__(self) -> None:
        self.tests: set[str] = set()

    def pytest_collection_finish(self, session: Any) -> None:
        if session.config.option.collectonly:
            self.tests.update(item.nodeid for item in session.items)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.tests.add(report.nodeid)


def _end_group(child: int) -> None:
    """End what a test of the child may have left running; the group is the child's own."""
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
