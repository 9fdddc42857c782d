"""Folders of guards that are links into the repository: what lies behind the link is guarded as what it stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.session import Session

LINKED = {".policy": "pol", ".claude": "config/cl"}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A session whose repository keeps its policies and its host's settings in folders of other names."""
    made = Session(tmp_path_factory.mktemp("linked"))
    for name, folder in LINKED.items():
        (made.workspace / folder).parent.mkdir(exist_ok=True)
        (made.workspace / name).rename(made.workspace / folder)
        (made.workspace / name).symlink_to(folder)
    made.put(".codex/readme.md", "x\n")
    made.put("config/hooks.json", "{}\n")
    (made.workspace / ".codex/hooks.json").symlink_to("../config/hooks.json")
    made.host.warm()
    return made


@pytest.mark.parametrize(
    "name",
    ["pol/no-sudo.policy", "pol/new.policy", ".policy/new.policy", "config/cl/settings.local.json",
     ".claude/settings.json", "config/hooks.json"],
)  # fmt: skip
def test_no_file_behind_the_link_is_written(session: Session, name: str) -> None:
    before = sorted(session.workspace.rglob("*"))
    assert session.write(name) in ("ask", "deny")
    assert sorted(session.workspace.rglob("*")) == before


@pytest.mark.parametrize(
    "line",
    [
        "sed -i /import/d pol/no-sudo.policy", "echo 'language 1' > pol/no-sudo.policy", "rm pol/no-sudo.policy",
        "rm -rf pol", "mv pol pol2", "rm config/cl/settings.json", "mv config/cl cl2", "rm -rf config",
        "python3 -c \"open('pol/no-sudo.policy', 'w')\"", "cd pol && rm no-sudo.policy", "ln -sfn src .policy",
        "rm .policy", "touch config/hooks.json",
    ],
)  # fmt: skip
def test_no_line_changes_what_lies_behind_the_link(session: Session, line: str) -> None:
    assert session.asked(line) in ("ask", "deny")


@pytest.mark.parametrize("line", ["cat pol/no-sudo.policy", "ls config/cl", "touch config/other.json", "rm -rf build"])
def test_other_work_in_these_folders_goes_on(session: Session, line: str) -> None:
    assert session.asked(line) == "allow"
    assert session.write("config/other.json", "{}\n") == "allow"


def test_a_search_of_a_folder_with_another_name_reads_no_secret(tmp_path: Path) -> None:
    session = Session(tmp_path, "no-secret-read")
    session.put(".env", "A=1\n")
    session.put("config/values.yaml", "a: 1\n")
    (session.workspace / "link-in").symlink_to("src")
    assert session.asked("grep -rn process.env src") == "allow"
    assert session.asked("cat link-in/app.py") == "allow"
    (session.workspace / ".env").rename(session.workspace / "config/dotenv")
    (session.workspace / ".env").symlink_to("config/dotenv")
    assert session.asked("cat config/dotenv") in ("ask", "deny")


def test_a_link_that_is_made_later_counts_at_once(tmp_path: Path) -> None:
    session = Session(tmp_path)
    (session.workspace / "rules").mkdir()
    assert session.write("rules/a.policy") == "allow"
    (session.workspace / ".kiro").symlink_to("rules")
    assert session.write("rules/b.policy") in ("ask", "deny")
