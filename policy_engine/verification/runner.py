"""Run a stage in a folder: whether it passed, and if not, the failures that its output names.

No shell, a cleaned environment, no standard input, none of our descriptors. A stage passes only by
its own exit status 0 and, where it says so, by the JSON that it wrote. What could not be run did not fail: it is an
outcome of its own, which the caller counts as undecided.
"""

from __future__ import annotations

import errno
import shlex
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from policy_engine.evaluators.operators import same
from policy_engine.model.errors import EventError
from policy_engine.model.kept import Kept
from policy_engine.model.limits import VERIFY_HEAD_BYTES, VERIFY_OUTPUT_CHARS, VERIFY_TAIL_BYTES
from policy_engine.model.process import (
    CANCELLED,
    EXITED,
    LOST,
    NOT_STARTED,
    SIGNALLED,
    TIMED_OUT,
    Ended,
    Task,
    kept_environment,
    run_process,
)
from policy_engine.model.strict_json import read_json
from policy_engine.model.undecided import ABSENT
from policy_engine.predicates.base import member, pointer_keys
from policy_engine.verification.failure import Failure
from policy_engine.verification.output import cut, plain
from policy_engine.verification.reading import failures_of

PASSED, FAILED, PENDING = "passed", "failed", "pending"
OUTCOMES = (PASSED, FAILED, PENDING, TIMED_OUT, NOT_STARTED, CANCELLED)

Progress = Callable[[float, str], None]
Cancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Stage:
    """As a policy writes it. `timeout_ms` 0 is none; `expect` is (JSON pointer, value) of standard output."""

    name: str
    argv: tuple[str, ...]
    timeout_ms: int = 0
    env: tuple[str, ...] = ()
    pending_exit: int | None = None
    expect: tuple[str, object] | None = None


@dataclass(frozen=True, slots=True)
class StageResult:
    """`exit_code` is None where the program did not end by itself; `truncated`: some output was not kept.

    Every outcome but `passed`, `pending` and `cancelled` has at least one failure, the first one first.
    """

    stage: str
    command: str
    outcome: str
    exit_code: int | None
    seconds: float
    failures: tuple[Failure, ...]
    output_excerpt: str
    truncated: bool


def run_stage(
    stage: Stage, folder: str, progress: Progress | None = None, cancelled: Cancelled | None = None
) -> StageResult:
    """Run the stage in the folder, the workspace's root.

    `progress` is told the seconds and the last line, about once a second; `cancelled` (such as `Event.is_set`) is
    asked often and ends the stage. Raises only what these two raise.
    """

    def watch(seconds: float, output: Kept) -> None:
        if progress is not None:
            progress(seconds, cut(plain(_text(output.last_line())), 200))

    ended = run_process(
        Task(
            stage.argv,
            folder,
            environment(stage.env),
            timeout=stage.timeout_ms / 1000 if stage.timeout_ms else None,
            errors="merged" if stage.expect is None else "apart",
            head=VERIFY_HEAD_BYTES,
            tail=VERIFY_TAIL_BYTES,
            cancelled=cancelled,
            watch=watch,
        )
    )
    text = _text(ended.output.data()) + _text(ended.errors.data())
    outcome, failures = _judged(stage, ended, text, folder)
    return StageResult(
        stage.name,
        shlex.join(stage.argv),
        outcome,
        ended.status if ended.how == EXITED else None,
        ended.seconds,
        failures,
        _excerpt(plain(text)),
        bool(ended.output.left_out or ended.errors.left_out),
    )


def _judged(stage: Stage, ended: Ended, text: str, folder: str) -> tuple[str, tuple[Failure, ...]]:
    if ended.how == CANCELLED:
        return CANCELLED, ()
    if ended.how == NOT_STARTED:
        return NOT_STARTED, (_not_started(stage, ended),)
    if ended.how == EXITED and ended.status == stage.pending_exit:
        return PENDING, ()
    if ended.how == EXITED and ended.status == 0:
        wrong = _expectation(stage, ended)
        return (FAILED, (wrong,)) if wrong else (PASSED, ())
    read = failures_of(text, stage.argv, folder)
    if ended.how != EXITED:
        read = tuple(one for one in read if one.error_class != "unknown")
    if ended.how == LOST:
        return FAILED, (_bare("unknown", f"`{stage.argv[0]}` {ended.problem}", text), *read)
    if ended.how == TIMED_OUT:
        message = f"`{stage.argv[0]}` did not end within {stage.timeout_ms / 1000:g} s"
        return TIMED_OUT, (_bare("timeout", message, text), *read)
    if ended.how == SIGNALLED and not any(one.error_class == "crash" for one in read):
        return FAILED, (_bare("crash", f"`{stage.argv[0]}` was ended by {_signal(ended.status)}", text), *read)
    return FAILED, _by_status(ended.status, read) or (_silent(stage, ended.status, text),)


def _by_status(status: int, read: tuple[Failure, ...]) -> tuple[Failure, ...]:
    """Shells and `env` say by their status that there was nothing to run."""
    known = {126: "permission_denied", 127: "missing_command"}.get(status)
    if known and read and read[0].error_class == "unknown":
        return (replace(read[0], error_class=known), *read[1:])
    return read


def _silent(stage: Stage, status: int, text: str) -> Failure:
    known = {126: "permission_denied", 127: "missing_command"}.get(status, "unknown")
    return _bare(known, f"`{stage.argv[0]}` ended with exit status {status} and does not say why", text)


def _not_started(stage: Stage, ended: Ended) -> Failure:
    word = stage.argv[0] if stage.argv else ""
    classes = {errno.ENOENT: "missing_command", errno.EACCES: "permission_denied", errno.EPERM: "permission_denied"}
    return _bare(classes.get(ended.status, "unknown"), f"`{word}` {ended.problem}", "")


def _bare(error_class: str, summary: str, text: str) -> Failure:
    lines = [line for line in plain(text[-VERIFY_OUTPUT_CHARS:]).split("\n") if line.strip()]
    return Failure(error_class, None, None, None, summary, "\n".join(lines[-10:]))


def _expectation(stage: Stage, ended: Ended) -> Failure | None:
    """Return what is wrong with the JSON on standard output, if something is."""
    if stage.expect is None:
        return None
    pointer, wanted = stage.expect
    shown = _text(ended.output.data())
    if ended.output.left_out:
        return _bare("unexpected", f"`{stage.argv[0]}` wrote more than can be read as JSON", shown)
    try:
        value = read_json(ended.output.data())
    except EventError as problem:
        return _bare("unexpected", f"`{stage.argv[0]}` did not write JSON: {problem}", shown)
    for key in pointer_keys(pointer):
        value = member(value, key)
    if value is ABSENT:
        return _bare("unexpected", f"`{stage.argv[0]}` wrote JSON without `{pointer}`", shown)
    if not same(value, wanted):
        return _bare("unexpected", f"`{pointer}` is {cut(repr(value), 100)}, expected {wanted!r}", shown)
    return None


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _excerpt(text: str) -> str:
    """Return the end of the output, which says what went wrong, behind some of its beginning."""
    text = text.strip("\n")
    if len(text) <= VERIFY_OUTPUT_CHARS:
        return text
    head = VERIFY_OUTPUT_CHARS // 4
    return f"{text[:head]}\n…\n{text[head - VERIFY_OUTPUT_CHARS + 3 :]}"


# ---- the environment of a stage --------------------------------------------------------------------------------------
# Of the engine's environment only what says who, where and in which language: names below, nothing else. So a stage
# sees no token of the coding agent, and no variable that changes what a program is (PYTHONPATH, LD_*, NODE_OPTIONS, …)
# unless the policy itself gives it. PATH loses its relative entries, which would name files of the workspace.

KEPT = tuple(
    (
        # who and where
        "PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP TZ SYSTEMROOT XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME"
        " XDG_RUNTIME_DIR"
        # the language of people
        " LANG LC_ALL LC_CTYPE LC_COLLATE LC_NUMERIC LC_TIME LC_MONETARY"
        # where toolchains are installed, and where they keep what they fetched
        " VIRTUAL_ENV CONDA_PREFIX PYENV_ROOT UV_CACHE_DIR PIP_CACHE_DIR NVM_DIR VOLTA_HOME PNPM_HOME npm_config_cache"
        " CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN GOROOT GOPATH GOCACHE GOMODCACHE JAVA_HOME MAVEN_HOME"
        " GRADLE_USER_HOME ANDROID_HOME DOTNET_ROOT GEM_HOME RBENV_ROOT SDKMAN_DIR"
        # the network of the machine
        " SSL_CERT_FILE SSL_CERT_DIR HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy"
    ).split()
)
"""Variables that a stage inherits."""

SET = {
    "CI": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LANGUAGE": "en",
    "NO_COLOR": "1",
    "PYTHONUNBUFFERED": "1",
    "TERM": "dumb",
}
"""Variables that a stage is given: nobody can answer it, its messages are read in English, its output as it comes."""


def environment(own: Iterable[str]) -> dict[str, str]:
    """Return what is kept, what is set, and the stage's own `NAME=value`, which win."""
    given = (item.partition("=") for item in own)
    return {**kept_environment(KEPT), **SET, **{name: value for name, _, value in given}}
