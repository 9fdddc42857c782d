"""`policy install` changes one settings file and says so; `policy doctor` proves that a denial arrives."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from policy_engine import cli
from policy_engine.adapters.claude_code import ADAPTER
from policy_engine.hosts.layers import own_command
from policy_engine.hosts.registration import parts

COMMAND = own_command("claude-code")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private home and a repository below it, which is the current folder."""
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    for name in ("CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SIMPLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(project)
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = cli.main(list(arguments))
    out, err = capfd.readouterr()
    return status, out, err


def doctor(capfd: pytest.CaptureFixture[str]) -> tuple[int, dict[str, list[str]]]:
    """The status, and per check the messages that are not ok."""
    status, out, _ = run(capfd, "doctor", "claude-code", "--format", "json")
    report = json.loads(out)
    assert report["live"] is (status == 0)
    wrong: dict[str, list[str]] = {}
    for row in report["checks"]:
        if row["state"] != "ok":
            wrong.setdefault(row["check"], []).append(row["message"])
    return status, wrong


def change(home: Path, **settings: Any) -> None:
    path = home / ".claude" / "settings.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **settings}))


def rewrite(home: Path, event: str, **keys: Any) -> None:
    path = home / ".claude" / "settings.json"
    settings = json.loads(path.read_text())
    settings["hooks"][event][0]["hooks"][0].update(keys)
    path.write_text(json.dumps(settings))


def command(home: Path, text: str) -> None:
    for event, _ in ADAPTER.registration.events:
        rewrite(home, event, command=text)


def test_help_has_an_example(capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("install", "doctor"):
        status, out, _ = run(capfd, name, "--help")
        assert (status, f"Example: policy {name}" in out) == (0, True)


def test_an_installed_hook_is_live_and_uninstalling_leaves_no_trace(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = b'{"model":"x",  "hooks": {"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}'
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(before)
    status, out, _ = run(capfd, "install", "claude-code", "--format", "json")
    report = json.loads(out)
    assert (status, report["changed"], report["command"], report["backup"]) == (
        0,
        True,
        COMMAND,
        f"{path}.before-policy-engine",
    )
    assert report["events"] == ["Stop", *(event for event, _ in ADAPTER.registration.events if event != "Stop")]
    assert json.loads(path.read_bytes())["model"] == "x"
    assert doctor(capfd) == (0, {})
    assert json.loads(run(capfd, "install", "claude-code", "--format", "json")[1])["changed"] is False
    assert run(capfd, "install", "claude-code", "--uninstall")[0] == 0
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == ["settings.json"]
    assert doctor(capfd)[0] == 1


def test_the_project_scope_writes_into_the_repository_around_the_folder(
    home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    below = home / "project" / "src" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    assert run(capfd, "install", "claude-code", "--scope", "project")[0] == 0
    assert (home / "project" / ".claude" / "settings.json").is_file()
    assert not (home / ".claude").exists()
    assert doctor(capfd) == (0, {})


def test_a_dry_run_shows_the_change_and_makes_none(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capfd, "install", "claude-code", "--dry-run")
    assert status == 0
    assert '+            "command": ' + json.dumps(COMMAND) in out
    assert not (home / ".claude").exists()


def test_a_malformed_settings_file_is_refused_with_2_and_left_alone(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    for data in (b'{"hooks": {', b'{"hooks": []}', b'{"a":1,"a":2}'):
        path.write_bytes(data)
        status, out, err = run(capfd, "install", "claude-code")
        assert (status, out) == (2, "")
        assert err.startswith("error: ")
        assert path.read_bytes() == data
        assert doctor(capfd)[0] == 1


def test_an_unknown_host_is_refused_with_the_nearest_name(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("install", "doctor"):
        status, _, err = run(capfd, name, "claude-cod")
        assert (status, "did you mean `claude-code`?" in err) == (2, True)


def test_without_a_home_the_user_scope_is_refused(
    home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "relative")
    assert run(capfd, "install", "claude-code")[0] == 2


def test_the_registered_command_denies_in_a_hostile_folder_with_a_bare_environment(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(capfd, "install", "claude-code")
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    for name in ("json", "posix", "policy_engine", "sitecustomize", "_json"):
        (home / "project" / f"{name}.py").write_text("raise SystemExit(0)\n")
    payload = {**ADAPTER.canary("PreToolUse", "/"), "session_id": "s"}
    ran = subprocess.run(
        ("/bin/sh", "-c", line), input=json.dumps(payload).encode(), capture_output=True,
        cwd=home / "project",
        env={"PYTHONPATH": str(home / "project"), "PYTHONSTARTUP": "json.py", "LC_ALL": "C"},
        check=False,
    )  # fmt: skip
    assert ran.returncode == 2
    assert json.loads(ran.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_the_doctor_names_switches_that_disarm(
    home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capfd, "install", "claude-code")
    change(home, disableAllHooks=True)
    assert doctor(capfd)[1].keys() == {"switches"}
    change(home, disableAllHooks=False)
    local = home / "project" / ".claude" / "settings.local.json"
    local.parent.mkdir()
    local.write_text('{"disableAllHooks": true}')
    status, wrong = doctor(capfd)
    assert (status, list(wrong)) == (1, ["switches"])
    assert str(local) in wrong["switches"][0]
    local.write_text("{")
    assert list(doctor(capfd)[1]) == ["readable"]
    local.unlink()
    monkeypatch.setenv("CLAUDE_CODE_SIMPLE", "1")
    assert "CLAUDE_CODE_SIMPLE" in doctor(capfd)[1]["switches"][0]


@pytest.mark.parametrize(
    ("event", "keys", "status", "check"),
    [
        ("PreToolUse", {"async": True}, 1, "handlers"),
        ("PreToolUse", {"if": "Bash(git *)"}, 1, "handlers"),
        ("PreToolUse", {"type": "prompt"}, 1, "handlers"),
        ("PreToolUse", {"timeout": 1}, 0, "handlers"),
        ("PreToolUse", {"onFailure": "continue"}, 0, "handlers"),
        ("PreToolUse", {"command": "true"}, 1, "events"),
        ("PostCompact", {"command": "true"}, 0, "events"),
    ],
)
def test_the_doctor_names_handlers_that_cannot_refuse(
    home: Path, capfd: pytest.CaptureFixture[str], event: str, keys: dict[str, Any], status: int, check: str
) -> None:
    run(capfd, "install", "claude-code")
    rewrite(home, event, **keys)
    found, wrong = doctor(capfd)
    assert (found, list(wrong)) == (status, [check])
    assert event in wrong[check][0]


def test_the_doctor_names_a_matcher_that_leaves_tools_out(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(capfd, "install", "claude-code")
    path = home / ".claude" / "settings.json"
    settings = json.loads(path.read_text())
    settings["hooks"]["PreToolUse"][0]["matcher"] = "Bash"
    path.write_text(json.dumps(settings))
    assert doctor(capfd) == (1, {"events": ["PreToolUse is registered for `Bash` only"]})


def script(home: Path, body: str) -> str:
    """A stand-in for the hook script, in a folder of the name that makes it ours."""
    path = home / "other" / "policy_engine" / "hook.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(body)
    return shlex.join((sys.executable, "-I", "-S", str(path), "claude-code"))


DENIAL = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}'
TAKEN = "PreToolUse: the host would not take this for a refusal (status {})"


def test_the_doctor_names_a_policy_that_does_not_load(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(capfd, "install", "claude-code")
    policy = home / "project" / ".policy" / "main.policy"
    policy.parent.mkdir()
    good = 'language 1\n\nrule a {\n  severity low\n  on before_tool(shell)\n  deny "no"\n}\n'
    for text, says in (("rule", "does not load"), (good, None), ("rule", "stays in force"), (good, None)):
        policy.write_text(text)
        status, wrong = doctor(capfd)
        assert (status, list(wrong)) == ((0, []) if says is None else (1, ["canary"]))
        assert says is None or says in wrong["canary"][0]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("pass", TAKEN.format(0)),
        ("raise ValueError", TAKEN.format(1)),
        ("import sys; sys.stderr.write('E-CANARY'); sys.exit(2)", TAKEN.format(2)),
        (f"import sys; print('hi'); print('{DENIAL}'); sys.stderr.write('E-CANARY'); sys.exit(2)", TAKEN.format(2)),
        (f"import sys; print('{DENIAL}'); sys.stderr.write('E-INTERNAL'); sys.exit(2)", "because the engine fails"),
    ],
)
def test_the_canary_finds_a_hook_that_answers_wrongly(
    home: Path, capfd: pytest.CaptureFixture[str], body: str, says: str
) -> None:
    run(capfd, "install", "claude-code")
    command(home, script(home, body))
    status, wrong = doctor(capfd)
    assert status == 1
    assert any(says in message for message in wrong["canary"])


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("python3 -I -S {script} claude-code", "depends on the working directory or on PATH"),
        ("/nowhere/python3 -I -S {script} claude-code", "is missing or not executable"),
        ("{python} -I -S /nowhere/policy_engine/hook.py claude-code", "is missing or not readable"),
        ("{python} {script} claude-code", "is not isolated"),
        ("{python} -I -S {script} claude-code", "lets the call run if the interpreter goes away"),
    ],
)
def test_the_doctor_reads_the_command_line(home: Path, capfd: pytest.CaptureFixture[str], line: str, says: str) -> None:
    run(capfd, "install", "claude-code")
    ours = parts(COMMAND, "claude-code")
    assert ours is not None
    command(home, line.format(python=ours.interpreter, script=ours.script))
    status, wrong = doctor(capfd)
    assert status == 1
    assert says in wrong["command"][0]


def test_the_doctor_runs_nothing_that_comes_with_the_repository(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(capfd, "install", "claude-code", "--scope", "local")
    settings = home / "project" / ".claude" / "settings.local.json"
    trap = f"touch {shlex.quote(str(home / 'sprung'))}; {COMMAND}"
    text = settings.read_text()
    settings.write_text(text.replace(json.dumps(COMMAND), json.dumps(trap)))
    status, wrong = doctor(capfd)
    assert (status, not (home / "sprung").exists()) == (1, True)
    assert "comes with the repository" in wrong["canary"][0]


def test_a_settings_file_keeps_its_mode(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text("{}")
    path.chmod(0o644)
    run(capfd, "install", "claude-code")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


@pytest.mark.parametrize(("environment", "warned"), [("archive/x", True), ("", False)])
def test_an_engine_in_a_cache_is_warned_about(
    home: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    environment: str,
    warned: bool,
) -> None:
    cache = home / "cache"
    script = cache / environment / "lib" / "hook.py"
    script.parent.mkdir(parents=True)
    script.touch()
    (cache / "CACHEDIR.TAG").touch()
    (cache / environment / "pyvenv.cfg").touch()
    monkeypatch.setattr("policy_engine.commands.install.hook_script", lambda: str(script))
    _, out, _ = run(capfd, "install", "claude-code")
    assert (f"warning: the engine lies in {cache}, a cache" in out) is warned
