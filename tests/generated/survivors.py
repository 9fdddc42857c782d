"""Count the mistakes in the shipped packs that no test notices, by the reasons that docs/measured.md gives for them.

`policy test --mutants rules --format json | python -m tests.generated.survivors` writes the counts into the page. A row
names rules and mistakes by patterns; a mistake belongs to the first row that has it. It fails where a mistake has no
row, or a row no mistake.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[2] / "docs/measured.md"
HEAD = "| mistakes | of rules | which | why no test notices them |\n| --- | --- | --- | --- |\n"
_ROW = re.compile(r"\| \d+ \| (.+?) \| (.+?) \| (.+) \|\n")
_SUM = re.compile(r"(?<=`policy test --mutants rules`: )[^;]+; [^;]+?(?=\.\s)")


def renewed(text: str, mutants: list[Mapping[str, Any]]) -> tuple[str, list[str]]:
    """The page with the counts of these mutants, and what is wrong with its rows."""
    rest, problems = text[text.index(HEAD) + len(HEAD) :], []
    rows = []
    while found := _ROW.match(rest):
        rows.append(found.groups())
        rest = rest[found.end() :]
    numbers = Counter(one["outcome"] for one in mutants)
    counts = [0] * len(rows)
    for one in mutants:
        if one["outcome"] in ("open", "survived"):
            row = next((at for at, (rules, which, _) in enumerate(rows) if _is_of(one, rules, which)), None)
            if row is None:
                problems.append(f"no reason: {one['rule']} ({one['at']}): {one['mistake']}")
            else:
                counts[row] += 1
    problems += [
        f"no mistake: {rules}: {which}" for count, (rules, which, _) in zip(counts, rows, strict=True) if not count
    ]
    made = len(mutants) - numbers["equal"]
    said = f"{made:,} mistakes beside {numbers['equal']} that are proved equal; the packs' own tests notice "
    said += f"{numbers['killed']:,} ({100 * numbers['killed'] / made:.1f} %)"
    lines = (f"| {count} | {' | '.join(row)} |\n" for count, row in zip(counts, rows, strict=True))
    return _SUM.sub(said, text[: text.index(HEAD)]) + HEAD + "".join(lines) + rest, problems


def _is_of(one: Mapping[str, Any], rules: str, which: str) -> bool:
    plain = one["mistake"].replace("`", "")
    return any(fnmatchcase(one["rule"], name) for name in _patterns(rules)) and any(
        fnmatchcase(plain, pattern) for pattern in _patterns(which)
    )


def _patterns(cell: str) -> list[str]:
    return re.findall("`([^`]+)`", cell)


if __name__ == "__main__":
    page, wrong = renewed(PAGE.read_text(encoding="utf-8"), json.load(sys.stdin)["mutants"])
    PAGE.write_text(page, encoding="utf-8")
    sys.exit("\n".join(wrong) or None)
