"""What is proved of conditions and regexes beside z3 and greenery: `python -m tests.generated.formulas 10000` asks for
more.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.generated import formulas
from tests.generated.formulas import compared_conditions, compared_regexes
from tests.properties.effort import seeds


@pytest.mark.parametrize("part", range(2))
def test_z3_says_the_same_of_conditions(part: int) -> None:
    assert [wrong for number in seeds(100)[part::2] if (wrong := compared_conditions(Random(number)))] == []


def test_greenery_says_the_same_of_regexes() -> None:
    assert [wrong for number in seeds(40) if (wrong := compared_regexes(Random(number)))] == []


@pytest.mark.parametrize("answer", [True, False])
def test_a_wrong_answer_is_found(answer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "solver", lambda: lambda one, other: answer)
    monkeypatch.setattr(formulas, "form_implies", lambda one, other: answer)
    wrong = [compared_conditions(Random(number)) for number in range(20)]
    assert {"cvc5", "implies"} & {question for one in wrong for question in one}
