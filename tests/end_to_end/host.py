"""A payload → what the registered hook command did with it: a real process, in a home and a workspace of its own."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from policy_engine.cache.reader import read_head, unchanged
from policy_engine.state.places import ORGANISATION_FOLDER, active_name

ORGANISED = Path(__file__).with_name("organised_hook.py")
HOOK = Path(__file__).resolve().parents[2] / "policy_engine" / "hook.py"
COMMAND = (sys.executable, "-I", "-S", str(HOOK))
SECONDS = 120  # nothing here takes as long; a process that hangs fails its test instead of all of them

POLICY = """\
language 1

rule no-rm "Nothing is removed" {
  severity high
  on before_tool(shell)
  when any c in commands { c.program == "rm" }
  deny "`{c.text}` removes files. Move them to the folder `old` instead."

  test {
    shell "rm a"  => deny
    shell "ls"    => allow
  }
}
"""
STATEFUL = (
    POLICY
    + """
define source = glob("src/**")

rule tests-pass "Tests pass after the last change" {
  severity high
  on before_completion
  when wrote(source)
  require command_success("pytest -*") since wrote(source)
  deny "Run the tests."

  test {
    write "src/a.py"
    finish              => deny
    run "pytest -q" exit 0
    finish              => allow
  }
}

rule read-first "What is overwritten was read" {
  severity high
  on before_tool(write)
  when not read("README.md")
  deny "Read README.md first."

  test {
    write "a"           => deny
    read "README.md"
    write "a"           => allow
  }
}
"""
)
NO_LS = POLICY.replace("no-rm", "no-ls").replace('"rm"', '"ls"').replace("rm a", "ls a")
BROKEN = 'language 1\n\nrule a {\n  on before_tol\n  deny "x"\n}\n'


@dataclass(frozen=True)
class Done:
    """What came out of one process."""

    status: int
    out: bytes
    err: str

    @property
    def verdict(self) -> str:
        """deny, ask or allow, as the host reads it. Fails if the two channels contradict each other."""
        assert "Traceback" not in self.err and b"Traceback" not in self.out, self.err
        answer = json.loads(self.out) if self.out else {}
        said = answer.get("hookSpecificOutput", {}).get("permissionDecision") or answer.get("decision")
        if self.status == 2:
            assert said in ("deny", "block", None) and self.err.strip(), (self.out, self.err)
            return "deny"
        assert self.status == 0, (self.status, self.err)
        assert said in (None, "ask"), self.out
        return said or "allow"

    @property
    def refused(self) -> bool:
        """Whether the host is held back on both channels."""
        return self.verdict == "deny" and bool(self.out)


@cache
def seed() -> Path:
    """A cache folder with what does not depend on any policy, made once per process of the tests."""
    folder = Path(tempfile.mkdtemp(prefix="policy-seed-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    made = Host(folder, seeded=False)
    made.call(made.shell("ls"))
    return made.cache


class Host:
    """A host with its home, its workspace and one session.

    `seeded`: its first call finds the grammar's tables and the bundle of modules in the cache, which saves most of its
    time; where something stands in the place of the cache already, nothing is put there.
    """

    def __init__(self, folder: Path, seeded: bool = True) -> None:
        self._seeded = seeded
        self.home = folder / "home"
        self.workspace = folder / "work"
        for each in (self.home, self.workspace):
            each.mkdir(mode=0o700)
        self.environment = {"HOME": str(self.home)}
        self.organisation = folder / "organisation"
        self.asks = True  # before every call whose end it reports
        self._asked: set[tuple[str, str]] = set()

    @property
    def policy(self) -> Path:
        return self.workspace / ".policy" / "main.policy"

    @property
    def state(self) -> Path:
        return self.home / ".local" / "state" / "policy-engine"

    @property
    def cache(self) -> Path:
        return self.home / ".cache" / "policy-engine"

    @property
    def head(self) -> Path:
        """The cache entry that says which program is in force in the workspace."""
        user = self.home / ".config" / "policy-engine"
        return self.cache / "active" / active_name(ORGANISATION_FOLDER, str(user), str(self.policy.parent))

    def write_policy(self, text: str, name: str = "main.policy") -> Path:
        path = self.workspace / ".policy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def warm(self) -> None:
        """Until the cache answers: a file that changed just before it was read is read once more."""
        while True:
            assert self.call(self.shell("ls")).verdict == "allow"
            if unchanged(read_head(str(self.head))):
                return

    def payload(self, native: str, **fields: Any) -> dict[str, Any]:
        return {"session_id": "s-1", "hook_event_name": native, "cwd": str(self.workspace), **fields}

    def shell(self, command: str, **fields: Any) -> dict[str, Any]:
        """A proposed shell call."""
        return self.payload("PreToolUse", tool_name="Bash", tool_input={"command": command}, **fields)

    def ran(self, command: str, call: str) -> dict[str, Any]:
        """A shell call that ended well."""
        response = {"stdout": "", "stderr": "", "interrupted": False}
        return self.payload(
            "PostToolUse", tool_name="Bash", tool_input={"command": command}, tool_response=response, tool_use_id=call
        )

    def wrote(self, name: str, call: str) -> dict[str, Any]:
        """A file that was written."""
        path = str(self.workspace / name)
        given = {"file_path": path, "content": "x"}
        return self.payload(
            "PostToolUse", tool_name="Write", tool_input=given, tool_response={"filePath": path}, tool_use_id=call
        )

    def stop(self) -> dict[str, Any]:
        """The agent proposes to be done."""
        return self.payload("Stop", stop_hook_active=False, last_assistant_message="done")

    def call(self, payload: dict[str, Any] | bytes, *arguments: str, **options: Any) -> Done:
        """One event. `env` adds to the environment, other options are those of `subprocess.run`."""
        self._seed()
        if isinstance(payload, dict) and self.asks:
            self._ask(payload, *arguments, **options)
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        environment = {**self.environment, **options.pop("env", {})}
        done = subprocess.run(
            [*COMMAND, *(arguments or ("claude-code",))],
            env=environment,
            timeout=SECONDS,
            check=False,
            **{"input": data, "capture_output": True, "cwd": self.workspace, **options},
        )
        return Done(done.returncode, done.stdout or b"", (done.stderr or b"").decode("utf-8", "strict"))

    def _ask(self, payload: dict[str, Any], *arguments: str, **options: Any) -> None:
        """Propose a call whose end is about to be reported, once, as hosts do."""
        call, native = payload.get("tool_use_id"), payload.get("hook_event_name", "")
        if not isinstance(call, str) or native not in ("PreToolUse", "PostToolUse", "PostToolUseFailure"):
            return
        key = (str(payload.get("session_id")), call)
        if native != "PreToolUse" and key not in self._asked:
            given = {name: value for name, value in payload.items() if name not in ("tool_response", "error")}
            self.call({**given, "hook_event_name": "PreToolUse"}, *arguments, **options)
        self._asked.add(key)

    def organised(self, payload: dict[str, Any]) -> Done:
        """One event of a machine whose organisation keeps its policies in `self.organisation`."""
        self._seed()
        command = [sys.executable, "-I", "-S", str(ORGANISED), str(self.organisation), "claude-code"]
        options = {"env": self.environment, "cwd": self.workspace, "timeout": SECONDS, "capture_output": True}
        done = subprocess.run(command, input=json.dumps(payload).encode(), check=False, **options)  # type: ignore[call-overload]
        return Done(done.returncode, done.stdout, done.stderr.decode("utf-8", "strict"))

    def _seed(self) -> None:
        if self._seeded and not self.cache.parent.exists():
            self.cache.mkdir(parents=True, mode=0o700)
            for name in ("grammar", "bundle"):
                shutil.copy(seed() / name, self.cache / name)
        self._seeded = False

    def start(self, stdin: int, **options: Any) -> subprocess.Popen[bytes]:
        """One process with this standard input, left running."""
        self._seed()
        environment = {**self.environment, **options.pop("env", {})}
        return subprocess.Popen(
            [*COMMAND, "claude-code"],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.workspace,
            env=environment,
            **options,
        )


def ended(process: subprocess.Popen[bytes]) -> Done:
    """Wait for the process and take what it said."""
    out, err = process.communicate(timeout=SECONDS)
    return Done(process.returncode, out, err.decode())


def closing(descriptor: int) -> Callable[[], None]:
    """For `preexec_fn`: the new process starts with this descriptor closed."""
    return lambda: os.close(descriptor)
