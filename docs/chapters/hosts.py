"""The family of adapters → `hosts.md`: which native event is which lifecycle point, what the host enforces."""

from __future__ import annotations

from docs.chapters.base import Chapter, code, page, table, words
from policy_engine.adapters.base import Adapter
from policy_engine.model import family
from policy_engine.model.ladder import VERDICTS

ABOUT = """What a coding agent does with a verdict, event by event. *Gate* says that the host can still refuse
there, so that a failure of the engine refuses too. Verdicts that a host does not enforce at a point are shown where
it can show them."""


def _files() -> dict[str, str]:
    return {"hosts.md": page("Hosts", ABOUT, *map(_host, family.members("policy_engine.adapters", Adapter)))}


def _host(adapter: Adapter) -> str:
    rows = [
        (
            code(native),
            code(capability.point),
            "yes" if capability.gate else "",
            words(verdict for verdict in VERDICTS if verdict in capability.enforces),
        )
        for native, capability in adapter.capabilities.items()
    ]
    cap = adapter.continuation_cap
    more = f"The host lets a completion be refused {cap} times in a row." if cap else ""
    return f"## {adapter.name}\n\n{table(('native event', 'point', 'gate', 'enforces'), rows)}\n\n{more}"


CHAPTER = Chapter("Hosts", "coding agents: native events, and the verdicts they enforce", _files)
