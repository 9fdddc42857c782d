"""What `policy prove --standard` answers over all packs is what docs/how-to/prove-claims.md says that it answers."""

from __future__ import annotations

import re
from pathlib import Path

from tests.unit.commands.running import ROOT, Shell

_ROW = re.compile(r"^\| (`[^|]+) \| (proved|refuted)", re.MULTILINE)


def test_the_page_has_the_answers_for_all_packs_together(policy: Shell) -> None:
    page = Path(ROOT / "docs/how-to/prove-claims.md").read_text(encoding="utf-8")
    told = {name: answer for names, answer in _ROW.findall(page) for name in re.findall("`([^`]+)`", names)}
    packs = (
        path for group in ("security", "acceptance", "loops") for path in sorted((ROOT / f"rules/{group}").iterdir())
    )
    names = (f"{path.parent.name}/{path.stem}" for path in packs if path.stem != "readonly-autoallow")
    policy.write("all.policy", "language 1\n" + "".join(f'import "pack:{name}"\n' for name in names))
    claims = policy("prove", "all.policy", "--standard", "--builtin", "--format", "json").json["claims"]
    assert {one["claim"]: one["state"] for one in claims} == told
