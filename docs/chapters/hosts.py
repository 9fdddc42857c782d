"""The family of adapters → `hosts.md`: which native event is which lifecycle point, what the host enforces."""

from __future__ import annotations

from docs.cells import cells, played, promised
from docs.chapters.base import Chapter, code, page, table, words
from policy_engine.adapters.base import Adapter
from policy_engine.model import family
from policy_engine.model.ladder import VERDICTS
from policy_engine.model.points import FAILURE_VERDICT

ABOUT = """What each coding agent does with a verdict. In the first table *refuses* means that a denial is enforced,
*asks* that a person can be asked, *stops* that the run can be ended, *tells* that a reminder reaches the model, *sees*
that rules receive the event and nothing more; a dot is a point that the host does not report. The points around
verification and before a stop are the engine's own and the same on every host.

✓ marks what a test plays with the real client in the named version (`make test-clients`); the rest was at most tried
by hand, and rests on the host's documentation where no version is named.

In the tables of the hosts, a *gate* is an event at which the host can still refuse, so that a failure of the engine
refuses too. Verdicts that a host does not enforce are shown where it can show them."""
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
    return {"hosts.md": page("Hosts", ABOUT, matrix(points), *map(_host, adapters()))}


def _host(adapter: Adapter) -> str:
    rows = [
        (
            code(native) + (" (gate)" if capability.gate else ""),
            code(capability.point),
            words(verdict for verdict in VERDICTS if verdict in capability.enforces),
        )
        for native, capability in adapter.capabilities.items()
    ]
    cap, afterwards = adapter.continuation_cap, adapter.registration.afterwards
    lines = [
        f"- Evidence: {adapter.evidence}.",
        f"- It lets a completion be refused {cap} times in a row." if cap else "",
        f"- After `policy install {adapter.name}`: {afterwards}" if afterwards else "",
        f"- It never sends {words(adapter.lacks)}." if adapter.lacks else "",
        *(f"- When the hook itself fails ({how}): {what}." for how, what in adapter.failures.items()),
    ]
    events = table(("native event", "point", "enforces"), rows)
    return "\n\n".join([f"## {adapter.name}", events, "\n".join(filter(None, lines))])


CHAPTER = Chapter("Hosts", "coding agents: native events, and the verdicts they enforce", _files)
