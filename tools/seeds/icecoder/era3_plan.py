"""Era 3: which plan is verified at the stop, and which commands it has."""

from __future__ import annotations

import json
from typing import Any

from tools.seeds.base import Area, UnknownShape, loaded_from, quoted
from tools.seeds.icecoder.host import WORKSPACE, Given, Host, Mapping, areas, heard, shaped

PLAN = "compat/icecoder/e3-plan"
SOURCES = {"1-user": "user", "2-project": "project", "2-project-plain": "project", "3-default": "runtime_default"}
PIPELINE = """\
language 1
# {source}
verify plan "What the plan checks" {{
{stages}
}}
"""
STAGE = "  stage s{number} run [{argv}] timeout {timeout}ms{optional}"


def key(given: Given, expect: Given) -> Given:
    said = Host(PLAN).propose("run_command", command=shaped(given, "command")["command"])
    return {"key": " ".join(said["e3-key"].split())}


def runnable(given: Given, expect: Given) -> Given:
    return {"runnable": is_command(shaped(given, "text")["text"])}


def is_command(text: str) -> bool:
    """Whether the policy takes a marked text for a command."""
    host = Host(PLAN)
    host.prompt("", [text])
    return "e3-not-a-command" not in host.round()


def kept(texts: str) -> list[str]:
    """Of texts in a message those that are commands."""
    return [one for one in texts.split(", ") if one and is_command(one)]


def plan_parse(given: Given, expect: Given) -> Given:
    host = Host(PLAN)
    host.prompt(shaped(given, "goal")["goal"])
    return {"commands": kept(host.round().get("e3-plan-1-user", ""))}


def plan_resolve(given: Given, expect: Given) -> Given:
    shaped(given, "", "goal project_commands manifest_test_script config_files lockfile lockfiles manifest files")
    host = Host(PLAN)
    for name, text in _files(given).items():
        host.world.write(host.world.resolve(name, WORKSPACE), text.encode())
    host.prompt(given.get("goal", ""))
    spoken = heard(host.ask("after_round"))
    said = {one.rule: one.message for one in spoken if one.outcome == "violated"}
    unknown = sum(one.outcome == "undecided" for one in spoken)
    if "e3-plan-0-invalid" in said:
        return {"kind": "invalid", "reason": said["e3-plan-0-invalid"], "source": "user", "commands": []}
    marked = [one for one in said.get("e3-marked", "").split(", ") if one]
    warnings = sum(not is_command(one) for one in marked) + (unknown > 0)
    names = sorted(rule.removeprefix("e3-plan-") for rule in said if rule.startswith("e3-plan-"))
    if not names:
        return {"kind": "none", "source": "none", "commands": [], "warnings": warnings}
    source = SOURCES[names[0].rpartition("-")[0] if names[0].startswith("3-default") else names[0]]
    return {"kind": "plan", "source": source, "commands": kept(said[f"e3-plan-{names[0]}"]), "warnings": warnings}


def _files(given: Given) -> dict[str, str]:
    """What lies in the workspace."""
    files = {
        name: one if isinstance(one, str) else json.dumps(one)
        for name, one in {**given.get("config_files", {}), **given.get("files", {})}.items()
    }
    if "project_commands" in given:
        files[".icecoder.json"] = json.dumps({"verificationCommands": given["project_commands"]})
    script = given.get("manifest_test_script")
    if script:
        files["package.json"] = json.dumps({"scripts": {"test": script if isinstance(script, str) else "vitest run"}})
    if "manifest" in given:
        files["package.json"] = json.dumps(given["manifest"])
    locks = given.get("lockfiles", [given["lockfile"]] if given.get("lockfile") else [])
    return files | dict.fromkeys(locks, "")


def plan_build(given: Given, expect: Given) -> Given:
    if "vary" in given:
        return {"all_distinct": _distinct(shaped(given, "vary")["vary"])}
    host = Host(PLAN)
    kept_ones: dict[str, bool] = {}
    for text in shaped(given, "commands")["commands"]:
        host.prompt(f"Acceptance: `{text}`", [text] if text.strip() else [])
        said = host.round()
        if "e3-plan-1-user" in said and "e3-plan-0-invalid" not in said:
            kept_ones.setdefault(Host(PLAN).propose("run_command", command=text.strip())["e3-key"], True)
    spec = loaded_from((PLAN_FILE,)).require_program().verifies[0]
    return {"commands": list(kept_ones), "required": True, "timeout_ms": spec[12][0][0][2]}


PLAN_FILE = "rules/compat/icecoder/e3-stop.policy"
_BASE: dict[str, Any] = {"source": "user", "commands": ["npm test", "npm run lint"], "required": True,
                         "timeout": 120000, "cwd": WORKSPACE}  # fmt: skip
_VARIED: dict[str, dict[str, Any]] = {
    "source": {"source": "project"},
    "order": {"commands": ["npm run lint", "npm test"]},
    "commands": {"commands": ["npm test"]},
    "required": {"required": False},
    "timeout": {"timeout": 60000},
    "cwd": {"cwd": "/elsewhere"},
}


def _distinct(names: list[str]) -> bool:
    """A plan is a declaration in a workspace: its identity is the policy's digest, and where the session works."""
    if not set(names) <= _VARIED.keys():
        raise UnknownShape(f"varied: {names}")
    plans = [_BASE, *({**_BASE, **_VARIED[name]} for name in names)]
    return len({_identity(plan) for plan in plans}) == len(plans)


def _identity(plan: dict[str, Any]) -> tuple[str, str]:
    optional = "" if plan["required"] else " pending exit 1"
    stages = []
    for number, command in enumerate(plan["commands"]):
        argv = ", ".join(map(quoted, command.split()))
        stages.append(STAGE.format(number=number, argv=argv, timeout=plan["timeout"], optional=optional))
    text = PIPELINE.format(source=plan["source"], stages="\n".join(stages))
    return loaded_from((text,)).require_program().digest, plan["cwd"]


MAPPINGS: dict[str, Mapping] = {
    "e3.identity": key,
    "e3.runnable": runnable,
    "e3.plan_parse": plan_parse,
    "e3.plan_resolve": plan_resolve,
    "e3.plan_build": plan_build,
}
AREAS: dict[str, Area] = areas(MAPPINGS)
