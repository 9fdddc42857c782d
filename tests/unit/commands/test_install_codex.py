"""Codex runs only hooks that it was told to trust: `policy install` tells it, `policy doctor` asks it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from policy_engine import cli
from tests.unit.commands.codex_server import TOLD, put

SILENT = {
    "no answer": "#!{python}\n",
    "no JSON": '#!{python}\nprint("hello", flush=True)\ninput()\n',
    "no object": '#!{python}\nprint("[]", flush=True)\ninput()\n',
    "an error": """#!{python}
import json
print(json.dumps({{"id": json.loads(input())["id"], "error": {{"message": "unknown variant"}}}}), flush=True)
""",
    "another form": """#!{python}
import json, sys
for line in sys.stdin:
    print(json.dumps({{"id": json.loads(line).get("id"), "result": {{"hooks": 3}}}}), flush=True)
""",
    "no end": "#!{python}\nimport time\ntime.sleep(600)\n",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private home with a repository below it, and Codex on the PATH."""
    (tmp_path / "project" / ".git").mkdir(parents=True)
    for name in ("CODEX_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    put(tmp_path / "bin")
    own = Path(sys.executable).parent  # where settings that a team shares find `policy`
    monkeypatch.setenv("PATH", os.pathsep.join((str(tmp_path / "bin"), str(own), "/usr/bin", "/bin")))
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = cli.main(list(arguments))
    return status, capfd.readouterr().out


def consent(capfd: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """The status of `policy doctor codex`, and what it says of trust."""
    status, out = run(capfd, "doctor", "codex", "--format", "json")
    rows = [row for row in json.loads(out)["checks"] if row["check"] == "consent"]
    return status, [f"{row['state']}: {row['message']}" for row in rows]


@pytest.mark.parametrize("scope", ["user", "project"])
def test_an_installed_hook_is_trusted_and_forgotten_with_it(
    home: Path, capfd: pytest.CaptureFixture[str], scope: str
) -> None:
    status, out = run(capfd, "install", "codex", "--scope", scope)
    assert (status, "codex was told to trust these hooks (11)" in out, "type /hooks" in out) == (0, True, False)
    status, said = consent(capfd)
    assert (status, said[0].startswith("ok: codex trusts the hooks of ")) == (0, True)
    told = home / ".codex" / TOLD
    assert len(json.loads(told.read_text())) == 11
    assert "was told to forget them (11)" in run(capfd, "install", "codex", "--scope", scope, "--uninstall")[1]
    assert json.loads(told.read_text()) == {}


def test_a_hook_that_changed_since_is_found_and_trusted_again(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(capfd, "install", "codex")
    settings = home / ".codex" / "hooks.json"
    settings.write_text(settings.read_text().replace('"timeout": 60', '"timeout": 70'))
    status, said = consent(capfd)
    assert (status, "are not what it was told to trust" in said[0]) == (1, True)
    run(capfd, "install", "codex")
    assert consent(capfd)[0] == 0


def test_a_hook_that_nobody_trusts_is_found_and_one_that_is_registered_already_is_trusted(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(capfd, "install", "codex")
    (home / ".codex" / TOLD).unlink()
    status, said = consent(capfd)
    assert (status, "were never trusted" in said[0]) == (1, True)
    out = run(capfd, "install", "codex")[1]
    assert "nothing to change" in out and "was told to trust" in out
    assert consent(capfd)[0] == 0


def test_a_hook_that_is_switched_off_is_found(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(capfd, "install", "codex")
    (home / ".codex" / f"{TOLD}.off").touch()
    status, said = consent(capfd)
    assert (status, "are switched off in codex" in said[0]) == (1, True)


def test_a_project_that_codex_does_not_trust_is_named(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = put(home / "bin")
    program.write_text(program.read_text().replace('for one in params["cwds"]', "").replace("in folders)", "in ())"))
    assert "does not read these hooks" in run(capfd, "install", "codex", "--scope", "project")[1]
    status, said = consent(capfd)
    assert (status, "does not read all hooks" in said[0]) == (1, True)


@pytest.mark.parametrize("kind", SILENT)
def test_a_codex_that_cannot_be_asked_leaves_it_to_a_person(
    home: Path, capfd: pytest.CaptureFixture[str], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("policy_engine.hosts.consents.SECONDS", 1)
    monkeypatch.setattr("policy_engine.hosts.consents._PARTING", 1)
    put(home / "bin", SILENT[kind])
    status, out = run(capfd, "install", "codex")
    assert (status, "could not be told to trust these hooks" in out, "type /hooks" in out) == (0, True, True)
    status, said = consent(capfd)
    assert (status, "was not told to trust the hooks" in said[0]) == (1, True)


def test_without_codex_what_is_written_down_is_not_known_to_hold(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (home / "bin" / "codex").unlink()
    assert "no program `codex` on the PATH" in run(capfd, "install", "codex")[1]
    settings = home / ".codex" / "hooks.json"
    keys = ["".join(f"_{char.lower()}" if char.isupper() else char for char in name) for name in json_events(settings)]
    table = "".join(f'[hooks.state."{settings}:{key[1:]}:0:0"]\ntrusted_hash = "sha256:0"\n' for key in keys)
    settings.with_name("config.toml").write_text(table)
    status, said = consent(capfd)
    assert (status, said[0].startswith("warning: whether codex trusts")) == (0, True)


def json_events(settings: Path) -> list[str]:
    return list(json.loads(settings.read_text())["hooks"])


def test_a_codex_in_the_repository_is_not_started(
    home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(home / "project" / "bin")
    monkeypatch.setenv("PATH", str(home / "project" / "bin"))
    assert "lies in the repository" in run(capfd, "install", "codex")[1]
    assert not (home / ".codex" / TOLD).exists()


def test_a_dry_run_tells_codex_nothing(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(capfd, "install", "codex", "--dry-run")
    assert not (home / ".codex").exists()
