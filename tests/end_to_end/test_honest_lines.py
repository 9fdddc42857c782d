"""Lines of an ordinary day, in the idioms of people and agents: the shipped guards let them pass, but for a few."""

from __future__ import annotations

import json
import subprocess
import venv
from pathlib import Path

import pytest

from policy_engine import Engine

ROOT = Path(__file__).parents[2]
LINES = [text.strip("\n") for text in (ROOT / "tests/data/honest_lines.txt").read_text("utf-8").split("\n%%\n")]
FILES = {
    "package.json": json.dumps({"name": "app", "scripts": {"test": "vitest run", "build": "tsc", "dev": "vite"}}),
    "pyproject.toml": "[project]\nname = 'app'\nversion = '1'\n", "src/app.py": "x = 1\n", "src/util.py": "y = 1\n",
    "src/api/a.ts": "x\n", "tests/test_app.py": "def test(): pass\n", ".env": "API_KEY=1\n",
    ".env.example": "API_KEY=\n",
    ".gitignore": ".env\nnode_modules\n", "Makefile": "all:\n\ttrue\nlint:\n\ttrue\n", "go.mod": "module x\n",
    "scripts/check.sh": "#!/bin/sh\nruff check .\n", "scripts/gen.sh": '#!/bin/sh\necho 1 > "$1/a"\n',
    "README.md": "# x\n", "CHANGELOG.md": "# c\n",
    "packages/web/package.json": "{}", "docker-compose.yml": "services:\n  api:\n    build: .\n",
}  # fmt: skip
ASKED = {  # the beginnings of lines that a person is asked about, with what the guard cannot know
    "cp .env.example .env": "the settings of this machine are overwritten",
    "terraform show -json": "the state may hold secrets",
    "rg -n --hidden": "the environment file is hidden, not left out",
    'echo "PATH=$PATH"': "variables of the environment are printed",
    "npx prisma generate": "data of the database may be lost",
    "git diff --name-only --diff-filter": "a name that git prints may be an option",
    "git mv src/util.py": "a name that `grep -l` prints may be an option",
    "gofmt -l $(git ls-files": "a name that git prints may be an option",
    'psql "$DATABASE_URL" -Atc': "the variable may be an option",
    "rg -l 'createStore'": "which files are read is not known",
    "apt-get update": "packages of the machine are installed",
    "brew list": "packages of the machine are installed",
    "uv add 'httpx": "a package of others comes in",
    "cargo add serde": "a package of others comes in",
    "mkdir -p /tmp/try && cd /tmp/try && npm init": "a package of others comes in, and its set-up is run",
    "tar czf": "the archive takes the environment file along",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "app"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / ".venv/bin").mkdir(parents=True)
    script = Path(venv.__file__).parent / "scripts/common/activate"  # of which `python -m venv` makes a copy
    text = script.read_text("utf-8").replace("__VENV_BIN_NAME__", "bin").replace("__VENV_PROMPT__", "(app) ")
    (root / ".venv/bin/activate").write_text(text.replace("__VENV_DIR__", str(root / ".venv")))
    for words in (("init", "-q", "-b", "feature/x"), ("add", "-A")):
        subprocess.run(["git", *words], cwd=root, check=True)
    return root


def interrupted(workspace: Path) -> list[str]:
    """The lines that are asked about or refused."""
    engine = Engine.at(workspace)
    found = []
    for number, line in enumerate(LINES):
        decision = engine.decide(
            {
                "hook": "before_tool",
                "session": f"s-{number}",
                "cwd": str(workspace),
                "workspace": str(workspace),
                "tool": {"name": "Bash", "kind": "shell", "args": {"command": line}},
            }
        )
        if decision.verdict in ("ask", "deny", "stop"):
            found.append(line)
    return found


def test_the_security_packs_let_an_ordinary_day_pass(workspace: Path) -> None:
    packs = sorted(path.stem for path in (ROOT / "rules/security").glob("*.policy"))
    imports = [f'import "pack:security/{name}"\n' for name in packs if name != "readonly-autoallow"]
    (workspace / ".policy").mkdir()
    (workspace / ".policy/main.policy").write_text("language 1\n" + "".join(imports))
    found = interrupted(workspace)
    assert [line for line in found if not line.startswith(tuple(ASKED))] == []
    assert len(found) <= len(ASKED)


def test_what_init_writes_lets_an_ordinary_day_pass(workspace: Path) -> None:
    from click.testing import CliRunner

    from policy_engine.commands.init import COMMAND

    assert CliRunner().invoke(COMMAND, [str(workspace)]).exit_code == 0
    assert [line for line in interrupted(workspace) if not line.startswith(tuple(ASKED))] == []
