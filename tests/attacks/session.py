"""An agent's session against the real hook process: what is refused does not happen, what is allowed is carried out."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.end_to_end.host import Host

ROOT = Path(__file__).resolve().parents[2]
PACKS = ROOT / "rules" / "security"


class Session:
    """A workspace guarded by the named packs, in a home of its own; `clean` makes the environment of every process."""

    def __init__(self, folder: Path, *packs: str, home_git: bool = True) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.host = Host(folder)
        self.workspace, self.home = self.host.workspace, self.host.home
        self.environment = {"HOME": str(self.home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        for pack in packs or ("no-tamper", "no-sudo"):
            (self.workspace / ".policy").mkdir(exist_ok=True)
            shutil.copy(PACKS / f"{pack}.policy", self.workspace / ".policy")
        self.put(".claude/settings.json", "{}\n")
        self.put(".git/config", "[core]\n")
        self.put("src/app.py", "x = 1\n")
        self.host.warm()

    def put(self, name: str, text: str) -> Path:
        """Make a file, without asking."""
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def asked(self, line: str) -> str:
        """The verdict about a shell line, which is not run."""
        return self.host.call(self.host.shell(line)).verdict

    def run(self, line: str) -> str:
        """The verdict about a shell line, which is run if it is allowed."""
        verdict = self.asked(line)
        if verdict == "allow":
            subprocess.run(
                ["/bin/bash", "-c", line], cwd=self.workspace, env=self.environment, check=False, capture_output=True
            )
        return verdict

    def write(self, name: str, text: str = "language 1\n") -> str:
        """The verdict about a file tool's write, which is done if it is allowed."""
        path = self.workspace / name
        given = {"file_path": str(path), "content": text}
        verdict = self.host.call(self.host.payload("PreToolUse", tool_name="Write", tool_input=given)).verdict
        if verdict == "allow":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return verdict

    def guarded(self) -> bool:
        """Whether what the pack refuses is still refused."""
        return self.asked("sudo ls") == "deny"
