"""Rules that ask git: what the agent wrote into the repository's configuration is not run by whoever asks."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.attacks.session import Session

POLICY = """language 1
rule clean "Work starts from a clean tree" { on before_tool(shell) when not git.clean deny "Commit first." }
rule small "Small changes" { on before_tool(shell) when diff.lines > 1 or git.ahead > 90 deny "Split it." }
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A repository with one commit and a changed file, in which a run began."""
    made = Session(tmp_path)
    for line in ("rm -rf .git", "git init -q", "git add -A", "git -c user.name=a -c user.email=a@b commit -qm first"):
        subprocess.run(["/bin/sh", "-c", line], cwd=made.workspace, check=True, env=made.environment)
    made.put(".policy/git.policy", POLICY)
    made.host.environment["PATH"] = os.environ["PATH"]
    made.host.call(made.host.payload("UserPromptSubmit", prompt="do it"))
    made.put("src/app.py", "x = 2\ny = 3\n")
    return made


@pytest.mark.parametrize(
    "settings",
    [
        ("core.fsmonitor", "{program}"),
        ("filter.evil.clean", "{program}", "filter.evil.required", "true"),
        ("filter.evil.process", "{program}", "filter.evil.required", "true"),
        ("diff.evil.command", "{program}", "diff.external", "{program}"),
        ("diff.evil.textconv", "{program}"),
        ("core.hooksPath", "{folder}"),
    ],
)
def test_nothing_that_the_configuration_names_is_started(session: Session, settings: tuple[str, ...]) -> None:
    marker = session.home / "ran"
    folder = session.put("tools/post-index-change", f"#!/bin/sh\ntouch {marker}\ncat\n").parent
    program = folder / "post-index-change"
    program.chmod(0o755)
    session.put(".gitattributes", "*.py filter=evil diff=evil\n")
    names = {"program": str(program), "folder": str(folder)}
    for key, value in zip(settings[::2], settings[1::2], strict=True):
        told = value.format(**names)
        subprocess.run(["git", "config", key, told], cwd=session.workspace, check=True, env=session.environment)
    answer = session.host.call(session.host.shell("ls"))
    assert answer.verdict == "deny"
    assert "Commit first." in answer.err and "Split it." in answer.err
    assert not marker.exists()
    for line in ("touch -d '1 hour ago' .claude/settings.json; git status", "git diff"):
        subprocess.run(["/bin/sh", "-c", line], cwd=session.workspace, env=session.environment, check=False, stdout=-3)
    assert marker.exists(), "git itself runs it"


def test_a_git_of_the_workspace_is_not_asked(session: Session, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    session.put("tools/git", f"#!/bin/sh\ntouch {marker}\n").chmod(0o755)
    session.host.environment["PATH"] = f"{session.workspace / 'tools'}:{os.environ['PATH']}"
    assert "Commit first." in session.host.call(session.host.shell("ls")).err
    assert not marker.exists()
