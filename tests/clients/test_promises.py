"""What we promise of a host, with the real client: files on disk prove what ran, the log what was decided."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.clients.hosts.base import Client
from tests.clients.models.base import TASK, Call, Turn
from tests.clients.runs import CHECKED, NO_PROMPT, STOPPING, FileSystem

Enter = Callable[..., FileSystem]
SECRET = "4f1c-do-not-read"  # what must not reach the model


def script(client: Client, denied: list[Turn], allowed: Turn) -> list[Turn]:
    """Both, and the end; a client whose run ends with a refusal is given it last."""
    return [allowed, *denied, "done"] if client.aborts else [*denied, allowed, "done"]


@pytest.mark.cell("before_tool refuses")
def test_denied_calls_are_not_made_and_allowed_ones_are(client: Client, enter: Enter, scope: str) -> None:
    at = enter()
    at.write("closed/secret.txt", f"{SECRET}\n")
    at.write("open.txt", "what may be read\n")
    at.install(scope)
    shell = [client.run("touch denied.txt"), client.run("printf x > allowed.txt")]
    read = [client.show(at.workspace / name) for name in ("closed/secret.txt", "open.txt")]
    write = [client.save(at.workspace / name, "x\n") for name in ("closed/denied.txt", "allowed.md")]
    together = [*shell, *read, *write, "done"]
    scripts = [[*reversed(pair), "done"] for pair in (shell, read, write)] if client.aborts else [together]
    runs = [at.play(script) for script in scripts]
    assert (at.workspace / "allowed.txt").exists() and (at.workspace / "allowed.md").exists(), runs
    assert not (at.workspace / "denied.txt").exists() and not (at.workspace / "closed/denied.txt").exists()
    told = [text for run in runs for text in run.told]
    assert "what may be read" in str(told) and SECRET not in str(told)
    assert "NO-TOUCH" in str(told)
    assert client.aborts or ("stays as it is" in str(told) and "is not read" in str(told))
    points, rules = zip(*at.refusals(), strict=True)
    assert set(points) == {"before_tool"}
    assert rules[::2] == ("no-touch", "closed-files") and rules[1] in ("closed-reading", "closed-listing")


@pytest.mark.cell("before_tool refuses")
@pytest.mark.parametrize("place", ["nested", "outside"])
def test_the_folder_of_a_call_chooses_no_policies(client: Client, enter: Enter, place: str, tmp_path: Path) -> None:
    if client.run_in is None:
        pytest.skip(f"the shell tool of {client.host} takes no folder")
    at = enter()
    folder = at.workspace / "sub" if place == "nested" else tmp_path / "elsewhere"
    (folder / ".git").mkdir(parents=True)
    (folder / ".policy").mkdir()
    (folder / ".policy" / "main.policy").write_text("language 1\n")
    at.install("user")
    run = at.play([client.run_in("touch denied.txt", folder), client.run_in("printf x > allowed.txt", folder), "done"])
    assert (folder / "allowed.txt").exists(), run.output
    assert not (folder / "denied.txt").exists()
    assert at.refusals() == [("before_tool", "no-touch")]


@pytest.mark.cell("before_completion refuses")
def test_who_finishes_too_early_is_sent_on_and_then_accepted(client: Client, enter: Enter) -> None:
    at = enter()
    at.install()
    write = client.save(at.workspace / "src/a.py", "a = 1\n")
    note = client.save(at.workspace / "notes.md", "done\n")
    run = at.play([write, "finished too early", note, "finished well", "asked once too often"])
    assert run.status == 0 and "finished well" in run.output, run.output
    assert run.heard("NOT-NOTED") and not run.heard("finished well")
    assert at.refusals() == [("before_completion", "noted")]
    assert (at.workspace / "notes.md").exists()


@pytest.mark.cell("exit status")
def test_an_exit_status_proves_a_check(client: Client, enter: Enter) -> None:
    at = enter(CHECKED)
    at.install()
    begun = client.save(at.workspace / "src/a.py", "x = 1\n")
    failed, passed = client.run("test -f src/a.py && exit 3"), client.run("test -f src/a.py")
    early, late = client.run("cp src/a.py early.py"), client.run("cp src/a.py late.py")
    run = at.play([begun, early, failed, early, passed, late, "done"])
    assert (at.workspace / "late.py").exists(), run.output
    assert not (at.workspace / "early.py").exists()
    assert at.refusals() == [("before_tool", "checked")] * 2


@pytest.mark.cell("before_tool refuses")
def test_a_sub_agent_is_held_like_its_master(client: Client, enter: Enter) -> None:
    at = enter()
    at.install()
    shell = client.nested_run or client.run
    sub = [shell("touch denied.txt"), shell("printf x > allowed.txt"), client.last]
    run = at.play([client.delegate(TASK), *client.awaiting, "done"], sub)
    assert (at.workspace / "allowed.txt").exists(), run.output
    assert not (at.workspace / "denied.txt").exists()
    assert run.heard("NO-TOUCH")
    assert at.refusals() == [("before_tool", "no-touch")]


@pytest.mark.cell("before_tool refuses")
def test_the_settings_with_the_hook_stay_as_they_are(client: Client, enter: Enter, scope: str) -> None:
    at = enter()
    settings = at.install(scope)
    file = next(path for path in sorted(settings.iterdir()) if "Tool" in path.name) if settings.is_dir() else settings
    before = hooks(file)
    by_shell = [client.run(f"printf '{{}}' > {file}"), client.run(f"rm -f {file}")]
    # some clients let nobody write what was not read
    by_tool = [client.show(file), client.save(file, "{}\n")]
    run = at.play(script(client, [*by_shell, *by_tool], client.run("printf x > allowed.txt")))
    assert (at.workspace / "allowed.txt").exists(), run.output
    assert hooks(file) == before
    refused = at.refusals()
    # the tools of some clients reach no file outside the workspace
    assert len(refused) > 2 or (len(refused) == 2 and scope == "user")
    assert all(point == "before_tool" and rule.startswith("builtin/no-tamper") for point, rule in refused)


def hooks(settings: Path) -> Any:
    """What the settings say of hooks; some clients write more into them at every start."""
    return json.loads(settings.read_bytes())["hooks"] if settings.suffix == ".json" else settings.read_bytes()


@pytest.mark.cell("before_tool refuses")
def test_nothing_runs_once_the_engine_is_gone(client: Client, enter: Enter, tmp_path: Path) -> None:
    at = enter()
    hook = at.copy_engine(tmp_path / "engine")
    at.install()

    def without() -> Call:
        hook.unlink()
        return client.run("printf x > after.txt")

    run = at.play([client.run("printf x > before.txt"), without, "done"])
    assert (at.workspace / "before.txt").exists(), run.output
    assert not (at.workspace / "after.txt").exists()
    assert client.mute or str(hook) in run.output or run.heard(str(hook)), "nobody was told what is missing"
    assert not run.endless


@pytest.mark.cell("before_tool refuses")
def test_a_run_that_was_stopped_does_nothing_more(client: Client, enter: Enter) -> None:
    at = enter(STOPPING)
    at.install()
    calls = [client.run(text) for text in ("printf x > before.txt", "touch stopped.txt", "printf x > after.txt")]
    run = at.play([*calls, "done", "asked once too often"])
    assert (at.workspace / "before.txt").exists(), run.output
    assert not (at.workspace / "stopped.txt").exists() and not (at.workspace / "after.txt").exists()
    assert [record["verdict"] for record in at.log() if record["hook"] == "before_tool"][:2] == ["allow", "stop"]
    assert not run.endless


@pytest.mark.cell("before_completion refuses")
def test_a_completion_that_nobody_can_count_is_not_refused_for_ever(client: Client, enter: Enter) -> None:
    at = enter()
    at.install()
    state = at.home / ".local" / "state" / "policy-engine"

    def without() -> Call:
        shutil.rmtree(state)
        state.write_text("in the way")
        return client.run("printf x > after.txt")

    run = at.play([client.save(at.workspace / "src/a.py", "a = 1\n"), without, *["finished too early"] * 4])
    assert run.status is not None and not run.endless, run.output


@pytest.mark.cell("prompt refuses")
def test_a_denied_prompt_reaches_no_model(enter: Enter) -> None:
    at = enter(NO_PROMPT)
    at.install()
    run = at.play(["answered"])
    assert run.told == [] and run.status is not None, run.output
    assert at.refusals() == [("prompt", "no-please")]
