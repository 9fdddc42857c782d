"""Derive the facts that one event proves: what was written, read, deleted, run, called or told, and how it ended.

A fact needs a call that ran: proposed, blocked and still running calls are none. Only `changes` prove what a failed
call wrote. A fact that may or may not have happened is not `sure`; the monitors keep that apart. Imported by the hook
path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.history.tool_calls import named_paths
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.model.event import Event
    from policy_engine.shell.command import SimpleCommand

    Commands = tuple[SimpleCommand, ...] | Undecided | None
    Compared = Callable[[PathValue], bool] | None
    Shell = tuple[Commands, Compared]

TEXT_CHARS = 1000  # of a result or prompt kept with a fact
ENDED = ("completed", "failed", "timed_out")
BLOCKED = "blocked"
OUTCOMES = ("not_run", "started", "running", "succeeded", "failed", BLOCKED, "timed_out", "unknown")
"""How a command stands in the ledger of a session."""
_CARRIED = 200  # files below a folder that is copied
_BACKGROUND = ("run_in_background", "is_background", "isBackground", "background", "fireAndForget")
_ACCESS = {"write": "wrote", "read": "read", "delete": "deleted"}


class Fact:
    """One fact.

    `kind`: wrote, read, deleted (with `path`, None if it cannot be known), command (`name` is its text, `command` None
    if the line is not understood), called (`name` the tool, `value` its kind), tool_fact (`name`,
    `value`), prompted, refused, verified (`name`), tests (`name` the run, `value` its Proof). `outcome` of a command:
    success, failure, unproven, pending, or blocked, which is in the ledger and proves nothing; `status` the same as
    one of OUTCOMES. `time` in ms since the epoch or None; `event` the event's id or ""; `early`: written before
    the tests that the event ran.
    """

    __slots__ = ("kind", "sure", "path", "command", "outcome", "status", "name", "value", "text", "exit_code", "time",
                 "event", "early", "_below")  # fmt: skip

    def __init__(self, kind: str, event: Event, sure: bool = True, name: str = "", value: Any = None) -> None:
        self.kind = kind
        self.sure = sure
        self.name = name
        self.value = value
        self.path: PathValue | None = None
        self.command: SimpleCommand | None = None
        self.outcome = self.status = ""
        self.text = ""
        self.exit_code: int | None = None
        self.time = event.time
        self.event = event.id
        self.early = False
        self._below: list[str] | Undecided | None = None

    def files_below(self, filesystem: FileSystem) -> list[str]:
        """Return the files that lie below its path, looked for once. Raises Undecided if they are too many."""
        if self._below is None:
            assert self.path is not None
            try:
                self._below = filesystem.files_below(self.path)
            except Undecided as undecided:
                self._below = undecided
        if isinstance(self._below, Undecided):
            raise self._below
        return self._below

    @property
    def late(self) -> bool:
        """Within one event, writes and deletes are later than all else, but for `early` ones."""
        return (self.kind == "wrote" or self.kind == "deleted") and not self.early


def facts_of(
    event: Event, filesystem: FileSystem, commands: Commands, compared: Callable[[PathValue], bool] | None = None
) -> tuple[Fact, ...]:
    """Return all facts of one event; never raises.

    `commands` are the parsed commands of a shell call, the Undecided that parsing raised, or None for other calls.
    `compared` says of which paths a comparison of the workspace has told already what was written and deleted.
    """
    facts: list[Fact] = [_lost_fact(event, line) for line in _lost(event)]
    if event.unproven and isinstance(commands, tuple):
        commands = Undecided("a result came of a call that the engine was not asked about")
    if event.hook == "prompt":
        facts.append(_with_text(Fact("prompted", event), event.prompt))
    if event.hook == "after_tool":
        status = ended(event)
        if status != BLOCKED:
            _tool_facts(event, filesystem, (commands, compared), status, facts)
        elif event.tool_kind == "shell":
            _shell_facts(event, filesystem, (commands, None), status, facts)
    if event.changes:
        facts.extend(
            _path_fact(_ACCESS[item["kind"]], item["path"], event, filesystem, event.workspace)
            for item in event.changes
        )
    if event.facts:
        for name, value in event.facts.items():
            facts.append(_with_text(Fact("tool_fact", event, True, name, value), str(value)))
    if event.unproven:
        for fact in facts:
            fact.sure = False
    return tuple(facts)


def _lost(event: Event) -> list[str]:
    """Return the sealed lines of calls whose end did not come (hook_process/pairing.py)."""
    lost = event.raw.get("lost")
    return [line for line in lost if type(line) is str] if type(lost) is list else []


def _lost_fact(event: Event, line: str) -> Fact:
    fact = Fact("command", event, False, line)
    fact.outcome, fact.status = "unproven", "unknown"
    return fact


def refusals(event: Event, rules: Iterable[str]) -> tuple[Fact, ...]:
    """Return the engine's own facts: these rules refused what the event proposed."""
    return tuple(Fact("refused", event, True, rule) for rule in rules)


def verified(stage: str, summary: str, event: Event) -> Fact:
    """Return the engine's own fact: a stage of `verify` passed."""
    return _with_text(Fact("verified", event, True, stage), summary)


def ended(event: Event) -> str:
    """Return how a call ended: a `result.status`, or what the other fields say; "unknown" if they say nothing."""
    result = event.result
    if result is None:
        return "unknown"
    status = result.get("status")
    if status in (None, "completed") and result.get("ok") is not False and in_background(event):
        return "started"
    if type(status) is str:
        return "failed" if status == "completed" and result.get("ok") is False else status
    if result.get("timed_out") is True:
        return "timed_out"
    code, okay = result.get("exit_code"), result.get("ok")
    if code is not None:
        return "completed" if code == 0 and okay is not False else "failed"
    return "unknown" if okay is None else "completed" if okay else "failed"


def in_background(event: Event) -> bool:
    """Return whether a call asked to go on after its answer, whatever the answer says."""
    given = event.tool_args or {}
    return event.tool_kind == "shell" and any(given.get(key, False) is True for key in _BACKGROUND)


def _with_text(fact: Fact, text: str | None) -> Fact:
    fact.text = (text or "")[:TEXT_CHARS]
    return fact


def _result_text(event: Event) -> str:
    text = (event.result or {}).get("text")
    return text[:TEXT_CHARS] if type(text) is str else ""


def _tool_facts(event: Event, filesystem: FileSystem, shell: Shell, status: str, facts: list[Fact]) -> None:
    running = status in ("started", "running")
    if not running:
        fact = Fact("called", event, status != "unknown", event.tool_name or "", event.tool_kind)
        fact.text = _result_text(event)
        facts.append(fact)
    if event.tool_kind == "shell":
        _shell_facts(event, filesystem, shell, status, facts)
    elif not running and status not in ("failed", "timed_out"):
        _file_facts(event, filesystem, status == "completed", facts)


def _file_facts(event: Event, filesystem: FileSystem, sure: bool, facts: list[Fact]) -> None:
    """Add the facts that a call of a file tool proves, only for kinds whose access is known."""
    if event.tool_kind not in ("write", "edit", "read"):
        return
    try:
        named = named_paths(event)
    except Undecided:
        facts.append(Fact("read" if event.tool_kind == "read" else "wrote", event, False))
        return
    is_reported = event.changes is not None and not event.unproven  # the host says what the call wrote
    facts.extend(
        _path_fact(_ACCESS[access], text, event, filesystem, event.cwd, sure)
        for text, access, _ in named
        if access == "read" or not is_reported
    )


def _path_fact(kind: str, text: str, event: Event, filesystem: FileSystem, base: str | None, sure: bool = True) -> Fact:
    """Changes are relative to the workspace, arguments to cwd. `deleted` is the name itself: no link is followed."""
    fact = Fact(kind, event, sure)
    try:
        fact.path = filesystem.resolve(text, base, kind != "deleted")
        start = filesystem.real_workspace.rstrip("/") + "/"
        if text[:1] == "/" and fact.path.real.startswith(start):  # people and agents read it from the workspace
            fact.path = PathValue(fact.path.real.removeprefix(start), fact.path.real)
    except Undecided:
        fact.sure = fact.path is not None and sure
    return fact


def _shell_facts(event: Event, filesystem: FileSystem, shell: Shell, status: str, facts: list[Fact]) -> None:
    commands, compared = shell
    result = event.result or {}
    code = result.get("exit_code")
    code = code if type(code) is int else None
    if commands is None or isinstance(commands, Undecided):
        line = (event.tool_args or {}).get("command", "")
        if status != BLOCKED:
            outcome = "pending" if status in ("started", "running") else "unproven"
            facts.append(_command_fact(event, None, outcome, code, line, status))
        return
    for command in commands:
        outcome = _outcome(command, status, code)
        facts.append(_command_fact(event, command, outcome, code, command.text, status))
        if outcome == "success" and event.changes is None:
            _effect_facts(event, command, compared, facts)
    _test_facts(event, filesystem, commands, status, facts)


def _command_fact(
    event: Event, command: SimpleCommand | None, outcome: str, code: int | None, line: str, status: str
) -> Fact:
    fact = Fact("command", event, command is not None, line)
    fact.command = command
    fact.outcome = outcome
    words = {"success": "succeeded", "failure": "failed", "pending": "started", BLOCKED: BLOCKED}.get(
        outcome, "unknown"
    )
    fact.status = status if status in ("running", "timed_out") and words not in ("succeeded", BLOCKED) else words
    fact.exit_code = code
    fact.text = _result_text(event)
    return fact


def _test_facts(
    event: Event, filesystem: FileSystem, commands: tuple[SimpleCommand, ...], status: str, facts: list[Fact]
) -> None:
    """Add the facts that the test runs on the line prove."""
    if status == BLOCKED:
        return
    from policy_engine.test_runs.evidence import proofs_of, without_environments

    written = str((event.tool_args or {}).get("command"))
    line, sourced = without_environments(written, commands)
    if line != written:
        from policy_engine.shell.parse import parse

        try:
            commands = parse(line, filesystem.workspace if event.cwd is None else event.cwd, filesystem)
        except Undecided:
            return
    result = event.result or {}
    code = result.get("exit_code")
    code = code if type(code) is int else None
    proofs = proofs_of(commands, [_outcome(command, status, code) for command in commands], result, line)
    if status == "completed" and code == 0 and not all(proof.status for proof in proofs):
        from policy_engine.shell.parse import parse_proving
        from policy_engine.test_runs.summaries import is_whole

        printed = result.get("text")
        printed = printed if type(printed) is str and is_whole(printed) else ""
        commands = parse_proving(line, filesystem.workspace if event.cwd is None else event.cwd, filesystem, printed)
        proofs = proofs_of(commands, [_outcome(command, status, code) for command in commands], result, line)
    passed = [proof for proof in proofs if proof.outcome == "passed"]
    if passed and not any("" in proof.run.targets for proof in passed):
        from policy_engine.history.members import whole

        whole(passed, filesystem)
    for proof in proofs:
        proof.run.programs += tuple(filesystem.resolve(path, event.cwd).real for path in sourced)
        fact = Fact("tests", event, True, proof.run.line, proof)
        fact.exit_code = code
        facts.append(_with_text(fact, _result_text(event)))


def _outcome(command: SimpleCommand, status: str, code: int | None) -> str:
    """Return what the line's end proves about one of its commands (language §11 "Evidence")."""
    if status == BLOCKED:
        return BLOCKED
    try:
        background = command.background
    except Undecided:
        background = True
    if status in ("started", "running") or background:
        return "pending"
    if status == "completed" and code == 0 and command.zero_proves:
        return "success"
    if command.nonzero_proves and (status == "timed_out" or (code not in (None, 0) and status in ENDED)):
        return "failure"
    return "unproven"


def _effect_facts(event: Event, command: SimpleCommand, compared: Compared, facts: list[Fact]) -> None:
    """Add the file facts of a command with a proven success, where its model is sure and no snapshot says more."""
    from policy_engine.effects.command import effects_of

    try:
        effects = effects_of(command)
        evident, shows, paths = command.evident, command.shows_content, effects.paths
        facts.extend(_carried(event, command, () if shows else effects.contents, effects.writes))
    except Undecided:
        return
    for path in paths:
        if path.access != "read" and compared is not None and compared(path):
            continue
        sure = evident
        if path.access == "read":
            sure = True if shows else None
        if sure is not None:
            fact = Fact(_ACCESS[path.access], event, sure and path.known)
            fact.path = path if path.known else None
            facts.append(fact)


def _carried(
    event: Event, command: SimpleCommand, contents: tuple[PathValue, ...], writes: tuple[PathValue, ...]
) -> Iterator[Fact]:
    """Yield that files may be read whose content a command puts elsewhere: what reads it there does not name them."""
    if not any(path.access == "write" for path in writes):
        return
    for path in (path for path in contents if path.known):
        try:
            below = command.filesystem.files_below(path)
        except Undecided:
            below = []
        for real in below[:_CARRIED] or [path.real]:
            fact = Fact("read", event, False)
            fact.path = PathValue(path.text if real == path.real else real, real)
            yield fact
