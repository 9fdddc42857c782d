"""End a run whose completion is refused again and again, before the host lets it through or goes on for ever.

Some hosts let a completion through, in silence, that was refused so and so often in a row; others go on without end.
The engine's own budget (runtime/completion.py) starts again with progress, is gone with the session's past, and knows
nothing of completions that could not be judged. So the refusals that a host was told are counted here once more, beside
the store and per agent, until a person's prompt or an accepted completion. Where not even that can be kept, the payload
tells whether the host goes on because it was refused before. Imported by the hook path.
"""

from __future__ import annotations

import posix

from policy_engine.model.decision import Decision
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.limits import COMPLETION_MOST
from policy_engine.runtime.resolve import own_word
from policy_engine.state.side_files import add, content, digest, empty, forget, path_of, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Adapter
    from policy_engine.model.decision import RuleResult
    from policy_engine.model.event import Event

    Raw = dict[str, Any] | None

FOLDER = "completions"
_SIZE = 9  # of a record: eight bytes of the agent's identity, and the number of refusals in a row
_SATURATED = 255


def ended(adapter: Adapter, payload: Any, raw: Raw, verdict: str, judged: bool) -> RuleResult | None:
    """Keep whether a completion is refused; the word that ends the run instead, if refusing has stopped helping.

    `raw` is the canonical event, None if there is none; `judged`: the refusal is what rules say, and the session's past
    knows of it.
    """
    refused, continued = verdict in ("ask", "deny"), adapter.continued(payload)
    before: int | None
    try:
        session, agent = _who(raw, payload)
        if not session:
            raise ConfigurationError("nobody says which session this is")
        path = path_of(FOLDER, session)
        before = _before(path, agent, continued)
        add(path, agent + bytes((min((before or 0) + 1, _SATURATED) if refused else 0,)))
    except (OSError, ConfigurationError):
        before = 0 if continued is False else None
    if not refused:
        return None
    if before is None:
        return _over("How often the completion was refused before cannot be known.", "undecided", "fatal_error")
    if before and not judged:
        text = "The engine cannot judge the completion, and refusing it again would not help."
        return _over(text, "undecided", "fatal_error")
    if before >= most(adapter):
        return _over(f"Completion was refused {before} times in a row.", "violated", "accept_continue_exhausted")
    return None


def failed(adapter: Adapter, payload: Any, raw: Raw, native: str, code: str, text: str) -> Decision | None:
    """The end of a run whose completion cannot even be looked at; None if that is refused, as it is once."""
    over = ended(adapter, payload, raw, "deny", judged=False)
    if over is None:
        return None
    over.message = f"{code}: {text}. {over.message}"
    return Decision("", adapter.capabilities[native].point, "", "stop", "", (over,), (), over.reason)


def begun(event: Event) -> None:
    """A person has spoken, or the session is over: what was refused before counts no more."""
    try:
        if event.hook == "prompt":
            empty(path_of(FOLDER, event.session))  # that there is a file says that it is kept
        else:
            forget(path_of(FOLDER, event.session))
    except OSError:
        return  # then it counts on, and a person takes over sooner


def most(adapter: Adapter) -> int:
    """Return how often in a row a host may refuse a completion: less often than makes it let one through."""
    cap = adapter.continuation_cap
    value = posix.environ.get(adapter.cap_variable.encode(), b"")
    if value.isdigit() and len(value) < 10 and int(value):
        cap = int(value)
    return max(min(cap - 1, COMPLETION_MOST), 1) if cap else COMPLETION_MOST


def _before(path: str, agent: bytes, continued: bool | None) -> int | None:
    """The refusals in a row before this one, None if they were lost: no file, and yet the host was refused."""
    data = content(path)
    if data is None:
        return None if continued else 0
    return next((record[8] for record in reversed(split(data, _SIZE)) if record[:8] == agent), 0)


def _who(raw: Raw, payload: Any) -> tuple[str, bytes]:
    """The session, and what stands for the agent; from the payload as far as it can be told, if there is no event."""
    given = payload if type(payload) is dict else {}
    agent: Any = {"id": given.get("agent_id")}
    session = given.get("session_id")
    if raw is not None:
        session, agent = raw.get("session"), raw.get("agent")
    agent = agent if type(agent) is dict else {}
    name = agent.get("id") or (agent.get("name") if agent.get("kind", "main") != "main" else "")
    return _text(session), digest(_text(name).encode("utf-8", "surrogatepass"))


def _text(value: Any) -> str:
    return value if type(value) is str else ""


def _over(why: str, outcome: str, reason: str) -> RuleResult:
    return own_word(outcome, "stop", f"{why} A person takes over.", reason)
