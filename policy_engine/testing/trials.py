"""Compile the policy that a test is about: its own rule alone, or everything its file can see.

A rule alone brings the modes and limits that it reads, the latter in shadow, so that nobody but the rule speaks; it is
neither waived nor in shadow itself, since its test is about what it says. Nothing outside the engine runs here: a
`hook` is left out of the others' tests, and in its own it cannot be asked and shows what its `fail` says; the stages of
a `verify` pass unless the test says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from policy_engine.checker import tree
from policy_engine.compiler.compiler import compile_policy
from policy_engine.evaluators.base import Program, RuleSpec
from policy_engine.model.event import Event

Speaker = tree.CheckedRule | tree.CheckedLimit | tree.CheckedHook
Declaration = Speaker | tree.CheckedMode | tree.CheckedVerify


@dataclass(frozen=True, slots=True)
class Trial:
    """A compiled part of a policy; `speakers` are its rules, limits and hooks, `specs` the same as compiled, by id."""

    program: Program
    speakers: Mapping[str, Speaker]
    specs: Mapping[str, RuleSpec]

    def listening(self, event: Event) -> Iterator[str]:
        """The ids of those that listen where the event is; tools named in quotes are theirs to tell apart."""
        for name, speaker in self.speakers.items():
            for listen in speaker.listens:
                open_ = not listen.kinds or bool(listen.names)
                if listen.point == event.hook and (open_ or any(kind in listen.kinds for kind in event.tool_kinds)):
                    yield name
                    break


class Trials:
    """Makes each trial once. `sees` maps a file's name to the names of all files that it can see, itself among them."""

    def __init__(self, policy: tree.CheckedPolicy, digest: str, sees: Mapping[str, frozenset[str]]) -> None:
        self._policy = policy
        self._digest = digest
        self._sees = sees
        self._made: dict[tuple[str, int, frozenset[object]], Trial] = {}
        self._declared: dict[tuple[str, str], list[Declaration]] = {}
        declared: tuple[Declaration, ...] = (*policy.rules, *policy.limits, *policy.hooks, *policy.modes)
        for one in (*declared, *policy.verifies):
            self._declared.setdefault((one.place.source.name, one.id), []).append(one)

    def of(self, test: tree.CheckedTest) -> Trial:
        """The trial of a test."""
        file = test.place.source.name
        owner = self._owner(test) if test.owner else None
        key = (file, owner.place.span.start if owner is not None else -1, _given(test))
        trial = self._made.get(key)
        if trial is None:
            trial = self._made[key] = trial_of(self._part(test), self._digest)
        return trial

    def beside(self, test: tree.CheckedTest, rule: tree.CheckedRule) -> Trial:
        """The trial of a test, with one rule more."""
        part = self._part(test)
        rules = (*(one for one in part.rules if one.id != rule.id), rule)
        return trial_of(self._completed(replace(part, rules=rules), test.owner), self._digest)

    def _part(self, test: tree.CheckedTest) -> tree.CheckedPolicy:
        return self.alone(self._owner(test)) if test.owner else self._visible(test)

    def _owner(self, test: tree.CheckedTest) -> Declaration:
        """Return what the test stands in: a mode and a rule of one file may bear the same name."""
        before = [
            one
            for one in self._declared[test.place.source.name, test.owner]
            if one.place.span.start < test.place.span.start
        ]
        return max(before, key=lambda one: one.place.span.start)

    def _visible(self, test: tree.CheckedTest) -> tree.CheckedPolicy:
        """Return what the test's file can see, of hooks those whose answers it gives: no other one can be asked."""
        file, given = test.place.source.name, _given(test)
        seen = self._sees.get(file, frozenset((file,)))
        kept: dict[str, Any] = {
            name: tuple(one for one in getattr(self._policy, name) if one.place.source.name in seen)
            for name in ("rules", "limits", "modes", "verifies", "waivers")
        }
        hooks = tuple(one for one in self._policy.hooks if one.place.source.name in seen and f"hook.{one.id}" in given)
        return replace(_emptied(self._policy), hooks=hooks, **kept)

    def alone(self, owner: Declaration) -> tree.CheckedPolicy:
        """Return a declaration as the only speaker, with the modes and limits that it reads."""
        policy = _emptied(self._policy)
        match owner:
            case tree.CheckedRule():
                policy = replace(policy, rules=(replace(owner, shadow=False),))
            case tree.CheckedLimit():
                policy = replace(policy, limits=(replace(owner, shadow=False),))
            case tree.CheckedHook():
                policy = replace(policy, hooks=(owner,))
            case tree.CheckedMode():
                readers = [rule for rule in self._policy.rules if f"mode.{owner.id}" in counters(rule)]
                policy = replace(policy, modes=(owner,), rules=tuple(readers))
            case tree.CheckedVerify():
                policy = replace(policy, verifies=(owner,))
        return self._completed(policy, owner.id)

    def _completed(self, policy: tree.CheckedPolicy, owner: str) -> tree.CheckedPolicy:
        """With the modes and limits that its members read, and those that these read in turn."""
        while True:
            read = {
                name
                for sort in (policy.rules, policy.limits, policy.hooks, policy.modes, policy.verifies)
                for name in counters(sort)
            }
            modes = tuple(one for one in self._policy.modes if f"mode.{one.id}" in read or one in policy.modes)
            limits = tuple(
                one if one.id == owner else replace(one, shadow=True)
                for one in self._policy.limits
                if f"limit.{one.id}.count" in read or any(one.id == known.id for known in policy.limits)
            )
            if len(modes) == len(policy.modes) and len(limits) == len(policy.limits):
                return policy
            policy = replace(policy, modes=modes, limits=limits)


def counters(node: object) -> set[str]:
    """The modes and limits that are read anywhere below a declaration, by their dotted names."""
    if isinstance(node, tuple) and not isinstance(node, tree.Place):
        return {name for part in node for name in counters(part)}
    if isinstance(node, tree.FieldRef):
        return {node.name} if node.name.startswith(("mode.", "limit.")) else set()
    if is_dataclass(node) and not isinstance(node, type):
        return {name for field in fields(node) for name in counters(getattr(node, field.name))}
    return set()


def _given(test: tree.CheckedTest) -> frozenset[object]:
    """Return the hooks whose answers a test says, as its steps name them."""
    names = (value for step in test.steps for _, value in step.arguments[:1] if step.kind in ("given", "undecided"))
    return frozenset(name for name in names if str(name).startswith("hook."))


def _emptied(policy: tree.CheckedPolicy) -> tree.CheckedPolicy:
    return tree.CheckedPolicy(policy.sources, (), (), (), (), (), (), (), ())


def trial_of(policy: tree.CheckedPolicy, digest: str) -> Trial:
    """Compile a policy, with what can speak in it."""
    program = compile_policy(policy, digest)
    specs = {spec.id: spec for spec in map(program.rule, range(program.rules))}
    speakers: tuple[Speaker, ...] = (*policy.rules, *policy.limits, *policy.hooks)
    return Trial(program, {one.id: one for one in speakers}, specs)
