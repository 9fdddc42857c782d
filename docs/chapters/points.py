"""The family of lifecycle points → `points.md`: when each fires, its verdicts, its own fields, its smallest event."""

from __future__ import annotations

import json

from docs.chapters.base import Chapter, code, page, words
from policy_engine.checker.vocabulary import vocabulary
from policy_engine.hooks.base import EVERYWHERE, HookPoint
from policy_engine.model.points import failure_verdict

ABOUT = "Fields are described in [Fields](fields.md); these every point has: "


def _files() -> dict[str, str]:
    common = f"{ABOUT}{words(field.name for field in EVERYWHERE)}."
    return {"points.md": page("Lifecycle points", common, *map(_point, vocabulary().points.values()))}


def _point(point: HookPoint) -> str:
    lines = [
        f"- Fires: {point.fires}",
        f"- Verdicts: {words(point.verdicts)}" + (", and the effect `timeout`" if point.timeout else ""),
        f"- Failure verdict: {code(failure_verdict(point.name))}",
        f"- Tool filter: {'yes' if point.takes_tools else 'no'}",
    ]
    if point.fields:
        lines.append(f"- Own fields: {words(field.name for field in point.fields)}")
    event = json.dumps(dict(point.payload))
    listed = "\n".join(lines)
    return f"## {point.name}\n\n{listed}\n\nThe smallest event:\n\n```json\n{event}\n```"


CHAPTER = Chapter("Lifecycle points", "when a rule can listen, and what it may say there", _files)
