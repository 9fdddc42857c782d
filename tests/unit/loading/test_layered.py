"""Layers of policies: each by itself, the maximum of all; a layer that does not load stays as it last was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policy_engine.evaluators.base import Program
from policy_engine.loading.layered import Layered, combine
from policy_engine.loading.loader import Loaded, load_given
from policy_engine.loading.sources import PolicyFile
from policy_engine.loading.stronger_layers import StrongerLayers
from policy_engine.model.decision import Decision
from policy_engine.model.layers import BUILTIN, ORGANISATION, REPOSITORY, USER
from policy_engine.model.shipped import shipped
from policy_engine.runtime.engine import Engine
from policy_engine.runtime.external import Hooks, everybody
from policy_engine.runtime.session import MemorySessions

HEAD = "language 1\n"
READS = 'rule reads "R" { on before_tool(shell) when every c in commands { c.read_only } approve "It reads." }\n'
NO_RM = 'rule r "No rm" { on before_tool(shell) when any c in commands { c.program == "rm" } deny "No." }\n'
NO_LS = NO_RM.replace('"rm"', '"ls"').replace("deny", "ask")
BROKEN = "rule r { on nowhere deny }\n"


class Texts:
    """Layers given as texts: as they are now, and as they last were."""

    def __init__(self, now: dict[str, str], kept: dict[str, str] | None = None) -> None:
        self._now, self._kept = now, kept or {}

    def now(self, layer: str, folder: str, above: StrongerLayers) -> Loaded | None:
        return self._loaded(self._now.get(layer), layer, above)

    def kept(self, folder: str, above: StrongerLayers) -> Loaded | None:
        return self._loaded(self._kept.get(folder.strip("/")), folder.strip("/"), above)

    def _loaded(self, text: str | None, layer: str, above: StrongerLayers) -> Loaded | None:
        if text is None:
            return None
        name = "pack:builtin/no-tamper" if "rule no-tamper" in text else f"{layer}.policy"
        return load_given([PolicyFile.given(name, f"/{layer}/{name}", (HEAD + text).encode())], above)


def layers(now: dict[str, str], kept: dict[str, str] | None = None) -> Layered:
    return combine([(name, f"/{name}") for name in (BUILTIN, ORGANISATION, USER, REPOSITORY)], Texts(now, kept))


def engine(program: Program, hooks: Hooks | None = None) -> Engine:
    return Engine(lambda: (program, ()), MemorySessions(), "/home/user", lambda: 1, hooks)


def shell(command: str) -> dict[str, Any]:
    tool = {"name": "Bash", "kind": "shell", "args": {"command": command}}
    return {"hook": "before_tool", "session": "s", "id": "e", "cwd": "/w", "workspace": "/w", "tool": tool}


def finish(number: int = 0) -> dict[str, Any]:
    return {"hook": "before_completion", "session": "s", "id": f"f{number}", "workspace": "/w", "answer": "done"}


def said(decision: Decision) -> dict[str, str]:
    return {one.rule: one.verdict for one in decision.rules}


@pytest.mark.requirement("R15")
def test_the_strictest_layer_decides_and_each_rule_says_whose_it_is() -> None:
    found = layers({ORGANISATION: NO_RM, USER: NO_LS, REPOSITORY: NO_RM.replace("deny", "warn")})
    decision = engine(found.program).decide(shell("rm a; ls"))
    assert (decision.verdict, said(decision)) == ("deny", {"organisation/r": "deny", "user/r": "ask", "r": "warn"})


@pytest.mark.requirement("R7")
@pytest.mark.fault(57)
def test_a_layer_that_does_not_load_stays_as_it_was_while_the_others_change() -> None:
    found = layers({ORGANISATION: NO_LS, REPOSITORY: BROKEN}, {ORGANISATION: NO_RM, REPOSITORY: NO_RM})
    decide = engine(found.program).decide
    assert said(decide(shell("ls"))) == {"organisation/r": "ask"}
    assert said(decide(shell("rm a"))) == {"r": "deny"}
    assert "the policy in /repository does not load; sha256:" in found.errors[0] and found.lacking == ()


def test_a_layer_that_never_loaded_is_lacking() -> None:
    found = layers({ORGANISATION: NO_RM, REPOSITORY: BROKEN})
    assert (len(found.lacking), found.errors) == (1, ())
    assert "the policy in /repository does not load; repository.policy:2:" in found.lacking[0]
    assert said(engine(found.program).decide(shell("rm a"))) == {"organisation/r": "deny"}


@pytest.mark.fault(56)
def test_a_layer_that_is_gone_stays_as_it_was() -> None:
    found = layers({ORGANISATION: NO_LS}, {REPOSITORY: NO_RM})
    assert said(engine(found.program).decide(shell("rm a"))) == {"r": "deny"}
    assert "there is no policy any more" in found.errors[1]


WAIVER = 'waive r "I know." { until 2126-01-01 owner "me" }\n'


@pytest.mark.fault(73)
@pytest.mark.requirement("R15")
@pytest.mark.parametrize("layer", [USER, REPOSITORY])
def test_a_weaker_layer_cannot_waive_and_what_it_wanted_is_said(layer: str) -> None:
    found = layers({ORGANISATION: NO_RM, layer: NO_LS.replace("rule r", "rule other") + WAIVER})
    assert said(engine(found.program).decide(shell("rm a"))) == {"organisation/r": "deny"}
    assert said(engine(found.program).decide(shell("ls")))
    assert "PE309" in found.errors[0] and "`r` is a rule of the layer `organisation`" in found.errors[0]
    assert found.lacking == ()


def test_a_waiver_concerns_the_layer_s_own_rule_of_the_name() -> None:
    found = layers({ORGANISATION: NO_RM, REPOSITORY: NO_RM + WAIVER})
    decision = engine(found.program).decide({**shell("rm a"), "time": "2026-11-20T10:00:00Z"})
    assert (said(decision), [one.rule for one in decision.waived]) == ({"organisation/r": "deny"}, ["r"])


def test_every_rule_of_a_layer_can_be_watched_until_a_day_and_no_other_layer_is() -> None:
    watched = NO_RM + WAIVER.replace("waive r ", "waive every ").replace("2126-01-01", "2026-11-20")
    engines = engine(layers({ORGANISATION: NO_LS, USER: watched, REPOSITORY: NO_RM}).program)
    last, after = ({**shell("rm a; ls"), "time": f"2026-11-{day}T10:00:00Z"} for day in (20, 21))
    decision = engines.decide(last)
    assert said(decision) == {"organisation/r": "ask", "r": "deny"}
    assert [one.rule for one in decision.waived] == ["user/r"]
    assert said(engines.decide(after)) == {"organisation/r": "ask", "user/r": "deny", "r": "deny"}


@pytest.mark.parametrize(("layer", "verdict"), [(ORGANISATION, "allow"), (USER, "allow"), (REPOSITORY, "deny")])
def test_what_the_engine_brings_along_is_waived_by_organisation_and_user(layer: str, verdict: str) -> None:
    found = layers({BUILTIN: NO_RM, layer: WAIVER})
    decision = engine(found.program).decide({**shell("rm a"), "time": "2026-11-20T10:00:00Z"})
    assert decision.verdict == verdict


def test_a_pack_that_a_stronger_layer_holds_is_not_judged_twice() -> None:
    pack = shipped("rules/builtin/no-tamper.policy").read_text().removeprefix(HEAD)
    found = layers({BUILTIN: pack, REPOSITORY: 'import "pack:builtin/no-tamper"\n' + NO_RM})
    assert set(said(engine(found.program).decide(shell("rm -r .policy")))) == {"builtin/no-tamper", "r"}


UNMET = 'rule r "Never" { on before_completion deny "No." }\n'
PATIENT = 'limit completion-budget "Long" { on before_completion counts true at 100 stop never }\n'
QUICK = PATIENT.replace("at 100", "at 1")


def test_a_pack_that_either_layer_sets_parameters_of_is_judged_in_both() -> None:
    plain = 'import "pack:security/no-force-push-protected"\n'
    main, topic = (plain.strip() + f' with {{ protected = glob("{one}") }}\n' for one in ("main", "topic"))
    push = {one: shell(f"git push -f origin {one}") for one in ("main", "topic", "production")}
    for upper, lower, refused in (
        (plain, plain, {"main", "production"}),
        (plain, topic, {"main", "topic", "production"}),
        (topic, plain, {"main", "topic", "production"}),
        (topic, main, {"main", "topic"}),
    ):
        held = engine(layers({ORGANISATION: upper, REPOSITORY: lower}).program)
        assert {name for name, event in push.items() if held.decide(event).verdict == "deny"} == refused


def test_the_budget_of_the_stronger_layer_is_a_ceiling() -> None:
    def ends(now: dict[str, str]) -> int:
        decide = engine(layers(now).program).decide
        return next(number for number in range(1, 20) if decide(finish(number)).verdict == "stop")

    alone = ends({ORGANISATION: UNMET})
    assert ends({ORGANISATION: UNMET, REPOSITORY: PATIENT}) == alone
    assert ends({ORGANISATION: UNMET, REPOSITORY: PATIENT + UNMET}) == alone
    assert ends({ORGANISATION: UNMET, REPOSITORY: QUICK}) == 1


HOOK = 'hook {0} "Asked" {{ on before_tool(shell) call {0} }}\n'


def test_what_a_weaker_layer_refuses_keeps_no_stronger_hook_from_being_asked() -> None:
    asked: list[str] = []

    def answer(name: str, verdict: str) -> Callable[[Any], Any]:
        return lambda event: asked.append(name) or (verdict, name)

    found = layers({ORGANISATION: HOOK.format("above"), REPOSITORY: NO_RM + HOOK.format("below")})
    hooks = Hooks({"above": answer("above", "stop"), "below": answer("below", "deny")})
    decision = engine(found.program, hooks).decide(shell("rm a"))
    assert (decision.verdict, asked) == ("stop", ["above"])


VERIFY = 'verify v "Checked" { stage s run ["true"] }\n'
VERIFIED = 'rule r "Checked before" { on before_completion when not verified(s) deny "No." }\n'


def test_a_weaker_layer_neither_prevents_nor_passes_the_pipelines_of_a_stronger_one() -> None:
    ran: list[Any] = []

    def stage(spec: tuple[Any, ...], folder: str) -> dict[str, Any]:
        ran.append(spec[1])
        return {"stage": spec[0], "command": "x", "outcome": "failed" if spec[1] == ("false",) else "passed"}

    above = VERIFY.replace('"true"', '"false"')
    found = layers({ORGANISATION: above, REPOSITORY: UNMET + VERIFY})
    decision = engine(found.program, Hooks(admit=everybody, stage=stage)).decide(finish())
    assert (ran, set(said(decision))) == ([("false",)], {"organisation/v", "r"})
    ran.clear()
    found = layers({ORGANISATION: above + VERIFIED, REPOSITORY: VERIFY})
    decide = engine(found.program, Hooks(admit=everybody, stage=stage)).decide
    decide(finish(1))
    assert said(decide(finish(2)))["organisation/r"] == "deny"  # the repository's stage `s` passed, not this one


MODE = 'mode m "Careful" { enter when session.id == "s" }\nrule r "R" { on before_completion when mode.m deny "No." }\n'


def test_modes_and_budgets_of_layers_are_apart() -> None:
    quiet = MODE.replace('"s"', '"t"')
    found = layers({ORGANISATION: quiet, REPOSITORY: MODE})
    assert said(engine(found.program).decide(finish())) == {"r": "deny"}
    budget = 'rule t "T" {{ on before_tool timeout {0} }}\n'
    found = layers({ORGANISATION: budget.format("60s"), REPOSITORY: budget.format("160s")})
    assert engine(found.program).decide(shell("ls")).timeout_ms == 60_000


def test_a_weaker_layer_hides_no_writes_from_a_stronger_one() -> None:
    noise = 'define noise = glob("src/**")\n'
    asks = 'rule w "W" { on before_completion when wrote("src/**") deny "No." }\n'
    watch = layers({ORGANISATION: asks, REPOSITORY: noise + asks}).program.watch
    assert watch is not None and watch[3] is None
    watch = layers({ORGANISATION: NO_RM, REPOSITORY: noise + asks}).program.watch
    assert watch is not None and watch[3] == (("src/**",), ())


@pytest.mark.parametrize(
    ("layer", "approved"), [(ORGANISATION, ["organisation/reads"]), (USER, ["user/reads"]), (REPOSITORY, [])]
)
def test_a_repository_cannot_say_that_nobody_need_be_asked(layer: str, approved: list[str]) -> None:
    found = layers({USER: NO_RM, layer: READS + (NO_RM if layer == USER else "")})
    decision = engine(found.program).decide(shell("pwd"))
    assert [result.rule for result in decision.approved] == approved
    assert [("PE318" in line) for line in found.errors] == [True] * (layer == REPOSITORY)
