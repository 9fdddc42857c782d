"""The family of adapters → `hosts.md`: which native event is which lifecycle point, what the host enforces."""

from __future__ import annotations

from docs.cells import cells, marked, played, promised
from docs.chapters.base import Chapter, code, page, table, words
from policy_engine.adapters.base import Adapter
from policy_engine.model import family
from policy_engine.model.ladder import VERDICTS
from policy_engine.model.points import FAILURE_VERDICT

ABOUT = """What a coding agent does with a verdict, event by event. *Gate* says that the host can still refuse
there, so that a failure of the engine refuses too. Verdicts that a host does not enforce at a point are shown where
it can show them.

In the first table *refuses* is what a denial does, *asks* that a person can be asked, *stops* that the run can be
ended, *tells* that a reminder reaches the model, *sees* that rules hear of it and nothing more; a dot is a point that
the host does not report. The points around verification and before a stop are the engine's own and the same on every
host.

A word with ✓ is played by a test with the real client, in the version that is named with the host, without a person
and to its end: `make test-clients`. A word without it was at most tried by hand, and rests on documentation where no
version is named."""
PLAYED = """The tests that carry a cell as a mark play it with every client here that promises it; what a client cannot
show in one run without a person is taken out in its file, with the reason."""
OWN = ("before_verification", "after_verification", "before_stop")
MADE = "✓"
SHORT = ("prompt", "before_tool", "after_tool", "before_completion", "subagent_completion")


def adapters() -> list[Adapter]:
    """Every host, by name."""
    return family.members("policy_engine.adapters", Adapter)


def promise(adapter: Adapter, point: str) -> str:
    """What can be promised at a point, with ✓ where it is played."""
    registered = {event for event, _ in adapter.registration.events}
    if not any(known.point == point and native in registered for native, known in adapter.capabilities.items()):
        return "·"
    shown = played(adapter.name)
    said = [f"{word}{MADE * (f'{point} {word}' in shown)}" for word in promised(adapter, point)]
    return ", ".join(said) or "sees"


def status(adapter: Adapter) -> str:
    """Whether the exit status of a command comes."""
    return "yes" + MADE * ("exit status" in played(adapter.name)) if "exit status" in cells(adapter) else "no"


def matrix(points: tuple[str, ...]) -> str:
    """Host × point × what can be promised."""
    rows = [(f"[{each.name}](#{each.name})", *(promise(each, point) for point in points)) for each in adapters()]
    return table(("host", *map(code, points)), rows)


def short() -> str:
    """The table of the README: fewer points, and what happens when the hook itself dies."""
    rows = [
        (
            each.name,
            *(promise(each, point) for point in SHORT),
            status(each),
            each.evidence,
        )
        for each in adapters()
    ]
    return table(("host", *map(code, SHORT), "exit status", "evidence"), rows)


def _files() -> dict[str, str]:
    points = tuple(point for point in FAILURE_VERDICT if point not in OWN)
    return {"hosts.md": page("Hosts", ABOUT, matrix(points), _played(), *map(_host, adapters()))}


def _played() -> str:
    rows = []
    for cell, tests in sorted(marked().items()):
        hosts = [each.name for each in adapters() if cell in cells(each) & played(each.name)]
        named = [f"[{name.removeprefix('test_').replace('_', ' ')}](../../{path})" for path, name in tests]
        rows.append((code(cell), ", ".join(named), ", ".join(hosts)))
    return f"## What is played\n\n{PLAYED}\n\n" + table(("cell", "tests", "clients"), rows)


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
    cap, afterwards = adapter.continuation_cap, adapter.registration.afterwards
    parts = [
        f"## {adapter.name}",
        f"Evidence: {adapter.evidence}.",
        table(("native event", "point", "gate", "enforces"), rows),
        f"The host lets a completion be refused {cap} times in a row." if cap else "",
        f"After `policy install {adapter.name}`: {afterwards}" if afterwards else "",
        _list("When the hook itself fails", adapter.failures),
        _list("What the host never sends", {f"`{name}`": why for name, why in adapter.lacks.items()}),
    ]
    return "\n\n".join(part for part in parts if part)


def _list(title: str, items: dict[str, str]) -> str:
    return f"{title}:\n\n" + "\n".join(f"- {name}: {what}" for name, what in items.items()) if items else ""


CHAPTER = Chapter("Hosts", "coding agents: native events, and the verdicts they enforce", _files)
