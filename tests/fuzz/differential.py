"""A number of decisions → as many answers of the engine compared with the reference's; every disagreement made smaller.

`python -m tests.fuzz.differential 1000000` prints what was tried and ends with 1 if anything disagreed. Each policy is
compiled once and decides several sessions. Two runs with one `--seed` try the same; without one every run is new.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

from policy_engine.checker.tree import CheckedPolicy
from policy_engine.loading.loader import Loaded
from tests.fuzz.forms import Forms
from tests.generated.context import THEMES, one
from tests.generated.events import session
from tests.generated.play import answer, decided, loaded, referred
from tests.generated.policies import Case, Generated, policy
from tests.generated.shrink import smallest

SESSIONS = 5
MOST_RULES = 8
MOST_EVENTS = 24
MOST_SHOWN = 5  # disagreements that are made smaller and printed; the rest is only counted


def policies(seed: int) -> Iterator[tuple[str, Generated, list[list[dict[str, Any]]]]]:
    """Named policies, each with sessions about the same things, without end."""
    for place in count():
        name = f"{seed}:{place}"
        rng = Random(name)
        theme = THEMES[one(rng, tuple(THEMES))]
        made = policy(rng, theme, MOST_RULES, theme.sorts, True)
        yield name, made, [session(rng, theme, MOST_EVENTS) for _ in range(SESSIONS)]


def disagreement(found: Loaded, events: list[dict[str, Any]]) -> int | None:
    """The place of the first event that the two decide otherwise."""
    pairs = zip(
        (answer(decision) for decision in decided(found, events)), referred(checked(found), events), strict=True
    )
    return next((place for place, (ours, theirs) in enumerate(pairs) if ours != theirs), None)


def checked(found: Loaded) -> CheckedPolicy:
    assert found.policy is not None
    return found.policy


def differs(case: Case) -> bool:
    return disagreement(loaded(case.policy.text), case.events) is not None


def compare(decisions: int, seed: int, seconds: float, forms: Forms) -> tuple[int, int, list[str]]:
    """How many decisions of how many policies were compared, and where they disagreed."""
    compared = tried = 0
    wrong: list[str] = []
    end = time.monotonic() + seconds
    for name, made, sessions in policies(seed):
        found = loaded(made.text)
        forms.see(checked(found), (item.body for item in made.items))
        tried += 1
        for place, events in enumerate(sessions):
            compared += len(events)
            if disagreement(found, events) is not None:
                wrong.append(f"{name}:{place}")
                if len(wrong) <= MOST_SHOWN:
                    show(f"{name}:{place}", Case(made, events))
        if tried % 500 == 0:
            say(f"{compared} decisions of {tried} policies, {len(wrong)} disagreements")
        if compared >= decisions or time.monotonic() > end:
            break
    return compared, tried, wrong


def show(name: str, case: Case) -> None:
    small = smallest(case, differs)
    found = loaded(small.policy.text)
    ours = [answer(decision) for decision in decided(found, small.events)]
    both = zip(small.events, ours, referred(checked(found), small.events), strict=True)
    lines = [f"{event}\n  engine    {mine}\n  reference {theirs}" for event, mine, theirs in both]
    say(f"disagreement {name}:\n{small.policy.text}\n" + "\n".join(lines))


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("decisions", type=int)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    options = parser.parse_args()
    forms = Forms()
    compared, tried, wrong = compare(options.decisions, options.seed, options.seconds, forms)
    say(f"{compared} decisions of {tried} policies, {len(forms.items)} different items in {len(forms.shapes)} shapes, "
        f"{len(forms.seen)} forms of the language, {len(wrong)} disagreements {wrong}")  # fmt: skip
    say("forms never seen: " + (" ".join(forms.missing()) or "none"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
