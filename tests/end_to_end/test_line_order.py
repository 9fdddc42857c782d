"""A line that writes sources and then runs the tests: the run is of what was written, and not of what comes later."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from policy_engine import Engine

POLICY = """\
language 1

define source = glob("**/*.py")

rule tests-pass "Tests pass after the last change" {
  on before_completion
  when wrote(source)
  require tests_passed(python) since wrote(source)
  deny "{last(wrote(source)).path} changed after the last green run of the tests."
}
"""
PYTEST = "pytest -q -p no:cacheprovider"
WRITES_BACK = (
    "import time\\nfrom pathlib import Path\\ndef test_z(): time.sleep(2); Path('src/app.py').write_text('x = 9')\\n"
)
INLINE = "python3 - <<'E'\nfrom pathlib import Path\nPath('src/app.py').write_text('x = 3')\nE\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    files = {
        ".policy/main.policy": POLICY, "src/app.py": "x   = 1\n", "pyproject.toml": "[tool.pytest.ini_options]\n",
        "tests/test_app.py": "def test_x():\n    assert True\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for words in (("init", "-q"), ("add", "-A")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def finish(workspace: Path, line: str) -> str:
    """The verdict of a completion after an edit and a line that is really run."""
    engine = Engine.at(workspace)
    shown = {"session": "s", "cwd": str(workspace), "workspace": str(workspace)}
    engine.decide({**shown, "hook": "session_start"})
    (workspace / "src/new.py").write_text("y = 1\n")
    edit = {
        "name": "Write",
        "kind": "write",
        "args": {"file_path": str(workspace / "src/new.py"), "content": "y = 1\n"},
    }
    for tool in (edit, {"name": "Bash", "kind": "shell", "args": {"command": line}}):
        engine.decide({**shown, "hook": "before_tool", "tool": {**tool, "id": tool["name"]}})
        result = {"ok": True, "status": "completed"}
        if tool is not edit:
            time.sleep(0.1)
            path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
            done = subprocess.run(
                ["bash", "-c", line], cwd=workspace, env={**os.environ, "PATH": path}, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr
            result |= {"exit_code": 0, "text": done.stdout + done.stderr}
        engine.decide({**shown, "hook": "after_tool", "tool": {**tool, "id": tool["name"]}, "result": result})
    return engine.decide({**shown, "hook": "before_completion", "answer": "done"}).verdict


@pytest.mark.parametrize(
    "line",
    [
        f"ruff format src && {PYTEST}",
        f"sed -i s/1/2/ src/app.py && {PYTEST} 2>&1 | tail -3",
        f"cat > src/app.py <<'E'\nx = 2\nE\n{PYTEST}",
        f"{INLINE}{PYTEST}",
        f"printf 'x = 5' > src/app.py && {PYTEST} && git add -A && git commit -qm x; echo done",
    ],
)
def test_a_run_behind_the_writes_of_its_line_is_of_what_they_wrote(workspace: Path, line: str) -> None:
    assert finish(workspace, line) == "allow"


@pytest.mark.parametrize(
    "line",
    [
        f"{PYTEST} && sed -i s/1/2/ src/app.py",
        f"sed -i s/1/2/ src/app.py && {PYTEST} && printf 'x = 5' >> src/app.py",
        f'printf "{WRITES_BACK}" > tests/test_z.py; {PYTEST}',
        f"sed -i s/1/2/ src/app.py; (sleep 0.3; printf 'x = 5' > src/new.py) & {PYTEST}; wait",
        f"trap 'printf \"x = 5\" > src/new.py' EXIT; sed -i s/1/2/ src/app.py; {PYTEST}",
        f"sed -i s/1/2/ src/app.py && {PYTEST} > out.txt",
    ],
)
def test_what_may_be_written_while_the_tests_run_or_later_is_not_tested(workspace: Path, line: str) -> None:
    assert finish(workspace, line) == "deny"


@pytest.mark.parametrize(
    "line", ["cat < x 2> y", "cat x > y >&2", "sed -ne s/i/j/p x", "sed -es/i/j/ x", "cat > /dev/tty"]
)
def test_what_prints_beside_a_run_is_not_quiet(workspace: Path, line: str) -> None:
    (workspace / "x").write_text("3 passed in 0.01s\n")
    assert finish(workspace, f"{line}; {PYTEST} 2>&1 | tail -3") == "deny"
