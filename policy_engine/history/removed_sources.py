"""Find the sources that went away and that the commit had with which a session began: runs before did not miss them.

A file that the session itself made and took away again, a scratch file, is none of them.
"""

from __future__ import annotations

from policy_engine.history.facts import Fact
from policy_engine.history.suite import COMMIT
from policy_engine.model.test_names import ecosystem_of, is_test
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.classify import Run
from policy_engine.test_runs.evidence import REMOVED, Proof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.model.event import Event

_MOST = 64  # files of one event that git is asked about


def removed_sources(
    facts: Iterable[Fact], event: Event, namespace: dict[str, Any], filesystem: FileSystem
) -> Iterator[Fact]:
    """Yield a fact for each ecosystem of which a source went away, as of a run that failed.

    Args:
        facts: those of the event.
        namespace: what is known of runs of tests (tested.py).
    """
    try:
        start = filesystem.real_workspace.rstrip("/") + "/"
        reals = [fact.path.real for fact in facts if fact.kind == "deleted" and fact.path is not None]
        sources = [real for real in reals if real.startswith(start) and ecosystem_of(real) and not is_test(real)]
        if not sources:
            return
        repository = filesystem.repository()
        root = repository.root.rstrip("/") + "/"
        names = [real.removeprefix(root) for real in sources[:_MOST]]
        listing = repository.ask("ls-tree", "-r", "--full-tree", "--name-only", "-z", namespace[COMMIT], "--", *names)
    except Undecided:
        return
    known = set(listing.decode("utf-8", "surrogateescape").split("\0"))
    told = set()
    for real in sources:
        name, ecosystem = real.removeprefix(start), ecosystem_of(real)
        if real.removeprefix(root) in known and ecosystem not in told:
            told.add(ecosystem)
            proof = Proof(Run(ecosystem))
            proof.run.targets, proof.run.line = (name,), name
            proof.outcome, proof.reason = REMOVED, f"`{name}` was deleted since"
            yield Fact("tests", event, value=proof)
