"""One payload → the host's answer: which policy decides, what the engine adds, what is refused without a decision."""

from __future__ import annotations

import json
import posix
from typing import Any

import pytest

from policy_engine.adapters.base import CANARY_SESSION, CANARY_TOOL
from policy_engine.hook_process.native import answered
from policy_engine.hook_process.response_writer import ResponseWriter
from policy_engine.loading.active import Live
from policy_engine.model.errors import ConfigurationError, EventError, PolicyLoadError
from tests.unit.hook_process.desk import Desk
from tests.unit.hook_process.plain import plain

UP = "The engine cannot judge the completion, and refusing it again would not help. A person takes over."
LOST = "How often the completion was refused before cannot be known. A person takes over."


def test_the_policy_of_the_workspace_decides_and_the_log_has_it(desk: Desk) -> None:
    decision = desk.decision("Before", desk.event(command="rm a"))
    assert (decision["verdict"], decision["rules"][0]["message"]) == ("deny", "No rm.")
    assert desk.looked == [(str(desk.work), True, False)]
    told = desk.record
    assert (told["host"], told["event"], told["verdict"]) == ("plain", "e", "deny")
    assert told["input"]["tool"]["args"] == {"command": "rm a"}
    assert desk.response.raw == desk.event(command="rm a")
    assert desk.decision("Before", desk.event())["verdict"] == "allow"
    assert (desk.record["verdict"], "seen" in desk.record, len(desk.looked)) == ("allow", False, 2)


def test_an_adapter_reads_the_payload_the_words_and_the_environment(desk: Desk) -> None:
    read = []

    def decode(payload: Any, name: str | None, environment: Any) -> Any:
        read.append((payload, name, environment is posix.environ))
        return payload["event"]

    given = {"hook_event_name": "Before", "event": desk.event()}
    for name in ("Named", None):
        response = ResponseWriter(plain(), "")
        answered(plain(decode=decode), name, json.dumps(given).encode(), response)
        assert (read.pop(), response.native) == ((given, name, True), name or "Before")


def test_the_start_of_a_session_and_a_folder_below_are_told_to_who_looks(desk: Desk) -> None:
    below = desk.work / "src"
    below.mkdir()
    desk.decision("Start", desk.event("session_start", workspace=str(below)))
    desk.decision("Before", desk.event(workspace=..., session="another"))
    assert desk.looked == [(str(desk.work), True, True), (None, True, False)]
    assert desk.record["input"]["workspace"] is None


@pytest.mark.parametrize(
    ("hook", "native", "cwd", "refused"),
    [
        ("before_tool", "Before", "gone", True),
        ("before_tool", "Before", "file", True),
        ("before_permission", "Permission", "gone", True),
        ("before_tool", "Before", "", False),
        ("before_tool", "Before", None, False),
        ("after_tool", "After", "gone", False),
        ("prompt", "Prompt", "gone", False),
    ],
)
def test_a_call_from_a_folder_that_is_gone_is_refused(
    desk: Desk, hook: str, native: str, cwd: str | None, refused: bool
) -> None:
    (desk.work / "file").touch()
    given = desk.event(hook, cwd=... if cwd is None else f"{desk.work}/{cwd}", prompt="x")
    answer = desk.answer(native, given)
    said = f"{native}|E-PATH|the working folder is gone, or is no folder: what a path names cannot be known\n"
    assert (answer.stderr.decode(), answer.exit_code) == ((said, 2) if refused else ("", 0))


def test_an_event_without_a_time_happens_now(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time_ns", lambda: 3_600_000_000_000)  # one o'clock
    assert [one["rule"] for one in desk.decision("Before", desk.event(time=...))["rules"]] == ["late"]
    assert desk.record["time"] == 3_600_000
    told = desk.event(time="1970-01-01T02:00:00Z")
    assert (desk.decision("Before", told)["rules"], desk.record["time"]) == ([], 7_200_000)


@pytest.mark.requirement("R18")
def test_a_variable_that_leads_into_the_repository_is_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(posix.environ, b"XDG_CACHE_HOME", f"{desk.work}/cache".encode())
    answer = desk.answer("Before", desk.event())
    assert (answer.exit_code, answer.stderr[:25]) == (2, b"Before|E-CONFIGURATION|XD")
    assert desk.looked == []


@pytest.mark.requirement("R1")
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (PolicyLoadError("does not load"), "E-POLICY|does not load"),
        (ConfigurationError("no home"), "E-CONFIGURATION|no home"),
        (EventError("E-PATH", "is relative"), "E-PATH|is relative"),
        (RuntimeError("broken"), "E-INTERNAL|RuntimeError: broken"),
        (MemoryError(), "E-INTERNAL|MemoryError: "),
    ],
)
def test_a_fault_is_refused_in_the_hosts_words_and_logged(desk: Desk, fault: Exception, said: str) -> None:
    desk.fault = fault
    answer = desk.answer("Before", desk.event())
    assert (answer.stdout, answer.stderr.decode(), answer.exit_code) == (b"", f"Before|{said}\n", 2)


@pytest.mark.parametrize(
    ("data", "native"),
    [(b"", ""), (b"{", ""), (b"[]", ""), (b'{"hook_event_name": "After", "event": {}}', "After")],
)
def test_the_event_is_named_as_soon_as_it_is_known(desk: Desk, data: bytes, native: str) -> None:
    answer = answered(plain(), None, data, desk.response)
    assert (answer.exit_code, answer.stderr.split(b"|")[0].decode(), desk.response.native) == (2, native, native)


CANARIES = [{"session": CANARY_SESSION}, {"tool": {"name": CANARY_TOOL, "kind": "other", "args": {}}}]


@pytest.mark.parametrize("fields", CANARIES)
@pytest.mark.parametrize(
    ("errors", "lacking", "said"),
    [
        ((), (), "E-CANARY|the hook is live: this call is always refused"),
        (("old",), (), "E-POLICY|old"),
        ((), ("gone",), "E-POLICY|gone"),
        (("old", "older"), ("gone",), "E-POLICY|gone; old; older"),
    ],
)
def test_a_canary_is_always_refused_and_told_apart_from_a_policy_that_does_not_load(
    desk: Desk, fields: dict[str, Any], errors: tuple[str, ...], lacking: tuple[str, ...], said: str
) -> None:
    desk.live = Live(desk.live.program, errors, lacking)
    answer = desk.answer("Before", desk.event(**fields))
    assert (answer.stderr.decode(), answer.exit_code) == (f"Before|{said}\n", 2)


def test_what_kept_a_newer_policy_out_is_told_with_every_decision(desk: Desk) -> None:
    desk.live = Live(desk.live.program, ("p.policy: old",))
    decision = desk.decision("Before", desk.event())
    assert (decision["verdict"], decision["errors"]) == ("warn", ["p.policy: old"]), "a person is told once"
    assert desk.decision("Before", desk.event())["verdict"] == "allow"


def test_what_is_lacking_refuses_beside_all_that_was_said(desk: Desk) -> None:
    desk.live = Live(desk.live.program, (), ("gone", "lost"))
    decision = desk.decision("Before", desk.event(command="rm a"))
    told = {one["message"]: one["rule"] for one in decision["rules"]}
    assert told == {"No rm.": "no-rm", "E-POLICY: gone.": "policy-engine", "E-POLICY: lost.": "policy-engine"}
    assert decision["verdict"] == "deny"


COMPLETIONS = pytest.mark.parametrize(
    ("native", "hook"), [("Stop", "before_completion"), ("SubStop", "subagent_completion")]
)


@COMPLETIONS
def test_a_completion_that_would_be_refused_without_end_is_given_up(desk: Desk, native: str, hook: str) -> None:
    desk.live = Live(desk.live.program, (), ("gone",))
    given = desk.event(hook, answer="no")
    found = [desk.decision(native, given, stop_hook_active=False) for _ in range(2)]
    assert [(one["verdict"], one["stop_reason"]) for one in found] == [("deny", None), ("stop", "fatal_error")]
    assert [UP in [one["message"] for one in each["rules"]] for each in found] == [False, True]
    desk.fault = RuntimeError("broken")
    said = json.loads(desk.answer(native, given, stop_hook_active=False).stdout)
    (rule,) = said["decision"]["rules"]
    assert (said["native"], said["event"], said["decision"]["hook"]) == (native, None, hook)
    assert rule["message"] == f"E-INTERNAL: RuntimeError: broken. {UP}"
    assert (rule["rule"], rule["outcome"], rule["verdict"]) == ("policy-engine", "undecided", "stop")


@COMPLETIONS
def test_a_completion_that_fails_is_refused_once_and_counts_anew_with_a_prompt(
    desk: Desk, native: str, hook: str
) -> None:
    given, healthy = desk.event(hook, answer="no"), desk.live
    for _ in range(2):
        desk.fault = RuntimeError("broken")
        answer = desk.answer(native, given, stop_hook_active=False)
        assert (answer.stdout, answer.exit_code) == (b"", 2)
        assert json.loads(desk.answer(native, given).stdout)["decision"]["verdict"] == "stop"
        desk.fault, desk.live = None, healthy
        desk.decision("Prompt", desk.event("prompt", prompt="go on"))


@pytest.mark.parametrize(
    ("flag", "verdict"), [(True, "stop"), (1, "stop"), (False, "deny"), (0, "deny"), ("x", "deny")]
)
def test_a_count_that_is_gone_ends_the_run_where_the_host_says_that_it_goes_on(
    desk: Desk, flag: object, verdict: str
) -> None:
    decision = desk.decision("Stop", desk.event("before_completion", answer="no"), stop_hook_active=flag)
    assert (decision["verdict"], LOST in [one["message"] for one in decision["rules"]]) == (verdict, verdict == "stop")
    assert [one["verdict"] for one in desk.record.get("held", ())] == ["stop"] * (verdict == "stop")


def test_a_call_is_refused_however_often(desk: Desk) -> None:
    desk.live = Live(desk.live.program, (), ("gone",))
    for _ in range(3):
        assert desk.decision("Before", desk.event(), stop_hook_active=True)["verdict"] == "deny"


def test_what_the_engine_adds_keeps_all_that_was_said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("policy_engine.hook_process.native._kept", lambda *given: "it ran otherwise")
    desk.live = Live(desk.live.program, ("old",))
    decision = desk.decision("Before", desk.event(command="cat a"))
    assert [(one["rule"], one["verdict"], one["message"]) for one in decision["rules"]] == [
        ("cat", "warn", "C"), ("policy-engine", "warn", "Old."), ("policy-engine", "warn", "it ran otherwise."),
    ]  # fmt: skip
    assert decision["rules"][1]["outcome"] == "violated"
    assert ([one["rule"] for one in decision["waived"]], [one["rule"] for one in decision["shadow"]]) == (
        ["tac"], ["hint"],
    )  # fmt: skip
    assert (decision["errors"], decision["timeout_ms"]) == (["old"], 3000)
    assert decision["policy"].startswith("sha256:") and desk.record["rules"] == decision["rules"]
    assert desk.record["seen"] == "it ran otherwise"


def test_what_was_seen_beside_an_end_that_is_given_up_is_told_as_well(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("policy_engine.hook_process.native._kept", lambda *given: "it ran otherwise")
    desk.live = Live(desk.live.program, (), ("gone",))
    given = desk.event("before_completion", answer="yes")
    decision = [desk.decision("Stop", given, stop_hook_active=True) for _ in range(2)][-1]
    assert [one["message"] for one in decision["rules"]] == [UP, "E-POLICY: gone.", "it ran otherwise."]


def test_an_event_that_its_host_does_not_name_is_held_as_its_point_is(desk: Desk) -> None:
    decoded = plain(decode=lambda payload, name, environment: payload["event"])
    for verdict in ("deny", "deny"):
        answer = desk.answer("", desk.event(command="rm a"), decoded)
        assert json.loads(answer.stdout)["decision"]["verdict"] == verdict
