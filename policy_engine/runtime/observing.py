"""Run the command of an `observe` hook beside the decision, and say what it answered at the session's next event.

A process of its own waits for the command, within its time limit and HOOK_OUTPUT_BYTES of output, and outlives whoever
started it. What is awaited is one small file of the state folder, which that process replaces by the answer; the next
event of the session speaks it and removes the file. At most OBSERVERS answers of a session are awaited. A command that
never answered is undecided, and said. The event itself is never in these files.
"""

from __future__ import annotations

import posix
import sys
import time

from policy_engine.model.decision import RuleResult, could_not_be_decided
from policy_engine.model.errors import ConfigurationError, EventError
from policy_engine.model.ladder import RANK
from policy_engine.model.limits import HOOK_OUTPUT_BYTES, OBSERVERS
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.model.undecided import Undecided
from policy_engine.state.own_file import put_own, read_own, replace_own
from policy_engine.state.places import make_folder, state_folder
from policy_engine.state.side_files import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.evaluators.base import RuleSpec
    from policy_engine.evaluators.context import EvaluationContext
    from policy_engine.model.event import Event

FOLDER = "observed"
FACT = "observed"
"""Among the facts of a Program of which a hook observes by a command."""
_SLACK_MS = 10_000  # for the process that waits: to start, and to end what it started
_MOST = 16 * HOOK_OUTPUT_BYTES + 65_536  # bytes of a file: output as JSON, and names
_children: list[Any] = []  # of this process, until somebody asks how they ended
_START = "import sys; sys.path.append(sys.argv[1]); from policy_engine.runtime.observing import answer; answer()"


def start(hook: RuleSpec, argv: tuple[str, ...], timeout: int, context: EvaluationContext, given: Any) -> None:
    """Start the command, with `given` on its standard input, and return at once. Raises Undecided."""
    import subprocess
    import tempfile

    from policy_engine.model.process import kept_environment
    from policy_engine.runtime.process import KEPT

    try:
        folder, begin = f"{state_folder()}/{FOLDER}", _begin(context.event)
        make_folder(folder)
        if len(_names(folder, begin)) >= OBSERVERS:
            raise Undecided(f"`{argv[0]}` did not run: {OBSERVERS} answers of observing hooks are awaited")
        path = f"{folder}/{begin}{time.time_ns():x}"
        until = time.time_ns() // 1_000_000 + timeout + _SLACK_MS
        awaited = {"hook": hook.id, "title": hook.title, "at": hook.at, "argv": argv, "until": until}
        put_own(path, write_json(awaited))
        workspace = context.filesystem.real_workspace
        with tempfile.TemporaryFile() as file:  # no pipe: who starts it does not wait until it reads
            file.write(write_json({"argv": argv, "timeout": timeout, "cwd": workspace, "event": given}))
            file.seek(0)
            child = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _START, __file__.rsplit("/", 3)[0], path],
                stdin=file,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env=kept_environment(KEPT),
                start_new_session=True,
            )
        _children[:] = [one for one in (*_children, child) if one.poll() is None]
    except (OSError, ConfigurationError) as problem:
        raise Undecided(f"`{argv[0]}` did not run: {problem}") from None


def answer() -> None:
    """Be the process that waits for the command: run it, and put its answer in the place of what is awaited."""
    from policy_engine.runtime.process import run

    path, task = sys.argv[2], read_json(sys.stdin.buffer.read())
    ran = run(tuple(task["argv"]), task["event"], task["timeout"], task["cwd"])
    replace_own(path, write_json({**read_json(read_own(path, _MOST)), "ran": ran}))


def heard(event: Event) -> list[RuleResult]:
    """Return what hooks have answered in the event's session since it was last asked; each answer is given once."""
    try:
        folder = f"{state_folder()}/{FOLDER}"
        paths = [f"{folder}/{name}" for name in sorted(_names(folder, _begin(event)))]
        results = [_heard(path) for path in paths]
    except (OSError, ConfigurationError) as problem:
        reason = f"answers of observing hooks cannot be read: {problem}"
        results = [_unknown("policy-engine", "", reason)]
    return [result for result in results if result is not None]


def _heard(path: str) -> RuleResult | None:
    try:
        awaited = read_json(read_own(path, _MOST))
        hook, at, name = str(awaited["hook"]), str(awaited["at"]), str(awaited["argv"][0])
        if "ran" not in awaited and time.time_ns() // 1_000_000 <= awaited["until"]:
            return None
        posix.unlink(path)
    except FileNotFoundError:
        return None  # another event of the session has it
    except (EventError, KeyError, IndexError, TypeError):
        posix.unlink(path)
        return _unknown("policy-engine", "", "the answer of an observing hook cannot be read")
    from policy_engine.runtime.process import Ran, answer_of

    try:
        if "ran" not in awaited:
            raise Undecided(f"`{name}` never answered")
        verdict, message = answer_of(Ran(*awaited["ran"]), name)
    except Undecided as unknown:
        return _unknown(hook, at, *unknown.reasons)
    if verdict == "allow":
        return None
    verdict = min(verdict, "remind", key=RANK.__getitem__)
    return RuleResult(hook, "violated", verdict, message or str(awaited["title"]), at)


def _unknown(rule: str, at: str, *reasons: str) -> RuleResult:
    return RuleResult(rule, "undecided", "warn", could_not_be_decided(reasons), at, undecided=reasons)


def _begin(event: Event) -> str:
    """Return how the names of a session's files begin."""
    return digest(f"{event.workspace}\0{event.session}".encode("utf-8", "surrogatepass"), 16).hex() + "-"


def _names(folder: str, begin: str) -> list[str]:
    try:
        return [name for name in posix.listdir(folder) if name.startswith(begin)]
    except FileNotFoundError:
        return []
