"""Remember the prompts that calls of an agent plan, and know them again: what comes then is no word of a person.

A tool that wakes the agent later takes the text of a prompt, and a client may report that as it reports what a person
typed. Only digests are kept, beside the records of calls. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.event import CARRYING
from policy_engine.state.side_files import add, content, digest, path_of, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.event import Event

FOLDER = "planned"
_WORDS = frozenset("cron schedule scheduled scheduler wakeup wake loop timer alarm remind reminder".split())
_SIZE = 8  # bytes of a record
_OUTLIVES = ("durable", "persistent")
"""Arguments by which a plan outlives its session: it then holds for the workspace."""


def note_plan(event: Event) -> None:
    """Note the texts of a call that plans prompts. Raises OSError."""
    if event.tool_kind not in CARRYING:
        return
    from policy_engine.model.carried import name_words

    if _WORDS.isdisjoint(name_words(event.tool_name or "")):
        return
    given = event.tool_args or {}
    texts = [value for key, value in given.items() if key in ("prompt", "message", "text") and type(value) is str]
    names = [event.session]
    if event.workspace and any(given.get(key) is True for key in _OUTLIVES):
        names.append(event.workspace)
    for name in names:
        for text in texts:
            add(path_of(FOLDER, name), _record(text))


def is_planned(event: Event) -> bool:
    """Return whether a call of the session, or one that outlives another, planned the prompt. Raises OSError."""
    wanted = _record(event.prompt or "")
    return any(wanted in split(content(path_of(FOLDER, name)) or b"", _SIZE)
               for name in (event.session, event.workspace) if name)  # fmt: skip


def _record(text: str) -> bytes:
    return digest(" ".join(text.split()).encode("utf-8", "surrogatepass"), _SIZE)
