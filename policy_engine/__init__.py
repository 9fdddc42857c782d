"""A policy language and engine for coding agents: the names below, each loaded when it is first used.

Imported by the hook path, so nothing is imported here: a name costs its module only to those who ask for it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.bootstrap import Engine as Engine
    from policy_engine.model.decision import Decision as Decision
    from policy_engine.model.decision import RuleResult as RuleResult
    from policy_engine.model.diagnostic import Diagnostic as Diagnostic
    from policy_engine.model.errors import PolicyEngineError as PolicyEngineError
    from policy_engine.model.errors import PolicyLoadError as PolicyLoadError
    from policy_engine.model.event import Event as Event
    from policy_engine.model.event_form import EventForm as EventForm

__version__ = "0.1.0"

__all__ = [
    "Decision",
    "Diagnostic",
    "Engine",
    "Event",
    "EventForm",
    "PolicyEngineError",
    "PolicyLoadError",
    "RuleResult",
    "__version__",
]

_HOMES = {
    "Decision": "policy_engine.model.decision",
    "Diagnostic": "policy_engine.model.diagnostic",
    "Engine": "policy_engine.bootstrap",
    "Event": "policy_engine.model.event",
    "EventForm": "policy_engine.model.event_form",
    "PolicyEngineError": "policy_engine.model.errors",
    "PolicyLoadError": "policy_engine.model.errors",
    "RuleResult": "policy_engine.model.decision",
}


def __getattr__(name: str) -> object:
    """The public value of that name, imported now and kept for the next time."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module `policy_engine` has no attribute `{name}`")
    from importlib import import_module

    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
