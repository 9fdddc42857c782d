"""Honest work with the real clients, in the idioms of recorded sessions, is not interrupted and its finish accepted."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.clients.hosts.base import Client, clients
from tests.clients.models.base import Turn
from tests.clients.packages import Absent, offline
from tests.clients.runs import ROOT, FileSystem

HOSTS = ("claude-code", "codex")
INTERRUPTS = ("ask", "deny", "stop")
FILES = {
    "README.md": "# Totals\n",
    ".gitignore": ".env\n.venv/\n__pycache__/\n",
    ".env": "API_KEY=1\n",
    "pyproject.toml": "[project]\nname = 'totals'\nversion = '1'\n[tool.pytest.ini_options]\ntestpaths = ['tests']\n",
    "src/words.py": "def total(words):\n    return len(words)\n",
    "tests/test_totals.py": (
        "import sys\nsys.path.insert(0, 'src')\nfrom totals import total\n\n\ndef test_total():\n"
        "    assert total([1, 2]) == 3\n"
    ),
}
LOOKING = (
    "git status --short --branch && git log --oneline -3",
    "ls -la && cat README.md | head -20 && sed -n '1,40p' src/words.py",
    "rg --files -g '!*.pyc' 2>/dev/null || git ls-files | head -50",
    "find . -name '*.py' -not -path './.venv/*' -exec grep -ln total {} +",
    "git ls-files '*.py' | xargs wc -l | tail -1",
    'for f in $(git ls-files \'*.py\'); do echo "== $f"; head -5 "$f"; done',
    'grep -rl total src tests | while read -r f; do grep -n total "$f"; done',
    "python3 - <<'PY'\nimport pathlib\nprint(len(pathlib.Path('src/words.py').read_text()))\nPY",
    'python3 -c "import ast,sys; [ast.parse(open(f).read()) for f in sys.argv[1:]]" src/totals.py',
    'export PATH="$HOME/.local/bin:$PATH"; command -v python3; git branch --show-current',
)
WORKING = (
    'T=$(mktemp -d) && cp -r src tests "$T" && ls "$T" && rm -rf "$T"',
    "mkdir -p build dist && touch build/x && rm -rf build dist .pytest_cache",
    "kill $(lsof -ti:3000) 2>/dev/null || true; pkill -f 'http.server 3917' || true",
    "cat > notes.txt <<'EOF'\n- `rm -rf` of stale folders is no longer needed\n- set API_KEY in .env\nEOF",
    ".venv/bin/pytest -q --cov=src 2>&1 | tail -5",
    "sed -i.bak 's/# Totals/# Totals of values/' README.md && rm README.md.bak",
    ".venv/bin/pytest -q",
    "git add -A && git commit -q -m \"$(cat <<'EOF'\nSum the values\n\nNo `rm` of the stub is needed.\nEOF\n)\"",
    'BASE=$(git rev-parse HEAD~1); git diff --stat "$BASE"; git log -1 --format=%H',
)


def project(at: FileSystem) -> None:
    """Put a small project with a repository and an environment of its own into the workspace."""
    for name, text in FILES.items():
        at.write(name, text)
    runner = at.write(".venv/bin/pytest", f'#!/bin/sh\nexec {sys.executable} -m pytest -p no:cacheprovider "$@"\n')
    runner.chmod(0o755)
    settings = ("-c", "user.name=dev", "-c", "user.email=dev@x.example")
    for words in (("init", "-q"), ("add", "-A"), (*settings, "commit", "-q", "-m", "Begin")):
        subprocess.run(["git", *words], cwd=at.workspace, env=at.environment(), check=True, capture_output=True)
    for words in (("config", "user.name", "dev"), ("config", "user.email", "dev@x.example")):
        subprocess.run(["git", *words], cwd=at.workspace, env=at.environment(), check=True)


def session(client: Client, at: FileSystem) -> list[Turn]:
    """Twenty calls: what is there, a change, its tests, a commit; and the claim to be done."""
    fixed = client.save(at.workspace / "src/totals.py", "def total(values):\n    return sum(values)\n")
    return [*map(client.run, LOOKING), fixed, *map(client.run, WORKING), "The total is right; the tests pass."]


def interruptions(at: FileSystem) -> list[tuple[str, str, Any]]:
    """What was asked or refused: the point, the rule and what was meant."""
    records = [record for record in at.log() if record["verdict"] in INTERRUPTS]
    return [(one["hook"], rule["rule"], rule.get("message")) for one in records for rule in one["rules"]]


def entered(host: str, folder: Path, policy: str) -> FileSystem:
    """A fresh world for a coding agent; where its program is missing a failure, or a skip, that says why."""
    client = next(client for client in clients() if client.host == host)
    try:
        return FileSystem(client, folder, policy)
    except Absent as why:
        (pytest.skip if offline() else pytest.fail)(f"{client.host}: {why}")


@pytest.mark.parametrize("host", HOSTS)
def test_honest_work_is_not_interrupted_by_what_init_writes(host: str, tmp_path: Path) -> None:
    at = entered(host, tmp_path, "language 1\n")
    shutil.rmtree(at.workspace / ".policy")
    project(at)
    assert at.policy("init").returncode == 0
    at.install()
    script = session(at.client, at)
    assert len(script) == 21
    run = at.play([*script, "asked once too often"])
    assert interruptions(at) == [], run.output
    assert run.status == 0 and not run.heard("The total is right"), run.output
    assert sum(record["hook"] == "before_tool" for record in at.log()) >= 20


@pytest.mark.parametrize("host", HOSTS)
def test_honest_work_is_interrupted_at_most_once_by_all_guards(host: str, tmp_path: Path) -> None:
    packs = [f"{kind}/{path.stem}" for kind in ("security", "loops")
             for path in sorted((ROOT / "rules" / kind).glob("*.policy"))
             if path.stem != "readonly-autoallow"]  # which asks about all that is not known to read  # fmt: skip
    at = entered(host, tmp_path, "language 1\n" + "".join(f'import "pack:{name}"\n' for name in packs))
    project(at)
    at.install()
    run = at.play([*session(at.client, at), "asked once too often"])
    assert sum(record["verdict"] in INTERRUPTS for record in at.log()) <= 1, interruptions(at)
    assert run.status == 0, run.output
