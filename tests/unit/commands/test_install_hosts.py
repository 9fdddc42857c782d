"""`policy install` and `policy doctor` for every host: registered once, proven by canary, and taken out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from policy_engine import cli
from policy_engine.adapters.base import Adapter
from policy_engine.hosts.layers import layer
from policy_engine.model import family
from tests.unit.commands.codex_server import TOLD, put

HOSTS = [one for one in family.members("policy_engine.adapters", Adapter) if one.registration.form]
OWN = {"scripts", "plugin"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private home and a repository below it, which is the current folder."""
    (tmp_path / "project" / ".git").mkdir(parents=True)
    for name in [name for one in HOSTS for name, _ in one.registration.variables] + ["CODEX_HOME", "CLAUDE_CONFIG_DIR"]:
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "OPENCODE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    put(tmp_path / "bin")
    own = Path(sys.executable).parent  # `policy` is on the search path, as shared settings need it
    monkeypatch.setenv("PATH", os.pathsep.join((str(tmp_path / "bin"), str(own), os.environ["PATH"])))
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = cli.main(list(arguments))
    return status, capfd.readouterr().out


def files(folder: Path) -> dict[str, bytes]:
    """Every file of the hosts below a folder, but not what the engine itself keeps."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in found if "policy-engine/" not in str(path)}


@pytest.mark.parametrize("adapter", HOSTS, ids=lambda one: one.name)
@pytest.mark.parametrize("scope", ["user", "project"])
def test_two_commands_guard_and_one_takes_it_out_again(
    home: Path, capfd: pytest.CaptureFixture[str], adapter: Adapter, scope: str
) -> None:
    before = files(home)
    assert run(capfd, "install", adapter.name, "--scope", scope)[0] == 0
    installed = files(home)
    assert installed != before
    status, out = run(capfd, "doctor", adapter.name, "--format", "json")
    wrong = [row for row in json.loads(out)["checks"] if row["state"] != "ok"]
    assert (status, wrong) == (0, [])
    installed = files(home)
    run(capfd, "install", adapter.name, "--scope", scope)
    assert files(home) == installed
    assert run(capfd, "install", adapter.name, "--scope", scope, "--uninstall")[0] == 0
    (home / ".codex" / TOLD).unlink(missing_ok=True)
    assert files(home) == before


@pytest.mark.parametrize("adapter", HOSTS, ids=lambda one: one.name)
def test_shared_settings_name_no_path_of_this_machine(
    home: Path, capfd: pytest.CaptureFixture[str], adapter: Adapter
) -> None:
    run(capfd, "install", adapter.name, "--scope", "project")
    text = b"".join(text for name, text in files(home / "project").items() if ".git/" not in name)
    assert sys.prefix.encode() not in text and str(home).encode() not in text and b"policy hook" in text


def test_who_lacks_the_engine_is_refused_and_told_how_to_get_it(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(capfd, "install", "claude-code", "--scope", "project", "--obtain", "brew install it's")
    settings = json.loads((home / "project" / ".claude" / "settings.json").read_text())
    for event in ("UserPromptSubmit", "PreToolUse", "Stop"):
        line = settings["hooks"][event][0]["hooks"][0]["command"]
        ran = subprocess.run(["/bin/sh", "-c", line], env={"PATH": "/usr/bin:/bin"}, capture_output=True, input=b"{}")
        assert ran.returncode == 2
        assert ran.stderr.decode() == (
            "policy: in this repository coding agents act only under the rules in its folder .policy, and the program"
            " that reads them is not installed here, outside of the repository. Install it (brew install it's), then"
            " try again.\n"
        )
    assert run(capfd, "doctor", "claude-code")[0] == 0


def test_local_settings_are_one_persons_own(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out = run(capfd, "install", "claude-code", "--scope", "local")
    assert (status, ".claude/settings.local.json >> .git/info/exclude" in out) == (0, True)
    assert sys.prefix in (home / "project" / ".claude" / "settings.local.json").read_text() or "hook.py" in out
    assert run(capfd, "doctor", "claude-code")[0] == 0
    (home / "project" / ".gitignore").write_text("*.local.json\n")
    run(capfd, "install", "claude-code", "--scope", "local", "--uninstall")
    assert "exclude" not in run(capfd, "install", "claude-code", "--scope", "local")[1]
    assert run(capfd, "install", "gemini", "--scope", "local")[0] == 2


@pytest.mark.parametrize(
    "adapter", [one for one in HOSTS if one.registration.form not in OWN], ids=lambda one: one.name
)
def test_what_others_registered_stays(home: Path, capfd: pytest.CaptureFixture[str], adapter: Adapter) -> None:
    registration = adapter.registration
    event = registration.events[0][0]
    theirs: dict[str, object] = {registration.command: "lint"}
    group = {"hooks": [theirs]} if registration.form == "nested" else theirs
    path = layer(registration, "user", home / "project").path
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"theme": "dark", **registration.head, "hooks": {event: [group]}}))
    before = path.read_bytes()
    run(capfd, "install", adapter.name)
    after = json.loads(path.read_text())
    assert (after["theme"], after["hooks"][event][0]) == ("dark", group)
    run(capfd, "install", adapter.name, "--uninstall")
    assert path.read_bytes() == before


def test_a_script_of_another_hand_stays(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = home / ".cline" / "hooks" / "PreToolUse"
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\nexit 0\n")
    assert run(capfd, "install", "cline")[0] == 2
    assert path.read_text() == "#!/bin/sh\nexit 0\n"


def test_a_host_without_settings_prints_the_line_to_register(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["install", "generic"]) == 0
    assert "hook.py generic" in capfd.readouterr().out


def test_the_executable_refuses_by_itself_where_the_engine_is_gone(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(capfd, "install", "cline")
    path = home / ".cline" / "hooks" / "PreToolUse"
    assert os.access(path, os.X_OK)
    path.write_text(path.read_text().replace("hook.py", "gone.py"))
    ran = subprocess.run([path], input=b"{}", capture_output=True, check=False)
    assert json.loads(ran.stdout)["cancel"] is True


@pytest.mark.parametrize(
    "change", [("policy hook", "touch sprung; policy hook"), ("Install it (", "Install it ('; touch sprung; echo '")]
)
def test_the_doctor_runs_no_shared_line_that_somebody_changed(
    home: Path, capfd: pytest.CaptureFixture[str], change: tuple[str, str]
) -> None:
    run(capfd, "install", "claude-code", "--scope", "project")
    settings = home / "project" / ".claude" / "settings.json"
    settings.write_text(settings.read_text().replace(*change))
    status, out = run(capfd, "doctor", "claude-code", "--format", "json")
    assert (status, "comes with the repository" in out or "no settings of" in out) == (1, True)
    assert not list(home.rglob("sprung"))


def test_a_program_of_the_repository_does_not_stand_in_for_the_engine(
    home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capfd, "install", "claude-code", "--scope", "project")
    settings = json.loads((home / "project" / ".claude" / "settings.json").read_text())
    line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    own = home / "project" / "bin"
    own.mkdir()
    (own / "policy").write_text("#!/bin/sh\nexit 0\n")
    (own / "policy").chmod(0o755)
    environment = {"PATH": f"{own}:{os.environ['PATH']}", "HOME": str(home)}
    ran = subprocess.run(["/bin/sh", "-c", line], env=environment, capture_output=True, input=b"{}", check=False)
    assert (ran.returncode, b"outside of the repository" in ran.stderr) == (2, True)
