"""A small vocabulary, enumerated: every session of it, random policies over it, and what each decides by brute force.

Each rule is judged once over all sessions, together with the others. The verdict of a policy is then the maximum over
its rules: they listen where the session ends, and nothing before is refused. `python -m tests.generated.small PAIRS
[SEED [SIZE]]` compares that many random pairs of policies of SIZE random rules, asks a claim of every fourth, and
reports what the two disagree about.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from random import Random

from policy_engine.analysis.candidates import Session, Step
from policy_engine.checker.tree import CheckedClaim, CheckedPolicy, CheckedRule
from policy_engine.compiler.compiler import compile_policy
from policy_engine.loading.loader import load_text
from policy_engine.model.ladder import RANK
from policy_engine.testing.proof import PROVED, REFUTED, prove
from policy_engine.testing.scenario import play
from policy_engine.testing.stage import Stage
from policy_engine.testing.trials import Trial
from policy_engine.testing.witness import NEW, OLD, checked_step, compare_checked

POOL = 300
LINES = (
    "ls", "git push", "git push --force", "git push -f", "git status", "npm install", "git push --force && npm install",
    "npm install --force", "$TOOL x", "git $X",
    'cat y "./$X"', 'npm y "./$X"',
)  # fmt: skip
READ, WRITE = Step("read", (("", "a"),)), Step("write", (("", "b"),))
HISTORIES: tuple[Session, ...] = ((), (READ,), (WRITE,), (READ, WRITE), (WRITE, READ))
RUNS = tuple(Step("run", (("", line), ("exit", code))) for line in ("t", "t -q") for code in (0, 1))
BRANCHES = ("main", "dev", "other", None)
AHEAD = (0, 1, 2, 3, None)
_ATOMS = (
    'read("a")', 'wrote("b")', 'read("a") since wrote("b")', 'wrote("b") since read("a")', 'ran("t -q ...")',
    'command_success("t ...")', 'command_success("t -q ...")', 'command_failure("t ...")',
    'command_success("t ...") since wrote("b")', 'command_success("t -q ...") since wrote("b")',
)  # fmt: skip
_OF_COMMAND = (
    'c.program == "git"', 'c.program in ["git", "npm"]', 'c.program != "npm"', 'c.has_flag("--force")',
    'c.has_flag("--force", "-f")', 'c matches "git push ..."', 'c matches "git push --force ..."',
    'c matches "npm install ..."', 'c.subcommand == "push"', 'c.program starts_with "g"', "c.dynamic",
)  # fmt: skip
_OF_EVENT = (
    'git.branch == "main"', 'git.branch in ["main", "dev"]', 'git.branch != "dev"',
    'git.branch matches /^(main|other)$/', "git.ahead > 1", "git.ahead >= 1", "git.ahead < 2", "git.ahead == 2",
)  # fmt: skip


def condition(random: Random) -> str:
    """A condition of one to three parts."""
    parts = [_part(random) for _ in range(random.choice((1, 1, 2, 2, 3)))]
    joint = random.choice((" and ", " and ", " or "))
    return joint.join(parts)


def _part(random: Random) -> str:
    sort = random.randrange(6)
    negation = random.choice(("", "", "", "not "))
    if sort < 3:
        kind = random.choice(("any", "any", "any", "every"))
        inner = random.sample(_OF_COMMAND, random.choice((1, 1, 2)))
        body = random.choice((" and ", " and not ", " or ")).join(inner)
        return f"{negation}{kind} c in commands {{ {body} }}"
    return f"{negation}({random.choice(_OF_EVENT if sort < 5 else _ATOMS)})"


def rule_text(random: Random, name: str) -> str:
    """A rule that listens where the sessions end."""
    clauses = [f"  when {condition(random)}"]
    if random.random() < 0.2:
        clauses.append(f"  unless {condition(random)}")
    fail = random.choice(("", "", "  fail open\n", "  fail closed\n", "  fail ask\n"))
    verdict = random.choice(("warn", "ask", "ask", "deny", "deny", "deny", "stop x"))
    body = "\n".join(clauses)
    return f'rule {name} "{name}" {{\n  on before_tool(shell)\n{body}\n{fail}  {verdict} "No."\n}}\n'


@cache
def every_session() -> tuple[Session, ...]:
    """All sessions of the vocabulary; the last step is the one that is compared."""
    return tuple(_sessions())


def _sessions() -> Iterator[Session]:
    runs = ((WRITE, *steps) for length in (1, 2) for steps in product((*RUNS, WRITE), repeat=length))
    states = (*product(HISTORIES, BRANCHES, AHEAD), *product(runs, BRANCHES[:1], AHEAD[:1]))
    for line, (history, branch, ahead) in product(LINES, states):
        yield (_given("git.branch", branch), _given("git.ahead", ahead), *history, Step("shell", (("", line),)))


def _given(name: str, value: object) -> Step:
    if value is None:
        return Step("undecided", (("", name),))
    return Step("given", (("", name), ("value", value)))


@dataclass(frozen=True)
class Pool:
    """Rules, and of each its verdict at each session, with whether it was undecided there."""

    policy: CheckedPolicy
    rules: tuple[CheckedRule, ...]
    spoken: dict[str, dict[int, tuple[str, bool]]]

    def verdicts(self, rules: tuple[CheckedRule, ...]) -> list[str]:
        """The verdict of a policy of some of the rules at every session."""
        found = ["allow"] * len(every_session())
        for rule in rules:
            for at, (verdict, _) in self.spoken[rule.id].items():
                found[at] = max(found[at], verdict, key=RANK.__getitem__)
        return found


def pool(seed: int, size: int = POOL) -> Pool:
    """Judge random rules over all sessions, all in one policy."""
    random = Random(seed)
    text = "language 1\n" + "".join(rule_text(random, f"r{number}") for number in range(size))
    loaded = load_text(text)
    assert loaded.program is not None and loaded.policy is not None, loaded.errors
    spoken: dict[str, dict[int, tuple[str, bool]]] = {rule.id: {} for rule in loaded.policy.rules}
    for at, session in enumerate(every_session()):
        stage = Stage(Trial(loaded.program, {}, {}))
        for step in session:
            heard = play(checked_step(step), stage)
        for result in heard[0].decision.rules:
            if result.rule in spoken:
                spoken[result.rule][at] = result.verdict, result.outcome == "undecided"
    return Pool(loaded.policy, loaded.policy.rules, spoken)


def pair(random: Random, rules: tuple[CheckedRule, ...]) -> tuple[tuple[CheckedRule, ...], tuple[CheckedRule, ...]]:
    """A policy of a few rules, and the same with one or two of them gone, new or put in another's place."""
    old = random.sample(rules, random.randint(1, 4))
    new = list(old)
    for _ in range(random.randint(1, 2)):
        match random.randrange(3):
            case 0 if new:
                new.pop(random.randrange(len(new)))
            case 1:
                new.append(random.choice(rules))
            case _ if new:
                new[random.randrange(len(new))] = random.choice(rules)
    return tuple(old), tuple({rule.id: rule for rule in new}.values())


def compare_pair(known: Pool, old: tuple[CheckedRule, ...], new: tuple[CheckedRule, ...]) -> str:
    """What comparing two policies says, beside what they decide: a fault begins with `!`."""
    before, after = known.verdicts(old), known.verdicts(new)
    differs = before != after
    found = compare_checked(_with(known, old), _with(known, new))
    for one in found.differences:
        if one.before.verdict == one.after.verdict:
            return "! unconfirmed"
    if found.is_equal:
        return "! false equal" if differs else "equal"
    told = {*(one.side for one in found.differences), *(one[0] for one in found.open)}
    ranks = [(RANK[one], RANK[other]) for one, other in zip(before, after, strict=True)]
    if (OLD not in told and any(one > other for one, other in ranks)) or (
        NEW not in told and any(one < other for one, other in ranks)
    ):
        return "! only one direction told"
    if found.differences:
        return "found"
    return "not compared, differs" if differs else "not compared, alike"


def ask_claim(known: Pool, rules: tuple[CheckedRule, ...], about: CheckedRule, possible: bool) -> str:
    """What proving a claim says, beside what the policy decides: a fault begins with `!`."""
    verdict = "ask" if possible or about.verdict in ("warn", "ask") else "deny"
    asked = replace(about, id="claim", verdict=verdict, fail="open" if possible else "closed")
    (answer,) = prove((policy := _with(known, rules)), [CheckedClaim(asked, possible)], compile_policy(policy, "small"))
    decided = known.verdicts(rules)
    sort = "possible" if possible else "always"
    spoken = [at for at, (_, undecided) in known.spoken[about.id].items() if not (possible and undecided)]
    passing = any(RANK[decided[at]] < RANK[verdict] for at in spoken)
    shown = answer.state == (PROVED if possible else REFUTED)
    excluded = answer.state == (REFUTED if possible else PROVED)
    if excluded and passing:
        return f"! {sort}: false proof"
    if shown and (answer.witness is None or RANK[answer.witness.before.verdict] >= RANK[verdict]):
        return f"! {sort}: unconfirmed"
    if shown or excluded:
        return f"{sort}: {'shown' if shown else 'excluded'}"
    return f"{sort}: not decided, {'there is a session' if passing else 'there is none'}"


def _with(known: Pool, rules: tuple[CheckedRule, ...]) -> CheckedPolicy:
    return replace(known.policy, rules=rules)


def outcomes(pairs: int, seed: int, size: int = POOL) -> Iterator[str]:
    """Compare so many pairs, and ask a claim of every fourth; yield what came of each."""
    random = Random(seed)
    known = pool(seed, size)
    for number in range(pairs):
        old, new = pair(random, known.rules)
        yield f"pair: {compare_pair(known, old, new)}"
        if number % 4 == 0:
            yield f"claim: {ask_claim(known, old, random.choice(known.rules), random.random() < 0.5)}"


if __name__ == "__main__":
    counted: Counter[str] = Counter()
    given = [int(text) for text in sys.argv[1:]]
    for done, what in enumerate(outcomes(given[0], *(given[1:] or [1])), 1):
        counted[what] += 1
        if done % 1000 == 0:
            sys.stderr.write(f"{done} {dict(counted)}\n")
    sys.stdout.write("".join(f"{count:7} {what}\n" for what, count in sorted(counted.items())))
