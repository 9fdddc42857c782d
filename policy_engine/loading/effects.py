"""Describe what a workspace's policy does and would run, whether that is trusted, and what changed since it was.

The values of `policy trust`, for people and as JSON: effects, not file names.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from policy_engine.checker import tree
from policy_engine.consent.closure import Closure, Run, Unbound, closure
from policy_engine.consent.trust import ADVICE, Distrust, Record, changes, read_record, told
from policy_engine.loading.refresh import Disk
from policy_engine.model.errors import ConfigurationError, PolicyLoadError
from policy_engine.model.layers import OUTER, REPOSITORY, prefix
from policy_engine.model.limits import VERIFY_TIMEOUT_MS
from policy_engine.runtime.external import DEFAULT_TIMEOUT_MS
from policy_engine.state.places import REPOSITORY_FOLDER, layer_folders

TRUSTED, CHANGED, UNTRUSTED, NEEDLESS = "trusted", "changed", "untrusted", "no commands"


@dataclass(frozen=True, slots=True)
class Effects:
    """`found` is the closure as it is now, `record` what was consented to, if that can be read; `problem` why there is
    no consent. `rules` and `commands` are JSON objects, `changes` path or command → what happened to it."""

    folder: str
    state: str
    found: Closure
    record: Record | None
    problem: str
    rules: tuple[dict[str, Any], ...]
    commands: tuple[dict[str, Any], ...]
    changes: dict[str, str]

    @property
    def reason(self) -> str:
        """Return why the commands do not run, in one sentence; empty if they do or there are none."""
        if self.state in (TRUSTED, NEEDLESS):
            return ""
        what = self.problem or f"{told(self.changes)} changed since this repository was trusted"
        return f"{what}; {ADVICE}"

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        since = None if self.record is None else {"at": self.record.at, "by": self.record.by}
        return {
            "folder": self.folder, "state": self.state, "digest": self.found.digest, "problem": self.problem,
            "trusted": since, "rules": list(self.rules), "commands": list(self.commands), "files": self.found.files,
            "changes": self.changes,
        }  # fmt: skip


def effects(workspace: str) -> Effects:
    """The effects of a workspace's policy. Raises ConfigurationError, and PolicyLoadError if it does not load."""
    real = os.path.realpath(workspace)
    if not os.path.isdir(f"{real}/{REPOSITORY_FOLDER}"):
        raise ConfigurationError(f"there is no `{REPOSITORY_FOLDER}` folder in `{real}`: nothing to trust")
    policies = _policies(real)
    commands = tuple(
        {**command, "name": prefix(layer) + command["name"]}
        for layer, policy in policies
        for command in _commands(policy)
    )
    try:
        closure_now = closure(real, tuple(run for layer, policy in policies for run in _runs(policy, prefix(layer))))
    except Unbound as error:
        raise ConfigurationError(f"what the commands would run cannot be bound: {error}") from None
    record, problem = None, ""
    try:
        record = read_record(real)
    except Distrust as reason:
        problem = str(reason)
    state = UNTRUSTED if record is None else TRUSTED if record.digest == closure_now.digest else CHANGED
    if not closure_now.runs:
        state, problem = NEEDLESS, ""
    changed = {} if record is None else _changes(record, closure_now)
    rules = tuple(
        {**rule, "rule": prefix(layer) + rule["rule"]} for layer, policy in policies for rule in _rules(policy)
    )
    return Effects(real, state, closure_now, record, problem, rules, commands, changed)


def _policies(workspace: str) -> list[tuple[str, tree.CheckedPolicy]]:
    """The layers of repositories as they are on disk, that of the one around this first. Raises PolicyLoadError."""
    layered = Disk().combined(layer_folders(workspace))
    layer = next((layer for layer in layered.layers if layer.name == REPOSITORY), None)
    if layer is None or layer.errors or layer.loaded is None or layer.loaded.policy is None:
        reasons = layer.errors if layer is not None else ("there is none",)
        raise PolicyLoadError(f"the repository's policy does not load: {'; '.join(reasons)}")
    return [(name, policy) for name, policy in layered.policies if name in (OUTER, REPOSITORY)]


def _runs(policy: tree.CheckedPolicy, before: str) -> tuple[Run, ...]:
    hooks = [(before + hook.id, "", hook.argv, ()) for hook in policy.hooks if hook.argv]
    stages = [(before + one.id, stage.name, stage.argv, stage.env) for one in policy.verifies for stage in one.stages]
    return (*hooks, *stages)


def _commands(policy: tree.CheckedPolicy) -> list[dict[str, Any]]:
    return [*map(_hook, policy.hooks), *map(_verify, policy.verifies)]


def _changes(record: Record, closure: Closure) -> dict[str, str]:
    before, after = (
        {f"{name}{stage and '.'}{stage}": repr((argv, env)) for name, stage, argv, env in runs}
        for runs in (record.runs, closure.runs)
    )
    shown = {f"command {name}": how for name, how in changes(before, after).items()}
    return {**shown, **changes(record.files, closure.files)}


def _rules(policy: tree.CheckedPolicy) -> list[dict[str, Any]]:
    """Everything that gives a verdict without running anything."""
    rules = [
        {"rule": rule.id, "title": rule.title, "verdicts": [rule.verdict] if rule.verdict else ["timeout"],
         "at": _points(rule.listens), "shadow": rule.shadow}
        for rule in policy.rules
    ]  # fmt: skip
    rules += [
        {"rule": limit.id, "title": limit.title, "verdicts": sorted({step.verdict for step in limit.steps}),
         "at": _points(limit.listens), "shadow": limit.shadow}
        for limit in policy.limits
    ]  # fmt: skip
    return rules


def _points(listens: tuple[tree.Listen, ...]) -> list[str]:
    names = []
    for listen in listens:
        tools = [*listen.kinds, *(f'"{name}"' for name in listen.names)]
        names.append(f"{listen.point}({', '.join(tools)})" if tools else listen.point)
    return names


def _condition(when: tree.Expr | None, unless: tree.Expr | None) -> str:
    parts = [f"{word} {part.place.text}" for word, part in (("when", when), ("unless", unless)) if part is not None]
    return " ".join(" ".join(parts).split())


def _hook(hook: tree.CheckedHook) -> dict[str, Any]:
    run = {
        "stage": "", "run": list(hook.argv), "env": [],
        "timeout_ms": hook.timeout or (DEFAULT_TIMEOUT_MS if hook.argv else 0),
    }  # fmt: skip
    return {
        "kind": "hook", "name": hook.id, "title": hook.title, "at": _points(hook.listens),
        "condition": _condition(hook.when, hook.unless), "fail": hook.fail, "observe": hook.observe,
        "call": hook.callable, "runs": [run] if hook.argv else [],
    }  # fmt: skip


def _verify(verify: tree.CheckedVerify) -> dict[str, Any]:
    runs = [
        {"stage": one.name, "run": list(one.argv), "env": list(one.env), "timeout_ms": one.timeout or VERIFY_TIMEOUT_MS}
        for one in verify.stages
    ]
    return {
        "kind": "verify", "name": verify.id, "title": verify.title, "at": ["before_completion"],
        "condition": _condition(verify.when, verify.unless), "fail": "closed", "observe": False,
        "call": "", "runs": runs,
    }  # fmt: skip
