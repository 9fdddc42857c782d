"""Events, decisions, settings and the JSON form of policies → `schemas.md` and the JSON Schema files."""

from __future__ import annotations

import json

from docs.chapters.base import Chapter, page, table
from policy_engine.model.config import settings_schema
from policy_engine.model.schemas import decision_schema, event_schema
from policy_engine.syntax.json_form import json_schema as policy_schema

ABOUT = """JSON Schemas, draft 2020-12. What an event may hold is decided by the engine, which is stricter than a
schema can be: it also refuses duplicate keys, numbers that are not finite, lone surrogates, NUL in commands and
paths, and whatever exceeds a [bound](limits.md). Paths are absolute, times RFC 3339."""

SETTINGS = """## Settings

What `policy.toml` may say: [settings.schema.json](settings.schema.json), in draft 7, which schema stores ask for. The
engine also refuses a password in `store`."""


def _files() -> dict[str, str]:
    event, decision, settings = event_schema(), decision_schema(), settings_schema()
    parts = [
        ABOUT,
        "## The canonical event\n\nOne JSON object per event: [event.schema.json](event.schema.json).",
        _rows(event),
        "## The decision\n\nOne JSON object per event, in order: [decision.schema.json](decision.schema.json).",
        _rows(decision),
        "### A rule's word\n\nThe entries of `rules`, `waived` and `shadow`.",
        _rows(decision["$defs"]["rule"]),
        "## The JSON form of a policy\n\nWhat `policy dump` writes: [policy.schema.json](policy.schema.json).",
        SETTINGS,
        _rows(settings),
    ]
    schemas = {
        "event.schema.json": event,
        "decision.schema.json": decision,
        "policy.schema.json": policy_schema(),
        "settings.schema.json": settings,
    }
    texts = {name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in schemas.items()}
    return {"schemas.md": page("Schemas", *parts), **texts}


def _rows(schema: dict[str, object]) -> str:
    properties = schema["properties"]
    required = schema.get("required", [])
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    rows = []
    definitions = schema.get("$defs", {})
    assert isinstance(definitions, dict)
    for name, one in properties.items():
        if "$ref" in one:
            one = {**definitions[one["$ref"].rpartition("/")[2]], **one}
        kind = one.get("type", "")
        kind = (
            " or ".join(kind)
            if isinstance(kind, list)
            else kind or ("one of " + ", ".join(one["enum"]) if "enum" in one else "any")
        )
        rows.append((f"`{name}`", str(kind), "yes" if name in required else "", one.get("description", "")))
    return table(("key", "type", "needed", "meaning"), rows)


CHAPTER = Chapter("Schemas", "event, decision, policy and settings as JSON", _files)
