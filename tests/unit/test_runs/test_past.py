"""What only the disk of now shows is evidence in a session that goes on, and unknown in one that is told of later."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.bootstrap import Engine, now_ms
from policy_engine.model.instant import time_text

POLICY = """language 1
rule tests "Tests" {
  on before_completion
  when wrote("src/**")
  require tests_passed() since wrote("src/**")
  deny "Run the tests."
}
"""
HOUR = 3_600_000
STRAY = ".venv/lib/python3.11/site-packages/stray.py"


def _finish(workspace: Path, text: str | None, then: int) -> tuple[str, str]:
    """The verdict on the end of a session that wrote a source and ran the tests, and what is said."""
    engine = Engine.from_text(POLICY, log=False)
    at = {"session": "s", "workspace": str(workspace), "cwd": str(workspace)}
    calls: list[tuple[str, str, dict[str, str], str | None]] = [
        ("Write", "write", {"file_path": str(workspace / "src/a.py"), "content": "x"}, ""),
        ("Bash", "shell", {"command": "pytest -q"}, text),
    ]
    engine.decide({**at, "hook": "session_start", "time": time_text(then)})
    for number, (name, kind, args, printed) in enumerate(calls):
        tool = {"name": name, "kind": kind, "args": args, "id": f"t{number}"}
        result = {"ok": True, "exit_code": 0, "status": "completed"} | ({} if printed is None else {"text": printed})
        moment = time_text(then + 1000 * (number + 1))
        engine.decide({**at, "hook": "after_tool", "tool": tool, "result": result, "time": moment})  # type: ignore[arg-type]
    done = engine.decide({**at, "hook": "before_completion", "time": time_text(then + 5000)})
    return str(done.verdict), done.message or ""


@pytest.mark.parametrize(
    ("name", "text"),
    [(STRAY, "3 passed in 0.1s"), ("pytest.ini", None)],
)
@pytest.mark.parametrize("ago", [0, 10 * HOUR, 4000 * 24 * HOUR])
def test_what_the_disk_shows_is_no_evidence_against_a_run_of_before(
    tmp_path: Path, name: str, text: str | None, ago: int
) -> None:
    for file in ("src/a.py", name):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "src/a.py").write_text("x")
    then = now_ms() - ago - (5000 if not ago else 0)
    (tmp_path / name).write_text("[pytest]\n" if name.endswith("ini") else "import sys\n")
    verdict, said = _finish(tmp_path, text, then)
    assert verdict == ("allow" if ago else "deny")
    assert Path(name).name in said or verdict == "allow"
