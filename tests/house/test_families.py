"""A plural folder is a family: it has a base, and each member has a test that bears its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.sources import ROOT, families, member_files


def _has_test(family: str, member: str) -> bool:
    """A file `member.*` or `test_member.*`, or a folder `member`, in a folder of the family's name below tests/."""
    names = {member, f"test_{member}", member.replace("_", "-")}
    folders = [path for path in (ROOT / "tests").rglob(family) if path.is_dir()]
    return any(path.name.split(".")[0] in names for folder in folders for path in folder.iterdir())


@pytest.mark.parametrize("family", families())
def test_each_member_has_a_test_of_its_name(family: str) -> None:
    missing = [str(path) for path in member_files(family) if not _has_test(family, path.stem)]
    assert missing == [], f"add tests/cases/{family}/NAME.case or tests/unit/{family}/test_NAME.py"


@pytest.mark.parametrize("family", families())
def test_a_family_with_members_says_what_a_member_is(family: str) -> None:
    assert not member_files(family) or (ROOT / "policy_engine" / family / "base.py").is_file()


@pytest.mark.parametrize("family", families())
def test_a_family_is_flat(family: str) -> None:
    assert [str(path) for path in member_files(family) if path.parent != Path("policy_engine", family)] == []
