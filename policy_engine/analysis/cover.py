"""Find the rules that certainly speak wherever something happens: the proof of comparisons, claims and lints.

What happens is a way (a set of literals) at the points of a rule, with that rule's verdict. Sure in three-valued logic:
where the way cannot be decided, what covers it is at worst undecided too, and counts as much.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import chain

from policy_engine.analysis.covering import Covering
from policy_engine.analysis.formula import Form
from policy_engine.analysis.literals import Clause
from policy_engine.analysis.order import clause_implies
from policy_engine.analysis.solver import Entails
from policy_engine.analysis.speaking import is_stronger
from policy_engine.checker.tree import CheckedRule

Speaking = Sequence[tuple[CheckedRule, Form]]
"""Rules with the ways in which they are violated."""


class Cover:
    """The rules that may speak; of those that the index does not find, only the ones in `always` (identities) are
    tried.
    """

    def __init__(self, speaking: Speaking, always: Collection[int] = (), entails: Entails | None = None) -> None:
        self._speaking = speaking
        self._index = Covering({number: form for number, (_, form) in enumerate(speaking)})
        self._always = [number for number, (rule, _) in enumerate(speaking) if id(rule) in always]
        self._entails = entails

    def of_form(
        self, form: Form, asked: CheckedRule, counts: Callable[[CheckedRule], bool] = lambda rule: True
    ) -> list[CheckedRule]:
        """Return rules that together speak in every way of the form; none if a way is left or there is none."""
        covering: dict[int, CheckedRule] = {}
        for clause in form:
            rules = self.of_way(clause, asked, counts)
            if not rules:
                return []
            covering.update((id(rule), rule) for rule in rules)
        return list(covering.values())

    def of_way(
        self, clause: Clause, asked: CheckedRule, counts: Callable[[CheckedRule], bool] = lambda rule: True
    ) -> list[CheckedRule]:
        """Return a rule that speaks in this way as strictly as `asked` does, or the rules of which the solver says that
        one does; none if it was not proved.
        """
        numbers = dict.fromkeys(chain(self._index.implied_by(clause), self._always))
        near = [self._speaking[number] for number in numbers]
        near = [(rule, form) for rule, form in near if counts(rule) and is_stronger(rule, asked)]
        for rule, form in near:
            if any(clause_implies(clause, wide) for wide in form):
                return [rule]
        wider = [wide for _, form in near for wide in form]
        return [rule for rule, _ in near] if self._entails is not None and self._entails([clause], wider) else []
