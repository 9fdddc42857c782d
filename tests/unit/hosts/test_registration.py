"""Registering adds exactly our handlers and loses nothing; unregistering takes exactly them out again."""

from __future__ import annotations

import copy
import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_engine.adapters.claude_code import ADAPTER
from policy_engine.adapters.codex import ADAPTER as CODEX
from policy_engine.hosts.registration import (
    ENDING,
    REFUSING,
    SCRIPT,
    command_line,
    handlers,
    line,
    parts,
    register,
    unregister,
)
from policy_engine.model.errors import ConfigurationError

HOST = ADAPTER.name
COMMAND = command_line("/opt/py thon/bin/python3", "/srv/it's/policy_engine/hook.py", HOST)
EVENTS = [event for event, _ in ADAPTER.registration.events]

HANDLER = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.sampled_from(("lint", "/x/policy_engine/hook.py", "sh -c 'a", "é $X"))},
    optional={"timeout": st.integers(1, 60)},
)
GROUP = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLER, min_size=1, max_size=2)}, optional={"matcher": st.just("Bash")}
)
EVENT = st.sampled_from((*EVENTS[:4], "Notification"))
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "model": st.text(max_size=3),
        "hooks": st.dictionaries(EVENT, st.lists(GROUP, min_size=1, max_size=2), min_size=1, max_size=3),
        "permissions": st.just({"allow": ["Bash(ls)"]}),
    },
)


def registered(settings: dict[str, Any], command: str = COMMAND) -> dict[str, Any]:
    return register(settings, ADAPTER, command)


def text(settings: dict[str, Any]) -> str:
    return json.dumps(settings)


@given(SETTINGS)
def test_unregistering_gives_back_what_was_before_in_its_order(settings: dict[str, Any]) -> None:
    before = text(settings)
    assert text(unregister(registered(settings), ADAPTER)) == before
    assert text(settings) == before


@given(SETTINGS)
def test_registering_twice_is_registering_once(settings: dict[str, Any]) -> None:
    once = registered(settings)
    assert text(registered(once)) == text(once)
    assert [handler.event for handler in handlers(once, ADAPTER)].count("PreToolUse") == 1


@given(SETTINGS)
def test_a_newer_installation_replaces_the_older_one(settings: dict[str, Any]) -> None:
    older = registered(settings, command_line("/old/python", "/old/policy_engine/hook.py", HOST))
    assert text(registered(older)) == text(registered(settings))


def test_every_event_gets_one_handler_that_fails_closed_where_the_host_can() -> None:
    hooks = registered({})["hooks"]
    assert list(hooks) == EVENTS
    handler = {"type": "command", "command": COMMAND, "timeout": 60}
    assert hooks["PreToolUse"] == [{"matcher": "*", "hooks": [{**handler, "onFailure": "block"}]}]
    assert hooks["Stop"] == [{"hooks": [{**handler, "timeout": 3_600}]}]  # the stages of `verify` run there


def test_a_changed_handler_of_ours_is_put_right_and_its_neighbours_stay() -> None:
    settings = registered({})
    group = settings["hooks"]["PreToolUse"][0]
    group["matcher"] = "Bash"
    group["hooks"].insert(0, {"type": "command", "command": "lint"})
    assert registered(settings)["hooks"]["PreToolUse"] == [
        {"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]},
        *registered({})["hooks"]["PreToolUse"],
    ]


@pytest.mark.fault(110)
@pytest.mark.requirement("R6")
def test_the_command_is_isolated_absolute_and_survives_the_shell() -> None:
    assert (COMMAND.startswith(REFUSING[0]), COMMAND.endswith(REFUSING[1])) == (True, True)
    words = shlex.split(COMMAND.removeprefix(REFUSING[0]).removesuffix(REFUSING[1]))
    assert words == ["/opt/py thon/bin/python3", "-I", "-S", "/srv/it's/policy_engine/hook.py", HOST]
    found = parts(COMMAND, HOST)
    assert found is not None
    assert (found.interpreter, found.flags, found.script) == (words[0], ("-I", "-S"), words[3])


@pytest.mark.fault(110)
@pytest.mark.requirement("R6")
@pytest.mark.parametrize("path", ["python3", "./python3", "", "/a\nb"])
def test_a_path_that_depends_on_the_folder_is_refused(path: str) -> None:
    with pytest.raises(ConfigurationError):
        command_line(path, "/x/policy_engine/hook.py", HOST)


@pytest.mark.parametrize(
    "command",
    [
        "/p /x/policy_engine/hook.py codex",
        "/p /x/mypolicy_engine/hook.py claude-code",
        "/p /x/policy_engine/hook.py",
        "'",
    ],
)
def test_a_command_of_another_host_or_program_is_not_ours(command: str) -> None:
    assert parts(command, HOST) is None


@pytest.mark.parametrize(
    ("hooks", "place"),
    [
        ([], "hooks"),
        (None, "hooks"),
        ({"Stop": {}}, "hooks.Stop"),
        ({"Stop": ["x"]}, "hooks.Stop[0]"),
        ({"Stop": [{}]}, "hooks.Stop[0].hooks"),
        ({"Stop": [{"hooks": [1]}]}, "hooks.Stop[0].hooks[0]"),
    ],
)
def test_settings_that_the_host_cannot_read_are_refused_by_their_place(hooks: object, place: str) -> None:
    settings = {"hooks": hooks}
    before = copy.deepcopy(settings)
    for change in (registered, lambda value: unregister(value, ADAPTER)):
        with pytest.raises(ConfigurationError, match="is not"):
            change(settings)
    with pytest.raises(ConfigurationError) as caught:
        registered(settings)
    assert f"`{place}`" in str(caught.value)
    assert settings == before


@pytest.mark.parametrize(("again", "status"), [(False, 2), (True, 0)])
def test_a_completion_ends_the_run_if_the_engine_stays_away_and_nothing_bounds_refusals(
    tmp_path: Path, again: bool, status: int
) -> None:
    command = line(CODEX, command_line(str(tmp_path / "gone"), str(tmp_path / SCRIPT), "codex"), "Stop")
    payload = json.dumps({"stop_hook_active": again}, separators=(",", ":"))
    done = subprocess.run(["/bin/sh", "-c", command], input=payload, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert (json.loads(done.stdout)["continue"] is False) if again else "did not answer, refused" in done.stderr


def test_no_other_event_ever_lets_go_of_a_refusal() -> None:
    lines = {event: line(CODEX, COMMAND, event) for event, _ in CODEX.registration.events}
    assert {event for event, text in lines.items() if text.endswith(ENDING)} == {"Stop", "SubagentStop"}
    assert not any(line(ADAPTER, COMMAND, event).endswith(ENDING) for event, _ in ADAPTER.registration.events)
