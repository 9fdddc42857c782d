"""The policies that imitate other systems are in order, and what was recorded of those systems is what ours decides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from policy_engine import cli
from tools import seed_cases

ROOT = Path(__file__).resolve().parents[2]
COMPAT = ROOT / "rules/compat"
PACKS = [
    "neocode.policy",
    *sorted(
        path.relative_to(COMPAT).as_posix() for path in COMPAT.glob("neocode/*.policy") if ".test" not in path.suffixes
    ),
]
RECORDED = sorted(path.name for path in (ROOT / "tests/data/seeds").glob("*.jsonl"))
MOST_SKIPPED = 0.15


@pytest.mark.parametrize("pack", PACKS)
def test_a_policy_that_imitates_is_in_order(pack: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = COMPAT / pack
    tests = [*path.parent.glob(f"{path.stem}.test.policy"), *path.parent.glob(f"{path.stem}/*.test.policy")]
    files = [str(file) for file in (path, *tests)]
    assert cli.main(["fmt", "--check", *files]) == 0
    capsys.readouterr()
    assert cli.main(["check", "--format", "json", *files]) == 0
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [one["message"] for one in found if one["code"] != "cost"] == []  # to imitate costs what it costs


def test_the_tests_of_policies_that_imitate_pass() -> None:
    for folder in sorted(path for path in COMPAT.iterdir() if path.is_dir()):
        assert cli.main(["test", str(folder)]) == 0


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_cases_are_answered_alike(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert seed_cases.main([str(ROOT / "tests/data/seeds" / name)]) == 0
    passed, _, skipped = (int(part.split()[0]) for part in capsys.readouterr().out.splitlines()[-1].split(", "))
    assert skipped <= MOST_SKIPPED * (passed + skipped)


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ({"area": "no.such.area"}, "nobody answers the area `no.such.area`"),
        ({"given": {"from": "plan", "to": "verify", "through": "x"}}, "`given` has through"),
        ({"expect": {"colour": "red"}}, "the area gives no answer to it"),
        ({"expect": {"allowed": False}}, "expected False, got True"),
        ({"mark": "odd"}, "the mark `odd` is not known"),
        ({"mark": "quirk"}, "ours does not do better"),
    ],
)
def test_what_is_not_known_fails(
    case: dict[str, object], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {"area": "run.phase", "given": {"from": "plan", "to": "verify"}, "expect": {"allowed": True}}
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps({"id": "X-1", "name": "x", **known, **case}))
    assert seed_cases.main([str(file)]) == 1
    out = capsys.readouterr().out
    assert told in out and out.splitlines()[-1] == "0 passed, 1 failed, 0 skipped"


def test_a_file_without_cases_fails(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").touch()
    assert seed_cases.main([str(tmp_path / "cases.jsonl")]) == 1
