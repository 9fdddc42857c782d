"""Configuration files that got old: what `policy migrate --from seed-config` makes of them, or why it does not."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import yaml

from policy_engine.conversion.document import Refused
from policy_engine.loading import files
from policy_engine.migrations.base import migrate
from policy_engine.model.errors import ConfigurationError
from tools.seeds.base import Answer, Case, UnknownShape

STEPS = {"backup": ("config.yaml.bak", "write migration backup"), "replace": ("config.yaml", "write migrated config")}


def brought_up(config: dict[str, Any]) -> Answer:
    """The file in its present form."""
    before = yaml.safe_dump(config, sort_keys=False)
    try:
        made = migrate("seed-config", before, "config.yaml")
    except Refused as problem:
        return {"error": True, "error_contains": str(problem)}
    after = yaml.safe_load(made.policy_text)
    context = after.get("context") or {}
    return {
        "error": False,
        "error_contains": "",
        "changed": after != config,
        "notes": int(made.policy_text.lstrip().startswith("#")) + len(made.problems),
        "context.budget": context.get("budget"),
        "context": context,
        "generate_start_timeout_sec": after.get("generate_start_timeout_sec"),
        "config": after,
    }


def migration(case: Case) -> Answer:
    """The shapes of cases about configurations."""
    if "fail" in case.given:
        (steps,) = case.take("fail")
        return _failing(steps)
    if "enabled" in case.given:
        (values,) = case.take("enabled")
        old = [{"input_token_threshold": 1, **({} if one is None else {"enabled": one})} for one in values]
        return {"notes": [brought_up({"context": {"auto_compact": one}})["notes"] for one in old]}
    if "command" in case.given:
        (command,) = case.take("command")
        found = brought_up({"verification": {"verifiers": {"test": {"command": command}}}})
        verifier = found.get("config", {}).get("verification", {}).get("verifiers", {}).get("test", {})
        return {**found, "command": verifier.get("command"), "argv": verifier.get("command")}
    if isinstance(case.given.get("context"), list):
        (blocks,) = case.take("context")
        return brought_up({"context": {block: {} for block in blocks}})
    config: dict[str, Any] = {}
    for key, value in case.given.items():
        if key == "gen":
            continue
        place = config
        *path, last = key.split(".")
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    return brought_up(config)


def _failing(steps: list[str]) -> Answer:
    """A write that fails leaves the file as it was."""
    untouched, told = [], []
    for step in steps:
        if step not in STEPS:
            raise UnknownShape(f"a step {step!r} that fails")
        name, word = STEPS[step]
        write = files.write_whole

        def failing(path: Path, data: bytes, name: str = name, write: Any = write) -> None:
            if path.name == name:
                raise ConfigurationError(f"cannot write {name}")
            write(path, data)

        with tempfile.TemporaryDirectory(prefix="seed-") as folder:
            place = Path(folder, "config.yaml")
            place.write_text("context: {auto_compact: {}}\n")
            with mock.patch.object(files, "write_whole", failing):
                try:
                    files.replace_with_backup(place, b"new")
                except ConfigurationError:
                    told.append(word)
            untouched.append(place.read_text() == "context: {auto_compact: {}}\n")
    return {"original_untouched": untouched, "error_contains": "; ".join(told), "errors": told}


AREAS = {"config.migration": migration}
