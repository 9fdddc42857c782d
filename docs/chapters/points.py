"""Write `points.md`: each lifecycle point with its verdicts, its own fields and its smallest event."""

from __future__ import annotations

import json

from docs.chapters.base import Chapter, code, page, table, words
from policy_engine.checker.vocabulary import vocabulary
from policy_engine.hooks.base import EVERYWHERE, HookPoint
from policy_engine.model.points import failure_verdict

ABOUT = """*On failure* is the verdict where the engine cannot decide. A point with *(…)* takes a filter of tools.
Each point has the fields that are [everywhere](fields.md)."""
_TOOLS = "before_tool"  # the other points of tools have its fields, and more


def _files() -> dict[str, str]:
    points = vocabulary().points
    shared = {field.name for field in points[_TOOLS].fields} - {field.name for field in EVERYWHERE}
    rows = [_row(point, shared) for point in points.values()]
    events = "\n".join(json.dumps(dict(point.payload)) for point in points.values())
    return {
        "points.md": page(
            "Lifecycle points",
            ABOUT,
            table(("point", "fires", "verdicts", "on failure", "own fields"), rows),
            f"*Fields of the call*: {words(sorted(shared))}.",
            f"## Smallest events\n\n```json\n{events}\n```",
        )
    }


def _row(point: HookPoint, shared: set[str]) -> tuple[str, ...]:
    own = [field.name for field in point.fields]
    fields = words(name for name in own if name not in shared or not shared <= set(own))
    if shared <= set(own):
        fields = ", ".join(filter(None, ("*fields of the call*", fields)))
    verdicts = words(point.verdicts) + (", effect `timeout`" if point.timeout else "")
    name = f"{point.name}(…)" if point.takes_tools else point.name
    return code(name), point.fires, verdicts, code(failure_verdict(point.name)), fields


CHAPTER = Chapter("Lifecycle points", "when a rule can listen, and its verdicts there", _files)
