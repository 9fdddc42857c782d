"""The pipelines that the page on pull requests shows, run line by line on a repository with a pull request."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from tests.docs.blocks import ROOT, Block, blocks
from tests.end_to_end.action import own_home
from tests.unit.commands.running import GOOD

PAGE = blocks(Path("docs/how-to/pull-requests.md"))
GITLAB, AZURE = (next(block for block in PAGE if word in block.text) for word in ("CI_MERGE_REQUEST", "PublishTestR"))
INSTALLS = "pip install "


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose main branch has a policy, and whose programs are these sources and a reader for reviewdog."""
    (tmp_path / "work" / ".policy").mkdir(parents=True)
    (tmp_path / "work" / ".policy" / "main.policy").write_text(GOOD, "utf-8")
    (tmp_path / "bin").mkdir()
    reader = "import json, sys; print(len(json.load(sys.stdin)['diagnostics']))"
    for name, line in (
        ("policy", f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -m policy_engine "$@"'),
        ("reviewdog", f'exec "{sys.executable}" -c "{reader}"'),
    ):
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    for line in ("init -q -b main", "add .", "commit -q -m first", "update-ref refs/remotes/origin/main HEAD"):
        _done(tmp_path / "work", f"git -c user.name=n -c user.email=e@example.org -c commit.gpgsign=false {line}")
    return tmp_path / "work"


def _done(folder: Path, line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = own_home(folder.parent) | variables
    environment["PATH"] = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def _lines(block: Block) -> list[str]:
    """The commands of a block, those of a pipeline without the one that installs."""
    if block.kind == "sh":
        return block.text.splitlines()
    pipeline = yaml.safe_load(block.text)
    listed = pipeline["policy"]["script"] if "policy" in pipeline else [one.get("script") for one in pipeline["steps"]]
    return [line for line in listed if line and not line.startswith(INSTALLS)]


def _statuses(folder: Path, block: Block) -> list[int]:
    known = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": "origin/main", "SYSTEM_PULLREQUEST_TARGETBRANCH": "refs/heads/main"}
    return [_done(folder, line, **known).returncode for line in _lines(block)]


def test_gitlab_gets_its_reports_and_a_failure_where_less_is_refused(repository: Path) -> None:
    assert _statuses(repository, GITLAB) == [0, 0, 0, 0]
    reports = yaml.safe_load(GITLAB.text)["policy"]["artifacts"]["reports"]
    assert json.loads((repository / reports["codequality"]).read_text()) == []
    assert ElementTree.parse(repository / reports["junit"]).getroot().tag == "testsuites"
    (repository / ".policy" / "main.policy").write_text("language 1\n")
    assert _statuses(repository, GITLAB)[-1] == 1


def test_azure_gets_what_it_publishes_and_issues_with_a_failure_where_less_is_refused(repository: Path) -> None:
    assert _statuses(repository, AZURE) == [0, 0, 0]
    [published] = [one["inputs"] for one in yaml.safe_load(AZURE.text)["steps"] if "task" in one]
    assert ElementTree.parse(repository / published["testResultsFiles"]).getroot().tag == "testsuites"
    (repository / ".policy" / "main.policy").write_text("language 1\n")
    assert _statuses(repository, AZURE)[-1] == 1


def test_reviewdog_and_the_badges_get_what_they_read(repository: Path) -> None:
    (repository / ".policy" / "main.policy").write_text(GOOD.replace('c.program == "rm"', 'c.program == "shred"'))
    reviewdog, badges = (block for block in PAGE if block.kind == "sh")
    read = [_done(repository, line).stdout for line in _lines(reviewdog)]
    assert read[1].strip() == "2"
    assert _statuses(repository, badges) == [5, 5]
    (repository / ".policy" / "main.policy").write_text(GOOD)
    assert _statuses(repository, badges) == [0, 0]
    coverage = json.loads((repository / "policy-coverage.json").read_text())
    assert (coverage["label"], coverage["message"]) == ("policy coverage", "100 %")
