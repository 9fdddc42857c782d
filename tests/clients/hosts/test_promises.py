"""What we promise of a host, with the real client: files on disk prove what ran, the log what was decided."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from policy_engine.loading.layers import adapter_named
from tests.clients.hosts.base import Client, clients
from tests.clients.models.base import TASK, Call
from tests.clients.packages import Absent, offline
from tests.clients.runs import CHECKED, NO_PROMPT, POLICY, World

NO_TAMPER = ("before_tool", "builtin/no-tamper")
NO_TAMPER_FILES = ("before_tool", "builtin/no-tamper-files")
SECRET = "4f1c-do-not-read"  # what must not reach the model


@pytest.fixture(params=clients(), ids=lambda client: client.host)
def client(request: pytest.FixtureRequest) -> Client:
    """Each client in turn."""
    found: Client = request.param
    return found


def world(client: Client, folder: Path, policy: str = POLICY) -> World:
    """A fresh world; where the client is missing a failure, or a skip, that says why."""
    try:
        return World(client, folder, policy)
    except Absent as why:
        (pytest.skip if client.spare or offline() else pytest.fail)(f"{client.host}: {why}")


@pytest.mark.parametrize("scope", ["user", "project"])
def test_a_denied_shell_command_does_not_run_and_an_allowed_one_does(
    client: Client, tmp_path: Path, scope: str
) -> None:
    at = world(client, tmp_path)
    at.install(scope)
    run = at.play([client.run("touch denied.txt"), client.run("printf x > allowed.txt"), "done"])
    assert (at.workspace / "allowed.txt").exists(), run.output
    assert not (at.workspace / "denied.txt").exists()
    assert run.heard("NO-TOUCH")
    assert at.refusals() == [("before_tool", "no-touch")]


def test_a_denied_write_leaves_no_file_and_an_allowed_one_does(client: Client, tmp_path: Path) -> None:
    at = world(client, tmp_path)
    at.install()
    run = at.play(
        [client.save(at.workspace / "closed/a.txt", "x\n"), client.save(at.workspace / "open.txt", "x\n"), "done"]
    )
    assert (at.workspace / "open.txt").exists(), run.output
    assert not (at.workspace / "closed").exists()
    assert run.heard("CLOSED: ")
    assert at.refusals() == [("before_tool", "closed-files")]


def test_a_denied_read_reaches_no_model_and_an_allowed_one_does(client: Client, tmp_path: Path) -> None:
    at = world(client, tmp_path)
    at.write("closed/secret.txt", f"{SECRET}\n")
    at.write("open.txt", "what may be read\n")
    at.install()
    run = at.play([client.show(at.workspace / "closed/secret.txt"), client.show(at.workspace / "open.txt"), "done"])
    assert run.heard("what may be read"), run.output
    assert not run.heard(SECRET)
    assert run.heard("CLOSED: ")
    assert [point for point, _ in at.refusals()] == ["before_tool"]


def test_who_finishes_too_early_is_sent_on_and_then_accepted(client: Client, tmp_path: Path) -> None:
    at = world(client, tmp_path)
    at.install()
    write = client.save(at.workspace / "src/a.py", "a = 1\n")
    note = client.save(at.workspace / "notes.md", "done\n")
    run = at.play([write, "finished too early", note, "finished well", "asked once too often"])
    assert run.status == 0 and "finished well" in run.output, run.output
    assert run.heard("NOT-NOTED") and not run.heard("finished well")
    assert at.refusals() == [("before_completion", "noted")]
    assert (at.workspace / "notes.md").exists()


def test_an_exit_status_proves_a_check_where_the_host_sends_it(client: Client, tmp_path: Path) -> None:
    if "result.exit_code" in adapter_named(client.host).lacks:
        pytest.skip(f"{client.host} never sends an exit status: no check can be proved by one")
    at = world(client, tmp_path, CHECKED)
    at.install()
    begun = [client.save(at.workspace / name, "x = 1\n") for name in ("notes.md", "src/a.py")]
    failed, passed = client.run("test -f src/a.py && exit 3"), client.run("test -f src/a.py")
    run = at.play([*begun, failed, "finished too early", passed, "finished well", "asked once too often"])
    assert run.status == 0 and "finished well" in run.output, run.output
    assert run.heard("NOT-CHECKED") and not run.heard("finished well")
    assert at.refusals() == [("before_completion", "checked")]


def test_a_sub_agent_is_held_like_its_master(client: Client, tmp_path: Path) -> None:
    at = world(client, tmp_path)
    at.install()
    shell = client.nested_run or client.run
    sub = [shell("touch denied.txt"), shell("printf x > allowed.txt"), client.last]
    run = at.play([client.delegate(TASK), *client.awaiting, "done"], sub)
    assert (at.workspace / "allowed.txt").exists(), run.output
    assert not (at.workspace / "denied.txt").exists()
    assert run.heard("NO-TOUCH")
    assert at.refusals() == [("before_tool", "no-touch")]


@pytest.mark.parametrize("scope", ["user", "project"])
def test_the_settings_with_the_hook_stay_as_they_are(client: Client, tmp_path: Path, scope: str) -> None:
    at = world(client, tmp_path)
    settings = at.install(scope)
    before = json.loads(settings.read_bytes())
    by_shell = [client.run(f"printf '{{}}' > {settings}"), client.run(f"rm -f {settings}")]
    # some clients let nobody write what was not read
    by_tool = [client.show(settings), client.save(settings, "{}\n")]
    run = at.play([*by_shell, *by_tool, client.run("printf x > allowed.txt"), "done"])
    assert (at.workspace / "allowed.txt").exists(), run.output
    assert json.loads(settings.read_bytes()) == before
    # the tools of some clients reach no file outside the workspace
    tried = [NO_TAMPER, NO_TAMPER, NO_TAMPER_FILES]
    assert at.refusals() in ([tried] if scope == "project" else [tried, tried[:2]])


def test_nothing_runs_once_the_engine_is_gone(client: Client, tmp_path: Path) -> None:
    at = world(client, tmp_path)
    hook = at.copy_engine(tmp_path / "engine")
    at.install()

    def without() -> Call:
        hook.unlink()
        return client.run("printf x > after.txt")

    run = at.play([client.run("printf x > before.txt"), without, "done"])
    assert (at.workspace / "before.txt").exists(), run.output
    assert not (at.workspace / "after.txt").exists()
    assert str(hook) in run.output or run.heard(str(hook)), "nobody was told what is missing"
    assert not run.endless


def test_a_denied_prompt_reaches_no_model(client: Client, tmp_path: Path) -> None:
    at = world(client, tmp_path, NO_PROMPT)
    at.install()
    run = at.play(["answered"])
    assert run.told == [] and run.status is not None, run.output
    assert at.refusals() == [("prompt", "no-please")]
