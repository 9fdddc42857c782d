"""Random conditions, written once as text of a policy and once for z3; random regexes, for RE2 and for greenery.

What `policy_engine/analysis` and cvc5 prove of them is decided again by solvers that share no line with the engine.
`python -m tests.generated.formulas COUNT [SEED]` counts how often they agree.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache, reduce
from random import Random
from typing import Any

import z3
from greenery import parse as greenery_parse

from policy_engine.analysis.conditions import rule_form
from policy_engine.analysis.formula import Form
from policy_engine.analysis.regex_language import regex_automaton
from policy_engine.analysis.regular import find
from policy_engine.analysis.solver import solver
from policy_engine.analysis.theory import impossible
from policy_engine.checker.tree import RegexPattern
from policy_engine.loading.loader import load_text
from tests.unit.analysis.conditions import form_implies

NUMBERS = ("git.ahead", "session.turn")
TEXTS = ("git.branch", "goal.text")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WORDS = ("a", "ab", "b", "ba")
SIGNS = ("==", "!=", "<", "<=", ">", ">=")
MILLISECONDS = 10_000


@dataclass(frozen=True, slots=True)
class Condition:
    """The text of a condition, and for z3 that it is true and that it is false."""

    text: str
    true: Any
    false: Any


@cache
def _field(name: str) -> tuple[Any, Any]:
    """The value of a field, and that it is known."""
    if name in NUMBERS:
        value = z3.Int(name)
    else:
        value = z3.Bool(name) if name == "git.clean" else z3.String(name)
    return value, z3.Bool(f"{name} is known")


def _nature() -> list[Any]:
    """What is so of fields whatever a session does."""
    return [_field("session.turn")[0] >= 0, z3.Or([_field("time.weekday")[0] == day for day in DAYS])]


def _atom(random: Random) -> Condition:
    sort = random.choice((0, 1, 1, 2, 3, 4, 4, 5, 5, 6))
    one, other = random.sample(NUMBERS if sort in (0, 1) else TEXTS, 2)
    value, known = _field(one)
    second, second_known = _field(other)
    match sort:
        case 0:
            sign, number = random.choice(SIGNS), random.randrange(-1, 4)
            return _decided(f"{one} {sign} {number}", _compared(value, sign, number), known)
        case 1:
            sign = random.choice(SIGNS)
            return _decided(f"{one} {sign} {other}", _compared(value, sign, second), known, second_known)
        case 2:
            words = random.sample(WORDS, random.randrange(1, 3))
            listed = ", ".join(f'"{word}"' for word in words)
            return _decided(f"{one} in [{listed}]", z3.Or([value == word for word in words]), known)
        case 3:
            word, (name, test) = random.choice(WORDS), random.choice(list(_PARTS.items()))
            return _decided(f'{one} {name} "{word}"', test(value, z3.StringVal(word)), known)
        case 4:
            name, test = random.choice(list(_PARTS.items()))
            return _decided(f"{one} {name} {other}", test(value, second), known, second_known)
        case 5:
            sign = random.choice(("==", "!="))
            return _decided(f"{one} {sign} {other}", _compared(value, sign, second), known, second_known)
        case _ if random.random() < 0.5:
            return _decided("git.clean", *_field("git.clean"))
    days = random.sample(DAYS, random.choice((1, 2, 6, 7)))
    value, known = _field("time.weekday")
    listed = ", ".join(f'"{day}"' for day in days)
    return _decided(f"time.weekday in [{listed}]", z3.Or([value == day for day in days]), known)


_PARTS = {
    "contains": z3.Contains,
    "starts_with": lambda whole, part: z3.PrefixOf(part, whole),
    "ends_with": lambda whole, part: z3.SuffixOf(part, whole),
}


def _compared(one: Any, sign: str, other: Any) -> Any:
    match sign:
        case "==":
            return one == other
        case "!=":
            return one != other
        case "<":
            return one < other
        case "<=":
            return one <= other
        case ">":
            return one > other
        case _:
            return one >= other


def _decided(text: str, holds: Any, *known: Any) -> Condition:
    return Condition(text, z3.And(holds, *known), z3.And(z3.Not(holds), *known))


def _not(one: Condition) -> Condition:
    return Condition(f"not ({one.text})", one.false, one.true)


def _and(one: Condition, other: Condition) -> Condition:
    return Condition(f"({one.text}) and ({other.text})", z3.And(one.true, other.true), z3.Or(one.false, other.false))


def _or(one: Condition, other: Condition) -> Condition:
    return Condition(f"({one.text}) or ({other.text})", z3.Or(one.true, other.true), z3.And(one.false, other.false))


def _joined(random: Random, parts: list[Condition]) -> Condition:
    parts = [_not(one) if random.random() < 0.2 else one for one in parts]
    return reduce(lambda one, other: random.choice((_and, _or))(one, other), parts)


def pair(random: Random) -> tuple[Condition, Condition]:
    """Return two conditions about the same few fields, so that the one often implies the other."""
    one, other = (_joined(random, [_atom(random) for _ in range(random.randrange(1, 4))]) for _ in range(2))
    kind = random.randrange(8)
    return (one, _or(one, other)) if kind == 0 else (_and(one, other), other) if kind == 1 else (one, other)


def is_impossible(condition: Any) -> bool | None:
    """Return whether z3 finds that a formula is never true; None if it does not say."""
    asked = z3.Solver()
    asked.set("timeout", MILLISECONDS)
    asked.add(*_nature(), condition)
    answer = asked.check()
    return None if answer == z3.unknown else bool(answer == z3.unsat)


def form(text: str) -> Form:
    """Return the form of a condition, as the checker reads it."""
    loaded = load_text(f'language 1\nrule a "a" {{\n  on before_completion\n  when {text}\n  deny "no"\n}}\n')
    assert loaded.policy is not None, (text, loaded.diagnostics)
    return rule_form(loaded.policy.rules[0])


def compared_conditions(random: Random) -> dict[str, str]:
    """Return what is wrong in the answers about two conditions, by the question."""
    one, other = pair(random)
    forms = form(one.text), form(other.text)
    missed = z3.Or(z3.And(one.true, z3.Not(other.true)), z3.And(other.false, z3.Not(one.false)))
    implied, never = is_impossible(missed), is_impossible(one.true)
    own, asked, found = form_implies(*forms), solver()(*forms), impossible(forms[0]) is not None
    wrong = {}
    if implied is not None and asked is not implied:
        wrong["cvc5"] = f"`{one.text}` implies `{other.text}`: cvc5 {asked}, z3 {implied}"
    if own and implied is False:
        wrong["implies"] = f"`{one.text}` implies `{other.text}`: own {own}, z3 {implied}"
    if found and never is False:
        wrong["never"] = f"`{one.text}` is never true: own {found}, z3 {never}"
    return wrong


# ---- regexes -------------------------------------------------------------------------------------------------------


def regex(random: Random, depth: int = 2) -> str:
    """Return a regex that RE2 and greenery read alike, but for the anchors."""
    sort = random.randrange(6) if depth else 0
    match sort:
        case 0 | 1:
            return random.choice(("a", "b", "ab", "[ab]", "[^a]", "[a-c]", "c"))
        case 2:
            return f"({regex(random, depth - 1)}|{regex(random, depth - 1)})"
        case 3 | 4:
            return regex(random, depth - 1) + regex(random, depth - 1)
        case _:
            return f"({regex(random, depth - 1)}){random.choice(('*', '+', '?', '{2}', '{1,2}'))}"


def compared_regexes(random: Random) -> dict[str, str]:
    """Return what is wrong in the answers whether a text matches the one regex and not the other, and both."""
    texts = regex(random), regex(random)
    automata = tuple(regex_automaton(RegexPattern(rf"\A(?:{text})\z")) for text in texts)
    one, other = (greenery_parse(text) for text in texts)
    wrong = {}
    for wanted, left in (((True, False), one.difference(other)), ((True, True), one & other)):
        found = find(automata, wanted.__eq__) is None
        if found is not left.empty():
            wrong["greenery"] = f"{texts} {wanted}: own {found}, greenery {left.empty()}"
    return wrong


def main(count: int, seed: int) -> int:
    """Print how many of the pairs were answered otherwise, and the first of them."""
    wrong: Counter[str] = Counter()
    for number in range(count):
        for compare in (compared_conditions, compared_regexes):
            for question, text in compare(Random(seed * 1_000_003 + number)).items():
                wrong[question] += 1
                if wrong[question] <= 5:
                    sys.stdout.write(f"{text}\n")
    told = f"{count} pairs of conditions and {count} of regexes, answered otherwise: {dict(wrong) or 0}"
    sys.stdout.write(f"{told}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
