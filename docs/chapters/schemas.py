"""Events, decisions, settings and the JSON form of policies → `schemas.md` and the JSON Schema files."""

from __future__ import annotations

import json
from typing import Any

from docs.chapters.base import Chapter, page, table
from policy_engine.lints.base import lints
from policy_engine.model.config import settings_schema
from policy_engine.model.schemas import decision_schema, event_schema
from policy_engine.syntax.json_form import json_schema as policy_schema

ABOUT = """JSON Schemas, draft 2020-12. What an event may hold is decided by the engine, which is stricter than a
schema can be: it also refuses duplicate keys, numbers that are not finite, lone surrogates, NUL in commands and
paths, and whatever exceeds a [bound](limits.md). Paths are absolute, times RFC 3339.

Each calls itself (`$id`) by the address that the schema store gives to a schema of its name. They are not submitted
yet: [catalog.json](catalog.json) has the entries for its catalogue."""

SETTINGS = """## Settings

What `policy.toml` may say: [settings.schema.json](settings.schema.json), in draft 7, which schema stores ask for. The
engine also refuses a password in `store`. An editor that reads TOML by schemas takes a copy of the file: with
`#:schema ./settings.schema.json` as the first line of `policy.toml`."""
FILES = {"settings": ["**/.policy/policy.toml"]}  # the files that are read by a schema, where they have names


def _catalog(schemas: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The entries of the schema store's catalogue."""
    entries = [
        {
            "name": f"policy_engine: {name}",
            "description": schema["description"],
            **({"fileMatch": FILES[name]} if name in FILES else {}),
            "url": schema["$id"],
        }
        for name, schema in schemas.items()
    ]
    return {"$schema": "https://json.schemastore.org/schema-catalog.json", "version": 1, "schemas": entries}


def _files() -> dict[str, str]:
    event, decision, settings = event_schema(), decision_schema(), settings_schema(lint.code for lint in lints())
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
    schemas = {"event": event, "decision": decision, "policy": policy_schema(), "settings": settings}
    made = {**{f"{name}.schema.json": schema for name, schema in schemas.items()}, "catalog.json": _catalog(schemas)}
    texts = {name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in made.items()}
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
