"""The index finds whatever trying all pairs finds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.analysis.covering import Covering
from policy_engine.analysis.formula import Form, TooLarge, ways
from tests.unit.analysis.conditions import CONDITIONS, condition, form_implies


@settings(max_examples=40)
@given(st.lists(CONDITIONS, min_size=2, max_size=6))
def test_every_form_that_is_implied_is_a_candidate(texts: list[str]) -> None:
    forms: dict[int, Form] = {}
    for number, text in enumerate(texts):
        try:
            forms[number] = ways(condition(text))
        except TooLarge:
            continue
    index = Covering(forms)
    for form in forms.values():
        for clause in form:
            implied = {other for other in forms if form_implies([clause], forms[other])}
            assert implied <= set(index.implied_by(clause))


def test_candidates_are_few_among_many() -> None:
    forms = {n: ways(condition(f'tool.name == "tool{n}" and diff.lines > {n}')) for n in range(300)}
    index = Covering(forms)
    assert [list(index.implied_by(forms[number][0])) for number in (0, 7, 299)] == [[0], [7], [299]]
