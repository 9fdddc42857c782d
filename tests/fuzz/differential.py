"""A number of decisions → as many answers of the engine compared with the reference's; every disagreement made smaller.

`python -m tests.fuzz.differential 1000000` prints what was tried and ends with 1 if anything disagreed. Each policy is
compiled once and decides several sessions; one in four is a set of several layers. Two runs with one `--seed` try the
same; without one every run is new.
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

from policy_engine.compiler.compiler import Compilation
from policy_engine.model.layers import LAYERS, REPOSITORY
from tests.fuzz.forms import Forms
from tests.generated.context import THEMES, one
from tests.generated.events import session
from tests.generated.play import answer, decided, loaded, referred_layers, written
from tests.generated.policies import Case, Generated, policy
from tests.generated.shrink import smallest
from tests.reference.interpreter import Answer

SESSIONS = 5
MOST_RULES = 8
MOST_EVENTS = 24
MOST_SHOWN = 5  # disagreements that are made smaller and printed; the rest is only counted


Layered = tuple[tuple[str, Generated], ...]  # the layers, the strongest first, each with its policy


def policies(seed: int) -> Iterator[tuple[str, Layered, list[list[dict[str, Any]]]]]:
    """Named sets of policies, each with sessions about the same things, without end."""
    for place in count():
        name = f"{seed}:{place}"
        rng = Random(name)
        theme = THEMES[one(rng, tuple(THEMES))]
        layers = (*sorted(rng.sample(LAYERS[:-1], rng.randint(1, 2)), key=LAYERS.index), REPOSITORY)
        if place % 4:
            layers = (REPOSITORY,)
        made = tuple((layer, policy(rng, theme, MOST_RULES // len(layers), theme.sorts, True)) for layer in layers)
        yield name, made, [session(rng, theme, MOST_EVENTS) for _ in range(SESSIONS)]


class Tried:
    """A set of policies, compiled."""

    def __init__(self, layers: Layered) -> None:
        self.loaded = [(layer, loaded(made.text)) for layer, made in layers]
        self.checked = [(layer, found.policy) for layer, found in self.loaded if found.policy is not None]
        # the reference reads what the generator wrote out, not what the checker made of the short forms
        self.written = [(layer, written(made)) for layer, made in layers]
        self.program = None
        if len(layers) > 1:
            self.program = Compilation().program(tuple(self.checked), "sha256:0")

    def engine(self, events: list[dict[str, Any]]) -> list[Answer]:
        """What the engine says of the events."""
        return [answer(decision) for decision in decided(self.loaded[-1][1], events, program=self.program)]

    def reference(self, events: list[dict[str, Any]]) -> list[Answer]:
        """What the reference says of them."""
        return referred_layers(self.written, events)

    def disagree(self, events: list[dict[str, Any]]) -> bool:
        return self.engine(events) != self.reference(events)


def compare(decisions: int, seed: int, seconds: float, forms: Forms) -> tuple[int, int, list[str]]:
    """How many decisions of how many sets were compared, and where they disagreed."""
    compared = sets = 0
    wrong: list[str] = []
    end = time.monotonic() + seconds
    for name, made, sessions in policies(seed):
        tried = Tried(made)
        sets += 1
        for (_, checked), (_, generated) in zip(tried.checked, made, strict=True):
            forms.see(checked, generated.items)
        for place, events in enumerate(sessions):
            compared += len(events)
            if tried.disagree(events):
                wrong.append(f"{name}:{place}")
                if len(wrong) <= MOST_SHOWN:
                    show(f"{name}:{place}", made, events)
        if sets % 500 == 0:
            say(f"{compared} decisions of {sets} sets, {len(wrong)} disagreements")
        if compared >= decisions or time.monotonic() > end:
            break
    return compared, sets, wrong


def smaller(made: Layered, events: list[dict[str, Any]], place: int) -> tuple[Layered, list[dict[str, Any]]]:
    """The same disagreement with less in one layer, and fewer events."""

    def put(generated: Generated) -> Layered:
        return (*made[:place], (made[place][0], generated), *made[place + 1 :])

    small = smallest(Case(made[place][1], events), lambda case: Tried(put(case.policy)).disagree(case.events))
    return put(small.policy), small.events


def show(name: str, made: Layered, events: list[dict[str, Any]]) -> None:
    """Print it, smaller."""
    for place in range(len(made)):
        made, events = smaller(made, events, place)
    tried = Tried(made)
    both = zip(events, tried.engine(events), tried.reference(events), strict=True)
    lines = [f"{event}\n  engine    {mine}\n  reference {theirs}" for event, mine, theirs in both]
    texts = [f"# {layer}\n{generated.text}" for layer, generated in made]
    say(f"disagreement {name}:\n" + "\n".join([*texts, *lines]))


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
    compared, sets, wrong = compare(options.decisions, options.seed, options.seconds, forms)
    say(f"{compared} decisions of {sets} sets, {len(forms.items)} different items in {len(forms.shapes)} shapes, "
        f"{len(forms.seen)} forms of the language, {len(wrong)} disagreements {wrong}")  # fmt: skip
    say("forms never seen: " + (" ".join(forms.missing()) or "none"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
