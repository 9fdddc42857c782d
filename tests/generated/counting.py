"""Policies of what counts or lasts, compared, beside random walks through sessions that are played on both.

`python -m tests.generated.counting PAIRS [SEED]` changes one thing in random limits and modes: a window, a period, a
key, a reset, a step, how long a mode lasts. For each direction it reports what the comparison says, and whether a walk
met it. A fault, which begins with `!`, is a direction that a walk met and the comparison left out.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

from policy_engine.analysis.candidates import Session, Step
from policy_engine.evaluators.base import Program
from policy_engine.loading.loader import load_text
from policy_engine.model.ladder import STRICTNESS
from policy_engine.model.undecided import Undecided
from policy_engine.testing.scenario import EVENTLESS, play
from policy_engine.testing.stage import Stage
from policy_engine.testing.trials import Trial
from policy_engine.testing.witness import NEW, OLD, checked_step, compare
from policy_engine.testing.wording import strictest

WALKS = 60  # of each pair
LENGTH = 24  # steps of a walk at least
MINUTE = 60_000
STEPS = (
    Step("shell", (("", "ls"),)),
    Step("shell", (("", "npm a"),)),
    Step("shell", (("", "npm b"),)),
    Step("run", (("", "make"), ("exit", 1))),
    Step("run", (("", "make"), ("exit", 0))),
    Step("write", (("", "a"), ("content", "1"))),
    Step("write", (("", "b"), ("content", "2"))),
    *(Step("wait", (("", minutes * MINUTE),)) for minutes in (1, 10, 20)),
    Step("prompt", (("", "go"),)),
    Step("finish", ()),
    Step("read", (("", "a"),)),
)
CHANGES = (
    ("10m", "15m"), ("within 10m", ""), ("2 rounds", "3 rounds"), ("3 rounds", "4 rounds"), ("4 rounds", "5 rounds"),
    ("at 2", "at 3"), ("at 3", "at 4"), ("deny", "ask"), ("ask", "deny"), ("period 2", "period 3"),
    ('reset on wrote("b")', ""), ("(tool.name, tool.args)", "(tool.name)"), (' by (tool.args["command"])', ""),
    ('wrote("a")', 'wrote("b")'), ('exit when wrote("b")', ""), ("at every 2", "at every 4"), ("mode.m", "not mode.m"),
)  # fmt: skip


def policy_text(random: Random) -> str:
    """A limit, or a mode with a rule that reads it."""
    measures = (_repeats, _results, _calls, None)
    measure = random.choice(measures)
    return _mode(random) if measure is None else _limit(random, *measure(random))


def _repeats(random: Random) -> tuple[str, str]:
    key = random.choice(("tool.name", "tool.name, tool.args", "tool.args"))
    point = random.choice(("before_tool", "after_tool", "before_tool(shell)"))
    return point, f"repeats ({key}) {random.choice(('', 'period 2', 'period 3'))}"


def _results(random: Random) -> tuple[str, str]:
    atoms = ('called("Bash")', 'command_failure("make ...")', 'wrote("a")', 'called("Bash") or wrote("a")')
    window = random.choice(("", "within 10m", "within 15m", "within 2 rounds", "within 4 rounds"))
    return random.choice(("after_tool", "after_tool(shell)")), f"counts {random.choice(atoms)} {window}"


def _calls(random: Random) -> tuple[str, str]:
    condition = random.choice(('any c in commands { c.program == "npm" }', 'tool.kind == "shell"'))
    window = random.choice(("", "within 10m", "within 3 rounds"))
    return "before_tool(shell)", f"counts {condition} {window}{random.choice(('', _BY))}"


_BY = ' by (tool.args["command"])'


def _limit(random: Random, point: str, measure: str) -> str:
    reset = random.choice(("", "", "", 'reset on wrote("b")', "reset on prompted()"))
    verdicts = ("warn", "ask", "deny") if point.startswith("before") else ("warn", "stop often")
    first = f'at {random.choice((2, 3, 4))} {random.choice(verdicts)} "A."'
    second = random.choice(("", f'at {random.choice((5, 6))} {random.choice(verdicts)} "B."'))
    if random.random() < 0.15:
        first, second = f'at every {random.choice((2, 3))} {random.choice(verdicts)} "A."', ""
    return f'limit l "l" {{\n  on {point}\n  {measure} {reset}\n  {first}\n  {second}\n}}\n'


def _mode(random: Random) -> str:
    enters = ('wrote("a")', 'command_failure("make ...")', 'count(called("Bash")) > 2', "prompted()")
    leaves = random.choice(('exit when wrote("b")', 'exit when wrote("b") since wrote("a")', ""))
    lasts = f"{random.choice(('', 'lock 2 rounds', 'lock 3 rounds'))} {random.choice(('', 'dwell 2 rounds'))}"
    asked, verdict = random.choice(("mode.m", "not mode.m")), random.choice(("ask", "deny"))
    mode = f'mode m "m" {{ enter when {random.choice(enters)} {leaves} {lasts if leaves else ""} }}\n'
    return f'{mode}rule l "l" {{ on before_tool(shell) when {asked} {verdict} "No. Wait." }}\n'


def changed(random: Random, text: str) -> str:
    """The same with one thing changed."""
    able = [(one, other) for one, other in CHANGES if one in text]
    return text.replace(*random.choice(able), 1) if able else policy_text(random)


def walk(random: Random) -> Session:
    """A session of cycles, each so many times."""
    steps: list[Step] = []
    while len(steps) < LENGTH:
        steps += random.sample(STEPS, random.choice((1, 1, 2, 2, 3))) * random.choice((1, 1, 2, 3, 4))
    return tuple(steps)


def _side(random: Random, programs: tuple[Program, Program]) -> str:
    """The policy that refuses more strictly where a walk first tells them apart; empty where none does."""
    one, other = (Stage(Trial(program, {}, {})) for program in programs)
    try:
        for step in walk(random):
            old, new = (STRICTNESS[strictest(play(checked_step(step), stage))] for stage in (one, other))
            if old != new and step.kind not in EVENTLESS:
                return OLD if old > new else NEW
    except Undecided:
        pass
    return ""


def outcomes(pairs: int, seed: int) -> Iterator[str]:
    """Compare so many pairs, and yield what came of each direction."""
    random = Random(seed)
    while pairs:
        text = policy_text(random)
        old, new = (load_text(f"language 1\n{one}") for one in (text, changed(random, text)))
        if old.program is None or new.program is None or old.digest == new.digest:
            continue
        pairs -= 1
        found = compare(old, new)
        met = {_side(random, (old.program, new.program)) for _ in range(WALKS)}
        shown, left = {one.side for one in found.differences}, {side for side, *_ in found.open}
        for side in (OLD, NEW):
            said = "shown" if side in shown else "not compared" if side in left else "excluded"
            fault = "! " if said == "excluded" and side in met else ""
            yield f"{fault}{said}, {'met' if side in met else 'not met'}"


if __name__ == "__main__":
    counted = Counter(outcomes(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
    sys.stdout.write("".join(f"{count:7} {what}\n" for what, count in sorted(counted.items())))
