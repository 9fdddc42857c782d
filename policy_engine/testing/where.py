"""A condition of `policy diff --where`: where it can hold, whether it does, and what it certainly leaves out."""

from __future__ import annotations

from policy_engine.analysis.candidates import WAYS
from policy_engine.analysis.conditions import called, rule_form
from policy_engine.analysis.formula import Form, TooLarge, both
from policy_engine.analysis.literals import Clause
from policy_engine.analysis.order import implies
from policy_engine.analysis.theory import conflict
from policy_engine.checker.tree import CheckedRule
from policy_engine.evaluators.base import Program
from policy_engine.loading.loader import Loaded, load_text
from policy_engine.model.errors import PolicyLoadError
from policy_engine.model.event import TOOL_KINDS, TOOL_POINTS
from policy_engine.model.points import FAILURE_VERDICT
from policy_engine.model.source import Source
from policy_engine.syntax.parser import parse

_RULE = 'rule where-{kind} "where" {{\n  on {point}\n  when {condition}\n  fail open\n  remind "where"\n}}\n'


class Where:
    """A condition of the event at which a session ends; `text` is how it was written."""

    def __init__(self, condition: str) -> None:
        """Take a condition. Raises PolicyLoadError where it is none, or no point knows what it asks for."""
        self.text = condition
        _, unread = parse(Source("--where", f"language 1\ndefine condition = {condition}"))
        if unread:
            raise PolicyLoadError("the condition of --where cannot be read", tuple(unread))
        self._asking: dict[tuple[str, str], Loaded | None] = {}
        if not any(self._asked(point, kind) for point in FAILURE_VERDICT for kind in ("", "shell")):
            broken = self._loaded("before_tool", ("shell",))
            raise PolicyLoadError("the condition of --where does not load", broken.diagnostics)

    def program(self, point: str, kind: str) -> Program | None:
        """Return the program of a rule that speaks where the condition is true; None where nothing can ask it."""
        asked = self._asked(point, kind)
        return asked.program if asked is not None else None

    def leaves_out(self, point: str, kind: str, clause: Clause) -> bool:
        """Detect whether the condition is certainly not true wherever this way is true, or cannot be decided."""
        asked = self._asked(point, kind)
        if asked is None:
            return True
        assert asked.policy is not None
        return all(_apart(rule, clause) for rule in asked.policy.rules)

    def together_with(self, clause: Clause, point: str, kind: str) -> list[Clause]:
        """Return the ways in which the clause and the condition may be true together, some of them where they are many;
        the clause itself where that is not known.
        """
        asked = self._asked(point, kind)
        forms = [_form(rule) for rule in asked.policy.rules] if asked is not None and asked.policy is not None else []
        ways = [clause | way for form in forms for way in form or ()]
        return [way for way in ways if conflict(way) is None][:WAYS] or [clause]

    def _asked(self, point: str, kind: str) -> Loaded | None:
        if (point, kind) not in self._asking:
            kinds = [kind] if kind or point not in TOOL_POINTS else ["", *sorted(TOOL_KINDS)]
            able = [one for one in kinds if self._loaded(point, (one,)).program is not None]
            self._asking[point, kind] = self._loaded(point, ("",) if "" in able else able) if able else None
        return self._asking[point, kind]

    def _loaded(self, point: str, kinds: tuple[str, ...] | list[str]) -> Loaded:
        spots = [(f"{point}({kind})" if kind else point, kind or "any") for kind in kinds]
        rules = (_RULE.format(kind=kind, point=spot, condition=self.text) for spot, kind in spots)
        return load_text(f"language 1\n{''.join(rules)}", "--where")


def _apart(rule: CheckedRule, clause: Clause) -> bool:
    """Detect whether wherever the rule's condition is true, a literal of the clause is false."""
    form = _form(rule)
    return form is not None and all(
        conflict(way) is not None or any(implies(known, one.opposite()) for known in way for one in clause)
        for way in form
    )


def _form(rule: CheckedRule) -> Form | None:
    """Return the ways in which the condition is true where the rule listens; None if they are too many."""
    assert rule.when is not None
    try:
        return both([called(rule.listens, rule.when), rule_form(rule)])
    except TooLarge:
        return None
