"""The shipped packs, through the command line: clean, tested in both directions, and imported by their names."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from policy_engine import cli

RULES = Path(__file__).resolve().parents[2] / "rules"
ALL = sorted(path.relative_to(RULES).with_suffix("").as_posix() for path in RULES.glob("*/*.policy"))
PACKS = [name for name in ALL if name != "compat/neocode"]  # to imitate it costs what it costs: see test_compat.py
SPEAKING = [name for name in PACKS if not name.startswith("claims/")]  # a claim decides nothing
IMPORTABLE = [name for name in PACKS if not name.startswith(("starter/", "compat/"))]

OWN = """\
language 1

define source = glob("src/**")
define tests = command("pytest -*")

rule tested "A change comes with a test run" {
  severity low
  on before_completion
  when wrote(source)
  require command_success(tests)
  warn "No test ran. Run `pytest`."

  test {
    write "src/a.txt"
    finish             => warn
    run "pytest" exit 0
    finish             => allow
  }
}
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository, also the current folder."""
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    folder = tmp_path / "proj"
    (folder / ".policy").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_is_clean_and_in_layout(name: str, workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = str(RULES / f"{name}.policy")
    assert cli.main(["check", "--format", "json", pack]) == 0
    assert json.loads(capsys.readouterr().out)["diagnostics"] == []
    assert cli.main(["fmt", "--check", pack]) == 0


@pytest.mark.parametrize("name", SPEAKING)
def test_the_tests_of_a_pack_pass_and_cover_every_rule(name: str, workspace: Path) -> None:
    assert cli.main(["test", "--coverage", "--min", "100", str(RULES / f"{name}.policy")]) == 0


def test_all_packs_together_are_clean(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    themes = [str(RULES / theme) for theme in ("acceptance", "loops", "security")]
    assert cli.main(["check", "--format", "json", *themes]) == 0
    assert json.loads(capsys.readouterr().out)["diagnostics"] == []


def test_a_repository_imports_every_pack_beside_its_own_rules(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imports = "".join(f'import "pack:{name}"\n' for name in IMPORTABLE)
    (workspace / "src").mkdir()
    (workspace / "src/a.txt").touch()
    (workspace / ".policy/main.policy").write_text(OWN.replace("language 1\n", f"language 1\n\n{imports}"))
    assert cli.main(["check"]) == 0
    assert "no findings" in capsys.readouterr().out


def test_packs_and_the_first_policy_define_no_name_twice() -> None:
    defined: dict[str, list[str]] = {}
    for path in sorted(RULES.glob("*/*.policy")):
        for name in re.findall(r"^define (\w+)", path.read_text(), re.MULTILINE):
            defined.setdefault(name, []).append(path.stem)
    assert {name: stems for name, stems in defined.items() if len(stems) > 1} == {}


def test_an_imported_pack_decides(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (workspace / ".policy/main.policy").write_text('language 1\n\nimport "pack:acceptance/tests-after-change"\n')
    tool = {"name": "Write", "kind": "write", "args": {"file_path": "src/app.py", "content": "a = 1\n"}}
    events = [
        {"hook": "after_tool", "tool": tool, "result": {"ok": True, "text": ""}},
        {"hook": "before_completion", "answer": "Done."},
        {"hook": "after_tool", "tool": shell("pytest -q"), "result": {"ok": True, "exit_code": 0, "text": "1 passed"}},
        {"hook": "before_completion", "answer": "Done."},
    ]
    lines = [json.dumps({"session": "s", "cwd": str(workspace), "workspace": str(workspace), **one}) for one in events]
    (workspace / "events.jsonl").write_text("\n".join(lines) + "\n")
    assert cli.main(["eval", "-p", ".policy", "--events", "events.jsonl"]) == 1
    decisions = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [decision["verdict"] for decision in decisions] == ["allow", "deny", "allow", "allow"]
    assert decisions[1]["rules"][0]["at"].startswith("pack:acceptance/tests-after-change:")


def shell(command: str) -> dict[str, Any]:
    """A call of the shell tool."""
    return {"name": "Bash", "kind": "shell", "args": {"command": command}}


def test_all_packs_named_by_a_relative_path_see_what_they_import(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RULES.parent)
    assert cli.main(["test", "rules"]) == 0
