"""The lock files name every package with its digests, and what is made of them."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from tools.supply_chain import LOCK, ROOT, bill, locked, main, verdict

DEV = ROOT / "requirements" / "dev.lock"


@pytest.mark.parametrize("path", [LOCK, DEV], ids=["run", "dev"])
def test_a_lock_file_names_no_place_to_fetch_from(path: Path) -> None:
    assert re.search(r"://|--index|--extra-index|--find-links|--trusted", path.read_text()) is None


def test_every_dependency_is_locked_within_its_range() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = {
        LOCK: project["dependencies"],
        DEV: [line for name in ("dev", "serve", "lsp", "postgres") for line in extras[name]],
    }
    for path, lines in wanted.items():
        found = locked(path.read_text())
        for line in lines:
            name = re.match(r"[A-Za-z0-9._-]+", line)
            assert name is not None
            version = found[re.sub(r"[-_.]+", "-", name[0]).lower()][0]
            pinned = re.search(r"==([0-9.]+)", line)
            assert pinned is None or pinned[1] == version


def test_the_locks_agree() -> None:
    run, dev = locked(LOCK.read_text()), locked(DEV.read_text())
    assert {name: dev.get(name) for name in run} == run


def test_an_entry_without_a_digest_is_refused() -> None:
    assert locked("a==1 \\\n    --hash=sha256:" + "0" * 64 + "\n    # via b\n") == {"a": ("1", ("0" * 64,))}
    with pytest.raises(ValueError, match="digest"):
        locked("a==1\n")
    with pytest.raises(ValueError, match="digest"):
        locked("a>=1 --hash=sha256:" + "0" * 64)


def test_the_bill_holds_what_is_locked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sbom"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made == bill(LOCK.read_text())
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.5")
    assert {one["name"]: one["version"] for one in made["components"]} == {
        name: version for name, (version, _) in locked(LOCK.read_text()).items()
    }
    assert all(one["hashes"] for one in made["components"])


def test_an_audit_says_what_it_could_not_look_at() -> None:
    bad = {"name": "a", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}
    good, skipped = {"name": "b", "version": "1", "vulns": []}, {"name": "c", "skip_reason": "not found"}
    assert verdict({"dependencies": [bad, good, skipped]}) == (1, [
        "VULNERABLE a 1: CVE-1, fixed in 2",
        "SKIPPED, no data to be had for: c",
        "2 of 3 packages audited, 1 known vulnerabilities",
    ])  # fmt: skip
    assert verdict({"dependencies": [skipped]})[1][-1] == "0 of 1 packages audited, 0 known vulnerabilities"
    assert verdict({})[1][0] == "SKIPPED: nothing was looked at"
