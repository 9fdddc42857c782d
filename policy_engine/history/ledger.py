"""Build a session's ledger from its state: everything that the engine knows of it, each entry with its evidence.

For people and reports, never for deciding: rules ask the monitors. Its size is bounded as the state is.
"""

from __future__ import annotations

from typing import Any

from policy_engine.history.tables import PATH_KINDS
from policy_engine.history.verification import NAMESPACE


def ledger(state: dict[str, Any]) -> dict[str, Any]:
    """Plain values: `commands`, `paths`, `names`, `todos`, `verification`, `counts`, `agents`, `unknown`.

    A version is a moment of the session: a larger one is later. A path is `confirmed` if its latest read is later than
    its latest write. `unknown` says what was pushed out, lost or not understood.
    """
    tables, rooms = state["tables"], state["rooms"]
    statements = rooms.get("said", {})
    return {
        "commands": [_command(key, entry) for key, entry in tables["commands"].items()],
        "paths": [_path(real, entry) for real, entry in tables["paths"].items()],
        "names": [_name(key, entry) for key, entry in tables["names"].items()],
        "todos": statements.get("todos") or [],
        "goal": statements.get("goal"),
        "verification": dict(rooms.get(NAMESPACE, {}).get("failed", {})),
        "counts": {
            "prompts": statements.get("turn", 0),
            "steps": statements.get("steps", 0),
            "rounds": statements.get("rounds", 0),
        },
        "version": state["clock"],
        "unknown": _unknown(state),
    }


def _command(key: str, entry: list[Any]) -> dict[str, Any]:
    ran, success, cancel, failure, outcome, event, _ = entry
    standing = bool(success) and success > cancel
    versions = {"ran": ran, "succeeded": success, "failed": failure}
    return {"command": key, "outcome": outcome, "success_stands": standing, "event": event,
            "versions": versions}  # fmt: skip


def _path(real: str, entry: list[Any]) -> dict[str, Any]:
    sure, possible, events = entry[:3], entry[3:6], entry[6:]
    record: dict[str, Any] = {"path": real, "confirmed": bool(sure[0]) and sure[1] > max(sure[0], possible[0])}
    for place, kind in enumerate(PATH_KINDS):
        if sure[place] or possible[place]:
            record[kind] = {"version": sure[place], "event": events[place]}
            if possible[place] > sure[place]:
                record[kind]["possibly"] = possible[place]
    return record


def _name(key: str, entry: list[Any]) -> dict[str, Any]:
    kind, name, *_ = key.split("\0")
    return {"kind": kind, "name": name, "version": max(entry[:2]), "sure": entry[0] >= entry[1], "event": entry[2]}


def _unknown(state: dict[str, Any]) -> list[str]:
    tables = state["tables"]
    reasons = []
    statements = state["rooms"].get("said", {})
    if "lost" in statements or state["joining"]:
        reasons.append("events of this session are missing")
    reasons += [f"what the session said or counted is not known: {name}" for name in statements.get("unsure", ())]
    for kind, floor in zip(PATH_KINDS, tables["path_floor"], strict=True):
        if floor:
            reasons.append(f"other paths may have been {'written' if kind == 'wrote' else kind} up to version {floor}")
    if tables["command_floor"]:
        reasons.append(f"other commands may have run up to version {tables['command_floor']}")
    reasons += [f"below `{folder}` something was written at version {version}" for folder, version, _ in tables["deep"]]
    reasons += [f"not understood, at version {version}: `{line}`" for version, line, _ in tables["dark"]]
    return reasons
