"""The fields of all lifecycle points → `fields.md`: type, meaning, source, and where each is."""

from __future__ import annotations

from docs.chapters.base import Chapter, code, page, table
from policy_engine.adapters.base import Adapter
from policy_engine.checker.vocabulary import Vocabulary, vocabulary
from policy_engine.hooks.base import EVERYWHERE, OWN_SOURCES, Field
from policy_engine.model import family

_CALLS = {"before_tool", "before_permission", "after_tool"}
ABOUT = """A field that *may be absent* by nature needs `has` or `else`; so does one that only some of the points or
tool kinds of a rule have. A field that is there by nature and was not sent is undecided. `mode.NAME` (Bool) and
`limit.NAME.count` (Int) read the modes and limits of the policy.

*Sent by* says which coding agents the field can come from, as their adapters declare it: a rule that reads it is
undecided on the others (`policy check --host HOST` and `policy test` say so)."""


def _files() -> dict[str, str]:
    words = vocabulary()
    everywhere = {field.name for field in EVERYWHERE}
    heads = ("field", "type", "meaning", "sent by", "where")
    rows = [_row(field, words, field.name in everywhere) for field in words.fields.values()]
    return {"fields.md": page("Fields", ABOUT, table(heads, sorted(rows)))}


def _row(field: Field, words: Vocabulary, everywhere: bool) -> tuple[str, ...]:
    points = words.having[field.name]
    where = "everywhere" if everywhere else ", ".join(sorted(points)) if points != _CALLS else "every point of tools"
    if field.kinds is not None:
        where += f"; tools of kind {', '.join(field.kinds)}"
    kind = f"{field.type.name}, may be absent" if field.optional else field.type.name
    return code(field.name), kind, field.doc, _sent_by(field, words), where


def _sent_by(field: Field, words: Vocabulary) -> str:
    """The hosts that send a field at one of its points; `every host` if all that report such a point do."""
    if field.source in OWN_SOURCES:
        return "the engine"
    hosts = family.members("policy_engine.adapters", Adapter)
    points = words.having[field.name]
    there = [host for host in hosts if any(each.point in points for each in host.capabilities.values())]
    senders = [host.name for host in there if not host.never_sends(field.name)]
    lacking = [host.name for host in there if host.never_sends(field.name)]
    if not lacking:
        return "every host"
    return f"all but {', '.join(lacking)}" if len(lacking) < len(senders) else ", ".join(senders)


CHAPTER = Chapter("Fields", "everything that a condition can read of an event", _files)
