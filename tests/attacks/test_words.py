"""Lines that once went through because a model overlooked some of their words, and honest lines that look like them.

`tests/attacks/words/CLASS.case` holds `refused<TAB>LINE` (asked about or denied by one of the shipped packs) and
`allow<TAB>LINE`; nothing in them is ever run.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from policy_engine.bootstrap import Engine
from tests.end_to_end.test_security_packs import _world
from tests.unit.compiler.asking import engine, shell

ROOT = Path(__file__).resolve().parents[2]
OF_ITS_OWN = ("readonly-autoallow", "no-unasked-dependency")  # they ask about honest lines, as they say
FILES = sorted((ROOT / "tests" / "attacks" / "words").glob("*.case"))


@cache
def _guards() -> list[Engine]:
    packs = [*sorted((ROOT / "rules" / "security").glob("*.policy")), ROOT / "rules" / "builtin" / "no-tamper.policy"]
    texts = [path.read_text() for path in packs if path.stem not in OF_ITS_OWN]
    return [engine(text.replace("language 1\n", "", 1), _world()) for text in texts]


def _verdict(line: str) -> str:
    verdicts = {guard.decide(shell(line)).verdict for guard in _guards()}
    return "refused" if verdicts & {"ask", "deny", "stop"} else "allow"


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_the_packs_say_what_the_case_expects(file: Path) -> None:
    rows = [line.partition("\t")[::2] for line in file.read_text().splitlines() if line]
    assert rows
    assert [(_verdict(line), line) for _, line in rows] == rows
