"""Mutants within functions, tried in processes that have imported and collected everything: only code objects change.

What this kills is dead. What survives (its function may have been called while everything was imported), stands outside
of a function, or is only run by processes that tests start, is left to the slower way, which imports the mutant.
"""

from __future__ import annotations

import functools
import gc
import os
import signal
import sys
import time
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

import pytest

from tools.mutation.mutants import Mutant

SLOWER = ("tests/end_to_end", "tests/faults", "tests/unit/commands")
PATIENCE = 60.0  # seconds
UNCLEAR = "?"
_OPTIMIZED = 1  # the flag of a function's code, which that of a class lacks


Told = Callable[[Mutant, str | None, float], bool]
"""Takes a mutant, the test that kills it ("" if none does, None if it cannot be tried here) and the seconds that this
took; says whether to go on."""


class Loop:
    """A plugin of pytest that tries mutants instead of running the tests."""

    def __init__(
        self, waiting: list[Mutant], tests: Callable[[Mutant], list[str]], also: tuple[str, ...], told: Told
    ) -> None:
        self.waiting, self.tests, self.also, self.told = waiting, tests, also, told

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        gc.collect()
        gc.freeze()
        last = [item for name, item in items.items() if name.startswith(self.also)] if self.also else []
        for mutant in self.waiting:
            chosen = [items[test] for test in self.tests(mutant) if test in items]
            chosen = list(dict.fromkeys([*chosen, *last]))
            began = time.monotonic()
            killer = tried(mutant, chosen) if chosen else None
            if not self.told(mutant, killer, time.monotonic() - began):
                break
        return True


def loop(waiting: list[Mutant], tests: Callable[[Mutant], list[str]], also: list[str], told: Told) -> None:
    """Try them, each with its tests and those of the files `also`; see Told."""
    files = sorted({test.partition("::")[0] for mutant in waiting for test in tests(mutant)} | set(also))
    files = [file for file in files if not file.startswith(SLOWER) and os.path.exists(file)]
    options = ["-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=no", "--assert=plain"]
    pytest.main([*options, *files], [Loop(waiting, tests, tuple(also), told)])


def tried(mutant: Mutant, items: list[pytest.Item]) -> str | None:
    """The test that kills it, "" if none does, None if it cannot be tried here."""
    changed = changed_code(mutant)
    if changed is None:
        return None
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.setsid()
        _run(*changed, items, writing)
    os.close(writing)
    found = ""
    end = time.monotonic() + PATIENCE
    os.set_blocking(reading, False)
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            # a process that ended before it could name a test may have been ended by the mutant, or by chance
            found = os.read(reading, 4096).decode() or UNCLEAR if status else ""
            break
        if time.monotonic() > end:
            found = UNCLEAR
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.005)
    os.close(reading)
    return None if found.startswith(UNCLEAR) else found


def _run(function: FunctionType, code: CodeType, items: list[pytest.Item], writing: int) -> None:
    """In the child: run the tests until one fails, and name it."""
    failed = ""
    try:
        gc.disable()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        function.__code__ = code
        seen = _Reports()
        items[0].config.pluginmanager.register(seen)
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if seen.failed:
                failed = item.nodeid
                break
    except BaseException as fault:
        failed = f"{UNCLEAR}: {fault}"
    os.write(writing, failed.encode()[:4000])
    os._exit(1 if failed else 0)


class _Reports:
    failed = False

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.failed = self.failed or report.failed


def changed_code(mutant: Mutant) -> tuple[FunctionType, CodeType] | None:
    """The function that a mutant changes, and its new code; None if it changes something else."""
    module = sys.modules.get(mutant.file.removesuffix(".py").replace("/", "."))
    source = mutant.source
    if module is None or not source or not mutant.around:
        return None
    code = compile(source, str(module.__file__), "exec")
    owner: Any = module
    for name in mutant.around.split("."):
        inner = [part for part in code.co_consts if isinstance(part, CodeType) and part.co_name == name]
        if len(inner) != 1 or name not in vars(owner):
            return None
        code, owner = inner[0], vars(owner)[name]
        if code.co_flags & _OPTIMIZED:
            break
    function = _unwrapped(owner)
    if not isinstance(function, FunctionType) or function.__code__ == code:
        return None
    return (function, code) if function.__code__.co_freevars == code.co_freevars else None


def _unwrapped(found: Any) -> Any:
    if isinstance(found, property):
        found = found.fget
    if isinstance(found, staticmethod | classmethod):
        found = found.__func__
    while isinstance(found, functools._lru_cache_wrapper) or hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    return found
